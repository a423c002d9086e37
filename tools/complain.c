// SPDX-License-Identifier: MIT
// What is said of bad arguments and input: a line on standard error.

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"

int complain(int code, const char *format, ...) {
    va_list list;
    fflush(stdout);
    fputs("wallfly: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return code;
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
