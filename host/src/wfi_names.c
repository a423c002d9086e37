// SPDX-License-Identifier: MIT
// Keys are found through an open-addressed hash of indices; signals, whose search has wildcards
// and QSPY's exact order of trying, through a sorted array behind a small cache.

#include "wfi_names.h"

#include <stdlib.h>
#include <string.h>

static size_t hash(uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return (size_t)(key >> 32 ^ key >> 52);
}

void wfi_names_open(struct wfi_names *n, bool qspy) {
    memset(n, 0, sizeof *n);
    n->stamp = 1;
    if (!qspy) return;
    n->objects.limit = 255;
    n->functions.limit = 511;
    n->users.limit = 58;
    n->signals.limit = 511;
    n->objects.name_max = n->functions.name_max = n->users.name_max = n->signals.name_max = 63;
    for (int i = 0; i < WFI_ENUM_GROUPS; ++i) {
        n->enums[i].limit = 255;
        n->enums[i].name_max = 63;
    }
}

void wfi_dict_clear(struct wfi_dict *d) {
    for (size_t i = 0; i < d->count; ++i) free(d->names[i].text);
    d->count = 0;
    if (d->slots) memset(d->slots, 0, (d->slot_mask + 1) * sizeof *d->slots);
}

void wfi_dict_free(struct wfi_dict *d) {
    wfi_dict_clear(d);
    free(d->names);
    free(d->slots);
    memset(d, 0, sizeof *d);
}

void wfi_names_clear(struct wfi_names *n) {
    wfi_dict_clear(&n->objects);
    wfi_dict_clear(&n->functions);
    wfi_dict_clear(&n->users);
    wfi_dict_clear(&n->signals);
    ++n->stamp;
}

void wfi_names_close(struct wfi_names *n) {
    wfi_dict_free(&n->objects);
    wfi_dict_free(&n->functions);
    wfi_dict_free(&n->users);
    wfi_dict_free(&n->signals);
    for (int i = 0; i < WFI_ENUM_GROUPS; ++i) wfi_dict_free(&n->enums[i]);
}

static char *copy(const char *text, size_t *len, size_t max) {
    if (max && *len > max) *len = max;
    char *to = calloc(1, *len < WFI_NAME_PAD ? WFI_NAME_PAD : *len + 1);
    if (to) memcpy(to, text, *len);
    return to;
}

static bool set_text(struct wfi_name *name, const char *text, size_t len, size_t max) {
    char *to = copy(text, &len, max);
    if (!to) return false;
    free(name->text);
    name->text = to;
    name->len = len;
    name->retired = false;
    return true;
}

static bool grow(struct wfi_dict *d) {
    if (d->count < d->cap) return true;
    size_t cap = d->cap ? d->cap * 2 : 64;
    struct wfi_name *names = realloc(d->names, cap * sizeof *names);
    if (!names) return false;
    d->names = names;
    d->cap = cap;
    return true;
}

// The slot that holds the key, or the empty one where it belongs.
static uint32_t *slot_of(const struct wfi_dict *d, uint64_t key) {
    for (size_t i = hash(key) & d->slot_mask;; i = (i + 1) & d->slot_mask) {
        uint32_t *slot = &d->slots[i];
        if (*slot == 0 || d->names[*slot - 1].key == key) return slot;
    }
}

static bool grow_slots(struct wfi_dict *d) {
    if (d->slots && d->count * 2 <= d->slot_mask) return true;
    size_t cap = d->slots ? (d->slot_mask + 1) * 2 : 128;
    uint32_t *slots = calloc(cap, sizeof *slots);
    if (!slots) return false;
    free(d->slots);
    d->slots = slots;
    d->slot_mask = cap - 1;
    for (size_t i = 0; i < d->count; ++i) *slot_of(d, d->names[i].key) = (uint32_t)i + 1;
    return true;
}

const struct wfi_name *wfi_dict_get(const struct wfi_dict *d, uint64_t key) {
    if (!d->count) return NULL;
    uint32_t at = *slot_of(d, key);
    return at ? &d->names[at - 1] : NULL;
}

bool wfi_dict_put(struct wfi_dict *d, uint64_t key, const char *text, size_t len) {
    struct wfi_name *have = d->count ? (struct wfi_name *)(uintptr_t)wfi_dict_get(d, key) : NULL;
    if (have) return set_text(have, text, len, d->name_max);
    if (d->limit && d->count >= d->limit) return true;
    if (!grow(d) || !grow_slots(d)) return false;
    struct wfi_name name = {.key = key};
    if (!set_text(&name, text, len, d->name_max)) return false;
    d->names[d->count] = name;
    *slot_of(d, key) = (uint32_t)++d->count;
    return true;
}

void wfi_dict_retire(struct wfi_dict *d, uint64_t key) {
    uint32_t at = d->count ? *slot_of(d, key) : 0;
    if (at) d->names[at - 1].retired = true;
}

// Closes the gap that an empty slot makes among those that were put behind their place.
static void close_gap(struct wfi_dict *d, size_t gap) {
    d->slots[gap] = 0;
    for (size_t i = (gap + 1) & d->slot_mask; d->slots[i]; i = (i + 1) & d->slot_mask) {
        uint32_t at = d->slots[i];
        d->slots[i] = 0;
        *slot_of(d, d->names[at - 1].key) = at;
    }
}

void wfi_dict_renew(struct wfi_dict *d, uint64_t key) {
    uint32_t *slot = d->count ? slot_of(d, key) : NULL;
    if (!slot || !*slot || !d->names[*slot - 1].retired) return;
    size_t at = *slot - 1;
    free(d->names[at].text);
    close_gap(d, (size_t)(slot - d->slots));
    if (at == --d->count) return;
    const struct wfi_name *last = &d->names[d->count]; // takes its place
    *slot_of(d, last->key) = (uint32_t)at + 1;
    d->names[at] = *last;
}

// First entry whose signal is greater: new entries of one signal stay in order of arrival.
static size_t after(const struct wfi_dict *d, uint64_t sig) {
    size_t low = 0, high = d->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (d->names[mid].key <= sig)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool wfi_signal_put(struct wfi_names *n, uint64_t sig, uint64_t obj, const char *text, size_t len) {
    struct wfi_dict *d = &n->signals;
    ++n->stamp;
    size_t at = after(d, sig);
    for (size_t i = at; i > 0 && d->names[i - 1].key == sig; --i) {
        if (d->names[i - 1].obj == obj) return set_text(&d->names[i - 1], text, len, d->name_max);
    }
    if (d->limit && d->count >= d->limit) return true;
    if (!grow(d)) return false;
    struct wfi_name name = {.key = sig, .obj = obj};
    if (!set_text(&name, text, len, d->name_max)) return false;
    memmove(&d->names[at + 1], &d->names[at], (d->count - at) * sizeof *d->names);
    d->names[at] = name;
    ++d->count;
    return true;
}

// QSPY's search (wire reference section 5): meet any entry of the signal by halving, then try the
// neighbours downwards, then upwards; an object of 0 on either side matches. Returns index + 1.
static uint32_t search(const struct wfi_dict *d, uint64_t sig, uint64_t obj) {
    size_t low = 0, high = d->count, mid = 0;
    while (low < high) {
        mid = (low + high) / 2;
        if (d->names[mid].key == sig) break;
        if (d->names[mid].key < sig)
            low = mid + 1;
        else
            high = mid;
    }
    if (low >= high) return 0;
    if (obj == 0) return (uint32_t)mid + 1;
    for (size_t i = mid + 1; i > 0 && d->names[i - 1].key == sig; --i) {
        if (d->names[i - 1].obj == 0 || d->names[i - 1].obj == obj) return (uint32_t)i;
    }
    for (size_t i = mid + 1; i < d->count && d->names[i].key == sig; ++i) {
        if (d->names[i].obj == 0 || d->names[i].obj == obj) return (uint32_t)i + 1;
    }
    return 0;
}

const struct wfi_name *wfi_signal_get(struct wfi_names *n, uint64_t sig, uint64_t obj) {
    size_t at = hash(sig * 31 + obj) % WFI_SIG_CACHE;
    if (n->cache[at].stamp != n->stamp || n->cache[at].sig != sig || n->cache[at].obj != obj) {
        n->cache[at].sig = sig;
        n->cache[at].obj = obj;
        n->cache[at].stamp = n->stamp;
        n->cache[at].at = search(&n->signals, sig, obj);
    }
    uint32_t found = n->cache[at].at;
    return found ? &n->signals.names[found - 1] : NULL;
}

static int by_key(const void *a, const void *b) {
    const struct wfi_name *x = *(const struct wfi_name *const *)a;
    const struct wfi_name *y = *(const struct wfi_name *const *)b;
    return (x->key > y->key) - (x->key < y->key);
}

const struct wfi_name **wfi_dict_sorted(const struct wfi_dict *d) {
    const struct wfi_name **list = malloc((d->count + 1) * sizeof *list);
    if (!list) return NULL;
    for (size_t i = 0; i < d->count; ++i) list[i] = &d->names[i];
    qsort(list, d->count, sizeof *list, by_key);
    return list;
}
