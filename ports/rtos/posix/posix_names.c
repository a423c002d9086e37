// SPDX-License-Identifier: MIT
// The table of names (wf_names.h), in memory shared with the helper process: threads of the program
// add names, the helper repeats them into the rings. One lock guards table and state, because the
// recorder's critical section is empty on CPUs with atomics.
//
// The holder of the lock has all signals blocked, so a handler never waits for the thread that it
// interrupted, and no cancellation or longjmp leaves the lock held. The helper does not wait: names
// that it could not repeat in this round are repeated in the next. A thread waits for a bounded
// time, in case the holder was killed or stopped; then the table is given up for good.
//
// Few objects other than threads have names (those of sem_open): a filter of their addresses saves
// the search, and the lock, when any other object is created or deleted.
#include <signal.h>
#include <sys/syscall.h>

#include "wallfly/wf_names.h"
#include "wf_port.h"
#include "wf_posix.h"

enum {
    WFX_NAMES_PERIOD_S = 1,
    WFX_NAMES_SPINS = 100,   // the holder is usually done after a microsecond
    WFX_NAMES_RESTS = 20000, // of 100 us each
    WFX_NAMES_REST_NS = 100000,
    WFX_TID_MOST = 1 << 22 // the kernel's PID_MAX_LIMIT; objects have higher addresses
};

void *wfx_names_state;
static const struct wfi_names_calls *real; // the recorder's functions

static bool take_lock(void) {
    return !__atomic_exchange_n(&wfx_shared->names_lock, 1, __ATOMIC_ACQUIRE);
}

static void release_lock(void) { __atomic_store_n(&wfx_shared->names_lock, 0, __ATOMIC_RELEASE); }

static bool is_off(void) { return __atomic_load_n(&wfx_shared->names_off, __ATOMIC_RELAXED) != 0; }

// Sleeps between tries, so that a thread of a higher priority lets the holder run. By system calls,
// because the C library would not block its own signals.
static bool wait_for_lock(void) {
    static const struct timespec rest = {0, WFX_NAMES_REST_NS};
    for (unsigned i = 0; !is_off() && i < WFX_NAMES_SPINS + WFX_NAMES_RESTS; ++i) {
        if (take_lock()) return true;
        if (i < WFX_NAMES_SPINS)
            syscall(SYS_sched_yield);
        else
            syscall(SYS_nanosleep, &rest, NULL);
    }
    __atomic_store_n(&wfx_shared->names_off, 1, __ATOMIC_RELAXED);
    return false;
}

static void set_signals(const uint64_t *mask, uint64_t *was) {
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, mask, was, sizeof *mask);
}

static bool enter(uint64_t *signals) {
    static const uint64_t all = UINT64_MAX;
    if (is_off()) return false;
    set_signals(&all, signals);
    if (!wait_for_lock()) {
        set_signals(signals, NULL);
        return false;
    }
    wfx_self.in_names = true;
    return true;
}

static void leave(const uint64_t *signals) {
    wfx_self.in_names = false;
    release_lock();
    set_signals(signals, NULL);
}

static uint64_t *filter_of(uintptr_t obj, uint64_t *bit) {
    const unsigned hash = (unsigned)((obj * UINT64_C(0x9E3779B97F4A7C15)) >> 55);
    *bit = UINT64_C(1) << hash % 64;
    return &wfx_shared->named[hash / 64];
}

static void note_named(uintptr_t obj) {
    uint64_t bit, *word = filter_of(obj, &bit);
    __atomic_fetch_or(word, bit, __ATOMIC_RELEASE);
}

// Returns false if the object certainly has no name.
static bool may_be_named(uintptr_t obj) {
    uint64_t bit;
    const uint64_t *word = filter_of(obj, &bit);
    return obj <= WFX_TID_MOST || __atomic_load_n(word, __ATOMIC_ACQUIRE) & bit;
}

static void put(unsigned id, uint32_t value, uintptr_t of, const char *name) {
    uint64_t signals; // of the caller
    if (of > WFX_TID_MOST) note_named(of);
    if (!enter(&signals)) return;
    real->put(id, value, of, name);
    leave(&signals);
}

static void forget(const void *obj) {
    uint64_t signals;
    if (wfx_self.keep_name || !may_be_named((uintptr_t)obj) || !enter(&signals)) return;
    real->forget(obj);
    leave(&signals);
}

static void repeat_all(bool info) {
    uint64_t signals;
    if (!enter(&signals)) return;
    real->tell(info);
    leave(&signals);
}

static void get_status(struct wf_names_status *status) {
    uint64_t signals;
    if (!enter(&signals)) return;
    real->get_status(status);
    leave(&signals);
}

// Called by the helper.
static void step(unsigned what, struct wf_slots_reader *reader, unsigned core) {
    if (is_off() || !take_lock()) return;
    real->step(what, reader, core);
    release_lock();
}

bool wfx_names_start(void *memory) {
    static const struct wfi_names_calls calls = {put, forget, repeat_all, get_status, step};
    wfx_names_state = wfx_shared->names_state;
    if (!wf_names_start(memory, wfx_options.names, WFX_NAMES_PERIOD_S)) return false;
    real = wfi.names;
    wfi.names = &calls;
    return true;
}

void wfx_names_end(void) { wfi.names = NULL; }

uint32_t wfx_names_refused(void) {
    struct wf_names_status status;
    wf_names_get_status(&status);
    return status.refused;
}
