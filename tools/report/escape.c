// SPDX-License-Identifier: MIT
#include "escape.h"

#include <string.h>

#include "wallfly_host/wf_utf8.h"

void put_shown(FILE *f, const char *text, size_t len) {
    enum { PIECE = 4 }; // bytes of a character
    char shown[4 * PIECE];
    for (size_t n; len; text += n, len -= n) {
        n = wf_utf8_decode(text, len, NULL);
        if (!n) n = 1;
        if (*text == '\t')
            putc('\t', f);
        else
            fwrite(shown, 1, wf_utf8_show(text, n, shown), f);
    }
}

void put_shown_lines(FILE *f, const char *prefix, const char *text, size_t len) {
    while (len) {
        const char *end = memchr(text, '\n', len);
        size_t n = end ? (size_t)(end - text) : len, line_len = n + (end != NULL);
        fputs(prefix, f);
        put_shown(f, text, n);
        putc('\n', f);
        text += line_len;
        len -= line_len;
    }
}
