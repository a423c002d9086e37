// SPDX-License-Identifier: MIT
// A row for each record. Which field names what follows from the kinds of the fields.

#include <string.h>

#include "core/wfi_record.h"
#include "core/wfi_session.h"
#include "wfi_fleet.h"

enum { ARGS_MOST = 256 };
enum { BACK = 1, UNTIMED = 2, UNKNOWN = 4, MALFORMED = 8 };

// Columns that are names, and the kinds of fields that they are taken from, the best first.
enum column { WHO, WHAT, SIGNAL, STATE, COLUMNS };

static bool names_column(enum wf_kind kind, enum column column) {
    switch (column) {
    case WHO:
        return kind == WF_KIND_ACTOR || kind == WF_KIND_TASK || kind == WF_KIND_SENDER ||
               kind == WF_KIND_IRQ;
    case WHAT: return kind == WF_KIND_OBJECT || kind == WF_KIND_QUEUE || kind == WF_KIND_TIMER;
    case SIGNAL: return kind == WF_KIND_SIGNAL || kind == WF_KIND_SIGNAL_ANY;
    default: return kind == WF_KIND_STATE;
    }
}

// The fields of the columns, -1: none. Of states the last one, of the others the first one; a
// second task is what the first one acts on.
static void find_fields(const struct wf_row *row, int field[COLUMNS]) {
    for (unsigned c = 0; c < COLUMNS; ++c) field[c] = -1;
    for (int i = 0; i < (int)row->count; ++i) {
        const enum wf_kind kind = (enum wf_kind)row->fields[i].kind;
        for (unsigned c = 0; c < COLUMNS; ++c) {
            if (names_column(kind, (enum column)c) && (field[c] < 0 || c == STATE)) field[c] = i;
        }
        if (kind == WF_KIND_TASK && field[WHO] != i && field[WHAT] < 0) field[WHAT] = i;
    }
}

static const struct wfi_name *name_of(struct wf_session *s, enum column column,
                                      const struct wf_field *field, uint64_t value,
                                      uint64_t object) {
    if (field->kind == WF_KIND_IRQ) return wfi_irq_name(s, value);
    if (!value) return NULL;
    if (column == STATE) return wfi_function_name(s, value);
    if (column != SIGNAL) return wfi_object_name(s, value);
    return wfi_signal_get(&s->names, value, field->kind == WF_KIND_SIGNAL ? object : 0);
}

static void put_names(struct wf_fleet *f, struct wfi_columns *c, const struct wf_record *r) {
    int field[COLUMNS];
    find_fields(r->row, field);
    const uint64_t object = field[WHAT] < 0 ? 0 : r->value[field[WHAT]];
    for (unsigned i = 0; i < COLUMNS; ++i) {
        const struct wfi_name *name = NULL;
        if (field[i] >= 0)
            name = name_of(f->session, (enum column)i, &r->row->fields[field[i]],
                           r->value[field[i]], object);
        wfi_columns_text(c, name ? name->text : NULL, name ? name->len : 0);
    }
}

// ---- numbers

static uint64_t extend(uint64_t value, unsigned bytes) {
    const unsigned shift = 64 - 8 * bytes;
    return (uint64_t)((int64_t)(value << shift) >> shift);
}

static uint64_t of_field(const struct wf_field *field, uint64_t value) {
    if (field->kind == WF_KIND_PRIORITY) return extend(value, 2);
    return field->kind == WF_KIND_SIGNED ? extend(value, 4) : value;
}

static uint64_t double_bits(uint32_t bits) {
    float f;
    double d;
    uint64_t to;
    memcpy(&f, &bits, sizeof f);
    d = f;
    memcpy(&to, &d, sizeof to);
    return to;
}

static uint64_t of_element(const struct wf_element *e) {
    switch (e->code) {
    case WF_ELEMENT_i8: return extend(e->value, 1);
    case WF_ELEMENT_i16: return extend(e->value, 2);
    case WF_ELEMENT_i32: return extend(e->value, 4);
    case WF_ELEMENT_f32: return double_bits((uint32_t)e->value);
    default: return e->value;
    }
}

struct values {
    uint64_t args[ARGS_MOST];
    size_t count;
    const void *text; // null: none
    size_t text_len;
};

static void set_text(struct values *v, const void *text, size_t len) {
    if (v->text) return; // the first one
    v->text = text;
    v->text_len = len;
}

static void take_elements(struct wf_fleet *f, const struct wf_record *r, struct values *v) {
    struct wf_element e;
    size_t at = 0;
    while (v->count < ARGS_MOST && wf_session_next_element(f->session, r, &at, &e)) {
        if (e.code == WF_ELEMENT_str)
            set_text(v, e.bytes, e.len);
        else if (e.code != WF_ELEMENT_mem)
            v->args[v->count++] = of_element(&e);
    }
}

static void take_fields(const struct wf_record *r, struct values *v) {
    for (unsigned i = 0; i < r->row->count; ++i) {
        const struct wf_field *field = &r->row->fields[i];
        if (field->type == WF_TYPE_STR)
            set_text(v, r->text, r->text_len);
        else if (field->type != WF_TYPE_ITEMS && field->kind != WF_KIND_STAMP)
            v->args[v->count++] = of_field(field, r->value[i]);
    }
}

static void put_values(struct wf_fleet *f, struct wfi_columns *c, const struct wf_record *r) {
    struct values v;
    v.count = v.text_len = 0;
    v.text = NULL;
    if (r->row == &wf_user_row)
        take_elements(f, r, &v);
    else
        take_fields(r, &v);
    wfi_columns_text(c, v.text, v.text_len);
    wfi_columns_array(c, v.args, v.count);
}

// ---- a row

static void put_no_values(struct wfi_columns *c, const struct wf_record *r) {
    for (unsigned i = 0; i < COLUMNS; ++i) wfi_columns_text(c, NULL, 0);
    wfi_columns_text(c, r->payload, r->len); // what came
    wfi_columns_array(c, NULL, 0);
}

void wfi_fleet_put_record(struct wf_fleet *f, const struct wf_record *r) {
    struct wfi_columns *c = &f->tables[WF_FLEET_TABLE_RECORD];
    const uint64_t ns = wfi_fleet_ns(f, r->tick);
    const bool malformed = r->row && !wfi_is_whole(r);
    struct wfi_record_name name;
    wfi_record_name(f->session, r, &name);
    wfi_columns_number(c, f->day);
    wfi_fleet_put_stream(f, c);
    wfi_columns_number(c, f->number);
    wfi_columns_number(c, ns);
    wfi_columns_number(c, (f->stream->origin_ns + (f->scale.hz ? ns : 0)) / 1000000000);
    wfi_fleet_put_text(c, f->stream->version);
    wfi_columns_number(c, r->core);
    wfi_columns_number(c, r->id);
    wfi_columns_text(c, name.text, name.len);
    if (r->row && !malformed) {
        put_names(f, c, r);
        put_values(f, c, r);
    } else {
        put_no_values(c, r);
    }
    wfi_columns_number(c, (uint64_t)(r->back ? BACK : 0) | (r->stamped ? 0 : UNTIMED) |
                              (r->row ? 0 : UNKNOWN) | (malformed ? MALFORMED : 0));
    wfi_columns_end_row(c);
}
