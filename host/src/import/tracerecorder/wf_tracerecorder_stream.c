// SPDX-License-Identifier: MIT
// A stream, or an image of memory with a ring: bytes before the header are skipped. An event has
// no checksum: its counter shows that it follows the one before. If it does not, the events after
// it decide whether events are missing or bytes are damaged.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_image.h"
#include "wfi_tracerecorder.h"

enum {
    START = 12, // bytes of a ring's marker, and those that show a header
    FOLLOW = 3, // events that must follow one of which it is doubtful that it is one
    SNIFF = 16, // events in a row that show a stream without a header
    EVENT_MAX = WFI_TR_EVENT + 8 * WFI_TR_WORDS,
    LOOK = (FOLLOW + 1) * EVENT_MAX // bytes that decide
};

static const uint8_t ring_start[START] = {0x05, 0x06, 0x07, 0x08, 0x75, 0x76,
                                          0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8};
static const uint8_t old_start[START] = {0x01, 0x02, 0x03, 0x04, 0x71, 0x72,
                                         0x73, 0x74, 0xF1, 0xF2, 0xF3, 0xF4};

static const char *const lacks[] = {"numbers of interrupts",
                                    "whether a task was preempted or gave way",
                                    "losses at the end of a recording", NULL};

// ---- detection

// Returns the number of events in a row from p on whose counters follow each other.
static unsigned count_row(const struct wfi_tr *t, const uint8_t *p, size_t len) {
    unsigned n = 0, count = 0;
    for (; len >= WFI_TR_EVENT && n < SNIFF; ++n) {
        size_t size = wfi_tr_event_size(t, p);
        if (!(wfi_tr_get16(t, p) & 0xFFF)) break;
        if (n && (uint16_t)(wfi_tr_get16(t, p + 2) - count) != 1) break;
        count = wfi_tr_get16(t, p + 2);
        if (len < size) break;
        p += size;
        len -= size;
    }
    return n;
}

// Returns true if the bytes are events from the middle of a stream.
static bool is_middle(const uint8_t *bytes, size_t len) {
    for (unsigned i = 0; i < 4; ++i) {
        const struct wfi_tr t = {.big = i & 1, .word = i & 2 ? 8 : 4};
        for (size_t at = 0; at < EVENT_MAX && at < len; ++at) {
            if (count_row(&t, bytes + at, len - at) == SNIFF) return true;
        }
    }
    return false;
}

static bool is_start(const uint8_t *p) {
    return wfi_tr_is_head(p) || memcmp(p, ring_start, START) == 0 ||
           memcmp(p, old_start, START) == 0;
}

static enum wfi_sniff sniff(const uint8_t *bytes, size_t len, bool whole) {
    static const uint8_t little[] = {0x00, 0x46, 0x53, 0x50}, big[] = {0x50, 0x53, 0x46, 0x00};
    const enum wfi_sniff prefix = whole ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
    size_t n = len < 4 ? len : 4;
    if (memcmp(bytes, little, n) == 0 || memcmp(bytes, big, n) == 0)
        return n == 4 ? WFI_SNIFF_YES : prefix;
    for (size_t at = 0; at + START <= len; ++at) {
        if (is_start(bytes + at)) return WFI_SNIFF_YES;
    }
    n = len < START ? len : START;
    if (memcmp(bytes, ring_start, n) == 0 || memcmp(bytes, old_start, n) == 0) return prefix;
    if (!is_middle(bytes, len)) return WFI_SNIFF_NO;
    return whole ? WFI_SNIFF_YES : WFI_SNIFF_PERHAPS;
}

// In an image the marker is also in the program that copies it: the header must follow it.
static bool find(const struct wfi_image *image, size_t from, struct wfi_import_found *found) {
    const char *marker = (const char *)ring_start;
    for (size_t at = from; (at = wfi_image_search(image, at, marker, START)) != SIZE_MAX; ++at) {
        const uint8_t *bytes = image->bytes + at;
        uint64_t room = wfi_image_room(image, at);
        if (room < 2 * START || !wfi_tr_is_head(bytes + START)) continue;
        *found = (struct wfi_import_found){.at = at, .data = bytes, .len = (size_t)room};
        found->has_address = wfi_image_address(image, at, &found->address);
        return true;
    }
    return false;
}

// Begins to look for events.
static void lose(struct wfi_import *im) {
    struct wfi_tr *t = im->state;
    t->phase = WFI_TR_LOST;
    t->bad_at = im->offset;
    t->bad = 0;
}

// ---- the beginning

static void fail_without_head(struct wfi_import *im) {
    wfi_import_fail(im, 0,
                    "no header (00 46 53 50): begin the capture before the target starts tracing, "
                    "or start tracing again");
}

static size_t seek(struct wfi_import *im, const uint8_t *p, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    size_t at = 0;
    for (; len - at >= START; ++at) {
        im->offset = im->at + at;
        bool first = im->at + at == 0; // an unknown platform or a damaged version is reported
        bool magic = first && (memcmp(p, "\0FSP", 4) == 0 || memcmp(p, "PSF\0", 4) == 0);
        if (memcmp(p + at, old_start, START) == 0) {
            wfi_import_fail(im, im->offset,
                            "a snapshot of TraceRecorder 3: use the ring buffer of 4.6 or later");
            return len;
        }
        if (memcmp(p + at, ring_start, START) == 0) {
            t->phase = WFI_TR_HEAD;
            t->ring = true;
            return at + START;
        }
        if (magic || wfi_tr_is_head(p + at)) {
            if (t->skipped + at) wfi_import_beginning(im, 0);
            t->phase = WFI_TR_HEAD;
            return at;
        }
    }
    if (last) {
        if (!t->headed) fail_without_head(im);
        at = len;
    }
    t->skipped += at;
    return at;
}

static size_t read_head(struct wfi_import *im, const uint8_t *p, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    size_t size = len < START ? START : wfi_tr_head_size(p);
    if (t->ring && len >= START && !wfi_tr_is_head(p)) { // the bytes of the marker by chance
        t->ring = false;
        t->phase = WFI_TR_SEEK;
        return 1;
    }
    if (len < size) {
        if (last)
            wfi_import_fail(im, im->at + len, "the header has %zu bytes, the file ends", size);
        return last ? len : 0;
    }
    if (!wfi_tr_read_head(im, p)) return len;
    t->phase = WFI_TR_ENTRY;
    return size;
}

static size_t read_entries(struct wfi_import *im, const uint8_t *p, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    size_t size = wfi_tr_entry_size(t), at = 0;
    uint64_t begin = im->offset;
    for (; t->entries && len - at >= size && !wfi_import_is_full(im); at += size) {
        im->offset = begin + at;
        wfi_tr_read_entry(im, p + at);
        --t->entries;
    }
    if (!t->entries) t->phase = t->ring ? WFI_TR_SIZE : WFI_TR_EVENTS;
    if (t->entries && last && !at && t->again)
        lose(im);
    else if (t->entries && last && !at)
        wfi_import_fail(im, im->at + len, "the file ends in the table of entries");
    return at;
}

// ---- events

enum verdict { BAD, GOOD, MORE };

// Returns true for a header like the one before: the recorder was started again.
static bool is_head_again(const struct wfi_tr *t, const uint8_t *p, size_t len) {
    return len >= START && wfi_tr_is_head(p) && len >= wfi_tr_head_size(p) &&
           wfi_tr_repeats_head(t, p);
}

// Checks that events follow each other from p on. least: number of events that are enough at the
// end of the input. sure: the first one is, by its counter.
static enum verdict check_row(const struct wfi_tr *t, const uint8_t *p, size_t len, bool last,
                              unsigned least, bool sure) {
    int32_t count[WFI_TR_CORES];
    uint32_t stamp = 0;
    unsigned most = (1u << t->count_bits) / 16; // events that may be missing in between
    memset(count, 0xFF, sizeof count);
    for (unsigned n = 0;; ++n) {
        if (n > FOLLOW) return GOOD;
        if (n && len >= START && wfi_tr_is_head(p)) return GOOD;
        if (len < WFI_TR_EVENT) return !last ? MORE : n >= least ? GOOD : BAD;
        bool known = wfi_tr_is_known(t, p);
        unsigned number = wfi_tr_get16(t, p + 2), core = t->cores > 1 ? number >> 12 : 0;
        if (core >= t->cores || !(wfi_tr_get16(t, p) & 0xFFF)) return BAD;
        if (!known && t->all_known && (n || !sure)) return BAD;
        uint32_t at = wfi_tr_get32(t, p + 4);
        unsigned missing = count[core] < 0
                               ? 1
                               : (number - (unsigned)count[core] - 1) & ((1u << t->count_bits) - 1);
        if (count[core] >= 0 && missing > (known ? most : 0)) return BAD;
        if (n && missing && !wfi_tr_clock_follows(&t->clock, stamp, at)) return BAD;
        size_t size = wfi_tr_event_size(t, p);
        if (len < size) return !last ? MORE : n >= least ? GOOD : BAD;
        count[core] = (int32_t)(number & ((1u << t->count_bits) - 1));
        stamp = at;
        p += size;
        len -= size;
    }
}

static void note_damage(struct wfi_import *im) {
    struct wfi_tr *t = im->state;
    if (t->bad) wfi_import_damage(im, t->bad_at, t->bad, "no event, or not the one that follows");
    t->bad = 0;
}

// Looks for a header or for events that follow each other.
static size_t find_events(struct wfi_import *im, const uint8_t *p, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    for (size_t at = 0;; ++at, ++t->bad) {
        if (len - at < LOOK && !last) return at;
        im->offset = im->at + at;
        bool head = is_head_again(t, p + at, len - at);
        if (!head && at < len && check_row(t, p + at, len - at, last, 2, false) != GOOD) continue;
        note_damage(im);
        t->phase = head ? WFI_TR_HEAD : WFI_TR_EVENTS;
        return at;
    }
}

// Returns true if the event at p is the next one. Else `phase` is another one, or more bytes are
// needed.
static bool is_next(struct wfi_import *im, const uint8_t *p, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    if (wfi_tr_get32(t, p) == 0x50534600) {
        if (len < WFI_TR_HEAD_8 && !last) return false;
        if (is_head_again(t, p, len)) {
            t->phase = WFI_TR_HEAD;
            return false;
        }
    }
    bool follows = !t->first && wfi_tr_missing(t, p) == 0;
    switch (check_row(t, p, len, last, 1, follows)) {
    case GOOD: return true;
    case MORE: return false;
    default: lose(im); return false;
    }
}

static size_t take_events(struct wfi_import *im, const uint8_t *p, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    size_t at = 0;
    uint64_t begin = im->at;
    while (len - at >= WFI_TR_EVENT && !wfi_import_is_full(im)) {
        const uint8_t *event = p + at;
        im->offset = begin + at;
        unsigned missing = wfi_tr_missing(t, event);
        bool sure = !missing && !t->first && wfi_tr_is_known(t, event);
        if (!sure && !is_next(im, event, len - at, last)) break;
        size_t size = wfi_tr_event_size(t, event);
        if (len - at < size) break;
        wfi_tr_take(im, event, wfi_tr_clock_time(&t->clock, wfi_tr_get32(t, event + 4)), missing);
        at += size;
    }
    return at;
}

// ---- the ring

static size_t read_size(struct wfi_import *im, const uint8_t *p, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    if (len < t->word) {
        if (last) wfi_import_fail(im, im->at + len, "the file ends before the ring");
        return last ? len : 0;
    }
    if (!wfi_tr_ring_open(im, wfi_tr_get(t, p))) return len;
    t->phase = WFI_TR_AREA;
    return t->word;
}

// ---- the format

static size_t step(struct wfi_import *im, const uint8_t *p, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    size_t used;
    switch (t->phase) {
    case WFI_TR_SEEK: return seek(im, p, len, last);
    case WFI_TR_HEAD: return read_head(im, p, len, last);
    case WFI_TR_ENTRY: return read_entries(im, p, len, last);
    case WFI_TR_EVENTS: return take_events(im, p, len, last);
    case WFI_TR_LOST: return find_events(im, p, len, last);
    case WFI_TR_SIZE: return read_size(im, p, len, last);
    case WFI_TR_AREA:
        used = wfi_tr_ring_fill(im, p, len);
        if (last && t->phase == WFI_TR_AREA && used == len)
            wfi_import_fail(im, im->at + len, "the file ends in the ring");
        return used;
    case WFI_TR_RING:
        if (!wfi_tr_ring_decode(im)) t->phase = WFI_TR_DONE;
        return 0;
    default: return len; // the rest of an image
    }
}

static size_t decode(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_tr *t = im->state;
    uint64_t begin = im->at;
    size_t at = 0;
    while (!wfi_import_is_full(im)) {
        enum wfi_tr_phase phase = t->phase;
        im->at = begin + at; // where the step's bytes begin
        im->offset = im->at;
        size_t used = step(im, bytes + at, len - at, last);
        at += used;
        if (!used && t->phase == phase) break;
    }
    im->at = begin;
    return at;
}

static void close(struct wfi_import *im) {
    wfi_tr_ring_close(im->state);
    wfi_tr_close_handles(im->state);
}

const struct wfi_import_format wfi_import_tracerecorder = {
    .name = "TraceRecorder",
    .sniff = sniff,
    .find = find,
    .size = sizeof(struct wfi_tr),
    .decode = decode,
    .close = close,
    .lacks = lacks,
};
