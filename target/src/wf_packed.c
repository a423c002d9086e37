// SPDX-License-Identifier: MIT
// Packed frames: many events in a frame. An event takes a number as a record does; the frame has
// the number of the first one. Whole frames are dropped from the ring, as others are.

#include "wfi_packed.h"

#if WF_CFG_PACKED

enum {
    WFI_SYNC_EVERY = 1024, // records, at most, between SYNCs in the ring
    WFI_STEP_ROOM = 40,    // an event made in steps begins with this room
    WFI_OPERANDS_MAX = 4 * (1 + sizeof(wfi_value)),
    WFI_EVENT_HEAD = 1 + 5 + 2, // kind, delta, id and length
    WFI_PACKED_ROOM = WFI_PACKED_MAX + WFI_PACKED_MARGIN
};

static unsigned open_len(void) { return (unsigned)(wfi.open & 0xFFFF); }
static unsigned open_events(void) { return (unsigned)(wfi.open >> 16); }
static bool is_open(void) { return open_len() != WFI_CLOSED; }

// The number of the acting task at the beginning of a frame, 0 if it has none.
static uint8_t running_number(void) {
    const unsigned number = wfi.running ? wfi_number(WFI_HELD, wfi.running) : 0;
    if (number != WF_PACKED_NO_NUMBER) return (uint8_t)number;
    wfi.running = NULL;
    return 0;
}

#if WF_CFG_BOX
// A reset finds frames by their sums; without a black box the reader sums them.
static uint8_t check_of(const uint8_t *p, const uint8_t *end) {
    uint8_t sum = 0;
    for (; p != end; ++p) sum = (uint8_t)(sum + *p);
    return (uint8_t)~sum;
}
#endif

void wfi_close_packed(void) {
    if (!is_open()) return;
    uint8_t *const p = wfi.next, *end = p + open_len();
    const unsigned events = open_events();
    if (events) {
        p[WFI_PACKED_COUNT] = (uint8_t)events;
        p[WFI_PACKED_BYTES] = (uint8_t)(open_len() - WFI_PACKED_HEAD);
#if WF_CFG_BOX
        *end = check_of(p + 1, end);
        ++end;
#endif
        p[0] = (uint8_t)(end - p - 1);
        WFI_IN_ORDER;
        wfi.next = end;
        WFI_IN_ORDER;
        wfi_count_by(events);
    }
    wfi.open = WFI_CLOSED;
}

// Puts a SYNC before a new frame if one is due. Returns whether it was.
static bool put_due_sync(void) {
    if (!wfi.sync_due && !wfi.wrapped && wfi.count_low - wfi.packed.synced < WFI_SYNC_EVERY)
        return false;
    wfi.packed.synced = wfi.count_low;
    wfi_record_sync();
    return true;
}

// Opens a frame whose first event has the stamp wfi.last. Returns false without room.
static bool open_packed(void) {
    put_due_sync();
    if (!wfi_room(WFI_PACKED_ROOM)) return false;
    uint8_t *const p = wfi.next;
    p[1] = (uint8_t)(wfi.count_low + 1);
    p[2] = WF_ID_packed;
    wfi_put_le(p + 3, wfi.last, WF_CFG_TIME_SIZE);
    wfi_put_le(p + 3 + WF_CFG_TIME_SIZE, wfi.count_low + 1, 4);
    p[WFI_PACKED_COUNT] = 0;
    wfi.irq = UINT32_MAX;
    unsigned len = WFI_PACKED_HEAD;
    uint8_t running = running_number();
    if (wfi.packed.core) {
        p[len++] = WF_PACKED_CORE;
        p[len++] = wfi.packed.core;
        p[len++] = running;
        running = 0;
    }
    p[WFI_PACKED_HEAD - 1] = running;
    WFI_IN_ORDER;
    wfi.open = len;
    return true;
}

// Follows the clock: an open frame ends if it wraps, or after a long pause. Returns the ticks since
// the event before.
static uint32_t follow_events(wf_stamp now) {
    const wf_stamp delta = (wf_stamp)(now - wfi.last);
    bool ends = now < wfi.last;
#if WF_CFG_TIME_SIZE == 8
    ends |= delta > UINT32_MAX;
#endif
    if (ends) wfi_close_packed();
    wfi_follow_clock(now);
    return is_open() ? (uint32_t)delta : 0;
}

// Makes one step towards room for an event of so many bytes: ends the open frame, puts a SYNC,
// drops an old frame. Returns false when nothing is left to do.
static bool prepare(unsigned need) {
    const wf_stamp now = WFI_NOW(WFI_TIMED);
    const bool was_open = is_open();
    if (was_open && now >= wfi.last && open_len() + need <= WFI_PACKED_MAX) return false;
    if (was_open) {
        wfi_close_packed();
        return true;
    }
    wfi_follow_clock(now);
    return put_due_sync() || wfi_drop_for(WFI_PACKED_ROOM);
}

// Takes the critical section for an event of so many bytes. The steps before it have each a
// critical section of their own, so that interrupts are not off for all of them.
static uint32_t lock_event(uint32_t what, unsigned need) {
    enum { WFI_STEPS = 16 }; // others may record between them
    uint32_t was = WFI_LOCK(what);
    for (unsigned i = 0; i < WFI_STEPS && prepare(need); ++i) {
        WFI_UNLOCK(what, was);
        was = WFI_LOCK(what);
    }
    return was;
}

static uint8_t *put_core(uint8_t *p, uint8_t core) {
    wfi.packed.tasks[wfi.packed.core & (WF_CFG_CORES - 1)] = wfi.running;
    wfi.packed.core = core;
    wfi.running = wfi.packed.tasks[core & (WF_CFG_CORES - 1)];
    *p++ = WF_PACKED_CORE;
    *p++ = core;
    *p++ = running_number();
    return p;
}

// Makes room for an event of so many bytes. Returns the place, or null.
static uint8_t *make_place(unsigned need, uint32_t *delta) {
    const uint8_t core = wf_port_core();
    *delta = follow_events(WFI_NOW(WFI_TIMED));
    if (core != wfi.packed.core) need += 3;
    if (is_open() && open_len() + need > WFI_PACKED_MAX) {
        wfi_close_packed();
        *delta = 0;
    }
    if (!is_open() && !open_packed()) return NULL;
    uint8_t *p = wfi.next + open_len();
    if (core != wfi.packed.core) p = put_core(p, core);
    return p;
}

// Stores a value in one to five bytes; the two low bits of the first one give their number.
static uint8_t *lay_value(uint8_t *p, uint32_t v) {
    if (v < 1u << 6) {
        *p = (uint8_t)(v << 2);
        return p + 1;
    }
    if (v < 1u << 14) return wfi_put_le(p, v << 2 | 1, 2);
    *p = (uint8_t)(v << 2 | (v < UINT32_C(1) << 22 ? 2 : 3));
    wfi_put_le(p + 1, v >> 6, 2);
    if (v < UINT32_C(1) << 22) return p + 3;
    p[3] = (uint8_t)(v >> 22);
    p[4] = (uint8_t)(v >> 30);
    return p + 5;
}

static uint8_t *lay_object(uint8_t *p, unsigned number, const void *object) {
    *p++ = (uint8_t)number;
    return number == WF_PACKED_NO_NUMBER ? wfi_put_le(p, (uintptr_t)object, WF_CFG_OBJ_SIZE) : p;
}

// The event at `end` is whole.
static void commit_event(const uint8_t *end) {
    const uint32_t len = (uint32_t)(end - wfi.next);
    WFI_IN_ORDER;
    wfi.open = len | (uint32_t)(open_events() + 1) << 16;
    if (len > WFI_PACKED_MAX - WFI_PACKED_FULL) wfi_close_packed();
}

static void refuse_event(unsigned bytes) {
    wfi_close_packed();
    wfi_count_by(1);
    ++wfi.refused;
    wfi.lost_bytes += bytes;
    wfi.sync_due = true;
    wfi_record_sync();
}

struct operands {
    uint8_t bytes[WFI_OPERANDS_MAX];
    unsigned len;
    const void *actor;
    bool acts;
};

static void lay_operands(struct operands *o, uint32_t what, const wfi_value *v) {
    uint8_t *p = o->bytes;
    o->acts = false;
    for (uint32_t ops = what >> WFI_OP_SHIFT; ops; ops >>= WFI_OP_BITS, ++v) {
        const void *const object = (const void *)(uintptr_t)*v;
        switch (ops & 7) {
        case WFI_OP_NUMBER: p = lay_object(p, wfi_number(what & WFI_HELD, object), object); break;
        case WFI_OP_ACTOR:
            o->actor = object;
            o->acts = true;
            break;
        case WFI_OP_BYTE: *p++ = (uint8_t)*v; break;
        case WFI_OP_VALUE: p = lay_value(p, (uint32_t)*v); break;
        case WFI_OP_SIGNED: {
            const uint32_t n = (uint32_t)*v;
            p = n << 1 >> 1 == n ? lay_value(p, n << 1) : lay_value(p, ~n << 1 | 1);
            break;
        }
        default: p = wfi_put_le(p, *v, WF_CFG_OBJ_SIZE);
        }
    }
    o->len = (unsigned)(p - o->bytes);
}

static uint8_t *lay_bytes(uint8_t *to, const uint8_t *from, unsigned len) {
    for (; len; --len) {
        WFI_OPAQUE(to); // no call of memcpy
        *to++ = *from++;
    }
    return to;
}

void wfi_event(uint32_t what, wfi_value a, wfi_value b, wfi_value c, wfi_value d) {
    const wfi_value v[] = {a, b, c, d};
    struct operands o;
    lay_operands(&o, what, v);
    const unsigned actor = o.acts && o.actor ? wfi_number(what & WFI_HELD, o.actor) : 0;
    const unsigned need = o.len + 6 + 2 + (actor == WF_PACKED_NO_NUMBER ? WF_CFG_OBJ_SIZE : 0);
    uint32_t was = lock_event(what, need), delta;
    uint8_t *p = make_place(need, &delta);
    if (!p) {
        refuse_event(o.len);
    } else {
        if (o.acts && o.actor != wfi.running) {
            *p++ = actor ? WF_PACKED_ACTOR : WF_PACKED_NO_ACTOR;
            if (actor) p = lay_object(p, actor, o.actor);
        }
        const unsigned change = what & WFI_CHANGES;
        uint8_t kind = (uint8_t)what;
        if (change == WFI_SWITCH) wfi.running = (const void *)(uintptr_t)a;
        if (change == WFI_ENTER) wfi.irq = (uint32_t)a;
        if (change == WFI_EXIT && wfi.irq == (uint32_t)a) {
            kind = WF_PACKED_IRQ_EXIT;
            o.len = 0;
        }
        *p++ = kind;
        commit_event(lay_bytes(lay_value(p, delta), o.bytes, o.len));
    }
    WFI_UNLOCK(what, was);
}

void wf_flush(void) {
    uint32_t was = wf_port_lock();
    wfi_close_packed();
    wf_port_unlock(was);
}

// ---- events made in steps

static unsigned packed_kind(unsigned what) {
    const unsigned id = what & 0xFF;
    if (id == WF_ID_log) return (WF_ID_log - WF_PACKED_FIRST) << 4;
    if (id >= WF_USER_FIRST && id <= WF_USER_LAST) return WF_PACKED_USER + id - WF_USER_FIRST;
    return WF_PACKED_RECORD + (what & WFI_TIMED ? 1 : 0);
}

static uint8_t *lay_kind(uint8_t *p, unsigned what, uint32_t delta) {
    const unsigned kind = packed_kind(what);
    *p++ = (uint8_t)kind;
    p = lay_value(p, delta);
    if (kind >> 1 == WF_PACKED_RECORD >> 1) *p++ = (uint8_t)what;
    return p;
}

bool wfi_begin_event(unsigned what) {
    const unsigned id = what & 0xFF;
    uint32_t delta;
    if (id == WF_ID_empty || id == WF_ID_target_info) return false;
    uint8_t *p = make_place(WFI_STEP_ROOM, &delta);
    if (!p) return false;
    p = lay_kind(p, what, delta);
    *p++ = 0; // the length
    wfi.packed.making = (uint8_t)id;
    wfi.packed.timed = (what & WFI_TIMED) != 0;
    wfi.packed.body = wfi.at = p;
    wfi.stop = wfi.next + WFI_PACKED_MAX;
    wfi.len = 0;
    wfi.sum = 0;
    return true;
}

void wfi_finish_event(void) {
    wfi.packed.making = 0;
    if (wfi.sync_due) {
        refuse_event(wfi.len);
        return;
    }
    wfi.packed.body[-1] = (uint8_t)(wfi.at - wfi.packed.body);
    commit_event(wfi.at);
}

void wfi_unpack_event(void) {
    uint8_t *from = wfi.packed.body;
    const unsigned len = (unsigned)(wfi.at - from);
    const unsigned head = 2 + (wfi.packed.timed ? WF_CFG_TIME_SIZE : 0);
    if (open_events())
        wfi_close_packed();
    else
        wfi.open = WFI_CLOSED;
    uint8_t *const p = wfi.next, *to = p + 1 + head;
    if (to < from) {
        for (unsigned i = 0; i < len; ++i) to[i] = from[i];
    } else {
        for (unsigned i = len; i; --i) to[i - 1] = from[i - 1];
    }
    wfi_count_by(1);
    wfi.left_out = 0;
    p[1] = (uint8_t)wfi.count_low;
    p[2] = wfi.packed.making;
    if (wfi.packed.timed) wfi_put_le(p + 3, wfi.last, WF_CFG_TIME_SIZE);
    wfi.packed.making = 0;
    wfi.length = p;
    wfi.at = to + len;
    wfi.len = (uint16_t)(head + len);
    wfi.sum = 0;
    for (const uint8_t *q = p + 1; q != wfi.at; ++q) wfi.sum = (uint8_t)(wfi.sum + *q);
    wfi.stop = wfi.limit - p > WFI_PIECE_MAX ? p + 1 + WFI_PIECE_MAX : wfi.limit;
}

// ---- events of bytes that are known before

// Takes the critical section and begins an event with `len` bytes after their length. Returns their
// place, or null when the event is refused. Inlined: a call takes 15 instructions and 20 bytes of
// stack.
WFI_ALWAYS_INLINE uint8_t *begin_bytes(uint32_t what, unsigned len, uint32_t *was) {
    uint32_t delta;
    *was = lock_event(what, len + WFI_EVENT_HEAD);
    uint8_t *p = make_place(len + WFI_EVENT_HEAD, &delta);
    if (!p) {
        refuse_event(len);
        return NULL;
    }
    p = lay_kind(p, (unsigned)what, delta);
    *p = (uint8_t)len;
    return p + 1;
}

void wfi_event_bytes(uint32_t what, const void *bytes, unsigned len) {
    uint32_t was;
    uint8_t *p = begin_bytes(what, len, &was);
    if (p) commit_event(lay_bytes(p, bytes, len));
    WFI_UNLOCK(what, was);
}

#if WF_CFG_FAST
static WFI_NOINLINE void put_words_slowly(uint32_t what, const wfi_word *words, uint32_t len) {
    uint32_t was;
    uint8_t *p = begin_bytes(what, len, &was);
    if (p) {
        wfi_store(p, words, WFI_PACK_MAX); // the room behind a frame: WFI_PACKED_MARGIN
        commit_event(p + len);
    }
    wf_port_unlock(was);
}

void wfi_put_words(uint32_t what, const wfi_word *words, uint32_t len) {
    const uint32_t kind = packed_kind(what);
    uint32_t was = wf_port_lock();
    const wf_stamp now = wf_port_now(), last = wfi.last;
    const uint32_t open = wfi.open;
    uint32_t delta = (uint32_t)(now - last) << 2;
    if (WFI_LIKELY(now >= last && (wf_stamp)(now - last) < 1u << 14 &&
                   (open & 0xFFFF) + len <= WFI_PACKED_MAX - 4 && // all words: WFI_PACKED_MARGIN
                   wfi_same_core())) {
        uint8_t *p = wfi.next + (open & 0xFFFF);
        *p++ = (uint8_t)kind;
        *p++ = (uint8_t)(delta | 1);
        *p++ = (uint8_t)(delta >> 8);
        *p++ = (uint8_t)len;
        wfi_store(p, words, WFI_PACK_MAX);
        wfi.last = now;
        WFI_IN_ORDER;
        wfi.open = open + 4 + len + 0x10000;
        wf_port_unlock(was);
        return;
    }
    wf_port_unlock(was);
    put_words_slowly(what, words, len);
}
#endif
#endif
