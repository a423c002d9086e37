// SPDX-License-Identifier: MIT
// A VCD file in the making: variables, each with the value written last, and what is known of
// names when the header is written at the end.
#ifndef WFI_VCD_H
#define WFI_VCD_H

#include "wfi_writer.h"

// What a variable tells of a core, task, object ... In the order in which they stand in a scope.
enum wfi_vcd_aspect {
    WFI_VCD_CORE_TASK, // 0: none, else task + 1
    WFI_VCD_CORE_IRQ,  // the one on top; 0: none, else number + 1
    WFI_VCD_CORE_DEPTH,
    WFI_VCD_IRQ, // of: core << 16 | number
    WFI_VCD_RUNS,
    WFI_VCD_STATE,
    WFI_VCD_PRIORITY,
    WFI_VCD_WAITS, // 0: for nothing, else object + 1
    WFI_VCD_STACK, // the fewest bytes that were ever free
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
    uint32_t prev, next; // of those that a hole makes unknown; 0: none
    uint32_t sibling;    // another interrupt of the same core; 0: none
    uint8_t aspect;
    bool known;
};

struct wfi_vcd {
    struct wfi_vcd_var *vars; // the first is none: 0 is no variable
    uint32_t *slots;          // by what they are
    uint32_t count, cap, first_known;
    size_t slot_mask;
    uint32_t begun;       // variables that have their first value in `dump`
    bool dumping, failed; // values go into `dump`
    bool shows_tasks, shows_irqs;
    bool fixed;            // from_ns is
    uint64_t from_ns, ns;  // the first and the last time written
    uint64_t now;          // of what is being set
    unsigned epoch;        // of the model, when a hole was written last
    uint64_t missing, bad; // records, bytes; since the trace began
    struct wfi_text dump, word;
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
// The variable has this value from now on. One that never had a known value does not appear.
void wfi_vcd_set(struct wf_writer *w, enum wfi_vcd_aspect aspect, uint64_t of, bool known,
                 uint64_t value);
void wfi_vcd_set_var(struct wf_writer *w, uint32_t var, bool known, uint64_t value);
void wfi_vcd_end(struct wf_writer *w); // writes the time, if it is later than the last one
// 0 if it has not appeared.
uint32_t wfi_vcd_find(const struct wfi_vcd *v, enum wfi_vcd_aspect aspect, uint64_t of);
size_t wfi_vcd_id(char id[WFI_VCD_ID], uint32_t var); // its identifier

// ---- header (wf_vcd_head.c)
// Texts as GTKWave reads them: one word of printable ASCII, \x and two digits for all else.
void wfi_vcd_quote(struct wfi_text *t, const char *text, size_t len);
// A legal identifier in place of a name: other characters than letters, digits and _ become _, as
// does the lack of one; one that begins with a digit gets a _ in front.
void wfi_vcd_word(struct wfi_text *t, const char *name);
void wfi_vcd_put_header(struct wf_writer *w, struct wfi_text *t);

#endif
