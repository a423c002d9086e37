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

// Adds the unknown interrupts below `depth`, known to be there from now on.
static void fill(const struct wf_model *m, struct wf_core *c, unsigned depth) {
    for (unsigned i = c->irqs; i < depth && i < WF_IRQ_DEPTH; ++i) {
        c->irq[i] = WF_IRQ_UNKNOWN;
        c->irq_since[i] = m->now;
        c->irq_since_known[i] = false;
    }
    c->irqs = depth;
}

static void push(struct wf_model *m, struct wf_core *c, uint16_t irq) {
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

static struct wf_change *end_last(struct wf_model *m, struct wf_core *c, bool cut) {
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

static struct wf_change *unpaired(struct wf_model *m, uint16_t irq, bool enter, const char *why) {
    struct wf_change *c = wfi_change(m, WF_CHANGE_UNPAIRED);
    c->irq = irq;
    c->got = enter;
    c->value = 1;
    c->why = why;
    return c;
}

// Ends the interrupts above `depth`, whose exits are missing.
static void drop(struct wf_model *m, struct wf_core *c, unsigned depth) {
    static const char why[] = "the exit of an interrupt is missing";
    while (c->irqs > depth) {
        struct wf_change *end = end_last(m, c, true);
        uint64_t from = end->from;
        bool known = end->from_known;
        end->why = why;
        struct wf_change *u = unpaired(m, m->irqs[m->core].last, true, why);
        u->from = from;
        u->from_known = known;
    }
}

// The recorded depth without the drift. 0: not recorded. (A depth beyond WF_IRQ_DEPTH comes from a
// count that went below zero.)
static unsigned believed(struct wf_model *m, unsigned nest) {
    struct wfi_irqs *own = &m->irqs[m->core];
    return nest ? (uint8_t)(nest - own->drift) : 0;
}

static bool is_wrong(unsigned nest, unsigned depth) {
    return nest && (depth == 0 || depth > WF_IRQ_DEPTH);
}

// Starts from the first recorded depth, in the trace or after a hole.
static void begin_stack(struct wf_model *m, struct wf_core *c, unsigned nest, unsigned below) {
    struct wfi_irqs *own = &m->irqs[m->core];
    memset(own, 0, sizeof *own);
    if (nest > WF_IRQ_DEPTH) own->drift = (uint8_t)(nest - 1);
    fill(m, c, believed(m, nest) - below);
    c->irqs_known = true;
    c->irqs_doubtful = false;
}

// The interrupt is already on the stack, and a task has waited, slept or ended since: it is over.
static bool ran_since(const struct wf_model *m, const struct wf_core *c, uint16_t irq,
                      unsigned *at) {
    for (unsigned i = 0; irq != WF_IRQ_UNKNOWN && i < c->irqs && i < WF_IRQ_DEPTH; ++i) {
        *at = i;
        if (c->irq[i] == irq && m->irqs[m->core].left[i]) return true;
    }
    return false;
}

static void enter(struct wf_model *m, struct wf_core *c, uint16_t irq, unsigned nest) {
    struct wfi_irqs *own = &m->irqs[m->core];
    unsigned depth = believed(m, nest), at;
    if (!c->irqs_known) {
        if (!nest) return;
        begin_stack(m, c, nest, 1);
    } else if (is_wrong(nest, depth)) {
        drop(m, c, 0);
        own->drift = (uint8_t)(nest - 1);
    } else if (ran_since(m, c, irq, &at)) {
        drop(m, c, at);
        if (nest) own->drift = (uint8_t)(nest - 1 - c->irqs);
    } else if (depth && depth <= c->irqs) {
        drop(m, c, depth - 1);
    } else if (depth > c->irqs + 1) {
        struct wf_change *u = unpaired(m, WF_IRQ_UNKNOWN, false, "an interrupt's enter is missing");
        u->value = (int64_t)depth - 1 - (int64_t)c->irqs;
        fill(m, c, depth - 1);
    }
    if (c->irqs < UINT8_MAX) push(m, c, irq);
}

// An exit without an enter: the stack stays, and later depths are too low by one.
static void exit_alone(struct wf_model *m, const struct wf_core *c, uint16_t irq, unsigned nest) {
    (void)unpaired(m, irq, false, "the enter of an interrupt is missing");
    if (nest) m->irqs[m->core].drift = (uint8_t)(nest - 1 - c->irqs);
}

static bool is_in(const struct wf_core *c, uint16_t irq, unsigned *depth) {
    for (*depth = c->irqs < WF_IRQ_DEPTH ? c->irqs : WF_IRQ_DEPTH; *depth; --*depth) {
        if (c->irq[*depth - 1] == irq) return true;
    }
    return false;
}

static void end_spans(struct wf_model *m, const struct wf_core *c) {
    if (!c->irqs) wfi_spans_cut(m, &m->irq_spans[m->core], NULL, m->core);
}

static void leave(struct wf_model *m, struct wf_core *c, uint16_t irq, unsigned nest) {
    const struct wfi_irqs *own = &m->irqs[m->core];
    unsigned depth = believed(m, nest), at;
    if (!c->irqs_known) {
        if (!nest) return;
        begin_stack(m, c, nest, 0);
    } else if (c->irqs && is_wrong(nest, depth)) {
        drop(m, c, 0);
    } else if (nest && c->irqs && depth < c->irqs) {
        drop(m, c, depth);
    }
    if (!c->irqs || (nest && believed(m, nest) > c->irqs)) {
        exit_alone(m, c, irq, nest);
        end_spans(m, c);
        return;
    }
    unsigned n = c->irqs - 1;
    bool other = n < WF_IRQ_DEPTH && c->irq[n] != irq && irq != WF_IRQ_UNKNOWN;
    if (other && c->irq_since_known[n] && c->irq[n] != WF_IRQ_UNKNOWN) {
        if (!nest && is_in(c, irq, &at)) {
            drop(m, c, at);
        } else if (own->any_last && own->last == irq) { // it has just ended
            exit_alone(m, c, irq, nest);
            return;
        } else {
            drop(m, c, n);
            (void)unpaired(m, irq, false, "the enter of an interrupt is missing");
            end_spans(m, c);
            return;
        }
    } else if (other) {
        c->irq[n] = irq;
    }
    (void)end_last(m, c, false);
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
        enter(m, c, irq, nest);
    else
        leave(m, c, irq, nest);
}

// ---- interrupt numbers without a depth

void wfi_irq_begins(struct wf_model *m, struct wf_core *c, uint16_t irq) { push(m, c, irq); }

void wfi_irq_ends(struct wf_model *m, struct wf_core *c, uint16_t irq) {
    unsigned n = c->irqs - 1, at;
    bool same = c->irqs && (n >= WF_IRQ_DEPTH || c->irq[n] == irq);
    if (!same && is_in(c, irq, &at)) {
        drop(m, c, at);
        same = true;
    }
    if (same) {
        (void)end_last(m, c, false);
    } else if (c->irqs_known) {
        (void)unpaired(m, irq, false, "the enter of an interrupt is missing");
    } else { // it began before the first known one
        drop(m, c, 0);
        struct wf_change *end = wfi_change(m, WF_CHANGE_IRQ_END);
        end->irq = irq;
        end->from = m->now;
    }
}
