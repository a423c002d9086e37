// SPDX-License-Identifier: MIT
// Internals of the importer of Tonbandgeraet. Source of the events: that project's "Trace Events
// Index". A stream is a sequence of frames in COBS, each with a zero at its end; a frame is an
// event: its id, and fields by the id.
#ifndef WFI_TONBAND_H
#define WFI_TONBAND_H

#include "core/wfi_import.h"
#include "util/wfi_index.h"

enum {
    TBI_FRAME_MAX = WFI_IMPORT_TEXT_MAX + 64, // longer frames are damage
    TBI_ENTITIES_MAX = 65536,
    TBI_FIELDS = 4
};

enum wfi_tonband_id {
    TBI_CORE_ID,
    TBI_DROPPED,
    TBI_RESOLUTION,
    TBI_ISR_NAME,
    TBI_ISR_ENTER,
    TBI_ISR_EXIT,
    TBI_MARKER_NAME,
    TBI_MARKER,
    TBI_MARKER_BEGIN,
    TBI_MARKER_END,
    TBI_VALUE_NAME,
    TBI_VALUE,
    TBI_SWITCHED_IN = 0x54,
    TBI_READY,
    TBI_RESUMED,
    TBI_RESUMED_ISR,
    TBI_SUSPENDED,
    TBI_DELAY,
    TBI_DELAY_UNTIL,
    TBI_PRIORITY_SET,
    TBI_PRIORITY_INHERIT,
    TBI_PRIORITY_DISINHERIT,
    TBI_TASK_CREATED,
    TBI_TASK_NAME,
    TBI_TASK_IS_IDLE,
    TBI_TASK_IS_TIMER,
    TBI_TASK_DELETED,
    TBI_QUEUE_CREATED,
    TBI_QUEUE_NAME,
    TBI_QUEUE_KIND,
    TBI_QUEUE_SEND,
    TBI_QUEUE_SEND_ISR,
    TBI_QUEUE_OVERWRITE,
    TBI_QUEUE_OVERWRITE_ISR,
    TBI_QUEUE_RECEIVE,
    TBI_QUEUE_RECEIVE_ISR,
    TBI_QUEUE_RESET,
    TBI_BLOCK_PEEK,
    TBI_BLOCK_SEND,
    TBI_BLOCK_RECEIVE,
    TBI_QUEUE_LENGTH,
    TBI_TASK_MARKER_NAME = 0x7A,
    TBI_TASK_MARKER,
    TBI_TASK_MARKER_BEGIN,
    TBI_TASK_MARKER_END,
    TBI_TASK_VALUE_NAME,
    TBI_TASK_VALUE
};

struct wfi_tonband_event {
    unsigned id;
    const char *layout; // null: an id that is not known
    bool timed;
    uint64_t tick;
    uint64_t value[TBI_FIELDS]; // without the time
    unsigned values;
    const char *text;
    size_t len;
};

// Reads an event of a decoded frame. Returns false if it has not all its fields. left: the number
// of bytes after them.
bool wfi_tonband_read(const uint8_t *frame, size_t len, struct wfi_tonband_event *e, size_t *left);
// Decodes COBS. Returns the length; 0: damaged, or it does not fit in TBI_FRAME_MAX bytes.
size_t wfi_tonband_cobs(const uint8_t *bytes, size_t len, uint8_t *frame);
enum wfi_sniff wfi_tonband_sniff(const uint8_t *bytes, size_t len, bool whole);

// Tasks, queues and markers.
enum wfi_tonband_kind { TBI_TASK = 1, TBI_QUEUE, TBI_MARKER_OF, TBI_VALUE_OF };

struct wfi_tonband_entity {
    uint64_t key; // as in records: the kind, the task of a task-local marker, and the id
    char *name;   // of markers; null: none
    size_t name_len;
    int prio; // tasks; -1: unknown
    // Queues: kind 0 to 5 of the format; -1: unknown.
    int kind;
    bool created;   // its create waits for its length
    bool is_new;    // a mutex whose first give makes it free
    uint64_t actor; // of an open span: the task, 0 for an interrupt
};

struct wfi_tonband {
    uint64_t hz, drops;
    unsigned cores;
    bool begun, drops_known;
    bool skips; // in bytes without the end of a frame
    uint64_t skipped_at, skipped;
    uint8_t leave[WFI_IMPORT_CORES]; // why the running task leaves; 0: not recorded
    struct wfi_tonband_entity *entities;
    size_t entity_count, entity_cap;
    struct wfi_index index;
    uint8_t frame[TBI_FRAME_MAX + 1];
};

static inline uint64_t wfi_tonband_key(enum wfi_tonband_kind kind, uint64_t id) {
    return (uint64_t)kind << 32 | (uint32_t)id;
}
// Returns the entity, which is new if needed; null when there are too many, or out of memory. task:
// the key of the task of a task-local marker; 0: none.
struct wfi_tonband_entity *wfi_tonband_entity(struct wfi_import *im, enum wfi_tonband_kind kind,
                                              uint64_t id, uint64_t task);

void wfi_tonband_take(struct wfi_import *im, const struct wfi_tonband_event *e);
void wfi_tonband_take_queue(struct wfi_import *im, const struct wfi_tonband_event *e);
void wfi_tonband_take_marker(struct wfi_import *im, const struct wfi_tonband_event *e);
// An event of its own name and fields.
void wfi_tonband_plain(struct wfi_import *im, const struct wfi_tonband_event *e);

#endif
