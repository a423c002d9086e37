// SPDX-License-Identifier: MIT
// Entries fill a leaf. The last entry of a full leaf goes to the level above, with the leaf's
// number, and so on. Each entry is in the tree once, as in SQLite's indexes.

#include "wfb_index.h"

#include <errno.h>
#include <stdlib.h>

#include "wfb_cells.h"

void wfb_index_open(struct wfb_index *x, uint32_t root) { *x = (struct wfb_index){.root = root}; }

void wfb_index_free(struct wfb_index *x) {
    for (unsigned i = 0; i < x->depth; ++i) free(x->level[i].page);
    free(x->pages);
    *x = (struct wfb_index){0};
}

static bool write_page(struct wfb_index *x, struct wfb_pages *p, const uint8_t *page,
                       uint32_t *number) {
    if (x->page_count == x->page_cap) {
        uint32_t cap = 2 * x->page_cap + 256;
        uint32_t *more = realloc(x->pages, cap * sizeof *more);
        if (!more) p->error = ENOMEM;
        if (!more) return false;
        x->pages = more;
        x->page_cap = cap;
    }
    uint8_t *to = wfb_pages_new(p);
    if (!to) return false;
    memcpy(to, page, WFB_PAGE);
    *number = x->pages[x->page_count++] = p->next - 1;
    return true;
}

// Length of an encoded entry: its header (length, two types), the value and the row number.
static inline size_t payload_len(const struct wfb_entry *e) {
    return 3u + wfb_integer_bytes[e->value_type] + wfb_integer_bytes[e->number_type];
}

static inline void put_entry(uint8_t *p, const struct wfb_entry *e, size_t payload, bool leaf) {
    if (!leaf) wfb_put4(p, e->child);
    p += leaf ? 0 : 4;
    *p++ = (uint8_t)payload;
    *p++ = 3;
    *p++ = e->value_type;
    *p++ = e->number_type;
    p = wfb_put_integer(p, e->value, e->value_type);
    wfb_put_integer(p, e->number, e->number_type);
}

static void put_head(struct wfb_index_level *l, bool leaf, unsigned cells, uint32_t right) {
    wfb_put_head(l->page, leaf ? WFB_INDEX_LEAF : WFB_INDEX_INTERIOR, cells, l->content, right);
}

static bool add(struct wfb_index *x, struct wfb_pages *p, unsigned level,
                const struct wfb_entry *e);

// Writes the page without its last cell, which goes to the level above.
static bool end_page(struct wfb_index *x, struct wfb_pages *p, unsigned level) {
    struct wfb_index_level *l = &x->level[level];
    struct wfb_entry up = l->last;
    l->content += (level ? 5u : 1u) + payload_len(&up);
    put_head(l, level == 0, l->cells - 1, up.child);
    l->cells = 0;
    l->content = WFB_PAGE;
    return write_page(x, p, l->page, &up.child) && add(x, p, level + 1, &up);
}

static bool new_level(struct wfb_index *x, struct wfb_pages *p) {
    uint8_t *page = x->depth < WFB_INDEX_DEPTH ? calloc(1, WFB_PAGE) : NULL;
    if (!page) p->error = ENOMEM;
    if (!page) return false;
    x->level[x->depth++] = (struct wfb_index_level){.page = page, .content = WFB_PAGE};
    return true;
}

static bool add(struct wfb_index *x, struct wfb_pages *p, unsigned level,
                const struct wfb_entry *e) {
    if (level == x->depth && !new_level(x, p)) return false;
    struct wfb_index_level *l = &x->level[level];
    size_t head = level ? WFB_INTERIOR_HEAD : WFB_LEAF_HEAD;
    size_t payload = payload_len(e), len = (level ? 5u : 1u) + payload;
    if (l->content - head - 2 * (size_t)l->cells < len + 2 && !end_page(x, p, level)) return false;
    l->content -= len;
    put_entry(l->page + l->content, e, payload, level == 0);
    wfb_put2(l->page + head + 2 * l->cells++, (unsigned)l->content);
    l->last = *e;
    return true;
}

bool wfb_index_add(struct wfb_index *x, struct wfb_pages *p, const struct wf_cell *value,
                   int64_t number) {
    const bool null = value->type == WF_CELL_NULL;
    const struct wfb_entry e = {null,
                                (uint8_t)(null ? 0 : wfb_integer_type(value->number)),
                                (uint8_t)wfb_integer_type(number),
                                value->number,
                                number,
                                0};
    const struct wfb_entry *before = x->any ? &x->level[0].last : NULL;
    if (before && ((e.null && !before->null) || (!before->null && e.value < before->value)))
        x->given_up = true;
    if (x->given_up) return true;
    x->any = true;
    return add(x, p, 0, &e);
}

bool wfb_index_close(struct wfb_index *x, struct wfb_pages *p, bool *made) {
    uint32_t right = 0;
    *made = !x->given_up;
    if (x->given_up) return wfb_pages_free(p, x->pages, x->page_count);
    for (unsigned i = 0; i < x->depth; ++i) {
        put_head(&x->level[i], i == 0, x->level[i].cells, right);
        if (i + 1 == x->depth) return wfb_pages_set(p, x->root, x->level[i].page);
        if (!write_page(x, p, x->level[i].page, &right)) return false;
    }
    return true; // no rows: as SQLite created it
}
