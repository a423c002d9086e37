// SPDX-License-Identifier: MIT
// An index of a table on one integer column whose values ascend with the rows, as times do. It is
// filled along with the rows: sorting them afterwards would take as long as all other work. If a
// value does not ascend, the index is given up and SQLite makes it.
#ifndef WFB_INDEX_H
#define WFB_INDEX_H

#include "wallfly_host/wf_tables.h"
#include "wfb_pages.h"

enum { WFB_INDEX_DEPTH = 6 };

struct wfb_entry {
    bool null;                       // sorts before all numbers
    uint8_t value_type, number_type; // serial types
    int64_t value, number;
    uint32_t child; // interior pages only: the page with the entries before this one
};

struct wfb_index {
    uint32_t root;
    bool any, given_up;
    unsigned depth;
    struct wfb_index_level {
        uint8_t *page;
        unsigned cells;
        size_t content;
        struct wfb_entry last; // the last cell of the page
    } level[WFB_INDEX_DEPTH];
    uint32_t *pages; // pages that were written
    uint32_t page_count, page_cap;
};

void wfb_index_open(struct wfb_index *x, uint32_t root);
// Adds the entry of a row. Returns false on an error: see p->error.
bool wfb_index_add(struct wfb_index *x, struct wfb_pages *p, const struct wf_cell *value,
                   int64_t number);
// Sets *made when the index is complete; else SQLite must make it (reindex). Returns false on an
// error.
bool wfb_index_close(struct wfb_index *x, struct wfb_pages *p, bool *made);
void wfb_index_free(struct wfb_index *x);

#endif
