// SPDX-License-Identifier: MIT
// The board interface of the examples, tests and benchmarks. Each board is a folder that implements
// it with registers and nothing else: no vendor library, no C library.
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

void board_start(void);        // UART and counter; before anything else
bool board_put(uint8_t byte);  // writes to the UART; false: busy
bool board_get(uint8_t *byte); // reads from the UART; false: no byte
void board_end(int code);      // ends the emulator with that exit code; does not return
void board_restart(void);      // resets the chip (Cortex-M, RISC-V); does not return

// Calls board_tick() `hz` times per second, in an interrupt. 0: stops.
void board_tick_start(uint32_t hz);
void board_tick(void); // implemented by the program

#endif
