// SPDX-License-Identifier: MIT
// Lines of a Grasp trace, a Tcl script. Text from a trace is written as a quoted word of ASCII.
// Identifiers contain numbers, no names.
#ifndef WFI_GRASP_H
#define WFI_GRASP_H

#include "writers/wfi_writer.h"

#define WFI_NONE UINT32_MAX

struct wfi_job {         // of a task by its index, or of interrupt `of` if isr
    uint32_t of, number; // of is WFI_NONE: none
    bool isr;
};

struct wfi_grasp_task {
    bool declared, open; // open: its last job has not ended
    uint32_t jobs, held; // number of jobs so far; of mutexes that it holds
};

struct wfi_grasp_object {
    bool declared;
    struct wfi_job holder; // the job that acquired it, as drawn
    uint64_t count, items; // buffer: level as drawn; number of items pushed so far
};

// A core shows the job of the innermost interrupt, or else of the running task.
struct wfi_grasp_core {
    bool declared, drawn, irq_drawn; // drawn as running: the task's job; the innermost interrupt
    bool hole;                       // the start of a hole is written
    struct wfi_job job;
    unsigned irqs;
    struct wfi_job irq[WF_IRQ_DEPTH];
    struct { // a job that left, until the next job is known
        bool open, completes, drawn;
        struct wfi_job job;
        uint64_t tick;
    } leave;
};

struct wfi_grasp {
    struct wfi_per_entity tasks, objects;
    uint32_t *irq_jobs; // by number; null until there is one
    unsigned styles;    // number of mutexes with a colour of the palette
    bool begun, cores;
    uint64_t last; // tick of the last line
    uint64_t hz;   // of its times, fixed by the first line
    struct wfi_strbuf loss, words;
    struct wfi_grasp_core core[WF_MODEL_CORES];
};

static inline struct wfi_grasp *wfi_grasp(const struct wf_writer *w) { return w->own; }

// Prints milliseconds with up to 18 digits after the point. `text` has room for 48 bytes.
size_t wfi_grasp_time(char *text, uint64_t tick, uint64_t hz);
// Writes a Tcl word whose value is the text.
void wfi_grasp_quote(struct wfi_strbuf *t, const char *text, size_t len);

// Writes "plot TIME " or "bufferplot TIME ".
void wfi_grasp_begin(struct wf_writer *w, const char *command, uint64_t tick);
void wfi_grasp_job(struct wf_writer *w, struct wfi_job job);
// Writes "plot TIME EVENT JOB".
void wfi_grasp_plot(struct wf_writer *w, uint64_t tick, const char *event, struct wfi_job job);
void wfi_grasp_message(struct wf_writer *w, uint64_t tick, const char *text, size_t len,
                       const char *colour);

// Declare a core or an object once, and begin a job of a task or an interrupt. tick: of the
// arrival; null: not recorded.
void wfi_grasp_declare_object(struct wf_writer *w, const struct wf_object *object, uint64_t tick);
void wfi_grasp_new_job(struct wf_writer *w, const struct wf_task *task, const uint64_t *tick);
struct wfi_job wfi_grasp_irq(struct wf_writer *w, unsigned irq, uint64_t tick);
void wfi_grasp_declare_core(struct wf_writer *w, unsigned core);

// Return null when out of memory.
struct wfi_grasp_task *wfi_grasp_task(struct wf_writer *w, const struct wf_task *task);
struct wfi_grasp_object *wfi_grasp_object(struct wf_writer *w, const struct wf_object *object);

// Draws a change of an object (wf_grasp_objects.c).
void wfi_grasp_take_object(struct wf_writer *w, const struct wf_change *c);
// The job of the change's task, or of the interrupt on its core.
struct wfi_job wfi_grasp_doer(struct wf_writer *w, const struct wf_change *c);

#endif
