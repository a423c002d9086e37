// SPDX-License-Identifier: MIT
// `wallfly attach`: the trace scrolls while commands are typed below it. Without a terminal, each
// line of standard input is a command.

#include <stdio.h>
#include <unistd.h>

#include "console.h"
#include "stream.h"
#include "term/prompt.h"

enum {
    ATTACH_STYLE = STREAM_SESSION_OPTIONS,
    ATTACH_COLOUR,
    ATTACH_QUIET,
    ATTACH_KEEP,
    ATTACH_TIMEOUT,
    ATTACH_ONCE,
};

static const struct option_row options[] = {
    STREAM_SESSION_ROWS,
    {"style", 0, "STYLE", "of the trace: wallfly (the default) or qspy"},
    {"color", 0, "WHEN", "auto (on a terminal), always or never"},
    {"quiet", 'q', NULL, "do not show the trace, only the answers"},
    {"keep-filters", 0, NULL, "restore the filters after the target resets"},
    {"timeout", 0, "S", "longest time to wait for an answer, in seconds (1)"},
    {"once", 0, NULL, "tcp-listen: end when the first target has disconnected"},
    {NULL, 0, NULL, NULL},
};

struct attach {
    struct talk *talk;
    struct console console;
    const struct wf_format *format;
    bool colour;
    struct wf_writer *writer; // null: the trace is not shown
    int code;
};

static bool write_out(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    prompt_clear();
    fwrite(bytes, 1, len, stdout);
    return !ferror(stdout);
}

static void on_item(void *ctx, const struct wf_item *item) {
    struct attach *a = ctx;
    if (a->writer) wf_writer_item(a->writer, item);
}

// Flushes trace lines before a message is printed.
static void flush_trace(struct attach *a) {
    if (a->writer && wf_writer_flush(a->writer) != WF_OK) talk_stop(a->talk);
}

static void on_result(void *ctx, const struct wf_command_result *r) {
    struct attach *a = ctx;
    bool good = r->outcome == WF_OUTCOME_GOOD;
    flush_trace(a);
    prompt_clear();
    printf("> %s: %s\n", shown_text(good ? r->name : r->command), shown_text(r->text));
    if (!good && !a->console.interactive) a->code = EXIT_NO;
    console_stop_if_done(&a->console);
}

static void on_report(void *ctx, const char *text) {
    struct attach *a = ctx;
    if (!a->console.interactive) {
        diag_note("%s", text);
        return;
    }
    flush_trace(a);
    prompt_clear();
    printf("wallfly: %s\n", shown_text(text));
}

static void on_turn(void *ctx) {
    struct attach *a = ctx;
    flush_trace(a);
    prompt_show();
    if (ferror(stdout)) talk_stop(a->talk);
    console_stop_if_done(&a->console);
}
static void on_done(void *ctx, int err) {
    if (err) ((struct attach *)ctx)->code = EXIT_INPUT;
}

static int parse(const struct args *args, struct attach *a, struct talk_options *o) {
    static const char *const styles[] = {"wallfly", "qspy", NULL};
    unsigned qspy = 0;
    if (!parse_choice("--style", args->value[ATTACH_STYLE], styles, &qspy) ||
        !stream_colour(args->value[ATTACH_COLOUR], &a->colour))
        return EXIT_USAGE;
    a->format = wf_format_find(qspy ? "qspy" : "text");
    o->session.dialect = a->format->dialect;
    o->session.info8 = a->format->info8;
    o->keep_filters = args->value[ATTACH_KEEP] != NULL;
    o->once = args->value[ATTACH_ONCE] != NULL;
    return talk_parse(args, args->value[ATTACH_TIMEOUT], o);
}

static int open_writer(struct attach *a) {
    const struct wf_writer_options o = {
        .size = sizeof o, .colour = a->colour, .terminal = isatty(STDOUT_FILENO)};
    struct wf_error error;
    a->writer = wf_writer_open(a->format, talk_session(a->talk), &o, write_out, NULL, &error);
    return a->writer ? EXIT_GOOD : diag_error(EXIT_INPUT, "%s", error.text);
}

static int run(const struct args *args) {
    struct attach a = {
        .console = {.interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), .code = &a.code}};
    const char *source = args->operands ? args->operand[0] : talk_server;
    const struct talk_handlers on = {&a, on_result, on_report, on_done, on_item, on_turn, NULL};
    struct names names = {.file = NULL};
    struct talk_options o = {.patient = !a.console.interactive, .names = &names};
    a.code = parse(args, &a, &o);
    if (a.code == EXIT_GOOD) a.code = stream_names(args, &names);
    // So that clearing the line, the trace and drawing the line again are one write.
    if (a.console.interactive) setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    if (a.code == EXIT_GOOD) a.code = talk_open(source, &o, &on, &a.talk);
    a.console.talk = a.talk;
    if (a.code == EXIT_GOOD && !args->value[ATTACH_QUIET]) a.code = open_writer(&a);
    if (a.code == EXIT_GOOD) a.code = console_open(&a.console);
    if (a.code == EXIT_GOOD) talk_run(a.talk);
    if (a.writer) wf_writer_close(a.writer);
    a.writer = NULL; // closing the link may give further items
    console_close();
    if (a.talk) talk_close(a.talk);
    names_close(&names);
    input_close(&o.input);
    if (a.console.interactive) putchar('\n');
    return a.code;
}

const struct cmd cmd_attach = {
    "attach",
    run,
    "[SOURCE]",
    0,
    1,
    "Shows a target's trace and sends commands to it.",
    "On a terminal commands are typed below the trace, with history and completion (Tab) by the\n"
    "names of the target; `help` lists the commands, Ctrl-D ends. Otherwise the lines of standard\n"
    "input are commands, each sent when the previous one is answered; attach ends after the last\n"
    "one, with exit code 1 if one of them failed. SOURCE is as for print; without it, a running\n"
    "`wallfly serve` on this machine. docs/commands.md has the commands.",
    options};
