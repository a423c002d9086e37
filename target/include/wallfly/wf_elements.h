// SPDX-License-Identifier: MIT
// Application records: a time stamp and any number of typed elements, which any host can print
// without a description of the record.
//
//   WF_BEGIN(WF_USER + 1, id);    tests the filter, then holds the critical section until WF_END
//   wf_u8(1, n); wf_str("eating"); WF_END();
//
//   WF_RECORD(WF_USER + 1, id, WF_U8(1, n), WF_STR("eating"));    the same in one call
//
// If the record is filtered out, the elements are not evaluated. The _HELD forms are for callers
// that already hold the critical section. Only elements may stand between BEGIN and END. record:
// WF_USER + 0 .. 24; id: the QS-ID it belongs to. Context: any, interrupts included.
#ifndef WF_ELEMENTS_H
#define WF_ELEMENTS_H

#include "wallfly/wf_records.h"

#ifdef __cplusplus
extern "C" {
#endif

// WF_RECORD takes elements with capital names: wf_pack.h.
#define WF_RECORD(record, id, ...)                                                                 \
    do {                                                                                           \
        if (WFI_GATE(false, (record), (id))) {                                                     \
            WFI_RECORD((record), __VA_ARGS__);                                                     \
        }                                                                                          \
    } while (0)

// The width that prints an unsigned element in hexadecimal.
enum { WF_HEX = 15 };

#if !WF_CFG_SLOTS

#define WF_BEGIN(record, id)                                                                       \
    do {                                                                                           \
        if (WFI_GATE(false, (record), (id))) {                                                     \
            const uint32_t wfi_was = wfi_begin(record);
#define WF_END()                                                                                   \
    wfi_end(wfi_was);                                                                              \
    }                                                                                              \
    }                                                                                              \
    while (0)
#define WF_BEGIN_HELD(record, id)                                                                  \
    do {                                                                                           \
        if (WFI_GATE(true, (record), (id))) {                                                      \
            wfi_begin_held(record);
#define WF_END_HELD()                                                                              \
    wfi_end_held();                                                                                \
    }                                                                                              \
    }                                                                                              \
    while (0)

// Elements. width, 0..15: least number of characters (0: no padding); for floats: digits after the
// point; for i8: 0..7. 64-bit ones are printed in 2 * width + 2 characters. Context: between
// WF_BEGIN and WF_END.
void wf_i8(unsigned width, int8_t value);
void wf_u8(unsigned width, uint8_t value);
void wf_i16(unsigned width, int16_t value);
void wf_u16(unsigned width, uint16_t value);
void wf_i32(unsigned width, int32_t value);
void wf_u32(unsigned width, uint32_t value);
void wf_i64(unsigned width, int64_t value);
void wf_u64(unsigned width, uint64_t value);
void wf_f32(unsigned width, float value);
void wf_f64(unsigned width, double value);
static inline void wf_str(const char *text); // zero-terminated
void wf_mem(const void *bytes, uint8_t len);
void wf_sig(uint32_t sig, const void *obj); // obj: the object the signal belongs to, or null
void wf_obj(const void *obj);
void wf_fun(wf_function fun);
void wf_enum(unsigned group, uint8_t value); // group 0..7; WF_ENUM_DICTIONARY names the values

void wfi_text(const char *text);
void wfi_text_of(const char *text, uint32_t len); // len includes the zero

// The compiler knows the length of a literal.
static inline void wf_str(const char *text) {
    if (__builtin_constant_p(__builtin_strlen(text)))
        wfi_text_of(text, (uint32_t)__builtin_strlen(text) + 1);
    else
        wfi_text(text);
}

uint32_t wfi_begin(unsigned record);
uint32_t wfi_begin_for(unsigned record, unsigned len); // its elements have at least len bytes
void wfi_begin_held(unsigned record);
void wfi_end(uint32_t was);
void wfi_end_held(void);

#endif

#ifdef __cplusplus
}
#endif

#include "wallfly/wf_draft.h"
#include "wallfly/wf_pack.h"

#endif
