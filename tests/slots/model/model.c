// SPDX-License-Identifier: MIT
// All orders in which a few writers and a reader can access shared memory, tested with the real
// code of the recorder: each access is a step, and after each one any thread may continue. Two
// orders with the same memory, where each thread has read the same values, continue in the same
// ways, so each such state is visited once. (All threads see the accesses in one order: reordering
// by a CPU is tested by the stress test under ThreadSanitizer.)
//
// At the end of each order the readable events must be whole, in order, of this run, and together
// with the lost ones add up to the events made; otherwise the program ends with exit code 3. With
// the argument "torn" slots are stored in two halves, and the test must detect this.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "../check.h"
#include "model_access.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

enum { SLOTS = 2 * WF_CFG_CHUNK, THREADS = 4, STACK = 1 << 16, DEPTH = 4000, EVENTS = 4096 };

// ---- the threads ----

struct thread {
    void (*run)(void);
    ucontext_t at;
    bool done;
    uint64_t seen; // hash of the values it has read, and so of its position
};

static struct thread threads[THREADS];
static unsigned thread_count;
static struct thread *running; // null: not a thread; its accesses are not steps
static ucontext_t scheduler;
static char stacks[THREADS][STACK];
static bool torn;
static uint64_t clock_now, clock_step;
static _Alignas(64) uint8_t memory[WF_SLOTS_SIZE(1, SLOTS)];
static struct wf_slots_reader reader;
static struct check check;
static unsigned calls, bursts; // events requested
static uint8_t came[EVENTS];   // received, by number

static uint64_t mix(uint64_t h, uint64_t v) {
    h = (h + UINT64_C(0x632BE59BD9B4E019) + v) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static void step(void) {
    if (running) swapcontext(&running->at, &scheduler);
}

static void saw(uint64_t v) {
    if (running) running->seen = mix(running->seen, v + 1);
}

uint64_t model_load(const void *p, unsigned bytes) {
    uint64_t v = 0;
    step();
    memcpy(&v, p, bytes);
    saw(v);
    return v;
}

void model_store(void *p, uint64_t v, unsigned bytes) {
    step();
    memcpy(p, &v, bytes);
    saw(0);
}

bool model_swap(uint64_t *p, uint64_t *from, uint64_t to) {
    step();
    bool done = *p == *from;
    if (done) *p = to;
    saw(done);
    return done;
}

void model_add(uint64_t *p) {
    step();
    ++*p;
    saw(0);
}

uint64_t model_now(void) {
    step();
    clock_now += clock_step;
    saw(clock_now);
    return clock_now;
}

void model_put(void *to, uint64_t low, uint64_t high) {
    step();
    memcpy(to, &low, 8);
    if (torn) step();
    memcpy((char *)to + 8, &high, 8);
    saw(0);
}

void model_get(const void *from, uint64_t half[2]) {
    step();
    memcpy(half, from, 16);
    saw(half[0]);
    saw(half[1]);
}

static void thread_main(void) {
    running->run();
    running->done = true;
    for (;;) swapcontext(&running->at, &scheduler);
}

// ---- actions of the threads ----

static void event(uint32_t id) {
    ++calls;
    wf_slot_event(WF_SLOT_CLASS_USER, id % 1000, id, ~id);
}

static void chain(uint32_t id) {
    const uint32_t words[] = {id, ~id, id + 1, ~id, id + 2, ~id};
    ++calls;
    wf_slot_words(WF_SLOT_CLASS_COMM, id % 1000, words, 6);
}

static void one(void) { event(1); }
static void another(void) { event(2); }
static void two_events(void) { event(3), event(4); }
static void long_one(void) { chain(5); }

// An interrupt that records more than the ring holds, in one step.
static void burst(void) {
    struct thread *me = running;
    step();
    running = NULL;
    for (unsigned i = 0; i < SLOTS + 6; ++i) event(100 + 500 * bursts + i);
    ++bursts;
    running = me;
    saw(0);
}

static void read_on(void) {
    struct wf_slot slot[8];
    struct thread *me = running;
    unsigned n = wf_slots_read(&reader, 0, slot, 8, false);
    running = NULL;
    for (unsigned i = 0; i < n; ++i) check_slot(&check, &slot[i]);
    running = me;
}

// A reader that reads all slots in one step.
static void read_all(void) {
    struct thread *me = running;
    struct wf_slot slot[4 * SLOTS];
    step();
    running = NULL;
    for (unsigned times = 0; times <= WF_SLOTS_WAITS; ++times) {
        unsigned n = wf_slots_read(&reader, 0, slot, 4 * SLOTS, false);
        for (unsigned i = 0; i < n; ++i) check_slot(&check, &slot[i]);
    }
    running = me;
    saw(0);
}

static void came_in(void *ctx, const struct check_event *e) {
    (void)ctx;
    uint32_t id = e->word[0];
    bool good = id < EVENTS && e->event == id % 1000;
    if (e->cls == WF_SLOT_CLASS_USER) good = good && e->count == 2 && e->word[1] == ~id;
    if (e->cls == WF_SLOT_CLASS_COMM) {
        good = good && e->count == 6 && e->word[1] == ~id && e->word[2] == id + 1 &&
               e->word[3] == ~id && e->word[4] == id + 2 && e->word[5] == ~id;
    }
    if (!good) check_fail("an event is torn", e->word[0], e->word[1]);
    if (came[id]++) check_fail("an event came twice", id, 0);
}

// ---- the search ----

struct scene {
    const char *name;
    unsigned before; // events in the ring at the start
    bool keep_oldest;
    uint64_t clock, clock_step;
    bool loses, refuses; // events may be lost, or refused
    void (*run[THREADS])(void);
};

static const struct scene scenes[] = {
    {"two writers within a chunk", 3, false, 1, 1, false, false, {one, another}},
    {"two writers, one goes on", 3, false, 1, 1, false, false, {one, two_events}},
    {"two writers open a chunk", 12, false, 1, 1, false, false, {one, another}},
    {"a long event does not fit", 10, false, 1, 1, false, false, {one, long_one}},
    {"the upper word of the time changes", 3, false, 0xFFFFFFF0, 3, false, false, {one, another}},
    {"the same where a chunk is opened", 10, false, 0xFFFFFFD8, 3, false, false, {one, long_one}},
    {"the ring is full", 23, true, 1, 1, false, true, {one, another}},
    {"a chunk is late, all is read", 12, true, 1, 1, false, false, {one, another, read_all}},
    {"the ring is full, and is read", 23, true, 1, 1, false, true, {one, another, read_on}},
    {"three writers", 3, false, 1, 1, false, false, {one, another, long_one}},
    {"a writer is overtaken by the ring", 3, false, 1, 1, true, false, {one, burst}},
    {"two writers are", 3, false, 1, 1, true, false, {one, long_one, burst}},
    {"its slot was given up meanwhile", 3, true, 1, 1, true, true, {one, burst, read_all, burst}},
    {"so was a long one's", 12, true, 1, 1, true, true, {long_one, burst, read_all, burst}},
    {"a writer is, twice", 3, false, 1, 1, true, false, {one, burst, burst}},
    {"a reader and a writer", 5, false, 1, 1, false, false, {two_events, read_on}},
    {"a reader is overtaken", 5, false, 1, 1, true, false, {one, read_on, burst}},
    {"a reader and two writers", 12, false, 1, 1, false, false, {one, long_one, read_on}},
};

static void reset(const struct scene *scene) {
    struct wf_slots_config config = {memory, sizeof memory, 1, SLOTS, scene->keep_oldest, 0, 0};
    running = NULL;
    memset(&reader, 0, sizeof reader);
    memset(&check, 0, sizeof check);
    memset(came, 0, sizeof came);
    check.on = came_in;
    calls = bursts = 0;
    clock_now = scene->clock;
    clock_step = scene->clock_step;
    if (!wf_slots_start(&config)) abort();
    for (unsigned i = 0; i < scene->before; ++i) event(2000 + i);
    thread_count = 0;
    for (unsigned i = 0; i < THREADS && scene->run[i]; ++i) {
        struct thread *t = &threads[thread_count++];
        t->run = scene->run[i];
        t->done = false;
        t->seen = i;
        getcontext(&t->at);
        t->at.uc_stack.ss_sp = stacks[i];
        t->at.uc_stack.ss_size = STACK;
        t->at.uc_link = NULL;
        makecontext(&t->at, thread_main, 0);
    }
}

static void go_on(unsigned i) {
    if (threads[i].done) return;
    running = &threads[i];
    running->seen = mix(running->seen, 0); // one more step
    swapcontext(&scheduler, &running->at);
    running = NULL;
}

static uint64_t state(void) {
    uint64_t h = clock_now;
    for (size_t i = 0; i < sizeof memory; i += 8) {
        uint64_t v;
        memcpy(&v, memory + i, 8);
        h = mix(h, v);
    }
    for (unsigned i = 0; i < thread_count; ++i) h = mix(h, threads[i].seen + threads[i].done);
    return h;
}

// A set of states: open addressing, grown by doubling.
static uint64_t *known;
static size_t known_cap, known_count;

static bool add(uint64_t h);

static void grow(void) {
    uint64_t *old = known;
    size_t cap = known_cap;
    known_cap = cap ? 2 * cap : 1 << 16;
    known = calloc(known_cap, sizeof *known);
    if (!known) abort();
    known_count = 0;
    for (size_t i = 0; i < cap; ++i) {
        if (old[i]) add(old[i]);
    }
    free(old);
}

static bool add(uint64_t h) {
    if (2 * known_count >= known_cap) grow();
    if (!h) h = 1;
    size_t i = h & (known_cap - 1);
    while (known[i] && known[i] != h) i = (i + 1) & (known_cap - 1);
    if (known[i]) return false;
    known[i] = h;
    ++known_count;
    return true;
}

static void finish(const struct scene *scene) {
    struct wf_slot slot[16];
    struct wf_slots_status status;
    unsigned n;
    while ((n = wf_slots_read(&reader, 0, slot, 16, true)) != 0) {
        for (unsigned i = 0; i < n; ++i) check_slot(&check, &slot[i]);
    }
    wf_slots_get_status(0, &status);
    if (status.made + status.refused != calls) check_fail("events not counted", status.made, calls);
    if (check.delivered + check.lost != status.made) {
        check_fail("what came and what is lost is not what was made", check.delivered, check.lost);
    }
    if (check.refused != status.refused) check_fail("refused", check.refused, status.refused);
    if (status.refused && !scene->refuses) check_fail("refused for no reason", status.refused, 0);
    if (check.lost && !scene->loses) check_fail("lost for no reason", check.lost, 0);
}

static uint64_t explore(const struct scene *scene) {
    static uint8_t choice[DEPTH]; // the thread that ran at each step
    unsigned depth = 0;
    uint64_t orders = 0;
    known_count = known_cap = 0;
    free(known);
    known = NULL;
    for (;;) {
        reset(scene);
        for (unsigned i = 0; i < depth; ++i) go_on(choice[i]);
        for (;;) { // go on to unknown states, always with the first thread that can run
            unsigned first = 0;
            if (!add(state())) break;
            while (first < thread_count && threads[first].done) ++first;
            if (first == thread_count) {
                finish(scene);
                ++orders;
                break;
            }
            if (depth == DEPTH) abort();
            choice[depth++] = (uint8_t)first;
            go_on(first);
        }
        // Changes the last step that another thread can take. (A thread that had ended there does
        // nothing, and its state is known.)
        while (depth && choice[depth - 1] + 1u == thread_count) --depth;
        if (!depth) return orders;
        ++choice[depth - 1];
    }
}

int main(int argc, char **argv) {
    torn = argc > 1 && !strcmp(argv[1], "torn");
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        if (torn && !scenes[i].loses) continue; // a torn slot is one that a later write overtakes
        uint64_t orders = explore(&scenes[i]);
        printf("%-40s %8zu states, %6llu ends\n", scenes[i].name, known_count,
               (unsigned long long)orders);
        fflush(stdout);
    }
    free(known);
    return 0;
}
