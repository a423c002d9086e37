// SPDX-License-Identifier: MIT
// Active objects: queues, publishing, and the scheduler, which always runs the object of the
// highest priority that has an event.

#include "ao.h"

static struct ao *objects[AO_MAX];
static uint16_t subscribers[AO_SIGNALS_MAX]; // a bit for each priority

void ao_start(struct ao *me, uint8_t prio, const struct event **queue, uint8_t size,
              const struct state *initial) {
    me->prio = prio;
    me->queue = queue;
    me->size = me->least_free = size;
    me->count = me->head = 0;
    objects[prio] = me;
    machine_start(me, initial);
}

static void add_ref(const struct event *e) {
    if (e->pool) ++((struct event *)(uintptr_t)e)->refs;
}

bool ao_post(struct ao *me, const struct event *e, const void *sender) {
    uint8_t free = (uint8_t)(me->size - me->count);
    if (!free) {
        WF_REC(active_post_attempt, me->prio, sender, e->sig, me, e->pool, e->refs, free, 1);
        if (!e->refs) event_recycle(e); // otherwise a publisher still holds it
        return false;
    }
    if (--free < me->least_free) me->least_free = free;
    WF_REC(active_post, me->prio, sender, e->sig, me, e->pool, e->refs, free, me->least_free);
    add_ref(e);
    me->queue[(me->head + me->count++) % me->size] = e;
    return true;
}

static const struct event *get(struct ao *me) {
    const struct event *e = me->queue[me->head];
    me->head = (uint8_t)((me->head + 1) % me->size);
    --me->count;
    if (me->count) {
        WF_REC(active_get, me->prio, e->sig, me, e->pool, e->refs,
               (uint32_t)(me->size - me->count));
    } else {
        WF_REC(active_get_last, me->prio, e->sig, me, e->pool, e->refs);
    }
    return e;
}

void ao_subscribe(struct ao *me, uint16_t sig) {
    WF_REC(active_subscribe, me->prio, sig, me);
    subscribers[sig] |= (uint16_t)(1u << me->prio);
}

void ao_publish(const struct event *e, const void *sender) {
    WF_REC(publish, 0, sender, e->sig, e->pool, e->refs);
    add_ref(e); // keeps it until all subscribers have it
    for (unsigned prio = AO_MAX; prio-- > 1;) {
        if (subscribers[e->sig] & 1u << prio) ao_post(objects[prio], e, sender);
    }
    event_recycle(e);
}

struct ao *ao_get(uint8_t prio) {
    return prio < AO_MAX ? objects[prio] : NULL;
}

static struct ao *next(void) {
    for (unsigned prio = AO_MAX; prio-- > 1;) {
        if (objects[prio] && objects[prio]->count) return objects[prio];
    }
    return NULL;
}

void ao_run(void) {
    uint8_t before = 0;
    for (struct ao *me; (me = next()) != NULL; before = me->prio) {
        if (me->prio != before) WF_REC(sched_next, me->prio, me->prio, before);
        const struct event *e = get(me);
        machine_dispatch(me, e);
        event_recycle(e);
    }
    if (before) WF_REC(sched_idle, before, before);
}
