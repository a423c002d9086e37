// SPDX-License-Identifier: MIT
// Paths as words.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/wfi_session.h"
#include "wfi_explain.h"

struct words {
    char *text;
    size_t len, cap;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *w, const char *format, ...) {
    va_list args;
    if (w->len + 1 >= w->cap) return;
    va_start(args, format);
    int n = vsnprintf(w->text + w->len, w->cap - w->len, format, args);
    va_end(args);
    if (n > 0) w->len += (size_t)n;
    if (w->len >= w->cap) w->len = w->cap - 1;
}

const char *wf_explain_irq_name(const struct wf_explain *e, uint16_t irq) {
    const struct wfi_name *name = wfi_irq_name(e->s, irq);
    return name ? name->text : NULL;
}

static void add_irq(struct words *w, const struct wf_explain *e, uint16_t irq) {
    const char *name = wf_explain_irq_name(e, irq);
    if (irq == WF_IRQ_UNKNOWN)
        add(w, "an interrupt");
    else if (name)
        add(w, "interrupt %s", name);
    else
        add(w, "interrupt %u", irq);
}

// Returns the holder of the last mutex; null: the path has no blocks, or the holder is not known.
static const struct wf_task *add_blocks(struct words *w, const struct wf_explain *e,
                                        const struct wf_explain_path *p) {
    const struct wf_task *holder = NULL;
    for (unsigned i = 0; i < p->block_count; ++i) {
        const struct wf_explain_block *b = &p->blocks[i];
        add(w, i ? ", which waits for " : "waits for ");
        add(w, "%s", b->mutex ? wf_object_name(e->m, b->mutex) : "a mutex");
        holder = b->holder;
        if (holder) add(w, " of %s", wf_task_name(e->m, holder));
    }
    if (p->block_count) add(w, ": ");
    return holder;
}

static void add_ready(struct words *w, const struct wf_explain *e,
                      const struct wf_explain_path *p) {
    if (p->cause == WF_CAUSE_TASK)
        add(w, "%s runs", wf_task_name(e->m, p->task));
    else
        add(w, "core %u is idle, or runs what is not traced", p->core);
}

const char *wf_explain_words(const struct wf_explain *e, const struct wf_explain_path *p,
                             char *text, size_t cap) {
    struct words w = {text, 0, cap};
    if (cap) *text = 0;
    const struct wf_task *holder = add_blocks(&w, e, p);
    const char *subject = holder ? wf_task_name(e->m, holder) : "";
    const char *space = holder ? " " : "";
    switch (p->cause) {
    case WF_CAUSE_EXECUTION: add(&w, "%s%sexecutes", subject, space); break;
    case WF_CAUSE_IRQ: add_irq(&w, e, p->irq); break;
    case WF_CAUSE_TASK:
    case WF_CAUSE_IDLE:
        if (holder) add(&w, "%s is ready, ", subject);
        add_ready(&w, e, p);
        break;
    case WF_CAUSE_WAIT:
        add(&w, "%s%swaits", subject, space);
        if (p->object) add(&w, " for %s", wf_object_name(e->m, p->object));
        break;
    case WF_CAUSE_SLEEP: add(&w, "%s%ssleeps", subject, space); break;
    case WF_CAUSE_SUSPENDED: add(&w, "%s%sis suspended", subject, space); break;
    case WF_CAUSE_FREE: add(&w, "it is free"); break;
    case WF_CAUSE_DEADLOCK: add(&w, "a deadlock"); break;
    default: add(&w, "unknown");
    }
    return text;
}
