// SPDX-License-Identifier: MIT
// Internals of the check: wf_check_open.c opens it, wf_check.c takes items and counts holes,
// wf_check_rules.c has the table of rules and their limits, wf_check_figures.c collects intervals,
// wf_check_levels.c levels, wf_check_cpu.c loads, wf_check_events.c finds events in changes,
// wf_check_order.c judges them, wf_check_verdict.c decides, wf_check_text.c makes the sentences,
// wf_check_names.c compares names, wf_check_places.c keeps the worst failures.
#ifndef WFI_CHECK_H
#define WFI_CHECK_H

#include "util/wfi_glob.h"
#include "util/wfi_keys.h"
#include "util/wfi_sinks.h"
#include "wallfly_host/wf_check.h"
#include "wallfly_host/wf_model.h"

// ---- places where a rule is broken

struct wfi_place {
    uint64_t from, to, record;
    double value;   // ticks, per cent, or a number
    double badness; // the greater, the worse
    const struct wf_task *task, *by;
    const struct wf_object *object;
    uint64_t text; // address of a span or counter; states: from
    uint64_t state;
    int core, irq;     // -1: none
    bool part;         // of an interval that is not whole
    bool low_is_first; // inversions
    bool low;          // below the lower bound
    const char *event; // events: the one that is missing or wrong; null: none
};

// The worst `cap`, as a heap with the least bad one on top.
struct wfi_places {
    struct wfi_place *at;
    unsigned count, cap;
};
bool wfi_places_open(struct wfi_places *p, unsigned cap);
void wfi_places_close(struct wfi_places *p);
void wfi_places_add(struct wfi_places *p, const struct wfi_place *place);
// Drops those that end after a tick.
void wfi_places_retract(struct wfi_places *p, uint64_t since);
void wfi_places_sort(struct wfi_places *p); // the worst first, then by time

// ---- rules

enum { WFI_MAX, WFI_MIN, WFI_MEAN, WFI_P50, WFI_P95, WFI_P99, WFI_LIMITS };
extern const char *const wfi_limit_names[WFI_LIMITS];
extern const double wfi_limit_shares[WFI_LIMITS]; // of percentiles: that must be within

// What is measured of one row of the statistics, one object or counter.
struct wfi_sum {
    const struct wf_task *task, *by;
    const struct wf_object *object;
    uint64_t text;
    int core, irq;
    bool low_is_first; // inversions
    uint8_t selected;  // 0: not known, 1: no, 2: yes, by the names of revision `names`
    bool unnamed;      // it is not selected, and the record of its name may be lost
    unsigned names;
    uint64_t count, open, in_hole, lost;
    uint64_t failures, fresh; // fresh: of these since the SYNC `sync`
    unsigned sync;
    uint64_t first_failure; // its end; UINT64_MAX: none
    uint64_t over[WFI_LIMITS];
    double total, min, max;
    struct wf_histogram *histogram; // null: the rule has no percentiles
    struct wfi_place worst;
    // Levels
    bool level_known;
    double level;
    uint64_t since, holes; // holes: their number at the last record
};

struct wfi_sums {
    struct wfi_sum **at;
    size_t count, cap;
};

struct wfi_load;
struct wfi_events;

struct wfi_rule {
    struct wf_check_rule r;
    struct wf_check *c;
    double limit[WFI_LIMITS]; // in ticks, per cent, a number; a bound that is not set: infinite
    double lowest;            // of the upper limits
    bool unrated;             // something was measured before the rate was known
    uint64_t unpaired;        // exits of interrupts without their enters
    struct wfi_sums sums;     // by row, or by number of `keys`
    struct wfi_keys keys;
    struct wfi_places broken, above; // above: a percentile or the mean, but within max
    // Inversions: a wait was not tracked, or a priority or holder is not known.
    const char *doubt;
    bool unknown;   // after a hole before the range, a state was not known yet when the range began
    uint64_t waits; // for mutexes
    struct wfi_load *load;
    struct wfi_events *events;
    // The result.
    struct wf_check_result result;
    struct wf_check_failure *failures;
};

struct wfi_listener {
    struct wfi_rule *rule;
    struct wfi_listener *next;
};

struct wf_check {
    struct wfi_sink sink; // the first member
    struct wf_sinks *sinks, *own_sinks;
    struct wf_session *s;
    struct wf_model *m;
    struct wf_stats *stats;
    struct wf_check_options o;
    int err;
    struct wfi_rule *rules;
    unsigned count;
    // Rules by what they take; all nodes are in `nodes`.
    struct wfi_listener *listeners[WF_SPREADS], *by_change[WF_CHANGES];
    struct wfi_listener *afters, *loads, *recorders, *nodes, *next_node;
    // Records and tasks that are in no event, by the present names: by number and select of
    // the row; 1 by index.
    const struct wf_row *unwanted[256][8];
    uint8_t *unwanted_tasks;
    size_t task_cap;
    bool has_logs;
    uint64_t hz, zero, begin, end; // as in the statistics
    uint64_t now, record;          // record: number of the row in the table `record`
    unsigned names;                // revision of the names
    // Holes. missing: records, exact unless `inexact`, or until the next SYNC `unsettled`.
    uint64_t holes, all_holes; // in the window; of the trace
    uint64_t missing, pending; // pending: of holes that have not ended
    bool inexact, unsettled, synced, unseen;
    uint64_t sync_tick, unseen_from;
    unsigned syncs;
    bool ended, decided, entered; // entered: the range has begun
    unsigned tasks, objects;      // their numbers then, if there was a hole before
    // A task whose name may follow its create record.
    bool created;
    struct wf_change create;
};

static inline bool wfi_check_in_window(const struct wf_check *c, uint64_t from, uint64_t to) {
    return from >= c->begin && to <= c->end;
}

struct wfi_sink wfi_check_sink(bool ranged);
void wfi_check_set_clock(struct wf_check *c, uint64_t hz, uint64_t zero);

// Returns WF_OK or WF_ERR_USAGE.
int wfi_rule_check(const struct wf_check_rule *r, unsigned number, struct wf_error *error);
void wfi_rule_set_limits(struct wfi_rule *r, uint64_t hz);
const struct wf_check_bound *wfi_rule_bound(const struct wf_check_rule *r, unsigned limit);
// The spread that the rule measures; WF_SPREADS: none.
enum wf_stats_spread wfi_rule_spread(const struct wf_check_rule *r);

// ---- sums

// Gets or creates the sum of a number. Returns null when out of memory (`err` is set).
struct wfi_sum *wfi_sum_at(struct wfi_rule *r, size_t number);
// Adds a value; `place` has where it was measured.
void wfi_sum_add(struct wfi_rule *r, struct wfi_sum *s, struct wfi_place *place);
// Counts a failure.
void wfi_sum_fail(struct wfi_rule *r, struct wfi_sum *s, struct wfi_place *place);
// Adds an interval of which `place.value` is known to have passed.
void wfi_sum_add_part(struct wfi_rule *r, struct wfi_sum *s, struct wfi_place *place);
bool wfi_sum_selected(struct wfi_rule *r, struct wfi_sum *s);
void wfi_figure_take(struct wfi_rule *r, const struct wf_stats_interval *i);
// NO_INVERSION: notes why an inversion may not be seen.
void wfi_inversion_take(struct wfi_rule *r, const struct wf_change *c);
// Returns whether the state of something that is selected is not known now; whether something
// selected has appeared since the range began, without a record of its create.
bool wfi_rule_is_unknown(struct wfi_rule *r);
bool wfi_rule_has_strangers(struct wfi_rule *r);
void wfi_sums_retract(struct wfi_rule *r, uint64_t since);
void wfi_sums_close(struct wfi_rule *r);

void wfi_level_take(struct wfi_rule *r, const struct wf_change *c);
void wfi_level_end(struct wfi_rule *r);

// ---- names

bool wfi_name_fits(const char *pattern, const char *name); // pattern null: any
// Returns whether it is not a name, but the number that stands for one.
bool wfi_name_is_number(const char *name);
bool wfi_irq_fits(struct wf_check *c, const char *pattern, int irq);
// Writes the name of an interrupt, text or state.
const char *wfi_check_irq_name(struct wf_check *c, int irq, char to[40]);
const char *wfi_check_text_name(struct wf_check *c, uint64_t address, char *to, size_t cap);
const char *wfi_check_state_name(struct wf_check *c, uint64_t state, char to[40]);
// Collects the names nearest to a text: offer each, then read `list` ("a, b, c"; "" if none).
struct wfi_check_near {
    const char *text;
    unsigned count, distance[3];
    char name[3][40];
};
void wfi_check_near_offer(struct wfi_check_near *n, const char *name);
void wfi_check_near_list(const struct wfi_check_near *n, char *to, size_t cap);

// ---- results

void wfi_verdict(struct wfi_rule *r);
// Writes a value in the rule's unit: "6.21 ms", "40 %".
const char *wfi_value_text(const struct wfi_rule *r, double value, char to[40]);
void wfi_failure_text(struct wfi_rule *r, const struct wfi_place *p, char *to, size_t cap);
// Reports a failure to the user (on_failure).
void wfi_failure_report(struct wfi_rule *r, const struct wfi_place *p);
// The value in the unit of the interface: seconds, per cent, a number.
double wfi_value_unit(const struct wfi_rule *r, double value);

#endif
