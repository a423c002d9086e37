// SPDX-License-Identifier: MIT
// Stand-in for Zephyr's kernel.h: the one of the simulated schedules, and the clock.
#ifndef SYSTICK_KERNEL_H
#define SYSTICK_KERNEL_H

#include "../../rtos/zephyr/zephyr/kernel.h"

uint32_t k_cycle_get_32(void);
int sys_clock_hw_cycles_per_sec(void);

#endif
