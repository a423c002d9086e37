// SPDX-License-Identifier: MIT
// Blocks are found by differences: a histogram grows, and what it has more than all blocks so far
// is that of the present block. So values are counted once, in the histogram, and blocks cost
// nothing for each value.

#include "wfi_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "wfi_grow.h"

void wfi_blocks_close(struct wf_blocks *b) {
    free(b->entries);
    memset(b, 0, sizeof *b);
}

uint64_t wfi_class_begin(unsigned class) {
    unsigned page = class / WF_HISTOGRAM_PAGE, place = class % WF_HISTOGRAM_PAGE;
    if (class >= WFI_CLASSES) return UINT64_MAX;
    return page ? (uint64_t)(place + WF_HISTOGRAM_PAGE) << (page - 1) : place;
}

unsigned wfi_class_of(uint64_t value) {
    unsigned page = value < WF_HISTOGRAM_PAGE ? 0 : 58 - (unsigned)__builtin_clzll(value);
    return page * WF_HISTOGRAM_PAGE +
           (unsigned)(value >> (page ? page - 1 : 0)) % WF_HISTOGRAM_PAGE;
}

uint32_t wfi_class_last(unsigned class) {
    unsigned page = class / WF_HISTOGRAM_PAGE, bits = page ? page - 1 : 0;
    return bits >= 32 ? UINT32_MAX : (uint32_t)(((uint64_t)1 << bits) - 1);
}

static bool add_entry(struct wf_blocks *b, unsigned block, unsigned class, uint64_t count) {
    if (!WFI_GROW(b->entries, &b->cap, b->used + 1)) return false;
    b->entries[b->used++] = (struct wfi_block_entry){count, (uint16_t) class, (uint8_t)block};
    return true;
}

// ---- taking differences

// Adds to a block what a class of the blocks has more than before: `now` values in all. scratch has
// how many there were.
static bool take_class(struct wf_blocks *b, unsigned block, unsigned class, uint64_t now,
                       uint64_t *scratch) {
    uint64_t before = scratch[class];
    scratch[class] = 0;
    return now == before || add_entry(b, block, class, now - before);
}

static bool take_page(struct wf_blocks *b, unsigned block, unsigned page,
                      const struct wf_histogram_class *classes, uint64_t *scratch) {
    bool good = true;
    unsigned step = 1u << b->shift;
    for (unsigned i = 0; i < WF_HISTOGRAM_PAGE; i += step) {
        uint64_t now = 0;
        for (unsigned k = i; k < i + step; ++k) now += classes[k].count;
        if (now)
            good &= take_class(b, block, (page * WF_HISTOGRAM_PAGE + i) >> b->shift, now, scratch);
    }
    return good;
}

bool wfi_blocks_take(struct wf_blocks *b, unsigned block, const struct wf_histogram *h, double sum,
                     uint64_t *scratch) {
    bool good = true;
    b->sum[block] += sum;
    for (size_t i = 0; i < b->used; ++i) scratch[b->entries[i].class] += b->entries[i].count;
    if (!h->pages && h->count)
        good = take_class(b, block, wfi_class_of(h->min) >> b->shift, h->count, scratch);
    for (unsigned page = 0; h->pages && page < WF_HISTOGRAM_PAGES; ++page) {
        if (h->pages[page]) good &= take_page(b, block, page, h->pages[page], scratch);
    }
    if (b->used > WFI_BLOCK_ENTRIES) wfi_blocks_fit(b);
    return good;
}

// ---- merging

static int compare_entries(const void *x, const void *y) {
    const struct wfi_block_entry *a = x, *b = y;
    if (a->block != b->block) return (a->block > b->block) - (a->block < b->block);
    return (a->class > b->class) - (a->class < b->class);
}

// Sorts the entries, and joins those of the same block and class.
static void join_entries(struct wf_blocks *b) {
    size_t to = 0;
    if (b->used > 1) qsort(b->entries, b->used, sizeof *b->entries, compare_entries);
    for (size_t i = 1; i < b->used; ++i) {
        if (compare_entries(&b->entries[to], &b->entries[i]) == 0)
            b->entries[to].count += b->entries[i].count;
        else
            b->entries[++to] = b->entries[i];
    }
    if (b->used) b->used = to + 1;
}

void wfi_blocks_coarsen(struct wf_blocks *b, unsigned shift) {
    if (shift <= b->shift) return;
    for (size_t i = 0; i < b->used; ++i)
        b->entries[i].class = (uint16_t)(b->entries[i].class >> (shift - b->shift));
    b->shift = shift;
    join_entries(b);
}

void wfi_blocks_fit(struct wf_blocks *b) {
    join_entries(b);
    while (b->used > WFI_BLOCK_ENTRIES && b->shift < WFI_BLOCK_SHIFTS)
        wfi_blocks_coarsen(b, b->shift + 1);
}

void wfi_blocks_halve(struct wf_blocks *b) {
    for (unsigned i = 0; i < WFI_BLOCKS; ++i)
        b->sum[i] = 2 * i < WFI_BLOCKS ? b->sum[2 * i] + b->sum[2 * i + 1] : 0;
    for (size_t i = 0; i < b->used; ++i) b->entries[i].block = (uint8_t)(b->entries[i].block / 2);
    join_entries(b);
}

void wfi_blocks_merge(struct wf_blocks *b, unsigned block) {
    b->sum[block - 1] += b->sum[block];
    b->sum[block] = 0;
    for (size_t i = 0; i < b->used; ++i) {
        if (b->entries[i].block == block) b->entries[i].block = (uint8_t)(block - 1);
    }
    join_entries(b);
}

bool wfi_blocks_add(struct wf_blocks *b, const struct wf_blocks *from, unsigned at) {
    wfi_blocks_coarsen(b, from->shift);
    for (unsigned i = at; i < WFI_BLOCKS; ++i) b->sum[i] += from->sum[i - at];
    for (size_t i = 0; i < from->used; ++i) {
        const struct wfi_block_entry *e = &from->entries[i];
        if (e->block + at >= WFI_BLOCKS) continue;
        if (!add_entry(b, e->block + at, e->class >> (b->shift - from->shift), e->count))
            return false;
    }
    wfi_blocks_fit(b);
    return true;
}
