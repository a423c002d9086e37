// SPDX-License-Identifier: MIT
// Frames of Tonbandgeraet, and their detection. Nothing in a stream identifies it: it is detected
// only if all its first frames are events with exactly their fields, whose times do not go back.

#include <string.h>

#include "util/wfi_cursor.h"
#include "wfi_tonband.h"

enum {
    FRAMES_MIN = 8, // good frames that identify a stream
    TIMED_MIN = 4,  // of them with a time
    SNIFF_FRAME_MAX = 128,
    SNIFF_MAX = 4096
};

// t time; u 32 bits, v 64 bits, s signed, k one byte; x text up to the end of the frame.
static const char *layout_of(unsigned id) {
    static const char *const base[] = {"tu", "tu",  "v",   "ux", "tu", "tu",
                                       "ux", "tux", "tux", "tu", "ux", "tus"};
    static const char *const tasks[] = {"tu",  "tu",  "tu",  "tu",  "tu",  "tu",  "tu",  "tuu",
                                        "tuu", "tuu", "tu",  "ux",  "uu",  "u",   "tu",  "tu",
                                        "ux",  "uk",  "tuu", "tuu", "tuu", "tuu", "tuu", "tuu",
                                        "tu",  "tuu", "tuu", "tuu", "tuu"};
    static const char *const local[] = {"uux", "tux", "tux", "tu", "uux", "tus"};
    if (id <= TBI_VALUE) return base[id];
    if (id >= TBI_SWITCHED_IN && id <= TBI_QUEUE_LENGTH) return tasks[id - TBI_SWITCHED_IN];
    if (id >= TBI_TASK_MARKER_NAME && id <= TBI_TASK_VALUE) return local[id - TBI_TASK_MARKER_NAME];
    return NULL;
}

// The magnitude above a sign bit; 1 alone is the smallest number.
static uint64_t signed_of(uint64_t v) {
    if (v == 1) return UINT64_C(1) << 63;
    return v & 1 ? 0 - (v >> 1) : v >> 1;
}

static uint64_t take_field(struct wfi_cursor *c, char type) {
    switch (type) {
    case 'u': return wfi_take_upto(c, UINT32_MAX);
    case 's': return signed_of(wfi_take_varint(c));
    case 'k': {
        const uint8_t *p = wfi_take_bytes(c, 1);
        return c->bad ? 0 : *p;
    }
    default: return wfi_take_varint(c);
    }
}

bool wfi_tonband_read(const uint8_t *frame, size_t len, struct wfi_tonband_event *e, size_t *left) {
    struct wfi_cursor c = {frame + 1, frame + len, len == 0};
    memset(e, 0, sizeof *e);
    if (c.bad) return false;
    e->id = frame[0];
    e->layout = layout_of(e->id);
    for (const char *type = e->layout; type && *type && !c.bad; ++type) {
        if (*type == 'x') {
            e->text = (const char *)c.p;
            e->len = (size_t)(c.end - c.p);
            c.p = c.end;
        } else if (*type == 't') {
            e->timed = true;
            e->tick = take_field(&c, *type);
        } else {
            e->value[e->values++] = take_field(&c, *type);
        }
    }
    *left = (size_t)(c.end - c.p);
    return !c.bad;
}

size_t wfi_tonband_cobs(const uint8_t *bytes, size_t len, uint8_t *frame) {
    size_t n = 0;
    if (len > TBI_FRAME_MAX) return 0;
    for (size_t at = 0; at < len;) {
        unsigned code = bytes[at];
        if (code > len - at) return 0;
        memcpy(frame + n, bytes + at + 1, code - 1);
        n += code - 1;
        at += code;
        if (code < 0xFF && at < len) frame[n++] = 0;
    }
    return n;
}

// ---- detection

static bool is_text(const char *text, size_t len) {
    for (size_t i = 0; i < len; ++i) {
        uint8_t c = (uint8_t)text[i];
        if (c < ' ' || c == 0x7F) return false;
    }
    return true;
}

static bool is_event(const uint8_t *bytes, size_t len, struct wfi_tonband_event *e) {
    uint8_t frame[SNIFF_FRAME_MAX];
    size_t left, n = len < sizeof frame ? wfi_tonband_cobs(bytes, len, frame) : 0;
    if (!n || !wfi_tonband_read(frame, n, e, &left) || !e->layout || left) return false;
    if (e->id == TBI_CORE_ID && e->value[0] >= WFI_IMPORT_CORES) return false;
    if (e->id == TBI_QUEUE_KIND && e->value[1] > 5) return false;
    bool name = e->text && !e->timed;
    return !e->text || (is_text(e->text, e->len) && (e->len || !name));
}

enum wfi_sniff wfi_tonband_sniff(const uint8_t *bytes, size_t len, bool whole) {
    unsigned frames = 0, timed = 0;
    bool partial = false; // the input may begin inside a frame
    uint64_t tick = 0;
    size_t at = 0, all = len < SNIFF_MAX ? len : SNIFF_MAX;
    while (at < all && frames < 3 * FRAMES_MIN) {
        struct wfi_tonband_event e;
        const uint8_t *end = memchr(bytes + at, 0, all - at);
        size_t n = end ? (size_t)(end - bytes) - at : all - at;
        if (!end && n >= SNIFF_FRAME_MAX) return WFI_SNIFF_NO;
        if (!end) break;
        bool good = is_event(bytes + at, n, &e) && (!e.timed || e.tick >= tick);
        if (!good && at) return WFI_SNIFF_NO;
        partial |= !good;
        if (good && e.timed) tick = e.tick;
        frames += good;
        timed += good && e.timed;
        at += n + 1;
    }
    // A first frame that is no event makes it less certain.
    unsigned wanted = partial ? 3 * FRAMES_MIN : FRAMES_MIN;
    if (frames >= wanted && timed >= TIMED_MIN) return WFI_SNIFF_YES;
    return whole || len >= SNIFF_MAX ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
}
