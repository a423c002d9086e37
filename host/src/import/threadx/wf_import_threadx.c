// SPDX-License-Identifier: MIT
// ThreadX trace buffers, as TraceX reads them (.trx): header, order of the events, and time. A
// first pass over all events finds what no single event shows: the direction of the clock, and
// which fields this version of the recorder fills in.

#include <stdlib.h>
#include <string.h>

#include "wfi_threadx.h"

enum { CLOSE = 32 }; // events among which the next one of a context is searched

static const char *const lacks[] = {"ticks per second (--rate gives them)",
                                    "interrupts without the calls of tx_trace_isr_enter_insert",
                                    "results of calls", "switches that no event announces", NULL};

// ---- the header

static const char *check_pointers(const uint32_t *p, uint32_t base, unsigned *at) {
    // The header, the registry and the ring follow one another.
    static const uint8_t places[] = {12, 20, 24, 28, 32};
    uint32_t before = base + TXI_HEADER;
    for (unsigned i = 0; i < 4; ++i) {
        *at = places[i];
        if (p[i] < before) return "a pointer lies before the one that it must follow";
        before = p[i];
    }
    *at = places[3];
    return p[3] - p[2] < TXI_EVENT ? "the ring has no room for an event" : NULL;
}

const char *wfi_threadx_header(const uint8_t *bytes, struct wfi_threadx_header *h, unsigned *at) {
    static const uint8_t little[] = "BTXT", big[] = "TXTB";
    uint32_t p[5];
    *at = 0;
    h->big = memcmp(bytes, big, 4) == 0;
    if (!h->big && memcmp(bytes, little, 4) != 0) return "it does not begin with BTXT or TXTB";
    h->mask = wfi_threadx_word(h->big, bytes + 4);
    h->base = wfi_threadx_word(h->big, bytes + 8);
    h->name_bytes = wfi_threadx_word(h->big, bytes + 16) >> (h->big ? 0 : 16) & 0xFFFF;
    p[0] = wfi_threadx_word(h->big, bytes + 12);
    for (unsigned i = 1; i < 5; ++i) p[i] = wfi_threadx_word(h->big, bytes + 16 + 4 * i);
    *at = 8;
    if (h->base > UINT32_MAX - TXI_HEADER) return "the base address is too large";
    const char *wrong = check_pointers(p, h->base, at);
    h->registry = p[0] - h->base;
    h->registry_end = p[1] - h->base;
    h->events = p[2] - h->base;
    h->events_end = p[3] - h->base;
    h->current = p[4] - h->base;
    return wrong;
}

static enum wfi_sniff sniff_threadx(const uint8_t *bytes, size_t len, bool whole) {
    struct wfi_threadx_header h;
    unsigned at;
    size_t n = len < 4 ? len : 4;
    if (memcmp(bytes, "BTXT", n) != 0 && memcmp(bytes, "TXTB", n) != 0) return WFI_SNIFF_NO;
    if (len < TXI_HEADER) return whole ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
    return wfi_threadx_header(bytes, &h, &at) ? WFI_SNIFF_NO : WFI_SNIFF_YES;
}

static bool is_used(const struct wfi_threadx *x, size_t at) {
    return wfi_threadx_word(x->big, x->bytes + at) != 0 &&
           wfi_threadx_word(x->big, x->bytes + at + 8) != TXI_UNUSED;
}

// Leaves out the slots that the file does not have. If the ring has turned, they are those between
// the older and the newer part. If the current slot is missing, so are the newest events.
static void limit_slots(struct wfi_threadx *x) {
    size_t room = x->len > x->events ? (x->len - x->events) / TXI_EVENT : 0;
    x->gap = UINT32_MAX;
    if (room >= x->slots) return;
    uint32_t there = (uint32_t)room;
    if (x->oldest >= there) {
        x->gap = there;
        x->missing = x->oldest - there;
        x->oldest = 0;
    } else if (is_used(x, x->events + (size_t)x->oldest * TXI_EVENT)) {
        x->gap = there - x->oldest;
        x->missing = x->slots - there;
    }
    x->slots = there;
}

static bool take_header(struct wfi_import *im) {
    struct wfi_threadx *x = im->state;
    struct wfi_threadx_header h;
    unsigned at;
    if (x->len < TXI_HEADER) {
        wfi_import_fail(im, im->at + x->len, "the header has 48 bytes, the file ends before");
        return false;
    }
    const char *wrong = wfi_threadx_header(x->bytes, &h, &at);
    if (wrong) {
        wfi_import_fail(im, im->at + at, "%s", wrong);
        return false;
    }
    x->big = h.big;
    x->mask = h.mask;
    x->name_bytes = h.name_bytes;
    x->registry = h.registry;
    x->entries = (h.registry_end - h.registry) / (TXI_ENTRY + h.name_bytes);
    x->events = h.events;
    x->slots = (h.events_end - h.events) / TXI_EVENT;
    wfi_import_target(im, 0, 4, 1);
    uint32_t current = h.current - h.events;
    if (current / TXI_EVENT < x->slots && current % TXI_EVENT == 0) {
        x->oldest = current / TXI_EVENT;
    } else if (h.current != h.events_end) {
        im->offset = im->at + 32;
        wfi_import_damage(im, im->offset, 4, "the current event lies outside the ring");
    }
    limit_slots(x);
    return true;
}

// ---- events

// Returns the offset of a slot in the buffer.
static size_t place_of(const struct wfi_threadx *x, uint32_t index) {
    uint32_t to_end = x->slots - x->oldest;
    uint32_t slot = index < to_end ? x->oldest + index : index - to_end;
    return x->events + (size_t)slot * TXI_EVENT;
}

// Constant for each call: the branches on the byte order are resolved at compile time.
static inline void load(bool big, const uint8_t *p, struct wfi_threadx_event *e) {
    e->context = wfi_threadx_word(big, p);
    e->word = wfi_threadx_word(big, p + 4);
    e->id = wfi_threadx_word(big, p + 8);
    e->stamp = wfi_threadx_word(big, p + 12);
    e->info[0] = wfi_threadx_word(big, p + 16);
    e->info[1] = wfi_threadx_word(big, p + 20);
    e->info[2] = wfi_threadx_word(big, p + 24);
    e->info[3] = wfi_threadx_word(big, p + 28);
}

static inline void load_slot(const struct wfi_threadx *x, uint32_t index,
                             struct wfi_threadx_event *e) {
    e->index = index;
    e->at = place_of(x, index);
    const uint8_t *p = x->bytes + e->at;
    if (x->big)
        load(true, p, e);
    else
        load(false, p, e);
}

static inline bool read_used(const struct wfi_threadx *x, uint32_t index,
                             struct wfi_threadx_event *e) {
    for (; index < x->slots; ++index) {
        load_slot(x, index, e);
        if (e->context && e->id != TXI_UNUSED) return true;
    }
    return false;
}

bool wfi_threadx_read(const struct wfi_threadx *x, uint32_t index, struct wfi_threadx_event *e) {
    return read_used(x, index, e);
}

bool wfi_threadx_next_own(const struct wfi_threadx *x, const struct wfi_threadx_event *e,
                          struct wfi_threadx_event *next) {
    *next = *e;
    for (unsigned i = 0; i < CLOSE && wfi_threadx_read(x, next->index + 1, next); ++i) {
        if (next->context == e->context) return true;
    }
    return false;
}

// ---- the first pass

struct survey {
    uint32_t count, back, back_wide, before;
    bool above; // a stamp has bits above the mask
};

static void survey_clock(const struct wfi_threadx *x, struct survey *s, uint32_t stamp) {
    s->above |= (stamp & ~x->mask) != 0;
    if (s->count++) {
        s->back += ((stamp - s->before) & x->mask) > x->mask / 2;
        s->back_wide += stamp - s->before > UINT32_MAX / 2;
    }
    s->before = stamp;
}

// The objects that events act on, and what the calls of queues show of them.
static void survey_object(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx_entity *o = e->info[0] ? wfi_threadx_add(im, e->info[0]) : NULL;
    if (!o) return;
    switch (e->id) {
    case TXI_BLOCK_CREATE:
    case TXI_BYTE_CREATE:
    case TXI_FLAGS_CREATE:
    case TXI_MUTEX_CREATE:
    case TXI_QUEUE_CREATE:
    case TXI_SEMAPHORE_CREATE:
    case TXI_THREAD_CREATE: o->created = true; break;
    default: break;
    }
    if (e->id >= TXI_QUEUE_CREATE && e->id <= TXI_QUEUE_SEND) wfi_threadx_note_queue(o, e);
}

static void survey_event(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx *x = im->state;
    bool isr = e->context == TXI_ISR;
    uint32_t thread = isr ? e->word : e->context;
    if (thread != x->surveyed && thread && thread != TXI_INIT) {
        (void)wfi_threadx_add(im, thread);
        x->surveyed = thread;
    }
    x->interrupted |= isr && thread;
    if (e->id == TXI_SUSPEND) x->suspends = true;
    if (e->id == TXI_ISR_ENTER && e->info[1]) x->irq_numbers = true;
    if (e->id == TXI_RESUME || e->id == TXI_SUSPEND ||
        (e->id >= TXI_BLOCK_ALLOCATE && e->id <= TXI_THREAD_RESET))
        survey_object(im, e);
}

static void survey_all(struct wfi_import *im) {
    struct wfi_threadx *x = im->state;
    struct survey s = {0};
    struct wfi_threadx_event e;
    for (uint32_t i = 0; im->error.code == WF_OK && read_used(x, i, &e); i = e.index + 1) {
        survey_clock(x, &s, e.stamp);
        survey_event(im, &e);
    }
    uint32_t steps = s.count ? s.count - 1 : 0;
    // A counter that uses more bits than the mask states never jumps if all its bits are taken.
    x->wide = s.above && steps && (s.back_wide == 0 || s.back_wide == steps);
    x->down = x->wide ? s.back_wide != 0 : s.back > steps / 2;
}

// ---- the second pass

static inline void take_time(struct wfi_import *im, uint32_t stamp) {
    struct wfi_threadx *x = im->state;
    uint32_t mask = x->wide ? UINT32_MAX : x->mask;
    uint32_t step = x->down ? x->stamp - stamp : stamp - x->stamp;
    if (x->timed)
        im->tick += step & mask;
    else
        im->tick = x->down ? 0 : stamp & mask;
    x->timed = true;
    x->stamp = stamp;
}

static void begin(struct wfi_import *im) {
    struct wfi_threadx *x = im->state;
    struct wfi_threadx_event first;
    x->begun = true;
    if (!wfi_threadx_read_registry(im)) return;
    survey_all(im);
    if (wfi_threadx_read(x, 0, &first)) take_time(im, first.stamp);
    if (x->slots && is_used(x, place_of(x, 0)) && x->gap != x->slots) wfi_import_beginning(im, 0);
    wfi_threadx_name_all(im);
}

static bool is_valid(const struct wfi_threadx_event *e) {
    return e->id >= 1 && e->id <= TXI_USER_LAST;
}

// The state of threads and calls before event `index` is not known any more.
static void forget(struct wfi_threadx *x, uint32_t index) {
    x->pending = false;
    x->leave = 0;
    x->forgets = index;
}

// Reports slots that hold no event. Returns the index of the last one.
static uint32_t take_damage(struct wfi_import *im, const struct wfi_threadx_event *first) {
    struct wfi_threadx *x = im->state;
    struct wfi_threadx_event e;
    uint32_t last = first->index;
    while (wfi_threadx_read(x, last + 1, &e) && e.index == last + 1 && !is_valid(&e) &&
           e.at > first->at)
        last = e.index;
    wfi_import_damage(im, im->offset, (uint64_t)(last - first->index + 1) * TXI_EVENT,
                      "no event has this number");
    forget(x, last + 1);
    return last;
}

static void take_gap(struct wfi_import *im) {
    struct wfi_threadx *x = im->state;
    im->offset = im->at + x->len;
    wfi_import_loss(im, x->missing, false, "the file ends before");
    forget(x, x->gap);
    x->gap = UINT32_MAX;
}

static size_t decode_threadx(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_threadx *x = im->state;
    struct wfi_threadx_event e;
    (void)last;
    if (x->done) return len;
    x->bytes = bytes;
    x->len = len;
    if (!x->begun) {
        if (!take_header(im)) return len;
        begin(im);
    }
    while (read_used(x, x->next, &e)) {
        if (wfi_import_is_full(im)) return 0;
        if (e.index >= x->gap) take_gap(im);
        im->offset = im->at + e.at;
        if (is_valid(&e)) {
            take_time(im, e.stamp);
            wfi_threadx_take(im, &e);
        } else {
            e.index = take_damage(im, &e);
        }
        x->next = e.index + 1;
    }
    x->done = true;
    if (x->gap != UINT32_MAX) take_gap(im);
    return len;
}

static void close_threadx(struct wfi_import *im) {
    struct wfi_threadx *x = im->state;
    wfi_index_close(&x->index);
    free(x->entities);
}

const struct wfi_import_format wfi_import_threadx = {
    .name = "ThreadX trace buffer",
    .sniff = sniff_threadx,
    .find = wfi_threadx_find,
    .whole = true,
    .size = sizeof(struct wfi_threadx),
    .decode = decode_threadx,
    .close = close_threadx,
    .lacks = lacks,
};
