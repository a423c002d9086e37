// SPDX-License-Identifier: MIT
// One thread, one queue of jobs under one lock. A file is synced at least once a second while it is
// written, so that a power failure loses no more than that.

#include "wfb_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#define SYNC_NS UINT64_C(1000000000)

enum job_kind { JOB_OPEN, JOB_WRITE, JOB_REMOVE, JOB_END };

struct job {
    struct job *next;
    enum job_kind kind;
    int fd; // OPEN
    size_t len;
    uint8_t bytes[]; // WRITE: the data; REMOVE: the name
};

struct wfb_disk {
    uv_thread_t thread;
    uv_mutex_t lock; // protects the fields up to `error`
    uv_cond_t come, gone;
    struct job *first, **last;
    struct job *end;  // the last one, allocated in advance: wfb_disk_close() must not fail
    size_t queued;    // bytes
    unsigned jobs;    // queued or running
    uint64_t written; // bytes of the file opened last
    int error;
    int fd; // used by the thread only, as are the next fields
    uint64_t synced_ns;
    bool dirty;
};

static int write_all(int fd, const uint8_t *bytes, size_t len) {
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        bytes += n;
        len -= (size_t)n;
    }
    return 0;
}

// Pipes and terminals cannot be synced; this is not an error.
static int sync_file(struct wfb_disk *d) {
    if (!d->dirty) return 0;
    d->dirty = false;
    d->synced_ns = uv_hrtime();
    return fdatasync(d->fd) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
}

static int do_job(struct wfb_disk *d, const struct job *job) {
    int error = 0;
    switch (job->kind) {
    case JOB_WRITE:
        d->dirty = true;
        error = write_all(d->fd, job->bytes, job->len);
        break;
    case JOB_REMOVE: unlink((const char *)job->bytes); break; // already removed is not an error
    case JOB_OPEN:
    case JOB_END:
        error = sync_file(d);
        if (d->fd >= 0 && close(d->fd) != 0 && !error) error = errno;
        d->fd = job->fd;
    }
    if (!error && uv_hrtime() - d->synced_ns >= SYNC_NS) error = sync_file(d);
    return error;
}

static struct job *take(struct wfb_disk *d) {
    uv_mutex_lock(&d->lock);
    while (!d->first) {
        // With an empty queue, the last block is synced after SYNC_NS.
        if (!d->dirty) {
            uv_cond_wait(&d->come, &d->lock);
        } else if (uv_cond_timedwait(&d->come, &d->lock, SYNC_NS) == UV_ETIMEDOUT) {
            uv_mutex_unlock(&d->lock);
            int error = sync_file(d);
            uv_mutex_lock(&d->lock);
            if (error && !d->error) d->error = error;
        }
    }
    struct job *job = d->first;
    d->first = job->next;
    if (!d->first) d->last = &d->first;
    uv_mutex_unlock(&d->lock);
    return job;
}

static void run(void *ctx) {
    struct wfb_disk *d = ctx;
    for (bool more = true; more;) {
        struct job *job = take(d);
        bool skip = wfb_disk_error(d) && job->kind == JOB_WRITE;
        int error = skip ? 0 : do_job(d, job);
        more = job->kind != JOB_END;
        uv_mutex_lock(&d->lock);
        if (error && !d->error) d->error = error;
        if (job->kind == JOB_WRITE && !skip && !error) d->written += job->len;
        if (job->kind == JOB_OPEN) d->written = 0;
        d->queued -= job->len;
        --d->jobs;
        uv_cond_signal(&d->gone);
        uv_mutex_unlock(&d->lock);
        free(job);
    }
}

struct wfb_disk *wfb_disk_open(void) {
    struct wfb_disk *d = calloc(1, sizeof *d);
    struct job *end = calloc(1, sizeof *end);
    if (!d || !end) goto failed;
    end->kind = JOB_END;
    end->fd = -1;
    d->end = end;
    d->last = &d->first;
    d->fd = -1;
    uv_mutex_init(&d->lock);
    uv_cond_init(&d->come);
    uv_cond_init(&d->gone);
    if (uv_thread_create(&d->thread, run, d) == 0) return d;
    uv_cond_destroy(&d->come);
    uv_cond_destroy(&d->gone);
    uv_mutex_destroy(&d->lock);
failed:
    free(end);
    free(d);
    return NULL;
}

static bool queue(struct wfb_disk *d, enum job_kind kind, int fd, const void *bytes, size_t len) {
    struct job *job = malloc(sizeof *job + len);
    if (!job) return false;
    job->next = NULL;
    job->kind = kind;
    job->fd = fd;
    job->len = len;
    if (len) memcpy(job->bytes, bytes, len);
    uv_mutex_lock(&d->lock);
    while (d->queued > WFB_DISK_QUEUE) uv_cond_wait(&d->gone, &d->lock);
    *d->last = job;
    d->last = &job->next;
    d->queued += len;
    ++d->jobs;
    uv_cond_signal(&d->come);
    uv_mutex_unlock(&d->lock);
    return true;
}

bool wfb_disk_begin(struct wfb_disk *d, int fd) {
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own >= 0 && queue(d, JOB_OPEN, own, NULL, 0)) return true;
    if (own >= 0) close(own);
    return false;
}

uint64_t wfb_disk_wait(struct wfb_disk *d) {
    uv_mutex_lock(&d->lock);
    while (d->jobs) uv_cond_wait(&d->gone, &d->lock);
    uint64_t written = d->written;
    uv_mutex_unlock(&d->lock);
    return written;
}

bool wfb_disk_write(struct wfb_disk *d, const void *bytes, size_t len) {
    return queue(d, JOB_WRITE, -1, bytes, len);
}

bool wfb_disk_remove(struct wfb_disk *d, const char *name) {
    return queue(d, JOB_REMOVE, -1, name, strlen(name) + 1);
}

int wfb_disk_error(struct wfb_disk *d) {
    uv_mutex_lock(&d->lock);
    int error = d->error;
    uv_mutex_unlock(&d->lock);
    return error;
}

int wfb_disk_close(struct wfb_disk *d) {
    uv_mutex_lock(&d->lock);
    *d->last = d->end;
    d->last = &d->end->next;
    ++d->jobs;
    uv_cond_signal(&d->come);
    uv_mutex_unlock(&d->lock);
    uv_thread_join(&d->thread);
    int error = d->error;
    uv_cond_destroy(&d->come);
    uv_cond_destroy(&d->gone);
    uv_mutex_destroy(&d->lock);
    free(d);
    return error;
}
