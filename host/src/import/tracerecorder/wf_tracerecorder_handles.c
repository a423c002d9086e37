// SPDX-License-Identifier: MIT
// What is known of each handle. A handle is the address of a task, an object or a text; it is
// reused after the delete of what it stood for.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_tracerecorder.h"

// Returns null when there is no room.
static struct wfi_tr_handle *add_handle(struct wfi_import *im, uint64_t key, uint64_t hash) {
    struct wfi_tr *t = im->state;
    uint32_t n = t->handles;
    if (n == WFI_TR_HANDLES) return NULL;
    struct wfi_tr_handle **page = &t->pages[n / WFI_TR_PAGE];
    if (!*page) *page = calloc(WFI_TR_PAGE, sizeof **page);
    if (!*page || !wfi_index_add(&t->index, hash, n + 1)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return NULL;
    }
    ++t->handles;
    struct wfi_tr_handle *h = &(*page)[n % WFI_TR_PAGE];
    h->key = key;
    return h;
}

static struct wfi_tr_handle *find_handle(struct wfi_import *im, uint64_t key) {
    struct wfi_tr *t = im->state;
    uint64_t hash = wfi_hash(key, 0, &t->index);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&t->index, hash, &step)) != 0;) {
        struct wfi_tr_handle *h = &t->pages[(n - 1) / WFI_TR_PAGE][(n - 1) % WFI_TR_PAGE];
        if (h->key == key) return h;
    }
    return add_handle(im, key, hash);
}

struct wfi_tr_handle *wfi_tr_handle(struct wfi_import *im, uint64_t key) {
    struct wfi_tr *t = im->state;
    struct wfi_tr_handle **cached = &t->cache[(key >> 2 ^ key >> 9) % WFI_TR_CACHE];
    if (*cached && (*cached)->key == key) return *cached;
    struct wfi_tr_handle *h = find_handle(im, key);
    if (h) return *cached = h;
    free(t->spare.name);
    t->spare = (struct wfi_tr_handle){.key = key};
    return &t->spare;
}

// ---- names

void wfi_tr_store_name(struct wfi_import *im, struct wfi_tr_handle *h, const uint8_t *text,
                       size_t len) {
    const uint8_t *zero = len ? memchr(text, 0, len) : NULL;
    if (zero) len = (size_t)(zero - text);
    h->stale = false;
    if (!len) return;
    if (h->name && h->name_len == len && memcmp(h->name, text, len) == 0) return;
    char *name = malloc(len + 1);
    if (!name) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return;
    }
    memcpy(name, text, len);
    name[len] = 0;
    free(h->name);
    h->name = name;
    h->name_len = (uint32_t)len;
    h->text = 0;
}

void wfi_tr_set_name(struct wfi_import *im, struct wfi_tr_handle *h, const uint8_t *text,
                     size_t len) {
    wfi_tr_store_name(im, h, text, len);
    if (h->name) wfi_import_name(im, h->key, h->name, h->name_len);
}

void wfi_tr_report_table(struct wfi_import *im) {
    struct wfi_tr *t = im->state;
    for (uint32_t n = 0; n < t->handles; ++n) {
        struct wfi_tr_handle *h = &t->pages[n / WFI_TR_PAGE][n % WFI_TR_PAGE];
        if (!h->tabled) continue;
        h->tabled = false;
        if (t->heap_size && h->key == t->heap) WFI_IMPORT(im, heap_create, t->heap, t->heap_size);
        if (h->name) wfi_import_name(im, h->key, h->name, h->name_len);
        if (h->name && h->is_state) wfi_import_state_name(im, h->key, h->name, h->name_len);
    }
    t->heap_size = 0;
}

void wfi_tr_repeat_name(struct wfi_import *im, struct wfi_tr_handle *h) {
    char room[24];
    size_t len;
    if (h->name && h->stale) {
        free(h->name);
        h->name = NULL;
        h->text = 0;
        const char *name = wfi_tr_name_of(h, room, &len);
        wfi_import_name(im, h->key, name, len);
    } else if (h->name) {
        wfi_import_name(im, h->key, h->name, h->name_len);
    }
}

const char *wfi_tr_name_of(const struct wfi_tr_handle *h, char room[24], size_t *len) {
    if (h->name) {
        *len = h->name_len;
        return h->name;
    }
    *len = (size_t)snprintf(room, 24, "0x%08llX", (unsigned long long)h->key);
    return room;
}

uint64_t wfi_tr_text_of(struct wfi_import *im, struct wfi_tr_handle *h) {
    char room[24];
    size_t len;
    if (!h->text) {
        const char *name = wfi_tr_name_of(h, room, &len);
        h->text = wfi_import_text(im, name, len);
    }
    return h->text;
}

void wfi_tr_close_handles(struct wfi_tr *t) {
    for (uint32_t n = 0; n < t->handles; ++n) free(t->pages[n / WFI_TR_PAGE][n % WFI_TR_PAGE].name);
    for (unsigned i = 0; i < WFI_TR_HANDLES / WFI_TR_PAGE; ++i) free(t->pages[i]);
    free(t->spare.name);
    wfi_index_close(&t->index);
}
