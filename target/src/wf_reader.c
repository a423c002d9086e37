// SPDX-License-Identifier: MIT
// The reader's side. What is lent lies on the stage, never in the ring: so a reader that stops for
// any time is in nobody's way. Whole frames are copied there, as many as fit, a piece at a time
// with the critical section held. If the frame being copied is given up meanwhile, its copy is
// dropped. A frame that is whole on the stage gets out, also if it is given up in the ring; else it
// stays there until its last byte was given back, so that a black box sends it again after a reset.
//
// Only frames longer than the stage are passed on in parts. If one is given up in between, a byte
// that makes its sum wrong follows, so that it does not pass for a frame, and a flag.
//
// SYNCs are completed here. One more, which takes the number of the last record lost, stands behind
// every hole. The first frame behind it is copied before the critical section is left: else, when
// records come faster than they leave, there would be another hole already, and nothing but SYNCs
// would get out. A SYNC of the ring is always the first frame of its stage, so that no frame on the
// stage is older than wfi.tail_at's time.

#include "wfi_core.h"

#if !WF_CFG_SLOTS

// What a SYNC tells that changes.
struct sync {
    struct wfi_place place;
    uint64_t lost, lost_bytes;
};

// at_hole, in a SYNC.
enum { WFI_AT_HOLE = 1, WFI_BEHIND_CUT = 2 };

// Frames on their way to the stage.
struct copy {
    uint8_t *from;     // in the ring
    uint8_t *to, *end; // on the stage
    uint8_t *whole;    // behind the last whole frame, or part of one that is longer than the stage
    bool more;         // there may be more to copy
};

static unsigned count_special(const void *bytes, unsigned len) {
    const uint8_t *p = bytes;
    unsigned count = 0;
    for (; len; --len, ++p) count += wfi_special(*p);
    return count;
}

static uint8_t *put_number(uint8_t *to, uint8_t *sum, uint64_t number, unsigned bytes) {
    for (; bytes; --bytes, number >>= 8) {
        uint8_t byte = (uint8_t)number;
        *sum = (uint8_t)(*sum + byte);
        if (wfi_special(byte)) {
            *to++ = WFI_ESC;
            byte ^= WFI_ESC_XOR;
        }
        *to++ = byte;
    }
    return to;
}

static uint8_t *put_sync(uint8_t *to, const struct sync *sync, unsigned at_hole) {
    static const uint8_t sizes[] = {WFI_SIZES};
    const struct wf_config *config = wfi.config;
    uint8_t sum = 0;
    to = put_number(to, &sum, (sync->place.count & 0xFF) | WF_ID_sync << 8, 2);
    to = put_number(to, &sum, sync->place.count, 8);
    to = put_number(to, &sum, sync->place.ticks, 8);
    to = put_number(to, &sum, config->hz, 4);
    to = put_number(to, &sum, sync->lost, 8);
    to = put_number(to, &sum, sync->place.refused, 4);
    to = put_number(to, &sum, sync->lost_bytes, 8);
    to = put_number(to, &sum, at_hole | (unsigned)wf_port_core() << 8, 2);
    to = put_number(to, &sum, config->build_id, 4);
    for (unsigned i = 0; i < sizeof sizes; ++i) to = put_number(to, &sum, sizes[i], 1);
    to = put_number(to, &sum, (uint8_t)~sum, 1);
    *to++ = WFI_FLAG;
    return to;
}

// The most bytes that put_sync makes of it: two, the checksum and the core may need an escape.
static unsigned sync_room(const struct sync *sync) {
    return 2 + WFI_SYNC_LEN + 2 + 3 + count_special(sync, sizeof *sync) +
           count_special(&wfi.config->hz, 4) + count_special(&wfi.config->build_id, 4);
}

// A frame, or the rest of one longer than the stage, is on the stage.
static void pass(uint8_t *behind) {
    if (!wfi.part) (void)wfi_leaves(wfi.sent);
    wfi.part = false;
    wfi.sent = behind;
    if (!WF_CFG_BOX) wfi.tail = behind;
}

// Copies a piece. Within the critical section.
static void copy_piece(struct copy *c) {
    uint8_t *p = c->from, *to = c->to, byte;
    for (unsigned left = WFI_PIECE; left; --left) {
        if (p == wfi.next || (p == wfi.sent && !wfi.part && wfi_frame_id(p) == WF_ID_sync)) {
            c->more = false;
            break;
        }
        *to++ = byte = *p;
        p = wfi_step(p);
        if (byte == WFI_FLAG) {
            pass(p);
            c->whole = to;
        }
        if (to == c->end) {
            c->more = false;
            if (c->whole != wfi.stage) break;
            pass(p); // the frame is longer than the stage
            wfi.part = true;
            c->whole = to;
            break;
        }
    }
    c->from = p;
    c->to = to;
}

// The rest of a frame whose begin was sent lies at `sent`, or a frame begins there, or nothing
// does. Returns with the critical section held.
static uint32_t find_start(unsigned what) {
    uint32_t was = WFI_LOCK(what);
    while (!wfi.part && wfi.sent != wfi.next && !wfi_starts_frame(wfi.sent)) {
        wfi_evict();
        WFI_UNLOCK(what, was);
        was = WFI_LOCK(what);
    }
    return was;
}

// A SYNC of the ring is passed: its place is that of `sent` then.
static void pass_sync(void) {
    uint8_t *p = wfi.sent, byte;
    do {
        byte = *p;
        p = wfi_step(p);
    } while (byte != WFI_FLAG);
    pass(p);
}

// The stage was sent: the sum of a frame's begin goes on. Of all sums it matters whether they are
// odd; so an escape counts nothing.
static void clear_stage(void) {
    if (!wfi.stage_len) return;
    uint8_t odd = wfi.spoiler;
    for (unsigned i = 0; i < wfi.stage_len; ++i) {
        if (wfi.stage[i] != WFI_ESC) odd ^= wfi.stage[i] & 1;
    }
    wfi.spoiler = wfi.stage[wfi.stage_len - 1] == WFI_FLAG ? 0 : odd | 2;
    wfi.stage_len = wfi.stage_at = 0;
}

// Puts onto the stage what is to be sent next. False: there is nothing.
static bool fill_stage(unsigned what) {
    clear_stage();
    // Here nothing is on its way: the place for work that the reader does for the recorder.
    uint32_t was = find_start(what);
    const bool cut = wfi.cut, hole = wfi.hole;
    bool at_sync = wfi.sent != wfi.next && !wfi.part && wfi_frame_id(wfi.sent) == WF_ID_sync;
    bool tells = WF_CFG_SYNC && (hole || cut || at_sync);
    if (!tells && !cut && wfi.sent == wfi.next) {
        wfi.hole = false;
        WFI_UNLOCK(what, was);
        return false;
    }
    wfi.cut = wfi.hole = false;
    if (at_sync) pass_sync();
    const struct sync sync = {wfi.tail_at, wfi.lost, wfi.lost_bytes};
    uint8_t *const frames = wfi.stage + (cut ? 2 : 0) + (tells ? sync_room(&sync) : 0);
    struct copy c = {wfi.sent, frames, wfi.stage + sizeof wfi.stage, frames, true};
    copy_piece(&c);
    WFI_UNLOCK(what, was);

    uint8_t *to = wfi.stage;
    if (cut) {
        *to++ = wfi.spoiler;
        *to++ = WFI_FLAG;
    }
    if (tells) {
        to = put_sync(to, &sync, (at_sync ? 0 : WFI_AT_HOLE) | (cut ? WFI_BEHIND_CUT : 0));
        const unsigned unused = (unsigned)(frames - to);
        for (const uint8_t *p = frames; p != c.to; ++p) *to++ = *p;
        c.to -= unused;
        c.whole -= unused;
    }
    // A caller that holds the critical section gets what is whole by now.
    while (c.more && (!(what & WFI_HELD) || c.whole == wfi.stage)) {
        was = WFI_LOCK(what);
        if (wfi.hole)
            c.more = false;
        else
            copy_piece(&c);
        WFI_UNLOCK(what, was);
    }
    wfi.own = (uint8_t)(cut + (tells && !at_sync));
    wfi.stage_len = (uint16_t)(c.whole - wfi.stage);
    return true;
}

#if WF_CFG_BOX
// Of what was given back last the whole frames leave the ring, if they are still there. Behind them
// on the stage lies what lies in the ring in front of `sent`.
static void leave_ring(unsigned what, unsigned from) {
    unsigned to = wfi.stage_at;
    while (to != from && wfi.stage[to - 1] != WFI_FLAG) --to;
    if (to == from) return;
    const size_t size = (size_t)(wfi.ring_end - wfi.ring), left = wfi.stage_len - to;
    uint32_t was = WFI_LOCK(what);
    const size_t sent = (size_t)(wfi.sent - wfi.ring), tail = (size_t)(wfi.tail - wfi.ring);
    if ((sent >= tail ? sent - tail : sent + size - tail) > left) {
        wfi.tail = wfi.sent - left + (sent < left ? size : 0);
    }
    WFI_UNLOCK(what, was);
}
#endif

void wfi_block_done(unsigned what, uint32_t sent) {
    if (sent > wfi.lent) sent = wfi.lent;
    wfi.lent = 0;
    wfi.stage_at = (uint16_t)(wfi.stage_at + sent);
#if WF_CFG_BOX
    leave_ring(what, wfi.stage_at - (unsigned)sent);
#else
    (void)what;
#endif
}

uint32_t wfi_get_block(unsigned what, const uint8_t **block, uint32_t max) {
    wfi_block_done(what, wfi.lent);
    while (wfi.stage_at == wfi.stage_len && fill_stage(what)) continue;
    const uint32_t len = (uint32_t)wfi.stage_len - wfi.stage_at;
    *block = wfi.stage + wfi.stage_at;
    if (max > len) max = len;
    wfi.lent = (uint16_t)max;
    return max;
}

uint32_t wf_get_block(const uint8_t **block, uint32_t max) { return wfi_get_block(0, block, max); }

void wf_block_done(uint32_t sent) { wfi_block_done(0, sent); }

int wf_get_byte(void) {
    const uint8_t *p;
    if (!wf_get_block(&p, 1)) return -1;
    int byte = *p;
    wf_block_done(1);
    return byte;
}
#endif
