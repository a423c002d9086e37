// SPDX-License-Identifier: MIT
// Names of the dictionaries one after the other, and keys by name, for commands that are given
// names and for those who join late.

#include <string.h>

#include "wfi_session.h"

// The dictionaries in the order they are gone through: four, the enumerations, the interrupts.
enum { DICTS = 4 + WFI_ENUM_GROUPS + 1 };

static const struct wfi_dict *dict_at(const struct wf_session *s, unsigned i,
                                      enum wf_effect *effect) {
    const struct wfi_names *n = &s->names;
    const struct wfi_dict *dicts[] = {&n->objects, &n->functions, &n->users, &n->signals};
    static const enum wf_effect effects[] = {WF_EFFECT_NAME_OBJECT, WF_EFFECT_NAME_FUNCTION,
                                             WF_EFFECT_NAME_USER, WF_EFFECT_NAME_SIGNAL};
    if (i == DICTS - 1) {
        *effect = WF_EFFECT_NAME_IRQ;
        return &n->irqs;
    }
    *effect = i < 4 ? effects[i] : WF_EFFECT_NAME_ENUM;
    return i < 4 ? dicts[i] : &n->enums[i - 4];
}

bool wf_next_name(const struct wf_session *s, size_t *at, struct wf_name *name) {
    size_t left = *at;
    for (unsigned i = 0; i < DICTS; ++i) {
        const struct wfi_dict *d = dict_at(s, i, &name->dict);
        if (left >= d->count) {
            left -= d->count;
            continue;
        }
        const struct wfi_name *n = &d->names[left];
        name->key = n->key;
        name->with = name->dict == WF_EFFECT_NAME_ENUM ? i - 4 : n->obj;
        name->text = n->text;
        name->len = n->len;
        ++*at;
        return true;
    }
    return false;
}

static bool counts(enum wf_effect dict, const struct wfi_name *n, uint64_t with) {
    return dict != WF_EFFECT_NAME_SIGNAL || n->obj == 0 || n->obj == with;
}

bool wf_find_key(const struct wf_session *s, enum wf_effect dict, const char *text, uint64_t with,
                 uint64_t *key) {
    enum wf_effect effect;
    unsigned i = 0;
    if (dict == WF_EFFECT_NAME_ENUM && with >= WFI_ENUM_GROUPS) return false;
    if (dict == WF_EFFECT_NAME_ENUM) i = 4 + (unsigned)with;
    if (dict == WF_EFFECT_NAME_IRQ) i = DICTS - 1;
    const struct wfi_dict *d = dict_at(s, i, &effect);
    while (effect != dict && ++i < 4) d = dict_at(s, i, &effect);
    if (effect != dict) return false;
    size_t len = strlen(text);
    bool found = false;
    if (d->name_max && len > d->name_max) len = d->name_max;
    for (size_t at = 0; at < d->count; ++at) {
        const struct wfi_name *n = &d->names[at];
        if (n->len != len || memcmp(n->text, text, len) != 0 || !counts(dict, n, with)) continue;
        if (!found || n->key < *key) *key = n->key;
        found = true;
    }
    if (found) return true;
    if (dict == WF_EFFECT_NAME_OBJECT) return wfi_use_find(s, WF_PROGRAM_OBJECT, text, key);
    return dict == WF_EFFECT_NAME_FUNCTION && wfi_use_find(s, WF_PROGRAM_FUNCTION, text, key);
}

const char *wf_name_of(struct wf_session *s, enum wf_effect dict, uint64_t key, uint64_t with) {
    const struct wfi_name *n = NULL;
    switch (dict) {
    case WF_EFFECT_NAME_OBJECT: n = wfi_object_name(s, key); break;
    case WF_EFFECT_NAME_FUNCTION: n = wfi_function_name(s, key); break;
    case WF_EFFECT_NAME_USER: n = wfi_dict_get(&s->names.users, key); break;
    case WF_EFFECT_NAME_SIGNAL: n = wfi_signal_get(&s->names, key, with); break;
    case WF_EFFECT_NAME_ENUM:
        if (with < WFI_ENUM_GROUPS) n = wfi_dict_get(&s->names.enums[with], key);
        break;
    case WF_EFFECT_NAME_IRQ: n = wfi_dict_get(&s->names.irqs, key); break;
    default: break;
    }
    return n ? n->text : NULL;
}
