// SPDX-License-Identifier: MIT
// The reader's side. Lent bytes are on the stage, never in the ring, so a reader that stops for any
// time blocks no record. Whole frames are copied to the stage, as many as fit, a piece at a time
// with the critical section held. If the frame being copied is dropped from the ring meanwhile, its
// copy is discarded. A frame that is whole on the stage is sent, even if it is dropped from the
// ring. In a black box a frame stays in the ring until its last byte was sent, so that it is sent
// again after a reset.
//
// Only frames longer than the stage are sent in parts. If one is dropped after its first part, a
// byte that makes its sum wrong and a flag follow, so that it does not pass for a frame.
//
// The reader makes SYNCs: one for each number that the writer left out, and one after every hole,
// which takes the number of the last record lost; it also completes those of the ring. The first
// frame after a hole is copied before the critical section is left. Otherwise, when records come
// faster than they leave, there would be another hole already, and only SYNCs would be sent. A SYNC
// is always the first frame of its stage, so that all stamps on a stage are of one wrap, and the
// first of them is the time of the SYNC.

#include "wfi_core.h"
#include "wfi_packed.h"

#if !WF_CFG_SLOTS

// The variable fields of a SYNC.
struct sync {
    struct wfi_place place;
    uint64_t lost, lost_bytes;
};

// Values of at_hole, in a SYNC.
enum { WFI_AT_HOLE = 1, WFI_BEHIND_CUT = 2 };

// Bytes that are copied in one piece, with the critical section held.
enum { WFI_COPY = 32 };

// State of copying frames to the stage.
struct copy {
    const uint8_t *from; // in the ring
    uint8_t *to, *end;   // on the stage
    uint8_t *whole;      // end of the last whole frame, or of a part of one longer than the stage
    uint8_t left;        // bytes left in the current piece of the frame
    bool goes_on;        // another piece follows
    bool in_frame;       // the end of the frame was not reached
    bool more;           // there may be more to copy
    bool sums;           // the frame gets its checksum here (wfi_packed.h)
    uint8_t sum;         // of its bytes so far
    bool timed;          // a frame with a stamp was passed
    uint64_t time;       // time of the first one
};

// Copies the variable fields of a SYNC, which are in one piece. Returns how many of their bytes
// need an escape, or may need one when a record's stamp is put into the ticks. Within the critical
// section.
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

// Stores a number with escapes, lowest byte first; returns the end.
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
    // An escape counts as the value it takes off the next byte.
    for (; p != to; ++p) check = (uint8_t)(check - (*p == WFI_ESC ? WFI_ESC_XOR : *p));
    to = put_field(to, &check, 1);
    *to++ = WFI_FLAG;
    return to;
}

// The most bytes of a SYNC. Not included: one more for each byte of `sync` that needs an escape.
// Included: escapes in the sequence, hz, the core, the build id and the checksum.
enum { WFI_SYNC_ROOM = 2 + WFI_SYNC_LEN + 2 + 11 };

// The frame at `sent`, or its first part, is on the stage.
static void begin_pass(struct copy *c) {
    if (wfi.part) return;
    wfi_leaves(wfi.sent);
    if (*wfi_frame_id(wfi.sent) == WF_ID_target_info)
        wf_announce_numbers(); // the host forgets them
    if (!WF_CFG_SYNC || c->timed || !wfi_has_stamp(wfi.sent)) return;
    c->time = wfi.tail_at.ticks;
    c->timed = true;
}

// Passes a frame, or the rest of one longer than the stage.
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

// Returns whether the frame at `sent` is a SYNC, or comes after numbers left out for SYNCs.
static bool sync_comes(void) {
    return !wfi.part && (wfi_is_sync(wfi.sent) || wfi_count_left_out(wfi.sent));
}

// Reads a length: of the frame at `sent`, or of another piece of it. Returns false when there is
// nothing to copy.
static bool read_length(struct copy *c) {
    if (!c->in_frame) {
        if (wfi.sent == wfi.next || sync_comes() || wfi_numbers_wait()) return false;
        c->from = wfi.sent;
        c->in_frame = true;
        c->sums = WFI_READER_SUMS(c->from);
        c->sum = 0;
    }
    const uint8_t length = *c->from;
    c->from = wfi_step(c->from);
    c->goes_on = length == WFI_GOES_ON;
    c->left = c->goes_on ? WFI_PIECE_MAX : length;
    return true;
}

// Copies bytes of a piece with escapes: up to `most`, as many as fit. Returns how many.
static unsigned copy_bytes(struct copy *c, unsigned most) {
    const uint8_t *p = c->from, *const first = p;
    uint8_t *to = c->to, *const end = c->end - 2; // room for an escape, and the flag after it
    if (most > c->left) most = c->left;
    if (most > (size_t)(wfi.ring_end - p)) most = (unsigned)(wfi.ring_end - p);
    for (const uint8_t *const behind = p + most; p != behind && to < end; ++p) {
        uint8_t byte = *p;
        if (WF_CFG_PACKED) c->sum = (uint8_t)(c->sum + byte);
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

// The stage is full. A frame that is alone there is sent in parts; the rest follows.
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

// Ends a frame whose bytes have this sum.
static uint8_t *put_check(uint8_t *to, uint8_t sum) {
    const uint8_t check = (uint8_t)~sum;
    return put_field(to, &check, 1);
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
            if (c->sums) c->to = put_check(c->to, c->sum);
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

// Passes the SYNC at `sent`, whose place is that of `sent` then. Returns false when it was not in
// the ring.
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

// Empties the stage after it was sent, and keeps the parity of a frame that began there. Only the
// parity of the sum matters, so escapes are not counted.
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

// Fills the stage with the bytes to be sent next. Returns false when there are none.
static bool fill_stage(unsigned what) {
    clear_stage();
    if (wfi.names) wfi.names->step(what, NULL, 0); // the stage is empty here
    uint32_t was = WFI_LOCK(what);
    if (WF_CFG_PACKED && wfi_numbers_wait()) {
        WFI_UNLOCK(what, was);
        wfi_stage_numbers(what);
        return true;
    }
    if (WF_CFG_PACKED && wfi.sent == wfi.next) wfi_close_for_reader();
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
    if (tells && !in_ring && wfi.sent == wfi.next && !wfi.wrapped && !WFI_OPEN_EVENTS)
        wfi_raise_ticks(wfi.last);
    struct sync sync;
    uint8_t *const frames =
        wfi.stage + (cut ? 2 : 0) + (tells ? WFI_SYNC_ROOM + look_up(&sync) : 0);
    struct copy c = {.from = wfi.sent,
                     .to = frames,
                     .end = wfi.stage + sizeof wfi.stage - (WF_CFG_PACKED ? 2 : 0), // its checksum
                     .whole = frames,
                     .left = 0,
                     .goes_on = false,
                     .in_frame = wfi.part,
                     .more = true,
                     .sums = false,
                     .sum = 0,
                     .timed = false,
                     .time = 0}; // every member: else compilers call memset
    if (wfi.part) {
        c.left = wfi.part_left;
        c.goes_on = wfi.part_goes_on;
    }
    copy_piece(&c);
    WFI_UNLOCK(what, was);

    // A caller that holds the critical section gets the frames that are whole by now.
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
        if (WF_CFG_PACKED) wfi_repeat_numbers();
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

// Removes the whole frames among the bytes returned last from the ring, if they are still there:
// all copied frames except those that are still on the stage.
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
