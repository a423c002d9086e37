// SPDX-License-Identifier: MIT
// A simulated kernel with random programs on 1 to 4 cores, for tests of the host's model: it
// reports each event as a port would record it, and keeps the true state by the meaning of the
// records.
#ifndef WF_TEST_KERNEL_H
#define WF_TEST_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "wallfly_host/wf_model.h"

enum { K_TASKS = 12, K_OBJECTS = 14, K_CORES = 4, K_IRQS = 3 };

// Events. Object events depend on the object's kind; number: depth, count, bits, ticks.
enum k_event {
    K_TASK_CREATE, // number: priority
    K_TASK_PRIORITY,
    K_TASK_SUSPEND,
    K_TASK_DELETE,
    K_TASK_READY,
    K_TASK_SWITCH, // number: reason
    K_IRQ_ENTER,   // number: the interrupt's number; object: depth
    K_IRQ_EXIT,
    K_CREATE, // number: count or room
    K_DELETE,
    K_TAKE,
    K_WAIT,
    K_TIMEOUT,
    K_REFUSED,
    K_GIVE,
    K_GIVE_WAIT,
    K_GIVE_REFUSED,
    K_CLEAR,
    K_ALARM_START,
    K_ALARM_STOP,
    K_ALARM,
    K_SPAN, // number: text
    K_SPAN_END,
};

// How a waiter gets a given item.
enum k_hand {
    K_RETRY,    // it is woken and tries again
    K_HAND_NOW, // it has the item; the giver records it
    K_HAND_LATE // it has the item; it records it when it runs
};

// The true state. Tasks and objects by number; -1: none.
struct k_truth_task {
    bool live, told; // told: its state has been recorded since its create
    bool deleted;    // but still on its core
    unsigned life;
    enum wf_task_state state;
    int prio, waits, core, reason;
    bool to_give;
    uint64_t state_since, waits_since;
    unsigned spans;
};
struct k_truth_object {
    bool live;
    bool condition; // an event group used as a condition
    unsigned life;
    enum wf_model_kind kind;
    int holder;
    unsigned nest, count, room;
    int waiters[K_TASKS];
    unsigned waiting;
    uint64_t held_since;
};
struct k_truth_core {
    int task;
    unsigned irqs;
    unsigned irq[K_IRQS];
};
struct k_truth {
    uint64_t tick;
    struct k_truth_task task[K_TASKS];
    struct k_truth_object object[K_OBJECTS];
    struct k_truth_core core[K_CORES];
};

struct k_options {
    unsigned cores;
    enum k_hand hand;
    uint32_t seed;
};

struct kernel {
    struct k_truth truth;
    struct k_options options;
    unsigned core; // of the current event
    void *ctx;
    uint64_t (*now)(void *ctx); // the tick of the next event
    void (*happens)(void *ctx, const struct kernel *k, enum k_event event, int task, int object,
                    unsigned number);
    // ---- private
    uint32_t random;
    bool started;
    struct {
        bool blocked, suspending, undeleted; // undeleted: on a core, but must leave it
        int base, waits, with; // with: the mutex that the wait on a condition released
        unsigned outcome, restore;
        bool to_give;
        int holds;
    } own[K_TASKS];
    struct {
        int holder, queue[K_TASKS];
        unsigned nest, count, queued;
    } of[K_OBJECTS];
    struct {
        bool resched;
        unsigned reason;
    } cpu[K_CORES];
};

void kernel_start(struct kernel *k);
void kernel_step(struct kernel *k); // one event on some core
uint32_t kernel_random(struct kernel *k, uint32_t below);

// ---- truth (wf_test_truth.c): changes it by what the next record says. For the kernel only
void truth_state(struct kernel *k, int t, enum wf_task_state state);
void truth_wait(struct kernel *k, int t, int o, bool to_give);
void truth_wait_ends(struct kernel *k, int t);
void truth_hold(struct kernel *k, int o, int t, unsigned nest);
void truth_end(struct kernel *k, int t);

#endif
