// SPDX-License-Identifier: MIT
// Event classes. A class is made with its first event, so the metadata declares only classes in
// use. Application records and events of slot traces have a class for each name.

#include <stdlib.h>

#include "wfi_ctf.h"

enum { NUMBERS = 1 << 16 };

void wfi_ctf_classes_close(struct wfi_ctf_classes *all) {
    for (size_t i = 0; i < all->count; ++i) free(all->list[i].name);
    free(all->list);
    free(all->of_number);
    wfi_index_close(&all->index);
}

// Returns the index + 1; 0 when out of memory.
static uint32_t add_class(struct wfi_ctf_classes *all, const char *name, size_t len) {
    if (!WFI_GROW(all->list, &all->cap, all->count + 1)) return 0;
    struct wfi_ctf_class *class = &all->list[all->count];
    class->name = malloc(len + 1);
    if (!class->name) return 0;
    memcpy(class->name, name, len);
    class->name_len = len;
    return (uint32_t)++all->count;
}

struct wfi_ctf_class *wfi_ctf_class_row(struct wfi_ctf_classes *all, const struct wf_row *row) {
    uint32_t *at = &all->of_row[row - wf_rows];
    if (!*at) {
        *at = add_class(all, row->name, strlen(row->name));
        if (!*at) return NULL;
        wfi_ctf_layout_row(&all->list[*at - 1].layout, row);
    }
    return &all->list[*at - 1];
}

// Beyond the limit of names, returns another class of the number, or a class for all numbers.
static uint32_t find_class(struct wfi_ctf_classes *all, uint32_t *first, enum wfi_ctf_own own,
                           const char *name, size_t len) {
    if (all->count >= WFI_CTF_NAMES_MAX && !*first) {
        first = &all->of_own[own];
        name = "wallfly:others";
        len = strlen(name);
    }
    uint64_t hash = wfi_hash_text(name, len, &all->index) + (uintptr_t)first;
    size_t step = 0;
    for (uint32_t at; (at = wfi_index_next(&all->index, hash, &step)) != 0;) {
        const struct wfi_ctf_class *class = &all->list[at - 1];
        bool same = class->first == first && class->name_len == len;
        if (same && memcmp(class->name, name, len) == 0) return at;
    }
    if (all->count >= WFI_CTF_NAMES_MAX && *first) return *first;
    uint32_t at = add_class(all, name, len);
    if (!at || !wfi_index_add(&all->index, hash, at)) return 0;
    wfi_ctf_layout_own(&all->list[at - 1].layout, own);
    all->list[at - 1].first = first;
    return *first = at;
}

struct wfi_ctf_class *wfi_ctf_class_slot(struct wfi_ctf_classes *all, unsigned number) {
    uint32_t at = all->of_number ? all->of_number[number % NUMBERS] : 0;
    return at ? &all->list[at - 1] : NULL;
}

struct wfi_ctf_class *wfi_ctf_class_own(struct wfi_ctf_classes *all, enum wfi_ctf_own own,
                                        unsigned number, const char *name, size_t name_len) {
    uint32_t *first = &all->of_own[own];
    if (own == WFI_CTF_USER || own == WFI_CTF_SLOT) {
        if (!all->of_number) all->of_number = calloc(NUMBERS, sizeof *all->of_number);
        if (!all->of_number) return NULL;
        first = &all->of_number[number % NUMBERS];
    }
    uint32_t at = find_class(all, first, own, name, name_len);
    return at ? &all->list[at - 1] : NULL;
}
