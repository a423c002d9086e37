// SPDX-License-Identifier: MIT
// Parses events by their layout. Nothing of the stream is trusted: each field is checked to be
// within the bytes.

#include <string.h>

#include "wfi_zephyr.h"

static uint64_t load(const struct wfi_zephyr_field *f, const uint8_t *p) {
    uint64_t v = 0;
    for (unsigned i = 0; i < f->bytes; ++i)
        v |= (uint64_t)p[f->order == ZEPHYR_BIG ? f->bytes - 1U - i : i] << 8 * i;
    return v;
}

static uint64_t extend(uint64_t v, unsigned bytes) {
    uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    return bytes < 8 ? (v ^ sign) - sign : v;
}

static uint64_t load_float(const struct wfi_zephyr_field *f, const uint8_t *p) {
    uint64_t bits = load(f, p);
    if (f->bytes != 4) return bits;
    uint32_t word = (uint32_t)bits;
    float narrow;
    memcpy(&narrow, &word, sizeof narrow);
    double wide = narrow;
    memcpy(&bits, &wide, sizeof bits);
    return bits;
}

static uint32_t length_of(const uint8_t *p, size_t room) {
    const uint8_t *zero = room ? memchr(p, 0, room) : NULL;
    return (uint32_t)(zero ? (size_t)(zero - p) : room);
}

// Parses a field. Returns its length with the padding before it; SIZE_MAX: more bytes are needed.
static size_t parse_field(const struct wfi_zephyr_field *f, const uint8_t *p, size_t len,
                          uint64_t at, struct wfi_zephyr_value *value) {
    size_t pad = (size_t)(0 - at) & (f->align - 1U), size = (size_t)f->bytes * f->count;
    if (pad > len || size > len - pad) return SIZE_MAX;
    p += pad;
    *value = (struct wfi_zephyr_value){.text = (const char *)p};
    switch (f->kind) {
    case ZEPHYR_UNSIGNED: value->v = load(f, p); break;
    case ZEPHYR_SIGNED: value->v = extend(load(f, p), f->bytes); break;
    case ZEPHYR_FLOAT: value->v = load_float(f, p); break;
    case ZEPHYR_TEXT: value->len = length_of(p, size); break;
    case ZEPHYR_STRING: {
        size_t room = len - pad < WFI_IMPORT_TEXT_MAX ? len - pad : WFI_IMPORT_TEXT_MAX;
        value->len = length_of(p, room);
        if (value->len == room && room < WFI_IMPORT_TEXT_MAX) return SIZE_MAX;
        return pad + value->len + (value->len < room);
    }
    default: value->len = (uint32_t)size; break;
    }
    return pad + size;
}

size_t wfi_zephyr_parse_list(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_list *list,
                             const uint8_t *bytes, size_t len, uint64_t at,
                             struct wfi_zephyr_value *values) {
    size_t used = 0;
    for (unsigned i = 0; i < list->count; ++i) {
        size_t n = parse_field(&m->fields[list->first + i], bytes + used, len - used, at + used,
                               &values[i]);
        if (n == SIZE_MAX) return 0;
        used += n;
    }
    return used;
}

// The header of an event, without the stamp if the stream has none. Returns SIZE_MAX if more bytes
// are needed.
static size_t parse_header(const struct wfi_zephyr_way *way, const uint8_t *bytes, size_t len,
                           uint64_t at, struct wfi_zephyr_parsed *e) {
    const struct wfi_zephyr_meta *m = way->meta;
    struct wfi_zephyr_value value;
    size_t used = 0;
    for (unsigned i = 0; i < m->header.count; ++i) {
        bool stamp = (int)i == m->place.stamp;
        if (stamp && way->no_stamps) continue;
        size_t n = parse_field(&m->fields[m->header.first + i], bytes + used, len - used, at + used,
                               &value);
        if (n == SIZE_MAX) return SIZE_MAX;
        used += n;
        if (stamp) e->stamp = value.v;
        if ((int)i == m->place.id) e->id = value.v;
    }
    return used;
}

// Names have no control characters.
static bool is_name(const struct wfi_zephyr_value *value) {
    for (uint32_t i = 0; i < value->len; ++i) {
        unsigned char c = (unsigned char)value->text[i];
        if (c < 0x20 || c == 0x7F) return false;
    }
    return true;
}

static bool is_plausible(const struct wfi_zephyr_parsed *e) {
    const int8_t *at = e->event->at;
    if (at[ZEPHYR_NAME] >= 0 && !is_name(&e->value[at[ZEPHYR_NAME]])) return false;
    if (at[ZEPHYR_CORE] >= 0 && e->value[at[ZEPHYR_CORE]].v >= WFI_IMPORT_CORES) return false;
    return at[ZEPHYR_THREAD] < 0 || e->value[at[ZEPHYR_THREAD]].v != 0;
}

enum wfi_zephyr_result wfi_zephyr_parse(const struct wfi_zephyr_way *way, const uint8_t *bytes,
                                        size_t len, uint64_t at, struct wfi_zephyr_parsed *e) {
    const struct wfi_zephyr_meta *m = way->meta;
    e->stamp = 0;
    size_t used = parse_header(way, bytes, len, at, e);
    if (used == SIZE_MAX) return ZEPHYR_SHORT;
    e->event = wfi_zephyr_event_of(m, e->id);
    if (!e->event || e->event->list.bad) return ZEPHYR_UNKNOWN_ID;
    const struct wfi_zephyr_list *list = &e->event->list;
    for (unsigned i = 0; i < list->count; ++i) {
        size_t n = parse_field(&m->fields[list->first + i], bytes + used, len - used, at + used,
                               &e->value[i]);
        if (n == SIZE_MAX) return ZEPHYR_SHORT;
        used += n;
    }
    e->size = used;
    e->core = e->event->at[ZEPHYR_CORE] >= 0 ? (unsigned)wfi_zephyr_get(e, ZEPHYR_CORE) : 0;
    return is_plausible(e) ? ZEPHYR_GOOD : ZEPHYR_BAD;
}
