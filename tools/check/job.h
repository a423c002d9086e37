// SPDX-License-Identifier: MIT
// A run of `wallfly check`: all traces, one after the other.
#ifndef CHECK_JOB_H
#define CHECK_JOB_H

#include "view.h"

enum job_output { JOB_TEXT, JOB_TAP, JOB_JSON };

// Options of `wallfly check` after those of a stream and --hide, in this order.
enum {
    CHECK_RULES = STREAM_HIDE_OPTIONS,
    CHECK_TIME,
    CHECK_FROM,
    CHECK_UNTIL,
    CHECK_PRIORITIES,
    CHECK_LOSS,
    CHECK_SECONDS,
    CHECK_ONCE,
    CHECK_LIMIT,
    CHECK_FAILURES,
    CHECK_JUNIT,
    CHECK_TAP,
    CHECK_JSON,
    CHECK_GITHUB,
    CHECK_COLOUR,
    CHECK_LEARN
};

struct check_job {
    const struct args *args;
    struct check_rules *rules;
    struct wf_check_options options;
    enum job_output output;
    bool github, colour, once;
    unsigned shown; // failures of each rule
    uint64_t seconds;
    const char **traces; // operands; none with --ram-image
    unsigned trace_count;
    unsigned view_count; // traces that were shown
    struct report report;
    struct check_counts counts;
};

// Checks all traces and shows the results. Returns an exit code.
int job_run(struct check_job *job);
// (trace.c) Checks one; operand: null with --ram-image. Returns an exit code, after an error
// message.
int trace_check(struct check_job *job, const char *operand);
// Finds the rate of a file, since a trace may give it only after times that need it. Lanes have one
// each, so that of a window needs --lane. Returns an exit code, after an error message.
int job_rate(const struct check_job *job, const struct args *args, uint64_t *rate);
// Of two exit codes the one that counts.
int worse_code(int a, int b);
// Shows the results of a trace.
bool job_show(struct check_job *job, const struct check_view *view);

// (learn.c) Writes rules that the trace keeps, with margins, to standard output. Returns an exit
// code, after an error message.
int job_learn(struct check_job *job);

#endif
