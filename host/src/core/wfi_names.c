// SPDX-License-Identifier: MIT
// Names are in order of arrival and found by a hash of indices. QSPY finds signals by bisecting a
// sorted list and trying the neighbours. Which of several it finds depends on that list, so with
// QSPY's limits (511 signals) the list is kept, too.

#include "wfi_names.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_hash.h"

enum { SLOTS_LEAST = 128, NAME_LEN_QSPY = 63 };

#define ROW(name, effect, limit)                                                                   \
    { WF_EFFECT_NAME_##effect, 0, offsetof(struct wfi_names, name), limit }
#define ENUMS(group)                                                                               \
    { WF_EFFECT_NAME_ENUM, group, offsetof(struct wfi_names, enums[group]), 255 }
const struct wfi_dict_row wfi_dict_rows[WFI_DICTS] = {
    ROW(objects, OBJECT, 255),
    ROW(functions, FUNCTION, 511),
    ROW(users, USER, 58),
    ROW(signals, SIGNAL, WFI_SIG_QSPY),
    ENUMS(0),
    ENUMS(1),
    ENUMS(2),
    ENUMS(3),
    ENUMS(4),
    ENUMS(5),
    ENUMS(6),
    ENUMS(7),
    ROW(irqs, IRQ, 0),
};
#undef ENUMS
#undef ROW

unsigned wfi_dict_index(enum wf_effect effect, uint64_t group) {
    unsigned i = 0;
    for (; i < WFI_DICTS; ++i) {
        const struct wfi_dict_row *row = &wfi_dict_rows[i];
        bool same = effect != WF_EFFECT_NAME_ENUM || row->group == group;
        if (row->effect == effect && same) break;
    }
    return i;
}

bool wfi_names_open(struct wfi_names *n, bool qspy) {
    memset(n, 0, sizeof *n);
    n->stamp = 1;
    if (!qspy) return true;
    for (unsigned i = 0; i < WFI_DICTS; ++i) {
        struct wfi_dict *d = wfi_dict_at(n, i);
        d->limit = wfi_dict_rows[i].limit;
        d->name_max = d->limit ? NAME_LEN_QSPY : 0;
    }
    n->sorted = calloc(WFI_SIG_QSPY + 1, sizeof *n->sorted);
    return n->sorted != NULL;
}

// Its cost is proportional to the number of names added since the last call.
void wfi_dict_clear(struct wfi_dict *d) {
    for (size_t i = 0; i < d->count; ++i) free(d->names[i].text);
    free(d->by_key.slots);
    free(d->by_signal.slots);
    memset(&d->by_key, 0, sizeof d->by_key);
    memset(&d->by_signal, 0, sizeof d->by_signal);
    d->count = 0;
}

void wfi_dict_free(struct wfi_dict *d) {
    wfi_dict_clear(d);
    free(d->names);
    memset(d, 0, sizeof *d);
}

void wfi_names_clear(struct wfi_names *n) {
    for (unsigned i = 0; i < WFI_DICTS; ++i) {
        if (wfi_dict_rows[i].effect != WF_EFFECT_NAME_ENUM) wfi_dict_clear(wfi_dict_at(n, i));
    }
    ++n->stamp;
}

void wfi_names_close(struct wfi_names *n) {
    for (unsigned i = 0; i < WFI_DICTS; ++i) wfi_dict_free(wfi_dict_at(n, i));
    free(n->sorted);
    n->sorted = NULL;
}

static char *copy_name(const char *text, size_t *len, size_t max) {
    if (max && *len > max) *len = max;
    char *to = calloc(1, *len < WFI_NAME_PAD ? WFI_NAME_PAD : *len + 1);
    if (to) memcpy(to, text, *len);
    return to;
}

static bool is_plain(const char *text, size_t len) {
    bool plain = true;
    for (size_t i = 0; i < len; ++i)
        plain &= text[i] >= ' ' && text[i] < 0x7F && text[i] != '"' && text[i] != '\\';
    return plain;
}

static bool set_text(struct wfi_name *name, const char *text, size_t len, size_t max) {
    char *to = copy_name(text, &len, max);
    if (!to) return false;
    free(name->text);
    name->text = to;
    name->len = len;
    name->plain = is_plain(to, len);
    name->retired = false;
    return true;
}

// ---- hashes

// The slot of an entry with the key, and with the object if whole; else the empty slot where it
// belongs. Requires a hash with slots.
static uint32_t *slot_of(const struct wfi_dict *d, const struct wfi_slots_of *by, uint64_t key,
                         uint64_t obj, bool whole) {
    for (size_t i = (size_t)wfi_hash(key, obj, by->slots);; ++i) {
        uint32_t *slot = &by->slots[i & by->mask];
        const struct wfi_name *name = &d->names[*slot - 1];
        if (*slot == 0 || (name->key == key && (!whole || name->obj == obj))) return slot;
    }
}

static uint32_t *slot_of_key(const struct wfi_dict *d, uint64_t key, uint64_t obj) {
    return slot_of(d, &d->by_key, key, obj, true);
}

static uint32_t *slot_of_signal(const struct wfi_dict *d, uint64_t sig) {
    return slot_of(d, &d->by_signal, sig, 0, false);
}

// Makes room for one more.
static bool grow_slots(const struct wfi_dict *d, struct wfi_slots_of *by, bool whole) {
    if (by->slots && by->used * 2 <= by->mask) return true;
    size_t count = by->slots ? by->mask + 1 : 0, cap = count ? count * 2 : SLOTS_LEAST;
    struct wfi_slots_of more = {calloc(cap, sizeof *more.slots), cap - 1, by->used};
    if (!more.slots) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!by->slots[i]) continue;
        const struct wfi_name *name = &d->names[by->slots[i] - 1];
        *slot_of(d, &more, name->key, whole ? name->obj : 0, whole) = by->slots[i];
    }
    free(by->slots);
    *by = more;
    return true;
}

static bool make_room(struct wfi_dict *d) {
    if (d->count == d->cap) {
        size_t cap = d->cap ? d->cap * 2 : 64;
        struct wfi_name *names = realloc(d->names, cap * sizeof *names);
        if (!names) return false;
        d->names = names;
        d->cap = cap;
    }
    return grow_slots(d, &d->by_key, true);
}

static struct wfi_name *find_name(const struct wfi_dict *d, uint64_t key, uint64_t obj) {
    uint32_t at = d->count ? *slot_of_key(d, key, obj) : 0;
    return at ? &d->names[at - 1] : NULL;
}

// Appends a name. There is room.
static void append_name(struct wfi_dict *d, const struct wfi_name *name) {
    uint32_t *slot = slot_of_key(d, name->key, name->obj);
    d->names[d->count] = *name;
    *slot = (uint32_t)++d->count;
    ++d->by_key.used;
}

// ---- names by key

const struct wfi_name *wfi_dict_get(const struct wfi_dict *d, uint64_t key) {
    return find_name(d, key, 0);
}

bool wfi_dict_put(struct wfi_dict *d, uint64_t key, const char *text, size_t len) {
    struct wfi_name *have = find_name(d, key, 0);
    if (have) return set_text(have, text, len, d->name_max);
    if (d->limit && d->count >= d->limit) return true;
    struct wfi_name name = {.key = key};
    if (!make_room(d) || !set_text(&name, text, len, d->name_max)) return false;
    append_name(d, &name);
    return true;
}

void wfi_dict_retire(struct wfi_dict *d, uint64_t key) {
    struct wfi_name *name = find_name(d, key, 0);
    if (name) name->retired = true;
}

// Empties a slot, and moves later entries to the slots where a search now begins or ends.
static void close_gap(struct wfi_dict *d, size_t gap) {
    uint32_t *slots = d->by_key.slots;
    size_t mask = d->by_key.mask;
    slots[gap] = 0;
    for (size_t i = (gap + 1) & mask; slots[i]; i = (i + 1) & mask) {
        uint32_t at = slots[i];
        slots[i] = 0;
        *slot_of_key(d, d->names[at - 1].key, 0) = at;
    }
}

void wfi_dict_renew(struct wfi_dict *d, uint64_t key) {
    uint32_t *slot = d->count ? slot_of_key(d, key, 0) : NULL;
    if (!slot || !*slot || !d->names[*slot - 1].retired) return;
    size_t at = *slot - 1;
    free(d->names[at].text);
    close_gap(d, (size_t)(slot - d->by_key.slots));
    --d->by_key.used;
    if (at == --d->count) return;
    const struct wfi_name *last = &d->names[d->count]; // takes its place
    *slot_of_key(d, last->key, 0) = (uint32_t)at + 1;
    d->names[at] = *last;
}

// ---- signals

// The first place with a greater signal: new entries of one signal stay in order of arrival.
static size_t index_after(const struct wfi_names *n, uint64_t sig) {
    size_t low = 0, high = n->signals.count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (n->signals.names[n->sorted[mid]].key <= sig)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Inserts the entry that will be appended next; moves at most WFI_SIG_QSPY others.
static void insert_sorted(struct wfi_names *n, uint64_t sig) {
    size_t at = index_after(n, sig), count = n->signals.count;
    memmove(&n->sorted[at + 1], &n->sorted[at], (count - at) * sizeof *n->sorted);
    n->sorted[at] = (uint32_t)count;
}

bool wfi_signal_put(struct wfi_names *n, uint64_t sig, uint64_t obj, const char *text, size_t len) {
    struct wfi_dict *d = &n->signals;
    struct wfi_name *have = find_name(d, sig, obj), name = {.key = sig, .obj = obj};
    ++n->stamp;
    if (have) return set_text(have, text, len, d->name_max);
    if (d->limit && d->count >= d->limit) return true;
    if (!make_room(d) || !grow_slots(d, &d->by_signal, false)) return false;
    if (!set_text(&name, text, len, d->name_max)) return false;
    if (n->sorted) insert_sorted(n, sig);
    append_name(d, &name);
    uint32_t *first = slot_of_signal(d, sig);
    d->by_signal.used += *first == 0;
    if (*first == 0) *first = (uint32_t)d->count;
    return true;
}

// QSPY's search: finds any entry of the signal by bisection, then tries the neighbours downwards,
// then upwards; an object of 0 on either side matches. Returns index + 1, or 0.
static uint32_t search_signal_as_qspy(const struct wfi_names *n, uint64_t sig, uint64_t obj) {
    const struct wfi_name *names = n->signals.names;
    size_t low = 0, high = n->signals.count, mid = 0;
    while (low < high) {
        mid = (low + high) / 2;
        uint64_t key = names[n->sorted[mid]].key;
        if (key == sig) break;
        if (key < sig)
            low = mid + 1;
        else
            high = mid;
    }
    if (low >= high) return 0;
    if (obj == 0) return n->sorted[mid] + 1;
    for (size_t i = mid + 1; i > 0 && names[n->sorted[i - 1]].key == sig; --i) {
        uint64_t of = names[n->sorted[i - 1]].obj;
        if (of == 0 || of == obj) return n->sorted[i - 1] + 1;
    }
    for (size_t i = mid + 1; i < n->signals.count && names[n->sorted[i]].key == sig; ++i) {
        uint64_t of = names[n->sorted[i]].obj;
        if (of == 0 || of == obj) return n->sorted[i] + 1;
    }
    return 0;
}

// Finds the object's entry, else the one for any object; without an object the first one. Returns
// index + 1, or 0.
static uint32_t search_signal(const struct wfi_names *n, uint64_t sig, uint64_t obj) {
    const struct wfi_dict *d = &n->signals;
    if (!d->count) return 0;
    if (n->sorted) return search_signal_as_qspy(n, sig, obj);
    uint32_t at = *slot_of_key(d, sig, obj);
    if (!at && obj) at = *slot_of_key(d, sig, 0);
    return at || obj ? at : *slot_of_signal(d, sig);
}

const struct wfi_name *wfi_signal_get(struct wfi_names *n, uint64_t sig, uint64_t obj) {
    size_t at = (size_t)wfi_hash(sig, obj, n) % WFI_SIG_CACHE;
    if (n->cache[at].stamp != n->stamp || n->cache[at].sig != sig || n->cache[at].obj != obj) {
        n->cache[at].sig = sig;
        n->cache[at].obj = obj;
        n->cache[at].stamp = n->stamp;
        n->cache[at].at = search_signal(n, sig, obj);
    }
    uint32_t found = n->cache[at].at;
    return found ? &n->signals.names[found - 1] : NULL;
}

static int by_key_and_arrival(const void *a, const void *b) {
    const struct wfi_name *x = *(const struct wfi_name *const *)a;
    const struct wfi_name *y = *(const struct wfi_name *const *)b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x > y) - (x < y);
}

const struct wfi_name **wfi_dict_sorted(const struct wfi_dict *d) {
    const struct wfi_name **list = malloc((d->count + 1) * sizeof *list);
    if (!list) return NULL;
    for (size_t i = 0; i < d->count; ++i) list[i] = &d->names[i];
    qsort(list, d->count, sizeof *list, by_key_and_arrival);
    return list;
}
