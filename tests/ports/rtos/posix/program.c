// SPDX-License-Identifier: MIT
// A program without wallfly: 8 threads that use mutexes of all kinds, conditions, semaphores and a
// barrier. It counts the operations of each thread on each object and their time by its own clock,
// and writes the counts to a file. Usage: program OPERATIONS COUNTS [abort]; OPERATIONS of each
// thread.

#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, PLAIN = 4, QUEUE = 4, GATE_MS = 200 };
enum { RECURSIVE = PLAIN, CHECKED, ADAPTIVE, INHERIT, QUEUED, LOCK, GATE, MUTEXES };

enum { OBJECTS = MUTEXES + 2 + 2 + 1 }; // and two conditions, two semaphores, the barrier

static pthread_mutex_t plain[PLAIN] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t recursive, checked, inherit, queued = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, space;
static sem_t room, guard;
static pthread_barrier_t barrier;
static unsigned long shared[MUTEXES]; // incremented each time it is held
static int queue_len;

// Counts of a thread for an object: takes (of a condition: wakes), gives (signals), refused tries,
// timed-out waits. For mutexes: the time spent in calls that may wait.
struct count {
    uint64_t takes, gives, refused, timeouts, ns;
};
static struct {
    pthread_t thread;
    long tid;
    unsigned seed;
    struct count count[OBJECTS], readers;
} threads[THREADS + 1];                // the last is main
static uint64_t gate_from, gate_until; // all threads waited for it
static unsigned operations;
static volatile unsigned at_gate;

static const struct {
    const void *at;
    const char *kind;
} objects[OBJECTS] = {
    {&plain[0], "mutex"},  {&plain[1], "mutex"}, {&plain[2], "mutex"},  {&plain[3], "mutex"},
    {&recursive, "mutex"}, {&checked, "mutex"},  {&adaptive, "mutex"},  {&inherit, "mutex"},
    {&queued, "mutex"},    {&lock, "mutex"},     {&gate, "mutex"},      {&filled, "condition"},
    {&space, "condition"}, {&room, "semaphore"}, {&guard, "semaphore"}, {&barrier, "barrier"},
};
enum { COND_FILLED = MUTEXES, COND_SPACE, SEM_ROOM, SEM_GUARD, BARRIER };

static void must(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "program: %s: %s\n", what, strerror(errno));
    abort();
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct timespec in_us(clockid_t clock, long us) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += us * 1000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static unsigned next(unsigned me) {
    unsigned *x = &threads[me].seed;
    *x ^= *x << 13;
    *x ^= *x >> 17;
    return *x ^= *x << 5;
}

// Called with the object held: sometimes long enough that other threads find it held.
static void hold(unsigned me, unsigned object) {
    const unsigned long before = ++shared[object];
    const unsigned r = next(me) % 64;
    if (r == 0) sched_yield();
    if (r == 1 && next(me) % 32 == 0) usleep(20);
    must(shared[object] == before, "another one holds it, too");
}

static void take(unsigned me, unsigned object, pthread_mutex_t *m) {
    const uint64_t before = now();
    must((errno = pthread_mutex_lock(m)) == 0, "lock");
    threads[me].count[object].ns += now() - before;
    ++threads[me].count[object].takes;
}

static void give(unsigned me, unsigned object, pthread_mutex_t *m) {
    ++threads[me].count[object].gives;
    must((errno = pthread_mutex_unlock(m)) == 0, "unlock");
}

static void use_plain(unsigned me, unsigned object, pthread_mutex_t *m) {
    struct count *c = &threads[me].count[object];
    const unsigned how = next(me) % 8;
    if (how == 0) {
        errno = pthread_mutex_trylock(m);
        must(errno == 0 || errno == EBUSY, "trylock");
        if (errno == EBUSY) {
            ++c->refused;
            return;
        }
        ++c->takes;
    } else if (how == 1) {
        const struct timespec t = in_us(CLOCK_REALTIME, next(me) % 30);
        const uint64_t before = now();
        errno = pthread_mutex_timedlock(m, &t);
        c->ns += now() - before;
        must(errno == 0 || errno == ETIMEDOUT, "timedlock");
        if (errno == ETIMEDOUT) {
            ++c->timeouts;
            return;
        }
        ++c->takes;
    } else {
        take(me, object, m);
    }
    hold(me, object);
    give(me, object, m);
}

static void use_recursive(unsigned me) {
    const unsigned depth = 1 + next(me) % 3;
    for (unsigned i = 0; i < depth; ++i) take(me, RECURSIVE, &recursive);
    hold(me, RECURSIVE);
    for (unsigned i = 0; i < depth; ++i) give(me, RECURSIVE, &recursive);
}

static void use_checked(unsigned me) {
    take(me, CHECKED, &checked);
    hold(me, CHECKED);
    must(pthread_mutex_lock(&checked) == EDEADLK, "locked twice");
    ++threads[me].count[CHECKED].refused;
    give(me, CHECKED, &checked);
    must(pthread_mutex_unlock(&checked) == EPERM, "unlocked twice");
}

// A wait gives the mutex and takes it again.
static int wait_for(unsigned me, unsigned object, pthread_cond_t *c, const struct timespec *until) {
    struct count *m = &threads[me].count[QUEUED], *n = &threads[me].count[object];
    ++m->gives;
    const int error =
        until ? pthread_cond_timedwait(c, &queued, until) : pthread_cond_wait(c, &queued);
    ++m->takes;
    must(error == 0 || (until && error == ETIMEDOUT), "wait");
    if (error)
        ++n->timeouts;
    else
        ++n->takes;
    return error;
}

static void signal_to(unsigned me, unsigned object, pthread_cond_t *c) {
    ++threads[me].count[object].gives;
    must((next(me) % 4 ? pthread_cond_signal(c) : pthread_cond_broadcast(c)) == 0, "signal");
}

// Threads with even numbers fill the queue, the others empty it: never beyond its size.
static void use_queue(unsigned me) {
    const bool fills = me % 2 == 0;
    const unsigned waits = fills ? COND_SPACE : COND_FILLED,
                   tells = fills ? COND_FILLED : COND_SPACE;
    pthread_cond_t *mine = fills ? &space : &filled, *other = fills ? &filled : &space;
    take(me, QUEUED, &queued);
    for (;;) {
        if (fills ? queue_len < QUEUE : queue_len > 0) break;
        // `space` has the monotonic clock. A wait can time out, as the other kind of threads may
        // have ended.
        const struct timespec t = in_us(fills ? CLOCK_MONOTONIC : CLOCK_REALTIME, 200);
        if (wait_for(me, waits, mine, &t) != 0) {
            give(me, QUEUED, &queued);
            return;
        }
    }
    queue_len += fills ? 1 : -1;
    must(queue_len >= 0 && queue_len <= QUEUE, "queue");
    signal_to(me, tells, other);
    give(me, QUEUED, &queued);
}

static void use_semaphore(unsigned me) {
    const bool is_room = next(me) % 2;
    sem_t *s = is_room ? &room : &guard;
    struct count *c = &threads[me].count[is_room ? SEM_ROOM : SEM_GUARD];
    const unsigned how = next(me) % 8;
    if (how == 0 && sem_trywait(s) != 0) {
        must(errno == EAGAIN, "trywait");
        ++c->refused;
        return;
    }
    if (how == 1) {
        const struct timespec t = in_us(CLOCK_REALTIME, next(me) % 30);
        if (sem_timedwait(s, &t) != 0) {
            must(errno == ETIMEDOUT, "sem_timedwait");
            ++c->timeouts;
            return;
        }
    }
    if (how > 1) must(sem_wait(s) == 0, "sem_wait");
    ++c->takes;
    if (next(me) % 64 == 0) sched_yield();
    ++c->gives;
    must(sem_post(s) == 0, "sem_post");
}

static void use_lock(unsigned me) {
    const bool writes = next(me) % 4 == 0;
    struct count *c = writes ? &threads[me].count[LOCK] : &threads[me].readers;
    must((errno = writes ? pthread_rwlock_wrlock(&lock) : pthread_rwlock_rdlock(&lock)) == 0,
         "rwlock");
    ++c->takes;
    if (writes) hold(me, LOCK);
    ++c->gives;
    must(pthread_rwlock_unlock(&lock) == 0, "rwlock unlock");
}

static void operate(unsigned me) {
    const unsigned r = next(me) % 32;
    if (r < 12) {
        use_plain(me, r % PLAIN, &plain[r % PLAIN]);
    } else if (r < 16) {
        use_recursive(me);
    } else if (r < 18) {
        use_checked(me);
    } else if (r < 20) {
        use_plain(me, ADAPTIVE, &adaptive);
    } else if (r < 22) {
        use_plain(me, INHERIT, &inherit);
    } else if (r < 25) {
        use_queue(me);
    } else if (r < 29) {
        use_semaphore(me);
    } else {
        use_lock(me);
    }
}

static void meet(unsigned me) {
    const int result = pthread_barrier_wait(&barrier);
    must(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD, "barrier");
    ++threads[me].count[BARRIER].takes;
}

// All threads wait for a mutex that main holds for some time.
static void pass_gate(unsigned me) {
    __atomic_add_fetch(&at_gate, 1, __ATOMIC_RELEASE);
    take(me, GATE, &gate);
    give(me, GATE, &gate);
}

static void *work(void *arg) {
    const unsigned me = (unsigned)(uintptr_t)arg;
    char name[16];
    threads[me].tid = syscall(SYS_gettid);
    snprintf(name, sizeof name, "worker %u", me);
    if (me != 3) pthread_setname_np(pthread_self(), name);
    meet(me);
    for (unsigned i = 0; i < operations; ++i) operate(me);
    pass_gate(me);
    meet(me);
    return NULL;
}

static void init_mutex(pthread_mutex_t *m, int type, int protocol) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type);
    pthread_mutexattr_setprotocol(&attr, protocol);
    must((errno = pthread_mutex_init(m, &attr)) == 0, "mutex");
    pthread_mutexattr_destroy(&attr);
}

static void init(void) {
    pthread_condattr_t attr;
    init_mutex(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE);
    init_mutex(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
    init_mutex(&inherit, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    must(pthread_cond_init(&space, &attr) == 0, "condition");
    must(sem_init(&room, 0, 3) == 0 && sem_init(&guard, 0, 1) == 0, "semaphore");
    must(pthread_barrier_init(&barrier, NULL, THREADS) == 0, "barrier");
}

// Returns true when the thread is in the kernel's futex call on the gate, on a machine of any load.
static bool waits_at_gate(long tid) {
    char name[64], begin[64], line[256] = "";
    snprintf(name, sizeof name, "/proc/self/task/%ld/syscall", tid);
    snprintf(begin, sizeof begin, "%ld 0x%" PRIxPTR " ", (long)SYS_futex, (uintptr_t)&gate);
    FILE *file = fopen(name, "r");
    must(file, name);
    must(fgets(line, sizeof line, file), name);
    fclose(file);
    return strncmp(line, begin, strlen(begin)) == 0;
}

static void hold_gate(void) {
    take(THREADS, GATE, &gate);
    for (unsigned i = 0; i < THREADS; ++i) {
        must(pthread_create(&threads[i].thread, NULL, work, (void *)(uintptr_t)i) == 0, "thread");
    }
    while (__atomic_load_n(&at_gate, __ATOMIC_ACQUIRE) < THREADS) usleep(1000);
    for (unsigned i = 0; i < THREADS; ++i) {
        while (!waits_at_gate(threads[i].tid)) usleep(1000);
    }
    gate_from = now();
    usleep(GATE_MS * 1000);
    gate_until = now();
    give(THREADS, GATE, &gate);
}

static void write_count(FILE *to, unsigned me, const void *at, const char *kind,
                        const struct count *c) {
    fprintf(
        to,
        "count %ld %" PRIxPTR " %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
        threads[me].tid, (uintptr_t)at, kind, c->takes, c->gives, c->refused, c->timeouts, c->ns);
}

static void write_counts(const char *name) {
    FILE *to = fopen(name, "w");
    must(to, name);
    for (unsigned me = 0; me <= THREADS; ++me) {
        for (unsigned i = 0; i < OBJECTS; ++i) {
            write_count(to, me, objects[i].at, objects[i].kind, &threads[me].count[i]);
        }
        write_count(to, me, (const char *)&lock + 1, "semaphore", &threads[me].readers);
        if (me < THREADS) {
            fprintf(to, "gate %ld %" PRIxPTR " %ld %" PRIu64 "\n", threads[me].tid,
                    (uintptr_t)&gate, threads[THREADS].tid, gate_until - gate_from);
        }
    }
    must(fclose(to) == 0, name);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    operations = (unsigned)atoi(argv[1]);
    for (unsigned me = 0; me <= THREADS; ++me) threads[me].seed = 1000003u * (me + 1);
    threads[THREADS].tid = syscall(SYS_gettid);
    init();
    hold_gate();
    for (unsigned i = 0; i < THREADS; ++i) pthread_join(threads[i].thread, NULL);
    write_counts(argv[2]);
    if (argc > 3) abort();
    puts("done");
    return 0;
}
