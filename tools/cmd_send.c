// SPDX-License-Identifier: MIT
// `wallfly send`: sends commands to a target, prints the answers, and returns the result as exit
// code.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ending.h"
#include "json.h"
#include "stream.h"
#include "talk.h"
#include "wallfly_backend/wf_input.h"

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
    {"timeout", 0, "S", "how long an answer, or a name, may take (1)"},
    {"wait", 0, "S", "give up if no target is there after so long; without it, wait"},
    {"keep-going", 'k', NULL, "go on behind a command that failed"},
    {"json", 0, NULL, "each answer as a line of JSON"},
    {"list", 0, NULL, "list the commands with their arguments, send nothing"},
    {"md", 0, NULL, "with --list: as a Markdown page, as docs/command-list.md is"},
    {NULL, 0, NULL, NULL},
};

struct send {
    uv_loop_t loop;
    struct ending ending;
    struct talk *talk;
    bool json, go_on;
    char *text; // contents of the file
    int code;   // of the first failed command
};

static int code_of(enum talk_end end) {
    static const int codes[] = {[TALK_GOOD] = EXIT_GOOD,
                                [TALK_REFUSED] = EXIT_NO,
                                [TALK_SILENT] = EXIT_NO,
                                [TALK_WRONG] = EXIT_USAGE,
                                [TALK_LINK] = EXIT_INPUT};
    return codes[end];
}

static void json_data(struct send *s, const struct wf_answer *a) {
    const char *comma = "";
    printf(",\"data\":{");
    for (unsigned i = 0; i < a->row->count; ++i) {
        char text[300];
        const struct wf_field *f = &a->row->fields[i];
        if (f->type == WF_TYPE_ITEMS) continue;
        printf("%s\"%s\":", comma, f->name);
        if (wf_answer_field(a, talk_session(s->talk), i, text, sizeof text))
            json_text(stdout, text);
        else
            printf("%" PRIu64, a->value[i]);
        comma = ",";
    }
    if (a->item_count) printf("%s\"items\":[", comma);
    for (unsigned i = 0; i < a->item_count; ++i) printf("%s%" PRIu32, i ? "," : "", a->item[i]);
    printf(a->item_count ? "]}" : "}");
}

static void json(struct send *s, const struct talk_result *r) {
    static const char *const ends[] = {[TALK_GOOD] = "good",
                                       [TALK_REFUSED] = "refused",
                                       [TALK_SILENT] = "silent",
                                       [TALK_WRONG] = "wrong",
                                       [TALK_LINK] = "link"};
    printf("{\"command\":");
    json_text(stdout, r->command);
    printf(",\"outcome\":\"%s\",\"text\":", ends[r->end]);
    json_text(stdout, r->text);
    if (r->answer && r->answer->error) printf(",\"error\":%u", r->answer->error);
    if (r->answer && r->answer->gap) printf(",\"gap\":true");
    if (r->answer && r->answer->row) json_data(s, r->answer);
    printf("}\n");
}

static void on_result(void *ctx, const struct talk_result *r) {
    struct send *s = ctx;
    if (s->json)
        json(s, r);
    else if (r->end == TALK_GOOD)
        printf("%s: %s\n", shown_text(r->name), shown_text(r->text));
    if (r->end != TALK_GOOD && !s->json) complain(0, "%s: %s", r->command, r->text);
    fflush(stdout);
    if (s->code == EXIT_GOOD) s->code = code_of(r->end);
    if (r->end != TALK_GOOD && !s->go_on) talk_drop(s->talk);
    if (talk_idle(s->talk)) uv_stop(&s->loop);
}

static void on_item(void *ctx, const struct wf_item *item) {
    (void)ctx;
    (void)item;
}

static void on_turn(void *ctx) { (void)ctx; }

static void on_say(void *ctx, const char *text) {
    (void)ctx;
    complain(0, "%s", text);
}

static void on_done(void *ctx, int err) {
    struct send *s = ctx;
    if (err && s->code == EXIT_GOOD) s->code = EXIT_INPUT;
    uv_stop(&s->loop);
}

static void on_signal(void *ctx) {
    struct send *s = ctx;
    if (s->code == EXIT_GOOD) s->code = complain(EXIT_NO, "stopped before all was answered");
    uv_stop(&s->loop);
}

// All commands are checked before the link is opened, so that a typing error does not wait for a
// target; then the same list is processed again to send them.
typedef bool (*take_fn)(struct send *s, char *const word[], unsigned count);

static bool check(struct send *s, char *const word[], unsigned count) {
    char text[256];
    (void)s;
    (void)count;
    if (wf_command_known(word[0], text, sizeof text)) return true;
    complain(EXIT_USAGE, "%s", text);
    return false;
}

static bool put(struct send *s, char *const word[], unsigned count) {
    if (talk_put(s->talk, word, count)) return true;
    complain(EXIT_INPUT, "out of memory");
    return false;
}

static bool take_line(struct send *s, take_fn take, const char *where, const char *text) {
    static struct wf_words words;
    while (wf_words_next(&text, &words)) {
        if (!take(s, words.word, words.count)) return false;
    }
    if (*words.problem) complain(EXIT_USAGE, "%s%s", where, words.problem);
    return !*words.problem;
}

static bool take_file(struct send *s, take_fn take, const char *name) {
    unsigned line = 0;
    for (const char *p = s->text; p && *p;) {
        char where[300], text[WF_LINE_MAX];
        size_t len = strcspn(p, "\n");
        snprintf(where, sizeof where, "%.200s:%u: ", name, ++line);
        if (len >= sizeof text) {
            complain(EXIT_USAGE, "%sthe line is too long", where);
            return false;
        }
        memcpy(text, p, len);
        text[len] = 0;
        if (!take_line(s, take, where, text)) return false;
        p += len + (p[len] == '\n');
    }
    return true;
}

// A single operand is a line as in a file. Of several operands each is a word; ";" ends a command.
static bool take_operands(struct send *s, take_fn take, const struct args *args) {
    int from = 0;
    if (args->operands == 1) return take_line(s, take, "", args->operand[0]);
    for (int i = 0; i <= args->operands; ++i) {
        if (i < args->operands && strcmp(args->operand[i], ";") != 0) continue;
        if (i - from > WF_WORDS_MAX) {
            complain(EXIT_USAGE, "a command has too many words");
            return false;
        }
        if (i > from && !take(s, args->operand + from, (unsigned)(i - from))) return false;
        from = i + 1;
    }
    return true;
}

static bool take_all(struct send *s, take_fn take, const struct args *args) {
    const char *file = args->value[SEND_FILE];
    return (!file || take_file(s, take, file)) && (!args->operands || take_operands(s, take, args));
}

static int read_standard_input(struct send *s) {
    size_t cap = 0;
    errno = 0;
    if (getdelim(&s->text, &cap, 0, stdin) >= 0 || !errno) return EXIT_GOOD;
    return complain(EXIT_INPUT, "standard input: %s", strerror(errno));
}

static int read_file(struct send *s, const char *name) {
    struct wf_input input;
    char why[256];
    if (strcmp(name, "-") == 0) return read_standard_input(s);
    if (wf_input_open(name, &input, why) != WF_OK) return complain(EXIT_INPUT, "%s", why);
    s->text = strndup(input.len ? (const char *)input.bytes : "", input.len);
    wf_input_close(&input);
    return s->text ? EXIT_GOOD : complain(EXIT_INPUT, "%s: out of memory", name);
}

// Writes docs/command-list.md; several commands share a description.
static void list_md(void) {
    char usage[128];
    const char *more = NULL;
    puts("# Commands by name\n\nWhat `wallfly send` and `wallfly attach` take; commands.md says "
         "more. "
         "Made by `wallfly send --list --md`.\n\n| command | what it does |\n| --- | --- |");
    for (unsigned i = 0; i < wf_command_row_count; ++i) {
        wf_command_usage(&wf_command_rows[i], usage, sizeof usage);
        printf("| `%s` | %s |\n", usage, wf_command_rows[i].sentence);
    }
    for (unsigned i = 0; i < wf_command_row_count; ++i) {
        const struct wf_command_row *row = &wf_command_rows[i];
        if (!row->more) continue;
        if (more && strcmp(more, row->more) != 0) printf(": %s\n", more);
        printf(more && strcmp(more, row->more) == 0 ? ", `%s`" : "\n`%s`", row->name);
        more = row->more;
    }
    printf(": %s\n", more);
}

static void list(void) {
    char usage[128];
    for (unsigned i = 0; i < wf_command_row_count; ++i) {
        wf_command_usage(&wf_command_rows[i], usage, sizeof usage);
        printf("  %-38s %s\n", usage, wf_command_rows[i].sentence);
    }
}

static int talk_all(struct send *s, const struct args *args) {
    if (!take_all(s, put, args)) return EXIT_INPUT;
    if (talk_idle(s->talk))
        return complain(EXIT_USAGE, "send: no command; see `wallfly send --list`");
    uv_run(&s->loop, UV_RUN_DEFAULT);
    return s->code;
}

static bool parse(const struct args *args, struct talk_options *o) {
    const char *timeout = args->value[SEND_TIMEOUT], *wait = args->value[SEND_WAIT];
    *o = (struct talk_options){.dic = args->value[STREAM_DIC], .patient = true, .timeout_ms = 1000};
    o->assume = args->value[STREAM_SIZES] || o->dic;
    return source_ask(args->value[STREAM_ASK], true, &o->ask) &&
           stream_options(args, &o->session) &&
           (!timeout || talk_seconds("--timeout", timeout, &o->timeout_ms)) &&
           (!wait || talk_seconds("--wait", wait, &o->wait_ms));
}

static int send_all(struct send *s, const struct args *args, const struct talk_options *o) {
    const char *to = args->value[SEND_TO] ? args->value[SEND_TO] : talk_server;
    struct talk_handlers on = {s, on_item, on_result, on_say, on_turn, on_done};
    uv_loop_init(&s->loop);
    ending_open(&s->ending, &s->loop, on_signal, s);
    ending_ignore_pipes();
    int code = talk_open(&s->loop, to, o, &on, &s->talk);
    if (code == EXIT_GOOD) {
        code = talk_all(s, args);
        talk_close(s->talk);
    }
    ending_close(&s->ending);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
    return code;
}

static int run(const struct args *args) {
    struct send s = {.json = args->value[SEND_JSON] != NULL,
                     .go_on = args->value[SEND_GO_ON] != NULL};
    const char *file = args->value[SEND_FILE];
    struct talk_options o;
    if (args->value[SEND_LIST]) {
        if (args->value[SEND_MD])
            list_md();
        else
            list();
        return EXIT_GOOD;
    }
    if (!args->operands && !file)
        return complain(EXIT_USAGE, "send: no command; see `wallfly send --list`");
    if (!parse(args, &o)) return EXIT_USAGE;
    struct names names = {.file = NULL};
    o.names = &names;
    int code = file ? read_file(&s, file) : EXIT_GOOD;
    if (code == EXIT_GOOD && !take_all(&s, check, args)) code = EXIT_USAGE;
    if (code == EXIT_GOOD) code = stream_names(args, &names);
    if (code == EXIT_GOOD) code = send_all(&s, args, &o);
    names_close(&names);
    free(s.text);
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
    "words of one command or, with ';' between, of more; options stand before them. Names of\n"
    "objects, signals and so on are those the target has announced, or of a dictionary file. Exit "
    "code\n"
    "1 if the target refused a command or did not answer it; the rest is then not sent, unless\n"
    "--keep-going. docs/commands.md has all of it.",
    options};
