// SPDX-License-Identifier: MIT
// Records made field by field. The stamp is taken when the record begins, because the records in
// the ring are in the order of their stamps; it is written where the caller wants it.

#include "wfi_core.h"

#include "wallfly/wf_raw.h"

#if !WF_CFG_SLOTS

void wfi_raw_begin(unsigned record) { wfi_begin_frame(record); }

void wfi_raw_stamp(void) {
#if WF_CFG_TEST
    wfi.last = ++wfi.test_clock;
#endif
    wfi_raw(wfi.last, WF_CFG_TIME_SIZE);
}

void wfi_raw(uint64_t value, unsigned bytes) {
    uint8_t in_order[8];
    wfi_put_le(in_order, value, bytes);
    wfi_put_bytes(in_order, bytes);
}

void wfi_raw_text(const char *text) { wfi_put_bytes(text, wfi_text_len(text)); }
#endif
