// SPDX-License-Identifier: MIT
// Shared by the tests of the check: a trace of records by name, with losses, and its verdicts.
#ifndef WF_TEST_CHECK_H
#define WF_TEST_CHECK_H

#include "wallfly_host/wf_check.h"
#include "wf_test_model.h"

#define AT(time, name, ...) (b->clock = (time), PUT(b, name, __VA_ARGS__))
#define MS(n)                                                                                      \
    { true, (n) / 1000.0 }
#define RULE(rule, ...)                                                                            \
    (struct wf_check_rule) {                                                                       \
        .size = sizeof(struct wf_check_rule), .kind = WF_CHECK_##rule, .core = -1, __VA_ARGS__     \
    }

static struct bench *b;
static struct wf_check *check;
static struct wf_check_options how; // of the next check

// A trace of 1000 ticks in a second, so that a tick is a millisecond.
static inline void begin(void) {
    b = open_bench();
    struct wf_session_options options = {.size = sizeof options, .hz = 1000};
    wf_session_close(b->s);
    wf_model_close(b->m);
    b->s = wf_session_open(&options, NULL);
    b->m = wf_model_open(b->s);
}

static inline void create(uint64_t time, uint32_t key, const char *name, uint64_t prio) {
    AT(time, "task_create", key, prio);
    put_name(&b->stream, key, name);
}

// A SYNC, by which `missing` more records (a multiple of 256) than the sequence shows are missing.
static inline void put_sync(uint64_t missing) {
    uint8_t payload[64];
    const struct wf_row *row = row_called("sync");
    const uint64_t values[] = {(uint8_t)(b->stream.seq + 1) + missing,
                               b->clock,
                               1000,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0x22,
                               0x41,
                               0x22,
                               0x44,
                               4};
    put_frame(&b->stream, row->id, payload, pack(payload, row, 0, values));
}

static inline void run_check(const struct wf_check_rule *rules, unsigned count) {
    struct wf_item item;
    struct wf_error error;
    how.size = sizeof how;
    check = wf_check_open(b->s, rules, count, &how, &error);
    if (!check) fail_msg("%s", error.text);
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    while (wf_session_next(b->s, &item)) wf_check_take(check, &item);
    wf_session_end(b->s);
    while (wf_session_next(b->s, &item)) wf_check_take(check, &item);
    wf_check_end(check);
    assert_int_equal(wf_check_error(check), WF_OK);
}

static inline struct wf_check_result result_of(unsigned rule) {
    struct wf_check_result result;
    wf_check_result(check, rule, &result);
    return result;
}

static inline void done(void) {
    wf_check_close(check);
    close_bench(b);
    memset(&how, 0, sizeof how);
}

// Expects the verdict of rule `n`, and a part of its text.
static inline void expect_verdict(unsigned n, enum wf_check_verdict verdict, const char *part) {
    struct wf_check_result r = result_of(n);
    if (r.verdict != verdict || !strstr(r.text, part))
        fail_msg("rule %u: %s: %s, expected %s: %s", n, wf_check_verdicts[r.verdict], r.text,
                 wf_check_verdicts[verdict], part);
}

#endif
