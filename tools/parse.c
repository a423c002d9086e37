// SPDX-License-Identifier: MIT
// Values of options.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

bool parse_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *value) {
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || v < min || v > max) {
        diag_error(EXIT_USAGE, "%s: '%s' is not a number from %llu to %llu", what, text,
                   (unsigned long long)min, (unsigned long long)max);
        return false;
    }
    *value = v;
    return true;
}

bool parse_seconds(const char *option, const char *text, double *seconds) {
    char *end;
    if (!text) return true;
    double s = strtod(text, &end);
    if (end != text && !*end && s >= 0.001 && s <= 86400) {
        *seconds = s;
        return true;
    }
    diag_error(EXIT_USAGE, "%s: '%s' is not a number of seconds from 0.001 to 86400", option, text);
    return false;
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
    diag_error(EXIT_USAGE, "%s: '%.*s' is not %s", option, (int)len, text, all);
    return false;
}

bool parse_choice(const char *option, const char *text, const char *const words[], unsigned *word) {
    return !text || parse_word(option, text, strlen(text), words, word);
}
