// SPDX-License-Identifier: MIT
// The values of a figure in consecutive blocks of time: for each block their sum, and for
// distributions how many lie in each class. Bounded: the classes of the histogram are merged
// pairwise until few enough are left.
#ifndef WFI_BLOCKS_H
#define WFI_BLOCKS_H

#include "wallfly_host/wf_stats.h"

enum { WFI_BLOCKS = 32, WFI_BLOCK_ENTRIES = 128, WFI_BLOCK_SHIFTS = 6 };
enum { WFI_CLASSES = WF_HISTOGRAM_PAGES * WF_HISTOGRAM_PAGE };

struct wfi_block_entry {
    uint64_t count;
    uint16_t class; // of the histogram, >> shift
    uint8_t block;
};

struct wf_blocks { // zeros: empty
    double sum[WFI_BLOCKS];
    unsigned shift; // a class has 1 << shift of those of the histogram
    struct wfi_block_entry
        *entries; // distributions; sorted by block and class after wfi_blocks_fit
    size_t used, cap;
};

void wfi_blocks_close(struct wf_blocks *b);
// The first value of a class of a histogram; that of WFI_CLASSES is UINT64_MAX.
uint64_t wfi_class_begin(unsigned class);
unsigned wfi_class_of(uint64_t value);
// The greatest value of `low` and `high` of a class of a histogram.
uint32_t wfi_class_last(unsigned class);

// Adds to a block what a histogram has more than all blocks together. sum: of these values.
// scratch: WFI_CLASSES zeros, and again so afterwards. Returns false when out of memory.
bool wfi_blocks_take(struct wf_blocks *b, unsigned block, const struct wf_histogram *h, double sum,
                     uint64_t *scratch);
// Sorts the entries, and makes the classes larger until there are at most WFI_BLOCK_ENTRIES.
void wfi_blocks_fit(struct wf_blocks *b);
// Makes the classes as large as 1 << shift.
void wfi_blocks_coarsen(struct wf_blocks *b, unsigned shift);
// Merges block i into i / 2.
void wfi_blocks_halve(struct wf_blocks *b);
// Merges a block into the one before; later ones keep their numbers.
void wfi_blocks_merge(struct wf_blocks *b, unsigned block);
// Adds the blocks of another one, its first as number `at`. Returns false when out of memory.
bool wfi_blocks_add(struct wf_blocks *b, const struct wf_blocks *from, unsigned at);

#endif
