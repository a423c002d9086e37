// SPDX-License-Identifier: MIT
// Converts slots to events. Nearly all slots are simple events whose stamp follows the last one of
// their core; one mask and one comparison detect these, all others take the long path.

#include "util/wfi_options.h"
#include "wfi_slots.h"

#include <stdlib.h>

enum outcome { AGAIN, ITEM, MORE };

void wfi_slots_plan(struct wf_slots *s) {
    for (unsigned cls = 0; cls < 32; ++cls) {
        bool usual = cls >= WF_SLOT_CLASS_KERCALL && cls <= WF_SLOT_CLASS_PMU;
        s->mask[cls] = usual                                           ? 0xC0FE8000
                       : cls == WF_SLOT_CLASS_RECORD && s->own_classes ? 0xC0FC0000
                                                                       : 0;
        s->want[cls] = s->mask[cls] == 0; // none
    }
}

struct wf_slots *wf_slots_open(const struct wf_slots_options *options, struct wf_error *error) {
    struct wf_slots *s = calloc(1, sizeof *s);
    int err = s ? wfi_options_copy(&s->options, sizeof s->options, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err != WF_OK) {
        free(s);
        return NULL;
    }
    s->cores = WF_SLOT_CORES;
    s->ledger.exact = true;
    s->own_classes = true;
    wfi_slots_plan(s);
    return s;
}

void wf_slots_close(struct wf_slots *s) {
    if (!s) return;
    wfi_chains_free(s);
    wfi_header_free(s);
    free(s->in.carry);
    free(s);
}

void wf_slots_feed(struct wf_slots *s, const void *bytes, size_t len) {
    s->in.fed = bytes;
    s->in.fed_end = len ? s->in.fed + len : s->in.fed; // a null pointer has no end
    s->ledger.bytes += len;
}

void wf_slots_end(struct wf_slots *s) { s->in.ending = true; }

bool wfi_slots_damage(struct wf_slots *s, struct wf_slots_item *item,
                      enum wf_slots_damage_kind kind, uint64_t offset, uint64_t len, unsigned core,
                      const char *why) {
    ++s->ledger.damage[kind];
    item->kind = WF_SLOTS_DAMAGE;
    item->damage = (struct wf_slots_damage){kind, offset, len, (uint8_t)core, why};
    return true;
}

// Takes the two words of the slot at p, and its place.
static inline void take_words(struct wf_slots *s, struct wf_slot_event *e, const uint8_t *p) {
    e->offset = wfi_at(&s->in);
    s->words[0] = wfi_load(p + 8, s->swap);
    s->words[1] = wfi_load(p + 12, s->swap);
    memcpy(s->bytes, p + 8, sizeof s->bytes);
    e->words = s->words;
    e->bytes = s->bytes;
    e->count = 2;
    e->len = 8;
}

// Takes the next slot if it is a simple event in order.
static inline bool take_usual(struct wf_slots *s, struct wf_slots_item *item) {
    const uint8_t *p = s->in.at;
    uint32_t head = wfi_load(p, s->swap), time = wfi_load(p + 4, s->swap);
    unsigned cls = wfi_class_of(head), core = wfi_core_of(head);
    struct wfi_core *c = &s->core[core];
    if ((head & s->mask[cls]) != s->want[cls] || !c->ready) return false;
    if (time < c->low || time - c->low >= WFI_NEAR) return false;
    struct wf_slot_event *e = &item->event;
    item->kind = WF_SLOTS_EVENT;
    wfi_event_head(e, head);
    e->timed = true;
    e->tick = c->last = c->base + time;
    take_words(s, e, p);
    if (cls == WF_SLOT_CLASS_RECORD) e->len -= head >> WF_SLOT_UNUSED_SHIFT & WF_SLOT_UNUSED;
    c->low = time;
    s->in.at = p + WFI_SLOT;
    ++s->ledger.slots;
    ++s->ledger.events;
    ++s->ledger.by_core[core];
    return true;
}

static void fill_event(struct wf_slots *s, struct wf_slots_item *item, uint32_t head,
                       uint64_t tick) {
    const uint8_t *p = s->in.at;
    struct wf_slot_event *e = &item->event;
    item->kind = WF_SLOTS_EVENT;
    memset(e, 0, sizeof *e);
    wfi_event_head(e, head);
    e->timed = s->core[e->core].timed;
    e->tick = tick;
    take_words(s, e, p);
    if (wfi_is_record(s, head)) {
        e->len -= head >> WF_SLOT_UNUSED_SHIFT & WF_SLOT_UNUSED;
    }
}

static enum outcome pass_slot(struct wf_slots *s, enum outcome outcome) {
    s->in.at += WFI_SLOT;
    ++s->ledger.slots;
    return outcome;
}

// Counts a complete event.
static void count_event(struct wf_slots *s, const struct wf_slot_event *e) {
    struct wfi_core *c = &s->core[e->core];
    if (c->any && e->tick < c->last) ++s->ledger.back;
    c->any = true;
    c->last = e->tick;
    c->ready = c->timed && !c->early && !c->foreign && !c->lossy && e->core < s->cores;
    ++s->ledger.events;
    ++s->ledger.by_core[e->core];
}

static void set_wallfly(struct wf_slots *s) {
    s->wallfly = true;
    if (s->options.clock == WF_SLOTS_CLOCK_GUESS) s->together = true;
}

// The 64-bit time of a stamp near a TIME of this core.
static uint64_t tick_near(const struct wfi_core *c, uint32_t time, uint32_t high, uint32_t low) {
    if (time > low && time - low > 0x80000000u && high > 0) --high;
    if (time < low && low - time > 0x80000000u) ++high;
    return ((uint64_t)high << 32) + time + (uint64_t)c->offset;
}

// The time of a BUFFER is that of the TIME after it.
static void take_buffer_tick(const struct wf_slots *s, struct wf_slot_event *e, uint32_t time) {
    const uint8_t *p = s->in.at + WFI_SLOT;
    if (wfi_left(&s->in) < 2 * WFI_SLOT) return;
    uint32_t head = wfi_load(p, s->swap), high = wfi_load(p + 8, s->swap);
    if (wfi_class_of(head) != WF_SLOT_CLASS_CONTROL || wfi_core_of(head) != e->core ||
        (head & WF_SLOT_EVENT) != WF_SLOT_CONTROL_TIME) {
        return;
    }
    e->tick = tick_near(&s->core[e->core], time, high, wfi_load(p + 12, s->swap));
    e->timed = true;
}

// A loss that the first slots of wallfly's chunk report lies before them, one that a GONE reports
// behind what was read.
static void set_mark(struct wf_slots *s, unsigned core, unsigned cls, unsigned event,
                     uint64_t tick) {
    struct wfi_core *c = &s->core[core];
    const bool own = cls == WF_SLOT_CLASS_OWN, buffer = !own && event == WF_SLOT_CONTROL_BUFFER;
    if (buffer) c->heading = s->wallfly;
    if (own && event == WF_SLOT_OWN_REFUSED) c->heading = false;
    if (c->timed && !buffer && !c->heading && !c->lossy) c->mark = tick;
}

static enum outcome take_control(struct wf_slots *s, struct wf_slots_item *item, uint32_t head) {
    unsigned cls = wfi_class_of(head), core = wfi_core_of(head), event = head & WF_SLOT_EVENT;
    struct wfi_core *c = &s->core[core];
    uint32_t time = wfi_load(s->in.at + 4, s->swap);
    uint32_t a = wfi_load(s->in.at + 8, s->swap), b = wfi_load(s->in.at + 12, s->swap);
    uint64_t tick = c->base + time;
    bool buffer = cls == WF_SLOT_CLASS_CONTROL && event == WF_SLOT_CONTROL_BUFFER;
    bool gone = cls == WF_SLOT_CLASS_OWN && event == WF_SLOT_OWN_GONE;
    // An event is in one chunk, its slots in a row: a chain that is open here lacks some.
    if (((buffer && s->wallfly) || gone) && wfi_chain_give_up(s, core, item)) return ITEM;
    if (buffer && s->options.with_control) {
        if (!wfi_input_need(&s->in, 2 * WFI_SLOT) && !s->in.ending) return MORE;
    }
    if (buffer) wfi_account_buffer(s, core, a);
    if (cls == WF_SLOT_CLASS_CONTROL && event == WF_SLOT_CONTROL_TIME) {
        wfi_clock_time(s, core, a, b);
        tick = tick_near(c, time, a, b);
    }
    if (cls == WF_SLOT_CLASS_OWN) {
        if (!s->wallfly) set_wallfly(s);
        wfi_account_own(s, core, event, (uint64_t)b << 32 | a);
    }
    set_mark(s, core, cls, event, tick);
    ++s->ledger.control;
    if (!s->options.with_control) return pass_slot(s, AGAIN);
    fill_event(s, item, head, tick);
    if (buffer) take_buffer_tick(s, &item->event, time);
    return pass_slot(s, ITEM);
}

static enum outcome take_chain(struct wf_slots *s, struct wf_slots_item *item, uint32_t head) {
    switch (wfi_chain_slot(s, head, s->in.at, item)) {
    case WFI_CHAIN_AGAIN: return ITEM;
    case WFI_CHAIN_TAKEN: return pass_slot(s, AGAIN);
    case WFI_CHAIN_DAMAGE: return pass_slot(s, ITEM);
    case WFI_CHAIN_EVENT: break;
    }
    if (!wfi_is_control(s, item->event.cls)) {
        count_event(s, &item->event);
        return pass_slot(s, ITEM);
    }
    s->ledger.control += item->event.count / 2;
    return pass_slot(s, s->options.with_control ? ITEM : AGAIN);
}

static enum outcome take_event(struct wf_slots *s, struct wf_slots_item *item, uint32_t head) {
    unsigned core = wfi_core_of(head);
    if (!wfi_clock_ready(s, core)) return MORE;
    if (wfi_account_loss(s, core, item)) return ITEM;
    if (head >> WF_SLOT_STRUCTURE_SHIFT != WF_SLOT_SIMPLE) return take_chain(s, item, head);
    uint64_t tick = wfi_clock_tick(&s->core[core], wfi_load(s->in.at + 4, s->swap));
    fill_event(s, item, head, tick);
    count_event(s, &item->event);
    return pass_slot(s, ITEM);
}

// Handles a slot that may be no slot.
static enum outcome look_twice(struct wf_slots *s, struct wf_slots_item *item) {
    uint64_t from = s->hunting ? s->hunt_from : wfi_at(&s->in);
    switch (wfi_align_look(s)) {
    case WFI_ALIGN_MORE: return MORE;
    case WFI_ALIGN_STAY: return AGAIN;
    case WFI_ALIGN_LOST:
        s->hunting = true;
        s->hunt_from = from;
        s->in.at += wfi_left(&s->in) < WFI_SLOT ? wfi_left(&s->in) : WFI_SLOT;
        return wfi_left(&s->in) || !s->in.ending ? AGAIN : MORE;
    case WFI_ALIGN_MOVED: break;
    }
    s->hunting = false;
    s->weighed = wfi_at(&s->in) + WFI_SLOT;
    wfi_account_doubt(s, WF_SLOT_CORES);
    wfi_slots_damage(s, item, WF_SLOTS_NO_SLOT, from, wfi_at(&s->in) - from, 0,
                     "bytes that are no slot");
    return ITEM;
}

// A TIME has the low word twice.
static bool is_doubtful(const struct wf_slots *s, uint32_t head, uint32_t time) {
    const struct wfi_core *c = &s->core[wfi_core_of(head)];
    unsigned cls = wfi_class_of(head);
    if (wfi_align_broken(s, head) || !wfi_align_known(s, cls)) return true;
    if (cls == WF_SLOT_CLASS_CONTROL && (head & WF_SLOT_EVENT) == WF_SLOT_CONTROL_TIME &&
        !wfi_near(time, wfi_load(s->in.at + 12, s->swap))) {
        return true;
    }
    return c->timed && !wfi_near(time, c->low);
}

static enum outcome take_damaged(struct wf_slots *s, struct wf_slots_item *item, uint32_t head) {
    bool core = wfi_core_of(head) >= s->cores;
    ++s->ledger.damaged;
    wfi_account_doubt(s, WF_SLOT_CORES);
    wfi_slots_damage(s, item, core ? WF_SLOTS_BAD_CORE : WF_SLOTS_NO_SLOT, wfi_at(&s->in), WFI_SLOT,
                     wfi_core_of(head),
                     core ? "a core beyond those of the header"
                          : "a head with bits that no slot has, and a stamp far off");
    return pass_slot(s, ITEM);
}

static enum outcome take_slot(struct wf_slots *s, struct wf_slots_item *item) {
    if (s->hunting) return look_twice(s, item);
    uint32_t head = wfi_load(s->in.at, s->swap), time = wfi_load(s->in.at + 4, s->swap);
    if (is_doubtful(s, head, time) && wfi_at(&s->in) >= s->weighed) {
        enum outcome outcome = look_twice(s, item);
        if (outcome != AGAIN || s->hunting) return outcome;
        return AGAIN; // `weighed` has advanced
    }
    const struct wfi_core *c = &s->core[wfi_core_of(head)];
    if (wfi_align_broken(s, head)) {
        bool near = c->timed && wfi_near(time, c->low);
        if (wfi_core_of(head) >= s->cores || !near) return take_damaged(s, item, head);
    }
    unsigned cls = wfi_class_of(head);
    if (cls == WF_SLOT_CLASS_EMPTY) {
        ++s->ledger.empty;
        return pass_slot(s, AGAIN);
    }
    if (wfi_is_control(s, cls) && head >> WF_SLOT_STRUCTURE_SHIFT == WF_SLOT_SIMPLE) {
        return take_control(s, item, head);
    }
    return take_event(s, item, head);
}

// Handles the rest after the end of the stream.
static bool finish(struct wf_slots *s, struct wf_slots_item *item) {
    size_t left = wfi_left(&s->in);
    uint64_t at = wfi_at(&s->in);
    s->in.at = s->in.end;
    if (s->hunting) {
        s->hunting = false;
        return wfi_slots_damage(s, item, WF_SLOTS_NO_SLOT, s->hunt_from, at + left - s->hunt_from,
                                0, "bytes that are no slot");
    }
    if (left) {
        wfi_account_doubt(s, WF_SLOT_CORES);
        return wfi_slots_damage(s, item, WF_SLOTS_CUT, at, left, 0,
                                "the stream ends inside a slot");
    }
    if (wfi_chain_give_up(s, WF_SLOT_CORES, item)) return true;
    for (; s->flushed < WF_SLOT_CORES; ++s->flushed) {
        if (wfi_account_loss(s, s->flushed, item)) return true;
    }
    return false;
}

static bool return_note(struct wf_slots *s, struct wf_slots_item *item) {
    if (s->notes_at == s->notes_count) return false;
    const struct wfi_note *n = &s->notes[s->notes_at++];
    return wfi_slots_damage(s, item, WF_SLOTS_BAD_HEADER, n->offset, n->len, 0, n->why);
}

static void apply_header(struct wf_slots *s) {
    bool guess = s->options.clock == WF_SLOTS_CLOCK_GUESS;
    s->together = guess ? s->wallfly || s->cores == 1 : s->options.clock == WF_SLOTS_CLOCK_GLOBAL;
    if (s->options.hz) s->hz = s->options.hz;
    s->own_classes = s->wallfly || !s->attributes_count;
    wfi_slots_plan(s);
}

// Reads everything before the slots.
static enum outcome read_header(struct wf_slots *s, struct wf_slots_item *item) {
    switch (s->state) {
    case WFI_HEADER:
        if (!wfi_header_read(s)) return MORE;
        apply_header(s);
        s->refused = s->state == WFI_REFUSED;
        s->state = WFI_SYSPAGE;
        return AGAIN;
    case WFI_SYSPAGE:
        if (!wfi_syspage_read(s)) return MORE;
        s->state = WFI_FIRST;
        return AGAIN;
    case WFI_FIRST:
        if (!s->order_known) {
            if (!wfi_input_need(&s->in, 16 * WFI_SLOT) && !s->in.ending) return MORE;
            wfi_align_guess_order(s);
        }
        s->state = WFI_ANNOUNCE;
        item->kind = WF_SLOTS_HEADER;
        return ITEM;
    case WFI_ANNOUNCE:
        if (return_note(s, item)) return ITEM;
        s->state = s->refused ? WFI_REFUSED : WFI_SLOTS;
        s->hunting = s->refused;
        s->hunt_from = wfi_at(&s->in);
        return AGAIN;
    default: // refused: nothing can be read
        s->in.at = s->in.end;
        return wfi_input_need(&s->in, 1) ? AGAIN : MORE;
    }
}

bool wf_slots_next(struct wf_slots *s, struct wf_slots_item *item) {
    for (;;) {
        enum outcome outcome;
        if (s->state != WFI_SLOTS) {
            outcome = read_header(s, item);
        } else if (wfi_left(&s->in) < WFI_SLOT && !wfi_input_need(&s->in, WFI_SLOT)) {
            outcome = MORE;
        } else if (!s->hunting && take_usual(s, item)) {
            return true;
        } else {
            outcome = take_slot(s, item);
        }
        if (s->in.failed) return false;
        if (outcome == ITEM) return true;
        if (outcome == AGAIN) continue;
        return s->in.ending && s->state >= WFI_SLOTS && finish(s, item);
    }
}

int wf_slots_error(const struct wf_slots *s) { return s->in.failed ? WF_ERR_NOMEM : WF_OK; }

const struct wf_slots_ledger *wf_slots_get_ledger(const struct wf_slots *s) { return &s->ledger; }

uint64_t wf_slots_ledger_damages(const struct wf_slots_ledger *l) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < WF_SLOTS_DAMAGE_END; ++i) sum += l->damage[i];
    return sum;
}

bool wf_slots_ledger_is_lossy(const struct wf_slots_ledger *l) {
    return l->lost || l->refused || l->gone || wf_slots_ledger_damages(l);
}

bool wf_slots_swapped(const struct wf_slots *s) { return s->swap; }
bool wf_slots_big_endian(const struct wf_slots *s) { return s->swap != WFI_BIG_HERE; }
uint64_t wf_slots_hz(const struct wf_slots *s) { return s->hz; }
