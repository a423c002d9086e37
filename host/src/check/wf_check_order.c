// SPDX-License-Identifier: MIT
// Rules of events: NEVER, AFTER, ORDER, STATE.

#include "wfi_check_events.h"

#include "util/wfi_grow.h"

#include <stdlib.h>
#include <string.h>

enum { BROKEN_KEPT = 1024 }; // triggers that are overdue and may still be followed

// ---- open and close

static int parse(struct wfi_events *e, unsigned at, const char *text) {
    int err = wfi_event_parse(&e->events[at], text, NULL);
    e->changes |= e->events[at].changes;
    e->records |= e->events[at].verb == WFI_VERB_RECORD || e->events[at].verb == WFI_VERB_ANY;
    e->logs |= e->events[at].verb == WFI_VERB_LOG || e->events[at].verb == WFI_VERB_ANY;
    return err;
}

static void copy_name(char to[WFI_EVENT_NAME], const char *name) {
    strncpy(to, name ? name : "*", WFI_EVENT_NAME - 1);
}

static void set_states(struct wfi_events *e, const struct wf_check_rule *r) {
    copy_name(e->events[0].name[0], r->machine);
    copy_name(e->events[0].name[1], r->from);
    copy_name(e->events[1].name[1], r->to);
    for (unsigned i = 0; i < r->only_count; ++i) copy_name(e->events[2 + i].name[1], r->only[i]);
    e->changes = UINT64_C(1) << WF_CHANGE_STATE;
}

bool wfi_events_open(struct wfi_rule *r) {
    struct wfi_events *e = r->events = calloc(1, sizeof *e);
    if (!e) return false;
    bool states = r->r.kind == WF_CHECK_STATE;
    e->first_failure = UINT64_MAX;
    e->count = states ? 2 + r->r.only_count : r->r.event_count + (r->r.expect != NULL);
    e->events = calloc(e->count, sizeof *e->events);
    if (!e->events) return false;
    if (states) set_states(e, &r->r);
    for (unsigned i = 0; i < r->r.event_count; ++i) parse(e, i, r->r.events[i]);
    if (r->r.expect) parse(e, r->r.event_count, r->r.expect);
    uint64_t mutexes = UINT64_C(1) << WF_CHANGE_HOLD | UINT64_C(1) << WF_CHANGE_HOLD_END;
    if (e->changes & mutexes) e->changes |= UINT64_C(1) << WF_CHANGE_HOLDER;
    return true;
}

void wfi_events_close(struct wfi_rule *r) {
    if (!r->events) return;
    for (unsigned i = 0; r->events->events && i < r->events->count; ++i)
        wfi_event_close(&r->events->events[i]);
    free(r->events->events);
    free(r->events->waiting);
    free(r->events);
}

// ---- failures

// Without the name of one of its events a rule is not decided: it may be misspelled.
static void report(struct wfi_rule *r, const struct wfi_place *p) {
    bool named = r->r.kind == WF_CHECK_AFTER || r->r.kind == WF_CHECK_ORDER;
    for (unsigned i = 0; named && i < r->events->count; ++i) {
        if (!wfi_event_is_named(r->c, &r->events->events[i])) return;
    }
    wfi_failure_report(r, p);
}

static void add_failure(struct wfi_rule *r, struct wfi_place *p) {
    struct wfi_events *e = r->events;
    if (e->sync != r->c->syncs) e->fresh = 0;
    e->sync = r->c->syncs;
    ++e->failures;
    ++e->fresh;
    if (p->to < e->first_failure) e->first_failure = p->to;
    wfi_places_add(&r->broken, p);
    if (r->r.kind != WF_CHECK_AFTER) report(r, p); // these are reported as soon as they are late
}

static struct wfi_place place_here(const struct wfi_rule *r, const struct wf_change *ch,
                                   unsigned core) {
    return (struct wfi_place){.from = r->c->now,
                              .to = r->c->now,
                              .record = r->c->record,
                              .task = ch ? ch->task : NULL,
                              .core = (int)core,
                              .irq = -1};
}

void wfi_events_retract(struct wfi_rule *r, uint64_t since) {
    struct wfi_events *e = r->events;
    uint64_t fresh = e->sync == r->c->syncs ? e->fresh : 0;
    wfi_places_retract(&r->broken, since);
    for (size_t i = e->waiting_first; i < e->waiting_count; ++i)
        e->waiting[i].state = e->waiting[i].state == WFI_BROKEN ? WFI_UNSURE : e->waiting[i].state;
    if (!e->failures) return;
    bool all = e->first_failure > since;
    e->undecided += all ? e->failures : fresh;
    e->failures = all || fresh >= e->failures ? !all : e->failures - fresh;
    if (all) e->first_failure = UINT64_MAX;
    e->fresh = 0;
}

// Whether an event may have come since `from` without being shown.
static bool is_unsure(struct wfi_rule *r, uint64_t from) {
    struct wfi_events *e = r->events;
    if (!r->c->all_holes && !wf_model_open_holes(r->c->m)) return false;
    if (e->unsure && e->unsure_until >= from) return true;
    for (unsigned i = 0; i < e->count; ++i) {
        if (wfi_event_is_unknown(r->c, &e->events[i])) return true;
    }
    return false;
}

// ---- AFTER

static void push_trigger(struct wfi_rule *r, const struct wf_change *ch, unsigned core) {
    struct wfi_events *e = r->events;
    if (e->waiting_first > 64 && e->waiting_first > e->waiting_count / 2) {
        memmove(e->waiting, e->waiting + e->waiting_first,
                (e->waiting_count - e->waiting_first) * sizeof *e->waiting);
        e->waiting_count -= e->waiting_first;
        e->overdue -= e->waiting_first;
        e->waiting_first = 0;
    }
    if (!WFI_GROW(e->waiting, &e->waiting_cap, e->waiting_count + 1)) {
        r->c->err = WF_ERR_NOMEM;
        return;
    }
    ++e->checked;
    e->waiting[e->waiting_count++] =
        (struct wfi_trigger){.tick = r->c->now,
                             .record = r->c->record,
                             .task = ch ? ch->task : NULL,
                             .core = (int)core,
                             .holed = wf_model_open_holes(r->c->m) > 0};
}

static struct wfi_place place_of(const struct wfi_rule *r, const struct wfi_trigger *t) {
    double value = (double)(r->c->now - t->tick);
    return (struct wfi_place){.from = t->tick,
                              .to = r->c->now,
                              .record = t->record,
                              .value = value,
                              .badness = value,
                              .task = t->task,
                              .core = t->core,
                              .irq = -1};
}

// Settles the first trigger: it is followed now, or not at all.
static void settle_trigger(struct wfi_rule *r) {
    struct wfi_events *e = r->events;
    const struct wfi_trigger *t = &e->waiting[e->waiting_first++];
    if (e->overdue < e->waiting_first) e->overdue = e->waiting_first;
    double value = (double)(r->c->now - t->tick);
    if (t->state != WFI_UNSURE && value > e->longest) e->longest = value;
    if (t->state == WFI_UNSURE) ++e->undecided;
    if (t->state != WFI_BROKEN) return;
    struct wfi_place p = place_of(r, t);
    add_failure(r, &p);
}

void wfi_events_time(struct wfi_rule *r) {
    struct wfi_events *e = r->events;
    double max = r->limit[WFI_MAX];
    for (; e->overdue < e->waiting_count; ++e->overdue) {
        struct wfi_trigger *t = &e->waiting[e->overdue];
        if ((double)(r->c->now - t->tick) <= max) break;
        t->state = t->holed || is_unsure(r, t->tick) ? WFI_UNSURE : WFI_BROKEN;
        struct wfi_place p = place_of(r, t);
        if (t->state == WFI_BROKEN) report(r, &p);
    }
    while (e->overdue - e->waiting_first > BROKEN_KEPT) settle_trigger(r);
}

static void follow(struct wfi_rule *r) {
    struct wfi_events *e = r->events;
    while (e->waiting_first < e->waiting_count) settle_trigger(r);
    if (!e->hole || wf_model_open_holes(r->c->m)) return;
    e->undecided += (double)(r->c->now - e->hole_from) > r->limit[WFI_MAX];
    e->hole = false;
}

// ---- ORDER

static void take_order(struct wfi_rule *r, uint64_t is, const struct wf_change *ch, unsigned core) {
    struct wfi_events *e = r->events;
    uint64_t all = e->count == 64 ? UINT64_MAX : (UINT64_C(1) << e->count) - 1;
    uint64_t next = e->last ? (e->last << 1 | e->last >> (e->count - 1)) & all : all;
    uint64_t fits = next & is;
    ++e->checked;
    if (!fits && is_unsure(r, r->c->now)) {
        ++e->undecided;
    } else if (!fits) {
        struct wfi_place p = place_here(r, ch, core);
        p.event = r->r.events[__builtin_ctzll(is)];
        p.state = (uint64_t)__builtin_ctzll(next);
        add_failure(r, &p);
    }
    e->last = wf_model_open_holes(r->c->m) ? 0 : fits ? fits : is;
}

// ---- occurrences

// is: the events that occur, by bits.
static void take_events(struct wfi_rule *r, uint64_t is, const struct wf_change *ch,
                        unsigned core) {
    struct wfi_events *e = r->events;
    bool in = wfi_check_in_window(r->c, r->c->now, r->c->now);
    for (unsigned i = 0; i < e->count; ++i) e->events[i].count += is >> i & 1;
    if (r->r.kind == WF_CHECK_AFTER) {
        if (is & 2) follow(r);
        if (is & 1 && in) push_trigger(r, ch, core);
    } else if (in && r->r.kind == WF_CHECK_ORDER) {
        take_order(r, is, ch, core);
    } else if (in) {
        struct wfi_place p = place_here(r, ch, core);
        ++e->checked;
        add_failure(r, &p);
    }
}

static void take_state(struct wfi_rule *r, const struct wf_change *ch) {
    struct wfi_events *e = r->events;
    struct wf_check *c = r->c;
    if (!wfi_event_fits_object(c, &e->events[0], ch->object) || !ch->text || !ch->value) return;
    if (!wfi_check_in_window(c, c->now, c->now)) return;
    e->odd += ch->cut;
    if (ch->cut) return;
    ++e->checked;
    bool to = wfi_event_fits_state(c, &e->events[1], (uint64_t)ch->value), breaks = to;
    for (unsigned i = 2; i < e->count; ++i)
        breaks &= !wfi_event_fits_state(c, &e->events[i], (uint64_t)ch->value);
    if (!wfi_event_fits_state(c, &e->events[0], ch->text) || !breaks) return;
    struct wfi_place p = place_here(r, ch, ch->core);
    p.object = ch->object;
    p.text = ch->text;
    p.state = (uint64_t)ch->value;
    add_failure(r, &p);
}

// After a hole: the state of a task or mutex of the events is known again.
static void note_known(struct wfi_rule *r, const struct wf_change *ch) {
    struct wfi_events *e = r->events;
    for (unsigned i = 0; i < e->count; ++i) {
        if (!wfi_event_becomes_known(r->c, &e->events[i], ch)) continue;
        e->unsure = true;
        e->unsure_until = ch->tick;
        e->last = 0;
        if (r->r.kind == WF_CHECK_AFTER)
            wfi_events_hole(r, e->last_hole);
        else
            e->odd += wfi_check_in_window(r->c, ch->tick, ch->tick);
    }
}

void wfi_events_change(struct wfi_rule *r, const struct wf_change *ch) {
    struct wfi_events *e = r->events;
    uint64_t is = 0;
    if (r->r.kind == WF_CHECK_STATE) {
        take_state(r, ch);
        return;
    }
    if (r->c->all_holes && (ch->kind == WF_CHANGE_TASK || ch->kind == WF_CHANGE_HOLDER))
        note_known(r, ch);
    for (unsigned i = 0; i < e->count; ++i) {
        if (wfi_event_may_occur(r->c, &e->events[i], ch))
            is |= (uint64_t)wfi_event_in_change(r->c, &e->events[i], ch) << i;
    }
    if (is) take_events(r, is, ch, ch->core);
}

bool wfi_events_want_task(const struct wfi_rule *r, const struct wf_task *task) {
    const struct wfi_events *e = r->events;
    for (unsigned i = 0; i < e->count; ++i) {
        const struct wfi_event *event = &e->events[i];
        bool other = task->index < event->task_cap && event->tasks[task->index] == 1 &&
                     event->task_names == r->c->names;
        if (event->changes >> WF_CHANGE_TASK & 1 && !other) return true;
    }
    return false;
}

bool wfi_events_record(struct wfi_rule *r, const struct wf_record *record, const char *log) {
    struct wfi_events *e = r->events;
    uint64_t is = 0;
    if (!e->records && !(e->logs && log)) return false;
    for (unsigned i = 0; i < e->count; ++i)
        is |= (uint64_t)wfi_event_in_record(r->c, &e->events[i], record, log) << i;
    if (is) take_events(r, is, NULL, record->core);
    return is != 0;
}

// ---- holes

void wfi_events_loss(struct wfi_rule *r) {
    struct wfi_events *e = r->events;
    wfi_events_time(r);
    for (size_t i = e->overdue; i < e->waiting_count; ++i) e->waiting[i].holed = true;
    e->last = 0;
}

void wfi_events_hole(struct wfi_rule *r, uint64_t from) {
    struct wfi_events *e = r->events;
    if (r->c->now < r->c->begin || from > r->c->end) return;
    e->last_hole = from;
    if (!e->hole || from < e->hole_from) e->hole_from = from;
    e->hole = true;
}

void wfi_events_before_end(struct wfi_rule *r) {
    if (r->r.kind == WF_CHECK_STATE) return;
    wfi_events_time(r);
    r->events->odd += is_unsure(r, UINT64_MAX);
}

void wfi_events_end(struct wfi_rule *r) {
    struct wfi_events *e = r->events;
    while (e->waiting_first < e->overdue) settle_trigger(r);
    e->open = e->waiting_count - e->waiting_first;
    bool late = e->hole && (double)(r->c->now - e->hole_from) > r->limit[WFI_MAX];
    e->undecided += r->r.kind == WF_CHECK_AFTER && late;
    for (unsigned i = 0; r->r.kind != WF_CHECK_STATE && i < e->count; ++i) {
        wfi_event_end(r->c, &e->events[i]);
    }
}

// ---- names of states

bool wfi_events_wrong_state(struct wfi_rule *r, struct wfi_check_near *near) {
    struct wfi_events *e = r->events;
    for (unsigned i = 0; i < e->count; ++i) {
        const char *pattern = e->events[i].name[1];
        struct wf_name name;
        bool any = strcmp(pattern, "*") == 0;
        *near = (struct wfi_check_near){.text = pattern};
        for (size_t k = 0; k < e->events[i].keys.count; ++k) { // those that were compared
            const struct wfi_key *key = &e->events[i].keys.list[k];
            char text[40];
            if (!(key->with & 1)) continue;
            any |= wfi_name_fits(pattern, wfi_check_state_name(r->c, key->key, text));
            wfi_check_near_offer(near, wfi_check_state_name(r->c, key->key, text));
        }
        for (size_t at = 0; !any && wf_session_next_name(r->c->s, &at, &name);) {
            if (name.dict != WF_EFFECT_NAME_FUNCTION) continue;
            any = wfi_name_fits(pattern, name.text);
            wfi_check_near_offer(near, name.text);
        }
        if (!any) return true;
    }
    return false;
}

bool wfi_events_states_known(struct wfi_rule *r) {
    struct wfi_check_near near;
    bool any = !r->r.machine;
    for (unsigned i = 0; !any && i < wf_model_objects(r->c->m); ++i)
        any = wfi_name_fits(r->r.machine, wf_object_name(r->c->m, wf_model_object(r->c->m, i)));
    return any && !wfi_events_wrong_state(r, &near);
}
