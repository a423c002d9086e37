// SPDX-License-Identifier: MIT
// Answers to those queries of the page that need single records (docs/page-protocol.md). Each one
// reads a part of the trace again and writes the members of its JSON answer.
#ifndef PAGE_QUERY_H
#define PAGE_QUERY_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_timeline.h"
#include "wallfly_host/wf_trace.h"
#include "wallfly_server/arrivals.h"
#include "wallfly_server/marks.h"
#include "wallfly_server/replay.h"

struct object_histories;
struct sql_console;

enum { PAGE_QUERY_ROWS = 500 }; // most rows before and after the place

struct page;
struct page_notes;
struct page_upload;
struct page_searches;

struct page_query_context {
    const struct page *page; // for exports
    struct replay *replay;
    struct wf_timeline *timeline;
    struct marks *marks;
    struct page_notes *notes;
    struct page_upload *upload; // a file of names that a page sends
    struct object_histories *histories;
    struct sql_console *console;     // null: no SQL queries
    const struct arrivals *arrivals; // null: none
    const char *source;              // name of the source
    unsigned lane;
    const struct wf_lane *of; // the lane that is shown; null: unknown
    uint64_t t0;              // tick of time 0
    uint64_t before;   // ticks before t0 in the stream that this is a part of (wf_session_is_part)
    uint64_t hz;       // 0: unknown
    bool target_clock; // times are shown by the target's clock
    bool ended;        // wf_timeline_end was called
    bool live;         // only the newest bytes are kept
    struct page_searches *searches;
    const void *client; // the page that sent the request
    struct replay_progress progress;
};

// Writes `"records":[...],"first":true` and so on.
//   ask      the request
//   error    on an error the message for the user
//   returns  WF_OK; WF_ERR_STOPPED when it was cancelled; WF_ERR_USAGE for an invalid request;
//            WF_ERR_READ, WF_ERR_NOMEM
typedef int page_query_fn(const struct page_query_context *a, const cJSON *ask, FILE *out,
                          struct wf_error *error);
page_query_fn page_query_records, page_query_record, page_query_find, page_query_stats,
    page_query_sequence, page_query_machine, page_query_distribution, page_query_intervals,
    page_query_explain, page_query_export, page_query_pairs;

struct page_query {
    const char *op;
    page_query_fn *answer;
    bool background; // may take minutes: other requests are answered meanwhile
};
extern const struct page_query page_queries[]; // ends with a null name

// Reads an integer of the request in least..most. Returns false if not valid.
bool page_query_number(const cJSON *ask, const char *name, int64_t least, int64_t most,
                       int64_t *value, struct wf_error *error);
// Converts a time of the page to a tick of the target.
uint64_t page_query_tick(const struct page_query_context *a, int64_t t);
// Converts a tick of the target to a time of the page.
static inline double page_query_time(const struct page_query_context *a, uint64_t tick) {
    return tick >= a->t0 ? (double)(tick - a->t0) : -(double)(a->t0 - tick);
}
// Reads `from` and `until`, as ticks of the target.
bool page_query_window(const struct page_query_context *a, const cJSON *ask, uint64_t *from,
                       uint64_t *until, struct wf_error *error);

#endif
