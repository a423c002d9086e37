// SPDX-License-Identifier: MIT
// The recorder's own loss count against the host's ledger, over random sizes, bursts and drains:
// they must be equal, also for losses of more than 256 records, and every record must have the time
// when it was made.

#include "wf_test.h"

#include "wallfly_host/wf_session.h"

static uint8_t ring[4096], stream[1 << 22];
static uint32_t seed;

static uint32_t rnd(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

// Every record contains the full time when it was made.
static void record(void) {
    uint8_t block[48];
    for (unsigned i = 0; i < sizeof block; ++i) block[i] = (uint8_t)(rnd(4) ? rnd(256) : 0x7D);
    WF_RECORD(WF_USER, 0, WF_U64(0, fake_clock), WF_MEM(block, (uint8_t)rnd(sizeof block)));
}

static size_t run(uint32_t size, unsigned bursts, unsigned longest) {
    size_t n = 0;
    fake_clock = 1000;
    start(ring, size);
    wf_filter(WF_GRP_ALL);
    for (unsigned i = 0; i < bursts; ++i) {
        for (uint32_t k = rnd(longest); k; --k) {
            fake_clock += rnd(20) ? rnd(100) : rnd(3u << 28);
            record();
        }
        int b;
        for (uint32_t k = rnd(3) ? rnd(900) : UINT32_MAX; k && (b = wf_get_byte()) >= 0; --k) {
            stream[n++] = (uint8_t)b;
        }
    }
    record();
    for (int b; (b = wf_get_byte()) >= 0;) stream[n++] = (uint8_t)b;
    return n;
}

static void check(size_t len) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    struct wf_status status;
    struct wf_session *s = wf_session_open(&options, NULL);
    uint64_t missing = 0, given_up = 0;
    for (size_t at = 0; at < len; at += 1000) {
        wf_session_feed(s, stream + at, len - at < 1000 ? len - at : 1000);
        while (wf_session_next(s, &item)) {
            if (item.kind == WF_ITEM_LOSS) {
                missing += item.loss.records;
                given_up += item.loss.given_up;
            }
            if (item.kind != WF_ITEM_RECORD || item.record.id != WF_USER) continue;
            struct wf_element e;
            size_t pos = 0;
            assert_true(wf_session_next_element(s, &item.record, &pos, &e));
            assert_int_equal(item.record.tick, e.value);
        }
    }
    wf_get_status(&status);
    const struct wf_ledger *l = wf_session_ledger(s);
    assert_int_equal(l->missing, status.lost);
    assert_int_equal(l->given_up, status.lost);
    assert_int_equal(missing, status.lost);
    assert_int_equal(given_up, status.lost);
    assert_true(l->exact);
    assert_int_equal(l->late + l->repeated + l->malformed, 0);
    wf_session_close(s);
}

static void ledger_equals_recorder(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 200; ++i) {
        seed = i;
        uint32_t size = 128 + rnd(sizeof ring - 128);
        check(run(size, 60, i % 3 ? 40 : 700));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ledger_equals_recorder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
