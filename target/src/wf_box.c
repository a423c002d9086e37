// SPDX-License-Identifier: MIT
// The black box: what makes the recorder findable in an image of the memory, and the taking over of
// what an earlier run left behind. A reset may come at any instruction. The frames are whole then,
// but for the rest of one at the tail, for a record counts only when `next` moves; but a count may
// be ahead of its frame or behind it, and the place of the tail ahead of the tail, as frames are
// copied to the stage before they leave. Both are seen from the numbers of the frames.

#include "wfi_core.h"

#if WF_CFG_BOX

#define WFI_PLACE(member)                                                                          \
    (offsetof(struct wfi_recorder, member) - offsetof(struct wfi_recorder, box))
typedef char wfi_box_layout[sizeof(struct wfi_box) == 28 && WFI_PLACE(hole) == 28 &&
                                    WFI_PLACE(tail_at) == 32 && WFI_PLACE(lost) == 56 &&
                                    WFI_PLACE(refused) == 72 && WFI_PLACE(count_high) == 84 &&
                                    WFI_PLACE(self) == 88 &&
                                    WFI_PLACE(next) == 88 + 5 * sizeof(void *)
                                ? 1
                                : -1];

static bool kept_earlier;

bool wf_was_kept(void) { return kept_earlier; }

// FNV-1a, of bytes as they lie in memory.
static uint32_t check_bytes(uint32_t check, const void *bytes, size_t len) {
    for (const uint8_t *p = bytes; len; --len) check = (check ^ *p++) * UINT32_C(16777619);
    return check;
}

static void describe(struct wfi_box *box, const struct wf_config *config) {
    // Inverted, so that the image has it nowhere else; the last byte is the version of the layout.
    // volatile keeps the compiler from making constants of it that hold it in pieces.
    static const uint8_t inverted[8] = {0x0E, 0xA8, 0xB9, 0xBD, 0xB0, 0xA7, 0xF2, 0xFD};
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
    wfi_fill(&want, sizeof want, 0); // no other magic may stay in the memory
    return same && wfi.self == &wfi.box && wfi.ring == config->ring &&
           wfi.ring_end == config->ring + config->ring_size;
}

static bool inside(const uint8_t *p) {
    return (uintptr_t)p >= (uintptr_t)wfi.ring && (uintptr_t)p < (uintptr_t)wfi.ring_end;
}

struct frame {
    uint8_t head[10]; // seq, id, and a SYNC's number
    uint32_t len;     // with the checksum, unescaped
};

// Returns what is behind the frame at p, null if there is no whole one.
static const uint8_t *read_frame(const uint8_t *p, struct frame *f) {
    uint8_t sum = 0, flip = 0;
    f->len = 0;
    while (p != wfi.next) {
        uint8_t byte = *p;
        p = wfi_step(p);
        if (byte == WFI_FLAG) return f->len >= 3 && !flip && sum == 0xFF ? p : NULL;
        if (byte == WFI_ESC) {
            if (flip) return NULL;
            flip = WFI_ESC_XOR;
            continue;
        }
        byte ^= flip;
        flip = 0;
        sum = (uint8_t)(sum + byte);
        if (f->len < sizeof f->head) f->head[f->len] = byte;
        ++f->len;
    }
    return NULL;
}

static uint64_t number_at(const uint8_t *p, unsigned bytes) {
    uint64_t v = 0;
    while (bytes) v = v << 8 | p[--bytes];
    return v;
}

struct walk {
    uint64_t number;         // of the frame at hand
    uint64_t refused, first; // told by the SYNCs; by one that is the first frame
};

// A frame in its order, by number. The first one may correct the place of the tail.
static bool follows(struct walk *w, const struct frame *f, bool first) {
    uint64_t expected = w->number + 1;
    uint64_t number = expected - (uint8_t)(expected - f->head[0]);
    if (f->head[1] == WF_ID_sync && f->len == 2 + WFI_SYNC_KEPT + 1) {
        number = number_at(f->head + 2, 8);
        if ((uint8_t)number != f->head[0]) return false;
        if (number > expected) {
            w->refused += number - expected;
            if (first) w->first = w->refused;
            expected = number;
        }
    }
    if (number != expected) {
        if (!first || !number || number > expected) return false;
        wfi.tail_at.count = number - 1;
    }
    w->number = number;
    return true;
}

// All frames are whole and in order, and the counts fit them, but for a record that was being made
// and a SYNC that was being passed.
static bool is_whole(void) {
    struct walk w = {wfi.tail_at.count, 0, 0};
    struct frame f;
    for (const uint8_t *p = wfi.tail, *next; p != wfi.next; p = next) {
        next = read_frame(p, &f);
        if (!next || (WF_CFG_SYNC && !follows(&w, &f, p == wfi.tail))) return false;
    }
    if (!WF_CFG_SYNC) return true; // refusals leave gaps that nothing tells
    uint64_t count = (uint64_t)wfi.count_high << 32 | wfi.count_low;
    uint64_t over = wfi.tail_at.refused + w.refused + (count - w.number) - wfi.refused;
    if (over + 1 > 2 && w.first) {
        wfi.tail_at.refused -= w.first; // was counted already
        over -= w.first;
    }
    if (over == 1) ++wfi.refused; // the record that was being made
    if (over + 1 == 0) {
        wfi.count_low = (uint32_t)++count; // it was not yet counted
        wfi.count_high = (uint32_t)(count >> 32);
    }
    return over + 1 <= 2;
}

// Frames that end between two places of the ring.
static unsigned count_frames(const uint8_t *p, const uint8_t *end) {
    unsigned count = 0;
    for (; p != end && p != wfi.next; p = wfi_step(p)) count += *p == WFI_FLAG;
    return count;
}

// What the reader had begun to send is closed, and sent again whole. What was on the stage only is
// lost; a SYNC that was comes anew.
static void rewind_reader(void) {
    unsigned len = wfi.stage_len <= WFI_STAGE ? wfi.stage_len : 0, ended = 0, waiting = 0;
    uint8_t part = wfi.spoiler; // not 0: part of a frame was sent; see clear_stage()
    for (unsigned i = 0; i < len; ++i) {
        uint8_t byte = wfi.stage[i];
        bool sent = i < wfi.stage_at;
        if (sent) part = (uint8_t)((part ^ (byte != WFI_ESC && byte & 1)) | 2);
        if (byte != WFI_FLAG) continue;
        if (sent) part = 0;
        if (!sent && ended < wfi.own) wfi.hole = true;
        waiting += !sent && ended >= wfi.own;
        ++ended;
    }
    if (wfi.lent) part |= 2;
    wfi.cut = part != 0;
    wfi.spoiler = part;
    unsigned again = count_frames(wfi.tail, wfi.sent);
    if (waiting > again) {
        wfi.lost += waiting - again;
        wfi.hole = true;
    }
    wfi.sent = wfi.tail;
}

bool wfi_box_keep(const struct wf_config *config) {
    if (!is_ours(config) || !inside(wfi.tail) || !inside(wfi.sent) || !inside(wfi.next)) {
        return false;
    }
    bool waits = wfi.tail == wfi.sent; // not on the stage
    while (wfi.tail != wfi.next && !wfi_starts_frame(wfi.tail)) wfi.tail = wfi_step(wfi.tail);
    if (waits) wfi.sent = wfi.tail;
    if (!is_whole()) return false;
    rewind_reader();
    wfi_fill(&wfi, offsetof(struct wfi_recorder, box), 0);
    wf_stamp last = wfi.last; // a clock that starts lower has wrapped
#if WF_CFG_TEST
    wf_stamp clock = wfi.test_clock;
#endif
    wfi_fill(&wfi.last, sizeof wfi - offsetof(struct wfi_recorder, last), 0);
#if WF_CFG_TEST
    wfi.test_clock = clock;
#endif
    wfi.last = last;
    wfi.config = config;
    wfi.limit = wfi.at = wfi.next;
    wfi.sync_due = true;
    kept_earlier = true;
    return true;
}

#endif
