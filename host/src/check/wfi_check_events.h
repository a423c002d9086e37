// SPDX-License-Identifier: MIT
// Events of rules: a phrase, and whether it occurs in a change of the model or in a record.
#ifndef WFI_CHECK_EVENTS_H
#define WFI_CHECK_EVENTS_H

#include "wfi_check.h"

enum { WFI_EVENT_NAME = 128 };

enum wfi_verb {
    WFI_VERB_ANY, // a name alone
    WFI_VERB_RUNS,
    WFI_VERB_STOPS,
    WFI_VERB_READY,
    WFI_VERB_BLOCKS,
    WFI_VERB_DELAYS,
    WFI_VERB_CREATED,
    WFI_VERB_ENDS,
    WFI_VERB_BEGINS,
    WFI_VERB_TAKES,
    WFI_VERB_GIVES,
    WFI_VERB_WAITS,
    WFI_VERB_ENTERS,
    WFI_VERB_RECORD,
    WFI_VERB_LOG
};

struct wfi_event {
    enum wfi_verb verb;
    char name[2][WFI_EVENT_NAME]; // the second: the object or state
    uint64_t changes;             // kinds of changes it occurs in, 1 << enum wf_change_kind
    struct wfi_keys keys;         // of names, by class
    struct wfi_event_name {
        unsigned names; // revision of the names
        bool fits, missed;
    } * cache; // missed: the event occurred under a name that did not fit
    size_t cap;
    unsigned states; // TASK changes: to one of these, 1 << enum wf_task_state
    uint8_t *tasks;  // by index: 0: not compared, 1: does not fit, 2: fits, by names of task_names
    size_t task_cap;
    unsigned task_names;
    bool known;       // something in the trace has the name
    uint64_t visited; // revision of the names, and tasks and objects, when all were compared
    bool unnamed;     // the event may have occurred under a name whose record is lost
    bool late;        // a name that fits came after the event
    uint64_t count;
};

// Returns WF_OK, or WF_ERR_USAGE with the reason.
int wfi_event_parse(struct wfi_event *e, const char *text, struct wf_error *error);
void wfi_event_close(struct wfi_event *e);
// Returns whether the event is one of such changes.
static inline bool wfi_event_may_occur(const struct wf_check *c, const struct wfi_event *e,
                                       const struct wf_change *change) {
    if (!(e->changes >> change->kind & 1)) return false;
    if (change->kind != WF_CHANGE_TASK) return true;
    unsigned task = change->task->index;
    bool other = task < e->task_cap && e->tasks[task] == 1 && e->task_names == c->names;
    return !other && (e->states >> change->is & 1);
}
// Returns whether the event occurs in a change, which has come with the last item.
bool wfi_event_in_change(struct wf_check *c, struct wfi_event *e, const struct wf_change *change);
// log: the text of a log record; else null.
bool wfi_event_in_record(struct wf_check *c, struct wfi_event *e, const struct wf_record *r,
                         const char *log);
bool wfi_event_fits_object(struct wf_check *c, struct wfi_event *e, const struct wf_object *o);
bool wfi_event_fits_state(struct wf_check *c, struct wfi_event *e, uint64_t state); // second name
// After a hole, events of a task or mutex do not show until its state is known again.
// becomes_known: the change makes it known. is_unknown: it is not known for one that fits.
bool wfi_event_becomes_known(struct wf_check *c, struct wfi_event *e, const struct wf_change *ch);
bool wfi_event_is_unknown(struct wf_check *c, struct wfi_event *e);
// Returns whether something in the trace has its name, by the names so far, even if it never
// occurred.
bool wfi_event_is_named(struct wf_check *c, struct wfi_event *e);
// At the end: looks for late names, and for anything with the name.
void wfi_event_end(struct wf_check *c, struct wfi_event *e);
void wfi_event_near(struct wf_check *c, const struct wfi_event *e, struct wfi_check_near *near);

// ---- rules of events (wf_check_order.c)

enum wfi_trigger_state { WFI_WAITING, WFI_BROKEN, WFI_UNSURE };

struct wfi_trigger {
    uint64_t tick, record;
    const struct wf_task *task;
    int core;
    bool holed; // a hole began while it waited
    enum wfi_trigger_state state;
};

struct wfi_events {
    struct wfi_event
        *events; // AFTER: the second is `expect`. STATE: machine and `from`, `to`, `only`
    unsigned count;
    uint64_t changes; // of all
    bool records, logs;
    // After a hole: the tick up to which events may not show.
    bool unsure;
    uint64_t unsure_until;
    // AFTER: those that are not followed yet, the earliest first, from waiting_first on; those
    // before `overdue` have waited for too long.
    struct wfi_trigger *waiting;
    size_t waiting_first, waiting_count, waiting_cap, overdue;
    bool hole; // a hole that began at hole_from is not followed yet
    uint64_t hole_from, last_hole;
    uint64_t last; // ORDER: the events that may have been the last one, by bits; 0: any
    uint64_t checked, open, undecided, odd;
    uint64_t failures, fresh, first_failure; // as in wfi_sum
    unsigned sync;
    double longest; // AFTER: ticks
};

bool wfi_events_open(struct wfi_rule *r);
void wfi_events_close(struct wfi_rule *r);
void wfi_events_change(struct wfi_rule *r, const struct wf_change *change);
// Returns whether an event of the task may occur, by the present names.
bool wfi_events_want_task(const struct wfi_rule *r, const struct wf_task *task);
// Returns whether an event occurs.
bool wfi_events_record(struct wfi_rule *r, const struct wf_record *record, const char *log);
void wfi_events_loss(struct wfi_rule *r);                // a hole begins now
void wfi_events_hole(struct wfi_rule *r, uint64_t from); // a hole that began there has ended
void wfi_events_retract(struct wfi_rule *r, uint64_t since);
void wfi_events_time(struct wfi_rule *r); // time has come to `now`
// STATE: whether there are machines and states of the names. Offers the names if one is missing,
// and sets `near->text` to it.
bool wfi_events_states_known(struct wfi_rule *r);
bool wfi_events_wrong_state(struct wfi_rule *r, struct wfi_check_near *near);
void wfi_events_before_end(struct wfi_rule *r); // while the model knows the last state
void wfi_events_end(struct wfi_rule *r);

#endif
