// SPDX-License-Identifier: MIT
// The shared memory of the slot recorder where slots are written with interrupts off.
#ifndef WFI_SLOTS_LOCKED_H
#define WFI_SLOTS_LOCKED_H

#define WFI_SLOT_LOCK(what) ((what)&WFI_SLOT_HELD ? 0 : wf_port_lock())
#define WFI_SLOT_UNLOCK(what, was)                                                                 \
    if (!((what)&WFI_SLOT_HELD)) wf_port_unlock(was)

#define wfi_get32(p)    __atomic_load_n((p), __ATOMIC_RELAXED)
#define wfi_set32(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define wfi_get64(p)    (*(p))
#define wfi_set64(p, v) (*(p) = (v))

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

#define wfi_slot_count64(p) (++*(p))
#define wfi_port_can()      true

#endif
