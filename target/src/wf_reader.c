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
// SYNCs are made here: one for each number that the writer left out, one behind every hole, which
// takes the number of the last record lost, and those of the ring are completed. The first frame
// behind a hole is copied before the critical section is left: else, when records come faster than
// they leave, there would be another hole already, and nothing but SYNCs would get out. A SYNC is
// always the first frame of its stage, so that all stamps on a stage are of one wrap, and the first
// of them is the time of the SYNC.

#include "wfi_core.h"

#if !WF_CFG_SLOTS

// What a SYNC tells that changes.
struct sync {
    struct wfi_place place;
    uint64_t lost, lost_bytes;
};

// at_hole, in a SYNC.
enum { WFI_AT_HOLE = 1, WFI_BEHIND_CUT = 2 };

// Bytes that are copied in one go, with the critical section held.
enum { WFI_COPY = 32 };

// Frames on their way to the stage.
struct copy {
    const uint8_t *from; // in the ring
    uint8_t *to, *end;   // on the stage
    uint8_t *whole; // behind the last whole frame, or part of one that is longer than the stage
    uint8_t left;   // bytes of the piece of the frame at hand
    bool goes_on;   // another one follows
    bool in_frame;  // its end was not reached
    bool more;      // there may be more to copy
    bool timed;     // a frame with a stamp was passed
    uint64_t time;  // of the first one
};

// Copies what a SYNC tells, which lies in one piece; returns how many of its bytes need an escape,
// or may when the stamp of a record comes into the ticks. Within the critical section.
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
        count += wfi_special(from[i]) || i - offsetof(struct sync, place.ticks) < 8;
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

// The frame at `sent` is on the stage, or its first part.
static void begin_pass(struct copy *c) {
    if (wfi.part) return;
    wfi_leaves(wfi.sent);
    if (!WF_CFG_SYNC || c->timed || !wfi_has_stamp(wfi.sent)) return;
    c->time = wfi.tail_at.ticks;
    c->timed = true;
}

// A frame, or the rest of one longer than the stage, is passed.
static void pass(const uint8_t *behind) {
    behind = wfi_turned(behind); // the ring may have turned there meanwhile
    wfi.part = false;
    wfi.sent = wfi.ring + (behind - wfi.ring);
#if WF_CFG_BOX
    ++wfi.copied;
#else
    wfi_move_tail(behind);
#endif
}

// Does a SYNC stand in front of the frame at `sent`, or is it one?
static bool sync_comes(void) {
    return !wfi.part && (wfi_is_sync(wfi.sent) || wfi_left_out(wfi.sent));
}

// A length is read: of the frame at `sent`, or of another piece of it. False: nothing is to be
// copied.
static bool read_length(struct copy *c) {
    if (!c->in_frame) {
        if (wfi.sent == wfi.next || sync_comes()) return false;
        c->from = wfi.sent;
        c->in_frame = true;
    }
    const uint8_t length = *c->from;
    c->from = wfi_step(c->from);
    c->goes_on = length == WFI_GOES_ON;
    c->left = c->goes_on ? WFI_PIECE_MAX : length;
    return true;
}

// Bytes of a piece, escaped: as many as there are in one go, and fit.
static unsigned copy_bytes(struct copy *c, unsigned most) {
    const uint8_t *p = c->from, *const first = p;
    uint8_t *to = c->to, *const end = c->end - 2; // an escape, and the flag behind it
    if (most > c->left) most = c->left;
    if (most > (size_t)(wfi.ring_end - p)) most = (unsigned)(wfi.ring_end - p);
    for (const uint8_t *const behind = p + most; p != behind && to < end; ++p) {
        uint8_t byte = *p;
        if (wfi_special(byte)) {
            *to++ = WFI_ESC;
            byte ^= WFI_ESC_XOR;
        }
        *to++ = byte;
    }
    const unsigned count = (unsigned)(p - first);
    c->left = (uint8_t)(c->left - count);
    c->from = wfi_turned(c->from + count);
    c->to = to;
    return count;
}

// The stage is full. Of a frame that is alone there a part is passed, the rest follows.
static void end_full(struct copy *c) {
    c->more = false;
    if (c->whole != wfi.stage) return;
    begin_pass(c);
    wfi.part = true;
    wfi.part_left = c->left;
    wfi.part_goes_on = c->goes_on;
    wfi.sent = wfi.ring + (c->from - wfi.ring);
    if (!WF_CFG_BOX) wfi_move_tail(c->from);
    c->whole = c->to;
}

// Copies a piece. Within the critical section.
static void copy_piece(struct copy *c) {
    for (unsigned budget = WFI_COPY; budget;) {
        if (c->left) {
            const unsigned count = copy_bytes(c, budget);
            if (!count) {
                end_full(c);
                return;
            }
            budget -= count;
        } else if (c->in_frame && !c->goes_on) {
            *c->to++ = WFI_FLAG;
            c->whole = c->to;
            c->in_frame = false;
            begin_pass(c);
            pass(c->from);
        } else if (!read_length(c)) {
            c->more = false;
            return;
        }
    }
}

// The SYNC at `sent` is passed: its place is that of `sent` then. False: it was not in the ring.
static bool pass_sync(void) {
    uint8_t *const p = wfi.sent;
    if (!wfi_is_sync(p)) {
        wfi_pass_left_out();
        return false;
    }
    wfi_leaves(p);
    pass(wfi_behind_frame(p));
    return true;
}

// The stage was sent: the sum of a frame's begin goes on. Of all sums it matters whether they are
// odd; so an escape counts nothing.
static void clear_stage(void) {
    wfi.own = 0;
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
    uint32_t was = WFI_LOCK(what);
    const bool cut = wfi.cut, hole = wfi.hole;
    const bool at_sync = wfi.sent != wfi.next && sync_comes();
    const bool tells = WF_CFG_SYNC && (hole || cut || at_sync);
    if (!tells && !cut && wfi.sent == wfi.next) {
        wfi.hole = false;
        WFI_UNLOCK(what, was);
        return false;
    }
    wfi.cut = wfi.hole = false;
    const bool in_ring = at_sync && pass_sync();
    wfi.own = (uint8_t)(cut + (tells && !in_ring) + (at_sync && !in_ring ? WFI_NUMBERED : 0));
    if (tells && !in_ring && wfi.sent == wfi.next && !wfi.wrapped) wfi_raise_ticks(wfi.last);
    struct sync sync;
    uint8_t *const frames =
        wfi.stage + (cut ? 2 : 0) + (tells ? WFI_SYNC_ROOM + look_up(&sync) : 0);
    struct copy c = {.from = wfi.sent,
                     .to = frames,
                     .end = wfi.stage + sizeof wfi.stage,
                     .whole = frames,
                     .left = 0,
                     .goes_on = false,
                     .in_frame = wfi.part,
                     .more = true,
                     .timed = false,
                     .time = 0}; // every member: else compilers call memset
    if (wfi.part) {
        c.left = wfi.part_left;
        c.goes_on = wfi.part_goes_on;
    }
    copy_piece(&c);
    WFI_UNLOCK(what, was);

    // A caller that holds the critical section gets what is whole by now.
    while (c.more && (!(what & WFI_HELD) || c.whole == frames)) {
        was = WFI_LOCK(what);
        if (wfi.hole)
            c.more = false;
        else
            copy_piece(&c);
        WFI_UNLOCK(what, was);
    }
    uint8_t *to = wfi.stage;
    if (cut) {
        *to++ = wfi.spoiler;
        *to++ = WFI_FLAG;
    }
    if (tells) {
        if (!in_ring && c.timed) sync.place.ticks = c.time; // a trace may begin here
        to = put_sync(to, &sync,
                      (uint8_t)((at_sync ? 0 : WFI_AT_HOLE) | (cut ? WFI_BEHIND_CUT : 0)));
        for (const uint8_t *p = frames; p != c.whole; ++p) *to++ = *p;
        c.whole = to;
    }
    wfi.stage_len = (uint16_t)(c.whole - wfi.stage);
    return true;
}

#if WF_CFG_BOX
static unsigned flags_in(unsigned from, unsigned to) {
    unsigned count = 0;
    for (; from < to; ++from) count += wfi.stage[from] == WFI_FLAG;
    return count;
}

// Of what was given back last the whole frames leave the ring, if they are still there: those that
// were copied, but for the ones still on the stage.
static void leave_ring(unsigned what, unsigned from) {
    if (!flags_in(from, wfi.stage_at)) return;
    const unsigned waiting = flags_in(wfi.stage_at, wfi.stage_len);
    uint32_t was = WFI_LOCK(what);
    for (; wfi.copied > waiting; --wfi.copied) wfi_move_tail(wfi_behind_frame(wfi.tail));
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
