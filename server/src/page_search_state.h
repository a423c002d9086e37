// SPDX-License-Identifier: MIT
// Internals of a search. The rows are searched in parts: from the row where the search begins to
// the end, and then from the first row to there. Hits become known in this order: `ready` parts.
#ifndef PAGE_SEARCH_STATE_H
#define PAGE_SEARCH_STATE_H

#include <uv.h>

#include "wallfly_host/wf_matcher.h"
#include "wallfly_server/page_search.h"

enum {
    PAGE_SEARCH_PART = 32768, // rows; fits 16 bits
    PAGE_SEARCH_BINS = 4096,
    PAGE_SEARCH_THREADS = 8,
    PAGE_SEARCH_KEPT = 4 << 20, // hits whose rows are kept
    PAGE_SEARCH_TEXT = 256,     // bytes
};

struct search_part {
    uint64_t first, last;
    uint32_t count; // of hits
    bool done;      // searched
    uint16_t *hits; // their rows, from `first`; null: not kept
};

struct page_search {
    struct page_search *next;
    const void *client;
    int64_t which; // of the client's searches
    bool busy;     // a query uses it
    bool dead;     // it ends after that query
    struct page_query_context a;
    struct wf_match_term terms[WF_MATCH_TERMS_MAX];
    unsigned term_count;
    bool group;
    char text[PAGE_SEARCH_TEXT + WF_MATCH_TERMS_MAX];

    struct wf_session *names; // known when the threads began
    uv_thread_t threads[PAGE_SEARCH_THREADS];
    unsigned thread_count;

    uv_mutex_t lock; // of what follows
    bool stop;
    unsigned running; // threads
    struct search_part *parts;
    size_t count, cap;
    size_t first_count; // parts when the search began: those are searched from `start` on
    size_t start;       // the part that was searched first
    size_t begin;       // the part that begins where the page wanted
    size_t taken,
        ready;      // parts that were begun; those whose hits are known, in the order of search
    uint64_t rows;  // searched
    uint64_t until; // the last row that is or will be searched
    uint64_t kept;  // hits whose rows are kept
    unsigned shift; // a bin is 1 << shift ticks
    uint32_t bins[PAGE_SEARCH_BINS];
    struct wf_error error;
};

// ---- page_search_run.c

// Adds parts for the rows up to `last`. Returns false when out of memory.
bool page_search_add(struct page_search *s, uint64_t first, uint64_t last);
// The index of the part that is searched as number n.
size_t page_search_order(const struct page_search *s, size_t n);
// Starts threads for the parts that are not searched. Returns WF_OK or WF_ERR_NOMEM.
int page_search_start(struct page_search *s);
// Waits for the threads; they stop early if `stop` is set.
void page_search_join(struct page_search *s);
// Searches in this thread, with progress. Returns as page_query_fn.
int page_search_here(struct page_search *s, const struct page_query_context *a, uint64_t at_tick,
                     struct wf_error *error);
// Opens a matcher for the search. Returns null when out of memory.
struct wf_matcher *page_search_matcher(const struct page_search *s, struct wf_error *error);
// Returns the tick of an item, or of the row before it.
uint64_t page_search_tick(const struct wf_item *item, uint64_t before);

// ---- page_search_hits.c

// Returns the number of the first row at or after a tick.
int page_search_row_at(const struct page_query_context *a, uint64_t tick, uint64_t *row,
                       struct wf_error *error);
// The search that a query of a page means; null: it has none (`error`).
struct page_search *page_search_of(const struct page_query_context *a, const cJSON *ask,
                                   struct wf_error *error);
void page_search_release(struct page_searches *all, struct page_search *s); // after `busy`

#endif
