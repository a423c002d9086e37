// SPDX-License-Identifier: MIT
// Some hits of a search, by their place in the list or from a row or time on: their parts are read
// again, from the first one that is wanted.

#include <inttypes.h>
#include <stdlib.h>

#include "page_search_state.h"
#include "rows.h"
#include "wallfly_server/json.h"

// ---- a row by its time

struct moment {
    uint64_t tick, row;
};

static bool take_until(void *ctx, struct wf_session *session, const struct wf_item *item,
                       uint64_t number) {
    struct moment *m = ctx;
    uint64_t tick;
    (void)session;
    if (item->kind == WF_ITEM_DAMAGE) return true;
    bool reached = row_tick(item, &tick) && tick >= m->tick;
    m->row = number + !reached;
    return !reached;
}

int page_search_row_at(const struct page_query_context *a, uint64_t tick, uint64_t *row,
                       struct wf_error *error) {
    struct moment m = {.tick = tick, .row = replay_near(a->replay, tick)};
    const struct replay_reading on = {.ctx = &m, .item = take_until, .progress = a->progress};
    uint64_t least = replay_gone(a->replay) + 1;
    if (m.row < least) m.row = least;
    int err = m.row > replay_rows(a->replay) ? WF_OK : replay_run(a->replay, m.row, &on, error);
    *row = m.row;
    return err;
}

// ---- a reading

struct listing {
    struct page_search *s;
    struct wf_matcher *matcher;
    struct wf_session *session;
    FILE *out;      // null: only counts
    uint64_t first; // row
    uint64_t skip;  // hits to leave out
    uint64_t left;  // hits to write
    uint64_t given; // written, or counted
    uint64_t tick;
};

static void put_part(FILE *out, const char *name, const struct wf_match_text *text) {
    fprintf(out, ",\"%s\":", name);
    json_bytes(out, text->bytes, text->len);
}

static void put_hit(struct listing *l, const struct wf_item *item, uint64_t number) {
    struct wf_match_row row;
    if (!wf_matcher_describe(l->matcher, item, &row)) return;
    uint64_t t0 = l->s->a.t0;
    fprintf(l->out, "%s{\"number\":%" PRIu64 ",\"t\":%" PRId64, l->given ? ",\n" : "", number,
            l->tick > t0 ? (int64_t)(l->tick - t0) : 0);
    if (item->kind == WF_ITEM_RECORD) fprintf(l->out, ",\"core\":%u", item->record.core);
    if (item->kind == WF_ITEM_EVENT) fprintf(l->out, ",\"core\":%u", item->event->core);
    put_part(l->out, "kind", &row.kind);
    if (row.group.len) put_part(l->out, "group_name", &row.group);
    put_part(l->out, "name", &row.name);
    put_part(l->out, "words", &row.words);
    putc('}', l->out);
}

static void begin_session(void *ctx, struct wf_session *session) {
    wf_matcher_use(((struct listing *)ctx)->matcher, session);
}

static bool take_item(void *ctx, struct wf_session *session, const struct wf_item *item,
                      uint64_t number) {
    struct listing *l = ctx;
    (void)session;
    l->tick = page_search_tick(item, l->tick);
    bool hit = wf_matcher_item(l->matcher, item) && number >= l->first;
    if (hit && l->skip) {
        --l->skip;
    } else if (hit) {
        if (l->out) put_hit(l, item, number);
        ++l->given;
        --l->left;
    }
    return l->left > 0;
}

struct whole {
    struct listing *l;
    uint64_t last;
};

static bool take_whole(void *ctx, struct wf_session *session, const struct wf_item *item,
                       uint64_t number) {
    struct whole *w = ctx;
    if (w->l->session != session) begin_session(w->l, w->l->session = session);
    return number <= w->last && take_item(w->l, session, item, number);
}

static int read_rows(struct listing *l, const struct page_query_context *a, uint64_t first,
                     uint64_t last, struct wf_error *error) {
    const struct replay_part_reading part = {l, begin_session, take_item};
    struct whole w = {l, last};
    const struct replay_reading whole = {.ctx = &w, .item = take_whole, .progress = a->progress};
    l->first = first;
    l->session = NULL;
    l->tick = a->t0;
    int err = replay_has_parts(a->replay)
                  ? replay_run_part(a->replay, l->s->names, first, last, &part, error)
                  : replay_run(a->replay, REPLAY_ALL, &whole, error);
    if (err == WF_OK && wf_matcher_error(l->matcher) != WF_OK)
        err = wf_error_code(error, WF_ERR_NOMEM);
    return err;
}

// ---- places

// Copies a part; its hits stay where they are until the search ends. Returns false if its hits are
// not known yet.
static bool copy_part(struct page_search *s, size_t at, struct search_part *part) {
    uv_mutex_lock(&s->lock);
    size_t order = at >= s->first_count ? at : (at + s->first_count - s->start) % s->first_count;
    bool ready = order < s->ready;
    *part = s->parts[at];
    uv_mutex_unlock(&s->lock);
    return ready;
}

static int count_before(struct listing *l, const struct page_query_context *a,
                        const struct search_part *part, uint64_t number, uint64_t *count,
                        struct wf_error *error) {
    *count = 0;
    if (number <= part->first) return WF_OK;
    if (part->hits) {
        while (*count < part->count && part->first + part->hits[*count] < number) ++*count;
        return WF_OK;
    }
    FILE *out = l->out;
    l->out = NULL;
    l->left = UINT64_MAX;
    l->given = 0;
    int err = part->count ? read_rows(l, a, part->first, number - 1, error) : WF_OK;
    *count = l->given;
    l->given = 0;
    l->out = out;
    return err;
}

// Returns the place in the list of the first hit at or after a row.
static int place_of(struct listing *l, const struct page_query_context *a, uint64_t number,
                    uint64_t *place, struct wf_error *error) {
    struct search_part part;
    uint64_t count;
    int err = WF_OK;
    *place = 0;
    for (size_t at = 0; at < l->s->count && err == WF_OK; ++at) {
        if (!copy_part(l->s, at, &part)) continue;
        if (part.first >= number) break;
        count = part.count;
        if (part.last >= number) err = count_before(l, a, &part, number, &count, error);
        *place += count;
    }
    return err;
}

static int write_hits(struct listing *l, const struct page_query_context *a, uint64_t first,
                      uint64_t most, struct wf_error *error) {
    struct search_part part;
    int err = WF_OK;
    l->left = most;
    for (size_t at = 0; at < l->s->count && l->left && err == WF_OK; ++at) {
        if (!copy_part(l->s, at, &part) || !part.count) continue;
        if (first >= part.count) {
            first -= part.count;
            continue;
        }
        uint64_t row = part.hits ? part.first + part.hits[first] : part.first;
        uint64_t end = first + l->left < part.count ? first + l->left : part.count;
        uint64_t last = part.hits ? part.first + part.hits[end - 1] : part.last;
        l->skip = part.hits ? 0 : first;
        first = 0;
        bool parts = replay_has_parts(a->replay);
        err = read_rows(l, a, row, parts ? last : l->s->until, error);
        if (!parts) break; // it has read the others, too
        if (err == WF_ERR_READ && a->live) err = wf_error_code(error, WF_OK); // overwritten
    }
    return err;
}

static int read_place(struct listing *l, const struct page_query_context *a, const cJSON *ask,
                      uint64_t *first, struct wf_error *error) {
    const int64_t most = INT64_C(1) << 53;
    bool by_number = cJSON_GetObjectItemCaseSensitive(ask, "number") != NULL;
    bool by_time = cJSON_GetObjectItemCaseSensitive(ask, "at") != NULL;
    const char *name = by_number ? "number" : by_time ? "at" : "first";
    uint64_t row;
    int64_t n;
    if (!page_query_number(ask, name, by_time && !by_number ? -most : 0, most, &n, error))
        return WF_ERR_USAGE;
    *first = row = (uint64_t)n;
    if (!by_number && !by_time) return WF_OK;
    int err = by_number ? WF_OK : page_search_row_at(a, page_query_tick(a, n), &row, error);
    return err == WF_OK ? place_of(l, a, row, first, error) : err;
}

int page_query_hits(const struct page_query_context *a, const cJSON *ask, FILE *out,
                    struct wf_error *error) {
    struct page_search *s = page_search_of(a, ask, error);
    int64_t most;
    uint64_t first;
    if (!s || !page_query_number(ask, "most", 1, PAGE_QUERY_ROWS, &most, error))
        return WF_ERR_USAGE;
    struct listing l = {.s = s, .out = out, .matcher = page_search_matcher(s, error)};
    if (!l.matcher) return error->code;
    s->busy = true;
    int err = read_place(&l, a, ask, &first, error);
    if (err == WF_OK) {
        fprintf(out, "\"first\":%" PRIu64 ",\"hits\":[", first);
        err = write_hits(&l, a, first, (uint64_t)most, error);
        putc(']', out);
    }
    wf_matcher_close(l.matcher);
    page_search_release(a->searches, s);
    return err;
}
