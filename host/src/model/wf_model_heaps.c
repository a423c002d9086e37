// SPDX-License-Identifier: MIT
// Bytes in use of heaps: the sum of the blocks that were allocated and not freed. It is exact from
// the creation of the heap until the next hole; otherwise blocks from before are not in it. Some
// recorders leave out the size of a freed block, so each block's size is kept.

#include "wfi_model.h"

#include <stdlib.h>

#include "util/wfi_hash.h"

enum { BLOCKS_MOST = 1 << 20 }; // of a heap; with more its use is not known

struct wfi_blocks {
    bool exact, too_many;
    uint64_t used; // bytes
    size_t count, cap;
    struct block {
        uint64_t key; // address + 1; 0: free slot
        uint64_t size;
    } * slots; // open addressing; cap is a power of two
};

static struct wfi_blocks *blocks_of(struct wf_model *m, struct wf_object *o) {
    struct wfi_object *own = wfi_object(o);
    if (own->blocks) return own->blocks;
    own->blocks = calloc(1, sizeof *own->blocks);
    if (!own->blocks) {
        m->err = WF_ERR_NOMEM;
        return NULL;
    }
    wfi_object_inform(m, o); // a hole makes it unknown
    return own->blocks;
}

static size_t slot_of(const struct wfi_blocks *b, uint64_t key) {
    return (size_t)wfi_hash(key, 0, b) & (b->cap - 1);
}

// Returns the slot of the key, or the free one where it would be.
static struct block *find(const struct wfi_blocks *b, uint64_t key) {
    size_t at = slot_of(b, key);
    while (b->slots[at].key && b->slots[at].key != key) at = (at + 1) & (b->cap - 1);
    return &b->slots[at];
}

static bool grow(struct wf_model *m, struct wfi_blocks *b) {
    if (4 * (b->count + 1) <= 3 * b->cap) return true;
    struct wfi_blocks more = *b;
    more.cap = b->cap ? 2 * b->cap : 64;
    more.slots = calloc(more.cap, sizeof *more.slots);
    if (!more.slots) {
        m->err = WF_ERR_NOMEM;
        return false;
    }
    struct block *before = b->slots;
    size_t cap = b->cap;
    *b = more;
    for (size_t i = 0; i < cap; ++i) {
        if (before[i].key) *find(b, before[i].key) = before[i];
    }
    free(before);
    return true;
}

static void add(struct wf_model *m, struct wfi_blocks *b, uint64_t key, uint64_t size) {
    if (!grow(m, b)) return;
    struct block *block = find(b, key);
    if (block->key) { // it was freed without a record
        b->used -= block->size;
    } else {
        ++b->count;
    }
    *block = (struct block){key, size};
    b->used += size;
}

// Removes the block and closes the gap in its run of slots. Returns false if it is not known.
static bool remove_block(struct wfi_blocks *b, uint64_t key) {
    struct block *gone = b->cap ? find(b, key) : NULL;
    if (!gone || !gone->key) return false;
    b->used -= gone->size;
    --b->count;
    size_t mask = b->cap - 1, hole = (size_t)(gone - b->slots);
    for (size_t at = (hole + 1) & mask; b->slots[at].key; at = (at + 1) & mask) {
        size_t home = slot_of(b, b->slots[at].key);
        if (((at - home) & mask) < ((at - hole) & mask)) continue;
        b->slots[hole] = b->slots[at];
        hole = at;
    }
    b->slots[hole].key = 0;
    return true;
}

static void report(struct wf_model *m, struct wf_object *o, const struct wfi_blocks *b) {
    struct wf_change *c = wfi_change(m, WF_CHANGE_USED);
    c->object = o;
    c->value = (int64_t)b->used;
    c->got = b->exact;
    o->used_known = true;
    o->used_exact = b->exact;
    o->used = b->used;
}

static void report_unknown(struct wf_model *m, struct wf_object *o) {
    if (!o->used_known) return;
    o->used_known = false;
    struct wf_change *c = wfi_change(m, WF_CHANGE_USED);
    c->object = o;
    c->cut = true;
}

// The use is reported from the first block on, as there may be no records of blocks.
void wfi_heap_create(struct wf_model *m, struct wf_object *o) {
    struct wfi_blocks *b = blocks_of(m, o);
    if (b) b->exact = true;
}

void wfi_heap_block(struct wf_model *m, struct wf_object *o, uint64_t address, uint64_t size,
                    bool got) {
    struct wfi_blocks *b = blocks_of(m, o);
    if (!b || b->too_many || address == UINT64_MAX) return; // no block begins there
    if (got)
        add(m, b, address + 1, size);
    else if (!remove_block(b, address + 1))
        b->exact = false; // allocated without a record
    b->too_many = b->count > BLOCKS_MOST;
    if (b->too_many) {
        report_unknown(m, o);
    } else if (got || b->count || o->used_known) {
        report(m, o, b);
    }
}

void wfi_heap_forget(struct wf_model *m, struct wf_object *o) {
    if (!wfi_object(o)->blocks) return;
    report_unknown(m, o);
    wfi_heap_close(o);
}

void wfi_heap_close(struct wf_object *o) {
    struct wfi_object *own = wfi_object(o);
    if (own->blocks) free(own->blocks->slots);
    free(own->blocks);
    own->blocks = NULL;
}
