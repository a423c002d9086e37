// SPDX-License-Identifier: MIT
// Threads, processes and interrupts of QNX's kernel-event logs. An event reports the new state of
// one thread, never of two. A thread's RUNNING gives it the core. The previous thread counts as
// running until then; it leaves with the state of its own last event: READY if it was preempted or
// yielded, else blocked.

#include "wfi_model.h"
#include "wallfly_host/wf_sat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 128, PRIO_MOST = 255 };

// Events by name, of the classes PR_TH and INT.
enum {
#define E(cls, event, name, label, words) EVENT_##cls##_##name = (event),
    WF_SAT_EVENTS(E)
#undef E
};

bool wf_model_acts(const struct wf_model *m, const struct wf_slot_event *e) {
    unsigned event = wf_sat_plain_event(e);
    if (e->count < 2) return false;
    switch (e->cls) {
    case WF_SLOT_CLASS_PR_TH:
        if (event < EVENT_PR_TH_PROCCREATE)
            return event < wf_sat_thread_states(m->s->slots.release);
        return event % EVENT_PR_TH_PROCCREATE == 0 && event <= EVENT_PR_TH_PROCTHREAD_NAME;
    case WF_SLOT_CLASS_INT: // QNX 8.0 does not use these numbers
        return m->s->slots.release != WF_SAT_RELEASE_8 &&
               (event == EVENT_INT_INTENTER || event == EVENT_INT_INTENTER_64 ||
                event == EVENT_INT_INTEXIT);
    default: return false;
    }
}

// ---- names

// An ended thread keeps its name, even if its process is renamed.
void wfi_qnx_name_thread(struct wf_model *m, struct wfi_task *t) {
    char text[NAME_MOST + 16];
    bool keep = t->pub.state == WF_TASK_ENDED && t->name;
    if (t->named || keep || !t->process || t->naming == t->process->naming) return;
    t->naming = t->process->naming;
    snprintf(text, sizeof text, "%s %u", t->process->name, (unsigned)t->pub.tid);
    wfi_set_name(m, &t->name, text);
}

// Reads the text after two words. Returns false if it is empty.
static bool text_of(const struct wf_slot_event *e, char *to) {
    size_t len = e->len > 8 ? e->len - 8 : 0;
    char *end = wf_sat_text(to, e->bytes + 8, len < NAME_MOST ? len : NAME_MOST);
    *end = 0;
    return end != to;
}

// Uses the name without its folders.
static void name_process(struct wf_model *m, struct wfi_process *p, const struct wf_slot_event *e) {
    char text[NAME_MOST + 1];
    if (!text_of(e, text)) return;
    const char *slash = strrchr(text, '/');
    wfi_set_name(m, &p->name, slash && slash[1] ? slash + 1 : text);
    ++p->naming;
}

const char *wf_task_process(const struct wf_task *task) {
    const struct wfi_task *t = (const struct wfi_task *)(const void *)task;
    return t->process ? t->process->name : NULL;
}

// ---- create and end

static void join_process(struct wf_model *m, struct wf_task *task, struct wfi_process *p,
                         uint32_t pid, uint32_t tid) {
    struct wfi_task *t = wfi_task(task);
    t->process = p;
    task->pid = pid;
    task->tid = tid;
    free(t->name); // a dictionary's name does not apply
    t->name = NULL;
    snprintf(t->key_text, sizeof t->key_text, "pid %d tid %u", (int)pid, (unsigned)tid);
    wfi_qnx_name_thread(m, t);
}

static void end_life(struct wf_model *m, struct wf_task *t) {
    if (t->state == WF_TASK_RUNNING) wfi_core_set_unknown(m, &m->cores[t->core]);
    if (t->state != WF_TASK_ENDED) wfi_task_end(m, t, true);
}

// The live thread with this key. If it belongs to an earlier process with that number, its end is
// lost.
static struct wf_task *find_living(struct wf_model *m, uint64_t key, const struct wfi_process *p) {
    struct wf_task *t = wfi_task_known(m, key);
    if (!t || t->state == WF_TASK_ENDED) return NULL;
    if (!wfi_task(t)->process || wfi_task(t)->process == p) return t;
    end_life(m, t);
    return NULL;
}

static uint64_t key_of(uint32_t pid, uint32_t tid) { return (uint64_t)pid << 32 | tid; }

// Returns null when out of memory.
static struct wf_task *thread_of(struct wf_model *m, uint32_t pid, uint32_t tid) {
    struct wfi_process *p = wfi_process_of(m, pid, false);
    if (!p) return NULL;
    (void)find_living(m, key_of(pid, tid), p);
    struct wf_task *t = wfi_task_of(m, key_of(pid, tid));
    if (t && !wfi_task(t)->process) join_process(m, t, p, pid, tid);
    return t;
}

// ---- threads

static void apply_priority(struct wf_model *m, struct wf_task *t, const struct wf_slot_event *e) {
    if (e->count < 3) return; // the fast form has no priority
    int32_t prio = (int32_t)e->words[2];
    bool known = prio >= 0 && prio <= PRIO_MOST; // some releases may put two priorities into it
    if (known == t->prio_known && (!known || prio == t->prio)) return;
    wfi_priority_set(m, t, known, prio);
}

// The waker is certain only in a kernel call of the running thread, with no interrupt in between.
static void wake_thread(struct wf_model *m, struct wf_task *t) {
    const struct wf_core *c = &m->cores[m->core];
    bool sure = c->known && m->calls[m->core] && m->records_irqs[m->core] && c->irqs_known;
    struct wf_change *change = wfi_change(m, WF_CHANGE_WAKE);
    change->task = t;
    if (sure && !c->irqs && c->task != t) change->by = c->task;
    change->flow = wfi_task(t)->wake = wfi_flow_new(m);
}

static bool is_waiting(enum wf_task_state state) {
    return state == WF_TASK_BLOCKED || state == WF_TASK_DELAYED || state == WF_TASK_SUSPENDED;
}

static struct wfi_leave leave_of(const struct wf_model *m, const struct wf_sat_state *s) {
    static const struct {
        uint8_t state, reason;
    } of[] = {
        [WF_SAT_ENDS] = {WF_TASK_ENDED, WFI_LEFT_ended},
        [WF_SAT_READY] = {WF_TASK_READY, WFI_LEFT_unknown},
        [WF_SAT_STOPS] = {WF_TASK_SUSPENDED, WFI_LEFT_suspended},
        [WF_SAT_SLEEPS] = {WF_TASK_DELAYED, WFI_LEFT_delayed},
        [WF_SAT_LOCKS] = {WF_TASK_BLOCKED, WFI_LEFT_blocked},
        [WF_SAT_WAITS] = {WF_TASK_BLOCKED, WFI_LEFT_blocked},
    };
    struct wfi_leave to = {.recorded = true};
    if (!s) return to; // an unknown state
    to.state = (enum wf_task_state)of[s->does].state;
    to.reason = of[s->does].reason;
    to.mutex = s->does == WF_SAT_LOCKS;
    if (is_waiting(to.state)) to.called = wf_sat_state_name(s, m->s->slots.release);
    return to;
}

// The thread leaves its core, for the recorded state.
static void leave_core(struct wf_model *m, struct wf_task *t) {
    struct wfi_leave to = wfi_task(t)->leave;
    t->reason = to.reason;
    if (to.state == WF_TASK_ENDED) {
        wfi_task_end(m, t, false);
        return;
    }
    t->waits_mutex = to.mutex;
    wfi_task_set_named_state(m, t, to.state, to.called, false);
}

// An event after RUNNING: the thread leaves when another one takes the core.
static void set_leave(struct wf_model *m, struct wf_task *t, struct wfi_leave to) {
    struct wfi_task *own = wfi_task(t);
    if (own->leave.recorded && to.state == WF_TASK_READY) {
        if (!is_waiting(own->leave.state)) return;
        own->leave.state = WF_TASK_READY;
        own->leave.called = NULL;
        wake_thread(m, t);
        return;
    }
    own->leave = to;
    own->doomed = to.state == WF_TASK_ENDED;
}

static void change_state(struct wf_model *m, struct wf_task *t, struct wfi_leave to) {
    if (t->state == WF_TASK_RUNNING) {
        set_leave(m, t, to);
    } else if (to.state == WF_TASK_ENDED) {
        wfi_task_end(m, t, false);
    } else {
        bool wakes = to.state == WF_TASK_READY && is_waiting(t->state);
        if (to.state != WF_TASK_READY) t->waits_mutex = to.mutex;
        wfi_task_set_named_state(m, t, to.state, to.called, false);
        if (wakes) wake_thread(m, t);
    }
}

// When a trace starts, all existing threads are reported: CREATE, then their state, including those
// that run on another CPU. Whether that CPU is named is not known.
static bool is_report(const struct wf_core *c, const struct wf_task *t) {
    const struct wfi_task *own = (const struct wfi_task *)(const void *)t;
    bool free = c->known && c->task && wfi_task(c->task)->leave.recorded;
    return own->fresh && !own->pub.created && !free;
}

static void run_thread(struct wf_model *m, struct wf_task *t) {
    struct wf_core *c = wfi_core_at(m, m->core), *other = &m->cores[t->core];
    struct wf_task *from = c->task;
    bool report = is_report(c, t);
    m->reported[m->core] = report;
    if (report && m->s->target.cores != 1) {
        if (t->state == WF_TASK_RUNNING) return;
        wfi_core_set_unknown(m, c);
        wfi_task_set_state(m, t, WF_TASK_UNKNOWN, true);
        return;
    }
    m->calls[m->core] = false;
    if (!c->irqs) c->irqs_known = true; // no thread takes a core on top of an interrupt
    if (c->known && from == t && !wfi_task(t)->leave.recorded) return;
    c->task = NULL;
    if (from) leave_core(m, from);
    if (t->state == WF_TASK_RUNNING && wfi_task(t)->leave.recorded) { // it moved to another core
        other->known = false;
        other->task = NULL;
        leave_core(m, t);
    } else if (t->state == WF_TASK_RUNNING) {
        wfi_inconsistent(m, t, NULL, "runs on two cores");
        wfi_core_set_unknown(m, other);
    }
    if (t->state == WF_TASK_ENDED) t = thread_of(m, t->pid, t->tid);
    if (!t) return;
    t->waits_mutex = false;
    wfi_core_set_task(m, c, t, !report);
}

// An existing thread may be reported again, for example when the trace starts later.
static void create_thread(struct wf_model *m, uint32_t pid, uint32_t tid) {
    const struct wf_core *c = wfi_core_at(m, m->core);
    struct wfi_process *p = wfi_process_of(m, pid, true);
    struct wf_task *t = p ? find_living(m, key_of(pid, tid), p) : NULL;
    if (!p) return;
    if (t && wfi_task(t)->epoch != m->epoch) end_life(m, t); // its end is lost
    if (!t || t->state == WF_TASK_ENDED) {
        t = wfi_task_new(m, key_of(pid, tid), c->known && !m->reported[m->core]);
        if (!t) return;
        if (t->created) wfi_change(m, WF_CHANGE_CREATE)->task = t;
    }
    if (!wfi_task(t)->process) join_process(m, t, p, pid, tid);
    wfi_task(t)->fresh = true;
}

static void take_thread(struct wf_model *m, const struct wf_slot_event *e) {
    const struct wf_sat_state *s = wf_sat_state(m->s->slots.release, wf_sat_plain_event(e));
    uint32_t pid = e->words[0], tid = e->words[1];
    m->scheduling = true;
    if (tid == 0) {
        wfi_inconsistent(m, NULL, NULL, "of no thread");
        return;
    }
    struct wf_task *t = wfi_task_known(m, key_of(pid, tid));
    if (s && s->does == WF_SAT_ENDS && (!t || t->state == WF_TASK_ENDED)) return;
    if (s && s->does == WF_SAT_BEGINS) create_thread(m, pid, tid);
    t = thread_of(m, pid, tid);
    if (!t) return;
    apply_priority(m, t, e);
    if (s && s->does == WF_SAT_BEGINS) return;
    if (s && s->does == WF_SAT_RUNS)
        run_thread(m, t);
    else
        change_state(m, t, leave_of(m, s));
    bool reported = wfi_task(t)->fresh && !t->created && t->state != WF_TASK_RUNNING;
    if (reported) t->since_known = false; // it may have been in it for long
    wfi_task(t)->fresh = false;
}

// ---- processes

static void take_process(struct wf_model *m, const struct wf_slot_event *e) {
    char text[NAME_MOST + 1];
    unsigned event = wf_sat_plain_event(e);
    bool begins = event == EVENT_PR_TH_PROCCREATE || event == EVENT_PR_TH_PROCCREATE_NAME;
    if (event == EVENT_PR_TH_PROCTHREAD_NAME) {
        struct wf_task *t = e->words[1] && text_of(e, text)
                                ? wfi_task_known(m, key_of(e->words[0], e->words[1]))
                                : NULL;
        if (!e->words[1] || !text_of(e, text)) return;
        if (!t || t->state != WF_TASK_ENDED) t = thread_of(m, e->words[0], e->words[1]);
        if (!t) return;
        wfi_set_name(m, &wfi_task(t)->name, text);
        wfi_task(t)->named = true;
        return;
    }
    struct wfi_process *p = wfi_process_of(m, e->words[1], begins);
    if (!p) return;
    bool named =
        event == EVENT_PR_TH_PROCCREATE_NAME || (event == EVENT_PR_TH_PROCDESTROY_NAME && !p->name);
    if (named) name_process(m, p, e);
    if (!begins) p->ended = true;
}

// ---- events

void wfi_qnx_note_call(struct wf_model *m, const struct wf_slot_event *e) {
    if (e->core < WF_MODEL_CORES) m->calls[e->core] = wf_sat_plain_event(e) < WF_SAT_CALL_END;
}

static void take_interrupt(struct wf_model *m, const struct wf_slot_event *e) {
    struct wf_core *c = wfi_core_at(m, m->core);
    uint16_t irq = (uint16_t)(e->words[0] < WF_IRQ_UNKNOWN ? e->words[0] : WF_IRQ_UNKNOWN);
    m->calls[m->core] = false;
    m->records_irqs[m->core] = true;
    if (wf_sat_plain_event(e) == EVENT_INT_INTEXIT)
        wfi_irq_end(m, c, irq);
    else
        wfi_irq_begin(m, c, irq);
}

void wfi_take_qnx(struct wf_model *m, const struct wf_slot_event *e) {
    if (e->cls == WF_SLOT_CLASS_INT)
        take_interrupt(m, e);
    else if (wf_sat_plain_event(e) < EVENT_PR_TH_PROCCREATE)
        take_thread(m, e);
    else
        take_process(m, e);
}
