// SPDX-License-Identifier: MIT
// A profile as bytes (docs/profile.md): a head of 12 bytes, and the contents compressed.

#include "wfi_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "util/wfi_cursor.h"
#include "wfi_profile_bytes.h"

struct output {
    uint8_t *bytes;
    size_t len, cap;
    bool failed;
};

static uint8_t *make_room(struct output *o, size_t len) {
    static uint8_t spare[WFI_VARINT_MAX];
    if (o->cap - o->len < len && !o->failed) {
        size_t cap = 2 * o->cap + len + 4096;
        uint8_t *bytes = realloc(o->bytes, cap);
        o->failed = !bytes;
        if (bytes) {
            o->bytes = bytes;
            o->cap = cap;
        }
    }
    return o->failed ? spare : o->bytes + o->len;
}

static void put_varint(struct output *o, uint64_t v) {
    uint8_t *at = make_room(o, WFI_VARINT_MAX);
    size_t len = (size_t)(wfi_put_varint(at, v) - at);
    if (!o->failed) o->len += len;
}

static void put_bytes(struct output *o, const void *bytes, size_t len) {
    uint8_t *at = make_room(o, len);
    if (o->failed) return;
    if (len) memcpy(at, bytes, len);
    o->len += len;
}

static void put_double(struct output *o, double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    uint8_t bytes[8];
    wfi_put64(bytes, bits);
    put_bytes(o, bytes, sizeof bytes);
}

static uint64_t zigzag(int64_t v) { return (uint64_t)v << 1 ^ (uint64_t)(v >> 63); }

// ---- blocks

static bool is_whole(double v) { return v <= 0x1p53 && v >= -0x1p53 && trunc(v) - v == 0; }

static void put_sums(struct output *o, const struct wf_blocks *b, unsigned count) {
    bool whole = true;
    for (unsigned i = 0; i < count; ++i) whole &= is_whole(b->sum[i]);
    put_varint(o, whole);
    for (unsigned i = 0; i < count; ++i) {
        if (whole)
            put_varint(o, zigzag((int64_t)b->sum[i]));
        else
            put_double(o, b->sum[i]);
    }
}

// The entries are sorted by block and class.
static void put_entries(struct output *o, const struct wf_blocks *b) {
    unsigned block = 0, class = 0;
    put_varint(o, b->shift);
    put_varint(o, b->used);
    for (size_t i = 0; i < b->used; ++i) {
        const struct wfi_block_entry *e = &b->entries[i];
        bool next = e->block != block;
        put_varint(o, (uint64_t)(e->block - block));
        put_varint(o, next ? e->class : (uint64_t)(e->class - class));
        put_varint(o, e->count);
        block = e->block;
        class = e->class;
    }
}

// ---- figures

// Most classes are full, which is two zeros, or have one value.
static void put_class(struct output *o, const struct wf_histogram_class *c, unsigned class,
                      unsigned skipped) {
    put_varint(o, skipped);
    put_varint(o, c->count);
    put_varint(o, (uint64_t)c->low << 1 | (c->low == c->high));
    if (c->low != c->high) put_varint(o, wfi_class_last(class) - c->high);
}

static void put_classes(struct output *o, const struct wf_histogram *h) {
    unsigned count = 0, skipped = 0;
    for (unsigned i = 0; h->pages && i < WFI_CLASSES; ++i) {
        const struct wf_histogram_class *page = h->pages[i / WF_HISTOGRAM_PAGE];
        count += page && page[i % WF_HISTOGRAM_PAGE].count;
    }
    put_varint(o, count);
    for (unsigned i = 0; count && i < WFI_CLASSES; ++i) {
        const struct wf_histogram_class *page = h->pages[i / WF_HISTOGRAM_PAGE];
        const struct wf_histogram_class *c = page ? &page[i % WF_HISTOGRAM_PAGE] : NULL;
        if (c && c->count) put_class(o, c, i, skipped);
        skipped = c && c->count ? 0 : skipped + 1;
    }
}

static void put_histogram(struct output *o, const struct wf_histogram *h) {
    put_varint(o, h->count);
    put_varint(o, h->open);
    put_varint(o, h->in_holes);
    if (!h->count) return;
    put_varint(o, h->min);
    put_varint(o, h->max - h->min);
    put_varint(o, h->sum[0]);
    put_varint(o, h->sum[1]);
    put_classes(o, h);
}

static void put_figure(struct output *o, const struct wf_profile *p,
                       const struct wfi_profile_figure *f, unsigned blocks) {
    unsigned flags = (f->known ? WFI_FIGURE_KNOWN : 0) | (f->blocks ? WFI_FIGURE_BLOCKS : 0) |
                     (f->weights ? WFI_FIGURE_WEIGHTS : 0);
    put_varint(o, wfi_profile_text_number(p, f->name));
    put_varint(o, f->unit);
    put_varint(o, f->form);
    put_varint(o, flags);
    if (f->form == WF_FIGURE_SPREAD)
        put_histogram(o, &f->histogram);
    else
        put_double(o, f->value);
    if (f->form == WF_FIGURE_LEVEL) {
        put_double(o, f->count);
        put_double(o, f->min);
        put_double(o, f->mean);
        put_double(o, f->max);
    }
    if (f->blocks) put_sums(o, f->blocks, blocks);
    if (f->blocks && f->form == WF_FIGURE_SPREAD) put_entries(o, f->blocks);
    if (f->weights) put_sums(o, f->weights, blocks);
}

// ---- the whole

static void put_lane(struct output *o, const struct wfi_profile_lane *l) {
    put_varint(o, l->is.lane);
    put_varint(o, l->is.traces);
    put_varint(o, l->is.hz);
    put_varint(o, l->is.ticks);
    put_varint(o, l->is.records);
    put_varint(o, l->is.lost);
    put_varint(o, l->is.holes);
    put_varint(o, l->count);
    for (unsigned i = 0; i < l->count; ++i) put_varint(o, l->ticks[i]);
    put_sums(o, &l->records, l->count);
    put_sums(o, &l->lost, l->count);
}

static void put_row(struct output *o, const struct wf_profile *p,
                    const struct wfi_profile_row *row) {
    put_varint(o, row->lane);
    put_varint(o, row->kind);
    for (unsigned i = 0; i < WFI_TEXTS; ++i)
        put_varint(o, wfi_profile_text_number(p, row->texts[i]));
    put_varint(o, (uint64_t)(row->core + 1));
    put_varint(o, row->marked);
    put_varint(o, row->tasks);
    put_varint(o, row->by_tasks);
    put_varint(o, row->over_tasks);
    put_varint(o, row->count);
    for (unsigned i = 0; i < row->count; ++i)
        put_figure(o, p, &row->figures[i], p->lanes[row->lane].count);
}

static void put_contents(struct output *o, const struct wf_profile *p) {
    put_varint(o, p->text_count);
    for (size_t i = 0; i < p->text_count; ++i) {
        size_t len = strlen(p->texts[i]);
        put_varint(o, len);
        put_bytes(o, p->texts[i], len);
    }
    put_varint(o, p->lane_count);
    for (size_t i = 0; i < p->lane_count; ++i) put_lane(o, &p->lanes[i]);
    put_varint(o, p->row_count);
    for (size_t i = 0; i < p->row_count; ++i) put_row(o, p, &p->rows[i]);
}

// Returns the head and the compressed contents; null when out of memory.
static uint8_t *pack(const struct output *o, size_t *len) {
    size_t cap = WFI_PROFILE_HEAD + ZSTD_compressBound(o->len);
    uint8_t *bytes = malloc(cap);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    size_t size = 0;
    if (bytes && zstd) {
        memcpy(bytes, wfi_profile_magic, sizeof wfi_profile_magic);
        bytes[7] = WF_PROFILE_VERSION;
        wfi_put32(bytes + 8, (uint32_t)o->len);
        ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
        ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 19);
        size = ZSTD_compress2(zstd, bytes + WFI_PROFILE_HEAD, cap - WFI_PROFILE_HEAD, o->bytes,
                              o->len);
    }
    ZSTD_freeCCtx(zstd);
    if (bytes && zstd && !ZSTD_isError(size)) {
        *len = WFI_PROFILE_HEAD + size;
        return bytes;
    }
    free(bytes);
    return NULL;
}

uint8_t *wf_profile_write(const struct wf_profile *p, size_t *len, struct wf_error *error) {
    struct output o = {NULL, 0, 0, false};
    put_contents(&o, p);
    uint8_t *bytes = NULL;
    wf_error_code(error, WF_OK);
    if (!o.failed && o.len > WFI_PROFILE_CONTENTS) {
        wf_error_set(error, WF_ERR_TOO_MANY, "the profile is too large: more than %d MiB",
                     WFI_PROFILE_CONTENTS >> 20);
    } else {
        if (!o.failed) bytes = pack(&o, len);
        if (!bytes) wf_error_code(error, WF_ERR_NOMEM);
    }
    free(o.bytes);
    return bytes;
}
