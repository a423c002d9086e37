// SPDX-License-Identifier: MIT
// See html.h.

#include "html.h"

#include <string.h>

#include "wallfly_host/wf_utf8.h"

static void put_escaped(FILE *out, const char *text, size_t len) {
    for (size_t i = 0; i < len; ++i) {
        switch (text[i]) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default: putc(text[i], out);
        }
    }
}

void html_text(FILE *out, const char *text) {
    enum { CHARACTER = 4 };
    char shown[4 * CHARACTER];
    for (size_t left = strlen(text), n; left; text += n, left -= n) {
        n = wf_utf8_decode(text, left, NULL);
        if (!n) n = 1;
        put_escaped(out, shown, wf_utf8_show(text, n, shown));
    }
}

void html_address(FILE *out, const char *text) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~:-";
    for (; *text; ++text) {
        if (strchr(plain, *text))
            putc(*text, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*text);
    }
}
