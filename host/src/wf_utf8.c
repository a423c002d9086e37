// SPDX-License-Identifier: MIT
// One character of UTF-8, as the Unicode standard has it (table 3-7).

#include "wallfly_host/wf_utf8.h"

#include <stdbool.h>

size_t wf_utf8(const char *text, size_t len, uint32_t *code) {
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

size_t wf_utf8_shown(const char *text, size_t len) {
    uint32_t c = 0;
    size_t n = wf_utf8(text, len, &c);
    return c < ' ' || (c >= 0x7F && c < 0xA0) ? 0 : n;
}
