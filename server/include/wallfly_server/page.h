// SPDX-License-Identifier: MIT
// Serves a trace to pages (docs/page-protocol.md): takes its items, sends its status to the open
// pages, and answers their queries. Short answers are sent at once. Long ones are jobs of
// page_work, which runs the loop meanwhile; so it must not be called from a callback of the loop.
#ifndef PAGE_H
#define PAGE_H

#include <uv.h>

#include "wallfly_backend/wf_page.h"
#include "wallfly_host/wf_trace.h"
#include "wallfly_server/page_query.h"
#include "wallfly_server/replay.h"
#include "wallfly_server/site.h"
#include "wallfly_server/store.h"

struct page_job;

// The trace that pages show. What it points to must outlive the page.
struct page_source {
    const char *name; // as messages name it
    const struct wf_trace *trace;
    struct wf_lane *lane;        // the lane that is shown
    struct replay_options again; // how it is read again; the page sets `spool` and `warn`
    // Takes names for the lane's session and later readings, with the ctx of `again`: bytes of a
    // program's file or a dictionary file, which it frees. Returns an error of wf_err.h. May be
    // null.
    int (*names)(void *ctx, uint8_t *bytes, size_t len, struct wf_error *error);
};

// Addresses of other pages, for links in the header.
struct page_around {
    const char *list;
    const char *earlier, *later; // null: none
};

struct page_options {
    const char *title; // shown as the name of the source; null: its name
    uint64_t keep;     // bytes kept of a live trace; 0: a file, all of it
    uint64_t sql;      // most bytes of the database for SQL queries; 0: no queries
    const char *notes; // the file of notes; null: none, and of a live trace they are in memory
    bool live, commands, keep_filters, target_clock;
    const struct page_around *around; // null: the page has no links to others
    // A command that a page requests to send, zero-terminated. May be null.
    void (*command)(void *ctx, const char *line);
    // Begins or ends a recording for a page. Returns an error of wf_err.h. May be null.
    int (*record)(void *ctx, bool on, struct wf_error *error);
    void *ctx;
    // Reports a problem for the user. ctx has no meaning. May be null without a site.
    void (*warn)(void *ctx, const char *text);
};

// The recording that is being made.
struct page_recording {
    char name[256]; // of its file; empty: none
    uint64_t bytes; // received
    double seconds; // since its begin
};

struct page {
    struct page_options o;
    struct site *site; // null: no pages are served
    uv_loop_t *loop;   // the site's
    struct page_source source;
    struct wf_session *session; // of the lane that is shown
    struct page_query_context about;
    struct wf_timeline *timeline;
    struct replay *replay;
    struct sql_console *console; // null: no SQL queries
    struct object_histories *histories;
    struct arrivals *arrivals;
    struct marks *marks; // empty at first; the owner of the page adds them at any time
    struct page_notes *notes;
    struct page_upload *upload; // a file of names
    struct store store;
    struct wf_page_client *clients[WF_PAGE_CLIENTS_MAX];
    unsigned client_count;
    struct page_job *jobs, *job; // queued jobs; the running one, or the innermost of two
    bool stop;                   // the command must end

    uint64_t done, of; // bytes of a file being read; of 0: none
    bool up;           // a target is connected
    char note[256];    // latest message of the link
    struct page_recording recording;
    char error[256];
    struct wf_timeline_span span; // of the last hello
    enum wf_lane_format format;   // of the last hello
    bool ended;                   // the same
    char *status;                 // as sent last
    uint64_t pushed_ns, turned_ns;
    unsigned items; // since the last read of the clock
};

// Adds the page to a site; null: it is not served. Call page_item with the items of the lane.
//   error    on an error the message for the user
//   returns  WF_OK, WF_ERR_NOMEM, WF_ERR_WRITE, WF_ERR_TOO_MANY
int page_open(struct page *p, struct site *site, const struct page_source *source,
              const struct page_options *o, struct wf_error *error);
void page_close(struct page *p); // after its site

void page_item(struct page *p, const struct wf_item *item);
// Call it with the chunks of a recording that the lane has, before the items that they end.
void page_chunk(struct page *p, const struct wf_chunk *chunk);
// Call this regularly while items are taken: it runs the loop and the jobs of the site, and updates
// the pages.
// Not from callbacks of the loop.
void page_turn(struct page *p);
// Runs the queued jobs up to the first background one and that. Not from callbacks of the loop.
//   returns  whether jobs are left
bool page_work(struct page *p);
// Sends the status to the pages if it has changed, at most ten times a second.
void page_push(struct page *p);
void page_note(struct page *p, const char *text);
// Returns why the file of notes was not read; null: it was, or there is none.
const char *page_notes_problem(const struct page *p);
// The trace has ended.
void page_end(struct page *p);
// Sends the result of a command to all pages.
void page_send_result(struct page *p, const char *command, const char *end, const char *text);

#endif
