// SPDX-License-Identifier: MIT
// Sequence diagrams of messages, from the model's changes. Lanes are declared before the arrows but
// known only at the end, so they are part 0, written last.

#include <inttypes.h>
#include <string.h>

#include "util/wfi_keys.h"
#include "wfi_sequence.h"

enum {
    MOST = 1000, // default limit of arrows and notes
    LISTED = 64, // lanes of a list
};

// An end of an arrow.
struct participant {
    enum participant_kind { TASK, OBJECT, ADDRESS, INTERRUPTS, STARTUP } kind;
    uint64_t key; // index, address, core
};

struct seq {
    const struct wfi_sequence_language *language;
    struct wfi_keys lanes; // if there is no list: key and kind of each
    char *list[LISTED];    // names
    size_t list_count;
    int other;            // index in the list of the lane for all others, or -1
    uint64_t drawn, left; // number of arrows and notes; left: not drawn, beyond the limit
    size_t bytes;         // of arrows and lanes so far
    struct wfi_strbuf text, quoted;
};

static struct seq *seq(const struct wf_writer *w) { return w->own; }

static struct participant of_task(const struct wf_writer *w, const struct wf_change *c,
                                  const struct wf_task *t) {
    if (!t && wfi_is_startup(w->s)) return (struct participant){STARTUP, 0};
    if (!t) return (struct participant){INTERRUPTS, c->core};
    return (struct participant){TASK, t->index};
}

// Objects of QP are senders, too, and records give senders by address.
static struct participant of_object(const struct wf_object *o) {
    if (o->kind >= WF_OBJECT_MACHINE) return (struct participant){ADDRESS, o->key};
    return (struct participant){OBJECT, o->index};
}

static struct participant of_address(uint64_t address) {
    return (struct participant){ADDRESS, address};
}

// ---- lanes: those listed by the caller, by name, or all that appear

static int list_lanes(struct wf_writer *w) {
    struct seq *q = w->own;
    q->other = -1;
    for (char *name = w->objects; name;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = 0;
        if (q->list_count == LISTED) return WF_ERR_TOO_MANY;
        if (strcmp(name, "?") == 0) q->other = (int)q->list_count;
        q->list[q->list_count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return WF_OK;
}

static void put_lane_name(struct wf_writer *w, struct participant of, struct wfi_strbuf *t) {
    const char *name;
    switch (of.kind) {
    case TASK: name = wf_task_name(w->model, wf_model_task(w->model, (unsigned)of.key)); break;
    case OBJECT:
        name = wf_object_name(w->model, wf_model_object(w->model, (unsigned)of.key));
        break;
    case INTERRUPTS:
        if (w->s->target.cores > 1 || of.key)
            wfi_strbuf_printf(t, "interrupts of core %u", (unsigned)of.key);
        else
            wfi_strbuf_put(t, "interrupts");
        return;
    case STARTUP: wfi_strbuf_put(t, "start-up"); return;
    default: wfi_put_object(w->s, of.key, t); return;
    }
    wfi_strbuf_put(t, name);
}

static int find_listed(struct wf_writer *w, struct participant of) {
    struct seq *q = w->own;
    struct wfi_strbuf *t = &q->quoted;
    wfi_strbuf_clear(t);
    put_lane_name(w, of, t);
    wfi_strbuf_bytes("", 1, t);
    for (size_t i = 0; i < q->list_count; ++i) {
        if (strcmp(q->list[i], t->buf) == 0) return (int)i;
    }
    return q->other;
}

static int find_lane(struct wf_writer *w, struct participant of) {
    if (w->objects) return find_listed(w, of);
    uint32_t number = wfi_keys_number(&seq(w)->lanes, of.key, of.kind);
    if (!number) w->failed = true;
    return (int)number - 1;
}

static unsigned count_lanes(const struct wf_writer *w) {
    const struct seq *q = w->own;
    return (unsigned)(w->objects ? q->list_count : q->lanes.count);
}

// Writes the lanes with the names known at the end.
static void put_lanes(struct wf_writer *w) {
    struct wfi_strbuf *t = &w->text;
    struct seq *q = w->own;
    unsigned lanes = count_lanes(w);
    for (unsigned i = 0; i < lanes; ++i) {
        wfi_strbuf_clear(&q->text);
        wfi_strbuf_clear(&q->quoted);
        if (w->objects) {
            wfi_strbuf_put(&q->text, q->list[i]);
        } else {
            enum participant_kind kind = (enum participant_kind)q->lanes.list[i].with;
            put_lane_name(w, (struct participant){kind, q->lanes.list[i].key}, &q->text);
        }
        if (q->text.end == q->text.buf) wfi_strbuf_put(&q->text, "(no name)");
        wfi_sequence_quote(q->language, &q->quoted, q->text.buf, wfi_strbuf_len(&q->text));
        wfi_strbuf_bytes("", 1, &q->quoted);
        q->language->lane(t, i, i + 1 == lanes, q->quoted.buf);
    }
    if (!lanes && !q->language->data) q->language->lane(t, 0, true, "nothing");
}

// ---- drawing

static void put_text(struct wf_writer *w, const char *text) { wfi_strbuf_put(&seq(w)->text, text); }

// Appends the seconds since the first time, with 6 digits after the point, or up to 9 if needed.
static void put_time(struct wf_writer *w, uint64_t tick) {
    const struct seq *q = w->own;
    if (!q->language->between) return;
    uint64_t ns = wf_scale_ns(&w->scale, tick), zero = wf_scale_ns(&w->scale, w->scope.zero);
    ns = ns > zero ? ns - zero : 0;
    struct wfi_strbuf *t = &seq(w)->quoted;
    wfi_strbuf_put(t, q->language->between);
    if (!w->scale.hz) {
        wfi_strbuf_printf(t, "tick %" PRIu64, tick);
        return;
    }
    wfi_strbuf_printf(t, "%" PRIu64 ".%09u", ns / 1000000000, (unsigned)(ns % 1000000000));
    for (unsigned n = 3; n > 0 && t->end[-1] == '0'; --n) --t->end;
    wfi_strbuf_put(t, " s");
}

static bool is_full(const struct wf_writer *w) {
    const struct seq *q = w->own;
    size_t bytes = w->options.most ? 0 : q->language->bytes;
    return q->drawn >= (w->options.most ? w->options.most : MOST) || (bytes && q->bytes > bytes);
}

// Writes the arrow with its text. timed: the time is appended to the text.
static void end_arrow(struct wf_writer *w, enum wfi_arrow arrow, unsigned from, unsigned to,
                      uint64_t tick, bool timed) {
    struct seq *q = w->own;
    size_t before = wfi_strbuf_len(&w->text);
    unsigned lanes = count_lanes(w);
    wfi_strbuf_clear(&q->quoted);
    wfi_sequence_quote(q->language, &q->quoted, q->text.buf, wfi_strbuf_len(&q->text));
    if (timed) put_time(w, tick);
    wfi_strbuf_bytes("", 1, &q->quoted);
    const struct wfi_sequence_arrow a = {.kind = arrow,
                                         .from = from,
                                         .to = to,
                                         .lanes = lanes ? lanes : 1,
                                         .time = (int64_t)(tick - w->options.zero),
                                         .text = q->quoted.buf};
    if (q->drawn > 1) wfi_strbuf_put(&w->text, q->language->next);
    q->language->arrow(&w->text, &a);
    q->bytes += wfi_strbuf_len(&w->text) - before;
    wfi_flush_part(w, 1, "arrows", &w->text, WFI_STRBUF_CAP / 2);
}

// Begins the text of an arrow. Returns false when it is not drawn.
static bool begin_arrow(struct wf_writer *w, struct participant a, struct participant b,
                        unsigned *from, unsigned *to) {
    struct seq *q = w->own;
    unsigned lanes = count_lanes(w);
    if (is_full(w) && !w->objects) {
        ++q->left;
        return false;
    }
    int one = find_lane(w, a), two = find_lane(w, b);
    if (one < 0 || two < 0 || (one == two && one == q->other)) return false;
    if (is_full(w)) {
        ++q->left;
        return false;
    }
    q->bytes += (count_lanes(w) - lanes) * (WFI_SEQUENCE_TEXT_MAX / 2 + 16);
    ++q->drawn;
    *from = (unsigned)one;
    *to = (unsigned)two;
    wfi_strbuf_clear(&q->text);
    return true;
}

static void draw_arrow(struct wf_writer *w, enum wfi_arrow arrow, struct participant from,
                       struct participant to, const char *text, uint64_t tick) {
    unsigned a, b;
    if (!begin_arrow(w, from, to, &a, &b)) return;
    put_text(w, text);
    end_arrow(w, arrow, a, b, tick, true);
}

// ---- what is drawn

static void draw_signal(struct wf_writer *w, enum wfi_arrow arrow, struct participant from,
                        struct participant to, const char *text, const struct wf_change *c) {
    unsigned a, b;
    if (!begin_arrow(w, from, to, &a, &b)) return;
    put_text(w, text);
    wfi_put_signal(w->s, c->text, c->object->key, &seq(w)->text);
    end_arrow(w, arrow, a, b, c->tick, true);
}

static void draw_state(struct wf_writer *w, const struct wf_change *c) {
    unsigned a, b;
    if (!c->value || !begin_arrow(w, of_object(c->object), of_object(c->object), &a, &b)) return;
    wfi_put_function(w->s, (uint64_t)c->value, &seq(w)->text);
    end_arrow(w, WFI_ARROW_NOTE, a, b, c->tick, false);
}

static bool has_field(const struct wf_record *r, enum wf_kind kind) {
    return r && wf_row_place(r->row, kind) >= 0;
}

// Draws an arrow with a word, and the bits or the count if the record has them.
static void draw_counted(struct wf_writer *w, enum wfi_arrow arrow, struct participant from,
                         struct participant to, const char *text, const struct wf_change *c) {
    unsigned a, b;
    if (!begin_arrow(w, from, to, &a, &b)) return;
    put_text(w, text);
    if (has_field(c->record, WF_KIND_FLAGS))
        wfi_strbuf_printf(&seq(w)->text, " %08" PRIX64, (uint64_t)c->value);
    else if (has_field(c->record, WF_KIND_DEPTH) || has_field(c->record, WF_KIND_LEVEL))
        wfi_strbuf_printf(&seq(w)->text, " (%" PRIu64 ")", (uint64_t)c->value);
    end_arrow(w, arrow, a, b, c->tick, true);
}

static void draw_wake(struct wf_writer *w, const struct wf_change *c) {
    const struct wf_core *core = wf_model_core(w->model, c->core);
    struct participant task = of_task(w, c, c->task);
    if (c->by || (core->irqs_known && core->irqs))
        draw_arrow(w, WFI_ARROW_SEND, of_task(w, c, c->by), task, "wakes", c->tick);
    else
        draw_arrow(w, WFI_ARROW_NOTE, task, task, "is woken", c->tick);
}

static void take_object(struct wf_writer *w, const struct wf_change *c) {
    struct participant task = of_task(w, c, c->task), object = of_object(c->object);
    bool queue = c->object->kind == WF_OBJECT_QUEUE;
    switch (c->kind) {
    case WF_CHANGE_GIVE:
        draw_counted(w, WFI_ARROW_SEND, task, object, queue ? "sends" : "gives", c);
        break;
    case WF_CHANGE_TAKE:
        draw_counted(w, WFI_ARROW_GET, object, task, queue ? "receives" : "takes", c);
        break;
    case WF_CHANGE_WAIT: draw_arrow(w, WFI_ARROW_WAIT, task, object, "waits", c->tick); break;
    case WF_CHANGE_REFUSED: draw_arrow(w, WFI_ARROW_LOST, task, object, "refused", c->tick); break;
    case WF_CHANGE_HOLD:
        if (c->from_known) draw_arrow(w, WFI_ARROW_GET, object, task, "holds", c->tick);
        break;
    case WF_CHANGE_HOLD_END:
        if (!c->cut) draw_arrow(w, WFI_ARROW_SEND, task, object, "gives", c->tick);
        break;
    case WF_CHANGE_ALARM: draw_arrow(w, WFI_ARROW_NOTE, object, object, "expires", c->tick); break;
    default: // ALARM_SET
        draw_arrow(w, WFI_ARROW_SEND, task, object, c->got ? "starts" : "stops", c->tick);
    }
}

static void take_change(struct wf_writer *w, const struct wf_change *c) {
    if (w->ending) return;
    switch (c->kind) {
    case WF_CHANGE_POST:
        draw_signal(w, c->got ? WFI_ARROW_SEND : WFI_ARROW_LOST, of_address(c->sender),
                    of_object(c->object), c->got ? "" : "no room for ", c);
        break;
    case WF_CHANGE_GET:
        draw_signal(w, WFI_ARROW_GET, of_object(c->object), of_object(c->object), "gets ", c);
        break;
    case WF_CHANGE_STATE: draw_state(w, c); break;
    case WF_CHANGE_WAKE: draw_wake(w, c); break;
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

static void draw_publish(struct wf_writer *w, const struct wf_record *r) {
    struct participant sender = of_address(wfi_value(r, WF_KIND_SENDER));
    unsigned a, b;
    if (!begin_arrow(w, sender, sender, &a, &b)) return;
    put_text(w, "publishes ");
    wfi_put_signal(w->s, wfi_value(r, WF_KIND_SIGNAL_ANY), 0, &seq(w)->text);
    end_arrow(w, WFI_ARROW_ALL, a, b, r->tick, true);
}

static void draw_loss(struct wf_writer *w, const struct wf_loss *l) {
    struct seq *q = w->own;
    if (w->ending) return;
    if (is_full(w)) {
        ++q->left;
        return;
    }
    ++q->drawn;
    wfi_strbuf_clear(&q->text);
    wfi_put_loss(w->s, l, &q->text);
    end_arrow(w, WFI_ARROW_BREAK, 0, 0, l->tick_before, false);
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_LOSS) draw_loss(w, &item->loss);
    if (item->kind != WF_ITEM_RECORD || !wfi_is_whole(&item->record)) return;
    if (item->record.row->effect == WF_EFFECT_PUBLISH) draw_publish(w, &item->record);
}

// ---- begin and end

static int open_sequence(struct wf_writer *w) {
    struct seq *q = w->own;
    q->language = wfi_sequence_language(w->format->name);
    if (!wfi_strbuf_open(&q->text, &w->failed) || !wfi_strbuf_open(&q->quoted, &w->failed))
        return WF_ERR_NOMEM;
    return list_lanes(w);
}

// Notes about the diagram itself, across all lanes.
static void end_notes(struct wf_writer *w) {
    struct seq *q = w->own;
    if (w->cut) {
        wfi_strbuf_clear(&q->text);
        wfi_strbuf_printf(&q->text, "cut here: %" PRIu64 " more arrows and notes are not drawn",
                          q->left);
        end_arrow(w, WFI_ARROW_BREAK, 0, 0, 0, false);
    }
    if (!q->drawn) { // MscGen accepts no diagram without contents
        wfi_strbuf_clear(&q->text);
        put_text(w, "nothing to draw");
        end_arrow(w, WFI_ARROW_BREAK, 0, 0, 0, false);
    }
}

static void end_sequence(struct wf_writer *w) {
    struct seq *q = w->own;
    w->cut = q->left > 0;
    if (!q->language->data) end_notes(w);
    if (q->language->end) q->language->end(&w->text, q->left);
    wfi_flush_part(w, 1, "arrows", &w->text, 1);
    q->language->begin(&w->text, count_lanes(w));
    put_lanes(w);
    wfi_flush_part(w, 0, "lanes", &w->text, 0);
}

static void close_sequence(struct wf_writer *w) {
    struct seq *q = w->own;
    wfi_strbuf_close(&q->text);
    wfi_strbuf_close(&q->quoted);
    wfi_keys_close(&q->lanes);
}

const struct wfi_ops wfi_sequence_ops = {.own_bytes = sizeof(struct seq),
                                         .open = open_sequence,
                                         .change = take_change,
                                         .item = take_item,
                                         .end = end_sequence,
                                         .close = close_sequence};
