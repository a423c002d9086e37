// SPDX-License-Identifier: MIT
// The sink that makes runs from the changes of the model.
#ifndef WFI_COLLECT_H
#define WFI_COLLECT_H

#include "util/wfi_sinks.h"
#include "wfi_behaviour.h"

enum { WFI_STEPS = 16, WFI_ROWS = 256, WFI_NAME_TRIES = 64 };

// What the numbers of texts in the sink's own collection stand for, until they have names.
enum wfi_entity {
    WFI_ENTITY_TASK,     // index in the model
    WFI_ENTITY_OBJECT,   // index
    WFI_ENTITY_KIND,     // of an object
    WFI_ENTITY_CONSTANT, // address of a text
    WFI_ENTITY_SIGNAL,   // with its object
    WFI_ENTITY_STATE,    // address of a handler
    WFI_ENTITY_USER,     // number of an application record
    WFI_ENTITY_IRQ,
    WFI_ENTITY_ROW, // of the table of records
    WFI_ENTITY_TEXT // number in own->texts
};

// A run that is being made.
struct wfi_run {
    bool open;
    bool whole;        // its begin is known
    bool ends;         // a machine's step is over, but its change of state is not yet reported
    uint32_t actor;    // 0: not known yet
    uint32_t prev;     // the run before; 0: not known
    uint32_t sequence; // index + 1
    uint64_t number;   // runs before
    uint64_t tick, record;
    uint32_t count, actions[WFI_RUN_ACTIONS];
};

struct wfi_own_task {
    struct wfi_run run;
    bool to_give;     // its wait is for space
    uint32_t waiting; // it waits, and its run has ended: the object's entity
    bool mentioned;
};

// A semaphore that the task which took it gives back is a lock. One that another task or an
// interrupt gives is a signal, for ever.
enum wfi_use { WFI_USE_UNKNOWN, WFI_USE_LOCK, WFI_USE_SIGNAL };

struct wfi_own_object {
    uint32_t entity; // 0: none yet
    unsigned tries;  // to find its name
    bool named, mentioned;
    enum wfi_use use;
    const struct wf_task *taker;
    struct wfi_run *run; // machines
};

struct wf_behaviour_sink {
    struct wfi_sink sink; // the first member
    struct wf_sinks *sinks, *own_sinks;
    struct wf_session *s;
    struct wf_model *m;
    struct wf_behaviour_options o;
    struct wf_behaviour *to, *own;
    int err;
    struct wfi_keys entities;
    struct wfi_per_entity tasks, objects;
    struct wfi_run *irqs[WF_MODEL_CORES]; // by level; null: none yet
    struct wf_object *steps[WFI_STEPS];   // machines in a step, the innermost last
    unsigned step_count;
    struct wf_object *ending; // the machine whose step ends with this item
    uint32_t lane, rows[WFI_ROWS + 256], users[256];
    char *source;
    // Time.
    bool begun, holed;
    uint64_t now, first, record;
    unsigned block_bits, block;
    uint64_t touched, holes;
    uint64_t begin, end, hz, zero; // the window
    bool full;
};

// ---- runs (wf_behaviour_runs.c)
void wfi_collect_time(struct wf_behaviour_sink *k); // the time of this item
void wfi_collect_touch(struct wf_behaviour_sink *k, uint64_t from, uint64_t to);
uint32_t wfi_collect_entity(struct wf_behaviour_sink *k, enum wfi_entity kind, uint64_t key,
                            uint64_t with);
uint32_t wfi_collect_text(struct wf_behaviour_sink *k, const char *text, size_t len);
// Marks that a fact was seen now.
void wfi_collect_see(struct wf_behaviour_sink *k, enum wfi_fact_kind kind, uint32_t actor,
                     uint32_t a, uint32_t b);
void wfi_collect_see_fact(struct wf_behaviour_sink *k, uint32_t fact, uint64_t tick,
                          uint64_t record, uint64_t run);
void wfi_run_begin(struct wf_behaviour_sink *k, struct wfi_run *r, bool whole);
void wfi_run_add(struct wf_behaviour_sink *k, struct wfi_run *r, enum wfi_verb verb, uint32_t a,
                 uint32_t with);
// Ends the run with this action. Its actor must be known. follows: the order of the actor's runs
// matters.
void wfi_run_end(struct wf_behaviour_sink *k, struct wfi_run *r, enum wfi_verb verb, uint32_t a,
                 bool follows);
void wfi_run_drop(struct wf_behaviour_sink *k, struct wfi_run *r);

// ---- entities of tasks and objects (wf_behaviour_names.c)
struct wfi_own_task *wfi_own_task(struct wf_behaviour_sink *k, struct wf_task *t);
struct wfi_own_object *wfi_own_object(struct wf_behaviour_sink *k, struct wf_object *o);
uint32_t wfi_own_entity(struct wf_behaviour_sink *k, struct wf_object *o);
uint32_t wfi_own_actor(struct wf_behaviour_sink *k, struct wf_task *t);
// ---- tasks and objects (wf_behaviour_tasks.c). Null: not known, or out of memory
struct wfi_run *wfi_task_run(struct wf_behaviour_sink *k, struct wf_task *t);
struct wfi_run *wfi_machine_run(struct wf_behaviour_sink *k, struct wf_object *o);
// The run of a task, or with null of the interrupt on top of the core.
struct wfi_run *wfi_actor_of(struct wf_behaviour_sink *k, struct wf_task *t, unsigned core);
// The run that a record belongs to that names no actor.
struct wfi_run *wfi_actor_here(struct wf_behaviour_sink *k, unsigned core);
void wfi_mention_task(struct wf_behaviour_sink *k, struct wf_task *t);
void wfi_mention_object(struct wf_behaviour_sink *k, struct wf_object *o);
void wfi_collect_state(struct wf_behaviour_sink *k, const struct wf_change *c);
void wfi_collect_wait(struct wf_behaviour_sink *k, const struct wf_change *c);
void wfi_collect_wait_end(struct wf_behaviour_sink *k, const struct wf_change *c);
void wfi_collect_take(struct wf_behaviour_sink *k, const struct wf_change *c);
void wfi_collect_give(struct wf_behaviour_sink *k, const struct wf_change *c);
void wfi_collect_hold(struct wf_behaviour_sink *k, const struct wf_change *c);
void wfi_collect_act(struct wf_behaviour_sink *k, const struct wf_change *c, enum wfi_verb verb);

// Adds what was collected to the caller's collection, with names.
void wfi_collect_join(struct wf_behaviour_sink *k);

#endif
