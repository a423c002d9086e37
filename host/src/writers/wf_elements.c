// SPDX-License-Identifier: MIT
// The elements of application records as text. QSPY's text and its MATLAB numbers differ in few
// places. Our own text differs from QSPY's only in the report of cut elements.

#include <stdio.h>
#include <string.h>

#include "wfi_sentence.h"

// Pads the text written since `from` on the left with blanks, up to the width.
static void pad_left(struct wfi_strbuf *t, size_t from, size_t width) {
    size_t len = wfi_strbuf_len(t) - from;
    if (len >= width || !wfi_strbuf_room(t, width)) return;
    memmove(t->buf + from + width - len, t->buf + from, len);
    memset(t->buf + from, ' ', width - len);
    t->end += width - len;
}

static void put_unsigned(uint64_t v, const struct wf_element *e, unsigned bytes,
                         enum wfi_style style, struct wfi_strbuf *t) {
    size_t from = wfi_strbuf_len(t);
    bool hex = e->width == 15 && style != WFI_STYLE_MATLAB;
    if (hex && bytes < 8) {
        wfi_strbuf_put(t, "0x");
        t->end = wfi_hex(t->end, v, bytes * 2);
        return;
    }
    if (hex) { // quirk: blanks, not zeros
        wfi_strbuf_put(t, "0x");
        t->end = wfi_hex(t->end, v, 1);
        pad_left(t, from + 2, 16);
        return;
    }
    t->end = wfi_dec(t->end, v);
    pad_left(t, from, bytes == 8 ? 2u * e->width + 2 : e->width);
}

static void put_signed(int64_t v, const struct wf_element *e, unsigned bytes,
                       struct wfi_strbuf *t) {
    size_t from = wfi_strbuf_len(t);
    t->end = wfi_signed(t->end, v);
    // Quirk: an i64 of width 9 has no width at all.
    pad_left(t, from, bytes < 8 ? e->width : e->width == 9 ? 0 : 2u * e->width + 2);
}

static void put_float(double v, unsigned precision, struct wfi_strbuf *t) {
    wfi_strbuf_printf(t, "%*.*e",
                      precision == 0   ? 7
                      : precision == 1 ? 9
                                       : (int)precision + 8,
                      (int)precision, v);
}

static void put_enum(struct wf_session *s, const struct wf_element *e, enum wfi_style style,
                     struct wfi_strbuf *t) {
    const struct wfi_name *name = wfi_dict_get(&s->names.enums[e->width & 7], e->value);
    if (style == WFI_STYLE_MATLAB)
        t->end = wfi_dec(t->end, e->value);
    else if (name)
        wfi_put_name(name, t);
    else
        wfi_strbuf_printf(t, "%03u", (unsigned)e->value);
}

static void put_block(const struct wf_element *e, enum wfi_style style, struct wfi_strbuf *t) {
    if (!wfi_strbuf_room(t, e->len * 4)) return;
    for (size_t i = 0; i < e->len; ++i) {
        *t->end++ = ' ';
        if (style == WFI_STYLE_MATLAB) {
            unsigned v = e->bytes[i];
            *t->end++ = (char)('0' + v / 100);
            t->end = wfi_two(t->end, v % 100);
        } else {
            t->end = wfi_hex(t->end, e->bytes[i], 2);
        }
    }
}

double wfi_element_float(const struct wf_element *e) {
    uint32_t bits = (uint32_t)e->value;
    float f;
    double d;
    memcpy(&f, &bits, sizeof f);
    memcpy(&d, &e->value, sizeof d);
    return e->code == WF_ELEMENT_f32 ? (double)f : d;
}

static void put_symbol(struct wf_session *s, const struct wf_element *e, enum wfi_style style,
                       struct wfi_strbuf *t) {
    if (style == WFI_STYLE_MATLAB) {
        t->end = e->code == WF_ELEMENT_sig ? wfi_dec(t->end, e->value)
                                           : wfi_signed(t->end, (int64_t)e->value);
        if (e->code != WF_ELEMENT_sig) return;
        *t->end++ = ' ';
        t->end = wfi_signed(t->end, (int64_t)e->obj);
        return;
    }
    // Quirk: QSPY started with pointers of less than 4 bytes looks up 0 like any other key.
    bool by_key = style == WFI_STYLE_QSPY;
    switch (e->code) {
    case WF_ELEMENT_obj:
        if (by_key && s->names.objects.key_bytes < 4)
            wfi_put_object_key(s, e->value, t);
        else
            wfi_put_object(s, e->value, t);
        break;
    case WF_ELEMENT_fun:
        if (by_key && s->names.functions.key_bytes < 4)
            wfi_put_function_key(s, e->value, t);
        else
            wfi_put_function(s, e->value, t);
        break;
    default:
        wfi_put_signal(s, e->value, e->obj, t);
        if (!e->obj) break;
        wfi_strbuf_put(t, ",Obj=");
        wfi_put_object(s, e->obj, t);
    }
}

static void put_element(struct wf_session *s, const struct wf_element *e, enum wfi_style style,
                        struct wfi_strbuf *t) {
    uint64_t v = e->value;
    unsigned bytes = wf_elements[e->code].bytes;
    if (e->code == WF_ELEMENT_i8 && e->width >= 8) {
        put_enum(s, e, style, t);
        return;
    }
    switch ((enum wf_element_code)e->code) {
    case WF_ELEMENT_i8: put_signed((int8_t)v, e, bytes, t); break;
    case WF_ELEMENT_i16: put_signed((int16_t)v, e, bytes, t); break;
    case WF_ELEMENT_i32: put_signed((int32_t)v, e, bytes, t); break;
    case WF_ELEMENT_i64: put_signed((int64_t)v, e, bytes, t); break;
    case WF_ELEMENT_u8:
    case WF_ELEMENT_u16:
    case WF_ELEMENT_u32:
    case WF_ELEMENT_u64: put_unsigned(v, e, bytes, style, t); break;
    case WF_ELEMENT_f32:
    case WF_ELEMENT_f64: put_float(wfi_element_float(e), e->width, t); break;
    case WF_ELEMENT_str:
        if (e->len || e->cut)
            wfi_strbuf_bytes((const char *)e->bytes, e->len, t);
        else
            wfi_strbuf_put(t, "''");
        break;
    case WF_ELEMENT_mem: put_block(e, style, t); break;
    case WF_ELEMENT_hex:
        wfi_strbuf_put(t, "0x");
        t->end = wfi_hex(t->end, v, e->width ? e->width : 1);
        break;
    case WF_ELEMENT_sig:
    case WF_ELEMENT_obj:
    case WF_ELEMENT_fun: put_symbol(s, e, style, t); break;
    }
}

// Returns the C type that QSPY reports as missing.
static const char *type_name(const struct wf_session *s, const struct wf_element *e, bool second,
                             char name[16]) {
    if (e->code == WF_ELEMENT_str) return "string";
    if (e->code == WF_ELEMENT_mem) return "memory-dump";
    unsigned bytes = wf_elements[e->code].bytes;
    for (unsigned t = 0; bytes > 8 && t < WF_TYPE_END; ++t) {
        if ((unsigned)wf_types[t].letter == (second ? 'O' : bytes)) bytes = s->target.bytes[t];
    }
    bool is_enum = e->code == WF_ELEMENT_i8 && e->width >= 8;
    bool is_signed = wfi_is_signed(e) && !is_enum;
    snprintf(name, 16, "%sint%u_t", is_signed ? "" : "u", bytes * 8);
    return name;
}

void wfi_put_elements(struct wf_session *s, const struct wf_record *r, enum wfi_style style,
                      struct wfi_strbuf *t, wfi_cut_fn cut, void *ctx) {
    struct wf_element e;
    size_t at = 0;
    char name[16];
    while (wf_session_next_element(s, r, &at, &e)) {
        if (!wfi_strbuf_room(t, 2048)) return;
        *t->end++ = ' ';
        bool in_bytes = e.code == WF_ELEMENT_str || e.code == WF_ELEMENT_mem;
        if (cut && (in_bytes ? e.cut : e.missing != 0))
            cut(ctx, type_name(s, &e, false, name), e.missing);
        if (cut && e.obj_missing) cut(ctx, type_name(s, &e, true, name), e.obj_missing);
        put_element(s, &e, style, t);
    }
}
