// SPDX-License-Identifier: MIT
// Dispatches items. A loss makes the affected state unknown; a record goes to the handler of its
// effect.
//
// Frames are one stream: a hole lasts from the last time before it to the next recorded one (most
// holes are followed by a SYNC, whose time applies to the records after it). Slots are a stream for
// each core: a hole on one core lasts until its next record, and the core is `blind` meanwhile. It
// may undo what other cores record of tasks and objects. So while a core is blind, the model keeps
// only the running tasks of the other cores.

#include "wfi_model.h"

#include <stdlib.h>
#include <string.h>

const char *const wf_task_state_names[WF_TASK_STATES] = {
    "unknown", "ready", "running", "blocked", "delayed", "suspended", "ended"};
const char *const wf_object_kind_names[WF_OBJECT_KINDS] = {
    "unknown", "mutex",         "semaphore",     "queue",       "event group", "timer",
    "heap",    "state machine", "active object", "event queue", "pool"};

// ---- open and close

static struct wfi_roles *find_roles(void) {
    struct wfi_roles *roles = malloc(wf_row_count * sizeof *roles);
    if (!roles) return NULL;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        memset(&roles[i], -1, sizeof roles[i]);
        for (unsigned f = 0; f < wf_rows[i].count; ++f) {
            unsigned kind = wf_rows[i].fields[f].kind;
            if (roles[i].at[kind] < 0)
                roles[i].at[kind] = (int8_t)f;
            else if (kind == WF_KIND_PRIO)
                roles[i].second_prio = (int8_t)f;
            else if (kind == WF_KIND_STATE)
                roles[i].second_state = (int8_t)f;
        }
    }
    return roles;
}

struct wf_model *wf_model_open(struct wf_session *s) {
    struct wf_model *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->s = s;
    m->roles = find_roles();
    if (m->roles && wfi_entities_open(m)) return m;
    wf_model_close(m);
    return NULL;
}

void wf_model_close(struct wf_model *m) {
    if (!m) return;
    wfi_entities_close(m);
    free(m->roles);
    free(m->queue);
    free(m);
}

int wf_model_error(const struct wf_model *m) { return m->err; }

// ---- losses

void wfi_forget(struct wf_model *m, bool keep) {
    for (unsigned i = m->objects.informed_count; i-- > 0;) {
        wfi_object_forget(m, m->objects.informed[i]);
    }
    for (unsigned i = 0; i < WF_MODEL_CORES && i <= m->last_core; ++i) {
        const struct wf_task *t = m->cores[i].task;
        if (!keep || m->blind[i])
            wfi_core_forget(m, i);
        else if (t && wfi_task(m->cores[i].task)->leave.recorded)
            wfi_core_set_unknown(m, &m->cores[i]); // it may have moved to another core
    }
    for (unsigned i = m->tasks.informed_count; i-- > 0;) {
        struct wf_task *t = m->tasks.informed[i];
        struct wfi_task *own = wfi_task(t);
        bool runs = t->state == WF_TASK_RUNNING; // on a core that is kept
        if (own->spans) wfi_spans_cut(m, own->spans, t, t->core);
        wfi_wait_end(m, t, false, true);
        t->waits_known = t->waits_mutex = false;
        wfi_priority_forget(m, t);
        own->readied = WFI_PERHAPS_READIED;
        own->waits_anew = own->newborn = own->on_since_wait = own->settled = false;
        if (runs) continue;
        wfi_task_set_state(m, t, WF_TASK_UNKNOWN, true);
        wfi_task_uninform(m, t);
    }
}

// Frames have one hole at a time, slots one on each core.
static struct wfi_model_hole *find_hole(struct wf_model *m, unsigned core) {
    return &m->holes[m->s->slots.on && core < WF_MODEL_CORES ? core : 0];
}

static void open_hole(struct wf_model *m, unsigned core) {
    struct wfi_model_hole *h = find_hole(m, core);
    if (!h->open) {
        h->from = m->now;
        ++m->holes_open;
    }
    h->open = true;
    m->from_start = false;
    m->hole_from = m->now;
    ++m->epoch;
}

static void set_blind(struct wf_model *m, unsigned core, bool blind) {
    if (core >= WF_MODEL_CORES || m->blind[core] == blind) return;
    m->blind[core] = blind;
    m->blind_count += blind ? 1u : -1u;
    if (core > m->last_core) m->last_core = core;
}

// A loss; in slot traces on one core, which may stay silent for long.
static void apply_loss(struct wf_model *m, unsigned core) {
    open_hole(m, core);
    if (!m->s->slots.on) {
        wfi_forget(m, false);
        return;
    }
    set_blind(m, core, true);
    wfi_forget(m, true);
}

// A loss on an unknown core. On every core, records after its offset in the trace are later.
static void apply_loss_any_core(struct wf_model *m, const struct wf_loss *l) {
    apply_loss(m, l->core);
    wfi_forget(m, false);
    if (l->core < WF_MODEL_CORES) m->lost_at[l->core] = l->offset;
    if (l->offset > m->blind_until) m->blind_until = l->offset;
}

// A restart of the target: all its tasks and objects have ended.
static void restart_target(struct wf_model *m, unsigned core) {
    open_hole(m, core);
    wfi_forget(m, false);
    wfi_entities_restart(m);
    memset(m->cores, 0, sizeof m->cores);
    memset(m->irqs, 0, sizeof m->irqs);
    memset(m->blind, 0, sizeof m->blind);
    memset(m->lost_at, 0, sizeof m->lost_at);
    memset(m->calls, 0, sizeof m->calls);
    memset(m->records_irqs, 0, sizeof m->records_irqs);
    m->blind_until = 0;
    m->blind_count = m->last_core = m->core_count = 0;
    m->scheduling = false;
}

static bool was_damaged(const struct wf_loss *l) {
    uint64_t damage = l->lost;
    for (unsigned i = 0; i < WF_DAMAGE_END; ++i)
        damage += i == WF_DAMAGE_IDLE || i == WF_DAMAGE_BY_TARGET ? 0 : l->damage[i];
    return damage != 0;
}

static void take_loss(struct wf_model *m, const struct wf_loss *l) {
    switch (l->kind) {
    case WF_LOSS_RESTART: restart_target(m, l->core); break;
    case WF_LOSS_BEGINNING: wfi_forget(m, false); break; // a start, no hole
    case WF_LOSS_REPEATED:                               // the copy was left out
    case WF_LOSS_LATE:
        if (was_damaged(l)) apply_loss(m, l->core);
        m->skip |= l->kind == WF_LOSS_LATE;
        break;
    default:
        if (l->any_core)
            apply_loss_any_core(m, l);
        else
            apply_loss(m, l->core);
    }
}

// Called with the next record that has a time; in slots with the next one of that core.
static void report_hole(struct wf_model *m, unsigned core) {
    struct wfi_model_hole *h = find_hole(m, core);
    if (!h->open) return;
    h->open = false;
    --m->holes_open;
    struct wf_change *c = wfi_change(m, WF_CHANGE_LOSS);
    c->from = h->from;
    c->from_known = true;
    if (m->s->slots.on) c->core = core;
}

// ---- records

// A START, or a target info sent at a reset, not in reply to a command.
static bool is_reset(const struct wf_record *r) {
    return r->row->effect == WF_EFFECT_START || wfi_is_reset(r);
}

// Returns true if a task or object is left from before. (A loss may have reported the same start.)
static bool has_entities(const struct wf_model *m) {
    return m->tasks.first < m->tasks.count || m->objects.first < m->objects.count;
}

static void take_effect(struct wf_model *m) {
    switch (m->record->row->effect) {
    case WF_EFFECT_START:
    case WF_EFFECT_TARGET_INFO:
        if (!is_reset(m->record)) break;
        if (has_entities(m)) restart_target(m, m->record->core);
        m->from_start = true;
        break;
    case WF_EFFECT_INIT_DONE:
    case WF_EFFECT_DISPATCH:
    case WF_EFFECT_TRANSITION:
    case WF_EFFECT_INTERNAL:
    case WF_EFFECT_IGNORE: wfi_take_machine(m); break;
    case WF_EFFECT_POST:
    case WF_EFFECT_POST_LIFO:
    case WF_EFFECT_POST_FAIL:
    case WF_EFFECT_GET:
    case WF_EFFECT_GET_LAST:
    case WF_EFFECT_QUEUE_POST:
    case WF_EFFECT_QUEUE_POST_LIFO:
    case WF_EFFECT_QUEUE_POST_FAIL:
    case WF_EFFECT_QUEUE_GET:
    case WF_EFFECT_QUEUE_GET_LAST:
    case WF_EFFECT_POOL_GET:
    case WF_EFFECT_POOL_PUT:
    case WF_EFFECT_POOL_FAIL: wfi_take_qp_queue(m); break;
    case WF_EFFECT_SYNC: (void)wfi_core(m); break;
    case WF_EFFECT_NAME_OBJECT: wfi_model_apply_name(m, m->record); break;
    case WF_EFFECT_TASK_CREATE:
    case WF_EFFECT_TASK_DELETE:
    case WF_EFFECT_TASK_PRIORITY:
    case WF_EFFECT_TASK_STACK:
    case WF_EFFECT_TASK_SUSPEND:
    case WF_EFFECT_TASK_READY:
    case WF_EFFECT_TASK_SWITCH: wfi_take_task(m); break;
    case WF_EFFECT_IRQ_ENTER:
    case WF_EFFECT_IRQ_EXIT:
    case WF_EFFECT_ISR_ENTER:
    case WF_EFFECT_ISR_EXIT: wfi_take_irq(m); break;
    case WF_EFFECT_SCHED_NEXT:
    case WF_EFFECT_SCHED_IDLE:
    case WF_EFFECT_PREEMPT:
    case WF_EFFECT_RESTORE: wfi_take_prio(m); break;
    case WF_EFFECT_SEM_TAKE:
    case WF_EFFECT_SEM_BLOCK:
    case WF_EFFECT_SEM_SIGNAL:
    case WF_EFFECT_SEM_BLOCK_FAIL:
    case WF_EFFECT_MTX_LOCK:
    case WF_EFFECT_MTX_BLOCK:
    case WF_EFFECT_MTX_UNLOCK:
    case WF_EFFECT_MTX_LOCK_FAIL:
    case WF_EFFECT_MTX_BLOCK_FAIL: wfi_take_qp_object(m); break;
    case WF_EFFECT_OBJECT_CREATE:
    case WF_EFFECT_OBJECT_DELETE:
    case WF_EFFECT_TAKE:
    case WF_EFFECT_WAIT:
    case WF_EFFECT_TIMEOUT:
    case WF_EFFECT_REFUSED:
    case WF_EFFECT_GIVE:
    case WF_EFFECT_GIVE_WAIT:
    case WF_EFFECT_GIVE_REFUSED:
    case WF_EFFECT_FLAGS_CLEAR:
    case WF_EFFECT_ALARM_START:
    case WF_EFFECT_ALARM_STOP:
    case WF_EFFECT_ALARM:
    case WF_EFFECT_ALLOC:
    case WF_EFFECT_ALLOC_FAIL:
    case WF_EFFECT_HEAP_LOW:
    case WF_EFFECT_FREE: wfi_take_object(m); break;
    case WF_EFFECT_SPAN_BEGIN:
    case WF_EFFECT_SPAN_END:
    case WF_EFFECT_COUNTER:
    case WF_EFFECT_LOG: wfi_take_note(m); break;
    default: break;
    }
}

static void take_record(struct wf_model *m, const struct wf_record *r) {
    bool slots = m->s->slots.on, late = m->skip || (slots && r->back);
    m->skip = false;
    if (r->tick > m->now) m->now = r->tick;
    m->record = r;
    m->core = slots || m->core_count != 1 ? r->core : m->last_core;
    if (slots && late) apply_loss(m, r->core);
    if (!late && (slots || r->stamped || m->now > m->holes[0].from)) report_hole(m, r->core);
    if (late || !r->row || r->row == &wf_user_row) return;
    if (r->left || r->missing) { // its fields are not valid
        apply_loss(m, r->core);
        return;
    }
    if (m->blind_count) set_blind(m, r->core, false);
    m->role = &m->roles[r->row - wf_rows];
    take_effect(m);
    if (m->blind_count) wfi_forget(m, true);
}

// ---- events of slot traces that are not records

// This event ends `blind` if the loss lies before it.
static void end_blindness(struct wf_model *m, const struct wf_slot_event *e) {
    if (m->blind_until && e->offset >= m->blind_until) m->blind_until = 0;
    if (m->blind_count && e->offset >= m->lost_at[e->core]) set_blind(m, e->core, false);
}

static void apply_event(struct wf_model *m, const struct wf_slot_event *e) {
    m->core = e->core;
    if (!e->timed || e->tick < m->now) { // events in between are missing
        apply_loss(m, e->core);
        return;
    }
    m->now = e->tick;
    if (e->offset >= m->lost_at[e->core]) report_hole(m, e->core);
    end_blindness(m, e);
    wfi_take_qnx(m, e);
    if (m->blind_until || m->blind_count) wfi_forget(m, !m->blind_until);
}

static void take_event(struct wf_model *m, const struct wf_slot_event *e) {
    if (e->core >= WF_MODEL_CORES) return;
    if (wf_model_acts(m, e)) {
        apply_event(m, e);
        return;
    }
    if (!e->timed || e->tick < m->now) return;
    if (!m->s->slots.own) m->now = e->tick;
    end_blindness(m, e);
    if (e->cls == WF_SLOT_CLASS_KERCALL) wfi_qnx_note_call(m, e);
}

void wf_model_take(struct wf_model *m, const struct wf_item *item) {
    m->queued = m->handed = 0;
    m->record = NULL;
    if (m->err != WF_OK) return;
    switch (item->kind) {
    case WF_ITEM_RECORD: take_record(m, &item->record); break;
    case WF_ITEM_LOSS: take_loss(m, &item->loss); break;
    case WF_ITEM_DAMAGE:
        if (item->damage.kind != WF_DAMAGE_IDLE) apply_loss(m, 0);
        break;
    case WF_ITEM_EVENT: take_event(m, item->event); break;
    case WF_ITEM_SLOT: // of a trace that makes no records
    case WF_ITEM_CHUNK: break;
    }
}

void wf_model_end(struct wf_model *m) {
    m->queued = m->handed = 0;
    m->record = NULL;
    if (m->err != WF_OK) return;
    wfi_forget(m, false);
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) report_hole(m, i);
}

unsigned wf_model_item_core(const struct wf_model *m) { return m->core; }
unsigned wf_model_open_holes(const struct wf_model *m) { return m->holes_open; }
bool wf_model_is_blind(const struct wf_model *m) { return m->blind_count != 0; }
unsigned wf_model_cores(const struct wf_model *m) { return m->last_core + 1; }
unsigned wf_model_losses(const struct wf_model *m) { return m->epoch; }
uint64_t wf_model_hole_begin(const struct wf_model *m) { return m->hole_from; }

uint64_t wf_model_tick(const struct wf_model *m) { return m->now; }

const struct wf_core *wf_model_core(const struct wf_model *m, unsigned core) {
    return &m->cores[core < WF_MODEL_CORES ? core : 0];
}
