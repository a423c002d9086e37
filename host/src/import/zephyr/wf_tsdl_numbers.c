// SPDX-License-Identifier: MIT
// Integers, floating point numbers and enumerations of TSDL, and their attributes.

#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_tsdl.h"

enum { LABELS_MAX = 16384 };

// ---- attributes: `{ name = value; ... }`

struct attribute {
    const char *name;
    size_t name_len;
    bool is_number;
    uint64_t number;
    const char *text;
    size_t len;
};

static bool is(const char *text, size_t len, const char *word) {
    return strlen(word) == len && memcmp(text, word, len) == 0;
}

// The value of an attribute: a number, or the first word of it.
static bool take_attribute(struct wfi_tsdl_parser *p, struct attribute *a) {
    memset(a, 0, sizeof *a);
    if (p->token != TSDL_WORD) return wfi_tsdl_fail(p, "an attribute expected");
    a->name = p->at;
    a->name_len = p->len;
    if (!wfi_tsdl_next(p)) return false;
    if (p->token != TSDL_IS) return wfi_tsdl_fail(p, "'=' expected");
    if (!wfi_tsdl_next(p)) return false;
    a->is_number = p->token == TSDL_NUMBER;
    a->number = p->number;
    a->text = p->at;
    a->len = p->token == TSDL_WORD || p->token == TSDL_TEXT ? p->len : 0;
    return wfi_tsdl_skip(p);
}

// Aligned to less than a byte: not at all, as everything has whole bytes.
static bool set_align(struct wfi_tsdl_type *type, uint64_t bits) {
    if (bits > 512 || (bits & (bits - 1))) return false;
    type->field.align = (uint16_t)(bits < 8 ? 1 : bits / 8);
    return true;
}

static uint8_t order_of(const struct attribute *a) {
    if (is(a->text, a->len, "le")) return ZEPHYR_LITTLE;
    return is(a->text, a->len, "be") || is(a->text, a->len, "network") ? ZEPHYR_BIG : ZEPHYR_NATIVE;
}

bool wfi_tsdl_integer(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type) {
    struct attribute a;
    bool aligned = true, is_signed = false;
    uint64_t size = 0;
    memset(type, 0, sizeof *type);
    type->field = (struct wfi_zephyr_field){.count = 1, .align = 1};
    if (!wfi_tsdl_expect(p, '{')) return false;
    while (!wfi_tsdl_is_sign(p, '}')) {
        if (!take_attribute(p, &a)) return false;
        if (is(a.name, a.name_len, "size"))
            size = a.number;
        else if (is(a.name, a.name_len, "align"))
            aligned = set_align(type, a.number);
        else if (is(a.name, a.name_len, "signed"))
            is_signed = is(a.text, a.len, "true") || is(a.text, a.len, "TRUE") || a.number == 1;
        else if (is(a.name, a.name_len, "byte_order"))
            type->field.order = order_of(&a);
        else if (is(a.name, a.name_len, "encoding"))
            type->text = !is(a.text, a.len, "none") && !is(a.text, a.len, "NONE");
    }
    type->field.kind = is_signed ? ZEPHYR_SIGNED : ZEPHYR_UNSIGNED;
    type->field.bytes = (uint8_t)(size / 8 <= 8 ? size / 8 : 0);
    type->bad = !aligned || size % 8 || !type->field.bytes;
    return wfi_tsdl_next(p);
}

bool wfi_tsdl_float(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type) {
    struct attribute a;
    uint64_t bits = 0;
    memset(type, 0, sizeof *type);
    type->field = (struct wfi_zephyr_field){.count = 1, .align = 1, .kind = ZEPHYR_FLOAT};
    if (!wfi_tsdl_expect(p, '{')) return false;
    while (!wfi_tsdl_is_sign(p, '}')) {
        if (!take_attribute(p, &a)) return false;
        if (is(a.name, a.name_len, "exp_dig") || is(a.name, a.name_len, "mant_dig"))
            bits += a.number <= 64 ? a.number : 99;
        else if (is(a.name, a.name_len, "align"))
            type->bad |= !set_align(type, a.number);
        else if (is(a.name, a.name_len, "byte_order"))
            type->field.order = order_of(&a);
    }
    type->field.bytes = (uint8_t)(bits / 8);
    type->bad |= bits != 32 && bits != 64;
    return wfi_tsdl_next(p);
}

// ---- enumerations

static bool take_value(struct wfi_tsdl_parser *p, int64_t *value) {
    bool minus = wfi_tsdl_is_sign(p, '-');
    if ((minus || wfi_tsdl_is_sign(p, '+')) && !wfi_tsdl_next(p)) return false;
    if (p->token != TSDL_NUMBER) return wfi_tsdl_fail(p, "a number expected");
    *value = (int64_t)(minus ? 0 - p->number : p->number);
    return wfi_tsdl_next(p);
}

static bool add_label(struct wfi_tsdl_parser *p, const struct wfi_zephyr_label *label) {
    struct wfi_zephyr_meta *m = p->meta;
    if (m->label_count == LABELS_MAX) return wfi_tsdl_fail(p, "more than 16384 labels");
    if (!WFI_GROW(m->labels, &m->label_cap, m->label_count + 1)) {
        p->error->memory = true;
        return wfi_tsdl_fail(p, "out of memory");
    }
    m->labels[m->label_count++] = *label;
    return true;
}

static bool take_label(struct wfi_tsdl_parser *p, uint16_t set, int64_t *next) {
    struct wfi_zephyr_label label = {.from = *next, .to = *next, .set = set};
    if (p->token != TSDL_WORD && p->token != TSDL_TEXT) return wfi_tsdl_fail(p, "a label expected");
    if (!wfi_zephyr_meta_name(p->meta, p->at, p->len, &label.name)) {
        p->error->memory = true;
        return wfi_tsdl_fail(p, "out of memory");
    }
    if (!wfi_tsdl_next(p)) return false;
    if (p->token == TSDL_IS) {
        if (!wfi_tsdl_next(p) || !take_value(p, &label.from)) return false;
        label.to = label.from;
        if (p->token == TSDL_DOTS && (!wfi_tsdl_next(p) || !take_value(p, &label.to))) return false;
    }
    *next = (int64_t)((uint64_t)label.to + 1);
    if (!add_label(p, &label)) return false;
    return wfi_tsdl_is_sign(p, ',') ? wfi_tsdl_next(p)
                                    : wfi_tsdl_is_sign(p, '}') || wfi_tsdl_fail(p, "',' expected");
}

// `enum [NAME] [: TYPE] { labels }`, or `enum NAME`.
bool wfi_tsdl_enum(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type, unsigned depth) {
    const char *name = NULL;
    size_t len = 0;
    int64_t next = 0;
    if (p->token == TSDL_WORD) {
        name = p->at;
        len = p->len;
        if (!wfi_tsdl_next(p)) return false;
        if (!wfi_tsdl_is_sign(p, '{') && !wfi_tsdl_is_sign(p, ':'))
            return wfi_tsdl_find(p, 'e', name, len, type);
    }
    if (wfi_tsdl_is_sign(p, ':')) {
        if (!wfi_tsdl_next(p) || !wfi_tsdl_type(p, type, NULL, depth)) return false;
    } else if (!wfi_tsdl_find(p, 'a', "int", 3, type)) {
        return false;
    }
    if (type->is_struct) return wfi_tsdl_fail(p, "an enumeration has an integer type");
    if (p->sets == UINT16_MAX) return wfi_tsdl_fail(p, "too many enumerations");
    type->field.labels = ++p->sets;
    if (!wfi_tsdl_expect(p, '{')) return false;
    while (!wfi_tsdl_is_sign(p, '}')) {
        if (!take_label(p, type->field.labels, &next)) return false;
    }
    return wfi_tsdl_next(p) && (!name || wfi_tsdl_define(p, 'e', name, len, type));
}
