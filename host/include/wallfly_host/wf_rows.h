// SPDX-License-Identifier: MIT
// The table of records (schema/wf_schema.h) as constant data. Context: any thread.
#ifndef WF_ROWS_H
#define WF_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_schema.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wf_type {
#define WF_X(name, letter, bytes, sentence) WF_TYPE_##name,
    WF_TYPES(WF_X)
#undef WF_X
        WF_TYPE_END
};

enum wf_kind {
#define WF_X(name, sentence) WF_KIND_##name,
    WF_KINDS(WF_X)
#undef WF_X
        WF_KIND_END
};

enum wf_group {
#define WF_X(name, sentence) WF_GROUP_##name,
    WF_GROUPS(WF_X)
#undef WF_X
        WF_GROUP_END
};

enum wf_effect {
#define WF_X(name) WF_EFFECT_##name,
    WF_EFFECTS(WF_X)
#undef WF_X
        WF_EFFECT_END
};

// Returns whether a record of this effect gives a name to a signal, an object, ...
static inline bool wf_effect_is_name(enum wf_effect effect) {
    return effect >= WF_EFFECT_NAME_SIGNAL && effect <= WF_EFFECT_NAME_ENUM;
}

enum wf_element_code {
#define WF_X(code, name, bytes, sentence) WF_ELEMENT_##name = (code),
    WF_ELEMENTS(WF_X)
#undef WF_X
};

enum wf_command {
#define WF_X(code, name) WF_COMMAND_##name = (code),
    WF_COMMANDS(WF_X)
#undef WF_X
};

// Numbers of records; a number may have several rows.
enum wf_record_number {
#define WF_X(id, name, ...) WF_RECORD_##name = (id),
    WF_RECORDS(WF_X)
#undef WF_X
};

enum { // values of a field of kind REASON
#define WF_X(value, name, sentence) WF_REASON_##name = (value),
    WF_REASONS(WF_X)
#undef WF_X
};

enum { WF_FIELDS_MAX = 14 }; // most fields of a row

struct wf_type_info {
    const char *name;
    char letter;   // of a size that the target chooses, as QSPY's option; or 0
    uint8_t bytes; // length, or the default if the target chooses it; 0: in the data
    const char *sentence;
};

struct wf_named { // a kind, group, effect or command
    const char *name, *sentence;
};

struct wf_element_info {
    const char *name;
    uint8_t bytes; // length; 0: in the data; a letter: the size of the type with this letter
    const char *sentence;
};

struct wf_field {
    const char *name;
    uint8_t type, kind; // enum wf_type, enum wf_kind
};

struct wf_row {
    uint8_t id;
    uint8_t group, effect;
    int8_t select;         // the row is for this value of its SELECT field; negative: for all
    bool own;              // unknown to QSPY
    uint16_t since, until; // QS versions whose records have this layout
    const char *name, *qs_name, *layout;
    const char *qspy, *mat, *sentence; // see wf_schema.h
    const struct wf_field *fields;
    unsigned count; // of fields
};

struct wf_numbers { // a name for several numbers of a filter
    const char *name;
    uint8_t code; // groups of QS-IDs: the number in scripts and for wf_filter_id()
    uint8_t first, last;
    const char *sentence;
};

struct wf_alias {
    uint8_t id;
    uint16_t since, until;
    const char *qs_name;
};

extern const struct wf_row wf_rows[]; // ordered by id
extern const unsigned wf_row_count;
extern const struct wf_row wf_user_row; // for all application records
extern const struct wf_alias wf_aliases[];
extern const unsigned wf_alias_count;
extern const struct wf_numbers wf_user_groups[]; // of record numbers
extern const unsigned wf_user_group_count;
extern const struct wf_numbers wf_id_groups[]; // of QS-IDs
extern const unsigned wf_id_group_count;
extern const struct wf_named wf_reasons[]; // by the value of a field of kind REASON
extern const unsigned wf_reason_count;
extern const struct wf_type_info wf_types[WF_TYPE_END];
extern const struct wf_named wf_kinds[WF_KIND_END];
extern const struct wf_named wf_groups[WF_GROUP_END];
extern const struct wf_named wf_effects[WF_EFFECT_END];
extern const struct wf_element_info wf_elements[16];
extern const char *const wf_command_names[]; // "QS_RX_INFO", ...
extern const unsigned wf_command_count;

// Returns the QS name of a record number, as in QSPY's messages; "QS_RESERVED" for a number that QP
// does not have. Not for application records.
const char *wf_rows_qs_name(unsigned id);

// Returns the index of a row's first field of this kind; -1: there is none.
int wf_row_place(const struct wf_row *row, enum wf_kind kind);
// Finds a group or a record by name ("AO", "tran"), in any case. Returns false if there is none.
//   group   set to the group; WF_GROUP_END: the name is that of a record
//   id      set to the number of the record
bool wf_rows_find_name(const char *name, size_t len, unsigned *group, unsigned *id);

#ifdef __cplusplus
}
#endif
#endif
