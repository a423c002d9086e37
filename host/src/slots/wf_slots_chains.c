// SPDX-License-Identifier: MIT
// Events of more than two words: chains of slots that have class, event, core and stamp in common
// and may be interleaved. The number of open chains has a limit that only damage can reach.

#include "wfi_slots.h"

#include <stdlib.h>

enum { KEY = 0x3F007FFF, LISTS = 256, FIRST_ROOM = 64 }; // core, class, event; words

static unsigned hash(uint32_t head, uint32_t time) {
    uint32_t h = (head & KEY) * 0x9E3779B1u ^ time * 0x85EBCA6Bu;
    return (h ^ h >> 15) >> 3 & (LISTS - 1);
}

static bool matches(const struct wfi_chain *c, uint32_t head, uint32_t time) {
    return c->used && ((c->head ^ head) & KEY) == 0 && c->time == time;
}

// Returns the chain's number + 1, or 0.
static uint32_t find_chain(const struct wf_slots *s, uint32_t head, uint32_t time) {
    if (s->chain_recent && matches(&s->chains[s->chain_recent - 1], head, time)) {
        return s->chain_recent;
    }
    uint32_t n = s->lists[hash(head, time)];
    while (n && !matches(&s->chains[n - 1], head, time)) n = s->chains[n - 1].next;
    return n;
}

// Removes the chain from its list. Its bytes stay until it is reused.
static struct wfi_chain *drop_chain(struct wf_slots *s, uint32_t n) {
    struct wfi_chain *c = &s->chains[n - 1];
    uint32_t *link = &s->lists[hash(c->head, c->time)];
    while (*link != n) link = &s->chains[*link - 1].next;
    *link = c->next;
    *(c->older ? &s->chains[c->older - 1].newer : &s->chain_oldest) = c->newer;
    *(c->newer ? &s->chains[c->newer - 1].older : &s->chain_newest) = c->older;
    c->used = false;
    c->next = s->chain_free;
    s->chain_free = n;
    if (s->chain_recent == n) s->chain_recent = 0;
    s->chain_words -= c->words;
    --s->chains_open;
    return c;
}

static bool make_room(struct wf_slots *s) {
    if (s->chain_free) return true;
    uint32_t room = s->chains_room ? s->chains_room * 2 : 16;
    struct wfi_chain *more = realloc(s->chains, room * sizeof *more);
    if (!more) return false;
    s->chains = more;
    memset(more + s->chains_room, 0, (room - s->chains_room) * sizeof *more);
    for (uint32_t n = room; n > s->chains_room; --n) {
        more[n - 1].next = s->chain_free;
        s->chain_free = n;
    }
    s->chains_room = room;
    return true;
}

static bool append(struct wf_slots *s, struct wfi_chain *c, const uint8_t *bytes, uint32_t words) {
    if (c->words + words > c->room) {
        uint32_t room = c->room ? c->room : FIRST_ROOM;
        while (room < c->words + words) room *= 2;
        uint8_t *more = realloc(c->bytes, room * sizeof(uint32_t));
        if (!more) return false;
        c->bytes = more;
        c->room = room;
    }
    memcpy(c->bytes + c->words * sizeof(uint32_t), bytes, words * sizeof(uint32_t));
    c->words += words;
    s->chain_words += words;
    return true;
}

static bool append_slot(struct wf_slots *s, struct wfi_chain *c, const uint8_t *slot) {
    ++c->slots;
    c->too_long = c->words + 2 > WF_SLOT_WORDS_MAX;
    return c->too_long || append(s, c, slot + 8, 2);
}

// Adds a new chain, without slots, after all that are open. There is room for it.
static struct wfi_chain *add_chain(struct wf_slots *s, uint32_t head, uint32_t time) {
    uint32_t n = s->chain_free, *list = &s->lists[hash(head, time)];
    struct wfi_chain *c = &s->chains[n - 1];
    s->chain_free = c->next;
    c->used = true;
    c->too_long = false;
    c->head = head;
    c->time = time;
    c->words = c->slots = 0;
    c->newer = 0;
    c->older = s->chain_newest;
    *(c->older ? &s->chains[c->older - 1].newer : &s->chain_oldest) = n;
    s->chain_newest = n;
    c->next = *list;
    *list = s->chain_recent = n;
    ++s->chains_open;
    return c;
}

static bool report_damage(struct wf_slots *s, struct wf_slots_item *item, const struct wfi_chain *c,
                          enum wf_slots_damage_kind kind, const char *why) {
    wfi_account_doubt(s, wfi_core_of(c->head));
    s->ledger.damaged += c->slots;
    return wfi_slots_damage(s, item, kind, c->offset, (uint64_t)c->slots * WFI_SLOT,
                            wfi_core_of(c->head), why);
}

bool wfi_chain_give_up(struct wf_slots *s, unsigned core, struct wf_slots_item *item) {
    uint32_t n = s->chain_oldest;
    while (n && core < WF_SLOT_CORES && wfi_core_of(s->chains[n - 1].head) != core) {
        n = s->chains[n - 1].newer;
    }
    return n && report_damage(s, item, drop_chain(s, n), WF_SLOTS_NO_LAST,
                              "an event without its last slot");
}

static enum wfi_chain_step start_chain(struct wf_slots *s, uint32_t head, uint32_t time,
                                       const uint8_t *slot, struct wf_slots_item *item) {
    uint32_t old = find_chain(s, head, time);
    if (old) {
        report_damage(s, item, drop_chain(s, old), WF_SLOTS_NO_LAST,
                      "an event began anew without its last slot");
        return WFI_CHAIN_AGAIN;
    }
    if (s->chains_open == WFI_CHAINS) {
        wfi_chain_give_up(s, WF_SLOT_CORES, item);
        return WFI_CHAIN_AGAIN;
    }
    if (!make_room(s)) {
        s->in.failed = true;
        return WFI_CHAIN_TAKEN;
    }
    struct wfi_core *core = &s->core[wfi_core_of(head)];
    struct wfi_chain *c = add_chain(s, head, time);
    c->offset = wfi_at(&s->in);
    c->tick = wfi_clock_tick(core, time);
    c->timed = core->timed;
    if (!append_slot(s, c, slot)) s->in.failed = true;
    return WFI_CHAIN_TAKEN;
}

static const uint32_t *to_words(struct wf_slots *s, const struct wfi_chain *c) {
    if (!s->long_words) s->long_words = malloc(WF_SLOT_WORDS_MAX * sizeof(uint32_t));
    if (!s->long_words) {
        s->in.failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < c->words; ++i) s->long_words[i] = wfi_load(c->bytes + 4 * i, s->swap);
    return s->long_words;
}

static enum wfi_chain_step finish_chain(struct wf_slots *s, struct wfi_chain *c, uint32_t last,
                                        struct wf_slots_item *item) {
    if (c->too_long) {
        report_damage(s, item, c, WF_SLOTS_TOO_LONG, "an event of more words than one may have");
        return WFI_CHAIN_DAMAGE;
    }
    struct wf_slot_event *e = &item->event;
    item->kind = WF_SLOTS_EVENT;
    wfi_event_head(e, c->head);
    e->timed = c->timed;
    e->tick = c->tick;
    e->offset = c->offset;
    e->words = to_words(s, c);
    if (!e->words) return WFI_CHAIN_TAKEN;
    e->bytes = c->bytes;
    e->count = c->words;
    e->len = 4 * c->words;
    if (wfi_is_record(s, c->head)) e->len -= last >> WF_SLOT_UNUSED_SHIFT & WF_SLOT_UNUSED;
    return WFI_CHAIN_EVENT;
}

enum wfi_chain_step wfi_chain_slot(struct wf_slots *s, uint32_t head, const uint8_t *slot,
                                   struct wf_slots_item *item) {
    uint32_t time = wfi_load(slot + 4, s->swap), structure = head >> WF_SLOT_STRUCTURE_SHIFT;
    if (structure == WF_SLOT_FIRST) return start_chain(s, head, time, slot, item);
    uint32_t n = find_chain(s, head, time);
    if (!n) {
        ++s->ledger.damaged;
        wfi_account_doubt(s, wfi_core_of(head));
        wfi_slots_damage(s, item, WF_SLOTS_NO_FIRST, wfi_at(&s->in), WFI_SLOT, wfi_core_of(head),
                         "a continuation slot of an event without its first slot");
        return WFI_CHAIN_DAMAGE;
    }
    s->chain_recent = n;
    if (!append_slot(s, &s->chains[n - 1], slot)) s->in.failed = true;
    if (structure != WF_SLOT_LAST) return WFI_CHAIN_TAKEN;
    return finish_chain(s, drop_chain(s, n), head, item);
}

// A chain as it is saved; its words follow.
struct kept {
    uint64_t offset, tick;
    uint32_t head, time, words, slots;
    bool timed, too_long;
};

size_t wfi_chains_size(const struct wf_slots *s) {
    return s->chains_open * sizeof(struct kept) + s->chain_words * sizeof(uint32_t);
}

void wfi_chains_save(const struct wf_slots *s, uint8_t *to) {
    for (uint32_t n = s->chain_oldest; n; n = s->chains[n - 1].newer) {
        const struct wfi_chain *c = &s->chains[n - 1];
        struct kept k = {c->offset, c->tick,  c->head,  c->time,
                         c->words,  c->slots, c->timed, c->too_long};
        memcpy(to, &k, sizeof k);
        memcpy(to + sizeof k, c->bytes, c->words * sizeof(uint32_t));
        to += sizeof k + c->words * sizeof(uint32_t);
    }
}

void wfi_chains_restore(struct wf_slots *s, const uint8_t *from, size_t len) {
    const uint8_t *end = from + len;
    while (s->chain_oldest) drop_chain(s, s->chain_oldest);
    while (from < end && !s->in.failed) {
        struct kept k;
        memcpy(&k, from, sizeof k);
        from += sizeof k;
        struct wfi_chain *c = make_room(s) ? add_chain(s, k.head, k.time) : NULL;
        if (!c || !append(s, c, from, k.words)) {
            s->in.failed = true;
            return;
        }
        c->offset = k.offset;
        c->tick = k.tick;
        c->slots = k.slots;
        c->timed = k.timed;
        c->too_long = k.too_long;
        from += k.words * sizeof(uint32_t);
    }
}

void wfi_chains_free(struct wf_slots *s) {
    for (uint32_t n = 0; n < s->chains_room; ++n) free(s->chains[n].bytes);
    free(s->chains);
    free(s->long_words);
}
