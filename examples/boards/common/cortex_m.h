// SPDX-License-Identifier: MIT
// Shared by all boards with a Cortex-M, besides the start.
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include <stdint.h>

// Calls board_tick() every `cycles` CPU cycles, 1..2^24, in the SysTick interrupt, from now on. 0:
// stops. The interrupt has the lowest priority.
void cortex_m_tick(uint32_t cycles);

#endif
