// SPDX-License-Identifier: MIT
// Searches of pages: all records that have a text, counted by several threads while the page goes
// on. What is kept is limited: for each 32768 rows their number of hits, and the places of the
// first four million hits; those of the others are found again when they are looked at.
#ifndef PAGE_SEARCH_H
#define PAGE_SEARCH_H

#include "wallfly_server/page_query.h"

struct page_searches;

struct page_searches *page_searches_open(void); // null: out of memory
void page_searches_close(struct page_searches *all);
// Returns whether threads are searching.
bool page_searches_run(const struct page_searches *all);
// Ends the searches of a client.
void page_searches_drop(struct page_searches *all, const void *client);

// search: begins one, or ends it; found: how far it is; hits: some of the records. The trace may
// grow: `found` then searches what is new.
page_query_fn page_query_search, page_query_found, page_query_hits;

#endif
