// SPDX-License-Identifier: MIT
// Checks whether slots begin at the expected places. After inserted or lost bytes they do not, and
// heads are read from stamps and words. An invalid head makes the reader weigh the slots ahead for
// all 16 places where they could begin; it moves only if the present place is mostly wrong and
// another mostly right.

#include "wfi_slots.h"

enum {
    AHEAD = 32, // slots to weigh
    LEAST = 4
};

struct weight {
    unsigned slots, good, known, broken, points; // known: good, and near the time before

    unsigned dead; // invalid, or far off in time
};

static bool event_can_be(unsigned cls, unsigned event) {
    switch (cls) {
    case WF_SLOT_CLASS_EMPTY: return event == 0;
    case WF_SLOT_CLASS_CONTROL: return event == 1 || event == 2 || event == 4 || event == 8;
    case WF_SLOT_CLASS_OWN: return event >= WF_SLOT_OWN_MADE && event <= WF_SLOT_OWN_OFFSET;
    case WF_SLOT_CLASS_RECORD: return event < 256;
    default: return true;
    }
}

bool wfi_align_known(const struct wf_slots *s, unsigned cls) {
    return cls <= WF_SLOT_CLASS_PMU ||
           (s->own_classes && (cls == WF_SLOT_CLASS_RECORD || cls == WF_SLOT_CLASS_OWN));
}

// Bits that are never set. 8.0 has a flag in bit 16.
static bool is_clean(uint32_t head, unsigned cls) {
    return (head & (cls == WF_SLOT_CLASS_RECORD ? 0x00FC0000 : 0x00FE8000)) == 0;
}

bool wfi_align_broken(const struct wf_slots *s, uint32_t head) {
    return wfi_core_of(head) >= s->cores || (head & 0x00FC0000) ||
           (!wfi_align_known(s, wfi_class_of(head)) && !is_clean(head, wfi_class_of(head)));
}

// Weighs up to AHEAD slots from p on. Good heads give points, more if the stamp fits the time known
// before.
static struct weight weigh(const struct wf_slots *s, const uint8_t *p, size_t len, bool swap) {
    struct weight w = {0};
    struct {
        bool seen, alive;
        uint32_t last, last_alive;
    } cores[WF_SLOT_CORES] = {{0}};
    for (; len >= WFI_SLOT && w.slots < AHEAD; p += WFI_SLOT, len -= WFI_SLOT) {
        uint32_t head = wfi_load(p, swap), time = wfi_load(p + 4, swap);
        unsigned cls = wfi_class_of(head), core = wfi_core_of(head);
        bool broken = wfi_align_broken(s, head), can_be = event_can_be(cls, head & WF_SLOT_EVENT);
        bool timed = s->core[core].timed;
        uint32_t low = s->core[core].low;
        uint32_t alive = cores[core].alive ? cores[core].last_alive : timed ? low : time;
        ++w.slots;
        w.broken += broken;
        if (broken || !can_be || !wfi_near(time, alive)) {
            ++w.dead;
        } else {
            cores[core].alive = true;
            cores[core].last_alive = time;
        }
        if (broken || !can_be || !wfi_align_known(s, cls) || !is_clean(head, cls)) continue;
        bool follows = !cores[core].seen || wfi_near(time, cores[core].last);
        bool known = timed && wfi_near(time, low);
        cores[core].seen = true;
        cores[core].last = time;
        if (cls == WF_SLOT_CLASS_EMPTY) {
            if (known && (head || time)) ++w.good;
            continue;
        }
        if (cls == WF_SLOT_CLASS_CONTROL && (head & WF_SLOT_EVENT) == WF_SLOT_CONTROL_TIME &&
            wfi_near(time, wfi_load(p + 12, swap))) {
            w.points += 4;
            known = true;
        }
        if (!known && !follows) continue;
        ++w.good;
        w.known += known;
        w.points += known ? 3 : 1;
    }
    return w;
}

static bool is_good(struct weight w) {
    if (w.slots < LEAST) return false;
    return w.slots < 2 * LEAST ? w.good == w.slots : w.good * 4 >= w.slots * 3;
}

// The best place from p on, 1..15 bytes further; 0 if none is good.
static unsigned best_place(const struct wf_slots *s, const uint8_t *p, size_t len,
                           struct weight *best) {
    unsigned place = 0;
    for (unsigned i = 1; i < WFI_SLOT && i < len; ++i) {
        struct weight w = weigh(s, p + i, len - i, s->swap);
        if (is_good(w) && w.points > best->points) {
            *best = w;
            place = i;
        }
    }
    return place;
}

enum wfi_align wfi_align_look(struct wf_slots *s) {
    struct wfi_input *in = &s->in;
    if (!s->hunting && wfi_at(in) < s->weighed) return WFI_ALIGN_STAY;
    if (!wfi_input_need(in, (AHEAD + 1) * WFI_SLOT) && !in->ending && !in->failed) {
        return WFI_ALIGN_MORE;
    }
    size_t len = wfi_left(in);
    if (len < WFI_SLOT) return WFI_ALIGN_LOST;
    struct weight here = weigh(s, in->at, len, s->swap), best = {.points = here.points * 2};
    if (s->hunting && is_good(here)) return WFI_ALIGN_MOVED;
    if (s->hunting || (here.known * 2 < here.slots && here.dead * 2 > here.slots)) {
        unsigned place = best_place(s, in->at, len, &best);
        if (place) {
            in->at += place;
            return WFI_ALIGN_MOVED;
        }
        if (s->hunting) return WFI_ALIGN_LOST;
        if (here.slots >= LEAST && here.broken * 2 > here.slots && here.good * 4 < here.slots) {
            return WFI_ALIGN_LOST;
        }
    }
    s->weighed = wfi_at(in) + AHEAD / 2 * WFI_SLOT;
    return WFI_ALIGN_STAY;
}

void wfi_align_guess_order(struct wf_slots *s) {
    const struct wfi_input *in = &s->in;
    struct weight same = weigh(s, in->at, wfi_left(in), false);
    struct weight other = weigh(s, in->at, wfi_left(in), true);
    s->swap = other.good > same.good || (other.good == same.good && other.points > same.points);
}
