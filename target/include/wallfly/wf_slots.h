// SPDX-License-Identifier: MIT
// The slot recorder (WF_CFG_SLOTS 1): a ring of 16-byte slots for each core. Any number of threads
// and interrupts write at the same time. docs/slots.md describes its contents and guarantees.
//
// A writer never waits for another writer or for the reader. Where the port has atomics
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

// Arguments of wf_slots_start.
struct wf_slots_config {
    void *memory;      // address a multiple of 64; the recorder keeps using it
    size_t size;       // bytes, see WF_SLOTS_SIZE
    unsigned cores;    // rings, 1..WF_CFG_CORES; a core with a higher number uses another's
    uint32_t slots;    // in a ring: a power of two, WF_SLOTS_MIN or more
    bool keep_oldest;  // full ring: true refuses events until read, false overwrites the oldest
    uint32_t hz;       // ticks per second of wf_port_now(); 0: unknown
    uint32_t build_id; // identifies the build; 0: unknown
};

#define WF_SLOTS_MIN (UINT32_C(2) * WF_CFG_CHUNK)
#define WF_SLOTS_MAX (UINT32_C(2048) * WF_CFG_CHUNK) // with more, tags repeat too soon
enum {
    WF_SLOTS_HEADER_MAX = 512, // longest header of wf_slots_header
    WF_SLOTS_WAITS = 1000      // reads of an unfinished slot in a full ring before it is given up
};

#define WF_SLOTS_SIZE(cores, slots)                                                                \
    (sizeof(struct wf_slot_box) +                                                                  \
     (size_t)(cores) * (sizeof(struct wf_slot_core) + (size_t)(slots) * sizeof(struct wf_slot)))

struct wf_slots_status {
    uint64_t made;    // events made on the core since the start
    uint64_t refused; // further events that found no room
    uint64_t slots;   // slots used, including the recorder's own
};

// Initializes the memory and starts, with all records switched off (wf_filter switches them on).
// Returns false when the memory is too small or not aligned, a number is out of range, or the CPU
// lacks the atomics of the port. Copies the configuration. Context: before anything records.
bool wf_slots_start(const struct wf_slots_config *config);

// Record an event of a QNX class (or of your own, 26..31) regardless of the filters. cls: 0..31,
// event: 0..1023, as in the head of a slot; words: numbers, stored in the CPU's byte order. An
// event that does not fit in a chunk is dropped and counted as refused: it has up to 2 *
// (WF_CFG_CHUNK - 5) words. Context: any.
void wf_slot_event(unsigned cls, unsigned event, uint32_t word0, uint32_t word1);
void wf_slot_words(unsigned cls, unsigned event, const uint32_t *words, unsigned count);
void wf_slot_text(unsigned cls, unsigned event, const char *text); // with zero, at most 128

// Records the time on the caller's core (CONTROL TIME). A 32-bit clock needs a mark or an event on
// each core before it wraps. Where a stream is merged from several cores, a mark shows that an idle
// core has no events. Context: any.
void wf_slots_mark(void);

// Sets the ticks to add to a core's stamps, so that the stamps of all cores are of one clock.
// Readers get it from the core's next chunk on. Context: any.
void wf_slots_offset(unsigned core, int64_t ticks);

// Counts events of a core as refused that were lost before they reached the recorder, for instance
// in a kernel whose records are passed on. Cost: a loop over `events`. Context: any.
void wf_slots_missed(unsigned core, uint64_t events);

void wf_slots_get_status(unsigned core, struct wf_slots_status *status); // Context: any

// A reader of one core's ring. Zero it to begin with the oldest slot of the ring.
struct wf_slots_reader {
    uint64_t at;        // position of the next slot to read
    uint64_t gone;      // slots lost so far
    uint64_t told;      // lost slots reported in the stream so far
    uint32_t last;      // stamp of the slot before
    uint32_t waits;     // failed reads of the same slot
    bool started, done; // done: the final MADE and REFUSED were returned
};

// Reads up to `max` (4 or more) slots of a core, ready to send: with the core's number, and an OWN
// GONE where slots were lost. Returns the number of slots; 0 when there is nothing to read now, or
// the next slot is not written yet. end: recording has stopped; unfinished slots count as lost, and
// the last slots are MADE and REFUSED. Never waits. Context: one reader for each core.
unsigned wf_slots_read(struct wf_slots_reader *reader, unsigned core, struct wf_slot *to,
                       unsigned max, bool end);

// Writes the text header of a file or stream of slots, without a zero. Returns its length, at most
// WF_SLOTS_HEADER_MAX bytes. Context: any.
unsigned wf_slots_header(char *to);

// ---- inside; not for users ----

struct wfi_slots {
    uint32_t mask; // for byte offsets in a ring
    struct wf_slot_box *box;
    // The core's numbers, followed by its ring. With 64 cores an entry for every uint8_t.
    struct wf_slot_core *core[WF_CFG_CORES == 64 ? 256 : WF_CFG_CORES];
};
extern struct wfi_slots wfi_slots;

#define WFI_SLOT_HELD (UINT32_C(1) << WF_SLOT_TAG_SHIFT) // bit of `what`: the caller holds the lock

// bytes: up to eight, the first one lowest.
void wfi_slot_short(uint32_t what, uint64_t bytes);
void wfi_slot_short_held(uint32_t what, uint64_t bytes);
void wfi_slot_long(uint32_t what, const void *body, unsigned len, const void *tail,
                   unsigned tail_len);

#ifdef __cplusplus
}
#endif
#endif
