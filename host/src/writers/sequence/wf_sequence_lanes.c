// SPDX-License-Identifier: MIT
// Lanes of sequence diagrams: those listed by the caller, by name, or all that appear.

#include <stdlib.h>
#include <string.h>

#include "wfi_sequence.h"

int wfi_sequence_list(struct wf_writer *w) {
    struct wfi_seq *q = w->own;
    q->other = -1;
    if (!w->options.objects) return WF_OK;
    w->objects = strdup(w->options.objects);
    if (!w->objects) return WF_ERR_NOMEM;
    for (char *name = w->objects; name;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = 0;
        if (q->lane_count == WFI_SEQUENCE_LISTED) return WF_ERR_TOO_MANY;
        if (strcmp(name, "?") == 0) q->other = (int)q->lane_count;
        q->list[q->lane_count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return WF_OK;
}

void wfi_sequence_name(struct wf_writer *w, struct wfi_sequence_who who, struct wfi_strbuf *t) {
    const char *name;
    switch (who.kind) {
    case WFI_WHO_TASK:
        name = wf_task_name(w->model, wf_model_task(w->model, (unsigned)who.key));
        break;
    case WFI_WHO_OBJECT:
        name = wf_object_name(w->model, wf_model_object(w->model, (unsigned)who.key));
        break;
    case WFI_WHO_IRQ:
        if (w->s->target.cores > 1 || who.key)
            wfi_strbuf_printf(t, "interrupts of core %u", (unsigned)who.key);
        else
            wfi_strbuf_put(t, "interrupts");
        return;
    case WFI_WHO_START: wfi_strbuf_put(t, "start-up"); return;
    default: wfi_put_object(w->s, who.key, t); return;
    }
    wfi_strbuf_put(t, name);
}

static int listed(struct wf_writer *w, struct wfi_sequence_who who) {
    struct wfi_seq *q = w->own;
    struct wfi_strbuf *t = &q->quoted;
    wfi_strbuf_clear(t);
    wfi_sequence_name(w, who, t);
    wfi_strbuf_bytes("", 1, t);
    for (size_t i = 0; i < q->lane_count; ++i) {
        if (strcmp(q->list[i], t->buf) == 0) return (int)i;
    }
    return q->other;
}

int wfi_sequence_lane(struct wf_writer *w, struct wfi_sequence_who who) {
    struct wfi_seq *q = w->own;
    if (w->objects) return listed(w, who);
    uint64_t hash = wfi_hash(who.key, who.kind, &q->index);
    size_t step = 0;
    for (uint32_t at; (at = wfi_index_next(&q->index, hash, &step)) != 0;) {
        if (q->lanes[at - 1].kind == who.kind && q->lanes[at - 1].key == who.key)
            return (int)at - 1;
    }
    if (q->lane_count == q->lane_cap) {
        size_t cap = q->lane_cap ? 2 * q->lane_cap : 16;
        struct wfi_sequence_who *lanes = realloc(q->lanes, cap * sizeof *lanes);
        if (!lanes) {
            w->failed = true;
            return -1;
        }
        q->lanes = lanes;
        q->lane_cap = cap;
    }
    if (!wfi_index_add(&q->index, hash, (uint32_t)q->lane_count + 1)) {
        w->failed = true;
        return -1;
    }
    q->lanes[q->lane_count] = who;
    return (int)q->lane_count++;
}

// Names are those known at the end.
void wfi_sequence_put_lanes(struct wf_writer *w, struct wfi_strbuf *t) {
    struct wfi_seq *q = w->own;
    for (size_t i = 0; i < q->lane_count; ++i) {
        wfi_strbuf_clear(&q->text);
        wfi_strbuf_clear(&q->quoted);
        if (w->objects)
            wfi_strbuf_put(&q->text, q->list[i]);
        else
            wfi_sequence_name(w, q->lanes[i], &q->text);
        if (q->text.end == q->text.buf) wfi_strbuf_put(&q->text, "(no name)");
        wfi_sequence_quote(q->language, &q->quoted, q->text.buf, wfi_strbuf_len(&q->text));
        wfi_strbuf_bytes("", 1, &q->quoted);
        q->language->lane(t, (unsigned)i, i + 1 == q->lane_count, q->quoted.buf);
    }
    if (!q->lane_count && !q->language->data) q->language->lane(t, 0, true, "nothing");
}
