// SPDX-License-Identifier: MIT
// Types of TSDL: structs, named types, and what a declaration makes of them.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_tsdl.h"

enum { NAMES_MAX = 1024 };

// ---- named types

bool wfi_tsdl_define(struct wfi_tsdl_parser *p, char space, const char *name, size_t len,
                     const struct wfi_tsdl_type *type) {
    if (p->named_count == NAMES_MAX) return wfi_tsdl_fail(p, "more than 1024 named types");
    struct wfi_tsdl_type *copy = malloc(sizeof *copy);
    uint32_t at;
    if (!copy || !WFI_GROW(p->named, &p->named_cap, p->named_count + 1) ||
        !wfi_zephyr_meta_name(p->meta, name, len, &at)) {
        free(copy);
        p->error->memory = true;
        return wfi_tsdl_fail(p, "out of memory");
    }
    *copy = *type;
    p->named[p->named_count++] = (struct wfi_tsdl_named){space, at, copy};
    return true;
}

bool wfi_tsdl_find(struct wfi_tsdl_parser *p, char space, const char *name, size_t len,
                   struct wfi_tsdl_type *type) {
    for (size_t i = p->named_count; i-- > 0;) {
        const struct wfi_tsdl_named *n = &p->named[i];
        const char *is = wfi_zephyr_text(p->meta, n->name);
        if (n->space != space || strlen(is) != len || memcmp(is, name, len) != 0) continue;
        *type = *n->type;
        return true;
    }
    return wfi_tsdl_fail(p, "a type that is not defined");
}

void wfi_tsdl_close(struct wfi_tsdl_parser *p) {
    for (size_t i = 0; i < p->named_count; ++i) free(p->named[i].type);
    free(p->named);
}

static void make_bad(struct wfi_tsdl_type *type) {
    memset(type, 0, sizeof *type);
    type->bad = true;
}

// ---- structs

struct body {
    struct wfi_zephyr_field fields[ZEPHYR_FIELDS];
    unsigned count;
    size_t bytes;
    bool bad;
};

static void add_field(struct body *b, const struct wfi_zephyr_field *field) {
    b->bytes += (size_t)field->bytes * field->count;
    if (b->count == ZEPHYR_FIELDS || b->bytes > ZEPHYR_EVENT_MAX)
        b->bad = true;
    else
        b->fields[b->count++] = *field;
}

// A member that is a struct: its fields take its place.
static void add_members(struct wfi_tsdl_parser *p, struct body *b,
                        const struct wfi_tsdl_type *type) {
    b->bad |= type->list.bad;
    for (unsigned i = 0; i < type->list.count && !b->bad; ++i) {
        struct wfi_zephyr_field field = p->meta->fields[type->list.first + i];
        if (i == 0 && type->list.align > field.align) field.align = type->list.align;
        add_field(b, &field);
    }
}

// An array of `count` elements. Only integers are its elements.
static void make_array(struct wfi_tsdl_type *type, uint64_t count, bool named_name) {
    struct wfi_zephyr_field *f = &type->field;
    bool integer = !type->is_struct && !type->bad && f->count == 1 &&
                   (f->kind == ZEPHYR_UNSIGNED || f->kind == ZEPHYR_SIGNED);
    if (!integer || count > ZEPHYR_EVENT_MAX / f->bytes) {
        make_bad(type);
        return;
    }
    f->kind = f->bytes == 1 && (type->text || named_name) ? ZEPHYR_TEXT : ZEPHYR_BYTES;
    f->count = (uint32_t)count;
    f->labels = 0;
}

// The lengths after a name.
static bool take_lengths(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type, bool named_name) {
    while (wfi_tsdl_is_sign(p, '[')) {
        if (!wfi_tsdl_next(p)) return false;
        if (p->token == TSDL_NUMBER) {
            make_array(type, p->number, named_name);
            if (!wfi_tsdl_next(p)) return false;
        } else { // the length is in another field
            make_bad(type);
            while (p->token == TSDL_WORD || wfi_tsdl_is_sign(p, '.')) {
                if (!wfi_tsdl_next(p)) return false;
            }
        }
        if (!wfi_tsdl_expect(p, ']')) return false;
    }
    return true;
}

static bool take_member(struct wfi_tsdl_parser *p, struct body *b, unsigned depth) {
    struct wfi_tsdl_type type;
    struct wfi_tsdl_declarator name = {NULL, 0};
    if (!wfi_tsdl_type(p, &type, &name, depth)) return false;
    bool is_name = name.len == 4 && memcmp(name.text, "name", 4) == 0;
    if (!take_lengths(p, &type, is_name)) return false;
    if (type.bad) b->bad = true;
    if (type.is_struct) {
        add_members(p, b, &type);
    } else if (!b->bad) {
        if (name.len && name.text[0] == '_') ++name.text, --name.len;
        if (!wfi_zephyr_meta_name(p->meta, name.text, name.len, &type.field.name)) {
            p->error->memory = true;
            return wfi_tsdl_fail(p, "out of memory");
        }
        add_field(b, &type.field);
    }
    return wfi_tsdl_expect(p, ';');
}

static bool take_body(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type, unsigned depth) {
    struct body b = {.count = 0};
    if (!wfi_tsdl_expect(p, '{')) return false;
    while (!wfi_tsdl_is_sign(p, '}')) {
        if (p->token == TSDL_END) return wfi_tsdl_fail(p, "a struct without an end");
        bool good = wfi_tsdl_is_word(p, "typealias") ? wfi_tsdl_alias(p)
                    : wfi_tsdl_is_word(p, "typedef") ? wfi_tsdl_typedef(p)
                                                     : take_member(p, &b, depth + 1);
        if (!good) return false;
    }
    if (!wfi_tsdl_next(p)) return false;
    if (!wfi_zephyr_meta_list(p->meta, b.fields, b.count, &type->list)) {
        p->error->memory = true;
        return wfi_tsdl_fail(p, "out of memory");
    }
    type->list.bad = type->bad = b.bad;
    return true;
}

static bool take_align(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type) {
    if (!wfi_tsdl_is_word(p, "align")) return true;
    if (!wfi_tsdl_next(p) || !wfi_tsdl_expect(p, '(')) return false;
    if (p->token != TSDL_NUMBER) return wfi_tsdl_fail(p, "a number of bits expected");
    uint64_t bytes = p->number / 8;
    if (bytes > 64 || (bytes & (bytes - 1)))
        type->bad = type->list.bad = true;
    else if (bytes > type->list.align)
        type->list.align = (uint16_t)bytes;
    return wfi_tsdl_next(p) && wfi_tsdl_expect(p, ')');
}

// `struct NAME`, `struct NAME {...}` or `struct {...}`.
static bool take_struct(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type, unsigned depth) {
    const char *name = NULL;
    size_t len = 0;
    if (p->token == TSDL_WORD) {
        name = p->at;
        len = p->len;
        if (!wfi_tsdl_next(p)) return false;
        if (!wfi_tsdl_is_sign(p, '{')) return wfi_tsdl_find(p, 's', name, len, type);
    }
    memset(type, 0, sizeof *type);
    type->is_struct = true;
    if (!take_body(p, type, depth) || !take_align(p, type)) return false;
    return !name || wfi_tsdl_define(p, 's', name, len, type);
}

// A variant's size depends on another field.
static bool take_variant(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type) {
    unsigned braces = 0;
    make_bad(type);
    if (p->token == TSDL_WORD && !wfi_tsdl_next(p)) return false;
    if (wfi_tsdl_is_sign(p, '<')) {
        while (!wfi_tsdl_is_sign(p, '>')) {
            if (p->token == TSDL_END) return wfi_tsdl_fail(p, "a variant without a tag");
            if (!wfi_tsdl_next(p)) return false;
        }
        if (!wfi_tsdl_next(p)) return false;
    }
    if (!wfi_tsdl_is_sign(p, '{')) return true;
    do {
        if (p->token == TSDL_END) return wfi_tsdl_fail(p, "a variant without an end");
        braces += wfi_tsdl_is_sign(p, '{');
        braces -= wfi_tsdl_is_sign(p, '}');
        if (!wfi_tsdl_next(p)) return false;
    } while (braces);
    return true;
}

static bool take_string(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type) {
    memset(type, 0, sizeof *type);
    type->field =
        (struct wfi_zephyr_field){.count = 1, .align = 1, .kind = ZEPHYR_STRING, .bytes = 1};
    if (!wfi_tsdl_is_sign(p, '{')) return true;
    while (!wfi_tsdl_is_sign(p, '}')) {
        if (p->token == TSDL_END) return wfi_tsdl_fail(p, "a string type without an end");
        if (!wfi_tsdl_next(p)) return false;
    }
    return wfi_tsdl_next(p);
}

// ---- types by their words

// The name of a type: words with a blank between them.
struct words {
    char text[TSDL_WORDS];
    size_t len;
};

static bool add_word(struct wfi_tsdl_parser *p, struct words *w, const char *text, size_t len) {
    if (w->len + len + 1 > sizeof w->text) return wfi_tsdl_fail(p, "a type's name is too long");
    if (w->len) w->text[w->len++] = ' ';
    memcpy(w->text + w->len, text, len);
    w->len += len;
    return true;
}

// Reads words, and finds the type. The last one is the declarator if there is one.
static bool take_words(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type,
                       struct wfi_tsdl_declarator *declarator) {
    struct words w = {.len = 0};
    struct wfi_tsdl_declarator last = {NULL, 0};
    for (; p->token == TSDL_WORD;) {
        if (last.text && !add_word(p, &w, last.text, last.len)) return false;
        last = (struct wfi_tsdl_declarator){p->at, p->len};
        if (!wfi_tsdl_next(p)) return false;
    }
    if (declarator)
        *declarator = last;
    else if (!add_word(p, &w, last.text, last.len))
        return false;
    if (!w.len) return wfi_tsdl_fail(p, "a type and a name expected");
    return wfi_tsdl_find(p, 'a', w.text, w.len, type);
}

bool wfi_tsdl_type(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type,
                   struct wfi_tsdl_declarator *declarator, unsigned depth) {
    if (depth > TSDL_DEPTH) return wfi_tsdl_fail(p, "types are nested too deeply");
    if (wfi_tsdl_is_word(p, "const") && !wfi_tsdl_next(p)) return false;
    if (p->token != TSDL_WORD) return wfi_tsdl_fail(p, "a type expected");
    bool good;
    if (wfi_tsdl_is_word(p, "integer"))
        good = wfi_tsdl_next(p) && wfi_tsdl_integer(p, type);
    else if (wfi_tsdl_is_word(p, "floating_point"))
        good = wfi_tsdl_next(p) && wfi_tsdl_float(p, type);
    else if (wfi_tsdl_is_word(p, "enum"))
        good = wfi_tsdl_next(p) && wfi_tsdl_enum(p, type, depth + 1);
    else if (wfi_tsdl_is_word(p, "string"))
        good = wfi_tsdl_next(p) && take_string(p, type);
    else if (wfi_tsdl_is_word(p, "struct"))
        good = wfi_tsdl_next(p) && take_struct(p, type, depth);
    else if (wfi_tsdl_is_word(p, "variant"))
        good = wfi_tsdl_next(p) && take_variant(p, type);
    else
        return take_words(p, type, declarator);
    if (!good || !declarator) return good;
    if (p->token != TSDL_WORD) return wfi_tsdl_fail(p, "a name expected");
    *declarator = (struct wfi_tsdl_declarator){p->at, p->len};
    return wfi_tsdl_next(p);
}

// ---- aliases

bool wfi_tsdl_alias(struct wfi_tsdl_parser *p) {
    struct wfi_tsdl_type type;
    struct words w = {.len = 0};
    if (!wfi_tsdl_next(p) || !wfi_tsdl_type(p, &type, NULL, 0)) return false;
    if (p->token != TSDL_ASSIGN) return wfi_tsdl_fail(p, "':=' expected");
    if (!wfi_tsdl_next(p)) return false;
    while (p->token == TSDL_WORD) {
        if (!add_word(p, &w, p->at, p->len) || !wfi_tsdl_next(p)) return false;
    }
    if (!w.len) return wfi_tsdl_fail(p, "a name expected");
    return wfi_tsdl_define(p, 'a', w.text, w.len, &type) && wfi_tsdl_expect(p, ';');
}

bool wfi_tsdl_typedef(struct wfi_tsdl_parser *p) {
    struct wfi_tsdl_type type;
    struct wfi_tsdl_declarator name = {NULL, 0};
    if (!wfi_tsdl_next(p) || !wfi_tsdl_type(p, &type, &name, 0)) return false;
    return take_lengths(p, &type, false) && wfi_tsdl_define(p, 'a', name.text, name.len, &type) &&
           wfi_tsdl_expect(p, ';');
}
