// SPDX-License-Identifier: MIT
// Internals of the model. wf_model.c takes items, wf_model_changes.c queues changes,
// wf_model_entities.c keeps tasks and objects by key, the other files apply records and events.
#ifndef WFI_MODEL_H
#define WFI_MODEL_H

#include "wallfly_host/wf_model.h"

#include "core/wfi_session.h"

enum {
    WFI_SPANS = WF_SPANS_OPEN,
    WFI_ENTITIES = 128
}; // nested spans that are kept; entities per piece

// The events in a queue, a ring; the next one to be taken is first.
struct wfi_flows {
    bool sure; // complete and in this order
    unsigned first, count, cap;
    uint64_t *ids;
};

struct wfi_spans {
    unsigned count;
    struct wf_open_span at[WFI_SPANS];
};

// Whether a running task was made ready. If so, it is READY when it leaves its core, even after its
// wait has begun.
enum wfi_readied { WFI_NOT_READIED, WFI_PERHAPS_READIED, WFI_READIED };

// The state of a thread of QNX once it leaves its core.
struct wfi_leave {
    bool recorded;
    bool mutex; // it waits for a mutex, or did before it became ready
    uint8_t reason;
    enum wf_task_state state;
    const char *called;
};

struct wfi_task {
    struct wf_task pub; // the first member
    char *name;         // from a record of its lifetime; null: none
    char key_text[32];
    unsigned epoch;     // of its last record
    unsigned informed;  // index + 1 in the list of tasks with known state; 0: not listed
    bool doomed;        // deleted, still on a core
    bool suspending;    // suspended, still on a core
    bool newborn;       // created, has not run since
    bool waits_anew;    // its last action was to begin this wait
    bool on_since_wait; // it began to wait and has not left the core since
    bool settled;       // on_since_wait, and that wait has ended: another task may have handed it
                        // the object
    bool machine;       // QP: it runs a known active object
    enum wfi_readied readied;
    struct wfi_task *prev_waiting;
    struct wfi_spans *spans;
    uint64_t wake;               // flow of the last wake
    struct wfi_task *before;     // the previous task with this key, null: none
    struct wfi_process *process; // QNX; null for other tasks
    unsigned naming;             // value of process->naming when the thread's name was made
    bool named;                  // the trace names the thread itself
    bool fresh;                  // CREATE was its last event
    struct wfi_leave leave;
    // The last change of priority. If a waiter caused it, its wait may be recorded afterwards.
    bool before_known, changed;
    int prio_before;
    struct wf_task *changed_on; // the task that ran on that core
};

struct wfi_process {
    char *name;      // null: not recorded
    unsigned naming; // counts its names
    bool ended;
};

struct wfi_object {
    struct wf_object pub; // the first member
    char *name;
    char key_text[24];
    unsigned epoch, informed;
    struct wfi_object *before; // the previous object with this key, null: none
    struct wfi_object *prev_held;
    struct wfi_task *last_waiter;
    struct wfi_flows *flows;   // null: no event was put or taken
    struct wfi_blocks *blocks; // of a heap; null: none was allocated or freed
    uint64_t coming;           // flow of the event that the next step handles
    struct wf_task *thread;    // QP: the thread that runs it; null: not known
};

// Why a task left, as in task_switch.
enum wfi_left {
#define WF_X(value, name, sentence) WFI_LEFT_##name = (value),
    WF_REASONS(WF_X)
#undef WF_X
};

// Tasks or objects: in pieces that do not move, indexed by key.
struct wfi_entities {
    size_t size; // of one
    char **pieces;
    size_t pieces_cap, informed_cap;
    unsigned count, cap;
    unsigned first; // index of the first one since the last start; earlier ones have ended
    struct wfi_slot {
        uint64_t key;
        void *entity; // null: free
    } * slots;
    size_t slot_mask, used;
    void **informed;
    unsigned informed_count;
};

// State for comparing a core's interrupt records with the model's stack.
struct wfi_irqs {
    uint8_t drift;               // excess of the recorded depths, modulo 256
    uint16_t last;               // the interrupt that ended last
    bool any_last;               // `last` is valid and no interrupt has begun since
    bool switched[WF_IRQ_DEPTH]; // the core switched to another task since each one began
    bool left[WF_IRQ_DEPTH];     // ... because the task before waited, slept or ended
};

// The index of a row's first field of each kind, or -1.
struct wfi_roles {
    int8_t at[WF_KIND_END], second_prio, second_state;
};

struct wf_model {
    struct wf_session *s;
    int err;
    struct wfi_roles *roles; // by row
    struct wfi_entities tasks, objects, processes;
    struct wfi_task *by_prio[256], *prio_before[256]; // since the last start; last of each priority
    unsigned prio_end;                                // highest known priority + 1
    struct wf_core cores[WF_MODEL_CORES];
    struct wfi_irqs irqs[WF_MODEL_CORES];
    struct wfi_spans irq_spans[WF_MODEL_CORES];
    bool blind[WF_MODEL_CORES]; // slot traces: something was lost and no record has come since
    unsigned blind_count, core_count;
    uint64_t lost_at[WF_MODEL_CORES]; // records before this offset do not end `blind`
    uint64_t blind_until;             // all cores are blind up to this offset; 0: they are not
    // QNX, for each core.
    bool calls[WF_MODEL_CORES];        // in a kernel call
    bool records_irqs[WF_MODEL_CORES]; // interrupts were recorded
    bool reported[WF_MODEL_CORES];     // its thread is known only from the report at the start
    unsigned last_core;                // highest one used
    bool scheduling;                   // the trace has records of ready and switch
    bool from_start;                   // nothing was lost since the target started
    uint64_t flow_count;
    bool skip; // the next record is late
    struct wfi_model_hole {
        bool open; // to be reported with the next record
        uint64_t from;
    } holes[WF_MODEL_CORES]; // slots: by core; frames: only the first
    unsigned holes_open;
    unsigned epoch;     // counts losses
    uint64_t hole_from; // begin of the last one
    uint64_t now;

    const struct wf_record *record; // being applied
    const struct wfi_roles *role;
    unsigned core;
    struct wf_change *queue, spare;
    size_t queued, queue_cap, handed;
};

static inline struct wfi_task *wfi_task(struct wf_task *t) { return (struct wfi_task *)(void *)t; }
static inline struct wfi_object *wfi_object(struct wf_object *o) {
    return (struct wfi_object *)(void *)o;
}
static inline bool wfi_has(const struct wf_model *m, enum wf_kind kind) {
    return m->role->at[kind] >= 0;
}
static inline uint64_t wfi_value(const struct wf_model *m, enum wf_kind kind) {
    int at = m->role->at[kind];
    return at < 0 ? 0 : m->record->value[at];
}

// Queues a change, which the caller completes; never null.
struct wf_change *wfi_change(struct wf_model *m, enum wf_change_kind kind);
// Reports that the record contradicts the known state of a task or object; each may be null.
void wfi_inconsistent(struct wf_model *m, struct wf_task *t, struct wf_object *o, const char *why);

// ---- entities: null when out of memory, or for key 0
bool wfi_entities_open(struct wf_model *m);
void wfi_entities_close(struct wf_model *m);
struct wf_task *wfi_task_of(struct wf_model *m, uint64_t key);
struct wf_task *wfi_task_of_prio(struct wf_model *m, uint64_t prio);
// Creates the next task with this key; the previous one must have ended.
struct wf_task *wfi_task_new(struct wf_model *m, uint64_t key, bool created);
struct wf_task *wfi_task_known(const struct wf_model *m, uint64_t key); // null: not mentioned
// ended_too: may return a deleted object; else an object of another kind or a deleted one is
// replaced by a new one.
struct wf_object *wfi_object_of(struct wf_model *m, uint64_t key, bool ended_too);
struct wf_object *wfi_object_new(struct wf_model *m, uint64_t key, bool created);
struct wf_object *wfi_object_known(const struct wf_model *m, uint64_t key);
enum wf_model_kind wfi_object_kind(const struct wf_row *row);
// Replaces a name by a copy of `text`.
void wfi_set_name(struct wf_model *m, char **name, const char *text);
void wfi_task_keep_name(struct wf_model *m, struct wf_task *t);
void wfi_object_keep_name(struct wf_model *m, struct wf_object *o);
void wfi_model_apply_name(struct wf_model *m, const struct wf_record *r);
// Adds to or removes from the list of entities with state that a hole makes unknown.
void wfi_task_inform(struct wf_model *m, struct wf_task *t);
void wfi_task_uninform(struct wf_model *m, struct wf_task *t);
void wfi_object_inform(struct wf_model *m, struct wf_object *o);
void wfi_object_uninform(struct wf_model *m, struct wf_object *o);
void wfi_entities_restart(struct wf_model *m);
// Returns the last process with this number, or with `begins` a new one if that has ended. Null
// when out of memory.
struct wfi_process *wfi_process_of(struct wf_model *m, uint32_t pid, bool begins);

// ---- tasks and cores
// Set the state from now on; called: the trace's name of it. cut: a hole may have changed it
// earlier.
void wfi_task_set_state(struct wf_model *m, struct wf_task *t, enum wf_task_state state, bool cut);
void wfi_task_set_named_state(struct wf_model *m, struct wf_task *t, enum wf_task_state state,
                              const char *called, bool cut);
void wfi_task_end(struct wf_model *m, struct wf_task *t, bool cut);
void wfi_task_leave_core(struct wf_model *m, struct wf_task *t, unsigned reason);
// t made the record: on a single core it is the running task.
void wfi_task_infer_running(struct wf_model *m, struct wf_task *t);
// The task that made the record; null: an interrupt.
struct wf_task *wfi_actor(struct wf_model *m);
struct wf_core *wfi_core(struct wf_model *m);
struct wf_core *wfi_core_at(struct wf_model *m, unsigned core); // marks the core as used
// Sets the task of a core, which must have none. since: it begins to run now; else it may have run
// before.
void wfi_core_set_task(struct wf_model *m, struct wf_core *c, struct wf_task *t, bool since);
// The record's core switches to `to` (null: idle); the task before leaves for `reason`.
void wfi_switch(struct wf_model *m, struct wf_task *to, unsigned reason);
void wfi_core_set_unknown(struct wf_model *m,
                          struct wf_core *c); // the running task becomes unknown
void wfi_core_forget(struct wf_model *m, unsigned core);
void wfi_take_task(struct wf_model *m);
void wfi_take_irq(struct wf_model *m);
// The core switches to another task. itself: the previous task waits, sleeps or has ended. In an
// interrupt such a switch can occur only once, if that interrupt performs the switches.
void wfi_irq_switch(struct wf_model *m, struct wf_core *c, bool itself);
// For traces that record interrupt numbers without a depth.
void wfi_irq_begin(struct wf_model *m, struct wf_core *c, uint16_t irq);
void wfi_irq_end(struct wf_model *m, struct wf_core *c, uint16_t irq);

// ---- priorities and their inheritance
void wfi_priority_set(struct wf_model *m, struct wf_task *t, bool known, int prio);
void wfi_priority_wait(struct wf_model *m, struct wf_task *waiter); // after it began to wait
void wfi_priority_forget(struct wf_model *m, struct wf_task *t);    // a hole may have changed it

// ---- objects
void wfi_wait_end(struct wf_model *m, struct wf_task *t, bool got, bool cut);
void wfi_object_forget(struct wf_model *m, struct wf_object *o);
void wfi_object_end(struct wf_model *m, struct wf_object *o, bool cut);
void wfi_take_object(struct wf_model *m);
// Applies an action of a task. n: depth, count or bits afterwards; t null: an interrupt.
void wfi_object_take(struct wf_model *m, struct wf_object *o, struct wf_task *t, uint64_t n);
void wfi_object_give(struct wf_model *m, struct wf_object *o, struct wf_task *t, uint64_t n);
void wfi_object_wait(struct wf_model *m, struct wf_object *o, struct wf_task *t, bool to_give);
void wfi_object_refuse(struct wf_model *m, struct wf_object *o, struct wf_task *t);
// Sets the number of used (COUNT) or free (FREE) entries.
void wfi_object_count(struct wf_model *m, struct wf_object *o, enum wf_change_kind kind,
                      uint64_t count);
// A record of another task names the holder.
void wfi_object_set_holder(struct wf_model *m, struct wf_object *o, struct wf_task *t,
                           unsigned nest);
// t made the record: it waits for nothing, and runs.
void wfi_task_infer_active(struct wf_model *m, struct wf_task *t);

// ---- QP's kernels
void wfi_take_prio(struct wf_model *m);
void wfi_take_qp_object(struct wf_model *m);
// An active object handles an event; an event is posted to it.
void wfi_qp_handle_event(struct wf_model *m, struct wf_object *o);
void wfi_qp_post_event(struct wf_model *m, const struct wf_object *o);

// ---- QP's machines, queues, pools
void wfi_take_machine(struct wf_model *m);
void wfi_take_qp_queue(struct wf_model *m);
void wfi_machine_forget(struct wf_model *m, struct wf_object *o, bool cut);

// ---- flows
uint64_t wfi_flow_new(struct wf_model *m); // a new one
// The flow of an event that is put or taken; 0: not certain.
uint64_t wfi_flow_in(struct wf_model *m, struct wf_object *o, bool in_front);
uint64_t wfi_flow_out(struct wf_model *m, struct wf_object *o);
// Reports the queue's own count. Returns whether the known flows agree with it.
bool wfi_flows_check(struct wf_model *m, struct wf_object *o, uint64_t count);
void wfi_flows_set_empty(struct wf_model *m, struct wf_object *o);
void wfi_flows_invalidate(struct wf_object *o);
void wfi_flows_close(struct wf_object *o);

// ---- heaps
void wfi_heap_create(struct wf_model *m, struct wf_object *o);
// A block of `size` bytes is allocated (`got`) or freed; then size may be 0.
void wfi_heap_block(struct wf_model *m, struct wf_object *o, uint64_t address, uint64_t size,
                    bool got);
void wfi_heap_forget(struct wf_model *m, struct wf_object *o); // its use is not known any more
void wfi_heap_close(struct wf_object *o);

// ---- notes
void wfi_take_note(struct wf_model *m);
void wfi_spans_cut(struct wf_model *m, struct wfi_spans *spans, struct wf_task *t, unsigned core);

// ---- QNX's events: those that wf_model_acts accepts, and those of class KERCALL
// Makes a thread's name from its process' name, as long as the thread lives. Done on demand: a
// process may have any number of threads, and change its name at any time.
void wfi_qnx_name_thread(struct wf_model *m, struct wfi_task *t);
void wfi_take_qnx(struct wf_model *m, const struct wf_slot_event *e);
void wfi_qnx_note_call(struct wf_model *m, const struct wf_slot_event *e);

// ---- holes
// Invalidates all state that a lost record may have changed. keep: except the running tasks of
// cores without loss.
void wfi_forget(struct wf_model *m, bool keep);

#endif
