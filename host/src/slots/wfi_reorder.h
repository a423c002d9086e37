// SPDX-License-Identifier: MIT
// Reorder buffer for events: the events of each core are in sorted rows, and a heap of the rows
// gives the earliest event.
#ifndef WFI_REORDER_H
#define WFI_REORDER_H

#include "wfi_slots.h"

struct wfi_entry {
    uint64_t tick, offset;
    union {
        uint8_t raw[8];             // up to two words
        uint8_t *longer;            // of an event with more words, freed by its taker
        struct wf_slots_item *item; // not an event: loss or damage, freed as above
    } at;
    uint32_t head;
    uint16_t count; // words
    uint8_t unused; // bytes
    uint8_t flags;
};

enum { WFI_ENTRY_TIMED = 1, WFI_ENTRY_LONG = 2, WFI_ENTRY_ITEM = 4 };

enum { WFI_PAGE = 64 }; // entries

struct wfi_page {
    struct wfi_page *next;
    struct wfi_entry entries[WFI_PAGE];
};

struct wfi_row {
    struct wfi_page *first, *last;
    unsigned from, to; // in the first page, in the last page
    unsigned core;
    uint64_t tick, offset; // of the last entry
    bool waits;            // is in the heap
    struct wfi_row *next;  // of the core
};

struct wfi_top {
    uint64_t tick, offset;
    struct wfi_row *row;
};

struct wfi_reorder {
    struct wfi_row *rows[WF_SLOT_CORES]; // the last one written first
    struct wfi_page *spare;
    struct wfi_row *spare_row;
    struct wfi_top *heap;
    size_t count, room;
    size_t used, memory; // bytes
    bool failed;
};

void wfi_reorder_open(struct wfi_reorder *r, size_t memory);
void wfi_reorder_close(struct wfi_reorder *r);
void wfi_reorder_put(struct wfi_reorder *r, unsigned core, const struct wfi_entry *e);
// Takes the earliest entry. There must be one.
void wfi_reorder_take(struct wfi_reorder *r, struct wfi_entry *e);

static inline bool wfi_reorder_full(const struct wfi_reorder *r) { return r->used >= r->memory; }

#endif
