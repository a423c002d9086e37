// SPDX-License-Identifier: MIT
// Inside of the merge: wf_merge_pass.c makes the list of blocks, wf_merge.c hands out.
#ifndef WFI_MERGE_H
#define WFI_MERGE_H

#include "wallfly_host/wf_merge.h"

#include "wfi_window.h"

enum {
    WFI_MERGE_PIECE = 1 << 16,  // bytes read at a time
    WFI_BLOCK_LEAST = 1 << 16,  // bytes of a block
    WFI_BLOCKS_LONG = 8,        // times as long as it should be: it is decoded in pieces
    WFI_LIST_MAX = 12 << 20,    // bytes of the list of blocks
    WFI_CHAINS_KEPT = 12 << 20, // bytes of the chains that are open where blocks begin
    WFI_CHAINS_EACH = WFI_CHAINS_KEPT / 16, // where more are open, no block begins
    WFI_BATCH = 256,                        // events of a stream before it is looked at what may go
    WFI_MEMORY = 24 << 20
};

struct wfi_block {
    uint64_t least, end;       // tick, offset
    size_t chains, chains_len; // what is kept of those open where it begins
    size_t saved;              // number of what is saved
};

struct wf_merge {
    struct wf_merge_options options;
    struct wf_slots *slots, *part; // all; of a block
    struct wfi_window window;
    struct wf_merge_source source;
    bool reading, ended, finished;
    int err;
    uint64_t limit; // what lies before it may go out
    bool all;       // everything may
    uint64_t last, late;
    bool any;

    struct wfi_block *blocks;
    size_t blocks_count, blocks_max, blocks_at;
    size_t block_bytes;
    uint8_t *chains; // kept, by blocks
    size_t chains_len, chains_room;
    const struct wfi_block *loading; // a block that is not yet decoded to its end
    uint64_t load_at;
    unsigned stride; // cores in what is saved
    struct wfi_saved *saved;
    struct wfi_saved_core *saved_cores;
    uint8_t *piece;

    struct wf_slots_item *notes; // header and what is wrong with it, from the first pass
    size_t notes_count, notes_at;
    uint64_t passed[WF_SLOT_CORES], newest; // stream: the last ticks
    bool seen[WF_SLOT_CORES];
    bool heading[WF_SLOT_CORES];     // stream: what a chunk begins with is not yet over
    uint64_t tick_of[WF_SLOT_CORES]; // of the last event put, for what is no event
    void *given;                     // to be freed with the next call
    uint32_t words[2], *long_words;
    struct wfi_entry entry;
};

void wfi_merge_fail(struct wf_merge *m, int err); // the first error stays
// Up to WFI_MERGE_PIECE bytes of the source from an offset on, into m->piece; 0: the end, or an
// error.
int64_t wfi_merge_piece(struct wf_merge *m, uint64_t offset);

static inline struct wfi_saved_core *wfi_merge_cores(const struct wf_merge *m, size_t saved) {
    return m->saved_cores + saved * m->stride;
}

// Is it handed out before the slot that stands next is taken? Where a block ends, it belongs to the
// one behind.
static inline bool wfi_merge_is_between(const struct wf_slots_item *item) {
    return item->kind == WF_SLOTS_LOSS ||
           (item->kind == WF_SLOTS_DAMAGE && item->damage.kind == WF_SLOTS_NO_LAST);
}

void wfi_merge_forget_notes(struct wf_merge *m);

#endif
