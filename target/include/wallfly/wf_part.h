// SPDX-License-Identifier: MIT
// Part tracing selects which tasks are shown. Records of hidden tasks, and of their actions on
// objects, are left out. Switches through hidden tasks appear as one switch from the task shown
// last to the one shown next (docs/part-tracing.md). With WF_CFG_PART 0 all tasks are shown, at no
// cost.
//
// Rules show or hide tasks at run time by address, by name and by priority. Of the rules that match
// a task the latest decides; a rule given again replaces its earlier copy. WF_TASK_CREATE enters a
// task into the table; rules by name and priority apply only to tasks in the table. A rule by
// address applies to every task created at that address.
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
    WF_PART_DIRECT,   // from the task shown last to the one shown next, when the latter runs
    WF_PART_GAP,      // the same, and a switch to no task when a hidden task takes over
    WF_PART_PUBLISHED // the algorithm of the thesis' published tracer, with its faults; for
                      // comparison
};

struct wf_part_status {
    unsigned tasks, hidden; // not deleted; hidden, including deleted ones not yet replaced
    unsigned rules;
    uint32_t no_room; // tasks created with the table full: no rule by name or priority applies
    uint32_t no_core; // switches on a core number of WF_CFG_CORES or more: recorded unchanged
};

struct wf_part_switch {
    const void *last, *next; // old and new task. last: null if none was shown; next: null for a gap
    unsigned reason;         // why `last` left, of WF_REASONS
};

#if WF_CFG_PART

// Adds a rule that shows or hides tasks. Returns false when there is no room (WF_CFG_PART_RULES; by
// task also the table of WF_CFG_PART_TASKS) or task is null; then nothing changes. Names are
// compared by a 32-bit hash and need not stay in memory. first to last: priorities in the RTOS'
// numbers, -32767..32767. Context: any; interrupts are off while all tasks of the table are checked
// again.
bool wf_part_task(const void *task, bool shown);
bool wf_part_name(const char *name, bool shown);
bool wf_part_priority(int first, int last, bool shown);
// Removes all rules: all tasks are shown, or all are hidden. Context: any.
void wf_part_all(bool shown);

// Sets the view, and reads the state. Context: any.
void wf_part_set_view(enum wf_part_view view);
void wf_part_get_status(struct wf_part_status *status);
bool wf_part_knows(const void *task); // true if the task is in the table

// ---- inside; not for users ----

#define WFI_PART_HASH_START UINT32_C(5381)

struct wfi_part_task {
    const void *task;
    uint32_t name; // hash of the name
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

// State of one core. DIRECT, GAP: `task` is the one shown as running if `state` says so; PUBLISHED:
// T1 and T2 of the thesis.
struct wfi_part_core {
    const void *task, *to;
    uint8_t state, reason; // reason: why `task` left the CPU
    bool away;             // `task` left the CPU, which is not shown yet
};

struct wfi_part {
    bool out; // true: tasks without a rule are hidden
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
