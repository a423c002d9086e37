// SPDX-License-Identifier: MIT
// The tables `sched` and `thread_state` of Perfetto, from packets of a generic kernel with the
// state of a thread from a time on. Each task has a thread, even if a key is used again, and each
// core has a thread for its idle loop.
//
// A thread must not have two states at one time, so a state is written when a later state begins,
// and states of no length are left out. Perfetto has no state "unknown": a state stands for it that
// tasks of an RTOS do not have (docs/perfetto.md).

#include "wfi_perfetto.h"

enum { RUNNABLE = 2, RUNNING, SLEEP, NOT_KNOWN, STOPPED, DESTROYED = 8 };
enum { TID_IDLE = 1, TID_TASK = 100 }; // of the first one
enum { WINDOW_NS = 10000000 };

static const uint8_t states[WF_TASK_STATES] = {
    [WF_TASK_UNKNOWN] = NOT_KNOWN, [WF_TASK_READY] = RUNNABLE, [WF_TASK_RUNNING] = RUNNING,
    [WF_TASK_BLOCKED] = SLEEP,     [WF_TASK_DELAYED] = SLEEP,  [WF_TASK_SUSPENDED] = STOPPED,
    [WF_TASK_ENDED] = DESTROYED,
};

// ---- threads

// Names may come late, and readers use the last one. They would read a name after the end of a
// thread as that of another thread.
static void announce(struct wf_writer *w, uint64_t tid, bool idle, const char *name, size_t len,
                     uint64_t ns) {
    wfi_pf_process(w);
    wfi_pf_packet(w, ns);
    size_t tree = wfi_pf_block(w, WFI_PF_PACKET_TASK_TREE);
    size_t thread = wfi_pf_block(w, WFI_PF_TREE_THREAD);
    wfi_pf_uint(w, WFI_PF_TREE_THREAD_TID, tid);
    wfi_pf_uint(w, WFI_PF_TREE_THREAD_PID, WFI_PF_PID);
    wfi_pf_text(w, WFI_PF_TREE_THREAD_NAME, name, len);
    if (idle) wfi_pf_uint(w, WFI_PF_TREE_THREAD_IDLE, 1);
    wfi_pf_block_end(w, thread);
    wfi_pf_block_end(w, tree);
    wfi_pf_packet_end(w);
}

static void announce_task(struct wf_writer *w, unsigned index, uint64_t ns) {
    struct wfi_strbuf *name = &wfi_pf(w)->words;
    wfi_pf_put_name(w, WFI_PF_TASK, index, 0);
    announce(w, TID_TASK + index, false, name->buf, (size_t)(name->end - name->buf), ns);
}

static void announce_idle(struct wf_writer *w, unsigned core) {
    char name[24] = "idle ";
    size_t len = (size_t)(wfi_dec(name + 5, core) - name);
    announce(w, TID_IDLE + core, true, name, len, wfi_pf(w)->now_ns);
}

static void put_state(struct wf_writer *w, struct wfi_pf_thread *t, uint64_t tid, unsigned state,
                      uint64_t ns) {
    wfi_pf_packet(w, ns);
    size_t at = wfi_pf_block(w, WFI_PF_PACKET_TASK_STATE);
    wfi_pf_uint(w, WFI_PF_STATE_CPU, state == RUNNING ? t->next_core : t->core);
    wfi_pf_uint(w, WFI_PF_STATE_TID, tid);
    wfi_pf_uint(w, WFI_PF_STATE_STATE, state);
    if (state == RUNNING) wfi_pf_uint(w, WFI_PF_STATE_PRIO, (uint64_t)(int64_t)t->next_prio);
    wfi_pf_block_end(w, at);
    wfi_pf_packet_end(w);
    t->state = (uint8_t)state;
    t->core = state == RUNNING ? t->next_core : t->core;
    t->written_ns = ns;
}

// Writes a state with its length. A task that changes the core at once was ready in between.
static void write_pending(struct wf_writer *w, struct wfi_pf_thread *t, uint64_t tid) {
    bool moves = t->state == RUNNING && t->next == RUNNING && t->core != t->next_core;
    t->waits = false;
    if (t->next == DESTROYED) announce_task(w, (unsigned)(tid - TID_TASK), t->next_ns);
    if (moves) put_state(w, t, tid, RUNNABLE, t->next_ns);
    if (t->state != t->next) put_state(w, t, tid, t->next, t->next_ns + moves);
}

static void begin_state(struct wf_writer *w, struct wfi_pf_thread *t, uint64_t tid, unsigned state,
                        unsigned core, int prio, uint64_t ns) {
    if (t->waits && ns > t->next_ns) write_pending(w, t, tid);
    if (ns < t->written_ns + 1 && t->written_ns) ns = t->written_ns + 1; // it changed the core
    t->waits = true;
    t->next = (uint8_t)state;
    t->next_core = (uint8_t)core;
    t->next_prio = prio;
    t->next_ns = ns;
}

void wfi_pf_sched_task(struct wf_writer *w, const struct wf_task *task, enum wf_task_state state,
                       unsigned core, uint64_t ns) {
    struct wfi_pf_task *t = wfi_pf_task(w, task);
    if (!t) return;
    if (!t->thread.announced) announce_task(w, task->index, wfi_pf(w)->now_ns);
    t->thread.announced = true;
    begin_state(w, &t->thread, TID_TASK + task->index, states[state], core,
                task->prio_known ? task->prio : 0, ns);
}

void wfi_pf_sched_idle(struct wf_writer *w, unsigned core, enum wf_task_state state, uint64_t ns) {
    struct wfi_pf_core *c = wfi_pf_core(w, core);
    if (!c) return;
    if (!c->idle_thread.announced) announce_idle(w, core);
    c->idle_thread.announced = true;
    begin_state(w, &c->idle_thread, TID_IDLE + core, states[state], core, 0, ns);
}

// ---- load: the part of a window in which a task ran, if that is known for all of it

enum { UNKNOWN = -1 };

static void write_load(struct wf_writer *w, unsigned core, uint64_t begin, int64_t load) {
    struct wfi_pf_core *c = wfi_pf_core(w, core);
    if (load == c->load.written) return;
    c->load.written = load;
    double percent = load < 0 ? -1 : (double)load * 100 / WINDOW_NS;
    uint64_t bits;
    memcpy(&bits, &percent, sizeof bits);
    struct wfi_pf_event e = {.type = WFI_PF_COUNTER,
                             .track = wfi_pf_core_track(w, core, WFI_PF_CORE_LOAD)};
    wfi_pf_event(w, begin, &e);
    w->text.end = wfi_pf_put_fixed(w->text.end, WFI_PF_EVENT_DOUBLE, bits);
    wfi_pf_event_end(w);
}

static void end_window(struct wf_writer *w, unsigned core) {
    struct wfi_pf_core *c = wfi_pf_core(w, core);
    bool known = c->load.known == WINDOW_NS;
    write_load(w, core, c->load.end - WINDOW_NS, known ? (int64_t)c->load.busy : UNKNOWN);
    c->load.busy = c->load.known = 0;
}

// Writes the load of the whole windows up to `to`, which is the same in all of them.
static void whole_windows(struct wf_writer *w, unsigned core, uint64_t to, int64_t load) {
    struct wfi_pf_core *c = wfi_pf_core(w, core);
    uint64_t count = to / WINDOW_NS - c->load.end / WINDOW_NS;
    if (!count) return;
    write_load(w, core, c->load.end, load);
    c->load.end += count * WINDOW_NS;
}

static void account_until(struct wf_writer *w, unsigned core, uint64_t to, bool known, bool busy) {
    struct wfi_pf_core *c = wfi_pf_core(w, core);
    uint64_t from = c->load.from, part = to < c->load.end ? to : c->load.end;
    for (unsigned i = 0; i < 2 && from < to; ++i) { // the window of `from`, and the last one
        if (known) c->load.known += part - from;
        if (busy) c->load.busy += part - from;
        from = part;
        if (from < c->load.end) break;
        end_window(w, core);
        whole_windows(w, core, to, !known ? UNKNOWN : busy ? WINDOW_NS : 0);
        from = c->load.end;
        c->load.end += WINDOW_NS;
        part = to;
    }
    c->load.from = to;
}

void wfi_pf_load(struct wf_writer *w, unsigned core, uint64_t from, uint64_t to, bool busy) {
    struct wfi_pf_core *c = wfi_pf_core(w, core);
    if (!c || to <= from) return; // a slice of no length begins no window
    if (!c->load.end) {
        c->load.from = from / WINDOW_NS * WINDOW_NS;
        c->load.end = c->load.from + WINDOW_NS;
    }
    if (from > c->load.from) account_until(w, core, from, false, false);
    if (to > c->load.from) account_until(w, core, to, true, busy);
}

// ---- the end

static void end_thread(struct wf_writer *w, struct wfi_pf_thread *t, uint64_t tid) {
    if (t->waits) write_pending(w, t, tid);
}

void wfi_pf_sched_end(struct wf_writer *w) {
    struct wfi_pf *g = wfi_pf(w);
    for (unsigned i = 0; i < wf_model_tasks(w->model) && i < g->tasks_cap; ++i) {
        if (!g->tasks[i].thread.announced) continue;
        end_thread(w, &g->tasks[i].thread, TID_TASK + i);
        if (g->tasks[i].thread.state != DESTROYED) announce_task(w, i, g->now_ns);
    }
    for (unsigned i = 0; i < g->core_count; ++i) {
        struct wfi_pf_core *c = g->cores[i];
        if (!c) continue;
        end_thread(w, &c->idle_thread, TID_IDLE + i);
        if (c->load.end && c->load.known) end_window(w, i);
    }
}
