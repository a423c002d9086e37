// SPDX-License-Identifier: MIT
// An index of a table by one integer column whose values ascend with the rows, as times do, filled
// with them: sorting them again afterwards would take as long as all else. If one does not ascend,
// the index is given up and SQLite makes it.
#ifndef WFB_INDEX_H
#define WFB_INDEX_H

#include "wallfly_host/wf_tables.h"
#include "wfb_pages.h"

enum { WFB_INDEX_DEPTH = 6 };

struct wfb_entry {
    bool null; // comes before all numbers
    int64_t value, number;
    uint32_t child; // not of leaves: the page with those before it
};

struct wfb_index {
    uint32_t root;
    bool any, given_up;
    unsigned depth;
    struct wfb_index_level {
        uint8_t *page;
        unsigned cells;
        size_t content;
        struct wfb_entry last; // cell of the page
    } level[WFB_INDEX_DEPTH];
    uint32_t *pages; // that were written
    uint32_t page_count, page_cap;
};

void wfb_index_open(struct wfb_index *x, uint32_t root);
// The entry of a row. False: see the pages' error.
bool wfb_index_add(struct wfb_index *x, struct wfb_pages *p, const struct wf_cell *value,
                   int64_t number);
// *made: it is whole; else SQLite must make it (reindex). False: see the pages' error.
bool wfb_index_close(struct wfb_index *x, struct wfb_pages *p, bool *made);
void wfb_index_free(struct wfb_index *x);

#endif
