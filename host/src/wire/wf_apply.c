// SPDX-License-Identifier: MIT
// Effects of a record on the session: names, target info, and the clock. Depends on effects and
// kinds only; the order of values in a layout is that of schema/wf_schema.h.

#include <stdlib.h>
#include <string.h>

#include "core/wfi_session.h"

enum { QS_POST_HOOK_USER = WF_USER_LAST }; // QSPY sets its name after each clear
enum { AT_KEY = 2 }; // index of the key in a create or delete, after the time and the selector

// Before QS 6.9 QSPY prints the square brackets of object names as angle brackets.
static void change_brackets(struct wf_session *s, struct wf_record *r) {
    if (s->scratch_cap < r->text_len) {
        char *scratch = realloc(s->scratch, r->text_len);
        if (!scratch) {
            s->err = WF_ERR_NOMEM;
            return;
        }
        s->scratch = scratch;
        s->scratch_cap = r->text_len;
    }
    for (size_t i = 0; i < r->text_len; ++i) {
        char c = r->text[i];
        s->scratch[i] = c == '[' ? '<' : c == ']' ? '>' : c;
    }
    r->text = s->scratch;
}

static void apply_name(struct wf_session *s, struct wf_record *r) {
    uint64_t key = r->value[0];
    bool kept;
    switch (r->row->effect) {
    case WF_EFFECT_NAME_OBJECT:
        if (s->qspy && s->target.version < 690) change_brackets(s, r);
        kept = wfi_dict_put(&s->names.objects, key, r->text, r->text_len);
        wfi_use_place(s, WF_PROGRAM_OBJECT, key, r->text, r->text_len);
        break;
    case WF_EFFECT_NAME_FUNCTION:
        kept = wfi_dict_put(&s->names.functions, key, r->text, r->text_len);
        wfi_use_place(s, WF_PROGRAM_FUNCTION, key, r->text, r->text_len);
        break;
    case WF_EFFECT_NAME_USER:
        kept = wfi_dict_put(&s->names.users, key, r->text, r->text_len);
        break;
    case WF_EFFECT_NAME_IRQ: kept = wfi_dict_put(&s->names.irqs, key, r->text, r->text_len); break;
    case WF_EFFECT_NAME_ENUM:
        kept =
            wfi_dict_put(&s->names.enums[r->value[1] % WFI_ENUM_GROUPS], key, r->text, r->text_len);
        break;
    default: kept = wfi_signal_put(&s->names, key, r->value[1], r->text, r->text_len);
    }
    if (!kept) s->err = WF_ERR_NOMEM;
}

void wfi_clear_names(struct wf_session *s) {
    if (s->names_kept) return;
    wfi_names_clear(&s->names);
    wfi_use_restart(s);
    if (s->qspy && !wfi_dict_put(&s->names.users, QS_POST_HOOK_USER, "QUTEST_ON_POST", 14))
        s->err = WF_ERR_NOMEM;
}

static bool set_size(struct wf_session *s, enum wf_type type, uint64_t bytes) {
    bytes &= 15;
    if (type == WF_TYPE_TIME && s->slots.on) return false; // slots have the event's time
    if (!s->qspy && bytes > 8) return false;
    bool changed = s->target.bytes[type] != bytes;
    s->target.bytes[type] = (uint8_t)(bytes > 8 ? 8 : bytes);
    return changed;
}

// Applies the five bytes of sizes of a target info or SYNC. Returns true if one changed.
static bool set_sizes(struct wf_session *s, const uint64_t v[5]) {
#define WF_X(low, low_letter, low_bytes, high, high_letter, high_bytes)                            \
    WF_TYPE_##low, WF_TYPE_##high,
    static const uint8_t types[] = {WF_SIZES(WF_X)};
#undef WF_X
    bool changed = false;
    for (unsigned i = 0; types[i] != WF_TYPE_END; ++i)
        changed |= set_size(s, types[i], v[i / 2] >> (i % 2 ? 4 : 0));
    return changed;
}

void wfi_set_key_sizes(struct wf_session *s) {
    s->names.objects.key_bytes = s->names.signals.key_bytes = s->target.bytes[WF_TYPE_OBJ];
    s->names.functions.key_bytes = s->target.bytes[WF_TYPE_FUN];
}

// QSPY keeps the sizes of its options, whatever a target reports.
void wfi_follow_key_sizes(struct wf_session *s) {
    if (!s->qspy) wfi_set_key_sizes(s);
}

void wfi_apply_sizes(struct wf_session *s, const uint8_t sizes[5]) {
    const uint64_t v[5] = {sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]};
    s->target.sizes_known = true;
    if (!set_sizes(s, v)) return;
    wfi_set_key_sizes(s);
    wfi_plan_all(s);
}

static bool set_version(struct wf_target *t, const struct wf_record *r, bool *reset) {
    struct wf_target was = *t;
    if (r->row->fields[0].kind == WF_KIND_RESET) {
        *reset = r->value[0] != 0;
        t->version_raw = (uint16_t)r->value[1];
        t->version = t->version_raw & 0x7FFF;
        t->big_endian = t->version_raw >> 15;
    } else {
        uint32_t release = ~(uint32_t)r->value[1];
        *reset = (r->value[0] & 0x40) != 0;
        t->version = t->version_raw = (uint16_t)(release % 10000);
        t->released = release / 10000;
        t->big_endian = (r->value[0] & 0x80) != 0;
        t->framework = r->value[0] >> 2 & 3;
    }
    return was.version != t->version || was.big_endian != t->big_endian;
}

static void apply_info(struct wf_session *s, struct wf_item *item) {
    const struct wf_record *r = &item->record;
    const uint64_t *v = r->value;
    struct wf_target *t = &s->target;
    bool had_build = t->built[5] != 0, reset = false, changed = set_version(t, r, &reset);
    changed |= set_sizes(s, v + 2);
    for (unsigned i = 0; i < 6; ++i) {
        uint8_t byte = (uint8_t)(v[9] >> 8 * i);
        changed |= byte != t->built[i];
        t->built[i] = byte;
    }
    t->known = t->sizes_known = true;
    item->changed = changed;
    item->discarded = changed && had_build;
    if (reset) ++t->resets;
    if (reset && s->options.dialect == WF_DIALECT_WALLFLY)
        wfi_clock_restart(s); // the sequence may fit by chance
    if (reset || item->discarded) wfi_clear_names(s);
    wfi_follow_key_sizes(s);
    wfi_plan_all(s);
}

static void apply_sync(struct wf_session *s, struct wf_record *r) {
    struct wfi_clock *c = &s->clock;
    // The start of a reconnected target may be lost.
    if (c->relinked && r->value[1] + c->shift < c->last) wfi_clock_restart(s);
    bool first = !c->known;
    c->last = wfi_clock_begin(c, r->value[1]);
    if (first) r->tick = c->last;
    c->relinked = false;
    c->known = c->fresh = true;
    if (r->value[2]) s->target.hz = r->value[2];
    s->target.build_id = (uint32_t)r->value[8];
    wfi_use_check(s);
    s->target.sizes_known = true;
    if (!set_sizes(s, r->value + 9)) return;
    wfi_follow_key_sizes(s);
    wfi_plan_all(s);
}

// The start-up ends with a switch, an action of a task, or a record of QP, which has no tasks.
static void follow_start(struct wf_session *s, const struct wf_record *r) {
    switch (r->row->effect) {
    case WF_EFFECT_IRQ_ENTER: ++s->start_irqs; return;
    case WF_EFFECT_IRQ_EXIT: s->start_irqs -= s->start_irqs > 0; return;
    case WF_EFFECT_TASK_SWITCH: s->starting = false; return;
    default: break;
    }
    if (r->row->group <= WF_GROUP_MTX) s->starting = false;
    for (unsigned i = 0; i < r->row->count; ++i) {
        if (r->row->fields[i].kind == WF_KIND_ACTOR && r->value[i]) s->starting = false;
    }
}

void wfi_apply(struct wf_session *s, struct wf_item *item) {
    struct wf_record *r = &item->record;
    bool whole = r->left == 0 && !r->missing;
    switch (r->row->effect) {
    case WF_EFFECT_TASK_CREATE:
    case WF_EFFECT_OBJECT_CREATE:
        s->kernel = true;
        if (whole && !s->names_kept) wfi_dict_renew(&s->names.objects, r->value[AT_KEY]);
        break;
    case WF_EFFECT_TASK_DELETE:
    case WF_EFFECT_OBJECT_DELETE:
        if (whole && !s->names_kept) wfi_dict_retire(&s->names.objects, r->value[AT_KEY]);
        break;
    case WF_EFFECT_NAME_SIGNAL:
    case WF_EFFECT_NAME_OBJECT:
    case WF_EFFECT_NAME_FUNCTION:
    case WF_EFFECT_NAME_USER:
    case WF_EFFECT_NAME_IRQ:
    case WF_EFFECT_NAME_ENUM:
        if (whole) apply_name(s, r);
        break;
    case WF_EFFECT_TARGET_INFO:
        if (!whole) break;
        apply_info(s, item);
        if (wfi_is_reset(r)) s->starting = true, s->start_irqs = 0, wfi_packed_forget(s);
        break;
    case WF_EFFECT_SYNC:
        if (whole) apply_sync(s, r);
        break;
    case WF_EFFECT_START:
        if (s->target.version < 550) wfi_clear_names(s);
        s->starting = true;
        s->start_irqs = 0;
        wfi_packed_forget(s);
        break;
    default:
        if (s->starting && whole) follow_start(s, r);
    }
}
