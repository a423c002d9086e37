// SPDX-License-Identifier: MIT
// The fields of a record as a JSON object: {"time":1200,"sig":4,"sig_name":"EAT","obj":...}. A
// member FIELD has the raw value, a member FIELD_name the name of the value if it is known. Formats
// are derived once from the kinds and types of the fields.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "wfi_tables.h"

enum how {
    HOW_NUMBER,
    HOW_SIGNED16,
    HOW_SIGNED32,
    HOW_OBJECT,
    HOW_FUNCTION,
    HOW_SIGNAL, // of the record's object
    HOW_SIGNAL_ANY,
    HOW_CONSTANT, // a text in the program
    HOW_REASON,
    HOW_IRQ,
    HOW_COMMAND,
    HOW_STATUS,
    HOW_TEXT,
    HOW_ITEMS,
    HOW_ELEMENTS,
};

struct piece {
    uint8_t how, field;
    uint8_t key_len, name_len;
    char key[32];  // ,"field":
    char name[38]; // ,"field_name":
};

struct row_pieces {
    const struct piece *pieces;
    unsigned count;
    uint8_t owner; // field + 1 of the signal's object
};

struct wfi_fields {
    struct row_pieces of[WFI_ROWS_MAX];
    struct row_pieces user;
    struct piece pieces[];
};

static enum how how_of(const struct wf_field *f) {
    switch (f->kind) {
    case WF_KIND_VALUE: return HOW_NUMBER; // dictionary records: the key that gets a name
    case WF_KIND_SIGNAL: return HOW_SIGNAL;
    case WF_KIND_SIGNAL_ANY: return HOW_SIGNAL_ANY;
    case WF_KIND_TEXT: return HOW_CONSTANT;
    case WF_KIND_REASON: return HOW_REASON;
    case WF_KIND_IRQ: return HOW_IRQ;
    case WF_KIND_COMMAND: return HOW_COMMAND;
    case WF_KIND_STATUS: return HOW_STATUS;
    case WF_KIND_PRIORITY: return HOW_SIGNED16;
    case WF_KIND_SIGNED: return HOW_SIGNED32;
    case WF_KIND_ADDRESS: return HOW_NUMBER;
    default: break;
    }
    switch (f->type) {
    case WF_TYPE_STR: return HOW_TEXT;
    case WF_TYPE_ITEMS: return HOW_ITEMS;
    case WF_TYPE_ELEMS: return HOW_ELEMENTS;
    case WF_TYPE_OBJ: return HOW_OBJECT;
    case WF_TYPE_FUN: return HOW_FUNCTION;
    default: return HOW_NUMBER;
    }
}

static void lay_out(const struct wf_row *row, struct row_pieces *to, struct piece **next) {
    to->pieces = *next;
    to->count = row->count;
    for (unsigned i = 0; i < row->count; ++i) {
        const struct wf_field *f = &row->fields[i];
        struct piece *p = (*next)++;
        p->how = (uint8_t)how_of(f);
        p->field = (uint8_t)i;
        p->key_len = (uint8_t)snprintf(p->key, sizeof p->key, ",\"%.26s\":", f->name);
        p->name_len = (uint8_t)snprintf(p->name, sizeof p->name, ",\"%.26s_name\":", f->name);
        if (f->kind == WF_KIND_OBJECT && !to->owner) to->owner = (uint8_t)(i + 1);
    }
}

struct wfi_fields *wfi_fields_open(void) {
    size_t count = wf_user_row.count;
    for (unsigned i = 0; i < wf_row_count; ++i) count += wf_rows[i].count;
    struct wfi_fields *all = calloc(1, sizeof *all + count * sizeof(struct piece));
    if (!all) return NULL;
    struct piece *next = all->pieces;
    for (unsigned i = 0; i < wf_row_count; ++i) lay_out(&wf_rows[i], &all->of[i], &next);
    lay_out(&wf_user_row, &all->user, &next);
    return all;
}

void wfi_fields_close(struct wfi_fields *all) { free(all); }

// ---- values

static inline void put_json_name(const struct wfi_name *name, struct wfi_strbuf *t) {
    if (!name->plain || name->len > WFI_NAME_PAD || !wfi_strbuf_room(t, WFI_NAME_PAD + 2)) {
        wfi_put_json(name->text, name->len, t);
        return;
    }
    *t->end++ = '"';
    t->end = wfi_copy_padded(t->end, name->text, name->len);
    *t->end++ = '"';
}

static void put_name(const struct piece *p, const struct wfi_name *name, struct wfi_strbuf *t) {
    if (!name || !wfi_strbuf_room(t, sizeof p->name)) return;
    t->end = wfi_copy_padded(t->end, p->name, p->name_len);
    put_json_name(name, t);
}

static void put_word(const struct piece *p, const char *word, struct wfi_strbuf *t) {
    wfi_strbuf_bytes(p->name, p->name_len, t);
    wfi_put_json(word, strlen(word), t);
}

static void put_hex(const uint8_t *bytes, size_t len, struct wfi_strbuf *t) {
    if (!wfi_strbuf_room(t, 2 * len + 2)) return;
    *t->end++ = '"';
    for (size_t i = 0; i < len; ++i) t->end = wfi_hex(t->end, bytes[i], 2);
    *t->end++ = '"';
}

// JSON has no literals for NaN and infinity.
static void put_float(double v, int digits, struct wfi_strbuf *t) {
    if (isnan(v))
        wfi_strbuf_put(t, "\"NaN\"");
    else if (isinf(v))
        wfi_strbuf_put(t, v < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    else
        wfi_strbuf_printf(t, "%.*g", digits, v);
}

static void put_constant(struct wf_session *s, const struct piece *p, uint64_t v,
                         struct wfi_strbuf *t) {
    const char *text;
    size_t len;
    if (!wf_session_text_at(s, v, &text, &len)) {
        put_name(p, wfi_object_name(s, v), t);
        return;
    }
    wfi_strbuf_bytes(p->name, p->name_len, t);
    wfi_put_json(text, len, t);
}

// Puts the items as bytes in hexadecimal, in the order of the wire.
static void put_items(const struct wf_record *r, unsigned field, struct wfi_strbuf *t) {
    uint64_t num = 0, size = 0, at = r->value[field];
    for (unsigned i = 0; i < field; ++i) {
        if (r->row->fields[i].kind == WF_KIND_NUM) num = r->value[i];
        if (r->row->fields[i].kind == WF_KIND_SIZE) size = r->value[i];
    }
    put_hex(r->payload + at, at + num * size <= r->len ? (size_t)(num * size) : 0, t);
}

static void put_status(const struct piece *p, uint64_t v, struct wfi_strbuf *t) {
    if ((v & 0x7F) < wf_command_count) put_word(p, wf_command_names[v & 0x7F], t);
}

// ---- elements of application records: {"u32":7}, {"sig":4,"name":"EAT","obj":...}

static void put_element_name(const char *key, const struct wfi_name *name, struct wfi_strbuf *t) {
    if (!name) return;
    wfi_strbuf_put(t, key);
    put_json_name(name, t);
}

static void put_symbol(struct wf_session *s, const struct wf_element *e, struct wfi_strbuf *t) {
    t->end = wfi_dec(t->end, e->value);
    if (e->code == WF_ELEMENT_obj) {
        put_element_name(",\"name\":", wfi_object_name(s, e->value), t);
    } else if (e->code == WF_ELEMENT_fun) {
        put_element_name(",\"name\":", wfi_function_name(s, e->value), t);
    } else {
        put_element_name(",\"name\":", wfi_signal_get(&s->names, e->value, e->obj), t);
        if (!wfi_strbuf_room(t, 64)) return;
        wfi_strbuf_put(t, ",\"obj\":");
        t->end = wfi_dec(t->end, e->obj);
        put_element_name(",\"obj_name\":", wfi_object_name(s, e->obj), t);
    }
}

static void put_value(struct wf_session *s, const struct wf_element *e, struct wfi_strbuf *t) {
    uint32_t bits = (uint32_t)e->value;
    float f;
    double d;
    switch ((enum wf_element_code)e->code) {
    case WF_ELEMENT_i8:
        t->end = wfi_signed(t->end, (int8_t)e->value);
        if (e->width >= 8)
            put_element_name(",\"name\":", wfi_dict_get(&s->names.enums[e->width & 7], e->value),
                             t);
        break;
    case WF_ELEMENT_i16: t->end = wfi_signed(t->end, (int16_t)e->value); break;
    case WF_ELEMENT_i32: t->end = wfi_signed(t->end, (int32_t)e->value); break;
    case WF_ELEMENT_i64: t->end = wfi_signed(t->end, (int64_t)e->value); break;
    case WF_ELEMENT_u8:
    case WF_ELEMENT_u16:
    case WF_ELEMENT_u32:
    case WF_ELEMENT_u64:
    case WF_ELEMENT_hex: t->end = wfi_dec(t->end, e->value); break;
    case WF_ELEMENT_f32:
        memcpy(&f, &bits, sizeof f);
        put_float((double)f, 9, t);
        break;
    case WF_ELEMENT_f64:
        memcpy(&d, &e->value, sizeof d);
        put_float(d, 17, t);
        break;
    case WF_ELEMENT_str: wfi_put_json((const char *)e->bytes, e->len, t); break;
    case WF_ELEMENT_mem: put_hex(e->bytes, e->len, t); break;
    case WF_ELEMENT_sig:
    case WF_ELEMENT_obj:
    case WF_ELEMENT_fun: put_symbol(s, e, t); break;
    }
}

static void put_elements(struct wf_session *s, const struct wf_record *r, struct wfi_strbuf *t) {
    struct wf_element e;
    const char *between = "[{\"";
    size_t at = 0;
    while (wf_session_next_element(s, r, &at, &e)) {
        if (!wfi_strbuf_room(t, 128)) return;
        wfi_strbuf_put(t, between);
        wfi_strbuf_put(t, wf_elements[e.code].name);
        wfi_strbuf_put(t, "\":");
        put_value(s, &e, t);
        between = "},{\"";
    }
    wfi_strbuf_put(t, between[0] == '[' ? "[]" : "}]");
}

// ---- a record

static void put_piece(const struct piece *p, struct wf_session *s, const struct wf_record *r,
                      uint64_t owner, struct wfi_strbuf *t) {
    uint64_t v = r->value[p->field];
    if (!wfi_strbuf_room(t, 128)) return;
    t->end = wfi_copy_padded(t->end, p->key, p->key_len);
    switch ((enum how)p->how) {
    case HOW_SIGNED16: t->end = wfi_signed(t->end, (int16_t)(uint16_t)v); return;
    case HOW_SIGNED32: t->end = wfi_signed(t->end, (int32_t)(uint32_t)v); return;
    case HOW_TEXT: wfi_put_json(r->text, r->text_len, t); return;
    case HOW_ITEMS: put_items(r, p->field, t); return;
    case HOW_ELEMENTS: put_elements(s, r, t); return;
    default: t->end = wfi_dec(t->end, v);
    }
    switch ((enum how)p->how) {
    case HOW_OBJECT: put_name(p, v ? wfi_object_name(s, v) : NULL, t); break;
    case HOW_FUNCTION: put_name(p, v ? wfi_function_name(s, v) : NULL, t); break;
    case HOW_SIGNAL: put_name(p, v ? wfi_signal_get(&s->names, v, owner) : NULL, t); break;
    case HOW_SIGNAL_ANY: put_name(p, v ? wfi_signal_get(&s->names, v, 0) : NULL, t); break;
    case HOW_CONSTANT: put_constant(s, p, v, t); break;
    case HOW_IRQ: put_name(p, wfi_irq_name(s, v), t); break;
    case HOW_REASON:
        if (v < wf_reason_count) put_word(p, wf_reasons[v].name, t);
        break;
    case HOW_COMMAND:
        if (v < wf_command_count) put_word(p, wf_command_names[v], t);
        break;
    case HOW_STATUS: put_status(p, v, t); break;
    default: break;
    }
}

void wfi_put_fields(const struct wfi_fields *all, struct wf_session *s, const struct wf_record *r,
                    struct wfi_strbuf *t) {
    const struct row_pieces *row = r->row == &wf_user_row ? &all->user : &all->of[r->row - wf_rows];
    uint64_t owner = row->owner ? r->value[row->owner - 1] : 0;
    size_t from = (size_t)(t->end - t->buf);
    if (!wfi_strbuf_room(t, 2)) return;
    for (unsigned i = 0; i < row->count; ++i) put_piece(&row->pieces[i], s, r, owner, t);
    if ((size_t)(t->end - t->buf) == from) *t->end++ = '{'; // no fields
    t->buf[from] = '{';                                     // in place of the first comma
    wfi_strbuf_put(t, "}");
}
