// SPDX-License-Identifier: MIT
// Time events: posted to their owner after a number of ticks, once or periodically.

#include "ao.h"

static struct timer *armed;
static uint32_t ticks;

void timer_arm(struct timer *t, uint32_t count, uint32_t interval) {
    if (!t->left) {
        t->next = armed;
        armed = t;
    }
    t->left = count;
    t->interval = interval;
    WF_REC(timeevt_arm, t->owner->prio, t, t->owner, count, interval, AO_RATE);
}

static void take_out(struct timer *t) {
    struct timer **at = &armed;
    while (*at && *at != t) at = &(*at)->next;
    if (*at) *at = t->next;
}

bool timer_disarm(struct timer *t) {
    if (!t->left) {
        WF_REC(timeevt_disarm_attempt, t->owner->prio, t, t->owner, AO_RATE);
        return false;
    }
    WF_REC(timeevt_disarm, t->owner->prio, t, t->owner, t->left, t->interval, AO_RATE);
    take_out(t);
    t->left = 0;
    return true;
}

static void expire(struct timer *t, const void *sender) {
    t->left = t->interval;
    if (!t->left) {
        take_out(t);
        WF_REC(timeevt_auto_disarm, t->owner->prio, t, t->owner, AO_RATE);
    }
    WF_REC(timeevt_post, t->owner->prio, t, t->event.sig, t->owner, AO_RATE);
    ao_post(t->owner, &t->event, sender);
}

void timer_tick(const void *sender) {
    ++ticks;
    WF_REC(tick, 0, ticks, AO_RATE);
    for (struct timer *t = armed, *next; t; t = next) {
        next = t->next;
        if (--t->left == 0) expire(t, sender);
    }
}

void timer_fire(struct timer *t, const void *sender) {
    ++ticks;
    WF_REC(tick, 0, ticks, AO_RATE);
    expire(t, sender);
}

const struct timer *timer_first(void) { return armed; }
