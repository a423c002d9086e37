// SPDX-License-Identifier: MIT
// Loads: the most and the least busy ticks of any window of a length, sliding over time.
#ifndef WFI_CHECK_LOAD_H
#define WFI_CHECK_LOAD_H

#include "wfi_check.h"

// Busy times in order. A window has its most busy ticks if it begins where a busy time begins or
// ends where one ends, and its least in the opposite cases; so only these are measured.
struct wfi_slider {
    struct wfi_busy {
        uint64_t from, to, before; // before: busy ticks before `from`
    } * at;
    size_t first, count, cap; // at[first .. count - 1] are kept
    size_t begins, ends;      // those whose window from their begin, or end, is not measured yet
    uint64_t total, origin;
    double most, least; // ticks; infinite: no window
};

struct wfi_window {
    uint64_t from, to;
    uint64_t busy;
};
typedef void (*wfi_window_fn)(void *ctx, const struct wfi_window *window);

struct wfi_load_series {
    size_t number; // of its sum; its key in `keys`
    struct wfi_slider sure, possible;
    // Ticks of windows: the most that are sure, the most and least that are possible.
    double top, most, least;
    uint64_t windows;
    bool exact;   // what is possible is what is sure: `possible` is not used
    bool skipped; // a task of another name
    bool open;    // an episode of windows that break the rule
    struct wfi_place episode;
};

struct wfi_load {
    uint64_t window, time;    // time: begin of the runs that are taken now
    bool begun, cores, tasks; // the rule is of cores, tasks
    uint64_t first, last;
    double most_allowed, least_allowed; // ticks of a window
    uint64_t unknown_until;
    uint64_t late_until; // until then there was a core that was not known
    uint64_t doubt;      // ticks in the past of which the activity turned out to be wrong
    double most_unknown; // of a window
    struct wfi_slider unknown;
    struct wfi_load_series **series; // by number of the rule's keys
    size_t count, cap;
};

bool wfi_load_open(struct wfi_rule *r);
void wfi_load_close(struct wfi_rule *r);
void wfi_load_rate(struct wfi_rule *r);
void wfi_load_take(struct wfi_rule *r, const struct wf_stats_run *run);
// Ticks since `from` are doubtful: failures that end later are dropped.
void wfi_load_doubt(struct wfi_rule *r, uint64_t from);
void wfi_load_end(struct wfi_rule *r);

// ---- wf_check_slider.c

// Return false when out of memory. add: a busy time from `from` to `to`, not before earlier ones;
// what it overlaps with the last one is left out. move: nothing is busy until `to`.
bool wfi_slider_begin(struct wfi_slider *s, uint64_t origin);
bool wfi_slider_add(struct wfi_slider *s, uint64_t window, uint64_t from, uint64_t to,
                    wfi_window_fn on, void *ctx);
void wfi_slider_end(struct wfi_slider *s, uint64_t window, uint64_t to, wfi_window_fn on,
                    void *ctx);
bool wfi_slider_copy(struct wfi_slider *to, const struct wfi_slider *from);
void wfi_slider_close(struct wfi_slider *s);

#endif
