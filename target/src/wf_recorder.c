// SPDX-License-Identifier: MIT
// Numbers, time, and the records about the stream itself: START, TARGET_INFO and SYNC.

#include "wfi_core.h"
#include "wfi_packed.h"

#if !WF_CFG_SLOTS

// The number of records made; events of an open packed frame are not counted yet.
static uint64_t count_now(void) { return (uint64_t)wfi.count_high << 32 | wfi.count_low; }

// Puts a SYNC before the next record; the reader adds its fields. It stays due only if no record
// fits into the ring.
WFI_NOINLINE void wfi_record_sync(void) {
    wfi.sync_due = false;
    if (!WF_CFG_SYNC) return;
    uint8_t sync[2 + WFI_SYNC_KEPT] = {(uint8_t)(wfi.count_low + 1), WF_ID_sync, wfi.wrapped};
    wfi_put_le(sync + 3, wfi.last, WF_CFG_TIME_SIZE);
    if (WFI_SMALL || !wfi_put_frame(sync, sizeof sync)) {
        wfi_open();
        wfi_put_bytes(sync, sizeof sync);
        wfi_close();
        if (wfi.sync_due) return;
    }
    wfi_count_by(1);
    wfi.wrapped = false;
}

// Counts a record, and before it the numbers left out for the SYNCs that the reader makes: the
// multiples of 256, and another one where the stamp wraps. With packed frames all SYNCs are in the
// ring, and no number is left out.
static inline void number_record(void) {
    uint8_t left_out = 0;
#if WFI_LITTLE && WFI_EIGHT_BIT
    // Nearly always only the low byte of the count changes; an 8-bit CPU leaves the others alone.
    uint8_t *const low = (uint8_t *)&wfi.count_low;
    const uint8_t number = (uint8_t)(*low + 1);
    if (WFI_LIKELY(number && !wfi.wrapped)) {
        wfi.left_out = 0;
        *low = number;
        return;
    }
#endif
    if (WF_CFG_SYNC && !WF_CFG_PACKED && !wfi.sync_due) {
        const uint8_t next = (uint8_t)(wfi.count_low + 1);
        left_out = next == 0;
        if (wfi.wrapped) left_out = (uint8_t)(left_out + 1 + (next == 0xFF));
    }
    wfi.left_out = left_out;
    wfi_count_by(left_out + 1u);
}

void wfi_start_frame(unsigned what) {
    (void)what; // used in test builds only
#if WF_CFG_PACKED
    wfi_close_packed();
#endif
    wfi_follow_clock(WFI_NOW(what));
    if (wfi.sync_due || (WF_CFG_PACKED && wfi.wrapped))
        wfi_record_sync(); // it reports the wrap, too
    number_record();
}

#if WF_CFG_FAST
static WFI_NOINLINE void put_head(unsigned what) {
    wfi_word head[WFI_HEAD_WORDS] = {0};
    wfi_lay_head(head, what, wfi.count_low, wfi.last);
    wfi_put_laid(head, what & WFI_TIMED ? WFI_HEAD_MAX : 2);
}

void wfi_begin_frame(unsigned what) {
    if (WFI_BEGIN_EVENT(what)) return;
    wfi_start_frame(what);
    wfi_open();
    put_head(what);
}
#endif

#if !WFI_SMALL
static WFI_NOINLINE void count_refused(void); // else wfi_finish would save registers for it
#endif

// Counts a refused record, and reports it.
static void count_refused(void) {
    // The numbers after the last frame are those of refused records.
    wfi.count_high -= wfi.count_low < wfi.left_out;
    WFI_SHARE(wfi.count_low, wfi.count_low - wfi.left_out);
    ++wfi.refused;
    wfi.lost_bytes += wfi.len + 1u;
    wfi_record_sync(); // now, so that the next record need not
}

void wfi_finish(void) {
    if (WFI_MAKING_EVENT) {
        wfi_finish_event();
        return;
    }
    wfi_close();
    if (!wfi.sync_due) {
        wfi.wrapped = false;
        return;
    }
    count_refused();
}

void wfi_put(unsigned what, const void *body, unsigned len, const void *tail, unsigned tail_len) {
    uint32_t was = WFI_LOCK(what);
    wfi_begin_frame(what);
    if (len) wfi_put_bytes(body, len);
    if (tail_len) wfi_put_bytes(tail, tail_len);
    wfi_finish();
    WFI_UNLOCK(what, was);
}

#if WF_CFG_FAST
// The clock has wrapped, and no other record was made since the stamp was taken. The stamp stays;
// the frame's number skips one for the wrap, by the rule of number_record.
WFI_ALWAYS_INLINE void end_wrapped(uint8_t *frame, uint32_t len, uint32_t check, uint32_t seen) {
    const uint8_t number = frame[0];
    uint32_t count = seen + 1;
    if (WF_CFG_SYNC && (uint8_t)++count <= 1) { // a multiple of 256 is skipped as well
        if (++count < seen) ++wfi.count_high;
    }
    wfi.last = wfi_stamp_at(frame + 2);
    ++wfi.wraps;
    frame[0] = (uint8_t)count;
    wfi_end_made(len, (uint8_t)(check + number - frame[0]), count);
}

void wfi_end_anew(uint32_t what, uint32_t len, uint32_t check, uint32_t seen) {
    uint8_t *p = wfi.next + 1;
    const wf_stamp now = wf_port_now();
    // A stamp below the last one is a wrap only if the clock, read again, is also below it.
    // Otherwise the stamp was taken before that of another core.
    if (seen == wfi.count_low && (what & WFI_TIMED) && now < wfi.last &&
        wfi_stamp_at(p + 2) <= now) {
        end_wrapped(p, len, check, seen);
        return;
    }
    wfi_follow_clock(now);
    number_record();
    check += p[0] - (wfi.count_low & 0xFF);
    p[0] = (uint8_t)wfi.count_low;
    if (what & WFI_TIMED) {
        wf_stamp rest = now;
        p += 2;
        WFI_UNROLL
        for (unsigned i = 0; i < WF_CFG_TIME_SIZE;
             ++i, ++p, rest = (wf_stamp)((uint64_t)rest >> 8)) {
            check += *p - (uint32_t)(uint8_t)rest;
            *p = (uint8_t)rest;
        }
    }
    wfi_end_made(len, (uint8_t)check, wfi.count_low);
    wfi.wrapped = false;
}

// Puts the head directly before the body, and writes the frame.
static void put_behind_head(uint32_t what, uint8_t *body) {
    const unsigned head_len = what & WFI_TIMED ? WFI_HEAD_MAX : 2;
    wfi_start_frame(what);
    wfi_put_le(body - head_len, (wfi.count_low & 0xFF) | (what & 0xFF) << 8, 2);
    if (what & WFI_TIMED) wfi_put_le(body - WF_CFG_TIME_SIZE, wfi.last, WF_CFG_TIME_SIZE);
    wfi_open();
    wfi_put_bytes(body - head_len, head_len + (what >> 16));
    wfi_finish();
}

void wfi_put_slow(uint32_t what, const wfi_word *words) {
    wfi_word frame[WFI_HEAD_WORDS + WFI_PACK_WORDS];
    for (unsigned i = 0; i < WFI_PACK_WORDS; ++i) frame[WFI_HEAD_WORDS + i] = words[i];
    put_behind_head(what, (uint8_t *)(frame + WFI_HEAD_WORDS));
}

// frame: room for the head, then words; the body begins inside the first one.
static void put_slow_words(uint32_t what, uint32_t was, wfi_word *frame) {
    put_behind_head(what, (uint8_t *)(frame + WFI_HEAD_WORDS) + (what >> 12 & 7));
    WFI_UNLOCK(what, was);
}

// Not initialized, which would take a call of memset for the head.
#define WFI_BEHIND_HEAD(count)                                                                     \
    wfi_word frame[WFI_HEAD_WORDS + (count)], *const w = frame + WFI_HEAD_WORDS

void wfi_put_slow_2(uint32_t what, uint32_t was, wfi_word a, wfi_word b) {
    WFI_BEHIND_HEAD(2);
    w[0] = a, w[1] = b;
    put_slow_words(what, was, frame);
}

void wfi_put_slow_4(uint32_t what, uint32_t was, wfi_word a, wfi_word b, wfi_word c, wfi_word d) {
    WFI_BEHIND_HEAD(4);
    w[0] = a, w[1] = b, w[2] = c, w[3] = d;
    put_slow_words(what, was, frame);
}

void wfi_put_slow_8(uint32_t what, uint32_t was, wfi_word a, wfi_word b, wfi_word c, wfi_word d,
                    wfi_word e, wfi_word f, wfi_word g, wfi_word h) {
    WFI_BEHIND_HEAD(8);
    w[0] = a, w[1] = b, w[2] = c, w[3] = d, w[4] = e, w[5] = f, w[6] = g, w[7] = h;
    put_slow_words(what, was, frame);
}
#endif

void wf_target_info(uint8_t reset) {
    enum { WFI_VERSION = WF_CFG_QS_VERSION | (WFI_LITTLE ? 0 : 0x8000) };
    static const uint8_t fixed[] = {
        WFI_VERSION & 0xFF,
        WFI_VERSION >> 8,
        WFI_SIZES // with its comma
            WF_CFG_MAX_ACTIVE,
        WF_CFG_MAX_POOLS | WF_CFG_MAX_RATES << 4,
    };
    uint32_t was = wf_port_lock();
    wfi_begin_frame(WF_ID_target_info);
    wfi_put_byte(reset);
    wfi_put_bytes(fixed, sizeof fixed);
    wfi_put_bytes(wfi.config->built, 6);
    wfi_finish();
    wf_port_unlock(was);
}

bool wf_start(const struct wf_config *config) {
    uint32_t size = config->ring_size < WF_RING_MIN ? 1 : config->ring_size; // one is never used
    bool good = size != 1;
    bool kept = WF_CFG_BOX && good && config->keep && wfi_box_keep(config);
    uint32_t was;
    if (!kept) {
        wfi_fill(&wfi, sizeof wfi, 0);
        wfi.config = config;
        wfi.ring = wfi.next = wfi.limit = wfi.tail = wfi.sent = config->ring;
        wfi.turn = wfi.ring_end = config->ring + size;
        if (good) wfi.ring_end[-1] = WFI_FLAG; // a frame begins at the tail
#if WF_CFG_PACKED
        wfi_start_packed();
#endif
        if (WF_CFG_BOX) wfi_box_seal();
        was = wf_port_lock();
        wfi.last = WFI_NOW(0);
        wfi_begin_frame(WF_ID_empty);
        wfi_finish();
        wf_port_unlock(was);
    }
    wfi_filter_start();
    wf_target_info(0xFF);
    if (kept) return good;
    was = wf_port_lock();
    wfi_record_sync();
    wf_port_unlock(was);
    return good;
}

void wf_get_status(struct wf_status *status) {
    uint32_t was = wf_port_lock();
    status->count = count_now() + WFI_OPEN_EVENTS;
    status->lost = wfi.lost + wfi.refused;
    status->lost_bytes = wfi.lost_bytes;
    status->used = (uint32_t)(wfi.next - wfi.sent);
    if (wfi.next < wfi.sent) status->used += (uint32_t)(wfi.turn - wfi.ring);
    status->used += (uint32_t)(wfi.stage_len - wfi.stage_at) + WFI_OPEN_BYTES;
    wf_port_unlock(was);
}
#endif
