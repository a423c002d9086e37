// SPDX-License-Identifier: MIT
// A trace for Perfetto: protobuf packets, written by hand. Field numbers are those of Perfetto's
// public .proto files (trace_packet, track_event, track_descriptor, generic_task). A packet is
// complete when the next one begins. Only packets that begin and end nested slices of a track must
// be in the order of time. docs/perfetto.md describes the tracks.
#ifndef WFI_PERFETTO_H
#define WFI_PERFETTO_H

#include "wallfly_host/wf_model.h"
#include "writers/wfi_writer.h"

// clang-format off

// Fields and their numbers. F(name, number)
#define WFI_PF_FIELDS(F) \
    F(TRACE_PACKET, 1) F(PACKET_TIMESTAMP, 8) F(PACKET_SEQUENCE, 10) F(PACKET_EVENT, 11) \
    F(PACKET_INTERNED, 12) F(PACKET_FLAGS, 13) F(PACKET_TRACK, 60) F(PACKET_FIRST, 87) \
    F(PACKET_TASK_STATE, 117) F(PACKET_TASK_TREE, 122) F(EVENT_CATEGORY, 3) F(EVENT_ARG, 4) \
    F(EVENT_TYPE, 9) F(EVENT_NAME, 10) F(EVENT_TRACK, 11) F(EVENT_NAME_TEXT, 23) \
    F(EVENT_VALUE, 30) F(EVENT_DOUBLE, 44) F(EVENT_FLOW, 47) F(ARG_NAME, 1) F(ARG_BOOL, 2) \
    F(ARG_UINT, 3) F(ARG_INT, 4) F(ARG_TEXT, 6) F(ARG_ADDRESS, 7) F(INTERNED_CATEGORIES, 1) \
    F(INTERNED_NAMES, 2) F(INTERNED_ARGS, 3) F(INTERNED_ID, 1) F(INTERNED_TEXT, 2) \
    F(TRACK_UUID, 1) F(TRACK_NAME, 2) F(TRACK_PROCESS, 3) F(TRACK_PARENT, 5) F(TRACK_COUNTER, 8) \
    F(TRACK_ORDER, 11) F(TRACK_RANK, 12) F(TRACK_MERGE, 15) F(PROCESS_PID, 1) F(PROCESS_NAME, 6) \
    F(COUNTER_UNIT, 3) F(COUNTER_UNIT_NAME, 6) F(STATE_CPU, 1) F(STATE_TID, 3) F(STATE_STATE, 4) \
    F(STATE_PRIO, 5) F(TREE_PROCESS, 1) F(TREE_THREAD, 2) F(TREE_PID, 1) F(TREE_CMDLINE, 3) \
    F(TREE_THREAD_TID, 1) F(TREE_THREAD_PID, 2) F(TREE_THREAD_NAME, 3) F(TREE_THREAD_IDLE, 5)

// Categories and names of annotations, interned once. C(name), A(name)
#define WFI_PF_CATEGORIES(C) \
    C(run) C(idle) C(state) C(irq) C(span) C(wait) C(hold) C(step) C(object) C(loss) C(odd) \
    C(log) C(user) C(record) C(event)
#define WFI_PF_ARGS(A) \
    A(begin_seen) A(end_seen) A(reason) A(got) A(ended) A(text) A(value) A(before) A(core) \
    A(records) A(given_up) A(bytes) A(exact) A(address) A(object) A(task) A(what)

// Names of slices and instants: a text, and the name of the subject.
// W(word, text, subject)
#define WFI_PF_WORDS(W) \
    W(LITERAL, "", TEXT) /* key: where it is */ \
    W(TASK, "", TASK)    /* tasks and objects by index */ \
    W(OBJECT, "", OBJECT) \
    W(BLOCKED_ON, "blocked on ", OBJECT) \
    W(WAKES, "wakes ", TASK) \
    W(TAKES, "takes ", OBJECT) \
    W(GIVES, "gives ", OBJECT) \
    W(REFUSED, "does not get ", OBJECT) \
    W(STARTS, "starts ", OBJECT) \
    W(STOPS, "stops ", OBJECT) \
    W(ALLOCATES, "takes memory of ", OBJECT) \
    W(FREES, "gives memory back to ", OBJECT) \
    W(STATE, "", FUNCTION) /* by address */ \
    W(SIGNAL, "", SIGNAL)  /* with the key of the object */ \
    W(POSTS, "posts ", SIGNAL) \
    W(CANNOT_POST, "cannot post ", SIGNAL) \
    W(GETS, "takes ", SIGNAL) \
    W(CONSTANT, "", CONSTANT) /* by address */ \
    W(SPAN_ENDS, "end of ", CONSTANT) \
    W(IRQ, "interrupt ", IRQ) \
    W(USER, "", USER)   /* by number of the record */ \
    W(EVENT, "", EVENT) /* the caller gives the text */

// clang-format on

enum {
#define F(name, number) WFI_PF_##name = (number),
    WFI_PF_FIELDS(F)
#undef F
        WFI_PF_ORDER_BY_RANK = 3, // of TrackDescriptor: EXPLICIT
    WFI_PF_MERGE_NONE = 2,        // of TrackDescriptor: siblings of one name are not merged
    WFI_PF_UNIT_COUNT = 2,        // of CounterDescriptor
    WFI_PF_STATE_CLEARED = 1,     // of TracePacket's flags: ids begin here
    WFI_PF_SEQUENCE = 1,
    WFI_PF_PID = 1,
    WFI_PF_LOAD_UNWRITTEN = -2,
};

enum wfi_pf_type { WFI_PF_BEGIN = 1, WFI_PF_END, WFI_PF_INSTANT, WFI_PF_COUNTER };

enum wfi_pf_category {
    WFI_PF_NO_CATEGORY,
#define C(name) WFI_PF_CAT_##name,
    WFI_PF_CATEGORIES(C)
#undef C
};
enum wfi_pf_arg {
    WFI_PF_NO_ARG,
#define A(name) WFI_PF_ARG_##name,
    WFI_PF_ARGS(A)
#undef A
};

enum wfi_pf_word {
#define W(word, text, subject) WFI_PF_##word,
    WFI_PF_WORDS(W)
#undef W
};

struct wfi_pf_name {
    uint64_t key, with, hash; // hash: of its text
    uint32_t id;              // 0: none yet
    uint32_t number;          // never changes
    uint32_t epoch;           // when it was last looked up
    uint8_t word;
    bool used, declared; // declared: it has a track
};

// A track of successive slices: the end of the last one.
struct wfi_pf_lane {
    uint64_t tick, ns;
};

// Nested slices, which are written when they begin.
struct wfi_pf_nest {
    unsigned open;
    struct {
        uint64_t tick;
        uint16_t irq;
    } at[WF_IRQ_DEPTH];
};

// A thread of the scheduler's tables. A state is written when its length is known.
struct wfi_pf_thread {
    bool announced, waits;
    uint8_t state, next; // state: written; next: to be written if `waits`
    uint8_t core, next_core;
    int next_prio;
    uint64_t next_ns, written_ns;
};

struct wfi_pf_task {
    struct wfi_pf_thread thread;
    struct wfi_pf_lane states, waits;
    struct wfi_pf_nest spans;
    const struct wf_object *on; // the object that it waits for
    uint64_t flow;              // the flow that ends when it runs
    uint64_t hash;              // of the name that its tracks have
    uint32_t tracks;            // bits of the declared ones
};

struct wfi_pf_object {
    struct wfi_pf_lane states, steps;
    uint64_t flow; // the flow that ends with its step
    uint64_t hash;
    uint32_t tracks;
    uint8_t group; // of its tracks
};

struct wfi_pf_core {
    struct wfi_pf_thread idle_thread;
    struct wfi_pf_lane runs;
    struct wfi_pf_nest irqs, spans;
    bool idle;      // known to be idle since idle_tick
    bool idle_seen; // its start was seen
    uint64_t idle_tick;
    uint32_t tracks;
    uint64_t *irq_tracks;                // bits by number
    struct {                             // of the window that ends at `end`: nanoseconds
        uint64_t end, busy, known, from; // from: the start of the time not yet accounted for
        int64_t written;                 // the last `busy` written; -1: not known
    } load;
};

struct wfi_pf {
    struct wfi_pf_name *names;
    size_t name_mask, name_count;
    uint32_t last_id, epoch, renamed; // epoch: changes when names may have changed
    size_t packet, event, arg;        // positions of the lengths of those that are open
    uint64_t now_tick, now_ns;
    struct wfi_pf_task *tasks;
    struct wfi_pf_object *objects;
    size_t tasks_cap, objects_cap;
    struct wfi_pf_core *cores[WF_MODEL_CORES];
    unsigned core_count; // the highest core, plus 1
    uint32_t tracks;     // bits of the declared ones
    struct wfi_strbuf words;
    struct wfi_pf_loss {
        struct wfi_pf_lane lane;
        struct wfi_strbuf words; // open once there is a loss
        uint64_t records, given_up, bytes;
        bool exact;
    } losses[WF_MODEL_CORES]; // not written yet; of frames, the first
    bool drawn, failed;       // drawn: the record is drawn as a change
    char event_format[8];
};

static inline struct wfi_pf *wfi_pf(const struct wf_writer *w) { return w->own; }

// ---- bytes (wf_perfetto_bytes.c)
uint64_t wfi_pf_ns(struct wf_writer *w, uint64_t tick);
void wfi_pf_header(struct wf_writer *w);
void wfi_pf_packet(struct wf_writer *w, uint64_t ns);
void wfi_pf_packet_end(struct wf_writer *w);
static inline char *wfi_pf_varint(char *p, uint64_t v) {
    for (; v > 127; v >>= 7) *p++ = (char)(v | 128);
    *p++ = (char)v;
    return p;
}
static inline char *wfi_pf_tag(char *p, unsigned field, unsigned kind) {
    return wfi_pf_varint(p, field << 3 | kind);
}
static inline char *wfi_pf_put_uint(char *p, unsigned field, uint64_t v) {
    return wfi_pf_varint(wfi_pf_tag(p, field, 0), v);
}
static inline char *wfi_pf_put_fixed(char *p, unsigned field, uint64_t bits) {
    p = wfi_pf_tag(p, field, 1);
    for (unsigned i = 0; i < 8; ++i) *p++ = (char)(bits >> 8 * i);
    return p;
}
static inline void wfi_pf_uint(struct wf_writer *w, unsigned field, uint64_t v) {
    w->text.end = wfi_pf_put_uint(w->text.end, field, v);
}
// Bytes that are not UTF-8 become question marks.
void wfi_pf_text(struct wf_writer *w, unsigned field, const char *text, size_t len);
// Begins a block; returns the position of its length.
static inline size_t wfi_pf_block(struct wf_writer *w, unsigned field) {
    char *p = wfi_pf_tag(w->text.end, field, 2);
    w->text.end = p + 1;
    return (size_t)(p - w->text.buf);
}
void wfi_pf_block_long(struct wf_writer *w, size_t at); // of more than 127 bytes
static inline void wfi_pf_block_end(struct wf_writer *w, size_t at) {
    size_t len = (size_t)(w->text.end - w->text.buf) - at - 1;
    if (len < 128)
        w->text.buf[at] = (char)len;
    else
        wfi_pf_block_long(w, at);
}

// An event; annotations follow until its end. name, category, flow: 0 for none.
struct wfi_pf_event {
    enum wfi_pf_type type;
    uint64_t track;
    uint32_t name;
    enum wfi_pf_category category;
    uint64_t flow;
};
void wfi_pf_event(struct wf_writer *w, uint64_t ns, const struct wfi_pf_event *e);
void wfi_pf_event_end(struct wf_writer *w);
void wfi_pf_arg_uint(struct wf_writer *w, enum wfi_pf_arg arg, uint64_t v);
void wfi_pf_arg_int(struct wf_writer *w, enum wfi_pf_arg arg, int64_t v);
void wfi_pf_arg_bool(struct wf_writer *w, enum wfi_pf_arg arg, bool v);
void wfi_pf_arg_address(struct wf_writer *w, enum wfi_pf_arg arg, uint64_t v);
void wfi_pf_arg_text(struct wf_writer *w, enum wfi_pf_arg arg, const char *text, size_t len);
// Adds an event without annotations, at the tick.
void wfi_pf_mark(struct wf_writer *w, uint64_t tick, const struct wfi_pf_event *e);
// Adds the slice that ends with the change; e->type is ignored. reason: why it ends, or null.
// Returns the start of the slice; lane->ns is set to its end.
uint64_t wfi_pf_slice(struct wf_writer *w, struct wfi_pf_lane *lane, const struct wf_change *c,
                      const struct wfi_pf_event *e, enum wfi_pf_arg arg, const char *reason);
void wfi_pf_count(struct wf_writer *w, uint64_t tick, uint64_t track, int64_t value);

// ---- names (wf_perfetto_names.c)
// Returns the id of a name, declared if it is new; 0 when out of memory.
uint32_t wfi_pf_name(struct wf_writer *w, enum wfi_pf_word word, uint64_t key, uint64_t with);
uint32_t wfi_pf_literal(struct wf_writer *w, const char *text);
// The name of an event: the one in `words`.
uint32_t wfi_pf_event_name(struct wf_writer *w, uint64_t key, const char *text, size_t len);
// Returns the entry of a name; null when out of memory.
struct wfi_pf_name *wfi_pf_entry(struct wf_writer *w, enum wfi_pf_word word, uint64_t key,
                                 uint64_t with);
// Writes the name's text into wfi_pf(w)->words.
void wfi_pf_put_name(struct wf_writer *w, enum wfi_pf_word word, uint64_t key, uint64_t with);
uint64_t wfi_pf_hash(const char *text, size_t len);
bool wfi_pf_names_open(struct wfi_pf *g);

// ---- tracks (wf_perfetto_tracks.c): declared on first use
enum wfi_pf_core_track {
    WFI_PF_CORE_RUNS,
    WFI_PF_CORE_IRQS,
    WFI_PF_CORE_SPANS,
    WFI_PF_CORE_RECORDS,
    WFI_PF_CORE_LOAD,
    WFI_PF_CORE_LOSSES, // of slots of several cores
    WFI_PF_CORE_TRACKS
};
enum wfi_pf_task_track {
    WFI_PF_TASK_STATES,
    WFI_PF_TASK_SPANS,
    WFI_PF_TASK_WAITS,
    WFI_PF_TASK_STACK,
    WFI_PF_TASK_TRACKS
};
enum wfi_pf_object_track {
    WFI_PF_OBJECT_STATES,
    WFI_PF_OBJECT_STEPS,
    WFI_PF_OBJECT_COUNT,
    WFI_PF_OBJECT_FREE,
    WFI_PF_OBJECT_LOW,
    WFI_PF_OBJECT_TRACKS
};
enum wfi_pf_track { WFI_PF_MESSAGES, WFI_PF_APPLICATION, WFI_PF_LOSSES, WFI_PF_INCONSISTENT };
uint64_t wfi_pf_track(struct wf_writer *w, enum wfi_pf_track track);
uint64_t wfi_pf_core_track(struct wf_writer *w, unsigned core, enum wfi_pf_core_track track);
uint64_t wfi_pf_irq_track(struct wf_writer *w, unsigned core, unsigned irq);
uint64_t wfi_pf_task_track(struct wf_writer *w, const struct wf_task *t,
                           enum wfi_pf_task_track track);
uint64_t wfi_pf_object_track(struct wf_writer *w, const struct wf_object *o,
                             enum wfi_pf_object_track track);
uint64_t wfi_pf_counter_track(struct wf_writer *w, uint64_t text);
void wfi_pf_process(struct wf_writer *w);    // declares the process of all tracks
void wfi_pf_names_late(struct wf_writer *w); // declares changed names of tracks

// ---- states: null when out of memory, on every later call too (wf_perfetto_tracks.c)
struct wfi_pf_task *wfi_pf_task(struct wf_writer *w, const struct wf_task *t);
struct wfi_pf_object *wfi_pf_object(struct wf_writer *w, const struct wf_object *o);
struct wfi_pf_core *wfi_pf_core(struct wf_writer *w, unsigned core);

// ---- tasks and cores (wf_perfetto_tasks.c, wf_perfetto_irqs.c)
void wfi_pf_take_task(struct wf_writer *w, const struct wf_change *c);
void wfi_pf_take_irq(struct wf_writer *w, const struct wf_change *c);
void wfi_pf_take_span(struct wf_writer *w, const struct wf_change *c);
void wfi_pf_nests_begin(struct wf_writer *w, uint64_t tick); // of the window
void wfi_pf_watch_cores(struct wf_writer *w);                // checks whether they are idle
bool wfi_pf_in_irq(const struct wf_writer *w, unsigned core);
// The track of the actions of a task or an interrupt.
uint64_t wfi_pf_doer(struct wf_writer *w, const struct wf_task *t, unsigned core);

// ---- the scheduler's tables, and the load (wf_perfetto_sched.c)
void wfi_pf_sched_task(struct wf_writer *w, const struct wf_task *t, enum wf_task_state state,
                       unsigned core, uint64_t ns);
void wfi_pf_sched_idle(struct wf_writer *w, unsigned core, enum wf_task_state state, uint64_t ns);
void wfi_pf_sched_end(struct wf_writer *w);
void wfi_pf_load(struct wf_writer *w, unsigned core, uint64_t from, uint64_t to, bool busy);

// ---- objects (wf_perfetto_objects.c)
void wfi_pf_take_object(struct wf_writer *w, const struct wf_change *c);

#endif
