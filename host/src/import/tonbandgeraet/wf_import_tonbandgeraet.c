// SPDX-License-Identifier: MIT
// Streams of Tonbandgeraet: frames to events, losses.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_tonband.h"

static const char *const lacks[] = {"waits for notifications, event groups and stream buffers",
                                    "the sizes of queues",
                                    "the end of a wait by a timeout",
                                    "nested takes of recursive mutexes",
                                    "interrupts that are not marked by the application",
                                    NULL};

// ---- entities

static uint64_t key_of(enum wfi_tonband_kind kind, uint64_t id, uint64_t task) {
    // The tasks of markers have 24 bits here; those of different tasks beyond that are one.
    return wfi_tonband_key(kind, id) | (task & 0xFFFFFF) << 40;
}

struct wfi_tonband_entity *wfi_tonband_entity(struct wfi_import *im, enum wfi_tonband_kind kind,
                                              uint64_t id, uint64_t task) {
    struct wfi_tonband *t = im->state;
    uint64_t key = key_of(kind, id, task), hash = wfi_hash(key, 0, &t->index);
    size_t step = 0, n = t->entity_count;
    for (uint32_t i; (i = wfi_index_next(&t->index, hash, &step)) != 0;) {
        if (t->entities[i - 1].key == key) return &t->entities[i - 1];
    }
    if (n == TBI_ENTITIES_MAX) return NULL;
    if (!WFI_GROW(t->entities, &t->entity_cap, n + 1) ||
        !wfi_index_add(&t->index, hash, (uint32_t)n + 1)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return NULL;
    }
    ++t->entity_count;
    t->entities[n] = (struct wfi_tonband_entity){.key = key, .prio = -1, .kind = -1};
    return &t->entities[n];
}

// ---- events of the stream

static void take_core(struct wfi_import *im, const struct wfi_tonband_event *e) {
    struct wfi_tonband *t = im->state;
    if (e->value[0] >= WFI_IMPORT_CORES) {
        wfi_import_damage(im, im->offset, 0, "a core beyond number 63");
        return;
    }
    im->core = (unsigned)e->value[0];
    if (im->core < t->cores) return;
    t->cores = im->core + 1;
    wfi_import_target(im, t->hz, 4, t->cores);
}

static void take_resolution(struct wfi_import *im, uint64_t ns) {
    struct wfi_tonband *t = im->state;
    const uint64_t second = 1000000000;
    if (!ns || ns > second) return;
    t->hz = (second + ns / 2) / ns;
    wfi_import_target(im, t->hz, 4, t->cores);
}

// The count is that of all events dropped since the target's start. A stream that is joined later
// begins with the count so far.
static void take_drops(struct wfi_import *im, uint64_t count) {
    struct wfi_tonband *t = im->state;
    uint64_t before = count < t->drops ? 0 : t->drops; // less: the target has started again
    if (t->drops_known && count != t->drops) {
        wfi_import_loss(im, count - before, true, "the target had no room");
        memset(t->leave, 0, sizeof t->leave);
    }
    t->drops = count;
    t->drops_known = true;
}

static void take_event(struct wfi_import *im, const struct wfi_tonband_event *e) {
    struct wfi_tonband *t = im->state;
    // The start of a stream: nothing has been dropped.
    if (!t->begun && (e->id == TBI_CORE_ID || e->id == TBI_RESOLUTION)) t->drops_known = true;
    t->begun = true;
    if (e->timed) im->tick = e->tick;
    switch (e->id) {
    case TBI_CORE_ID: take_core(im, e); break;
    case TBI_DROPPED: take_drops(im, e->value[0]); break;
    case TBI_RESOLUTION: take_resolution(im, e->value[0]); break;
    default: wfi_tonband_take(im, e);
    }
}

// ---- frames

static const char too_long[] = "a frame that is too long";

static void take_damage(struct wfi_import *im, uint64_t offset, uint64_t len, const char *why) {
    struct wfi_tonband *t = im->state;
    im->offset = offset;
    wfi_import_damage(im, offset, len, why);
    memset(t->leave, 0, sizeof t->leave);
    t->begun = true; // what was dropped before is not known if the first frame is damaged
}

static void take_frame(struct wfi_import *im, const uint8_t *bytes, size_t len) {
    struct wfi_tonband *t = im->state;
    struct wfi_tonband_event e;
    size_t left, n = wfi_tonband_cobs(bytes, len, t->frame);
    if (len > TBI_FRAME_MAX)
        take_damage(im, im->offset, len + 1, too_long);
    else if (!n || !wfi_tonband_read(t->frame, n, &e, &left))
        take_damage(im, im->offset, len + 1, n ? "an event without its fields" : "a damaged frame");
    else
        take_event(im, &e);
}

// Bytes of a frame that is too long, up to its end.
static size_t skip(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_tonband *t = im->state;
    const uint8_t *end = memchr(bytes, 0, len);
    size_t n = end ? (size_t)(end - bytes) + 1 : len;
    t->skipped += n;
    if (!end && !last) return n;
    t->skips = false;
    take_damage(im, t->skipped_at, t->skipped, too_long);
    return n;
}

static size_t decode_stream(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_tonband *t = im->state;
    size_t at = 0;
    if (t->skips) at = skip(im, bytes, len, last);
    while (at < len && !wfi_import_is_full(im)) {
        const uint8_t *end = memchr(bytes + at, 0, len - at);
        size_t n = end ? (size_t)(end - bytes) - at : len - at;
        im->offset = im->at + at;
        if (end) {
            if (n) take_frame(im, bytes + at, n);
            at += n + 1;
        } else if (n > TBI_FRAME_MAX) {
            t->skips = true;
            t->skipped_at = im->offset;
            t->skipped = 0;
            return at + skip(im, bytes + at, n, last);
        } else {
            break;
        }
    }
    return at;
}

static int open_stream(struct wfi_import *im) {
    struct wfi_tonband *t = im->state;
    t->cores = 1;
    wfi_import_target(im, 0, 4, 1);
    return WF_OK;
}

static void close_stream(struct wfi_import *im) {
    struct wfi_tonband *t = im->state;
    for (size_t i = 0; i < t->entity_count; ++i) free(t->entities[i].name);
    wfi_index_close(&t->index);
    free(t->entities);
}

const struct wfi_import_format wfi_import_tonbandgeraet = {
    .name = "Tonbandgeraet",
    .sniff = wfi_tonband_sniff,
    .size = sizeof(struct wfi_tonband),
    .open = open_stream,
    .decode = decode_stream,
    .close = close_stream,
    .lacks = lacks,
};
