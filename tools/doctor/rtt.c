// SPDX-License-Identifier: MIT
// Diagnoses of an RTT server.

#include "doctor.h"

void doctor_rtt(struct doctor *d) { (void)d; }
