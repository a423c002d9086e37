// SPDX-License-Identifier: MIT
// Turns the changes of the model into runs. wf_behaviour_tasks.c has those of tasks. A run of an
// interrupt lasts from its begin to its end, one of a state machine is a step.

#include "wfi_collect.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_options.h"
#include "wallfly_host/wf_program.h"
#include "wallfly_host/wf_time.h"

// ---- interrupts

static void change_irq(struct wf_behaviour_sink *k, const struct wf_change *c) {
    unsigned level = c->level;
    if (!level || level > WF_IRQ_DEPTH || c->core >= WF_MODEL_CORES) return;
    if (!k->irqs[c->core]) k->irqs[c->core] = calloc(WF_IRQ_DEPTH, sizeof **k->irqs);
    if (!k->irqs[c->core]) {
        k->err = WF_ERR_NOMEM;
        return;
    }
    struct wfi_run *r = &k->irqs[c->core][level - 1];
    if (c->kind == WF_CHANGE_IRQ_BEGIN) {
        uint32_t irq = wfi_collect_entity(k, WFI_ENTITY_IRQ, c->irq, 0);
        r->actor = wfi_behaviour_actor(k->own, WFI_ACTOR_IRQ, k->o.lane, irq);
        wfi_run_begin(k, r, true);
    } else if (c->from_known && !c->cut) {
        wfi_run_end(k, r, WFI_VERB_RETURNS, 0, false);
    } else {
        wfi_run_drop(k, r);
    }
}

// ---- state machines

static uint32_t machine_actor(struct wf_behaviour_sink *k, struct wf_object *o) {
    return wfi_behaviour_actor(k->own, WFI_ACTOR_MACHINE, k->o.lane, wfi_own_entity(k, o));
}

static void begin_step(struct wf_behaviour_sink *k, const struct wf_change *c) {
    struct wfi_run *r = wfi_machine_run(k, c->object);
    if (!r) return;
    wfi_mention_object(k, c->object);
    r->actor = machine_actor(k, c->object);
    wfi_run_begin(k, r, true);
    wfi_run_add(k, r, WFI_VERB_GETS_SIGNAL,
                wfi_collect_entity(k, WFI_ENTITY_SIGNAL, c->text, c->object->key), 0);
    if (k->step_count < WFI_STEPS) k->steps[k->step_count++] = c->object;
}

static void end_step(struct wf_behaviour_sink *k, const struct wf_change *c) {
    struct wfi_run *r = wfi_machine_run(k, c->object);
    if (!r) return;
    unsigned n = k->step_count;
    while (n > 0 && k->steps[n - 1] != c->object) --n;
    if (n) k->step_count = n - 1;
    if (c->cut || !c->from_known)
        wfi_run_drop(k, r);
    else
        k->ending = c->object; // its new state is in a change after this one
}

static void change_machine(struct wf_behaviour_sink *k, const struct wf_change *c) {
    uint32_t was = c->text ? wfi_collect_entity(k, WFI_ENTITY_STATE, c->text, 0) : 0;
    uint64_t to = (uint64_t)c->value;
    if (!to) return;
    uint32_t is = wfi_collect_entity(k, WFI_ENTITY_STATE, to, 0),
             actor = machine_actor(k, c->object);
    wfi_mention_object(k, c->object);
    wfi_collect_see(k, WFI_FACT_STATE, actor, is, 0);
    if (was && !c->cut) wfi_collect_see(k, WFI_FACT_TRANSITION, actor, was, is);
    if (k->ending == c->object)
        wfi_run_add(k, wfi_machine_run(k, c->object), WFI_VERB_ENTERS, is, 0);
}

static void finish_step(struct wf_behaviour_sink *k) {
    if (!k->ending) return;
    wfi_run_end(k, wfi_machine_run(k, k->ending), WFI_VERB_RETURNS, 0, true);
    k->ending = NULL;
}

static void post_event(struct wf_behaviour_sink *k, const struct wf_change *c) {
    struct wf_object *sender = c->sender ? wf_model_find_object(k->m, c->sender) : NULL;
    struct wfi_run *r = sender       ? wfi_machine_run(k, sender)
                        : !c->sender ? wfi_actor_here(k, c->core)
                                     : NULL;
    wfi_run_add(k, r, c->got ? WFI_VERB_POSTS : WFI_VERB_POST_FAILS,
                wfi_collect_entity(k, WFI_ENTITY_SIGNAL, c->text, c->object->key),
                wfi_own_entity(k, c->object));
}

// ---- notes

// The text of a message without its arguments; 0: not known.
static uint32_t log_text(struct wf_behaviour_sink *k, const struct wf_record *r) {
    struct wf_element e;
    size_t at = 0;
    if (!r || !wf_session_next_element(k->s, r, &at, &e) || e.cut) return 0;
    if (e.code == WF_ELEMENT_obj) return wfi_collect_entity(k, WFI_ENTITY_CONSTANT, e.value, 0);
    if (e.code != WF_ELEMENT_str) return 0;
    size_t len = e.len;
    const char *text = (const char *)e.bytes;
    while (len && (text[len - 1] == '\n' || text[len - 1] == '\r')) --len;
    return wfi_collect_text(k, text, len < 200 ? len : 200);
}

static void take_note(struct wf_behaviour_sink *k, const struct wf_change *c) {
    bool log = c->kind == WF_CHANGE_LOG, spans = !log && c->kind != WF_CHANGE_COUNTER;
    struct wfi_run *r = spans ? wfi_actor_of(k, c->task, c->core) : wfi_actor_here(k, c->core);
    enum wfi_verb verb = log                             ? WFI_VERB_LOGS
                         : c->kind == WF_CHANGE_SPAN     ? WFI_VERB_BEGINS
                         : c->kind == WF_CHANGE_SPAN_END ? WFI_VERB_ENDS_SPAN
                                                         : WFI_VERB_COUNTS;
    if (c->cut || !r || !r->open) return;
    uint32_t text =
        log ? log_text(k, c->record) : wfi_collect_entity(k, WFI_ENTITY_CONSTANT, c->text, 0);
    wfi_run_add(k, r, verb, text, 0);
}

static void take_change(struct wf_behaviour_sink *k, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK: wfi_collect_state(k, c); break;
    case WF_CHANGE_CREATE:
        wfi_mention_task(k, c->task);
        wfi_collect_see(k, WFI_FACT_CREATED, wfi_own_actor(k, c->task), 0, 0);
        if (wfi_task_run(k, c->task)) wfi_run_begin(k, wfi_task_run(k, c->task), true);
        break;
    case WF_CHANGE_WAIT: wfi_collect_wait(k, c); break;
    case WF_CHANGE_WAIT_END: wfi_collect_wait_end(k, c); break;
    case WF_CHANGE_TAKE: wfi_collect_take(k, c); break;
    case WF_CHANGE_GIVE: wfi_collect_give(k, c); break;
    case WF_CHANGE_HOLD:
    case WF_CHANGE_HOLD_END: wfi_collect_hold(k, c); break;
    case WF_CHANGE_REFUSED:
        wfi_collect_act(k, c,
                        c->object->kind == WF_OBJECT_HEAP ? WFI_VERB_NO_MEMORY : WFI_VERB_REFUSED);
        break;
    case WF_CHANGE_ALARM_SET:
        wfi_collect_act(k, c, c->got ? WFI_VERB_STARTS : WFI_VERB_STOPS);
        break;
    case WF_CHANGE_MEMORY:
        wfi_collect_act(k, c, c->got ? WFI_VERB_ALLOCATES : WFI_VERB_FREES);
        break;
    case WF_CHANGE_OBJECT:
        if (!c->got) break;
        wfi_mention_object(k, c->object);
        wfi_collect_see(k, WFI_FACT_CREATED, k->lane,
                        wfi_collect_entity(k, WFI_ENTITY_KIND, c->object->kind, 0),
                        wfi_own_entity(k, c->object));
        break;
    case WF_CHANGE_IRQ_BEGIN:
    case WF_CHANGE_IRQ_END: change_irq(k, c); break;
    case WF_CHANGE_STEP: begin_step(k, c); break;
    case WF_CHANGE_STEP_END: end_step(k, c); break;
    case WF_CHANGE_STATE: change_machine(k, c); break;
    case WF_CHANGE_POST: post_event(k, c); break;
    case WF_CHANGE_SPAN:
    case WF_CHANGE_SPAN_END:
    case WF_CHANGE_COUNTER:
    case WF_CHANGE_LOG: take_note(k, c); break;
    case WF_CHANGE_LOSS:
        k->holed = false;
        wfi_collect_touch(k, c->from, c->tick);
        break;
    default: break;
    }
}

// ---- records and losses

static uint32_t *row_of(struct wf_behaviour_sink *k, const struct wf_record *r) {
    if (r->id >= WF_USER_FIRST) return &k->users[r->id];
    size_t row = (size_t)(r->row - wf_rows);
    return row < sizeof k->rows / sizeof *k->rows ? &k->rows[row] : NULL;
}

static void see_record(struct wf_behaviour_sink *k, const struct wf_record *r) {
    bool user = r->id >= WF_USER_FIRST;
    uint32_t *fact = row_of(k, r);
    if (!fact || r->left || r->missing || !k->begun || k->now > k->end) return;
    if (!*fact) {
        uint32_t name =
            user ? wfi_collect_entity(k, WFI_ENTITY_USER, r->id, 0)
                 : wfi_collect_entity(k, WFI_ENTITY_ROW, (uint64_t)(r->row - wf_rows), 0);
        *fact = wfi_behaviour_fact(k->own, WFI_FACT_RECORD, k->lane, name, 0, 0, &k->full);
    }
    wfi_collect_see_fact(k, *fact, k->now, k->record, 0);
    if (!user) return;
    wfi_run_add(k, wfi_actor_here(k, wf_model_item_core(k->m)), WFI_VERB_RECORDS,
                wfi_collect_entity(k, WFI_ENTITY_USER, r->id, 0), 0);
}

// Nothing is claimed about runs that a hole may have cut.
static void drop_all(struct wf_behaviour_sink *k) {
    for (unsigned i = 0; i < k->tasks.cap; ++i) {
        struct wfi_own_task *own = k->tasks.at[i];
        if (own) wfi_run_drop(k, &own->run);
        if (own) own->waiting = 0;
    }
    for (unsigned i = 0; i < k->objects.cap; ++i) {
        struct wfi_own_object *own = k->objects.at[i];
        if (own && own->run) wfi_run_drop(k, own->run);
        if (own) own->taker = NULL;
    }
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        for (unsigned n = 0; k->irqs[i] && n < WF_IRQ_DEPTH; ++n) wfi_run_drop(k, &k->irqs[i][n]);
    }
    k->step_count = 0;
    k->ending = NULL;
}

static void note_loss(struct wf_behaviour_sink *k, const struct wf_loss *l) {
    bool copy = l->kind == WF_LOSS_REPEATED, late = l->kind == WF_LOSS_LATE && !l->bytes;
    if (copy || late || l->kind == WF_LOSS_BEGINNING) return;
    drop_all(k);
    if (l->kind == WF_LOSS_RESTART && !l->records && !l->bytes) return; // nothing is missing
    k->holes += k->now >= k->begin && k->now <= k->end;
    k->holed = true;
    wfi_collect_touch(k, k->now, k->now);
}

static void set_window(struct wf_behaviour_sink *k) {
    k->hz = wf_session_target(k->s)->hz;
    k->zero = wf_time_zero(k->s, k->o.target_clock);
    if (k->o.has_from) k->begin = wf_time_tick_at(k->o.from_s, k->hz, k->zero);
    if (k->o.has_until) k->end = wf_time_tick_at(k->o.until_s, k->hz, k->zero);
}

// The rate and the first time may be known only later.
static void update_window(struct wf_behaviour_sink *k) {
    bool same =
        wf_session_target(k->s)->hz == k->hz && wf_time_zero(k->s, k->o.target_clock) == k->zero;
    if (!same) set_window(k);
}

static void before_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_behaviour_sink *k = (struct wf_behaviour_sink *)sink;
    if (k->err != WF_OK) return;
    if (k->o.has_from || k->o.has_until) update_window(k);
    k->record +=
        item->kind == WF_ITEM_RECORD || item->kind == WF_ITEM_LOSS || item->kind == WF_ITEM_EVENT;
    if (item->kind == WF_ITEM_LOSS) note_loss(k, &item->loss);
}

static void take_changes(struct wf_behaviour_sink *k) {
    size_t count;
    const struct wf_change *changes = wf_model_changes(k->m, &count);
    for (size_t i = 0; i < count; ++i) take_change(k, &changes[i]);
    finish_step(k);
}

static void note_errors(struct wf_behaviour_sink *k) {
    if (k->own->err != WF_OK) k->err = k->own->err;
    if (wf_model_error(k->m) != WF_OK) k->err = wf_model_error(k->m);
}

static void take_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_behaviour_sink *k = (struct wf_behaviour_sink *)sink;
    if (k->err != WF_OK) return;
    const struct wf_record *r = item->kind == WF_ITEM_RECORD ? &item->record : NULL;
    bool timed = r && !r->back && (r->stamped || wf_session_has_slots(k->s));
    if (k->begun || timed || item->kind == WF_ITEM_EVENT) wfi_collect_time(k);
    take_changes(k);
    if (r && r->row) see_record(k, r);
    note_errors(k);
}

// A task that waits when the trace ends may wait for ever.
static void before_end(struct wfi_sink *sink) {
    struct wf_behaviour_sink *k = (struct wf_behaviour_sink *)sink;
    for (unsigned i = 0; i < wf_model_tasks(k->m) && k->err == WF_OK; ++i) {
        struct wf_task *t = wf_model_task(k->m, i);
        if (!t->waits_known || !t->waits || k->holed || k->now > k->end) continue;
        uint32_t fact = wfi_behaviour_fact(k->own, WFI_FACT_STUCK, wfi_own_actor(k, t),
                                           wfi_own_entity(k, t->waits), 0, 0, &k->full);
        wfi_collect_see_fact(k, fact, t->waits_since, k->record, 0);
    }
}

static void take_end(struct wfi_sink *sink) {
    struct wf_behaviour_sink *k = (struct wf_behaviour_sink *)sink;
    if (k->err != WF_OK) return;
    if (k->holed) wfi_collect_touch(k, k->now, k->now);
    note_errors(k);
    if (k->err == WF_OK) wfi_collect_join(k);
}

void wf_behaviour_sink_take(struct wf_behaviour_sink *k, const struct wf_item *item) {
    wf_sinks_item(k->sinks, item);
}

void wf_behaviour_sink_end(struct wf_behaviour_sink *k) { wf_sinks_end(k->sinks); }

int wf_behaviour_sink_error(const struct wf_behaviour_sink *k) { return k->err; }

// ---- open and close

static bool open_own(struct wf_behaviour_sink *k) {
    const char *source = k->o.source ? k->o.source : "";
    size_t len = strlen(source) + 1;
    k->own = wf_behaviour_open(NULL);
    k->source = malloc(len);
    if (!k->own || !k->source) return false;
    memcpy(k->source, source, len);
    k->end = UINT64_MAX;
    set_window(k);
    k->lane = wfi_behaviour_actor(k->own, WFI_ACTOR_LANE, k->o.lane, 0);
    k->sink = (struct wfi_sink){
        .before = before_item, .before_end = before_end, .item = take_item, .end = take_end};
    k->sinks = wfi_sink_join(&k->sink, k->s, k->o.sinks, &k->own_sinks);
    if (k->sinks) k->m = wfi_sinks_model(k->sinks);
    return k->lane && k->m;
}

struct wf_behaviour_sink *wf_behaviour_sink_open(struct wf_behaviour *b, struct wf_session *s,
                                                 const struct wf_behaviour_options *options,
                                                 struct wf_error *error) {
    struct wf_behaviour_sink *k = calloc(1, sizeof *k);
    int err = k ? wfi_options_copy(&k->o, sizeof k->o, options) : WF_ERR_NOMEM;
    if (k) {
        k->to = b;
        k->s = s;
    }
    if (err == WF_OK && !open_own(k)) err = WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err == WF_OK) return k;
    wf_behaviour_sink_close(k);
    return NULL;
}

void wf_behaviour_sink_close(struct wf_behaviour_sink *k) {
    if (!k) return;
    for (unsigned i = 0; i < k->objects.cap; ++i) {
        struct wfi_own_object *own = k->objects.at[i];
        if (own) free(own->run);
    }
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) free(k->irqs[i]);
    wfi_per_close(&k->tasks);
    wfi_per_close(&k->objects);
    wfi_keys_close(&k->entities);
    if (k->sinks) wfi_sink_leave(&k->sink, k->sinks, k->own_sinks);
    wf_behaviour_close(k->own);
    free(k->source);
    free(k);
}
