// SPDX-License-Identifier: MIT
// Searches parts: in threads if the trace can be read from many places, else in one reading.

#include <stdlib.h>
#include <string.h>

#include "page_search_state.h"

// ---- parts

bool page_search_add(struct page_search *s, uint64_t first, uint64_t last) {
    while (first <= last) {
        if (s->count == s->cap) {
            size_t cap = s->cap ? 2 * s->cap : 64;
            struct search_part *parts = realloc(s->parts, cap * sizeof *parts);
            if (!parts) return false;
            s->parts = parts;
            s->cap = cap;
        }
        uint64_t end = last - first < PAGE_SEARCH_PART ? last : first + PAGE_SEARCH_PART - 1;
        s->parts[s->count++] = (struct search_part){.first = first, .last = end};
        first = end + 1;
    }
    s->until = last;
    return true;
}

size_t page_search_order(const struct page_search *s, size_t n) {
    return n < s->first_count ? (s->start + n) % s->first_count : n;
}

struct wf_matcher *page_search_matcher(const struct page_search *s, struct wf_error *error) {
    const struct wf_matcher_options o = {sizeof o, s->terms, s->term_count, s->group};
    return wf_matcher_open(&o, error);
}

uint64_t page_search_tick(const struct wf_item *item, uint64_t before) {
    uint64_t tick = 0;
    if (item->kind == WF_ITEM_RECORD) tick = item->record.tick;
    if (item->kind == WF_ITEM_EVENT) tick = item->event->tick;
    if (item->kind == WF_ITEM_LOSS) tick = item->loss.tick_before;
    return tick ? tick : before;
}

// ---- a reading of a part

struct scan {
    struct page_search *s;
    struct wf_matcher *matcher;
    struct search_part part; // a copy
    uint64_t tick;
    unsigned items;
    bool stop;
    uint16_t hits[PAGE_SEARCH_PART];
    uint32_t bins[PAGE_SEARCH_BINS];
};

static bool is_stopped(struct page_search *s) {
    uv_mutex_lock(&s->lock);
    bool stop = s->stop;
    uv_mutex_unlock(&s->lock);
    return stop;
}

static void begin_session(void *ctx, struct wf_session *session) {
    wf_matcher_use(((struct scan *)ctx)->matcher, session);
}

static void note_hit(struct scan *c, uint64_t number) {
    const struct page_search *s = c->s;
    uint64_t bin = (c->tick > s->a.t0 ? c->tick - s->a.t0 : 0) >> s->shift;
    ++c->bins[bin < PAGE_SEARCH_BINS ? bin : PAGE_SEARCH_BINS - 1];
    c->hits[c->part.count++] = (uint16_t)(number - c->part.first);
}

static bool take_item(void *ctx, struct wf_session *session, const struct wf_item *item,
                      uint64_t number) {
    enum { LOOK = 8192 }; // items between looks whether to stop
    struct scan *c = ctx;
    (void)session;
    c->tick = page_search_tick(item, c->tick);
    bool hit = wf_matcher_item(c->matcher, item);
    if (hit && number >= c->part.first) note_hit(c, number);
    if (++c->items % LOOK == 0) c->stop = is_stopped(c->s);
    return !c->stop;
}

static void keep_part(struct scan *c, struct search_part *part) {
    struct page_search *s = c->s;
    uint32_t count = c->part.count;
    part->count = count;
    part->done = true;
    s->rows += part->last - part->first + 1;
    for (size_t i = 0; count && i < PAGE_SEARCH_BINS; ++i) s->bins[i] += c->bins[i];
    if (!count || s->kept + count > PAGE_SEARCH_KEPT) return;
    part->hits = malloc(count * sizeof *part->hits);
    if (!part->hits) return; // they are found again
    memcpy(part->hits, c->hits, count * sizeof *part->hits);
    s->kept += count;
}

static void note_ready(struct page_search *s) {
    while (s->ready < s->count && s->parts[page_search_order(s, s->ready)].done) ++s->ready;
}

// Searches the next part. Returns false if there is none, or after an error.
static bool scan_next(struct scan *c) {
    const struct replay_part_reading on = {c, begin_session, take_item};
    struct page_search *s = c->s;
    struct wf_error error;
    uv_mutex_lock(&s->lock);
    bool more = !s->stop && s->taken < s->count;
    size_t at = more ? page_search_order(s, s->taken++) : 0;
    if (more) c->part = s->parts[at];
    uv_mutex_unlock(&s->lock);
    if (!more) return false;
    memset(c->bins, 0, sizeof c->bins);
    c->tick = s->a.t0;
    int err = replay_run_part(s->a.replay, s->names, c->part.first, c->part.last, &on, &error);
    if (err == WF_OK && wf_matcher_error(c->matcher) != WF_OK)
        err = wf_error_code(&error, WF_ERR_NOMEM);
    uv_mutex_lock(&s->lock);
    // Rows that a live trace no longer keeps have no hits.
    bool gone = err == WF_ERR_READ && s->a.live;
    if (gone) c->part.count = 0;
    if (c->stop)
        s->stop = true;
    else if (err != WF_OK && !gone)
        s->error = error, s->stop = true;
    else
        keep_part(c, &s->parts[at]);
    note_ready(s);
    uv_mutex_unlock(&s->lock);
    return true;
}

static struct scan *open_scan(struct page_search *s, struct wf_error *error) {
    struct scan *c = malloc(sizeof *c);
    if (!c) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    memset(c, 0, sizeof *c);
    c->s = s;
    c->matcher = page_search_matcher(s, error);
    if (c->matcher) return c;
    free(c);
    return NULL;
}

static void close_scan(struct scan *c) {
    if (c) wf_matcher_close(c->matcher);
    free(c);
}

// ---- threads

static void run_thread(void *ctx) {
    struct page_search *s = ctx;
    struct wf_error error;
    struct scan *c = open_scan(s, &error);
    while (c && scan_next(c)) {
    }
    uv_mutex_lock(&s->lock);
    if (!c) s->error = error, s->stop = true;
    --s->running;
    uv_mutex_unlock(&s->lock);
    close_scan(c);
}

int page_search_start(struct page_search *s) {
    unsigned want = uv_available_parallelism();
    page_search_join(s);
    wf_session_close(s->names);
    s->names = replay_names(s->a.replay);
    if (!s->names) return WF_ERR_NOMEM;
    if (want > PAGE_SEARCH_THREADS) want = PAGE_SEARCH_THREADS;
    while (s->thread_count < want) {
        uv_mutex_lock(&s->lock);
        ++s->running;
        uv_mutex_unlock(&s->lock);
        if (uv_thread_create(&s->threads[s->thread_count], run_thread, s) == 0) {
            ++s->thread_count;
            continue;
        }
        uv_mutex_lock(&s->lock);
        --s->running;
        uv_mutex_unlock(&s->lock);
        break;
    }
    return s->thread_count ? WF_OK : WF_ERR_NOMEM;
}

void page_search_join(struct page_search *s) {
    while (s->thread_count) uv_thread_join(&s->threads[--s->thread_count]);
}

// ---- in this thread

// Frames, part by part: names come from a program's file.
static int scan_parts(struct scan *c, const struct page_query_context *a) {
    struct page_search *s = c->s;
    s->names = replay_names(s->a.replay);
    if (!s->names) return WF_ERR_NOMEM;
    while (scan_next(c)) {
        if (!replay_report(&a->progress, s->rows < s->until ? s->rows : s->until, s->until))
            return WF_ERR_STOPPED;
    }
    return WF_OK;
}

struct whole {
    struct scan *c;
    struct wf_session *session;
    uint64_t at_tick;
    bool begun; // the row where the page wanted to begin was reached
};

// Ends the current part.
static bool end_part(struct scan *c, uint64_t last) {
    struct page_search *s = c->s;
    if (last < c->part.first) return true;
    if (!page_search_add(s, c->part.first, last)) return false;
    c->part.last = last;
    keep_part(c, &s->parts[s->count - 1]);
    s->taken = s->ready = s->first_count = s->count;
    memset(c->bins, 0, sizeof c->bins);
    c->part = (struct search_part){.first = last + 1};
    return true;
}

static bool take_whole(void *ctx, struct wf_session *session, const struct wf_item *item,
                       uint64_t number) {
    struct whole *w = ctx;
    struct scan *c = w->c;
    bool good = true;
    if (w->session != session) wf_matcher_use(c->matcher, w->session = session);
    if (item->kind == WF_ITEM_DAMAGE) return true;
    c->tick = page_search_tick(item, c->tick);
    bool starts = !w->begun && c->tick >= w->at_tick;
    if (starts || number - c->part.first == PAGE_SEARCH_PART) good = end_part(c, number - 1);
    if (starts) c->s->begin = c->s->count;
    w->begun |= starts;
    if (wf_matcher_item(c->matcher, item)) note_hit(c, number);
    if (!good) wf_error_code(&c->s->error, WF_ERR_NOMEM);
    c->s->until = number;
    return good;
}

static int scan_whole(struct scan *c, const struct page_query_context *a, uint64_t at_tick,
                      struct wf_error *error) {
    struct whole w = {.c = c, .at_tick = at_tick};
    const struct replay_reading on = {.ctx = &w, .item = take_whole, .progress = a->progress};
    c->part.first = 1;
    c->tick = a->t0;
    int err = replay_run(a->replay, REPLAY_ALL, &on, error);
    if (err == WF_OK && !end_part(c, c->s->until)) err = wf_error_code(error, WF_ERR_NOMEM);
    if (!w.begun) c->s->begin = c->s->count;
    return err;
}

int page_search_here(struct page_search *s, const struct page_query_context *a, uint64_t at_tick,
                     struct wf_error *error) {
    struct scan *c = open_scan(s, error);
    if (!c) return error->code;
    s->running = 1;
    int err = replay_has_parts(a->replay) ? scan_parts(c, a) : scan_whole(c, a, at_tick, error);
    if (err == WF_OK && (s->error.code != WF_OK || wf_matcher_error(c->matcher) != WF_OK)) {
        err = s->error.code != WF_OK ? s->error.code : WF_ERR_NOMEM;
        *error = s->error;
    }
    s->running = 0;
    close_scan(c);
    return err;
}
