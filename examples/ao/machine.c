// SPDX-License-Identifier: MIT
// State machines: an event goes from the current state up to the first ancestor that handles it. A
// transition leaves all states up to the common ancestor and enters those below it, then follows
// initial transitions down.

#include "ao.h"

enum { DEPTH_MAX = 8 };

static const struct event enter_event = {SIG_ENTER, 0, 0}, exit_event = {SIG_EXIT, 0, 0};

#define FUN_OF(s) WF_FUN((s)->handle)

static void leave(struct ao *me, const struct state *s) {
    if (s->handle(me, &exit_event) == HANDLED) WF_REC(state_exit, me->prio, me, FUN_OF(s));
}

static void enter(struct ao *me, const struct state *s) {
    if (s->handle(me, &enter_event) == HANDLED) WF_REC(state_entry, me->prio, me, FUN_OF(s));
}

static bool is_within(const struct state *s, const struct state *ancestor) {
    while (s && s != ancestor) s = s->parent;
    return s == ancestor;
}

// Enters the states between `from` (already entered) and `to`, outermost first.
static void enter_down(struct ao *me, const struct state *from, const struct state *to) {
    const struct state *path[DEPTH_MAX];
    int n = 0;
    for (; to != from && n < DEPTH_MAX; to = to->parent) path[n++] = to;
    while (n) enter(me, path[--n]);
}

static void follow_initial(struct ao *me) {
    for (; me->state->initial; me->state = me->state->initial) {
        WF_REC(state_init, me->prio, me, FUN_OF(me->state), FUN_OF(me->state->initial));
        enter_down(me, me->state, me->state->initial);
    }
}

void machine_start(struct ao *me, const struct state *initial) {
    me->initial = initial;
    WF_REC(state_init, me->prio, me, NULL, FUN_OF(initial));
    enter_down(me, NULL, initial);
    me->state = initial;
    follow_initial(me);
    WF_REC(init_tran, me->prio, me, FUN_OF(me->state));
}

static void take(struct ao *me, const struct event *e, const struct state *source) {
    const struct state *s = me->state, *target = me->target;
    while (s != source) {
        leave(me, s);
        s = s->parent;
    }
    // A transition to itself, or to an ancestor, leaves that state and enters it again.
    while (s && (s == target || !is_within(target, s))) {
        leave(me, s);
        s = s->parent;
    }
    enter_down(me, s, target);
    me->state = target;
    follow_initial(me);
    WF_REC(tran, me->prio, e->sig, me, FUN_OF(source), FUN_OF(me->state));
}

void machine_dispatch(struct ao *me, const struct event *e) {
    WF_REC(dispatch, me->prio, e->sig, me, FUN_OF(me->state));
    for (const struct state *s = me->state; s; s = s->parent) {
        enum reply reply = s->handle(me, e);
        if (reply == TRANSITION) {
            take(me, e, s);
            return;
        }
        if (reply == HANDLED) {
            WF_REC(intern_tran, me->prio, e->sig, me, FUN_OF(s));
            return;
        }
    }
    WF_REC(ignored, me->prio, e->sig, me, FUN_OF(me->state));
}
