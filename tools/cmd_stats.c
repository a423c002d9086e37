// SPDX-License-Identifier: MIT
// `wallfly stats`: counts, durations and jitter, from a file or a live source.

#include <stdio.h>

#include "collect.h"
#include "explain.h"
#include "filter_options.h"
#include "stats.h"

enum {
    STATS_JSON = STREAM_HIDE_OPTIONS,
    STATS_CSV,
    STATS_TIME,
    STATS_FROM,
    STATS_UNTIL,
    STATS_TASK,
    STATS_PRIORITIES,
    STATS_SINGLE,
    STATS_SAVE,
    STATS_EXPLAIN,
    STATS_JOB,
    STATS_ONCE
};

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    STREAM_HIDE_ROWS,
    {"json", 0, NULL, "as JSON, times in nanoseconds (ticks if the rate is unknown)"},
    {"csv", 0, NULL, "as CSV, a line for each figure; times as in JSON"},
    CLOCK_ROW,
    {"from", 0, "S", "only after this time, " SECONDS_TEXT},
    {"until", 0, "S", "only before this time"},
    {"task", 0, "NAME", "only rows that concern this task"},
    {"priorities", 0, "WHICH",
     "low or high: which numbers are the better priorities; default: found from preemptions"},
    {"single", 0, NULL,
     "one row per task; by default, ended tasks of one name share a row: 'child x60'"},
    {"save", 0, "FILE",
     "write the figures' distributions to this file, for `wallfly diff`, instead of tables"},
    {"explain", 0, "TASK",
     "instead of tables, why a job of this task took as long as it did: text, or --json"},
    {"job", 0, "WHICH",
     "the job for --explain: longest (the default), shortest, its number, or @TIME, the one then"},
    {"once", 0, NULL, "end when the first target has disconnected"},
    {NULL, 0, NULL, NULL},
};

struct job {
    struct stream stream; // the first member
    struct wf_stats_options options;
    struct wf_behaviour *behaviour; // for --save; or null
};

static void on_item(struct lane *l, const struct wf_item *item) {
    struct job *job = (struct job *)(void *)l->stream;
    collect_item(l, item, &job->options, job->behaviour);
}

static bool parse(const struct args *args, struct wf_stats_options *o) {
    static const char *const which[] = {"low", "high", NULL};
    const char *best = args->value[STATS_PRIORITIES];
    unsigned high = 0;
    struct window w;
    o->size = sizeof *o;
    o->single = args->value[STATS_SINGLE] != NULL;
    if (!window_parse(args->value[STATS_FROM], args->value[STATS_UNTIL], &w) ||
        !time_parse(args->value[STATS_TIME], NULL, &o->target_clock))
        return false;
    o->has_from = w.has_from;
    o->has_until = w.has_until;
    o->from_s = w.from_s;
    o->until_s = w.until_s;
    if (args->value[STATS_JSON] && args->value[STATS_CSV]) {
        diag_error(EXIT_USAGE, "--json and --csv do not go together");
        return false;
    }
    if (args->value[STATS_SAVE] && args->value[STATS_TASK]) {
        diag_error(EXIT_USAGE, "--task and --save do not go together: all figures are saved");
        return false;
    }
    o->blocks = args->value[STATS_SAVE] != NULL;
    if (!parse_choice("--priorities", best, which, &high)) return false;
    if (best) o->priorities = high ? WF_PRIORITIES_HIGH : WF_PRIORITIES_LOW;
    return true;
}

static int print_stats(const struct job *job) {
    const struct stream *stream = &job->stream;
    const char *const *value = stream->args->value;
    const char *save = value[STATS_SAVE];
    bool json = value[STATS_JSON] != NULL, csv = value[STATS_CSV] != NULL;
    int code = save ? stats_save(stream, job->behaviour, save) : EXIT_GOOD;
    if (code != EXIT_GOOD || (save && !json && !csv)) return code;
    return stats_print(stream, json ? stats_json : csv ? stats_csv : stats_text, value[STATS_TASK]);
}

static int explain(const struct args *args) {
    const char *const *value = args->value;
    struct explain_args a = {value[STATS_EXPLAIN], value[STATS_JOB], value[STATS_JSON] != NULL,
                             value[STATS_ONCE] != NULL, false};
    for (unsigned i = STATS_CSV; i < STATS_EXPLAIN; ++i) { // those of the tables
        if (value[i] && i != STATS_TIME)
            return diag_error(EXIT_USAGE, "--%s does not go with --explain", options[i].name);
    }
    if (!time_parse(value[STATS_TIME], NULL, &a.target_clock)) return EXIT_USAGE;
    return explain_run(args, &a);
}

static int run(const struct args *args) {
    if (args->value[STATS_EXPLAIN] || args->value[STATS_JOB]) return explain(args);
    struct job job = {.stream = {.on_item = on_item}};
    if (!parse(args, &job.options)) return EXIT_USAGE;
    if (!stream_hide(&job.stream, args)) return EXIT_USAGE;
    if (!stats_save_check(args, args->value[STATS_SAVE])) return EXIT_USAGE;
    if (job.options.blocks && !(job.behaviour = wf_behaviour_open(NULL))) return out_of_memory();
    // Times on the command line need the rate, which the trace may announce only after them.
    bool window = job.options.has_from || job.options.has_until;
    int code = window ? stream_rate(args, &job.stream.rate) : EXIT_GOOD;
    if (code == EXIT_GOOD) code = stream_open(&job.stream, args);
    if (code == EXIT_GOOD) {
        code = stream_run(&job.stream, args->value[STATS_ONCE] != NULL);
        if (code == EXIT_GOOD) code = stream_verdict(&job.stream);
        int shown = code == EXIT_GOOD || code == EXIT_LOSS ? print_stats(&job) : EXIT_GOOD;
        if (shown != EXIT_GOOD) code = shown;
    }
    collect_close(&job.stream);
    stream_close(&job.stream);
    wf_behaviour_close(job.behaviour);
    return code;
}

const struct cmd cmd_stats = {
    "stats",
    run,
    "FILE|SOURCE",
    0,
    1,
    "Shows how often, how long and how regularly tasks, interrupts and objects were active.",
    "Tables of shares of the CPU, response, execution and blocking times, periods and jitter, "
    "mutexes,\n"
    "priority inversions, queues, spans and counters; docs/stats.md defines each figure. Only "
    "whole\n"
    "intervals are counted; the column lost has the number of those that reach into lost data. A "
    "*\n"
    "marks figures that lost data may have changed. Percentiles are right within 0.8 %, and exact\n"
    "where few values lie close together; all other figures are exact. Enters and exits of "
    "interrupts\n"
    "without their other half are listed.",
    options};
