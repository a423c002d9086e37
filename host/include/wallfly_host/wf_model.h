// SPDX-License-Identifier: MIT
// The model: which task runs, waits or holds which object, on every core at every moment. It is
// derived from the records of any RTOS (schema: effects and kinds), of QP's own kernels, and from
// QNX's kernel-event logs. Items of a session go in, changes come out, in the order of the trace;
// between items the state can be read. Timelines, statistics and exports are all built on it. State
// that a hole in the data may have changed is unknown from there until a record reports it again;
// it is never guessed. docs/model.md describes what each record makes known.
//
//   wf_model_take(m, &item); while (wf_model_next(m, &change)) ...; at the end wf_model_end(m)
//   and wf_model_next
//
// Sinks that take the same items share a model (wf_sinks.h). A model is for its session's thread.
// Ticks are those of wf_record.tick, but never decrease. Memory grows by about 300 bytes for each
// task, object or process of the trace, and for nothing else.
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
    WF_TASK_READY,   // ready to run, not running
    WF_TASK_RUNNING, // on `core`, until the switch from it; an interrupt may be active on top
    WF_TASK_BLOCKED, // waits, for `waits` if that is known
    WF_TASK_DELAYED,
    WF_TASK_SUSPENDED,
    WF_TASK_ENDED, // deleted; a later task may have the same key
    WF_TASK_STATES
};
extern const char *const wf_task_state_names[WF_TASK_STATES]; // "unknown", "ready", ...

// The type of an object, from the group of the record that names it.
enum wf_model_kind {
    WF_OBJECT_UNKNOWN,
    WF_OBJECT_MUTEX,
    WF_OBJECT_SEMAPHORE,
    WF_OBJECT_QUEUE,
    WF_OBJECT_EVENTS, // event groups, flags, conditions
    WF_OBJECT_TIMER,
    WF_OBJECT_HEAP,
    WF_OBJECT_MACHINE, // state machine of QP
    WF_OBJECT_ACTIVE,  // state machine with a queue of its own
    WF_OBJECT_EVENT_QUEUE,
    WF_OBJECT_POOL,
    WF_OBJECT_KINDS
};
extern const char *const wf_object_kind_names[WF_OBJECT_KINDS]; // "unknown", "mutex", ...

// QP's records identify threads by priority, those of an RTOS by the address of a control block:
// two separate key spaces. QNX's logs identify them by process and thread.
struct wf_task {
    unsigned index;    // from 0, in the order of first mention; never reused
    unsigned life;     // number of earlier tasks with this key
    uint64_t key;      // control block, or priority; QNX: pid << 32 | tid
    bool by_priority;  // key is a priority
    uint32_t pid, tid; // QNX; else tid is 0
    bool created;      // its create record was in the trace
    bool prio_known;
    int prio;                     // effective priority, in the RTOS' order: whether high or low is
                                  // more urgent is not known
    bool raised;                  // `prio` is inherited from a waiter of a mutex that it holds
    bool base_known;              // raised: `base_prio` is known
    int base_prio;                // raised: its base priority
    struct wf_task *raised_by;    // raised: the waiter
    struct wf_object *raised_for; // raised: the mutex
    enum wf_task_state state;
    const char *called;      // null, or the trace's own name of `state` ("REPLY"), a constant
    bool since_known;        // else it was in `state` before `since`, too
    uint64_t since;          // tick since which it is known to be in `state`
    uint8_t reason;          // why it last left the CPU, of WF_REASONS
    unsigned core;           // RUNNING: its core; else the last one
    bool waits_known;        // `waits` is valid; null: it waits for nothing
    bool waits_to_give;      // for space, as in a full queue
    struct wf_object *waits; // object it waits for, from the wait record until it gets the object
                             // or gives up; meanwhile it may be READY or RUNNING
    uint64_t waits_since;
    bool waits_mutex;             // only this is known: it waits for some mutex
    struct wf_object *holds;      // mutexes known to be held, the latest first (next_held)
    struct wf_task *next_waiting; // list of the object's waiters, the earliest first
    bool stack_known;             // a low mark was recorded: stack_free is the minimum of free
                                  // bytes of its stack so far, of stack_size (0: unknown)
    uint32_t stack_free, stack_size;
};

struct wf_object {
    unsigned index, life; // as in wf_task
    uint64_t key;
    enum wf_model_kind kind;
    bool created, ended;
    bool holder_known; // mutexes: `holder` (null: free) is valid
    struct wf_task *holder;
    unsigned nest;         // nesting depth of the holder; 0: not known
    bool held_since_known; // else it was held before held_since, too
    uint64_t held_since;
    struct wf_object *next_held;
    bool count_known;        // semaphores, queues
    uint64_t count;          // after the last record
    uint64_t room;           // capacity of a queue or heap, from its create record; 0: unknown
    bool waiters_known;      // `waiters` is complete
    struct wf_task *waiters; // the earliest first
    bool free_known;         // QP's queues and pools record free entries instead of used ones
    uint64_t free;
    bool low_known; // of a heap: `low`, the last recorded minimum of free bytes
    uint64_t low;
    bool used_known; // of a heap: `used`, the bytes of the blocks that were allocated and not freed
    bool used_exact; // else without blocks from before the trace or a hole
    uint64_t used;
    bool state_known; // of a state machine: `state`, the address of its handler
    bool state_since_known;
    uint64_t state, state_since;
    bool in_step; // a run-to-completion step for `signal` is in progress since step_since
    uint64_t signal, step_since;
};

struct wf_core {
    bool used;            // a record of this core was seen
    bool known;           // `task` is valid
    bool since_known;     // else it ran before `since`, too
    struct wf_task *task; // null: idle, or a task that is not traced
    uint64_t since;
    bool irqs_known;            // else there may be further interrupts below
    bool irqs_doubtful;         // tasks have waited, slept or ended since the first of them began:
                                // its exit may be missing
    unsigned irqs;              // number of nested interrupts
    uint16_t irq[WF_IRQ_DEPTH]; // outermost first; the last one runs
    uint64_t irq_since[WF_IRQ_DEPTH];
    bool irq_since_known[WF_IRQ_DEPTH];
};

enum wf_change_kind {
    WF_CHANGE_TASK,      // `task` goes from `was` to `is`; it had been in `was` since `from`. Both
                         // are BLOCKED if only the trace's name of the state changes
    WF_CHANGE_CREATE,    // `task` is created
    WF_CHANGE_PRIORITY,  // of `task`; `value`: the previous one, if from_known. If inherited, `by`
                         // is the waiter that the priority comes from, `object` the mutex. Cut: a
                         // hole may have changed it; it is no longer known
    WF_CHANGE_IRQ_BEGIN, // `irq` on `core`
    WF_CHANGE_IRQ_END,   // `irq` on `core`, began at `from`. If `why` is set (and cut): its exit is
                         // missing, an UNPAIRED follows; it ended at some time after `from`
    WF_CHANGE_WAIT,      // `task` begins to wait for `object`
    WF_CHANGE_WAIT_END,  // `task` no longer waits for `object`, since `from`; `got`: it got it
    WF_CHANGE_HOLD,      // `task` holds `object` (a mutex) since `from`: now, if from_known
    WF_CHANGE_HOLD_END,  // `task` had held it since `from`
    WF_CHANGE_TAKE,      // `task` (null: an interrupt) takes from `object`, except mutexes;
                         // `value`: the count afterwards, or the bits
    WF_CHANGE_GIVE,      // ... gives to it
    WF_CHANGE_REFUSED,   // ... does not get it and does not wait
    WF_CHANGE_COUNT,     // object->count is `value` from now on; `got` false: no longer known
    WF_CHANGE_WAKE,      // `by` (null: an interrupt, or not known) made `task` ready
    WF_CHANGE_OBJECT,    // `object` is created (`value`: its count, capacity or period); `got`
                         // false: it ended
    WF_CHANGE_SPAN,      // `task` (null: an interrupt) begins `text`
    WF_CHANGE_SPAN_END,  // ... ends it, begun at `from`
    WF_CHANGE_COUNTER,   // `text` is `value`, signed
    WF_CHANGE_LOG,       // the message is in the record
    WF_CHANGE_ALARM,     // timer `object` expires
    WF_CHANGE_ALARM_SET, // `task` starts timer `object`, `value` ticks; `got` false: stops it
    WF_CHANGE_MEMORY,    // `value` bytes at `text` from heap `object`; `got` false: freed
    WF_CHANGE_STATE,     // machine `object` goes from state `text`, entered at `from`, to state
                         // `value`: addresses of handlers, 0: not known
    WF_CHANGE_STEP,      // ... begins a step for signal `text`
    WF_CHANGE_STEP_END,  // ... ends it, begun at `from`; `got`: it made a transition
    WF_CHANGE_POST,      // signal `text` is put into queue `object`, from `sender`; `got` false:
                         // the queue was full
    WF_CHANGE_GET,       // ... is taken from it
    WF_CHANGE_FREE,      // object->free is `value` from now on; `got` false: no longer known
    WF_CHANGE_LOSS,      // a hole, from `from` to `tick`. Reported with the next record; in slots
                         // with the next one of `core`, so changes of other cores may come first.
                         // The state it may have changed became unknown at `from`, with changes of
                         // its own
    WF_CHANGE_INCONSISTENT, // a record that contradicts the known state: `why`; no hole explains it
    WF_CHANGE_UNPAIRED, // `value` enters (`got`) or exits of `irq` on `core` without their other
                        // half: `why`; no hole explains it. An enter was at `from`
    WF_CHANGE_HOLDER,   // the holder of the mutex `object` (or that it is free) is known from now
                        // on; `got` false: no longer known
    WF_CHANGE_LOW,      // the minimum of free bytes of `task`'s stack or of heap `object` is
                        // `value`; `got`: it differs from the last one
    WF_CHANGE_USED,     // the bytes in use of heap `object` are `value`; `got`: exact, else without
                        // blocks from before; `cut`: not known from now on
    WF_CHANGES
};

struct wf_change {
    enum wf_change_kind kind;
    uint64_t tick;
    uint64_t from;   // begin of the interval that ends here
    bool from_known; // false: it began before `from`, in a hole or before the trace
    bool cut;        // the end is caused by a hole or the end of the trace: it may have gone on. So
                     // a length is tick - from only if from_known and not cut
    unsigned core;
    struct wf_task *task, *by;
    struct wf_object *object;
    enum wf_task_state was, is;
    const char *was_called, *is_called; // TASK: the trace's names of them, as in wf_task
    uint8_t reason;                     // TASK that leaves RUNNING: of WF_REASONS
    bool got;
    uint16_t irq;
    unsigned level; // IRQ_BEGIN, IRQ_END: nesting depth, including this one
    int64_t value;
    uint64_t text;   // address, see wf_session_name
    uint64_t sender; // POST: address of the sender, 0: not recorded
    uint64_t flow;   // links a cause to its effect, a unique number; 0: none, or not certain. A
                     // POST has the flow of its GET and STEP; a GIVE to a queue that of its TAKE; a
                     // WAKE that of the TASK change in which the task runs
    const char *why;
    const struct wf_record *record; // the cause; null: none, or an event of QNX's. Valid as long as
                                    // the item
};

// Returns whether the change is what its record reports, so that a sink that shows the change need
// not show the record as well.
bool wf_change_covers(const struct wf_change *c);

// Returns null when out of memory. The session must outlive the model.
struct wf_model *wf_model_open(struct wf_session *s);
void wf_model_close(struct wf_model *m);

// Takes an item of the session, in the order wf_session_next returns items, before the next
// wf_session_next.
void wf_model_take(struct wf_model *m, const struct wf_item *item);
// Ends the trace: open intervals are cut here, at the last tick seen.
void wf_model_end(struct wf_model *m);
// Returns the next change, valid until the next take. The model's state is that after the whole
// item.
bool wf_model_next(struct wf_model *m, struct wf_change *change);
// Returns all changes of the last item, or of the end, in order, for several readers; valid until
// the next take. *count is set to their number.
const struct wf_change *wf_model_changes(const struct wf_model *m, size_t *count);
int wf_model_error(const struct wf_model *m); // WF_OK, or WF_ERR_NOMEM: takes no more items

// Returns true if the model acts on this event of a slot trace.
bool wf_model_acts(const struct wf_model *m, const struct wf_slot_event *e);

// Tasks, objects and cores: pointers stay valid until the model is closed.
unsigned wf_model_tasks(const struct wf_model *m); // number mentioned so far
struct wf_task *wf_model_task(const struct wf_model *m, unsigned index);
unsigned wf_model_objects(const struct wf_model *m);
struct wf_object *wf_model_object(const struct wf_model *m, unsigned index);
const struct wf_core *wf_model_core(const struct wf_model *m, unsigned core); // < WF_MODEL_CORES
unsigned wf_model_cores(const struct wf_model *m); // cores from here on are not used
// The core of the item that was taken last.
unsigned wf_model_item_core(const struct wf_model *m);
// The number of holes so far, and the tick at which the last one began.
unsigned wf_model_losses(const struct wf_model *m);
uint64_t wf_model_hole_begin(const struct wf_model *m);
// The number of holes that have no record after them yet. Slots: each core can have one.
unsigned wf_model_open_holes(const struct wf_model *m);
// Slots: a core had a loss and no record since, so objects may change at any time.
bool wf_model_is_blind(const struct wf_model *m);
// The latest task or object with this key; null: none was mentioned.
struct wf_task *wf_model_find_task(const struct wf_model *m, uint64_t key);
struct wf_object *wf_model_find_object(const struct wf_model *m, uint64_t key);
// The previous task or object with the same key; null: there was none.
const struct wf_task *wf_task_before(const struct wf_task *task);
const struct wf_object *wf_object_before(const struct wf_object *object);

enum { WF_SPANS_OPEN = 16 }; // nested spans that are kept
struct wf_open_span {
    uint64_t text, since; // address, tick of its begin
};
// Copies the open spans of a task, or with null of the interrupts on a core, the outermost first.
// Returns their number.
unsigned wf_model_open_spans(const struct wf_model *m, const struct wf_task *task, unsigned core,
                             struct wf_open_span spans[WF_SPANS_OPEN]);
uint64_t wf_model_tick(const struct wf_model *m); // the latest
// The display name: from the dictionaries, or the key; zero-terminated, valid until the next
// wf_session_next or wf_model_take. A task or object keeps its name when a later one has the same
// key.
const char *wf_task_name(const struct wf_model *m, const struct wf_task *task);
// The name of the task's process, without folders; null: not recorded, or not a task of QNX.
const char *wf_task_process(const struct wf_task *task);
const char *wf_object_name(const struct wf_model *m, const struct wf_object *object);

#ifdef __cplusplus
}
#endif
#endif
