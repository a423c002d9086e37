// SPDX-License-Identifier: MIT
// The black box: what makes the recorder findable in an image of the memory, and the taking over of
// what an earlier run left behind. A reset may come at any instruction. The frames are whole then,
// for a record counts only when `next` moves; but a count may be ahead of its frame or behind it,
// and the place of the tail ahead of the tail. Both are seen from the numbers of the frames.

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
    static const uint8_t inverted[8] = {0x0E, 0xA8, 0xB9, 0xBD, 0xB0, 0xA7, 0xF2, 0xFE};
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
    uint8_t head[34]; // seq, id, and of a SYNC up to its `refused`
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
    uint64_t number; // of the frame at hand
    uint32_t refused;
    bool unsure; // the place of the tail was ahead: it does not know what was refused there
};

static void set_tail(struct walk *w, uint64_t before) {
    wfi.tail_at.count = before;
    w->unsure = true;
}

// A frame in its order, by number. The first one may correct the place of the tail.
static bool follows(struct walk *w, const struct frame *f, bool first) {
    ++w->number;
    if (f->head[1] == WF_ID_sync && f->len == 2 + WFI_SYNC_LEN + 1) {
        uint64_t number = number_at(f->head + 2, 8);
        uint32_t refused = (uint32_t)number_at(f->head + 30, 4);
        bool good = number - w->number == (uint32_t)(refused - w->refused);
        if (!good && !first && !w->unsure) return false;
        if (!good && first) set_tail(w, number - 1);
        if (!good && first) wfi.tail_at.refused = refused;
        w->unsure = false;
        w->number = number;
        w->refused = refused;
        return (uint8_t)number == f->head[0];
    }
    uint8_t ahead = (uint8_t)(w->number - f->head[0]);
    if (!ahead) return true;
    if (!first || w->number <= ahead) return false;
    w->number -= ahead;
    set_tail(w, w->number - 1);
    return true;
}

// All frames are whole and in order, and the counts fit them, but for a record that was being made.
static bool is_whole(void) {
    struct walk w = {wfi.tail_at.count, (uint32_t)wfi.tail_at.refused, false};
    struct frame f;
    for (const uint8_t *p = wfi.tail, *next; p != wfi.next; p = next) {
        next = read_frame(p, &f);
        if (!next || (WF_CFG_SYNC && !follows(&w, &f, p == wfi.tail))) return false;
    }
    if (!WF_CFG_SYNC) return true; // refusals leave gaps that nothing tells
    uint64_t count = (uint64_t)wfi.count_high << 32 | wfi.count_low;
    uint64_t due = w.number + (w.unsure ? 0 : (uint32_t)(wfi.refused - w.refused));
    if (count + 1 == due) {
        wfi.count_low = (uint32_t)due;
        wfi.count_high = (uint32_t)(due >> 32);
        return true;
    }
    if (w.unsure) return count >= due && count - due <= (uint64_t)wfi.refused + 1;
    if (count == due + 1) ++wfi.refused; // the record that was being made
    return count == due || count == due + 1;
}

// What the reader had begun to send is closed, and sent again whole.
static void rewind_reader(void) {
    bool waits = wfi.stage_at < wfi.stage_len && wfi.stage_len <= WFI_STAGE;
    bool begun = wfi.stage_at || wfi.lent;
    if (waits && wfi.stage_len == 2) { // a spoiler; what it spoils stays so behind a 0
        wfi.cut = true;
        wfi.spoiler = wfi.stage_at ? 0 : wfi.stage[0];
    } else if (waits) {
        // A SYNC comes anew; frames that were to go with it and have not are lost now.
        const uint8_t *from = wfi.stage, *at = wfi.stage + wfi.stage_at;
        bool sync_out = false;
        for (const uint8_t *p = from; p != wfi.stage + wfi.stage_len; ++p) {
            if (*p != WFI_FLAG) continue;
            if (p < at) from = p + 1;
            if (sync_out && p >= at) ++wfi.lost;
            sync_out = true;
        }
        wfi.hole = true;
        if (begun) wfi_spoil(from, at);
    } else if (!wfi.cut && (wfi.sent != wfi.tail || (wfi.lent && !wfi.lent_stage))) {
        wfi_spoil(wfi.tail, wfi.sent);
    }
    wfi.sent = wfi.tail;
}

bool wfi_box_keep(const struct wf_config *config) {
    if (!is_ours(config) || !inside(wfi.tail) || !inside(wfi.sent) || !inside(wfi.next) ||
        !is_whole()) {
        return false;
    }
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
    wfi.lent_stage = false;
    wfi.config = config;
    wfi.limit = wfi.at = wfi.next;
    wfi.sync_due = true;
    kept_earlier = true;
    return true;
}

#endif
