// SPDX-License-Identifier: MIT
// See check.h.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

void check_fail(const char *why, uint64_t a, uint64_t b) {
    fprintf(stderr, "slots: %s (%" PRIu64 ", %" PRIu64 ")\n", why, a, b);
    exit(3);
}

static uint64_t two(const struct wf_slot *slot) {
    return slot->word[0] | (uint64_t)slot->word[1] << 32;
}

// MADE: events made but not delivered are lost. Without a hole there are none.
static void made(struct check *c, uint64_t now) {
    if (!c->opened) {
        c->lost += now; // before the first available chunk
    } else {
        if (now < c->made + c->since) check_fail("more events than were made", now, c->made);
        uint64_t lost = now - c->made - c->since;
        if (lost && !c->hole) check_fail("an event is missing, and no slot", now, c->made);
        c->lost += lost;
    }
    c->made = now;
    c->since = 0;
    c->hole = false;
    c->opened = true;
}

static void control(struct check *c, const struct wf_slot *slot, unsigned event) {
    if (event == WF_SLOT_CONTROL_TIME) {
        uint64_t tick = (uint64_t)slot->word[0] << 32 | slot->word[1];
        if (tick < c->tick) check_fail("the time goes back", c->tick, tick);
        c->tick = tick;
        c->high = slot->word[0];
    }
}

static void own(struct check *c, const struct wf_slot *slot, unsigned event) {
    if (event == WF_SLOT_OWN_MADE) made(c, two(slot));
    if (event == WF_SLOT_OWN_REFUSED) c->refused = two(slot);
    if (event == WF_SLOT_OWN_OFFSET) c->offset = two(slot);
    if (event != WF_SLOT_OWN_GONE) return;
    c->slots += two(slot) - 1;
    c->hole = true;
    c->open = false;
}

static void chain(struct check *c, const struct wf_slot *slot, unsigned structure) {
    struct check_event *e = &c->event;
    uint32_t what = slot->head & 0x3FFFFFFF & ~(uint32_t)(WF_SLOT_UNUSED << WF_SLOT_UNUSED_SHIFT);
    bool begins = structure == WF_SLOT_SIMPLE || structure == WF_SLOT_FIRST;
    bool ends = structure == WF_SLOT_SIMPLE || structure == WF_SLOT_LAST;
    if (begins) {
        if (c->open && !c->hole) check_fail("a chain does not end", c->slots, 0);
        e->cls = what >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS;
        e->event = what & WF_SLOT_EVENT;
        e->core = c->core;
        e->count = 0;
        e->tick = (uint64_t)c->high << 32 | slot->time;
        if (e->tick < c->tick && !c->hole) check_fail("a stamp goes back", c->tick, e->tick);
        c->tick = e->tick;
        c->open = true;
    } else if (!c->open) {
        if (!c->hole) check_fail("a chain has no beginning", c->slots, 0);
        return; // its first slot is lost
    } else if (what >> WF_SLOT_CLASS_SHIFT != (e->cls | c->core << 14) ||
               (what & WF_SLOT_EVENT) != e->event || slot->time != (uint32_t)e->tick) {
        check_fail("a chain is mixed", c->slots, what);
    }
    if (e->count + 2 > CHECK_WORDS) check_fail("a chain is too long", e->count, 0);
    e->word[e->count++] = slot->word[0];
    e->word[e->count++] = slot->word[1];
    if (!ends) return;
    c->open = false;
    ++c->delivered;
    ++c->since;
    if (c->on) c->on(c->ctx, e);
}

void check_slot(struct check *c, const struct wf_slot *slot) {
    unsigned structure = slot->head >> WF_SLOT_STRUCTURE_SHIFT;
    unsigned cls = slot->head >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS;
    unsigned event = slot->head & WF_SLOT_EVENT;
    if ((slot->head >> WF_SLOT_CORE_SHIFT & WF_SLOT_CORE) != c->core) {
        check_fail("a slot of another core", slot->head, c->core);
    }
    ++c->slots;
    if (cls == WF_SLOT_CLASS_CONTROL) {
        control(c, slot, event);
    } else if (cls == WF_SLOT_CLASS_OWN) {
        own(c, slot, event);
    } else if (cls == WF_SLOT_CLASS_EMPTY) {
        if (c->open && !c->hole) check_fail("a chain does not end", c->slots, 0);
    } else {
        chain(c, slot, structure);
    }
}
