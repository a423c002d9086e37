// SPDX-License-Identifier: MIT
// Messages to pages, their requests, and the short answers.
#ifndef PAGE_PARTS_H
#define PAGE_PARTS_H

#include "wallfly_server/page.h"

// Refuses frames without a mask from now on. Null: stops checking.
void page_recv_watch(struct wf_page *server);

void page_request(struct page *p, struct wf_page_client *c, const char *text, size_t len);
void page_forget(struct page *p, struct wf_page_client *c); // cancels its jobs
void page_jobs_close(struct page *p);

struct page_hello {
    const struct page_query_context *about;
    bool live, commands, kept;
};
void page_put_hello(FILE *out, const struct page_hello *h);
void page_put_status(FILE *out, const struct page *p);

// Short answers (page_rows.c, page_tiles.c). The answer with tiles is binary.
page_query_fn page_query_rows, page_query_entities, page_query_arrows, page_query_step,
    page_query_tiles;

#endif
