// SPDX-License-Identifier: MIT
// Behaviour: what the tasks, interrupts and state machines of traces did and in which order,
// without times; and the comparison of two such collections, a good one and a new one.
// docs/diff.md defines what a run is and when a difference is one.
//
//   b = wf_behaviour_open(&error)
//   for each trace: k = wf_behaviour_sink_open(b, session, &options, &error)
//       wf_behaviour_sink_take(k, &item) ...; wf_behaviour_sink_end(k); wf_behaviour_sink_close(k)
//   bytes = wf_behaviour_write(b, &len, &error); wf_behaviour_read(b, bytes, len, &error)
//   d = wf_behaviour_compare(good, now, &options, &error)
//   for (size_t at = 0; wf_behaviour_diff_next(d, &at, &change);) ...
//
// A collection is for one thread at a time. Memory does not depend on the length of the traces: it
// grows with the number of different runs, of which WF_BEHAVIOUR_FACTS are kept in all, and with
// the sequences of runs, of which each task keeps the first WF_BEHAVIOUR_SEQUENCE entries (equal
// runs in a row are one entry) of up to WF_BEHAVIOUR_SEQUENCES traces.
#ifndef WF_BEHAVIOUR_H
#define WF_BEHAVIOUR_H

#include "wf_error.h"
#include "wf_session.h"
#include "wf_sinks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_BEHAVIOUR_FACTS = 1 << 16,
    WF_BEHAVIOUR_SEQUENCE = 2048,
    WF_BEHAVIOUR_SEQUENCES = 4,
    WF_BEHAVIOUR_BLOCKS = 64 // a trace is divided into at most this many blocks of time
};

struct wf_behaviour;

// Returns an empty collection; null when out of memory. `error` may be null, here and below.
struct wf_behaviour *wf_behaviour_open(struct wf_error *error);
void wf_behaviour_close(struct wf_behaviour *b);
// Adds all traces of another collection. Returns WF_OK or WF_ERR_NOMEM; after that the collection
// can only be closed.
int wf_behaviour_join(struct wf_behaviour *b, const struct wf_behaviour *from,
                      struct wf_error *error);
// The bytes of a collection, for a file; the caller frees them. Returns null when out of memory.
uint8_t *wf_behaviour_write(const struct wf_behaviour *b, size_t *len, struct wf_error *error);
// Adds the traces of such bytes, which may come from anywhere. Returns WF_OK, WF_ERR_BAD_PROFILE
// (the error has the place; nothing is added), WF_ERR_NOMEM.
int wf_behaviour_read(struct wf_behaviour *b, const void *bytes, size_t len,
                      struct wf_error *error);

// A trace of a collection.
struct wf_behaviour_trace {
    const char *source; // valid until the collection changes
    unsigned lane;
    uint64_t hz;          // ticks per second; 0: unknown
    uint64_t first, last; // ticks of the range that was observed
    uint64_t zero;        // tick that displayed times count from
    uint64_t records;     // items of the kinds RECORD, LOSS and EVENT
    uint64_t holes;
    uint64_t unnamed; // tasks, objects, texts and states whose names are not known
    bool full;        // more different runs than can be kept: the others are not compared
};
bool wf_behaviour_trace(const struct wf_behaviour *b, size_t index,
                        struct wf_behaviour_trace *trace);

// ---- collecting

struct wf_behaviour_options {
    size_t size;        // sizeof(struct wf_behaviour_options)
    const char *source; // name of the trace, for people; copied
    unsigned lane;
    bool has_from, has_until;
    double from_s, until_s; // as in wf_stats_options; only runs that lie within count
    bool target_clock;
    struct wf_sinks *sinks; // the group to join (wf_sinks.h); null: one of its own
};

struct wf_behaviour_sink;

// Returns null when out of memory, or if the size of the options is 0 (WF_ERR_USAGE). Session and
// collection must outlive the sink.
struct wf_behaviour_sink *wf_behaviour_sink_open(struct wf_behaviour *b, struct wf_session *s,
                                                 const struct wf_behaviour_options *options,
                                                 struct wf_error *error);
void wf_behaviour_sink_close(struct wf_behaviour_sink *k);
// As wf_stats_take and wf_stats_end. The trace is in the collection after its end.
void wf_behaviour_sink_take(struct wf_behaviour_sink *k, const struct wf_item *item);
void wf_behaviour_sink_end(struct wf_behaviour_sink *k);
int wf_behaviour_sink_error(const struct wf_behaviour_sink *k); // WF_OK or WF_ERR_NOMEM

// ---- comparing

// Kinds of changes, in their order: a change is more likely the cause of those after it than the
// reverse. C(enumerator, name for programs, whether it comes before changed figures)
#define WF_BEHAVIOUR_CHANGES(C)                                                                    \
    C(TASK, "task", true)             /* a task is new or has vanished */                          \
    C(LOCK_ORDER, "lock order", true) /* two locks are taken in the other order */                 \
    C(WAKE_UP, "lost wake-up", true)  /* a task that got an object waits for it in vain */         \
    C(STATE, "state", true)           /* a state of a machine is new or has vanished */            \
    C(TRANSITION, "transition", true)                                                              \
    C(ORDER, "order", true)   /* a run has its actions in another order */                         \
    C(ACTION, "action", true) /* a task does something new, or no longer does it */                \
    C(RUN, "run", false)      /* actions that occur, in a new combination, or no longer in it */   \
    C(VARIETY, "variety", false)    /* more different runs than before */                          \
    C(FOLLOWS, "succession", false) /* a run follows another one that it never followed */         \
    C(OBJECT, "object", false)                                                                     \
    C(RECORD, "record", false)

enum wf_behaviour_kind {
#define WF_X(kind, name, first) WF_BEHAVIOUR_##kind,
    WF_BEHAVIOUR_CHANGES(WF_X)
#undef WF_X
        WF_BEHAVIOUR_KINDS
};
extern const char *const wf_behaviour_kind_names[WF_BEHAVIOUR_KINDS];
// Returns whether changes of the kind come before changed figures.
bool wf_behaviour_kind_is_cause(enum wf_behaviour_kind kind);

enum wf_behaviour_certainty {
    WF_BEHAVIOUR_CHANGED,   // chance does not explain it
    WF_BEHAVIOUR_SUSPECTED, // it occurred, but chance may explain it
    WF_BEHAVIOUR_MARKED,    // it would have changed, but lost data may be the cause: no verdict
    WF_BEHAVIOUR_CERTAINTIES
};
extern const char *const wf_behaviour_certainty_names[WF_BEHAVIOUR_CERTAINTIES];

struct wf_behaviour_place {
    bool known;
    const char *source;
    unsigned lane;
    uint64_t tick;
    double at_s;     // seconds since the trace's first time, ticks if the rate is unknown
    bool seconds;    // at_s is in seconds
    uint64_t record; // its number in the lane, from 1, as in the table `record` (docs/tables.md)
    uint64_t run;    // of the task, from 1; 0: not a run
};

// A line of the aligned sequences: `times` equal runs in a row.
struct wf_behaviour_line {
    bool same;    // aligned with a run of the other side
    bool changed; // it is what has changed
    uint64_t times;
    struct wf_behaviour_place place;
    const char *text; // "takes `q`, takes `m`, gives `m`; then waits for `q`"
};
enum { WF_BEHAVIOUR_LINES = 6 };

struct wf_behaviour_side {
    uint64_t count, of;         // times that it occurred; runs of the task (records of the trace)
    unsigned blocks, blocks_of; // blocks of time in which it occurred; without those with holes
    struct wf_behaviour_place first;
    struct wf_behaviour_line lines[WF_BEHAVIOUR_LINES]; // around the divergence
    unsigned line_count;
};

// Texts are valid until the comparison is closed.
struct wf_behaviour_difference {
    enum wf_behaviour_kind kind;
    enum wf_behaviour_certainty certainty;
    bool vanished; // it occurred in `good` only; else it is new, or became more frequent
    double p;      // probability of such a difference by chance
    unsigned lane;
    const char *actor; // the task, interrupt or machine; null: none
    const char *text;  // a sentence without its full stop
    const char *hint;  // a sentence: what happened at the same time for the first time; or null
    size_t because_of; // number of the change that explains it; its own number: none does
    struct wf_behaviour_side sides[2]; // good, new
};

struct wf_behaviour_compare_options {
    size_t size;   // sizeof(struct wf_behaviour_compare_options)
    double alarms; // probability of any CHANGED between equal traces; 0: 0.002
};

struct wf_behaviour_diff;

// Returns null when out of memory. Both collections stay as they are, and are not used afterwards.
struct wf_behaviour_diff *wf_behaviour_compare(const struct wf_behaviour *good,
                                               const struct wf_behaviour *now,
                                               const struct wf_behaviour_compare_options *options,
                                               struct wf_error *error);
void wf_behaviour_diff_close(struct wf_behaviour_diff *d);
// Gets the next change: those that are certain first, causes before their consequences. Starts with
// *at = 0. Returns false when there are no more.
bool wf_behaviour_diff_next(struct wf_behaviour_diff *d, size_t *at,
                            struct wf_behaviour_difference *change);
// Number of changes of a certainty, consequences included.
size_t wf_behaviour_diff_count(const struct wf_behaviour_diff *d,
                               enum wf_behaviour_certainty certainty);

#ifdef __cplusplus
}
#endif
#endif
