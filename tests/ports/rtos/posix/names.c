// SPDX-License-Identifier: MIT
// A program without wallfly that has names: threads, a semaphore, a mutex that has a name only in
// its symbols. posix_names.py traces it. Usage:
//   names live | flood     works until its standard input ends; flood: without a pause
//   names fork             the same, in a child of it
//   names storm ROUNDS [deferred] [library FILE]
//                          threads that are named, created, cancelled and interrupted by signals
//                          that name them, too, while the process forks; prints what it did.
//                          deferred: cancelled at a safe place only; library: naming is called in
//                          that library. Sanitizers need one of these: their own functions for
//                          naming take locks, where no signal and no cancellation may come.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4, NAMERS = 4 };

static const char *const names[WORKERS] = {"sensor", "control", "logger", "network"};
static pthread_mutex_t bus_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool ended, floods;

static void must(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "names: %s: %s\n", what, strerror(errno));
    abort();
}

static pthread_t begin(void *(*routine)(void *), const void *arg) {
    pthread_t thread;
    must((errno = pthread_create(&thread, NULL, routine, (void *)(size_t)arg)) == 0, "thread");
    return thread;
}

static bool has_ended(void) { return __atomic_load_n(&ended, __ATOMIC_RELAXED); }

static void *work(void *name) {
    must((errno = pthread_setname_np(pthread_self(), name)) == 0, "name");
    while (!has_ended()) {
        pthread_mutex_lock(&bus_mutex);
        pthread_mutex_unlock(&bus_mutex);
        if (!floods) usleep(1000);
    }
    return NULL;
}

static void *be_gone(void *name) {
    must((errno = pthread_setname_np(pthread_self(), name)) == 0, "name");
    return NULL;
}

static void wait_for_end(void) {
    char byte;
    while (read(0, &byte, 1) > 0) continue;
}

static int live(void) {
    char name[64];
    pthread_t workers[WORKERS];
    snprintf(name, sizeof name, "/wallfly-names-%d", (int)getpid());
    sem_t *door = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    must(door != SEM_FAILED, name);
    sem_unlink(name);
    pthread_join(begin(be_gone, "gone"), NULL);
    for (unsigned i = 0; i < WORKERS; ++i) workers[i] = begin(work, names[i]);
    puts("ready");
    fflush(stdout);
    wait_for_end();
    __atomic_store_n(&ended, true, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < WORKERS; ++i) pthread_join(workers[i], NULL);
    sem_close(door);
    return 0;
}

static int live_in_child(void) {
    int status;
    const pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0) exit(live());
    must(waitpid(child, &status, 0) == child, "waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// ---- storm

static unsigned rounds;
static unsigned interrupts;
static bool defers;
static int (*call_prctl)(int, ...) = prctl;
static int (*call_setname)(pthread_t, const char *) = pthread_setname_np;

static void call_in(const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    must(handle != NULL, library);
    *(void **)&call_prctl = dlsym(handle, "prctl");
    *(void **)&call_setname = dlsym(handle, "pthread_setname_np");
    must(call_prctl && call_setname, "dlsym");
}

static void interrupt(int signal) {
    (void)signal;
    const int was = errno;
    __atomic_add_fetch(&interrupts, 1, __ATOMIC_RELAXED);
    call_prctl(PR_SET_NAME, "interrupted");
    errno = was;
}

static void *idle(void *unused) { return unused; }

static void *name_all(void *of) {
    const unsigned me = (unsigned)(size_t)of;
    char name[16];
    for (unsigned i = 0; i < rounds; ++i) {
        snprintf(name, sizeof name, "namer %u.%u", me, i % 10000);
        must((errno = call_setname(pthread_self(), name)) == 0, "name");
        if (i % 16 == 0) pthread_join(begin(idle, NULL), NULL);
    }
    return NULL;
}

static void *be_cancelled(void *unused) {
    if (!defers) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;) {
        call_prctl(PR_SET_NAME, "victim");
        pthread_testcancel();
    }
    return unused;
}

static void cancel_one(void) {
    void *result;
    pthread_t victim = begin(be_cancelled, NULL);
    usleep(300);
    pthread_cancel(victim);
    pthread_join(victim, &result);
    must(result == PTHREAD_CANCELED, "cancel");
}

static void fork_one(void) {
    int status;
    const pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        call_prctl(PR_SET_NAME, "child");
        _exit(0);
    }
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) continue;
    must(ended == child, "waitpid");
    if (status != 0) {
        fprintf(stderr, "names: a child ended with status %x\n", (unsigned)status);
        abort();
    }
}

static int storm(void) {
    pthread_t namers[NAMERS];
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 2000}, {0, 2000}};
    must(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
    must(setitimer(ITIMER_REAL, &often, NULL) == 0, "setitimer");
    for (size_t i = 0; i < NAMERS; ++i) namers[i] = begin(name_all, (void *)i);
    for (unsigned i = 0; i < rounds / 100; ++i) {
        cancel_one();
        fork_one();
    }
    for (unsigned i = 0; i < NAMERS; ++i) pthread_join(namers[i], NULL);
    printf("done, %s\n",
           __atomic_load_n(&interrupts, __ATOMIC_RELAXED) ? "interrupted" : "not interrupted");
    return 0;
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    floods = strcmp(how, "flood") == 0;
    for (int i = 3; i < argc; ++i) {
        if (strcmp(argv[i], "deferred") == 0) defers = true;
        if (strcmp(argv[i - 1], "library") == 0) call_in(argv[i]);
    }
    if (strcmp(how, "storm") == 0) return storm();
    if (strcmp(how, "fork") == 0) return live_in_child();
    return live();
}
