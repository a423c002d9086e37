// SPDX-License-Identifier: MIT
// Decodes one character of UTF-8, as defined in the Unicode standard (table 3-7).

#include "wallfly_host/wf_utf8.h"

#include <stdbool.h>
#include <string.h>

size_t wf_utf8_decode(const char *text, size_t len, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *p = (const uint8_t *)text;
    if (!len) return 0;
    size_t n = *p < 0x80 ? 1 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : 4;
    uint32_t c = n == 1 ? *p : *p & (0x7Fu >> n);
    if ((*p >= 0x80 && *p < 0xC2) || *p > 0xF4 || n > len) return 0;
    for (size_t i = 1; i < n; ++i) {
        if ((p[i] & 0xC0) != 0x80) return 0;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    bool surrogate = c >= 0xD800 && c < 0xE000;
    if (c < least[n] || c > 0x10FFFF || surrogate) return 0;
    if (code) *code = c;
    return n;
}

// Characters that a terminal executes or displays elsewhere: controls, line separators, marks of
// the writing direction.
static const struct {
    uint16_t first, last;
} hidden[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C},
              {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}};

static bool is_hidden(uint32_t c) {
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; ++i) {
        if (c >= hidden[i].first && c <= hidden[i].last) return true;
    }
    return false;
}

size_t wf_utf8_shown(const char *text, size_t len) {
    uint32_t c = 0;
    size_t n = wf_utf8_decode(text, len, &c);
    return n && is_hidden(c) ? 0 : n;
}

static char *put_hex(char *to, char letter, unsigned value, unsigned digits) {
    *to++ = '\\';
    *to++ = letter;
    while (digits--) *to++ = "0123456789abcdef"[value >> 4 * digits & 15];
    return to;
}

// Returns true for eight bytes of ASCII without controls.
static bool is_plain(const char *text) {
    static const uint64_t each = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);
    uint64_t v;
    memcpy(&v, text, sizeof v);
    uint64_t del = v ^ each * 0x7F;
    return !((v | (v - each * ' ') | ((del - each) & ~del)) & high);
}

size_t wf_utf8_plain_length(const char *text, size_t len) {
    size_t i = 0;
    while (len - i >= 8 && is_plain(text + i)) i += 8;
    for (size_t n; i < len; i += n) {
        n = wf_utf8_shown(text + i, len - i);
        if (!n) break;
    }
    return i;
}

size_t wf_utf8_show(const char *text, size_t len, char *to) {
    char *p = to;
    for (size_t i = 0; i < len;) {
        uint32_t c = 0;
        size_t n = wf_utf8_decode(text + i, len - i, &c);
        if (!n || c < 0x80) {
            bool plain = n && !is_hidden(c);
            if (plain)
                *p++ = text[i];
            else
                p = put_hex(p, 'x', (uint8_t)text[i], 2);
            n = 1;
        } else if (is_hidden(c)) {
            p = put_hex(p, 'u', c, 4);
        } else {
            memcpy(p, text + i, n);
            p += n;
        }
        i += n;
    }
    return (size_t)(p - to);
}
