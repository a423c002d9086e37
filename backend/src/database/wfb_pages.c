// SPDX-License-Identifier: MIT
// Two buffers: one is filled while the other one is written.

#include "wfb_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wfb_cells.h"

enum {
    WAITING = 64,             // pages written at a time
    COUNT_AT = 28,            // offset in the header: number of pages, list of free pages
    TRUNK = WFB_PAGE / 4 - 8, // page numbers on a page of the free list
    LOCK_PAGE =
        0x40000000 / WFB_PAGE + 1, // contains the byte 2^30, where SQLite locks, and no data
};

static int write_at(int fd, const uint8_t *bytes, size_t len, uint64_t at) {
    while (len) {
        ssize_t n = pwrite(fd, bytes, len, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : ENOSPC;
        bytes += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return 0;
}

static void *run(void *ctx) {
    struct wfb_pages *p = ctx;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->given && !p->end) pthread_cond_wait(&p->turn, &p->lock);
        if (!p->given) break;
        uint8_t *bytes = p->given;
        pthread_mutex_unlock(&p->lock);
        int error = write_at(p->fd, bytes, p->given_len, p->given_at);
        pthread_mutex_lock(&p->lock);
        if (!p->thread_error) p->thread_error = error;
        p->spare = bytes;
        p->given = NULL;
        pthread_cond_signal(&p->turn);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

bool wfb_pages_open(struct wfb_pages *p, int fd, uint32_t pages) {
    *p = (struct wfb_pages){.fd = fd, .next = pages + 1};
    p->out = malloc((size_t)WAITING * WFB_PAGE);
    p->spare = malloc((size_t)WAITING * WFB_PAGE);
    if (!p->out || !p->spare) p->error = ENOMEM;
    if (!p->error) p->error = pthread_mutex_init(&p->lock, NULL);
    if (!p->error) p->error = pthread_cond_init(&p->turn, NULL);
    if (!p->error) p->error = pthread_create(&p->thread, NULL, run, p);
    if (p->error == EAGAIN) p->error = ENOMEM; // no memory for the thread
    p->runs = !p->error;
    return p->runs;
}

// Waits until the thread is idle.
static bool settle(struct wfb_pages *p) {
    if (!p->runs) return false;
    pthread_mutex_lock(&p->lock);
    while (p->given) pthread_cond_wait(&p->turn, &p->lock);
    if (!p->error) p->error = p->thread_error;
    pthread_mutex_unlock(&p->lock);
    return !p->error;
}

static bool flush(struct wfb_pages *p) {
    if (!settle(p)) return false;
    pthread_mutex_lock(&p->lock);
    p->given = p->out;
    p->given_len = (size_t)p->waiting * WFB_PAGE;
    p->given_at = (uint64_t)(p->next - 1 - p->waiting) * WFB_PAGE;
    p->out = p->spare;
    p->waiting = 0;
    pthread_cond_signal(&p->turn);
    pthread_mutex_unlock(&p->lock);
    return true;
}

uint8_t *wfb_pages_new(struct wfb_pages *p) {
    if (p->error || (p->waiting == WAITING && !flush(p))) return NULL;
    uint8_t *page = p->out + (size_t)p->waiting * WFB_PAGE;
    ++p->waiting;
    if (p->next++ != LOCK_PAGE) return page;
    memset(page, 0, WFB_PAGE);
    return wfb_pages_new(p);
}

uint32_t wfb_pages_after(uint32_t page) { return page + (page + 1 == LOCK_PAGE ? 2 : 1); }

bool wfb_pages_set(struct wfb_pages *p, uint32_t page, const uint8_t *bytes) {
    if (!flush(p) || !settle(p)) return false; // the page may still be in a buffer
    p->error = write_at(p->fd, bytes, WFB_PAGE, (uint64_t)(page - 1) * WFB_PAGE);
    return !p->error;
}

// Writes pages of the free list, each with the number of the next one and a list of others.
bool wfb_pages_free(struct wfb_pages *p, const uint32_t *pages, uint32_t count) {
    while (count) {
        uint8_t list[WFB_PAGE] = {0};
        uint32_t others = count - 1 < TRUNK ? count - 1 : TRUNK, at = count - 1 - others;
        wfb_put4(list, p->free_first);
        wfb_put4(list + 4, others);
        for (uint32_t i = 0; i < others; ++i) wfb_put4(list + 8 + 4 * (size_t)i, pages[at + i]);
        if (!wfb_pages_set(p, pages[count - 1], list)) return false;
        p->free_first = pages[count - 1];
        p->free_count += 1 + others;
        count -= 1 + others;
    }
    return true;
}

bool wfb_pages_close(struct wfb_pages *p) {
    uint8_t counts[12];
    wfb_put4(counts, p->next - 1);
    wfb_put4(counts + 4, p->free_first);
    wfb_put4(counts + 8, p->free_count);
    if (p->runs) {
        if (!p->error && flush(p) && settle(p))
            p->error = write_at(p->fd, counts, sizeof counts, COUNT_AT);
        pthread_mutex_lock(&p->lock);
        p->end = true;
        pthread_cond_signal(&p->turn);
        pthread_mutex_unlock(&p->lock);
        pthread_join(p->thread, NULL);
        pthread_cond_destroy(&p->turn);
        pthread_mutex_destroy(&p->lock);
        p->runs = false;
    }
    free(p->out);
    free(p->spare);
    p->out = p->spare = NULL;
    return !p->error;
}
