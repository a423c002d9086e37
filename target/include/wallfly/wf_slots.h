// SPDX-License-Identifier: MIT
// The slot recorder (WF_CFG_SLOTS 1): a ring of 16-byte slots for each core, filled by any number
// of threads and interrupts at once. docs/slots.md describes its contents and guarantees.
//
// No writer ever waits for another one or for the reader. Where the port has atomics
// (WF_PORT_ATOMIC) nothing is locked at all; elsewhere a slot is written with interrupts off.
#ifndef WF_SLOTS_H
#define WF_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly/wf_config.h"
#include "wf_slot.h"

#ifdef __cplusplus
extern "C" {
#endif

// What wf_slots_start needs.
struct wf_slots_config {
    void *memory;     // at an address that 64 divides; it stays the recorder's
    size_t size;      // bytes, see WF_SLOTS_SIZE
    unsigned cores;   // rings, 1..WF_CFG_CORES; a core whose number is beyond them shares another's
    uint32_t slots;   // in a ring: a power of two, WF_SLOTS_MIN or more
    bool keep_oldest; // a full ring refuses events until it is read; false: the oldest go
    uint32_t hz;      // ticks a second of wf_port_now(); 0: unknown
    uint32_t build_id; // tells builds apart; 0: unknown
};

#define WF_SLOTS_MIN (UINT32_C(2) * WF_CFG_CHUNK)
#define WF_SLOTS_MAX (UINT32_C(2048) * WF_CFG_CHUNK) // else an old slot could pass for a new one
enum {
    WF_SLOTS_HEADER_MAX = 512, // longest header of wf_slots_header
    WF_SLOTS_WAITS = 1000      // so often is a slot asked for in a full ring before it is given up
};

#define WF_SLOTS_SIZE(cores, slots)                                                                \
    (sizeof(struct wf_slot_box) +                                                                  \
     (size_t)(cores) * (sizeof(struct wf_slot_core) + (size_t)(slots) * sizeof(struct wf_slot)))

struct wf_slots_status {
    uint64_t made;    // events on the core, since the start
    uint64_t refused; // further ones there was no room for
    uint64_t slots;   // used by all events, the recorder's own included
};

// Lays the memory out and starts, with all records switched off (wf_filter switches them on).
// False: the memory is too small or not aligned, a number is out of range, or the CPU lacks what
// the port's atomics need. Context: before anything records.
bool wf_slots_start(const struct wf_slots_config *config);

// Records an event of a class of QNX's (or of your own, 26..31) as it stands in the slot's head,
// whatever the filters. cls: 0..31, event: 0..1023; words as the reader's CPU would store them.
// A longer one is given up and counted as refused if it does not fit in a chunk: up to
// 2 * (WF_CFG_CHUNK - 5) words. Context: any.
void wf_slot_event(unsigned cls, unsigned event, uint32_t word0, uint32_t word1);
void wf_slot_words(unsigned cls, unsigned event, const uint32_t *words, unsigned count);
void wf_slot_text(unsigned cls, unsigned event, const char *text); // with its zero, at most 128

// Records the time on the caller's core (CONTROL TIME). A clock of 32 bits needs it (or an event)
// on each core in each of its rounds; where a stream is merged from several cores it shows that an
// idle core has no events. Context: any.
void wf_slots_mark(void);

// To be added to the stamps of a core so that those of all cores are of one clock: known to all
// readers from the core's next chunk on. Context: any.
void wf_slots_offset(unsigned core, int64_t ticks);

// Counts events of a core as refused that were given up before they came here, as a kernel whose
// records are handed on. Context: any.
void wf_slots_missed(unsigned core, uint64_t events);

void wf_slots_get_status(unsigned core, struct wf_slots_status *status); // Context: any

// A reader of one core's ring. Zero it to begin with the oldest slot that is there.
struct wf_slots_reader {
    uint64_t at;        // position of the next slot to read
    uint64_t gone;      // slots lost so far
    uint64_t told;      // of these, reported in the stream
    uint32_t last;      // stamp of the slot before
    uint32_t waits;     // calls in vain for the same slot
    bool started, done; // done: the closing MADE and REFUSED are out
};

// Takes up to `max` (4 or more) slots of a core, ready to be sent: with the core's number in them,
// and an OWN GONE where some are lost. Returns how many; 0: nothing to read now, or its writer is
// not done yet. end: nothing is recorded any more; what was never finished counts as lost, and the
// last slots are MADE and REFUSED. Context: one reader for each core; never waits.
unsigned wf_slots_read(struct wf_slots_reader *reader, unsigned core, struct wf_slot *to,
                       unsigned max, bool end);

// The text that a file or stream of slots begins with; returns its length, at most
// WF_SLOTS_HEADER_MAX. Context: any.
unsigned wf_slots_header(char *to);

// ---- inside; not for users ----

struct wfi_slots {
    uint32_t mask; // of the bytes of a ring
    struct wf_slot_box *box;
    // Its numbers, the ring behind them. With 64 there is an entry for every uint8_t.
    struct wf_slot_core *core[WF_CFG_CORES == 64 ? 256 : WF_CFG_CORES];
};
extern struct wfi_slots wfi_slots;

#define WFI_SLOT_HELD (UINT32_C(1) << WF_SLOT_TAG_SHIFT) // of what: the caller holds the section

// Of up to eight bytes, the first one lowest.
void wfi_slot_short(uint32_t what, uint64_t bytes);
void wfi_slot_short_held(uint32_t what, uint64_t bytes);
void wfi_slot_long(uint32_t what, const void *body, unsigned len, const void *tail,
                   unsigned tail_len);

#ifdef __cplusplus
}
#endif
#endif
