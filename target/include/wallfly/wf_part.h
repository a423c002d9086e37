// SPDX-License-Identifier: MIT
// Part tracing: which tasks are shown. Records of the others, and what they do to objects, are left
// out; switches through them appear as the switch that users must see, from the task shown last to
// the one shown next (docs/part-tracing.md). With WF_CFG_PART 0 all are shown, at no cost.
//
// Tasks go in or out at run time by address, by name and by priority. The rule given last that fits
// a task decides; the same rule given again takes the place of its earlier one. A task is known by
// its WF_TASK_CREATE: rules by name and priority reach those created with room in the table. A rule
// by address holds for every task that is created there.
#ifndef WF_PART_H
#define WF_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly/wf_config.h"

#ifdef __cplusplus
extern "C" {
#endif

// How switches through hidden tasks appear.
enum wf_part_view {
    WF_PART_DIRECT,   // from the task shown last to the one shown next, when that one runs
    WF_PART_GAP,      // the same, and a switch to no task where a hidden one takes over
    WF_PART_PUBLISHED // as the thesis' published tracer does it, faults included; to compare
};

struct wf_part_status {
    unsigned tasks,
        hidden; // in the table; hidden ones, with deleted ones whose place is not needed
    unsigned rules;
    uint32_t no_room; // tasks that found the table full: no rule by name or priority reaches them
    uint32_t no_core; // switches on a core that WF_CFG_CORES does not count: recorded as they are
};

struct wf_part_switch {
    const void *last, *next; // tasks; in and out. Out: null if none was shown, or in a gap
    unsigned reason;         // why last left, of WF_REASONS
};

#if WF_CFG_PART

// In (shown) or out. False: no room (WF_CFG_PART_RULES, and for a task the table of
// WF_CFG_PART_TASKS, too); nothing is changed. Names are compared by a hash of 32 bits and need not
// stay; priorities are first to last, as the RTOS counts. Context: any; interrupts are off while
// all tasks of the table are judged anew.
bool wf_part_task(const void *task, bool shown);
bool wf_part_name(const char *name, bool shown);
bool wf_part_priority(int first, int last, bool shown);
// Forgets all rules: from now on all tasks are shown, or hidden. Context: any.
void wf_part_all(bool shown);

// Context: any.
void wf_part_set_view(enum wf_part_view view);
void wf_part_get_status(struct wf_part_status *status);
bool wf_part_knows(const void *task); // it is in the table

// ---- inside; not for users ----

#define WFI_PART_HASH_START UINT32_C(5381)

struct wfi_part_task {
    const void *task;
    uint32_t name; // its hash
    int16_t prio;
    bool prio_known, named, deleted;
};

struct wfi_part_rule {
    uint8_t kind;
    bool shown;
    union {
        const void *task;
        uint32_t name;
        int16_t prio[2];
    } of;
};

// One core. DIRECT, GAP: task is the one shown as running, if `state` is set so; PUBLISHED: the T1
// and T2 of the thesis.
struct wfi_part_core {
    const void *task, *to;
    uint8_t state, reason; // reason: why `task` left the CPU
    bool away;             // it did, and this is not shown yet
};

struct wfi_part {
    bool out; // tasks that no rule reaches are hidden
    uint8_t view;
    uint16_t count, hidden, rule_count;
    uint32_t no_room, no_core;
    struct wfi_part_task tasks[WF_CFG_PART_TASKS]; // the hidden ones first
    struct wfi_part_rule rules[WF_CFG_PART_RULES]; // in the order given
    struct wfi_part_core cores[WF_CFG_CORES];
};
extern struct wfi_part wfi_part;

bool wfi_part_shows(const void *task);
void wfi_part_created(const void *task, int prio, const char *name);
void wfi_part_named(const void *task, const char *name);
void wfi_part_priority(const void *task, int prio);
void wfi_part_stands(const void *task, unsigned reason); // ready or suspended, from now on
void wfi_part_gone(const void *task);
bool wfi_part_switched(struct wf_part_switch *s, bool recorded);

static inline bool wf_part_shows(const void *task) {
    return (!wfi_part.hidden && !wfi_part.out) || wfi_part_shows(task);
}

#else

static inline bool wf_part_task(const void *task, bool shown) { return (void)task, shown; }
static inline bool wf_part_name(const char *name, bool shown) { return (void)name, shown; }
static inline bool wf_part_priority(int first, int last, bool shown) {
    return (void)first, (void)last, shown;
}
static inline void wf_part_all(bool shown) { (void)shown; }
static inline void wf_part_set_view(enum wf_part_view view) { (void)view; }
static inline void wf_part_get_status(struct wf_part_status *status) {
    status->tasks = status->hidden = status->rules = 0;
    status->no_room = status->no_core = 0;
}
static inline bool wf_part_knows(const void *task) { return (void)task, false; }
static inline bool wf_part_shows(const void *task) { return (void)task, true; }
static inline void wfi_part_created(const void *task, int prio, const char *name) {
    (void)task, (void)prio, (void)name;
}
static inline void wfi_part_named(const void *task, const char *name) { (void)task, (void)name; }
static inline void wfi_part_priority(const void *task, int prio) { (void)task, (void)prio; }
static inline void wfi_part_stands(const void *task, unsigned reason) { (void)task, (void)reason; }
static inline void wfi_part_gone(const void *task) { (void)task; }
static inline bool wfi_part_switched(struct wf_part_switch *s, bool recorded) {
    (void)s;
    return recorded;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
