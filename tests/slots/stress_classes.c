// SPDX-License-Identifier: MIT
// Classes under threads: while some threads record, one switches classes, events, forms, filters
// and handlers all the time. Events that are never switched must arrive whole and in order;
// switched events may be missing, but have one of their two forms; and no handler ever gets the
// area of another one.
//
//   stress_classes THREADS EVENTS

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_classes.h"
#include "wf_port.h"

enum { THREADS_MAX = 64, CORES_MAX = 64, BATCH = 512 };
enum { ALWAYS = 1, SOMETIMES = 2 }; // events of COMM; word 0: thread, 1: number

static unsigned thread_count, core_count;
static uint32_t event_count;
static atomic_bool stop_switching;
static atomic_uint mixed, handled, rounds;
static uint32_t last[CORES_MAX][THREADS_MAX][3], came[THREADS_MAX][3], wide_ones, fast_ones;
static struct check checks[CORES_MAX];
static _Thread_local uint32_t self;

static bool thread(uint32_t *pid, uint32_t *tid) {
    *pid = self % 2;
    *tid = self;
    return true;
}

static char areas[2];

#ifdef __SANITIZE_THREAD__
enum { CHANGES = 100000 };
#else
enum { CHANGES = 3000000 };
#endif

static int first(struct wf_classes_event *e) {
    if (e->area != &areas[0]) atomic_fetch_add(&mixed, 1);
    atomic_fetch_add(&handled, 1);
    return 1;
}

static int second(struct wf_classes_event *e) {
    if (e->area != &areas[1] || e->pid != self % 2 || e->tid != self) atomic_fetch_add(&mixed, 1);
    atomic_fetch_add(&handled, 1);
    return (int)(e->words[1] % 3);
}

static void *record(void *arg) {
    self = (uint32_t)(uintptr_t)arg;
    while (!atomic_load(&rounds)) { // wait for the first switch
    }
    for (uint32_t n = 1; n <= event_count; ++n) {
        const uint32_t words[] = {self, n, ~n, self ^ n, n + 1};
        int err = wf_classes_record(WF_SAT_USER, ALWAYS, words, 2, WF_CLASSES_SAME) |
                  wf_classes_record(WF_SAT_COMM, SOMETIMES, words, 5, WF_CLASSES_FAST2(0, 1));
        if (err) check_fail("an event is refused", n, (uint64_t)-err);
        if (n % 16 == 0) sched_yield(); // so that all threads progress, with any number of cores
    }
    return NULL;
}

// Sets every switchable setting, in turn.
static void turn(unsigned n) {
    int32_t event = n % 3 ? SOMETIMES : WF_CLASSES_ALL;
    wf_classes_switch(WF_SAT_COMM, event, n % 8 != 0);
    wf_classes_set_form(WF_SAT_COMM, event, n % 2 ? WF_CLASSES_WIDE : WF_CLASSES_FAST);
    if (n % 16 == 5) {
        wf_classes_filter(WF_SAT_COMM, event, WF_CLASSES_PID, n / 16 % 2, 0);
    } else if (n % 16 == 9) {
        wf_classes_unfilter(WF_SAT_COMM, event, WF_CLASSES_PID);
    }
    wf_classes_filter(WF_SAT_SYSTEM, (int32_t)(n % 20), WF_CLASSES_TID, n, n);
    wf_classes_unfilter(WF_SAT_SYSTEM, (int32_t)(n / 7 % 20), WF_CLASSES_TID);
    if (n % 5 == 4) {
        wf_classes_set_handler(WF_SAT_COMM, event, NULL, NULL);
    } else {
        wf_classes_set_handler(WF_SAT_COMM, event, n % 2 ? first : second, &areas[n % 2 ? 0 : 1]);
    }
}

static void *switch_all(void *arg) {
    (void)arg;
    for (unsigned n = 1; !atomic_load(&stop_switching); ++n) {
        turn(n);
        atomic_fetch_add(&rounds, 1);
        sched_yield();
    }
    return NULL;
}

// A handler that one thread changes all the time while another thread records all the time. The
// handlers keep no events.
static int discard_first(struct wf_classes_event *e) { return first(e) * 0; }
static int discard_second(struct wf_classes_event *e) {
    if (e->area != &areas[1]) atomic_fetch_add(&mixed, 1);
    return 0;
}

static void *change_handler(void *arg) {
    (void)arg;
    for (unsigned n = 0; !atomic_load(&stop_switching); ++n) {
        wf_classes_set_handler(WF_SAT_QVM, WF_CLASSES_ALL, n % 2 ? discard_first : discard_second,
                               &areas[n % 2 ? 0 : 1]);
    }
    return NULL;
}

static void change_under_load(void) {
    pthread_t changer;
    const uint32_t words[] = {0, 1};
    wf_classes_set_handler(WF_SAT_QVM, 1, discard_second, &areas[1]); // before the thread starts
    wf_classes_switch(WF_SAT_QVM, WF_CLASSES_ALL, true);
    if (pthread_create(&changer, NULL, change_handler, NULL)) exit(2);
    for (unsigned n = 0; n < CHANGES; ++n) wf_classes_record(WF_SAT_QVM, 1, words, 2, 0);
    atomic_store(&stop_switching, true);
    pthread_join(changer, NULL);
    atomic_store(&stop_switching, false);
}

static void came_in(void *ctx, const struct check_event *e) {
    (void)ctx;
    uint32_t by = e->word[0], n = e->word[1];
    bool always = e->cls == WF_SLOT_CLASS_USER && e->event == ALWAYS;
    if (by >= thread_count ||
        (!always && (e->cls != WF_SLOT_CLASS_COMM || e->event != SOMETIMES))) {
        check_fail("an event nobody made", by, e->event);
    }
    if (n <= last[e->core][by][e->event]) check_fail("out of order, or twice", by, n);
    last[e->core][by][e->event] = n;
    ++came[by][e->event];
    if (always) return;
    if (e->count == 2) {
        ++fast_ones;
    } else if (e->count == 6 && e->word[2] == ~n && e->word[3] == (by ^ n) && e->word[4] == n + 1) {
        ++wide_ones;
    } else {
        check_fail("neither form", by, n);
    }
}

static void start(void) {
    const struct wf_classes_hooks hooks = {thread, NULL};
    long cores = sysconf(_SC_NPROCESSORS_CONF);
    core_count = cores < 1 ? 1 : cores > CORES_MAX ? CORES_MAX : (unsigned)cores;
    uint32_t slots = WF_SLOTS_MIN;
    while (slots < 5 * thread_count * event_count && slots < WF_SLOTS_MAX) slots *= 2;
    size_t size = WF_SLOTS_SIZE(core_count, slots);
    struct wf_slots_config config = {NULL, size, core_count, slots, true, WF_PORT_HZ, 0};
    if (posix_memalign(&config.memory, 64, size) || !wf_slots_start(&config)) {
        fputs("stress_classes: cannot start\n", stderr);
        exit(2);
    }
    wf_classes_init(&hooks);
    wf_classes_switch(WF_SAT_USER, ALWAYS, true);
    wf_classes_start(false);
}

static void read_core(unsigned core) {
    static struct wf_slot slots[BATCH];
    struct wf_slots_reader reader = {0};
    unsigned n;
    checks[core].core = core;
    checks[core].on = came_in;
    while ((n = wf_slots_read(&reader, core, slots, BATCH, true)) != 0) {
        for (unsigned i = 0; i < n; ++i) check_slot(&checks[core], &slots[i]);
    }
    if (checks[core].lost || checks[core].refused) {
        check_fail("lost", checks[core].lost, checks[core].refused);
    }
}

int main(int argc, char **argv) {
    pthread_t ids[THREADS_MAX], switcher;
    if (argc != 3) return 2;
    thread_count = (unsigned)strtoul(argv[1], NULL, 10);
    event_count = (uint32_t)strtoul(argv[2], NULL, 10);
    if (!thread_count || thread_count > THREADS_MAX) return 2;
    start();
    change_under_load();
    for (uintptr_t i = 0; i < thread_count; ++i) {
        if (pthread_create(&ids[i], NULL, record, (void *)i)) return 2;
    }
    if (pthread_create(&switcher, NULL, switch_all, NULL)) return 2;
    for (unsigned i = 0; i < thread_count; ++i) pthread_join(ids[i], NULL);
    atomic_store(&stop_switching, true);
    pthread_join(switcher, NULL);
    for (unsigned core = 0; core < core_count; ++core) read_core(core);
    uint64_t sometimes = 0;
    for (unsigned i = 0; i < thread_count; ++i) {
        if (came[i][ALWAYS] != event_count) check_fail("missing", i, came[i][ALWAYS]);
        sometimes += came[i][SOMETIMES];
    }
    printf("always %" PRIu64 ", of as many others %" PRIu64 " (%u fast, %u wide), handlers %u, "
           "switched %u times\n",
           (uint64_t)thread_count * event_count, sometimes, fast_ones, wide_ones, handled, rounds);
    if (mixed) check_fail("a handler got another's area", mixed, 0);
    if (!fast_ones || !wide_ones || !handled || sometimes == (uint64_t)thread_count * event_count) {
        check_fail("nothing was tried", sometimes, handled);
    }
    return 0;
}
