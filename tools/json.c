// SPDX-License-Identifier: MIT
// Bytes outside of ASCII are written as the characters of the same number, so that the output is
// valid whatever a target calls its things.

#include "json.h"

#include <string.h>

#include "wallfly_host/wf_tables.h"

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

// In pieces that do not part a character.
void json_text(FILE *out, const char *text) {
    enum { PIECE = 512 };
    char quoted[6 * PIECE + 2];
    size_t left = strlen(text);
    putc('"', out);
    while (left) {
        size_t n = left < PIECE ? left : PIECE;
        while (n < left && n > PIECE - 4 && ((unsigned char)text[n] & 0xC0) == 0x80) --n;
        size_t len = wf_json_text(text, n, quoted);
        fwrite(quoted + 1, 1, len - 2, out);
        text += n;
        left -= n;
    }
    putc('"', out);
}
