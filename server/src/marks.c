// SPDX-License-Identifier: MIT
// Marks in one array, in the order in which they were added; their texts in one buffer, by offset.
// A second array has their order by begin, and with each position how far the marks up to there
// reach, so that a binary search finds the first mark that touches a window. It is made again by
// the first query after a change; marks added in order, as those of a live trace, are only
// appended.

#include "wallfly_server/marks.h"

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_error.h"

const char *const mark_kind_names[] = {"fail", "cannot tell", "note", "pass"};

enum { NO_TEXT = 0 }; // the buffer begins with a zero

struct entry {
    uint64_t from, until;
    size_t text, row;
    uint32_t rule;
    int32_t core;
    uint8_t kind, row_kind;
};

struct position {
    uint32_t number;
    uint64_t reach; // the greatest `until` up to this position
};

struct marks {
    struct entry *list;
    size_t count, cap;
    struct position *order;
    size_t ordered, order_cap; // positions that are valid
    struct mark_rule *rules;   // with texts of their own
    size_t rule_count, rule_cap;
    char *texts;
    size_t texts_len, texts_cap;
    uint64_t kinds[MARK_KINDS], left, removed, revision;
};

static bool reserve(void **array, size_t size, size_t *cap, size_t count) {
    if (count <= *cap) return true;
    size_t more = 2 * *cap > count ? 2 * *cap : count + 64;
    void *grown = realloc(*array, more * size);
    if (!grown) return false;
    *array = grown;
    *cap = more;
    return true;
}

// Returns the offset of a copy; 0 when out of memory.
static size_t keep_text(struct marks *m, const char *text) {
    size_t len = strlen(text) + 1, at = m->texts_len;
    if (!reserve((void **)&m->texts, 1, &m->texts_cap, at + len)) return 0;
    memcpy(m->texts + at, text, len);
    m->texts_len += len;
    return at;
}

struct marks *marks_open(void) {
    struct marks *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    if (!reserve((void **)&m->texts, 1, &m->texts_cap, 1)) {
        free(m);
        return NULL;
    }
    m->texts[m->texts_len++] = 0;
    return m;
}

void marks_close(struct marks *m) {
    if (!m) return;
    for (size_t i = 0; i < m->rule_count; ++i) {
        free((char *)m->rules[i].title);
        free((char *)m->rules[i].text);
    }
    free(m->list);
    free(m->order);
    free(m->rules);
    free(m->texts);
    free(m);
}

// ---- rules

int marks_set_rule(struct marks *m, unsigned number, const struct mark_rule *rule) {
    if (number >= m->rule_count) return WF_ERR_USAGE;
    struct mark_rule *own = &m->rules[number];
    char *text = strdup(rule->text);
    if (!text) return WF_ERR_NOMEM;
    free((char *)own->text);
    const char *title = own->title;
    *own = *rule;
    own->title = title;
    own->text = text;
    ++m->revision;
    return WF_OK;
}

int marks_add_rule(struct marks *m, const struct mark_rule *rule) {
    if (m->rule_count == MARK_RULES_MAX) return WF_ERR_TOO_MANY;
    char *title = strdup(rule->title);
    if (!title || !reserve((void **)&m->rules, sizeof *m->rules, &m->rule_cap, m->rule_count + 1)) {
        free(title);
        return WF_ERR_NOMEM;
    }
    m->rules[m->rule_count] = (struct mark_rule){.title = title};
    int err = marks_set_rule(m, (unsigned)m->rule_count++, rule);
    if (err != WF_OK) {
        --m->rule_count;
        free(title);
    }
    return err;
}

unsigned marks_rules(const struct marks *m) { return (unsigned)m->rule_count; }

bool marks_get_rule(const struct marks *m, unsigned number, struct mark_rule *rule) {
    if (number >= m->rule_count) return false;
    *rule = m->rules[number];
    return true;
}

// ---- marks

int marks_add(struct marks *m, const struct mark *mark) {
    if (mark->rule >= m->rule_count || mark->until < mark->from) return WF_ERR_USAGE;
    ++m->revision;
    if (m->count == MARKS_MAX) {
        ++m->left;
        return WF_OK;
    }
    if (!reserve((void **)&m->list, sizeof *m->list, &m->cap, m->count + 1)) return WF_ERR_NOMEM;
    size_t text = keep_text(m, mark->text);
    size_t row = mark->row && text ? keep_text(m, mark->row) : NO_TEXT;
    if (!text || (mark->row && !row)) return WF_ERR_NOMEM;
    m->list[m->count++] = (struct entry){.from = mark->from,
                                         .until = mark->until,
                                         .text = text,
                                         .row = row,
                                         .rule = mark->rule,
                                         .core = mark->core,
                                         .kind = (uint8_t)mark->kind,
                                         .row_kind = (uint8_t)mark->row_kind};
    ++m->kinds[mark->kind];
    return WF_OK;
}

void marks_clear(struct marks *m) {
    m->removed += m->count;
    m->count = m->ordered = 0;
    m->texts_len = NO_TEXT + 1;
    m->left = 0;
    memset(m->kinds, 0, sizeof m->kinds);
    ++m->revision;
}

// Copies the texts of the marks from `first` on to the begin of a new buffer.
static bool move_texts(struct marks *m, size_t first) {
    struct marks to = {0};
    bool good = reserve((void **)&to.texts, 1, &to.texts_cap, m->texts_len);
    if (!good) return false;
    to.texts[to.texts_len++] = 0;
    for (size_t i = first; i < m->count; ++i) { // there is room for all of them
        struct entry *e = &m->list[i];
        e->text = keep_text(&to, m->texts + e->text);
        if (e->row) e->row = keep_text(&to, m->texts + e->row);
    }
    free(m->texts);
    m->texts = to.texts;
    m->texts_len = to.texts_len;
    m->texts_cap = to.texts_cap;
    return true;
}

int marks_drop(struct marks *m, size_t count) {
    if (count > m->count) count = m->count;
    if (!move_texts(m, count)) return WF_ERR_NOMEM;
    for (size_t i = 0; i < count; ++i) --m->kinds[m->list[i].kind];
    m->count -= count;
    memmove(m->list, m->list + count, m->count * sizeof *m->list);
    m->ordered = 0;
    m->removed += count;
    ++m->revision;
    return WF_OK;
}

size_t marks_count(const struct marks *m) { return m->count; }
uint64_t marks_left(const struct marks *m) { return m->left; }
uint64_t marks_removed(const struct marks *m) { return m->removed; }
uint64_t marks_of_kind(const struct marks *m, enum mark_kind kind) { return m->kinds[kind]; }
uint64_t marks_revision(const struct marks *m) { return m->revision; }

bool marks_get(const struct marks *m, size_t number, struct mark *mark) {
    if (number >= m->count) return false;
    const struct entry *e = &m->list[number];
    *mark = (struct mark){.kind = (enum mark_kind)e->kind,
                          .rule = e->rule,
                          .from = e->from,
                          .until = e->until,
                          .row = e->row ? m->texts + e->row : NULL,
                          .row_kind = (enum wf_row_kind)e->row_kind,
                          .core = e->core,
                          .text = m->texts + e->text};
    return true;
}

// ---- the order

// While it sorts, a position has the begin of its mark in place of its reach.
static int compare(const void *a, const void *b) {
    const struct position *x = a, *y = b;
    if (x->reach != y->reach) return x->reach < y->reach ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

// Returns whether the marks that have no position yet belong behind the others, as they are.
static bool is_in_order(const struct marks *m) {
    uint64_t last = m->ordered ? m->list[m->order[m->ordered - 1].number].from : 0;
    for (size_t i = m->ordered; i < m->count; ++i) {
        if (m->list[i].from < last) return false;
        last = m->list[i].from;
    }
    return true;
}

static int put_in_order(struct marks *m) {
    if (m->ordered == m->count) return WF_OK;
    if (!reserve((void **)&m->order, sizeof *m->order, &m->order_cap, m->count))
        return WF_ERR_NOMEM;
    bool append = is_in_order(m);
    size_t first = append ? m->ordered : 0;
    for (size_t i = first; i < m->count; ++i)
        m->order[i] = (struct position){(uint32_t)i, m->list[i].from};
    if (!append) qsort(m->order, m->count, sizeof *m->order, compare);
    uint64_t reach = first ? m->order[first - 1].reach : 0;
    for (size_t i = first; i < m->count; ++i) {
        uint64_t until = m->list[m->order[i].number].until;
        m->order[i].reach = reach = until > reach ? until : reach;
    }
    m->ordered = m->count;
    return WF_OK;
}

// Returns the first position whose marks up to there reach to the tick.
static size_t first_touching(const struct marks *m, uint64_t tick) {
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->order[middle].reach < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int marks_within(struct marks *m, uint64_t from, uint64_t until,
                 bool (*each)(void *ctx, size_t number, const struct mark *mark), void *ctx) {
    struct mark mark;
    int err = put_in_order(m);
    if (err != WF_OK) return err;
    for (size_t i = first_touching(m, from); i < m->count; ++i) {
        size_t number = m->order[i].number;
        const struct entry *e = &m->list[number];
        if (e->from > until) break;
        if (e->until < from) continue;
        marks_get(m, number, &mark);
        if (!each(ctx, number, &mark)) break;
    }
    return WF_OK;
}

// Returns whether a mark lies behind (way > 0) or before the place.
static bool is_beyond(const struct marks *m, size_t number, const struct mark_place *from,
                      int way) {
    if (from->before_all) return way > 0;
    uint64_t at = m->list[number].from, place = from->at;
    if (from->has_number) {
        place = m->list[from->number].from;
        if (at == place) return way > 0 ? number > from->number : number < from->number;
    }
    return way > 0 ? at > place : at < place;
}

int marks_step(struct marks *m, const struct mark_place *from, int way, enum mark_kind kind,
               struct mark_step *step) {
    *step = (struct mark_step){.of = m->kinds[kind]};
    if (from->has_number && from->number >= m->count) return WF_ERR_USAGE;
    int err = put_in_order(m);
    if (err != WF_OK) return err;
    uint64_t seen = 0;
    for (size_t i = 0; i < m->count; ++i) {
        size_t number = m->order[i].number;
        if (m->list[number].kind != kind) continue;
        ++seen;
        if (!is_beyond(m, number, from, way)) {
            if (way < 0) break;
            continue;
        }
        step->found = true;
        step->number = number;
        step->place = seen;
        if (way > 0) break;
    }
    return WF_OK;
}
