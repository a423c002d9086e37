// SPDX-License-Identifier: MIT
// Packed frames (docs/wire-format.md): shared by the recorder's files. Only with WF_CFG_PACKED.
//
// The open frame lies in the ring at `next`, in one piece that is free; it belongs to the ring only
// when it is closed. wfi.open has its bytes so far, its length byte included, and in the upper half
// the number of its events: one store adds an event, so that a reset finds whole events only.
#ifndef WFI_PACKED_H
#define WFI_PACKED_H

#include "wfi_core.h"
#include "wf_packed.h"

// Puts a SYNC into the ring: after refused records; with packed frames also after a wrap and from
// time to time. Context: the caller holds the critical section.
void wfi_record_sync(void);

// These are called only with WF_CFG_PACKED; the conditions for it are constants.
//
// The event that wfi_begin_event began is whole. Context of this and the next two: the caller holds
// the critical section.
void wfi_finish_event(void);
// It has no room: makes a frame of its own of it, to which bytes are added.
void wfi_unpack_event(void);
// The reader has nothing else: ends the open frame if its events have waited long enough.
void wfi_close_for_reader(void);
// Puts numbers to be sent on the empty stage. Context of this and the next one: the reader, without
// the critical section unless `what` has WFI_HELD.
void wfi_stage_numbers(unsigned what);
// Some numbers are sent again, in turn.
void wfi_repeat_numbers(void);

#if WF_CFG_PACKED

// A value of a field: a number of 32 bits, or a pointer.
#if UINTPTR_MAX > 0xFFFFFFFFu
typedef uint64_t wfi_value;
#else
typedef uint32_t wfi_value;
#endif

// wfi.open without a frame.
#define WFI_CLOSED UINT32_C(0xFFFF)

enum {
    WFI_PACKED_COUNT = 1 + 2 + WF_CFG_TIME_SIZE + 4, // place of the number of events in a frame
    WFI_PACKED_BYTES = WFI_PACKED_COUNT + 1,         // ... and of their bytes
    WFI_PACKED_HEAD = WFI_PACKED_COUNT + 3,          // with `running`
    WFI_PACKED_MAX = 121,                            // most bytes of a frame, without a checksum
    WFI_PACKED_MARGIN = 24, // free bytes behind it, for words that are stored as a whole
    WFI_PACKED_FULL = 8     // a frame with less room is closed
};

// What an event changes, in bits 10 and 11 of `what`.
enum {
    WFI_NO_CHANGE,
    WFI_SWITCH = 0x400, // the first operand is the running task
    WFI_ENTER = 0x800,  // the first operand is the interrupt entered last
    WFI_EXIT = 0xC00,   // of the first operand: short if that is the one entered last
    WFI_CHANGES = 0xC00
};

// Operands of an event, three bits each from bit 12 of `what` on, the first lowest.
enum {
    WFI_OP_NONE,
    WFI_OP_NUMBER, // the number of a pointer
    WFI_OP_ACTOR,  // left out, or a prefix
    WFI_OP_BYTE,
    WFI_OP_VALUE,   // of variable length
    WFI_OP_SIGNED,  // the same
    WFI_OP_POINTER, // the pointer itself
    WFI_OP_SHIFT = 12,
    WFI_OP_BITS = 3
};

// Makes an event of up to four fields. what: its kind, WFI_HELD, and its operands. Context: any.
void wfi_event(uint32_t what, wfi_value a, wfi_value b, wfi_value c, wfi_value d);

// Makes an event of a record whose fields after the stamp have a fixed length, `len`: they fit a
// frame. what: its id, WFI_TIMED, WFI_HELD. Context: any.
void wfi_event_bytes(uint32_t what, const void *bytes, unsigned len);

#if WF_CFG_FAST
// The same for WFI_PACK_MAX bytes of words, of which `len` are used. what: without WFI_HELD.
void wfi_put_words(uint32_t what, const wfi_word *words, uint32_t len);
#endif

// Returns the number of a pointer, and gives it one. Context: any; what: 0 or WFI_HELD.
unsigned wfi_number(unsigned what, const void *object);

// Context of all functions below: the caller holds the critical section.

// Ends the open frame, if there is one.
void wfi_close_packed(void);

// Makes a step of wfi_room: drops a few frames if a piece of `need` bytes needs it. Returns whether
// it did.
bool wfi_drop_for(size_t need);

// Begins an event whose bytes are added in steps. Returns false for a record that needs a frame of
// its own.
bool wfi_begin_event(unsigned what);
// Starts without numbers and events.
void wfi_start_packed(void);
// The black box: checks the state that a reset left. number: of the last record in the ring.
// Returns false when it is not that of this build.
bool wfi_keep_packed(uint32_t number);

// Returns whether numbers must be sent first: before a packed frame, which may use them, or when
// there is nothing else. Not before others: a host forgets all numbers when the target starts. Not
// within a frame that is sent in parts, nor before one that was cut is ended.
static inline bool wfi_numbers_wait(void) {
    return wfi.packed.unannounced && !wfi.part && !wfi.cut &&
           (wfi.sent == wfi.next || *wfi_frame_id(wfi.sent) == WF_ID_packed);
}

// A frame of the ring has no checksum: the reader adds it. A black box needs it in the ring.
#define WFI_READER_SUMS(p) (!WF_CFG_BOX && *wfi_frame_id(p) == WF_ID_packed)

// Starting point of the search for the number of a pointer.
static inline unsigned wfi_object_hash(const void *object) {
    const uintptr_t p = (uintptr_t)object;
    return (unsigned)((p >> 3) ^ (p >> 8)) & (WF_CFG_PACKED_OBJECTS - 1);
}

// An entry of the table without a pointer.
#define WFI_UNUSED ((const void *)UINTPTR_MAX)

// Returns the number of a pointer that is found at once, else 0.
static inline unsigned wfi_number_found(const void *object) {
    const unsigned at = wfi_object_hash(object);
    return wfi.objects[at] == object && object != WFI_UNUSED ? at + 1 : 0;
}

// Returns the events of a frame of the ring: the numbers it takes.
static inline unsigned wfi_events_of(const uint8_t *p) {
    return *wfi_frame_id(p) == WF_ID_packed ? p[WFI_PACKED_COUNT] : 1;
}

#if WF_CFG_FAST
// Returns whether the last event was of this core: always, if the port has only one.
WFI_ALWAYS_INLINE bool wfi_same_core(void) {
    const unsigned core = wf_port_core();
    return (__builtin_constant_p(core) && core == 0) || wfi.packed.core == core;
}

// The fast path: an event with up to four operands of one byte each, in `ops`. Returns false when
// it needs wfi_event. actor: left out if `acts`. first: the first operand's value.
WFI_ALWAYS_INLINE bool wfi_put_event(uint32_t what, uint32_t ops, unsigned len, bool acts,
                                     const void *actor, wfi_value first) {
    const unsigned change = what & WFI_CHANGES;
    uint32_t was = WFI_LOCK(what);
    const wf_stamp now = wf_port_now(), last = wfi.last;
    const uint32_t open = wfi.open;
    uint32_t delta = (uint32_t)(now - last);
    const bool good = now >= last && (wf_stamp)(now - last) < 1u << 14 &&
                      (open & 0xFFFF) <= WFI_PACKED_MAX - 8 && (!acts || wfi.running == actor) &&
                      (change != WFI_EXIT || wfi.irq == (uint32_t)first) && wfi_same_core();
    if (WFI_LIKELY(good)) {
        uint8_t *const p = wfi.next + (open & 0xFFFF);
        uint32_t head_len = 2;
        delta <<= 2;
        if (delta >= 1u << 8) {
            delta |= 1;
            head_len = 3;
        }
        wfi.last = now;
        if (change == WFI_SWITCH) wfi.running = (const void *)(uintptr_t)first;
        if (change == WFI_ENTER) wfi.irq = (uint32_t)first;
        const uint32_t head = (what & 0xFF) | delta << 8;
#if WF_CFG_UNALIGNED
        __builtin_memcpy(p, &head, 4);
        if (len) __builtin_memcpy(p + head_len, &ops, len > 2 ? 4 : len > 1 ? 2 : 1);
#else
        p[0] = (uint8_t)head;
        p[1] = (uint8_t)(head >> 8);
        p[2] = (uint8_t)(head >> 16);
        for (unsigned i = 0; i < len; ++i) p[head_len + i] = (uint8_t)(ops >> 8 * i);
#endif
        WFI_IN_ORDER;
        wfi.open = open + head_len + len + 0x10000;
    }
    WFI_UNLOCK(what, was);
    return good;
}
#endif

#define WFI_BEGIN_EVENT(what) wfi_begin_event(what)
#define WFI_MAKING_EVENT      (wfi.packed.making != 0)
#define WFI_OPEN_EVENTS       (wfi.open >> 16)
#define WFI_OPEN_BYTES        (wfi.open >> 16 ? wfi.open & 0xFFFF : 0)

#else // no packed frames: no code either

#define WFI_BEGIN_EVENT(what) false
#define WFI_MAKING_EVENT      false
#define WFI_OPEN_EVENTS       0u
#define WFI_OPEN_BYTES        0u
#define WFI_READER_SUMS(p)    false
static inline bool wfi_numbers_wait(void) { return false; }
static inline unsigned wfi_events_of(const uint8_t *p) {
    (void)p;
    return 1;
}

#endif
#endif
