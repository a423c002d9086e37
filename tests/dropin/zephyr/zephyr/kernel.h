// SPDX-License-Identifier: MIT
// The parts of Zephyr that the port uses, simulated by main.c.
#ifndef STUB_KERNEL_H
#define STUB_KERNEL_H

#include <stdint.h>

struct stub_cpu {
    uint8_t id;
};

uint32_t k_cycle_get_32(void);
uint64_t k_cycle_get_64(void);
int sys_clock_hw_cycles_per_sec(void);
struct stub_cpu *arch_curr_cpu(void);

#endif
