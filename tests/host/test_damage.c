// SPDX-License-Identifier: MIT
// A valid stream, damaged at every byte: truncated, bytes removed, doubled, every bit flipped. In
// all cases all whole frames outside of the damage are decoded, in order, and the ledger accounts
// for every byte. Input ends at a guard page.

#include "wf_test.h"

enum { FRAMES = 24 };

static struct stream good;
static size_t starts[FRAMES + 1]; // of the frames
static uint8_t damaged[1 << 17];

static void make_stream(void) {
    uint8_t payload[64];
    memset(&good, 0, sizeof good);
    for (unsigned i = 0; i < FRAMES; ++i) {
        starts[i] = good.len;
        for (unsigned k = 0; k < sizeof payload; ++k) payload[k] = (uint8_t)(k * 37 + i * 0x7D);
        // Frames of many lengths with many escapes; record numbers that are in no table.
        payload[0] = (uint8_t)i;
        put_frame(&good, 90, payload, 1 + i * 2);
    }
    starts[FRAMES] = good.len;
}

struct outcome {
    bool seen[FRAMES];
    struct wf_ledger ledger;
};

// first, last: the frames that the damage touches; all others must come out once and in order.
static void check(size_t len, size_t first, size_t last) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct outcome o = {.ledger = {0}};
    struct wf_item item;
    int before = -1;
    struct wf_session *s = wf_session_open(&options, NULL);
    struct guarded g = guard(damaged, len);
    wf_session_feed(s, g.bytes, len);
    for (int ended = 0; ended < 2; ++ended) {
        while (wf_session_next(s, &item)) {
            if (item.kind != WF_ITEM_RECORD || item.record.id != 90 || !item.record.len) continue;
            unsigned i = item.record.payload[0];
            if (i >= FRAMES || item.record.len != 1 + i * 2) continue; // damaged, valid checksum
            if (i >= first && i <= last) continue;
            assert_true((int)i > before);
            before = (int)i;
            o.seen[i] = true;
        }
        wf_session_end(s);
    }
    for (size_t i = 0; i < FRAMES; ++i) {
        if (i < first || i > last) assert_true(o.seen[i]);
    }
    o.ledger = *wf_session_ledger(s);
    assert_int_equal(o.ledger.bytes, len);
    assert_int_equal(o.ledger.bytes_good + o.ledger.bytes_idle + o.ledger.bytes_bad +
                         o.ledger.bytes_repeated,
                     len);
    unguard(&g);
    wf_session_close(s);
}

static size_t frame_of(size_t at) {
    size_t i = 0;
    while (at >= starts[i + 1]) ++i;
    return i;
}

static void bits_flipped(void **state) {
    (void)state;
    for (size_t at = 0; at < good.len; ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            memcpy(damaged, good.bytes, good.len);
            damaged[at] ^= (uint8_t)(1u << bit);
            size_t i = frame_of(at);
            // A lost flag joins two frames.
            size_t last = good.bytes[at] == 0x7E && i + 1 < FRAMES ? i + 1 : i;
            check(good.len, i, last);
        }
    }
}

static void bytes_dropped(void **state) {
    (void)state;
    for (size_t at = 0; at < good.len; ++at) {
        memcpy(damaged, good.bytes, at);
        memcpy(damaged + at, good.bytes + at + 1, good.len - at - 1);
        size_t i = frame_of(at), last = good.bytes[at] == 0x7E && i + 1 < FRAMES ? i + 1 : i;
        check(good.len - 1, i, last);
    }
}

static void bytes_doubled(void **state) {
    (void)state;
    for (size_t at = 0; at < good.len; ++at) {
        memcpy(damaged, good.bytes, at + 1);
        memcpy(damaged + at + 1, good.bytes + at, good.len - at);
        check(good.len + 1, frame_of(at), frame_of(at));
    }
}

static void bytes_replaced_by_escape_or_flag(void **state) {
    (void)state;
    for (size_t at = 0; at < good.len; ++at) {
        for (unsigned k = 0; k < 2; ++k) {
            memcpy(damaged, good.bytes, good.len);
            damaged[at] = k ? 0x7D : 0x7E;
            size_t i = frame_of(at);
            check(good.len, i, good.bytes[at] == 0x7E && k && i + 1 < FRAMES ? i + 1 : i);
        }
    }
}

static void streams_cut_off(void **state) {
    (void)state;
    for (size_t len = 0; len <= good.len; ++len) {
        memcpy(damaged, good.bytes, len);
        size_t i = len < good.len ? frame_of(len) : FRAMES;
        check(len, i, FRAMES);
    }
}

static void streams_that_start_late(void **state) {
    (void)state;
    for (size_t at = 0; at < good.len; ++at) {
        memcpy(damaged, good.bytes + at, good.len - at);
        size_t i = frame_of(at);
        check(good.len - at, 0, i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_flipped),    cmocka_unit_test(bytes_dropped),
        cmocka_unit_test(bytes_doubled),   cmocka_unit_test(bytes_replaced_by_escape_or_flag),
        cmocka_unit_test(streams_cut_off), cmocka_unit_test(streams_that_start_late),
    };
    make_stream();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
