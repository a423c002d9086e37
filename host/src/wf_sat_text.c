// SPDX-License-Identifier: MIT
// Pieces of the printer of kernel-event logs, and its lines of attributes. What a log has in it
// must not reach a terminal as anything but text.

#include "wfi_sat.h"

enum { ATTRIBUTE_COLUMN = 22 };

char *wfi_sat_hex(char *p, uint64_t v) {
    char digits[16], *d = digits + sizeof digits;
    do {
        *--d = "0123456789abcdef"[v & 15];
        v >>= 4;
    } while (v);
    size_t len = (size_t)(digits + sizeof digits - d);
    memcpy(p, d, len);
    return p + len;
}

char *wfi_sat_blanks(char *p, size_t count) {
    memset(p, ' ', count);
    return p + count;
}

// The length of the UTF-8 character that begins here, 0 if there is none that may be shown: C1
// controls (U+0080..U+009F) may not, nor what is written longer than needed, nor surrogates.
static size_t character(const uint8_t *s, size_t len) {
    size_t need = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    static const uint32_t least[] = {0, 0, 0xA0, 0x800, 0x10000};
    if (s[0] < 0xC2 || s[0] > 0xF4 || need > len) return 0;
    uint32_t code = s[0] & (0xFFu >> (need + 1));
    for (size_t i = 1; i < need; ++i) {
        if ((s[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (s[i] & 0x3Fu);
    }
    bool surrogate = code >= 0xD800 && code < 0xE000;
    return code >= least[need] && code <= 0x10FFFF && !surrogate ? need : 0;
}

char *wfi_sat_text(char *p, const void *bytes, size_t len) {
    const uint8_t *s = bytes, *end = s + len;
    while (s < end && *s) {
        size_t n = 1;
        if (*s >= 0x80) n = character(s, (size_t)(end - s));
        if (n == 0 || *s < ' ' || *s == 0x7F) {
            *p++ = '.';
            ++s;
            continue;
        }
        memcpy(p, s, n);
        p += n;
        s += n;
    }
    return p;
}

size_t wf_sat_attribute(const char *key, const char *value, char *to, size_t cap) {
    static const char prefix[] = "TRACE_";
    if (strcmp(key, "HEADER_BEGIN") == 0 || strcmp(key, "HEADER_END") == 0) return 0;
    value += strspn(value, " "); // there is one already
    size_t key_len = strlen(key), value_len = strlen(value), pad = 0, len;
    size_t name_len = sizeof prefix - 1 + key_len;
    if (name_len < ATTRIBUTE_COLUMN) pad = ATTRIBUTE_COLUMN - name_len;
    len = pad + name_len + 3 + value_len + 1;
    if (len > cap) return len;
    char *p = wfi_sat_blanks(to, pad);
    memcpy(p, prefix, sizeof prefix - 1);
    p = wfi_sat_text(p + sizeof prefix - 1, key, key_len);
    memcpy(p, ":: ", 3);
    p = wfi_sat_text(p + 3, value, value_len);
    *p++ = '\n';
    return (size_t)(p - to);
}
