// SPDX-License-Identifier: MIT
// The way of an event into its slots. A writer takes its place with one compare-and-swap of the
// core's `next`, having read the clock in between: whoever else took a place meanwhile makes it
// fail, so the stamps of a core are in the order of its slots. Then each slot is stored at once, 16
// bytes, with the tag of its place: a reader sees all of it or none, and a writer that was held up
// until its place was another's can spoil a slot, but not mix two. What is spoilt has the wrong
// tag, and counts as lost.
//
// Where the port has no atomics both are done with interrupts off, and the head is stored last.
#ifndef WFI_SLOTS_H
#define WFI_SLOTS_H

#include "wfi_core.h"

enum {
    WFI_CHUNK = WF_CFG_CHUNK,
    WFI_OPENING = 4 // slots a chunk begins with, but for OFFSET
};

WFI_ALWAYS_INLINE struct wf_slot_core *wfi_slot_core_of(unsigned core) {
    return wfi_slots.core[WF_CFG_CORES == 64 ? (uint8_t)core : core & (WF_CFG_CORES - 1)];
}

// Numbers and ring of a core, as if they began where the slot wants them: so its address is one
// sum.
struct wfi_ring {
    struct wf_slot_core core;
    struct wf_slot slot;
};

// From here on `at` is a position times 16, in 32 bits.
WFI_ALWAYS_INLINE struct wf_slot *wfi_slot_at(struct wf_slot_core *c, uint32_t at) {
    return &((struct wfi_ring *)(void *)((uint8_t *)c + (at & wfi_slots.mask)))->slot;
}

// In its place in the head: what is above falls off. (Chunks are powers of two.)
WFI_ALWAYS_INLINE uint32_t wfi_slot_tag(uint32_t at) {
    return at / 16 / WFI_CHUNK << WF_SLOT_TAG_SHIFT;
}

// A position in 64 bits, near one that is known.
static inline uint64_t wfi_slot_widen(uint32_t at, uint64_t near) {
    return near + (uint64_t)(int64_t)((int32_t)(at - (uint32_t)(near << 4)) / 16);
}

// Events made, from next and extra, and the position in 64 bits; near a number that is known.
static inline uint64_t wfi_slot_made(uint64_t next, uint64_t position, uint64_t near) {
    uint32_t extra = (uint32_t)(next >> 32) - (uint32_t)(position >> 28);
    uint32_t low = (uint32_t)position - extra;
    return near + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)near);
}

#ifndef WF_PORT_ATOMIC
#define WF_PORT_ATOMIC 0
#endif

#include "wfi_slots_shared.h"

// The two pieces that the words of an event are made of.
struct wfi_pieces {
    const uint8_t *body, *tail;
    unsigned len, tail_len;
};

// All but the usual: the event opens a chunk, has several slots, tells of the time's upper word, or
// somebody was faster. Within the critical section if there is one.
void wfi_slot_put(struct wf_slot_core *c, uint32_t what, const struct wfi_pieces *pieces);
// The same of two words.
__attribute__((noinline)) void wfi_slot_put_two(struct wf_slot_core *c, uint32_t what,
                                                uint64_t body);

// An event of up to two words; body: the first one lowest. what: class and event, unused bytes.
// Within the critical section if there is one.
WFI_ALWAYS_INLINE void wfi_slot_put_one(uint32_t what, uint64_t body) {
    struct wf_slot_core *c = wfi_slot_core_of(wf_port_core());
    uint64_t was = wfi_slot_next(c);
    wf_stamp now = wf_port_now();
    if (WFI_LIKELY(was % (16 * WFI_CHUNK) && wfi_slot_usual(c, now) &&
                   wfi_slot_take(c, &was, 1, 0, now))) {
        uint32_t at = (uint32_t)was;
        wfi_slot_store(wfi_slot_at(c, at), what | wfi_slot_tag(at), (uint32_t)now, body);
        return;
    }
    wfi_slot_put_two(c, what, body);
}

#endif
