// SPDX-License-Identifier: MIT
// A program of the module that also simulates the kernel. Fails when lock and unlock do not pair.

#include <stdio.h>
#include <zephyr/irq.h>
#include <zephyr/kernel.h>

#include "wallfly/wallfly.h"
#include "wf_zephyr.h"

static unsigned locked, locks;
static uint64_t cycles = 0xFFFFFF00u;
static struct stub_cpu cpu;

unsigned int irq_lock(void) {
    ++locks;
    return 0x40u + locked++;
}

void irq_unlock(unsigned int key) {
    if (key != 0x40u + --locked) locks = 0x80000000u;
}

uint64_t k_cycle_get_64(void) { return cycles += 8; }
uint32_t k_cycle_get_32(void) { return (uint32_t)k_cycle_get_64(); }
int sys_clock_hw_cycles_per_sec(void) { return 8000000; }
struct stub_cpu *arch_curr_cpu(void) {
    return &cpu;
}

int main(void) {
    wf_zephyr_start();
    wf_filter(WF_GRP_ALL);
    for (unsigned i = 0; i < 60; ++i) WF_REC(isr_entry, 0, 1, (uint8_t)i);
    for (int byte; (byte = wf_get_byte()) >= 0;) putchar(byte);
    if (!WF_CFG_ON) return locks == 0 ? 0 : 1;
    return locked == 0 && locks >= 60 && locks < 0x80000000u ? 0 : 1;
}
