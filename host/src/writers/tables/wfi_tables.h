// SPDX-License-Identifier: MIT
// Shared by the table formats: the list of tables and columns, and the writer's state. Items and
// changes become rows (wf_table_items.c, wf_table_changes.c, wf_table_rest.c), rows become lines,
// parts or calls (wf_table_out.c).
#ifndef WFI_TABLES_H
#define WFI_TABLES_H

#include "writers/wfi_writer.h"

// clang-format off

// C(table, column, type, sentence). A stretch has these columns; a table's own come before them.
#define WFI_STRETCH(C, t) \
    C(t, begin_tick,  INT, "when it began, in ticks of the target") \
    C(t, end_tick,    INT, "when it ended") \
    C(t, begin_ns,    INT, "the same in nanoseconds; in ticks if the rate is not known (meta: hz)") \
    C(t, end_ns,      INT, "the same") \
    C(t, begin_known, INT, "0: the real begin is earlier and not known: in a hole, before the trace or the window") \
    C(t, end_known,   INT, "0: the real end is later and not known, for the same reasons") \
    C(t, length_ns,   INT, "length; null if begin or end is not known")

#define WFI_COLUMNS_record(C, t) \
    C(t, number,     INT,  "number of the row, in the order of the stream") \
    C(t, kind,       TEXT, "record; odd: a record with an unknown number, or a length that does not match the sizes; loss; event: of a slot trace") \
    C(t, tick,       INT,  "target time in ticks, 64 bits, wraps counted; of a loss: of the last stamp before it") \
    C(t, ns,         INT,  "the same in nanoseconds; in ticks if the rate is not known (meta: hz)") \
    C(t, core,       INT,  "on which core") \
    C(t, seq,        INT,  "sequence number, 8 bits; null in slot traces") \
    C(t, id,         INT,  "number of the record; of an event: class * 1024 + event, as in its slot") \
    C(t, group_name, TEXT, "group of the record, or class of the event") \
    C(t, name,       TEXT, "of the record or event") \
    C(t, words,      TEXT, "text that `wallfly print` shows") \
    C(t, fields,     JSON, "its fields as an object: the raw values; NAME_name has the name of a value") \
    C(t, flags,      TEXT, "back: its stamp is earlier than the previous one; late: it had been counted as missing; untimed: it has no stamp, and the time of the previous record") \
    C(t, offset,     INT,  "of its frame or slot in the stream, in bytes")
#define WFI_COLUMNS_task(C, t) \
    C(t, task,       INT,  "number of the task, from 1 in the order of first mention") \
    C(t, name,       TEXT, "name; the key if no name is known") \
    C(t, key,        TEXT, "address of its control block, or its priority in QP's kernels") \
    C(t, life,       INT,  "number of earlier tasks with this key") \
    C(t, created,    INT,  "1: its creation is in the trace") \
    C(t, priority,   INT,  "the last known one, as the RTOS numbers it") \
    C(t, stack_free, INT,  "lowest number of free bytes of its stack, as recorded last") \
    C(t, stack_size, INT,  "bytes of its stack")
#define WFI_COLUMNS_object(C, t) \
    C(t, object,     INT,  "number of the object, from 1 in the order of first mention") \
    C(t, name,       TEXT, "name; the key if no name is known") \
    C(t, key,        TEXT, "its address") \
    C(t, life,       INT,  "number of earlier objects with this key") \
    C(t, kind,       TEXT, "mutex, semaphore, queue, events, timer, heap, state machine, active object, ...; unknown") \
    C(t, created,    INT,  "1: its creation is in the trace") \
    C(t, ended,      INT,  "1: its end is in the trace") \
    C(t, room,       INT,  "capacity of a queue or heap, if its creation was recorded") \
    C(t, least_free, INT,  "of a heap: lowest number of free bytes, as recorded last")
#define WFI_COLUMNS_run(C, t) \
    C(t, task,       INT,  "task that ran") \
    C(t, core,       INT,  "core it ran on") \
    C(t, reason,     TEXT, "why it left: preempted, yielded, sliced, blocked, delayed, suspended, ended, unknown") \
    C(t, flow,       INT,  "the wake (action) that led to it") \
    WFI_STRETCH(C, t)
#define WFI_COLUMNS_state(C, t) \
    C(t, task,       INT,  "the task; null: it is an object's") \
    C(t, object,     INT,  "the state machine; null: it is a task's") \
    C(t, state,      TEXT, "of a task ready, running, blocked, delayed, suspended; of a state machine the state's name") \
    C(t, core,       INT,  "of a running task") \
    WFI_STRETCH(C, t)
#define WFI_COLUMNS_wait(C, t) \
    C(t, task,       INT,  "task that waited, from its request until it got the object or gave up") \
    C(t, object,     INT,  "object it waited for") \
    C(t, got,        INT,  "1: it got the object; 0: it did not; null: not known") \
    WFI_STRETCH(C, t)
#define WFI_COLUMNS_hold(C, t) \
    C(t, task,       INT,  "task that held the mutex") \
    C(t, object,     INT,  "the mutex") \
    WFI_STRETCH(C, t)
#define WFI_COLUMNS_irq(C, t) \
    C(t, irq,        INT,  "number of the interrupt; null if unknown") \
    C(t, name,       TEXT, "its name; null if it has none") \
    C(t, core,       INT,  "where") \
    WFI_STRETCH(C, t)
#define WFI_COLUMNS_span(C, t) \
    C(t, task,       INT,  "task of the span; null: an interrupt") \
    C(t, core,       INT,  "where") \
    C(t, name,       TEXT, "name of the span") \
    WFI_STRETCH(C, t)
#define WFI_COLUMNS_step(C, t) \
    C(t, object,     INT,  "the state machine that took an event") \
    C(t, signal,     INT,  "of the event") \
    C(t, name,       TEXT, "of the signal") \
    C(t, moved,      INT,  "1: it made a transition; null: not known") \
    C(t, flow,       INT,  "the post (action) that led to it") \
    WFI_STRETCH(C, t)
#define WFI_COLUMNS_hole(C, t) \
    C(t, core,       INT,  "of the record that ended it; of slots the one it was lost on") \
    WFI_STRETCH(C, t)
#define WFI_COLUMNS_action(C, t) \
    C(t, tick,       INT,  "when, in ticks of the target") \
    C(t, ns,         INT,  "the same in nanoseconds; in ticks if the rate is not known (meta: hz)") \
    C(t, core,       INT,  "on which core") \
    C(t, kind,       TEXT, "create, priority, wake, take, give, refused, object, post, get, alarm, alarm_set, memory, odd, unpaired") \
    C(t, task,       INT,  "task that acts; null: an interrupt, or not known. create, priority, wake: the affected task") \
    C(t, waker,      INT,  "wake: the waking task") \
    C(t, object,     INT,  "affected object") \
    C(t, value,      INT,  "take, give: count afterwards, or bits; priority: the new one; object: its count, room or period; alarm_set: ticks; memory: bytes; post, get: the signal") \
    C(t, done,       INT,  "0: the object ended, the timer was stopped, the memory was freed, the queue had no room for the post") \
    C(t, name,       TEXT, "post, get: the signal's name; memory: the address; odd, unpaired: the contradiction") \
    C(t, sender,     TEXT, "post: the sender") \
    C(t, flow,       INT,  "flow number, the same in cause and effect: post and get or step, give and take of a queue, wake and run") \
    C(t, record,     INT,  "number of the record that reported it")
#define WFI_COLUMNS_counter(C, t) \
    C(t, tick,       INT,  "when, in ticks of the target") \
    C(t, ns,         INT,  "the same in nanoseconds; in ticks if the rate is not known (meta: hz)") \
    C(t, core,       INT,  "on which core") \
    C(t, kind,       TEXT, "counter: the application's; count: of a semaphore or queue; free: of a QP queue or pool") \
    C(t, object,     INT,  "object; null: a counter of the application") \
    C(t, name,       TEXT, "of the application's counter") \
    C(t, value,      INT,  "value from this time on; null: no longer known")
#define WFI_COLUMNS_loss(C, t) \
    C(t, record,     INT,  "its row in record, between the records before and after it") \
    C(t, offset,     INT,  "place in the stream, in bytes") \
    C(t, kind,       TEXT, "hole; unseen: reported by a later count; late, repeated: a record that arrives late or twice; restart") \
    C(t, core,       INT,  "of slot traces") \
    C(t, tick,       INT,  "time of the last stamp before, in ticks") \
    C(t, ns,         INT,  "the same in nanoseconds") \
    C(t, records,    INT,  "missing records") \
    C(t, given_up,   INT,  "of these, records that the target reports as given up") \
    C(t, exact,      INT,  "1: `records` is exact; 0: more may be missing") \
    C(t, bytes,      INT,  "damaged or repeated bytes") \
    C(t, lost_bytes, INT,  "bytes lost in a damaged part of a recording") \
    C(t, bad_sum,    INT,  "damaged parts: with a bad checksum") \
    C(t, too_short,  INT,  "too short for a frame") \
    C(t, too_long,   INT,  "too long") \
    C(t, cut_off,    INT,  "cut off by the end") \
    C(t, words,      TEXT, "text that `wallfly print` shows")
#define WFI_COLUMNS_name(C, t) \
    C(t, kind,       TEXT, "object, function, signal, interrupt; record: of the application; value: of an enumeration") \
    C(t, key,        INT,  "address or number") \
    C(t, belongs_to, INT,  "of a signal its object (0: any), of a value its group") \
    C(t, name,       TEXT, "the name known at the end of the trace")
#define WFI_COLUMNS_meta(C, t) \
    C(t, name,       TEXT, "name of the value") \
    C(t, value,      TEXT, "its value")

// T(table, numbered, sentence); the order in which they are listed.
#define WFI_TABLES(T) \
    T(record,  true,  "input in its order: records, losses, events of slot traces") \
    T(task,    true,  "tasks and QP's threads, at the end of the trace") \
    T(object,  true,  "mutexes, queues, state machines and so on, at the end of the trace") \
    T(run,     false, "times when tasks ran: a row each time a task leaves a core") \
    T(state,   false, "states of tasks and of QP's state machines, a row when one ends; unknown states have no row") \
    T(wait,    false, "waits of tasks for objects") \
    T(hold,    false, "times when tasks held mutexes") \
    T(irq,     false, "interrupts") \
    T(span,    false, "spans of the application") \
    T(step,    false, "run-to-completion steps of QP's state machines") \
    T(action,  false, "actions of tasks and interrupts at one time") \
    T(counter, false, "values that change: counters of the application, queue depths, free blocks") \
    T(loss,    false, "missing and damaged parts, with all counts") \
    T(hole,    false, "intervals in which records are missing: from the last known time before a loss to the next record") \
    T(name,    false, "the dictionaries, at the end of the trace") \
    T(meta,    false, "values of the trace and of this output; `complete` is the last row of all tables")
// clang-format on

enum wfi_table {
#define WFI_X(name, numbered, sentence) WFI_TABLE_##name,
    WFI_TABLES(WFI_X)
#undef WFI_X
        WFI_TABLE_END
};

// The index of each column: WFI_record_number and so on.
#define WFI_COLUMN(table, name, type, sentence) WFI_##table##_##name,
#define WFI_X(name, numbered, sentence)                                                            \
    enum { WFI_COLUMNS_##name(WFI_COLUMN, name) WFI_##name##_count };
WFI_TABLES(WFI_X)
#undef WFI_X
#undef WFI_COLUMN

// ---- the writer

// Columns may be added; if one changes its meaning, the version changes.
enum { WFI_TABLES_VERSION = 1, WFI_KEY = 48 };

struct wfi_fields; // wf_fields.c

struct wfi_tables {
    void (*put)(struct wf_writer *w, enum wfi_table table, const struct wf_cell *cells);
    struct wfi_fields *fields;
    struct wfi_strbuf words, json; // of the present row
    bool late;                     // the next record comes late
    uint64_t records;              // rows of the table record
    struct wfi_kept {              // by index of a task or an object; 0: none
        uint64_t *of;
        size_t cap;
    } runs, steps, priorities; // present flows; WFI_PRIORITY of the last one known
    struct wfi_strbuf *parts;  // of a folder, by table
    char (*keys)[WFI_KEY];     // JSON lines: the text before a value
};

#define WFI_PRIORITY(prio) ((uint64_t)((prio) + (1 << 20)))

static inline struct wfi_tables *wfi_tables(const struct wf_writer *w) { return w->own; }

static inline void wfi_cell_int(struct wf_cell *cell, uint64_t v) {
    cell->type = WF_CELL_INT;
    cell->number = (int64_t)v;
}

static inline void wfi_cell_text(struct wf_cell *cell, const char *text, size_t len) {
    cell->type = WF_CELL_TEXT;
    cell->text = text;
    cell->len = len;
}

static inline void wfi_cell_word(struct wf_cell *cell, const char *text) {
    wfi_cell_text(cell, text, strlen(text));
}

// ---- rows
void wfi_table_item(struct wf_writer *w, const struct wf_item *item);
void wfi_table_change(struct wf_writer *w, const struct wf_change *c);
void wfi_table_rest(struct wf_writer *w); // the rows that are known at the end

// ---- the fields of a record as a JSON object (wf_fields.c)
struct wfi_fields *wfi_fields_open(void); // null when out of memory
void wfi_fields_close(struct wfi_fields *all);
// Appends the object. The record must be whole.
void wfi_put_fields(const struct wfi_fields *all, struct wf_session *s, const struct wf_record *r,
                    struct wfi_strbuf *t);

// ---- quoting (wf_quote.c)
// Appends a JSON string (wf_table_json_text).
void wfi_put_json(const char *text, size_t len, struct wfi_strbuf *t);
// Appends a field of RFC 4180, in quotes if needed; its bytes are unchanged.
void wfi_put_csv(const char *text, size_t len, bool raw, struct wfi_strbuf *t);

#endif
