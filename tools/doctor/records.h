// SPDX-License-Identifier: MIT
// Parts of the diagnosis of records.
#ifndef RECORDS_H
#define RECORDS_H

#include "seen.h"

// What has occurred, from the ledger (groups.c).
bool groups_any(const struct doctor_look *look); // a record that a filter can switch off
void groups_check(struct doctor *d);             // filters-off, groups-silent

void losses_check(struct doctor *d); // (losses.c)
void clock_check(struct doctor *d);  // (clock.c)

// Whether commands can be sent to the source.
bool records_commandable(const struct doctor *d);

#endif
