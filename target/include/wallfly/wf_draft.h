// SPDX-License-Identifier: MIT
// Application records of the slot recorder: WF_BEGIN declares a draft of the record on the caller's
// stack, the elements are added to it, and WF_END records it. Nothing is locked in between; but the
// elements must be in the same function as WF_BEGIN.
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
// Elements: a number, a zero-terminated text, a block.
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

// Numbers as for WF_RECORD (wf_pack.h).
#define WFI_NUMBER(code, width, bytes, value)                                                      \
    wfi_draft_number(&wfi_draft, (unsigned)(code) | (unsigned)(width) << 4, (value), (bytes))
#define wf_i8              WF_I8
#define wf_u8              WF_U8
#define wf_i16             WF_I16
#define wf_u16             WF_U16
#define wf_i32             WF_I32
#define wf_u32             WF_U32
#define wf_i64             WF_I64
#define wf_u64             WF_U64
#define wf_f32             WF_F32
#define wf_f64             WF_F64
#define wf_obj             WF_OBJ
#define wf_fun             WF_FUNC
#define wf_enum            WF_ENUM
#define wf_str(text)       wfi_draft_text(&wfi_draft, (text))
#define wf_mem(bytes, len) wfi_draft_mem(&wfi_draft, (bytes), (len))
#define wf_sig(sig, obj)   wfi_draft_sig(&wfi_draft, (sig), (obj))

#ifdef __cplusplus
}
#endif
#endif
#endif
