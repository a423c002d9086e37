// SPDX-License-Identifier: MIT
// Tables of an SQLite database filled page by page, in ascending order of their rows. SQLite's own
// inserts cost more than all that makes a row of a trace (docs/decisions says how much). The format
// is that of https://sqlite.org/fileformat2.html, sections 1.3, 1.5, 1.6 and 2.1; SQLite itself
// makes the file with its empty tables, and the indexes.
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
    int64_t last; // the last row in it
};

// An interior page being filled: cells, and the child behind them.
struct wfb_level {
    uint8_t *page;
    unsigned cells;
    size_t content; // where the cells begin that are there
    bool any;
    struct wfb_child right, cell; // cell: the last one of the page
};

struct wfb_tree {
    uint32_t root;
    int64_t last; // row
    uint8_t *leaf;
    unsigned cells;
    size_t content;
    unsigned depth; // of the levels above the leaves
    struct wfb_level level[WFB_DEPTH];
};

// An empty table. False when out of memory.
bool wfb_tree_open(struct wfb_tree *t, uint32_t root);
// Appends a row. numbered: the first cell is its number, which must be more than the last one's;
// else it gets the next one. scratch: for rows that do not fit a page, grows. False: see error.
struct wfb_scratch {
    uint8_t *bytes;
    size_t cap;
};
bool wfb_tree_row(struct wfb_tree *t, struct wfb_pages *p, struct wfb_scratch *scratch,
                  const struct wf_cell *cells, unsigned count, bool numbered);
bool wfb_tree_close(struct wfb_tree *t, struct wfb_pages *p); // writes the rest
void wfb_tree_free(struct wfb_tree *t);

#endif
