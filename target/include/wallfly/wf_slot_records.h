// SPDX-License-Identifier: MIT
// Inside; not for users. Predefined records as events of the slot recorder: the fields after the
// stamp are the event's bytes. Up to eight of them make one slot and are passed as one number,
// which the compiler builds at the call. wf_records.h includes this file.
#ifndef WF_SLOT_RECORDS_H
#define WF_SLOT_RECORDS_H

#include "wallfly/wf_fields.h"
#include "wallfly/wf_slots.h"

#if WF_CFG_SLOTS && WF_CFG_ON && defined WFI_PARAMS // WFI_PARAMS: of wf_records.h

// The head of a slot, with the number of unused bytes.
static inline uint32_t wfi_slot_record(unsigned id, uint32_t held, unsigned len) {
    return (uint32_t)WF_SLOT_CLASS_RECORD << WF_SLOT_CLASS_SHIFT | id | held |
           (uint32_t)(-len & 7) << WF_SLOT_UNUSED_SHIFT;
}

#define WFI_LAY(value, bytes)                                                                      \
    if (WFI_F_SHORT)                                                                               \
        word |= ((uint64_t)(value)&UINT64_MAX >> (64 - 8 * (bytes)))                               \
                << 8 * (WFI_F_SHORT ? at : 0);                                                     \
    else                                                                                           \
        for (unsigned k = 0; k < (bytes); ++k)                                                     \
            body[WFI_F_SHORT ? 0 : at + k] = (uint8_t)((uint64_t)(value) >> 8 * k);                \
    at += (bytes);

#define WFI_LAY_CORE
#define WFI_EMIT(function, HELD, id, layout, which)                                                \
    static inline void function(WFI_PARAMS(void WF_FIELDS_##layout(WFI_PARAM))) {                  \
        enum { WFI_F_LEN = 0 WF_FIELDS_##layout(WFI_BYTES) };                                      \
        enum { WFI_F_TAILS = 0 WF_FIELDS_##layout(WFI_TAILS), WFI_F_WHICH = (which) };             \
        enum { WFI_F_SHORT = !WFI_F_TAILS && WFI_F_LEN <= 8 };                                     \
        uint8_t body[WFI_F_SHORT ? 1 : WFI_F_LEN + 1];                                             \
        uint64_t word = 0;                                                                         \
        unsigned at = 0;                                                                           \
        const void *tail = NULL;                                                                   \
        unsigned tail_len = 0;                                                                     \
        WF_FIELDS_##layout(WFI_STORE)(void) at;                                                    \
        (void)body;                                                                                \
        if (WFI_F_SHORT)                                                                           \
            ((HELD) != 0 ? wfi_slot_short_held                                                     \
                         : wfi_slot_short)(wfi_slot_record((id), 0, WFI_F_LEN), word);             \
        else                                                                                       \
            wfi_slot_long(wfi_slot_record((id), (HELD), WFI_F_LEN + tail_len), body, WFI_F_LEN,    \
                          tail, tail_len);                                                         \
    }
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WFI_EMIT(wfi_emit_##name, 0, id, layout, WFI_WHICH_##host)                                     \
    WFI_EMIT(wfi_held_##name, WFI_SLOT_HELD, id, layout, WFI_WHICH_##host)
WF_RECORDS(WFI_X)
#undef WFI_X
#undef WFI_EMIT
#undef WFI_LAY
#undef WFI_LAY_CORE

#endif
#endif
