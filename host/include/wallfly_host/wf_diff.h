// SPDX-License-Identifier: MIT
// Compares two profiles (wf_profile.h), a good one and a new one: which figures have changed, by
// how much, whether chance explains it, and which change is most likely the cause of the others.
// docs/profile.md defines the tests and the order.
//
//   d = wf_diff_open(good, now, &options, &error)
//   for (at = 0; wf_diff_next(d, &at, &figure);) ...   // most important first
//   wf_diff_condition_parse("response[control] p99 +10 %", &condition, &error)
//   while (wf_diff_condition_next(d, &condition, &at, &figure, &answer)) ...
//
// The profiles must outlive the comparison. All functions are for one thread at a time.
#ifndef WF_DIFF_H
#define WF_DIFF_H

#include "wf_error.h"
#include "wf_profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_diff_options {
    size_t size;   // sizeof(struct wf_diff_options)
    double alarms; // probability of any WF_DIFF_CHANGED between equal runs; 0: 0.01
    double least;  // changes below this, in per cent, are WF_DIFF_SMALL; 0: 1
};

// What is compared of a figure.
enum wf_diff_measure {
    WF_DIFF_MEAN,
    WF_DIFF_MEDIAN,
    WF_DIFF_P95,
    WF_DIFF_P99,
    WF_DIFF_MAX,
    WF_DIFF_MIN,
    WF_DIFF_RATE,  // of counts, and of the values of distributions: per second
    WF_DIFF_SHARE, // of times that are sums: per cent of the time observed
    WF_DIFF_VALUE, // a single number without a distribution: bytes never used of a stack
    WF_DIFF_MEASURES
};
extern const char *const wf_diff_measure_names[WF_DIFF_MEASURES]; // "mean", "median", "p95", ...

enum wf_diff_verdict {
    WF_DIFF_CHANCE,  // no change, or one that chance explains
    WF_DIFF_SMALL,   // not by chance, but below options.least or one tick
    WF_DIFF_FEW,     // too few values or blocks of time for a verdict
    WF_DIFF_MARKED,  // lost data may have changed it: no verdict
    WF_DIFF_CHANGED, // chance does not explain it
    WF_DIFF_VERDICTS
};
extern const char *const wf_diff_verdict_names[WF_DIFF_VERDICTS]; // "chance", "small", ...

struct wf_diff_change {
    bool known;       // the measure applies, and both sides have a value
    double good, now; // times in seconds (ticks if no rate is known), shares in per cent
    double effect;    // per cent of `good`; infinite if that is 0
    double p;         // probability of such a difference by chance; 1: cannot be computed
    double p_least;   // the smallest that it could be, with so few blocks of time
    double p_all;     // p, corrected for the number of measures compared
    double noise;     // the difference in units of its own standard error; may be infinite
    enum wf_diff_verdict verdict;
};

enum wf_diff_presence { WF_DIFF_BOTH, WF_DIFF_NEW, WF_DIFF_VANISHED };

// A figure of a row. Texts are valid until the comparison is closed.
struct wf_diff_figure {
    unsigned lane;
    enum wf_stats_kind kind; // WF_STATS_KINDS: the lane itself, with the figure "lost"
    const char *name, *what, *task, *object, *by, *over; // as in struct wf_stats_row
    int core;
    const char *figure;
    enum wf_unit unit;
    enum wf_diff_presence presence; // NEW, VANISHED: of the row
    bool marked;
    double good_count, now_count; // values in each
    struct wf_diff_change measures[WF_DIFF_MEASURES];
    enum wf_diff_measure leading; // the measure that decides verdict and order
    enum wf_diff_verdict verdict;
    double moved; // change of processor time that it stands for, in per cent of a core
};

struct wf_diff;

// Returns null and an error: WF_ERR_USAGE (options; the tick rate of one side only is known),
// WF_ERR_NOMEM. options may be null.
struct wf_diff *wf_diff_open(const struct wf_profile *good, const struct wf_profile *now,
                             const struct wf_diff_options *options, struct wf_error *error);
void wf_diff_close(struct wf_diff *d);
// Returns the figures in order: changes first, those that may be causes before their consequences.
// Starts with *at = 0. Returns false when there are no more.
bool wf_diff_next(const struct wf_diff *d, size_t *at, struct wf_diff_figure *figure);

struct wf_diff_about {
    size_t figures, measures;          // compared; of these, measures with a probability
    size_t verdicts[WF_DIFF_VERDICTS]; // figures by verdict
    size_t new_rows, vanished_rows;
};
void wf_diff_report(const struct wf_diff *d, struct wf_diff_about *about);

// ---- conditions: a change that must not be, as in --fail-on

enum { WF_DIFF_PATTERN = 64 };

// FIGURE[PATTERN] MEASURE LIMIT. FIGURE: as in docs/stats.md, with _ for spaces, or "lost".
// [PATTERN]: only rows with a task, object or name that fits; * matches any text, ? one character.
// MEASURE: of wf_diff_measure_names, or none: mean, for single numbers value, for counts rate, for
// times share. LIMIT: +10 % or -10 % of the good value, or in units of the figure, as +2 ms, +5, +1
// pp (points of per cent). "response[control] p99 +10 %".
struct wf_diff_condition {
    char figure[32], pattern[WF_DIFF_PATTERN];
    bool any_measure; // none is given
    enum wf_diff_measure measure;
    bool relative;     // limit is per cent
    double limit;      // signed; times in seconds
    enum wf_unit unit; // of an absolute limit
};

// Returns WF_OK or WF_ERR_USAGE; the error names the part that is wrong.
int wf_diff_condition_parse(const char *text, struct wf_diff_condition *condition,
                            struct wf_error *error);

enum wf_diff_answer {
    WF_DIFF_HOLDS,       // no figure crosses the limit, or only by chance
    WF_DIFF_FAILS,       // at least one crosses it, and chance does not explain the change
    WF_DIFF_CANNOT_TELL, // a figure crosses it, but is marked or has too few values
    WF_DIFF_NO_FIGURE    // no figure fits the condition
};
// Returns each figure that crosses the limit but not by chance, or of which that cannot be told;
// *answer is that of the figure. Starts with *at = 0. Returns false when there are no more; then
// *answer is that of the whole condition.
bool wf_diff_condition_next(const struct wf_diff *d, const struct wf_diff_condition *condition,
                            size_t *at, struct wf_diff_figure *figure, enum wf_diff_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
