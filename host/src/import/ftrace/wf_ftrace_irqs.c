// SPDX-License-Identifier: MIT
// Interrupts, softirqs and the interrupt vectors of an architecture ("local_timer_entry:
// vector=236"). All are interrupts of the core; their numbers do not overlap.

#include "wfi_ftrace.h"

// Each line has the name: it is stated when it is another one than the last of this number.
static void name_irq(struct wfi_import *im, uint16_t irq, struct wfi_part name) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    uint64_t *last = &f->irq_names[irq % WFI_FTRACE_IRQ_NAMES];
    uint64_t hash = wfi_ftrace_hash(name) + ((uint64_t)irq << 1);
    if (!name.len || *last == hash) return;
    *last = hash;
    wfi_import_irq_name(im, irq, name.at, name.len);
}

static void enter(struct wfi_import *im, uint16_t irq, struct wfi_part name) {
    wfi_ftrace_of(im)->irqs[im->core] = true;
    name_irq(im, irq, name);
    wfi_import_irq_enter(im, irq);
}

// Interrupts above it have ended without an exit.
static void leave(struct wfi_import *im, uint16_t irq) {
    const struct wfi_import_core *c = &im->cores[im->core];
    unsigned n = c->irqs < WFI_IMPORT_IRQS ? c->irqs : WFI_IMPORT_IRQS;
    wfi_ftrace_of(im)->irqs[im->core] = true;
    while (n && c->irq[n - 1] != irq) --n;
    if (!n) return; // it began before the trace
    while (c->irqs >= n) wfi_import_irq_exit(im);
}

static bool take_irq(struct wfi_import *im, const struct wfi_ftrace_line *l, bool enters) {
    uint64_t irq;
    struct wfi_part name = {NULL, 0};
    if (!wfi_part_value(l->tail, "irq=", &irq) || irq >= WFI_FTRACE_VECTOR) return false;
    (void)wfi_part_find(l->tail, " name=", NULL, &name);
    if (enters)
        enter(im, (uint16_t)irq, name);
    else
        leave(im, (uint16_t)irq);
    return true;
}

// "vec=1 [action=TIMER]"
static bool take_softirq(struct wfi_import *im, const struct wfi_ftrace_line *l, bool enters) {
    struct wfi_part action = {NULL, 0};
    char text[64] = "softirq ";
    uint64_t vec;
    if (!wfi_part_value(l->tail, "vec=", &vec) || vec > 0xFF - 1) return false;
    uint16_t irq = (uint16_t)(WFI_FTRACE_SOFTIRQ + vec);
    if (!enters) {
        leave(im, irq);
        return true;
    }
    (void)wfi_part_find(l->tail, "[action=", NULL, &action);
    action = wfi_part_cut(&action, ']');
    size_t head = strlen(text), n = action.len < sizeof text - head ? action.len : 0;
    if (n) memcpy(text + head, action.at, n);
    enter(im, irq, (struct wfi_part){text, n ? head + n : 0});
    return true;
}

static bool take_vector(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    struct wfi_part name = l->event, tail = l->tail;
    uint64_t vector;
    if (!wfi_part_skip(&tail, "vector=") || !wfi_part_number(tail, &vector) || vector > 0xEFF)
        return false;
    uint16_t irq = (uint16_t)(WFI_FTRACE_VECTOR + vector);
    if (wfi_part_find_last(name, "_entry", &name, &tail) && !tail.len) {
        enter(im, irq, name);
        return true;
    }
    name = l->event;
    if (!wfi_part_find_last(name, "_exit", &name, &tail) || tail.len) return false;
    leave(im, irq);
    return true;
}

bool wfi_ftrace_irq(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    if (wfi_part_is(l->event, "irq_handler_entry")) return take_irq(im, l, true);
    if (wfi_part_is(l->event, "irq_handler_exit")) return take_irq(im, l, false);
    if (wfi_part_is(l->event, "softirq_entry")) return take_softirq(im, l, true);
    if (wfi_part_is(l->event, "softirq_exit")) return take_softirq(im, l, false);
    return take_vector(im, l);
}
