// SPDX-License-Identifier: MIT
// An interrupt that also records, aimed at the records of a task: it comes at a random time after
// the one before, and most records of the task reschedule it, so that it comes at a random place
// while a record is made or shortly after. Its places are counted. The program defines
// tick_record().
#ifndef AIMED_H
#define AIMED_H

#include "board.h"
#include "wallfly/wallfly.h"

// The interrupt's times, in ns; an instruction takes 64 ns (-icount shift=6).
enum {
    NEXT_NS = 16000, // minimum time after the end of the one before
    NEXT_STEPS = 4,  // plus this times 0..65535
    AIMED_NS = 1000, // minimum time after a record of the task begins
    AIMED_MORE_NS = 1 << 14,
};

static void tick_record(void); // the interrupt's records

static volatile bool running;   // otherwise the interrupt does nothing, and is not rescheduled
static volatile bool recording; // the task is recording; read by the interrupt
static struct {
    uint32_t all, making, held_up, elsewhere; // held_up is a part of making
} ticks;

extern const uint8_t recorder_start[], recorder_end[]; // the recorder's instructions: sections.ld

// Each context has its own random numbers.
static uint32_t draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void tick_after(uint32_t ns) { board_tick_start(1000000000 / ns); }

// Called before a record of the task.
static void aim(void) {
    static uint32_t state;
    const uint32_t random = draw(&state);
    if (running && random % 4) tick_after(AIMED_NS + random % AIMED_MORE_NS);
}

// An interrupt delayed by the lock comes right after the instruction that unlocks.
static bool is_behind_unlock(const uint8_t *where) {
    const uint16_t *code = (const uint16_t *)where;
#ifdef __riscv // csrs mstatus, rs
    return (code[-2] & 0x7FFF) == 0x2073 && (code[-1] & 0xFFF0) == 0x3000;
#else // msr primask, rn
    return (code[-2] & 0xFFF0) == 0xF380 && code[-1] == 0x8810;
#endif
}

static void count_tick(const uint8_t *where) {
    ++ticks.all;
    if (where < recorder_start || where >= recorder_end) return;
    ticks.making += recording;
    ticks.held_up += recording && is_behind_unlock(where);
    ticks.elsewhere += !recording;
}

// where: the instruction after the return from the interrupt.
__attribute__((used)) static void tick(const uint8_t *where) {
    static uint32_t state;
    board_tick_start(0); // otherwise the next may be pending before this one ends
    if (!running) return;
    count_tick(where);
    tick_record();
    tick_after(NEXT_NS + draw(&state) * NEXT_STEPS); // from now: the task always progresses
}

#ifdef __riscv
void board_tick(void) {
    const uint8_t *where;
    __asm__ volatile("csrr %0, mepc" : "=r"(where));
    tick(where);
}
#else // the CPU has pushed the address on the stack
__attribute__((naked)) void board_tick(void) {
    __asm__("ldr r0, [sp, #24]\n\tldr r1, =tick\n\tbx r1");
}
#endif

#endif
