// SPDX-License-Identifier: MIT
// The import of a stream of events (wallfly_host/wf_event_stream.h). A mapping (docs/import/ctf.md)
// gives events a meaning: the user's file, or ready ones that are chosen by the tracer's name or
// by the events that the trace has. Events without one keep their name and fields.
#ifndef WFI_CTF_H
#define WFI_CTF_H

#include "core/wfi_import.h"
#include "util/wfi_cursor.h"
#include "util/wfi_index.h"
#include "wallfly_host/wf_event_stream.h"

// ---- mappings

struct ctf_slice {
    const char *text; // null: none
    size_t len;
};

// Parameters of an action. P(name)
// clang-format off
#define CTF_PARAMS(P)                                                                              \
    P(key) P(name) P(prio) P(reason) P(value) P(text) P(irq) P(base) P(object) P(nest) P(count)    \
    P(size) P(bits) P(ticks) P(free) P(block)
// clang-format on
enum ctf_param_name {
#define WF_X(name) CTF_P_##name,
    CTF_PARAMS(WF_X)
#undef WF_X
        CTF_PARAM_END
};

// Roles that are not just a record. R(name, required parameters)
// clang-format off
#define CTF_ROLES(R)                                                                               \
    R(event, 0) R(ignore, 0) R(run, CTF_BIT(key)) R(idle, 0) R(leave, 0) R(block, 0)               \
    R(ready, CTF_BIT(key)) R(task, CTF_BIT(key)) R(task_create, CTF_BIT(key)) R(irq_enter, 0)      \
    R(irq_exit, 0) R(counter, CTF_BIT(name) | CTF_BIT(value)) R(span_begin, CTF_BIT(name))         \
    R(span_end, CTF_BIT(name)) R(message, CTF_BIT(text))
// clang-format on
#define CTF_BIT(name) (1u << CTF_P_##name)
enum ctf_role {
#define WF_X(name, required) CTF_ROLE_##name,
    CTF_ROLES(WF_X)
#undef WF_X
        CTF_ROLE_RECORD // the record `row`
};

struct ctf_param {
    enum { CTF_ABSENT, CTF_FIELD, CTF_NUMBER, CTF_TEXT } kind;
    struct ctf_slice text; // a field's name, or a text with {field}
    int64_t number;
};

struct ctf_reason { // a value of a field, and what it means
    struct ctf_slice word;
    int64_t number;
    bool is_number;
    uint8_t reason;
};

// What an event means. Several actions of one event are done in order.
struct ctf_action {
    struct ctf_slice event; // may end with *
    unsigned line;
    enum ctf_role role;
    enum wfi_row row;
    struct ctf_param param[CTF_PARAM_END];
    struct ctf_slice fields; // names, separated by commas: added to the text of a message
    struct ctf_slice when;   // a field that must have the value `equals`
    int64_t equals;
    size_t reasons, reason_count; // of the map
};

enum ctf_losses {
    CTF_LOSSES_ANYWHERE, // within the range
    CTF_LOSSES_BEFORE,   // before the events of the range
    CTF_LOSSES_AFTER     // after them
};

struct ctf_map {
    struct ctf_action *actions;
    size_t count, cap;
    struct ctf_reason *reasons;
    size_t reason_count, reason_cap;
    struct ctf_slice tracer, events;       // when a ready mapping is chosen
    struct ctf_slice cpu, task, task_name; // fields; null: the usual names
    enum ctf_losses losses;
    bool users; // the user's own: its faults are reported
};

struct ctf_map_fault {
    unsigned line;
    bool no_memory;
    char text[160];
};

// Adds a mapping's text, which must stay valid. Returns false with the fault.
bool wfi_ctf_map_parse(struct ctf_map *map, const char *text, size_t len,
                       struct ctf_map_fault *fault);
void wfi_ctf_map_free(struct ctf_map *map);
// Only reads what a ready mapping is chosen by.
void wfi_ctf_map_peek(const char *text, size_t len, struct ctf_map *map);
uint32_t wfi_ctf_role_required(const struct ctf_action *a);
// Returns the parameter that gives a field of the action's record; -1: none is needed.
int wfi_ctf_record_param(const struct ctf_action *a, unsigned field);
bool wfi_ctf_slice_is(struct ctf_slice s, const char *text, size_t len);
// Splits a list: returns the next item, and takes it from the list. Its text is null at the end.
struct ctf_slice wfi_ctf_next_item(struct ctf_slice *list);
// Finds "preempted" and so on. Returns false if there is no such reason.
bool wfi_ctf_find_reason(struct ctf_slice word, uint8_t *reason);

// The ready mappings (host/share/import), made by CMake; ends with null.
extern const char *const wfi_ctf_ready_maps[];

// ---- the trace

struct ctf_value {
    enum wf_events_value type;
    uint64_t v; // ENUM, numbers; FLOAT: its bits
    const char *text;
    size_t len; // TEXT, ENUM
};

enum { CTF_TEXT_CAP = WFI_IMPORT_TEXT_MAX + 64 };

struct ctf_bound { // an action for the fields of a class
    size_t action;
    int16_t field[CTF_PARAM_END]; // -1: not a field
    int16_t when;
};

struct ctf_class {
    char *text; // owns all texts of the class
    struct ctf_slice name;
    unsigned level; // plus 1; 0: none
    unsigned count;
    struct ctf_field {
        uint8_t scope;
        const char *name; // ends with a 0
        size_t len;
    } * fields;
    int16_t cpu, task, task_name; // fields; -1: none
    bool is_bound;
    struct ctf_bound *bound;
    size_t bound_count;
};

struct ctf_named { // a task or an interrupt that has a name or a priority
    uint64_t key, name_hash;
    int64_t prio;
    bool named, prio_known;
};

enum { CTF_PENDING = 64, CTF_ENV = 14, CTF_TASKS_MAX = 65536 };

struct ctf_pending { // a loss whose place is the end of its range
    int64_t end;
    uint64_t events;
    bool exact;
    unsigned core;
};

struct ctf {
    bool begun, mapped, based, epoch, ended;
    int64_t time, base; // ns; base: of tick 0
    struct ctf_class *classes;
    size_t class_count, class_cap, class_bytes;
    struct ctf_env {
        char name[64], value[256];
    } env[CTF_ENV];
    unsigned env_count;
    struct ctf_map map;
    struct ctf_named *named;
    size_t named_count, named_cap;
    struct wfi_index named_index;
    uint8_t reason[WFI_IMPORT_CORES]; // why the running task will leave, by events before
    struct ctf_pending pending[CTF_PENDING];
    unsigned pending_count;
    unsigned cores;
    uint64_t beyond;                              // events of cores that have no number here
    struct ctf_value value[WF_EVENTS_FIELDS_MAX]; // of the event that is taken
};

// (wf_ctf_class.c) Takes a CLASS. Returns false for damage.
bool wfi_ctf_take_class(struct wfi_import *im, struct wfi_cursor *c);
void wfi_ctf_free_classes(struct ctf *s);
// Finds the actions for a class. Returns false after an error of the import.
bool wfi_ctf_bind(struct wfi_import *im, struct ctf_class *k);
// (wf_ctf_choose.c) Chooses the mapping, when the classes are known. Returns false after an error.
bool wfi_ctf_choose_map(struct wfi_import *im);
// (wf_ctf_events.c) Emits the records of an event.
void wfi_ctf_emit(struct wfi_import *im, const struct ctf_class *k);
// Emits an event of its own name.
void wfi_ctf_emit_event(struct wfi_import *im, const struct ctf_class *k);
// (wf_ctf_names.c) Names and priorities, if they are new or have changed.
void wfi_ctf_name_task(struct wfi_import *im, uint64_t key, struct ctf_slice name);
void wfi_ctf_name_irq(struct wfi_import *im, uint16_t irq, struct ctf_slice name);
void wfi_ctf_set_prio(struct wfi_import *im, uint64_t key, int64_t prio);
// Forgets the name of a task that was created or has ended.
void wfi_ctf_forget_task(struct wfi_import *im, uint64_t key);
// (wf_ctf_text.c) A value as text. Returns its end.
char *wfi_ctf_value_text(const struct ctf_value *v, char *to, char *end);
// A text with {field}. Returns its length.
size_t wfi_ctf_expand(const struct ctf *s, const struct ctf_class *k, struct ctf_slice text,
                      char *to, size_t cap);
int wfi_ctf_find_field(const struct ctf_class *k, struct ctf_slice name);

#endif
