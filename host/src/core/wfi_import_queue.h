// SPDX-License-Identifier: MIT
// Items of an importer that wait to be returned, and its tables of texts.
#ifndef WFI_IMPORT_QUEUE_H
#define WFI_IMPORT_QUEUE_H

#include "core/wfi_import.h"
#include "core/wfi_session.h"
#include "util/wfi_index.h"

enum { WFI_IMPORT_CACHE = 256 };

// Where the value of a field comes from; GIVEN: from the importer.
enum wfi_import_source {
    WFI_SOURCE_TICK,
    WFI_SOURCE_SELECT,
    WFI_SOURCE_CORE,
    WFI_SOURCE_ACTOR,
    WFI_SOURCE_GIVEN
};

struct wfi_import_entry {
    bool loss;
    uint8_t core, row; // row: in wf_rows; or wf_row_count: application records
    uint8_t id;
    uint32_t at, len; // payload, or a struct wf_loss, in `bytes`
    uint64_t tick, offset;
};

struct wfi_import_queue {
    struct wfi_import_entry *entries;
    size_t head, count, cap;
    uint8_t *bytes; // of the entries, each with WFI_PAD zeros after it
    size_t used, room;
    // Input that decode has not used yet: first `held`, then `src` up to `end`.
    uint8_t *held;
    size_t held_at, held_len, held_cap;
    const uint8_t *src, *end;
    bool last, done;
    uint64_t counted; // offset in the input up to which the ledger has its bytes
    struct {
        bool actor; // a field has the acting task
        uint8_t sources[WF_FIELDS_MAX];
    } rows[WFI_ROWS_MAX]; // of fixed layouts, by row
    // Texts by number, and names of events by record number.
    struct wfi_index texts;
    struct wfi_import_known {
        char *text;
        size_t len;
    } * known;
    size_t known_count, known_cap;
    struct wfi_import_known events[256];
    unsigned event_count;
    // Texts and names of events found last, by the address of the importer's text.
    uint32_t text_cache[WFI_IMPORT_CACHE];
    uint8_t event_cache[WFI_IMPORT_CACHE];
};

void wfi_import_plan_rows(struct wfi_import_queue *q); // sets q->rows
// Makes room for an entry and `len` bytes. Returns false when out of memory.
bool wfi_import_grow(struct wfi_import *im, size_t len);

// Queues an entry of `len` bytes at the importer's place. Returns its bytes; null when out of
// memory.
static inline uint8_t *wfi_import_push(struct wfi_import *im, bool loss, unsigned row, uint8_t id,
                                       size_t len) {
    struct wfi_import_queue *q = im->queue;
    bool room = q->count < q->cap && q->used + len + WFI_PAD <= q->room;
    if (!room && !wfi_import_grow(im, len + WFI_PAD)) return NULL;
    uint8_t *bytes = q->bytes + q->used;
    q->entries[q->count++] = (struct wfi_import_entry){.loss = loss,
                                                       .core = (uint8_t)im->core,
                                                       .row = (uint8_t)row,
                                                       .id = id,
                                                       .at = (uint32_t)q->used,
                                                       .len = (uint32_t)len,
                                                       .tick = im->tick,
                                                       .offset = im->offset};
    ++im->waiting;
    q->used += len + WFI_PAD;
    wfi_store64(bytes + len, 0);
    return bytes;
}

#endif
