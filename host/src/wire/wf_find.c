// SPDX-License-Identifier: MIT
// Iterates over the names of the dictionaries and finds keys by name, for commands given by name
// and for clients that connect late.

#include <string.h>

#include "core/wfi_session.h"

bool wf_session_next_name(const struct wf_session *s, size_t *at, struct wf_name *name) {
    size_t left = *at;
    for (unsigned i = 0; i < WFI_DICTS; ++i) {
        const struct wfi_dict *d = wfi_dict_view(&s->names, i);
        if (left >= d->count) {
            left -= d->count;
            continue;
        }
        const struct wfi_name *n = &d->names[left];
        name->key = n->key;
        name->dict = wfi_dict_rows[i].effect;
        name->with = name->dict == WF_EFFECT_NAME_ENUM ? wfi_dict_rows[i].group : n->obj;
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

bool wf_session_find_key(const struct wf_session *s, enum wf_effect dict, const char *text,
                         uint64_t with, uint64_t *key) {
    unsigned i = wfi_dict_index(dict, with);
    if (i == WFI_DICTS) return false;
    const struct wfi_dict *d = wfi_dict_view(&s->names, i);
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

const char *wf_session_name(struct wf_session *s, enum wf_effect dict, uint64_t key,
                            uint64_t with) {
    unsigned i = wfi_dict_index(dict, with);
    const struct wfi_name *n;
    if (i == WFI_DICTS) return NULL;
    switch (dict) {
    case WF_EFFECT_NAME_OBJECT: n = wfi_object_name(s, key); break;
    case WF_EFFECT_NAME_FUNCTION: n = wfi_function_name(s, key); break;
    case WF_EFFECT_NAME_SIGNAL: n = wfi_signal_get(&s->names, key, with); break;
    default: n = wfi_dict_get(wfi_dict_view(&s->names, i), key);
    }
    return n ? n->text : NULL;
}
