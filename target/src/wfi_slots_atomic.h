// SPDX-License-Identifier: MIT
// The shared memory of the slot recorder where the port has atomics. wfi_slots.h says what for.
#ifndef WFI_SLOTS_ATOMIC_H
#define WFI_SLOTS_ATOMIC_H

#define WFI_SLOT_LOCK(what)        0
#define WFI_SLOT_UNLOCK(what, was) (void)(was)

#ifndef WFI_SLOT_MODEL // a test has its own
#define wfi_get32(p)    __atomic_load_n((p), __ATOMIC_RELAXED)
#define wfi_set32(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define wfi_get64(p)    __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define wfi_set64(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)

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

#define wfi_slot_count64(p) (void)__atomic_fetch_add((p), 1, __ATOMIC_RELAXED)
#define wfi_port_can()      wf_port_can_atomic()

#endif
