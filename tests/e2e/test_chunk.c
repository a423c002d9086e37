// SPDX-License-Identifier: MIT
// A device that sends chunks (wf_chunk.h) to an agent (wf_fleet_chunk.h) over a network that loses,
// repeats and delays messages both ways: the agent has each byte once and in order, and records and
// losses add up to what was made.

#include "wallfly/wf_chunk.h"
#include "wallfly_host/wf_fleet_chunk.h"
#include "wallfly_host/wf_session.h"
#include "wf_test.h"

enum { MADE = 20000, ENOUGH = 1 << 21 };

static uint8_t ring[2048], buffer[700], stored[ENOUGH], late[ENOUGH >> 4];
static uint32_t seed;
static struct wf_fleet_order order;
static size_t stored_len, late_len;
static uint64_t made, boot;

static uint32_t chance(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
}

static void make(unsigned count) {
    for (; count > 0; --count) WF_RECORD(WF_USER, 0, WF_U64(0, made++));
}

// ---- the agent

// Takes a message. Returns the length of its answer.
static size_t agent_take(const uint8_t *message, size_t len, uint8_t answer[WF_FLEET_ANSWER_MAX]) {
    struct wf_fleet_chunk chunk;
    struct wf_error error;
    size_t at = 0;
    assert_int_equal(wf_fleet_chunk_read(message, len, &at, &chunk, &error), WF_OK);
    assert_int_equal(at, len);
    assert_int_equal(chunk.stream, boot);
    if (wf_fleet_order_take(&order, &chunk) == WF_FLEET_NEXT) {
        assert_true(stored_len + chunk.len <= sizeof stored);
        memcpy(stored + stored_len, chunk.bytes, chunk.len);
        stored_len += chunk.len;
    }
    return wf_fleet_answer_write(boot, order.wanted, answer);
}

// ---- the network

static void exchange(struct wf_chunk_sender *s) {
    const uint8_t *message;
    uint8_t answer[WF_FLEET_ANSWER_MAX];
    const uint32_t len = wf_chunk_next(s, chance(2) ? UINT64_C(1700000000000000) : 0, &message);
    if (!len) return;
    assert_true(len <= sizeof buffer);
    if (late_len && chance(8) == 0) { // one from before comes now
        size_t n = agent_take(late, late_len, answer);
        if (chance(2)) (void)wf_chunk_take_answer(s, answer, (uint32_t)n);
    }
    if (chance(16) == 0) memcpy(late, message, late_len = len);
    for (unsigned copies = chance(4); copies > 0; --copies) { // 0: it is lost
        size_t n = agent_take(message, len, answer);
        if (chance(3)) (void)wf_chunk_take_answer(s, answer, (uint32_t)n);
        if (!s->content) break;
    }
}

static void send_all(struct wf_chunk_sender *s) {
    const uint8_t *message;
    while (wf_chunk_next(s, 0, &message)) exchange(s);
}

// ---- what the agent has

static struct wf_ledger read_stored(void) {
    const struct wf_session_options o = {.size = sizeof o, .dialect = WF_DIALECT_WALLFLY};
    struct wf_session *session = wf_session_open(&o, NULL);
    struct wf_item item;
    wf_session_feed(session, stored, stored_len);
    wf_session_end(session);
    while (wf_session_next(session, &item)) {
    }
    struct wf_ledger ledger = *wf_session_ledger(session);
    wf_session_close(session);
    return ledger;
}

static void begin(struct wf_chunk_sender *s, uint32_t number) {
    seed = number;
    boot = UINT64_C(0x123456789ABC0000) + number;
    order = (struct wf_fleet_order){0};
    stored_len = late_len = 0;
    made = 0;
    start(ring, sizeof ring);
    wf_filter(WF_GRP_ALL);
    wf_chunk_open(s, boot, buffer, WF_CHUNK_LEAST + chance(sizeof buffer - WF_CHUNK_LEAST));
}

// ---- tests

static void each_byte_comes_once_and_in_order(void **state) {
    struct wf_chunk_sender s;
    uint64_t missing = 0;
    (void)state;
    for (uint32_t n = 1; n <= 20; ++n) {
        begin(&s, n);
        for (unsigned i = 0; i < MADE / 20; ++i) {
            make(chance(40));
            for (unsigned turns = chance(4); turns > 0; --turns) exchange(&s);
        }
        make(1);
        send_all(&s);
        const struct wf_ledger l = read_stored();
        struct wf_status status;
        wf_get_status(&status);
        assert_int_equal(order.given_up, 0);
        assert_int_equal(s.offset, stored_len);
        assert_int_equal(l.bytes_bad, 0);
        assert_int_equal(l.missing, status.lost);
        assert_true(l.by_id[WF_USER] > 100);
        missing += l.missing;
        assert_true(l.by_id[WF_USER] <= made && l.by_id[WF_USER] + l.missing >= made);
    }
    assert_true(missing > 1000); // the ring was full at times
}

// What the device gives up is a gap whose length the agent knows; the count of records stays exact.
static void skipped_messages_are_counted(void **state) {
    struct wf_chunk_sender s;
    uint64_t skipped = 0;
    (void)state;
    begin(&s, 77);
    for (unsigned i = 0; i < 500; ++i) {
        make(chance(20));
        exchange(&s);
        if (chance(10) == 0 && order.wanted <= s.offset) {
            skipped += s.content;
            wf_chunk_skip(&s);
        }
    }
    make(1);
    send_all(&s);
    assert_true(skipped > 1000);
    assert_int_equal(order.given_up, skipped);
    assert_int_equal(stored_len + skipped, s.offset);
}

// An agent that has lost its spool gets what is left.
static void a_new_agent_begins_where_the_device_is(void **state) {
    struct wf_chunk_sender s;
    (void)state;
    begin(&s, 5);
    make(200);
    send_all(&s);
    const uint64_t before = s.offset;
    order = (struct wf_fleet_order){0};
    make(100);
    send_all(&s);
    assert_true(s.offset > before);
    assert_int_equal(order.given_up, before);
    assert_int_equal(order.wanted, s.offset);
}

static void other_answers_are_ignored(void **state) {
    struct wf_chunk_sender s;
    const uint8_t *message;
    uint8_t answer[WF_FLEET_ANSWER_MAX];
    uint64_t stream, wanted;
    (void)state;
    begin(&s, 9);
    make(10);
    assert_true(wf_chunk_next(&s, 0, &message) > 0);
    const uint32_t content = s.content;
    size_t len = wf_fleet_answer_write(boot + 1, 1 << 20, answer); // another stream
    assert_false(wf_chunk_take_answer(&s, answer, (uint32_t)len));
    len = wf_fleet_answer_write(boot, 1 << 20, answer);
    assert_false(wf_chunk_take_answer(&s, answer, (uint32_t)len - 1)); // cut
    assert_false(wf_chunk_take_answer(&s, answer, 0));
    assert_int_equal(s.content, content);
    assert_true(wf_fleet_answer_read(answer, len, &stream, &wanted));
    assert_true(stream == boot && wanted == 1 << 20);
    assert_false(wf_fleet_answer_read(answer, len - 1, &stream, &wanted));
    assert_false(wf_fleet_answer_read(answer, 4, &stream, &wanted));
    assert_true(wf_chunk_take_answer(&s, answer, (uint32_t)len)); // beyond: it is there
    assert_int_equal(s.offset, content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_comes_once_and_in_order),
        cmocka_unit_test(skipped_messages_are_counted),
        cmocka_unit_test(a_new_agent_begins_where_the_device_is),
        cmocka_unit_test(other_answers_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
