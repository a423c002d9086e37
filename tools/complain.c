// SPDX-License-Identifier: MIT
// Error messages for bad arguments and input: one line on standard error.

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "wallfly_host/wf_utf8.h"

enum { COMPLAINT_MAX = 4096 };

int complain(int code, const char *format, ...) {
    char text[COMPLAINT_MAX], shown[4 * COMPLAINT_MAX];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    len = wf_utf8_show(text, len, shown);
    fflush(stdout);
    fprintf(stderr, "wallfly: %.*s\n", (int)len, shown);
    return code;
}

void complain_text(void *ctx, const char *text) {
    (void)ctx;
    complain(EXIT_GOOD, "%s", text);
}

const char *shown_text(const char *text) {
    enum { AT_A_TIME = 8 };
    static char *kept[AT_A_TIME];
    static unsigned next;
    size_t len = strlen(text);
    if (wf_utf8_plain_length(text, len) == len) return text;
    char *shown = malloc(4 * len + 1);
    if (!shown) return "?";
    shown[wf_utf8_show(text, len, shown)] = 0;
    next = (next + 1) % AT_A_TIME;
    free(kept[next]);
    return kept[next] = shown;
}

size_t shown_width(const char *text) {
    size_t n = 0;
    for (; *text; ++text) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

bool parse_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *value) {
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || v < min || v > max) {
        complain(EXIT_USAGE, "%s: '%s' is not a number from %llu to %llu", what, text,
                 (unsigned long long)min, (unsigned long long)max);
        return false;
    }
    *value = v;
    return true;
}

// Lists words as "auto, always or never".
static void list_words(char *text, size_t cap, const char *const words[]) {
    size_t len = 0;
    for (unsigned i = 0; words[i] && len < cap; ++i) {
        const char *between = i == 0 ? "" : words[i + 1] ? ", " : " or ";
        len += (size_t)snprintf(text + len, cap - len, "%s%s", between, words[i]);
    }
}

bool parse_word(const char *option, const char *text, size_t len, const char *const words[],
                unsigned *word) {
    char all[256];
    for (unsigned i = 0; words[i]; ++i) {
        if (strlen(words[i]) != len || strncmp(words[i], text, len) != 0) continue;
        *word = i;
        return true;
    }
    list_words(all, sizeof all, words);
    complain(EXIT_USAGE, "%s: '%.*s' is not %s", option, (int)len, text, all);
    return false;
}

bool parse_choice(const char *option, const char *text, const char *const words[], unsigned *word) {
    return !text || parse_word(option, text, strlen(text), words, word);
}
