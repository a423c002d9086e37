// SPDX-License-Identifier: MIT
// See batch.h.

#include "batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_backend/wf_input.h"
#include "wallfly_host/wf_command.h"

static int read_standard_input(struct batch *b) {
    size_t cap = 0;
    errno = 0;
    bool any = getdelim(&b->text, &cap, 0, stdin) >= 0;
    if ((any || !errno) && !ferror(stdin)) {
        if (!any) free(b->text); // it has no text
        if (!any) b->text = NULL;
        return EXIT_GOOD;
    }
    return diag_error(EXIT_INPUT, "standard input: %s", strerror(errno));
}

int batch_open(struct batch *b, const struct args *args, const char *file) {
    struct wf_input input;
    struct wf_error error;
    *b = (struct batch){.args = args, .file = file};
    if (!file) return EXIT_GOOD;
    if (strcmp(file, "-") == 0) return read_standard_input(b);
    if (wf_input_open(file, &input, &error) != WF_OK)
        return diag_error(EXIT_INPUT, "%s", error.text);
    b->text = strndup(input.len ? (const char *)input.bytes : "", input.len);
    wf_input_close(&input);
    return b->text ? EXIT_GOOD : diag_error(EXIT_INPUT, "%s: out of memory", file);
}

void batch_close(struct batch *b) { free(b->text); }

static bool each_in_line(const char *where, const char *text, batch_fn *take, void *ctx) {
    static struct wf_words words;
    while (wf_words_next(&text, &words)) {
        if (!take(ctx, words.word, words.count)) return false;
    }
    if (*words.problem) diag_error(EXIT_USAGE, "%s%s", where, words.problem);
    return !*words.problem;
}

static bool each_in_file(const struct batch *b, batch_fn *take, void *ctx) {
    unsigned line = 0;
    for (const char *p = b->text; p && *p;) {
        char where[300], text[WF_LINE_MAX];
        size_t len = strcspn(p, "\n");
        snprintf(where, sizeof where, "%.200s:%u: ", b->file, ++line);
        if (len >= sizeof text) {
            diag_error(EXIT_USAGE, "%sthe line is too long", where);
            return false;
        }
        memcpy(text, p, len);
        text[len] = 0;
        if (!each_in_line(where, text, take, ctx)) return false;
        p += len + (p[len] == '\n');
    }
    return true;
}

// A single operand is a line as in a file. Of several operands each is a word; ";" ends a command.
static bool each_in_operands(const struct args *args, batch_fn *take, void *ctx) {
    int from = 0;
    if (args->operands == 1) return each_in_line("", args->operand[0], take, ctx);
    for (int i = 0; i <= args->operands; ++i) {
        if (i < args->operands && strcmp(args->operand[i], ";") != 0) continue;
        if (i - from > WF_WORDS_MAX) {
            diag_error(EXIT_USAGE, "a command has too many words");
            return false;
        }
        if (i > from && !take(ctx, args->operand + from, (unsigned)(i - from))) return false;
        from = i + 1;
    }
    return true;
}

bool batch_each(const struct batch *b, batch_fn *take, void *ctx) {
    return each_in_file(b, take, ctx) &&
           (!b->args->operands || each_in_operands(b->args, take, ctx));
}
