// SPDX-License-Identifier: MIT
// See console.h. Adds the commands help and quit. The prompt is not on the screen while a line is
// handled.

#include "console.h"

#include <stdio.h>
#include <string.h>

#include "command_list.h"
#include "term/lines.h"
#include "term/prompt.h"

static void end_input(struct console *c) {
    c->ended = true;
    if (c->interactive) talk_stop(c->talk);
}

static void help(const char *name) {
    if (name) {
        command_describe(name);
        return;
    }
    command_list(false);
    puts("  help [COMMAND]                         this list, or more of one command\n"
         "  quit                                   ends, as Ctrl-D does");
}

static void take_command(struct console *c, char *const word[], unsigned count) {
    if (strcmp(word[0], "help") == 0)
        help(count > 1 ? word[1] : NULL);
    else if (strcmp(word[0], "quit") == 0 || strcmp(word[0], "exit") == 0)
        end_input(c);
    else if (!wf_command_queue_put(talk_queue(c->talk), NULL, 0, word, count))
        puts("out of memory");
}

static void on_line(void *ctx, const char *line) {
    static struct wf_words words;
    struct console *c = ctx;
    while (!c->ended && wf_words_next(&line, &words)) take_command(c, words.word, words.count);
    if (!*words.problem) return;
    puts(words.problem);
    if (!c->interactive) *c->code = EXIT_NO;
}

static void on_end(void *ctx) { end_input(ctx); }

static void on_complete(void *ctx, const char *text, wf_offer_fn offer, void *offer_ctx) {
    const struct console *c = ctx;
    static const char *const own[] = {"help", "quit"};
    const char *name = strncmp(text, "help ", 5) == 0 ? text + 5 : text;
    wf_command_complete(wf_command_queue_commander(talk_queue(c->talk)), name, offer, offer_ctx);
    for (unsigned i = 0; name == text && i < 2; ++i) {
        if (strncmp(own[i], text, strlen(text)) == 0) offer(offer_ctx, own[i]);
    }
}

int console_open(struct console *c) {
    const struct prompt_handlers keys = {c, on_line, on_end, on_complete};
    const struct lines_handlers pipe = {c, on_line, on_end};
    uv_loop_t *loop = talk_loop(c->talk);
    int err = c->interactive ? prompt_open(loop, "wallfly> ", &keys) : lines_open(loop, &pipe);
    return err ? diag_error(EXIT_INPUT, "standard input: %s", uv_strerror(err)) : EXIT_GOOD;
}

void console_stop_if_done(const struct console *c) {
    if (c->ended && wf_command_queue_idle(talk_queue(c->talk))) talk_stop(c->talk);
}

void console_close(void) {
    prompt_show();
    prompt_close();
    lines_close();
}
