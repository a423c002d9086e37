// SPDX-License-Identifier: MIT
// The dictionaries: names of objects, functions, application records, signals, enumeration
// values and interrupts. On request they have QSPY's limits (a full dictionary ignores new keys,
// names are cut), so that QSPY's text can be reproduced; otherwise none.
#ifndef WFI_NAMES_H
#define WFI_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_rows.h"

// A name has at least WFI_NAME_PAD readable bytes, because short names are copied in fixed sizes.
enum { WFI_NAME_PAD = 32, WFI_ENUM_GROUPS = 8 };

struct wfi_name {
    uint64_t key, obj; // obj: signals only, else 0
    char *text;        // zero-terminated
    size_t len;
    bool retired; // its object is deleted; a new object with the key removes it
    bool plain;   // printable ASCII that needs no escape in a JSON string
};

struct wfi_dict {
    struct wfi_name *names; // in order of arrival
    struct wfi_slots_of {   // a hash: index + 1 into names
        uint32_t *slots;
        size_t mask, used;
    } by_key, by_signal; // by_key: by key and obj; by_signal: the first entry of each signal
    size_t count, cap;
    size_t limit, name_max; // 0: none
    unsigned key_bytes;     // in dictionary files and in unknown keys that are printed
};

enum { WFI_SIG_CACHE = 256, WFI_SIG_QSPY = 511 };

struct wfi_names {
    struct wfi_dict objects, functions, users, signals, enums[WFI_ENUM_GROUPS], irqs;
    // Null, or for QSPY's limits and search: its signals by number, then arrival, as indices.
    uint32_t *sorted;
    struct {
        uint64_t sig, obj;
        uint32_t at, stamp; // at: index + 1, or 0 for unknown; valid if stamp is the dictionary's
    } cache[WFI_SIG_CACHE];
    uint32_t stamp; // changes with every change of the signals
};

// The dictionaries in the order of recordings (docs/recording.md) and lists; a new one is appended,
// as older recordings end before it.
enum { WFI_DICTS_BEFORE_IRQS = 4 + WFI_ENUM_GROUPS, WFI_DICTS };
extern const struct wfi_dict_row {
    enum wf_effect effect; // of the record that adds a name to it
    unsigned group;        // of enumerations
    size_t offset;         // in struct wfi_names
    size_t limit;          // names that QSPY keeps; 0: it has no such dictionary
} wfi_dict_rows[WFI_DICTS];

static inline struct wfi_dict *wfi_dict_at(struct wfi_names *n, unsigned i) {
    return (struct wfi_dict *)(void *)((char *)n + wfi_dict_rows[i].offset);
}

static inline const struct wfi_dict *wfi_dict_view(const struct wfi_names *n, unsigned i) {
    return wfi_dict_at((struct wfi_names *)(uintptr_t)n, i);
}

// The dictionary of an effect, for enumerations that of the group; WFI_DICTS if there is none.
unsigned wfi_dict_index(enum wf_effect effect, uint64_t group);

// Returns false when out of memory.
bool wfi_names_open(struct wfi_names *n, bool qspy);
void wfi_names_close(struct wfi_names *n);

// Forgets objects, functions, application records, signals and interrupts (not enumerations, as
// QSPY).
void wfi_names_clear(struct wfi_names *n);
void wfi_dict_clear(struct wfi_dict *d);
void wfi_dict_free(struct wfi_dict *d);

// Return false when out of memory. An existing key gets the new name.
bool wfi_dict_put(struct wfi_dict *d, uint64_t key, const char *text, size_t len);
bool wfi_signal_put(struct wfi_names *n, uint64_t sig, uint64_t obj, const char *text, size_t len);

// Retire: the named object is deleted. Renew: a new object has the key; it has no name yet if the
// old object was deleted.
void wfi_dict_retire(struct wfi_dict *d, uint64_t key);
void wfi_dict_renew(struct wfi_dict *d, uint64_t key);

// Return null when unknown.
const struct wfi_name *wfi_dict_get(const struct wfi_dict *d, uint64_t key);
const struct wfi_name *wfi_signal_get(struct wfi_names *n, uint64_t sig, uint64_t obj);

// Returns the entries by key, those of one signal by arrival, in an array that the caller frees;
// null when out of memory.
const struct wfi_name **wfi_dict_sorted(const struct wfi_dict *d);

#endif
