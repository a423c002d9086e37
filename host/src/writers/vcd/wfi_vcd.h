// SPDX-License-Identifier: MIT
// State of a VCD file: the variables with their last values, and the names for the header, which is
// written at the end.
#ifndef WFI_VCD_H
#define WFI_VCD_H

#include "writers/wfi_writer.h"

// What a variable shows of a core, task, object and so on, in the order of a scope.
enum wfi_vcd_aspect {
    WFI_VCD_CORE_TASK, // 0: none, else task's index + 1
    WFI_VCD_CORE_IRQ,  // the innermost one; 0: none, else number + 1
    WFI_VCD_CORE_DEPTH,
    WFI_VCD_IRQ, // of: core << 16 | number
    WFI_VCD_RUNS,
    WFI_VCD_STATE,
    WFI_VCD_PRIORITY,
    WFI_VCD_WAITS, // 0: for nothing, else object's index + 1
    WFI_VCD_STACK, // the lowest number of free bytes
    WFI_VCD_HOLDER,
    WFI_VCD_COUNT,
    WFI_VCD_FREE,
    WFI_VCD_LOW,
    WFI_VCD_MACHINE, // address of the state's handler
    WFI_VCD_STEP,    // 0: none, else signal + 1
    WFI_VCD_COUNTER, // of: address of its text
    WFI_VCD_HOLE,
    WFI_VCD_MISSING,
    WFI_VCD_BAD,
    WFI_VCD_ASPECTS
};

enum {
    WFI_VCD_IRQS = 256,
    WFI_VCD_ID = 8
}; // wires of interrupts for each core; longest identifier

struct wfi_vcd_var {
    uint64_t of, value;
    uint32_t prev, next; // list of the variables that a hole makes unknown; 0: none
    uint32_t sibling;    // another interrupt of the same core; 0: none
    uint8_t aspect;
    bool known;
};

struct wfi_vcd {
    struct wfi_vcd_var *vars; // the first is unused: 0 is no variable
    uint32_t *slots;          // of interrupts and counters, by aspect and `of`
    struct wfi_vcd_numbered { // all others: by `of`
        uint32_t *vars;
        size_t cap;
    } numbered[WFI_VCD_ASPECTS];
    uint32_t count, cap, first_known;
    size_t slot_mask;
    uint32_t begun;       // variables that have their first value in `dump`
    bool dumping, failed; // values go into `dump`
    bool shows_tasks, shows_irqs;
    bool fixed;            // from_ns is fixed
    uint64_t from_ns, ns;  // the first and the last time written
    uint64_t now;          // of the values being set
    unsigned epoch;        // of the model, when the last hole was written
    uint64_t missing, bad; // records, bytes; since the trace began
    struct wfi_strbuf dump, word;
    unsigned cores;
    struct wfi_vcd_core {
        bool known, irqs_known;
        unsigned irqs, wires;
        uint16_t top;
        uint32_t irq; // the last of its wires
        const struct wf_task *task;
    } core[WF_MODEL_CORES];
};

static inline struct wfi_vcd *wfi_vcd(const struct wf_writer *w) { return w->own; }

// ---- variables (wf_vcd_vars.c)
bool wfi_vcd_vars_open(struct wfi_vcd *v);
void wfi_vcd_vars_close(struct wfi_vcd *v);
// Sets the value of a variable. A variable whose value was never known is not in the file.
void wfi_vcd_set(struct wf_writer *w, enum wfi_vcd_aspect aspect, uint64_t of, bool known,
                 uint64_t value);
void wfi_vcd_set_var(struct wf_writer *w, uint32_t var, bool known, uint64_t value);
void wfi_vcd_end(struct wf_writer *w); // writes the time, if it is later than the last one
// Returns 0 if the variable has not appeared.
uint32_t wfi_vcd_find(const struct wfi_vcd *v, enum wfi_vcd_aspect aspect, uint64_t of);
size_t wfi_vcd_id(char id[WFI_VCD_ID], uint32_t var); // its identifier

// ---- header (wf_vcd_head.c)
// Writes a text as GTKWave reads it: one word of printable ASCII, \x and two digits for all else.
void wfi_vcd_quote(struct wfi_strbuf *t, const char *text, size_t len);
// Writes a legal identifier for a name: characters other than letters, digits and _ become _, as
// does an empty name; a _ is put before a digit at the start.
void wfi_vcd_word(struct wfi_strbuf *t, const char *name);
void wfi_vcd_put_header(struct wf_writer *w, struct wfi_strbuf *t);

#endif
