// SPDX-License-Identifier: MIT
// Messages from the model's changes, as a sequence diagram. Lanes must be declared before all
// arrows but are known only at the end, so they are part 0, written last.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_sequence.h"

static struct wfi_sequence_who of_task(const struct wf_writer *w, const struct wf_change *c,
                                       const struct wf_task *t) {
    if (!t && wfi_is_startup(w->s)) return (struct wfi_sequence_who){WFI_WHO_START, 0};
    if (!t) return (struct wfi_sequence_who){WFI_WHO_IRQ, c->core};
    return (struct wfi_sequence_who){WFI_WHO_TASK, t->index};
}

// QP's objects are senders as well, which are known by address.
static struct wfi_sequence_who of_object(const struct wf_object *o) {
    if (o->kind >= WF_OBJECT_MACHINE) return (struct wfi_sequence_who){WFI_WHO_ADDRESS, o->key};
    return (struct wfi_sequence_who){WFI_WHO_OBJECT, o->index};
}

static struct wfi_sequence_who of_address(uint64_t address) {
    return (struct wfi_sequence_who){WFI_WHO_ADDRESS, address};
}

// ---- drawing

static void put(struct wf_writer *w, const char *text) { wfi_strbuf_put(&wfi_seq(w)->text, text); }

// Seconds since the first time, with microseconds, and up to three more digits if not zero.
static void put_time(struct wf_writer *w, uint64_t tick) {
    const struct wfi_seq *q = w->own;
    if (!q->language->between) return;
    uint64_t ns = wf_scale_ns(&w->scale, tick), zero = wf_scale_ns(&w->scale, w->scope.zero);
    ns = ns > zero ? ns - zero : 0;
    struct wfi_strbuf *t = &wfi_seq(w)->quoted;
    wfi_strbuf_put(t, q->language->between);
    if (!w->scale.hz) {
        wfi_strbuf_printf(t, "tick %" PRIu64, tick);
        return;
    }
    wfi_strbuf_printf(t, "%" PRIu64 ".%09u", ns / 1000000000, (unsigned)(ns % 1000000000));
    for (unsigned n = 3; n > 0 && t->end[-1] == '0'; --n) --t->end;
    wfi_strbuf_put(t, " s");
}

static bool full(const struct wfi_seq *q) {
    size_t bytes = q->most ? 0 : q->language->bytes;
    return q->drawn >= (q->most ? q->most : WFI_SEQUENCE_MOST) || (bytes && q->bytes > bytes);
}

// Draws an arrow with the text so far. timed: the time is appended to the text.
static void draw(struct wf_writer *w, enum wfi_arrow arrow, unsigned from, unsigned to,
                 uint64_t tick, bool timed) {
    struct wfi_seq *q = w->own;
    size_t before = wfi_strbuf_len(&w->text);
    unsigned lanes = q->lane_count ? (unsigned)q->lane_count : 1;
    wfi_strbuf_clear(&q->quoted);
    wfi_sequence_quote(q->language, &q->quoted, q->text.buf, wfi_strbuf_len(&q->text));
    if (timed) put_time(w, tick);
    wfi_strbuf_bytes("", 1, &q->quoted);
    const struct wfi_sequence_arrow a = {.kind = arrow,
                                         .from = from,
                                         .to = to,
                                         .lanes = lanes,
                                         .time = (int64_t)(tick - w->options.zero),
                                         .text = q->quoted.buf};
    if (q->drawn > 1) wfi_strbuf_put(&w->text, q->language->next);
    q->language->arrow(&w->text, &a);
    q->bytes += wfi_strbuf_len(&w->text) - before;
    wfi_flush_part(w, 1, "arrows", &w->text, WFI_STRBUF_CAP / 2);
}

// Begins the text of an arrow. Returns false when it is not drawn.
static bool begin_arrow(struct wf_writer *w, struct wfi_sequence_who a, struct wfi_sequence_who b,
                        unsigned *from, unsigned *to) {
    struct wfi_seq *q = w->own;
    size_t lanes = q->lane_count;
    if (full(q) && !w->objects) {
        ++q->left;
        return false;
    }
    int one = wfi_sequence_lane(w, a), two = wfi_sequence_lane(w, b);
    if (one < 0 || two < 0 || (one == two && one == q->other)) return false;
    if (full(q)) {
        ++q->left;
        return false;
    }
    if (!w->objects) q->bytes += (q->lane_count - lanes) * (WFI_SEQUENCE_TEXT_MAX / 2 + 16);
    ++q->drawn;
    *from = (unsigned)one;
    *to = (unsigned)two;
    wfi_strbuf_clear(&q->text);
    return true;
}

static void simple(struct wf_writer *w, enum wfi_arrow arrow, struct wfi_sequence_who from,
                   struct wfi_sequence_who to, const char *text, uint64_t tick) {
    unsigned a, b;
    if (!begin_arrow(w, from, to, &a, &b)) return;
    put(w, text);
    draw(w, arrow, a, b, tick, true);
}

// ---- what is drawn

static void signal_arrow(struct wf_writer *w, enum wfi_arrow arrow, struct wfi_sequence_who from,
                         struct wfi_sequence_who to, const char *text, const struct wf_change *c) {
    unsigned a, b;
    if (!begin_arrow(w, from, to, &a, &b)) return;
    put(w, text);
    wfi_put_signal(w->s, c->text, c->object->key, &wfi_seq(w)->text);
    draw(w, arrow, a, b, c->tick, true);
}

static void state_note(struct wf_writer *w, const struct wf_change *c) {
    unsigned a, b;
    if (!c->value || !begin_arrow(w, of_object(c->object), of_object(c->object), &a, &b)) return;
    wfi_put_function(w->s, (uint64_t)c->value, &wfi_seq(w)->text);
    draw(w, WFI_ARROW_NOTE, a, b, c->tick, false);
}

static bool has_field(const struct wf_record *r, enum wf_kind kind) {
    return r && wf_row_place(r->row, kind) >= 0;
}

// A word with a count or bits, whichever the record has.
static void counted(struct wf_writer *w, enum wfi_arrow arrow, struct wfi_sequence_who from,
                    struct wfi_sequence_who to, const char *text, const struct wf_change *c) {
    unsigned a, b;
    if (!begin_arrow(w, from, to, &a, &b)) return;
    put(w, text);
    if (has_field(c->record, WF_KIND_FLAGS))
        wfi_strbuf_printf(&wfi_seq(w)->text, " %08" PRIX64, (uint64_t)c->value);
    else if (has_field(c->record, WF_KIND_DEPTH) || has_field(c->record, WF_KIND_LEVEL))
        wfi_strbuf_printf(&wfi_seq(w)->text, " (%" PRIu64 ")", (uint64_t)c->value);
    draw(w, arrow, a, b, c->tick, true);
}

static void wake(struct wf_writer *w, const struct wf_change *c) {
    const struct wf_core *core = wf_model_core(w->model, c->core);
    struct wfi_sequence_who task = of_task(w, c, c->task);
    if (c->by || (core->irqs_known && core->irqs))
        simple(w, WFI_ARROW_SEND, of_task(w, c, c->by), task, "wakes", c->tick);
    else
        simple(w, WFI_ARROW_NOTE, task, task, "is woken", c->tick);
}

static void take_object(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_sequence_who task = of_task(w, c, c->task), object = of_object(c->object);
    bool queue = c->object->kind == WF_OBJECT_QUEUE;
    switch (c->kind) {
    case WF_CHANGE_GIVE:
        counted(w, WFI_ARROW_SEND, task, object, queue ? "sends" : "gives", c);
        break;
    case WF_CHANGE_TAKE:
        counted(w, WFI_ARROW_GET, object, task, queue ? "receives" : "takes", c);
        break;
    case WF_CHANGE_WAIT: simple(w, WFI_ARROW_WAIT, task, object, "waits", c->tick); break;
    case WF_CHANGE_REFUSED: simple(w, WFI_ARROW_LOST, task, object, "refused", c->tick); break;
    case WF_CHANGE_HOLD:
        if (c->from_known) simple(w, WFI_ARROW_GET, object, task, "holds", c->tick);
        break;
    case WF_CHANGE_HOLD_END:
        if (!c->cut) simple(w, WFI_ARROW_SEND, task, object, "gives", c->tick);
        break;
    case WF_CHANGE_ALARM: simple(w, WFI_ARROW_NOTE, object, object, "expires", c->tick); break;
    default: // ALARM_SET
        simple(w, WFI_ARROW_SEND, task, object, c->got ? "starts" : "stops", c->tick);
    }
}

static void take_change(struct wf_writer *w, const struct wf_change *c) {
    if (w->ending) return;
    switch (c->kind) {
    case WF_CHANGE_POST:
        signal_arrow(w, c->got ? WFI_ARROW_SEND : WFI_ARROW_LOST, of_address(c->sender),
                     of_object(c->object), c->got ? "" : "no room for ", c);
        break;
    case WF_CHANGE_GET:
        signal_arrow(w, WFI_ARROW_GET, of_object(c->object), of_object(c->object), "gets ", c);
        break;
    case WF_CHANGE_STATE: state_note(w, c); break;
    case WF_CHANGE_WAKE: wake(w, c); break;
    case WF_CHANGE_GIVE:
    case WF_CHANGE_TAKE:
    case WF_CHANGE_WAIT:
    case WF_CHANGE_REFUSED:
    case WF_CHANGE_HOLD:
    case WF_CHANGE_HOLD_END:
    case WF_CHANGE_ALARM:
    case WF_CHANGE_ALARM_SET: take_object(w, c); break;
    default: break;
    }
}

// ---- items that are no changes of the model

static void publish(struct wf_writer *w, const struct wf_record *r) {
    struct wfi_sequence_who sender = of_address(wfi_value(r, WF_KIND_SENDER));
    unsigned a, b;
    if (!begin_arrow(w, sender, sender, &a, &b)) return;
    put(w, "publishes ");
    wfi_put_signal(w->s, wfi_value(r, WF_KIND_SIGNAL_ANY), 0, &wfi_seq(w)->text);
    draw(w, WFI_ARROW_ALL, a, b, r->tick, true);
}

static void loss(struct wf_writer *w, const struct wf_loss *l) {
    struct wfi_seq *q = w->own;
    if (w->ending) return;
    if (full(q)) {
        ++q->left;
        return;
    }
    ++q->drawn;
    wfi_strbuf_clear(&q->text);
    wfi_put_loss(w->s, l, &q->text);
    draw(w, WFI_ARROW_BREAK, 0, 0, l->tick_before, false);
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_LOSS) loss(w, &item->loss);
    if (item->kind != WF_ITEM_RECORD || !wfi_is_whole(&item->record)) return;
    if (item->record.row->effect == WF_EFFECT_PUBLISH) publish(w, &item->record);
}

// ---- begin and end

static int open_sequence(struct wf_writer *w, const struct wfi_sequence_language *language) {
    struct wfi_seq *q = calloc(1, sizeof *q);
    if (!q) return WF_ERR_NOMEM;
    w->own = q;
    q->language = language;
    q->most = w->options.most;
    if (!wfi_strbuf_open(&q->text, &w->failed) || !wfi_strbuf_open(&q->quoted, &w->failed))
        return WF_ERR_NOMEM;
    return wfi_sequence_list(w);
}

static int open_mscgen(struct wf_writer *w) { return open_sequence(w, &wfi_mscgen); }
static int open_json(struct wf_writer *w) { return open_sequence(w, &wfi_sequence_json); }
static int open_mermaid(struct wf_writer *w) { return open_sequence(w, &wfi_mermaid); }

// Notes about the diagram itself, across all lanes.
static void end_notes(struct wf_writer *w) {
    struct wfi_seq *q = w->own;
    if (w->cut) {
        wfi_strbuf_clear(&q->text);
        wfi_strbuf_printf(&q->text, "cut here: %" PRIu64 " more arrows and notes are not drawn",
                          q->left);
        draw(w, WFI_ARROW_BREAK, 0, 0, 0, false);
    }
    if (!q->drawn) { // MscGen accepts no diagram without contents
        wfi_strbuf_clear(&q->text);
        put(w, "nothing to draw");
        draw(w, WFI_ARROW_BREAK, 0, 0, 0, false);
    }
}

static void end_sequence(struct wf_writer *w) {
    struct wfi_seq *q = w->own;
    w->cut = q->left > 0;
    if (!q->language->data) end_notes(w);
    q->language->end(&w->text, q->left);
    wfi_flush_part(w, 1, "arrows", &w->text, 1);
    q->language->begin(&w->text, (unsigned)q->lane_count);
    wfi_sequence_put_lanes(w, &w->text);
    wfi_flush_part(w, 0, "lanes", &w->text, 0);
}

static void close_sequence(struct wf_writer *w) {
    struct wfi_seq *q = w->own;
    if (!q) return;
    wfi_strbuf_close(&q->text);
    wfi_strbuf_close(&q->quoted);
    free(q->lanes);
    wfi_index_close(&q->index);
    free(q);
}

const struct wfi_ops wfi_mscgen_ops = {.open = open_mscgen,
                                       .change = take_change,
                                       .item = take_item,
                                       .end = end_sequence,
                                       .close = close_sequence};
const struct wfi_ops wfi_sequence_ops = {.open = open_json,
                                         .change = take_change,
                                         .item = take_item,
                                         .end = end_sequence,
                                         .close = close_sequence};
const struct wfi_ops wfi_mermaid_ops = {.open = open_mermaid,
                                        .change = take_change,
                                        .item = take_item,
                                        .end = end_sequence,
                                        .close = close_sequence};
