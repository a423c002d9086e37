// SPDX-License-Identifier: MIT
// Matrices of a MAT file of level 4, and numbers for keys.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_hash.h"
#include "wfi_octave.h"

enum { TYPE_DOUBLES = 0, TYPE_TEXT = 51, KEYS_LEAST = 64 }; // 51: characters as unsigned bytes

// ---- matrices

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

// ---- keys

static uint32_t *slot_of(const struct wfi_keys *k, uint64_t key, uint64_t with) {
    for (size_t i = (size_t)wfi_hash(key, with, k->slots);; ++i) {
        uint32_t *slot = &k->slots[i & k->mask];
        const struct wfi_key_of *of = &k->keys[*slot];
        if (!*slot || (of->key == key && of->with == with)) return slot;
    }
}

static bool grow(struct wfi_keys *k) {
    if (k->count + 1 < k->cap) return true;
    size_t cap = k->cap ? 2 * k->cap : KEYS_LEAST;
    struct wfi_key_of *keys = realloc(k->keys, cap * sizeof *keys);
    if (!keys) return false;
    k->keys = keys;
    uint32_t *slots = calloc(2 * cap, sizeof *slots);
    if (!slots) return false;
    free(k->slots);
    k->slots = slots;
    k->mask = 2 * cap - 1;
    k->cap = cap;
    for (uint32_t i = 1; i <= k->count; ++i) *slot_of(k, keys[i].key, keys[i].with) = i;
    return true;
}

uint32_t wfi_keys_number(struct wfi_keys *k, uint64_t key, uint64_t with) {
    if (!grow(k)) return 0;
    uint32_t *slot = slot_of(k, key, with);
    if (!*slot) {
        *slot = (uint32_t)++k->count;
        k->keys[*slot] = (struct wfi_key_of){key, with};
    }
    return *slot;
}

void wfi_keys_close(struct wfi_keys *k) {
    free(k->keys);
    free(k->slots);
}
