// SPDX-License-Identifier: MIT
// What is true of a schedule, measured from the kernel's own events by the definitions of
// docs/stats.md and wf_check.h, without the host's library.
#ifndef TRUTH_H
#define TRUTH_H

#include "trace.h"

enum truth_figure {
    TRUE_RESPONSE,
    TRUE_START,
    TRUE_PERIOD,
    TRUE_HOLD,
    TRUE_WAIT,
    TRUE_SPAN,
    TRUE_IRQ,
    TRUE_ALARMS,
    TRUE_COUNT, // of semaphores and queues
    TRUE_INVERSION,
    TRUE_FIGURES
};

// An interval, or a value at `to`. task: its number; irqs: the interrupt; -1: none.
struct truth_value {
    enum truth_figure figure;
    int task, object;
    uint64_t from, to, value;
    bool whole; // else it is open at the end
};

// An event, by the words of rules.
struct truth_event {
    char verb; // r: runs, s: stops, y: ready, b: blocks, d: delays, i: irq begins, t: takes an
               // object
    int task, object;
    uint64_t tick;
};

enum { TRUTH_MOST = 16 * EVENTS, TRUTH_LIVES = 200 };
struct truth_all {
    struct truth_value values[TRUTH_MOST];
    unsigned value_count;
    struct truth_event events[TRUTH_MOST];
    unsigned event_count;
    uint64_t first, last;
    uint16_t busy[K_TASKS][8 * EVENTS]; // busy ticks of a task up to each tick since `first`
    unsigned births[K_TASKS][TRUTH_LIVES + 1], lives[K_TASKS]; // ticks since `first`
};
extern struct truth_all truth;

// Records a schedule with this seed, as trace.h, and measures it.
void truth_record(uint32_t seed, unsigned events);
// The most busy ticks of one life of a task in any window.
unsigned truth_load(int task, unsigned window);

#endif
