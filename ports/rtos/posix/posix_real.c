// SPDX-License-Identifier: MIT
// Finds the real functions behind the wrappers; contains the recorder's lock.
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "wf_port.h"
#include "wf_posix.h"

// dlsym may allocate, and the program's own malloc may lock a mutex: that call comes here while the
// table is still empty, when there is only one thread.
static int nothing(pthread_mutex_t *m) {
    (void)m;
    return 0;
}

static int init_plain(pthread_mutex_t *m, const pthread_mutexattr_t *attr) {
    (void)attr;
    *m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    return 0;
}

struct wfx_calls wfx_calls = {
    .pthread_mutex_lock = nothing,
    .pthread_mutex_trylock = nothing,
    .pthread_mutex_unlock = nothing,
    .pthread_mutex_init = init_plain,
    .pthread_mutex_destroy = nothing,
};
bool wfx_found;
struct wfx_port wfx_port;

// Conditions have a new version since glibc 2.3.2 on old CPUs, and the old one still exists: the
// new version is used if both are in the same library. A version that another library puts in
// between, as sanitizers do, stays in use.
static void *find(const char *name) {
    void *f = dlsym(RTLD_NEXT, name), *newer = NULL;
    Dl_info at, newer_at;
    if (strncmp(name, "pthread_cond_", 13) == 0) newer = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    if (!f || !newer || !dladdr(f, &at) || !dladdr(newer, &newer_at)) return f;
    return at.dli_fbase == newer_at.dli_fbase ? newer : f;
}

void wfx_find(void) {
    static __thread bool inside __attribute__((tls_model("initial-exec")));
    if (inside) return;
    inside = true;
    void *f;
#define WFX_C(name, returns, params)                                                               \
    f = find(#name);                                                                               \
    if (f) *(void **)(void *)&wfx_calls.name = f;
    WFX_CALLS(WFX_C)
#undef WFX_C
    __atomic_store_n(&wfx_found, true, __ATOMIC_RELEASE);
    inside = false;
}

#if defined WF_PORT_ATOMIC
bool *wfx_lock;
uint32_t wfx_port_lock(void) { return 0; }
void wfx_port_unlock(uint32_t was) { (void)was; }
#else
// Signal mask of the thread that holds the lock; it is held for a few stores.
static uint64_t signals_of_holder;
static bool own_lock;
bool *wfx_lock = &own_lock;

uint32_t wfx_port_lock(void) {
    // By the system call: the C library would not block the signal by which it cancels a thread.
    const uint64_t all = UINT64_MAX;
    uint64_t was;
    if (wfx_self.in_names) return 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &was, sizeof all);
    while (__atomic_exchange_n(wfx_lock, true, __ATOMIC_ACQUIRE)) syscall(SYS_sched_yield);
    signals_of_holder = was;
    return 0;
}

void wfx_port_unlock(uint32_t was) {
    (void)was;
    if (wfx_self.in_names) return;
    const uint64_t signals = signals_of_holder;
    __atomic_store_n(wfx_lock, false, __ATOMIC_RELEASE);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &signals, NULL, sizeof signals);
}
#endif
