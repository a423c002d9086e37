// SPDX-License-Identifier: MIT
// Tasks and the cores they run on. A task is RUNNING from the switch to it until the switch from
// it. A task that is deleted, suspended or woken while it still runs changes its state when it
// leaves its core.

#include "wfi_model.h"

// ---- states

void wfi_task_set_state(struct wf_model *m, struct wf_task *t, enum wf_task_state state, bool cut) {
    if (t->state != state) wfi_task_set_named_state(m, t, state, NULL, cut);
}

void wfi_task_set_named_state(struct wf_model *m, struct wf_task *t, enum wf_task_state state,
                              const char *called, bool cut) {
    if (t->state == state && t->called == called) return;
    struct wf_change *c = wfi_change(m, WF_CHANGE_TASK);
    c->task = t;
    c->was = t->state;
    c->is = state;
    c->was_called = t->called;
    c->is_called = called;
    c->from = t->since;
    c->from_known = t->since_known;
    c->cut = cut;
    if (t->state == WF_TASK_RUNNING) {
        c->reason = cut ? 0 : t->reason;
        c->core = t->core;
    }
    struct wfi_task *own = wfi_task(t);
    if (state == WF_TASK_RUNNING) c->flow = own->wake;
    if (state != WF_TASK_READY) own->wake = 0;
    own->leave = (struct wfi_leave){.recorded = false};
    t->state = state;
    t->called = called;
    t->since = m->now;
    t->since_known = state != WF_TASK_UNKNOWN;
    if (state != WF_TASK_UNKNOWN && state != WF_TASK_ENDED) wfi_task_inform(m, t);
}

void wfi_task_end(struct wf_model *m, struct wf_task *t, bool cut) {
    struct wfi_task *own = wfi_task(t);
    wfi_qnx_name_thread(m, own);
    if (!own->name) wfi_task_keep_name(m, t);
    if (own->spans) wfi_spans_cut(m, own->spans, t, t->core);
    wfi_wait_end(m, t, false, cut);
    wfi_task_set_state(m, t, WF_TASK_ENDED, cut);
    wfi_task_uninform(m, t);
    own->doomed = false;
}

static enum wf_task_state state_after(const struct wfi_task *t, unsigned reason) {
    switch (reason) {
    case WFI_LEFT_preempted:
    case WFI_LEFT_yielded:
    case WFI_LEFT_sliced: return WF_TASK_READY;
    case WFI_LEFT_blocked: return WF_TASK_BLOCKED;
    case WFI_LEFT_delayed: return WF_TASK_DELAYED;
    case WFI_LEFT_suspended: return WF_TASK_SUSPENDED;
    case WFI_LEFT_ended: return WF_TASK_ENDED;
    default: return t->suspending ? WF_TASK_SUSPENDED : WF_TASK_UNKNOWN;
    }
}

void wfi_task_leave_core(struct wf_model *m, struct wf_task *t, unsigned reason) {
    struct wfi_task *own = wfi_task(t);
    enum wf_task_state state = state_after(own, reason);
    t->reason = (uint8_t)(reason < wf_reason_count ? reason : 0);
    if (own->doomed || state == WF_TASK_ENDED) {
        wfi_task_end(m, t, false);
        return;
    }
    bool blocked = state == WF_TASK_BLOCKED;
    if (blocked || state == WF_TASK_SUSPENDED) {
        bool perhaps = own->readied == WFI_PERHAPS_READIED || (blocked && own->settled);
        if (perhaps) state = WF_TASK_UNKNOWN;
        if (own->readied == WFI_READIED) state = WF_TASK_READY;
    }
    // The object it waits for has no records.
    if (state == WF_TASK_BLOCKED && !t->waits) t->waits_known = false;
    own->suspending = false;
    own->readied = WFI_NOT_READIED;
    wfi_task_set_state(m, t, state, false);
}

// ---- cores

struct wf_core *wfi_core_at(struct wf_model *m, unsigned core) {
    struct wf_core *c = &m->cores[core];
    if (!c->used) {
        c->used = true;
        ++m->core_count;
        if (core > m->last_core) m->last_core = core;
    }
    return c;
}

struct wf_core *wfi_core(struct wf_model *m) {
    if (wfi_has(m, WF_KIND_CORE)) {
        uint64_t core = wfi_value(m, WF_KIND_CORE);
        if (core >= WF_MODEL_CORES) {
            wfi_inconsistent(m, NULL, NULL, "a core beyond number 63");
            return NULL;
        }
        m->core = (unsigned)core;
    }
    return wfi_core_at(m, m->core);
}

static bool has_one_core(const struct wf_model *m) {
    return m->s->target.cores ? m->s->target.cores == 1 : m->core_count == 1;
}

// Returns true if the running tasks of all cores are known and it is none of them.
static bool runs_nowhere(const struct wf_model *m, struct wf_task *t) {
    if (wfi_task(t)->newborn) return true;
    unsigned cores = m->s->target.cores ? m->s->target.cores : m->last_core + 1;
    for (unsigned i = 0; i < cores && i < WF_MODEL_CORES; ++i) {
        const struct wf_core *c = &m->cores[i];
        if (!c->used && !m->s->slots.on) continue;
        if (!c->known || c->task == t) return false;
    }
    return m->core_count > 0;
}

void wfi_core_set_task(struct wf_model *m, struct wf_core *c, struct wf_task *t, bool since) {
    c->known = true;
    c->since_known = since;
    c->since = m->now;
    c->task = t;
    if (!t) return;
    struct wfi_task *own = wfi_task(t);
    own->suspending = own->doomed = own->newborn = false;
    own->on_since_wait = own->settled = false;
    own->readied = WFI_NOT_READIED;
    wfi_task_set_state(m, t, WF_TASK_RUNNING, false);
    t->core = (unsigned)(c - m->cores);
    t->since_known = since;
}

void wfi_core_set_unknown(struct wf_model *m, struct wf_core *c) {
    struct wf_task *t = c->task;
    c->known = false;
    c->task = NULL;
    if (!t) return;
    if (wfi_task(t)->doomed)
        wfi_task_end(m, t, true);
    else
        wfi_task_set_state(m, t, WF_TASK_UNKNOWN, true);
}

void wfi_core_forget(struct wf_model *m, unsigned core) {
    struct wf_core *c = &m->cores[core];
    wfi_core_set_unknown(m, c);
    for (unsigned n = c->irqs < WF_IRQ_DEPTH ? c->irqs : WF_IRQ_DEPTH; n-- > 0;) {
        struct wf_change *end = wfi_change(m, WF_CHANGE_IRQ_END);
        end->core = core;
        end->irq = c->irq[n];
        end->level = n + 1;
        end->from = c->irq_since[n];
        end->from_known = c->irq_since_known[n];
        end->cut = true;
    }
    c->irqs_known = c->irqs_doubtful = false;
    c->irqs = 0;
    m->calls[core] = false;
    wfi_spans_cut(m, &m->irq_spans[core], NULL, core);
}

void wfi_switch(struct wf_model *m, struct wf_task *to, unsigned reason) {
    struct wf_core *c = wfi_core(m);
    if (!c) return;
    m->scheduling = true;
    if (c->known && c->task == to) return; // it continued
    struct wf_task *from = c->task;
    c->task = NULL;
    bool itself = from && reason >= WFI_LEFT_blocked && reason <= WFI_LEFT_ended;
    wfi_irq_switch(m, c, itself && !from->by_priority);
    if (from) wfi_task_leave_core(m, from, reason);
    if (to && to->state == WF_TASK_RUNNING) {
        wfi_inconsistent(m, to, NULL, "runs on two cores");
        wfi_task(to)->doomed = false;
        wfi_core_set_unknown(m, &m->cores[to->core]);
    }
    wfi_core_set_task(m, c, to, true);
}

struct wf_task *wfi_actor(struct wf_model *m) {
    return wfi_task_of(m, wfi_value(m, WF_KIND_ACTOR));
}

// On a single core t is the running task. With several cores its core is not recorded.
void wfi_task_infer_running(struct wf_model *m, struct wf_task *t) {
    struct wfi_task *own = wfi_task(t);
    own->waits_anew = own->newborn = own->on_since_wait = own->settled = false;
    own->readied = WFI_NOT_READIED;
    if (t->state == WF_TASK_RUNNING) return;
    if (!m->scheduling) { // no switches are recorded
        wfi_task_set_state(m, t, WF_TASK_UNKNOWN, true);
        return;
    }
    struct wf_core *c = m->s->slots.on ? wfi_core(m) : &m->cores[m->last_core];
    bool one = has_one_core(m), other = one && c->known;
    if (other || t->state != WF_TASK_UNKNOWN) {
        wfi_inconsistent(m, t, NULL, "acts, but does not run");
        if (one) wfi_core_set_unknown(m, c);
        wfi_task_set_state(m, t, WF_TASK_UNKNOWN, true);
    } else if (one) {
        wfi_core_set_task(m, c, t, false);
    }
}

// ---- records of an RTOS

static void create_task(struct wf_model *m, uint64_t key) {
    struct wf_task *t = wfi_task_known(m, key);
    if (t && t->state != WF_TASK_ENDED) { // its end is lost
        bool contradicts = wfi_task(t)->epoch == m->epoch;
        if (t->state == WF_TASK_RUNNING) wfi_core_set_unknown(m, &m->cores[t->core]);
        if (contradicts) wfi_inconsistent(m, t, NULL, "a task is created that is there");
        if (t->state != WF_TASK_ENDED) wfi_task_end(m, t, true);
    }
    t = wfi_task_new(m, key, true);
    if (!t) return;
    t->waits_known = true;
    wfi_change(m, WF_CHANGE_CREATE)->task = t;
    t->prio = (int16_t)wfi_value(m, WF_KIND_PRIORITY);
    t->prio_known = t->prio != WF_PRIO_UNKNOWN;
    wfi_task(t)->readied = WFI_NOT_READIED;
    wfi_task(t)->newborn = true;
    wfi_task_inform(m, t);
}

static void delete_task(struct wf_model *m, struct wf_task *t) {
    wfi_task_keep_name(m, t);
    if (t->state != WF_TASK_RUNNING) {
        wfi_task_end(m, t, false);
        return;
    }
    wfi_task(t)->doomed = true;
    wfi_wait_end(m, t, false, false);
    t->waits_known = true;
}

static void suspend_task(struct wf_model *m, struct wf_task *t) {
    if (t->state == WF_TASK_RUNNING) {
        wfi_task(t)->suspending = true;
        wfi_task(t)->readied = WFI_NOT_READIED;
    } else if (m->scheduling && (t->state != WF_TASK_UNKNOWN || runs_nowhere(m, t))) {
        wfi_task_set_state(m, t, WF_TASK_SUSPENDED, false);
    }
}

// The waker: the task that runs on the record's core, unless an interrupt is on top of it.
static struct wf_task *find_waker(const struct wf_core *c, const struct wf_task *woken) {
    if (!c || !c->known || !c->irqs_known || c->irqs) return NULL;
    return c->task == woken ? NULL : c->task;
}

static void make_ready(struct wf_model *m, struct wf_task *t) {
    const struct wf_core *c = wfi_core(m);
    struct wfi_task *own = wfi_task(t);
    m->scheduling = true;
    if (t->state == WF_TASK_READY) return;
    if (t->state == WF_TASK_RUNNING) {
        if (!t->waits_known) own->readied = WFI_PERHAPS_READIED;
        if (!own->on_since_wait && !own->suspending) return;
        own->readied = WFI_READIED;
        own->suspending = false;
    } else if (t->state != WF_TASK_UNKNOWN || runs_nowhere(m, t)) {
        wfi_task_set_state(m, t, WF_TASK_READY, false);
    }
    struct wf_change *wake = wfi_change(m, WF_CHANGE_WAKE);
    wake->task = t;
    wake->by = find_waker(c, t);
    wake->flow = own->wake = wfi_flow_new(m);
}

static void report_stack(struct wf_model *m, struct wf_task *t) {
    const uint32_t low = (uint32_t)wfi_value(m, WF_KIND_LOW);
    const uint32_t size = (uint32_t)wfi_value(m, WF_KIND_CAPACITY);
    struct wf_change *c = wfi_change(m, WF_CHANGE_LOW);
    c->task = t;
    c->value = low;
    c->got = !t->stack_known || t->stack_free != low || t->stack_size != size;
    t->stack_known = true;
    t->stack_free = low;
    t->stack_size = size;
}

void wfi_take_task(struct wf_model *m) {
    enum wf_effect effect = m->record->row->effect;
    uint64_t key = wfi_value(m, WF_KIND_TASK);
    struct wf_task *t = NULL;
    if (effect == WF_EFFECT_TASK_DELETE) {
        t = wfi_task_known(m, key);
        if (t && t->state == WF_TASK_ENDED) return; // its last switch ended it
    }
    if (key == 0 && effect != WF_EFFECT_TASK_SWITCH) {
        wfi_inconsistent(m, NULL, NULL, "of no task");
        return;
    }
    if (effect == WF_EFFECT_TASK_CREATE) {
        create_task(m, key);
        return;
    }
    t = wfi_task_of(m, key);
    if (key && !t) return; // out of memory
    switch (effect) {
    case WF_EFFECT_TASK_DELETE: delete_task(m, t); break;
    case WF_EFFECT_TASK_PRIORITY: {
        int prio = (int16_t)wfi_value(m, WF_KIND_PRIORITY);
        wfi_priority_set(m, t, prio != WF_PRIO_UNKNOWN, prio);
        break;
    }
    case WF_EFFECT_TASK_STACK: report_stack(m, t); break;
    case WF_EFFECT_TASK_SUSPEND: suspend_task(m, t); break;
    case WF_EFFECT_TASK_READY: make_ready(m, t); break;
    default: wfi_switch(m, t, (unsigned)wfi_value(m, WF_KIND_REASON));
    }
}
