// SPDX-License-Identifier: MIT
// Inside of the merge: wf_merge_pass.c makes the list of blocks, wf_merge.c merges them.
#ifndef WFI_MERGE_H
#define WFI_MERGE_H

#include "wallfly_host/wf_merge.h"

#include "wfi_reorder.h"

enum {
    WFI_MERGE_PIECE = 1 << 16, // bytes read at a time
    WFI_BLOCK_LEAST = 1 << 16, // bytes of a block
    WFI_BLOCKS_LONG = 8,       // a block of this many times the planned length is decoded in pieces
    WFI_LIST_MAX = 12 << 20,   // bytes of the list of blocks
    WFI_CHAINS_KEPT = 12 << 20, // bytes of the chains that are open at the beginnings of blocks
    WFI_CHAINS_EACH = WFI_CHAINS_KEPT / 16, // where more are open, no block begins
    WFI_BATCH = 256, // events of a stream between two checks of what can be returned
    WFI_MEMORY = 24 << 20
};

struct wfi_block {
    uint64_t least, end;       // tick, offset
    size_t chains, chains_len; // of the kept chains that are open where it begins
    size_t saved;              // index into `saved`
};

struct wf_merge {
    struct wf_merge_options options;
    struct wf_slots_options slots_options;
    struct wf_slots *slots, *part; // the reader of all; of one block
    struct wfi_reorder reorder;
    struct wf_merge_source source;
    bool reading, ended, finished;
    int err;
    uint64_t limit; // events before it may be returned
    bool all;       // all events may be returned
    uint64_t last, late;
    bool any;

    struct wfi_block *blocks;
    size_t blocks_count, blocks_max, blocks_at;
    size_t block_bytes;
    uint8_t *chains; // the kept chains, by blocks
    size_t chains_len, chains_room;
    const struct wfi_block *loading; // a block that is not yet decoded to its end
    uint64_t load_at;
    unsigned stride; // cores of an entry of `saved`
    struct wfi_saved *saved;
    struct wfi_saved_core *saved_cores;
    uint8_t *piece;

    struct wf_slots_item *notes; // the header and its faults, from the first pass
    size_t notes_count, notes_at;
    uint64_t passed[WF_SLOT_CORES], newest; // stream: the last ticks
    bool seen[WF_SLOT_CORES];
    void *returned; // to be freed with the next call
    uint32_t words[2], *long_words;
    struct wfi_entry entry;
};

void wfi_merge_fail(struct wf_merge *m, int err); // the first error stays
// Reads up to WFI_MERGE_PIECE bytes at an offset of the source into m->piece. Returns 0 at the end
// or on an error.
int64_t wfi_merge_piece(struct wf_merge *m, uint64_t offset);

static inline struct wfi_saved_core *wfi_merge_cores(const struct wf_merge *m, size_t saved) {
    return m->saved_cores + saved * m->stride;
}

// Returns whether the item is returned before the next slot is taken. At the end of a block it
// belongs to the next block.
static inline bool wfi_merge_is_between(const struct wf_slots_item *item) {
    return item->kind == WF_SLOTS_LOSS ||
           (item->kind == WF_SLOTS_DAMAGE && item->damage.kind == WF_SLOTS_NO_LAST);
}

void wfi_merge_forget_notes(struct wf_merge *m);

#endif
