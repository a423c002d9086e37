// SPDX-License-Identifier: MIT
// Patterns of names.

#include "util/wfi_glob.h"

// A star is tried with ever more characters; only the last one needs to be tried again.
bool wfi_glob(const char *pattern, const char *text, size_t len) {
    const char *star = NULL, *end = text + len, *again = text;
    while (text < end) {
        if (*pattern == '*') {
            star = pattern++;
            again = text;
        } else if (*pattern == '?' || (*pattern && *pattern == *text)) {
            ++pattern;
            ++text;
        } else if (star) {
            pattern = star + 1;
            text = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*') ++pattern;
    return !*pattern;
}
