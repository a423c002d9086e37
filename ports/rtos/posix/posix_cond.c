// SPDX-License-Identifier: MIT
// Conditions and barriers. The wait for a condition is recorded before the mutex is released, so no
// signal can come in between; afterwards the wake-up is recorded before the mutex is taken again.
#include <errno.h>

#include "wf_posix.h"

enum { WFX_ALL = -1 };

struct waiting {
    pthread_cond_t *cond;
    pthread_mutex_t *mutex;
    const void *task;
};

static void begin_wait(const struct waiting *w) {
    WF_BY(cond_wait, w->cond, w->task);
    wfx_mutex_given(w->mutex, w->task);
}

static int end_wait(const struct waiting *w, int error) {
    if (error && error != EOWNERDEAD)
        WF_BY(flags_timeout, w->cond, w->task);
    else
        WF_BY(cond_take, w->cond, w->task);
    wfx_mutex_taken(w->mutex, w->task);
    return error;
}

// A canceled thread holds the mutex again before its own handlers run.
static void cancel_wait(void *w) { (void)end_wait(w, ECANCELED); }

#define WFX_WAIT(call)                                                                             \
    struct waiting w = {cond, mutex, wfx_task()};                                                  \
    int error;                                                                                     \
    if (!w.task || !wfx_mutex_mine(mutex)) return call;                                            \
    begin_wait(&w);                                                                                \
    pthread_cleanup_push(cancel_wait, &w);                                                         \
    error = call;                                                                                  \
    pthread_cleanup_pop(0);                                                                        \
    return end_wait(&w, error)

WFX_SEEN int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    WFX_WAIT(WFX_REAL(pthread_cond_wait)(cond, mutex));
}

WFX_SEEN int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                    const struct timespec *until) {
    WFX_WAIT(WFX_REAL(pthread_cond_timedwait)(cond, mutex, until));
}

WFX_SEEN int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                    const struct timespec *until) {
    WFX_WAIT(WFX_REAL(pthread_cond_clockwait)(cond, mutex, clock, until));
}

WFX_SEEN int pthread_cond_signal(pthread_cond_t *cond) {
    const void *task = wfx_task();
    if (task) WF_BY_N(cond_give, cond, task, 1);
    return WFX_REAL(pthread_cond_signal)(cond);
}

WFX_SEEN int pthread_cond_broadcast(pthread_cond_t *cond) {
    const void *task = wfx_task();
    if (task) WF_BY_N(cond_give, cond, task, (uint32_t)WFX_ALL);
    return WFX_REAL(pthread_cond_broadcast)(cond);
}

WFX_SEEN int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
    const int error = WFX_REAL(pthread_cond_init)(cond, attr);
    if (!error && wfx_task()) WF_OBJECT(cond_create, cond);
    return error;
}

WFX_SEEN int pthread_cond_destroy(pthread_cond_t *cond) {
    const int error = WFX_REAL(pthread_cond_destroy)(cond);
    if (!error && wfx_task()) WF_OBJECT(flags_delete, cond);
    return error;
}

// ---- barriers: conditions that the last thread to arrive signals to all. glibc does not show
// which thread that is, so arrivals are counted here.

enum { WFX_BARRIERS = 64 };
static struct {
    pthread_barrier_t *barrier; // null: free
    unsigned count, came;
} barriers[WFX_BARRIERS];

static void set_barrier(pthread_barrier_t *from, pthread_barrier_t *to, unsigned count) {
    for (unsigned i = 0; i < WFX_BARRIERS; ++i) {
        pthread_barrier_t *was = from;
        if (!__atomic_compare_exchange_n(&barriers[i].barrier, &was, to, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        barriers[i].count = count;
        barriers[i].came = 0;
        return;
    }
}

static bool comes_last(pthread_barrier_t *barrier) {
    for (unsigned i = 0; i < WFX_BARRIERS; ++i) {
        if (__atomic_load_n(&barriers[i].barrier, __ATOMIC_ACQUIRE) != barrier) continue;
        return __atomic_add_fetch(&barriers[i].came, 1, __ATOMIC_ACQ_REL) % barriers[i].count == 0;
    }
    return false;
}

WFX_SEEN int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr,
                                  unsigned count) {
    const int error = WFX_REAL(pthread_barrier_init)(barrier, attr, count);
    if (!error && wfx_task()) {
        WF_OBJECT(cond_create, barrier);
        set_barrier(NULL, barrier, count);
    }
    return error;
}

WFX_SEEN int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    const int error = WFX_REAL(pthread_barrier_destroy)(barrier);
    if (!error) set_barrier(barrier, NULL, 1);
    if (!error && wfx_task()) WF_OBJECT(flags_delete, barrier);
    return error;
}

WFX_SEEN int pthread_barrier_wait(pthread_barrier_t *barrier) {
    const void *task = wfx_task();
    if (!task) return WFX_REAL(pthread_barrier_wait)(barrier);
    WF_BY(cond_wait, barrier, task);
    if (comes_last(barrier)) WF_BY_N(cond_give, barrier, task, (uint32_t)WFX_ALL);
    const int result = WFX_REAL(pthread_barrier_wait)(barrier);
    WF_BY(cond_take, barrier, task);
    return result;
}
