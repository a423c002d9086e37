// SPDX-License-Identifier: MIT
// 64-bit time of slots, whose stamps have 32 bits: CONTROL TIME has the upper word. A stamp far
// below the last one of its core has wrapped; a small step back is only out of order.

#include "wfi_slots.h"

static const uint32_t half = UINT32_C(1) << 31;

// The first stamp after another core's TIME may be older: if it is so high that it must be from
// shortly before the wrap, the upper word is one less. A core's own stamps only go forward.
static const uint32_t shortly = UINT32_C(1) << 28;

static void set_base(struct wfi_core *c) {
    c->base = ((uint64_t)c->high << 32) + (uint64_t)c->offset;
}

void wfi_clock_offset(struct wfi_core *c, int64_t offset) {
    c->offset = offset;
    c->ready = false;
    set_base(c);
}

static void set(struct wfi_core *c, uint32_t high, uint32_t low) {
    c->high = high;
    c->low = low;
    c->timed = true;
    c->early = false;
    c->ready = false;
    set_base(c);
}

void wfi_clock_time(struct wf_slots *s, unsigned core, uint32_t high, uint32_t low) {
    s->time_known = true;
    s->time_high = high;
    s->time_low = low;
    set(&s->core[core], high, low);
    s->core[core].own = true;
    s->core[core].foreign = false;
    if (!s->together || s->wallfly) return;
    uint64_t now = (uint64_t)high << 32 | low;
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) {
        struct wfi_core *c = &s->core[i];
        if (i == core || (c->timed && !c->early && now < ((uint64_t)c->high << 32 | c->low)))
            continue;
        set(c, high, low);
        c->foreign = true;
    }
}

uint64_t wfi_clock_tick(struct wfi_core *c, uint32_t low) {
    if (!c->timed) return low + (uint64_t)c->offset;
    if (c->early) {
        bool before = low > c->low && low - c->low > half && c->high > 0;
        return c->base + low - ((uint64_t)before << 32);
    }
    if (low < c->low) {
        if (c->low - low > half) {
            ++c->high;
            set_base(c);
        }
    } else if (c->foreign && c->high > 0 && low - c->low >= 0 - shortly) {
        uint64_t before = c->base + low - (UINT64_C(1) << 32);
        if (!c->any || before > c->last) return before;
    }
    c->low = low;
    c->foreign = false;
    return c->base + low;
}

// The first TIME of the core (or of any) in the slots that follow.
static const uint8_t *find_time(const struct wf_slots *s, unsigned core, bool any) {
    const uint32_t want = (uint32_t)WF_SLOT_CLASS_CONTROL << WF_SLOT_CLASS_SHIFT |
                          WF_SLOT_CONTROL_TIME | (uint32_t)core << WF_SLOT_CORE_SHIFT;
    const uint32_t mask =
        ~(any ? (uint32_t)WF_SLOT_CORE << WF_SLOT_CORE_SHIFT : 0) & ~(uint32_t)0x00FF8000;
    const uint8_t *p = s->in.at;
    for (size_t n = wfi_left(&s->in) / WFI_SLOT; n; --n, p += WFI_SLOT) {
        if (((wfi_load(p, s->swap) ^ want) & mask) == 0) return p;
    }
    return NULL;
}

bool wfi_clock_ready(struct wf_slots *s, unsigned core) {
    struct wfi_core *c = &s->core[core];
    if (c->timed || c->blind) return true;
    bool any = s->together && !s->wallfly;
    const uint8_t *p = find_time(s, core, any);
    if (!p) {
        bool all = wfi_input_need(&s->in, WFI_TIME_AHEAD);
        p = find_time(s, core, any);
        if (!p && !all && !s->in.ending && !s->in.failed) return false;
    }
    if (p) {
        set(c, wfi_load(p + 8, s->swap), wfi_load(p + 12, s->swap));
        c->early = true;
    } else if (s->together && s->time_known) {
        set(c, s->time_high, s->time_low);
        c->foreign = true;
    } else {
        c->blind = true;
    }
    return true;
}
