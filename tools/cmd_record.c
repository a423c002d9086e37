// SPDX-License-Identifier: MIT
// `wallfly record`: writes the bytes of a link to a file as they arrive.

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "capture_options.h"
#include "fleet/gateway.h"
#include "recorder.h"
#include "slots.h"
#include "term/signals.h"

enum {
    RECORD_OUT,
    RECORD_CAPTURE,
    RECORD_RAW = RECORD_CAPTURE + CAPTURE_OPTIONS,
    RECORD_TO,
    RECORD_SECONDS = RECORD_TO + GATEWAY_OPTIONS,
    RECORD_ONCE,
    RECORD_ASK,
    RECORD_BEGIN,
    RECORD_INPUT,
    RECORD_STRICT = RECORD_INPUT + INPUT_OPTIONS,
    RECORD_QUIET,
};

static const struct option_row options[] = {
    {"output", 'o', "FILE", "the file to write (default: wallfly-DATE-TIME.wfr)"},
    CAPTURE_ROWS,
    {"raw", 0, NULL, "the bytes alone, as QSPY's binary output; one target at a time"},
    GATEWAY_ROWS,
    {"seconds", 0, "S", "end after this number of seconds"},
    {"once", 0, NULL, "end when the first target has disconnected"},
    ASK_ROW,
    START_ROW,
    INPUT_ROWS,
    {"strict", 0, NULL, "exit code 4 if anything was lost or damaged"},
    {"quiet", 'q', NULL, "no progress and no summary"},
    {NULL, 0, NULL, NULL},
};

static bool parse_options(const struct args *args, struct recorder_options *o) {
    const char *text = args->value[RECORD_SECONDS];
    o->source = args->operand[0];
    o->capture.tool = "wallfly " WALLFLY_VERSION;
    o->capture.files = args->files;
    o->capture.raw = args->value[RECORD_RAW] != NULL;
    o->once = args->value[RECORD_ONCE] != NULL;
    o->progress = isatty(2) && !args->value[RECORD_QUIET];
    return gateway_allows(args, RECORD_TO) && capture_parse(args, RECORD_CAPTURE, &o->capture) &&
           (!text || parse_number("--seconds", text, 1, 1000000000, &o->seconds)) &&
           source_ask(args->value[RECORD_ASK], false, &o->ask);
}

static const char *default_name(bool raw, char name[64]) {
    time_t now = time(NULL);
    struct tm t;
    localtime_r(&now, &t);
    size_t n = strftime(name, 64, "wallfly-%Y%m%d-%H%M%S", &t);
    snprintf(name + n, 64 - n, "%s", raw ? ".bin" : ".wfr");
    return name;
}

// Checks for loss and damage in frames, in slots and in an input recording.
static int loss_exit_code(const char *source, const struct recorder_totals *t) {
    int code = EXIT_GOOD;
    if (t->frames.missing || t->frames.bytes_bad)
        code = diag_error(EXIT_LOSS,
                          "%s: %" PRIu64 " records missing, %" PRIu64 " bytes damaged (--strict)",
                          source, t->frames.missing, t->frames.bytes_bad);
    if (wf_slots_ledger_is_lossy(&t->slots))
        code = diag_error(EXIT_LOSS, "%s: events of slots: %s (--strict)", source,
                          slots_missing(&t->slots).text);
    if (t->damaged)
        code = diag_error(EXIT_LOSS, "%s: the recording is not whole (--strict)", source);
    return code;
}

// Prints totals, losses and the output file.
static void print_summary(const char *source, const struct recorder_totals *t) {
    const struct wf_ledger *l = &t->frames;
    if (t->slots.bytes) {
        diag_note("%s: %" PRIu64 " bytes of slots, %" PRIu64 " events; %s", source, t->slots.bytes,
                  t->slots.events, slots_missing(&t->slots).text);
    }
    diag_note("%s: %" PRIu64 " session%s, %" PRIu64 " records; %" PRIu64 " missing (%" PRIu64
              " given up by the target)%s; %" PRIu64 " of %" PRIu64 " bytes damaged",
              source, t->sessions, t->sessions == 1 ? "" : "s", l->records, l->missing, l->given_up,
              l->exact     ? ", by its own count"
              : l->missing ? " or more"
                           : "",
              l->bytes_bad, l->bytes);
    diag_note("%s%s: %" PRIu64 " bytes in %u file%s", t->last_file,
              t->files.files > 1 ? " is the last file" : "", t->files.file_bytes, t->files.files,
              t->files.files == 1 ? "" : "s");
}

// What is about files and their formats does not go with --to.
static int run_gateway(const struct args *args, const struct recorder_options *r) {
    struct gateway_options o = {.source = r->source,
                                .once = r->once,
                                .seconds = r->seconds,
                                .ask = r->ask,
                                .start = start_command(args->value[RECORD_BEGIN]),
                                .quiet = args->value[RECORD_QUIET] != NULL,
                                .strict = args->value[RECORD_STRICT] != NULL};
    for (int i = 0; i < RECORD_STRICT; ++i)
        if (args->value[i] && (i <= RECORD_RAW || i >= RECORD_INPUT))
            return diag_error(EXIT_USAGE, "--%s: not with --to", options[i].name);
    int code = gateway_parse(args, RECORD_TO, &o);
    return code == EXIT_GOOD ? gateway_run(&o) : code;
}

static int run(const struct args *args) {
    char name[64];
    struct recorder_options o = {.out = args->value[RECORD_OUT]};
    struct recorder_totals totals;
    if (!parse_options(args, &o)) return EXIT_USAGE;
    signals_ignore_pipes();
    if (args->value[RECORD_TO + GATEWAY_TO]) return run_gateway(args, &o);
    if (!o.out) o.out = default_name(o.capture.raw, name);
    struct input_options input;
    int code = input_parse(args, RECORD_INPUT, &input);
    if (code == EXIT_GOOD && !input_start(&input, args->value[RECORD_BEGIN])) code = EXIT_USAGE;
    o.input = &input;
    o.start = start_command(args->value[RECORD_BEGIN]);
    if (code == EXIT_GOOD) code = recorder_run(&o, &totals);
    input_close(&input);
    if (code != EXIT_GOOD) return code;
    if (!args->value[RECORD_QUIET]) print_summary(o.source, &totals);
    return args->value[RECORD_STRICT] ? loss_exit_code(o.source, &totals) : EXIT_GOOD;
}

const struct cmd cmd_record = {
    "record",
    run,
    "SOURCE",
    1,
    1,
    "Records the bytes of targets to a file as they arrive.",
    "The file has the bytes, their arrival times and the connections of "
    "the targets, compressed.\n"
    "If wallfly is killed, the file can be read up to its last whole "
    "block (docs/recording.md). All\n"
    "commands that read traces read it. Several targets are recorded at once, each on a lane\n"
    "of its own; a target that reconnects continues in the same recording. Ctrl-C ends it.\n"
    "With --to they go to a fleet's agent in place of a file (docs/fleet.md).",
    options};
