// SPDX-License-Identifier: MIT
// The slot format: a 16-byte slot, a chunk of slots, and the memory of the slot recorder. Data
// only. The target writes it, the host reads it; docs/slots.md explains it. Slots and classes are
// those of QNX's kernel-event logs (.kev), so one reader reads both.
#ifndef WF_SLOT_H
#define WF_SLOT_H

#include <stdint.h>

// Four words in the byte order of the target.
struct wf_slot {
    uint32_t head; // below
    uint32_t time; // low 32 bits of the stamp
    uint32_t word[2];
};

// head: bits 0..9 event, 10..14 class, 15..17 unused bytes at the end of the last slot (class
// RECORD only), 18..23 zero, 24..29 core, 30..31 structure.
enum {
    WF_SLOT_EVENT = 0x3FF,
    WF_SLOT_CLASS_SHIFT = 10,
    WF_SLOT_CLASS = 0x1F,
    WF_SLOT_UNUSED_SHIFT = 15,
    WF_SLOT_UNUSED = 7,
    WF_SLOT_CORE_SHIFT = 24,
    WF_SLOT_CORE = 0x3F,
    WF_SLOT_STRUCTURE_SHIFT = 30
};

// In the recorder's memory the ring gives the core. There the structure is in bits 18..19, and the
// tag in the bits above. A reader detects by the tag for which chunk the slot was written.
enum { WF_SLOT_KEPT_STRUCTURE_SHIFT = 18, WF_SLOT_TAG_SHIFT = 20, WF_SLOT_TAG = 0xFFF };

// Structure: an event of up to two words, or the slots of a longer one, which all have its class,
// event, core and stamp.
enum { WF_SLOT_SIMPLE, WF_SLOT_FIRST, WF_SLOT_MIDDLE, WF_SLOT_LAST };

// Classes in the head. C(number, name, sentence)
#define WF_SLOT_CLASSES(C)                                                                         \
    C(0, EMPTY, "no event: fills a chunk up")                                                      \
    C(1, CONTROL, "of the trace itself")                                                           \
    C(2, KERCALL, "kernel calls: entered, left (+ 128), restarted (+ 256)")                        \
    C(3, INT, "interrupts and their handlers")                                                     \
    C(4, PR_TH, "processes, threads, virtual threads")                                             \
    C(5, SYSTEM, "system: path names, memory, budgets, functions, log")                            \
    C(6, USER, "of the application")                                                               \
    C(7, COMM, "messages, pulses, signals")                                                        \
    C(8, QUIP, "")                                                                                 \
    C(9, SEC, "security")                                                                          \
    C(10, QVM, "hypervisor")                                                                       \
    C(11, PMU, "performance counters")                                                             \
    C(24, RECORD, "a record of wallfly: the event is its number, the words its bytes")             \
    C(25, OWN, "of the trace itself, wallfly's own")

enum {
#define WFI_X(number, name, sentence) WF_SLOT_CLASS_##name = number,
    WF_SLOT_CLASSES(WFI_X)
#undef WFI_X
};

// Events of class CONTROL and class OWN. E(number, name, sentence)
#define WF_SLOT_CONTROLS(E)                                                                        \
    E(1, TIME, "the stamp, now and of what follows on this core: high, low word")                  \
    E(2, BUFFER, "a chunk begins: its number on this core, slots in it")                           \
    E(4, BUFFER_END, "end of a buffer (QNX 8.0)")                                                  \
    E(8, DROPPED, "(QNX 8.0)")
#define WF_SLOT_OWNS(E)                                                                            \
    E(1, MADE, "events made on this core before: low, high word")                                  \
    E(2, REFUSED, "events of this core that found no room before: low, high word")                 \
    E(3, GONE, "slots of this core that were here and are lost: low, high word")                   \
    E(4, OFFSET, "to be added to the stamps of this core: low, high word, signed")

enum {
#define WFI_X(number, name, sentence) WF_SLOT_CONTROL_##name = number,
    WF_SLOT_CONTROLS(WFI_X)
#undef WFI_X
#define WFI_X(number, name, sentence) WF_SLOT_OWN_##name = number,
        WF_SLOT_OWNS(WFI_X)
#undef WFI_X
};

// The recorder's memory, in one piece, without pointers: a box, then for each core its numbers and
// its ring, core_step bytes from one core to the next. Byte order and sizes are those of the
// target.
#define WF_SLOT_MAGIC "WFSLOTS1"

struct wf_slot_box {
    uint8_t magic[8];
    uint32_t order; // 0x01020304
    uint32_t cores, core_at, core_step;
    uint32_t slots, chunk; // in a ring, in a chunk: powers of two
    uint32_t keep_oldest;  // 1: a full ring refuses events; 0: it overwrites the oldest
    uint32_t hz;           // ticks per second, 0: unknown
    uint32_t build_id;     // 0: unknown
    uint8_t sizes[5];      // of fields, as in TARGET_INFO
    uint8_t started;       // 1: the whole box is valid
    uint8_t spare[14];
};

// Positions count slots since the start; position p is slot p % slots of the ring. Its tag is p /
// chunk & WF_SLOT_TAG; a slot that was never written has another tag. The CPU uses `next` and
// `extra` as one 64-bit number: when next wraps it carries into extra. So with the position in 64
// bits, extra slots = extra - (position >> 28), and events made = position - extra slots.
struct wf_slot_core {
    uint32_t next;    // position of the next slot, times 16, modulo 2^32
    uint32_t extra;   // slots that are not the first of an event
    uint32_t tail;    // as next: end of the slots read; only where the oldest are kept
    uint32_t high;    // upper word of the stamp, as in the last TIME
    uint64_t at;      // position in 64 bits, and
    uint64_t made;    // events, both as of a recent start of a chunk
    uint64_t refused; // events
    int64_t offset;   // as OWN OFFSET
    uint32_t last;    // stamp, only of several cores with a clock of 32 bits
    uint8_t spare[76];
};

#endif
