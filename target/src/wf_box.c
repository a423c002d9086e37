// SPDX-License-Identifier: MIT
// The black box: makes the recorder findable in a memory image, and continues after the records of
// an earlier run. A reset may come at any instruction. The frames are whole then (except the rest
// of one at the tail), because a record belongs to the ring only when `next` moves. But a count may
// be ahead of its frame or behind it, and tail_at ahead of the tail, as frames are copied to the
// stage before they leave the ring. Both are detected by the numbers of the frames.

#include "wfi_core.h"
#include "wfi_packed.h"

#if WF_CFG_BOX

#define WFI_PLACE(member)                                                                          \
    (offsetof(struct wfi_recorder, member) - offsetof(struct wfi_recorder, box))
enum { WFI_FRAME_HEAD = WF_CFG_PACKED ? 2 + WF_CFG_TIME_SIZE + 4 + 1 : 2 };
#if WF_CFG_PACKED
#define WFI_PACKED_PLACED                                                                          \
    (WFI_PLACE(open) == 88 + 7 * sizeof(void *) && WFI_PLACE(objects) == 96 + 7 * sizeof(void *))
#else
#define WFI_PACKED_PLACED 1
#endif
typedef char wfi_box_layout[sizeof(struct wfi_box) == 28 && WFI_PLACE(hole) == 28 &&
                                    WFI_PLACE(tail_at) == 32 && WFI_PLACE(lost) == 56 &&
                                    WFI_PLACE(refused) == 72 && WFI_PLACE(count_high) == 84 &&
                                    WFI_PLACE(self) == 88 &&
                                    WFI_PLACE(turn) == 88 + 6 * sizeof(void *) && WFI_PACKED_PLACED
                                ? 1
                                : -1];

static bool kept_earlier;

bool wf_was_kept(void) { return kept_earlier; }

// FNV-1a over bytes in memory order.
static uint32_t check_bytes(uint32_t check, const void *bytes, size_t len) {
    for (const uint8_t *p = bytes; len; --len) check = (check ^ *p++) * UINT32_C(16777619);
    return check;
}

static void describe(struct wfi_box *box, const struct wf_config *config) {
    // The magic, inverted, so that a memory image has it only in the box; its last byte is the
    // version of the layout. volatile keeps the compiler from using constants with parts of it.
    static const uint8_t inverted[8] = {0x0E, 0xA8, 0xB9, 0xBD,
                                        0xB0, 0xA7, 0xF2, WF_CFG_PACKED ? 0xFB : 0xFC};
    static const uint8_t sizes[] = {WFI_SIZES};
    const void *const fixed[] = {&wfi.box, config->ring, config->ring + config->ring_size};
    volatile uint8_t *magic = box->magic;
    for (unsigned i = 0; i < sizeof inverted; ++i) magic[i] = (uint8_t)~inverted[i];
    box->pointer_size = sizeof(void *);
    box->big_endian = !WFI_LITTLE;
    for (unsigned i = 0; i < sizeof sizes; ++i) box->sizes[i] = sizes[i];
    box->core = wf_port_core();
    box->hz = config->hz;
    box->build_id = config->build_id;
    box->check =
        check_bytes(check_bytes(UINT32_C(2166136261), box, offsetof(struct wfi_box, check)), fixed,
                    sizeof fixed);
}

void wfi_box_seal(void) {
    kept_earlier = false;
    wfi.self = &wfi.box;
    describe(&wfi.box, wfi.config);
}

static bool is_ours(const struct wf_config *config) {
    struct wfi_box want;
    describe(&want, config);
    const uint8_t *a = (const uint8_t *)&wfi.box, *b = (const uint8_t *)&want;
    bool same = true;
    for (unsigned i = 0; i < sizeof want; ++i) same &= a[i] == b[i];
    wfi_fill(&want, sizeof want, 0); // no second magic may stay in memory
    return same && wfi.self == &wfi.box && wfi.ring == config->ring &&
           wfi.ring_end == config->ring + config->ring_size;
}

static bool inside(const uint8_t *p) {
    return (uintptr_t)p >= (uintptr_t)wfi.ring && (uintptr_t)p < (uintptr_t)wfi.ring_end;
}

struct frame {
    uint8_t head[WFI_FRAME_HEAD]; // seq, id; of a packed frame up to the number of its events
    uint32_t len;                 // including the checksum
};

// Returns the numbers that a frame takes.
static unsigned numbers_of(const struct frame *f) {
    return WF_CFG_PACKED && f->head[1] == WF_ID_packed ? f->head[WFI_FRAME_HEAD - 1] : 1;
}

// Reads the frame at p and subtracts its bytes from *left. Returns the end of the frame, or null
// when it is not whole.
static const uint8_t *read_frame(const uint8_t *p, struct frame *f, size_t *left) {
    uint8_t sum = 0, length;
    f->len = 0;
    do {
        if (!*left) return NULL;
        length = *p;
        p = wfi_step(p);
        unsigned bytes = length == WFI_GOES_ON ? WFI_PIECE_MAX : length;
        if (*left < 1 + bytes) return NULL;
        *left -= 1 + bytes;
        for (; bytes; --bytes, p = wfi_step(p), ++f->len) {
            sum = (uint8_t)(sum + *p);
            if (f->len < sizeof f->head) f->head[f->len] = *p;
        }
    } while (length == WFI_GOES_ON);
    return f->len >= 3 && sum == 0xFF ? wfi_turned(p) : NULL;
}

struct walk {
    uint64_t number;         // of the current frame
    uint64_t refused, first; // refused records: in all SYNCs; in a SYNC that is the first frame
};

// The most numbers left out before a record, for SYNCs of the reader.
enum { WFI_LEFT_OUT_MAX = 2 };

// Checks that a frame's number follows. Numbers left out before a SYNC are those of refused
// records. The first frame may correct tail_at, which is ahead of it if frames were passed to the
// stage.
static bool follows(struct walk *w, const struct frame *f, bool first) {
    const uint64_t expected = w->number + 1;
    const unsigned more = numbers_of(f) - 1;
    const uint8_t left_out = (uint8_t)(f->head[0] - (uint8_t)expected);
    const bool sync = f->head[1] == WF_ID_sync;
    if (first && (wfi.tail != wfi.sent || left_out > WFI_LEFT_OUT_MAX) && left_out) {
        if (expected <= (uint8_t)-left_out) return false;
        w->number = expected - (uint8_t)-left_out;
        wfi.tail_at.count = w->number - 1;
        w->number += more;
        return true;
    }
    if (left_out > (sync ? 1 : WFI_LEFT_OUT_MAX)) return false;
    if (sync) w->refused += left_out;
    if (sync && first) w->first = left_out;
    w->number = expected + left_out + more;
    return true;
}

// Checks the difference of the count and the frames' numbers: 0, or the numbers of one record,
// which is counted but not in the ring, or in the ring but not counted.
static bool is_one_record(const struct walk *w, uint64_t over) {
    return over + 1 <= 2 || over == 1u + wfi.left_out || (over + 2 == 0 && (uint8_t)w->number == 1);
}

// Returns whether all frames are whole and in order and the counts match them, except for one
// record being made and one SYNC being passed. Corrects the counts for these.
static bool is_whole(void) {
    struct walk w = {wfi.tail_at.count, 0, 0};
    struct frame f;
    size_t left = (size_t)(wfi.next - wfi.tail);
    if (wfi.next < wfi.tail) left += (size_t)(wfi.turn - wfi.ring);
    for (const uint8_t *p = wfi.tail, *next; left; p = next) {
        next = read_frame(p, &f, &left);
        if (!next || (WF_CFG_SYNC && !follows(&w, &f, p == wfi.tail))) return false;
    }
    if (!WF_CFG_SYNC) return true; // no record reports the numbers of refused records
    uint64_t count = (uint64_t)wfi.count_high << 32 | wfi.count_low;
#if WF_CFG_PACKED
    if (!wfi_keep_packed((uint32_t)w.number)) return false;
    if (w.number - count <= UINT8_MAX) count = w.number; // a frame was closed, but not yet counted
#endif
    uint64_t over = wfi.tail_at.refused + w.refused + (count - w.number) - wfi.refused;
    if (!is_one_record(&w, over) && w.first) {
        wfi.tail_at.refused -= w.first; // was counted already
        over -= w.first;
    }
    if (!is_one_record(&w, over)) return false;
    if (over - 1 < UINT8_MAX) { // a record was being made: count it as refused
        ++wfi.refused;
        --over;
    } else {
        wfi.wrapped = false; // the wrap is before a record in the ring
    }
    count -= over; // or it was not counted yet
    wfi.count_low = (uint32_t)count;
    wfi.count_high = (uint32_t)(count >> 32);
    return true;
}

// Counts the frames from the tail to `sent`; 0 if a part of one was copied.
static unsigned count_copied(void) {
    unsigned count = 0;
    for (const uint8_t *p = wfi.tail; p != wfi.sent; p = wfi_behind_frame(p), ++count) {
        if (p == wfi.next) return 0;
    }
    return count;
}

// Returns the numbers taken by `count` frames on the stage, from the one of this index on.
static unsigned numbers_on_stage(unsigned len, unsigned first, unsigned count) {
    unsigned numbers = count;
    uint8_t id = 0;
    for (unsigned i = 0, frame = 0, at = 0; WF_CFG_PACKED && i < len; ++i) {
        uint8_t byte = wfi.stage[i];
        if (byte == WFI_FLAG) {
            ++frame;
            at = 0;
            continue;
        }
        if (byte == WFI_ESC && i + 1 < len) byte = wfi.stage[++i] ^ WFI_ESC_XOR;
        if (at == 1) id = byte;
        if (at == WFI_FRAME_HEAD - 1 && id == WF_ID_packed && frame - first < count)
            numbers += byte - 1u;
        ++at;
    }
    return numbers;
}

// Closes the frame that was partly sent, and sends it again whole. Frames that were only on the
// stage are lost; a SYNC among them is made again, with the number of a lost record.
static void rewind_reader(void) {
    unsigned len = wfi.stage_len <= WFI_STAGE ? wfi.stage_len : 0, ended = 0, waiting = 0;
    const unsigned own = wfi.own & ~(unsigned)WFI_NUMBERED;
    uint8_t part = wfi.spoiler; // not 0: a part of a frame was sent; see clear_stage()
    for (unsigned i = 0; i < len; ++i) {
        uint8_t byte = wfi.stage[i];
        bool sent = i < wfi.stage_at;
        if (sent) part = (uint8_t)((part ^ (byte != WFI_ESC && byte & 1)) | 2);
        if (byte != WFI_FLAG) continue;
        if (sent) part = 0;
        if (!sent && ended < own) {
            wfi.hole = true;
            wfi.lost += ended + 1 == own && own != wfi.own; // it had a number of its own
        }
        waiting += !sent && ended >= own;
        ++ended;
    }
    if (!len && own) { // the stage was being filled
        wfi.hole = true;
        wfi.lost += own != wfi.own;
    }
    if (wfi.lent) part |= 2;
    wfi.cut = part != 0;
    wfi.spoiler = part;
    unsigned again = count_copied();
    if (waiting > again) {
        wfi.lost += numbers_on_stage(len, ended - waiting, waiting - again);
        wfi.hole = true;
    }
    wfi.sent = wfi.tail;
    wfi.own = 0;
}

bool wfi_box_keep(const struct wf_config *config) {
    if (!is_ours(config) || !inside(wfi.tail) || !inside(wfi.sent) || !inside(wfi.next)) {
        return false;
    }
    if (wfi.next >= wfi.tail) wfi.turn = wfi.ring_end; // turn has no meaning then
    if (wfi.turn != wfi.ring_end && (!inside(wfi.turn) || wfi.turn < wfi.tail)) return false;
    wfi.sent = wfi.ring + (wfi_turned(wfi.sent) - wfi.ring); // the ring turned exactly there
    wfi_move_tail(wfi_turned(wfi.tail));
    if (!is_whole()) return false;
    rewind_reader();
    const bool wrapped = wfi.wrapped;
    const wf_stamp last = wfi.last; // a clock that starts lower has wrapped
#if WF_CFG_TEST
    wf_stamp clock = wfi.test_clock;
#endif
    wfi_fill(&wfi, offsetof(struct wfi_recorder, box), 0);
    wfi_fill(&wfi.config, sizeof wfi - offsetof(struct wfi_recorder, config), 0);
#if WF_CFG_TEST
    wfi.test_clock = clock;
#endif
    wfi.wrapped = wrapped;
    wfi.last = last;
    wfi.config = config;
#if WF_CFG_PACKED
    wfi_close_packed();
    wfi.packed.unannounced = true;
#endif
    wfi.limit = wfi.at = wfi.next;
    wfi.sync_due = true;
    kept_earlier = true;
    return true;
}

#endif
