// SPDX-License-Identifier: MIT
// The layout of a stream as its metadata describes it, in TSDL, the language of CTF 1.8. Only what
// Zephyr's metadata uses is understood: integers of whole bytes, enumerations, floating point
// numbers, texts, structs, arrays. An event with anything else is known by name, but its length is
// not.
#ifndef WFI_ZEPHYR_META_H
#define WFI_ZEPHYR_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ZEPHYR_FIELDS = 64,      // most fields of a struct
    ZEPHYR_IDS = 65536,      // ids of events are less
    ZEPHYR_EVENT_MAX = 16384 // longest event, in bytes
};

enum wfi_zephyr_kind {
    ZEPHYR_UNSIGNED,
    ZEPHYR_SIGNED,
    ZEPHYR_FLOAT,
    ZEPHYR_TEXT,
    ZEPHYR_STRING,
    ZEPHYR_BYTES
};
enum wfi_zephyr_order { ZEPHYR_NATIVE, ZEPHYR_LITTLE, ZEPHYR_BIG };

struct wfi_zephyr_field {
    uint32_t name;   // offset in `text`
    uint32_t count;  // elements of TEXT and BYTES; else 1
    uint16_t align;  // in bytes
    uint16_t labels; // number of an enumeration; 0: none
    uint8_t kind, bytes, order;
};

struct wfi_zephyr_list {
    uint32_t first;
    uint16_t count, align;
    bool bad; // its length is unknown
};

// Fields with a meaning.
enum wfi_zephyr_role {
    ZEPHYR_THREAD,
    ZEPHYR_NAME,
    ZEPHYR_PRIO,
    ZEPHYR_ID,
    ZEPHYR_RET,
    ZEPHYR_ARG0,
    ZEPHYR_ARG1,
    ZEPHYR_CORE,
    ZEPHYR_ROLES
};

struct wfi_zephyr_event {
    uint32_t name; // offset in `text`
    uint32_t id;
    struct wfi_zephyr_list context,
        list;                // of the event; `list` has all fields once the metadata is read
    uint8_t meaning;         // enum wfi_zephyr_meaning
    int8_t at[ZEPHYR_ROLES]; // number of the field, or -1
};

struct wfi_zephyr_label {
    int64_t from, to;
    uint32_t name;
    uint16_t set;
};

// Numbers of fields, or -1.
struct wfi_zephyr_places {
    int8_t stamp, id;                                          // of the header of events
    int8_t magic;                                              // of the header of packets
    int8_t begin, end, content, size, number, discarded, core; // of the context of packets
};

struct wfi_zephyr_meta {
    char *text; // names, each ends with a zero
    size_t text_len, text_cap;
    struct wfi_zephyr_field *fields;
    size_t field_count, field_cap;
    struct wfi_zephyr_event *events;
    size_t event_count, event_cap;
    struct wfi_zephyr_label *labels;
    size_t label_count, label_cap;
    uint16_t *by_id; // ZEPHYR_IDS numbers of events + 1; 0: no such event
    struct wfi_zephyr_list packet_header, packet_context, header, stream_context;
    struct wfi_zephyr_places place;
    uint64_t hz;  // of the clock; 0: not stated
    bool packets; // the stream consists of packets
    bool smp;     // events have the number of their core
    bool big;     // byte order
};

struct wfi_zephyr_error {
    bool memory; // out of memory
    unsigned line;
    const char *why;
};

// Reads a metadata text. Returns false on an error; the metadata must be closed in any case.
bool wfi_zephyr_meta_read(struct wfi_zephyr_meta *m, const char *text, size_t len,
                          struct wfi_zephyr_error *error);
// Adds events that many metadata files leave out, and makes the numbers of fields.
bool wfi_zephyr_meta_finish(struct wfi_zephyr_meta *m);
void wfi_zephyr_meta_close(struct wfi_zephyr_meta *m);

// Metadata of what all releases have, for streams without any. old: until Zephyr 2.5.
const char *wfi_zephyr_builtin(bool old);

static inline const struct wfi_zephyr_event *wfi_zephyr_event_of(const struct wfi_zephyr_meta *m,
                                                                 uint64_t id) {
    return id < ZEPHYR_IDS && m->by_id[id] ? &m->events[m->by_id[id] - 1] : NULL;
}
// The field of a number that is not -1.
static inline const struct wfi_zephyr_field *
wfi_zephyr_field_at(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_list *list, int at) {
    return &m->fields[list->first + (size_t)at];
}
static inline const char *wfi_zephyr_text(const struct wfi_zephyr_meta *m, uint32_t at) {
    return m->text + at;
}
// Returns the label of a value, or null.
const char *wfi_zephyr_label_of(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_field *f,
                                int64_t value);

// ---- within the metadata's reader

bool wfi_zephyr_meta_name(struct wfi_zephyr_meta *m, const char *text, size_t len, uint32_t *name);
bool wfi_zephyr_meta_list(struct wfi_zephyr_meta *m, const struct wfi_zephyr_field *fields,
                          unsigned count, struct wfi_zephyr_list *list);
struct wfi_zephyr_event *wfi_zephyr_meta_event(struct wfi_zephyr_meta *m);

#endif
