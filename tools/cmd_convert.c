// SPDX-License-Identifier: MIT
// `wallfly convert`: a trace into another format.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stream.h"

enum { CONVERT_TO = STREAM_HIDE_OPTIONS, CONVERT_OUT, CONVERT_OBJECTS };

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    STREAM_HIDE_ROWS,
    {"to", 0, "FORMAT", "dic, mat, seq, grasp; text and qspy are what print gives"},
    {"output", 'o', "FILE", "where to write; standard output if not given"},
    {"objects", 'g', "LIST", "seq: object names with commas; ? is the lane of all others"},
    {NULL, 0, NULL, NULL},
};

static bool write_file(void *ctx, const char *bytes, size_t len) {
    FILE *const *out = ctx; // null: it could not be opened
    return *out && fwrite(bytes, 1, len, *out) == len;
}

static int convert(struct stream *s, FILE *out, const char *out_name) {
    int code = stream_run(s, true);
    if (code == EXIT_GOOD) code = stream_judge(s);
    if (stream_close(s) != WF_OK || fflush(out) != 0) {
        code = complain(EXIT_INPUT, "%s: %s", out_name, strerror(errno));
    }
    return code;
}

static int run(const struct args *args) {
    const char *to = args->value[CONVERT_TO], *name = args->value[CONVERT_OUT];
    if (!to)
        return complain(EXIT_USAGE, "convert: --to is missing; it takes dic, mat, seq or grasp");
    const struct wf_format *format = wf_find_format(to);
    if (!format) {
        return complain(EXIT_USAGE,
                        "convert: no format '%s'; there are dic, mat, seq, grasp, text, qspy", to);
    }
    if (strcmp(format->name, "seq") == 0 && !args->value[CONVERT_OBJECTS]) {
        return complain(EXIT_USAGE, "convert: --to=seq needs --objects=LIST, the names to draw");
    }
    FILE *out = stdout;
    struct stream s = {.format = format, .single = true, .write = write_file, .write_ctx = &out};
    s.writer_options.objects = args->value[CONVERT_OBJECTS];
    if (!stream_hide(&s, args)) return EXIT_USAGE;
    int opened = stream_open(&s, args);
    if (opened != EXIT_GOOD) return opened;
    bool to_file = name && strcmp(name, "-") != 0;
    if (to_file) out = fopen(name, "wb");
    if (!out) {
        complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
        stream_close(&s);
        return EXIT_INPUT;
    }
    int code = convert(&s, out, to_file ? name : "standard output");
    if (to_file && fclose(out) != 0) {
        code = complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
    }
    return code;
}

const struct cmd cmd_convert = {
    "convert",
    run,
    "FILE|SOURCE",
    0,
    1,
    "Turns a trace into another format.",
    "mat and seq are QSPY's MATLAB file and sequence diagram; dic is its dictionary file, with\n"
    "the names known at the end of the trace. grasp is a time line of tasks, jobs, mutexes and\n"
    "interrupts for the player Grasp (docs/grasp.md). A recording of several targets needs --lane.",
    options};
