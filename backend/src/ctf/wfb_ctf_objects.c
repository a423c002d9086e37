// SPDX-License-Identifier: MIT
// Numbers of objects by their addresses.

#include <stdlib.h>

#include "wfb_ctf.h"

enum { FIRST = 64 };

static size_t hash_object(bt_const object) {
    uint64_t h = (uint64_t)(uintptr_t)object * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(h >> 32);
}

static struct wfb_object *find_slot(const struct wfb_objects *o, bt_const object) {
    size_t at = hash_object(object) & o->mask;
    while (o->slots[at].object && o->slots[at].object != object) at = (at + 1) & o->mask;
    return &o->slots[at];
}

static bool grow(struct wfb_objects *o) {
    size_t count = o->slots ? o->mask + 1 : 0, cap = count ? 2 * count : FIRST;
    struct wfb_objects more = {calloc(cap, sizeof *more.slots), cap - 1, o->used};
    if (!more.slots) return false;
    for (size_t i = 0; i < count; ++i) {
        if (o->slots[i].object) *find_slot(&more, o->slots[i].object) = o->slots[i];
    }
    free(o->slots);
    *o = more;
    return true;
}

uint32_t wfb_object_number(struct wfb_objects *o, bt_const object, bool *fresh) {
    if (2 * o->used >= o->mask && !grow(o)) return UINT32_MAX;
    struct wfb_object *slot = find_slot(o, object);
    *fresh = slot->object == NULL;
    if (*fresh) *slot = (struct wfb_object){object, (uint32_t)o->used++};
    return slot->number;
}
