// SPDX-License-Identifier: MIT
// Splits a line of commands into words.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_command.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static int hex_digit(char c) {
    const char *digits = "00112233445566778899aAbBcCdDeEfF", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) / 2 : -1;
}

// Parses the character after a backslash and moves *p after it. Returns -1 if it is invalid.
static int parse_escape(const char **p) {
    char c = *(*p)++;
    switch (c) {
    case '"':
    case '\\': return c;
    case 'n': return '\n';
    case 't': return '\t';
    case 'x': break;
    default: return -1;
    }
    int high = hex_digit(**p), low = high < 0 ? -1 : hex_digit((*p)[1]);
    if (low < 0 || high + low == 0) return -1; // a zero would end the word
    *p += 2;
    return high << 4 | low;
}

static bool report_problem(struct wf_words *w, const char *text) {
    strncpy(w->problem, text, sizeof w->problem - 1);
    w->count = 0;
    return false;
}

// Takes one word, without its quotes, and moves *p after it.
static bool take_word(const char **p, struct wf_words *w, char **to) {
    char *end = w->text + sizeof w->text - 1;
    bool quoted = false;
    if (w->count == WF_WORDS_MAX) return report_problem(w, "a command has too many words");
    w->word[w->count++] = *to;
    for (; **p && (quoted || (!is_blank(**p) && **p != ';')); ++*p) {
        int c = (unsigned char)**p;
        if (c == '"') {
            quoted = !quoted;
            continue;
        }
        if (c == '\\' && quoted) {
            ++*p;
            c = **p ? parse_escape(p) : -1;
            if (c < 0) {
                return report_problem(w, "after \\ in quotes must be one of \" \\ n t or x and two "
                                         "hexadecimal digits, not both 0");
            }
            --*p;
        }
        if (*to == end) return report_problem(w, "a command is too long");
        *(*to)++ = (char)c;
    }
    if (quoted) return report_problem(w, "a \" has no partner");
    *(*to)++ = 0;
    return true;
}

bool wf_words_next(const char **at, struct wf_words *w) {
    char *to = w->text;
    w->count = 0;
    memset(w->problem, 0, sizeof w->problem);
    for (;;) {
        while (is_blank(**at)) ++*at;
        if (**at == '#') *at += strlen(*at);
        if (!**at) return w->count > 0;
        if (**at == ';') {
            ++*at;
            if (w->count) return true;
            continue;
        }
        if (to >= w->text + sizeof w->text - 1) return report_problem(w, "a command is too long");
        if (!take_word(at, w, &to)) return false;
    }
}
