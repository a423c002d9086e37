// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "wfb_intake.h"

static uint64_t hash_of(const char *device, uint64_t stream) {
    uint64_t h = stream * UINT64_C(0x9E3779B97F4A7C15);
    for (; *device; ++device) h = (h ^ (uint8_t)*device) * UINT64_C(0x100000001B3);
    return h ^ h >> 29;
}

static void put_index(struct wfb_streams *s, size_t place) {
    size_t slot = hash_of(s->list[place].device, s->list[place].stream) & (s->slots - 1);
    while (s->index[slot]) slot = (slot + 1) & (s->slots - 1);
    s->index[slot] = (uint32_t)place + 1;
}

// Makes the index anew, with room for `count` streams. Returns false when out of memory: nothing is
// changed.
static bool make_index(struct wfb_streams *s, size_t count) {
    size_t slots = 64;
    while (slots < 2 * count) slots *= 2;
    uint32_t *index = calloc(slots, sizeof *index);
    if (!index) return false;
    free(s->index);
    s->index = index;
    s->slots = slots;
    for (size_t i = 0; i < s->count; ++i) put_index(s, i);
    return true;
}

struct wfb_stream *wfb_streams_find(const struct wfb_streams *s, const char *device,
                                    uint64_t stream) {
    if (!s->slots) return NULL;
    size_t slot = hash_of(device, stream) & (s->slots - 1);
    for (; s->index[slot]; slot = (slot + 1) & (s->slots - 1)) {
        struct wfb_stream *is = &s->list[s->index[slot] - 1];
        if (is->stream == stream && strcmp(is->device, device) == 0) return is;
    }
    return NULL;
}

static bool make_room(struct wfb_streams *s) {
    if (s->count == s->cap) {
        const size_t cap = 2 * s->cap + 64;
        struct wfb_stream *more = realloc(s->list, cap * sizeof *more);
        if (!more) return false;
        s->list = more;
        s->cap = cap;
    }
    return s->slots >= 2 * (s->count + 1) || make_index(s, 2 * (s->count + 1));
}

struct wfb_stream *wfb_streams_get(struct wfb_streams *s, const char *device, uint64_t stream) {
    struct wfb_stream *found = wfb_streams_find(s, device, stream);
    if (found) return found;
    if (!make_room(s)) return NULL;
    found = &s->list[s->count];
    *found = (struct wfb_stream){.stream = stream};
    strncpy(found->device, device, WF_FLEET_DEVICE_MAX);
    put_index(s, s->count++);
    return found;
}

void wfb_streams_forget(struct wfb_streams *s, uint64_t before_s) {
    size_t left = 0;
    for (size_t i = 0; i < s->count; ++i)
        if (s->list[i].seen_s >= before_s || s->list[i].touched) s->list[left++] = s->list[i];
    if (left == s->count) return;
    s->count = left;
    memset(s->index, 0, s->slots * sizeof *s->index);
    for (size_t i = 0; i < left; ++i) put_index(s, i);
}

void wfb_streams_close(struct wfb_streams *s) {
    free(s->list);
    free(s->index);
    *s = (struct wfb_streams){0};
}
