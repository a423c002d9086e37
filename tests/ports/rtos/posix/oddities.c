// SPDX-License-Identifier: MIT
// Rare cases: cancellation in a wait, mutexes whose owner died, semaphores with names, names and
// priorities set by other threads, thread numbers that are reused, a malloc of its own with a
// mutex, children. It prints errors that it sees itself; posix.sh checks the trace.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The program's own allocator: dlsym and thread creation use it too.
static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static char store[1 << 22] __attribute__((aligned(16)));
static size_t used;

static void *get(size_t size) {
    pthread_mutex_lock(&heap);
    size = (size + 31) / 16 * 16;
    char *block = used + size <= sizeof store ? store + used : NULL;
    if (block) used += size;
    pthread_mutex_unlock(&heap);
    if (block) memcpy(block, &size, sizeof size);
    return block ? block + 16 : NULL;
}

void *malloc(size_t size) { return get(size); }
void *calloc(size_t n, size_t size) { return get(n * size); } // never reused, so zero
void free(void *block) { (void)block; }
void *realloc(void *block, size_t size) {
    void *to = get(size);
    size_t old = 0;
    if (block) memcpy(&old, (char *)block - 16, sizeof old);
    if (to && block) memcpy(to, block, old - 16 < size ? old - 16 : size);
    return to;
}

static void must(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "oddities: %s: %s\n", what, strerror(errno));
    exit(1);
}

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, robust, nested;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *wait_cond(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    for (;;) pthread_cond_wait(&cond, &m);
    pthread_cleanup_pop(1);
    return NULL;
}

static void *wait_sem(void *arg) {
    (void)arg;
    sem_wait(&sem);
    return NULL;
}

static void *sleep_long(void *arg) {
    (void)arg;
    sleep(100);
    return NULL;
}

static void *die_with(void *mutex) {
    pthread_mutex_lock(mutex);
    return NULL;
}

static void *nothing(void *arg) { return arg; }

static pthread_t start(void *(*routine)(void *), void *arg) {
    pthread_t thread;
    must((errno = pthread_create(&thread, NULL, routine, arg)) == 0, "thread");
    return thread;
}

static void cancel(void *(*routine)(void *)) {
    void *result = NULL;
    const pthread_t thread = start(routine, NULL);
    usleep(20000);
    must(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0, "cancel");
    must(result == PTHREAD_CANCELED, "canceled");
}

static void try_robust(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    must(pthread_mutex_init(&robust, &attr) == 0, "robust");
    pthread_join(start(die_with, &robust), NULL);
    must(pthread_mutex_lock(&robust) == EOWNERDEAD, "the owner has died");
    must(pthread_mutex_consistent(&robust) == 0 && pthread_mutex_unlock(&robust) == 0,
         "consistent");
    must(pthread_mutex_destroy(&robust) == 0, "destroy");
}

static void try_nested(void) {
    pthread_mutexattr_t attr;
    struct timespec t;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&nested, &attr);
    pthread_mutex_lock(&nested);
    pthread_mutex_lock(&nested);
    clock_gettime(CLOCK_REALTIME, &t);
    must(pthread_cond_timedwait(&cond, &nested, &t) == ETIMEDOUT, "nested");
    pthread_mutex_unlock(&nested);
    pthread_mutex_unlock(&nested);
    must(pthread_mutex_unlock(&nested) == EPERM, "not held");
}

static void try_names(void) {
    const char *name = getenv("ODD_SEMAPHORE");
    sem_t *a = sem_open(name, O_CREAT, 0600, 2), *b = sem_open(name, 0);
    must(a != SEM_FAILED && a == b, "sem_open");
    must(sem_wait(a) == 0 && sem_trywait(b) == 0 && sem_trywait(a) != 0 && errno == EAGAIN,
         "named");
    must(sem_post(a) == 0 && sem_close(a) == 0 && sem_wait(b) == 0 && sem_close(b) == 0, "named");
    sem_unlink(name);
    const pthread_t thread = start(sleep_long, NULL);
    usleep(20000);
    must(pthread_setname_np(thread, "sleeper") == 0, "name");
    const struct sched_param param = {.sched_priority = 0};
    must(pthread_setschedparam(thread, SCHED_BATCH, &param) == 0, "priority");
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    prctl(PR_SET_NAME, "renamed", 0, 0, 0);
}

static void try_children(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&m); // not in this trace
        _exit(4);
    }
    must(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 4, "fork");
    child = vfork();
    if (child == 0) _exit(5);
    must(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5, "vfork");
    must(waitpid(-1, &status, 0) == -1 && errno == ECHILD, "a child too many");
    must(execl("/nowhere", "nowhere", (char *)NULL) == -1 && errno == ENOENT, "exec");
}

int main(void) {
    errno = 0;
    must(sem_init(&sem, 0, 0) == 0, "semaphore");
    cancel(wait_cond);
    cancel(wait_sem);
    cancel(sleep_long);
    try_robust();
    try_nested();
    try_names();
    for (int i = 0; i < 2000; ++i) pthread_join(start(nothing, NULL), NULL);
    try_children();
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    puts("done");
    fflush(stdout);
    execlp("sh", "sh", "-c", "exit 6", (char *)NULL);
    return 1;
}
