// SPDX-License-Identifier: MIT
// Predefined records, made from schema/wf_schema.h: docs/records.md lists them with their fields.
//
//   WF_REC(name, id, fields...)   e.g.
//       WF_REC(active_post, prio, sender, sig, obj, pool, ref, free, min);
//   WF_REC0(name, id)             for a record without fields
//
// The fields are those of the record in order, without the time, which the recorder adds. Objects
// are pointers, functions wf_function (see WF_FUN), texts zero-terminated. id is the record's
// QS-ID. The filters are tested first: the fields are evaluated only if the record is made.
// Context: any, interrupts included; the macros take the critical section. The _HELD forms are for
// callers that already hold it.
#ifndef WF_RECORDS_H
#define WF_RECORDS_H

#include "wallfly/wf_recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

#if !WF_CFG_ON
#define WFI_GATE(held, record, id) (0 && (id))
#elif WF_CFG_TRIGGER
static inline bool wfi_gate(bool held, unsigned record, unsigned id) {
    return wfi_on(record, id) && (!wfi.trigger.armed || wfi_trigger_asked(held, record, id));
}
#define WFI_GATE(held, record, id) wfi_gate((held), (record), (unsigned)(id))
#else
#define WFI_GATE(held, record, id) wfi_on((record), (unsigned)(id))
#endif

#define WF_REC(name, id, ...)                                                                      \
    do {                                                                                           \
        if (WFI_GATE(false, WF_ID_##name, (id))) wfi_emit_##name(__VA_ARGS__);                     \
    } while (0)
#define WF_REC0(name, id)                                                                          \
    do {                                                                                           \
        if (WFI_GATE(false, WF_ID_##name, (id))) wfi_emit_##name();                                \
    } while (0)
#define WF_REC_HELD(name, id, ...)                                                                 \
    do {                                                                                           \
        if (WFI_GATE(true, WF_ID_##name, (id))) wfi_held_##name(__VA_ARGS__);                      \
    } while (0)
#define WF_REC0_HELD(name, id)                                                                     \
    do {                                                                                           \
        if (WFI_GATE(true, WF_ID_##name, (id))) wfi_held_##name();                                 \
    } while (0)

// Parameter of a field, by its type.
#define WFI_P_TIME(f)
#define WFI_P_ELEMS(f)
#define WFI_P_OBJ(f) , const void *f
#define WFI_P_FUN(f) , wf_function f
#define WFI_P_SIG(f) , uint32_t f
#define WFI_P_EVS(f) , uint32_t f
#define WFI_P_EQC(f) , uint32_t f
#define WFI_P_MPC(f) , uint32_t f
#define WFI_P_MPS(f) , uint32_t f
#define WFI_P_TEC(f) , uint32_t f
#define WFI_P_WHICH(f)
#define WFI_P_CORE(f)
#define WFI_P_U8(f)                 , uint8_t f
#define WFI_P_U16(f)                , uint16_t f
#define WFI_P_U32(f)                , uint32_t f
#define WFI_P_U64(f)                , uint64_t f
#define WFI_P_BUILD(f)              , const uint8_t *f
#define WFI_P_STR(f)                , const char *f
#define WFI_P_ITEMS(f)              , const void *f
#define WFI_PARAM(name, type, kind) WFI_P_##type(name)

// A list of fields begins with a comma: drops the argument before it, unless that is the only one.
#define WFI_PARAMS(...)                                                                            \
    WFI_25TH(__VA_ARGS__, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, A,  \
             0)                                                                                    \
    (__VA_ARGS__)
#define WFI_25TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, ...)   \
    WFI_PARAMS_##y
#define WFI_PARAMS_R(first, ...) __VA_ARGS__
#define WFI_PARAMS_A(first)      first

#include "wallfly/wf_slot_records.h" // the slot recorder makes its records at the call

#if !WF_CFG_SLOTS || !WF_CFG_ON
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    void wfi_emit_##name(WFI_PARAMS(void WF_FIELDS_##layout(WFI_PARAM)));                          \
    void wfi_held_##name(WFI_PARAMS(void WF_FIELDS_##layout(WFI_PARAM)));
WF_RECORDS(WFI_X)
#undef WFI_X
#endif

#ifdef __cplusplus
}
#endif
#endif
