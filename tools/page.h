// SPDX-License-Identifier: MIT
// The time line's side of the page (docs/page-protocol.md): the trace's items go in, the pages that
// are open are told how it stands, and what they ask is answered. Short answers are given at once;
// long ones wait until page_work is called from where the loop is run, never from a callback of it,
// and let the loop run meanwhile.
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
    const struct args *args; // of the command, as stream_open takes them
    const char *listen, *token;
    uint64_t keep; // bytes of a live trace; 0: a file, all of it
    bool live, commands, keep_filters, target_clock;
    // A command that a page wants to be sent, not zero-terminated. May be null.
    void (*command)(void *ctx, const char *line);
    void *ctx;
};

struct page {
    struct page_options o;
    uv_loop_t *loop;
    struct wf_page *server;
    struct stream *stream;
    struct lane *lane; // whose trace it is
    struct answering about;
    struct wf_timeline *timeline;
    struct replay *replay;
    struct store store;
    struct wf_page_client *clients[WF_PAGE_CLIENTS_MAX];
    unsigned client_count;
    struct page_job *jobs, *job; // that wait; that is run
    bool stop;                   // the command is to end

    uint64_t done, of; // bytes of a file that is being read; of 0: none is
    bool up;           // a target is connected
    char note[256];    // last word on the link
    char error[256];
    struct wf_timeline_span span; // of the last hello
    char *status;                 // as it was told last
    uint64_t pushed_ns, turned_ns;
    unsigned items; // since the last look at the clock
};

// Opens the server; without a loop there is none. stream: opened, with the one lane; page_item is
// to be called with its items. Returns an exit code after complaining.
int page_open(struct page *p, uv_loop_t *loop, struct stream *stream, const struct page_options *o);
void page_close(struct page *p); // the loop has to run once more

void page_item(struct page *p, const struct wf_item *item);
// From time to time where items come in: lets the loop run, works, tells the pages. Not within
// callbacks of the loop.
void page_turn(struct page *p);
// Runs the jobs that wait. Not within callbacks of the loop.
void page_work(struct page *p);
// Tells the pages how it stands, if they do not know it yet and have not been told just now.
void page_push(struct page *p);
void page_note(struct page *p, const char *text);
// The trace has ended.
void page_end(struct page *p);
// What has become of a command, to all pages.
void page_said(struct page *p, const char *command, const char *end, const char *text);

// ---- inside: page_requests.c, page_status.c, page_recv.c

// Frames without a mask are refused from here on. Null: of no server.
void page_recv_watch(struct wf_page *server);

void page_request(struct page *p, struct wf_page_client *c, const char *text, size_t len);
void page_forget(struct page *p, struct wf_page_client *c); // its jobs are cancelled
void page_jobs_close(struct page *p);

struct page_hello {
    const struct answering *about;
    bool live, commands, kept;
};
void page_put_hello(FILE *out, const struct page_hello *h);
void page_put_status(FILE *out, const struct page *p);

// Short answers (page_rows.c, page_tiles.c); that of tiles is binary.
answer_fn answer_rows, answer_things, answer_arrows, answer_step, answer_tiles;

#endif
