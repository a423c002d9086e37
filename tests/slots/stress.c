// SPDX-License-Identifier: MIT
// The slot recorder under threads and signals, with the real port of the host: every delivered
// event must be whole, those of a thread in order on each core and without duplicates, and together
// with the lost and refused ones they must add up to the requested number.
//
//   stress THREADS EVENTS newest|oldest|linear
//
// EVENTS of each thread. newest: the oldest slots are dropped; oldest: a full ring refuses; both
// are read all the time. linear: rings that hold all events, read at the end: nothing may be lost.

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

enum { THREADS_MAX = 64, CORES_MAX = 64, BATCH = 512 };
enum { WRITER = 1, INTERRUPT = 2 }; // events; word 0: thread, 1 and 2: number of the event

struct writer {
    pthread_t id;
    uint32_t number;
    uint64_t events;
    volatile sig_atomic_t ready;
    uint64_t interrupts; // from its signal handler
};

static struct writer writers[THREADS_MAX];
static unsigned writer_count, core_count;
static _Thread_local struct writer *self;
static atomic_bool stop_reading;
static struct check checks[CORES_MAX];
static struct wf_slots_reader readers[CORES_MAX];
static uint64_t last[CORES_MAX][THREADS_MAX][3], came[THREADS_MAX][3];

// Events of three or more words are chains.
static void record(unsigned what, uint32_t thread, uint64_t n) {
    const uint32_t low = (uint32_t)n, high = (uint32_t)(n >> 32);
    if (n % 7) {
        wf_slot_event(WF_SLOT_CLASS_USER, what, thread | high << 16, low);
    } else {
        const uint32_t words[] = {thread | high << 16, low, ~low, thread, low ^ 0x55, high};
        wf_slot_words(WF_SLOT_CLASS_COMM, what, words, 3 + (unsigned)(n % 4));
    }
}

static void on_signal(int number) {
    (void)number;
    struct writer *w = self;
    if (w && w->ready) record(INTERRUPT, w->number, ++w->interrupts);
}

#ifdef __SANITIZE_THREAD__
enum { EVERY = 500000 }; // ns; the sanitizer's own code takes so long
#else
enum { EVERY = 100000 };
#endif

// A timer that interrupts the calling thread every EVERY nanoseconds of its running time.
static timer_t interrupt_me(void) {
    struct sigevent to = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    const struct itimerspec often = {{0, EVERY}, {0, EVERY}};
    timer_t timer;
    to._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &to, &timer) || timer_settime(timer, 0, &often, NULL)) {
        perror("stress: timer");
        exit(2);
    }
    return timer;
}

static void *write_events(void *arg) {
    struct writer *w = self = arg;
    timer_t timer = interrupt_me();
    w->ready = 1;
    for (uint64_t n = 1; n <= w->events; ++n) record(WRITER, w->number, n);
    w->ready = 0;
    timer_delete(timer);
    return NULL;
}

static void came_in(void *ctx, const struct check_event *e) {
    (void)ctx;
    uint32_t thread = e->word[0] & 0xFFFF, low = e->word[1];
    uint64_t n = low | (uint64_t)(e->word[0] >> 16) << 32;
    if (thread >= writer_count || e->event < WRITER || e->event > INTERRUPT) {
        check_fail("an event nobody made", thread, e->event);
    }
    if (n % 7) {
        if (e->cls != WF_SLOT_CLASS_USER) check_fail("a wrong class", e->cls, n);
    } else {
        unsigned words = 3 + (unsigned)(n % 4);
        if (e->cls != WF_SLOT_CLASS_COMM || e->count != (words + 1) / 2 * 2 || e->word[2] != ~low ||
            (words > 3 && e->word[3] != thread) || (words > 4 && e->word[4] != (low ^ 0x55))) {
            check_fail("an event is torn", thread, n);
        }
    }
    uint64_t *before = &last[e->core][thread][e->event];
    if (n <= *before) check_fail("out of order, or twice", n, *before);
    *before = n;
    ++came[thread][e->event];
}

static unsigned read_core(unsigned core, bool end) {
    struct wf_slot slots[BATCH];
    unsigned n = wf_slots_read(&readers[core], core, slots, BATCH, end);
    for (unsigned i = 0; i < n; ++i) check_slot(&checks[core], &slots[i]);
    return n;
}

static void *read_all(void *arg) {
    (void)arg;
    while (!atomic_load(&stop_reading)) {
        for (unsigned core = 0; core < core_count; ++core) read_core(core, false);
    }
    return NULL;
}

static void start(bool keep_oldest, uint64_t slots_wanted) {
    long cores = sysconf(_SC_NPROCESSORS_CONF);
    core_count = cores < 1 ? 1 : cores > CORES_MAX ? CORES_MAX : (unsigned)cores;
    uint32_t slots = WF_SLOTS_MIN;
    while (slots < slots_wanted && slots < WF_SLOTS_MAX) slots *= 2;
    size_t size = WF_SLOTS_SIZE(core_count, slots);
    struct wf_slots_config config = {NULL, size, core_count, slots, keep_oldest, WF_PORT_HZ, 0};
    if (posix_memalign(&config.memory, 64, size) || !wf_slots_start(&config)) {
        fputs("stress: cannot start\n", stderr);
        exit(2);
    }
    for (unsigned i = 0; i < core_count; ++i) {
        checks[i].core = i;
        checks[i].on = came_in;
    }
}

static void report(bool may_lose) {
    uint64_t asked = 0, delivered = 0, lost = 0, made = 0, refused = 0, interrupts = 0;
    for (unsigned i = 0; i < writer_count; ++i) {
        asked += writers[i].events + writers[i].interrupts;
        interrupts += writers[i].interrupts;
        delivered += came[i][WRITER] + came[i][INTERRUPT];
    }
    for (unsigned i = 0; i < core_count; ++i) {
        struct wf_slots_status status;
        wf_slots_get_status(i, &status);
        if (checks[i].delivered + checks[i].lost != status.made) {
            check_fail("a core's events do not add up", checks[i].delivered, checks[i].lost);
        }
        if (checks[i].slots - 2 != status.slots) check_fail("slots", checks[i].slots, status.slots);
        lost += checks[i].lost;
        made += status.made;
        refused += status.refused;
    }
    printf("asked %" PRIu64 " (%" PRIu64 " in signal handlers), delivered %" PRIu64
           ", lost %" PRIu64 ", refused %" PRIu64 "\n",
           asked, interrupts, delivered, lost, refused);
    if (made + refused != asked || delivered + lost != made) check_fail("sums", asked, made);
    if (!may_lose && (lost || refused)) check_fail("lost", lost, refused);
    if (!delivered || !interrupts) check_fail("nothing was tried", delivered, interrupts);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    writer_count = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t events = strtoull(argv[2], NULL, 10);
    bool linear = !strcmp(argv[3], "linear");
    if (!writer_count || writer_count > THREADS_MAX) return 2;
    // Linear: each ring holds the events of all threads and interrupts; every seventh takes three
    // slots.
    start(strcmp(argv[3], "newest") != 0, linear ? 4 * writer_count * events : 64 * WF_CFG_CHUNK);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t reader;
    for (unsigned i = 0; i < writer_count; ++i) {
        writers[i].number = i;
        writers[i].events = events;
        if (pthread_create(&writers[i].id, NULL, write_events, &writers[i])) return 2;
    }
    if (!linear && pthread_create(&reader, NULL, read_all, NULL)) return 2;
    for (unsigned i = 0; i < writer_count; ++i) pthread_join(writers[i].id, NULL);
    atomic_store(&stop_reading, true);
    if (!linear) pthread_join(reader, NULL);
    for (unsigned core = 0; core < core_count; ++core) {
        while (read_core(core, true)) {
        }
    }
    report(!linear);
    return 0;
}
