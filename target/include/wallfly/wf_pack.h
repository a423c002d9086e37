// SPDX-License-Identifier: MIT
// The elements of WF_RECORD: WF_U8(width, value), WF_STR(text) and so on, with the arguments of the
// functions of the same names in wf_elements.h.
//
// With WF_CFG_FAST 1, a record whose elements have a size known to the compiler (numbers, literals,
// up to 24 bytes) is packed into three words at the call and takes the fast path of predefined
// records. All other records, and all records without WF_CFG_FAST, are made element by element;
// on 8-bit CPUs room for the elements of known size is made before the first one.
#ifndef WF_PACK_H
#define WF_PACK_H

#include "wallfly/wf_elements.h"

#ifdef __cplusplus
extern "C" {
#endif

#if WF_CFG_FAST || WF_CFG_SLOTS
// WFI_NUMBER(code, width, bytes, value) makes an item of WF_CFG_FAST, or adds to the draft.
#define WF_I8(width, value)   WFI_NUMBER(WF_EL_i8, (width)&7, 1, (uint8_t)(int8_t)(value))
#define WF_U8(width, value)   WFI_NUMBER(WF_EL_u8, width, 1, (uint8_t)(value))
#define WF_I16(width, value)  WFI_NUMBER(WF_EL_i16, width, 2, (uint16_t)(int16_t)(value))
#define WF_U16(width, value)  WFI_NUMBER(WF_EL_u16, width, 2, (uint16_t)(value))
#define WF_I32(width, value)  WFI_NUMBER(WF_EL_i32, width, 4, (uint32_t)(int32_t)(value))
#define WF_U32(width, value)  WFI_NUMBER(WF_EL_u32, width, 4, (uint32_t)(value))
#define WF_I64(width, value)  WFI_NUMBER(WF_EL_i64, width, 8, (uint64_t)(int64_t)(value))
#define WF_U64(width, value)  WFI_NUMBER(WF_EL_u64, width, 8, (uint64_t)(value))
#define WF_F32(width, value)  WFI_NUMBER(WF_EL_f32, width, 4, wfi_f32_bits(value))
#define WF_F64(width, value)  WFI_NUMBER(WF_EL_f64, width, 8, wfi_f64_bits(value))
#define WF_OBJ(obj)           WFI_NUMBER(WF_EL_obj, 0, WF_CFG_OBJ_SIZE, (uintptr_t)(obj))
#define WF_FUNC(fun)          WFI_NUMBER(WF_EL_fun, 0, WF_CFG_FUN_SIZE, (uintptr_t)(fun))
#define WF_ENUM(group, value) WFI_NUMBER(WF_EL_i8, 8 | ((unsigned)(group)&7), 1, (uint8_t)(value))
#else
#define WF_I8(width, value)   WFI_STEP(1, wf_i8((width), (int8_t)(value)))
#define WF_U8(width, value)   WFI_STEP(1, wf_u8((width), (uint8_t)(value)))
#define WF_I16(width, value)  WFI_STEP(2, wf_i16((width), (int16_t)(value)))
#define WF_U16(width, value)  WFI_STEP(2, wf_u16((width), (uint16_t)(value)))
#define WF_I32(width, value)  WFI_STEP(4, wf_i32((width), (int32_t)(value)))
#define WF_U32(width, value)  WFI_STEP(4, wf_u32((width), (uint32_t)(value)))
#define WF_I64(width, value)  WFI_STEP(8, wf_i64((width), (int64_t)(value)))
#define WF_U64(width, value)  WFI_STEP(8, wf_u64((width), (uint64_t)(value)))
#define WF_F32(width, value)  WFI_STEP(4, wf_f32((width), (float)(value)))
#define WF_F64(width, value)  WFI_STEP(8, wf_f64((width), (double)(value)))
#define WF_OBJ(obj)           WFI_STEP(WF_CFG_OBJ_SIZE, wf_obj(obj))
#define WF_FUNC(fun)          WFI_STEP(WF_CFG_FUN_SIZE, wf_fun((wf_function)(fun)))
#define WF_ENUM(group, value) WFI_STEP(1, wf_enum((group), (uint8_t)(value)))
#endif

#if !WF_CFG_FAST

#if WF_CFG_SLOTS
#define WFI_RECORD(record, ...)                                                                    \
    WFI_DRAFT(record)                                                                              \
    (__VA_ARGS__);                                                                                 \
    wfi_draft_end(&wfi_draft)

#define WF_STR(text)       wf_str(text)
#define WF_MEM(bytes, len) wf_mem((bytes), (uint8_t)(len))
#define WF_SIG(sig, obj)   wf_sig((uint32_t)(sig), (obj))

#else

// The elements appear twice: first only their bytes are added up, as far as the compiler knows
// them, and nothing is evaluated; so there is room for all elements before the first one.
#if !WF_CFG_WORDS && !defined __OPTIMIZE_SIZE__ // as WFI_EIGHT_BIT
#define WFI_RECORD(record, ...)                                                                    \
    unsigned wfi_len = 0;                                                                          \
    {                                                                                              \
        enum { WFI_COUNTS = 1 };                                                                   \
        (__VA_ARGS__);                                                                             \
    }                                                                                              \
    enum { WFI_COUNTS = 0 };                                                                       \
    const uint32_t wfi_was = wfi_begin_for((record), wfi_len);                                     \
    (__VA_ARGS__);                                                                                 \
    wfi_end(wfi_was)
#define WFI_STEP(bytes, call) (WFI_COUNTS ? (void)(wfi_len += 1u + (bytes)) : (call))
#else
#define WFI_RECORD(record, ...)                                                                    \
    const uint32_t wfi_was = wfi_begin(record);                                                    \
    (__VA_ARGS__);                                                                                 \
    wfi_end(wfi_was)
#define WFI_STEP(bytes, call) (call)
#endif

#define WFI_LITERAL(text)                                                                          \
    (__builtin_constant_p(__builtin_strlen(text)) ? (unsigned)__builtin_strlen(text) + 1 : 0)
#define WF_STR(text)       WFI_STEP(WFI_LITERAL(text), wf_str(text))
#define WF_MEM(bytes, len) WFI_STEP(1, wf_mem((bytes), (uint8_t)(len)))
#define WF_SIG(sig, obj)   WFI_STEP(WF_CFG_SIG_SIZE + WF_CFG_OBJ_SIZE, wf_sig((uint32_t)(sig), (obj)))
#endif

#else

struct wfi_item {
    uint64_t value;
    const void *more; // a text, the bytes of a block, the object of a signal
    uint32_t len;     // bytes after the format byte; 0: not known here
    uint8_t format;
};

enum { WFI_PACK_MAX = 24, WFI_PACK_WORDS = WFI_PACK_MAX / sizeof(wfi_word) };

#define WFI_NUMBER(code, width, bytes, value)                                                      \
    { (value), NULL, (bytes), (uint8_t)((code) | ((unsigned)(width)&15) << 4) }
#define WF_STR(text)                                                                               \
    { 0, (text), wfi_literal_len(text), WF_EL_str }
#define WF_MEM(bytes, len)                                                                         \
    { (uint8_t)(len), (bytes), 0, WF_EL_mem }
#define WF_SIG(sig, obj)                                                                           \
    { (uint32_t)(sig), (obj), 0, WF_EL_sig }

// Length of a literal, including its zero; 0 if it is known only at run time.
static inline __attribute__((always_inline)) uint32_t wfi_literal_len(const char *text) {
    return __builtin_constant_p(__builtin_strlen(text)) ? (uint32_t)__builtin_strlen(text) + 1 : 0;
}

// what: the record; bits 16 and up: the length.
void wfi_record_packed(const wfi_word *words, uint32_t what, wfi_word lanes);
void wfi_record_items(unsigned record, const struct wfi_item *items, unsigned count);

#define WFI_FOLDS static inline __attribute__((always_inline))

// Bytes k .. k + 7 of a text of len bytes. No loops, so that the compiler folds a literal.
WFI_FOLDS uint64_t wfi_text_byte(const char *text, uint32_t k, uint32_t len, unsigned i) {
    return k + i < len ? (uint64_t)(uint8_t)text[k + i] << 8 * i : 0;
}

WFI_FOLDS uint64_t wfi_text_word(const char *text, uint32_t k, uint32_t len) {
    return wfi_text_byte(text, k, len, 0) | wfi_text_byte(text, k, len, 1) |
           wfi_text_byte(text, k, len, 2) | wfi_text_byte(text, k, len, 3) |
           wfi_text_byte(text, k, len, 4) | wfi_text_byte(text, k, len, 5) |
           wfi_text_byte(text, k, len, 6) | wfi_text_byte(text, k, len, 7);
}

WFI_FOLDS void wfi_lay_text(wfi_word *words, uint32_t at, const char *text, uint32_t k,
                            uint32_t len) {
    if (len > k) wfi_lay(words, at, wfi_text_word(text, k, len), len - k < 8 ? len - k : 8);
}

// Adds one item at *at. Returns false when it does not fit or its length is not known.
WFI_FOLDS bool wfi_pack_item(wfi_word *words, uint32_t *at, const struct wfi_item *e) {
    const char *text = (const char *)e->more;
    if (!e->len || *at + 1 + e->len > WFI_PACK_MAX) return false;
    wfi_lay(words, *at, e->format, 1);
    if (!text) {
        wfi_lay(words, *at + 1, e->value, e->len);
    } else {
        wfi_lay_text(words, *at + 1, text, 0, e->len);
        wfi_lay_text(words, *at + 9, text, 8, e->len);
        wfi_lay_text(words, *at + 17, text, 16, e->len);
    }
    *at += 1 + e->len;
    return true;
}

// Adds eight bytes to the sum.
WFI_FOLDS void wfi_add_eight(struct wfi_sum *sum, const wfi_word *words, unsigned at) {
    const wfi_word *w = words + at / sizeof *words;
    wfi_add(sum, w[0]);
    if (sizeof *w < 8) wfi_add(sum, w[1]);
}

// Up to five items in 24 bytes. No loop either: everything but the values folds to constants.
WFI_FOLDS void wfi_record(unsigned record, const struct wfi_item *e, unsigned count) {
    wfi_word words[WFI_PACK_WORDS] = {0};
    uint32_t at = 0;
    bool packs = count <= 5 && wfi_pack_item(words, &at, e);
    if (count > 1) packs = packs && wfi_pack_item(words, &at, e + 1);
    if (count > 2) packs = packs && wfi_pack_item(words, &at, e + 2);
    if (count > 3) packs = packs && wfi_pack_item(words, &at, e + 3);
    if (count > 4) packs = packs && wfi_pack_item(words, &at, e + 4);
    if (packs && WF_CFG_PACKED) {
        wfi_record_packed(words, record | at << 16, 0); // the reader sums the frame
    } else if (packs) {
        struct wfi_sum sum = {0, 0};
        wfi_add_eight(&sum, words, 0);
        wfi_add_eight(&sum, words, 8);
        wfi_add_eight(&sum, words, 16);
        wfi_record_packed(words, record | at << 16, wfi_lanes(sum));
    } else {
        wfi_record_items(record, e, count);
    }
}

#define WFI_RECORD(record, ...)                                                                    \
    const struct wfi_item wfi_items[] = {__VA_ARGS__};                                             \
    wfi_record((record), wfi_items, (unsigned)(sizeof wfi_items / sizeof *wfi_items))

#endif

#ifdef __cplusplus
}
#endif
#endif
