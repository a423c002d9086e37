// SPDX-License-Identifier: MIT
// Rows become cells of a leaf. A full leaf is written and becomes a child in the level above, whose
// full pages become children of the next level. A page gets its number when it is written, so the
// file grows in order. At the end of a table its topmost page becomes the root page, whose number
// SQLite has assigned.

#include "wfb_btree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_utf8.h"
#include "wfb_cells.h"

enum {
    LOCAL_MOST = WFB_PAGE - 35,
    LOCAL_LEAST = (WFB_PAGE - 12) * 32 / 255 - 23,
    SPILLED = WFB_PAGE - 4,            // bytes of a row on an overflow page
    HEAD_MAX = 2 + 9 * WF_COLUMNS_MAX, // bytes of a row's header
    INTEGERS = 8 * WF_COLUMNS_MAX      // bytes of its integers
};

// ---- pages above the leaves

// Writes a filled page. *child gets its number.
static bool write_page(struct wfb_pages *p, const uint8_t *page, struct wfb_child *child) {
    uint8_t *to = wfb_pages_new(p);
    if (!to) return false;
    memcpy(to, page, WFB_PAGE);
    child->page = p->next - 1;
    return true;
}

static bool new_level(struct wfb_tree *t, struct wfb_pages *p) {
    uint8_t *page = t->depth < WFB_DEPTH ? calloc(1, WFB_PAGE) : NULL;
    if (!page) p->error = ENOMEM;
    if (!page) return false;
    t->level[t->depth++] = (struct wfb_level){.page = page, .content = WFB_PAGE};
    return true;
}

static bool add_child(struct wfb_tree *t, struct wfb_pages *p, unsigned level,
                      struct wfb_child child);

// Moves the last cell to the rightmost child, so that this page and the next one have at least two
// children.
static bool end_interior(struct wfb_tree *t, struct wfb_pages *p, unsigned level) {
    struct wfb_level *l = &t->level[level];
    struct wfb_child child = l->cell;
    l->content += 4 + wfb_varint_len((uint64_t)l->cell.last);
    wfb_put_head(l->page, WFB_TABLE_INTERIOR, l->cells - 1, l->content, l->cell.page);
    l->cells = 0;
    l->content = WFB_PAGE;
    return write_page(p, l->page, &child) && add_child(t, p, level + 1, child);
}

static bool add_child(struct wfb_tree *t, struct wfb_pages *p, unsigned level,
                      struct wfb_child child) {
    if (level == t->depth && !new_level(t, p)) return false;
    struct wfb_level *l = &t->level[level];
    if (l->any) {
        size_t len = 4 + wfb_varint_len((uint64_t)l->right.last);
        size_t room = l->content - WFB_INTERIOR_HEAD - 2 * (size_t)l->cells;
        if (room < len + 2 && !end_interior(t, p, level)) return false;
        l->content -= len;
        wfb_put4(l->page + l->content, l->right.page);
        wfb_put_varint(l->page + l->content + 4, (uint64_t)l->right.last);
        wfb_put2(l->page + WFB_INTERIOR_HEAD + 2 * l->cells++, (unsigned)l->content);
        l->cell = l->right;
    }
    l->right = child;
    l->any = true;
    return true;
}

// ---- leaves

static bool end_leaf(struct wfb_tree *t, struct wfb_pages *p) {
    struct wfb_child child = {.last = t->last};
    wfb_put_head(t->leaf, WFB_TABLE_LEAF, t->cells, t->content, 0);
    t->cells = 0;
    t->content = WFB_PAGE;
    return write_page(p, t->leaf, &child) && add_child(t, p, 0, child);
}

// Reserves space for a cell of that size. Returns null on an error: see p->error.
static uint8_t *new_cell(struct wfb_tree *t, struct wfb_pages *p, size_t len) {
    size_t room = t->content - WFB_LEAF_HEAD - 2 * (size_t)t->cells;
    if (room < len + 2 && !end_leaf(t, p)) return NULL;
    t->content -= len;
    wfb_put2(t->leaf + WFB_LEAF_HEAD + 2 * t->cells++, (unsigned)t->content);
    return t->leaf + t->content;
}

bool wfb_tree_open(struct wfb_tree *t, uint32_t root) {
    *t = (struct wfb_tree){.root = root, .content = WFB_PAGE};
    t->leaf = calloc(1, WFB_PAGE);
    return t->leaf != NULL;
}

void wfb_tree_free(struct wfb_tree *t) {
    for (unsigned i = 0; i < t->depth; ++i) free(t->level[i].page);
    free(t->leaf);
    *t = (struct wfb_tree){0};
}

bool wfb_tree_close(struct wfb_tree *t, struct wfb_pages *p) {
    if (!t->depth) {
        wfb_put_head(t->leaf, WFB_TABLE_LEAF, t->cells, t->content, 0);
        return wfb_pages_set(p, t->root, t->leaf);
    }
    if (!end_leaf(t, p)) return false;
    for (unsigned i = 0;; ++i) { // this may add a level above
        struct wfb_level *l = &t->level[i];
        struct wfb_child child = l->right;
        wfb_put_head(l->page, WFB_TABLE_INTERIOR, l->cells, l->content, l->right.page);
        if (i + 1 == t->depth) return wfb_pages_set(p, t->root, l->page);
        if (!write_page(p, l->page, &child) || !add_child(t, p, i + 1, child)) return false;
    }
}

// ---- rows

static const uint64_t each = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);

// Copies eight bytes. Returns 0 if they are ASCII but not zero.
static inline uint64_t copy8(uint8_t *to, const char *text) {
    uint64_t eight;
    memcpy(&eight, text, sizeof eight);
    memcpy(to, &eight, sizeof eight);
    return (eight | (eight - each)) & high;
}

static inline uint64_t copy4(uint8_t *to, const char *text) {
    uint32_t four;
    memcpy(&four, text, sizeof four);
    memcpy(to, &four, sizeof four);
    return (four | (four - (uint32_t)each)) & (uint32_t)high;
}

// Copies a text. Returns whether it is ASCII without zeros, as most are. The last copies overlap.
static inline bool copy_ascii(uint8_t *to, const char *text, size_t len) {
    uint64_t odd = 0;
    if (len >= 8) {
        for (size_t i = 0; i + 8 < len; i += 8) odd |= copy8(to + i, text + i);
        odd |= copy8(to + len - 8, text + len - 8);
    } else if (len >= 4) {
        odd = copy4(to, text) | copy4(to + len - 4, text + len - 4);
    } else {
        for (size_t i = 0; i < len; ++i) {
            to[i] = (uint8_t)text[i];
            odd |= (signed char)text[i] <= 0;
        }
    }
    return !odd;
}

// SQLite expects text to be UTF-8 without zeros; other bytes are stored as a blob.
static bool is_text(const char *text, size_t len) {
    for (size_t n; len; text += n, len -= n) {
        n = *text ? wf_utf8_decode(text, len, NULL) : 0;
        if (!n) return false;
    }
    return true;
}

static bool make_room(struct wfb_scratch *scratch, size_t len) {
    if (scratch->cap >= len) return true;
    uint8_t *more = realloc(scratch->bytes, 2 * len);
    if (!more) return false;
    scratch->bytes = more;
    scratch->cap = 2 * len;
    return true;
}

// An encoded row: its header, then its values.
struct payload {
    const uint8_t *bytes; // in the scratch
    size_t len;
};

// The values are written behind room for the longest header. Returns false when out of memory.
static bool encode(struct wfb_scratch *scratch, const struct wf_cell *cells, unsigned count,
                   bool numbered, struct payload *to) {
    uint8_t types[HEAD_MAX], *type = types;
    size_t at = HEAD_MAX;
    if (!make_room(scratch, at + INTEGERS)) return false;
    for (unsigned i = 0; i < count; ++i) {
        const struct wf_cell *cell = &cells[i];
        if (cell->type == WF_CELL_NULL || (i == 0 && numbered)) {
            *type++ = 0; // unknown, or the row's own number
        } else if (cell->type == WF_CELL_INT) {
            *type = (uint8_t)wfb_integer_type(cell->number);
            at += wfb_put_integer8(scratch->bytes + at, cell->number, *type++);
        } else {
            if (!make_room(scratch, at + cell->len + INTEGERS)) return false;
            bool text = copy_ascii(scratch->bytes + at, cell->text, cell->len) ||
                        cell->type == WF_CELL_JSON || is_text(cell->text, cell->len);
            type = wfb_put_varint(type, 2 * (uint64_t)cell->len + (text ? 13 : 12));
            at += cell->len;
        }
    }
    size_t types_len = (size_t)(type - types), head = 1 + types_len;
    if (head > 0x7F) ++head; // its length takes two bytes
    uint8_t *begin = scratch->bytes + HEAD_MAX - head;
    memcpy(wfb_put_varint(begin, head), types, types_len);
    *to = (struct payload){begin, at - HEAD_MAX + head};
    return true;
}

// Writes bytes that do not fit the leaf to overflow pages, each with the number of the next.
static bool spill(struct wfb_pages *p, const uint8_t *bytes, size_t len, uint32_t *first) {
    for (*first = 0; len;) {
        uint8_t *page = wfb_pages_new(p);
        size_t n = len < SPILLED ? len : SPILLED;
        if (!page) return false;
        if (!*first) *first = p->next - 1;
        wfb_put4(page, len > n ? wfb_pages_after(p->next - 1) : 0);
        memcpy(page + 4, bytes, n);
        memset(page + 4 + n, 0, SPILLED - n);
        bytes += n;
        len -= n;
    }
    return true;
}

// Puts the cell of a row into the leaf: lengths, and as many bytes as `local`. Returns the end of
// the cell, null on an error.
static uint8_t *put_cell(struct wfb_tree *t, struct wfb_pages *p, const struct payload *row,
                         int64_t number, size_t local, size_t more) {
    size_t len = wfb_varint_len(row->len) + wfb_varint_len((uint64_t)number) + local + more;
    uint8_t *cell = new_cell(t, p, len);
    if (!cell) return NULL;
    cell = wfb_put_varint(wfb_put_varint(cell, row->len), (uint64_t)number);
    memcpy(cell, row->bytes, local);
    t->last = number;
    return cell + local;
}

static bool put_long_row(struct wfb_tree *t, struct wfb_pages *p, const struct payload *row,
                         int64_t number) {
    size_t local = LOCAL_LEAST + (row->len - LOCAL_LEAST) % SPILLED;
    uint32_t first;
    if (local > LOCAL_MOST) local = LOCAL_LEAST;
    if (!spill(p, row->bytes + local, row->len - local, &first)) return false;
    uint8_t *end = put_cell(t, p, row, number, local, 4);
    if (end) wfb_put4(end, first);
    return end != NULL;
}

bool wfb_tree_row(struct wfb_tree *t, struct wfb_pages *p, struct wfb_scratch *scratch,
                  const struct wf_cell *cells, unsigned count, bool numbered) {
    struct payload row;
    int64_t number = numbered ? cells[0].number : t->last + 1;
    if (!p->error && number <= t->last) p->error = EINVAL;
    if (!p->error && !encode(scratch, cells, count, numbered, &row)) p->error = ENOMEM;
    if (p->error) return false;
    if (row.len > LOCAL_MOST) return put_long_row(t, p, &row, number);
    return put_cell(t, p, &row, number, row.len, 0) != NULL;
}
