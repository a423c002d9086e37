// SPDX-License-Identifier: MIT
// Inside of the model: wf_model.c takes items and hands changes out, wf_model_things.c keeps tasks
// and objects by key, the others know what records mean.
#ifndef WFI_MODEL_H
#define WFI_MODEL_H

#include "wallfly_host/wf_model.h"

#include "wfi_session.h"

enum { WFI_SPANS = 16, WFI_THINGS = 128 }; // spans in each other that are kept; things in a piece

// Events in a queue, the next one to come out first: a ring.
struct wfi_flows {
    bool sure; // these are all there are, in this order
    unsigned first, count, cap;
    uint64_t *ids;
};

struct wfi_spans {
    unsigned count;
    struct {
        uint64_t text, since;
    } at[WFI_SPANS];
};

// What may have been readied while it still runs: then it leaves as ready, whatever it waits for.
enum wfi_readied { WFI_NOT_READIED, WFI_PERHAPS_READIED, WFI_READIED };

// What a thread of QNX becomes when it leaves its core.
struct wfi_leave {
    bool told;
    bool mutex; // it waits for one, or did before it got ready
    uint8_t reason;
    enum wf_task_state state;
    const char *called;
};

struct wfi_task {
    struct wf_task pub; // the first member
    char *name;         // told while it lived; null: none
    char key_text[32];
    unsigned epoch;     // of the last mention
    unsigned informed;  // place among those of which something is known, plus 1; 0: none is
    bool doomed;        // deleted, still on a core
    bool suspending;    // the same
    bool newborn;       // created, and has not run since
    bool waits_anew;    // its wait was the last thing it did
    bool on_since_wait; // began to wait, and has not left the core yet
    bool settled;       // and what it waited for is over: it may have been handed over
    bool machine;       // of QP: it runs an active object that is known
    enum wfi_readied readied;
    struct wfi_task *prev_waiting;
    struct wfi_spans *spans;
    uint64_t wake;           // flow of what made it ready last
    struct wfi_task *before; // the life before of its key, null: none
    // Of QNX: its process, null for other tasks; which of the process' names its own is made of;
    // its name is its own, not made of that; its CREATE was the last that was told of it.
    struct wfi_process *process;
    unsigned naming;
    bool named, fresh;
    struct wfi_leave leave;
    // The change of priority before, for a waiter that begins to wait behind it.
    bool before_known, changed;
    int prio_before;
    struct wf_task *changed_on; // the task that ran there
};

struct wfi_process {
    char *name;      // null: not told
    unsigned naming; // counts its names
    bool ended;
};

struct wfi_object {
    struct wf_object pub; // the first member
    char *name;
    char key_text[24];
    unsigned epoch, informed;
    struct wfi_object *before; // the life before of its key, null: none
    struct wfi_object *prev_held;
    struct wfi_task *last_waiter;
    struct wfi_flows *flows; // null: nothing has gone in or out
    uint64_t coming;         // flow of the event that the next step handles
    struct wf_task *thread;  // of QP: that it runs in; null: not known
};

// Why a task left, as task_switch tells it.
enum wfi_left {
#define WF_X(value, name, sentence) WFI_LEFT_##name = (value),
    WF_REASONS(WF_X)
#undef WF_X
};

// Tasks or objects: in pieces that stay where they are, and by key.
struct wfi_things {
    size_t size; // of one
    char **pieces;
    unsigned pieces_cap, count, cap,
        first; // first: those in front of it are of an earlier start, and ended
    struct wfi_slot {
        uint64_t key;
        void *thing; // null: free
    } * slots;
    size_t slot_mask, used;
    void **informed;
    unsigned informed_count, informed_cap;
};

// How a core's records of interrupts compare with the model's stack of them.
struct wfi_irqs {
    uint8_t drift;               // of the depths that are told: what they are too high, modulo 256
    uint16_t last;               // the interrupt that ended last
    bool any_last;               // there was one, and nothing has begun since
    bool switched[WF_IRQ_DEPTH]; // since each began the core went to another task
    bool left[WF_IRQ_DEPTH];     // ... as the one before left by itself
};

// Where a row has its fields: by kind the first one's place, or -1.
struct wfi_roles {
    int8_t at[WF_KIND_END], second_prio, second_state;
};

struct wf_model {
    struct wf_session *s;
    int err;
    struct wfi_roles *roles; // by row
    struct wfi_things tasks, objects, processes;
    struct wfi_task *by_prio[256], *prio_before[256]; // since the last start; of all
    unsigned prio_end;                                // behind the highest that is known
    struct wf_core cores[WF_MODEL_CORES];
    struct wfi_irqs irqs[WF_MODEL_CORES];
    struct wfi_spans irq_spans[WF_MODEL_CORES];
    bool blind[WF_MODEL_CORES]; // of a slot trace: something is lost, nothing has come since
    unsigned blind_count, core_count;
    uint64_t lost_at[WF_MODEL_CORES]; // what lies in front of this place does not end that
    uint64_t blind_until;             // all cores are, up to this place; 0: they are not
    // QNX: in a kernel call; it has told of interrupts; who runs was only reported.
    bool calls[WF_MODEL_CORES], tells_irqs[WF_MODEL_CORES], reported[WF_MODEL_CORES];
    unsigned last_core; // used, the highest
    bool scheduling;    // the trace tells of ready and switch
    bool from_start;    // nothing is lost since the target started
    uint64_t flow_count;
    bool skip; // the next record comes late
    struct wfi_model_hole {
        bool open; // to be told with the next record
        uint64_t from;
    } holes[WF_MODEL_CORES]; // of slots, each core's; of frames, the first
    unsigned holes_open;
    unsigned epoch;     // counts losses
    uint64_t hole_from; // the last of them
    uint64_t now;

    const struct wf_record *record; // being taken
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

// A change for the caller to fill in; never null.
struct wf_change *wfi_change(struct wf_model *m, enum wf_change_kind kind);
void wfi_odd(struct wf_model *m, struct wf_task *t, struct wf_object *o, const char *why);

// ---- things: null when out of memory, or for key 0
bool wfi_things_open(struct wf_model *m);
void wfi_things_close(struct wf_model *m);
struct wf_task *wfi_task_of(struct wf_model *m, uint64_t key);
struct wf_task *wfi_task_of_prio(struct wf_model *m, uint64_t prio);
// Another life of the key; the one before must have ended.
struct wf_task *wfi_task_new(struct wf_model *m, uint64_t key, bool created);
struct wf_task *wfi_task_known(const struct wf_model *m, uint64_t key); // null: never mentioned
// ended_too: what is deleted may be meant; else the key means something else from now on.
struct wf_object *wfi_object_of(struct wf_model *m, uint64_t key, bool ended_too);
struct wf_object *wfi_object_new(struct wf_model *m, uint64_t key, bool created);
struct wf_object *wfi_object_known(const struct wf_model *m, uint64_t key);
enum wf_model_kind wfi_object_kind(const struct wf_row *row);
void wfi_task_keep_name(struct wf_model *m, struct wf_task *t);
void wfi_object_keep_name(struct wf_model *m, struct wf_object *o);
void wfi_model_name(struct wf_model *m, const struct wf_record *r);
// Something is known of it that a hole takes away; or no longer.
void wfi_task_inform(struct wf_model *m, struct wf_task *t);
void wfi_task_uninform(struct wf_model *m, struct wf_task *t);
void wfi_object_inform(struct wf_model *m, struct wf_object *o);
void wfi_object_uninform(struct wf_model *m, struct wf_object *o);
void wfi_things_restart(struct wf_model *m);
// The last process of this number; begins: unless that has ended. Null: out of memory.
struct wfi_process *wfi_process_of(struct wf_model *m, uint32_t pid, bool begins);

// ---- tasks and cores
void wfi_task_state(struct wf_model *m, struct wf_task *t, enum wf_task_state state, bool cut);
void wfi_task_becomes(struct wf_model *m, struct wf_task *t, enum wf_task_state state,
                      const char *called, bool cut);
void wfi_task_end(struct wf_model *m, struct wf_task *t, bool cut);
void wfi_task_leaves(struct wf_model *m, struct wf_task *t, unsigned reason);
// t does something by itself.
void wfi_task_acts(struct wf_model *m, struct wf_task *t);
// Which task does it; null: an interrupt.
struct wf_task *wfi_actor(struct wf_model *m);
struct wf_core *wfi_core(struct wf_model *m);
struct wf_core *wfi_core_at(struct wf_model *m, unsigned core); // a record or event spoke of it
// since: from now on; else before, too. Nobody runs there.
void wfi_core_runs(struct wf_model *m, struct wf_core *c, struct wf_task *t, bool since);
// `to` (null: idle) runs on the record's core from now on; the one before left.
void wfi_switch(struct wf_model *m, struct wf_task *to, unsigned reason);
void wfi_core_unknown(struct wf_model *m, struct wf_core *c); // who runs there
void wfi_core_forget(struct wf_model *m, unsigned core);
void wfi_take_task(struct wf_model *m);
void wfi_take_irq(struct wf_model *m);
// The core goes to another task; itself: as the one before waits, sleeps or ends. That does not
// happen in an interrupt, but for one that makes the switches, and that makes one.
void wfi_irq_switch(struct wf_model *m, struct wf_core *c, bool itself);
// Where only numbers are told, on top of what is seen.
void wfi_irq_begins(struct wf_model *m, struct wf_core *c, uint16_t irq);
void wfi_irq_ends(struct wf_model *m, struct wf_core *c, uint16_t irq);

// ---- priorities: who inherits which
void wfi_priority_told(struct wf_model *m, struct wf_task *t, bool known, int prio);
void wfi_priority_wait(struct wf_model *m, struct wf_task *waiter); // it has begun to wait
void wfi_priority_forget(struct wf_model *m, struct wf_task *t);    // a hole may have changed it

// ---- objects
void wfi_wait_end(struct wf_model *m, struct wf_task *t, bool got, bool cut);
void wfi_object_forget(struct wf_model *m, struct wf_object *o);
void wfi_object_end(struct wf_model *m, struct wf_object *o, bool cut);
void wfi_take_object(struct wf_model *m);
// What a task does to an object. n: depth, count or bits behind it; t null: an interrupt.
void wfi_object_takes(struct wf_model *m, struct wf_object *o, struct wf_task *t, uint64_t n);
void wfi_object_gives(struct wf_model *m, struct wf_object *o, struct wf_task *t, uint64_t n);
void wfi_object_waits(struct wf_model *m, struct wf_object *o, struct wf_task *t, bool to_give);
void wfi_object_refuses(struct wf_model *m, struct wf_object *o, struct wf_task *t);
// How many are in it (COUNT) or free (FREE).
void wfi_object_count(struct wf_model *m, struct wf_object *o, enum wf_change_kind kind,
                      uint64_t count);
// Another's record says who holds it.
void wfi_hold_told(struct wf_model *m, struct wf_object *o, struct wf_task *t, unsigned nest);
// t does something, so it waits for nothing.
void wfi_task_does(struct wf_model *m, struct wf_task *t);

// ---- QP's kernels
void wfi_take_prio(struct wf_model *m);
void wfi_take_qp_object(struct wf_model *m);
// An active object handles an event; has been posted one.
void wfi_qp_handles(struct wf_model *m, struct wf_object *o);
void wfi_qp_posted(struct wf_model *m, const struct wf_object *o);

// ---- QP's machines, queues, pools
void wfi_take_machine(struct wf_model *m);
void wfi_take_qp_queue(struct wf_model *m);
void wfi_machine_forget(struct wf_model *m, struct wf_object *o, bool cut);

// ---- flows
uint64_t wfi_flow(struct wf_model *m); // a new one
// Of an event that goes in or comes out; 0: not sure.
uint64_t wfi_flow_in(struct wf_model *m, struct wf_object *o, bool in_front);
uint64_t wfi_flow_out(struct wf_model *m, struct wf_object *o);
// So many are in it, by its own count; returns whether those are the ones known.
bool wfi_flows_are(struct wf_model *m, struct wf_object *o, uint64_t count);
void wfi_flows_empty(struct wf_model *m, struct wf_object *o);
void wfi_flows_doubt(struct wf_object *o);
void wfi_flows_close(struct wf_object *o);

// ---- notes
void wfi_take_note(struct wf_model *m);
void wfi_spans_cut(struct wf_model *m, struct wfi_spans *spans, struct wf_task *t, unsigned core);

// ---- QNX's events: one that wf_model_acts on; one of class KERCALL
// A thread's name follows its process' until it ends; made when it is asked for, as a process may
// have any number of threads and names.
void wfi_qnx_name_thread(struct wf_model *m, struct wfi_task *t);
void wfi_take_qnx(struct wf_model *m, const struct wf_slot_event *e);
void wfi_qnx_call(struct wf_model *m, const struct wf_slot_event *e);

// ---- holes: all that a record may have changed; keep: but not who runs on cores of which nothing
// is lost
void wfi_forget(struct wf_model *m, bool keep);

#endif
