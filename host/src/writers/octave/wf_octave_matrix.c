// SPDX-License-Identifier: MIT
// Matrices of a MAT file of level 4.

#include <string.h>

#include "wfi_octave.h"

enum { TYPE_DOUBLES = 0, TYPE_TEXT = 51 }; // 51: characters as unsigned bytes

static void put_u32(struct wfi_strbuf *t, uint32_t value) {
    const char bytes[4] = {(char)value, (char)(value >> 8), (char)(value >> 16),
                           (char)(value >> 24)};
    wfi_strbuf_bytes(bytes, sizeof bytes, t);
}

void wfi_octave_header(struct wfi_strbuf *t, const char *name, bool text, uint64_t rows,
                       uint64_t columns) {
    size_t len = strlen(name) + 1; // with the terminating zero
    put_u32(t, text ? TYPE_TEXT : TYPE_DOUBLES);
    put_u32(t, (uint32_t)rows);
    put_u32(t, (uint32_t)columns);
    put_u32(t, 0); // no imaginary part
    put_u32(t, (uint32_t)len);
    wfi_strbuf_bytes(name, len, t);
}

void wfi_octave_value(struct wfi_strbuf *t, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(t, (uint32_t)bits);
    put_u32(t, (uint32_t)(bits >> 32));
}

void wfi_octave_scalar(struct wfi_strbuf *t, const char *name, double value) {
    wfi_octave_header(t, name, false, 1, 1);
    wfi_octave_value(t, value);
}

void wfi_octave_lines(struct wfi_strbuf *t, const char *name, const char *lines, uint64_t count) {
    size_t width = 0, total = (size_t)count;
    const char *p = lines;
    for (uint64_t i = 0; i < count; ++i) {
        size_t len = strlen(p);
        if (len > width) width = len < WFI_OCTAVE_NAME_MAX ? len : WFI_OCTAVE_NAME_MAX;
        p += len + 1;
    }
    wfi_octave_header(t, name, true, count, width);
    if (!wfi_strbuf_room(t, total * width)) return;
    memset(t->end, ' ', total * width);
    p = lines;
    for (size_t row = 0; row < total; ++row) {
        size_t len = strlen(p);
        for (size_t i = 0; i < len && i < width; ++i) t->end[i * total + row] = p[i];
        p += len + 1;
    }
    t->end += total * width;
}
