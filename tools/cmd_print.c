// SPDX-License-Identifier: MIT
// `wallfly print`: prints a trace as text, from a file or live.

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "filter_options.h"
#include "traceprinter.h"

enum {
    PRINT_STYLE = STREAM_HIDE_OPTIONS,
    PRINT_SHOWN,
    PRINT_COLOUR = PRINT_SHOWN + SHOWN_OPTIONS,
    PRINT_ONCE,
    PRINT_QUIET,
    PRINT_ONE_LINE,
    PRINT_FORMAT,
};

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    STREAM_HIDE_ROWS,
    {"style", 0, "STYLE",
     "wallfly (the default), qspy (byte for byte as QSPY 7.4.1) or, for slot traces, "
     "traceprinter (the default for kernel-event logs of QNX)"},
    SHOWN_ROWS,
    {"color", 0, "WHEN", "auto (on a terminal), always or never"},
    {"once", 0, NULL, "end when the first target has disconnected"},
    {"quiet", 'q', NULL, "no summary of losses at the end"},
    {"one-line", 'n', NULL, "traceprinter: one line for each event"},
    {"format", 'p', "FORMAT",
     "traceprinter: how lines begin, in QNX's letters (docs/traceprinter.md)"},
    {NULL, 0, NULL, NULL},
};

static bool write_stdout(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    return fwrite(bytes, 1, len, stdout) == len;
}

// Prints in traceprinter's style. Options that this style does not support are reported.
static int run_traceprinter(const struct args *args) {
    static const unsigned others[] = {STREAM_SIZES,
                                      STREAM_VERSION,
                                      STREAM_DIC,
                                      STREAM_ELF,
                                      STREAM_MAP,
                                      STREAM_LOADED_AT,
                                      PRINT_SHOWN + SHOWN_TIME,
                                      PRINT_SHOWN + SHOWN_ONLY,
                                      PRINT_SHOWN + SHOWN_NOT,
                                      PRINT_SHOWN + SHOWN_OBJECT,
                                      PRINT_SHOWN + SHOWN_FROM,
                                      PRINT_SHOWN + SHOWN_UNTIL,
                                      STREAM_HIDE,
                                      STREAM_HIDE_AS};
    struct traceprinter_options o = {.strict = args->value[STREAM_STRICT] != NULL,
                                     .quiet = args->value[PRINT_QUIET] != NULL,
                                     .text.size = sizeof o.text,
                                     .text.one_line = args->value[PRINT_ONE_LINE] != NULL,
                                     .text.format = args->value[PRINT_FORMAT]};
    for (unsigned i = 0; i < sizeof others / sizeof *others; ++i) {
        if (!args->value[others[i]]) continue;
        return diag_error(EXIT_USAGE, "--%s does not go with --style=traceprinter",
                          options[others[i]].name);
    }
    return traceprinter_run(args, &o);
}

// Returns true for --style=traceprinter, or without --style for a QNX log; sets the exit code
// *code.
static bool ran_traceprinter(const struct args *args, int *code) {
    const char *style = args->value[PRINT_STYLE];
    bool asked = style && strcmp(style, "traceprinter") == 0;
    bool qnx = !args->value[STREAM_IMAGE] && args->operands &&
               slots_in_file(args->operand[0]) == SLOTS_QNX;
    if (qnx && style && strcmp(style, "qspy") == 0) {
        *code = diag_error(EXIT_USAGE, "%s: is a kernel-event log, which --style=%s does not print",
                           args->operand[0], style);
    } else if (asked || (qnx && !style)) {
        *code = run_traceprinter(args);
    } else if (args->value[PRINT_ONE_LINE] || args->value[PRINT_FORMAT]) {
        *code = diag_error(EXIT_USAGE, "-n and --format go with --style=traceprinter only");
    } else {
        return false;
    }
    return true;
}

static int run(const struct args *args) {
    static const char *const styles[] = {"wallfly", "qspy", "traceprinter", NULL};
    unsigned style = 0;
    int printed;
    if (ran_traceprinter(args, &printed)) return printed;
    if (!parse_choice("--style", args->value[PRINT_STYLE], styles, &style)) return EXIT_USAGE;
    bool qspy = style == 1, filtered;
    struct wf_filter filter;
    struct stream_out out = {.write = write_stdout,
                             .options = {.size = sizeof out.options, .terminal = isatty(1)}};
    struct stream s = {.qspy = qspy, .outs = &out, .out_count = 1};
    if (!shown_parse(args, PRINT_SHOWN, &filter, &filtered) ||
        !time_parse(args->value[PRINT_SHOWN + SHOWN_TIME], &out.options.time,
                    &out.options.target_clock) ||
        !stream_colour(args->value[PRINT_COLOUR], &out.options.colour)) {
        return EXIT_USAGE;
    }
    if (filtered && qspy) return diag_error(EXIT_USAGE, "filters go with --style=wallfly only");
    if (filtered) out.options.filter = &filter;
    out.format = wf_format_find(qspy ? "qspy" : "text");
    if (!stream_hide(&s, args)) return EXIT_USAGE;
    int code = stream_open(&s, args);
    if (code == EXIT_GOOD) {
        code = stream_run(&s, args->value[PRINT_ONCE] != NULL);
        if (code == EXIT_GOOD && !qspy && !args->value[PRINT_QUIET]) summary_lanes(&s);
        if (code == EXIT_GOOD) code = stream_verdict(&s);
    }
    stream_close(&s);
    return code;
}

const struct cmd cmd_print = {
    "print",
    run,
    "FILE|SOURCE",
    0,
    1,
    "Prints a trace as text, from a file or as it arrives.",
    "Losses, and the connections of targets in a recording, are lines of their own; the summary at "
    "the\n"
    "end goes to standard error. Lines of several targets begin with their lane. Ctrl-C ends a "
    "live\n"
    "source.\n"
    "\n"
    "Slot traces, of wallfly's slot recorder or QNX's kernel-event logs (.kev), are detected by "
    "their\n"
    "first bytes. Events of all cores are printed in the order of time; from standard input and "
    "links,\n"
    "a core that is silent for a second is not waited for. Lines have the core if there are "
    "several.\n"
    "By default logs of QNX in files are printed in the style of its traceprinter, all other "
    "traces "
    "in\n"
    "wallfly's; --style selects one for any slot trace.",
    options};
