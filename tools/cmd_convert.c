// SPDX-License-Identifier: MIT
// `wallfly convert`: converts a trace to other formats, all in one reading. Formats of QSPY need
// QSPY's dialect, so they are made in a reading of their own.

#include <string.h>

#include "convert_recording.h"
#include "outputs.h"
#include "filter_options.h"
#include "term/progress.h"

enum {
    CONVERT_TO = STREAM_HIDE_OPTIONS,
    CONVERT_OUT,
    CONVERT_OBJECTS,
    CONVERT_MOST,
    CONVERT_CSV_RAW,
    CONVERT_SHOWN,
    CONVERT_PROGRESS = CONVERT_SHOWN + SHOWN_OPTIONS,
};

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    STREAM_HIDE_ROWS,
    {"to", 0, "FORMAT", "the format; several --to write all of them in one reading"},
    {"output", 'o', "NAME",
     "the output; - is standard output. With several --to: one for each, in their order, or one "
     "name to which each format adds its suffix. Default: standard output for a single text "
     "format, otherwise the name of the input with the suffix"},
    {"objects", 'g', "LIST",
     "sequence diagrams: object names with commas; ? is the lane of all others"},
    {"most", 0, "N", "mscgen, mermaid, sequence: how many arrows and notes to draw (1000)"},
    {"csv-raw", 0, NULL,
     "csv, tables: do not escape texts, not even those that a spreadsheet would read as a formula"},
    SHOWN_ROWS,
    {"progress", 0, NULL, "show progress, even if standard error is not a terminal"},
    {NULL, 0, NULL, NULL},
};

struct job {
    const struct args *args;
    const char *input; // null: a source that cannot be read twice
    struct outputs outputs;
    struct wf_filter filter;
    struct wf_writer_options options;
    uint64_t rate;
};

static const char *input_of(const struct args *args) {
    if (args->value[STREAM_IMAGE]) return args->value[STREAM_IMAGE];
    const char *name = args->operands ? args->operand[0] : "-";
    return strcmp(name, "-") != 0 && wf_link_is_file(name) ? name : NULL;
}

static int parse(struct job *job) {
    const char *const *value = job->args->value;
    struct wf_writer_options *o = &job->options;
    uint64_t most = 0;
    bool filtered;
    if (value[CONVERT_TO] && value[CONVERT_MOST] &&
        !parse_number("--most", value[CONVERT_MOST], 1, UINT32_MAX, &most))
        return EXIT_USAGE;
    int code = outputs_parse(&job->outputs, value[CONVERT_TO], value[CONVERT_OUT],
                             value[CONVERT_OBJECTS] != NULL);
    if (code != EXIT_GOOD) return code;
    if (!shown_parse(job->args, CONVERT_SHOWN, &job->filter, &filtered) ||
        !time_parse(value[CONVERT_SHOWN + SHOWN_TIME], &o->time, &o->target_clock))
        return EXIT_USAGE;
    o->size = sizeof *o;
    o->objects = value[CONVERT_OBJECTS];
    o->most = (unsigned)most;
    o->csv_raw = value[CONVERT_CSV_RAW] != NULL;
    o->filter = filtered ? &job->filter : NULL;
    o->source = job->input;
    return outputs_name(&job->outputs, job->input);
}

static bool has_records(const struct stream *s) {
    for (unsigned i = 0; i < s->lane_count; ++i) {
        if (wf_session_ledger(s->lanes[i]->session)->records) return true;
    }
    return false;
}

// *whole: the trace was read to its end and the output is worth keeping. Wrong lengths of most
// records are an error too, but the other records and the ledger may still be useful.
static int run_stream(struct job *job, struct stream *s, bool *whole) {
    int code = stream_run_shown(s, job->args->value[CONVERT_PROGRESS] != NULL, job->input);
    if (code == EXIT_GOOD && s->source.interrupted && !s->live)
        return diag_error(EXIT_INPUT, "%s: interrupted; nothing is written", s->name);
    if (code != EXIT_GOOD) return code;
    code = stream_verdict(s);
    *whole = code == EXIT_GOOD || code == EXIT_LOSS || has_records(s);
    return code;
}

// Makes all formats that need the same reading as this one.
static int pass(struct job *job, unsigned format) {
    struct outputs *o = &job->outputs;
    int code = outputs_open(o, format, &job->options, job->args->files);
    struct stream s = {.outs = o->outs,
                       .out_count = o->count,
                       .single = true,
                       .outs_report = true,
                       .rate = job->rate};
    bool whole = false;
    if (code == EXIT_GOOD && !stream_hide(&s, job->args)) code = EXIT_USAGE;
    if (code == EXIT_GOOD) code = stream_open(&s, job->args);
    if (code == EXIT_GOOD) {
        code = run_stream(job, &s, &whole);
        stream_close(&s);
    }
    return outputs_close(o, whole, code);
}

static int run(const struct args *args) {
    struct job job = {.args = args, .input = input_of(args)};
    const char *to = args->value[CONVERT_TO];
    if (to && strcmp(to, convert_recording_format) == 0) {
        const struct convert_recording c = {job.input, args->value[CONVERT_OUT],
                                            args->value[CONVERT_PROGRESS] != NULL};
        return convert_recording(args, &c);
    }
    const struct outputs *o = &job.outputs;
    int code = parse(&job);
    if (code == EXIT_GOOD) code = stream_rate(args, &job.rate);
    for (unsigned i = 0; i < o->format_count && (code == EXIT_GOOD || code == EXIT_LOSS); ++i) {
        int one = outputs_made_before(o, i) ? EXIT_GOOD : pass(&job, i);
        if (one != EXIT_GOOD) code = one;
    }
    outputs_free(&job.outputs);
    return code;
}

const struct cmd cmd_convert = {"convert",
                                run,
                                "FILE|SOURCE",
                                0,
                                1,
                                "Converts a trace to other formats.",
                                "One reading makes all formats of --to; docs/convert.md lists the "
                                "contents of each. The parts that\n"
                                "--from, --until and --only exclude are read too, so the states at "
                                "--from are right. A recording of\n"
                                "several targets needs --lane.",
                                options};
