// SPDX-License-Identifier: MIT
// A simulated program of seven tasks on one core, with random times and random choices, recorded by
// the recorder itself as a port does. Runs with other seeds are alike; a fault makes one change.
#ifndef PLANT_H
#define PLANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum plant_fault {
    PLANT_GOOD,
    PLANT_LOCKS,   // comm takes lock_spi before lock_bus
    PLANT_WAKE_UP, // one reply of server to client is lost, at a random time
    PLANT_STATE,   // door is never in state blocked
    PLANT_SLOW,    // control needs 10 % more time
    PLANT_TASK,    // the task logger is not created
    PLANT_SILENT,  // comm no longer gives done
    PLANT_ORDER,   // server logs before it gives the reply, not afterwards
    PLANT_FAULTS
};
extern const char *const plant_faults[PLANT_FAULTS]; // "good", "locks", ...

struct plant_options {
    uint32_t seed;
    enum plant_fault fault;
    uint64_t us;     // length of the trace
    bool shifted;    // addresses and ticks are others, as those of another build
    unsigned losses; // records lost of 100,000, on the link; each begins a loss of up to 8
};

enum { PLANT_BYTES = 1 << 22 }; // enough for 10 s

// Returns the number of bytes, at most `cap`.
size_t plant_record(const struct plant_options *options, uint8_t *bytes, size_t cap);

#endif
