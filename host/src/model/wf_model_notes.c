// SPDX-License-Identifier: MIT
// Spans, counters, messages. The spans of a task are nested, and so are those of a core's
// interrupts. The outermost WFI_SPANS are kept; the begin of deeper ones is not.

#include "wfi_model.h"

#include <stdlib.h>

static void end_last_span(struct wf_model *m, struct wfi_spans *spans, struct wf_task *t,
                          bool cut) {
    unsigned n = --spans->count;
    struct wf_change *c = wfi_change(m, WF_CHANGE_SPAN_END);
    c->task = t;
    c->text = spans->at[n].text;
    c->from = spans->at[n].since;
    c->from_known = true;
    c->cut = cut;
}

void wfi_spans_cut(struct wf_model *m, struct wfi_spans *spans, struct wf_task *t, unsigned core) {
    while (spans->count) {
        end_last_span(m, spans, t, true);
        if (m->err == WF_OK) m->queue[m->queued - 1].core = core;
    }
}

static struct wfi_spans *spans_of(struct wf_model *m, struct wf_task *t) {
    if (!t) return &m->irq_spans[m->core];
    struct wfi_task *own = wfi_task(t);
    if (!own->spans) own->spans = calloc(1, sizeof *own->spans);
    if (!own->spans) m->err = WF_ERR_NOMEM;
    return own->spans;
}

static void begin_span(struct wf_model *m, struct wf_task *t, uint64_t text) {
    struct wfi_spans *spans = spans_of(m, t);
    if (!spans) return;
    struct wf_change *c = wfi_change(m, WF_CHANGE_SPAN);
    c->task = t;
    c->text = text;
    if (spans->count == WFI_SPANS) return;
    spans->at[spans->count].text = text;
    spans->at[spans->count++].since = m->now;
}

static void end_spans(struct wf_model *m, struct wf_task *t, uint64_t text) {
    struct wfi_spans *spans = spans_of(m, t);
    if (!spans) return;
    unsigned n = spans->count;
    while (n > 0 && spans->at[n - 1].text != text) --n;
    if (n == 0) { // it began in a hole, or was too deep
        struct wf_change *c = wfi_change(m, WF_CHANGE_SPAN_END);
        c->task = t;
        c->text = text;
        return;
    }
    if (n < spans->count) wfi_inconsistent(m, t, NULL, "a span ends before one in it");
    while (spans->count > n) end_last_span(m, spans, t, true);
    end_last_span(m, spans, t, false);
}

void wfi_take_note(struct wf_model *m) {
    enum wf_effect effect = m->record->row->effect;
    uint64_t text = wfi_value(m, WF_KIND_TEXT);
    if (effect == WF_EFFECT_LOG) {
        wfi_change(m, WF_CHANGE_LOG);
        return;
    }
    if (effect == WF_EFFECT_COUNTER) {
        struct wf_change *c = wfi_change(m, WF_CHANGE_COUNTER);
        c->text = text;
        c->value = (int32_t)wfi_value(m, WF_KIND_SIGNED);
        return;
    }
    struct wf_task *t = wfi_actor(m);
    if (t) wfi_task_infer_active(m, t);
    if (effect == WF_EFFECT_SPAN_BEGIN)
        begin_span(m, t, text);
    else
        end_spans(m, t, text);
}

unsigned wf_model_open_spans(const struct wf_model *m, const struct wf_task *task, unsigned core,
                             struct wf_open_span spans[WF_SPANS_OPEN]) {
    const struct wfi_spans *from =
        task ? ((const struct wfi_task *)(const void *)task)->spans : &m->irq_spans[core];
    unsigned count = from ? from->count : 0;
    for (unsigned i = 0; i < count; ++i) spans[i] = from->at[i];
    return count;
}
