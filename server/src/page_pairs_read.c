// SPDX-License-Identifier: MIT
// Collects the records that may have a pair, in one reading of the trace.

#include <ctype.h>
#include <stdlib.h>

#include "page_pairs.h"
#include "rows.h"

struct reading {
    struct pair_side *side;
    struct wf_matcher *matcher[PAIR_KINDS_MAX];
    struct wf_model *model;
    struct wf_session *session;
    int err;
};

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

// Returns the length of the number at the begin of the text; 0: none.
static size_t read_number(const char *text, size_t len, uint64_t *id) {
    bool hex = len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t n = hex ? 2 : 0, first = n;
    for (*id = 0; n < len; ++n) {
        unsigned char c = (unsigned char)text[n];
        if (hex ? !isxdigit(c) : !isdigit(c)) break;
        unsigned digit = isdigit(c) ? (unsigned)c - '0' : (unsigned)tolower(c) - 'a' + 10;
        *id = *id * (hex ? 16 : 10) + digit;
    }
    return n > first ? n : 0;
}

// Finds the first whole number in a text, decimal or 0x..., that is not part of a word. Returns
// false if there is none.
static bool find_id(const char *text, size_t len, uint64_t *id) {
    for (size_t i = 0; i < len; ++i) {
        if (!isdigit((unsigned char)text[i]) || (i && in_word(text[i - 1]))) continue;
        size_t n = read_number(text + i, len - i, id);
        bool fraction =
            i + n + 1 < len && text[i + n] == '.' && isdigit((unsigned char)text[i + n + 1]);
        bool word = i + n < len && text[i + n] != '.' && in_word(text[i + n]);
        if (n && !fraction && !word) return true;
        i += n;
    }
    return false;
}

// Returns whether the item is a dictionary record: its text is a name, not an event.
static bool is_name(const struct wf_item *item) {
    const struct wf_row *row = item->kind == WF_ITEM_RECORD ? item->record.row : NULL;
    return row && wf_effect_is_name(row->effect);
}

static bool keep(struct reading *r, unsigned kind, const struct wf_item *item, uint64_t tick) {
    struct pair_side *s = r->side;
    struct wf_match_row row;
    uint64_t id;
    if (!wf_matcher_describe(r->matcher[kind], item, &row)) return false;
    if (!find_id(row.words.bytes, row.words.len, &id)) {
        ++s->nameless[kind];
        return true;
    }
    if (s->count == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 1024;
        struct pair_record *records = realloc(s->records, cap * sizeof *records);
        if (!records) return false;
        s->records = records;
        s->cap = cap;
    }
    unsigned core = wf_model_item_core(r->model);
    const struct wf_core *c = core < WF_MODEL_CORES ? wf_model_core(r->model, core) : NULL;
    const struct wf_task *task = c && c->known ? c->task : NULL;
    s->records[s->count++] = (struct pair_record){.id = id,
                                                  .tick = tick,
                                                  .kind = (uint8_t)kind,
                                                  .core = (uint8_t)core,
                                                  .task = task ? task->index + 1 : 0};
    s->full = s->count == PAIR_RECORDS;
    return true;
}

static bool take_item(void *ctx, struct wf_session *session, const struct wf_item *item,
                      uint64_t number) {
    struct reading *r = ctx;
    struct pair_side *s = r->side;
    uint64_t tick;
    (void)number;
    if (!r->model) r->model = wf_model_open(session);
    if (!r->model) r->err = WF_ERR_NOMEM;
    if (!r->model) return false;
    wf_model_take(r->model, item);
    r->err = wf_model_error(r->model);
    for (unsigned i = 0; i < s->kinds; ++i) {
        if (session != r->session) wf_matcher_use(r->matcher[i], session);
        bool hit = wf_matcher_item(r->matcher[i], item);
        if (!hit || s->full || is_name(item) || !row_tick(item, &tick)) continue;
        if (!keep(r, i, item, tick)) r->err = WF_ERR_NOMEM;
    }
    r->session = session;
    return r->err == WF_OK && !s->full;
}

// Tasks of one key follow each other in both lists.
static void end_items(void *ctx) {
    struct reading *r = ctx;
    struct pair_side *s = r->side;
    unsigned tasks = r->model ? wf_model_tasks(r->model) : 0;
    struct wf_entity e;
    s->entity = calloc(tasks + (size_t)1, sizeof *s->entity);
    if (!s->entity) r->err = WF_ERR_NOMEM;
    for (uint32_t n = 0; s->entity && n < wf_timeline_entities(s->a->timeline); ++n) {
        unsigned i = 0;
        wf_timeline_entity(s->a->timeline, n, &e);
        if (e.kind != WF_ENTITY_TASK) continue;
        while (i < tasks && (s->entity[i] || wf_model_task(r->model, i)->key != e.key)) ++i;
        if (i < tasks) s->entity[i] = n;
    }
    if (r->model) wf_model_close(r->model);
    r->model = NULL;
}

static int by_id(const void *a, const void *b) {
    const struct pair_record *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->tick < y->tick ? -1 : x->tick > y->tick;
}

static void sort(struct pair_side *s) {
    if (s->count) qsort(s->records, s->count, sizeof *s->records, by_id);
    for (size_t i = 1; i < s->count; ++i) {
        struct pair_record *a = &s->records[i - 1], *b = &s->records[i];
        if (a->kind == b->kind && a->id == b->id) a->twice = b->twice = true;
    }
}

int pair_side_read(struct pair_side *s, const struct replay_progress *progress,
                   struct wf_error *error) {
    struct reading r = {.side = s};
    const struct replay_reading on = {
        .ctx = &r, .item = take_item, .end = end_items, .progress = *progress};
    int err = WF_OK;
    for (unsigned i = 0; i < s->kinds && err == WF_OK; ++i) {
        const struct wf_match_term term = {s->text[i], false};
        const struct wf_matcher_options o = {sizeof o, &term, 1, false};
        r.matcher[i] = wf_matcher_open(&o, error);
        if (!r.matcher[i]) err = error->code;
    }
    if (err == WF_OK) err = replay_run(s->a->replay, replay_oldest(s->a->replay), &on, error);
    for (unsigned i = 0; i < s->kinds; ++i) {
        if (err == WF_OK && wf_matcher_error(r.matcher[i]) != WF_OK) r.err = WF_ERR_NOMEM;
        if (r.matcher[i]) wf_matcher_close(r.matcher[i]);
    }
    if (err == WF_OK && r.err != WF_OK) err = wf_error_code(error, r.err);
    sort(s);
    return err;
}
