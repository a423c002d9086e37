// SPDX-License-Identifier: MIT
// Follows the kernel's state from event to event.

#include "truth.h"

struct truth_all truth;

static struct k_truth before;
static void (*record)(void *ctx, const struct kernel *k, enum k_event event, int task, int object,
                      unsigned number);
static struct {
    bool open, waits, started, arrived, mutex; // waits: for a mutex, as a part of the job
    uint64_t from, arrival, span[4];
} job[K_TASKS];
static struct { uint64_t since[K_IRQS]; } irqs[K_CORES];
static struct {
    bool known;
    uint64_t at;
} alarms[K_OBJECTS];
static bool inverted[K_TASKS]; // in its present wait

static void add_value(enum truth_figure figure, int task, int object, uint64_t from, uint64_t to,
                      uint64_t value, bool whole) {
    assert_true(truth.value_count < TRUTH_MOST);
    truth.values[truth.value_count++] =
        (struct truth_value){figure, task, object, from, to, value, whole};
}

static void add_interval(enum truth_figure figure, int task, int object, uint64_t from) {
    add_value(figure, task, object, from, trace.now, trace.now - from, true);
}

static void add_event(char verb, int task, int object) {
    assert_true(truth.event_count < TRUTH_MOST);
    truth.events[truth.event_count++] = (struct truth_event){verb, task, object, trace.now};
}

// ---- jobs

static void arrive(int t) {
    if (job[t].arrived) add_interval(TRUE_PERIOD, t, -1, job[t].arrival);
    job[t].arrived = job[t].open = true;
    job[t].waits = job[t].started = false;
    job[t].from = job[t].arrival = trace.now;
}

static void end_job(int t) {
    if (job[t].open) add_interval(TRUE_RESPONSE, t, -1, job[t].from);
    job[t].open = job[t].waits = false;
}

// Another task suspends or deletes it.
static void abandon(int t) {
    uint64_t took = trace.now - job[t].from;
    if (job[t].open) add_value(TRUE_RESPONSE, t, -1, job[t].from, trace.now, took, false);
    if (job[t].open && !job[t].started)
        add_value(TRUE_START, t, -1, job[t].from, trace.now, took, false);
    job[t].open = job[t].waits = false;
}

static void run(int t) {
    if (job[t].open && !job[t].started) add_interval(TRUE_START, t, -1, job[t].from);
    job[t].started = true;
    job[t].waits = job[t].mutex = false;
    add_event('r', t, -1);
}

static bool waits_for_mutex(const struct k_truth *is, int t) {
    int o = is->task[t].waits;
    return o >= 0 && is->object[o].kind == WF_OBJECT_MUTEX;
}

static void ready(int t, enum wf_task_state was, int reason) {
    if (was == WF_TASK_RUNNING) { // it may have been woken between its wait and the switch
        bool left = reason >= 4 && reason <= 6;
        if (!left || job[t].mutex) return;
        end_job(t);
        arrive(t);
        return;
    }
    add_event('y', t, -1);
    if (job[t].open && job[t].waits)
        job[t].waits = false;
    else
        arrive(t);
}

static void change_state(const struct k_truth *is, int t, enum wf_task_state was) {
    enum wf_task_state state = is->task[t].state;
    if (was == WF_TASK_RUNNING) add_event('s', t, -1);
    if (was == WF_TASK_RUNNING && state == WF_TASK_BLOCKED) add_event('b', t, -1);
    if (was == WF_TASK_RUNNING && state == WF_TASK_DELAYED) add_event('d', t, -1);
    switch (state) {
    case WF_TASK_READY: ready(t, was, is->task[t].reason); break;
    case WF_TASK_RUNNING: run(t); break;
    default:
        if (was == WF_TASK_RUNNING && state == WF_TASK_BLOCKED && waits_for_mutex(is, t))
            job[t].waits = job[t].open;
        else if (was == WF_TASK_RUNNING)
            end_job(t);
        else
            abandon(t);
    }
    for (unsigned i = 1; state == WF_TASK_ENDED && i <= before.task[t].spans; ++i)
        add_value(TRUE_SPAN, t, (int)i, job[t].span[i], trace.now, trace.now - job[t].span[i],
                  false);
    if (state == WF_TASK_ENDED && job[t].arrived)
        add_value(TRUE_PERIOD, t, -1, job[t].arrival, trace.now, trace.now - job[t].arrival, false);
    if (state == WF_TASK_ENDED) memset(&job[t], 0, sizeof job[t]);
}

// ---- waits, holds, counts

static void change_wait(const struct k_truth *is, int t) {
    const struct k_truth_task *was = &before.task[t], *now = &is->task[t];
    bool same = was->waits == now->waits && was->waits_since == now->waits_since;
    if (same) return;
    if (was->waits >= 0) add_interval(TRUE_WAIT, t, was->waits, was->waits_since);
    if (now->waits >= 0) job[t].mutex = waits_for_mutex(is, t);
    inverted[t] = false;
}

static void change_object(const struct k_truth *is, int o) {
    const struct k_truth_object *was = &before.object[o], *now = &is->object[o];
    bool counts = now->kind == WF_OBJECT_SEMAPHORE || now->kind == WF_OBJECT_QUEUE;
    if (now->live && counts && (!was->live || was->count != now->count || was->life != now->life))
        add_value(TRUE_COUNT, -1, o, trace.now, trace.now, now->count, true);
    if (was->live && was->holder >= 0 && was->holder != now->holder)
        add_interval(TRUE_HOLD, was->holder, o, was->held_since);
    if (now->holder >= 0 && was->holder != now->holder) add_event('t', now->holder, o);
}

// ---- time that passes until this event

static bool runs_between(const struct k_truth *k, int task, int waiter, int holder) {
    int x = k->task[task].prio, w = k->task[waiter].prio, h = k->task[holder].prio;
    return task != waiter && task != holder && w > x && x > h;
}

static void pass_time(void) {
    unsigned at = (unsigned)(before.tick - truth.first), to = (unsigned)(trace.now - truth.first);
    assert_true(to < 8 * EVENTS);
    for (int t = 0; t < K_TASKS; ++t) {
        for (unsigned i = at; i < to; ++i) truth.busy[t][i + 1] = truth.busy[t][i];
    }
    for (unsigned c = 0; c < trace.kernel.options.cores; ++c) {
        int t = before.core[c].task;
        if (t < 0 || before.core[c].irqs) continue;
        for (unsigned i = at; i < to; ++i)
            truth.busy[t][i + 1] = (uint16_t)(truth.busy[t][i + 1] + i + 1 - at);
        for (int w = 0; w < K_TASKS; ++w) {
            int o = before.task[w].waits;
            int h =
                o < 0 || before.object[o].kind != WF_OBJECT_MUTEX ? -1 : before.object[o].holder;
            if (h < 0 || inverted[w] || !runs_between(&before, t, w, h)) continue;
            inverted[w] = true;
            add_value(TRUE_INVERSION, w, o, trace.now, trace.now, 1, true);
        }
    }
}

// ---- events

static void note_note(const struct kernel *k, enum k_event event, int task, int object,
                      unsigned number) {
    unsigned depth = (unsigned)object - 1;
    switch (event) {
    case K_SPAN: job[task].span[number] = trace.now; break;
    case K_SPAN_END: add_interval(TRUE_SPAN, task, (int)number, job[task].span[number]); break;
    case K_IRQ_ENTER:
        irqs[k->core].since[depth] = trace.now;
        add_event('i', (int)number, -1);
        break;
    case K_IRQ_EXIT:
        add_interval(TRUE_IRQ, (int)number, (int)k->core, irqs[k->core].since[depth]);
        break;
    case K_TAKE:
        if (task >= 0 && k->truth.object[object].kind != WF_OBJECT_MUTEX)
            add_event('t', task, object);
        break;
    case K_ALARM:
        if (alarms[object].known) add_interval(TRUE_ALARMS, -1, object, alarms[object].at);
        alarms[object].known = true;
        alarms[object].at = trace.now;
        break;
    case K_CREATE:
    case K_DELETE:
    case K_ALARM_START:
    case K_ALARM_STOP: alarms[object].known = false; break;
    default: break;
    }
}

static void happens(void *ctx, const struct kernel *k, enum k_event event, int task, int object,
                    unsigned number) {
    const struct k_truth *is = &k->truth;
    if (!truth.first) truth.first = before.tick = trace.now;
    pass_time();
    for (int t = 0; t < K_TASKS; ++t) {
        enum wf_task_state was = before.task[t].state;
        bool other = before.task[t].life != is->task[t].life;
        if (other) was = WF_TASK_UNKNOWN; // a new one
        if (other) {
            assert_true(truth.lives[t] < TRUTH_LIVES);
            truth.births[t][truth.lives[t]++] = (unsigned)(trace.now - truth.first);
            memset(&job[t], 0, sizeof job[t]);
        }
        change_wait(is, t);
        if (is->task[t].told && is->task[t].state != was) change_state(is, t, was);
    }
    for (int o = 0; o < K_OBJECTS; ++o) change_object(is, o);
    note_note(k, event, task, object, number);
    before = *is;
    before.tick = trace.now;
    truth.last = trace.now;
    record(ctx, k, event, task, object, number);
}

static void add_open(enum truth_figure figure, int task, int object, uint64_t from) {
    add_value(figure, task, object, from, truth.last, truth.last - from, false);
}

// Intervals that are open at the end.
static void end_truth(void) {
    for (int t = 0; t < K_TASKS; ++t) {
        const struct k_truth_task *is = &before.task[t];
        if (!is->live || is->state == WF_TASK_ENDED) continue;
        if (job[t].open) add_open(TRUE_RESPONSE, t, -1, job[t].from);
        if (job[t].open && !job[t].started) add_open(TRUE_START, t, -1, job[t].from);
        if (job[t].arrived) add_open(TRUE_PERIOD, t, -1, job[t].arrival);
        if (is->waits >= 0) add_open(TRUE_WAIT, t, is->waits, is->waits_since);
        for (unsigned i = 1; i <= is->spans; ++i) add_open(TRUE_SPAN, t, (int)i, job[t].span[i]);
    }
    for (int o = 0; o < K_OBJECTS; ++o) {
        const struct k_truth_object *is = &before.object[o];
        if (is->live && is->holder >= 0) add_open(TRUE_HOLD, is->holder, o, is->held_since);
        if (is->live && alarms[o].known) add_open(TRUE_ALARMS, -1, o, alarms[o].at);
    }
    for (unsigned c = 0; c < trace.kernel.options.cores; ++c) {
        for (unsigned i = 0; i < before.core[c].irqs; ++i)
            add_open(TRUE_IRQ, (int)before.core[c].irq[i], (int)c, irqs[c].since[i]);
    }
}

void truth_record(uint32_t seed, unsigned events) {
    begin(seed, 1 << 14);
    memset(&truth, 0, sizeof truth);
    memset(&before, 0, sizeof before);
    memset(job, 0, sizeof job);
    memset(irqs, 0, sizeof irqs);
    memset(alarms, 0, sizeof alarms);
    memset(inverted, 0, sizeof inverted);
    for (int t = 0; t < K_TASKS; ++t) before.task[t].waits = -1;
    for (int o = 0; o < K_OBJECTS; ++o) before.object[o].holder = -1;
    for (unsigned c = 0; c < K_CORES; ++c) before.core[c].task = -1;
    record = trace.kernel.happens;
    trace.kernel.happens = happens;
    kernel_start(&trace.kernel);
    trace.first_safe = trace.frames;
    go(events);
    end_truth();
}

static unsigned busy_between(int task, unsigned from, unsigned to) {
    return from < to ? (unsigned)truth.busy[task][to] - truth.busy[task][from] : 0;
}

unsigned truth_load(int task, unsigned window) {
    unsigned most = 0, ticks = (unsigned)(truth.last - truth.first);
    truth.births[task][truth.lives[task]] = ticks;
    for (unsigned i = 0; i + window <= ticks; ++i) {
        for (unsigned n = 0; n < truth.lives[task]; ++n) {
            unsigned begin = truth.births[task][n], end = truth.births[task][n + 1];
            unsigned is =
                busy_between(task, i > begin ? i : begin, i + window < end ? i + window : end);
            if (is > most) most = is;
        }
    }
    return most;
}
