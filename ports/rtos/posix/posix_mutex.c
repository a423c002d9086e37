// SPDX-License-Identifier: MIT
// Mutexes and read-write locks. A take is recorded after the real one and a give before it, so in
// order of time a mutex never has two holders. Each lock is tried first: a wait is recorded only if
// the try fails.
#include <errno.h>

#include "wf_posix.h"

// How to wait. until: null: forever; else a time of the mutex' own clock, or of `clock`.
struct how {
    const struct timespec *until;
    bool has_clock;
    clockid_t clock;
};
static const struct how for_ever;

// Members of glibc's struct __pthread_mutex_s, which its headers show for static initializers.
enum {
    WFX_TYPE = 3,
    WFX_RECURSIVE = 1,
    WFX_ERRORCHECK = 2,
    WFX_ROBUST = 16,
    WFX_INHERIT = 32,
    WFX_PROTECT = 64,
    WFX_OWNER = 0x3FFFFFFF
};

static int kind_of(const pthread_mutex_t *m) {
    return __atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED);
}

static bool is_caller(const pthread_mutex_t *m) {
    const bool in_lock = kind_of(m) & (WFX_ROBUST | WFX_INHERIT);
    const int *at = in_lock ? &m->__data.__lock : &m->__data.__owner;
    return (__atomic_load_n(at, __ATOMIC_RELAXED) & WFX_OWNER) == wfx_self.tid;
}

bool wfx_mutex_mine(const pthread_mutex_t *m) {
    const int kind = kind_of(m);
    const bool checks = (kind & WFX_TYPE) == WFX_RECURSIVE || (kind & WFX_TYPE) == WFX_ERRORCHECK ||
                        kind & (WFX_ROBUST | WFX_INHERIT);
    return !checks || is_caller(m);
}

// For a mutex that the caller holds.
static unsigned depth(const pthread_mutex_t *m) {
    return (kind_of(m) & WFX_TYPE) == WFX_RECURSIVE ? m->__data.__count : 1;
}

// The kernel releases robust mutexes when their thread has ended.
static void hold_robust(pthread_mutex_t *m) {
    const unsigned most = sizeof wfx_self.held / sizeof *wfx_self.held;
    if (kind_of(m) & WFX_ROBUST && depth(m) == 1 && wfx_self.robust < most)
        wfx_self.held[wfx_self.robust++] = m;
}

static void drop_robust(const pthread_mutex_t *m) {
    for (unsigned i = 0; i < wfx_self.robust; ++i) {
        if (wfx_self.held[i] == m) wfx_self.held[i] = wfx_self.held[--wfx_self.robust];
    }
}

void wfx_robust_end(void) {
    const void *task = (const void *)(uintptr_t)(unsigned)wfx_self.tid;
    while (wfx_self.robust) WF_BY_N(mutex_give, wfx_self.held[--wfx_self.robust], task, 0);
}

void wfx_mutex_taken(pthread_mutex_t *m, const void *task) {
    WF_BY_N(mutex_take, m, task, (uint8_t)depth(m));
    hold_robust(m);
}

void wfx_mutex_given(pthread_mutex_t *m, const void *task) {
    const unsigned left = depth(m) - 1;
    if (!left && wfx_self.robust) drop_robust(m);
    WF_BY_N(mutex_give, m, task, (uint8_t)left);
}

static int block(pthread_mutex_t *m, const struct how *how) {
    if (!how->until) return WFX_REAL(pthread_mutex_lock)(m);
    if (!how->has_clock) return WFX_REAL(pthread_mutex_timedlock)(m, how->until);
    return WFX_REAL(pthread_mutex_clocklock)(m, how->clock, how->until);
}

static int lock(pthread_mutex_t *m, const struct how *how) {
    const void *task = wfx_task();
    if (!task) return block(m, how);
    int error = WFX_REAL(pthread_mutex_trylock)(m);
    if (error == EBUSY) {
        const bool refused = (kind_of(m) & WFX_TYPE) == WFX_ERRORCHECK && is_caller(m);
        if (!refused) WF_BY(mutex_wait, m, task);
        error = block(m, how);
        if (error && error != EOWNERDEAD) {
            if (refused)
                WF_BY(mutex_refused, m, task);
            else
                WF_BY(mutex_timeout, m, task);
            return error;
        }
    } else if (error && error != EOWNERDEAD) {
        WF_BY(mutex_refused, m, task);
        return error;
    }
    wfx_mutex_taken(m, task);
    return error;
}

WFX_SEEN int pthread_mutex_lock(pthread_mutex_t *m) { return lock(m, &for_ever); }

WFX_SEEN int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
    return lock(m, &(struct how){until, false, 0});
}

WFX_SEEN int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                                     const struct timespec *until) {
    return lock(m, &(struct how){until, true, clock});
}

WFX_SEEN int pthread_mutex_trylock(pthread_mutex_t *m) {
    const int error = WFX_REAL(pthread_mutex_trylock)(m);
    const void *task = wfx_task();
    if (!task) return error;
    if (error && error != EOWNERDEAD)
        WF_BY(mutex_refused, m, task);
    else
        wfx_mutex_taken(m, task);
    return error;
}

WFX_SEEN int pthread_mutex_unlock(pthread_mutex_t *m) {
    const void *task = wfx_task();
    if (!task || !wfx_mutex_mine(m)) return WFX_REAL(pthread_mutex_unlock)(m);
    wfx_mutex_given(m, task);
    return WFX_REAL(pthread_mutex_unlock)(m);
}

WFX_SEEN int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr) {
    const int error = WFX_REAL(pthread_mutex_init)(m, attr);
    if (!error && wfx_task()) WF_OBJECT(mutex_create, m);
    return error;
}

WFX_SEEN int pthread_mutex_destroy(pthread_mutex_t *m) {
    const int error = WFX_REAL(pthread_mutex_destroy)(m);
    if (!error && wfx_task()) WF_OBJECT(mutex_delete, m);
    return error;
}

// ---- read-write locks: writers are a mutex at the lock's address, readers a semaphore one byte
// after it, whose count is the number of readers.

static const void *readers(const pthread_rwlock_t *l) { return (const char *)l + 1; }

static uint32_t reading(const pthread_rwlock_t *l) {
    return __atomic_load_n(&l->__data.__readers, __ATOMIC_RELAXED) >> 3; // of glibc's struct
}

static int block_reader(pthread_rwlock_t *l, const struct how *how) {
    if (!how->until) return WFX_REAL(pthread_rwlock_rdlock)(l);
    if (!how->has_clock) return WFX_REAL(pthread_rwlock_timedrdlock)(l, how->until);
    return WFX_REAL(pthread_rwlock_clockrdlock)(l, how->clock, how->until);
}

static int block_writer(pthread_rwlock_t *l, const struct how *how) {
    if (!how->until) return WFX_REAL(pthread_rwlock_wrlock)(l);
    if (!how->has_clock) return WFX_REAL(pthread_rwlock_timedwrlock)(l, how->until);
    return WFX_REAL(pthread_rwlock_clockwrlock)(l, how->clock, how->until);
}

static int lock_read(pthread_rwlock_t *l, const struct how *how) {
    const void *task = wfx_task();
    if (!task) return block_reader(l, how);
    int error = WFX_REAL(pthread_rwlock_tryrdlock)(l);
    if (error == EBUSY) {
        WF_BY(sema_wait, readers(l), task);
        error = block_reader(l, how);
        if (error) WF_BY(sema_timeout, readers(l), task);
    } else if (error) {
        WF_BY(sema_refused, readers(l), task);
    }
    if (!error) WF_BY_N(sema_take, readers(l), task, reading(l));
    return error;
}

static int lock_write(pthread_rwlock_t *l, const struct how *how) {
    const void *task = wfx_task();
    if (!task) return block_writer(l, how);
    int error = WFX_REAL(pthread_rwlock_trywrlock)(l);
    if (error == EBUSY) {
        WF_BY(mutex_wait, l, task);
        error = block_writer(l, how);
        if (error) WF_BY(mutex_timeout, l, task);
    } else if (error) {
        WF_BY(mutex_refused, l, task);
    }
    if (!error) WF_BY_N(mutex_take, l, task, 1);
    return error;
}

WFX_SEEN int pthread_rwlock_rdlock(pthread_rwlock_t *l) { return lock_read(l, &for_ever); }
WFX_SEEN int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return lock_write(l, &for_ever); }

WFX_SEEN int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until) {
    return lock_read(l, &(struct how){until, false, 0});
}

WFX_SEEN int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until) {
    return lock_write(l, &(struct how){until, false, 0});
}

WFX_SEEN int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                                        const struct timespec *until) {
    return lock_read(l, &(struct how){until, true, clock});
}

WFX_SEEN int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                                        const struct timespec *until) {
    return lock_write(l, &(struct how){until, true, clock});
}

WFX_SEEN int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
    const int error = WFX_REAL(pthread_rwlock_tryrdlock)(l);
    const void *task = wfx_task();
    if (!task) return error;
    if (error)
        WF_BY(sema_refused, readers(l), task);
    else
        WF_BY_N(sema_take, readers(l), task, reading(l));
    return error;
}

WFX_SEEN int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
    const int error = WFX_REAL(pthread_rwlock_trywrlock)(l);
    const void *task = wfx_task();
    if (!task) return error;
    if (error)
        WF_BY(mutex_refused, l, task);
    else
        WF_BY_N(mutex_take, l, task, 1);
    return error;
}

WFX_SEEN int pthread_rwlock_unlock(pthread_rwlock_t *l) {
    const void *task = wfx_task();
    if (!task) return WFX_REAL(pthread_rwlock_unlock)(l);
    if (__atomic_load_n(&l->__data.__cur_writer, __ATOMIC_RELAXED) == wfx_self.tid)
        WF_BY_N(mutex_give, l, task, 0);
    else
        WF_BY_N(sema_give, readers(l), task, reading(l) - 1);
    return WFX_REAL(pthread_rwlock_unlock)(l);
}

WFX_SEEN int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr) {
    const int error = WFX_REAL(pthread_rwlock_init)(l, attr);
    if (!error && wfx_task()) {
        WF_OBJECT(mutex_create, l);
        WF_OBJECT_N(sema_create, readers(l), 0);
    }
    return error;
}

WFX_SEEN int pthread_rwlock_destroy(pthread_rwlock_t *l) {
    const int error = WFX_REAL(pthread_rwlock_destroy)(l);
    if (!error && wfx_task()) {
        WF_OBJECT(mutex_delete, l);
        WF_OBJECT(sema_delete, readers(l));
    }
    return error;
}
