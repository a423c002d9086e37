// SPDX-License-Identifier: MIT
// Looks at the source.

#include "doctor.h"

void doctor_link(struct doctor *d) { (void)d; }
