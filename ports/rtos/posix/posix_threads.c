// SPDX-License-Identifier: MIT
// Threads: create, end, names, priorities, sleeping and yielding. A thread's number is the kernel's
// thread id; its create is recorded when it first runs, its delete after the last of its
// destructors.
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "wf_port.h"
#include "wf_posix.h"

enum {
    WFX_NAME = 16,
    WFX_REST_US = 100,
    WFX_REST_MOST_US = 5000,
    WFX_STUCK_S = 10,
    WFX_SHORT_NS = 600
};

// Thread ids of pthread_t's, for names and priorities set by other threads. Entries of ended
// threads stay until their place is needed.
static struct {
    pthread_t thread;
    int tid;
} known[WFX_THREADS];

__thread struct wfx_self wfx_self;
static pthread_key_t ends;
static pthread_once_t ends_once = PTHREAD_ONCE_INIT;
static unsigned numbers; // numbers of threads without a name of their own

// ---- the table of threads

static uint64_t now(void) { return wf_port_now(); }

// Returns a free entry, or one of a thread that died so long ago that all its switches were read.
static struct wfx_thread *new_entry(int tid) {
    const uint64_t long_ago = now() - WF_PORT_HZ;
    for (unsigned i = 0; i < WFX_PROBES; ++i) {
        struct wfx_thread *t = &wfx_shared->threads[((unsigned)tid + i) % WFX_THREADS];
        int was = __atomic_load_n(&t->tid, __ATOMIC_ACQUIRE);
        const uint64_t died = __atomic_load_n(&t->died, __ATOMIC_ACQUIRE);
        if (was && (!died || died > long_ago)) continue;
        // -1: no search finds it while its values change.
        if (!__atomic_compare_exchange_n(&t->tid, &was, -1, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        t->naps = 0;
        t->left = 0;
        t->died = 0;
        t->born = UINT64_MAX;
        return t;
    }
    return NULL;
}

static void know_thread(int tid) {
    known[(unsigned)tid % WFX_THREADS].thread = pthread_self();
    __atomic_store_n(&known[(unsigned)tid % WFX_THREADS].tid, tid, __ATOMIC_RELEASE);
}

// The place may belong to another thread by now.
static void forget_thread(int tid) {
    __atomic_compare_exchange_n(&known[(unsigned)tid % WFX_THREADS].tid, &tid, 0, false,
                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

int wfx_tid_of(pthread_t thread) {
    if (pthread_equal(thread, pthread_self())) return wfx_self.tid;
    for (unsigned i = 0; i < WFX_THREADS; ++i) {
        const int tid = __atomic_load_n(&known[i].tid, __ATOMIC_ACQUIRE);
        if (tid && pthread_equal(known[i].thread, thread)) return tid;
    }
    return 0;
}

// ---- life

static int priority_of_caller(void) {
    struct sched_param param = {0};
    return sched_getparam(0, &param) == 0 ? param.sched_priority : WF_PRIO_UNKNOWN;
}

static const void *as_task(int tid) { return (const void *)(uintptr_t)(unsigned)tid; }

static void leave_at_end(void *unused) {
    (void)unused;
    // Later destructors may still use mutexes.
    if (++wfx_self.end < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(ends, &wfx_self) == 0)
        return;
    if (wfx_task()) {
        wfx_robust_end();
        // From here on no signal handler and no other thread names this thread.
        wfx_self.off = true;
        forget_thread(wfx_self.tid);
        wf_names_forget(as_task(wfx_self.tid));
        wfx_self.keep_name = true;
        // Not after the delete: a thread that is preempted between them would run again as a
        // deleted task.
        if (wfx_self.entry) __atomic_store_n(&wfx_self.entry->died, now(), __ATOMIC_RELEASE);
        WF_TASK_DELETE(as_task(wfx_self.tid));
    }
    wfx_self.off = true;
}

static void make_key(void) { (void)pthread_key_create(&ends, leave_at_end); }

// The main thread has the program's name; the others too, with a number, until they get a name.
static void name_at_first(int tid) {
    char name[WFX_NAME + 12], own[WFX_NAME] = "";
    WFX_REAL(prctl)(PR_GET_NAME, own);
    const unsigned number = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
    snprintf(name, sizeof name, tid == wfx_shared->pid ? "%s" : "%s/%u", own, number);
    WF_NAME(as_task(tid), name);
}

int wfx_join_in(void) {
    const int was = errno;
    struct wfx_self *self = &wfx_self;
    self->off = true;
    pthread_once(&ends_once, make_key);
    pthread_setspecific(ends, self);
    const int tid = (int)syscall(SYS_gettid);
    self->entry = new_entry(tid);
    know_thread(tid);
    self->tid = tid;
    self->keep_name = true; // it gets a name below, which replaces any other
    WF_TASK_CREATE(as_task(tid), priority_of_caller(), NULL);
    if (self->entry) {
        __atomic_store_n(&self->entry->born, now(), __ATOMIC_RELAXED);
        __atomic_store_n(&self->entry->tid, tid, __ATOMIC_RELEASE);
    }
    self->keep_name = false;
    name_at_first(tid);
    self->off = false;
    errno = was;
    return tid;
}

// Waits for room, longer and longer, because the kernel reports each try as a switch or two. If
// nothing moves the helper is gone: then the program continues without a trace.
void wfx_make_room(void) {
    const int was = errno;
    uint64_t last = 0;
    for (unsigned us = 0, rest = WFX_REST_US; us < WFX_STUCK_S * 1000000u; us += rest) {
        struct wf_slots_status status;
        const unsigned core = wf_port_core();
        const uint64_t drained = __atomic_load_n(&wfx_shared->drained[core], __ATOMIC_ACQUIRE);
        wf_slots_get_status(core, &status);
        const uint64_t used = status.slots - drained;
        if (used + (uint64_t)4 * WF_CFG_CHUNK <= wfx_options.slots || used > status.slots) {
            errno = was;
            return;
        }
        if (drained != last) us = 0;
        last = drained;
        if (us) rest = rest < WFX_REST_MOST_US ? 2 * rest : rest;
        const struct timespec t = {0, (long)rest * 1000};
        syscall(SYS_nanosleep, &t, NULL);
    }
    __atomic_store_n(&wfx_on, false, __ATOMIC_RELAXED);
    errno = was;
}

struct begin {
    wfx_start_routine *routine;
    void *arg;
};

static void *begin_thread(void *from) {
    const struct begin begin = *(struct begin *)from;
    free(from);
    (void)wfx_task();
    return begin.routine(begin.arg);
}

WFX_SEEN int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                            wfx_start_routine *routine, void *arg) {
    struct begin *begin = wfx_task() ? malloc(sizeof *begin) : NULL;
    if (!begin) return WFX_REAL(pthread_create)(thread, attr, routine, arg);
    *begin = (struct begin){routine, arg};
    const int error = WFX_REAL(pthread_create)(thread, attr, begin_thread, begin);
    if (error) free(begin);
    return error;
}

static void end_span(void *task) { WF_SPAN_END(task, wfx_joins); }

WFX_SEEN int pthread_join(pthread_t thread, void **result) {
    const void *task = wfx_task();
    int error;
    if (!task) return WFX_REAL(pthread_join)(thread, result);
    WF_SPAN_BEGIN(task, wfx_joins);
    pthread_cleanup_push(end_span, (void *)(uintptr_t)task);
    error = WFX_REAL(pthread_join)(thread, result);
    pthread_cleanup_pop(1);
    return error;
}

WFX_SEEN int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until) {
    const void *task = wfx_task();
    int error;
    if (!task) return WFX_REAL(pthread_timedjoin_np)(thread, result, until);
    WF_SPAN_BEGIN(task, wfx_joins);
    pthread_cleanup_push(end_span, (void *)(uintptr_t)task);
    error = WFX_REAL(pthread_timedjoin_np)(thread, result, until);
    pthread_cleanup_pop(1);
    return error;
}

// ---- names and priorities

WFX_SEEN int pthread_setname_np(pthread_t thread, const char *name) {
    const int error = WFX_REAL(pthread_setname_np)(thread, name);
    const int tid = !error && wfx_task() ? wfx_tid_of(thread) : 0;
    if (tid) WF_NAME(as_task(tid), name);
    return error;
}

WFX_SEEN int prctl(int option, ...) {
    va_list list;
    unsigned long arg[4];
    va_start(list, option);
    for (unsigned i = 0; i < 4; ++i) arg[i] = va_arg(list, unsigned long);
    va_end(list);
    const int result = WFX_REAL(prctl)(option, arg[0], arg[1], arg[2], arg[3]);
    if (option == PR_SET_NAME && result == 0 && wfx_task()) {
        char name[WFX_NAME + 1] = "";
        strncpy(name, (const char *)arg[0], WFX_NAME - 1);
        WF_NAME(as_task(wfx_self.tid), name);
    }
    return result;
}

static int tell_priority(int error, pthread_t thread, int prio) {
    const int tid = !error && wfx_task() ? wfx_tid_of(thread) : 0;
    if (tid) WF_TASK_PRIORITY(as_task(tid), prio);
    return error;
}

WFX_SEEN int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param) {
    return tell_priority(WFX_REAL(pthread_setschedparam)(thread, policy, param), thread,
                         param->sched_priority);
}

WFX_SEEN int pthread_setschedprio(pthread_t thread, int prio) {
    return tell_priority(WFX_REAL(pthread_setschedprio)(thread, prio), thread, prio);
}

// ---- sleeping, yielding

void wfx_nap_begin(unsigned reason) {
    struct wfx_thread *t = wfx_self.entry;
    if (!t) return;
    struct wfx_nap *nap = &t->nap[t->naps % WFX_NAPS];
    __atomic_store_n(&t->naps, t->naps + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&nap->begin, UINT64_MAX, __ATOMIC_RELEASE);
    __atomic_store_n(&nap->end, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&nap->reason, reason, __ATOMIC_RELEASE);
    __atomic_store_n(&nap->begin, now(), __ATOMIC_RELEASE);
}

// The entry of a short nap, in which no switch can have happened, is reused: otherwise programs
// that yield all the time would overwrite the other naps.
void wfx_nap_end(void) {
    struct wfx_thread *t = wfx_self.entry;
    if (!t || !t->naps) return;
    struct wfx_nap *nap = &t->nap[(t->naps - 1) % WFX_NAPS];
    const uint64_t end = now();
    __atomic_store_n(&nap->end, end, __ATOMIC_RELEASE);
    if (end - nap->begin < WFX_SHORT_NS) __atomic_store_n(&t->naps, t->naps - 1, __ATOMIC_RELEASE);
}

static void end_sleep(void *task) {
    const int was = errno;
    wfx_nap_end();
    WF_SPAN_END(task, wfx_sleeps);
    errno = was;
}

// result = call, as a sleep.
#define WFX_SLEEP(result, call)                                                                    \
    const void *task = wfx_task();                                                                 \
    if (!task) return call;                                                                        \
    WF_SPAN_BEGIN(task, wfx_sleeps);                                                               \
    wfx_nap_begin(WFX_LEFT_delayed);                                                               \
    pthread_cleanup_push(end_sleep, (void *)(uintptr_t)task);                                      \
    result = call;                                                                                 \
    pthread_cleanup_pop(1)

WFX_SEEN unsigned sleep(unsigned seconds) {
    unsigned left;
    WFX_SLEEP(left, WFX_REAL(sleep)(seconds));
    return left;
}

WFX_SEEN int usleep(useconds_t us) {
    int result;
    WFX_SLEEP(result, WFX_REAL(usleep)(us));
    return result;
}

WFX_SEEN int nanosleep(const struct timespec *time, struct timespec *left) {
    int result;
    WFX_SLEEP(result, WFX_REAL(nanosleep)(time, left));
    return result;
}

WFX_SEEN int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                             struct timespec *left) {
    int result;
    WFX_SLEEP(result, WFX_REAL(clock_nanosleep)(clock, flags, time, left));
    return result;
}

WFX_SEEN int sched_yield(void) {
    if (!wfx_task()) return WFX_REAL(sched_yield)();
    wfx_nap_begin(WFX_LEFT_yielded);
    const int result = WFX_REAL(sched_yield)();
    wfx_nap_end();
    return result;
}
