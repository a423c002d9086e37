// SPDX-License-Identifier: MIT
// Inside of libwallfly_posix.so: the real functions behind the wrappers, the traced threads, and
// the memory shared by the program and its helper process. The program sees nothing of this
// (hidden).
#ifndef WF_POSIX_H
#define WF_POSIX_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "wallfly/wf_rtos.h"
#include "wallfly/wf_slots.h"
#include "wf_port.h"

#define WFX_SEEN __attribute__((visibility("default"))) // visible to the program

// ---- the real functions: C(name, returns, parameters)
typedef void *wfx_start_routine(void *);
#define WFX_CALLS(C)                                                                               \
    C(pthread_create, int, (pthread_t *, const pthread_attr_t *, wfx_start_routine *, void *))     \
    C(pthread_join, int, (pthread_t, void **))                                                     \
    C(pthread_timedjoin_np, int, (pthread_t, void **, const struct timespec *))                    \
    C(pthread_setname_np, int, (pthread_t, const char *))                                          \
    C(pthread_setschedparam, int, (pthread_t, int, const struct sched_param *))                    \
    C(pthread_setschedprio, int, (pthread_t, int))                                                 \
    C(prctl, int, (int, ...))                                                                      \
    C(pthread_mutex_init, int, (pthread_mutex_t *, const pthread_mutexattr_t *))                   \
    C(pthread_mutex_destroy, int, (pthread_mutex_t *))                                             \
    C(pthread_mutex_lock, int, (pthread_mutex_t *))                                                \
    C(pthread_mutex_trylock, int, (pthread_mutex_t *))                                             \
    C(pthread_mutex_timedlock, int, (pthread_mutex_t *, const struct timespec *))                  \
    C(pthread_mutex_clocklock, int, (pthread_mutex_t *, clockid_t, const struct timespec *))       \
    C(pthread_mutex_unlock, int, (pthread_mutex_t *))                                              \
    C(pthread_rwlock_init, int, (pthread_rwlock_t *, const pthread_rwlockattr_t *))                \
    C(pthread_rwlock_destroy, int, (pthread_rwlock_t *))                                           \
    C(pthread_rwlock_rdlock, int, (pthread_rwlock_t *))                                            \
    C(pthread_rwlock_wrlock, int, (pthread_rwlock_t *))                                            \
    C(pthread_rwlock_tryrdlock, int, (pthread_rwlock_t *))                                         \
    C(pthread_rwlock_trywrlock, int, (pthread_rwlock_t *))                                         \
    C(pthread_rwlock_timedrdlock, int, (pthread_rwlock_t *, const struct timespec *))              \
    C(pthread_rwlock_timedwrlock, int, (pthread_rwlock_t *, const struct timespec *))              \
    C(pthread_rwlock_clockrdlock, int, (pthread_rwlock_t *, clockid_t, const struct timespec *))   \
    C(pthread_rwlock_clockwrlock, int, (pthread_rwlock_t *, clockid_t, const struct timespec *))   \
    C(pthread_rwlock_unlock, int, (pthread_rwlock_t *))                                            \
    C(pthread_cond_init, int, (pthread_cond_t *, const pthread_condattr_t *))                      \
    C(pthread_cond_destroy, int, (pthread_cond_t *))                                               \
    C(pthread_cond_wait, int, (pthread_cond_t *, pthread_mutex_t *))                               \
    C(pthread_cond_timedwait, int, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *)) \
    C(pthread_cond_clockwait, int,                                                                 \
      (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))                   \
    C(pthread_cond_signal, int, (pthread_cond_t *))                                                \
    C(pthread_cond_broadcast, int, (pthread_cond_t *))                                             \
    C(pthread_barrier_init, int, (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned))   \
    C(pthread_barrier_destroy, int, (pthread_barrier_t *))                                         \
    C(pthread_barrier_wait, int, (pthread_barrier_t *))                                            \
    C(sem_init, int, (sem_t *, int, unsigned))                                                     \
    C(sem_destroy, int, (sem_t *))                                                                 \
    C(sem_open, sem_t *, (const char *, int, ...))                                                 \
    C(sem_close, int, (sem_t *))                                                                   \
    C(sem_wait, int, (sem_t *))                                                                    \
    C(sem_trywait, int, (sem_t *))                                                                 \
    C(sem_timedwait, int, (sem_t *, const struct timespec *))                                      \
    C(sem_clockwait, int, (sem_t *, clockid_t, const struct timespec *))                           \
    C(sem_post, int, (sem_t *))                                                                    \
    C(sleep, unsigned, (unsigned))                                                                 \
    C(usleep, int, (useconds_t))                                                                   \
    C(nanosleep, int, (const struct timespec *, struct timespec *))                                \
    C(clock_nanosleep, int, (clockid_t, int, const struct timespec *, struct timespec *))          \
    C(sched_yield, int, (void))                                                                    \
    C(fork, pid_t, (void))                                                                         \
    C(_exit, void, (int))                                                                          \
    C(execve, int, (const char *, char *const *, char *const *))                                   \
    C(execv, int, (const char *, char *const *))                                                   \
    C(execvp, int, (const char *, char *const *))                                                  \
    C(execvpe, int, (const char *, char *const *, char *const *))                                  \
    C(fexecve, int, (int, char *const *, char *const *))

struct wfx_calls {
#define WFX_C(name, returns, params) returns(*name) params;
    WFX_CALLS(WFX_C)
#undef WFX_C
};
extern struct wfx_calls wfx_calls;
extern bool wfx_found; // wfx_calls is complete
void wfx_find(void);

static inline const struct wfx_calls *wfx_real(void) {
    if (__builtin_expect(!__atomic_load_n(&wfx_found, __ATOMIC_ACQUIRE), 0)) wfx_find();
    return &wfx_calls;
}
#define WFX_REAL(name) (wfx_real()->name)

// ---- shared by program and helper

enum { WFX_THREADS = 8192, WFX_NAPS = 16, WFX_PROBES = 16, WFX_TEXT = 240 };

// The time between two calls in which a switch has a reason that the kernel does not report.
struct wfx_nap {
    uint64_t begin, end; // nanoseconds; end 0: not yet
    uint64_t reason;     // WFX_LEFT
};

struct wfx_thread {
    int tid; // 0: never used
    uint32_t naps;
    uint64_t born, died; // after the create, before the delete; died 0: alive
    uint64_t left;       // time it last left the CPU; used by the helper
    struct wfx_nap nap[WFX_NAPS];
};

struct wfx_shared {
    int pid;
    bool lock;                  // lock of the recorder, where it needs one
    uint32_t ready;             // 1: the helper reads; 2: it cannot, see text
    uint32_t ending;            // the program requests the end
    uint64_t end_time;          // time of the request; later switches are the library's own waits
    uint32_t ended;             // all is written
    uint32_t leaving;           // the program is about to be replaced (exec)
    uint32_t switches;          // the kernel reports switches
    char text[WFX_TEXT];        // error message
    char where[WFX_TEXT];       // destination of the trace
    char no_switches[WFX_TEXT]; // why there are no switches
    uint64_t drained[WF_CFG_CORES]; // slots read
    uint32_t names_lock;            // held by a thread or the helper
    uint32_t names_off;             // the lock was not released: names are no longer kept
    uint64_t names_state[WF_PORT_NAMES_SIZE / 8];
    uint64_t named[8]; // a bit for each hash of the address of an object that was named
    struct wfx_thread threads[WFX_THREADS];
};
extern struct wfx_shared *wfx_shared;

// As in WF_REASONS.
enum {
#define WFX_A(value, name, sentence) WFX_LEFT_##name = value,
    WF_REASONS(WFX_A)
#undef WFX_A
};

struct wfx_options {
    const char *out; // %p in it is the process id
    bool is_new;     // never overwrite an existing file
    uint32_t slots;  // of each ring
    uint32_t names;  // bytes of the table of names, 0: none
    bool wait;       // wait for room in the ring
    bool verbose, switches, forks;
    unsigned cpus;
    uint32_t build_id;
};
extern struct wfx_options wfx_options;

// Starts the table of names: wfx_options.names bytes, in memory shared with the helper.
bool wfx_names_start(void *memory);
void wfx_names_end(void);         // in the helper: repeats no more names
uint32_t wfx_names_refused(void); // names that found no room in the table

void wfx_helper(int alive, int pid); // the helper process; alive: one end of a pipe, the program
                                     // has the other. Returns after the program has ended
void wfx_switches_open(int pid);
// Reads the switches that the kernel reported up to a moment ago; all: the program has ended, or is
// stopped. Returns whether there were any.
bool wfx_switches_read(bool all);
// Marks that no earlier switch follows this time. The caller must be sure of that.
void wfx_switches_mark(uint64_t time);

// ---- the caller

struct wfx_self {
    int tid;                  // 0: not known yet
    bool off;                 // inside the library, or the thread has ended
    bool in_names;            // inside the table of names, which has a lock of its own
    bool keep_name;           // create and delete leave the caller's name as it is
    unsigned char end;        // rounds of destructors so far
    unsigned char robust;     // number of robust mutexes held
    struct wfx_thread *entry; // null: no room
    pthread_mutex_t *held[8]; // robust ones
};
extern __thread struct wfx_self wfx_self __attribute__((tls_model("initial-exec")));
extern bool wfx_on;

int wfx_join_in(void); // slow path of wfx_task
void wfx_make_room(void);

// Returns the caller's thread id, 0 when it is not traced (now). Waits for room in the ring if that
// is requested.
static inline const void *wfx_task(void) {
    if (!__atomic_load_n(&wfx_on, __ATOMIC_RELAXED) || wfx_self.off) return NULL;
    if (__builtin_expect(wfx_options.wait, 0)) wfx_make_room();
    const int tid = wfx_self.tid ? wfx_self.tid : wfx_join_in();
    return (const void *)(uintptr_t)(unsigned)tid;
}

void wfx_begin_thread(void);
void wfx_thread_name(int tid, const char *name); // tid 0: the caller
int wfx_tid_of(pthread_t thread);                // 0: not known
void wfx_nap_begin(unsigned reason);
void wfx_nap_end(void);

// Record that the caller takes or gives a mutex.
void wfx_mutex_taken(pthread_mutex_t *m, const void *task);
bool wfx_mutex_mine(const pthread_mutex_t *m); // false: unlocking it will fail
void wfx_mutex_given(pthread_mutex_t *m, const void *task);
void wfx_robust_end(void); // the caller ends: the kernel releases its robust mutexes

extern const char wfx_sleeps[], wfx_joins[]; // texts of spans

#endif
