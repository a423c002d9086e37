// SPDX-License-Identifier: MIT
// A scheduler with fixed priorities. A task is a list of steps that begins anew at its end.

#include "plant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

uint64_t plant_now;

const char *const plant_faults[PLANT_FAULTS] = {"good", "locks", "wake_up", "state",
                                                "slow", "task",  "silent",  "order"};

enum object { BUS, SPI, RX, REQUEST, REPLY, DONE, STORE, CMD, OBJECTS };
enum task { DRIVER, CONTROL, COMM, CLIENT, SERVER, DOOR, LOGGER, BACKGROUND, TASKS };

enum op {
    END,
    RUN,    // runs a to b us
    SLEEP,  // sleeps a to b us
    PERIOD, // sleeps until the next multiple of a us
    LOCK,
    UNLOCK,
    WAIT, // takes a semaphore
    POST,
    RECEIVE,
    SEND,
    CHANCE, // a of 1000, else skips b steps
    COUNT,  // counter number a
    LOG,
    MOVE // a step of the door
};

struct step {
    enum op op;
    unsigned a, b;
};

// Choices of very different probability, so that some kinds of runs are rare in every trace.
#define TAIL                                                                                       \
    {CHANCE, 300, 1}, {COUNT, 0, 0}, {CHANCE, 60, 1}, {COUNT, 1, 0}, {CHANCE, 12, 1},              \
        {COUNT, 2, 0}, {CHANCE, 3, 1}, {COUNT, 3, 0}, {CHANCE, 1, 1}, {                            \
        COUNT, 4, 0                                                                                \
    }

static const struct step driver[] = {
    {WAIT, RX, 0}, {RUN, 20, 60}, {CHANCE, 300, 1}, {SEND, CMD, 0}, {END, 0, 0}};
static const struct step control[] = {{PERIOD, 5000, 0}, {RUN, 400, 600},  {LOCK, BUS, 0},
                                      {RUN, 40, 90},     {UNLOCK, BUS, 0}, {CHANCE, 600, 1},
                                      {SEND, CMD, 0},    {END, 0, 0}};
static const struct step slow_control[] = {{PERIOD, 5000, 0}, {RUN, 440, 660},  {LOCK, BUS, 0},
                                           {RUN, 44, 99},     {UNLOCK, BUS, 0}, {CHANCE, 600, 1},
                                           {SEND, CMD, 0},    {END, 0, 0}};
static const struct step comm[] = {
    {RECEIVE, CMD, 0}, {CHANCE, 700, 7}, {LOCK, BUS, 0},   {RUN, 30, 80},   {LOCK, SPI, 0},
    {RUN, 40, 150},    {UNLOCK, SPI, 0}, {UNLOCK, BUS, 0}, {POST, DONE, 0}, TAIL,
    {END, 0, 0}};
static const struct step comm_swapped[] = {
    {RECEIVE, CMD, 0}, {CHANCE, 700, 7}, {LOCK, SPI, 0},   {RUN, 30, 80},   {LOCK, BUS, 0},
    {RUN, 40, 150},    {UNLOCK, BUS, 0}, {UNLOCK, SPI, 0}, {POST, DONE, 0}, TAIL,
    {END, 0, 0}};
static const struct step comm_silent[] = {
    {RECEIVE, CMD, 0}, {CHANCE, 700, 6}, {LOCK, BUS, 0},   {RUN, 30, 80}, {LOCK, SPI, 0},
    {RUN, 40, 150},    {UNLOCK, SPI, 0}, {UNLOCK, BUS, 0}, TAIL,          {END, 0, 0}};
static const struct step client[] = {{SLEEP, 2000, 8000}, {RUN, 50, 200}, {POST, REQUEST, 0},
                                     {WAIT, REPLY, 0},    {RUN, 30, 60},  {END, 0, 0}};
static const struct step server[] = {{WAIT, REQUEST, 0}, {RUN, 100, 300},  {WAIT, STORE, 0},
                                     {RUN, 50, 100},     {POST, STORE, 0}, TAIL,
                                     {POST, REPLY, 0},   {LOG, 0, 0},      {END, 0, 0}};
static const struct step server_other[] = {{WAIT, REQUEST, 0}, {RUN, 100, 300},  {WAIT, STORE, 0},
                                           {RUN, 50, 100},     {POST, STORE, 0}, TAIL,
                                           {LOG, 0, 0},        {POST, REPLY, 0}, {END, 0, 0}};
static const struct step door[] = {{SLEEP, 1000, 3000}, {MOVE, 0, 0}, {RUN, 10, 30}, {END, 0, 0}};
static const struct step logger[] = {{SLEEP, 10000, 90000},
                                     {RUN, 100, 900},
                                     {LOCK, SPI, 0},
                                     {RUN, 20, 400},
                                     {UNLOCK, SPI, 0},
                                     TAIL,
                                     {END, 0, 0}};
static const struct step background[] = {{RUN, 1000, 3000}, {SLEEP, 100, 4000}, {END, 0, 0}};

static const char *const task_names[TASKS] = {"driver", "control", "comm",   "client",
                                              "server", "door",    "logger", "background"};
static const char *const object_names[OBJECTS] = {"lock_bus", "lock_spi", "rx",    "request",
                                                  "reply",    "done",     "store", "cmd"};
static const char message[] = "request %d";
static const char *const counters[] = {"often", "seldom", "rare", "very_rare", "hardly_ever"};

enum state { READY, BLOCKED, DELAYED };

static struct plant {
    const struct plant_options *o;
    uint8_t *bytes;
    size_t len, cap, frame; // frame: begin of the last one
    uint64_t random, begin, end, next_irq, lost_at;
    unsigned gone;
    int current;
    unsigned reason;
    struct {
        const struct step *steps;
        unsigned at;
        enum state state;
        uint64_t wakes, left;
        int waits; // object, -1: none
        bool started;
    } task[TASKS];
    struct {
        int holder;
        unsigned count;
    } object[OBJECTS];
    unsigned door;
} p;

// ---- numbers, time, bytes

static uint64_t below(uint64_t n) {
    p.random = p.random * 6364136223846793005u + 1442695040888963407u;
    return (p.random >> 33) % n;
}
static uint64_t between(uint64_t a, uint64_t b) { return a + below(b - a + 1); }

static const void *task_at(int t) {
    return (const void *)(uintptr_t)(t < 0 ? 0 : (p.o->shifted ? 0x4000 : 0x1000) + t * 0x40);
}
static const void *object_at(int o) {
    return (const void *)(uintptr_t)((p.o->shifted ? 0x9000 : 0x8000) + o * 0x20);
}

// Moves the new frames to the trace; some are lost on the way.
static void drain(void) {
    for (int b; (b = wf_get_byte()) >= 0 && p.len < p.cap;) {
        p.bytes[p.len++] = (uint8_t)b;
        if (b != 0x7E) continue;
        bool start = p.o->losses && below(100000) < p.o->losses;
        if (start && plant_now > p.begin + 10000) p.gone = 1 + (unsigned)below(8);
        if (p.gone) p.len = p.frame;
        p.gone -= p.gone > 0;
        p.frame = p.len;
    }
}

static void stamp(void) {
    drain();
    ++plant_now;
}
#define RECORD(...) (stamp(), __VA_ARGS__)

// ---- the kernel

static void make_ready(int t) {
    p.task[t].state = READY;
    p.task[t].waits = -1;
    stamp();
    WF_TASK_READY(task_at(t));
}

static void wake_waiter(int o) {
    int best = -1;
    for (int t = 0; t < TASKS; ++t) {
        if (p.task[t].state == BLOCKED && p.task[t].waits == o && best < 0) best = t;
    }
    if (best >= 0) make_ready(best);
}

static void block(int t, int o) {
    p.task[t].state = BLOCKED;
    p.task[t].waits = o;
    p.reason = WF_SWITCH_blocked;
}

static void lock(int t, int o) {
    stamp();
    if (p.object[o].holder >= 0) {
        WF_BY(mutex_wait, object_at(o), task_at(t));
        block(t, o);
        return;
    }
    WF_BY_N(mutex_take, object_at(o), task_at(t), 1);
    p.object[o].holder = t;
    ++p.task[t].at;
}

static void unlock(int t, int o) {
    stamp();
    WF_BY_N(mutex_give, object_at(o), task_at(t), 0);
    p.object[o].holder = -1;
    ++p.task[t].at;
    wake_waiter(o);
}

static void take(int t, int o) {
    stamp();
    if (!p.object[o].count) {
        if (o == CMD)
            WF_BY(queue_receive_wait, object_at(o), task_at(t));
        else
            WF_BY(sema_wait, object_at(o), task_at(t));
        block(t, o);
        return;
    }
    --p.object[o].count;
    ++p.task[t].at;
    if (o == CMD)
        WF_BY_N(queue_receive, object_at(o), task_at(t), p.object[o].count);
    else
        WF_BY_N(sema_take, object_at(o), task_at(t), p.object[o].count);
}

static void give(int t, int o) {
    if (t >= 0) ++p.task[t].at;
    if (o == REPLY && p.lost_at && plant_now >= p.lost_at) {
        p.lost_at = 0;
        return;
    }
    if (p.object[o].count >= 8) return;
    stamp();
    ++p.object[o].count;
    if (o == CMD)
        WF_BY_N(queue_send, object_at(o), task_at(t), p.object[o].count);
    else
        WF_BY_N(sema_give, object_at(o), task_at(t), p.object[o].count);
    if (o == DONE) --p.object[o].count; // nobody waits for it
    wake_waiter(o);
}

static void interrupt(void) {
    stamp();
    WF_IRQ_ENTER(5, 1);
    give(-1, RX);
    stamp();
    WF_IRQ_EXIT(5, 1);
    p.next_irq = plant_now + between(500, 3000);
}

// ---- the door: a state machine of QP

static void closed(void) {}
static void opening(void) {}
static void opened(void) {}
static void blocked(void) {}
static void closing(void) {}

static const wf_function states[] = {closed, opening, opened, blocked, closing};
enum { CLOSED, OPENING, OPENED, STUCK, CLOSING };
enum { SIG_GO = 4, SIG_STOP };

static void move_door(int t) {
    static const unsigned next[] = {OPENING, OPENED, CLOSING, CLOSING, CLOSED};
    unsigned from = p.door, sig = SIG_GO;
    ++p.task[t].at;
    p.door = next[from];
    if (from == OPENING && below(4) == 0 && p.o->fault != PLANT_STATE) {
        p.door = STUCK;
        sig = SIG_STOP;
    }
    stamp();
    WF_REC(dispatch, 0, (uint16_t)sig, object_at(OBJECTS), states[from]);
    stamp();
    WF_REC(tran, 0, (uint16_t)sig, object_at(OBJECTS), states[from], states[p.door]);
}

// ---- steps

static void go_to_sleep(int t, uint64_t until) {
    p.task[t].state = DELAYED;
    p.task[t].wakes = until;
    p.reason = WF_SWITCH_delayed;
    ++p.task[t].at;
}

static uint64_t next_event(void) {
    uint64_t next = p.next_irq;
    for (int t = 0; t < TASKS; ++t) {
        if (p.task[t].state == DELAYED && p.task[t].wakes < next) next = p.task[t].wakes;
    }
    return next;
}

static void run_for(int t, unsigned a, unsigned b) {
    if (!p.task[t].left) p.task[t].left = between(a, b);
    uint64_t event = next_event(), free = event > plant_now ? event - plant_now : 0;
    uint64_t run = p.task[t].left < free ? p.task[t].left : free;
    plant_now += run;
    p.task[t].left -= run;
    if (!p.task[t].left) ++p.task[t].at;
}

static void note(int t, const struct step *s) {
    ++p.task[t].at;
    stamp();
    if (s->op == COUNT)
        WF_COUNTER(counters[s->a], (int)below(100));
    else
        WF_LOG(message, WF_I32(0, (int)below(100)));
}

static void step(int t) {
    const struct step *s = &p.task[t].steps[p.task[t].at];
    uint64_t since = plant_now - p.begin;
    switch (s->op) {
    case END: p.task[t].at = 0; break;
    case RUN: run_for(t, s->a, s->b); break;
    case SLEEP: go_to_sleep(t, plant_now + between(s->a, s->b)); break;
    case PERIOD: go_to_sleep(t, p.begin + (since / s->a + 1) * s->a); break;
    case LOCK: lock(t, (int)s->a); break;
    case UNLOCK: unlock(t, (int)s->a); break;
    case WAIT:
    case RECEIVE: take(t, (int)s->a); break;
    case POST:
    case SEND: give(t, (int)s->a); break;
    case CHANCE: p.task[t].at += 1 + (below(1000) < s->a ? 0 : s->b); break;
    case MOVE: move_door(t); break;
    default: note(t, s);
    }
}

static void handle_events(void) {
    if (plant_now >= p.next_irq) interrupt();
    for (int t = 0; t < TASKS; ++t) {
        if (p.task[t].state == DELAYED && p.task[t].wakes <= plant_now) make_ready(t);
    }
}

static void schedule(void) {
    int best = -1;
    for (int t = TASKS - 1; t >= 0; --t) {
        if (p.task[t].steps && p.task[t].state == READY) best = t;
    }
    if (best == p.current) return;
    unsigned reason = p.current < 0                      ? WF_SWITCH_unknown
                      : p.task[p.current].state == READY ? WF_SWITCH_preempted
                                                         : p.reason;
    stamp();
    WF_TASK_SWITCH(task_at(p.current), task_at(best), reason);
    p.current = best;
}

// ---- start

static void set_programs(enum plant_fault fault) {
    static const struct step *const programs[TASKS] = {driver, control, comm,   client,
                                                       server, door,    logger, background};
    for (int t = 0; t < TASKS; ++t) p.task[t].steps = programs[t];
    if (fault == PLANT_LOCKS) p.task[COMM].steps = comm_swapped;
    if (fault == PLANT_SILENT) p.task[COMM].steps = comm_silent;
    if (fault == PLANT_SLOW) p.task[CONTROL].steps = slow_control;
    if (fault == PLANT_ORDER) p.task[SERVER].steps = server_other;
    if (fault == PLANT_TASK) p.task[LOGGER].steps = NULL;
}

static void create_all(void) {
    for (int o = 0; o < OBJECTS; ++o) {
        p.object[o].holder = -1;
        p.object[o].count = o == STORE;
        stamp();
        if (o <= SPI)
            WF_OBJECT(mutex_create, object_at(o));
        else if (o == CMD)
            WF_OBJECT_N(queue_create, object_at(o), 8);
        else
            WF_OBJECT_N(sema_create, object_at(o), p.object[o].count);
        WF_NAME(object_at(o), object_names[o]);
    }
    for (int t = 0; t < TASKS; ++t) {
        p.task[t].state = p.task[t].steps ? READY : BLOCKED;
        p.task[t].waits = -1;
        stamp();
        if (!p.task[t].steps) continue;
        WF_TASK_CREATE(task_at(t), TASKS - t, task_names[t]);
        make_ready(t);
    }
}

static void name_all(void) {
    for (unsigned i = 0; i < sizeof counters / sizeof *counters; ++i)
        WF_NAME(counters[i], counters[i]);
    WF_NAME(message, message);
    wfi_obj_dict(object_at(OBJECTS), "gate");
    WF_FUN_DICTIONARY(closed);
    WF_FUN_DICTIONARY(opening);
    WF_FUN_DICTIONARY(opened);
    WF_FUN_DICTIONARY(blocked);
    WF_FUN_DICTIONARY(closing);
    WF_SIG_DICTIONARY(SIG_GO, NULL);
    WF_SIG_DICTIONARY(SIG_STOP, NULL);
    WF_IRQ_NAME(5, "uart");
}

size_t plant_record(const struct plant_options *options, uint8_t *bytes, size_t cap) {
    static uint8_t ring[1 << 16];
    static struct wf_config config;
    config = (struct wf_config){
        .ring = ring, .ring_size = sizeof ring, .hz = 1000000, .built = {7, 8, 9, 3, 2, 24}};
    memset(&p, 0, sizeof p);
    p.o = options;
    p.bytes = bytes;
    p.cap = cap;
    p.random = (options->seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    p.random ^= p.random >> 31;
    for (int i = 0; i < 8; ++i) below(2);
    plant_now = p.begin = options->shifted ? 777777 : 1000;
    p.end = p.begin + options->us;
    p.current = -1;
    if (!wf_start(&config)) {
        fprintf(stderr, "cannot start\n");
        exit(1);
    }
    wf_filter(WF_GRP_ALL);
    set_programs(options->fault);
    if (options->fault == PLANT_WAKE_UP)
        p.lost_at = p.begin + between(options->us / 5, options->us * 7 / 10);
    name_all();
    create_all();
    p.next_irq = plant_now + 700;
    while (plant_now < p.end) {
        handle_events();
        schedule();
        if (p.current >= 0)
            step(p.current);
        else
            plant_now = next_event() > plant_now ? next_event() : plant_now + 1;
    }
    drain();
    return p.len;
}
