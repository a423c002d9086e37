// SPDX-License-Identifier: MIT
// Sorted rows of entries, in pages that are reused, and a heap of the rows. An entry that does not
// fit at the end of a row is inserted a few places before it, or goes to another row of its core.

#include "wfi_reorder.h"

#include <stdlib.h>

#include "util/wfi_grow.h"

void wfi_reorder_open(struct wfi_reorder *r, size_t memory) {
    memset(r, 0, sizeof *r);
    r->memory = memory;
}

static void free_entry(const struct wfi_entry *e) {
    if (e->flags & WFI_ENTRY_LONG) free(e->at.longer);
    if (e->flags & WFI_ENTRY_ITEM) free(e->at.item);
}

static void free_row(struct wfi_row *row) {
    unsigned from = row->from;
    while (row->first) {
        struct wfi_page *next = row->first->next;
        unsigned to = row->first == row->last ? row->to : WFI_PAGE;
        for (; from < to; ++from) free_entry(&row->first->entries[from]);
        from = 0;
        free(row->first);
        row->first = next;
    }
    free(row);
}

void wfi_reorder_close(struct wfi_reorder *r) {
    for (unsigned core = 0; core < WF_SLOT_CORES; ++core) {
        while (r->rows[core]) {
            struct wfi_row *next = r->rows[core]->next;
            free_row(r->rows[core]);
            r->rows[core] = next;
        }
    }
    while (r->spare) {
        struct wfi_page *next = r->spare->next;
        free(r->spare);
        r->spare = next;
    }
    while (r->spare_row) {
        struct wfi_row *next = r->spare_row->next;
        free(r->spare_row);
        r->spare_row = next;
    }
    free(r->heap);
}

static struct wfi_page *new_page(struct wfi_reorder *r) {
    struct wfi_page *page = r->spare;
    if (page) {
        r->spare = page->next;
    } else {
        page = malloc(sizeof *page);
        if (!page) return NULL;
    }
    page->next = NULL;
    r->used += sizeof *page;
    return page;
}

static void old_page(struct wfi_reorder *r, struct wfi_page *page) {
    page->next = r->spare;
    r->spare = page;
    r->used -= sizeof *page;
}

static bool before(const struct wfi_top *a, const struct wfi_top *b) {
    if (a->tick != b->tick) return a->tick < b->tick;
    if (a->row->core != b->row->core) return a->row->core < b->row->core;
    return a->offset < b->offset;
}

static void sift_down(struct wfi_reorder *r, size_t at) {
    struct wfi_top top = r->heap[at];
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= r->count) break;
        if (child + 1 < r->count && before(&r->heap[child + 1], &r->heap[child])) ++child;
        if (!before(&r->heap[child], &top)) break;
        r->heap[at] = r->heap[child];
        at = child;
    }
    r->heap[at] = top;
}

static void sift_up(struct wfi_reorder *r, size_t at) {
    struct wfi_top top = r->heap[at];
    while (at && before(&top, &r->heap[(at - 1) / 2])) {
        r->heap[at] = r->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    r->heap[at] = top;
}

// Adds a row to the heap by its first entry.
static bool enter(struct wfi_reorder *r, struct wfi_row *row) {
    const struct wfi_entry *e = &row->first->entries[row->from];
    if (!WFI_GROW(r->heap, &r->room, r->count + 1)) return false;
    r->heap[r->count] = (struct wfi_top){e->tick, e->offset, row};
    row->waits = true;
    sift_up(r, r->count++);
    return true;
}

static bool fits(const struct wfi_row *row, const struct wfi_entry *e) {
    return e->tick > row->tick || (e->tick == row->tick && e->offset >= row->offset);
}

static bool is_empty(const struct wfi_row *row) { return !row->first; }

// Inserts the entry into the last page, if its place is there and not at the front of the row.
static bool insert(struct wfi_row *row, const struct wfi_entry *e) {
    if (is_empty(row) || row->to == WFI_PAGE) return false;
    struct wfi_entry *entries = row->last->entries;
    unsigned least = row->first == row->last ? row->from + 1 : 1, at = row->to;
    while (at > least && (entries[at - 1].tick > e->tick || (entries[at - 1].tick == e->tick &&
                                                             entries[at - 1].offset > e->offset))) {
        --at;
    }
    if (at <= least) return false;
    memmove(&entries[at + 1], &entries[at], (row->to - at) * sizeof *entries);
    entries[at] = *e;
    ++row->to;
    return true;
}

// Returns a row that the entry can be appended to: one of the core's, or a new one.
static struct wfi_row *find_row(struct wfi_reorder *r, unsigned core, const struct wfi_entry *e) {
    struct wfi_row **link = &r->rows[core], *row;
    for (; (row = *link) != NULL; link = &row->next) {
        if (is_empty(row) || fits(row, e)) break;
    }
    if (row) {
        *link = row->next;
    } else {
        row = r->spare_row;
        if (row)
            r->spare_row = row->next;
        else
            row = malloc(sizeof *row);
        if (!row) return NULL;
        memset(row, 0, sizeof *row);
        row->core = core;
    }
    row->next = r->rows[core];
    r->rows[core] = row;
    return row;
}

static void refuse_entry(struct wfi_reorder *r, const struct wfi_entry *e) {
    free_entry(e);
    r->failed = true;
}

void wfi_reorder_put(struct wfi_reorder *r, unsigned core, const struct wfi_entry *e) {
    struct wfi_row *row = r->rows[core];
    if (e->flags & WFI_ENTRY_LONG) r->used += (size_t)e->count * 4;
    if (!row || is_empty(row) || !fits(row, e)) {
        if (row && insert(row, e)) return;
        row = find_row(r, core, e);
        if (!row) {
            refuse_entry(r, e);
            return;
        }
    }
    if (is_empty(row) || row->to == WFI_PAGE) {
        struct wfi_page *page = new_page(r);
        if (!page) {
            refuse_entry(r, e);
            return;
        }
        if (row->last)
            row->last->next = page;
        else
            row->first = page;
        row->last = page;
        row->to = 0;
    }
    row->last->entries[row->to++] = *e;
    row->tick = e->tick;
    row->offset = e->offset;
    if (!row->waits && !enter(r, row)) r->failed = true;
}

static void leave(struct wfi_reorder *r, struct wfi_row *row) {
    row->waits = false;
    r->heap[0] = r->heap[--r->count];
    if (r->count) sift_down(r, 0);
    if (row == r->rows[row->core]) return; // it will be written again
    struct wfi_row **link = &r->rows[row->core];
    while (*link != row) link = &(*link)->next;
    *link = row->next;
    row->next = r->spare_row;
    r->spare_row = row;
}

void wfi_reorder_take(struct wfi_reorder *r, struct wfi_entry *e) {
    struct wfi_row *row = r->heap[0].row;
    struct wfi_page *page = row->first;
    *e = page->entries[row->from++];
    if (e->flags & WFI_ENTRY_LONG) r->used -= (size_t)e->count * 4;
    if (page == row->last ? row->from == row->to : row->from == WFI_PAGE) {
        row->first = page->next;
        if (page == row->last) row->last = NULL;
        row->from = 0;
        old_page(r, page);
    }
    if (is_empty(row)) {
        leave(r, row);
        return;
    }
    const struct wfi_entry *next = &row->first->entries[row->from];
    r->heap[0].tick = next->tick;
    r->heap[0].offset = next->offset;
    sift_down(r, 0);
}
