// SPDX-License-Identifier: MIT
// `wallfly send`: sends commands to a target, prints the answers, and returns the result as exit
// code.

#include <stdio.h>

#include "batch.h"
#include "command_list.h"
#include "stream.h"
#include "talk.h"

enum {
    SEND_TO = STREAM_SESSION_OPTIONS,
    SEND_FILE,
    SEND_TIMEOUT,
    SEND_WAIT,
    SEND_GO_ON,
    SEND_JSON,
    SEND_LIST,
    SEND_MD,
};

static const struct option_row options[] = {
    STREAM_SESSION_ROWS,
    {"to", 0, "SOURCE", "the target, as for print (spy:127.0.0.1:7701, a running `wallfly serve`)"},
    {"file", 'f', "FILE", "commands from a file, one or more a line; - is standard input"},
    {"timeout", 0, "S", "longest time to wait for an answer or a name, in seconds (1)"},
    {"wait", 0, "S", "longest time to wait for a target, in seconds; without it, wait forever"},
    {"keep-going", 'k', NULL, "continue after a command that failed"},
    {"json", 0, NULL, "each answer as a line of JSON"},
    {"list", 0, NULL, "list the commands with their arguments, send nothing"},
    {"md", 0, NULL, "with --list: as a Markdown page, as docs/command-list.md is"},
    {NULL, 0, NULL, NULL},
};

struct send {
    struct talk *talk;
    bool json, go_on;
    int code; // of the first failed command
};

static const int codes[] = {[WF_OUTCOME_GOOD] = EXIT_GOOD,
                            [WF_OUTCOME_REFUSED] = EXIT_NO,
                            [WF_OUTCOME_SILENT] = EXIT_NO,
                            [WF_OUTCOME_WRONG] = EXIT_USAGE,
                            [WF_OUTCOME_LINK] = EXIT_INPUT};

static void on_result(void *ctx, const struct wf_command_result *r) {
    struct send *s = ctx;
    if (s->json)
        talk_json(s->talk, r);
    else if (r->outcome == WF_OUTCOME_GOOD)
        printf("%s: %s\n", shown_text(r->name), shown_text(r->text));
    else
        diag_note("%s: %s", r->command, r->text);
    fflush(stdout);
    if (s->code == EXIT_GOOD) s->code = codes[r->outcome];
    if (r->outcome != WF_OUTCOME_GOOD && !s->go_on) wf_command_queue_drop(talk_queue(s->talk));
    if (wf_command_queue_idle(talk_queue(s->talk))) talk_stop(s->talk);
}

static void on_done(void *ctx, int err) {
    struct send *s = ctx;
    if (err && s->code == EXIT_GOOD) s->code = EXIT_INPUT;
}

static void on_interrupted(void *ctx) {
    struct send *s = ctx;
    if (s->code == EXIT_GOOD)
        s->code = diag_error(EXIT_NO, "stopped before all commands were answered");
}

// All commands are checked before the link is opened, so that a typing error does not wait for a
// target.
static bool check_command(void *ctx, char *const word[], unsigned count) {
    char text[256];
    (void)ctx;
    (void)count;
    if (wf_command_known(word[0], text, sizeof text)) return true;
    diag_error(EXIT_USAGE, "%s", text);
    return false;
}

static bool put_command(void *ctx, char *const word[], unsigned count) {
    const struct send *s = ctx;
    if (wf_command_queue_put(talk_queue(s->talk), NULL, 0, word, count)) return true;
    out_of_memory();
    return false;
}

static int no_command(void) {
    return diag_error(EXIT_USAGE, "send: no command; see `wallfly send --list`");
}

static int send_all(struct send *s, const struct batch *b, const struct talk_options *o) {
    const char *to = b->args->value[SEND_TO];
    const struct talk_handlers on = {s, on_result, diag_text, on_done, NULL, NULL, on_interrupted};
    int code = talk_open(to ? to : talk_server, o, &on, &s->talk);
    if (code != EXIT_GOOD) return code;
    if (!batch_each(b, put_command, s)) code = EXIT_INPUT;
    if (code == EXIT_GOOD && wf_command_queue_idle(talk_queue(s->talk))) code = no_command();
    if (code == EXIT_GOOD) {
        talk_run(s->talk);
        code = s->code;
    }
    talk_close(s->talk);
    return code;
}

static int run(const struct args *args) {
    struct send s = {.json = args->value[SEND_JSON] != NULL,
                     .go_on = args->value[SEND_GO_ON] != NULL};
    const char *file = args->value[SEND_FILE];
    struct names names = {.file = NULL};
    struct talk_options o = {.patient = true, .names = &names};
    struct batch batch;
    if (args->value[SEND_LIST]) {
        command_list(args->value[SEND_MD] != NULL);
        return EXIT_GOOD;
    }
    if (!args->operands && !file) return no_command();
    if (!parse_seconds("--wait", args->value[SEND_WAIT], &o.wait_s)) return EXIT_USAGE;
    int code = talk_parse(args, args->value[SEND_TIMEOUT], &o);
    if (code != EXIT_GOOD) return code;
    code = batch_open(&batch, args, file);
    if (code == EXIT_GOOD && !batch_each(&batch, check_command, NULL)) code = EXIT_USAGE;
    if (code == EXIT_GOOD) code = stream_names(args, &names);
    if (code == EXIT_GOOD) code = send_all(&s, &batch, &o);
    names_close(&names);
    input_close(&o.input);
    batch_close(&batch);
    return code;
}

const struct cmd cmd_send = {
    "send",
    run,
    "[COMMAND ARGUMENT...] [';' COMMAND...]",
    0,
    10000,
    "Sends commands to a target and prints its answers.",
    "--list shows the commands. One operand is a line (`send 'tick; peek 0 4 2'`), several are "
    "the\n"
    "words of one command or, with ';' between, of more; options come first. Names of objects,\n"
    "signals and so on are those that the target has sent, or of a dictionary file. The exit code "
    "is 1\n"
    "if the target refused a command or did not answer it; later commands are then not sent, "
    "unless\n"
    "--keep-going. docs/commands.md describes the commands.",
    options};
