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

// Failures that were reported while items came.
static struct {
    unsigned rule;
    uint64_t from;
    char text[160];
} reported[4096];
static unsigned reports;
static bool taken_back; // by a loss that a SYNC record shows
static bool late_names; // failures of names that came later are not reported

static void on_failure(void *ctx, unsigned rule, const struct wf_check_failure *f) {
    (void)ctx;
    assert_true(reports < sizeof reported / sizeof *reported);
    reported[reports].rule = rule;
    reported[reports].from = f->from;
    snprintf(reported[reports++].text, sizeof f->text, "%s", f->text);
}

// from: UINT64_MAX: any.
static inline const char *report_of(unsigned rule, uint64_t from) {
    for (unsigned i = reports; i-- > 0;) {
        if (reported[i].rule == rule && (from == UINT64_MAX || reported[i].from == from))
            return reported[i].text;
    }
    return NULL;
}

// Each failure of the results was reported, but those that only the end of the trace shows (an
// interval that is open, the rule after a last event) and those of a mean or percentile. A load is
// reported at its first window, its failure is the worst one.
static inline void expect_reports(const struct wf_check_rule *rules, unsigned count) {
    struct wf_check_result r;
    for (unsigned i = 0; i < reports; ++i) {
        wf_check_result(check, reported[i].rule, &r);
        if (r.verdict != WF_CHECK_FAILED && !taken_back)
            fail_msg("rule %u: reported: %s", reported[i].rule, reported[i].text);
        assert_true(wf_check_reports(&rules[reported[i].rule]));
    }
    for (unsigned i = 0; i < count; ++i) {
        wf_check_result(check, i, &r);
        bool spread = r.measured && strcmp(r.figure, "max") && strcmp(r.figure, "min");
        for (unsigned k = 0; k < r.kept && !spread && !late_names; ++k) {
            const struct wf_check_failure *f = &r.failures[k];
            bool load = rules[i].kind == WF_CHECK_CPU, open = strstr(f->text, " or more");
            const char *text = report_of(i, load ? UINT64_MAX : f->from);
            if (!text && !open && wf_check_reports(&rules[i]))
                fail_msg("rule %u: not reported: %s", i, f->text);
            if (text && !load && !open) assert_string_equal(text, f->text);
        }
    }
}

// How many failures are kept changes neither the verdict nor the number of failures.
static inline void expect_same(const struct wf_check *few, unsigned count) {
    struct wf_check_result r, other;
    for (unsigned i = 0; i < count; ++i) {
        wf_check_result(check, i, &r);
        wf_check_result(few, i, &other);
        assert_int_equal(r.verdict, other.verdict);
        if (r.failure_count != other.failure_count)
            fail_msg("rule %u: %s, but: %s", i, r.text, other.text);
    }
}

static inline void run_check(const struct wf_check_rule *rules, unsigned count) {
    struct wf_item item;
    struct wf_error error;
    struct wf_check_options one = how;
    one.size = sizeof one;
    one.failures = 1;
    how.size = sizeof how;
    how.on_failure = on_failure;
    reports = 0;
    check = wf_check_open(b->s, rules, count, &how, &error);
    if (!check) fail_msg("%s", error.text);
    struct wf_check *few = wf_check_open(b->s, rules, count, &one, &error);
    assert_non_null(few);
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    for (int ended = 0; ended < 2; ++ended) {
        while (wf_session_next(b->s, &item)) {
            wf_check_take(check, &item);
            wf_check_take(few, &item);
        }
        wf_session_end(b->s);
    }
    wf_check_end(check);
    wf_check_end(few);
    assert_int_equal(wf_check_error(check), WF_OK);
    expect_reports(rules, count);
    expect_same(few, count);
    wf_check_close(few);
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
