// SPDX-License-Identifier: MIT
// Application records: BEGIN takes the critical section and starts the frame in its place in the
// ring, each element is appended, END closes the frame. With WF_CFG_FAST an element that has room
// is stored in words.

#include "wfi_core.h"
#include "wfi_packed.h"

#if !WF_CFG_SLOTS

void wfi_begin_held(unsigned record) { wfi_begin_frame(record | WFI_TIMED); }

void wfi_end_held(void) { wfi_finish(); }

uint32_t wfi_begin(unsigned record) {
    uint32_t was = wf_port_lock();
    wfi_begin_held(record);
    return was;
}

#if !WF_CFG_FAST
uint32_t wfi_begin_for(unsigned record, unsigned len) {
    uint32_t was = wf_port_lock();
    wfi_begin_sized(record | WFI_TIMED, len);
    return was;
}
#endif

void wfi_end(uint32_t was) {
    wfi_end_held();
    wf_port_unlock(was);
}

#if WF_CFG_FAST
WFI_ALWAYS_INLINE void element(unsigned code, unsigned width, uint64_t value, unsigned bytes) {
    wfi_word words[9 / WFI_WORD + 1];
    WFI_UNROLL
    for (unsigned i = 0; i * WFI_WORD < 1 + bytes; ++i) words[i] = 0;
    wfi_lay(words, 0, code | width << 4, 1);
    wfi_lay(words, 1, value, bytes);
    wfi_put_laid(words, 1 + bytes);
}

#else
static void small_element(unsigned format, const uint8_t *value, unsigned bytes) {
    wfi_put_byte((uint8_t)format);
    wfi_put_bytes(value, bytes);
}

WFI_ALWAYS_INLINE void put_element(unsigned format, uint64_t value, unsigned bytes) {
    uint8_t in_order[8];
    wfi_put_le(in_order, value, bytes);
    small_element(format, in_order, bytes);
}

#if !WFI_EIGHT_BIT
WFI_ALWAYS_INLINE void element(unsigned code, unsigned width, uint64_t value, unsigned bytes) {
    put_element(code | width << 4, value, bytes);
}
#else
// Returns whether an element of so many bytes has room. Then it is stored with no further check and
// no call: these take an 8-bit CPU longer than the bytes.
static inline bool fits(unsigned bytes) {
    return (size_t)(wfi.stop - wfi.at) >= bytes && wfi.len + bytes <= WF_CFG_RECORD_MAX;
}

// Apart, so that element needs no place on the stack for the bytes.
static WFI_NOINLINE void put_low(unsigned format, uint32_t value, unsigned bytes) {
    uint8_t in_order[8];
    wfi_put_le(in_order, value, 4);
    small_element(format, in_order, bytes);
}

WFI_ALWAYS_INLINE void element(unsigned code, unsigned width, uint64_t value, unsigned bytes) {
    const uint8_t format = (uint8_t)(code | width << 4);
    const uint32_t low = (uint32_t)value;
    if (bytes > 4) {
        put_element(format, value, bytes);
    } else if (WFI_UNLIKELY(!fits(1 + bytes))) {
        put_low(format, low, bytes);
    } else {
        uint8_t *const at = wfi.at;
        uint8_t sum = (uint8_t)(wfi.sum + format + (uint8_t)low);
        at[0] = format;
        wfi_put_le(at + 1, low, bytes);
        if (bytes > 1) sum = (uint8_t)(sum + (uint8_t)(low >> 8));
        if (bytes > 2) sum = (uint8_t)(sum + (uint8_t)(low >> 16) + (uint8_t)(low >> 24));
        wfi.sum = sum;
        wfi.at = at + 1 + bytes;
        wfi.len = (uint16_t)(wfi.len + 1 + bytes);
    }
}
#endif
#endif

void wf_i8(unsigned width, int8_t value) { element(WF_EL_i8, width & 7, (uint8_t)value, 1); }
void wf_u8(unsigned width, uint8_t value) { element(WF_EL_u8, width, value, 1); }
void wf_i16(unsigned width, int16_t value) { element(WF_EL_i16, width, (uint16_t)value, 2); }
void wf_u16(unsigned width, uint16_t value) { element(WF_EL_u16, width, value, 2); }
void wf_i32(unsigned width, int32_t value) { element(WF_EL_i32, width, (uint32_t)value, 4); }
void wf_u32(unsigned width, uint32_t value) { element(WF_EL_u32, width, value, 4); }
void wf_i64(unsigned width, int64_t value) { element(WF_EL_i64, width, (uint64_t)value, 8); }
void wf_u64(unsigned width, uint64_t value) { element(WF_EL_u64, width, value, 8); }

void wf_f32(unsigned width, float value) { element(WF_EL_f32, width, wfi_f32_bits(value), 4); }
void wf_f64(unsigned width, double value) { element(WF_EL_f64, width, wfi_f64_bits(value), 8); }

void wfi_text_of(const char *text, uint32_t len) {
#if WFI_EIGHT_BIT
    if (WFI_LIKELY(len < WFI_PIECE_MAX && fits((unsigned)len + 1))) {
        const char *const end = text + len;
        uint8_t *at = wfi.at, sum = (uint8_t)(wfi.sum + WF_EL_str);
        *at++ = WF_EL_str;
        while (text != end) {
            uint8_t byte = (uint8_t)*text++;
            WFI_OPAQUE(byte); // no call of memcpy
            *at++ = byte;
            sum = (uint8_t)(sum + byte);
        }
        wfi.at = at;
        wfi.sum = sum;
        wfi.len = (uint16_t)(wfi.len + 1 + len);
        return;
    }
#endif
    wfi_put_byte(WF_EL_str);
    wfi_put_bytes(text, (unsigned)len);
}

void wfi_text(const char *text) { wfi_text_of(text, wfi_text_len(text)); }

void wf_mem(const void *bytes, uint8_t len) {
    wfi_put_byte(WF_EL_mem);
    wfi_put_byte(len);
    wfi_put_bytes(bytes, len);
}

void wf_sig(uint32_t sig, const void *obj) {
    element(WF_EL_sig, 0, sig, WF_CFG_SIG_SIZE);
    uint8_t in_order[8];
    wfi_put_le(in_order, (uintptr_t)obj, WF_CFG_OBJ_SIZE);
    wfi_put_bytes(in_order, WF_CFG_OBJ_SIZE);
}

void wf_obj(const void *obj) { element(WF_EL_obj, 0, (uintptr_t)obj, WF_CFG_OBJ_SIZE); }
void wf_fun(wf_function fun) { element(WF_EL_fun, 0, (uintptr_t)fun, WF_CFG_FUN_SIZE); }
void wf_enum(unsigned group, uint8_t value) { element(WF_EL_i8, 8 | (group & 7), value, 1); }

#if WF_CFG_FAST
#if WF_CFG_PACKED
void wfi_record_packed(const wfi_word *words, uint32_t what, wfi_word lanes) {
    (void)lanes; // the reader sums the frame
    wfi_put_words((what & 0xFFFF) | WFI_TIMED, words, what >> 16 & 0xFF);
}
#else
// A packed record passes through two functions, and a third if room must be made or its number and
// stamp are not in turn. Each ends by calling the next one, so that only one of them is on the
// stack. `what` gets the checksum in bits 24 and up.
enum { WFI_PACKED_MORE = 2 + WFI_HEAD_MAX + WFI_PACK_MAX };

// Bit of `what`: room must still be made; the number and stamp are those in turn.
enum { WFI_IN_TURN = 0x400 };

static inline uint32_t packed_len(uint32_t what) { return WFI_HEAD_MAX + (what >> 16 & 0xFF); }

static uint32_t packed_check(const wfi_word *words, uint32_t what, uint32_t count, wf_stamp now) {
    struct wfi_sum sum = {0, 0};
    wfi_word head[WFI_HEAD_WORDS] = {0};
    wfi_lay_head(head, what | WFI_TIMED, count, now);
    wfi_add_words(head, WFI_HEAD_MAX, &sum);
    wfi_add_words(words, WFI_PACK_MAX, &sum);
    return (uint8_t)~wfi_fold(sum);
}

// All words are stored, including those after the end, which are zero.
WFI_ALWAYS_INLINE void store_packed(const wfi_word *words, uint32_t what, uint32_t count,
                                    wf_stamp now) {
    wfi_word head[WFI_HEAD_WORDS] = {0};
    uint8_t *p = wfi.next + 1;
    wfi_lay_head(head, what | WFI_TIMED, count, now);
    wfi_store(p, head, WFI_HEAD_MAX);
    wfi_store(p + WFI_HEAD_MAX, words, WFI_PACK_MAX);
}

static WFI_NOINLINE void packed_later(const wfi_word *words, uint32_t what, uint32_t was) {
    if (!wfi_room(WFI_PACKED_MORE)) {
        wfi_put_slow((what & 0xFF00FF) | WFI_TIMED, words);
    } else {
        uint32_t check = what >> 24, count = wfi_turn_of(wfi.count_low, 0).count;
        if (!(what & WFI_IN_TURN)) {
            wfi_start_frame(what | WFI_TIMED);
            count = wfi.count_low;
            check = packed_check(words, what, count, wfi.last);
        }
        store_packed(words, what, count, wfi.last);
        wfi_end_made(packed_len(what), (uint8_t)check, count);
        if (!(what & WFI_IN_TURN)) wfi.wrapped = false;
    }
    wf_port_unlock(was);
}

static WFI_NOINLINE void put_packed(const wfi_word *words, uint32_t what, uint32_t seen,
                                    wf_stamp now) {
    const struct wfi_turn turn = wfi_turn_of(seen, now);
    uint32_t was = wf_port_lock();
    if (WFI_LIKELY(wfi_is_in_turn(&turn))) {
        wfi.last = now;
        what |= WFI_IN_TURN;
        if (WFI_LIKELY(wfi.limit - wfi.next >= WFI_PACKED_MORE)) {
            store_packed(words, what, turn.count, now);
            wfi_end_made(packed_len(what), (uint8_t)(what >> 24), turn.count);
            wf_port_unlock(was);
            return;
        }
    }
    packed_later(words, what, was);
}

// The fast path, as wfi_put_made; lanes: the sum of the words.
void wfi_record_packed(const wfi_word *words, uint32_t what, wfi_word lanes) {
    const struct wfi_turn turn = wfi_turn_of(WFI_SHARED(wfi.count_low), wf_port_now());
    struct wfi_sum sum = {lanes, lanes};
    wfi_word head[WFI_HEAD_WORDS] = {0};
    wfi_lay_head(head, what | WFI_TIMED, turn.count, turn.now);
    wfi_add_words(head, WFI_HEAD_MAX, &sum);
    put_packed(words, what | (uint32_t)(uint8_t)~wfi_fold(sum) << 24, turn.seen, turn.now);
}
#endif

void wfi_record_items(unsigned record, const struct wfi_item *items, unsigned count) {
    uint32_t was = wfi_begin(record);
    for (; count; --count, ++items) {
        switch (items->format & 15) {
        case WF_EL_str: wfi_text((const char *)items->more); break;
        case WF_EL_mem: wf_mem(items->more, (uint8_t)items->value); break;
        case WF_EL_sig: wf_sig((uint32_t)items->value, items->more); break;
        default: {
            uint8_t in_order[8];
            wfi_put_le(in_order, items->value, 8);
            wfi_put_byte(items->format);
            wfi_put_bytes(in_order, items->len);
        }
        }
    }
    wfi_end(was);
}
#endif
#endif
