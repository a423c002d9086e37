// SPDX-License-Identifier: MIT
// Labels of CTF's enumerations. Names may change during a trace, and the metadata is written last,
// so a name is kept when an event uses it. A value with two names gets two labels. The name of a
// signal depends on its object, which an enumeration cannot express, so each pair of signal and
// name has a number of its own.

#include <stdlib.h>

#include "wfi_ctf.h"

// Far more than programs have. The limits bound the memory for a damaged trace.
enum { LABELS_MAX = 1 << 17, POOL_MAX = 1 << 23 };

struct name {
    const char *text; // null: none
    size_t len;
};

void wfi_ctf_labels_close(struct wfi_ctf_labels *l) {
    for (unsigned i = 0; i < WFI_CTF_SPACES; ++i) {
        free(l->of[i].list);
        wfi_index_close(&l->of[i].index);
    }
    free(l->pool);
}

static struct name name_of(struct wf_session *s, enum wfi_ctf_space space, uint64_t key,
                           uint64_t with) {
    const struct wfi_name *name;
    struct name n = {NULL, 0};
    if (space == WFI_CTF_TEXTS && wf_session_text_at(s, key, &n.text, &n.len)) return n;
    if (space == WFI_CTF_SIGNALS)
        name = wfi_signal_get(&s->names, key, with);
    else if (space == WFI_CTF_FUNCTIONS)
        name = wfi_function_name(s, key);
    else if (space == WFI_CTF_IRQS)
        name = wfi_irq_name(s, key);
    else
        name = wfi_object_name(s, key);
    return name ? (struct name){name->text, name->len} : (struct name){NULL, 0};
}

static bool has_name(const struct wfi_ctf_labels *l, const struct wfi_ctf_label *label,
                     struct name n) {
    if (!n.text) return label->len == WFI_CTF_NAMELESS;
    if (label->len != n.len) return false;
    return !n.len || memcmp(l->pool + label->text, n.text, n.len) == 0; // the pool may be null
}

static uint64_t hash_label(const struct wfi_ctf_labels_of *of, uint64_t key, uint64_t with,
                           struct name n) {
    uint64_t text = n.text ? wfi_hash_text(n.text, n.len, of) : 0;
    return wfi_hash(key, with ^ text, of);
}

// Returns index + 1; 0 if there is none.
static uint32_t find_label(const struct wfi_ctf_labels *l, const struct wfi_ctf_labels_of *of,
                           uint64_t key, uint64_t with, struct name n) {
    size_t step = 0;
    for (uint32_t at;
         (at = wfi_index_next(&of->index, hash_label(of, key, with, n), &step)) != 0;) {
        const struct wfi_ctf_label *label = &of->list[at - 1];
        if (label->key == key && label->with == with && has_name(l, label, n)) return at;
    }
    return 0;
}

static bool set_failed(struct wfi_ctf_labels *l) {
    l->failed = true;
    return false;
}

static bool set_text(struct wfi_ctf_labels *l, struct wfi_ctf_label *label, struct name n) {
    label->len = WFI_CTF_NAMELESS;
    if (!n.text) return true;
    if (n.len > POOL_MAX - l->pool_len) return false;
    if (!WFI_GROW(l->pool, &l->pool_cap, l->pool_len + n.len)) return set_failed(l);
    if (n.len) memcpy(l->pool + l->pool_len, n.text, n.len);
    label->text = (uint32_t)l->pool_len;
    label->len = (uint32_t)n.len;
    l->pool_len += n.len;
    return true;
}

// Returns index + 1; 0 if there is no room.
static uint32_t add_label(struct wfi_ctf_labels *l, struct wfi_ctf_labels_of *of, uint64_t key,
                          uint64_t with, struct name n) {
    if (l->total >= LABELS_MAX) return 0;
    if (!WFI_GROW(of->list, &of->cap, of->count + 1)) return set_failed(l);
    struct wfi_ctf_label *label = &of->list[of->count];
    *label = (struct wfi_ctf_label){.key = key, .with = with};
    if (!set_text(l, label, n)) return 0;
    uint32_t at = (uint32_t)of->count + 1;
    if (!wfi_index_add(&of->index, hash_label(of, key, with, n), at)) return set_failed(l);
    ++l->total;
    return (uint32_t)++of->count;
}

// Gives a name to a label without one.
static bool set_name(struct wfi_ctf_labels *l, struct wfi_ctf_labels_of *of, uint32_t at,
                     struct name n) {
    struct wfi_ctf_label *label = &of->list[at - 1];
    if (!set_text(l, label, n)) return false;
    return wfi_index_add(&of->index, hash_label(of, label->key, label->with, n), at) ||
           set_failed(l);
}

static uint32_t find_or_add(struct wfi_ctf_labels *l, struct wfi_ctf_labels_of *of, uint64_t key,
                            uint64_t with, struct name n) {
    static const struct name none = {NULL, 0};
    uint32_t at = find_label(l, of, key, with, n);
    if (at) return at;
    uint32_t blank = find_label(l, of, key, with, none);
    if (blank && set_name(l, of, blank, n)) return blank;
    at = blank ? 0 : add_label(l, of, key, with, n);
    if (!at) l->left_out = true;
    return at;
}

uint32_t wfi_ctf_label(struct wfi_ctf_labels *l, struct wf_session *s, enum wfi_ctf_space space,
                       uint64_t key, uint64_t with) {
    struct wfi_ctf_labels_of *of = &l->of[space];
    struct name n = name_of(s, space, key, with);
    uint32_t *cache = &of->cache[wfi_hash(key, with, of) % WFI_CTF_CACHE];
    if (*cache) {
        const struct wfi_ctf_label *label = &of->list[*cache - 1];
        if (label->key == key && label->with == with && has_name(l, label, n)) return *cache;
    }
    uint32_t at = find_or_add(l, of, key, with, n);
    if (at) *cache = at;
    return at;
}

void wfi_ctf_labels_end(struct wfi_ctf_labels *l, struct wf_session *s) {
    for (unsigned i = 0; i < WFI_CTF_SPACES; ++i) {
        struct wfi_ctf_labels_of *of = &l->of[i];
        for (uint32_t at = 1; at <= of->count; ++at) {
            const struct wfi_ctf_label *label = &of->list[at - 1];
            if (label->len != WFI_CTF_NAMELESS) continue;
            struct name n = name_of(s, (enum wfi_ctf_space)i, label->key, label->with);
            bool there = i != WFI_CTF_SIGNALS && find_label(l, of, label->key, label->with, n);
            if (n.text && !there && !set_name(l, of, at, n)) l->left_out = true;
        }
    }
}
