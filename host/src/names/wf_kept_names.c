// SPDX-License-Identifier: MIT
// Searches tables by their magic. A table is valid if its numbers fit the image and its entries,
// each with its length, end at the table's end.

#include "wallfly_host/wf_kept_names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_rows.h"

#include "util/wfi_cursor.h"
#include "util/wfi_grow.h"
#include "util/wfi_image.h"

// struct wf_names_box of the target.
enum {
    AT_ORDER = 8,
    AT_SIZE = 12,
    AT_USED = 16,
    AT_BUILD_ID = 20,
    AT_SIZES = 24,
    AT_SINCE = 29,
    BOX = 32,
    ENTRY_SINCE = 1, // in an entry
    SINCE_FRAMES = 6,
    SINCE_SLOTS = 8,
    WORK = 8 // limit of the search: bytes of entries checked, as a multiple of the image's length
};
static const uint8_t magic[8] = {'W', 'F', 'N', 'A', 'M', 'E', 'S', '1'};

struct table {
    const uint8_t *box, *entries;
    uint32_t size, used, build_id;
    unsigned since; // bytes
    size_t count;   // of names
};

struct search {
    bool slots;
    uint32_t build_id;
    size_t work; // bytes left to check
    struct wf_kept_names *names;
    size_t cap;
};

// A number of the box, which has the target's byte order.
static uint32_t number_of_box(const uint8_t *p, bool big) {
    uint32_t v = (uint32_t)wfi_load(p, 4);
    return big ? __builtin_bswap32(v) : v;
}

static bool is_name_record(uint8_t id) {
    for (size_t i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].id == id && wf_effect_is_name(wf_rows[i].effect)) return true;
    }
    return false;
}

// Counts the names. Returns false if entries do not end with the table, or hold no text.
static bool check_entries(struct search *s, struct table *t) {
    uint32_t at = 0;
    while (at < t->used) {
        const uint8_t *entry = t->entries + at;
        const unsigned len = entry[0];
        if (len <= t->since || len >= t->used - at || s->work <= len) return false;
        s->work -= len + 1;
        const uint8_t id = entry[ENTRY_SINCE + t->since];
        if (id && (!is_name_record(id) || entry[len])) return false;
        t->count += id != 0;
        at += len + 1;
    }
    return true;
}

static bool read_table(struct search *s, const uint8_t *box, size_t room, struct table *t) {
    if (room < BOX) return false;
    const bool big = box[AT_ORDER] == 1;
    if (number_of_box(box + AT_ORDER, big) != 0x01020304) return false;
    *t = (struct table){.box = box, .entries = box + BOX, .since = box[AT_SINCE]};
    t->size = number_of_box(box + AT_SIZE, big);
    t->used = number_of_box(box + AT_USED, big);
    t->build_id = number_of_box(box + AT_BUILD_ID, big);
    return t->size <= room - BOX && t->used <= t->size &&
           t->since == (s->slots ? SINCE_SLOTS : SINCE_FRAMES) && t->build_id == s->build_id &&
           check_entries(s, t);
}

static bool take_table(struct search *s, const struct table *t) {
    struct wf_kept_names *names = s->names;
    if (!WFI_GROW(names->names, &s->cap, names->count + t->count)) return false;
    for (uint32_t at = 0; at < t->used; at += t->entries[at] + 1u) {
        const uint8_t *entry = t->entries + at, *id = entry + ENTRY_SINCE + t->since;
        if (!*id) continue;
        names->names[names->count++] =
            (struct wf_kept_name){.since = wfi_load(entry + ENTRY_SINCE, t->since),
                                  .payload = id + 1,
                                  .len = (uint8_t)(entry[0] - t->since - 1),
                                  .id = *id};
    }
    ++names->tables;
    memcpy(names->sizes, t->box + AT_SIZES, sizeof names->sizes);
    names->build_id = t->build_id;
    return true;
}

static const uint8_t *find_magic(const uint8_t *p, const uint8_t *end) {
    while ((size_t)(end - p) >= sizeof magic) {
        p = memchr(p, magic[0], (size_t)(end - p) - sizeof magic + 1);
        if (!p || memcmp(p, magic, sizeof magic) == 0) return p;
        ++p;
    }
    return NULL;
}

static bool search_piece(struct search *s, const uint8_t *p, size_t len) {
    for (const uint8_t *end = p + len; (p = find_magic(p, end)) != NULL;) {
        struct table t;
        if (!read_table(s, p, (size_t)(end - p), &t)) {
            ++p;
            continue;
        }
        if (!take_table(s, &t)) return false;
        p = t.entries + t.size;
    }
    return true;
}

static int by_since(const void *a, const void *b) {
    const struct wf_kept_name *x = a, *y = b;
    return (x->since > y->since) - (x->since < y->since);
}

int wf_kept_names_read(const uint8_t *bytes, size_t len, bool slots, uint32_t build_id,
                       struct wf_kept_names *names) {
    struct search s = {.slots = slots, .build_id = build_id, .work = WORK * len, .names = names};
    struct wfi_image image;
    memset(names, 0, sizeof *names);
    if (!wfi_image_open(&image, bytes, len)) return WF_ERR_NOMEM;
    bool good = true;
    for (size_t i = 0; good && i < image.count; ++i)
        good = search_piece(&s, image.bytes + image.pieces[i].offset, (size_t)image.pieces[i].len);
    wfi_image_close(&image);
    if (!good) wf_kept_names_free(names);
    if (names->count) qsort(names->names, names->count, sizeof *names->names, by_since);
    return good ? WF_OK : WF_ERR_NOMEM;
}

void wf_kept_names_free(struct wf_kept_names *names) {
    free(names->names);
    memset(names, 0, sizeof *names);
}

void wf_kept_names_sync(const uint8_t sizes[5], uint32_t hz, uint32_t build_id,
                        uint8_t payload[WF_KEPT_SYNC_LEN]) {
    enum { AT_HZ = 16, AT_BUILD = 42 };
    memset(payload, 0, WF_KEPT_SYNC_LEN);
    for (unsigned i = 0; i < 4; ++i) {
        payload[AT_HZ + i] = (uint8_t)(hz >> 8 * i);
        payload[AT_BUILD + i] = (uint8_t)(build_id >> 8 * i);
    }
    memcpy(payload + WF_KEPT_SYNC_SIZES, sizes, 5);
}
