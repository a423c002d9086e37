// SPDX-License-Identifier: MIT
// The slot recorder: its memory, and events that open a chunk, have several slots or record the
// time. wfi_slots.h has the usual path.

#include "wfi_core.h"
#include "wfi_slots.h"

#if WF_CFG_SLOTS

// After so many places lost to other writers an event is refused, so that no writer is held up
// forever.
enum { WFI_TRIES = 100 };

struct wfi_recorder wfi;
struct wfi_slots wfi_slots;
#if WFI_SLOT_RUN
struct wfi_slot_run wfi_slots_run;
#endif

// What the slots of an event have in common.
struct begun {
    uint32_t tag, time;
};

// The place of an event: slots that fill the previous chunk, slots that open a chunk (or record the
// time again), and slots of the event. A mark has no slots of its own. A chunk lies in one piece in
// the ring, so all slots but those that fill have one tag and follow each other in memory.
struct place {
    struct begun of;
    uint64_t was;
#if WF_PORT_ATOMIC
    uint64_t at_known, made_known; // only where a chunk is opened
#endif
    wf_stamp now;
    uint32_t at, high;
    unsigned fill, opening, slots;
};

static void find_place(struct wf_slot_core *c, struct place *p) {
    p->was = wfi_slot_next(c);
    p->now = wf_port_now();
    p->of.time = (uint32_t)p->now;
    p->at = (uint32_t)p->was;
    const uint32_t high = wfi_get32(&c->high);
    const unsigned from = (unsigned)(p->at / 16 % WFI_CHUNK);
    p->high = WF_CFG_TIME_SIZE == 4 ? high + (wfi_slot_usual(c, p->now) ? 0 : 1)
                                    : (uint32_t)((uint64_t)p->now >> 32);
    p->fill = 0;
    p->opening = p->high != high || !p->slots;
    if (from && from + p->opening + p->slots <= WFI_CHUNK) return;
    p->fill = from ? WFI_CHUNK - from : 0;
    p->opening = WFI_OPENING + (wfi_get64(&c->offset) != 0);
#if WF_PORT_ATOMIC
    p->at_known = wfi_get64(&c->at);
    p->made_known = wfi_get64(&c->made);
#endif
}

// Returns whether the oldest slots are kept and the chunk to be opened would overwrite some. A
// reader position after the place means that another writer has taken it: then the ring is not
// full, and take_place() fails.
static bool is_full(struct wf_slot_core *c, const struct place *p) {
    if (p->opening < WFI_OPENING || !wfi_slots.box->keep_oldest) return false;
    const uint32_t ahead = p->at - wfi_get32(&c->tail);
    return ahead <= INT32_MAX && ahead / 16 + p->fill + WFI_CHUNK > wfi_slots.box->slots;
}

// Returns the slot after it.
WFI_ALWAYS_INLINE struct wf_slot *store_slot(struct wf_slot *to, struct begun of, uint32_t what,
                                             uint64_t body) {
    wfi_slot_store(to, what | of.tag, of.time, body);
    return to + 1;
}

#define WFI_OF_CONTROL(event) ((uint32_t)WF_SLOT_CLASS_CONTROL << WF_SLOT_CLASS_SHIFT | (event))

static uint64_t words_of(uint32_t first, uint32_t second) { return first | (uint64_t)second << 32; }

// Makes the chunk that begins at `at`, in the slot `to`, ready for usual events.
static void begin_run(struct wf_slot *to, uint32_t at, uint32_t tag) {
#if WFI_SLOT_RUN
    wfi_slots_run.tag = tag;
    wfi_slots_run.end = to + WFI_CHUNK;
    // The slot after which `next` wraps carries into `extra`.
    if (at + UINT32_C(16) * WFI_CHUNK == 0) --wfi_slots_run.end;
    wfi_slots_run.to_next = at + 16 - (uint32_t)(uintptr_t)to;
#else
    (void)to, (void)at, (void)tag;
#endif
}

// Writes the slots that begin a chunk. Without a lock `at` and `made` were read before the place
// was taken: if another chunk was opened since, its numbers stay.
static struct wf_slot *open_chunk(struct wf_slot_core *c, struct wf_slot *to, struct place *p) {
#if WF_PORT_ATOMIC
    uint64_t at_known = p->at_known, made_known = p->made_known;
#else
    uint64_t at_known = c->at, made_known = c->made;
#endif
    uint64_t wide = wfi_slot_widen(p->at, at_known);
    uint64_t made = wfi_slot_made(p->was, wide, made_known);
    wfi_slot_move64(&c->at, at_known, wide);
    wfi_slot_move64(&c->made, made_known, made);
    begin_run(to, p->at + 16 * p->fill, p->of.tag);
    struct begun control = p->of, own = p->of;
    control.tag |= (uint32_t)WF_SLOT_CLASS_CONTROL << WF_SLOT_CLASS_SHIFT;
    own.tag |= (uint32_t)WF_SLOT_CLASS_OWN << WF_SLOT_CLASS_SHIFT;
    WFI_OPAQUE(control.tag); // or the compiler adds class and event to each tag one by one
    WFI_OPAQUE(own.tag);
    to = store_slot(to, control, WF_SLOT_CONTROL_BUFFER,
                    words_of((uint32_t)((wide + p->fill) / WFI_CHUNK), WFI_CHUNK));
    to = store_slot(to, control, WF_SLOT_CONTROL_TIME, words_of(p->high, (uint32_t)p->now));
    to = store_slot(to, own, WF_SLOT_OWN_MADE, made);
    to = store_slot(to, own, WF_SLOT_OWN_REFUSED, wfi_get64(&c->refused));
    if (p->opening > WFI_OPENING) {
        to = store_slot(to, own, WF_SLOT_OWN_OFFSET, (uint64_t)wfi_get64(&c->offset));
    }
    return to;
}

// Stores the slots before the event.
static struct wf_slot *open_place(struct wf_slot_core *c, struct place *p) {
    struct wf_slot *to = wfi_slot_at(c, p->at);
    p->of.tag = wfi_slot_tag(p->at);
    if (p->fill) {
        for (unsigned i = 0; i < p->fill; ++i) to = store_slot(to, p->of, 0, 0);
        to = wfi_slot_at(c, p->at + 16 * p->fill);
        p->of.tag = wfi_slot_tag(p->at + 16 * p->fill);
    }
    if (p->opening >= WFI_OPENING) return open_chunk(c, to, p);
    if (!p->opening) return to;
    return store_slot(to, p->of, WFI_OF_CONTROL(WF_SLOT_CONTROL_TIME),
                      words_of(p->high, (uint32_t)p->now));
}

// Byte i of the event, zero after its end.
static uint32_t byte_of(const struct wfi_pieces *e, unsigned i) {
    if (i < e->len) return e->body[i];
    return i - e->len < e->tail_len ? e->tail[i - e->len] : 0;
}

// A word of the event in memory order.
static uint32_t word_of(const struct wfi_pieces *e, unsigned i) {
    uint32_t w = 0;
#if WF_CFG_UNALIGNED
    if (i + 4 <= e->len) {
        __builtin_memcpy(&w, e->body + i, 4);
        return w;
    }
#endif
    for (unsigned k = 0; k < 4; ++k) {
        w |= byte_of(e, i + k) << (WFI_LITTLE ? 8 * k : 24 - 8 * k);
    }
    return w;
}

// Both words of a slot.
static uint64_t event_words(const struct wfi_pieces *e, unsigned i) {
#if WF_CFG_UNALIGNED && WFI_LITTLE
    uint64_t both;
    if (i + 8 <= e->len) {
        __builtin_memcpy(&both, e->body + i, 8);
        return both;
    }
#endif
    return words_of(word_of(e, i), word_of(e, i + 4));
}

#define WFI_OF_STRUCTURE(structure) ((uint32_t)(structure) << WF_SLOT_KEPT_STRUCTURE_SHIFT)

static bool take_place(struct wf_slot_core *c, struct place *p) {
    unsigned slots = p->fill + p->opening + p->slots;
    return wfi_slot_take(c, &p->was, slots, p->slots ? slots - 1 : slots, p->now);
}

// Where the compiler optimizes for size there is one way for all that is not usual. Elsewhere
// begin_event() is a function of its own; what it returns beside the place is in the run as well.
#if WFI_SMALL
#define WFI_PART static
#else
#define WFI_PART static WFI_NOINLINE
#endif
#define WFI_IN_RUN (WFI_SLOT_RUN && !WFI_SMALL)

static struct begun get_begun(const struct begun *begun) {
#if WFI_IN_RUN
    (void)begun;
    return (struct begun){wfi_slots_run.tag, wfi_slots_run.last};
#else
    return *begun;
#endif
}

// Takes the place of an event of so many slots on the caller's core and stores the slots before it.
// Returns the event's slot, or null when there was no room, and counts the event.
WFI_PART struct wf_slot *begin_event(unsigned slots, struct begun *begun) {
    struct wf_slot_core *c;
    struct place p;
    unsigned tries = 0;
    p.slots = slots;
#if WF_PORT_ATOMIC
    p.at_known = p.made_known = 0; // for the compiler, which does not see that they are set
#endif
    do {
        c = wfi_slot_core_of(wf_port_core()); // it may change between the tries
        find_place(c, &p);
        if (slots > WFI_CHUNK - WFI_OPENING - 1 || is_full(c, &p) || tries++ == WFI_TRIES) {
            if (slots) wfi_count64(&c->refused);
            return NULL;
        }
    } while (!take_place(c, &p));
    struct wf_slot *to = open_place(c, &p);
    if (p.opening) wfi_set32(&c->high, p.high);
    if (!WFI_IN_RUN) *begun = p.of;
    return to;
}

bool wfi_slot_put(uint32_t what, const struct wfi_pieces *e) {
    const unsigned len = e ? e->len + e->tail_len : 0;
    const unsigned slots = !e ? 0 : len > 8 ? (len + 7) / 8 : 1;
    struct begun of;
    struct wf_slot *to = begin_event(slots, &of);
    if (!to) return false;
    of = get_begun(&of);
    what &= ~WFI_SLOT_HELD;
    const uint32_t all = what & ~((uint32_t)WF_SLOT_UNUSED << WF_SLOT_UNUSED_SHIFT);
    uint32_t head = all | WFI_OF_STRUCTURE(WF_SLOT_FIRST);
    if (slots > 1) what |= WFI_OF_STRUCTURE(WF_SLOT_LAST);
    for (unsigned left = slots, i = 0; left; i += 8) {
        if (--left == 0) head = what;
        to = store_slot(to, of, head, event_words(e, i));
        head = all | WFI_OF_STRUCTURE(WF_SLOT_MIDDLE);
    }
    WFI_SLOT_RUN_TO(to);
    return true;
}

bool wfi_slot_put_two(uint32_t what, uint64_t body) {
#if WFI_SMALL
    const uint32_t words[] = {(uint32_t)body, (uint32_t)(body >> 32)};
    const struct wfi_pieces e = {(const uint8_t *)words, NULL, sizeof words, 0};
    return wfi_slot_put(what, &e);
#else
    struct begun of;
    struct wf_slot *to = begin_event(1, &of);
    if (!to) return false;
    of = get_begun(&of);
    to = store_slot(to, of, what, body);
    WFI_SLOT_RUN_TO(to);
    return true;
#endif
}

// Converts bytes in a number, lowest first, to words in memory order.
WFI_ALWAYS_INLINE uint64_t as_words(uint64_t bytes) {
    if (WFI_LITTLE) return bytes;
    bytes = __builtin_bswap64(bytes);
    return bytes << 32 | bytes >> 32;
}

void wfi_slot_short_held(uint32_t what, uint64_t bytes) {
    (void)wfi_slot_put_one(what, as_words(bytes));
}

void wfi_slot_short(uint32_t what, uint64_t bytes) {
    uint32_t held = WFI_SLOT_LOCK(0);
    (void)wfi_slot_put_one(what, as_words(bytes));
    WFI_SLOT_UNLOCK(0, held);
}

void wfi_slot_long(uint32_t what, const void *body, unsigned len, const void *tail,
                   unsigned tail_len) {
    const struct wfi_pieces e = {body, tail, len, tail_len};
    uint32_t held = WFI_SLOT_LOCK(what);
    (void)wfi_slot_put(what, &e);
    WFI_SLOT_UNLOCK(what, held);
}

static uint32_t what_of(unsigned cls, unsigned event) {
    return (cls & WF_SLOT_CLASS) << WF_SLOT_CLASS_SHIFT | (event & WF_SLOT_EVENT);
}

void wf_slot_event(unsigned cls, unsigned event, uint32_t word0, uint32_t word1) {
    uint32_t held = WFI_SLOT_LOCK(0);
    (void)wfi_slot_put_one(what_of(cls, event), words_of(word0, word1));
    WFI_SLOT_UNLOCK(0, held);
}

void wf_slot_words(unsigned cls, unsigned event, const uint32_t *words, unsigned count) {
    wfi_slot_long(what_of(cls, event), words, 4 * count, NULL, 0);
}

void wf_slot_text(unsigned cls, unsigned event, const char *text) {
    unsigned len = 0;
    while (len < 127 && text[len]) ++len;
    wfi_slot_long(what_of(cls, event), text, len, "", 1);
}

void wf_slots_mark(void) {
    uint32_t held = WFI_SLOT_LOCK(0);
    (void)wfi_slot_put(0, NULL);
    WFI_SLOT_UNLOCK(0, held);
}

void wf_slots_offset(unsigned core, int64_t ticks) {
    uint32_t held = WFI_SLOT_LOCK(0);
    wfi_set64(&wfi_slot_core_of(core)->offset, ticks);
    WFI_SLOT_UNLOCK(0, held);
}

void wf_slots_missed(unsigned core, uint64_t events) {
    uint32_t held = WFI_SLOT_LOCK(0);
    while (events--) wfi_count64(&wfi_slot_core_of(core)->refused);
    WFI_SLOT_UNLOCK(0, held);
}

void wf_slots_get_status(unsigned core, struct wf_slots_status *status) {
    uint32_t held = WFI_SLOT_LOCK(0);
    struct wf_slot_core *c = wfi_slot_core_of(core);
    uint64_t at = wfi_get64(&c->at), made = wfi_get64(&c->made), next = wfi_slot_next(c);
    status->refused = wfi_get64(&c->refused);
    WFI_SLOT_UNLOCK(0, held);
    status->slots = wfi_slot_widen((uint32_t)next, at);
    status->made = wfi_slot_made(next, status->slots, made);
}

// Each empty slot gets the tag of the chunk before its own, so that no tag of the first round
// matches an empty slot.
static void empty_ring(struct wf_slot_core *c, uint32_t slots) {
    wfi_fill(c, sizeof *c, 0);
    for (uint32_t i = 0; i < slots; ++i) {
        wfi_slot_at(c, 16 * i)->head = wfi_slot_tag(16 * (i - WFI_CHUNK));
    }
}

bool wf_slots_start(const struct wf_slots_config *config) {
    static const uint8_t magic[8] = WF_SLOT_MAGIC, sizes[5] = {WFI_SIZES};
    struct wf_slot_box *box = config->memory;
    unsigned cores = config->cores;
    uint32_t slots = config->slots;
    bool good = cores && cores <= WF_CFG_CORES && slots >= WF_SLOTS_MIN && slots <= WF_SLOTS_MAX &&
                !(slots & (slots - 1)) && !((uintptr_t)box % 64) &&
                WF_SLOTS_SIZE(cores, slots) <= config->size;
    if (!good || !wfi_port_can()) return false;
    wfi_fill(box, sizeof *box, 0);
    box->order = 0x01020304;
    box->cores = cores;
    box->core_at = sizeof *box;
    box->core_step = (uint32_t)(sizeof(struct wf_slot_core) + slots * sizeof(struct wf_slot));
    box->slots = slots;
    box->chunk = WFI_CHUNK;
    box->keep_oldest = config->keep_oldest;
    box->hz = config->hz;
    box->build_id = config->build_id;
    for (unsigned i = 0; i < sizeof sizes; ++i) box->sizes[i] = sizes[i];
    wfi_slots.mask = (slots - 1) * (uint32_t)sizeof(struct wf_slot);
    wfi_slots.box = box;
    for (unsigned i = 0; i < sizeof wfi_slots.core / sizeof *wfi_slots.core; ++i) {
        uint32_t at = box->core_at + (i < cores ? i : 0) * box->core_step;
        wfi_slots.core[i] = (struct wf_slot_core *)(void *)((uint8_t *)box + at);
        if (i < cores) empty_ring(wfi_slots.core[i], slots);
    }
#if WFI_SLOT_RUN
    wfi_slots_run.core = wfi_slots.core[0];
    wfi_slots_run.end = wfi_slots_run.slot; // none
    wfi_slots_run.last = 0;
#endif
    wfi_filter_start();
    wfi.names = NULL;
    for (unsigned i = 0; i < sizeof magic; ++i) box->magic[i] = magic[i];
    box->started = 1;
    return true;
}
#endif
