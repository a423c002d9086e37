// SPDX-License-Identifier: MIT
// Numbers, time and what the stream says of itself: START, TARGET_INFO and SYNC.

#include "wfi_core.h"

#if !WF_CFG_SLOTS

static uint64_t count_now(void) { return (uint64_t)wfi.count_high << 32 | wfi.count_low; }

static void count_one(void) {
    uint32_t count = wfi.count_low + 1;
    if (count == 0) ++wfi.count_high;
    WFI_SHARE(wfi.count_low, count);
}

#if WF_CFG_FAST
WFI_ALWAYS_INLINE void put_short_sync(uint64_t count, uint64_t ticks) {
    wfi_word sync[(2 + WFI_SYNC_KEPT + WFI_WORD - 1) / WFI_WORD] = {0};
    wfi_lay(sync, 0, (count & 0xFF) | WF_ID_sync << 8, 2);
    wfi_lay(sync, 2, count, 8);
    wfi_lay(sync, 10, ticks, 8);
    wfi_put_laid(sync, 2 + WFI_SYNC_KEPT);
}
#else
static void put_short_sync(uint64_t count, uint64_t ticks) {
    uint8_t sync[2 + WFI_SYNC_KEPT];
    sync[0] = (uint8_t)count;
    sync[1] = WF_ID_sync;
    wfi_put_le(wfi_put_le(sync + 2, count, 8), ticks, 8);
    wfi_put_bytes(sync, sizeof sync);
}
#endif

// Puts a SYNC in front of the record to come: its first fields, the reader adds the others. It
// stays due only if no record fits into the ring.
static WFI_NOINLINE void record_sync(void) {
    wfi.sync_due = false;
    if (!WF_CFG_SYNC) return;
    const uint64_t count = count_now() + 1;
    uint64_t ticks = wfi.last;
#if WF_CFG_TIME_SIZE < 8
    ticks |= (uint64_t)wfi.wraps << (8 * WF_CFG_TIME_SIZE);
#endif
    wfi_open();
    put_short_sync(count, ticks);
    wfi_close();
    if (!wfi.sync_due) count_one();
}

// Counts a record; what is put from now on is its bytes.
static void start_frame(unsigned what) {
    (void)what; // only test builds ask
    wf_stamp now = WFI_NOW(what);
    if (now < wfi.last) {
        ++wfi.wraps;
        wfi.sync_due = true;
    }
    wfi.last = now;
    if (wfi.sync_due || (uint8_t)(wfi.count_low + 1) == 0) record_sync();
    count_one();
    wfi_open();
}

#if WF_CFG_FAST
static WFI_NOINLINE void put_head(unsigned what) {
    wfi_word head[WFI_HEAD_WORDS] = {0};
    wfi_lay_head(head, what, wfi.count_low, wfi.last);
    wfi_put_laid(head, what & WFI_TIMED ? WFI_HEAD_MAX : 2);
}

void wfi_begin_frame(unsigned what) {
    start_frame(what);
    put_head(what);
}
#else
static WFI_NOINLINE void put_frame(unsigned what, uint8_t *frame, unsigned len) {
    start_frame(what);
    frame[0] = (uint8_t)wfi.count_low;
    frame[1] = (uint8_t)what;
    if (what & WFI_TIMED) wfi_put_le(frame + 2, wfi.last, WF_CFG_TIME_SIZE);
    wfi_put_bytes(frame, len);
}

void wfi_begin_frame(unsigned what) {
    uint8_t head[WFI_HEAD_MAX];
    put_frame(what, head, what & WFI_TIMED ? WFI_HEAD_MAX : 2);
}

void wfi_put_whole_held(unsigned what, uint8_t *frame, unsigned len) {
    put_frame(what, frame, len);
    wfi_finish();
}

void wfi_put_whole(unsigned what, uint8_t *frame, unsigned len) {
    uint32_t was = wf_port_lock();
    wfi_put_whole_held(what, frame, len);
    wf_port_unlock(was);
}
#endif

void wfi_finish(void) {
    wfi_close();
    if (!wfi.sync_due) return;
    ++wfi.refused;
    wfi.lost_bytes += wfi.len + 1u;
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
void wfi_put_slow(uint32_t what, const void *body) {
    wfi_begin_frame(what); // anew: somebody may have recorded since
    wfi_put_bytes(body, what >> 16);
    wfi_finish();
}

static void put_slow_words(uint32_t what, uint32_t was, const wfi_word *words) {
    wfi_put_slow(what, (const uint8_t *)words + (what >> 12 & 7));
    WFI_UNLOCK(what, was);
}

void wfi_put_slow_2(uint32_t what, uint32_t was, wfi_word a, wfi_word b) {
    put_slow_words(what, was, (const wfi_word[]){a, b});
}

void wfi_put_slow_4(uint32_t what, uint32_t was, wfi_word a, wfi_word b, wfi_word c, wfi_word d) {
    put_slow_words(what, was, (const wfi_word[]){a, b, c, d});
}

void wfi_put_slow_8(uint32_t what, uint32_t was, wfi_word a, wfi_word b, wfi_word c, wfi_word d,
                    wfi_word e, wfi_word f, wfi_word g, wfi_word h) {
    put_slow_words(what, was, (const wfi_word[]){a, b, c, d, e, f, g, h});
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
        wfi.ring_end = config->ring + size;
        if (good) wfi.ring_end[-1] = WFI_FLAG; // a frame begins at the tail
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
    record_sync();
    wf_port_unlock(was);
    return good;
}

void wf_get_status(struct wf_status *status) {
    uint32_t was = wf_port_lock();
    status->count = count_now();
    status->lost = wfi.lost + wfi.refused;
    status->lost_bytes = wfi.lost_bytes;
    status->used = (uint32_t)(wfi.next < wfi.sent ? wfi.ring_end - wfi.ring - (wfi.sent - wfi.next)
                                                  : wfi.next - wfi.sent);
    status->used += (uint32_t)(wfi.stage_len - wfi.stage_at);
    wf_port_unlock(was);
}
#endif
