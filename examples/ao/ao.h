// SPDX-License-Identifier: MIT
// A small active-object kernel for the examples: hierarchical state machines, each with an event
// queue and a priority, run to completion by a cooperative scheduler. Every step of the kernel is
// recorded; look for WF_REC in the sources. Not for products: one thread, no interrupts.
#ifndef AO_H
#define AO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly/wallfly.h"

enum { AO_MAX = 16, AO_SIGNALS_MAX = 32, AO_RATE = 0 };

// Signals of the kernel itself; the application's start at SIG_USER.
enum { SIG_NONE, SIG_ENTER, SIG_EXIT, SIG_USER };

struct event {
    uint16_t sig;
    uint8_t pool; // 0: static, else the number of its pool
    uint8_t refs; // number of queues that hold it
};

struct ao;

// Result of a state's handler.
enum reply { HANDLED, TO_PARENT, TRANSITION };

struct state {
    enum reply (*handle)(struct ao *me, const struct event *e);
    const struct state *parent;  // null: top-most
    const struct state *initial; // state to enter next; null: none
};

struct ao {
    const struct state *state, *target, *initial;
    uint8_t prio; // 1..AO_MAX - 1, unique; higher runs first
    const struct event **queue;
    uint8_t size, count, head, least_free;
};

struct timer {
    struct ao *owner;
    struct event event;
    uint32_t left, interval; // ticks; left 0: not armed, interval 0: not periodic
    struct timer *next;
};

struct pool {
    uint8_t *blocks;
    uint16_t block_size, total, free, least_free;
    void *first; // free blocks, linked through their first bytes
    uint8_t number;
};

// Events.
void pool_init(struct pool *p, void *storage, uint16_t block_size, uint16_t count);
struct event *event_new(struct pool *p, uint16_t size, uint16_t sig); // null: none free
void event_recycle(const struct event *e);                            // once no queue holds it

// State machines.
static inline enum reply transition(struct ao *me, const struct state *target) {
    me->target = target;
    return TRANSITION;
}
void machine_start(struct ao *me, const struct state *initial);
void machine_dispatch(struct ao *me, const struct event *e);

// Active objects.
void ao_start(struct ao *me, uint8_t prio, const struct event **queue, uint8_t size,
              const struct state *initial);
bool ao_post(struct ao *me, const struct event *e, const void *sender); // false: queue full
void ao_subscribe(struct ao *me, uint16_t sig);
void ao_publish(const struct event *e, const void *sender);
void ao_run(void);               // until all queues are empty
struct ao *ao_get(uint8_t prio); // null: none

// Commands of the host: the receiver's ring, the pool of its events, and hooks, which may be null.
struct ao_host {
    uint8_t *ring;
    uint32_t ring_size;
    struct pool *events;
    const struct wf_range *ranges; // memory for peek and poke
    uint8_t range_count;
    void (*reset)(void);
    void (*command)(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3);
    bool (*query)(enum wf_object_kind kind, const void *object); // for all but active objects
    // Test builds: see wf_rx_hooks.
    void (*test_setup)(void);
    void (*test_teardown)(void);
    void (*flush)(void);
    void (*stop)(void);
};
void ao_host_start(const struct ao_host *host); // host must stay valid

// Time.
void timer_arm(struct timer *t, uint32_t ticks, uint32_t interval);
bool timer_disarm(struct timer *t);
void timer_tick(const void *sender);
const struct timer *timer_first(void);                // first armed timer
void timer_fire(struct timer *t, const void *sender); // an armed one, now

#endif
