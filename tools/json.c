// SPDX-License-Identifier: MIT
// Bytes outside of ASCII are written as the characters of the same number, so that the output is
// valid whatever a target calls its things.

#include "json.h"

void json_write(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c >= 0x7F)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

void json_string(const char *text) { json_write(stdout, text); }
