// SPDX-License-Identifier: MIT
// Diagnoses of program files and of RTT (doctor.h describes the columns).
#ifndef ROWS_ELF_H
#define ROWS_ELF_H

#define DOCTOR_RTT_ROWS(D)
#define DOCTOR_ELF_ROWS(D)

#endif
