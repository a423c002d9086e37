// SPDX-License-Identifier: MIT
// The tasks of ftrace text, by pid, and the running task of each core.
//
// Each line names the task that runs on its core. It is stated as a switch only if the trace has
// sched_switch events: then it shows a task that runs since before the trace, or whose switch is
// missing. Without such events it only is the task that acts.

#include <stdlib.h>

#include "util/wfi_grow.h"
#include "wfi_ftrace.h"

static struct wfi_ftrace_task *find_task(const struct wfi_ftrace *f, uint64_t pid, uint64_t hash) {
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&f->index, hash, &step)) != 0;) {
        if (f->tasks[n - 1].pid == pid) return &f->tasks[n - 1];
    }
    return NULL;
}

struct wfi_ftrace_task *wfi_ftrace_task(struct wfi_import *im, uint64_t pid) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    if (pid == 0) return NULL;
    uint64_t hash = wfi_hash(pid, 0, &f->index);
    struct wfi_ftrace_task *t = find_task(f, pid, hash);
    if (t || f->task_count == WFI_FTRACE_TASKS) return t;
    size_t n = f->task_count;
    if (!WFI_GROW(f->tasks, &f->task_cap, n + 1) ||
        !wfi_index_add(&f->index, hash, (uint32_t)n + 1)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return NULL;
    }
    f->tasks[n].pid = pid;
    ++f->task_count;
    return &f->tasks[n];
}

// Equal names need not be stated again. A zero is no hash.
uint64_t wfi_ftrace_hash(struct wfi_part name) {
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < name.len; ++i)
        h = (h ^ (unsigned char)name.at[i]) * UINT64_C(0x100000001B3);
    return h | 1;
}

void wfi_ftrace_name(struct wfi_import *im, struct wfi_ftrace_task *t, struct wfi_part name,
                     bool weak) {
    if (!t || !name.len || (weak && t->name)) return;
    // The tracer does not know these names.
    if (wfi_part_is(name, "<...>") || wfi_part_is(name, "<noname>")) return;
    uint64_t hash = wfi_ftrace_hash(name);
    if (t->name == hash) return;
    t->name = hash;
    wfi_import_name(im, t->pid, name.at, name.len);
}

// Softirqs and interrupts without an exit end when tasks are known to run again.
static void end_irqs(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    bool none = l->context == '.' || wfi_part_is(l->event, "sched_switch");
    if (none) wfi_import_irq_exit_all(im);
}

void wfi_ftrace_context(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    struct wfi_import_core *c = &im->cores[im->core];
    struct wfi_ftrace_task *t = wfi_ftrace_task(im, l->pid);
    f->switches |= wfi_part_is(l->event, "sched_switch");
    if (t && t->dead) { // another task with the same number
        t->dead = t->prio_known = false;
        t->name = 0;
        WFI_IMPORT(im, task_create, t->pid, (uint16_t)WF_PRIO_UNKNOWN);
    }
    end_irqs(im, l);
    bool same = c->known && c->task == l->pid;
    if (f->switches && (!same || !f->is_running[im->core])) {
        wfi_import_switch(im, l->pid, WF_REASON_unknown);
        f->is_running[im->core] = true;
    } else if (!same) {
        c->known = true;
        c->task = l->pid;
    }
    wfi_ftrace_name(im, t, l->comm, true);
}
