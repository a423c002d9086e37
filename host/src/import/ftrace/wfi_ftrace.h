// SPDX-License-Identifier: MIT
// Internals of the importer of ftrace text.
#ifndef WFI_FTRACE_H
#define WFI_FTRACE_H

#include "import/wfi_import_text.h"
#include "util/wfi_index.h"

enum {
    WFI_FTRACE_TASKS = 65536,
    WFI_FTRACE_IRQ_NAMES = 512,
    WFI_FTRACE_SPANS = 32,       // open spans of a task whose names are kept
    WFI_FTRACE_SOFTIRQ = 0xFF00, // number of the first softirq as an interrupt
    WFI_FTRACE_VECTOR = 0xF000   // and of the first interrupt vector of the architecture
};

// A line with an event.
struct wfi_ftrace_line {
    struct wfi_part comm; // name of the running task, as the tracer shows it
    uint64_t pid, cpu;
    char context;    // '.': no interrupt is active; 'h', 's' and others: one is; 0: not recorded
    bool in_seconds; // the stamp is in seconds, tick in nanoseconds
    uint64_t tick;
    struct wfi_part event, tail; // tail: what follows the name
    enum wfi_ftrace_form {
        WFI_FTRACE_EVENT, // "name: fields"
        WFI_FTRACE_ENTER, // "sys_name(arguments)"
        WFI_FTRACE_LEAVE, // "sys_name -> result"
        WFI_FTRACE_CALL,  // "function <-caller"
        WFI_FTRACE_OTHER
    } form;
};

bool wfi_ftrace_read(struct wfi_part text, struct wfi_ftrace_line *line);

struct wfi_ftrace_task {
    uint64_t pid, name; // name: hash of the last one; 0: none
    bool prio_known, dead;
    bool born; // created by sched_process_fork; its first wake-up is not a create
    int16_t prio;
    unsigned epoch; // the spans are valid if it is that of the trace
    unsigned span_count;
    uint64_t *spans; // keys of their names
};

struct wfi_ftrace {
    struct wfi_lines lines;
    bool begun;                        // an event has been read
    bool others;                       // lines before it
    bool in_seconds;                   // the stamps
    bool switches;                     // there are sched_switch events
    bool is_running[WFI_IMPORT_CORES]; // the task of the core was stated by a switch
    bool irqs[WFI_IMPORT_CORES];       // the core has interrupt events
    uint64_t cores, overwritten;
    unsigned epoch; // number of losses
    struct wfi_ftrace_task *tasks;
    size_t task_count, task_cap;
    struct wfi_index index;
    uint64_t irq_names[WFI_FTRACE_IRQ_NAMES]; // hashes of number and last name
};

static inline struct wfi_ftrace *wfi_ftrace_of(struct wfi_import *im) { return im->state; }

// Tasks. Returns null for pid 0, when there are too many, or when out of memory.
struct wfi_ftrace_task *wfi_ftrace_task(struct wfi_import *im, uint64_t pid);
// A name; weak: only if it has none yet.
void wfi_ftrace_name(struct wfi_import *im, struct wfi_ftrace_task *t, struct wfi_part name,
                     bool weak);
uint64_t wfi_ftrace_hash(struct wfi_part name); // not 0
// The line names the running task of its core.
void wfi_ftrace_context(struct wfi_import *im, const struct wfi_ftrace_line *l);

// Each returns false if the event is another one, or has another form.
bool wfi_ftrace_sched(struct wfi_import *im, const struct wfi_ftrace_line *l);
bool wfi_ftrace_irq(struct wfi_import *im, const struct wfi_ftrace_line *l);
bool wfi_ftrace_mark(struct wfi_import *im, const struct wfi_ftrace_line *l);
bool wfi_ftrace_syscall(struct wfi_import *im, const struct wfi_ftrace_line *l);
// Any event, with its own name and fields.
void wfi_ftrace_event(struct wfi_import *im, const struct wfi_ftrace_line *l);

#endif
