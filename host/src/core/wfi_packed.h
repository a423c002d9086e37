// SPDX-License-Identifier: MIT
// Packed frames (docs/wire-format.md): their events become records one by one. Part of a session.
#ifndef WFI_PACKED_H
#define WFI_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_rows.h"
#include "wf_packed.h"
#include "wfi_frames.h"

struct wf_item;
struct wf_session;

enum {
    WFI_NUMBERS = 255,      // object numbers; 255 is none
    WFI_OPERANDS_MAX = 8,   // fields of a record of its own kind
    WFI_EVENT_PAD = 64,     // an event is shorter, unless it has a length
    WFI_PACKED_BODY = 1024, // longest payload of a record made of an event
    WFI_HELD_MAX = 65536    // bytes of frames that wait for object numbers
};

// A plan has room for two constants; one that is not used sets a field that no row has.
enum { WFI_CONSTANTS = 2, WFI_UNUSED_FIELD = WFI_OPERANDS_MAX };

// How an event's bytes become a field of its record.
enum wfi_operand {
    WFI_OPERAND_STAMP,
    WFI_OPERAND_CONSTANT, // the selector, the reason of a switch
    WFI_OPERAND_NUMBER,   // of an object
    WFI_OPERAND_ACTOR,
    WFI_OPERAND_BYTE,
    WFI_OPERAND_VALUE,
    WFI_OPERAND_SIGNED,
    WFI_OPERAND_POINTER,
    WFI_OPERAND_CORE,
    WFI_OPERAND_IRQ // the interrupt entered last in this frame
};

// Operands of nearly all events: a number, then the acting task, then a value.
enum wfi_shape {
    WFI_SHAPE_OTHER,
    WFI_SHAPE_NUMBER,
    WFI_SHAPE_ACTOR,
    WFI_SHAPE_ACTOR_VALUE,
    WFI_SHAPE_VALUE, // alone
    WFI_SHAPE_IRQ    // the interrupt entered last
};

// A kind of event whose record has a row of its own. The first field is the stamp; the others are
// constants, then those of the event's bytes in their order.
struct wfi_event_plan {
    const struct wf_row *row;    // null: another kind
    uint16_t len;                // of the payload
    uint8_t fields;              // with the stamp
    uint8_t constants, operands; // in `field`; there is room for two constants
    uint8_t core;                // index of the field with the core, 0: none
    bool runs, enters; // the first operand is the running task; the interrupt entered last
    bool applies;      // the record has an effect on names
    uint8_t shape;     // its operands, if they are those of many events (enum wfi_shape)
    uint8_t at[WFI_OPERANDS_MAX]; // of each field in the payload
    struct wfi_event_field {
        uint8_t operand, index, constant; // enum wfi_operand; of the field in the row
        uint64_t mask;
    } field[WFI_OPERANDS_MAX];
};

struct wfi_packed {
    struct wfi_event_plan *kinds; // by kind, 256; null until the first frame
    uint64_t pointers[WFI_NUMBERS + 1];
    bool known[WFI_NUMBERS + 1];
    bool doubt; // a record with numbers may be missing

    // The frame being decoded.
    const uint8_t *at, *end;
    const uint8_t *safe; // up to here an event may be read without a look at the end
    uint32_t number;     // of the first event
    unsigned left;       // events
    uint8_t seq;         // of the last one
    uint8_t core;
    bool back; // the frame's stamp is lower than that of the record before
    uint64_t running, irq, stamp, tick;
    uint64_t offset, raw_len;
    uint8_t *payload; // of the record made last; WFI_PACKED_BODY + WFI_PAD
    uint8_t tail[2 * WFI_EVENT_PAD];
    struct {
        uint32_t number, signature;
    } history[32]; // of frames received
    unsigned history_at;

    // Frames that wait for object numbers (wf_packed_hold.c).
    uint8_t *held;
    size_t held_len, held_cap, held_at;
    bool holding, draining;
    bool scanning, unknown; // a frame is read for its numbers only; one is not known
};

// Frees what a session has of it.
void wfi_packed_close(struct wf_session *s);
// The field sizes have changed.
void wfi_packed_plan(struct wf_session *s);
// Forgets the numbers of a target that has started again.
void wfi_packed_forget(struct wf_session *s);

// Returns how many object numbers are known.
unsigned wfi_packed_count(const struct wfi_packed *k);

// Returns whether a frame is a packed one or has object numbers.
static inline bool wfi_is_packed(const struct wfi_frame *f) {
    return f->bytes[1] == WF_RECORD_packed || f->bytes[1] == WF_RECORD_objects;
}
// Takes such a frame. Returns false without an item.
bool wfi_packed_take(struct wf_session *s, const struct wfi_frame *f, struct wf_item *item);
// Sets the state to the events of a frame. Returns false when it is no packed frame.
bool wfi_packed_begin(struct wf_session *s, const struct wfi_frame *f);
// Reads all events of a frame that is not taken: s->packed.unknown, if an object number is not
// known; if `names`, their names are applied.
void wfi_packed_scan(struct wf_session *s, const struct wfi_frame *f, bool names);
// Returns the next record of the frame that was taken; s->packed.left is not 0.
bool wfi_packed_next(struct wf_session *s, struct wf_item *item);
// Returns whether the frame uses a number that is not known.
bool wfi_packed_unknown(struct wf_session *s, const struct wfi_frame *f);
// In QSPY's dialect such a frame is an unknown record. A session that keeps all names takes those
// in the frame, and its object numbers.
void wfi_packed_names(struct wf_session *s, const struct wfi_frame *f);
// Applies numbers of a record 99, also from outside the stream. Returns false when the bytes are no
// such record.
bool wfi_packed_learn(struct wf_session *s, const uint8_t *bytes, size_t len);

// A frame with an unknown number begins to hold all that comes until its number comes, or too much
// is held, or the target starts again, or the stream ends.
// Takes what comes from the stream: a frame, or for a link the unfinished frame before it, with the
// bytes lost after it (wfi_note_link). Returns true if it is held.
bool wfi_hold(struct wf_session *s, const struct wfi_frame *f, bool link, uint64_t lost);
// What is held can be taken now.
void wfi_hold_end(struct wf_session *s);
// The same if all numbers in it are known: they came from outside the stream.
void wfi_hold_check(struct wf_session *s);
// Returns the next frame of what was held; false: there is none.
bool wfi_hold_next(struct wf_session *s, struct wfi_frame *f);

#endif
