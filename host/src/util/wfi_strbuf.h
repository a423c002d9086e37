// SPDX-License-Identifier: MIT
// A text buffer that grows, and numbers without printf, which would cost more than the rest of a
// line.
#ifndef WFI_STRBUF_H
#define WFI_STRBUF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WFI_STRBUF_CAP = 65536, WFI_STRBUF_SLACK = 64 };

struct wfi_strbuf {
    char *buf, *end; // buf holds cap + WFI_STRBUF_SLACK bytes; end: the next position
    size_t cap;
    bool *failed; // set when out of memory: the text is incomplete
};

// Returns false when out of memory. failed: as above, must stay valid as long as the text.
bool wfi_strbuf_open(struct wfi_strbuf *t, bool *failed);
void wfi_strbuf_close(struct wfi_strbuf *t);
static inline size_t wfi_strbuf_len(const struct wfi_strbuf *t) {
    return (size_t)(t->end - t->buf);
}
static inline void wfi_strbuf_clear(struct wfi_strbuf *t) { t->end = t->buf; }
// Makes room for len more bytes, growing if needed. Returns false when out of memory.
bool wfi_strbuf_grow(struct wfi_strbuf *t, size_t len);
static inline bool wfi_strbuf_room(struct wfi_strbuf *t, size_t len) {
    return t->cap - (size_t)(t->end - t->buf) >= len || wfi_strbuf_grow(t, len);
}
// Append a text; nothing when out of memory.
static inline void wfi_strbuf_bytes(const char *bytes, size_t len, struct wfi_strbuf *t) {
    if (!wfi_strbuf_room(t, len)) return;
    memcpy(t->end, bytes, len);
    t->end += len;
}
static inline void wfi_strbuf_put(struct wfi_strbuf *t, const char *text) {
    wfi_strbuf_bytes(text, strlen(text), t);
}
void wfi_strbuf_blanks(struct wfi_strbuf *t, size_t count);
void wfi_strbuf_printf(struct wfi_strbuf *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

extern const char wfi_digits2[201]; // "00" "01" ... "99"

static inline char *wfi_two(char *p, unsigned v) {
    memcpy(p, wfi_digits2 + 2 * v, 2);
    return p + 2;
}

static inline char *wfi_eight(char *p, uint32_t v) {
    uint32_t high = v / 10000, low = v % 10000;
    p = wfi_two(p, high / 100);
    p = wfi_two(p, high % 100);
    p = wfi_two(p, low / 100);
    return wfi_two(p, low % 100);
}

char *wfi_dec_long(char *p, uint64_t v);

static inline char *wfi_dec(char *p, uint64_t v) {
    if (v < 10) {
        *p = (char)('0' + v);
        return p + 1;
    }
    if (v < 100) return wfi_two(p, (unsigned)v);
    if (v < 1000) {
        *p = (char)('0' + v / 100);
        return wfi_two(p + 1, (unsigned)(v % 100));
    }
    return wfi_dec_long(p, v);
}

static inline char *wfi_ten(char *p, uint64_t v) {
    if (v > 9999999999u) return wfi_dec_long(p, v);
    p = wfi_two(p, (unsigned)(v / 100000000));
    return wfi_eight(p, (uint32_t)(v % 100000000));
}

// May copy up to 32 bytes past len, so src needs them readable and dst needs WFI_STRBUF_SLACK.
static inline char *wfi_copy_padded(char *p, const char *src, size_t len) {
    if (len <= 16) {
        memcpy(p, src, 16);
    } else if (len <= 32) {
        memcpy(p, src, 32);
    } else {
        memcpy(p, src, len);
    }
    return p + len;
}

// Rewrites the text from `from`, an offset in buf, as wf_utf8_show() does.
void wfi_strbuf_show(struct wfi_strbuf *t, size_t from);
char *wfi_hex(char *p, uint64_t v, unsigned digits); // upper case, zero-filled, never cut
char *wfi_signed(char *p, int64_t v);
// Like wf_utf8_decode(), for at least one byte; but a byte that begins no character counts as one.
unsigned wfi_utf8(const uint8_t *p, size_t len, uint32_t *c);

#endif
