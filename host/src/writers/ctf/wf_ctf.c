// SPDX-License-Identifier: MIT
// CTF 1.8 (docs/ctf.md): a folder with a stream of events for each core, and the metadata that
// declares them. A record of a row becomes an event with the row's fields. Application records,
// events of slot traces, losses and changes of the clock have no row and get events of their own.

#include <stdio.h>

#include "wfi_ctf.h"

static struct wfi_ctf_class *own_class(struct wf_writer *w, enum wfi_ctf_own own,
                                       const char *name) {
    struct wfi_ctf_class *class =
        wfi_ctf_class_own(&wfi_ctf(w)->classes, own, 0, name, strlen(name));
    if (!class) w->failed = true;
    return class;
}

static unsigned core_of(const struct wf_writer *w, unsigned core) {
    return w->s->slots.on && core < WF_SLOT_CORES ? core : 0; // frames come over one link
}

// ---- the clock

static void put_clock(struct wf_writer *w) {
    const struct wfi_ctf_clock *k = &wfi_ctf(w)->clock;
    const uint64_t value[] = {k->from, k->at, k->now_hz};
    const struct wfi_ctf_values v = {.value = value};
    struct wfi_ctf_class *class = own_class(w, WFI_CTF_CLOCK, "wallfly:clock");
    if (class) wfi_ctf_put(w, 0, class, false, 0, &v);
}

// Converts to the first known rate: ticks stay as they are until the rate changes.
static void follow_clock(struct wf_writer *w) {
    struct wfi_ctf_clock *k = &wfi_ctf(w)->clock;
    uint64_t hz = w->s->target.hz;
    if (!hz || hz == k->now_hz) return;
    if (k->hz && w->scale.tick >= k->from) {
        k->at = wfi_ctf_time(k, w->scale.tick);
        k->from = w->scale.tick;
    }
    bool changed = k->hz != 0;
    if (!changed) k->hz = hz;
    k->now_hz = hz;
    if (changed) put_clock(w);
}

// A record without a stamp has the tick of the record before it, or if it is the first and sets the
// time, that of the clock.
static uint64_t tick_of(const struct wf_writer *w, const struct wf_record *r) {
    const struct wfi_ctf *c = wfi_ctf(w);
    if (r->stamped || w->s->slots.on) return r->tick;
    return c->stream[0].timed ? r->tick : w->s->clock.last;
}

// ---- records

// The target chooses the size of some fields, so a value may be too large for its shape.
static bool values_fit(const struct wf_record *r, const struct wfi_ctf_layout *l) {
    uint64_t over = 0;
    for (unsigned i = 0; i < l->count; ++i) {
        unsigned bytes = l->field[i].shape == WFI_CTF_SIGNAL ? 4 : wfi_ctf_bytes[l->field[i].shape];
        if (bytes == 4) over |= r->value[l->field[i].value] >> 32;
    }
    return !over;
}

static void put_odd_record(struct wf_writer *w, const struct wf_record *r, bool known,
                           uint64_t tick) {
    const uint64_t value[] = {r->id, 0, 0};
    struct wfi_ctf_class *class = own_class(w, WFI_CTF_INCONSISTENT, "wallfly:odd_record");
    wfi_strbuf_clear(&w->text);
    if (wfi_is_whole(r))
        wfi_strbuf_printf(&w->text, "%s has a value of more than 32 bits", r->row->name);
    else
        wfi_put_odd(r, &w->text);
    const struct wfi_ctf_values v = {.value = value,
                                     .text = w->text.buf,
                                     .text_len = wfi_strbuf_len(&w->text),
                                     .bytes = r->payload,
                                     .count = r->len};
    if (class) wfi_ctf_put(w, core_of(w, r->core), class, known, tick, &v);
}

// The bytes of NUM items of SIZE bytes.
static void set_items(const struct wf_record *r, unsigned field, struct wfi_ctf_values *v) {
    uint64_t num = 0, size = 0;
    for (unsigned i = 0; i < field; ++i) {
        if (r->row->fields[i].kind == WF_KIND_NUM) num = r->value[i];
        if (r->row->fields[i].kind == WF_KIND_SIZE) size = r->value[i];
    }
    v->bytes = r->payload + r->value[field];
    v->count = num * size;
}

// The elements as text and as bytes.
static void set_elements(struct wf_writer *w, const struct wf_record *r, unsigned field,
                         struct wfi_ctf_values *v) {
    struct wfi_strbuf *t = &w->text;
    wfi_strbuf_clear(t);
    if (r->row->effect == WF_EFFECT_LOG)
        wfi_put_log(w->s, r, t);
    else
        wfi_put_words(w, r, t);
    v->text = t->buf;
    v->text_len = wfi_strbuf_len(t);
    const char *zero = memchr(v->text, 0, v->text_len); // "%c" can make one
    if (zero) v->text_len = (size_t)(zero - v->text);
    v->bytes = r->payload + r->value[field];
    v->count = r->len - r->value[field];
}

static struct wfi_ctf_class *class_of(struct wf_writer *w, const struct wf_record *r) {
    struct wfi_ctf_classes *all = &wfi_ctf(w)->classes;
    struct wfi_record_name name;
    if (r->row != &wf_user_row) return wfi_ctf_class_row(all, r->row);
    wfi_record_name(w->s, r, &name);
    if (!name.len) { // the target named it "", which is no name for a class
        name.text = name.number;
        name.len = (size_t)snprintf(name.number, sizeof name.number, "user+%u",
                                    (unsigned)(r->id - w->s->user_first));
    }
    unsigned number = WF_SLOT_CLASS_RECORD << WF_SLOT_CLASS_SHIFT | r->id;
    return wfi_ctf_class_own(all, WFI_CTF_USER, number, name.text, name.len);
}

static void put_record(struct wf_writer *w, const struct wf_record *r) {
    bool known = w->s->slots.on || w->s->clock.known;
    uint64_t tick = tick_of(w, r);
    struct wfi_ctf_values v = {.value = r->value};
    follow_clock(w);
    struct wfi_ctf_class *class = wfi_is_whole(r) ? class_of(w, r) : NULL;
    if (wfi_is_whole(r) && !class) {
        w->failed = true;
        return;
    }
    if (!class || !values_fit(r, &class->layout)) {
        put_odd_record(w, r, known, tick);
        return;
    }
    for (unsigned i = 0; i < class->layout.count; ++i) {
        unsigned field = class->layout.field[i].value;
        if (wfi_ctf_bytes[class->layout.field[i].shape]) continue;
        switch (r->row->fields[field].type) {
        case WF_TYPE_STR: v.text = r->text, v.text_len = r->text_len; break;
        case WF_TYPE_ITEMS: set_items(r, field, &v); break;
        default: set_elements(w, r, field, &v);
        }
    }
    wfi_ctf_put(w, core_of(w, r->core), class, known, tick, &v);
}

// ---- other items

// The class of an event, by QNX's names: "KERCALLEXIT:MSG_SENDV", or without an event "INTENTER".
static struct wfi_ctf_class *slot_class(struct wf_writer *w, const struct wf_slot_event *e) {
    enum wf_sat_release release = w->s->slots.release;
    struct wfi_ctf_classes *all = &wfi_ctf(w)->classes;
    struct wf_sat_number to;
    char name[128], number[24];
    unsigned key = (unsigned)e->cls << WF_SLOT_CLASS_SHIFT | e->event;
    struct wfi_ctf_class *class = wfi_ctf_class_slot(all, key);
    if (class) return class;
    bool known = wf_sat_external(release, e, &to);
    const char *of = known ? wf_sat_class_name(to.cls) : NULL;
    const char *event = wf_sat_event_name(release, e->cls, e->event);
    snprintf(number, sizeof number, "%u", known ? to.event : e->event);
    if (!event) event = number;
    if (!of)
        snprintf(name, sizeof name, "class%u:%s", e->cls, event);
    else if (strncmp(event, of, strlen(of)) == 0)
        snprintf(name, sizeof name, "%s", event);
    else
        snprintf(name, sizeof name, "%s:%s", of, event);
    return wfi_ctf_class_own(all, WFI_CTF_SLOT, key, name, strlen(name));
}

static void put_event(struct wf_writer *w, const struct wf_slot_event *e) {
    const uint64_t value[] = {e->cls, e->event, 0};
    const struct wfi_ctf_values v = {.value = value, .words = e->words, .count = e->count};
    struct wfi_ctf_class *class = slot_class(w, e);
    if (class)
        wfi_ctf_put(w, core_of(w, e->core), class, true, e->tick, &v);
    else
        w->failed = true;
}

static void put_loss(struct wf_writer *w, const struct wf_loss *l) {
    const uint64_t value[] = {l->kind,
                              l->exact,
                              l->records,
                              l->given_up,
                              l->bytes,
                              l->lost,
                              l->damage[WF_DAMAGE_BAD_SUM],
                              l->damage[WF_DAMAGE_TOO_SHORT],
                              l->damage[WF_DAMAGE_TOO_LONG],
                              l->damage[WF_DAMAGE_CUT],
                              l->offset,
                              0};
    unsigned core = core_of(w, l->core);
    struct wfi_ctf_class *class = own_class(w, WFI_CTF_LOST, "wallfly:loss");
    if (!class) return;
    wfi_strbuf_clear(&w->text);
    wfi_put_loss(w->s, l, &w->text);
    const struct wfi_ctf_values v = {
        .value = value, .text = w->text.buf, .text_len = wfi_strbuf_len(&w->text)};
    wfi_ctf_discard(w, core, l->records);
    wfi_ctf_put(w, core, class, false, 0, &v);
}

// ---- the writer

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    switch (item->kind) {
    case WF_ITEM_RECORD: put_record(w, &item->record); break;
    case WF_ITEM_EVENT: put_event(w, item->event); break;
    case WF_ITEM_LOSS: put_loss(w, &item->loss); break;
    default: break; // the loss that follows a damage reports it
    }
}

static void end_ctf(struct wf_writer *w) {
    struct wfi_ctf_clock *k = &wfi_ctf(w)->clock;
    if (!k->hz) k->hz = w->s->target.hz; // no record followed the rate
    wfi_ctf_streams_end(w);
    wfi_ctf_metadata(w);
}

static void close_ctf(struct wf_writer *w) {
    struct wfi_ctf *c = w->own;
    wfi_ctf_streams_close(c);
    wfi_ctf_classes_close(&c->classes);
    wfi_ctf_labels_close(&c->labels);
}

const struct wfi_ops wfi_ctf_ops = {
    .own_bytes = sizeof(struct wfi_ctf), .item = take_item, .end = end_ctf, .close = close_ctf};
