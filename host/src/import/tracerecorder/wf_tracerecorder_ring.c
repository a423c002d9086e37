// SPDX-License-Identifier: MIT
// The ring buffer in an image of memory: an area with a part for each core, of a head and the data.
// Events do not continue at the begin of the data: at the end there is slack. The parts of the
// cores are merged by time; their newest events are of the same turn of the timer.

#include <stdlib.h>
#include <string.h>

#include "wfi_tracerecorder.h"

enum {
    HEAD_4 = 44, // bytes of a part's head: 11 words of 32 bits, the last one a pointer
    HEAD_8 = 48,
    OVERWRITES = 1, // option
    AREA_MAX = 1 << 28,
    AREA_STEP = 1 << 16
};

struct part {
    size_t at[2], end[2]; // what is to be read: up to two pieces of the area
    bool begun;
    bool overwrites;
    uint32_t dropped;
    uint64_t time; // of the event at at[0]
    struct wfi_tr_clock clock;
};

struct wfi_tr_ring {
    uint8_t *bytes;
    size_t have, size, cap;
    uint64_t offset; // of the area in the input
    struct part parts[WFI_TR_CORES];
};

bool wfi_tr_ring_open(struct wfi_import *im, uint64_t size) {
    struct wfi_tr *t = im->state;
    size_t head = t->word == 8 ? HEAD_8 : HEAD_4;
    if (size > AREA_MAX || size / t->cores < head) {
        wfi_import_fail(im, im->offset, "a ring of %llu bytes", (unsigned long long)size);
        return false;
    }
    t->area = calloc(1, sizeof *t->area);
    if (!t->area) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return false;
    }
    t->area->size = (size_t)size;
    t->area->offset = im->offset + t->word;
    return true;
}

void wfi_tr_ring_close(struct wfi_tr *t) {
    if (t->area) free(t->area->bytes);
    free(t->area);
    t->area = NULL;
}

// ---- the parts

// Leaves out a piece that does not lie in the part's data.
static bool read_part(struct wfi_import *im, struct part *part, size_t begin, size_t size) {
    struct wfi_tr *t = im->state;
    const uint8_t *p = t->area->bytes + begin;
    size_t head_size = t->word == 8 ? HEAD_8 : HEAD_4, data = begin + head_size;
    uint32_t head = wfi_tr_get32(t, p), tail = wfi_tr_get32(t, p + 4);
    uint32_t room = wfi_tr_get32(t, p + 8), slack = wfi_tr_get32(t, p + 24);
    part->overwrites = wfi_tr_get32(t, p + 12) & OVERWRITES;
    part->dropped = wfi_tr_get32(t, p + 16);
    if (room > size - head_size || head > room || tail > room || slack > room) return false;
    bool wrapped = head < tail;
    if (wrapped && tail > room - slack) tail = room - slack;
    part->at[0] = data + tail;
    part->end[0] = data + (wrapped ? room - slack : head);
    part->at[1] = data;
    part->end[1] = data + (wrapped ? head : 0);
    part->clock = t->clock;
    return true;
}

// Moves to the second piece at the end of the first one. Returns null at the end.
static const uint8_t *event_of(const struct wfi_tr *t, struct part *part) {
    const uint8_t *bytes = t->area->bytes;
    for (unsigned i = 0; i < 2; ++i) {
        size_t left = part->end[0] - part->at[0];
        if (left >= WFI_TR_EVENT && left >= wfi_tr_event_size(t, bytes + part->at[0]))
            return bytes + part->at[0];
        part->at[0] = part->at[1];
        part->end[0] = part->end[1];
        part->at[1] = part->end[1];
    }
    return NULL;
}

static void skip_event(const struct wfi_tr *t, struct part *part) {
    part->at[0] += wfi_tr_event_size(t, t->area->bytes + part->at[0]);
}

// Reads the time of the next event.
static void look_ahead(const struct wfi_tr *t, struct part *part) {
    const uint8_t *p = event_of(t, part);
    if (p) part->time = wfi_tr_clock_time(&part->clock, wfi_tr_get32(t, p + 4));
}

// Gives the newest events of all parts the same turn of the timer.
static void align_turns(struct wfi_tr *t) {
    uint64_t turns[WFI_TR_CORES], most = 0;
    for (unsigned i = 0; i < t->cores; ++i) {
        struct part part = t->area->parts[i];
        for (; event_of(t, &part); skip_event(t, &part)) look_ahead(t, &part);
        turns[i] = part.clock.now / part.clock.turn;
        if (turns[i] > most) most = turns[i];
    }
    for (unsigned i = 0; i < t->cores; ++i)
        t->area->parts[i].clock.wraps = (uint32_t)(most - turns[i]);
}

static void open_parts(struct wfi_import *im) {
    struct wfi_tr *t = im->state;
    struct wfi_tr_ring *r = t->area;
    size_t share = r->size / t->cores / t->word * t->word;
    for (unsigned i = 0; i < t->cores; ++i) {
        struct part *part = &r->parts[i];
        if (read_part(im, part, i * share, share)) continue;
        im->core = i;
        wfi_import_damage(im, r->offset + i * share, share, "positions beyond the ring");
        memset(part, 0, sizeof *part);
    }
    if (t->cores > 1) align_turns(t);
    for (unsigned i = 0; i < t->cores; ++i) look_ahead(t, &r->parts[i]);
}

size_t wfi_tr_ring_fill(struct wfi_import *im, const uint8_t *bytes, size_t len) {
    struct wfi_tr *t = im->state;
    struct wfi_tr_ring *r = t->area;
    if (len > r->size - r->have) len = r->size - r->have;
    if (r->have + len > r->cap) {
        size_t cap = 2 * (r->have + len) + AREA_STEP;
        uint8_t *more = realloc(r->bytes, cap);
        if (!more) {
            wf_error_code(&im->error, WF_ERR_NOMEM);
            return len;
        }
        r->bytes = more;
        r->cap = cap;
    }
    if (len) memcpy(r->bytes + r->have, bytes, len);
    r->have += len;
    if (r->have == r->size) {
        t->phase = WFI_TR_RING;
        open_parts(im);
    }
    return len;
}

// ---- events

// The events before the oldest one of a part; 0: not known. The counter may have turned if at the
// rate of the events that are left there were many since the timer started.
static uint64_t count_overwritten(const struct wfi_tr *t, const struct part *part, unsigned count) {
    uint64_t turn = UINT64_C(1) << t->count_bits;
    size_t left = part->end[0] - part->at[0] + part->end[1] - part->at[1];
    double events = (double)left / (WFI_TR_EVENT + t->word);
    double all = (double)t->area_time, span = all - (double)part->time;
    return span > 0 && events * all / span < (double)turn / 2 ? (count - 1) & (turn - 1) : 0;
}

static void begin_part(struct wfi_import *im, struct part *part, const uint8_t *p) {
    const struct wfi_tr *t = im->state;
    unsigned count = wfi_tr_get16(t, p + 2) & ((1u << t->count_bits) - 1);
    part->begun = true;
    if (count == 1 || !part->overwrites) return;
    wfi_import_beginning(im, count_overwritten(t, part, count));
}

static void end_part(struct wfi_import *im, struct part *part) {
    if (part->dropped && !part->overwrites)
        wfi_import_loss(im, part->dropped, true, "the ring was full");
    part->dropped = 0;
}

// Returns the core whose next event is the oldest; cores: none.
static unsigned find_oldest(const struct wfi_tr *t) {
    unsigned oldest = t->cores;
    for (unsigned i = 0; i < t->cores; ++i) {
        struct part *part = &t->area->parts[i];
        if (!event_of(t, part)) continue;
        if (oldest == t->cores || part->time < t->area->parts[oldest].time) oldest = i;
    }
    return oldest;
}

static void take_event(struct wfi_import *im, struct part *part, unsigned core) {
    struct wfi_tr *t = im->state;
    const uint8_t *p = event_of(t, part);
    unsigned number = wfi_tr_get16(t, p + 2);
    im->core = core;
    im->offset = t->area->offset + part->at[0];
    bool other = t->cores > 1 && number >> 12 != core;
    if (other || (!wfi_tr_is_known(t, p) && t->all_known && wfi_tr_missing(t, p))) {
        wfi_import_damage(im, im->offset, part->end[0] - part->at[0], "no event");
        part->at[0] = part->end[0];
        look_ahead(t, part);
        return;
    }
    if (!part->begun) begin_part(im, part, p);
    t->clock = part->clock; // a tick event corrects it
    wfi_tr_take(im, p, part->time, wfi_tr_missing(t, p));
    part->clock = t->clock;
    skip_event(t, part);
    look_ahead(t, part);
}

bool wfi_tr_ring_decode(struct wfi_import *im) {
    const struct wfi_tr *t = im->state;
    while (!wfi_import_is_full(im)) {
        unsigned core = find_oldest(t);
        if (core == t->cores) break;
        take_event(im, &t->area->parts[core], core);
    }
    if (wfi_import_is_full(im)) return true;
    for (im->core = 0; im->core < t->cores; ++im->core) end_part(im, &t->area->parts[im->core]);
    im->core = 0;
    return false;
}
