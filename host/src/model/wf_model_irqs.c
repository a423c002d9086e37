// SPDX-License-Identifier: MIT
// Nested interrupts of each core. The depth in enter and exit records makes the stack known again
// after a hole, except for the numbers of the interrupts below.
//
// Without a hole, enters and exits must pair. Where they do not (an exit is recorded twice, or not
// on every path out of a handler), an UNPAIRED reports it. The target's own depth count is then
// wrong, too; `drift` is its excess from then on.

#include "wfi_model.h"

#include <string.h>

// ---- the stack

// Adds interrupts of unknown number up to `depth`; they are known to be active from now on.
static void fill_stack(const struct wf_model *m, struct wf_core *c, unsigned depth) {
    for (unsigned i = c->irqs; i < depth && i < WF_IRQ_DEPTH; ++i) {
        c->irq[i] = WF_IRQ_UNKNOWN;
        c->irq_since[i] = m->now;
        c->irq_since_known[i] = false;
    }
    c->irqs = depth;
}

static void push_irq(struct wf_model *m, struct wf_core *c, uint16_t irq) {
    struct wfi_irqs *own = &m->irqs[m->core];
    unsigned n = c->irqs++;
    if (n < WF_IRQ_DEPTH) {
        c->irq[n] = irq;
        c->irq_since[n] = m->now;
        c->irq_since_known[n] = true;
        own->switched[n] = own->left[n] = false;
    }
    own->any_last = false;
    struct wf_change *begin = wfi_change(m, WF_CHANGE_IRQ_BEGIN);
    begin->irq = irq;
    begin->level = c->irqs;
}

static struct wf_change *end_last_irq(struct wf_model *m, struct wf_core *c, bool cut) {
    struct wfi_irqs *own = &m->irqs[m->core];
    unsigned n = --c->irqs;
    struct wf_change *end = wfi_change(m, WF_CHANGE_IRQ_END);
    bool kept = n < WF_IRQ_DEPTH;
    end->irq = kept ? c->irq[n] : WF_IRQ_UNKNOWN;
    end->level = n + 1;
    end->from = kept ? c->irq_since[n] : 0;
    end->from_known = kept && c->irq_since_known[n];
    end->cut = cut;
    own->last = end->irq;
    own->any_last = true;
    if (!c->irqs) c->irqs_doubtful = false;
    return end;
}

// ---- unpaired enters and exits

static struct wf_change *report_unpaired(struct wf_model *m, uint16_t irq, bool enter,
                                         const char *why) {
    struct wf_change *c = wfi_change(m, WF_CHANGE_UNPAIRED);
    c->irq = irq;
    c->got = enter;
    c->value = 1;
    c->why = why;
    return c;
}

// Ends the interrupts above `depth`, whose exits are missing.
static void drop_irqs(struct wf_model *m, struct wf_core *c, unsigned depth) {
    static const char why[] = "the exit of an interrupt is missing";
    while (c->irqs > depth) {
        struct wf_change *end = end_last_irq(m, c, true);
        uint64_t from = end->from;
        bool known = end->from_known;
        end->why = why;
        struct wf_change *u = report_unpaired(m, m->irqs[m->core].last, true, why);
        u->from = from;
        u->from_known = known;
    }
}

// The recorded depth without the drift; 0: not recorded. (A depth above WF_IRQ_DEPTH is a count
// that went below zero.)
static unsigned corrected_depth(struct wf_model *m, unsigned nest) {
    struct wfi_irqs *own = &m->irqs[m->core];
    return nest ? (uint8_t)(nest - own->drift) : 0;
}

static bool is_wrong_depth(unsigned nest, unsigned depth) {
    return nest && (depth == 0 || depth > WF_IRQ_DEPTH);
}

// Starts from the first recorded depth, in the trace or after a hole.
static void begin_stack(struct wf_model *m, struct wf_core *c, unsigned nest, unsigned below) {
    struct wfi_irqs *own = &m->irqs[m->core];
    memset(own, 0, sizeof *own);
    if (nest > WF_IRQ_DEPTH) own->drift = (uint8_t)(nest - 1);
    fill_stack(m, c, corrected_depth(m, nest) - below);
    c->irqs_known = true;
    c->irqs_doubtful = false;
}

// Returns true if the interrupt is on the stack and a task has waited, slept or ended since: it has
// ended without a recorded exit.
static bool is_over(const struct wf_model *m, const struct wf_core *c, uint16_t irq, unsigned *at) {
    for (unsigned i = 0; irq != WF_IRQ_UNKNOWN && i < c->irqs && i < WF_IRQ_DEPTH; ++i) {
        *at = i;
        if (c->irq[i] == irq && m->irqs[m->core].left[i]) return true;
    }
    return false;
}

static void enter_irq(struct wf_model *m, struct wf_core *c, uint16_t irq, unsigned nest) {
    struct wfi_irqs *own = &m->irqs[m->core];
    unsigned depth = corrected_depth(m, nest), at;
    if (!c->irqs_known) {
        if (!nest) return;
        begin_stack(m, c, nest, 1);
    } else if (is_wrong_depth(nest, depth)) {
        drop_irqs(m, c, 0);
        own->drift = (uint8_t)(nest - 1);
    } else if (is_over(m, c, irq, &at)) {
        drop_irqs(m, c, at);
        if (nest) own->drift = (uint8_t)(nest - 1 - c->irqs);
    } else if (depth && depth <= c->irqs) {
        drop_irqs(m, c, depth - 1);
    } else if (depth > c->irqs + 1) {
        struct wf_change *u =
            report_unpaired(m, WF_IRQ_UNKNOWN, false, "an interrupt's enter is missing");
        u->value = (int64_t)depth - 1 - (int64_t)c->irqs;
        fill_stack(m, c, depth - 1);
    }
    if (c->irqs < UINT8_MAX) push_irq(m, c, irq);
}

// An exit without an enter: the stack stays, and later depths are too low by one.
static void report_lone_exit(struct wf_model *m, const struct wf_core *c, uint16_t irq,
                             unsigned nest) {
    (void)report_unpaired(m, irq, false, "the enter of an interrupt is missing");
    if (nest) m->irqs[m->core].drift = (uint8_t)(nest - 1 - c->irqs);
}

static bool is_on_stack(const struct wf_core *c, uint16_t irq, unsigned *depth) {
    for (*depth = c->irqs < WF_IRQ_DEPTH ? c->irqs : WF_IRQ_DEPTH; *depth; --*depth) {
        if (c->irq[*depth - 1] == irq) return true;
    }
    return false;
}

static void end_spans(struct wf_model *m, const struct wf_core *c) {
    if (!c->irqs) wfi_spans_cut(m, &m->irq_spans[m->core], NULL, m->core);
}

static void leave_irq(struct wf_model *m, struct wf_core *c, uint16_t irq, unsigned nest) {
    const struct wfi_irqs *own = &m->irqs[m->core];
    unsigned depth = corrected_depth(m, nest), at;
    if (!c->irqs_known) {
        if (!nest) return;
        begin_stack(m, c, nest, 0);
    } else if (c->irqs && is_wrong_depth(nest, depth)) {
        drop_irqs(m, c, 0);
    } else if (nest && c->irqs && depth < c->irqs) {
        drop_irqs(m, c, depth);
    }
    if (!c->irqs || (nest && corrected_depth(m, nest) > c->irqs)) {
        report_lone_exit(m, c, irq, nest);
        end_spans(m, c);
        return;
    }
    unsigned n = c->irqs - 1;
    bool other = n < WF_IRQ_DEPTH && c->irq[n] != irq && irq != WF_IRQ_UNKNOWN;
    if (other && c->irq_since_known[n] && c->irq[n] != WF_IRQ_UNKNOWN) {
        if (!nest && is_on_stack(c, irq, &at)) {
            drop_irqs(m, c, at);
        } else if (own->any_last && own->last == irq) { // it has just ended
            report_lone_exit(m, c, irq, nest);
            return;
        } else {
            drop_irqs(m, c, n);
            (void)report_unpaired(m, irq, false, "the enter of an interrupt is missing");
            end_spans(m, c);
            return;
        }
    } else if (other) {
        c->irq[n] = irq;
    }
    (void)end_last_irq(m, c, false);
    end_spans(m, c);
}

void wfi_irq_switch(struct wf_model *m, struct wf_core *c, bool itself) {
    struct wfi_irqs *own = &m->irqs[c - m->cores];
    for (unsigned i = 0; c->irqs_known && i < c->irqs && i < WF_IRQ_DEPTH; ++i) {
        c->irqs_doubtful |= itself && own->switched[i];
        own->left[i] |= itself;
        own->switched[i] = true;
    }
}

void wfi_take_irq(struct wf_model *m) {
    enum wf_effect effect = m->record->row->effect;
    bool own = wfi_has(m, WF_KIND_IRQ); // QP's records have no number
    struct wf_core *c = wfi_core(m);
    if (!c) return;
    uint16_t irq = own ? (uint16_t)wfi_value(m, WF_KIND_IRQ) : WF_IRQ_UNKNOWN;
    unsigned nest = (unsigned)wfi_value(m, WF_KIND_NESTING);
    if (effect == WF_EFFECT_IRQ_ENTER || effect == WF_EFFECT_ISR_ENTER)
        enter_irq(m, c, irq, nest);
    else
        leave_irq(m, c, irq, nest);
}

// ---- interrupt numbers without a depth

void wfi_irq_begin(struct wf_model *m, struct wf_core *c, uint16_t irq) { push_irq(m, c, irq); }

void wfi_irq_end(struct wf_model *m, struct wf_core *c, uint16_t irq) {
    unsigned n = c->irqs - 1, at;
    bool same = c->irqs && (n >= WF_IRQ_DEPTH || c->irq[n] == irq);
    if (!same && is_on_stack(c, irq, &at)) {
        drop_irqs(m, c, at);
        same = true;
    }
    if (same) {
        (void)end_last_irq(m, c, false);
    } else if (c->irqs_known) {
        (void)report_unpaired(m, irq, false, "the enter of an interrupt is missing");
    } else { // it began before the first known one
        drop_irqs(m, c, 0);
        struct wf_change *end = wfi_change(m, WF_CHANGE_IRQ_END);
        end->irq = irq;
        end->from = m->now;
    }
}
