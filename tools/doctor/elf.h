// SPDX-License-Identifier: MIT
// Parts of the diagnosis of the program file.
#ifndef DOCTOR_ELF_H
#define DOCTOR_ELF_H

#include "look.h"

// (elf_compare.c) Whether the target of the look runs the program file.
void elf_compare(struct doctor *d);

#endif
