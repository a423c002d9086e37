// SPDX-License-Identifier: MIT
// Pieces of the printer of kernel-event logs, and its lines of attributes. The contents of a log
// must reach a terminal only as text.

#include "wallfly_host/wf_utf8.h"
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

char *wf_sat_text(char *p, const void *bytes, size_t len) {
    const char *s = bytes, *end = s + len;
    while (s < end && *s) {
        size_t n = wf_utf8_shown(s, (size_t)(end - s));
        if (n)
            memcpy(p, s, n);
        else
            *p = '.';
        p += n ? n : 1;
        s += n ? n : 1;
    }
    return p;
}

size_t wf_sat_attribute(const char *key, const char *value, char *to, size_t cap) {
    static const char prefix[] = "TRACE_";
    if (strcmp(key, "HEADER_BEGIN") == 0 || strcmp(key, "HEADER_END") == 0) return 0;
    value += strspn(value, " "); // the line has one already
    size_t key_len = strlen(key), value_len = strlen(value), pad = 0, len;
    size_t name_len = sizeof prefix - 1 + key_len;
    if (name_len < ATTRIBUTE_COLUMN) pad = ATTRIBUTE_COLUMN - name_len;
    len = pad + name_len + 3 + value_len + 1;
    if (len > cap) return len;
    char *p = wfi_sat_blanks(to, pad);
    memcpy(p, prefix, sizeof prefix - 1);
    p = wf_sat_text(p + sizeof prefix - 1, key, key_len);
    memcpy(p, ":: ", 3);
    p = wf_sat_text(p + 3, value, value_len);
    *p++ = '\n';
    return (size_t)(p - to);
}
