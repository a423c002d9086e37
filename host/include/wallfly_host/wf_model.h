// SPDX-License-Identifier: MIT
// The model: which task runs, waits or holds what, on every core at every moment, from the
// records of any RTOS (schema: effects and kinds) and of QP's own kernels, and from QNX's
// kernel-event logs. Items of a session go in, changes come out, in the order of the trace; between
// items the state can be asked for. Time lines, statistics and exports are all made of it. It is as
// sure as the trace: what a hole in the data may have changed is unknown from there until a record
// states it again, never guessed. docs/model.md describes what each record makes known.
//
//   wf_model_take(m, &item); while (wf_model_next(m, &change)) ...; at the end wf_model_end(m)
//   and wf_model_next
//
// Sinks that take the same items share a model (wf_sinks.h). A model is for its session's thread.
// Ticks are those of wf_record.tick, but never go back. Memory grows by about 300 bytes with each
// task, object or process that ever was, and by nothing else.
#ifndef WF_MODEL_H
#define WF_MODEL_H

#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_model;

enum { WF_MODEL_CORES = 64, WF_IRQ_DEPTH = 16 };

enum wf_task_state {
    WF_TASK_UNKNOWN, // not recorded yet, or a hole may have changed it
    WF_TASK_READY,   // could run, does not
    WF_TASK_RUNNING, // on `core`, up to the switch from it; an interrupt may be on top of it
    WF_TASK_BLOCKED, // waits, for `waits` if that is known
    WF_TASK_DELAYED,
    WF_TASK_SUSPENDED,
    WF_TASK_ENDED, // deleted; its key may come again as another task
    WF_TASK_STATES
};
extern const char *const wf_task_state_names[WF_TASK_STATES]; // "unknown", "ready", ...

// What an object of the model is; from the group of the record that names it.
enum wf_model_kind {
    WF_OBJECT_UNKNOWN,
    WF_OBJECT_MUTEX,
    WF_OBJECT_SEMAPHORE,
    WF_OBJECT_QUEUE,
    WF_OBJECT_EVENTS, // event groups, flags, conditions
    WF_OBJECT_TIMER,
    WF_OBJECT_HEAP,
    WF_OBJECT_MACHINE, // QP's: a state machine
    WF_OBJECT_ACTIVE,  // one that has a queue of its own
    WF_OBJECT_EVENT_QUEUE,
    WF_OBJECT_POOL,
    WF_OBJECT_KINDS
};
extern const char *const wf_object_kind_names[WF_OBJECT_KINDS]; // "unknown", "mutex", ...

// QP's records know threads by priority, an RTOS' by the address of a control block: two spaces.
// QNX's logs know them by process and thread.
struct wf_task {
    unsigned index;    // from 0, in the order of first mention; never reused
    unsigned life;     // how many tasks have had this key before it
    uint64_t key;      // control block, or priority; of QNX: pid << 32 | tid
    bool by_priority;  // key is a priority
    uint32_t pid, tid; // of QNX; else tid is 0
    bool created;      // its create was in the trace
    bool prio_known;
    int prio;                  // in force now, as the RTOS counts: which end is better is not known
    bool raised;               // `prio` is inherited from a waiter of a mutex that it holds
    bool base_known;           // raised: `base_prio` is known
    int base_prio;             // raised: its own priority
    struct wf_task *raised_by; // raised: the waiter
    struct wf_object *raised_for; // raised: the mutex
    enum wf_task_state state;
    const char *called;      // null, or the trace's own name of `state` ("REPLY"), a constant
    bool since_known;        // else it was in `state` before `since`, too
    uint64_t since;          // tick from which on it is known to be in `state`
    uint8_t reason;          // why it left the CPU last, of WF_REASONS
    unsigned core;           // RUNNING: which; else the last one
    bool waits_known;        // `waits` is so; null: it waits for nothing
    bool waits_to_give;      // for room, as in a full queue
    struct wf_object *waits; // what it waits for, from the wait's record until it has got it or
                             // given up: so also when it is READY again, or RUNNING
    uint64_t waits_since;
    bool waits_mutex;             // or only this is recorded: for some mutex
    struct wf_object *holds;      // mutexes known to be held, the latest first (next_held)
    struct wf_task *next_waiting; // list of the object's waiters, the earliest first
    bool stack_known;             // a mark was recorded: stack_free is the fewest bytes of its
                                  // stack that were ever free by then, of stack_size (0: unknown)
    uint32_t stack_free, stack_size;
};

struct wf_object {
    unsigned index, life; // as with tasks
    uint64_t key;
    enum wf_model_kind kind;
    bool created, ended;
    bool holder_known; // mutexes: `holder` (null: free) is so
    struct wf_task *holder;
    unsigned nest;         // how often it holds it; 0: not known
    bool held_since_known; // else it was held before held_since, too
    uint64_t held_since;
    struct wf_object *next_held;
    bool count_known;        // semaphores, queues
    uint64_t count;          // behind the last record
    uint64_t room;           // of a queue, heap: from its create; 0: unknown
    bool waiters_known;      // there are no others than `waiters`
    struct wf_task *waiters; // the earliest first
    bool free_known;         // QP's queues and pools record what is free in place of what is used
    uint64_t free;
    bool low_known; // of a heap: `low`, the fewest bytes ever free, as recorded last
    uint64_t low;
    bool state_known; // of a state machine: `state`, the address of its handler
    bool state_since_known;
    uint64_t state, state_since;
    bool in_step; // a run-to-completion step is under way, since step_since, for `signal`
    uint64_t signal, step_since;
};

struct wf_core {
    bool used;            // a record spoke of it
    bool known;           // `task` is so
    bool since_known;     // else it ran before `since`, too
    struct wf_task *task; // null: idle, or a task that is not traced
    uint64_t since;
    bool irqs_known;            // else there may be others below
    bool irqs_doubtful;         // tasks have left by themselves since the first of them began: its
                                // exit may be missing
    unsigned irqs;              // interrupts on top of each other
    uint16_t irq[WF_IRQ_DEPTH]; // the first of them; the last of all is the one that runs
    uint64_t irq_since[WF_IRQ_DEPTH];
    bool irq_since_known[WF_IRQ_DEPTH];
};

enum wf_change_kind {
    WF_CHANGE_TASK,      // `task` goes from `was` to `is`; it had been in `was` since `from`. Both
                         // may be BLOCKED, if only what that is called changes
    WF_CHANGE_CREATE,    // `task` is created
    WF_CHANGE_PRIORITY,  // of `task`; before: `value`, if from_known. It inherits it: `by` is the
                         // waiter for `object` that it inherits it from. Cut: a hole may have
                         // changed it, it is not known any more
    WF_CHANGE_IRQ_BEGIN, // `irq` on `core`
    WF_CHANGE_IRQ_END,   // `irq` on `core`, began at `from`. `why` (and cut): its exit is missing,
                         // an UNPAIRED follows; it ended at some time since `from`
    WF_CHANGE_WAIT,      // `task` begins to wait for `object`
    WF_CHANGE_WAIT_END,  // `task` no longer waits for `object`, since `from`; `got`: it has it
    WF_CHANGE_HOLD,      // `task` holds `object` (a mutex) from `from` on: now, if from_known
    WF_CHANGE_HOLD_END,  // it had held it since `from`
    WF_CHANGE_TAKE,      // `task` (null: an interrupt) takes from `object`: not of mutexes;
                         // `value`: count behind it, or the bits
    WF_CHANGE_GIVE,      // ... gives to it
    WF_CHANGE_REFUSED,   // ... does not get it, and does not wait
    WF_CHANGE_COUNT,     // object->count is `value` from now on; `got` false: not known any more
    WF_CHANGE_WAKE,      // `by` (null: an interrupt, or not known) made `task` ready
    WF_CHANGE_OBJECT,    // `object` is created (`value`: its count, room or period), or `got`
                         // false: ended
    WF_CHANGE_SPAN,      // `task` (null: an interrupt) begins `text`
    WF_CHANGE_SPAN_END,  // ... ends it, begun at `from`
    WF_CHANGE_COUNTER,   // `text` is `value`, signed
    WF_CHANGE_LOG,       // the record itself has the message
    WF_CHANGE_ALARM,     // timer `object` expires
    WF_CHANGE_ALARM_SET, // `task` starts timer `object`, `value` ticks; `got` false: stops it
    WF_CHANGE_MEMORY,    // `value` bytes at `text` from heap `object`; `got` false: given back
    WF_CHANGE_STATE,     // machine `object` goes from state `text`, where it was since `from`, to
                         // state `value`: addresses of handlers, 0: not known
    WF_CHANGE_STEP,      // ... begins a step for signal `text`
    WF_CHANGE_STEP_END,  // ... ends it, begun at `from`; `got`: it made a transition
    WF_CHANGE_POST,      // signal `text` goes into the queue `object`, from `sender`; `got` false:
                         // there was no room
    WF_CHANGE_GET,       // ... comes out of it
    WF_CHANGE_FREE,      // object->free is `value` from now on; `got` false: not known any more
    WF_CHANGE_LOSS,      // a hole, from `from` to `tick`. Comes with the record behind it; in slots
                         // with the next one of `core`, so changes of other cores may come first.
                         // What it may have changed became unknown at `from`, with changes of
                         // their own
    WF_CHANGE_ODD,       // a record that cannot be, from what is known: `why`; no hole explains it
    WF_CHANGE_UNPAIRED,  // `value` enters (`got`) or exits of `irq` on `core` without the other
                         // half: `why`; no hole explains it. An enter: it was at `from`
    WF_CHANGE_HOLDER,    // the holder of the mutex `object` (or that it is free) is known from now
                         // on; `got` false: not known any more
    WF_CHANGE_LOW,       // the fewest bytes ever free of `task`'s stack, or of heap `object`, are
                         // `value`; `got`: it differs from the last one
    WF_CHANGES
};

struct wf_change {
    enum wf_change_kind kind;
    uint64_t tick;
    uint64_t from;   // where the stretch that ends here began
    bool from_known; // false: it began before `from`, in a hole or before the trace
    bool cut;        // an end that a hole or the end of the trace makes: it may have gone on.
                     // So a length is tick - from only if from_known and not cut
    unsigned core;
    struct wf_task *task, *by;
    struct wf_object *object;
    enum wf_task_state was, is;
    const char *was_called, *is_called; // TASK: what the trace calls them, as in wf_task
    uint8_t reason;                     // TASK that leaves RUNNING: of WF_REASONS
    bool got;
    uint16_t irq;
    unsigned level; // IRQ_BEGIN, IRQ_END: how many were on top of each other with it
    int64_t value;
    uint64_t text;   // address, see wf_name_of
    uint64_t sender; // POST: address of the sender, 0: not recorded
    uint64_t flow;   // what leads to what, a number of its own each time; 0: nothing, or not sure.
                     // POST has that of the GET and STEP that it leads to; GIVE to a queue that of
                     // its TAKE; WAKE that of the TASK by which it runs
    const char *why;
    const struct wf_record *record; // that caused it; null: none did, or an event of QNX's. Valid
                                    // as long as the item
};

// Null when out of memory. The session must outlive it.
struct wf_model *wf_model_open(struct wf_session *s);
void wf_model_close(struct wf_model *m);

// Takes an item of the session, in the order wf_next gives them, before the next wf_next.
void wf_model_take(struct wf_model *m, const struct wf_item *item);
// The trace ends: what is still open is cut here, at the last tick seen.
void wf_model_end(struct wf_model *m);
// The next change, valid until the next take. The model's state is that behind the whole item.
bool wf_model_next(struct wf_model *m, struct wf_change *change);
// All changes of the last item, or of the end, in order, for several readers; valid until the next
// take. *count is the number of them.
const struct wf_change *wf_model_changes(const struct wf_model *m, size_t *count);
int wf_model_error(const struct wf_model *m); // WF_OK or WF_ERR_NOMEM: nothing more is taken

// Does the model act on this event of a slot trace?
bool wf_model_acts(const struct wf_model *m, const struct wf_slot_event *e);

// Tasks, objects, cores: pointers stay good until the model is closed.
unsigned wf_model_tasks(const struct wf_model *m); // how many have been mentioned
struct wf_task *wf_model_task(const struct wf_model *m, unsigned index);
unsigned wf_model_objects(const struct wf_model *m);
struct wf_object *wf_model_object(const struct wf_model *m, unsigned index);
const struct wf_core *wf_model_core(const struct wf_model *m, unsigned core); // < WF_MODEL_CORES
uint64_t wf_model_tick(const struct wf_model *m);                             // the latest
// For people: the name from the dictionaries, or the key; zero-terminated, valid until the next
// wf_next or wf_model_take. Names that a later task or object of the same key took over are kept
// for the one before.
const char *wf_task_name(const struct wf_model *m, const struct wf_task *task);
// Of the task's process, without its folders; null: not recorded, or not a task of QNX.
const char *wf_task_process(const struct wf_task *task);
const char *wf_object_name(const struct wf_model *m, const struct wf_object *object);

#ifdef __cplusplus
}
#endif
#endif
