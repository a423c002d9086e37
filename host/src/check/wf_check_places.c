// SPDX-License-Identifier: MIT
// The worst failures of a rule. The verdict does not depend on how many are kept.

#include "wfi_check.h"

#include <stdlib.h>

bool wfi_places_open(struct wfi_places *p, unsigned cap) {
    p->at = malloc(cap * sizeof *p->at);
    p->cap = cap;
    return p->at != NULL;
}

void wfi_places_close(struct wfi_places *p) { free(p->at); }

// Of equally bad ones the earliest is kept.
static bool is_worse(const struct wfi_place *x, const struct wfi_place *y) {
    return x->badness != y->badness ? x->badness > y->badness : x->to < y->to;
}

static void swap(struct wfi_place *x, struct wfi_place *y) {
    struct wfi_place z = *x;
    *x = *y;
    *y = z;
}

static void sift_down(struct wfi_places *p, unsigned i) {
    for (unsigned child; (child = 2 * i + 1) < p->count; i = child) {
        if (child + 1 < p->count && is_worse(&p->at[child], &p->at[child + 1])) ++child;
        if (!is_worse(&p->at[i], &p->at[child])) return;
        swap(&p->at[i], &p->at[child]);
    }
}

static void sift_up(struct wfi_places *p, unsigned i) {
    for (; i > 0 && is_worse(&p->at[(i - 1) / 2], &p->at[i]); i = (i - 1) / 2)
        swap(&p->at[(i - 1) / 2], &p->at[i]);
}

void wfi_places_add(struct wfi_places *p, const struct wfi_place *place) {
    if (p->count < p->cap) {
        p->at[p->count++] = *place;
        sift_up(p, p->count - 1);
    } else if (p->cap && is_worse(place, &p->at[0])) {
        p->at[0] = *place;
        sift_down(p, 0);
    }
}

void wfi_places_retract(struct wfi_places *p, uint64_t since) {
    unsigned left = 0;
    for (unsigned i = 0; i < p->count; ++i) {
        if (p->at[i].to <= since) p->at[left++] = p->at[i];
    }
    p->count = left;
    for (unsigned i = left / 2; i-- > 0;) sift_down(p, i);
}

static int compare(const void *x, const void *y) { return is_worse(x, y) ? -1 : is_worse(y, x); }

void wfi_places_sort(struct wfi_places *p) {
    if (p->count) qsort(p->at, p->count, sizeof *p->at, compare);
}
