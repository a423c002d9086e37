// SPDX-License-Identifier: MIT
// Writes a trace of the simulated plant. Usage: plant SEED FAULT MILLISECONDS [LOSSES] > trace.bin

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"

int main(int argc, char **argv) {
    struct plant_options o = {.fault = PLANT_FAULTS};
    if (argc < 4 || argc > 5) return 2;
    o.seed = (uint32_t)strtoul(argv[1], NULL, 10);
    for (unsigned i = 0; i < PLANT_FAULTS; ++i) {
        if (strcmp(argv[2], plant_faults[i]) == 0) o.fault = (enum plant_fault)i;
    }
    if (o.fault == PLANT_FAULTS) return 2;
    o.us = strtoul(argv[3], NULL, 10) * 1000;
    o.losses = argc == 5 ? (unsigned)strtoul(argv[4], NULL, 10) : 0;
    o.shifted = o.seed % 2;                // builds of odd seeds have other addresses
    size_t cap = (size_t)o.us / 2 + 65536; // there are at most 300 bytes in a millisecond
    uint8_t *bytes = malloc(cap);
    if (!bytes) return 1;
    size_t len = plant_record(&o, bytes, cap);
    bool good = fwrite(bytes, 1, len, stdout) == len && fflush(stdout) == 0;
    free(bytes);
    return good ? 0 : 1;
}
