// SPDX-License-Identifier: MIT
// Patterns of expected lines.

#include "match.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Backtracks only to the last '*': the text before it has matched already.
bool match_line(const char *pattern, const char *line) {
    const char *star = NULL, *from = NULL;
    while (*line) {
        if (*pattern == '*') {
            star = ++pattern;
            from = line;
        } else if (*pattern && (*pattern == '?' || *pattern == *line)) {
            ++pattern;
            ++line;
        } else if (star) {
            pattern = star;
            line = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*') ++pattern;
    return !*pattern;
}

void match_stamp(const char *pattern, uint32_t *clock, char *out, size_t cap) {
    static const char stamp[] = "@timestamp";
    bool counted = strncmp(pattern, stamp, sizeof stamp - 1) == 0;
    if (counted || strspn(pattern, "0123456789") >= 9) ++*clock;
    if (counted)
        snprintf(out, cap, "%010" PRIu32 "%s", *clock, pattern + sizeof stamp - 1);
    else
        snprintf(out, cap, "%s", pattern);
}
