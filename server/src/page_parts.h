// SPDX-License-Identifier: MIT
// Messages to pages, their requests, and the short answers.
#ifndef PAGE_PARTS_H
#define PAGE_PARTS_H

#include "wallfly_server/page_export.h"

// Refuses frames without a mask from now on. Null: stops checking.
void page_recv_watch(struct wf_page *server);

// Clients of the site that are for this page.
void page_client_up(struct page *p, struct wf_page_client *c);
void page_client_message(struct page *p, struct wf_page_client *c, const char *text, size_t len);
void page_client_down(struct page *p, struct wf_page_client *c);

void page_request(struct page *p, struct wf_page_client *c, const char *text, size_t len);
void page_forget(struct page *p, struct wf_page_client *c); // cancels its jobs
void page_jobs_close(struct page *p);

// Messages: a function writes one as JSON.
typedef void page_put_fn(FILE *out, const void *ctx);
// Makes a message in memory; the caller frees it. Returns null when out of memory.
char *page_message(page_put_fn *put, const void *ctx, size_t *len);
void page_send(struct wf_page_client *c, page_put_fn *put, const void *ctx);

struct page_hello {
    const struct page_query_context *about;
    bool live, commands, kept;
    const struct page_around *around; // null: none
};
page_put_fn page_put_hello;  // ctx: struct page_hello
page_put_fn page_put_status; // ctx: struct page

// Tiles: a tile of level n has 2^9 buckets of 2^n ticks each.
enum { TILE_BUCKETS_LOG = 9, TILE_LEVEL_MAX = 52 };
// Flags of a tile: the trace may still add pieces; not all pieces fit.
enum { TILE_GROWS = 1, TILE_MORE = 2 };

// Short answers (page_rows.c, page_tiles.c, page_load.c). The answer with tiles is binary.
page_query_fn page_query_rows, page_query_entities, page_query_arrows, page_query_step,
    page_query_tiles, page_query_load, page_query_beyond;
// And those about marks (page_marks.c).
page_query_fn page_query_rules, page_query_marks, page_query_mark, page_query_failures;
page_query_fn page_query_added;
// And those about notes (page_notes.c).
page_query_fn page_query_notes, page_query_note;
// A file of names from a page (page_names.c).
page_query_fn page_query_names;
struct page_upload *page_upload_open(struct page *p); // null when out of memory
void page_upload_close(struct page_upload *u);
void page_upload_drop(struct page_upload *u, const struct wf_page_client *c); // ends that of c
// Writes the marks that touch from..until (ticks of the target), as in their answers, with commas.
int page_marks_put(const struct page_query_context *a, uint64_t from, uint64_t until, FILE *out);

// The members of an exported page that are not answers (page_export_tiles.c,
// page_export_records.c, page_export_marks.c, page_load.c). Each function writes one member, and
// returns as page_export_put.
int page_export_put_loads(struct page_export *k, struct wf_error *error);
int page_export_put_tiles(struct page_export *k, struct wf_error *error);
int page_export_put_records(struct page_export *k, struct wf_error *error);
int page_export_put_marks(struct page_export *k, struct wf_error *error);
// Returns whether the output so far exceeds size_max.
bool page_export_too_long(const struct page_export *k);

#endif
