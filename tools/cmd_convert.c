// SPDX-License-Identifier: MIT
// `wallfly convert`: converts a trace to other formats, all in one reading. Formats of QSPY need
// QSPY's dialect, so they are made in a reading of their own.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "progress.h"
#include "shown.h"
#include "stream.h"

enum {
    CONVERT_TO = STREAM_HIDE_OPTIONS,
    CONVERT_OUT,
    CONVERT_OBJECTS,
    CONVERT_MOST,
    CONVERT_CSV_RAW,
    CONVERT_SHOWN,
    CONVERT_PROGRESS = CONVERT_SHOWN + SHOWN_OPTIONS,
};
enum { FORMATS = 24 }; // most in one command

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    STREAM_HIDE_ROWS,
    {"to", 0, "FORMAT", "into which; several --to make all of them at once"},
    {"output", 'o', "NAME",
     "where to write; - is standard output. With several --to either one for each, in their order, "
     "or one to which each adds its suffix. Unless given: standard output for one that is text, "
     "else "
     "the name of what is read with the suffix"},
    {"objects", 'g', "LIST",
     "sequence diagrams: object names with commas; ? is the lane of all others"},
    {"most", 0, "N", "mscgen, mermaid, sequence: how many arrows and notes to draw (1000)"},
    {"csv-raw", 0, NULL,
     "csv, tables: texts as they are: without escapes, also those that a spreadsheet would take "
     "for "
     "a formula"},
    SHOWN_ROWS,
    {"progress", 0, NULL, "show progress, even if standard error is not a terminal"},
    {NULL, 0, NULL, NULL},
};

struct job {
    unsigned most;
    const struct args *args;
    const struct wf_format *formats[FORMATS];
    const char *names[FORMATS]; // output names; null: made from the base
    unsigned count, name_count;
    char *base; // base of output names that are not given; null: none
    bool name_is_base;
    struct wf_filter filter;
    bool filtered;
    enum wf_time_unit time;
    bool target_clock;
    uint64_t rate;
    struct output outputs[FORMATS]; // of the current pass
};

// ---- the command line

static char *list_of_formats(char text[512]) {
    size_t n = 0;
    for (unsigned i = 0; i < wf_format_count; ++i) {
        n += (size_t)snprintf(text + n, 512 - n, "%s%s", i ? ", " : "", wf_formats[i].name);
    }
    return text;
}

static bool parse_formats(struct job *job, char *list) {
    char all[512];
    for (char *p = list; p;) {
        char *name = strsep(&p, ",");
        const struct wf_format *format = wf_format_find(name);
        if (!format) {
            complain(EXIT_USAGE, "convert: no format '%s'; there are %s", name,
                     list_of_formats(all));
            return false;
        }
        if (job->count == FORMATS) {
            complain(EXIT_USAGE, "convert: more than %d --to", FORMATS);
            return false;
        }
        if (strcmp(format->name, "seq") == 0 && !job->args->value[CONVERT_OBJECTS]) {
            complain(EXIT_USAGE, "convert: --to=seq needs --objects=LIST, the names to draw");
            return false;
        }
        job->formats[job->count++] = format;
    }
    return true;
}

// Several names are separated by commas; a single name may contain commas.
static bool parse_names(struct job *job, char *list) {
    for (char *p = list; p && job->count > 1 && job->name_count < FORMATS;)
        job->names[job->name_count++] = strsep(&p, ",");
    if (list && job->count == 1) job->names[job->name_count++] = list;
    job->name_is_base = job->count > 1 && job->name_count == 1;
    if (!job->name_count || job->name_is_base || job->name_count == job->count) return true;
    complain(EXIT_USAGE, "convert: %u --to, but %u --output; give one for each, or a single one",
             job->count, job->name_count);
    return false;
}

// Checks that no two formats write to the same output.
static bool names_differ(const struct job *job) {
    bool given = job->name_count && !job->name_is_base;
    for (unsigned i = 0; i < job->count; ++i) {
        for (unsigned k = 0; k < i; ++k) {
            const char *x = given ? job->names[i] : job->formats[i]->suffix;
            const char *y = given ? job->names[k] : job->formats[k]->suffix;
            if (strcmp(x, y) != 0) continue;
            complain(EXIT_USAGE, "convert: %s and %s would both be %s%s; --output=NAME for each",
                     job->formats[k]->name, job->formats[i]->name, given ? "" : "NAME", x);
            return false;
        }
    }
    return true;
}

static const char *input_of(const struct args *args) {
    if (args->value[STREAM_IMAGE]) return args->value[STREAM_IMAGE];
    const char *name = args->operands ? args->operand[0] : "-";
    return strcmp(name, "-") != 0 && wf_link_is_file(name) ? name : NULL;
}

static bool same_reading(const struct wf_format *x, const struct wf_format *y) {
    return x->dialect == y->dialect && x->info8 == y->info8 && x->all_names == y->all_names;
}

// A source that cannot be read again must need only one reading.
static bool one_reading(const struct job *job) {
    for (unsigned i = 1; i < job->count; ++i) {
        if (same_reading(job->formats[i], job->formats[0])) continue;
        complain(EXIT_USAGE,
                 "convert: %s reads the trace in another way than %s; a source that cannot be read "
                 "twice takes one of them",
                 job->formats[i]->name, job->formats[0]->name);
        return false;
    }
    return true;
}

static int parse(struct job *job, char *to, char *names) {
    const char *input = input_of(job->args);
    if (!parse_formats(job, to) || !parse_names(job, names) ||
        !shown_parse(job->args, CONVERT_SHOWN, &job->filter, &job->filtered) ||
        !time_parse(job->args->value[CONVERT_SHOWN + SHOWN_TIME], &job->time, &job->target_clock))
        return EXIT_USAGE;
    if (!names_differ(job) || (!input && !one_reading(job))) return EXIT_USAGE;
    const struct wf_format *f = job->formats[0];
    bool text = (f->output == WF_OUTPUT_STREAM || f->output == WF_OUTPUT_JOINED) && !f->binary;
    if (input && (job->count > 1 || !text)) job->base = output_name(input, "");
    if (job->count == 1 || job->base || job->name_count) return EXIT_GOOD;
    return complain(EXIT_USAGE, "convert: several --to of this source need --output=NAME");
}

// ---- a pass

static int open_outputs(struct job *job, const struct wf_format *like, struct stream_out *outs,
                        unsigned *count) {
    for (unsigned i = 0; i < job->count; ++i) {
        if (!same_reading(job->formats[i], like)) continue;
        struct output *o = &job->outputs[*count];
        struct stream_out *out = &outs[*count];
        const char *name = job->name_is_base ? job->names[0] : job->names[i];
        *out = (struct stream_out){.format = job->formats[i], .ctx = o};
        out->options.objects = job->args->value[CONVERT_OBJECTS];
        out->options.most = job->most;
        out->options.csv_raw = job->args->value[CONVERT_CSV_RAW] != NULL;
        out->options.filter = job->filtered ? &job->filter : NULL;
        out->options.time = job->time;
        out->options.target_clock = job->target_clock;
        out->options.source = input_of(job->args);
        ++*count;
        int code =
            output_open(o, job->formats[i], name, job->name_is_base, job->base, job->args->files);
        if (code != EXIT_GOOD) return code;
        out->options.terminal = output_is_terminal(o);
        out->options.csv_raw &= !out->options.terminal;
        output_use(&out->options, &out->write);
    }
    return EXIT_GOOD;
}

static void tell(void *ctx, uint64_t bytes, uint64_t records) {
    progress_tell(ctx, bytes, records);
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
    struct progress progress;
    const char *input = input_of(job->args);
    progress_begin(&progress, job->args->value[CONVERT_PROGRESS] != NULL, input);
    s->progress = tell;
    s->progress_ctx = &progress;
    int code = stream_run(s, true);
    progress_end(&progress);
    if (code == EXIT_GOOD && s->interrupted && !s->live)
        return complain(EXIT_INPUT, "%s: interrupted; nothing is written", s->name);
    if (code != EXIT_GOOD) return code;
    code = stream_judge(s);
    *whole = code == EXIT_GOOD || code == EXIT_LOSS || has_records(s);
    return code;
}

// Makes all formats that need the same reading as `like`.
static int pass(struct job *job, const struct wf_format *like) {
    struct stream_out outs[FORMATS] = {{0}};
    struct stream s = {.outs = outs, .single = true, .outs_tell = true, .rate = job->rate};
    unsigned count = 0;
    int code = open_outputs(job, like, outs, &count);
    s.out_count = count;
    if (code == EXIT_GOOD && !stream_hide(&s, job->args)) code = EXIT_USAGE;
    if (code == EXIT_GOOD) code = stream_open(&s, job->args);
    bool opened = code == EXIT_GOOD, whole = false;
    if (opened) code = run_stream(job, &s, &whole);
    int err = opened ? stream_close(&s) : WF_OK;
    if (err == WF_ERR_CUT) {
        complain(0, "a diagram was cut, as noted at its end: --from, --until, --only and --objects "
                    "choose a part, --most=N draws more");
        err = WF_OK;
    }
    for (unsigned i = 0; i < count; ++i) {
        int one = output_close(&job->outputs[i], whole && err == WF_OK);
        if (one == EXIT_GOOD && !job->outputs[i].failed) continue;
        err = WF_OK; // it was reported
        if (code == EXIT_GOOD || one == EXIT_USAGE) code = one == EXIT_GOOD ? EXIT_INPUT : one;
    }
    if (err != WF_OK && code == EXIT_GOOD) code = complain(EXIT_INPUT, "%s", wf_err_text(err));
    return code;
}

static int convert(struct job *job) {
    int code = stream_rate(job->args, &job->rate);
    for (unsigned i = 0; i < job->count && (code == EXIT_GOOD || code == EXIT_LOSS); ++i) {
        bool done = false;
        for (unsigned before = 0; before < i; ++before)
            done |= same_reading(job->formats[before], job->formats[i]);
        if (done) continue;
        int one = pass(job, job->formats[i]);
        if (one != EXIT_GOOD) code = one;
    }
    return code;
}

static int run(const struct args *args) {
    struct job job = {.args = args};
    const char *to = args->value[CONVERT_TO], *names = args->value[CONVERT_OUT];
    char all[512];
    if (!to) {
        return complain(EXIT_USAGE, "convert: --to is missing; it takes %s", list_of_formats(all));
    }
    uint64_t most = 0;
    if (args->value[CONVERT_MOST] &&
        !parse_number("--most", args->value[CONVERT_MOST], 1, UINT32_MAX, &most))
        return EXIT_USAGE;
    job.most = (unsigned)most;
    char *to_copy = strdup(to), *names_copy = names ? strdup(names) : NULL;
    int code = to_copy && (!names || names_copy) ? parse(&job, to_copy, names_copy)
                                                 : complain(EXIT_INPUT, "out of memory");
    if (code == EXIT_GOOD) code = convert(&job);
    free(job.base);
    free(to_copy);
    free(names_copy);
    return code;
}

const struct cmd cmd_convert = {"convert",
                                run,
                                "FILE|SOURCE",
                                0,
                                1,
                                "Turns a trace into other formats.",
                                "One reading makes all formats that --to names; docs/convert.md "
                                "tells what each holds. --from,\n"
                                "--until and --only leave out what lies outside, but it is read, "
                                "so states at --from are right.\n"
                                "A recording of several targets needs --lane.",
                                options};
