// SPDX-License-Identifier: MIT
// Events of the scheduler and of interrupts. The kernel writes "prev_comm=a prev_pid=1 ...";
// trace-cmd report may write "a:1 [120] S ==> b:2 [120]". Names may have blanks and the characters
// of the form itself, so fields are found from the end.

#include <stdio.h>

#include "wfi_ftrace.h"

// A task in the fields of an event.
struct person {
    struct wfi_part comm;
    uint64_t pid;
    bool prio_known;
    int16_t prio;
};

static void set_prio(struct person *p, int64_t prio) {
    p->prio_known = prio > INT16_MIN && prio <= INT16_MAX;
    p->prio = (int16_t)(p->prio_known ? prio : 0);
}

// A number at the front, up to a blank.
static bool take_number(struct wfi_part *p, int64_t *value) {
    struct wfi_part word = wfi_part_cut(p, ' ');
    return wfi_part_signed(word, value);
}

// "comm=NAME pid=N prio=P ..." with a prefix before each key. rest: what follows.
static bool read_keys(struct wfi_part p, const char *prefix, struct person *who,
                      struct wfi_part *rest) {
    char comm[24], pid[24], prio[24];
    int64_t number;
    snprintf(comm, sizeof comm, "%scomm=", prefix);
    snprintf(pid, sizeof pid, " %spid=", prefix);
    snprintf(prio, sizeof prio, "%sprio=", prefix);
    who->prio_known = false;
    if (!wfi_part_skip(&p, comm) || !wfi_part_find_last(p, pid, &who->comm, rest)) return false;
    if (!take_number(rest, &number) || number < 0 || number > INT32_MAX) return false;
    who->pid = (uint64_t)number;
    if (wfi_part_skip(rest, prio) && take_number(rest, &number)) set_prio(who, number);
    return true;
}

// "NAME:PID [PRIO] ..."
static bool read_short(struct wfi_part p, struct person *who, struct wfi_part *rest) {
    struct wfi_part before, number;
    int64_t value;
    who->prio_known = false;
    if (!wfi_part_find_last(p, " [", &before, rest)) return false;
    struct wfi_part prio = wfi_part_cut(rest, ']');
    if (!wfi_part_find_last(before, ":", &who->comm, &number)) return false;
    if (!wfi_part_number(number, &who->pid) || who->pid > INT32_MAX) return false;
    if (wfi_part_signed(wfi_part_trim(prio), &value)) set_prio(who, value);
    *rest = wfi_part_trim(*rest);
    return true;
}

static struct wfi_ftrace_task *know(struct wfi_import *im, const struct person *who) {
    struct wfi_ftrace_task *t = wfi_ftrace_task(im, who->pid);
    if (!t) return NULL;
    wfi_ftrace_name(im, t, who->comm, false);
    if (who->prio_known && !(t->prio_known && t->prio == who->prio))
        WFI_IMPORT(im, task_priority, t->pid, (uint16_t)who->prio);
    if (who->prio_known) t->prio = who->prio;
    t->prio_known |= who->prio_known;
    return t;
}

static void create(struct wfi_import *im, const struct person *who) {
    struct wfi_ftrace_task *t = wfi_ftrace_task(im, who->pid);
    int prio = who->prio_known ? who->prio : WF_PRIO_UNKNOWN;
    if (who->pid) WFI_IMPORT(im, task_create, who->pid, (uint16_t)prio);
    if (!t) return;
    t->dead = false;
    t->name = 0;
    t->prio_known = who->prio_known;
    t->prio = who->prio;
    t->span_count = 0;
    wfi_ftrace_name(im, t, who->comm, false);
}

// ---- switches

// Why a task left. R: it could run on, whether it was preempted or gave way is not recorded.
static unsigned reason_of(struct wfi_part state) {
    switch (state.len ? state.at[0] : 0) {
    case 'R':
    case '0': return WF_REASON_preempted;
    case 'S':
    case 'D':
    case 'I':
    case 'K':
    case 'W': return WF_REASON_blocked;
    case 'T':
    case 't':
    case 'P': return WF_REASON_suspended;
    case 'X':
    case 'x':
    case 'Z': return WF_REASON_ended;
    default: return WF_REASON_unknown;
    }
}

static bool read_switch(struct wfi_part tail, struct person *prev, struct person *next,
                        struct wfi_part *state) {
    struct wfi_part left, right, rest;
    if (wfi_part_find(tail, " ==> next_comm=", &left, &right)) {
        right = (struct wfi_part){right.at - 10, right.len + 10}; // with "next_comm="
        if (!read_keys(left, "prev_", prev, state) || !read_keys(right, "next_", next, &rest))
            return false;
        if (!wfi_part_skip(state, "prev_state=")) state->len = 0;
        return true;
    }
    return wfi_part_find_last(tail, " ==> ", &left, &right) && read_short(left, prev, state) &&
           read_short(right, next, &rest);
}

static bool take_switch(struct wfi_import *im, struct wfi_part tail) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    struct person prev, next;
    struct wfi_part state;
    if (!read_switch(tail, &prev, &next, &state)) return false;
    struct wfi_import_core *c = &im->cores[im->core];
    struct wfi_ftrace_task *left = know(im, &prev);
    bool known = c->known && c->task == prev.pid;
    if (!known) wfi_import_switch(im, prev.pid, WF_REASON_unknown);
    struct wfi_ftrace_task *t = wfi_ftrace_task(im, next.pid);
    if (t && t->dead)
        create(im, &next);
    else
        know(im, &next);
    unsigned reason = reason_of(state);
    wfi_import_switch(im, next.pid, reason);
    f->is_running[im->core] = true;
    left = wfi_ftrace_task(im, prev.pid); // the list may have moved
    if (left && reason == WF_REASON_ended) left->dead = true;
    return true;
}

// ---- wake-ups, begin and end of tasks

static bool read_person(struct wfi_part tail, struct person *who, struct wfi_part *rest) {
    return read_keys(tail, "", who, rest) || read_short(tail, who, rest);
}

// In an interrupt without events of its own the waker is an interrupt, and not the running task.
static void wake(struct wfi_import *im, const struct wfi_ftrace_line *l, uint64_t pid) {
    const struct wfi_ftrace *f = wfi_ftrace_of(im);
    bool in_irq = l->context && l->context != '.';
    bool unseen = in_irq && f->irqs[im->core] && !im->cores[im->core].irqs;
    if (!pid) return;
    if (unseen) wfi_import_irq_enter(im, WF_IRQ_UNKNOWN);
    WFI_IMPORT(im, task_ready, pid);
    if (unseen) wfi_import_irq_exit(im);
}

static bool take_wakeup(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    struct person who;
    struct wfi_part rest;
    if (!read_person(l->tail, &who, &rest)) return false;
    if (wfi_part_find(rest, "success=0", NULL, NULL)) return false; // it was awake
    struct wfi_ftrace_task *t = wfi_ftrace_task(im, who.pid);
    bool is_new = wfi_part_is(l->event, "sched_wakeup_new");
    if (t && ((is_new && !t->born) || t->dead))
        create(im, &who);
    else
        know(im, &who);
    if (t) t->born = false;
    wake(im, l, who.pid);
    return true;
}

// "comm=bash pid=1 child_comm=bash child_pid=2"
static bool take_fork(struct wfi_import *im, struct wfi_part tail) {
    struct person child;
    struct wfi_part after, rest;
    if (!wfi_part_find_last(tail, " child_comm=", NULL, &after)) return false;
    after = (struct wfi_part){after.at - 11, after.len + 11};
    if (!read_keys(after, "child_", &child, &rest)) return false;
    create(im, &child);
    struct wfi_ftrace_task *t = wfi_ftrace_task(im, child.pid);
    if (t) t->born = true;
    return true;
}

// The task ends when it leaves its core; if that is not recorded, this is an event like others.
static bool take_exit(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    const struct wfi_ftrace *f = wfi_ftrace_of(im);
    struct person who;
    struct wfi_part rest;
    if (!read_person(l->tail, &who, &rest) || !f->is_running[im->core]) return false;
    if (who.pid == 0 || im->cores[im->core].task != who.pid) return false;
    know(im, &who);
    WFI_IMPORT(im, task_delete, who.pid);
    return true;
}

// "pid=1 oldcomm=a newcomm=b oom_score_adj=0"
static bool take_rename(struct wfi_import *im, struct wfi_part tail) {
    struct wfi_part name;
    uint64_t pid;
    if (!wfi_part_value(tail, "pid=", &pid) || pid > INT32_MAX) return false;
    if (!wfi_part_find_last(tail, " newcomm=", NULL, &name)) return false;
    (void)wfi_part_find_last(name, " oom_score_adj=", &name, NULL);
    wfi_ftrace_name(im, wfi_ftrace_task(im, pid), name, false);
    return true;
}

// "comm=a pid=1 oldprio=120 newprio=98"
static bool take_priority(struct wfi_import *im, struct wfi_part tail) {
    struct person who;
    struct wfi_part rest, number;
    int64_t prio;
    if (!read_keys(tail, "", &who, &rest)) return false;
    if (!wfi_part_find_last(rest, "newprio=", NULL, &number)) return false;
    if (!take_number(&number, &prio)) return false;
    set_prio(&who, prio);
    know(im, &who);
    return true;
}

bool wfi_ftrace_sched(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    if (wfi_part_is(l->event, "sched_switch")) return take_switch(im, l->tail);
    if (wfi_part_is(l->event, "sched_waking") || wfi_part_is(l->event, "sched_wakeup") ||
        wfi_part_is(l->event, "sched_wakeup_new"))
        return take_wakeup(im, l);
    if (wfi_part_is(l->event, "sched_process_fork")) return take_fork(im, l->tail);
    if (wfi_part_is(l->event, "sched_process_exit")) return take_exit(im, l);
    if (wfi_part_is(l->event, "sched_pi_setprio")) return take_priority(im, l->tail);
    return wfi_part_is(l->event, "task_rename") && take_rename(im, l->tail);
}
