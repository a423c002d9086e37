// SPDX-License-Identifier: MIT
// Records and losses that importers emit.

#include <stdlib.h>
#include <string.h>

#include "core/wfi_import_queue.h"
#include "util/wfi_grow.h"

enum { USER_LAST = WFI_IMPORT_OTHER }; // of events whose names have no number of their own

// ---- losses

static void push_loss(struct wfi_import *im, const struct wf_loss *loss) {
    uint8_t *bytes = wfi_import_push(im, true, 0, 0, sizeof *loss);
    if (bytes) memcpy(bytes, loss, sizeof *loss);
}

void wfi_import_loss(struct wfi_import *im, uint64_t events, bool exact, const char *why) {
    struct wf_loss loss = {.kind = WF_LOSS_HOLE,
                           .offset = im->offset,
                           .records = events,
                           .given_up = events,
                           .exact = exact,
                           .core = (uint8_t)im->core,
                           .why = why};
    memset(im->cores, 0, sizeof im->cores);
    push_loss(im, &loss);
}

void wfi_import_damage(struct wfi_import *im, uint64_t offset, uint64_t bytes, const char *why) {
    struct wf_loss loss = {.kind = WF_LOSS_HOLE,
                           .offset = offset,
                           .bytes = bytes,
                           .exact = false,
                           .core = (uint8_t)im->core,
                           .why = why};
    loss.damage[WF_DAMAGE_BAD_SUM] = 1;
    memset(im->cores, 0, sizeof im->cores);
    push_loss(im, &loss);
}

void wfi_import_beginning(struct wfi_import *im, uint64_t events) {
    struct wf_loss loss = {.kind = WF_LOSS_BEGINNING,
                           .offset = im->offset,
                           .overwritten = events,
                           .exact = true,
                           .core = (uint8_t)im->core};
    push_loss(im, &loss);
}

// ---- records with a fixed layout

uint64_t wfi_import_actor(const struct wfi_import *im) {
    const struct wfi_import_core *c = &im->cores[im->core % WFI_IMPORT_CORES];
    return c->known && !c->irqs ? c->task : 0;
}

void wfi_import_plan_rows(struct wfi_import_queue *q) {
    for (unsigned row = 0; row < wf_row_count; ++row) {
        const struct wf_row *r = &wf_rows[row];
        for (unsigned i = 0; i < r->count; ++i) {
            const struct wf_field *f = &r->fields[i];
            q->rows[row].sources[i] = f->kind == WF_KIND_STAMP   ? WFI_SOURCE_TICK
                                      : f->type == WF_TYPE_WHICH ? WFI_SOURCE_SELECT
                                      : f->type == WF_TYPE_CORE  ? WFI_SOURCE_CORE
                                      : f->kind == WF_KIND_ACTOR ? WFI_SOURCE_ACTOR
                                                                 : WFI_SOURCE_GIVEN;
            q->rows[row].actor |= f->kind == WF_KIND_ACTOR;
        }
    }
}

// An action whose task is unknown: the record would name an interrupt.
static void record_as_event(struct wfi_import *im, enum wfi_row row, const uint64_t *values) {
    const struct wf_row *r = &wf_rows[row];
    struct wfi_import_field fields[WF_FIELDS_MAX];
    unsigned n = 0;
    for (unsigned i = 0; i < r->count; ++i) {
        const struct wf_field *f = &r->fields[i];
        if (im->queue->rows[row].sources[i] != WFI_SOURCE_GIVEN) continue;
        enum wfi_import_type type = f->type == WF_TYPE_OBJ ? WFI_FIELD_ADDRESS : WFI_FIELD_UNSIGNED;
        fields[n++] = (struct wfi_import_field){f->name, type, *values++, NULL, 0};
    }
    wfi_import_event(im, r->name, strlen(r->name), fields, n);
}

void wfi_import_record(struct wfi_import *im, enum wfi_row row, const uint64_t *values) {
    const struct wf_row *r = &wf_rows[row];
    const struct wfi_plan *plan = &im->s->plans[row];
    const struct wfi_import_core *c = &im->cores[im->core % WFI_IMPORT_CORES];
    if (im->queue->rows[row].actor && !c->known && !c->irqs) {
        record_as_event(im, row, values);
        return;
    }
    const uint8_t *sources = im->queue->rows[row].sources;
    const uint64_t filled[] = {[WFI_SOURCE_TICK] = im->tick,
                               [WFI_SOURCE_SELECT] = (uint64_t)r->select,
                               [WFI_SOURCE_CORE] = im->core,
                               [WFI_SOURCE_ACTOR] = c->irqs ? 0 : c->task};
    uint8_t *bytes = wfi_import_push(im, false, row, r->id, plan->len);
    if (!bytes) return;
    unsigned count = plan->count; // a local, as stores to bytes may be to any object
    for (unsigned i = 0; i < count; ++i) {
        uint64_t v = sources[i] == WFI_SOURCE_GIVEN ? *values++ : filled[sources[i]];
        // Bytes after the field are written by the next fields, or are the zeros after the entry.
        wfi_store64(bytes + plan->field[i].at, v & plan->field[i].mask);
    }
}

void wfi_import_switch(struct wfi_import *im, uint64_t task, unsigned reason) {
    struct wfi_import_core *c = &im->cores[im->core % WFI_IMPORT_CORES];
    c->known = true;
    c->task = task;
    WFI_IMPORT(im, task_switch, task, reason);
}

// ---- interrupts

void wfi_import_irq_enter(struct wfi_import *im, uint16_t irq) {
    struct wfi_import_core *c = &im->cores[im->core % WFI_IMPORT_CORES];
    if (c->irqs < WFI_IMPORT_IRQS) c->irq[c->irqs] = irq;
    if (c->irqs < UINT8_MAX) ++c->irqs;
    WFI_IMPORT(im, irq_enter, irq, c->irqs);
}

void wfi_import_irq_exit(struct wfi_import *im) {
    struct wfi_import_core *c = &im->cores[im->core % WFI_IMPORT_CORES];
    if (!c->irqs) return;
    unsigned depth = c->irqs--;
    WFI_IMPORT(im, irq_exit, depth <= WFI_IMPORT_IRQS ? c->irq[depth - 1] : WF_IRQ_UNKNOWN, depth);
}

void wfi_import_irq_exit_all(struct wfi_import *im) {
    while (im->cores[im->core % WFI_IMPORT_CORES].irqs) wfi_import_irq_exit(im);
}

// ---- names and texts

static size_t cut_text(const char *text, size_t len) {
    const char *zero = len ? memchr(text, 0, len) : NULL;
    if (zero) len = (size_t)(zero - text);
    return len < WFI_IMPORT_TEXT_MAX ? len : WFI_IMPORT_TEXT_MAX;
}

// A dictionary record: a key of `bytes` bytes and a text.
static void push_name(struct wfi_import *im, enum wfi_row row, uint64_t key, unsigned bytes,
                      const char *text, size_t len) {
    len = cut_text(text, len);
    uint8_t *p = wfi_import_push(im, false, row, wf_rows[row].id, bytes + len + 1);
    if (!p) return;
    for (unsigned i = 0; i < bytes; ++i) p[i] = (uint8_t)(key >> 8 * i);
    if (len) memcpy(p + bytes, text, len);
    p[bytes + len] = 0;
}

void wfi_import_name(struct wfi_import *im, uint64_t key, const char *text, size_t len) {
    push_name(im, WFI_ROW_obj_dict, key, 8, text, len);
}

void wfi_import_irq_name(struct wfi_import *im, uint16_t irq, const char *text, size_t len) {
    push_name(im, WFI_ROW_irq_dict, irq, 2, text, len);
}

void wfi_import_state_name(struct wfi_import *im, uint64_t key, const char *text, size_t len) {
    push_name(im, WFI_ROW_fun_dict, key, 8, text, len);
}

static bool copy_text(struct wfi_import *im, struct wfi_import_known *to, const char *text,
                      size_t len) {
    to->text = malloc(len + 1);
    if (!to->text) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return false;
    }
    if (len) memcpy(to->text, text, len);
    to->text[len] = 0;
    to->len = len;
    return true;
}

static bool is_text(const struct wfi_import_known *known, const char *text, size_t len) {
    return known->len == len && (!len || memcmp(known->text, text, len) == 0);
}

// Importers use the same texts again and again, mostly at the same address.
static unsigned cache_of(const char *text, size_t len) {
    uintptr_t at = (uintptr_t)text;
    return (unsigned)(at ^ at >> 7 ^ at >> 15 ^ len) % WFI_IMPORT_CACHE;
}

// Keys of texts are addresses that no target has.
static uint64_t key_of_text(size_t number) { return UINT64_C(0xFFFFFFFF00000000) + number; }

static uint64_t add_text(struct wfi_import *im, const char *text, size_t len, uint64_t hash) {
    struct wfi_import_queue *q = im->queue;
    size_t n = q->known_count;
    if (!WFI_GROW(q->known, &q->known_cap, n + 1) || !copy_text(im, &q->known[n], text, len)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return 0;
    }
    if (!wfi_index_add(&q->texts, hash, (uint32_t)n + 1)) {
        free(q->known[n].text);
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return 0;
    }
    ++q->known_count;
    wfi_import_name(im, key_of_text(n), text, len);
    return key_of_text(n);
}

static uint64_t find_text(struct wfi_import *im, const char *text, size_t len) {
    struct wfi_import_queue *q = im->queue;
    for (;;) {
        uint64_t hash = wfi_hash_text(text, len, &q->texts);
        size_t step = 0;
        for (uint32_t n; (n = wfi_index_next(&q->texts, hash, &step)) != 0;) {
            if (is_text(&q->known[n - 1], text, len)) return key_of_text(n - 1);
        }
        bool last = len == 3 && memcmp(text, "...", 3) == 0;
        if (last || q->known_count < WFI_IMPORT_TEXTS_MAX - 1) return add_text(im, text, len, hash);
        text = "...";
        len = 3;
    }
}

uint64_t wfi_import_text(struct wfi_import *im, const char *text, size_t len) {
    struct wfi_import_queue *q = im->queue;
    len = cut_text(text, len);
    uint32_t *cached = &q->text_cache[cache_of(text, len)];
    if (*cached && is_text(&q->known[*cached - 1], text, len)) return key_of_text(*cached - 1);
    uint64_t key = find_text(im, text, len);
    *cached = key ? (uint32_t)(key - key_of_text(0)) + 1 : 0;
    return key;
}

// ---- spans, counters, messages, events

void wfi_import_span(struct wfi_import *im, bool begin, const char *name, size_t len) {
    uint64_t key = wfi_import_text(im, name, len);
    wfi_import_record(im, begin ? WFI_ROW_span_begin : WFI_ROW_span_end, &key);
}

void wfi_import_counter(struct wfi_import *im, const char *name, size_t len, int64_t value) {
    if (value < INT32_MIN || value > INT32_MAX) {
        const struct wfi_import_field field = {.type = WFI_FIELD_SIGNED, .value = (uint64_t)value};
        wfi_import_event(im, name, len, &field, 1);
        return;
    }
    uint64_t key = wfi_import_text(im, name, len);
    WFI_IMPORT(im, counter, key, (uint64_t)value);
}

void wfi_import_message(struct wfi_import *im, const char *text, size_t len) {
    const struct wfi_import_field field = {.type = WFI_FIELD_TEXT, .text = text, .len = len};
    wfi_import_log(im, "%s", 2, &field, 1);
}

// Appends an element: its format byte, and its value in `bytes` bytes of the 8 that it writes.
static uint8_t *put_value(uint8_t *p, unsigned code, unsigned width, uint64_t v, unsigned bytes) {
    *p++ = (uint8_t)(width << 4 | code);
    wfi_store64(p, v);
    return p + bytes;
}

static uint8_t *put_text(uint8_t *p, const char *text, size_t len) {
    *p++ = WF_ELEMENT_str;
    if (len) memcpy(p, text, len);
    p[len] = 0;
    return p + len + 1;
}

static bool fits(const struct wfi_import_field *f, int64_t low, uint64_t high) {
    return f->type == WFI_FIELD_SIGNED
               ? (int64_t)f->value >= low && (int64_t)f->value <= (int64_t)high
               : f->value <= high;
}

static uint8_t *put_field(uint8_t *p, const struct wfi_import_field *f) {
    switch (f->type) {
    case WFI_FIELD_UNSIGNED:
        return fits(f, 0, UINT32_MAX) ? put_value(p, WF_ELEMENT_u32, 0, f->value, 4)
                                      : put_value(p, WF_ELEMENT_u64, 0, f->value, 8);
    case WFI_FIELD_SIGNED:
        return fits(f, INT32_MIN, INT32_MAX) ? put_value(p, WF_ELEMENT_i32, 0, f->value, 4)
                                             : put_value(p, WF_ELEMENT_i64, 0, f->value, 8);
    case WFI_FIELD_HEX:
        return fits(f, 0, UINT32_MAX) ? put_value(p, WF_ELEMENT_u32, 15, f->value, 4)
                                      : put_value(p, WF_ELEMENT_u64, 15, f->value, 8);
    case WFI_FIELD_ADDRESS: return put_value(p, WF_ELEMENT_obj, 0, f->value, 8);
    case WFI_FIELD_FLOAT: return put_value(p, WF_ELEMENT_f64, 3, f->value, 8);
    default: return put_text(p, f->text, cut_text(f->text, f->len));
    }
}

enum { HEAD = 8, ELEMENT_MAX = 10 }; // the stamp; a number with its format byte

// Returns the most bytes of the fields, and the lengths of their names.
static size_t room_for(const struct wfi_import_field *fields, unsigned count, size_t *names) {
    size_t room = 0;
    for (unsigned i = 0; i < count; ++i) {
        names[i] = fields[i].name ? strlen(fields[i].name) : 0;
        room += names[i] + 2 + ELEMENT_MAX;
        if (fields[i].type == WFI_FIELD_TEXT) room += cut_text(fields[i].text, fields[i].len);
    }
    return room;
}

// Queues a record of elements: `first` of `first_len` bytes, then the fields.
static void push_elements(struct wfi_import *im, unsigned row, uint8_t id, const uint8_t *first,
                          size_t first_len, const struct wfi_import_field *fields, unsigned count) {
    if (count > WFI_IMPORT_ARGS) count = WFI_IMPORT_ARGS;
    size_t names[WFI_IMPORT_ARGS], room = HEAD + first_len + room_for(fields, count, names);
    uint8_t *bytes = wfi_import_push(im, false, row, id, room);
    if (!bytes) return;
    wfi_store64(bytes, im->tick);
    if (first_len) memcpy(bytes + HEAD, first, first_len);
    uint8_t *p = bytes + HEAD + first_len;
    for (unsigned i = 0; i < count; ++i) {
        if (fields[i].name) p = put_text(p, fields[i].name, names[i]);
        p = put_field(p, &fields[i]);
    }
    struct wfi_import_queue *q = im->queue;
    q->entries[q->count - 1].len = (uint32_t)(p - bytes);
    q->used -= room - (size_t)(p - bytes);
    memset(p, 0, WFI_PAD);
}

void wfi_import_log(struct wfi_import *im, const char *format, size_t len,
                    const struct wfi_import_field *args, unsigned count) {
    uint8_t first[1 + 8];
    uint64_t key = wfi_import_text(im, format, len);
    put_value(first, WF_ELEMENT_obj, 0, key, 8);
    struct wfi_import_field plain[WFI_IMPORT_ARGS];
    if (count > WFI_IMPORT_ARGS) count = WFI_IMPORT_ARGS;
    for (unsigned i = 0; i < count; ++i) {
        plain[i] = args[i];
        plain[i].name = NULL;
    }
    push_elements(im, WFI_ROW_log, wf_rows[WFI_ROW_log].id, first, sizeof first, plain, count);
}

static uint8_t find_event(struct wfi_import *im, const char *name, size_t len) {
    struct wfi_import_queue *q = im->queue;
    for (unsigned i = 0; i < q->event_count; ++i) {
        if (is_text(&q->events[i], name, len)) return (uint8_t)(WF_USER_FIRST + i);
    }
    if (WF_USER_FIRST + q->event_count == USER_LAST) return USER_LAST;
    if (!copy_text(im, &q->events[q->event_count], name, len)) return USER_LAST;
    uint8_t id = (uint8_t)(WF_USER_FIRST + q->event_count++);
    push_name(im, WFI_ROW_usr_dict, id, 1, name, len);
    if (WF_USER_FIRST + q->event_count == USER_LAST)
        push_name(im, WFI_ROW_usr_dict, USER_LAST, 1, "other", 5);
    return id;
}

// Returns the record number of an event's name; the last one is shared by names without one.
uint8_t wfi_import_event_number(struct wfi_import *im, const char *name, size_t len) {
    struct wfi_import_queue *q = im->queue;
    len = cut_text(name, len);
    uint8_t *cached = &q->event_cache[cache_of(name, len)];
    if (*cached && is_text(&q->events[*cached - WF_USER_FIRST], name, len)) return *cached;
    uint8_t id = find_event(im, name, len);
    *cached = id == USER_LAST ? 0 : id;
    return id;
}

void wfi_import_event(struct wfi_import *im, const char *name, size_t len,
                      const struct wfi_import_field *fields, unsigned count) {
    uint8_t first[1 + WFI_IMPORT_TEXT_MAX + 1];
    len = cut_text(name, len);
    uint8_t id = wfi_import_event_number(im, name, len);
    size_t first_len = id == USER_LAST ? (size_t)(put_text(first, name, len) - first) : 0;
    push_elements(im, wf_row_count, id, first, first_len, fields, count);
}

uint8_t *wfi_import_begin_event(struct wfi_import *im, uint8_t number, size_t most) {
    uint8_t *bytes = wfi_import_push(im, false, wf_row_count, number, HEAD + most);
    if (!bytes) return NULL;
    wfi_store64(bytes, im->tick);
    return bytes + HEAD;
}

void wfi_import_end_event(struct wfi_import *im, uint8_t *end) {
    struct wfi_import_queue *q = im->queue;
    struct wfi_import_entry *e = &q->entries[q->count - 1];
    e->len = (uint32_t)(end - q->bytes) - e->at;
    q->used = (size_t)e->at + e->len + WFI_PAD;
    memset(end, 0, WFI_PAD);
}
