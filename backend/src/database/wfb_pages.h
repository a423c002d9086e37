// SPDX-License-Identifier: MIT
// Appends pages to an SQLite database, in order. A thread writes them while the next ones are made.
#ifndef WFB_PAGES_H
#define WFB_PAGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WFB_PAGE = 16384 };

struct wfb_pages {
    int fd;
    uint32_t next; // number of the next page
    uint8_t *out;  // pages not written yet, up to `next`
    unsigned waiting;
    int error;                       // an errno; nothing is written after it
    uint32_t free_first, free_count; // the list of free pages: its first page, its length

    bool runs; // the thread was started; the following fields are shared with it, under the lock
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t turn;
    uint8_t *given; // the buffer being written; null: none
    size_t given_len;
    uint64_t given_at;
    bool end;
    int thread_error;
    uint8_t *spare; // the other buffer, after it was written
};

// fd: of a database without free pages that SQLite has closed; pages: its number of pages. Returns
// false when there is no memory or no thread: see error. Call wfb_pages_close() in any case.
bool wfb_pages_open(struct wfb_pages *p, int fd, uint32_t pages);
// Returns space for a page, whose number is then p->next - 1. Returns null on an error: see error.
uint8_t *wfb_pages_new(struct wfb_pages *p);
uint32_t wfb_pages_after(uint32_t page); // the number of the page after it
// Overwrites a page. Returns false on an error: see error.
bool wfb_pages_set(struct wfb_pages *p, uint32_t page, const uint8_t *bytes);
// Adds written pages to SQLite's list of free pages. Returns false on an error: see error.
bool wfb_pages_free(struct wfb_pages *p, const uint32_t *pages, uint32_t count);
// Writes the remaining pages, and the number of pages to the header. Returns false on an error.
bool wfb_pages_close(struct wfb_pages *p);

#endif
