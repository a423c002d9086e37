// SPDX-License-Identifier: MIT
// The kernel's hooks for commands of the host: ticks, events to any object, queries.

#include "ao.h"

static const struct ao_host *host;

static void on_reset(void) {
    if (host->reset) host->reset();
}

static void on_command(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    if (host->command) host->command(id, p1, p2, p3);
    ao_run();
}

static bool is_armed(const void *timer) {
    const struct timer *t = timer_first();
    while (t && t != timer) t = t->next;
    return t != NULL;
}

// In a test build the current timer expires at once, if there is one, and no other timer.
static void on_tick(uint8_t rate) {
    struct timer *t = WF_CFG_TEST ? wf_get_current(WF_OBJ_TIMER) : NULL;
    (void)rate;
    if (t && is_armed(t))
        timer_fire(t, wf_rx_sender());
    else
        timer_tick(wf_rx_sender());
    ao_run();
}

static int id_of(const void *active) {
    for (uint8_t prio = 1; prio < AO_MAX; ++prio) {
        if (ao_get(prio) == active) return prio;
    }
    return -1;
}

// Init and dispatch act on the current state machine directly: no queue, but the event is recycled.
static bool deliver(const struct wf_rx_event *to, struct event *e) {
    struct ao *me = to->object;
    switch (to->to) {
    case WF_EVENT_PUBLISH: ao_publish(e, wf_rx_sender()); return true;
    case WF_EVENT_POST_CURRENT: return ao_post(me, e, wf_rx_sender());
    case WF_EVENT_INIT:
        machine_start(me, me->initial);
        event_recycle(e);
        return true;
    case WF_EVENT_DISPATCH:
        machine_dispatch(me, e);
        event_recycle(e);
        return true;
    default:
        if (ao_get(to->to)) return ao_post(ao_get(to->to), e, wf_rx_sender());
        event_recycle(e);
        return false;
    }
}

static bool on_event(const struct wf_rx_event *to) {
    uint16_t size = (uint16_t)(sizeof(struct event) + to->len);
    // The event of the first transition is not used.
    if (to->sig < SIG_USER && to->to != WF_EVENT_INIT) return false;
    if (to->sig >= AO_SIGNALS_MAX) return false;
    // Current objects are addresses from outside: only those of the kernel are accepted.
    if (to->object && id_of(to->object) < 0) return false;
    struct event *e = event_new(host->events, size, (uint16_t)to->sig);
    if (!e) return false;
    uint8_t *params = (uint8_t *)(e + 1);
    for (uint16_t i = to->len; i < host->events->block_size - sizeof *e; ++i) params[i] = 0;
    wf_rx_copy(params, 0, to->len);
    bool good = deliver(to, e);
    ao_run();
    return good;
}

static bool on_query(enum wf_object_kind kind, const void *object) {
    const struct ao *me = object;
    if (kind != WF_OBJ_SM && kind != WF_OBJ_AO) return host->query && host->query(kind, object);
    if (id_of(object) < 0) return false;
    wf_function state = WF_FUN(me->state->handle);
    if (kind == WF_OBJ_SM)
        WF_REC(query_sm, 0, (uint8_t)kind, object, state);
    else
        WF_REC(query_ao, 0, (uint8_t)kind, object, state);
    return true;
}

void ao_host_start(const struct ao_host *h) {
    static struct wf_rx_hooks hooks = {.reset = on_reset,
                                       .command = on_command,
                                       .tick = on_tick,
                                       .event = on_event,
                                       .id_of = id_of,
                                       .query = on_query};
    static struct wf_rx_config config = {.hooks = &hooks};
    host = h;
    hooks.test_setup = h->test_setup;
    hooks.test_teardown = h->test_teardown;
    hooks.flush = h->flush;
    hooks.stop = h->stop;
    config.ring = h->ring;
    config.ring_size = h->ring_size;
    config.event_max = (uint16_t)(h->events->block_size - sizeof(struct event));
    config.ranges = h->ranges;
    config.range_count = h->range_count;
    wf_rx_start(&config);
}
