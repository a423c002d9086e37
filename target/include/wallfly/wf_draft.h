// SPDX-License-Identifier: MIT
// Application records of the slot recorder: WF_BEGIN keeps a draft of the record on the caller's
// stack, the elements go into it, and WF_END records it. So nothing is locked in between; but the
// elements must stand in the same function as WF_BEGIN.
#ifndef WF_DRAFT_H
#define WF_DRAFT_H

#include "wallfly/wf_records.h"

#if WF_CFG_SLOTS

#ifdef __cplusplus
extern "C" {
#endif

struct wfi_draft {
    uint32_t what, len;
    uint8_t bytes[(WF_CFG_DRAFT + 7) / 8 * 8]; // whole slots
};

void wfi_draft_begin(struct wfi_draft *draft, unsigned record);
void wfi_draft_end(struct wfi_draft *draft);
// Elements: a number, a text up to its zero, a block.
void wfi_draft_number(struct wfi_draft *draft, unsigned format, uint64_t value, unsigned bytes);
void wfi_draft_text(struct wfi_draft *draft, const char *text);
void wfi_draft_mem(struct wfi_draft *draft, const void *bytes, uint8_t len);
void wfi_draft_sig(struct wfi_draft *draft, uint32_t sig, const void *obj);

#define WFI_DRAFT(record)                                                                          \
    struct wfi_draft wfi_draft;                                                                    \
    wfi_draft_begin(&wfi_draft, (record));
#define WFI_BEGIN(held, record, id)                                                                \
    do {                                                                                           \
        if (WFI_GATE((held), (record), (id))) {                                                    \
        WFI_DRAFT((record) | ((held) ? (unsigned)WFI_HELD : 0))
#define WF_BEGIN(record, id)      WFI_BEGIN(false, (record), (id))
#define WF_BEGIN_HELD(record, id) WFI_BEGIN(true, (record), (id))
#define WF_END()                                                                                   \
    wfi_draft_end(&wfi_draft);                                                                     \
    }                                                                                              \
    }                                                                                              \
    while (0)
#define WF_END_HELD() WF_END()

#define WFI_ELEMENT(code, width, value, bytes)                                                     \
    wfi_draft_number(&wfi_draft, (unsigned)(code) | (unsigned)(width) << 4, (value), (bytes))
#define wf_i8(width, value)   WFI_ELEMENT(WF_EL_i8, (width)&7, (uint8_t)(int8_t)(value), 1)
#define wf_u8(width, value)   WFI_ELEMENT(WF_EL_u8, (width), (uint8_t)(value), 1)
#define wf_i16(width, value)  WFI_ELEMENT(WF_EL_i16, (width), (uint16_t)(int16_t)(value), 2)
#define wf_u16(width, value)  WFI_ELEMENT(WF_EL_u16, (width), (uint16_t)(value), 2)
#define wf_i32(width, value)  WFI_ELEMENT(WF_EL_i32, (width), (uint32_t)(int32_t)(value), 4)
#define wf_u32(width, value)  WFI_ELEMENT(WF_EL_u32, (width), (uint32_t)(value), 4)
#define wf_i64(width, value)  WFI_ELEMENT(WF_EL_i64, (width), (uint64_t)(int64_t)(value), 8)
#define wf_u64(width, value)  WFI_ELEMENT(WF_EL_u64, (width), (uint64_t)(value), 8)
#define wf_f32(width, value)  WFI_ELEMENT(WF_EL_f32, (width), wfi_draft_f32(value), 4)
#define wf_f64(width, value)  WFI_ELEMENT(WF_EL_f64, (width), wfi_draft_f64(value), 8)
#define wf_obj(obj)           WFI_ELEMENT(WF_EL_obj, 0, (uintptr_t)(obj), WF_CFG_OBJ_SIZE)
#define wf_fun(fun)           WFI_ELEMENT(WF_EL_fun, 0, (uintptr_t)(fun), WF_CFG_FUN_SIZE)
#define wf_enum(group, value) WFI_ELEMENT(WF_EL_i8, 8 | ((unsigned)(group)&7), (uint8_t)(value), 1)
#define wf_str(text)          wfi_draft_text(&wfi_draft, (text))
#define wf_mem(bytes, len)    wfi_draft_mem(&wfi_draft, (bytes), (len))
#define wf_sig(sig, obj)      wfi_draft_sig(&wfi_draft, (sig), (obj))

static inline uint64_t wfi_draft_f32(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t wfi_draft_f64(double value) {
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

#ifdef __cplusplus
}
#endif
#endif
#endif
