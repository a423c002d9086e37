// SPDX-License-Identifier: MIT
// Notes of the trace that pages show (docs/notes.md), in a file beside the trace or in memory.
#ifndef PAGE_NOTES_H
#define PAGE_NOTES_H

#include "wallfly_host/wf_notes.h"
#include "wallfly_server/page.h"

struct page_notes;

// path: the file; null: none. memory: without a file they are kept in memory.
//   returns  null when out of memory
struct page_notes *page_notes_open(struct page *p, const char *path, bool memory);
void page_notes_close(struct page_notes *n);
uint64_t page_notes_revision(const struct page_notes *n); // changes with the notes
// The trace was read to its end: the file can be compared with it, and is read.
void page_notes_end(struct page_notes *n);

#endif
