// SPDX-License-Identifier: MIT
// `wallfly attach`: the trace scrolls while commands are typed below it, or are read line by line
// when standard input is not a terminal.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ending.h"
#include "lines.h"
#include "prompt.h"
#include "stream.h"
#include "talk.h"

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
    {"keep-filters", 0, NULL, "after a reset of the target set its filters again as they were"},
    {"timeout", 0, "S", "how long an answer may take (1)"},
    {"once", 0, NULL, "tcp-listen: end when the first target has left"},
    {NULL, 0, NULL, NULL},
};

struct attach {
    uv_loop_t loop;
    struct ending ending;
    struct talk *talk;
    struct wf_writer *writer; // null: the trace is not shown
    bool interactive, input_ended;
    int code;
};

static void print_part(const char *text) { prompt_print(text, strlen(text)); }

static void print(const char *text) {
    print_part(text);
    print_part("\n");
}

static bool write_out(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    prompt_print(bytes, len);
    return !ferror(stdout);
}

static void on_item(void *ctx, const struct wf_item *item) {
    struct attach *a = ctx;
    if (a->writer) wf_writer_item(a->writer, item);
}

// Flushes trace lines before a message is printed.
static void flush_trace(struct attach *a) {
    if (a->writer && wf_writer_flush(a->writer) != WF_OK) uv_stop(&a->loop);
}

static void stop_if_done(struct attach *a) {
    if (a->input_ended && talk_idle(a->talk)) uv_stop(&a->loop);
}

static void on_result(void *ctx, const struct talk_result *r) {
    struct attach *a = ctx;
    flush_trace(a);
    bool good = r->end == TALK_GOOD;
    print_part("> ");
    print_part(shown_text(good ? r->name : r->command));
    print_part(": ");
    print(shown_text(r->text));
    if (!good && !a->interactive) a->code = EXIT_NO;
    stop_if_done(a);
}

static void on_say(void *ctx, const char *text) {
    struct attach *a = ctx;
    if (!a->interactive) {
        complain(0, "%s", text);
        return;
    }
    flush_trace(a);
    prompt_print("wallfly: ", 9);
    print(shown_text(text));
}

static void on_turn(void *ctx) {
    struct attach *a = ctx;
    flush_trace(a);
    prompt_show();
    if (ferror(stdout)) uv_stop(&a->loop);
    stop_if_done(a);
}

static void on_done(void *ctx, int err) {
    struct attach *a = ctx;
    if (err) a->code = EXIT_INPUT;
    uv_stop(&a->loop);
}

static void help_all(void) {
    char usage[128], text[512];
    for (unsigned i = 0; i < wf_command_row_count; ++i) {
        wf_command_usage(&wf_command_rows[i], usage, sizeof usage);
        snprintf(text, sizeof text, "  %-38s %s", usage, wf_command_rows[i].sentence);
        print(text);
    }
    print("  help [COMMAND]                         this list, or more of one command");
    print("  quit                                   ends, as Ctrl-D does");
}

static void help(const char *name) {
    const struct wf_command_row *row = wf_command_find(name);
    char text[1024], usage[128];
    if (!row) {
        wf_command_known(name, text, sizeof text);
        print(shown_text(text));
        return;
    }
    wf_command_usage(row, usage, sizeof usage);
    snprintf(text, sizeof text, "%s\n  %s%s%s", usage, row->sentence, row->more ? "\n" : "",
             row->more ? row->more : "");
    print(text);
}

static void one_command(struct attach *a, char *const word[], unsigned count) {
    if (strcmp(word[0], "help") == 0) {
        if (count > 1)
            help(word[1]);
        else
            help_all();
    } else if (strcmp(word[0], "quit") == 0 || strcmp(word[0], "exit") == 0) {
        a->input_ended = true;
        if (a->interactive) uv_stop(&a->loop);
    } else if (!talk_put(a->talk, word, count)) {
        print("out of memory");
    }
}

static void on_line(void *ctx, const char *line) {
    static struct wf_words words;
    struct attach *a = ctx;
    while (!a->input_ended && wf_words_next(&line, &words)) one_command(a, words.word, words.count);
    if (!*words.problem) return;
    print(words.problem);
    if (!a->interactive) a->code = EXIT_NO;
}

static void on_input_end(void *ctx) {
    struct attach *a = ctx;
    a->input_ended = true;
    if (a->interactive) uv_stop(&a->loop);
}

static void on_complete(void *ctx, const char *text, wf_offer_fn offer, void *offer_ctx) {
    struct attach *a = ctx;
    static const char *const own[] = {"help", "quit"};
    const char *name = strncmp(text, "help ", 5) == 0 ? text + 5 : text;
    wf_command_complete(talk_commander(a->talk), name, offer, offer_ctx);
    for (unsigned i = 0; name == text && i < 2; ++i) {
        if (strncmp(own[i], text, strlen(text)) == 0) offer(offer_ctx, own[i]);
    }
}

static void on_signal(void *ctx) {
    struct attach *a = ctx;
    uv_stop(&a->loop);
}

static bool parse(const struct args *args, struct talk_options *o, bool *qspy, bool *colour) {
    const char *style = args->value[ATTACH_STYLE], *timeout = args->value[ATTACH_TIMEOUT];
    *qspy = style && strcmp(style, "qspy") == 0;
    if (style && !*qspy && strcmp(style, "wallfly") != 0) {
        complain(EXIT_USAGE, "--style: '%s' is not wallfly or qspy", style);
        return false;
    }
    const struct wf_format *format = wf_format_find(*qspy ? "qspy" : "text");
    o->session = (struct wf_session_options){.dialect = format->dialect, .info8 = format->info8};
    o->dic = args->value[STREAM_DIC];
    o->assume = args->value[STREAM_SIZES] || o->dic;
    o->keep_filters = args->value[ATTACH_KEEP] != NULL;
    o->once = args->value[ATTACH_ONCE] != NULL;
    o->timeout_ms = 1000;
    return source_ask(args->value[STREAM_ASK], true, &o->ask) &&
           stream_colour(args->value[ATTACH_COLOUR], colour) && stream_options(args, &o->session) &&
           (!timeout || talk_seconds("--timeout", timeout, &o->timeout_ms));
}

static int open_input(struct attach *a) {
    struct prompt_handlers keys = {a, on_line, on_input_end, on_complete};
    struct lines_handlers pipe = {a, on_line, on_input_end};
    int err =
        a->interactive ? prompt_open(&a->loop, "wallfly> ", &keys) : lines_open(&a->loop, &pipe);
    return err ? complain(EXIT_INPUT, "standard input: %s", uv_strerror(err)) : EXIT_GOOD;
}

static int open_writer(struct attach *a, bool qspy, bool colour) {
    struct wf_writer_options wo = {.colour = colour, .terminal = isatty(STDOUT_FILENO)};
    int err;
    a->writer = wf_writer_open(wf_format_find(qspy ? "qspy" : "text"), talk_session(a->talk), &wo,
                               write_out, NULL, &err);
    return a->writer ? EXIT_GOOD : complain(EXIT_INPUT, "%s", wf_err_text(err));
}

// All handles are opened first, because all of them are closed, also after an error.
static int run(const struct args *args) {
    struct attach a = {.interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    struct talk_handlers on = {&a, on_item, on_result, on_say, on_turn, on_done};
    struct talk_options o = {.patient = !a.interactive};
    const char *source = args->operands ? args->operand[0] : talk_server;
    bool qspy, colour;
    if (!parse(args, &o, &qspy, &colour)) return EXIT_USAGE;
    struct names names;
    a.code = stream_names(args, &names);
    if (a.code != EXIT_GOOD) return a.code;
    o.names = &names;
    // The cleared line, the trace and the redrawn line are written to the terminal at once.
    if (a.interactive) setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    uv_loop_init(&a.loop);
    ending_open(&a.ending, &a.loop, on_signal, &a);
    ending_ignore_pipes();
    a.code = talk_open(&a.loop, source, &o, &on, &a.talk);
    if (a.code == EXIT_GOOD && !args->value[ATTACH_QUIET]) a.code = open_writer(&a, qspy, colour);
    if (a.code == EXIT_GOOD) a.code = open_input(&a);
    if (a.code == EXIT_GOOD) uv_run(&a.loop, UV_RUN_DEFAULT);
    if (a.writer) wf_writer_close(a.writer);
    prompt_show();
    prompt_close();
    lines_close();
    if (a.talk) talk_close(a.talk);
    ending_close(&a.ending);
    uv_run(&a.loop, UV_RUN_DEFAULT);
    uv_loop_close(&a.loop);
    names_close(&names);
    if (a.interactive) putchar('\n');
    return a.code;
}

const struct cmd cmd_attach = {
    "attach",
    run,
    "[SOURCE]",
    0,
    1,
    "Shows a target's trace and takes commands to it.",
    "On a terminal commands are typed below the trace, with history and completion (Tab) by the\n"
    "names of the target; `help` lists the commands, Ctrl-D ends. Where standard input is no "
    "terminal\n"
    "its lines are commands, each sent when the one before is answered; it ends behind the last,\n"
    "with exit code 1 if one of them failed. SOURCE is as for print; without it, a running\n"
    "`wallfly serve` on this machine. docs/commands.md has the commands.",
    options};
