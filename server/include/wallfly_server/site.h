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
struct site_group;

struct site {
    uv_loop_t *loop;
    struct wf_page *server;
    struct page *pages[SITE_PAGES_MAX];
    unsigned count;
    unsigned clients;         // open pages and lists
    struct site_group *group; // null: it is the only site of the server
    // Of a group:
    struct site *next;
    char folder[WF_PAGE_FOLDER_MAX + 1];
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

// Runs the queued jobs of all pages, those of its group, too, and sends their status. Not from
// callbacks of the loop.
void site_work(struct site *s);
// Returns a page of the site or its group; null behind the last one.
struct page *site_page(const struct site *s, unsigned i);

// ---- several sites

// Sites that share a server, each below a folder of its own; they may come and go while it runs.
struct site_group {
    uv_loop_t *loop;
    struct wf_page *server;
    struct site *first;
    // As of wf_page_handlers; set by the owner. The files of a page are "", "page.js" and
    // "page.css", that of the list of devices is "devices.css" (wf_page_answer_file).
    void (*request)(void *ctx, struct wf_page_request *r, const char *path, const char *query);
    void *ctx;
};

// Starts listening, as site_open.
int site_group_open(struct site_group *g, uv_loop_t *loop, const char *listen, const char *token,
                    void (*warn)(void *ctx, const char *text), struct wf_error *error);
// Adds a site, which is set, without pages. folder: "a/b/"
void site_group_add(struct site_group *g, struct site *s, const char *folder);
// Removes a site without clients, before its pages are closed. Not from callbacks of the loop.
void site_group_remove(struct site_group *g, struct site *s);
// As site_work and site_close.
void site_group_work(struct site_group *g);
void site_group_close(struct site_group *g);

#endif
