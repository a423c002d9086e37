// SPDX-License-Identifier: MIT
// What a core does, as statistics and explanations count it.
#ifndef WFI_ACTIVITY_H
#define WFI_ACTIVITY_H

#include "wallfly_host/wf_stats.h"

// has_irqs: the core has recorded an interrupt. A core that never does is assumed not to trace
// them.
static inline enum wf_stats_activity wfi_core_activity(const struct wf_core *core, bool has_irqs) {
    if (core->irqs) return core->irqs_doubtful ? WF_CPU_UNKNOWN : WF_CPU_IRQ;
    if (!core->known || (!core->irqs_known && has_irqs)) return WF_CPU_UNKNOWN;
    return core->task ? WF_CPU_TASK : WF_CPU_IDLE;
}

// The interrupt that runs on a core whose activity is WF_CPU_IRQ.
static inline uint16_t wfi_core_irq(const struct wf_core *core) {
    return core->irqs <= WF_IRQ_DEPTH ? core->irq[core->irqs - 1] : WF_IRQ_UNKNOWN;
}

// Returns true if the item may change a core's state without a change of the model: a first switch
// to the idle task makes the core known, a RUNNING of QNX its interrupts.
static inline bool wfi_changes_core(const struct wf_model *m, const struct wf_item *item) {
    if (item->kind == WF_ITEM_EVENT) return wf_model_acts(m, item->event);
    if (item->kind != WF_ITEM_RECORD || !item->record.row) return false;
    switch (item->record.row->effect) {
    case WF_EFFECT_TASK_SWITCH:
    case WF_EFFECT_SCHED_IDLE:
    case WF_EFFECT_SCHED_NEXT:
    case WF_EFFECT_RESTORE:
    case WF_EFFECT_PREEMPT:
    case WF_EFFECT_IRQ_ENTER: return true;
    default: return false;
    }
}

#endif
