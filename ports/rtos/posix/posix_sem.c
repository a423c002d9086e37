// SPDX-License-Identifier: MIT
// Semaphores. As with mutexes, takes are recorded after the real ones, posts before them. The count
// is the value read at that time: with several threads at once, one may see the count of another.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include "wf_posix.h"

static uint32_t count_of(sem_t *s) {
    int count = 0;
    return sem_getvalue(s, &count) == 0 && count > 0 ? (uint32_t)count : 0;
}

static int block(sem_t *s, const clockid_t *clock, const struct timespec *until) {
    if (!until) return WFX_REAL(sem_wait)(s);
    if (!clock) return WFX_REAL(sem_timedwait)(s, until);
    return WFX_REAL(sem_clockwait)(s, *clock, until);
}

struct waiting {
    sem_t *sem;
    const void *task;
};

static void cancel_wait(void *arg) {
    const struct waiting *w = arg;
    WF_BY(sema_timeout, w->sem, w->task);
}

static int take(sem_t *s, const clockid_t *clock, const struct timespec *until) {
    struct waiting w = {s, wfx_task()};
    int result;
    if (!w.task) return block(s, clock, until);
    const int was = errno;
    result = WFX_REAL(sem_trywait)(s);
    if (result != 0 && errno == EAGAIN) {
        errno = was;
        WF_BY(sema_wait, s, w.task);
        pthread_cleanup_push(cancel_wait, &w);
        result = block(s, clock, until);
        pthread_cleanup_pop(0);
        if (result != 0) WF_BY(sema_timeout, s, w.task);
    } else if (result != 0) {
        WF_BY(sema_refused, s, w.task);
    }
    if (result == 0) WF_BY_N(sema_take, s, w.task, count_of(s));
    return result;
}

WFX_SEEN int sem_wait(sem_t *s) { return take(s, NULL, NULL); }
WFX_SEEN int sem_timedwait(sem_t *s, const struct timespec *until) { return take(s, NULL, until); }
WFX_SEEN int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until) {
    return take(s, &clock, until);
}

WFX_SEEN int sem_trywait(sem_t *s) {
    const int result = WFX_REAL(sem_trywait)(s);
    const void *task = wfx_task();
    if (!task) return result;
    if (result != 0)
        WF_BY(sema_refused, s, task);
    else
        WF_BY_N(sema_take, s, task, count_of(s));
    return result;
}

WFX_SEEN int sem_post(sem_t *s) {
    const void *task = wfx_task();
    const uint32_t count = task ? count_of(s) : 0;
    if (task && count < SEM_VALUE_MAX) WF_BY_N(sema_give, s, task, count + 1);
    return WFX_REAL(sem_post)(s);
}

WFX_SEEN int sem_init(sem_t *s, int shared, unsigned count) {
    const int result = WFX_REAL(sem_init)(s, shared, count);
    if (result == 0 && wfx_task()) WF_OBJECT_N(sema_create, s, count);
    return result;
}

WFX_SEEN int sem_destroy(sem_t *s) {
    const int result = WFX_REAL(sem_destroy)(s);
    if (result == 0 && wfx_task()) WF_OBJECT(sema_delete, s);
    return result;
}

// ---- named semaphores: a second open gives the same one; the last close deletes it

enum { WFX_NAMED = 64 };
static struct {
    sem_t *sem;
    unsigned opened;
} named[WFX_NAMED];
static pthread_mutex_t named_mutex = PTHREAD_MUTEX_INITIALIZER;

// Adds or removes one open; returns how often the semaphore is open now.
static unsigned count_opened(sem_t *s, int more) {
    unsigned i = 0, result = more > 0 ? 1 : 0;
    WFX_REAL(pthread_mutex_lock)(&named_mutex);
    while (i < WFX_NAMED && named[i].sem != s) ++i;
    for (unsigned k = 0; k < WFX_NAMED && i == WFX_NAMED && more > 0; ++k) {
        if (!named[k].opened) i = k;
    }
    if (i < WFX_NAMED && (named[i].opened || more > 0)) {
        named[i].sem = s;
        result = named[i].opened += (unsigned)more;
    }
    WFX_REAL(pthread_mutex_unlock)(&named_mutex);
    return result;
}

WFX_SEEN sem_t *sem_open(const char *name, int flags, ...) {
    unsigned mode = 0, count = 0;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, unsigned);
        count = va_arg(list, unsigned);
        va_end(list);
    }
    sem_t *s = WFX_REAL(sem_open)(name, flags, mode, count);
    if (s == SEM_FAILED || !wfx_task()) return s;
    if (count_opened(s, 1) == 1) {
        WF_OBJECT_N(sema_create, s, count_of(s));
        WF_NAME(s, name);
    }
    return s;
}

WFX_SEEN int sem_close(sem_t *s) {
    const bool last = wfx_task() && count_opened(s, -1) == 0;
    const int result = WFX_REAL(sem_close)(s);
    if (last && result == 0) WF_OBJECT(sema_delete, s);
    return result;
}
