// SPDX-License-Identifier: MIT
// Writes tables of an SQLite database page by page, in ascending order of their rows. SQLite's own
// inserts cost more than all other work for a row of a trace (figures in docs/decisions). The
// format is that of https://sqlite.org/fileformat2.html, sections 1.3, 1.5, 1.6 and 2.1. SQLite
// itself creates the file with its empty tables, and the indexes.
#ifndef WFB_BTREE_H
#define WFB_BTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_tables.h"
#include "wfb_pages.h"

enum { WFB_DEPTH = 6 };

struct wfb_child {
    uint32_t page;
    int64_t last; // number of the last row in it
};

// An interior page being filled: cells, and the child after them.
struct wfb_level {
    uint8_t *page;
    unsigned cells;
    size_t content; // offset of the first cell
    bool any;
    struct wfb_child right, cell; // cell: the last cell of the page
};

struct wfb_tree {
    uint32_t root;
    int64_t last; // number of the last row
    uint8_t *leaf;
    unsigned cells;
    size_t content;
    unsigned depth; // number of levels above the leaves
    struct wfb_level level[WFB_DEPTH];
};

// Opens an empty table. Returns false when out of memory.
bool wfb_tree_open(struct wfb_tree *t, uint32_t root);
// A buffer for one row, which grows.
struct wfb_scratch {
    uint8_t *bytes;
    size_t cap;
};
// Appends a row. numbered: the first cell is the row number, which must be greater than the last
// one; else the row gets the next number. Returns false on an error: see p->error.
bool wfb_tree_row(struct wfb_tree *t, struct wfb_pages *p, struct wfb_scratch *scratch,
                  const struct wf_cell *cells, unsigned count, bool numbered);
bool wfb_tree_close(struct wfb_tree *t, struct wfb_pages *p); // writes the rest
void wfb_tree_free(struct wfb_tree *t);

#endif
