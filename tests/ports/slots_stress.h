// SPDX-License-Identifier: MIT
// Shared by slots_stress.c and slots_check.c: the contents of an event by its number. Bytes mixed
// from two events are always detected.
#ifndef SLOTS_STRESS_H
#define SLOTS_STRESS_H

#include <stdint.h>

enum {
    STRESS_KINDS = 4,
    STRESS_BYTES = 40,   // most of a block
    STRESS_MARK = 100,   // event of class USER: end of a part
    STRESS_EVENT = 1,    // + writer: of class USER
    STRESS_RECORD = 100, // + writer: of class RECORD
    STRESS_WORDS = 6
};

// Words of a mark: number of the part, events made by the task and by the interrupt, interrupts,
// those during an event of the task in the recorder, those of them delayed by its lock, and the
// time before it.
enum {
    MARK_PART,
    MARK_MADE,
    MARK_TICKS = MARK_MADE + 2,
    MARK_MAKING,
    MARK_HELD,
    MARK_LOW,
    MARK_HIGH
};
enum { MARK_WORDS = MARK_HIGH + 1 };

static inline unsigned stress_kind(uint32_t count) { return count % STRESS_KINDS; }
static inline unsigned stress_count_of(uint32_t count) { return 3 + count / STRESS_KINDS % 4; }
static inline unsigned stress_len(uint32_t count) {
    return count / STRESS_KINDS % (STRESS_BYTES + 1);
}
static inline uint32_t stress_word(uint32_t count, unsigned i) {
    return i ? count * 0x9E3779B1u + i * 0x01000193u : count;
}
static inline uint8_t stress_byte(uint32_t count, unsigned i) { return (uint8_t)(count * 7 + i); }

#endif
