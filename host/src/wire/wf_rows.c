// SPDX-License-Identifier: MIT
// Makes const tables of the lists in wf_schema.h. All content is defined there.

#include "wallfly_host/wf_rows.h"

#include <strings.h>
#include <string.h>

// The table's column `host`: members select and own of struct wf_row.
#define BOTH       -1, false
#define OWN        -1, true
#define SEL(n)     (n), false
#define OWN_SEL(n) (n), true

const struct wf_type_info wf_types[WF_TYPE_END] = {
#define WF_X(name, letter, bytes, sentence) {#name, letter, bytes, sentence},
    WF_TYPES(WF_X)
#undef WF_X
};

const struct wf_named wf_kinds[WF_KIND_END] = {
#define WF_X(name, sentence) {#name, sentence},
    WF_KINDS(WF_X)
#undef WF_X
};

const struct wf_named wf_groups[WF_GROUP_END] = {
#define WF_X(name, sentence) {#name, sentence},
    WF_GROUPS(WF_X)
#undef WF_X
};

const struct wf_named wf_effects[WF_EFFECT_END] = {
#define WF_X(name) {#name, ""},
    WF_EFFECTS(WF_X)
#undef WF_X
};

const struct wf_named wf_reasons[] = {
#define WF_X(value, name, sentence) [value] = {#name, sentence},
    WF_REASONS(WF_X)
#undef WF_X
};
const unsigned wf_reason_count = sizeof wf_reasons / sizeof *wf_reasons;

const struct wf_element_info wf_elements[16] = {
#define WF_X(code, name, bytes, sentence) [code] = {#name, bytes, sentence},
    WF_ELEMENTS(WF_X)
#undef WF_X
};

const char *const wf_command_names[] = {
#define WF_X(code, name) [code] = "QS_RX_" #name,
    WF_COMMANDS(WF_X)
#undef WF_X
};
const unsigned wf_command_count = sizeof wf_command_names / sizeof *wf_command_names;

#define WF_F(name, type, kind) {#name, WF_TYPE_##type, WF_KIND_##kind},
#define WF_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)         \
    static const struct wf_field fields_##name[] = {WF_FIELDS_##layout(WF_F){0, 0, 0}};
WF_RECORDS(WF_X)
#undef WF_X
static const struct wf_field fields_user[] = {WF_FIELDS_user(WF_F){0, 0, 0}};

#define COUNT(fields) (unsigned)(sizeof(fields) / sizeof *(fields)-1)

const struct wf_row wf_rows[] = {
#define WF_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)         \
    {id,                                                                                           \
     WF_GROUP_##group,                                                                             \
     WF_EFFECT_##effect,                                                                           \
     host,                                                                                         \
     since,                                                                                        \
     until,                                                                                        \
     #name,                                                                                        \
     #qs,                                                                                          \
     #layout,                                                                                      \
     qspy,                                                                                         \
     mat,                                                                                          \
     sentence,                                                                                     \
     fields_##name,                                                                                \
     COUNT(fields_##name)},
    WF_RECORDS(WF_X)
#undef WF_X
};
const unsigned wf_row_count = sizeof wf_rows / sizeof *wf_rows;

const struct wf_row wf_user_row = {WF_USER_FIRST, WF_GROUP_USER,     WF_EFFECT_USER, BOTH, 0,  9999,
                                   "user",        "QS_USER",         "user",         "",   "", "",
                                   fields_user,   COUNT(fields_user)};

const struct wf_alias wf_aliases[] = {
#define WF_X(id, since, until, qs_name) {id, since, until, #qs_name},
    WF_ALIASES(WF_X)
#undef WF_X
};
const unsigned wf_alias_count = sizeof wf_aliases / sizeof *wf_aliases;

const struct wf_numbers wf_user_groups[] = {
#define WF_X(name, first, last) {#name, 0, first, last, "application records"},
    WF_USER_GROUPS(WF_X)
#undef WF_X
};
const unsigned wf_user_group_count = sizeof wf_user_groups / sizeof *wf_user_groups;

const struct wf_numbers wf_id_groups[] = {
#define WF_X(name, qp_name, target_name, code, base, first, last, sentence)                        \
    {#name, code, first, last, sentence},
    WF_ID_GROUPS(WF_X)
#undef WF_X
};
const unsigned wf_id_group_count = sizeof wf_id_groups / sizeof *wf_id_groups;

const char *wf_rows_qs_name(unsigned id) {
    // The last row of a number has its current name; OWN rows are not in QP's documents.
    const char *name = "QS_RESERVED";
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].id == id && !wf_rows[i].own) name = wf_rows[i].qs_name;
    }
    return name;
}

static bool same(const char *text, const char *name, size_t len) {
    return strlen(text) == len && strncasecmp(text, name, len) == 0;
}

bool wf_rows_find_name(const char *name, size_t len, unsigned *group, unsigned *id) {
    for (*group = 0; *group < WF_GROUP_END; ++*group) {
        if (same(wf_groups[*group].name, name, len)) return true;
    }
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (same(wf_rows[i].name, name, len) || same(wf_rows[i].qs_name, name, len)) {
            *id = wf_rows[i].id;
            return true;
        }
    }
    return false;
}

int wf_row_place(const struct wf_row *row, enum wf_kind kind) {
    for (unsigned i = 0; i < row->count; ++i) {
        if (row->fields[i].kind == kind) return (int)i;
    }
    return -1;
}
