// SPDX-License-Identifier: MIT
// The time line's side of the page (docs/page-protocol.md): takes the trace's items, sends the
// status to the open pages, and answers their queries. Short answers are sent at once. Long ones
// wait until page_work is called, which must not be from a callback of the loop; they let the loop
// run meanwhile.
#ifndef PAGE_H
#define PAGE_H

#include <uv.h>

#include "answer.h"
#include "bundle.h"
#include "replay.h"
#include "store.h"
#include "wallfly_backend/wf_page.h"

struct page_job;

struct page_options {
    const struct args *args; // of the command, as for stream_open
    const char *listen, *token;
    uint64_t keep; // bytes kept of a live trace; 0: a file, all of it
    bool live, commands, keep_filters, target_clock;
    // A command that a page requests to send, zero-terminated. May be null.
    void (*command)(void *ctx, const char *line);
    void *ctx;
};

struct page {
    struct page_options o;
    uv_loop_t *loop;
    struct wf_page *server;
    struct stream *stream;
    struct lane *lane; // the lane that is shown
    struct answering about;
    struct wf_timeline *timeline;
    struct replay *replay;
    struct store store;
    struct wf_page_client *clients[WF_PAGE_CLIENTS_MAX];
    unsigned client_count;
    struct page_job *jobs, *job; // queued jobs; the running one
    bool stop;                   // the command must end

    uint64_t done, of; // bytes of a file being read; of 0: none
    bool up;           // a target is connected
    char note[256];    // latest message of the link
    char error[256];
    struct wf_timeline_span span; // of the last hello
    char *status;                 // as sent last
    uint64_t pushed_ns, turned_ns;
    unsigned items; // since the last read of the clock
};

// Opens the server; without a loop there is none. stream: opened, with its one lane; call page_item
// with its items. Returns an exit code, after an error message.
int page_open(struct page *p, uv_loop_t *loop, struct stream *stream, const struct page_options *o);
void page_close(struct page *p); // run the loop once more afterwards

void page_item(struct page *p, const struct wf_item *item);
// Call this regularly while items are taken: it runs the loop and the jobs, and updates the pages.
// Not from callbacks of the loop.
void page_turn(struct page *p);
// Runs the queued jobs. Not from callbacks of the loop.
void page_work(struct page *p);
// Sends the status to the pages if it has changed, at most ten times a second.
void page_push(struct page *p);
void page_note(struct page *p, const char *text);
// The trace has ended.
void page_end(struct page *p);
// Sends the result of a command to all pages.
void page_said(struct page *p, const char *command, const char *end, const char *text);

// ---- inside: page_requests.c, page_status.c, page_recv.c

// Refuses frames without a mask from now on. Null: stops checking.
void page_recv_watch(struct wf_page *server);

void page_request(struct page *p, struct wf_page_client *c, const char *text, size_t len);
void page_forget(struct page *p, struct wf_page_client *c); // cancels its jobs
void page_jobs_close(struct page *p);

struct page_hello {
    const struct answering *about;
    bool live, commands, kept;
};
void page_put_hello(FILE *out, const struct page_hello *h);
void page_put_status(FILE *out, const struct page *p);

// Short answers (page_rows.c, page_tiles.c). The answer with tiles is binary.
answer_fn answer_rows, answer_things, answer_arrows, answer_step, answer_tiles;

#endif
