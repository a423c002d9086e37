// SPDX-License-Identifier: MIT
// What a gateway sends arrives once, in order, over a network that loses, repeats and delays, to an
// agent that begins anew; what the buffer gives up is a counted gap.

#include "wallfly_host/wf_fleet_sender.h"
#include "wf_test.h"

enum { STREAM = 77, CAP = 3000, PUT_MAX = 900 };

static uint8_t pattern(uint64_t place) { return (uint8_t)(place * 31 + (place >> 8)); }

static uint32_t seed;
static uint32_t chance(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
}

// ---- an agent

static struct wf_fleet_order order;
static uint64_t stored; // bytes

// The bytes at an offset are those that were put there; `base`: offset of the first one.
static uint64_t take(const uint8_t *message, size_t len, uint64_t base) {
    struct wf_fleet_chunk c;
    size_t at = 0;
    assert_int_equal(wf_fleet_chunk_read(message, len, &at, &c, NULL), WF_OK);
    assert_int_equal(at, len);
    assert_int_equal(c.stream, STREAM);
    if (wf_fleet_order_take(&order, &c) != WF_FLEET_NEXT) return order.wanted;
    for (size_t i = 0; i < c.len; ++i) assert_int_equal(c.bytes[i], pattern(c.offset - base + i));
    stored += c.len;
    return order.wanted;
}

static void put(struct wf_fleet_sender *s, uint64_t *place, size_t len) {
    uint8_t bytes[CAP * 3];
    for (size_t i = 0; i < len; ++i) bytes[i] = pattern((*place)++);
    wf_fleet_sender_put(s, bytes, len, 1000 + *place);
}

static void reset(void) {
    order = (struct wf_fleet_order){0};
    stored = 0;
}

// ---- one step at a time

static void it_asks_first_and_then_says_that_it_begins(void **state) {
    (void)state;
    struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
    struct wf_fleet_chunk c;
    uint64_t place = 0;
    size_t len, at = 0;
    reset();
    put(s, &place, 10);
    const uint8_t *m = wf_fleet_sender_next(s, 0, &len);
    assert_int_equal(wf_fleet_chunk_read(m, len, &at, &c, NULL), WF_OK);
    assert_int_equal(c.len, 0);
    assert_int_equal(c.flags, 0);
    wf_fleet_sender_answer(s, take(m, len, 0), 1);
    m = wf_fleet_sender_next(s, 1, &len);
    at = 0;
    assert_int_equal(wf_fleet_chunk_read(m, len, &at, &c, NULL), WF_OK);
    assert_int_equal(c.flags, WF_FLEET_CHUNK_BEGINS);
    assert_int_equal(c.len, 10);
    assert_int_equal(c.arrival_us, 1010);
    assert_false(wf_fleet_sender_is_done(s));
    wf_fleet_sender_answer(s, take(m, len, 0), 2);
    assert_true(wf_fleet_sender_is_done(s));
    assert_null(wf_fleet_sender_next(s, 3, &len));
    assert_int_equal(stored, 10);
    wf_fleet_sender_close(s);
}

static void a_message_is_sent_again_after_half_a_second_or_later_when_it_is_to_wait(void **state) {
    (void)state;
    struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
    size_t len;
    assert_non_null(wf_fleet_sender_next(s, 100, &len));
    assert_null(wf_fleet_sender_next(s, 599, &len));
    assert_non_null(wf_fleet_sender_next(s, 600, &len));
    wf_fleet_sender_wait(s, 5000);
    assert_null(wf_fleet_sender_next(s, 4999, &len));
    assert_non_null(wf_fleet_sender_next(s, 5000, &len));
    assert_int_equal(wf_fleet_sender_totals(s)->messages, 3);
    assert_int_equal(wf_fleet_sender_totals(s)->again, 2);
    wf_fleet_sender_close(s);
}

// Sends until nothing is left.
static void send_all(struct wf_fleet_sender *s, uint64_t base) {
    size_t len;
    for (uint64_t now = 0; !wf_fleet_sender_is_done(s); now += 600) {
        const uint8_t *m = wf_fleet_sender_next(s, now, &len);
        if (m) wf_fleet_sender_answer(s, take(m, len, base), now);
    }
}

static void one_that_begins_anew_goes_on_behind_what_is_stored(void **state) {
    (void)state;
    reset();
    order.wanted = 5000;
    struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
    uint64_t place = 0;
    put(s, &place, 100);
    send_all(s, 5001);
    put(s, &place, 100);
    send_all(s, 5001);
    assert_int_equal(order.wanted, 5201);
    assert_int_equal(order.given_up, 1); // the break
    assert_int_equal(wf_fleet_sender_totals(s)->given_up, 0);
    wf_fleet_sender_close(s);
}

static void an_agent_that_has_lost_all_gets_the_rest_with_a_gap(void **state) {
    (void)state;
    reset();
    struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
    uint64_t place = 0;
    put(s, &place, 100);
    send_all(s, 0);
    order = (struct wf_fleet_order){0};
    put(s, &place, 50);
    send_all(s, 0);
    assert_int_equal(order.wanted, 150);
    assert_int_equal(order.given_up, 100);
    assert_int_equal(wf_fleet_sender_totals(s)->given_up, 100);
    assert_int_equal(wf_fleet_sender_totals(s)->safe, 50);
    wf_fleet_sender_close(s);
}

static void one_that_has_more_is_followed_and_nothing_is_dropped(void **state) {
    (void)state;
    reset();
    struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
    uint64_t place = 0;
    put(s, &place, 100);
    send_all(s, 0);
    size_t len;
    put(s, &place, 10);
    assert_non_null(wf_fleet_sender_next(s, 10000, &len));
    wf_fleet_sender_answer(s, 900, 10000); // of another sender with this number
    order.wanted = 900;
    put(s, &place, 20);
    send_all(s, 900 - 110);
    assert_int_equal(order.wanted, 920);
    wf_fleet_sender_close(s);
}

// A full buffer gives up its oldest bytes, also before anything was sent, and all at once.
static void what_does_not_fit_is_a_counted_gap(void **state) {
    (void)state;
    const size_t puts[] = {1, CAP - 1, CAP, CAP + 1, 2 * CAP + 7, 5, CAP};
    for (unsigned asked = 0; asked < 2; ++asked) {
        reset();
        struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
        uint64_t place = 0;
        if (asked) send_all(s, 0);
        for (unsigned i = 0; i < sizeof puts / sizeof *puts; ++i) put(s, &place, puts[i]);
        assert_int_equal(wf_fleet_sender_room(s), 0);
        send_all(s, 0);
        assert_int_equal(order.wanted, place);
        assert_int_equal(order.given_up, place - CAP);
        assert_int_equal(wf_fleet_sender_totals(s)->given_up, place - CAP);
        assert_int_equal(wf_fleet_sender_totals(s)->safe, CAP);
        wf_fleet_sender_close(s);
    }
}

// The chunks with flag 1 are those behind a break, each with a gap of a byte before it.
static void a_break_is_a_gap_of_one_byte(void **state) {
    (void)state;
    const size_t puts[] = {10, 0, 20, 30};
    reset();
    struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
    struct wf_fleet_chunk c;
    uint64_t place = 0, offset = 0;
    size_t len;
    for (unsigned i = 0; i < 4; ++i) { // none before the first bytes, one where two are
        wf_fleet_sender_break(s);
        put(s, &place, puts[i]);
    }
    const uint8_t *m = wf_fleet_sender_next(s, 0, &len);
    wf_fleet_sender_answer(s, 0, 0);
    for (unsigned i = 0; i < 3; ++i) {
        size_t at = 0;
        m = wf_fleet_sender_next(s, 0, &len);
        assert_int_equal(wf_fleet_chunk_read(m, len, &at, &c, NULL), WF_OK);
        assert_int_equal(c.flags, WF_FLEET_CHUNK_BEGINS);
        assert_int_equal(c.offset, offset);
        assert_int_equal(c.len, (i + 1) * 10);
        offset += c.len + 1;
        assert_int_equal(wf_fleet_order_take(&order, &c), WF_FLEET_NEXT);
        wf_fleet_sender_answer(s, order.wanted, 0);
    }
    assert_true(wf_fleet_sender_is_done(s));
    assert_int_equal(order.given_up, 2);
    assert_int_equal(wf_fleet_sender_totals(s)->given_up, 0);
    assert_int_equal(wf_fleet_sender_totals(s)->safe, 60);
    wf_fleet_sender_close(s);
}

static void too_many_breaks_give_up_what_waits(void **state) {
    (void)state;
    reset();
    struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
    uint64_t place = 0;
    for (unsigned i = 0; i < 10; ++i) {
        wf_fleet_sender_break(s);
        put(s, &place, 10);
    }
    assert_int_equal(wf_fleet_sender_totals(s)->given_up, 90);
    send_all(s, 0);
    assert_int_equal(order.wanted, 100);
    assert_int_equal(stored, 10);
    wf_fleet_sender_close(s);
}

// ---- a bad network

enum { LATE_MAX = 8 };

static uint64_t late[LATE_MAX]; // answers under way
static unsigned late_count;

static void step(struct wf_fleet_sender *s, uint64_t now) {
    size_t len;
    const uint8_t *m = wf_fleet_sender_next(s, now, &len);
    if (m && chance(4)) {
        for (unsigned times = 1 + (chance(5) == 0); times; --times) {
            const uint64_t wanted = take(m, len, 0);
            if (chance(5) && late_count < LATE_MAX) late[late_count++] = wanted;
        }
    }
    while (late_count && chance(3)) {
        const unsigned n = chance(late_count); // in any order
        wf_fleet_sender_answer(s, late[n], now);
        late[n] = late[--late_count];
    }
}

static void each_byte_is_stored_once_or_counted(void **state) {
    (void)state;
    for (unsigned run = 0; run < 300; ++run) {
        seed = run;
        reset();
        late_count = 0;
        struct wf_fleet_sender *s = wf_fleet_sender_open(STREAM, CAP);
        uint64_t place = 0, now = 0;
        for (unsigned i = 0; i < 2000 || !wf_fleet_sender_is_done(s); ++i, now += chance(300)) {
            if (i < 2000 && chance(3) == 0) put(s, &place, 1 + chance(PUT_MAX));
            step(s, now);
        }
        const struct wf_fleet_sender_totals *t = wf_fleet_sender_totals(s);
        assert_int_equal(order.wanted, place);
        assert_int_equal(stored + order.given_up, place);
        // An answer that was late may have looked like a loss of the agent.
        assert_true(t->given_up >= order.given_up);
        assert_int_equal(t->safe + t->given_up, place);
        assert_true(t->again > 0 && stored > place / 20);
        wf_fleet_sender_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_asks_first_and_then_says_that_it_begins),
        cmocka_unit_test(a_message_is_sent_again_after_half_a_second_or_later_when_it_is_to_wait),
        cmocka_unit_test(one_that_begins_anew_goes_on_behind_what_is_stored),
        cmocka_unit_test(an_agent_that_has_lost_all_gets_the_rest_with_a_gap),
        cmocka_unit_test(one_that_has_more_is_followed_and_nothing_is_dropped),
        cmocka_unit_test(what_does_not_fit_is_a_counted_gap),
        cmocka_unit_test(a_break_is_a_gap_of_one_byte),
        cmocka_unit_test(too_many_breaks_give_up_what_waits),
        cmocka_unit_test(each_byte_is_stored_once_or_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
