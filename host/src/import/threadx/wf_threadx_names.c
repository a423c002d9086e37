// SPDX-License-Identifier: MIT
// Threads and objects of a ThreadX trace buffer by address, and the registry with their names. A
// deleted object's entry keeps its text until another object needs the entry.

#include "util/wfi_grow.h"
#include "wfi_threadx.h"

// ---- entities

static struct wfi_threadx_entity *find(const struct wfi_threadx *x, uint32_t key) {
    uint64_t hash = wfi_hash(key, 0, &x->index);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&x->index, hash, &step)) != 0;) {
        if (x->entities[n - 1].key == key) return &x->entities[n - 1];
    }
    return NULL;
}

// A trace uses few objects, again and again: those last used are found by their address alone.
struct wfi_threadx_entity *wfi_threadx_entity(struct wfi_threadx *x, uint32_t key) {
    uint32_t *recent = &x->recent[(key >> 2 ^ key >> 8) % TXI_RECENT];
    if (*recent && x->entities[*recent - 1].key == key) return &x->entities[*recent - 1];
    struct wfi_threadx_entity *t = find(x, key);
    if (t) *recent = (uint32_t)(t - x->entities) + 1;
    return t;
}

struct wfi_threadx_entity *wfi_threadx_add(struct wfi_import *im, uint32_t key) {
    struct wfi_threadx *x = im->state;
    struct wfi_threadx_entity *t = wfi_threadx_entity(x, key);
    if (t || x->entity_count == TXI_ENTITIES_MAX) return t;
    size_t n = x->entity_count;
    if (!WFI_GROW(x->entities, &x->entity_cap, n + 1) ||
        !wfi_index_add(&x->index, wfi_hash(key, 0, &x->index), (uint32_t)n + 1)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return NULL;
    }
    ++x->entity_count;
    x->entities[n].key = key;
    x->entities[n].prio = -1;
    return &x->entities[n];
}

// ---- the registry

static void take_entry(struct wfi_import *im, size_t at) {
    struct wfi_threadx *x = im->state;
    enum { THREAD = 1, BLOCK_POOL = 7, HAS_PRIO = 0x80 };
    const uint8_t *p = x->bytes + at;
    uint32_t key = wfi_threadx_word(x->big, p + 4);
    bool live = p[0] != 1;
    if (!p[1] || !key) return; // never used
    struct wfi_threadx_entity *t = wfi_threadx_add(im, key);
    // An object in use has its address; of two deleted ones the last entry is as good as the first.
    if (!t || (t->name_at && (t->live || !live))) return;
    t->name_at = x->name_bytes ? (uint32_t)at + TXI_ENTRY : 0;
    t->live = live;
    int prio = (p[2] & ~HAS_PRIO) << 8 | p[3];
    if (p[1] == THREAD && (p[2] & HAS_PRIO) && prio <= TXI_PRIO_MAX) t->prio = (int16_t)prio;
    if (p[1] == BLOCK_POOL) t->block_size = wfi_threadx_word(x->big, p + 12);
}

bool wfi_threadx_read_registry(struct wfi_import *im) {
    struct wfi_threadx *x = im->state;
    size_t size = TXI_ENTRY + x->name_bytes;
    for (size_t i = 0; i < x->entries; ++i) {
        size_t at = x->registry + i * size;
        if (at + size > x->len) {
            im->offset = im->at + x->len;
            wfi_import_damage(im, im->offset, 0, "the file ends in the registry of names");
            break;
        }
        take_entry(im, at);
        if (im->error.code != WF_OK) return false;
    }
    return true;
}

void wfi_threadx_name(struct wfi_import *im, const struct wfi_threadx_entity *t) {
    const struct wfi_threadx *x = im->state;
    if (!t->name_at || t->name_at + (size_t)x->name_bytes > x->len || !x->bytes[t->name_at]) return;
    wfi_import_name(im, t->key, (const char *)x->bytes + t->name_at, x->name_bytes);
}

void wfi_threadx_name_all(struct wfi_import *im) {
    const struct wfi_threadx *x = im->state;
    for (size_t i = 0; i < x->entity_count; ++i) {
        const struct wfi_threadx_entity *t = &x->entities[i];
        if (t->created) continue; // named after its create
        im->offset = im->at + (t->name_at ? t->name_at - TXI_ENTRY : 0);
        wfi_threadx_name(im, t);
        if (t->prio >= 0) WFI_IMPORT(im, task_priority, t->key, (uint64_t)t->prio);
    }
}
