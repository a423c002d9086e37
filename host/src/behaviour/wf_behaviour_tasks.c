// SPDX-License-Identifier: MIT
// Runs of tasks. A run begins when the task gets a semaphore, an item or an event, gives up waiting
// for one, or has slept; it ends where the task next takes one or sleeps. Whether the task has to
// wait for it depends on the times and does not matter: nor do preemptions and waits for locks,
// which are part of the run.

#include "wfi_collect.h"

#include <stdlib.h>
#include <string.h>

// ---- actors

struct wfi_run *wfi_task_run(struct wf_behaviour_sink *k, struct wf_task *t) {
    struct wfi_own_task *own = wfi_own_task(k, t);
    return own ? &own->run : NULL;
}

// The interrupt on top of a core. Null: none, or not known.
static struct wfi_run *irq_run(struct wf_behaviour_sink *k, unsigned core) {
    const struct wf_core *c = wf_model_core(k->m, core);
    unsigned level = c->irqs;
    return level && level <= WF_IRQ_DEPTH && k->irqs[core] ? &k->irqs[core][level - 1] : NULL;
}

struct wfi_run *wfi_machine_run(struct wf_behaviour_sink *k, struct wf_object *o) {
    struct wfi_own_object *own = wfi_own_object(k, o);
    if (!own) return NULL;
    if (!own->run) own->run = calloc(1, sizeof *own->run);
    if (!own->run) k->err = WF_ERR_NOMEM;
    return own->run;
}

struct wfi_run *wfi_actor_of(struct wf_behaviour_sink *k, struct wf_task *t, unsigned core) {
    return t ? wfi_task_run(k, t) : irq_run(k, core);
}

// The actor of a record that does not name one.
struct wfi_run *wfi_actor_here(struct wf_behaviour_sink *k, unsigned core) {
    const struct wf_core *c = wf_model_core(k->m, core);
    if (c->irqs) return irq_run(k, core);
    if (k->step_count) return wfi_machine_run(k, k->steps[k->step_count - 1]);
    return c->known && c->task ? wfi_task_run(k, c->task) : NULL;
}

// ---- runs of tasks

// The task will act again after it has slept or waited for something that is not recorded.
static void pause_task(struct wf_behaviour_sink *k, struct wf_task *t, enum wfi_verb verb,
                       uint32_t what) {
    struct wfi_run *r = wfi_task_run(k, t);
    if (!r || !r->open) return;
    bool idle = t->by_priority && !r->count; // QP's threads: their machines have the runs
    wfi_own_actor(k, t);
    if (idle)
        wfi_run_drop(k, r);
    else
        wfi_run_end(k, r, verb, what, true);
}

// The task gets, or gives up waiting for, what it had taken or waited for: a new run.
static void resume_task(struct wf_behaviour_sink *k, struct wf_task *t, enum wfi_verb verb,
                        uint32_t what) {
    struct wfi_own_task *own = wfi_own_task(k, t);
    if (!own) return;
    pause_task(k, t, WFI_VERB_AWAITS, what); // it had not begun to wait
    own->waiting = 0;
    wfi_run_begin(k, &own->run, true);
    wfi_run_add(k, &own->run, verb, what, 0);
}

static bool is_lock(struct wf_behaviour_sink *k, struct wf_object *o) {
    if (o->kind == WF_OBJECT_MUTEX) return true;
    const struct wfi_own_object *own = wfi_own_object(k, o);
    return own && own->use == WFI_USE_LOCK;
}

static void leave_core(struct wf_behaviour_sink *k, const struct wf_change *c) {
    static const enum wfi_verb verbs[WF_TASK_STATES] = {[WF_TASK_BLOCKED] = WFI_VERB_BLOCKS,
                                                        [WF_TASK_DELAYED] = WFI_VERB_SLEEPS,
                                                        [WF_TASK_SUSPENDED] = WFI_VERB_SUSPENDS,
                                                        [WF_TASK_ENDED] = WFI_VERB_ENDS};
    struct wf_task *t = c->task;
    struct wfi_own_task *own = wfi_own_task(k, t);
    bool waits = c->is == WF_TASK_BLOCKED && (t->waits || t->waits_mutex);
    if (!own || !verbs[c->is] || waits || own->waiting) return;
    bool called = c->is == WF_TASK_BLOCKED && c->is_called;
    pause_task(k, t, called ? WFI_VERB_BLOCKS_IN : verbs[c->is],
               called ? wfi_collect_text(k, c->is_called, strlen(c->is_called)) : 0);
    if (c->is != WF_TASK_ENDED) wfi_run_begin(k, &own->run, true);
}

void wfi_mention_task(struct wf_behaviour_sink *k, struct wf_task *t) {
    struct wfi_own_task *own = wfi_own_task(k, t);
    if (!own || own->mentioned || t->by_priority) return;
    own->mentioned = true;
    wfi_collect_see(k, WFI_FACT_TASK, wfi_own_actor(k, t), 0, 0);
}

void wfi_collect_state(struct wf_behaviour_sink *k, const struct wf_change *c) {
    struct wfi_run *r = wfi_task_run(k, c->task);
    if (!r) return;
    if (c->is == WF_TASK_RUNNING) wfi_mention_task(k, c->task);
    if (c->cut || c->is == WF_TASK_UNKNOWN)
        wfi_run_drop(k, r);
    else if (c->was == WF_TASK_RUNNING)
        leave_core(k, c);
    else if (c->is == WF_TASK_ENDED)
        wfi_run_drop(k, r);
}

void wfi_collect_wait(struct wf_behaviour_sink *k, const struct wf_change *c) {
    struct wfi_own_task *own = wfi_own_task(k, c->task);
    if (!own) return;
    own->to_give = c->task->waits_to_give;
    if (own->to_give || is_lock(k, c->object) || c->object->kind == WF_OBJECT_HEAP) return;
    uint32_t what = wfi_own_entity(k, c->object);
    pause_task(k, c->task, WFI_VERB_AWAITS, what);
    own->waiting = what;
}

void wfi_collect_wait_end(struct wf_behaviour_sink *k, const struct wf_change *c) {
    struct wfi_own_task *own = wfi_own_task(k, c->task);
    if (!own || c->got || c->cut) return;
    uint32_t what = wfi_own_entity(k, c->object);
    if (own->to_give || is_lock(k, c->object) || c->object->kind == WF_OBJECT_HEAP)
        wfi_run_add(k, &own->run, WFI_VERB_GIVES_UP, what, 0);
    else
        resume_task(k, c->task, WFI_VERB_GIVES_UP, what);
}

// ---- objects

void wfi_mention_object(struct wf_behaviour_sink *k, struct wf_object *o) {
    struct wfi_own_object *own = wfi_own_object(k, o);
    if (!own || own->mentioned) return;
    own->mentioned = true;
    uint32_t kind = wfi_collect_entity(k, WFI_ENTITY_KIND, o->kind, 0);
    wfi_collect_see(k, WFI_FACT_OBJECT, k->lane, kind, wfi_own_entity(k, o));
}

void wfi_collect_take(struct wf_behaviour_sink *k, const struct wf_change *c) {
    struct wfi_own_object *own = wfi_own_object(k, c->object);
    if (!own) return;
    wfi_mention_object(k, c->object);
    own->taker = c->task;
    uint32_t what = wfi_own_entity(k, c->object);
    if (c->task && !is_lock(k, c->object))
        resume_task(k, c->task, WFI_VERB_TAKES, what);
    else
        wfi_run_add(k, wfi_actor_of(k, c->task, c->core), WFI_VERB_TAKES, what, 0);
}

void wfi_collect_give(struct wf_behaviour_sink *k, const struct wf_change *c) {
    struct wfi_own_object *own = wfi_own_object(k, c->object);
    if (!own) return;
    wfi_mention_object(k, c->object);
    if (c->object->kind == WF_OBJECT_SEMAPHORE) {
        bool back = c->task && own->taker == c->task;
        // At the begin and after a hole it is not known who took it.
        if (!c->task || (own->taker && !back)) own->use = WFI_USE_SIGNAL;
        if (back && own->use == WFI_USE_UNKNOWN) own->use = WFI_USE_LOCK;
    }
    wfi_run_add(k, wfi_actor_of(k, c->task, c->core), WFI_VERB_GIVES, wfi_own_entity(k, c->object),
                0);
}

void wfi_collect_hold(struct wf_behaviour_sink *k, const struct wf_change *c) {
    bool begins = c->kind == WF_CHANGE_HOLD;
    wfi_mention_object(k, c->object);
    if (begins ? !c->from_known : c->cut) return;
    wfi_run_add(k, wfi_task_run(k, c->task), begins ? WFI_VERB_TAKES : WFI_VERB_GIVES,
                wfi_own_entity(k, c->object), 0);
}

void wfi_collect_act(struct wf_behaviour_sink *k, const struct wf_change *c, enum wfi_verb verb) {
    wfi_mention_object(k, c->object);
    wfi_run_add(k, wfi_actor_of(k, c->task, c->core), verb, wfi_own_entity(k, c->object), 0);
}
