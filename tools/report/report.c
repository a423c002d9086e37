// SPDX-License-Identifier: MIT
// Prints results as text and as TAP. TAP version 13 is sufficient; prove of Perl 5.36 refuses 14,
// readers of 14 accept both.

#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "../cmd.h"
#include "escape.h"

void report_begin(struct report *r, enum report_style style, bool colour) {
    bool tap = style == REPORT_TAP;
    *r = (struct report){.style = style, .tap = tap, .colour = colour && !tap};
    r->last = &r->first;
    if (tap) puts("TAP version 13");
}

void report_script(struct report *r, const char *script) {
    r->script = script;
    if (r->style == REPORT_KEEP) return;
    printf(r->tap ? "# %s\n" : "%s\n", shown_text(script));
}

void report_note(struct report *r, const char *text, size_t len) {
    put_shown_lines(stdout, r->tap ? "# " : "        ", len ? text : " ", len ? len : 1);
    fflush(stdout); // show it immediately, also in the log of a CI server
}

// Prints a backslash before each special character.
static void put_escaped(const char *text, const char *special) {
    for (size_t len; *text; text += len) {
        bool one = strchr(special, *text) != NULL;
        if (one) putchar('\\');
        len = one ? 1 : strcspn(text, special);
        put_shown(stdout, text, len);
    }
}

// A YAML block with the text unchanged: its lines are indented more than their key.
static void put_yaml_text(const char *key, const char *text) {
    if (!text || !*text) return;
    printf("  %s: |\n", key);
    put_shown_lines(stdout, "    ", text, strlen(text));
}

static void print_tap(const struct report *r, const struct result *t) {
    bool good = t->verdict == PASSED || t->verdict == SKIPPED;
    printf("%s %u - ", good ? "ok" : "not ok", r->total);
    put_escaped(t->title, "#\\"); // '#' begins a directive
    puts(t->verdict == SKIPPED ? " # SKIP" : "");
    puts("  ---");
    fputs("  at: \"", stdout);
    put_escaped(t->script, "\"\\");
    printf(":%d\"\n  duration_ms: %.3f\n", t->line, t->seconds * 1000);
    put_yaml_text("message", t->message);
    put_yaml_text("detail", t->detail);
    put_yaml_text("output", t->output);
    puts("  ...");
}

static void print_text(const struct report *r, const struct result *t) {
    static const struct {
        const char *word, *colour;
    } words[] = {[PASSED] = {"PASS ", "32"},
                 [FAILED] = {"FAIL ", "31"},
                 [SKIPPED] = {"skip ", "33"},
                 [BROKEN] = {"ERROR", "31"},
                 [UNDECIDED] = {"?    ", "33"}};
    const char *word = words[t->verdict].word;
    if (r->colour)
        printf("  \033[%sm%s\033[0m ", words[t->verdict].colour, word);
    else
        printf("  %s ", word);
    put_shown(stdout, t->title, strlen(t->title));
    printf(t->verdict == SKIPPED ? "\n" : " (%.2f s)\n", t->seconds);
    if (t->message) put_shown_lines(stdout, "        ", t->message, strlen(t->message));
    if (t->detail) put_shown_lines(stdout, "        ", t->detail, strlen(t->detail));
    if (!t->output || !*t->output) return;
    puts("        the program wrote:");
    put_shown_lines(stdout, "        | ", t->output, strlen(t->output));
}

static void free_result(struct result *t) {
    free(t->script);
    free(t->title);
    free(t->message);
    free(t->detail);
    free(t->output);
    free(t);
}

struct result *result_new(const char *script, const char *title) {
    struct result *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->script = strdup(script);
    t->title = strdup(title);
    if (t->script && t->title) return t;
    free_result(t);
    return NULL;
}

void report_result(struct report *r, struct result *result) {
    *r->last = result;
    r->last = &result->next;
    ++r->count[result->verdict];
    ++r->total;
    if (r->style == REPORT_KEEP) return;
    if (r->tap)
        print_tap(r, result);
    else
        print_text(r, result);
    fflush(stdout);
}

void report_end(const struct report *r, double seconds) {
    const unsigned *n = r->count;
    if (r->tap) {
        printf("1..%u\n", r->total);
        return;
    }
    printf("%u passed, %u failed", n[PASSED], n[FAILED]);
    if (n[SKIPPED]) printf(", %u skipped", n[SKIPPED]);
    if (n[BROKEN]) printf(", %u script%s broken", n[BROKEN], n[BROKEN] > 1 ? "s" : "");
    printf(" (%.1f s)\n", seconds);
    for (const struct result *t = r->first; t; t = t->next) {
        if (t->verdict != FAILED && t->verdict != BROKEN) continue;
        printf("  %s:%d: ", shown_text(t->script), t->line);
        put_shown(stdout, t->title, strlen(t->title));
        putchar('\n');
    }
}

void report_free(struct report *r) {
    for (struct result *t; (t = r->first) != NULL;) {
        r->first = t->next;
        free_result(t);
    }
}
