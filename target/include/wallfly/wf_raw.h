// SPDX-License-Identifier: MIT
// Records put together field by field, for layouts that only the caller knows. Not for users: what
// is made of it (compat/qs.h) is.
#ifndef WF_RAW_H
#define WF_RAW_H

#include "wallfly/wf_records.h"

#ifdef __cplusplus
extern "C" {
#endif

// Begins a record without a stamp; wfi_end_held() ends it. Context: as for all here, the caller
// holds the critical section.
void wfi_raw_begin(unsigned record);
void wfi_raw_stamp(void); // the time of the record, where its layout wants it
void wfi_raw(uint64_t value, unsigned bytes);
void wfi_raw_text(const char *text); // up to its zero

#ifdef __cplusplus
}
#endif
#endif
