// SPDX-License-Identifier: MIT
// A program's names for a session: the load address, whether it is the target's program, and a
// cache of the requested addresses, so that each is looked up once.

#include <string.h>

#include "core/wfi_session.h"

// PAGE: nothing is loaded at a lower address.
enum { PAGE = 0x1000, ASKED_MAX = 65536 };

static bool is_relocated(const struct wfi_use *u) {
    return u->program && wf_program_about(u->program)->moves;
}

static void check_fit(struct wf_session *s) {
    struct wfi_use *u = &s->use;
    const struct wf_program_info *info = u->program ? wf_program_about(u->program) : NULL;
    bool both = info && info->has_build_id && s->target.build_id;
    if (!info)
        u->fit = WF_PROGRAM_NONE;
    else if (both && info->build_id != s->target.build_id)
        u->fit = WF_PROGRAM_OTHER_BUILD;
    else if (info->moves && !u->placed)
        u->fit = WF_PROGRAM_UNPLACED;
    else
        u->fit = both ? WF_PROGRAM_FITS : WF_PROGRAM_UNCHECKED;
    u->on = u->fit == WF_PROGRAM_FITS || u->fit == WF_PROGRAM_UNCHECKED;
}

void wfi_use_forget(struct wf_session *s) {
    struct wfi_use *u = &s->use;
    for (unsigned i = 0; i < 2; ++i) wfi_dict_clear(&u->asked[i]);
}

void wfi_use_close(struct wf_session *s) {
    for (unsigned i = 0; i < 2; ++i) wfi_dict_free(&s->use.asked[i]);
}

void wfi_use_check(struct wf_session *s) {
    if (s->use.program) check_fit(s);
}

// After a restart of the target the load address may be different.
void wfi_use_restart(struct wf_session *s) {
    struct wfi_use *u = &s->use;
    if (!is_relocated(u) || u->given || !u->placed) return;
    u->placed = false;
    u->loaded_at = 0;
    wfi_use_forget(s);
    check_fit(s);
}

void wfi_use_place(struct wf_session *s, enum wf_program_what what, uint64_t key, const char *text,
                   size_t len) {
    struct wfi_use *u = &s->use;
    char name[256];
    uint64_t address;
    if (!is_relocated(u) || u->placed) return;
    while (len && (*text == '&' || *text == ' ')) ++text, --len;
    if (!len || len >= sizeof name) return;
    memcpy(name, text, len);
    name[len] = 0;
    if (!wf_program_find(u->program, what, name, &address)) return;
    if ((key - address) % PAGE != 0) return;
    u->placed = true;
    u->loaded_at = key - address;
    check_fit(s);
}

// Finds the load address from the names known so far.
void wfi_use_look(struct wf_session *s) {
    const struct wfi_dict *dicts[] = {&s->names.objects, &s->names.functions};
    for (unsigned i = 0; i < 2 && is_relocated(&s->use); ++i) {
        for (size_t n = 0; n < dicts[i]->count && !s->use.placed; ++n) {
            const struct wfi_name *name = &dicts[i]->names[n];
            wfi_use_place(s, (enum wf_program_what)i, name->key, name->text, name->len);
        }
    }
    check_fit(s);
}

void wf_session_use_program(struct wf_session *s, struct wf_program *p, const uint64_t *loaded_at) {
    struct wfi_use *u = &s->use;
    wfi_use_forget(s);
    u->program = p;
    u->given = u->placed = p && loaded_at;
    u->loaded_at = u->given ? *loaded_at : 0;
    if (p && !is_relocated(u)) u->placed = true;
    wfi_use_look(s);
}

enum wf_program_fit wf_program_fit(const struct wf_session *s, uint64_t *placed) {
    if (placed) *placed = s->use.loaded_at;
    return s->use.fit;
}

// The address in the file. Addresses may be sent with fewer bytes than they have.
static uint64_t in_file(const struct wf_session *s, enum wf_type type, uint64_t address) {
    unsigned bytes = s->target.bytes[type];
    address -= s->use.loaded_at;
    return bytes && bytes < 8 ? address & ((UINT64_C(1) << 8 * bytes) - 1) : address;
}

const struct wfi_name *wfi_use_name(struct wf_session *s, enum wf_program_what what, uint64_t key) {
    struct wfi_dict *asked = &s->use.asked[what];
    const struct wfi_name *name = wfi_dict_get(asked, key);
    if (!name && key) {
        char text[WF_PROGRAM_NAME];
        enum wf_type type = what == WF_PROGRAM_OBJECT ? WF_TYPE_OBJ : WF_TYPE_FUN;
        size_t len = wf_program_name(s->use.program, what, in_file(s, type, key), text);
        if (!wfi_dict_put(asked, key, text, len)) {
            s->err = WF_ERR_NOMEM;
            return NULL;
        }
        name = wfi_dict_get(asked, key);
    }
    return name && name->len ? name : NULL;
}

// Called between items, as returned names stay valid until the next one.
void wfi_use_tidy(struct wf_session *s) {
    if (s->use.asked[0].count + s->use.asked[1].count > ASKED_MAX) wfi_use_forget(s);
}

bool wfi_use_find(const struct wf_session *s, enum wf_program_what what, const char *name,
                  uint64_t *key) {
    if (!s->use.on || !wf_program_find(s->use.program, what, name, key)) return false;
    *key += s->use.loaded_at;
    return true;
}

bool wf_session_text_at(const struct wf_session *s, uint64_t address, const char **text,
                        size_t *len) {
    const struct wfi_name *name = wfi_dict_get(&s->names.objects, address);
    if (name) {
        *text = name->text;
        *len = name->len;
        return true;
    }
    if (!s->use.on || !address) return false;
    return wf_program_text(s->use.program, in_file(s, WF_TYPE_OBJ, address), text, len);
}
