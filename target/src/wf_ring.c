// SPDX-License-Identifier: MIT
// The writer's side of the ring. From `tail` to `next` lie whole frames, the oldest first; the
// reader has copied those in front of `sent`. At least a byte is always free, so tail == next means
// empty.
//
//   ring  |.....[tail: frame frame [sent: frame frame ]next.......limit|
//
// A frame is a length and so many bytes: sequence, id, stamp, fields, and the checksum of all that.
// Escapes and flags are the reader's work. The length WFI_GOES_ON stands in front of WFI_PIECE_MAX
// bytes, behind which there is another length.
//
// A record is written behind `next` and counts only when `next` moves past it. It takes its room
// from the oldest frames; to give up one takes a few steps, however long it is.

#include "wallfly/wf_fields.h"
#include "wfi_core.h"

#if !WF_CFG_SLOTS

struct wfi_recorder wfi WF_CFG_PLACE;

// By the schema.
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
const uint32_t wfi_stamped[WF_USER_FIRST / 32 + 1] = {
    0 WF_RECORDS(WFI_STAMPS_0), 0 WF_RECORDS(WFI_STAMPS_1), 0 WF_RECORDS(WFI_STAMPS_2)};

// The record cannot get in, nor push out others any more; a SYNC will tell.
static WFI_NOINLINE void fail(void) {
    wfi.sync_due = true;
    wfi.limit = wfi.stop = wfi.at;
}

void wfi_pass_number(bool wrapped) {
#if WF_CFG_TIME_SIZE < 8
    enum { WFI_BITS = 8 * WF_CFG_TIME_SIZE };
    if (wrapped) wfi.tail_at.ticks = ((wfi.tail_at.ticks >> WFI_BITS) + 1) << WFI_BITS;
#else
    (void)wrapped;
#endif
    ++wfi.tail_at.count;
}

void wfi_raise_ticks(wf_stamp stamp) {
    const uint64_t low = (wf_stamp) ~(wf_stamp)0;
    wfi.tail_at.ticks = (wfi.tail_at.ticks & ~low) | stamp;
}

// The time base is at the stamp behind this byte of the ring.
static WFI_NOINLINE void raise_behind(const uint8_t *p) {
    wf_stamp stamp = 0;
    if (!WFI_SMALL && wfi.ring_end - p > WF_CFG_TIME_SIZE) { // in one piece
        WFI_UNROLL
        for (unsigned i = WF_CFG_TIME_SIZE; i; --i) stamp = (wf_stamp)((uint64_t)stamp << 8 | p[i]);
    } else {
        for (unsigned i = 0; i < WF_CFG_TIME_SIZE; ++i) {
            p = wfi_step(p);
            stamp = (wf_stamp)(stamp | (wf_stamp)*p << 8 * i);
        }
    }
    wfi_raise_ticks(stamp);
}

// What is unusual in front of a frame, or it is a SYNC.
static WFI_NOINLINE unsigned odd_leaves(const uint8_t *p, uint8_t left_out) {
    unsigned records = 1;
    if (wfi_is_sync(p)) { // the numbers in front of it are those of refused records
        wfi.tail_at.refused += left_out;
        wfi.tail_at.count += left_out;
        p = wfi_step(wfi_frame_id(p));
        wfi_pass_number(*p != 0);
        raise_behind(p);
        return records;
    }
    for (; left_out; --left_out, ++records) wfi_pass_left_out();
    ++wfi.tail_at.count;
    return records;
}

unsigned wfi_leaves(const uint8_t *p) {
    const uint8_t left_out = wfi_left_out(p);
    unsigned records = 1;
    if (left_out || wfi_is_sync(p))
        records = odd_leaves(p, left_out);
    else
        ++wfi.tail_at.count;
    if (wfi_has_stamp(p)) raise_behind(wfi_frame_id(p));
    return records;
}

const uint8_t *wfi_behind_frame(const uint8_t *p) {
    unsigned length;
    do {
        length = *p;
        p += 1 + (length == WFI_GOES_ON ? WFI_PIECE_MAX : length);
        if (p >= wfi.ring_end) p -= wfi.ring_end - wfi.ring;
    } while (length == WFI_GOES_ON);
    return p;
}

// The rest of what is being sent in parts is given up. Returns what is behind it.
static WFI_NOINLINE const uint8_t *cut_off(void) {
    const uint8_t *p = wfi.sent + wfi.part_left;
    if (p >= wfi.ring_end) p -= wfi.ring_end - wfi.ring;
    wfi.part = false;
    wfi.cut = true;
    ++wfi.lost;
    return wfi.part_goes_on ? wfi_behind_frame(p) : p;
}

// Is nothing unusual about the frame that leaves? wfi_leaves for the others.
WFI_ALWAYS_INLINE bool leaves_as_usual(const uint8_t *p) {
    if (WFI_SMALL || wfi_left_out(p) || wfi_is_sync(p)) return false;
    ++wfi.tail_at.count;
    return true;
}

// Counts the records that are lost with the frame: here is seen of what kind they are. *timed: the
// last frame with a stamp that is still to be followed, or null.
WFI_ALWAYS_INLINE unsigned give_up(const uint8_t *p, const uint8_t **timed) {
    if (leaves_as_usual(p)) {
        if (wfi_has_stamp(p)) *timed = p;
        return 1;
    }
    *timed = NULL;
    return wfi_leaves(p);
}

void wfi_evict(size_t want) {
    const size_t size = (size_t)(wfi.ring_end - wfi.ring);
    uint32_t freed = 0, lost = 0, lost_bytes = 0;
    const uint8_t *p = wfi.tail, *behind, *timed = NULL;
    do {
        bool waits = true;
        if (WFI_LIKELY(!wfi.part)) {
            behind = wfi_behind_frame(p);
            waits = !WF_CFG_BOX || p == wfi.sent;
            if (waits) lost += give_up(p, &timed);
        } else {
            behind = cut_off();
        }
        const uint32_t bytes = (uint32_t)(behind - p) + (behind < p ? (uint32_t)size : 0);
        p = behind;
        freed += bytes;
#if WF_CFG_BOX
        if (waits) wfi.sent = wfi.ring + (p - wfi.ring);
        lost_bytes += waits ? bytes : 0;
        wfi.copied = (uint16_t)(wfi.copied - !waits);
        wfi.hole |= waits;
#else
        (void)waits;
#endif
    } while (freed < want && p != wfi.next);
    if (timed) raise_behind(wfi_frame_id(timed));
    wfi.tail = wfi.ring + (p - wfi.ring);
#if !WF_CFG_BOX
    wfi.sent = wfi.tail;
    lost_bytes = freed;
    wfi.hole = true;
#endif
    wfi.lost += lost;
    wfi.lost_bytes += lost_bytes;
}

// The free piece from p on, where p is next, or behind it in the record being made.
static size_t find_room(const uint8_t *p) {
    wfi.limit = p < wfi.tail ? wfi.tail - 1 : wfi.ring_end - (wfi.tail == wfi.ring);
    return (size_t)(wfi.limit - p);
}

// Bytes behind the length of the piece at hand.
static size_t piece_len(void) {
    const uint8_t *const first = wfi.length + 1;
    return (size_t)(wfi.at - first) + (wfi.at < first ? (size_t)(wfi.ring_end - wfi.ring) : 0);
}

// A length, and the place of the bytes behind it.
static void begin_piece(void) {
    if (wfi.length) *wfi.length = WFI_GOES_ON;
    wfi.length = wfi.at++;
    wfi.stop = wfi.limit - wfi.at < WFI_PIECE_MAX ? wfi.limit : wfi.at + WFI_PIECE_MAX;
}

// There is a limit, or a piece ends at `at`. So many bytes are wanted there; one there is at least
// behind it, or the record fails.
static WFI_NOINLINE void more(size_t want) {
    while (!wfi.sync_due) {
        if (wfi.at == wfi.ring_end) wfi.at = wfi.ring;
        size_t room = find_room(wfi.at);
        if (room) {
            const size_t left = wfi.length ? WFI_PIECE_MAX - piece_len() : 0;
            wfi.stop = wfi.at + (left < room ? left : room);
            if (left) return;
            begin_piece();
            if (wfi.at != wfi.stop) return;
            continue;
        }
        // There is nothing to give up, or it would be in vain.
        if (wfi.tail == wfi.next || wfi.len + 2u >= (size_t)(wfi.ring_end - wfi.ring)) break;
        wfi_evict(want);
    }
    fail();
}

#if WF_CFG_FAST
bool wfi_room(size_t need) {
    while (!wfi.sync_due) {
        const size_t room = find_room(wfi.next);
        if (room >= need) return true;
        if (wfi.next >= wfi.tail) return false; // to the ring's end, there is no more
        wfi_evict(need - room);
    }
    return false;
}
#endif

void wfi_open(void) {
    wfi.at = wfi.stop = wfi.next;
    wfi.len = 0;
    wfi.sum = 0;
    wfi.length = NULL;
    if (wfi.sync_due)
        wfi.limit = wfi.at; // no SYNC got in, so this will not
    else if (wfi.limit - wfi.at >= 2)
        begin_piece();
}

#if WF_CFG_FAST
// Whole words, as far as there is room; returns what is behind them.
static WFI_NOINLINE const uint8_t *put_words(const uint8_t *p, const uint8_t *end) {
    uint8_t *at = wfi.at, *const stop = wfi.stop;
    struct wfi_sum words = {0, 0};
    while ((size_t)(end - p) >= WFI_WORD && (size_t)(stop - at) >= WFI_WORD) {
        wfi_word w = wfi_word_at(p);
        wfi_add(&words, w);
        wfi_word_to(at, w);
        p += WFI_WORD;
        at += WFI_WORD;
    }
    wfi.at = at;
    wfi.sum = (uint8_t)(wfi.sum + wfi_fold(words));
    return p;
}
#endif

void wfi_put_bytes(const void *bytes, unsigned len) {
    const uint8_t *p = bytes, *end = p + len;
    if ((uint32_t)wfi.len + len > WF_CFG_RECORD_MAX) {
        fail(); // before it pushes out others in vain
        return;
    }
    wfi.len = (uint16_t)(wfi.len + len);
    for (;;) {
#if WF_CFG_FAST
        if ((size_t)(end - p) >= 2 * WFI_WORD) p = put_words(p, end);
#endif
        uint8_t *at = wfi.at, *const stop = wfi.stop, sum = wfi.sum;
        while (p != end && at != stop) {
            WFI_OPAQUE(at); // no call of memcpy
            sum = (uint8_t)(sum + *p);
            *at++ = *p++;
        }
        wfi.at = at;
        wfi.sum = sum;
        if (p == end) return;
        more((size_t)(end - p) + 1);
        if (wfi.sync_due) return;
    }
}

void wfi_put_byte(uint8_t byte) {
    if (WFI_SMALL || wfi.at == wfi.stop) {
        wfi_put_bytes(&byte, 1);
        return;
    }
    wfi.sum = (uint8_t)(wfi.sum + byte);
    ++wfi.len;
    *wfi.at++ = byte;
}

void wfi_close(void) {
    wfi_put_byte((uint8_t)~wfi.sum);
    if (!WFI_SMALL && wfi.len > WF_CFG_RECORD_MAX) wfi.sync_due = true;
    uint8_t *next = wfi.next;
    if (!wfi.sync_due) {
        *wfi.length = (uint8_t)piece_len();
        next = wfi.at == wfi.ring_end ? wfi.ring : wfi.at;
    }
    if (next <= wfi.next) wfi.limit = next; // to be found again
    wfi.next = next;
}

#if !WFI_SMALL
// Copies up to `end`; adds up what was copied. Returns what is behind it on the other side.
WFI_ALWAYS_INLINE const uint8_t *add_up_to(uint8_t *at, const uint8_t *from, const uint8_t *end,
                                           uint32_t *sum) {
    uint32_t all = *sum;
#if WF_CFG_FAST
    struct wfi_sum words = {0, 0};
    for (; (size_t)(end - from) >= WFI_WORD; from += WFI_WORD, at += WFI_WORD) {
        wfi_word w = wfi_word_at(from);
        wfi_add(&words, w);
        wfi_word_to(at, w);
    }
    all += wfi_fold(words);
#endif
    while (from != end) {
        WFI_OPAQUE(at); // no call of memcpy
        all += *from;
        *at++ = *from++;
    }
    *sum = all;
    return at;
}

bool wfi_put_frame(const uint8_t *bytes, unsigned len) {
    const size_t size = (size_t)(wfi.ring_end - wfi.ring), need = len + 2;
    uint8_t *at = wfi.next;
    uint32_t sum = 0;
    size_t room;
    if (wfi.sync_due || need >= size || len >= WFI_PIECE_MAX) return false;
    while ((room = (size_t)(wfi.tail - at) - 1 + (at >= wfi.tail ? size : 0)) < need)
        wfi_evict(need - room);
    *at = (uint8_t)(len + 1);
    at = wfi_step(at);
    const size_t to_end = (size_t)(wfi.ring_end - at);
    const uint8_t *const end = bytes + len, *const part = len > to_end ? bytes + to_end : end;
    at += add_up_to(at, bytes, part, &sum) - at;
    if (at == wfi.ring_end) at = wfi.ring;
    if (part != end) at += add_up_to(at, part, end, &sum) - at;
    *at = (uint8_t)~sum;
    at = wfi_step(at);
    wfi.next = at;
    wfi.wrapped = false;
    (void)find_room(at);
    return true;
}
#endif
#endif
