// SPDX-License-Identifier: MIT
// Bytes outside of ASCII are written as the characters of the same number, so that the output is
// valid whatever a target calls its things.

#include "json.h"

#include <stdio.h>

void json_string(const char *text) {
    putchar('"');
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20 || c >= 0x7F)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}
