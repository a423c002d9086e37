// SPDX-License-Identifier: MIT
// Names and priorities that events repeat: a record is made only when they change.

#include "util/wfi_grow.h"
#include "wfi_ctf.h"

static const uint64_t irq_bit = UINT64_C(1) << 63; // keys of interrupts in the table

// Returns the entry of a key, new if needed; null when there are too many or no memory.
static struct ctf_named *find_named(struct wfi_import *im, uint64_t key) {
    struct ctf *s = im->state;
    uint64_t hash = wfi_hash(key, 0, &s->named_index);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&s->named_index, hash, &step)) != 0;) {
        if (s->named[n - 1].key == key) return &s->named[n - 1];
    }
    if (s->named_count == CTF_TASKS_MAX) return NULL;
    if (!WFI_GROW(s->named, &s->named_cap, s->named_count + 1) ||
        !wfi_index_add(&s->named_index, hash, (uint32_t)s->named_count + 1)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return NULL;
    }
    struct ctf_named *n = &s->named[s->named_count++];
    *n = (struct ctf_named){.key = key};
    return n;
}

// Returns whether the name is new.
static bool note_name(struct wfi_import *im, uint64_t key, struct ctf_slice name) {
    struct ctf *s = im->state;
    struct ctf_named *n = name.len ? find_named(im, key) : NULL;
    uint64_t hash = n ? wfi_hash_text(name.text, name.len, s) : 0;
    if (!n || (n->named && n->name_hash == hash)) return false;
    n->named = true;
    n->name_hash = hash;
    return true;
}

void wfi_ctf_name_task(struct wfi_import *im, uint64_t key, struct ctf_slice name) {
    if (key && note_name(im, key, name)) wfi_import_name(im, key, name.text, name.len);
}

void wfi_ctf_name_irq(struct wfi_import *im, uint16_t irq, struct ctf_slice name) {
    if (irq != WF_IRQ_UNKNOWN && note_name(im, irq_bit | irq, name))
        wfi_import_irq_name(im, irq, name.text, name.len);
}

void wfi_ctf_set_prio(struct wfi_import *im, uint64_t key, int64_t prio) {
    if (!key || prio <= INT16_MIN || prio > INT16_MAX) return;
    struct ctf_named *n = find_named(im, key);
    if (!n || (n->prio_known && n->prio == prio)) return;
    n->prio_known = true;
    n->prio = prio;
    WFI_IMPORT(im, task_priority, key, (uint64_t)prio);
}

void wfi_ctf_forget_task(struct wfi_import *im, uint64_t key) {
    struct ctf_named *n = find_named(im, key);
    if (n) n->named = n->prio_known = false;
}
