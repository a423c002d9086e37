// SPDX-License-Identifier: MIT
// Diagnoses of the program file.

#include "doctor.h"

void doctor_elf_open(struct doctor *d) {
    if (stream_names(d->args, &d->names) != EXIT_GOOD) d->code = EXIT_INPUT;
}

void doctor_elf(struct doctor *d) { (void)d; }
