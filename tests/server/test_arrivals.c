// SPDX-License-Identifier: MIT
// The time of day of ticks by the arrival of blocks: connections, restarts, unknown rates, and
// recordings whose arrival times follow no clock.

#include "wallfly_server/arrivals.h"

#include "wf_test.h"

enum { HZ = 1000000, BLOCKS = 200, BLOCK_US = 10000 };
static const uint64_t start_ns = UINT64_C(1790000000123456789);

static void put_chunk(struct arrivals *a, enum wf_chunk_kind kind, uint64_t time_us) {
    const struct wf_chunk chunk = {.kind = kind, .time_us = time_us};
    arrivals_chunk(a, &chunk, start_ns);
}

static void put_record(struct arrivals *a, uint64_t tick, uint64_t hz) {
    struct wf_item item = {.kind = WF_ITEM_RECORD};
    item.record.tick = tick;
    item.record.stamped = true;
    arrivals_item(a, &item, hz);
}

// A connection whose tick `from` is at from_us; each block takes 0.2 to 1.2 ms. Each has two
// records.
static void connect_target(struct arrivals *a, uint64_t from, uint64_t from_us, uint64_t hz) {
    put_chunk(a, WF_CHUNK_UP, from_us);
    for (uint64_t i = 1; i <= BLOCKS; ++i) {
        put_chunk(a, WF_CHUNK_BYTES, from_us + i * BLOCK_US + 200 + i * 7919 % 1000);
        put_record(a, from + i * BLOCK_US - 5000, hz);
        put_record(a, from + i * BLOCK_US, hz);
    }
    put_chunk(a, WF_CHUNK_DOWN, from_us + (BLOCKS + 1) * BLOCK_US);
}

static void expect_time(const struct arrivals *a, uint64_t tick, int64_t ns) {
    struct wf_align_time t = arrivals_time(a, tick);
    assert_true(t.known && t.bounded);
    assert_true(llabs(t.ns - ns) <= (long long)t.error_ns);
    assert_true(t.error_ns < 2000000);
}

static char *put_answer(const struct arrivals *a) {
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    arrivals_put(out, a, 0);
    fclose(out);
    return text;
}

static void connections_are_aligned_by_themselves(void **unused) {
    (void)unused;
    struct arrivals *a = arrivals_open();
    connect_target(a, 1000, 500000, HZ);
    connect_target(a, 1000 + BLOCKS * BLOCK_US + 1, 60000000, HZ); // restarted after a minute
    assert_int_equal(arrivals_end(a), WF_OK);
    assert_true(arrivals_known(a));
    expect_time(a, 1000 + 50 * BLOCK_US, INT64_C(500000000) + 50 * BLOCK_US * 1000);
    expect_time(a, 1000 + (BLOCKS + 50) * BLOCK_US + 1,
                INT64_C(60000000000) + 50 * BLOCK_US * 1000);
    char *text = put_answer(a);
    assert_non_null(strstr(text, "{\"start\":\"1790000000123456789\",\"pieces\":[{\"basis\":\"one-"
                                 "way\","));
    free(text);
    arrivals_close(a);
}

static void what_follows_no_clock_is_not_known(void **unused) {
    (void)unused;
    struct arrivals *a = arrivals_open();
    put_chunk(a, WF_CHUNK_UP, 0);
    for (uint64_t i = 1; i <= BLOCKS; ++i) { // as fast as a file is read
        put_chunk(a, WF_CHUNK_BYTES, i * 10);
        put_record(a, i * BLOCK_US, HZ);
    }
    assert_int_equal(arrivals_end(a), WF_OK);
    assert_false(arrivals_known(a));
    assert_false(arrivals_time(a, 50 * BLOCK_US).known);
    char *text = put_answer(a);
    assert_string_equal(text, "null");
    free(text);
    arrivals_close(a);
}

static void without_a_rate_it_is_not_known(void **unused) {
    (void)unused;
    struct arrivals *a = arrivals_open();
    connect_target(a, 0, 0, 0);
    assert_int_equal(arrivals_end(a), WF_OK);
    assert_false(arrivals_known(a));
    arrivals_close(a);
}

static void a_short_connection_is_not_known(void **unused) {
    (void)unused;
    struct arrivals *a = arrivals_open();
    put_chunk(a, WF_CHUNK_UP, 0);
    for (uint64_t i = 1; i < 20; ++i) {
        put_chunk(a, WF_CHUNK_BYTES, i * BLOCK_US);
        put_record(a, i * BLOCK_US, HZ);
    }
    connect_target(a, 1000000, 60000000, HZ);
    assert_int_equal(arrivals_end(a), WF_OK);
    assert_false(arrivals_time(a, 10 * BLOCK_US).known);
    expect_time(a, 1000000 + 50 * BLOCK_US, INT64_C(60000000000) + 50 * BLOCK_US * 1000);
    arrivals_close(a);
}

static void beyond_the_most_connections_it_is_not_known(void **unused) {
    (void)unused;
    struct arrivals *a = arrivals_open();
    const uint64_t apart = (BLOCKS + 10) * BLOCK_US;
    for (uint64_t i = 0; i < ARRIVALS_PIECES + 3; ++i) connect_target(a, i * apart, i * apart, HZ);
    assert_int_equal(arrivals_end(a), WF_OK);
    expect_time(a, (ARRIVALS_PIECES - 1) * apart + 500000,
                (int64_t)((ARRIVALS_PIECES - 1) * apart + 500000) * 1000);
    assert_false(arrivals_time(a, (ARRIVALS_PIECES + 1) * apart).known);
    arrivals_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_are_aligned_by_themselves),
        cmocka_unit_test(what_follows_no_clock_is_not_known),
        cmocka_unit_test(without_a_rate_it_is_not_known),
        cmocka_unit_test(a_short_connection_is_not_known),
        cmocka_unit_test(beyond_the_most_connections_it_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
