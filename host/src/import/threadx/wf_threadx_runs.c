// SPDX-License-Identifier: MIT
// Which thread runs. A trace buffer has no events of switches: RESUME, SUSPEND and some others name
// the thread that the kernel has chosen, the heir. It runs from there on, unless an interrupt comes
// before the switch is done and the kernel chooses again. The next event decides: events of a
// thread have that thread, and events of an interrupt have the interrupted one.

#include "wfi_threadx.h"

static struct wfi_import_core *core_of(struct wfi_import *im) { return &im->cores[0]; }

static bool runs(const struct wfi_import *im, uint32_t thread) {
    return im->cores[0].known && im->cores[0].task == thread;
}

static void run(struct wfi_import *im, uint32_t thread) {
    struct wfi_threadx *x = im->state;
    const struct wfi_import_core *c = core_of(im);
    unsigned reason = WF_REASON_unknown;
    if (c->known && c->task) {
        if (x->leave)
            reason = x->leave;
        else if (x->pending && x->heir == thread)
            reason = x->heir_reason;
        else if (x->suspends) // it was not suspended: it is still ready
            reason = WF_REASON_preempted;
    }
    x->pending = false;
    x->leave = 0;
    wfi_import_switch(im, thread, reason);
}

// The priority of the thread of an event, as the kernel uses it: inherited ones show here.
static void note_priority(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const uint32_t valid = UINT32_C(1) << 31;
    const struct wfi_threadx *x = im->state;
    struct wfi_threadx_entity *t = x->thread;
    uint32_t prio = e->word & valid ? e->word & 0xFFFF : e->word;
    if (!t || prio > TXI_PRIO_MAX || t->prio == (int16_t)prio) return;
    t->prio = (int16_t)prio;
    WFI_IMPORT(im, task_priority, e->context, prio);
}

static bool is_thread(uint32_t context) { return context != TXI_ISR && context != TXI_INIT; }

void wfi_threadx_run_context(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx *x = im->state;
    struct wfi_import_core *c = core_of(im);
    if (!x->thread || x->thread->key != e->context)
        x->thread = is_thread(e->context) ? wfi_threadx_entity(x, e->context) : NULL;
    if (e->context == TXI_INIT) {
        if (!c->known) *c = (struct wfi_import_core){.known = true};
    } else if (e->context != TXI_ISR) {
        wfi_import_irq_exit_all(im); // an interrupt that records no end
        if (!runs(im, e->context)) run(im, e->context);
        note_priority(im, e);
    } else if (x->interrupted && !c->irqs) {
        bool fits = e->word ? !runs(im, e->word) : !c->known;
        if (fits) run(im, e->word);
    }
}

void wfi_threadx_run_next(struct wfi_import *im, uint32_t heir, unsigned reason) {
    struct wfi_threadx *x = im->state;
    x->heir = heir;
    x->heir_reason = (uint8_t)reason;
    x->pending = !runs(im, heir);
}

bool wfi_threadx_run_due(const struct wfi_import *im, const struct wfi_threadx_event *e) {
    const struct wfi_threadx *x = im->state;
    struct wfi_threadx_event next;
    if (!x->pending || im->cores[0].irqs || e->context == TXI_INIT) return false;
    if (!wfi_threadx_read(x, e->index + 1, &next)) return true;
    if (next.context != TXI_ISR) return next.context == x->heir || !runs(im, next.context);
    if (!x->interrupted || next.word == x->heir) return true;
    // 0 is the scheduler between two threads, too.
    return next.word != 0 && !runs(im, next.word);
}

void wfi_threadx_run_heir(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const struct wfi_threadx *x = im->state;
    if (wfi_threadx_run_due(im, e)) run(im, x->heir);
}
