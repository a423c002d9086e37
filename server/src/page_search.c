// SPDX-License-Identifier: MIT
// Begins and ends searches, and reports how far they are.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "page_search_state.h"

struct page_searches {
    struct page_search *first;
};

enum { WHICH_MAX = 1 }; // a page has two searches: of its search box, and of its table's filter

struct page_searches *page_searches_open(void) {
    return calloc(1, sizeof(struct page_searches));
}

// ---- one search

static void free_search(struct page_search *s) {
    uv_mutex_lock(&s->lock);
    s->stop = true;
    uv_mutex_unlock(&s->lock);
    page_search_join(s);
    for (size_t i = 0; i < s->count; ++i) free(s->parts[i].hits);
    free(s->parts);
    wf_session_close(s->names);
    uv_mutex_destroy(&s->lock);
    free(s);
}

// Removes the searches of a client (of all: null), or one of them (which < 0: all).
static void remove_searches(struct page_searches *all, const void *client, int64_t which) {
    for (struct page_search **p = &all->first; *p;) {
        struct page_search *s = *p;
        bool meant = (!client || s->client == client) && (which < 0 || s->which == which);
        if (!meant || s->busy) {
            if (meant) s->dead = true;
            p = &s->next;
            continue;
        }
        *p = s->next;
        free_search(s);
    }
}

bool page_searches_run(const struct page_searches *all) {
    bool run = false;
    for (struct page_search *s = all->first; s; s = s->next) {
        uv_mutex_lock(&s->lock);
        run |= s->running > 0;
        uv_mutex_unlock(&s->lock);
    }
    return run;
}

void page_searches_drop(struct page_searches *all, const void *client) {
    remove_searches(all, client, -1);
}

void page_searches_close(struct page_searches *all) {
    if (!all) return;
    for (struct page_search *s = all->first; s; s = s->next) s->busy = false;
    remove_searches(all, NULL, -1);
    free(all);
}

void page_search_release(struct page_searches *all, struct page_search *s) {
    s->busy = false;
    if (s->dead) remove_searches(all, s->client, s->which);
}

struct page_search *page_search_of(const struct page_query_context *a, const cJSON *ask,
                                   struct wf_error *error) {
    int64_t which;
    if (!page_query_number(ask, "which", 0, WHICH_MAX, &which, error)) return NULL;
    for (struct page_search *s = a->searches->first; s; s = s->next) {
        if (s->client == a->client && s->which == which && !s->dead) return s;
    }
    wf_error_set(error, WF_ERR_USAGE, "there is no search");
    return NULL;
}

// ---- the request

static bool add_term(struct page_search *s, const char *text, bool absent) {
    if (s->term_count == WF_MATCH_TERMS_MAX) return false;
    s->terms[s->term_count++] = (struct wf_match_term){text, absent};
    return true;
}

// Splits a filter into words; those behind a minus must be absent.
static bool split_filter(struct page_search *s) {
    static const char blanks[] = " \t\n\r\f\v";
    bool good = true;
    s->group = true;
    for (char *word = s->text + strspn(s->text, blanks); *word && good;) {
        char *end = word + strcspn(word, blanks), *next = end + strspn(end, blanks);
        *end = 0;
        bool absent = word[0] == '-' && word[1];
        good = add_term(s, word + absent, absent);
        word = next;
    }
    return good && s->term_count > 0;
}

static bool read_terms(struct page_search *s, const cJSON *ask, struct wf_error *error) {
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(ask, "text");
    const cJSON *filter = cJSON_GetObjectItemCaseSensitive(ask, "filter");
    const cJSON *given = text ? text : filter;
    if (!cJSON_IsString(given) || !*given->valuestring ||
        strlen(given->valuestring) > PAGE_SEARCH_TEXT) {
        wf_error_set(error, WF_ERR_USAGE, "'text' or 'filter' is not a text of 1 to %d bytes",
                     PAGE_SEARCH_TEXT);
        return false;
    }
    memcpy(s->text, given->valuestring, strlen(given->valuestring) + 1);
    if (text) return add_term(s, s->text, false);
    if (split_filter(s)) return true;
    wf_error_set(error, WF_ERR_USAGE, "a filter has 1 to %d words", WF_MATCH_TERMS_MAX);
    return false;
}

static struct page_search *open_search(const struct page_query_context *a, int64_t which,
                                       struct wf_error *error) {
    struct page_search *s = calloc(1, sizeof *s);
    if (!s || uv_mutex_init(&s->lock) != 0) {
        free(s);
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    s->a = *a;
    s->a.progress = (struct replay_progress){NULL, NULL};
    s->client = a->client;
    s->which = which;
    s->next = a->searches->first;
    a->searches->first = s;
    return s;
}

// Makes bins wide enough for the trace, with room to grow.
static void fit_bins(struct page_search *s) {
    struct wf_timeline_span span;
    wf_timeline_extent(s->a.timeline, &span);
    uint64_t length = span.known && span.last > s->a.t0 ? span.last - s->a.t0 : 0;
    while (length >> s->shift >= PAGE_SEARCH_BINS) {
        for (size_t i = 0; i < PAGE_SEARCH_BINS; ++i) {
            uint32_t sum = 2 * i + 1 < PAGE_SEARCH_BINS ? s->bins[2 * i] + s->bins[2 * i + 1] : 0;
            s->bins[i] = sum;
        }
        ++s->shift;
    }
}

// Begins at the row; the part that begins there is searched first.
static int begin_frames(struct page_search *s, const struct page_query_context *a, uint64_t row,
                        struct wf_error *error) {
    uint64_t first = replay_gone(a->replay) + 1, last = replay_rows(a->replay);
    if (row < first) row = first;
    if (row > last + 1) row = last + 1;
    bool good = first >= row || page_search_add(s, first, row - 1);
    s->begin = s->start = s->count;
    good = good && (row > last || page_search_add(s, row, last));
    s->first_count = s->count;
    if (s->start == s->count) s->start = 0;
    s->until = last;
    if (!good) return wf_error_code(error, WF_ERR_NOMEM);
    if (!replay_is_parallel(a->replay)) return page_search_here(s, a, 0, error);
    int err = page_search_start(s);
    return err == WF_OK ? err : wf_error_code(error, err);
}

static int begin_search(struct page_search *s, const struct page_query_context *a, const cJSON *ask,
                        struct wf_error *error) {
    const int64_t most = INT64_C(1) << 53;
    int64_t at = -most;
    uint64_t row = 1;
    if (!read_terms(s, ask, error)) return WF_ERR_USAGE;
    if (cJSON_GetObjectItemCaseSensitive(ask, "at") &&
        !page_query_number(ask, "at", -most, most, &at, error))
        return WF_ERR_USAGE;
    uint64_t tick = page_query_tick(a, at);
    fit_bins(s);
    if (!replay_has_parts(a->replay)) return page_search_here(s, a, tick, error);
    int err = at == -most ? WF_OK : page_search_row_at(a, tick, &row, error);
    return err == WF_OK ? begin_frames(s, a, row, error) : err;
}

int page_query_search(const struct page_query_context *a, const cJSON *ask, FILE *out,
                      struct wf_error *error) {
    int64_t which;
    if (!page_query_number(ask, "which", 0, WHICH_MAX, &which, error)) return WF_ERR_USAGE;
    remove_searches(a->searches, a->client, which);
    bool begins = cJSON_GetObjectItemCaseSensitive(ask, "text") ||
                  cJSON_GetObjectItemCaseSensitive(ask, "filter");
    fprintf(out, "\"begun\":%s", begins ? "true" : "false");
    if (!begins) return WF_OK;
    struct page_search *s = open_search(a, which, error);
    if (!s) return WF_ERR_NOMEM;
    s->busy = true;
    int err = begin_search(s, a, ask, error);
    if (err != WF_OK) s->dead = true;
    page_search_release(a->searches, s);
    return err;
}

// ---- how far it is

// Searches what has come since, in threads.
static int search_more(struct page_search *s) {
    uint64_t last = replay_rows(s->a.replay);
    uv_mutex_lock(&s->lock);
    bool idle = !s->running && s->ready == s->count && !s->busy;
    uv_mutex_unlock(&s->lock);
    if (!idle || last <= s->until || !replay_is_parallel(s->a.replay)) return WF_OK;
    page_search_join(s);
    fit_bins(s);
    if (!page_search_add(s, s->until + 1, last)) return WF_ERR_NOMEM;
    return page_search_start(s);
}

static void put_bins(const struct page_search *s, FILE *out) {
    const char *between = "";
    fprintf(out, ",\"width\":%" PRIu64 ",\"bins\":[", UINT64_C(1) << s->shift);
    for (size_t i = 0; i < PAGE_SEARCH_BINS; ++i) {
        if (!s->bins[i]) continue;
        fprintf(out, "%s[%zu,%u]", between, i, s->bins[i]);
        between = ",";
    }
    putc(']', out);
}

static void put_found(const struct page_search *s, bool bins, FILE *out) {
    uint64_t count = 0, before = 0;
    for (size_t n = 0; n < s->ready; ++n) {
        size_t at = page_search_order(s, n);
        count += s->parts[at].count;
        if (at < s->begin) before += s->parts[at].count;
    }
    bool grows = replay_is_parallel(s->a.replay) && s->until < replay_rows(s->a.replay);
    bool done = !s->running && s->ready == s->count && !s->busy && !grows;
    fprintf(out,
            "\"count\":%" PRIu64 ",\"start\":%" PRIu64 ",\"done\":%s,\"searched\":%" PRIu64
            ",\"of\":%" PRIu64 ",\"until\":%" PRIu64,
            count, before, done ? "true" : "false", s->rows, replay_rows(s->a.replay), s->until);
    if (bins) put_bins(s, out);
}

int page_query_found(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    struct page_search *s = page_search_of(a, ask, error);
    if (!s) return WF_ERR_USAGE;
    int err = search_more(s);
    if (err != WF_OK) return wf_error_code(error, err);
    uv_mutex_lock(&s->lock);
    err = s->error.code;
    if (err != WF_OK)
        *error = s->error;
    else
        put_found(s, cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(ask, "bins")), out);
    uv_mutex_unlock(&s->lock);
    return err;
}
