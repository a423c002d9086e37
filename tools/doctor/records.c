// SPDX-License-Identifier: MIT
// Diagnoses of records.

#include "doctor.h"

void doctor_records(struct doctor *d) { (void)d; }
