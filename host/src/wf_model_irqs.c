// SPDX-License-Identifier: MIT
// Interrupts on top of each other, on each core. The depth that both ends tell makes the stack
// known again after a hole, if not the numbers of those below.

#include "wfi_model.h"

// The interrupts below `depth` that are not known: from now on they are known to be there.
static void fill(const struct wf_model *m, struct wf_core *c, unsigned depth) {
    for (unsigned i = c->irqs; i < depth && i < WF_IRQ_DEPTH; ++i) {
        c->irq[i] = WF_IRQ_UNKNOWN;
        c->irq_since[i] = m->now;
        c->irq_since_known[i] = false;
    }
    c->irqs = depth;
}

static void end_last(struct wf_model *m, struct wf_core *c, bool cut) {
    unsigned n = --c->irqs;
    struct wf_change *end = wfi_change(m, WF_CHANGE_IRQ_END);
    bool kept = n < WF_IRQ_DEPTH;
    end->irq = kept ? c->irq[n] : WF_IRQ_UNKNOWN;
    end->from = kept ? c->irq_since[n] : 0;
    end->from_known = kept && c->irq_since_known[n];
    end->cut = cut;
}

// Makes the stack `depth` deep.
static void set_depth(struct wf_model *m, struct wf_core *c, unsigned depth) {
    if (c->irqs_known && c->irqs != depth) wfi_odd(m, NULL, NULL, "interrupts nest otherwise");
    while (c->irqs > depth) end_last(m, c, true);
    fill(m, c, depth);
    c->irqs_known = true;
}

static void enter(struct wf_model *m, struct wf_core *c, unsigned irq, unsigned nest) {
    if (nest) set_depth(m, c, nest - 1);
    if (!c->irqs_known || c->irqs == UINT8_MAX) return;
    unsigned n = c->irqs++;
    if (n < WF_IRQ_DEPTH) {
        c->irq[n] = (uint16_t)irq;
        c->irq_since[n] = m->now;
        c->irq_since_known[n] = true;
    }
    wfi_change(m, WF_CHANGE_IRQ_BEGIN)->irq = (uint16_t)irq;
}

static void leave(struct wf_model *m, struct wf_core *c, unsigned irq, unsigned nest) {
    if (nest) set_depth(m, c, nest);
    if (!c->irqs_known) return;
    if (!c->irqs) {
        wfi_odd(m, NULL, NULL, "an interrupt ends that did not begin");
        return;
    }
    unsigned n = c->irqs - 1;
    bool other = n < WF_IRQ_DEPTH && c->irq[n] != irq;
    if (other && c->irq_since_known[n]) wfi_odd(m, NULL, NULL, "another interrupt ends");
    if (other) c->irq[n] = (uint16_t)irq;
    end_last(m, c, false);
    if (!c->irqs) wfi_spans_cut(m, &m->irq_spans[m->core], NULL, m->core);
}

void wfi_take_irq(struct wf_model *m) {
    enum wf_effect effect = m->record->row->effect;
    bool own = wfi_has(m, WF_KIND_IRQ); // QP's do not tell the number
    struct wf_core *c = wfi_core(m);
    if (!c) return;
    unsigned irq = own ? (unsigned)wfi_value(m, WF_KIND_IRQ) : WF_IRQ_UNKNOWN;
    unsigned nest = (unsigned)wfi_value(m, WF_KIND_NESTING);
    if (effect == WF_EFFECT_IRQ_ENTER || effect == WF_EFFECT_ISR_ENTER)
        enter(m, c, irq, nest);
    else
        leave(m, c, irq, nest);
}

void wfi_irq_begins(struct wf_model *m, struct wf_core *c, uint16_t irq) {
    unsigned n = c->irqs++;
    if (n < WF_IRQ_DEPTH) {
        c->irq[n] = irq;
        c->irq_since[n] = m->now;
        c->irq_since_known[n] = true;
    }
    wfi_change(m, WF_CHANGE_IRQ_BEGIN)->irq = irq;
}

void wfi_irq_ends(struct wf_model *m, struct wf_core *c, uint16_t irq) {
    unsigned n = c->irqs - 1;
    bool other = c->irqs && n < WF_IRQ_DEPTH && c->irq[n] != irq;
    if (c->irqs && !other) {
        end_last(m, c, false);
        return;
    }
    if (other) wfi_odd(m, NULL, NULL, "another interrupt ends");
    if (!c->irqs && c->irqs_known) wfi_odd(m, NULL, NULL, "an interrupt ends that did not begin");
    while (c->irqs) end_last(m, c, true);
    c->irqs_known = false;
    struct wf_change *end = wfi_change(m, WF_CHANGE_IRQ_END);
    end->irq = irq;
    end->from = m->now; // it began before all that is known
}
