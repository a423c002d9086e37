// SPDX-License-Identifier: MIT
// Writes in pieces that do not split a character, so that texts can have any length.

#include "wallfly_server/json.h"

#include <string.h>

#include "wallfly_host/wf_tables.h"

void json_text(FILE *out, const char *text) { json_bytes(out, text, strlen(text)); }

void json_bytes(FILE *out, const char *text, size_t left) {
    enum { PIECE = 512 };
    char quoted[6 * PIECE + 2];
    putc('"', out);
    while (left) {
        size_t n = left < PIECE ? left : PIECE;
        while (n < left && n > PIECE - 4 && ((unsigned char)text[n] & 0xC0) == 0x80) --n;
        size_t len = wf_table_json_text(text, n, quoted);
        fwrite(quoted + 1, 1, len - 2, out);
        text += n;
        left -= n;
    }
    putc('"', out);
}
