// SPDX-License-Identifier: MIT
// Internals of the importers of the Best Trace Format: its text, and FreeRTOS-BTF-Trace's ring.
#ifndef WFI_BTF_H
#define WFI_BTF_H

#include "import/wfi_import_text.h"
#include "util/wfi_index.h"

// ---- FreeRTOS, in both forms

enum wfi_btf_queue { // as FreeRTOS numbers them
    WFI_BTF_QUEUE,
    WFI_BTF_MUTEX,
    WFI_BTF_COUNTING,
    WFI_BTF_BINARY,
    WFI_BTF_RECURSIVE
};
enum wfi_btf_call { WFI_BTF_CREATE, WFI_BTF_SEND, WFI_BTF_RECEIVE, WFI_BTF_DELETE };

// Key of the task with a FreeRTOS number. Objects are 32-bit addresses.
static inline uint64_t wfi_btf_task_key(uint32_t number) { return UINT64_C(0x100000000) + number; }
void wfi_btf_queue_call(struct wfi_import *im, enum wfi_btf_call call, enum wfi_btf_queue kind,
                        uint32_t address);
void wfi_btf_interval(struct wfi_import *im, bool begin, uint32_t number);
void wfi_btf_tag(struct wfi_import *im, unsigned number, uint32_t value);
void wfi_btf_tick(struct wfi_import *im, uint32_t count);

// ---- text

enum {
    WFI_BTF_ENTITIES = 65536, // names, and numbers for them, in the trace
    WFI_BTF_JOBS = 8          // instances of a task that are alive at the same time and kept apart
};

// An instance of a task. Instances that are alive at the same time are different tasks for us.
struct wfi_btf_job {
    uint64_t key;
    bool alive, named;
    bool seen;    // its core is valid
    uint8_t core; // on which it ran last
    uint64_t instance;
    uint64_t waits; // key of the OS event it waits for; 0: none
};

// A name in the trace: a task, a core, a runnable and so on.
struct wfi_btf_entity {
    struct wfi_part name;
    uint64_t key;    // as an object
    bool named;      // as an object, or as an interrupt
    bool freertos;   // a task of the FreeRTOS dialect: its name has the core and the number
    uint32_t number; // of that task
    uint16_t irq;    // as an interrupt, from 1; 0: it is none
    uint8_t core;    // as a core, from 1; 0: it is none. As an interrupt: the core it runs on
    uint64_t triggered, by;   // as a stimulus: the time, and the key of the task that triggered it
    struct wfi_btf_job *jobs; // as a task
};

// A line.
struct wfi_btf_line {
    uint64_t tick;
    struct wfi_part source, type, target, event, note;
    uint64_t source_instance, instance;
};

struct wfi_btf {
    struct wfi_lines lines;
    bool begun;
    uint64_t hz;
    bool overwritten, truncated; // words of the header
    enum wfi_btf_table { WFI_BTF_NO_TABLE, WFI_BTF_TYPES, WFI_BTF_NAMES } table; // the present one
    bool numbers[WFI_BTF_NAMES + 1];  // the table has entries
    struct wfi_btf_entity **entities; // and the names of numbers
    size_t count, cap;
    struct wfi_index index, aliases;
    struct wfi_btf_alias {
        enum wfi_btf_table table;
        uint64_t number;
        struct wfi_part name;
    } * alias;
    size_t alias_count, alias_cap;
    unsigned irqs;
    uint64_t cores; // bits of used numbers
    // Of a core: a task has left it, and which one follows is not known yet.
    struct wfi_btf_left {
        bool pending;
        bool holds; // until the next task runs, whenever that is
        uint64_t tick, offset;
        unsigned reason;
    } left[WFI_IMPORT_CORES];
};

static inline struct wfi_btf *wfi_btf_of(struct wfi_import *im) { return im->state; }

// Names (wf_btf_names.c). Null when out of memory or when there are too many.
struct wfi_btf_entity *wfi_btf_entity(struct wfi_import *im, struct wfi_part name);
struct wfi_btf_entity *wfi_btf_find(const struct wfi_btf *b, struct wfi_part name);
void wfi_btf_add_number(struct wfi_import *im, enum wfi_btf_table table, uint64_t number,
                        struct wfi_part name);
// The name that stands for a number, or the same.
struct wfi_part wfi_btf_resolve(const struct wfi_btf *b, enum wfi_btf_table table,
                                struct wfi_part name);
void wfi_btf_close(struct wfi_btf *b);
// The number of a core. Returns false if there are too many.
bool wfi_btf_core(struct wfi_import *im, struct wfi_part name, unsigned *core);
uint64_t wfi_btf_object(struct wfi_import *im, struct wfi_part name);
// The instance of a task.
struct wfi_btf_job *wfi_btf_job(struct wfi_import *im, struct wfi_part name, uint64_t instance);
// A task begins: its first instance.
void wfi_btf_create(struct wfi_import *im, struct wfi_part name, int prio);

// Lines by type (wf_btf_tasks.c, wf_btf_events.c, wf_btf_freertos.c).
void wfi_btf_settle(struct wfi_import *im, uint64_t tick, bool all);
bool wfi_btf_task(struct wfi_import *im, const struct wfi_btf_line *l);
bool wfi_btf_isr(struct wfi_import *im, const struct wfi_btf_line *l);
void wfi_btf_event(struct wfi_import *im, const struct wfi_btf_line *l);
bool wfi_btf_freertos_task(struct wfi_import *im, const struct wfi_btf_line *l);
bool wfi_btf_freertos_mark(struct wfi_import *im, const struct wfi_btf_line *l);

#endif
