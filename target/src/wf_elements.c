// SPDX-License-Identifier: MIT
// Application records are built where they will lie: BEGIN takes the critical section, elements go
// unescaped to the head of the ring, END looks them over a word at a time, adds checksum and flag,
// and only if something needs an escape spreads the bytes apart, from the back.
//
// As long as the record lies in one free piece of the ring (`raw` to `raw_end`), an element is one
// comparison and its stores. At the end of the piece it goes on byte by byte, across the wrap and
// pushing out old frames.

#include "wfi_core.h"

enum raw_state { RAW_PIECE, RAW_BYTES, RAW_FAILED };
// Room made at the start; word stores may overshoot; a record of the longest length just fits, with
// the flag behind it.
enum { RAW_START = 48, RAW_SLACK = 8, RAW_WINDOW = WF_CFG_RECORD_MAX + 1 + RAW_SLACK };

static uint32_t raw_len(void) {
    if (wfi.raw_state != RAW_PIECE) return wfi.raw_len;
    return (uint32_t)(wfi.raw - (wfi.ring + wfi.head));
}

// The window shuts; what follows goes byte by byte.
static void leave_piece(void) {
    if (wfi.raw_state != RAW_PIECE) return;
    wfi.raw_len = raw_len();
    wfi.raw_state = RAW_BYTES;
    wfi.raw = wfi.raw_end = wfi.ring;
}

static uint32_t at(uint32_t offset) {
    uint32_t i = wfi.head + offset;
    return i < wfi.cap ? i : i - wfi.cap;
}

static __attribute__((noinline)) void raw_bytes(const uint8_t *p, uint32_t len) {
    leave_piece();
    if (wfi.raw_state == RAW_FAILED) return;
    if (wfi.raw_len + len > WF_CFG_RECORD_MAX || !wfi_make_room(wfi.raw_len + len)) {
        wfi.raw_len += len;
        wfi.raw_state = RAW_FAILED;
        return;
    }
    for (uint32_t i = 0; i < len; ++i) wfi.ring[at(wfi.raw_len++)] = p[i];
}

// Room for n bytes in the window, and a word's overshoot?
static inline bool fits(uint32_t n) {
    return (size_t)(wfi.raw_end - wfi.raw) >= (size_t)n + RAW_SLACK;
}

static void element(unsigned code, unsigned width, uint64_t value, unsigned bytes) {
    uint8_t format = (uint8_t)(code | width << 4);
    if (fits(1 + bytes)) {
        uint8_t *to = wfi.raw;
        wfi.raw = to + 1 + bytes;
        *to = format;
        wfi_put_le(to + 1, value, bytes);
        return;
    }
    uint8_t all[1 + 8];
    all[0] = format;
    wfi_put_le(all + 1, value, bytes);
    raw_bytes(all, 1 + bytes);
}

static inline void copy(uint8_t *to, const uint8_t *from, uint32_t len) {
    for (; len >= WFI_WORD; len -= WFI_WORD) {
        wfi_word_to(to, wfi_word_at(from));
        to += WFI_WORD;
        from += WFI_WORD;
    }
    while (len--) *to++ = *from++;
}

static __attribute__((noinline)) void block(uint8_t format, const uint8_t *head, uint32_t head_len,
                                            const uint8_t *p, uint32_t len) {
    if (fits(1 + head_len + len)) {
        uint8_t *to = wfi.raw;
        *to++ = format;
        if (head_len) *to++ = *head;
        copy(to, p, len);
        wfi.raw = to + len;
        return;
    }
    raw_bytes(&format, 1);
    raw_bytes(head, head_len);
    raw_bytes(p, len);
}

void wfi_begin_held(unsigned record) {
    wf_stamp now = wf_port_now();
    bool good = wfi_next(now);
    wfi.raw_state = RAW_PIECE;
    if (wfi.room < RAW_START) {
        wfi_make_room(wfi.cap < RAW_START ? wfi.cap : RAW_START);
        wfi_refresh_room();
    }
    uint32_t window = wfi.room < RAW_WINDOW ? wfi.room : RAW_WINDOW;
    wfi.raw = wfi.ring + wfi.head;
    wfi.raw_end = wfi.raw + window;
    if (!good) {
        leave_piece();
        wfi.raw_state = RAW_FAILED;
    }
    uint8_t head[2 + WF_CFG_TIME_SIZE];
    bool piece = fits(sizeof head);
    uint8_t *to = piece ? wfi.raw : head;
    wfi_put_le(to, (wfi.count_low & 0xFF) | (uint64_t)record << 8, 2);
    wfi_put_le(to + 2, now, WF_CFG_TIME_SIZE);
    if (piece)
        wfi.raw += sizeof head;
    else
        raw_bytes(head, sizeof head);
}

// The usual end: one piece, no escape. False, with nothing changed, if it is not so.
static inline bool end_fast(void) {
    uint8_t *const start = wfi.ring + wfi.head, *const end = wfi.raw;
    const uint32_t len = (uint32_t)(end - start) + 2;
    wfi_word found = 0;
    struct wfi_sum sum = {0};
    if (!fits(2)) return false; // or the window was left
    wfi_word_to(end, 0);
    for (const uint8_t *p = start; p < end; p += WFI_WORD) {
        wfi_word w = wfi_word_at(p);
        found |= wfi_find(w);
        wfi_add(&sum, w);
    }
    uint8_t check = (uint8_t)~wfi_fold(sum);
    if (found || wfi_special(check)) return false;
    wfi_put_le(end, check | (uint32_t)WFI_FLAG << 8, 2);
    wfi.head += len;
    wfi.used += len;
    wfi.room -= len;
    return true;
}

// Any other: counted, spread apart from the back, or given up.
static __attribute__((noinline)) void end_slow(void) {
    leave_piece();
    uint32_t len = wfi.raw_len, more = 0;
    uint8_t sum = 0;
    for (uint32_t i = 0; i < len && wfi.raw_state != RAW_FAILED; ++i) {
        uint8_t byte = wfi.ring[at(i)];
        sum = (uint8_t)(sum + byte);
        more += wfi_special(byte);
    }
    uint8_t check = (uint8_t)~sum;
    uint32_t tail = wfi_special(check) ? 3 : 2;
    if (wfi.raw_state == RAW_FAILED || len >= WF_CFG_RECORD_MAX ||
        !wfi_make_room(len + more + tail)) {
        wfi_refuse(len + more + tail);
        return;
    }
    const uint32_t end = len + more + tail;
    uint32_t to = len + more;
    wfi.ring[at(to + tail - 1)] = WFI_FLAG;
    wfi.ring[at(to + tail - 2)] = tail == 3 ? check ^ WFI_ESC_XOR : check;
    if (tail == 3) wfi.ring[at(to)] = WFI_ESC;
    for (uint32_t i = len; more && i-- > 0;) {
        uint8_t byte = wfi.ring[at(i)];
        bool special = wfi_special(byte);
        wfi.ring[at(--to)] = special ? byte ^ WFI_ESC_XOR : byte;
        if (!special) continue;
        wfi.ring[at(--to)] = WFI_ESC;
        --more;
    }
    wfi.head = at(end);
    wfi.used += end;
    wfi_refresh_room();
}

void wfi_end_held(void) {
    if (!end_fast()) end_slow();
}

uint32_t wfi_begin(unsigned record) {
    uint32_t was = wf_port_lock();
    wfi_begin_held(record);
    return was;
}

void wfi_end(uint32_t was) {
    wfi_end_held();
    wf_port_unlock(was);
}

void wf_i8(unsigned width, int8_t value) { element(WF_EL_i8, width & 7, (uint8_t)value, 1); }
void wf_u8(unsigned width, uint8_t value) { element(WF_EL_u8, width, value, 1); }
void wf_i16(unsigned width, int16_t value) { element(WF_EL_i16, width, (uint16_t)value, 2); }
void wf_u16(unsigned width, uint16_t value) { element(WF_EL_u16, width, value, 2); }
void wf_i32(unsigned width, int32_t value) { element(WF_EL_i32, width, (uint32_t)value, 4); }
void wf_u32(unsigned width, uint32_t value) { element(WF_EL_u32, width, value, 4); }
void wf_i64(unsigned width, int64_t value) { element(WF_EL_i64, width, (uint64_t)value, 8); }
void wf_u64(unsigned width, uint64_t value) { element(WF_EL_u64, width, value, 8); }

void wf_f32(unsigned width, float value) {
    union {
        float f;
        uint32_t bits;
    } v = {value};
    element(WF_EL_f32, width, v.bits, 4);
}

// Where double has 4 bytes (AVR) it is widened by hand.
static uint64_t double_bits(double value) {
    union {
        double d;
        uint64_t bits;
        uint32_t narrow;
    } v = {.bits = 0};
    v.d = value;
    if (sizeof value == 8) return v.bits;
    uint64_t sign = (uint64_t)(v.narrow >> 31) << 63, part = (uint64_t)(v.narrow & 0x7FFFFF) << 29;
    uint32_t power = v.narrow >> 23 & 0xFF;
    if (power == 0) return sign;
    uint64_t wide = power == 0xFF ? 0x7FF : (uint64_t)power - 127 + 1023;
    return sign | wide << 52 | part;
}

void wf_f64(unsigned width, double value) { element(WF_EL_f64, width, double_bits(value), 8); }

void wfi_text_of(const char *text, uint32_t len) {
    if (!fits(1 + len)) {
        block(WF_EL_str, NULL, 0, (const uint8_t *)text, len);
        return;
    }
    uint8_t *to = wfi.raw;
    wfi.raw = to + 1 + len;
    *to = WF_EL_str;
    copy(to + 1, (const uint8_t *)text, len);
}

void wfi_text(const char *text) {
    uint32_t len = 0;
    while (text[len]) ++len;
    wfi_text_of(text, len + 1);
}

void wf_mem(const void *bytes, uint8_t len) {
    block(WF_EL_mem, &len, 1, (const uint8_t *)bytes, len);
}

void wf_sig(uint32_t sig, const void *obj) {
    element(WF_EL_sig, 0, sig, WF_CFG_SIG_SIZE);
    uint8_t o[8];
    wfi_put_le(o, (uintptr_t)obj, WF_CFG_OBJ_SIZE);
    if (fits(WF_CFG_OBJ_SIZE)) {
        wfi_put_le(wfi.raw, (uintptr_t)obj, WF_CFG_OBJ_SIZE);
        wfi.raw += WF_CFG_OBJ_SIZE;
    } else {
        raw_bytes(o, WF_CFG_OBJ_SIZE);
    }
}

void wf_obj(const void *obj) { element(WF_EL_obj, 0, (uintptr_t)obj, WF_CFG_OBJ_SIZE); }
void wf_fun(wf_function fun) { element(WF_EL_fun, 0, (uintptr_t)fun, WF_CFG_FUN_SIZE); }
void wf_enum(unsigned group, uint8_t value) { element(WF_EL_i8, 8 | (group & 7), value, 1); }

#if WF_CFG_FAST
void wfi_record_packed(uint64_t w0, uint64_t w1, uint64_t w2, uint32_t what, uint64_t all,
                       uint64_t even) {
    const wfi_word words[WFI_PACK_WORDS] = {w0, w1, w2};
    const struct wfi_sum sum = {all, even};
    wfi_word spill[WFI_PACK_WORDS];
    wfi_put_looked(false, (what & 0xFF) | WFI_TIMED, words, what >> 8 & 0xFF, WFI_PACK_MAX, spill,
                   what >> 16, sum);
}

void wfi_record_items(unsigned record, const struct wfi_item *items, unsigned count) {
    uint32_t was = wfi_begin(record);
    for (; count; --count, ++items) {
        switch (items->format & 15) {
        case WF_EL_str: wfi_text((const char *)items->more); break;
        case WF_EL_mem: wf_mem(items->more, (uint8_t)items->value); break;
        case WF_EL_sig: wf_sig((uint32_t)items->value, items->more); break;
        default: element(items->format & 15, items->format >> 4, items->value, items->len);
        }
    }
    wfi_end(was);
}
#endif
