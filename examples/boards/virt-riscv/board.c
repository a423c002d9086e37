// SPDX-License-Identifier: MIT
// QEMU's RISC-V machine "virt", RV32 and RV64: from reset to main(), NS16550 UART, CLINT timer, and
// the power switch.

#include "board.h"

#include "memory.h"

enum { FAULT = 99 }; // exit code, so that a fault is not taken for success
enum { MTIME_HZ = 10000000 };

#define UART(offset)  (*(volatile uint8_t *)(0x10000000u + (offset)))
#define MTIMECMP_LOW  (*(volatile uint32_t *)0x2004000u)
#define MTIMECMP_HIGH (*(volatile uint32_t *)0x2004004u)
#define MTIME_LOW     (*(volatile uint32_t *)0x200BFF8u)
#define MTIME_HIGH    (*(volatile uint32_t *)0x200BFFCu)
#define POWER         (*(volatile uint32_t *)0x100000u)

enum { DATA = 0, FIFO_CONTROL = 2, LINE_CONTROL = 3, LINE_STATUS = 5 };
enum { RX_READY = 1, TX_READY = 0x20, MTIP = 1 << 7 };

int main(void);
void board_reset(void);

static uint64_t next_tick;
static uint32_t period; // of the tick, in units of mtime

static uint64_t mtime(void) {
    uint32_t high, low;
    do {
        high = MTIME_HIGH;
        low = MTIME_LOW;
    } while (high != MTIME_HIGH);
    return (uint64_t)high << 32 | low;
}

// In this order mtimecmp is never earlier than both the old time and the new one.
static void set_mtimecmp(uint64_t at) {
    MTIMECMP_HIGH = UINT32_MAX;
    MTIMECMP_LOW = (uint32_t)at;
    MTIMECMP_HIGH = (uint32_t)(at >> 32);
}

void board_start(void) {
    UART(LINE_CONTROL) = 3; // 8 bits; the machine has no baud rate
    UART(FIFO_CONTROL) = 1;
    __asm__ volatile("csrs mstatus, 8");
}

bool board_put(uint8_t byte) {
    if (!(UART(LINE_STATUS) & TX_READY)) return false;
    UART(DATA) = byte;
    return true;
}

bool board_get(uint8_t *byte) {
    if (!(UART(LINE_STATUS) & RX_READY)) return false;
    *byte = UART(DATA);
    return true;
}

void board_end(int code) {
    for (;;) POWER = code ? (uint32_t)code << 16 | 0x3333 : 0x5555;
}

void board_restart(void) {
    POWER = 0x7777;
    for (;;) {
    }
}

void board_tick_start(uint32_t hz) {
    __asm__ volatile("csrc mie, %0" : : "r"(MTIP));
    if (!hz) return;
    period = MTIME_HZ / hz;
    next_tick = mtime() + period;
    set_mtimecmp(next_tick);
    __asm__ volatile("csrs mie, %0" : : "r"(MTIP) : "memory"); // the trap reads what is set above
}

__attribute__((used, interrupt("machine"), aligned(4))) static void trap(void) {
    uintptr_t cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    if (cause != ((uintptr_t)1 << (__riscv_xlen - 1) | 7)) board_end(FAULT);
    next_tick += period;
    set_mtimecmp(next_tick);
    board_tick();
}

__attribute__((used)) static void run(void) {
    memory_start();
    board_end(main());
}

__attribute__((naked, section(".start"))) void board_reset(void) {
    __asm__ volatile("la sp, stack_top\n\t"
                     "la t0, trap\n\t"
                     "csrw mtvec, t0\n\t"
                     "j run");
}
