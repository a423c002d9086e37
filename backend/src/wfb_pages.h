// SPDX-License-Identifier: MIT
// Pages of an SQLite database behind those that are there, one after the other. A thread writes
// them, so that the next ones are made meanwhile.
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
    uint8_t *out;  // pages that are not written yet, up to that one
    unsigned waiting;
    int error;                       // an errno: nothing is written any more
    uint32_t free_first, free_count; // pages that are free: the first of their list; how many

    bool runs; // the thread; the rest is for it, under the lock
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t turn;
    uint8_t *given; // what it writes; null: nothing
    size_t given_len;
    uint64_t given_at;
    bool end;
    int thread_error;
    uint8_t *spare; // what `out` was before, when it is written
};

// fd: of a database without free pages that SQLite has closed; pages: how many it has. Returns
// false when there is no memory or no thread: see error; to be closed in any case.
bool wfb_pages_open(struct wfb_pages *p, int fd, uint32_t pages);
// Room for a page; its number is p->next - 1 then. Null: see error.
uint8_t *wfb_pages_new(struct wfb_pages *p);
uint32_t wfb_pages_after(uint32_t page); // the number of the next one
// Overwrites one. False: see error.
bool wfb_pages_set(struct wfb_pages *p, uint32_t page, const uint8_t *bytes);
// Gives pages that were written to SQLite for other use. False: see error.
bool wfb_pages_free(struct wfb_pages *p, const uint32_t *pages, uint32_t count);
// Writes what waits and, into the header, how many pages there are. False: see error.
bool wfb_pages_close(struct wfb_pages *p);

#endif
