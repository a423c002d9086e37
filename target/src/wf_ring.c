// SPDX-License-Identifier: MIT
// The writer's side of the ring. From `tail` to `next` are whole frames, the oldest first; the
// reader has copied those before `sent`. At least one byte is always free, so tail == next means
// empty.
//
//   ring  |.....[tail: frame frame [sent: frame frame ]next.......limit|
//   ring  |frame ]next...limit|....[tail: frame [sent: frame frame ]turn...|
//
// A frame is a length and so many bytes: sequence, id, stamp, fields, and the checksum of all
// these. The reader adds escapes and flags. The length WFI_GOES_ON comes before WFI_PIECE_MAX
// bytes; after them comes another length.
//
// A record made in one go is in one piece: if it does not fit before the ring's end, it is put at
// the ring's beginning, and `turn` is the end of the frames before the ring's end. Other records
// may continue at the beginning; with WFI_QUICK only after their first WFI_WHOLE bytes. `turn` is
// the ring's end unless `next` is before `tail`.
//
// A record is written after `next` and belongs to the ring only when `next` moves past it. It takes
// its room from the oldest frames; dropping one takes a few steps, whatever its length.

#include "wallfly/wf_fields.h"
#include "wfi_core.h"
#include "wfi_packed.h"

#if !WF_CFG_SLOTS

struct wfi_recorder wfi WF_CFG_PLACE;

// Made from the schema.
#define WFI_STAMP_BIT(word, id, layout, since, until)                                              \
    | ((0 WF_FIELDS_##layout(WFI_STAMPS)) && (since) <= WF_CFG_QS_VERSION &&                       \
               WF_CFG_QS_VERSION <= (until) && (id) / 32 == (word)                                 \
           ? UINT32_C(1) << (id) % 32                                                              \
           : 0)
#define WFI_STAMPS_0(id, name, qs, group, layout, since, until, ...)                               \
    WFI_STAMP_BIT(0, id, layout, since, until)
#define WFI_STAMPS_1(id, name, qs, group, layout, since, until, ...)                               \
    WFI_STAMP_BIT(1, id, layout, since, until)
#define WFI_STAMPS_2(id, name, qs, group, layout, since, until, ...)                               \
    WFI_STAMP_BIT(2, id, layout, since, until)
#define WFI_STAMPS_3(id, name, qs, group, layout, since, until, ...)                               \
    WFI_STAMP_BIT(3, id, layout, since, until)
const uint32_t wfi_stamped[WF_USER_FIRST / 32 + 1] = {
    0 WF_RECORDS(WFI_STAMPS_0), 0 WF_RECORDS(WFI_STAMPS_1), 0 WF_RECORDS(WFI_STAMPS_2),
    0 WF_RECORDS(WFI_STAMPS_3)};

// Counts a wrap of the stamp.
static void wrap_ticks(void) {
#if WF_CFG_TIME_SIZE < 8 && WFI_LITTLE && !WF_CFG_WORDS
    uint8_t *const ticks = (uint8_t *)&wfi.tail_at.ticks; // 8-bit CPUs shift 64 bits bit by bit
    unsigned i = 0;
    for (; i < WF_CFG_TIME_SIZE; ++i) ticks[i] = 0;
    while (i < 8 && !++ticks[i]) ++i;
#elif WF_CFG_TIME_SIZE < 8
    enum { WFI_BITS = 8 * WF_CFG_TIME_SIZE };
    wfi.tail_at.ticks = ((wfi.tail_at.ticks >> WFI_BITS) + 1) << WFI_BITS;
#endif
}

void wfi_pass_left_out(void) {
    if ((uint8_t)++wfi.tail_at.count) wrap_ticks();
}

void wfi_raise_ticks(wf_stamp stamp) {
    const uint64_t low = (wf_stamp) ~(wf_stamp)0;
    wfi.tail_at.ticks = (wfi.tail_at.ticks & ~low) | stamp;
}

// Reads the stamp after this byte of the ring.
static wf_stamp stamp_behind(const uint8_t *p) {
    wf_stamp stamp = 0;
    if (WFI_QUICK) return wfi_stamp_at(p + 1);
    for (unsigned i = 0; i < WF_CFG_TIME_SIZE; ++i) {
        p = wfi_step(p);
        stamp = (wf_stamp)(stamp | (wf_stamp)*p << 8 * i);
    }
    return stamp;
}

// Sets the time base to the stamp of the frame at p, which has this id, if it has a stamp.
static WFI_NOINLINE void raise_to(const uint8_t *p, uint8_t id) {
    if (!wfi_id_has_stamp(id)) {
        if (id != WF_ID_sync) return;
        p = wfi_step(p); // a SYNC has one more byte after its id
    }
    wfi_raise_ticks(stamp_behind(wfi_frame_id(p)));
}

// Returns whether these numbers, left out from `number` on, include a wrap of the stamp: any but a
// multiple of 256 does.
static inline bool are_a_wrap(uint8_t left_out, uint8_t number) {
    return left_out > 1 || (left_out && number);
}

// Adds n to a 64-bit count. Its upper half is accessed only when the lower one overflows.
WFI_ALWAYS_INLINE void add_to(uint64_t *count, uint32_t n) {
#if WFI_LITTLE && !WFI_SMALL
    uint32_t low;
    __builtin_memcpy(&low, count, sizeof low);
    low += n;
    __builtin_memcpy(count, &low, sizeof low);
    if (WFI_UNLIKELY(low < n)) *count += UINT64_C(1) << 32;
#else
    *count += n;
#endif
}

// Passes the frame at p with this id: a SYNC, before which the numbers of refused records are left
// out, or a frame after numbers that were left out.
WFI_ALWAYS_INLINE void pass_odd(const uint8_t *p, uint8_t id, uint8_t left_out, uint8_t number) {
    if (id == WF_ID_sync) {
        add_to(&wfi.tail_at.refused, left_out);
        if (WFI_QUICK ? p[3] : *wfi_step(wfi_frame_id(p))) wrap_ticks();
    } else if (are_a_wrap(left_out, number)) {
        wrap_ticks();
    }
}

void wfi_leaves(const uint8_t *p) {
    const uint8_t left_out = wfi_count_left_out(p), number = (uint8_t)(wfi.tail_at.count + 1);
    const uint8_t id = *wfi_frame_id(p);
    wfi.tail_at.count += wfi_events_of(p) + left_out;
    if (!WF_CFG_SYNC) return;
    pass_odd(p, id, left_out, number);
    raise_to(p, id);
}

const uint8_t *wfi_behind_frame(const uint8_t *p) {
    unsigned length;
    do {
        length = *p;
        p = wfi_turned(p + 1 + (length == WFI_GOES_ON ? WFI_PIECE_MAX : length));
    } while (length == WFI_GOES_ON);
    return p;
}

void wfi_move_tail(const uint8_t *p) {
    const bool turns = p < wfi.tail;
    wfi.tail = wfi.ring + (p - wfi.ring);
    if (!turns) return;
    WFI_IN_ORDER;
    wfi.turn = wfi.ring_end;
}

// Returns the bytes from a frame to the end of it.
static uint32_t bytes_between(const uint8_t *p, const uint8_t *behind) {
    return (uint32_t)(behind - p) + (behind < p ? (uint32_t)(wfi.turn - wfi.ring) : 0);
}

// Drops the rest of the frame that is being sent in parts. Returns the end of the frame.
static WFI_NOINLINE const uint8_t *cut_off(void) {
    const uint8_t *behind = wfi_turned(wfi.sent + wfi.part_left);
    if (wfi.part_goes_on) behind = wfi_behind_frame(behind);
    wfi.part = false;
    wfi.cut = wfi.hole = true;
    ++wfi.lost;
    return behind;
}

// Drops frames from p on until `want` bytes are free, at least one. Returns the end of the last
// one.
#if WF_CFG_FAST || !WFI_QUICK
static const uint8_t *give_up(const uint8_t *p, size_t want) {
    const uint32_t first = (uint32_t)(wfi.tail_at.count - wfi.tail_at.refused);
    uint32_t bytes = 0;
    do {
        const uint8_t *const behind = wfi_behind_frame(p);
        wfi_leaves(p);
        bytes += bytes_between(p, behind);
        p = behind;
    } while (bytes < want && p != wfi.next);
    add_to(&wfi.lost, (uint32_t)(wfi.tail_at.count - wfi.tail_at.refused) - first);
    add_to(&wfi.lost_bytes, bytes);
    wfi.hole = true;
    return p;
}
#endif

#if WFI_QUICK
// Sets the time base to the last stamp of the frames from p to `end`, if there is one and no wrap
// after it. number: of the first frame, or of the first one left out before it.
static WFI_NOINLINE void raise_to_last(const uint8_t *p, const uint8_t *end, uint8_t number) {
    do {
        const uint8_t seq = *wfi_step(p), left_out = (uint8_t)(seq - number);
        if (WF_CFG_TIME_SIZE < 8 && are_a_wrap(left_out, number)) wfi_raise_ticks(0);
        raise_to(p, *wfi_frame_id(p));
        number = (uint8_t)(seq + wfi_events_of(p));
        p = wfi_behind_frame(p);
    } while (p != end);
}

// The same, faster: for records that are made in one go.
WFI_ALWAYS_INLINE const uint8_t *give_up_quickly(const uint8_t *p, size_t want) {
    const uint8_t *const next = wfi.next, *last;
    unsigned bytes = 0, count = (unsigned)wfi.tail_at.count; // 16 bits are enough for a few frames
    uint8_t id = 0;
    do {
        const uint8_t length = *p;
        ++count;
        WFI_OPAQUE(count); // keeps it in one register
        if (WF_CFG_SYNC) {
            const uint8_t seq = p[1];
            id = p[2];
            if (WFI_UNLIKELY(seq != (uint8_t)count || id == WF_ID_sync)) {
                WFI_IN_ORDER; // no values are kept in registers for this rare case
                const uint8_t left_out = (uint8_t)(seq - count);
                pass_odd(p, id, left_out, (uint8_t)count);
                count += left_out;
                if (id == WF_ID_sync) wfi.lost -= left_out; // they were refused, not lost
            }
            count += wfi_events_of(p) - 1;
        }
        last = p;
        if (WFI_LIKELY(length != WFI_GOES_ON)) {
            bytes += 1u + length;
            p = wfi_turned(p + 1 + length);
        } else {
            p = wfi_behind_frame(p);
            bytes += (unsigned)bytes_between(last, p);
        }
    } while (bytes < want && p != next);
    if (WF_CFG_SYNC) {
        const unsigned at = 3 + (id == WF_ID_sync);
        if (WFI_LIKELY(wfi_id_has_stamp(id) || at == 4))
            wfi_raise_ticks(wfi_stamp_at(last + at));
        else
            raise_to_last(wfi.sent, p, (uint8_t)(wfi.tail_at.count + 1));
    }
    count -= (unsigned)wfi.tail_at.count; // the numbers that were passed
    add_to(&wfi.tail_at.count, count);
    add_to(&wfi.lost, count);
    add_to(&wfi.lost_bytes, bytes);
    wfi.hole = true;
    return p;
}
#endif

#if WF_CFG_BOX
// Drops frames from p on that the reader has copied but not returned as sent. Returns the end of
// the last one.
static const uint8_t *drop_copied(const uint8_t *p, size_t want) {
    uint32_t freed = 0;
    do {
        const uint8_t *const behind = wfi_behind_frame(p);
        freed += bytes_between(p, behind);
        p = behind;
        --wfi.copied;
    } while (freed < want && p != wfi.sent);
    return p;
}
#endif

// give: give_up, or give_up_quickly.
WFI_ALWAYS_INLINE void evict(size_t want, const uint8_t *(*give)(const uint8_t *p, size_t want)) {
    const uint8_t *p = wfi.tail;
    size_t freed = 0;
    if (WFI_UNLIKELY(wfi.part)) {
        p = cut_off();
        freed = (size_t)bytes_between(wfi.tail, p);
        wfi.lost_bytes += freed;
        wfi.sent = wfi.ring + (p - wfi.ring);
    }
#if WF_CFG_BOX
    else if (p != wfi.sent) {
        p = drop_copied(p, want);
        freed = (size_t)bytes_between(wfi.tail, p);
    }
#endif
    if (!freed || (freed < want && p != wfi.next)) {
        p = give(p, want - freed);
        wfi.sent = wfi.ring + (p - wfi.ring);
    }
    wfi_move_tail(p);
}

// With WF_CFG_FAST only records that are made in steps call it, else all records.
void wfi_evict(size_t want) {
#if WF_CFG_FAST || !WFI_QUICK
    evict(want, give_up);
#else
    evict(want, give_up_quickly);
#endif
}

#if !WFI_SMALL || WF_CFG_PACKED
// Moves `next` to the ring's beginning, where there is room.
WFI_ALWAYS_INLINE void turn(void) {
    uint8_t *const next = wfi.next, *const ring = wfi.ring;
    wfi.turn = next;
    WFI_IN_ORDER;
    wfi.next = ring;
    WFI_IN_ORDER;
    if (wfi.sent == next) wfi.sent = ring;
    if (wfi.tail == next) wfi_move_tail(ring);
    wfi.limit = wfi_room_end(ring);
}

enum { WFI_STEP = 32 }; // bytes dropped in a step

// With `step` it drops a few frames at most, and returns whether it dropped one.
WFI_ALWAYS_INLINE bool make_room(size_t need, bool step) {
    if (wfi.sync_due) return false;
    uint8_t *const end = wfi_room_end(wfi.next);
    const size_t room = (size_t)(end - wfi.next), begin = (size_t)(wfi.tail - wfi.ring);
    size_t want = 0;
    bool turns = true;
    if (WFI_UNLIKELY(room >= need)) {
        wfi.limit = end;
        return !step;
    }
    if (wfi.next >= wfi.tail) { // there is no more room up to the ring's end
        if (wfi.next == wfi.tail) {
            if (wfi.ring_end - wfi.ring == 1) return false; // the ring was refused
        } else if (begin <= need) {
            want = need + 1 - begin;
        }
    } else if ((size_t)(wfi.ring_end - wfi.next) > need) {
        want = need - room;
        turns = false;
    } else {
        want = (size_t)(wfi.turn - wfi.tail) + need + 1;
    }
    if (step && !want) return false;
    if (step && want > WFI_STEP) want = WFI_STEP;
#if WFI_QUICK
    if (want) evict(want, give_up_quickly);
#else
    if (want) wfi_evict(want);
#endif
    if (step) return true;
    if (turns)
        turn();
    else
        wfi.limit = wfi_room_end(wfi.next);
    return true;
}

bool wfi_room(size_t need) { return make_room(need, false); }

#if WF_CFG_PACKED
bool wfi_drop_for(size_t need) { return make_room(need, true); }
#endif
#endif
#endif
