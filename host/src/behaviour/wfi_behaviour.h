// SPDX-License-Identifier: MIT
// Internals of behaviour. wf_behaviour.c keeps a collection, wf_behaviour_collect.c makes runs from
// the changes of the model, wf_behaviour_runs.c stores them, wf_behaviour_names.c names them at the
// end, wf_behaviour_save.c writes and reads a collection; the rest compares.
//
// A collection consists of facts: each has a kind, an actor, up to three parts, and where it was
// seen. Parts are numbers of texts, actions or other facts. While a trace is read, texts are not
// known yet, so the sink fills a collection of its own, in which the numbers of texts are those of
// entities; at the end that is joined to the caller's, with the entities' names.
#ifndef WFI_BEHAVIOUR_H
#define WFI_BEHAVIOUR_H

#include "util/wfi_grow.h"
#include "util/wfi_index.h"
#include "util/wfi_keys.h"
#include "wallfly_host/wf_behaviour.h"
#include "wallfly_host/wf_model.h"

enum wfi_actor_kind { WFI_ACTOR_LANE, WFI_ACTOR_TASK, WFI_ACTOR_IRQ, WFI_ACTOR_MACHINE };

// V(enumerator, sentence): %1 and %2 are the texts of an action's parts. Saved in files: append.
#define WFI_VERBS(V)                                                                               \
    V(MORE, "and more")                                                                            \
    V(TAKES, "takes %1")                                                                           \
    V(GIVES, "gives %1")                                                                           \
    V(GIVES_UP, "gives up waiting for %1")                                                         \
    V(REFUSED, "does not get %1")                                                                  \
    V(STARTS, "starts %1")                                                                         \
    V(STOPS, "stops %1")                                                                           \
    V(ALLOCATES, "allocates from %1")                                                              \
    V(FREES, "gives memory back to %1")                                                            \
    V(NO_MEMORY, "gets no memory from %1")                                                         \
    V(BEGINS, "begins %1")                                                                         \
    V(ENDS_SPAN, "ends %1")                                                                        \
    V(COUNTS, "sets %1")                                                                           \
    V(LOGS, "logs %1")                                                                             \
    V(RECORDS, "records %1")                                                                       \
    V(POSTS, "posts %1 to %2")                                                                     \
    V(POST_FAILS, "cannot post %1 to %2")                                                          \
    V(GETS_SIGNAL, "gets %1")                                                                      \
    V(ENTERS, "goes to %1")                                                                        \
    /* the ends of runs */                                                                         \
    V(AWAITS, "then waits for %1")                                                                 \
    V(SLEEPS, "then sleeps")                                                                       \
    V(SUSPENDS, "then is suspended")                                                               \
    V(BLOCKS, "then blocks")                                                                       \
    V(ENDS, "then ends")                                                                           \
    V(RETURNS, "then returns")                                                                     \
    V(BLOCKS_IN, "then blocks in %1")

enum wfi_verb {
#define WFI_X(verb, sentence) WFI_VERB_##verb,
    WFI_VERBS(WFI_X)
#undef WFI_X
        WFI_VERB_COUNT
};

// Kinds of facts. Those up to STUCK are saved in files: their numbers do not change.
enum wfi_fact_kind {
    WFI_FACT_RUN,        // a, b: its actions, offset and count in the list
    WFI_FACT_FOLLOWS,    // a, b: runs (facts)
    WFI_FACT_STATE,      // a: state
    WFI_FACT_TRANSITION, // a: from, b: to
    WFI_FACT_TASK,       // the actor itself
    WFI_FACT_CREATED,    // the creation of a task, or with a, b as below of an object
    WFI_FACT_OBJECT,     // a: kind, b: name
    WFI_FACT_RECORD,     // a: name
    WFI_FACT_STUCK,      // a: the actor waits for it when the trace ends
    WFI_FACT_SAVED,
    WFI_FACT_ACTION = WFI_FACT_SAVED, // a: action. Derived from RUN, as are the following
    WFI_FACT_LOCKS,                   // a, b: texts; a run takes lock a before b
    WFI_FACT_NESTS,                   // a, b: some task takes b while it holds a
    WFI_FACT_VARIETY,                 // runs that the other side does not have
    WFI_FACT_KINDS
};

enum { WFI_RUN_ACTIONS = 64, WFI_PARTS = 3, WFI_NO_FACT = 0 };

// Where a fact was seen in one trace.
struct wfi_seen {
    uint32_t next; // the same fact in another trace: number from 1; 0: none
    uint32_t trace;
    uint64_t bits; // blocks of time in which it occurred
    uint64_t count;
    uint64_t tick, record, run; // of its first occurrence
};

struct wfi_fact {
    enum wfi_fact_kind kind;
    uint32_t actor; // number from 1
    uint32_t part[WFI_PARTS];
    uint32_t seen; // the first one, from 1
};

struct wfi_trace_info {
    uint32_t source; // text
    uint32_t lane;
    uint64_t hz, first, last, zero, records, holes, unnamed;
    uint64_t touched;    // blocks that a hole touches
    unsigned block_bits; // a block has 1 << block_bits ticks
    bool full;
};

// Runs of an actor in a trace, in their order.
struct wfi_entry {
    uint32_t run; // fact; 0: a gap, some runs are not known
    uint32_t times;
    uint64_t tick, record, number; // of the first of them
};
struct wfi_sequence {
    uint32_t actor, trace;
    struct wfi_entry *entries;
    size_t count, cap;
    bool cut; // there were more
};

struct wfi_texts {
    char *bytes;
    size_t len, cap;
    struct wfi_text {
        size_t at, len;
    } * list; // number n is list[n - 1]; zero-terminated
    size_t count, list_cap;
    struct wfi_index index;
};

struct wf_behaviour {
    int err;
    bool whole;        // of a comparison: without limits, as its parts have them
    bool *mutexes;     // of a comparison, by text: a mutex has this name
    uint32_t *objects; // of a comparison, by text: the OBJECT of this name, 0: none
    struct wfi_texts texts;
    struct wfi_keys actors;  // key: kind | lane << 8, with: text
    struct wfi_keys actions; // key: verb | text << 8, with: text
    uint32_t *list;          // actions of runs
    size_t list_count, list_cap;
    struct wfi_fact *facts; // number n is facts[n - 1]
    size_t fact_count, fact_cap;
    struct wfi_index fact_index;
    struct wfi_seen *seen; // number n is seen[n - 1]
    size_t seen_count, seen_cap;
    struct wfi_trace_info *traces;
    size_t trace_count, trace_cap;
    struct wfi_sequence *sequences;
    size_t sequence_count, sequence_cap;
};

// ---- collections (wf_behaviour.c). Numbers are from 1; 0: out of memory, err is set
uint32_t wfi_behaviour_text(struct wf_behaviour *b, const char *text, size_t len);
const char *wfi_behaviour_text_at(const struct wf_behaviour *b, uint32_t text); // 0: ""
uint32_t wfi_behaviour_actor(struct wf_behaviour *b, enum wfi_actor_kind kind, unsigned lane,
                             uint32_t text);
uint32_t wfi_behaviour_action(struct wf_behaviour *b, enum wfi_verb verb, uint32_t a,
                              uint32_t with);
uint32_t wfi_behaviour_find_action(const struct wf_behaviour *b, enum wfi_verb verb, uint32_t a);
// Returns 0 if there is none. Not for runs.
uint32_t wfi_behaviour_find(const struct wf_behaviour *b, enum wfi_fact_kind kind, uint32_t actor,
                            uint32_t x, uint32_t y, uint32_t z);
// Returns the fact, new if there is none. 0: out of memory, or there are too many (*full is set).
uint32_t wfi_behaviour_fact(struct wf_behaviour *b, enum wfi_fact_kind kind, uint32_t actor,
                            uint32_t x, uint32_t y, uint32_t z, bool *full);
uint32_t wfi_behaviour_run(struct wf_behaviour *b, uint32_t actor, const uint32_t *actions,
                           uint32_t count, bool *full);
// Returns where the fact was seen in the trace, new if it was not. Null when out of memory.
struct wfi_seen *wfi_behaviour_seen(struct wf_behaviour *b, uint32_t fact, uint32_t trace);
// Adds to where the fact was seen in a trace.
void wfi_behaviour_see(struct wf_behaviour *b, uint32_t fact, const struct wfi_seen *seen);
uint32_t wfi_behaviour_new_trace(struct wf_behaviour *b, const struct wfi_trace_info *trace);
// Returns the actor's sequence in a trace, new if there is none; null: out of memory, or enough
// traces have sequences.
struct wfi_sequence *wfi_behaviour_sequence(struct wf_behaviour *b, uint32_t actor, uint32_t trace);
bool wfi_sequence_add(struct wf_behaviour *b, struct wfi_sequence *q, const struct wfi_entry *e);
// Adds all of `from`; texts[n] is the number in `b` of text n of `from`.
void wfi_behaviour_import(struct wf_behaviour *b, const struct wf_behaviour *from,
                          const uint32_t *texts);

static inline const struct wfi_fact *wfi_fact(const struct wf_behaviour *b, uint32_t fact) {
    return &b->facts[fact - 1];
}
static inline struct wfi_key wfi_actor_key(const struct wf_behaviour *b, uint32_t actor) {
    return b->actors.list[actor - 1];
}
static inline enum wfi_actor_kind wfi_actor_kind(const struct wf_behaviour *b, uint32_t actor) {
    return (enum wfi_actor_kind)(wfi_actor_key(b, actor).key & 0xFF);
}
static inline unsigned wfi_actor_lane(const struct wf_behaviour *b, uint32_t actor) {
    return (unsigned)(wfi_actor_key(b, actor).key >> 8);
}
static inline uint32_t wfi_actor_text(const struct wf_behaviour *b, uint32_t actor) {
    return (uint32_t)wfi_actor_key(b, actor).with;
}
static inline enum wfi_verb wfi_action_verb(const struct wf_behaviour *b, uint32_t action) {
    return (enum wfi_verb)(b->actions.list[action - 1].key & 0xFF);
}
static inline uint32_t wfi_action_text(const struct wf_behaviour *b, uint32_t action) {
    return (uint32_t)(b->actions.list[action - 1].key >> 8);
}
static inline uint32_t wfi_action_text2(const struct wf_behaviour *b, uint32_t action) {
    return (uint32_t)b->actions.list[action - 1].with;
}

#endif
