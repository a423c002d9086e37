// SPDX-License-Identifier: MIT
// Records made field by field, for layouts that only the caller knows. Not for users: use
// compat/qs.h, which is built on it.
#ifndef WF_RAW_H
#define WF_RAW_H

#include "wallfly/wf_records.h"

#ifdef __cplusplus
extern "C" {
#endif

// Begins a record without a stamp; wfi_end_held() ends it. Context of all functions here: the
// caller holds the critical section.
void wfi_raw_begin(unsigned record);
void wfi_raw_stamp(void); // adds the record's time where the layout has it
void wfi_raw(uint64_t value, unsigned bytes);
void wfi_raw_text(const char *text); // zero-terminated

#ifdef __cplusplus
}
#endif
#endif
