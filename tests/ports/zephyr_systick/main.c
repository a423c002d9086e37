// SPDX-License-Identifier: MIT
// A program of the Zephyr module on mps2-an385 that also simulates the kernel: SysTick a thousand
// times a second, alone and nested in another interrupt. Sends the trace over the UART; its last
// record has the program's own counts.

#include <stddef.h>
#include <zephyr/irq.h>
#include <zephyr/kernel.h>

#include "board.h"
#include "systick.h"
#include "wallfly/wallfly.h"
#include "wf_zephyr.h"

enum { COUNTS = WF_USER, TICK_HZ = 1000, TICKS = 200, CPU_HZ = 25000000 };

int main(void);

// ---- the kernel

unsigned int irq_lock(void) {
    uint32_t was;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(was)::"memory");
    return was;
}

void irq_unlock(unsigned int key) { __asm__ volatile("msr primask, %0" ::"r"(key) : "memory"); }

// The board's counter, which counts down.
uint32_t k_cycle_get_32(void) { return ~*(volatile const uint32_t *)0x40000004u; }
int sys_clock_hw_cycles_per_sec(void) { return CPU_HZ; }

static struct k_thread thread = {{0}, "main"};
struct k_thread *k_current_get(void) {
    return &thread;
}
const char *k_thread_name_get(struct k_thread *t) { return t->name; }
bool k_is_in_isr(void) {
    uint32_t irq;
    __asm__ volatile("mrs %0, ipsr" : "=r"(irq));
    return irq != 0;
}

// The board's SysTick handler, which is not in the table.
void board_tick(void) { board_end(97); }

// ---- the program

static void drain(void) {
    for (int byte; (byte = wf_get_byte()) >= 0;) {
        while (!board_put((uint8_t)byte)) continue;
    }
}

int main(void) {
    board_start();
    wf_zephyr_start();
    wf_filter(WF_GRP_ALL);
    WF_USR_DICTIONARY(COUNTS);
    board_tick_start(TICK_HZ);
    isr_start();
    for (uint32_t next = 10; systick_count < TICKS;) {
        drain();
        if (systick_count < next) continue;
        isr_request();
        next = systick_count + 10;
    }
    board_tick_start(0);
    WF_RECORD(COUNTS, 0, WF_U32(0, systick_count), WF_U32(0, systick_nested), WF_U32(0, irq_count));
    drain();
    return 0;
}
