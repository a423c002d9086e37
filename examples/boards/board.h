// SPDX-License-Identifier: MIT
// What the examples, tests and benchmarks need of a board. Each board is a folder that implements
// this with registers and nothing else: no vendor's library, no C library.
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

void board_start(void);        // UART and counter; before anything else
bool board_put(uint8_t byte);  // into the UART; false: it is busy
bool board_get(uint8_t *byte); // from the UART; false: nothing there
void board_end(int code);      // ends the emulator with that exit code; does not return
void board_restart(void);      // the chip's own reset (Cortex-M, RISC-V); does not return

// Calls board_tick() `hz` times a second, in an interrupt. 0: no more.
void board_tick_start(uint32_t hz);
void board_tick(void); // the program's

#endif
