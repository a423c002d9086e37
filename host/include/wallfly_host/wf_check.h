// SPDX-License-Identifier: MIT
// Rules on a trace: whether its times, loads, orders and levels keep the bounds that the user gave.
// A rule passes, fails, or cannot be decided: a hole in the data lies where the answer would be. A
// rule is never taken for passed because data is missing.
//
//   c = wf_check_open(session, rules, count, &options, &error)
//   for each item: wf_check_take(c, &item)
//   wf_check_end(c); for (i = 0; i < count; ++i) wf_check_result(c, i, &result)
//
// What is measured is what wf_stats.h counts: the same jobs, waits, holds and periods. A check is
// for its session's thread. Memory depends on the number of rules, tasks and objects, on the
// failures kept, and on the runs or events within a rule's window or `max`, not on the length of
// the trace.
//
// A rule of a figure (from RESPONSE to STEP) judges each whole interval, of each task or object
// that its keys select, that lies in the time range.
//   - It fails if a whole interval is above `max` or below `min`, or if one that is not whole has
//     already lasted longer than `max`: it is open at the end of the trace or range, or at a hole,
//     or its job was abandoned, or its task ended.
//   - It fails if more than 50, 5 or 1 per cent of the whole intervals are above `p50`, `p95`,
//     `p99`, or their mean is above `mean`, and no intervals that the holes may hide could change
//     that. An exact hole hides at most as many intervals as records are missing in it.
//   - Else it cannot be decided if a hole lies in the range and may hide what breaks it; if a hole
//     before the range leaves the state of something that is selected unknown when the range
//     begins; if the begin or end of an interval is missing though nothing is lost (an interrupt
//     without an exit, a mutex given by another task); if nothing was measured; if the keys select
//     nothing; if the rate of the clock is not known.
//   - Else it passes. Intervals that began before the range do not count, nor do those that are
//     open at its end within `max`.
// A hole lies from the last time before it to the first time after it. A loss that only a SYNC
// record shows lies anywhere since the SYNC record before: failures found in between are undecided.
// The beginning of a ring (WF_LOSS_BEGINNING) is no hole, a malformed record is one. Names select
// at the end, so a name may come after what was measured. A task or object whose name may be lost
// in a hole may be any. What the model cannot detect (docs/model.md), the check cannot either: a
// task deleted and created again within a hole counts as one.
#ifndef WF_CHECK_H
#define WF_CHECK_H

#include "wf_error.h"
#include "wf_session.h"
#include "wf_sinks.h"
#include "wf_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

// Units of bounds. In C, times are seconds, shares per cent.
enum wf_check_unit {
    WF_CHECK_NO_UNIT, // the rule has no bounds
    WF_CHECK_TIME,
    WF_CHECK_SHARE,
    WF_CHECK_NUMBER,
    WF_CHECK_BYTES
};

// Rules: R(enumerator, name in scripts, unit of its bounds, keys that select what is measured (of
// enum wf_check_key), bounds that it has, sentence). Rules of figures have the figure's name of
// docs/stats.md.
#define WF_CHECK_RULES(R)                                                                          \
    R(LOSS, "loss", NUMBER, 0, UPPER, "records missing from the trace")                            \
    R(CPU, "cpu", SHARE, TASK | IRQ | CORE | WINDOW, RANGE, "share of a core in any window")       \
    R(RESPONSE, "response", TIME, TASK, SPREAD, "time from a job's arrival to its end")            \
    R(DEADLINE, "deadline", TIME, TASK, UPPER, "longest response that is allowed")                 \
    R(EXECUTION, "execution", TIME, TASK, SPREAD, "time that a job ran")                           \
    R(START, "start", TIME, TASK, SPREAD, "time from a job's arrival until it runs")               \
    R(PERIOD, "period", TIME, TASK | IRQ | TIMER, SPREAD,                                          \
      "time from one arrival or begin to the next")                                                \
    R(JITTER, "jitter", TIME, TASK, SPREAD, "difference of a response from the one before")        \
    R(HOLD, "hold", TIME, TASK | MUTEX, SPREAD, "time that a mutex is held")                       \
    R(WAIT, "wait", TIME, TASK | OBJECT, SPREAD, "time that tasks wait for an object")             \
    R(BLOCKED, "blocked", TIME, TASK | MUTEX | BY, SPREAD, "time that a holder blocks a waiter")   \
    R(IRQ, "irq", TIME, IRQ, SPREAD, "time from an interrupt's begin to its end")                  \
    R(SPAN, "span", TIME, NAME | TASK, SPREAD, "time from a span's begin to its end")              \
    R(STEP, "step", TIME, MACHINE, SPREAD, "time of a state machine's step")                       \
    R(QUEUE, "queue", NUMBER, OBJECT, RANGE, "fill level of a queue, count of a semaphore")        \
    R(COUNTER, "counter", NUMBER, NAME, RANGE, "values of a counter")                              \
    R(STACK, "stack", BYTES, TASK, RANGE, "bytes of a stack that were never used")                 \
    R(HEAP, "heap", BYTES, OBJECT, RANGE, "bytes of a heap that were never used")                  \
    R(NO_INVERSION, "no_inversion", NO_UNIT, TASK | MUTEX, NONE, "no priority inversion")          \
    R(NEVER, "never", NO_UNIT, EVENT, NONE, "an event that must not occur")                        \
    R(AFTER, "after", TIME, EVENT | EXPECT, UPPER, "an event follows another in time")             \
    R(ORDER, "order", NO_UNIT, EVENTS, NONE, "events occur in this order, again and again")        \
    R(STATE, "state", NO_UNIT, MACHINE | STATES, NONE, "transitions of a state machine")

enum wf_check_kind {
#define WF_X(rule, name, unit, keys, bounds, sentence) WF_CHECK_##rule,
    WF_CHECK_RULES(WF_X)
#undef WF_X
        WF_CHECK_KINDS
};

// Keys that a rule is not given select any. PERIOD has one of TASK, IRQ, TIMER: tasks if none is
// given. CPU has one of TASK, IRQ, CORE (a task or interrupt and its core may be combined): each
// core if none is given.
enum wf_check_key {
    WF_CHECK_KEY_TASK = 1 << 0,
    WF_CHECK_KEY_IRQ = 1 << 1, // a name, or a number in text
    WF_CHECK_KEY_CORE = 1 << 2,
    WF_CHECK_KEY_WINDOW = 1 << 3,
    WF_CHECK_KEY_TIMER = 1 << 4,
    WF_CHECK_KEY_MUTEX = 1 << 5,
    WF_CHECK_KEY_OBJECT = 1 << 6,
    WF_CHECK_KEY_BY = 1 << 7,
    WF_CHECK_KEY_NAME = 1 << 8,
    WF_CHECK_KEY_MACHINE = 1 << 9,
    WF_CHECK_KEY_EVENT = 1 << 10,
    WF_CHECK_KEY_EXPECT = 1 << 11,
    WF_CHECK_KEY_EVENTS = 1 << 12,
    WF_CHECK_KEY_STATES = 1 << 13
};

// Bounds that a rule may have.
enum wf_check_bounds {
    WF_CHECK_NONE,
    WF_CHECK_UPPER,  // max
    WF_CHECK_RANGE,  // min, max
    WF_CHECK_SPREAD, // min, max, mean, p50, p95, p99
};

struct wf_check_kind_info {
    const char *name;
    enum wf_check_unit unit;
    unsigned keys; // of enum wf_check_key
    enum wf_check_bounds bounds;
    const char *sentence;
};
extern const struct wf_check_kind_info wf_check_kinds[WF_CHECK_KINDS];

struct wf_check_bound {
    bool set;
    double value; // in the unit of the rule
};

// Names are patterns: * matches any characters, ? one. Null: any. Texts must stay valid until the
// check is closed. A rule with bounds needs at least one of them.
//
// LOSS          Records that the ledger counts as missing, or that are malformed. Decided by the
//               whole trace, without a range. A number that is only known modulo 256 is a minimum.
// CPU           Time that a task or interrupt ran, or that a core was not idle, of any window of
//               `window_s` in the range (sliding: the maximum, and the minimum for `min`, are
//               exact), or of the whole range. Each selected task, interrupt and core has a load of
//               its own. 100 % is one core. Time in which it is unknown what a core did counts as
//               possible load.
// QUEUE         The count after each change, and the one at the begin of the range.
// COUNTER       Each recorded value.
// STACK, HEAP   The recorded minimum of free bytes. A record after a hole includes the hole.
// NO_INVERSION  docs/stats.md defines inversions. Fails with each wait that has one.
// NEVER         Fails with each occurrence of the event.
// AFTER         After each occurrence of the event, `expect` occurs within `max` (which it must
//               have), in a later record. One that is not followed fails if the trace goes on for
//               longer than `max`. Cannot be decided if nothing in the trace has the name of one
//               of the two.
// ORDER         Any occurrence of one of the events is followed by one of the next in the list,
//               after the last by one of the first. The first in the trace, or behind a hole, may
//               be any of them. At most WF_CHECK_EVENTS. Cannot be decided if nothing in the trace
//               has the name of one of them.
// STATE         Each transition of a machine to another state. Transitions from a state to itself
//               are not judged.
struct wf_check_rule {
    size_t size; // sizeof(struct wf_check_rule)
    enum wf_check_kind kind;
    const char *task, *irq, *object, *by, *name, *machine; // object: of mutexes and timers too
    int core;                                              // -1: any
    double window_s;                                       // 0: the whole trace
    struct wf_check_bound min, max, mean, p50, p95, p99;   // mean and percentiles: upper bounds
    // Events, as wf_check_event parses them: NEVER and AFTER: events[0]; ORDER: all. `expect`:
    // must follow events[0] within `max`.
    const char *const *events;
    unsigned event_count;
    const char *expect;
    // STATE: transitions from `from` (null: any) to `to` (null: any) are forbidden, or with `only`
    // the states in it are the only ones that may follow `from`.
    const char *from, *to;
    const char *const *only;
    unsigned only_count;
};
enum { WF_CHECK_EVENTS = 64 };

// What a hole makes of a rule that it touches, and that is not decided by what is known: undecided;
// failed; or decided as if nothing was missing.
enum wf_check_loss { WF_CHECK_LOSS_UNDECIDED, WF_CHECK_LOSS_FAILS, WF_CHECK_LOSS_IGNORED };

struct wf_check_failure;

struct wf_check_options {
    size_t size;
    enum wf_check_loss loss; // what a hole makes of a rule that it touches
    bool has_from, has_until;
    double from_s, until_s; // as in wf_stats_options
    bool target_clock;
    enum wf_priorities priorities;
    unsigned failures;      // kept for each rule; 0: WF_CHECK_FAILURES
    struct wf_sinks *sinks; // the group to join; null: one of its own
    // For a trace that has not ended; null: none. Is called within wf_check_take, before the record
    // after it is taken, for each failure that is certain by what is known so far: the names up to
    // there select, and an expected event is reported once it is too late. A loss that shows only
    // later may take a failure back. Some rules have failures at the end only (wf_check_reports).
    void (*on_failure)(void *ctx, unsigned rule, const struct wf_check_failure *failure);
    void *ctx;
};
enum { WF_CHECK_FAILURES = 100 };

struct wf_check;

// Returns null when out of memory, or for a rule that cannot be used (WF_ERR_USAGE; the text names
// it). The session must outlive the check. Rules are copied, their texts are not.
struct wf_check *wf_check_open(struct wf_session *s, const struct wf_check_rule *rules,
                               unsigned count, const struct wf_check_options *options,
                               struct wf_error *error);
void wf_check_close(struct wf_check *c);
void wf_check_take(struct wf_check *c, const struct wf_item *item); // as wf_stats_take
void wf_check_end(struct wf_check *c);
// Whether on_failure may be called for a rule: not if it only has bounds that need all values
// (mean, percentiles, a load over the whole range).
bool wf_check_reports(const struct wf_check_rule *rule);
int wf_check_error(const struct wf_check *c); // WF_OK or WF_ERR_NOMEM
// Events. A name with blanks, or one that is also a word of this list, is in quotes, single or
// double: "log 'battery low*'". Names are patterns.
//
//   NAME                    an interrupt or span of this name begins, a timer expires, a record or
//                           application record has the name, or a log text matches it
//   TASK runs               the switch to it
//   TASK stops              it leaves its core, for any reason
//   TASK ready              it was blocked, delayed or suspended, and becomes ready
//   TASK blocks, delays     it leaves its core to wait; to sleep
//   TASK created, ends      as recorded
//   TASK takes OBJECT       ... gives OBJECT, waits OBJECT: begins to wait for it
//   NAME begins, NAME ends  an interrupt or span
//   MACHINE enters STATE    a transition to it, or the initial one
//   record NAME, log TEXT   a record or application record; a log text
//
// An event occurs where the trace records it: what is only known to have happened at some time
// before, in a hole or before the trace, is none.
//
// Returns whether the text is an event. Else `error` says what is wrong.
bool wf_check_event(const char *text, struct wf_error *error);

enum wf_check_verdict { WF_CHECK_PASSED, WF_CHECK_FAILED, WF_CHECK_UNDECIDED };
extern const char *const wf_check_verdicts[3]; // "pass", "fail", "cannot tell"

// A place where a rule is broken.
struct wf_check_failure {
    uint64_t from, to; // ticks; equal: a moment
    double value;      // measured, in the unit of the rule; 0 without a unit. Of an interval that
                       // is open or cut: what is known of it
    const char *task;  // null: none. Texts are valid until wf_check_close
    unsigned core;
    uint64_t record; // number of its row in the table `record` (docs/table-list.md), from 1; of an
                     // interval that is open: of the last one before
    char text[160];  // a sentence: "response of control took 6.21 ms, 5 ms are allowed"
};

struct wf_check_result {
    const struct wf_check_rule *rule;
    enum wf_check_verdict verdict;
    char text[240];     // a sentence: what was measured, or why it cannot be decided
    bool measured;      // value, bound and margin are set
    const char *figure; // the bound that is closest, or exceeded the most: "max", "p99"
    double value, bound;
    double margin;      // (bound - value) / bound of an upper bound, in per cent; negative: broken
    uint64_t count;     // whole intervals, values, windows or events that were checked
    uint64_t undecided; // those that a hole cuts, or whose begin or end is missing
    uint64_t holes;     // that touch the rule
    uint64_t failure_count;
    const struct wf_check_failure *failures; // the worst first; the number kept is `kept`
    unsigned kept;
};
// Call after wf_check_end. Valid until wf_check_close.
void wf_check_result(const struct wf_check *c, unsigned rule, struct wf_check_result *result);

#ifdef __cplusplus
}
#endif
#endif
