// SPDX-License-Identifier: MIT
// Events: destination, signal and parameters. The parameters follow each other without gaps, in the
// target's byte order.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_command.h"

enum how { UNSIGNED, SIGNED, FLOAT, TEXT, BYTES };

static const struct param_type {
    const char *name;
    uint8_t how, bytes;
} types[] = {
    {"u8", UNSIGNED, 1}, {"u16", UNSIGNED, 2}, {"u32", UNSIGNED, 4}, {"u64", UNSIGNED, 8},
    {"i8", SIGNED, 1},   {"i16", SIGNED, 2},   {"i32", SIGNED, 4},   {"i64", SIGNED, 8},
    {"f32", FLOAT, 4},   {"f64", FLOAT, 8},    {"str", TEXT, 0},     {"mem", BYTES, 0},
};
enum { TYPES = sizeof types / sizeof *types };

void wfi_offer_types(wf_offer_fn offer, void *ctx) {
    for (unsigned i = 0; i < TYPES; ++i) {
        char text[8];
        snprintf(text, sizeof text, "%s:", types[i].name);
        offer(ctx, text);
    }
}

// "to:3" is a priority, "to:table" an object, which must be made the current one first.
static bool find_destination(struct wfi_making *m, uint64_t *object, uint8_t *code) {
    *code = m->row->code;
    *object = 0;
    for (unsigned i = 0; i < m->count; ++i) {
        uint64_t prio;
        const char *to = m->word[i] + 3;
        if (strncmp(m->word[i], "to:", 3) != 0) continue;
        if (m->row->code == WFI_TO_PUBLISH)
            return wfi_wrong(m, WF_MADE_WRONG, "publish goes to all that subscribe; drop '%s'",
                             m->word[i]);
        if (m->row->code == WFI_TO_POST && wfi_is_number(to) && strncmp(to, "0x", 2) != 0) {
            if (!wfi_number(m, "priority", to, 1, WFI_AO_PRIO_MAX, &prio)) return false;
            *code = (uint8_t)prio;
            continue;
        }
        if (!wfi_object(m, to, object)) return false;
        if (!*object) return wfi_wrong(m, WF_MADE_WRONG, "%s: to: needs an object", m->row->name);
    }
    return true;
}

static bool make_current(struct wfi_making *m, uint64_t object) {
    wfi_frame(m)->record = WF_COMMAND_CURR_OBJ;
    wfi_add(m, m->row->code == WFI_TO_POST ? 1 : 0, 1); // active object or state machine
    if (!wfi_add_object(m, object)) return false;
    m->out->frame[m->out->count++] = (struct wf_frame){.record = WF_COMMAND_EVENT};
    return true;
}

bool wfi_take_signal(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    uint64_t object, signal = 0;
    uint8_t code;
    (void)a;
    if (!find_destination(m, &object, &code)) return false;
    if (word && !wfi_signal(m, word, object ? object : m->c->machine, &signal)) return false;
    if (object && !make_current(m, object)) return false;
    return wfi_add_event(m, code, signal);
}

static bool put_ordered(struct wfi_making *m, uint64_t value, unsigned bytes) {
    bool big = wf_session_target(m->c->session)->big_endian;
    for (unsigned i = 0; i < bytes; ++i) {
        if (!wfi_add(m, value >> 8 * (big ? bytes - 1 - i : i), 1)) return false;
    }
    return true;
}

static bool put_float(struct wfi_making *m, const struct param_type *type, const char *text) {
    char *end;
    errno = 0;
    double wide = strtod(text, &end);
    float narrow = (float)wide;
    bool too_large = type->bytes == 4 && wide - wide == 0 && narrow - narrow != 0;
    if (end == text || *end || (errno == ERANGE && wide - wide != 0) || too_large)
        return wfi_wrong(m, WF_MADE_WRONG, "%s: '%s' is not a number it can hold", type->name,
                         text);
    uint32_t bits32;
    uint64_t bits64;
    memcpy(&bits32, &narrow, 4);
    memcpy(&bits64, &wide, 8);
    return put_ordered(m, type->bytes == 4 ? bits32 : bits64, type->bytes);
}

static bool put_hex(struct wfi_making *m, const char *text) {
    size_t len = strlen(text);
    if (len == 0 || len % 2 || strspn(text, "0123456789abcdefABCDEF") != len) {
        return wfi_wrong(m, WF_MADE_WRONG,
                         "mem: '%s' is not bytes of two hexadecimal digits each, as in mem:0a0b",
                         text);
    }
    for (; *text; text += 2) {
        char two[3] = {text[0], text[1], 0};
        if (!wfi_add(m, strtoul(two, NULL, 16), 1)) return false;
    }
    return true;
}

static bool put_typed(struct wfi_making *m, const struct param_type *type, const char *text) {
    unsigned bits = 8u * type->bytes;
    uint64_t value, top = bits ? UINT64_C(1) << (bits - 1) : 0;
    switch ((enum how)type->how) {
    case UNSIGNED:
        return wfi_number(m, type->name, text, 0, top + (top - 1), &value) &&
               put_ordered(m, value, type->bytes);
    case SIGNED:
        return wfi_number(m, type->name, text, (int64_t)(0 - top), top - 1, &value) &&
               put_ordered(m, value, type->bytes);
    case FLOAT: return put_float(m, type, text);
    case BYTES: return put_hex(m, text);
    case TEXT: break;
    }
    return wfi_add_bytes(m, text, strlen(text) + 1);
}

static bool put_parameter(struct wfi_making *m, const char *word) {
    size_t len = strcspn(word, ":");
    uint64_t value;
    if (wfi_is_number(word) && !word[len])
        return wfi_number(m, "parameter", word, INT32_MIN, UINT32_MAX, &value) &&
               put_ordered(m, value, 4);
    for (unsigned i = 0; word[len] && i < TYPES; ++i) {
        if (strlen(types[i].name) == len && strncmp(types[i].name, word, len) == 0)
            return put_typed(m, &types[i], word + len + 1);
    }
    return wfi_wrong(m, WF_MADE_WRONG,
                     "'%s' is no parameter: a number (32 bits) or one of u8: u16: u32: u64: i8: "
                     "i16: i32: i64: f32: f64: str: mem:, or to: an object",
                     word);
}

bool wfi_take_parameter(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    (void)a;
    return strncmp(word, "to:", 3) == 0 || (put_parameter(m, word) && wfi_add_length(m));
}
