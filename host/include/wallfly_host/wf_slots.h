// SPDX-License-Identifier: MIT
// Slot traces: QNX's kernel-event logs (.kev) and those of wallfly's slot recorder (docs/slots.md).
// Bytes in, events out, in the order of the file; opens no file, prints nothing, keeps no global
// state. One reader is for one thread at a time; several may run in parallel.
//
//   wf_slots_feed(s, bytes, len); while (wf_slots_next(s, &item)) ...; at the end wf_slots_end(s)
//   and wf_slots_next
//
// The facts of .kev come from public documentation of QNX 6.x to 8.0; nothing was checked against a
// real file of QNX.
#ifndef WF_HOST_SLOTS_H
#define WF_HOST_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_error.h"
#include "wf_slot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_slots;

enum { WF_SLOT_CORES = 64, WF_SLOT_WORDS_MAX = 2048 }; // cores; words of one event

enum wf_slots_clock {
    WF_SLOTS_CLOCK_GUESS,  // GLOBAL if there is one core or the log is wallfly's
    WF_SLOTS_CLOCK_GLOBAL, // a TIME of one core applies to all
    WF_SLOTS_CLOCK_PERCPU
};

enum wf_slots_order { WF_SLOTS_ORDER_GUESS, WF_SLOTS_LITTLE, WF_SLOTS_BIG };

struct wf_slots_options { // 0: from the file
    size_t size;          // sizeof(struct wf_slots_options)
    enum wf_slots_clock clock;
    enum wf_slots_order order; // of a trace without attributes
    uint64_t hz;               // ticks a second
    bool no_header;            // slots from the first byte on
    bool with_control;         // return slots of class CONTROL and OWN as events, too
};

// One complete event. External numbers are those of QNX's interface.
struct wf_slot_event {
    uint32_t head; // as stored, of its first slot; in the reader's byte order
    uint8_t cls, core;
    uint16_t event;        // class and event, from the head
    bool timed;            // a TIME was known on its core, or one that came later was used
    uint64_t tick;         // 64 bits, the core's offset added
    uint64_t offset;       // of its first slot in the stream, in bytes
    const uint32_t *words; // numbers in the reader's byte order; valid until the next call
    const uint8_t *bytes;  // the same as stored, for text and records
    unsigned count;        // of words
    unsigned len;          // of bytes in use: 4 * count, less only in class RECORD
};

enum wf_slots_damage_kind {
    WF_SLOTS_NO_FIRST,   // a middle or last slot without its first: dropped
    WF_SLOTS_NO_LAST,    // a chain that is never closed: dropped
    WF_SLOTS_TOO_LONG,   // a chain of more than WF_SLOT_WORDS_MAX words: dropped
    WF_SLOTS_BAD_CORE,   // a core beyond those of the header
    WF_SLOTS_NO_SLOT,    // bytes that are no slot
    WF_SLOTS_CUT,        // the file ends inside a slot
    WF_SLOTS_BAD_HEADER, // an invalid or missing attribute: `why` has the consequence
    WF_SLOTS_DAMAGE_END
};

struct wf_slots_damage {
    enum wf_slots_damage_kind kind;
    uint64_t offset, len; // bytes in the stream
    uint8_t core;
    const char *why; // a message
};

struct wf_slots_loss {
    uint8_t core;
    uint64_t offset;      // in the stream, before the bytes read next
    uint64_t events;      // lost
    bool exact;           // `events` is exact; else it is a lower limit
    uint64_t slots;       // lost here; the next chunk gives the number of their events
    uint64_t refused;     // further events, for which the recorder had no room
    uint64_t chunks;      // missing chunk numbers
    uint64_t tick_before; // of the last slot of the core that was read before it
    bool any_core;        // chunks may hold events of several cores: the loss may be of others, too
};

enum wf_slots_item_kind { WF_SLOTS_HEADER, WF_SLOTS_EVENT, WF_SLOTS_LOSS, WF_SLOTS_DAMAGE };

struct wf_slots_item {
    enum wf_slots_item_kind kind; // HEADER comes once, before all others: the attributes are known
    struct wf_slot_event event;   // only the member that kind names is set
    struct wf_slots_loss loss;
    struct wf_slots_damage damage;
};

// Totals. slots == slots of events + control + empty + damaged (+ those of chains still open).
struct wf_slots_ledger {
    uint64_t bytes, slots, events;    // events: without those of class CONTROL and OWN
    uint64_t control, empty, damaged; // slots
    uint64_t lost, refused;           // events
    uint64_t gone;                    // lost slots by the recorder's own count
    uint64_t back;                    // stamps earlier than the one before on their core
    uint64_t damage[WF_SLOTS_DAMAGE_END];
    uint64_t by_core[WF_SLOT_CORES]; // events
    bool exact;                      // every loss is exact
};

// Returns null when out of memory, or if the size of the options is 0 (`error`, may be null).
struct wf_slots *wf_slots_open(const struct wf_slots_options *options, struct wf_error *error);
void wf_slots_close(struct wf_slots *s);

// Adds bytes; they must stay valid until wf_slots_next returns false.
void wf_slots_feed(struct wf_slots *s, const void *bytes, size_t len);
void wf_slots_end(struct wf_slots *s);
bool wf_slots_next(struct wf_slots *s, struct wf_slots_item *item);

// Returns WF_OK, or WF_ERR_NOMEM: nothing more is read.
int wf_slots_error(const struct wf_slots *s);
const struct wf_slots_ledger *wf_slots_get_ledger(const struct wf_slots *s);
// Returns the number of damages, of any kind.
uint64_t wf_slots_ledger_damages(const struct wf_slots_ledger *l);
// Returns whether anything is lost, refused or damaged.
bool wf_slots_ledger_is_lossy(const struct wf_slots_ledger *l);

// The header's contents. Attribute n in the file's order; returns false after the last.
bool wf_slots_attribute(const struct wf_slots *s, size_t n, const char **key, const char **value);
const char *wf_slots_find(const struct wf_slots *s, const char *key); // e.g. "CPU_NUM"; or null
const void *wf_slots_syspage(const struct wf_slots *s, size_t *len);  // null: there is none
bool wf_slots_swapped(const struct wf_slots *s); // another byte order than the reader's
bool wf_slots_big_endian(const struct wf_slots *s);
uint64_t wf_slots_hz(const struct wf_slots *s); // 0: unknown

// Returns whether a file with these first bytes holds slots (attributes, or a recorder's memory).
bool wf_slots_is(const void *bytes, size_t len);
// The same for one of the two: attributes at the start; the magic of a recorder's memory
// (wf_slot_memory.h) at a multiple of 4.
bool wf_slots_has_attributes(const void *bytes, size_t len);
bool wf_slots_has_memory(const void *bytes, size_t len);

#ifdef __cplusplus
}
#endif
#endif
