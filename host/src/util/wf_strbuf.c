// SPDX-License-Identifier: MIT
// The functions of wfi_strbuf.h that are too long or too rare to be inline.

#include "wfi_strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "wallfly_host/wf_utf8.h"

#define ROW(t) #t "0" #t "1" #t "2" #t "3" #t "4" #t "5" #t "6" #t "7" #t "8" #t "9"
const char wfi_digits2[201] = ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9);

bool wfi_strbuf_open(struct wfi_strbuf *t, bool *failed) {
    t->cap = WFI_STRBUF_CAP;
    t->buf = t->end = malloc(t->cap + WFI_STRBUF_SLACK);
    t->failed = failed;
    if (!t->buf) *failed = true;
    return t->buf != NULL;
}

void wfi_strbuf_close(struct wfi_strbuf *t) {
    free(t->buf);
    t->buf = t->end = NULL;
}

bool wfi_strbuf_grow(struct wfi_strbuf *t, size_t len) {
    size_t used = (size_t)(t->end - t->buf);
    size_t cap = (used + len) * 2;
    char *buf = realloc(t->buf, cap + WFI_STRBUF_SLACK);
    if (!buf) {
        *t->failed = true;
        return false;
    }
    t->buf = buf;
    t->end = buf + used;
    t->cap = cap;
    return true;
}

void wfi_strbuf_blanks(struct wfi_strbuf *t, size_t count) {
    if (!wfi_strbuf_room(t, count)) return;
    memset(t->end, ' ', count);
    t->end += count;
}

void wfi_strbuf_printf(struct wfi_strbuf *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0 || !wfi_strbuf_room(t, (size_t)len + 1)) return;
    va_start(args, format);
    vsnprintf(t->end, (size_t)len + 1, format, args);
    va_end(args);
    t->end += len;
}

char *wfi_dec_long(char *p, uint64_t v) {
    if (v >= 100000000) return wfi_eight(wfi_dec(p, v / 100000000), (uint32_t)(v % 100000000));
    if (v >= 10000) p = wfi_dec(p, v / 10000);
    unsigned low = (unsigned)(v % 10000);
    return wfi_two(wfi_two(p, low / 100), low % 100);
}

char *wfi_signed(char *p, int64_t v) {
    if (v >= 0) return wfi_dec(p, (uint64_t)v);
    *p = '-';
    return wfi_dec(p + 1, 0 - (uint64_t)v);
}

char *wfi_hex(char *p, uint64_t v, unsigned digits) {
    unsigned need = 1;
    while (need < 16 && v >> 4 * need) ++need;
    if (digits < need) digits = need;
    for (unsigned i = digits; i-- > 0;) {
        *p++ = i < 16 ? "0123456789ABCDEF"[v >> 4 * i & 15] : '0';
    }
    return p;
}

void wfi_strbuf_show(struct wfi_strbuf *t, size_t from) {
    size_t len = (size_t)(t->end - t->buf) - from;
    size_t plain = wf_utf8_plain_length(t->buf + from, len);
    from += plain;
    len -= plain;
    if (!len || !wfi_strbuf_room(t, 4 * len)) return;
    char *copy = malloc(len);
    if (!copy) *t->failed = true;
    if (copy) memcpy(copy, t->buf + from, len);
    t->end = t->buf + from;
    if (copy) t->end += wf_utf8_show(copy, len, t->end);
    free(copy);
}

unsigned wfi_utf8(const uint8_t *p, size_t len, uint32_t *c) {
    unsigned n = (unsigned)wf_utf8_decode((const char *)p, len, c);
    if (!n) *c = *p;
    return n ? n : 1;
}
