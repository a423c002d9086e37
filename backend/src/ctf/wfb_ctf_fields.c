// SPDX-License-Identifier: MIT
// Fields: the walk over a structure is the same for its class and for its values, so that both have
// the same fields in the same order.

#include "wfb_ctf_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 8, NAME_MAX_BYTES = 200, BASE_HEX = 16 };

// ---- the walk

// Lengths of sequences are fields of their own, "_NAME_length"; the sequence has its length.
static bool is_length(const struct wfb_babeltrace *bt, bt_const structure, const char *name) {
    static const char end[] = "_length";
    char of[NAME_MAX_BYTES];
    size_t len = strlen(name), tail = sizeof end - 1;
    if (name[0] != '_' || len <= tail + 1 || len >= sizeof of) return false;
    if (strcmp(name + len - tail, end) != 0) return false;
    snprintf(of, sizeof of, "%.*s", (int)(len - tail - 1), name + 1);
    return bt->bt_field_class_structure_borrow_member_by_name_const(structure, of) != NULL;
}

struct member {
    const char *name;
    bt_const field_class;
    bool structure;
};

// Returns false for a member that is no field of its own.
static bool look_at_member(const struct wfb_babeltrace *bt, bt_const structure, uint64_t i,
                           unsigned depth, struct member *m) {
    bt_const member = bt->bt_field_class_structure_borrow_member_by_index_const(structure, i);
    m->name = bt->bt_field_class_structure_member_get_name(member);
    m->field_class = bt->bt_field_class_structure_member_borrow_field_class_const(member);
    m->structure =
        depth < DEPTH_MAX && bt->bt_field_class_get_type(m->field_class) == BT_FIELD_STRUCTURE;
    return m->structure || !is_length(bt, structure, m->name);
}

struct names {
    struct wfb_encoder *e;
    enum wf_events_scope scope;
    unsigned *left;
};

static void walk_class(const struct wfb_babeltrace *bt, bt_const structure, const char *prefix,
                       unsigned depth, const struct names *n) {
    uint64_t count = bt->bt_field_class_structure_get_member_count(structure);
    char name[NAME_MAX_BYTES];
    for (uint64_t i = 0; i < count && *n->left; ++i) {
        struct member m;
        if (!look_at_member(bt, structure, i, depth, &m)) continue;
        snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", m.name);
        if (m.structure) {
            walk_class(bt, m.field_class, name, depth + 1, n);
            continue;
        }
        --*n->left;
        if (!n->e) continue;
        wfb_put_byte(n->e, n->scope);
        wfb_put_text(n->e, name, strlen(name));
    }
}

void wfb_put_field_classes(struct wfb_encoder *e, const struct wfb_babeltrace *bt,
                           bt_const structure, enum wf_events_scope scope, unsigned *left) {
    const struct names n = {e, scope, left};
    if (structure) walk_class(bt, structure, "", 0, &n);
}

unsigned wfb_count_field_classes(const struct wfb_babeltrace *bt, bt_const structure) {
    unsigned left = WF_EVENTS_FIELDS_MAX;
    wfb_put_field_classes(NULL, bt, structure, WF_EVENTS_SCOPE_PAYLOAD, &left);
    return WF_EVENTS_FIELDS_MAX - left;
}

// ---- values as text

struct text {
    size_t len;
    char bytes[WF_EVENTS_TEXT_MAX];
};

static void add_text(struct text *t, const char *bytes, size_t len) {
    size_t room = sizeof t->bytes - t->len;
    if (len > room) len = room;
    memcpy(t->bytes + t->len, bytes, len);
    t->len += len;
}

static void add_words(struct text *t, const char *words) { add_text(t, words, strlen(words)); }

static void add_number(struct text *t, const char *format, uint64_t v) {
    char number[32];
    snprintf(number, sizeof number, format, v);
    add_words(t, number);
}

static void add_real(struct text *t, double v) {
    char number[40];
    snprintf(number, sizeof number, "%g", v);
    add_words(t, number);
}

static void add_field(struct text *t, const struct wfb_babeltrace *bt, bt_const field,
                      unsigned depth);

static void add_array(struct text *t, const struct wfb_babeltrace *bt, bt_const field,
                      unsigned depth) {
    uint64_t count = bt->bt_field_array_get_length(field);
    add_words(t, "[");
    for (uint64_t i = 0; i < count && t->len < sizeof t->bytes; ++i) {
        if (i) add_words(t, ", ");
        add_field(t, bt, bt->bt_field_array_borrow_element_field_by_index_const(field, i), depth);
    }
    add_words(t, "]");
}

static void add_structure(struct text *t, const struct wfb_babeltrace *bt, bt_const field,
                          unsigned depth) {
    bt_const structure = bt->bt_field_borrow_class_const(field);
    uint64_t count = bt->bt_field_class_structure_get_member_count(structure);
    add_words(t, "{");
    for (uint64_t i = 0; i < count && t->len < sizeof t->bytes; ++i) {
        struct member m;
        look_at_member(bt, structure, i, DEPTH_MAX, &m);
        if (i) add_words(t, ", ");
        add_words(t, m.name);
        add_words(t, "=");
        add_field(t, bt, bt->bt_field_structure_borrow_member_field_by_index_const(field, i),
                  depth);
    }
    add_words(t, "}");
}

static bt_const chosen_field(const struct wfb_babeltrace *bt, bt_const field, uint64_t type) {
    return type & BT_FIELD_OPTION ? bt->bt_field_option_borrow_field_const(field)
                                  : bt->bt_field_variant_borrow_selected_option_field_const(field);
}

static void add_field(struct text *t, const struct wfb_babeltrace *bt, bt_const field,
                      unsigned depth) {
    if (!field || depth > 2 * DEPTH_MAX) return;
    uint64_t type = bt->bt_field_get_class_type(field);
    if (type & BT_FIELD_ARRAY)
        add_array(t, bt, field, depth + 1);
    else if (type & BT_FIELD_STRUCTURE)
        add_structure(t, bt, field, depth + 1);
    else if (type & (BT_FIELD_OPTION | BT_FIELD_VARIANT))
        add_field(t, bt, chosen_field(bt, field, type), depth + 1);
    else if (type & BT_FIELD_STRING)
        add_text(t, bt->bt_field_string_get_value(field), bt->bt_field_string_get_length(field));
    else if (type & BT_FIELD_UNSIGNED)
        add_number(t, "%" PRIu64, bt->bt_field_integer_unsigned_get_value(field));
    else if (type & BT_FIELD_SIGNED)
        add_number(t, "%" PRId64, (uint64_t)bt->bt_field_integer_signed_get_value(field));
    else if (type & BT_FIELD_BOOL)
        add_number(t, "%" PRIu64, bt->bt_field_bool_get_value(field) != 0);
    else if (type & BT_FIELD_BITS)
        add_number(t, "0x%" PRIX64, bt->bt_field_bit_array_get_value_as_integer(field));
    else if (type & BT_FIELD_SINGLE)
        add_real(t, (double)bt->bt_field_real_single_precision_get_value(field));
    else if (type & BT_FIELD_DOUBLE)
        add_real(t, bt->bt_field_real_double_precision_get_value(field));
}

// ---- values

static void put_number(struct wfb_encoder *e, enum wf_events_value type, uint64_t v) {
    wfb_put_byte(e, type);
    wfb_put_unsigned(e, v);
}

static void put_unsigned(struct wfb_encoder *e, const struct wfb_babeltrace *bt, bt_const field) {
    bt_const of = bt->bt_field_borrow_class_const(field);
    bool hex = bt->bt_field_class_integer_get_preferred_display_base(of) == BASE_HEX;
    put_number(e, hex ? WF_EVENTS_VALUE_HEX : WF_EVENTS_VALUE_UNSIGNED,
               bt->bt_field_integer_unsigned_get_value(field));
}

// Words of an enumeration: the first one of the value; none: the value is not in the enumeration.
static void put_word(struct wfb_encoder *e, const char *const *words, uint64_t count) {
    const char *word = count && words[0] ? words[0] : "";
    wfb_put_text(e, word, strlen(word));
}

static void put_enum(struct wfb_encoder *e, const struct wfb_babeltrace *bt, bt_const field,
                     bool is_signed) {
    const char *const *words = NULL;
    uint64_t count = 0;
    if (is_signed) {
        wfb_put_byte(e, WF_EVENTS_VALUE_SIGNED_ENUM);
        wfb_put_signed(e, bt->bt_field_integer_signed_get_value(field));
        bt->bt_field_enumeration_signed_get_mapping_labels(field, &words, &count);
    } else {
        put_number(e, WF_EVENTS_VALUE_ENUM, bt->bt_field_integer_unsigned_get_value(field));
        bt->bt_field_enumeration_unsigned_get_mapping_labels(field, &words, &count);
    }
    put_word(e, words, count);
}

static void put_real(struct wfb_encoder *e, double v) {
    wfb_put_byte(e, WF_EVENTS_VALUE_FLOAT);
    wfb_put_double(e, v);
}

static void put_text_value(struct wfb_encoder *e, const char *text, size_t len) {
    wfb_put_byte(e, WF_EVENTS_VALUE_TEXT);
    wfb_put_text(e, text, len);
}

static void put_compound(struct wfb_encoder *e, const struct wfb_babeltrace *bt, bt_const field) {
    struct text t;
    t.len = 0;
    add_field(&t, bt, field, 0);
    put_text_value(e, t.bytes, t.len);
}

static void put_value(struct wfb_encoder *e, const struct wfb_babeltrace *bt, bt_const field) {
    uint64_t type = field ? bt->bt_field_get_class_type(field) : 0;
    for (unsigned i = 0; i < DEPTH_MAX && type & (BT_FIELD_OPTION | BT_FIELD_VARIANT); ++i) {
        field = chosen_field(bt, field, type);
        type = field ? bt->bt_field_get_class_type(field) : 0;
    }
    if (!type)
        wfb_put_byte(e, WF_EVENTS_VALUE_NONE);
    else if (type & BT_FIELD_ENUM)
        put_enum(e, bt, field, type & BT_FIELD_SIGNED);
    else if (type & BT_FIELD_UNSIGNED)
        put_unsigned(e, bt, field);
    else if (type & BT_FIELD_SIGNED)
        wfb_put_byte(e, WF_EVENTS_VALUE_SIGNED),
            wfb_put_signed(e, bt->bt_field_integer_signed_get_value(field));
    else if (type & BT_FIELD_STRING)
        put_text_value(e, bt->bt_field_string_get_value(field),
                       bt->bt_field_string_get_length(field));
    else if (type & BT_FIELD_SINGLE)
        put_real(e, (double)bt->bt_field_real_single_precision_get_value(field));
    else if (type & BT_FIELD_DOUBLE)
        put_real(e, bt->bt_field_real_double_precision_get_value(field));
    else if (type & BT_FIELD_BOOL)
        put_number(e, WF_EVENTS_VALUE_UNSIGNED, bt->bt_field_bool_get_value(field) != 0);
    else if (type & BT_FIELD_BITS)
        put_number(e, WF_EVENTS_VALUE_HEX, bt->bt_field_bit_array_get_value_as_integer(field));
    else
        put_compound(e, bt, field);
}

static void walk_fields(struct wfb_encoder *e, const struct wfb_babeltrace *bt, bt_const field,
                        unsigned depth, unsigned *left) {
    bt_const structure = bt->bt_field_borrow_class_const(field);
    uint64_t count = bt->bt_field_class_structure_get_member_count(structure);
    for (uint64_t i = 0; i < count && *left; ++i) {
        struct member m;
        if (!look_at_member(bt, structure, i, depth, &m)) continue;
        bt_const member = bt->bt_field_structure_borrow_member_field_by_index_const(field, i);
        if (m.structure) {
            walk_fields(e, bt, member, depth + 1, left);
            continue;
        }
        --*left;
        put_value(e, bt, member);
    }
}

void wfb_put_fields(struct wfb_encoder *e, const struct wfb_babeltrace *bt, bt_const structure,
                    unsigned *left) {
    if (structure) walk_fields(e, bt, structure, 0, left);
}
