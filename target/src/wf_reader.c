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

// Copies what a SYNC tells, which lies in one piece; returns how many of its bytes need an escape.
// Within the critical section.
static unsigned look_up(struct sync *sync) {
    typedef char in_one_piece[offsetof(struct wfi_recorder, lost_bytes) -
                                          offsetof(struct wfi_recorder, tail_at) ==
                                      offsetof(struct sync, lost_bytes)
                                  ? 1
                                  : -1];
    const uint8_t *from = (const uint8_t *)&wfi.tail_at;
    uint8_t *to = (uint8_t *)sync;
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof *sync; ++i) {
        WFI_OPAQUE(i); // no call of memcpy
        to[i] = from[i];
        count += wfi_special(from[i]);
    }
    (void)sizeof(in_one_piece);
    return count;
}

// A number in memory.
static WFI_NOINLINE uint8_t *put_field(uint8_t *to, const void *field, unsigned len) {
    const uint8_t *p = field;
    if (!WFI_LITTLE) p += len - 1;
    for (; len; --len, p += WFI_LITTLE ? 1 : -1) {
        uint8_t byte = *p;
        if (wfi_special(byte)) {
            *to++ = WFI_ESC;
            byte ^= WFI_ESC_XOR;
        }
        *to++ = byte;
    }
    return to;
}

static uint8_t *put_sync(uint8_t *to, const struct sync *sync, uint8_t at_hole) {
    static const uint8_t sizes[] = {WFI_SIZES};
    const struct wf_config *config = wfi.config;
    const uint8_t seq = (uint8_t)sync->place.count, core = wf_port_core(), *p = to;
    const uint32_t refused = (uint32_t)sync->place.refused;
    uint8_t check = 0xFF;
    to = put_field(to, &seq, 1);
    *to++ = WF_ID_sync;
    to = put_field(to, &sync->place.count, 8);
    to = put_field(to, &sync->place.ticks, 8);
    to = put_field(to, &config->hz, 4);
    to = put_field(to, &sync->lost, 8);
    to = put_field(to, &refused, 4);
    to = put_field(to, &sync->lost_bytes, 8);
    *to++ = at_hole;
    to = put_field(to, &core, 1);
    to = put_field(to, &config->build_id, 4);
    for (unsigned i = 0; i < sizeof sizes; ++i) *to++ = sizes[i];
    // An escape is worth what it takes off the byte behind it.
    for (; p != to; ++p) check = (uint8_t)(check - (*p == WFI_ESC ? WFI_ESC_XOR : *p));
    to = put_field(to, &check, 1);
    *to++ = WFI_FLAG;
    return to;
}

// The most bytes of a SYNC: those of `sync` that need an escape have one more, and so may the
// sequence, hz, the core, the build id and the checksum.
enum { WFI_SYNC_ROOM = 2 + WFI_SYNC_LEN + 2 + 11 };

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
        if (p == wfi.next || (p == wfi.sent && !wfi.part && wfi_is_sync(p))) {
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
        if (wfi.stage[i] != WFI_ESC) odd = (uint8_t)(odd ^ (wfi.stage[i] & 1));
    }
    wfi.spoiler = wfi.stage[wfi.stage_len - 1] == WFI_FLAG ? 0 : odd | 2;
    wfi.stage_len = wfi.stage_at = 0;
}

// Puts onto the stage what is to be sent next. False: there is nothing.
static bool fill_stage(unsigned what) {
    clear_stage();
    if (wfi.names) wfi.names->step(what, NULL, 0); // here nothing is on its way
    uint32_t was = find_start(what);
    const bool cut = wfi.cut, hole = wfi.hole;
    bool at_sync = wfi.sent != wfi.next && !wfi.part && wfi_is_sync(wfi.sent);
    bool tells = WF_CFG_SYNC && (hole || cut || at_sync);
    if (!tells && !cut && wfi.sent == wfi.next) {
        wfi.hole = false;
        WFI_UNLOCK(what, was);
        return false;
    }
    wfi.cut = wfi.hole = false;
    if (at_sync) pass_sync();
    struct sync sync;
    uint8_t *const frames =
        wfi.stage + (cut ? 2 : 0) + (tells ? WFI_SYNC_ROOM + look_up(&sync) : 0);
    struct copy c = {wfi.sent, frames, wfi.stage + sizeof wfi.stage, frames, true};
    copy_piece(&c);
    WFI_UNLOCK(what, was);

    uint8_t *to = wfi.stage;
    if (cut) {
        *to++ = wfi.spoiler;
        *to++ = WFI_FLAG;
    }
    if (tells) {
        to = put_sync(to, &sync,
                      (uint8_t)((at_sync ? 0 : WFI_AT_HOLE) | (cut ? WFI_BEHIND_CUT : 0)));
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
