// SPDX-License-Identifier: MIT
// The web server of one trace, or of several that are shown above one another. Each has a page
// (page.h) and a WebSocket of its own: "ws/NUMBER", or "ws" if it is the only one. Of several, "ws"
// gives their list (docs/page-protocol.md).
#ifndef SITE_H
#define SITE_H

#include <uv.h>

#include "wallfly_backend/wf_page.h"

enum { SITE_PAGES_MAX = 32 };

struct page;

struct site {
    uv_loop_t *loop;
    struct wf_page *server;
    struct page *pages[SITE_PAGES_MAX];
    unsigned count;
};

// Starts listening. listen, token: as of wf_page_options. warn: reports a problem for the user.
//   error    on an error the message for the user
//   returns  as wf_page_open
int site_open(struct site *s, uv_loop_t *loop, const char *listen, const char *token,
              void (*warn)(void *ctx, const char *text), struct wf_error *error);
// Adds a page before the loop runs. It must live until the loop has run after site_close.
//   returns  WF_OK, WF_ERR_TOO_MANY
int site_add(struct site *s, struct page *p);
// Closes all connections, before the pages are closed. Run the loop once more afterwards.
void site_close(struct site *s);

// Runs the queued jobs of all pages and sends their status. Not from callbacks of the loop.
void site_work(struct site *s);

#endif
