// SPDX-License-Identifier: MIT
// Shared by packed_stress.c and packed_check.c: the contents of an event by its number and its
// context, the task (0) or the interrupt (1).
#ifndef PACKED_STRESS_H
#define PACKED_STRESS_H

#include <stdbool.h>
#include <stdint.h>

// Kinds of events. Application records, and those of a queue and a semaphore, have the number in
// them; the others are of RTOS objects, which repeat.
enum {
    STRESS_WORD,
    STRESS_SWITCH, // the interrupt: its entry
    STRESS_MUTEX,  // the interrupt: its exit
    STRESS_STEPS,  // made element by element
    STRESS_QUEUE,
    STRESS_BYTES,
    STRESS_SEMA, // of any objects, more than have numbers
    STRESS_WORDS,
    STRESS_KINDS
};

enum {
    STRESS_RECORD = 100,      // + context
    STRESS_MARK = 102,        // end of a part
    STRESS_BYTES_MAX = 160,   // more than a packed frame has room for
    STRESS_TOO_LONG = 4 * 255 // bytes: such a record is refused
};

// Words of a mark: number of the part; events made by the task and by the interrupt; interrupts,
// those during an event of the task in the recorder, those of them delayed by its lock; the time
// before it; and the number of records made before it.
enum {
    MARK_PART,
    MARK_MADE,
    MARK_TICKS = MARK_MADE + 2,
    MARK_MAKING,
    MARK_HELD,
    MARK_LOW,
    MARK_HIGH,
    MARK_COUNT
};
enum { MARK_WORDS = MARK_COUNT + 1, MARK_LOST_PART = 2 };

static inline unsigned stress_kind(uint32_t n) { return n % STRESS_KINDS; }
static inline uint32_t stress_round(uint32_t n) { return n / STRESS_KINDS; }
static inline uint8_t stress_byte(uint32_t n, unsigned i) { return (uint8_t)(n * 7 + i); }

static inline unsigned stress_len(uint32_t n) {
    const uint32_t round = stress_round(n);
    return round % 64 == 63 ? 100 + round / 64 % (STRESS_BYTES_MAX - 99) : round % 13;
}

// In the part that loses records, a few are too long.
static inline bool stress_too_long(unsigned part, uint32_t n) {
    return part == MARK_LOST_PART && stress_kind(n) == STRESS_BYTES && stress_round(n) % 256 == 255;
}

// Addresses; nothing is there.
static inline uint32_t stress_task(uint32_t n) { return 0x20001000 + stress_round(n) % 6 * 88; }
static inline uint32_t stress_mutex(uint32_t n) { return 0x20002000 + stress_round(n) % 9 * 40; }
static inline uint32_t stress_sema(uint32_t n) { return 0x20004000 + stress_round(n) % 500 * 24; }

// The acting task: mostly the one that runs.
static inline uint32_t stress_actor(unsigned who, uint32_t n) {
    if (who) return 0;
    return stress_task(stress_round(n) % 5 ? n : n + 3 * STRESS_KINDS);
}

static inline uint8_t stress_reason(uint32_t n) { return (uint8_t)(stress_round(n) % 10); }
static inline uint8_t stress_nest(uint32_t n) { return stress_round(n) % 16 ? 1 : 2; }
static inline uint16_t stress_irq(uint32_t n) { return (uint16_t)(stress_round(n) % 200); }

#endif
