// SPDX-License-Identifier: MIT
// How the shared memory of the slot recorder is reached: where the port has atomics, and where it
// is done with interrupts off. wfi_slots.h says what for.
#ifndef WFI_SLOTS_SHARED_H
#define WFI_SLOTS_SHARED_H

#if WF_PORT_ATOMIC

#define WFI_SLOT_LOCK(what)        0
#define WFI_SLOT_UNLOCK(what, was) (void)(was)

#ifdef WFI_SLOT_MODEL // a test that tries all orders of these
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

// Takes a place, whose number is `was`: so many slots, of these extra ones. False: it is another's
// by now.
WFI_ALWAYS_INLINE bool wfi_slot_take(struct wf_slot_core *c, uint64_t *was, unsigned slots,
                                     unsigned extra, wf_stamp now) {
    (void)now;
    return wfi_swap64(wfi_next_of(c), was, *was + 16 * slots + ((uint64_t)extra << 32));
}

WFI_ALWAYS_INLINE bool wfi_slot_usual(struct wf_slot_core *c, wf_stamp now) {
    uint64_t high = wfi_get64((uint64_t *)(void *)&c->tail); // and tail: fewer instructions
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

// Moves a number up to `to`, unless somebody else has moved it since it was `from`.
#define wfi_slot_move64(p, from, to) (void)wfi_swap64((p), &(from), (to))

#define wfi_port_can() wf_port_can_atomic()

#else // interrupts off

#define WFI_SLOT_LOCK(what) ((what)&WFI_SLOT_HELD ? 0 : wf_port_lock())
#define WFI_SLOT_UNLOCK(what, was)                                                                 \
    if (!((what)&WFI_SLOT_HELD)) wf_port_unlock(was)

#define wfi_get32(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define wfi_set32(p, v)  __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define wfi_free32(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define wfi_get64(p)     (*(p))
#define wfi_set64(p, v)  (*(p) = (v))
#define wfi_count64(p)   (++*(p))

// Readers on other cores: a port that has them says how stores are kept in order.
#ifndef WF_PORT_BARRIER
#define WF_PORT_BARRIER() __asm__ volatile("" : : : "memory")
#endif

// A slot as a reader finds it; its head is looked at again, as others may write meanwhile.
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

// Takes a place, whose number is `was`: always. (Where next wraps it carries into extra.)
WFI_ALWAYS_INLINE bool wfi_slot_take(struct wf_slot_core *c, uint64_t *was, unsigned slots,
                                     unsigned extra, wf_stamp now) {
    uint32_t to = (uint32_t)*was + 16 * slots;
    if (extra) c->extra += extra;
    if (to == 0) ++c->extra;
    wfi_set32(&c->next, to);
#if WF_CFG_TIME_SIZE == 4
    c->last = now;
#else
    (void)now;
#endif
    return true;
}

WFI_ALWAYS_INLINE bool wfi_slot_usual(struct wf_slot_core *c, wf_stamp now) {
#if WF_CFG_TIME_SIZE == 4
    return now >= c->last;
#else
    return (uint32_t)(now >> 32) == c->high;
#endif
}

WFI_ALWAYS_INLINE void wfi_slot_store(struct wf_slot *to, uint32_t head, uint32_t time,
                                      uint64_t body) {
    if (WF_CFG_CORES > 1) wfi_set32(&to->head, ~head); // its tag is wrong meanwhile
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

#endif
