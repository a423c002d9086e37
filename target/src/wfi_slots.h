// SPDX-License-Identifier: MIT
// The path of an event into its slots. A writer takes its place with one compare-and-swap of the
// core's `next`, and reads the clock before it. The swap fails if another writer took a place
// meanwhile, so the stamps of a core are in the order of its slots. Then each slot is stored at
// once, 16 bytes, with the tag of its place: a reader sees all of it or nothing. A writer that was
// held up until its place belongs to another event can spoil a slot, but not mix two. A spoilt slot
// has the wrong tag, and counts as lost.
//
// Where the port has no atomics, both steps are done with interrupts off, and the head is stored
// last.
#ifndef WFI_SLOTS_H
#define WFI_SLOTS_H

#include "wfi_core.h"

#if WF_CFG_SLOTS

enum {
    WFI_CHUNK = WF_CFG_CHUNK,
    WFI_OPENING = 4 // slots at the start of a chunk, without OFFSET
};

WFI_ALWAYS_INLINE struct wf_slot_core *wfi_slot_core_of(size_t core) {
    return wfi_slots.core[WF_CFG_CORES == 64 ? (uint8_t)core : core & (WF_CFG_CORES - 1)];
}

// A core's numbers and a slot of its ring, as if the numbers came directly before the slot: so the
// slot's address is one sum.
struct wfi_ring {
    struct wf_slot_core core;
    struct wf_slot slot;
};

// From here on `at` is a position times 16, in 32 bits.
WFI_ALWAYS_INLINE struct wf_slot *wfi_slot_at(struct wf_slot_core *c, uint32_t at) {
    return &((struct wfi_ring *)(void *)((uint8_t *)c + (at & wfi_slots.mask)))->slot;
}

// The tag in its place in the head; higher bits are shifted out. (Chunks are powers of two.)
WFI_ALWAYS_INLINE uint32_t wfi_slot_tag(uint32_t at) {
    return at / 16 / WFI_CHUNK << WF_SLOT_TAG_SHIFT;
}

// Extends a position to 64 bits; `known` is a position near it. (The shift keeps the sign, on all
// compilers that know the attributes used here.)
static inline uint64_t wfi_slot_widen(uint32_t at, uint64_t known) {
    return known + (uint64_t)(int64_t)((int32_t)(at - (uint32_t)(known << 4)) >> 4);
}

// Returns the events made, from next and extra, and the position; `known` is a count near it.
static inline uint64_t wfi_slot_made(uint64_t next, uint64_t position, uint64_t known) {
    uint32_t extra = (uint32_t)(next >> 32) - (uint32_t)(position >> 28);
    uint32_t low = (uint32_t)position - extra;
    return known + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)known);
}

#ifndef WF_PORT_ATOMIC
#define WF_PORT_ATOMIC 0
#endif

// 1: the recorder's memory is shared with another process, which records there as well. Then all
// that changes with an event is in that memory.
#ifndef WF_PORT_SHARED
#define WF_PORT_SHARED 0
#endif

// 1: one core, with interrupts off. Then the place of the next event is kept ready (wfi_slots_run).
#define WFI_SLOT_RUN                                                                               \
    (!WF_PORT_ATOMIC && !WF_PORT_SHARED && WF_CFG_CORES == 1 && WF_CFG_TIME_SIZE == 4)

#if WFI_SLOT_RUN
// The free slots of the present chunk that usual events take one by one. Members that the usual
// path loads together are neighbours, so that a CPU with loads of two words needs three.
struct wfi_slot_run {
    struct wf_slot_core *core;
    uint32_t tag;         // of the chunk
    struct wf_slot *slot; // the next one
    wf_stamp last;        // stamp
    struct wf_slot *end;  // here an event needs more than a slot, or `next` wraps
    uint32_t to_next;     // core->next after an event is the address of its slot and this
};
extern struct wfi_slot_run wfi_slots_run;

// Makes the compiler load all members before the first use, two by two. Other CPUs have no such
// loads.
#ifdef __thumb2__
#define WFI_SLOT_LOADED(run)                                                                       \
    __asm__ volatile(""                                                                            \
                     :                                                                             \
                     : "r"((run).core), "r"((run).tag), "r"((run).slot), "r"((run).last),          \
                       "r"((run).end), "r"((run).to_next))
#else
#define WFI_SLOT_LOADED(run) (void)0
#endif
#endif

// ---- access to shared data ----

#if WF_PORT_ATOMIC

#if WF_CFG_TIME_SIZE != 8
#error "without a lock wraps of a 32-bit clock are not detected: WF_CFG_TIME_SIZE must be 8"
#endif

#define WFI_SLOT_LOCK(what)        0
#define WFI_SLOT_UNLOCK(what, was) (void)(was)

#ifdef WFI_SLOT_MODEL // a test that tries all interleavings of these
#include WFI_SLOT_MODEL
#else
#define wfi_get32(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define wfi_set32(p, v)  __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define wfi_free32(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define wfi_get64(p)     __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define wfi_set64(p, v)  __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define wfi_count64(p)   (void)__atomic_fetch_add((p), 1, __ATOMIC_RELAXED)

#define wfi_swap64(p, from, to) wf_port_swap64((p), (from), (to))
#endif

WFI_ALWAYS_INLINE uint64_t *wfi_next_of(struct wf_slot_core *c) {
    return (uint64_t *)(void *)&c->next;
}

WFI_ALWAYS_INLINE uint64_t wfi_slot_next(struct wf_slot_core *c) {
    return wfi_get64(wfi_next_of(c));
}

// Takes `slots` slots, `extra` of them no event's first one, at the place `was`. Returns false when
// another writer has taken it.
WFI_ALWAYS_INLINE bool wfi_slot_take(struct wf_slot_core *c, uint64_t *was, unsigned slots,
                                     unsigned extra, wf_stamp now) {
    (void)now;
    return wfi_swap64(wfi_next_of(c), was, *was + 16 * slots + ((uint64_t)extra << 32));
}

WFI_ALWAYS_INLINE bool wfi_slot_usual(struct wf_slot_core *c, wf_stamp now) {
    uint64_t high = wfi_get64((uint64_t *)(void *)&c->tail); // and tail, which saves instructions
    return (now ^ high) >> 32 == 0;
}

WFI_ALWAYS_INLINE void wfi_slot_store(struct wf_slot *to, uint32_t head, uint32_t time,
                                      uint64_t body) {
    wf_port_put_slot(to, head | (uint64_t)time << 32, body);
}

WFI_ALWAYS_INLINE bool wfi_slot_load(const struct wf_slot *from, struct wf_slot *to) {
    uint64_t half[2];
    wf_port_get_slot(from, half);
    to->head = (uint32_t)half[0];
    to->time = (uint32_t)(half[0] >> 32);
    to->word[0] = (uint32_t)half[1];
    to->word[1] = (uint32_t)(half[1] >> 32);
    return true;
}

// The same where the stamp's halves are exchanged, and the tag of a slot that is stored so.
#ifdef WF_PORT_TURNED
#define wfi_slot_tag_turned(at)                                                                    \
    (WF_PORT_TIMES((at), (1 << WF_SLOT_TAG_SHIFT) / 16 / WFI_CHUNK) & UINT32_MAX                   \
                                                                          << WF_SLOT_TAG_SHIFT)
#define wfi_slot_is_high(c, turned) wf_port_is_word(&(c)->high, (uint32_t)(turned))
#define wfi_slot_store_turned(to, head, turned, body)                                              \
    wf_port_put_turned((to), (head), (turned), (body))
#else
#define wfi_slot_tag_turned(at)     wfi_slot_tag(at)
#define wfi_slot_is_high(c, turned) (wfi_get32(&(c)->high) == (uint32_t)(turned))
#define wfi_slot_store_turned(to, head, turned, body)                                              \
    wfi_slot_store((to), (head), (uint32_t)((turned) >> 32), (body))
#endif

// Sets a number to `to`, unless another writer has changed it since it was `from`.
#define wfi_slot_move64(p, from, to) (void)wfi_swap64((p), &(from), (to))

#define wfi_port_can() wf_port_can_atomic()

#else // interrupts off

#define WFI_SLOT_LOCK(what) ((what)&WFI_SLOT_HELD ? 0 : wf_port_lock())
#define WFI_SLOT_UNLOCK(what, was)                                                                 \
    if (!((what)&WFI_SLOT_HELD)) wf_port_unlock(was)

#if UINTPTR_MAX < 0xFFFFFFFFu
// Access in pieces, which is safe within the critical section. Outside of it only a reader reads
// heads, twice; an interrupt between the pieces changes the tag, which is in one half.
#define wfi_get32(p)     (*(const volatile uint32_t *)(p))
#define wfi_set32(p, v)  (*(volatile uint32_t *)(p) = (v))
#define wfi_free32(p, v) wfi_set32((p), (v))
#else
#define wfi_get32(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define wfi_set32(p, v)  __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define wfi_free32(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#endif
#define wfi_get64(p)    (*(p))
#define wfi_set64(p, v) (*(p) = (v))
#define wfi_count64(p)  (++*(p))

// Readers on other cores: a port that has them defines how stores are kept in order.
#ifndef WF_PORT_BARRIER
#define WF_PORT_BARRIER() __asm__ volatile("" : : : "memory")
#endif

// Reads a slot. The head is read again, as a writer may change it meanwhile.
WFI_ALWAYS_INLINE bool wfi_slot_load(const struct wf_slot *from, struct wf_slot *to) {
    to->head = wfi_get32(&from->head);
    WF_PORT_BARRIER();
    to->time = from->time;
    to->word[0] = from->word[0];
    to->word[1] = from->word[1];
    WF_PORT_BARRIER();
    return wfi_get32(&from->head) == to->head;
}

WFI_ALWAYS_INLINE uint64_t wfi_slot_next(struct wf_slot_core *c) {
    return c->next | (uint64_t)c->extra << 32;
}

#if WFI_SLOT_RUN
#define WFI_SLOT_LAST(c)    wfi_slots_run.last
#define WFI_SLOT_RUN_TO(to) wfi_slots_run.slot = (to)
#else
#define WFI_SLOT_LAST(c) (c)->last
#endif

// Takes the place `was`; always returns true. (Where next wraps it carries into extra.)
WFI_ALWAYS_INLINE bool wfi_slot_take(struct wf_slot_core *c, uint64_t *was, unsigned slots,
                                     unsigned extra, wf_stamp now) {
    uint32_t to = (uint32_t)*was + 16 * slots;
    if (extra) c->extra += extra;
    if (to == 0) ++c->extra;
    wfi_set32(&c->next, to);
#if WF_CFG_TIME_SIZE == 4
    WFI_SLOT_LAST(c) = now;
#else
    (void)now;
#endif
    return true;
}

WFI_ALWAYS_INLINE bool wfi_slot_usual(struct wf_slot_core *c, wf_stamp now) {
#if WF_CFG_TIME_SIZE == 4
    (void)c;
    return now >= WFI_SLOT_LAST(c);
#else
    return (uint32_t)(now >> 32) == c->high;
#endif
}

WFI_ALWAYS_INLINE void wfi_slot_store(struct wf_slot *to, uint32_t head, uint32_t time,
                                      uint64_t body) {
    if (WF_CFG_CORES > 1) wfi_set32(&to->head, ~head); // a wrong tag meanwhile
    WF_PORT_BARRIER();
    to->time = time;
    to->word[0] = (uint32_t)body;
    to->word[1] = (uint32_t)(body >> 32);
    WF_PORT_BARRIER();
    wfi_set32(&to->head, head);
}

#define wfi_slot_move64(p, from, to) (void)(from), *(p) = (to)

#define wfi_port_can() true

#endif

#ifndef WFI_SLOT_RUN_TO
#define WFI_SLOT_RUN_TO(to) (void)(to)
#endif

// The two parts of an event's bytes.
struct wfi_pieces {
    const uint8_t *body, *tail;
    unsigned len, tail_len;
};

// All but the usual case: the event opens a chunk, has several slots, records the time's upper
// word, or another writer was faster. Returns false when there was no room, and counts the event.
// Within the critical section if there is one.
bool wfi_slot_put(uint32_t what, const struct wfi_pieces *pieces);
// The same for an event of two words, on the caller's core. It has no argument for the core, so
// that its arguments are still in their registers.
WFI_NOINLINE bool wfi_slot_put_two(uint32_t what, uint64_t body);

// Stores an event of up to two words; body: the first one lowest. what: class and event, unused
// bytes. Within the critical section if there is one.
WFI_ALWAYS_INLINE bool wfi_slot_put_one(uint32_t what, uint64_t body) {
#if WFI_SLOT_RUN
    struct wfi_slot_run run = wfi_slots_run;
    WFI_SLOT_LOADED(run);
    wf_stamp now = wf_port_now();
    if (WFI_LIKELY(run.slot < run.end && now >= run.last)) {
        wfi_set32(&run.core->next, (uint32_t)(uintptr_t)run.slot + run.to_next);
        wfi_slot_store(run.slot, what | run.tag, now, body);
        wfi_slots_run.slot = run.slot + 1;
        wfi_slots_run.last = now;
        return true;
    }
#elif WF_PORT_ATOMIC
    struct wf_slot_core *c = wfi_slot_core_of(wf_port_core());
    uint64_t was = wfi_slot_next(c);
    const wf_stamp now = wf_port_now();
    const uint64_t turned = now >> 32 | now << 32;
    if (WFI_LIKELY(was % (16 * WFI_CHUNK) && wfi_slot_is_high(c, turned) &&
                   wfi_slot_take(c, &was, 1, 0, now))) {
        uint32_t at = (uint32_t)was;
        wfi_slot_store_turned(wfi_slot_at(c, at), what | wfi_slot_tag_turned(at), turned, body);
        return true;
    }
#else
    struct wf_slot_core *c = wfi_slot_core_of(wf_port_core());
    uint64_t was = wfi_slot_next(c);
    wf_stamp now = wf_port_now();
    if (WFI_LIKELY(was % (16 * WFI_CHUNK) && wfi_slot_usual(c, now) &&
                   wfi_slot_take(c, &was, 1, 0, now))) {
        uint32_t at = (uint32_t)was;
        wfi_slot_store(wfi_slot_at(c, at), what | wfi_slot_tag(at), (uint32_t)now, body);
        return true;
    }
#endif
    return wfi_slot_put_two(what, body);
}

#endif
#endif
