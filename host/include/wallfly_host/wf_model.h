// SPDX-License-Identifier: MIT
// The model: who runs, who waits for what, who holds what, on every core at every moment, from the
// records of any RTOS (schema: effects and kinds) and of QP's own kernels. Items of a session go
// in, changes come out, in the order of the trace; between them the state can be asked for. Time
// lines, statistics and exports are all made of it. It is as sure as the trace: what a hole in the
// data may have changed is unknown from there until a record tells it again, never guessed.
//
//   wf_model_take(m, &item); while (wf_model_next(m, &change)) ...; at the end wf_model_end(m)
//   and wf_model_next
//
// A model is for its session's thread. Ticks are those of wf_record.tick.
#ifndef WF_MODEL_H
#define WF_MODEL_H

#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_model;

enum { WF_MODEL_CORES = 64, WF_IRQ_DEPTH = 16, WF_IRQ_UNKNOWN = 65535 };

enum wf_task_state {
    WF_TASK_UNKNOWN, // not told yet, or a hole may have changed it
    WF_TASK_READY,   // could run, does not
    WF_TASK_RUNNING, // on `core`; an interrupt may be on top of it
    WF_TASK_BLOCKED, // waits, for `waits` if that is known
    WF_TASK_DELAYED,
    WF_TASK_SUSPENDED,
    WF_TASK_ENDED, // deleted; its key may come again as another task
    WF_TASK_STATES
};
extern const char *const wf_task_state_names[WF_TASK_STATES]; // "unknown", "ready", ...

// What an object is; from the group of the record that tells of it.
enum wf_object_kind {
    WF_OBJECT_UNKNOWN,
    WF_OBJECT_MUTEX,
    WF_OBJECT_SEMAPHORE,
    WF_OBJECT_QUEUE,
    WF_OBJECT_EVENTS, // event groups, flags, conditions
    WF_OBJECT_TIMER,
    WF_OBJECT_HEAP,
    WF_OBJECT_KINDS
};
extern const char *const wf_object_kind_names[WF_OBJECT_KINDS];

// QP's records know threads by priority, an RTOS' by the address of a control block: two spaces.
struct wf_task {
    unsigned index;   // from 0, in the order of first mention; never reused
    unsigned life;    // how many tasks have had this key before it
    uint64_t key;     // control block, or priority
    bool by_priority; // key is the latter
    bool created;     // its create was in the trace
    bool prio_known;
    int prio; // as the RTOS counts: which end is better is not known
    enum wf_task_state state;
    uint64_t since;          // tick of the last change of `state`; 0 if unknown since the start
    uint8_t reason;          // why it left the CPU last, of WF_REASONS
    unsigned core;           // RUNNING: which; else the last one
    struct wf_object *waits; // BLOCKED, or about to be: for what; null: nothing, not known
    bool waits_to_give;      // for room, as in a full queue
    struct wf_object *holds; // mutexes held, the latest first (linked by next_held)
    struct wf_task *next_waiting; // list of the object's waiters, the earliest first
    void *user;                   // the caller's
};

struct wf_object {
    unsigned index, life; // as with tasks
    uint64_t key;
    enum wf_object_kind kind;
    bool created, ended;
    bool holder_known; // mutexes: `holder` (null: free) and `nest` are so
    struct wf_task *holder;
    unsigned nest;
    uint64_t held_since;
    struct wf_object *next_held;
    bool count_known;        // semaphores, queues, event groups (bits)
    uint64_t count;          // behind the last record
    uint64_t room;           // a queue's capacity, from its create; 0: unknown
    struct wf_task *waiters; // the earliest first
    void *user;
};

struct wf_core {
    bool used;            // a record spoke of it
    bool known;           // `task` is so
    struct wf_task *task; // null: idle, or a task that is not traced
    uint64_t since;
    bool irqs_known;
    unsigned irqs;              // interrupts on top of each other
    uint16_t irq[WF_IRQ_DEPTH]; // the last is the one that runs
    uint64_t irq_since[WF_IRQ_DEPTH];
};

enum wf_change_kind {
    WF_CHANGE_TASK,      // `task` goes from `was` to task->state; it had been in it since `from`
    WF_CHANGE_PRIORITY,  // of `task`; before: `value`
    WF_CHANGE_IRQ_BEGIN, // `irq` on `core`
    WF_CHANGE_IRQ_END,   // `irq` on `core`, began at `from`
    WF_CHANGE_WAIT,      // `task` begins to wait for `object`
    WF_CHANGE_WAIT_END,  // `task` no longer waits for `object`, since `from`; `got`: it has it
    WF_CHANGE_HOLD,      // `task` holds `object` (a mutex) from now on
    WF_CHANGE_HOLD_END,  // it had held it since `from`
    WF_CHANGE_TAKE,      // `task` (null: an interrupt) takes from `object`: not of mutexes
    WF_CHANGE_GIVE,      // ... gives to it
    WF_CHANGE_REFUSED,   // ... does not get it, and does not wait
    WF_CHANGE_COUNT,     // object->count is `value` now, if count_known
    WF_CHANGE_WAKE,      // `by` (null: an interrupt, or not known) made `task` ready
    WF_CHANGE_OBJECT,    // `object` is created, or ended if object->ended
    WF_CHANGE_SPAN,      // `task` (null: an interrupt) begins `text`
    WF_CHANGE_SPAN_END,  // ... ends it, begun at `from`
    WF_CHANGE_COUNTER,   // `text` is `value`, signed
    WF_CHANGE_LOG,       // the record itself has the message
    WF_CHANGE_ALARM,     // timer `object` expires
    WF_CHANGE_MEMORY,    // `value` bytes at `text` from heap `object`; `got` false: given back
    WF_CHANGE_LOSS,      // a hole: from `from` (the last record before) to `tick`; what may have
                         // changed in it is unknown from here on, with changes of its own
    WF_CHANGE_ODD,       // a record that cannot be, from what is known: `why`; no hole explains it
    WF_CHANGES
};

struct wf_change {
    enum wf_change_kind kind;
    uint64_t tick;
    uint64_t from;   // where the stretch that ends here began
    bool from_known; // false: it began before the trace, or in a hole: no length may be computed
    unsigned core;
    struct wf_task *task, *by;
    struct wf_object *object;
    enum wf_task_state was;
    uint8_t reason; // TASK that leaves RUNNING: enum of WF_REASONS
    bool got;
    uint16_t irq;
    int64_t value;
    uint64_t text; // address, see wf_name_of
    const char *why;
    const struct wf_record *record; // that caused it; null: none did. Valid as long as the item
};

struct wf_model_options {
    const struct wf_part *hide; // null, or tasks to be left out (wf_part.h): switches through them
                                // appear as the switch that users must see
};

// Null when out of memory. The session must outlive it.
struct wf_model *wf_model_open(struct wf_session *s, const struct wf_model_options *options);
void wf_model_close(struct wf_model *m);

// Takes an item of the session, in the order wf_next gives them, before the next wf_next.
void wf_model_take(struct wf_model *m, const struct wf_item *item);
// The trace ends: what is still open ends here (from_known as ever), with tick the last one seen.
void wf_model_end(struct wf_model *m);
// The next change, valid until the next call. State that is asked for between is that behind it.
bool wf_model_next(struct wf_model *m, struct wf_change *change);
int wf_model_error(const struct wf_model *m); // WF_OK or WF_ERR_NOMEM: nothing more is taken

unsigned wf_model_tasks(const struct wf_model *m); // how many have been mentioned
struct wf_task *wf_model_task(const struct wf_model *m, unsigned index);
unsigned wf_model_objects(const struct wf_model *m);
struct wf_object *wf_model_object(const struct wf_model *m, unsigned index);
const struct wf_core *wf_model_core(const struct wf_model *m, unsigned core);
// For people: the name from the dictionaries, or the key; zero-terminated. Names that a later task
// or object of the same key took over are kept for the one before.
const char *wf_task_name(const struct wf_model *m, const struct wf_task *task);
const char *wf_object_name(const struct wf_model *m, const struct wf_object *object);

#ifdef __cplusplus
}
#endif
#endif
