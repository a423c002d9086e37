// SPDX-License-Identifier: MIT
// The writer's side of the ring. The invariant: from tail on, `used` bytes are whole frames, but
// for the first, of which the reader may have sent a part; `head` is behind them. A frame appears
// in `used` only when it is complete.
//
//   ring  |.....[tail: frame frame frame ]head.......|
//
// Most records take the short way, wfi_put_inline. Whatever is unusual goes byte by byte through
// wfi_insert, which is the definition.

#include "wfi_core.h"

struct wfi_recorder wfi;

// The sizes in force, two to a byte, as TARGET_INFO and SYNC carry them.
enum {
    SIG_EVT = WF_CFG_SIG_SIZE | WF_CFG_EVT_SIZE << 4,
    QUEUE_TIMER = WF_CFG_QUEUE_CTR_SIZE | WF_CFG_TIMEEVT_CTR_SIZE << 4,
    BLOCK_POOL = WF_CFG_POOL_BLK_SIZE | WF_CFG_POOL_CTR_SIZE << 4,
    OBJ_FUN = WF_CFG_OBJ_SIZE | WF_CFG_FUN_SIZE << 4,
};

void wfi_refresh_room(void) {
    uint32_t piece = wfi.cap - wfi.head, unused = wfi.cap - wfi.used;
    wfi.room = piece < unused ? piece : unused;
    if (wfi.sync_due) wfi.room = 0;
}

void wfi_refuse(uint32_t bytes) {
    ++wfi.refused;
    wfi.lost_bytes += bytes;
    wfi.sync_due = true;
    wfi.room = 0;
}

// Takes out the oldest frame, or what is left of it when a part was sent.
static void evict(void) {
    struct wfi_passing before = wfi.passing;
    uint32_t bytes = 0;
    for (bool end = false; !end && wfi.used; ++bytes) {
        end = wfi_pass(wfi.ring[wfi.tail]);
        if (++wfi.tail == wfi.cap) wfi.tail = 0;
        --wfi.used;
    }
    if (before.at || before.esc) {
        // The part that went out must not pass for a frame, whatever the receiver reads next.
        wfi.cut = true;
        wfi.cut_sum = before.sum;
        wfi.cut_esc = before.esc;
    }
    wfi.hole = true;
    ++wfi.lost;
    wfi.lost_bytes += bytes;
}

bool wfi_make_room(uint32_t len) {
    if (len > wfi.cap) return false;
    while (wfi.cap - wfi.used < len) {
        if (wfi.lent && !wfi.lent_stage) return false;
        evict();
    }
    wfi_refresh_room();
    return true;
}

static uint32_t escaped_len(const uint8_t *p, uint32_t len) {
    uint32_t n = len;
    for (uint32_t i = 0; i < len; ++i) n += wfi_special(p[i]);
    return n;
}

static uint8_t sum_of(const uint8_t *p, uint32_t len) {
    unsigned sum = 0;
    for (uint32_t i = 0; i < len; ++i) sum += p[i];
    return (uint8_t)sum;
}

// Stores bytes with their escapes from offset i of the ring on; returns the offset behind them.
static uint32_t put_escaped(uint32_t i, const uint8_t *p, uint32_t len) {
    for (; len; --len) {
        uint8_t byte = *p++;
        if (wfi_special(byte)) {
            wfi.ring[i] = WFI_ESC;
            if (++i == wfi.cap) i = 0;
            byte ^= WFI_ESC_XOR;
        }
        wfi.ring[i] = byte;
        if (++i == wfi.cap) i = 0;
    }
    return i;
}

// All in one piece, even if every byte needs an escape: one pass.
static void insert_in_piece(const uint8_t *head, uint32_t head_len, const uint8_t *body,
                            uint32_t body_len) {
    uint8_t *start = wfi.ring + wfi.head, *to = start;
    unsigned sum = 0;
    for (uint32_t left = head_len + body_len + 1; left; --left) {
        uint8_t byte = left == 1 ? (uint8_t)~sum : *head++;
        if (left == body_len + 2) head = body;
        sum += byte;
        if (wfi_special(byte)) {
            *to++ = WFI_ESC;
            byte ^= WFI_ESC_XOR;
        }
        *to++ = byte;
    }
    *to++ = WFI_FLAG;
    uint32_t len = (uint32_t)(to - start);
    wfi.head = wfi.head + len == wfi.cap ? 0 : wfi.head + len;
    wfi.used += len;
    wfi_refresh_room();
}

void wfi_insert(const uint8_t *head, uint32_t head_len, const uint8_t *body, uint32_t body_len) {
    uint32_t most = 2 * (head_len + body_len) + 3;
    wfi_refresh_room();
    if (most <= wfi.room && most <= WF_CFG_RECORD_MAX) {
        insert_in_piece(head, head_len, body, body_len);
        return;
    }
    uint8_t check = (uint8_t) ~(sum_of(head, head_len) + sum_of(body, body_len));
    uint32_t len =
        escaped_len(head, head_len) + escaped_len(body, body_len) + escaped_len(&check, 1) + 1;
    if (head_len + body_len + 1 > WF_CFG_RECORD_MAX || !wfi_make_room(len)) {
        wfi_refuse(len);
        return;
    }
    uint32_t i = put_escaped(wfi.head, head, head_len);
    i = put_escaped(i, body, body_len);
    i = put_escaped(i, &check, 1);
    wfi.ring[i] = WFI_FLAG;
    wfi.head = i + 1 == wfi.cap ? 0 : i + 1;
    wfi.used += len;
    wfi_refresh_room();
}

static uint64_t ticks_of(wf_stamp now) {
#if WF_CFG_TIME_SIZE == 8
    return now;
#else
    return (uint64_t)wfi.wraps << (8 * WF_CFG_TIME_SIZE) | now;
#endif
}

void wfi_sync_payload(uint8_t *to, uint64_t count, uint64_t ticks, bool at_hole) {
    to = wfi_put_le(to, count, 8);
    to = wfi_put_le(to, ticks, 8);
    to = wfi_put_le(to, wfi.config.hz, 4);
    to = wfi_put_le(to, wfi.lost, 8);
    to = wfi_put_le(to, at_hole ? wfi.tail_refused : wfi.refused, 4);
    to = wfi_put_le(to, wfi.lost_bytes, 8);
    *to++ = at_hole;
    *to++ = wf_port_core();
    to = wfi_put_le(to, wfi.config.build_id, 4);
    *to++ = SIG_EVT;
    *to++ = QUEUE_TIMER;
    *to++ = BLOCK_POOL;
    *to++ = OBJ_FUN;
    *to = WF_CFG_TIME_SIZE;
}

static void count_one(void) {
    if (++wfi.count_low == 0) ++wfi.count_high;
}

static uint64_t count_now(void) { return (uint64_t)wfi.count_high << 32 | wfi.count_low; }

// Puts a SYNC in front of the record to come. False if there is no room and none can be made.
static bool sync(wf_stamp now) {
    uint8_t payload[WFI_SYNC_LEN], head[2];
    if (WF_CFG_SYNC && wfi.lent && !wfi.lent_stage && wfi.cap - wfi.used < WFI_STAGE) return false;
    wfi.sync_due = false; // a refusal raises it again
    wfi_refresh_room();
    if (!WF_CFG_SYNC) return true;
    count_one();
    wfi_sync_payload(payload, count_now(), ticks_of(now), false);
    head[0] = (uint8_t)wfi.count_low;
    head[1] = WF_ID_sync;
    uint32_t len = escaped_len(head, 2) + escaped_len(payload, sizeof payload) + 3;
    if (len <= wfi.cap) {
        wfi_insert(head, 2, payload, sizeof payload);
        return true;
    }
    // The ring is too small for one: empty it, and the reader's own SYNC takes this place.
    wfi_refuse(len);
    while (wfi.used) evict();
    wfi.tail_refused += (uint32_t)(count_now() - wfi.tail_count);
    wfi.tail_count = count_now();
    wfi.tail_ticks = ticks_of(now);
    wfi.hole = true;
    wfi.sync_due = false;
    wfi_refresh_room();
    return true;
}

bool wfi_next_slow(wf_stamp now) {
    bool wrapped = now < wfi.last;
    wfi.wraps += wrapped;
    wfi.last = now;
    bool good = true;
    if (wrapped || wfi.sync_due || (uint8_t)(wfi.count_low + 1) == 0) {
        wfi.sync_due = true;
        good = sync(now);
    }
    count_one();
    return good;
}

// All but the short way; the number is not taken yet.
void wfi_put_slow(unsigned what, wf_stamp now, const wfi_word *words, uint32_t len) {
    uint8_t head[2 + WF_CFG_TIME_SIZE];
    bool good = wfi_next(now);
    head[0] = (uint8_t)wfi.count_low;
    head[1] = (uint8_t)what;
    wfi_put_le(head + 2, now, WF_CFG_TIME_SIZE);
    if (good)
        wfi_insert(head, what & WFI_TIMED ? sizeof head : 2, (const uint8_t *)words, len);
    else
        wfi_refuse(len + sizeof head + 2);
}

void wfi_put(bool held, unsigned what, wfi_word *words, uint32_t len) {
    wfi_put_inline(held, what, words, len, words); // they are in memory already
}

void wfi_put_tail(bool held, unsigned what, const wfi_word *words, uint32_t len, const void *tail,
                  uint32_t tail_len) {
    uint8_t head[2 + WF_CFG_TIME_SIZE + 16];
    const uint8_t *body = (const uint8_t *)words;
    uint32_t was = held ? 0 : wf_port_lock();
    wf_stamp now = wf_port_now();
    bool good = wfi_next(now);
    uint8_t *p = head;
    *p++ = (uint8_t)wfi.count_low;
    *p++ = (uint8_t)what;
    if (what & WFI_TIMED) p = wfi_put_le(p, now, WF_CFG_TIME_SIZE);
    for (uint32_t i = 0; i < len; ++i) *p++ = body[i];
    if (good)
        wfi_insert(head, (uint32_t)(p - head), (const uint8_t *)tail, tail_len);
    else
        wfi_refuse((uint32_t)(p - head) + tail_len + 2);
    if (!held) wf_port_unlock(was);
}

// No memset: nothing of the C library is needed.
static void clear(uint8_t *p, size_t len) {
    for (volatile uint8_t *q = p; len--; ++q) *q = 0;
}

void wf_start(const struct wf_config *config) {
    clear((uint8_t *)&wfi, sizeof wfi);
    wfi.config = *config;
    wfi.ring = config->ring;
    wfi.cap = config->ring_size;
    wfi.last = wf_port_now();
    wf_filter(-WF_GRP_ALL);
    wf_filter_id(WF_IDS_ALL);
    wfi_refresh_room();
    wfi_emit_empty(false);
    wf_target_info(0xFF);
    uint32_t was = wf_port_lock();
    wf_stamp now = wf_port_now();
    wfi.wraps += now < wfi.last;
    wfi.last = now;
    sync(now);
    wf_port_unlock(was);
}

void wf_target_info(uint8_t reset) {
    const unsigned big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0x8000u : 0;
    wfi_emit_target_info(false, reset, (uint16_t)(WF_CFG_QS_VERSION | big_endian), SIG_EVT,
                         QUEUE_TIMER, BLOCK_POOL, OBJ_FUN, WF_CFG_TIME_SIZE, WF_CFG_MAX_ACTIVE,
                         WF_CFG_MAX_POOLS | WF_CFG_MAX_RATES << 4, wfi.config.built);
}

void wf_get_status(struct wf_status *status) {
    uint32_t was = wf_port_lock();
    status->count = count_now();
    status->lost = wfi.lost + wfi.refused;
    status->lost_bytes = wfi.lost_bytes;
    status->used = wfi.used;
    wf_port_unlock(was);
}
