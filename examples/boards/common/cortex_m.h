// SPDX-License-Identifier: MIT
// What all boards with a Cortex-M share, besides the start.
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include <stdint.h>

// board_tick() every so many cycles of the CPU, 1..2^24, in the SysTick interrupt, from now on. 0:
// no more. The interrupt has the lowest priority.
void cortex_m_tick(uint32_t cycles);

#endif
