// SPDX-License-Identifier: MIT
// The table of names: entries one after the other, each with a payload ready to be sent. A removed
// entry becomes a gap, which a later name reuses, in part if it is shorter; adjacent gaps are
// joined. Entries never move, and each change becomes visible by one store, so that a memory image
// always has a consistent table.
//
// A walk enables interrupts after every few entries. If another context joins gaps meanwhile, the
// position may be inside a gap: the walk starts again.

#include "wfi_names.h"

#include <stddef.h>

#ifndef WF_PORT_NAMES
struct wfi_name_table wfi_names;
#endif

enum { WFI_VALUES_MAX = 4 + 8 };

#define WFI_STORED() __asm__ volatile("" : : : "memory") // an image may be made at any instruction

// The subject of an entry: the id and the numbers before the name.
struct subject {
    uint8_t bytes[1 + WFI_VALUES_MAX];
    unsigned len;
};

static void add_number(struct subject *s, uint64_t v, unsigned bytes) {
    wfi_put_le(s->bytes + s->len, v, bytes);
    s->len += bytes;
}

// No initializer: the compiler would call memset for it.
static void set_subject(struct subject *s, unsigned id, uint32_t value, uintptr_t of) {
    s->bytes[0] = (uint8_t)id;
    s->len = 1;
    switch (id) {
    case WF_ID_sig_dict:
        add_number(s, value, WF_CFG_SIG_SIZE);
        add_number(s, of, WF_CFG_OBJ_SIZE);
        break;
    case WF_ID_obj_dict: add_number(s, of, WF_CFG_OBJ_SIZE); break;
    case WF_ID_fun_dict: add_number(s, of, WF_CFG_FUN_SIZE); break;
    case WF_ID_enum_dict:
        add_number(s, value, 1);
        add_number(s, of, 1);
        break;
    case WF_ID_irq_dict: add_number(s, value, 2); break;
    default: add_number(s, value, 1);
    }
}

static bool same_bytes(const uint8_t *a, const void *b, unsigned len) {
    const uint8_t *p = b;
    for (; len; --len) {
        if (*a++ != *p++) return false;
    }
    return true;
}

static bool is_about(const uint8_t *entry, const struct subject *s) {
    return entry[WFI_NAME_ID] == s->bytes[0] && entry[0] >= WFI_NAME_ID + s->len &&
           same_bytes(entry + WFI_NAME_ID, s->bytes, s->len);
}

static void drop(uint8_t *entry) {
    entry[WFI_NAME_ID] = 0;
    --wfi_names.names;
    wfi_names.gap = 0;
}

// Joins the gap with a gap after it, if one entry can hold both; removes it if it is the last
// entry. Moves the position of the next name to the start of the joined gap if it was inside.
// Returns false when the gap was removed.
static bool join_gap(uint32_t at) {
    struct wf_names_box *box = wfi_names.box;
    uint8_t *entry = wfi_name_at(at);
    uint32_t next = at + wfi_name_len(entry);
    if (next < box->used) {
        const uint8_t *other = wfi_name_at(next);
        if (other[WFI_NAME_ID] || entry[0] + wfi_name_len(other) > UINT8_MAX) return true;
        entry[0] = (uint8_t)(entry[0] + wfi_name_len(other));
    } else {
        box->used = at;
    }
    if (wfi_names.at > at && wfi_names.at <= next) wfi_names.at = at;
    ++wfi_names.generation;
    return next < box->used;
}

struct name_walk {
    uint32_t at, generation, was;
    unsigned count;
    bool held; // the critical section is held
};

static void walk_begin(struct name_walk *w) {
    w->at = 0;
    w->generation = wfi_names.generation;
    w->was = 0;
    w->count = 0;
    w->held = false;
}

static void walk_end(struct name_walk *w) {
    w->held = false;
    wf_port_unlock(w->was);
}

// Returns the next entry, with the critical section held; null at the end, with it released.
static uint8_t *walk_next(struct name_walk *w) {
    if (w->held) {
        w->at += wfi_name_len(wfi_name_at(w->at));
        w->generation = wfi_names.generation;
        if (++w->count % WFI_NAME_SLICE == 0) walk_end(w);
    }
    if (!w->held) {
        w->was = wf_port_lock();
        w->held = true;
        if (w->generation != wfi_names.generation) w->at = 0;
    }
    if (w->at < wfi_names.box->used) return wfi_name_at(w->at);
    walk_end(w);
    return NULL;
}

// Drops entries of the same subject. Returns true when one has this text; that one stays.
static bool has_name(const struct subject *s, const char *name, unsigned text_len) {
    const unsigned head = WFI_NAME_ID + s->len;
    struct name_walk w;
    walk_begin(&w);
    for (uint8_t *entry; (entry = walk_next(&w)) != NULL;) {
        if (!is_about(entry, s)) continue;
        if (name && wfi_name_len(entry) == head + text_len &&
            same_bytes(entry + head, name, text_len)) {
            walk_end(&w);
            return true;
        }
        drop(entry);
    }
    return false;
}

static void put_bytes(uint8_t *to, const void *from, unsigned len) {
    for (const uint8_t *p = from; len; --len) *to++ = *p++;
}

// Writes the entry into a gap or after the last entry; len bytes are free there. Its id is written
// last.
static void write_entry(uint8_t *entry, uint32_t len, const struct subject *s, const char *name,
                        unsigned text_len) {
    const uint64_t now = wfi_names_now();
    wfi_put_le(entry + 1, now, 4);
    wfi_put_le(entry + 5, now >> 32, WFI_NAMES_SINCE - 4);
    put_bytes(entry + WFI_NAME_HEAD, s->bytes + 1, s->len - 1);
    put_bytes(entry + WFI_NAME_ID + s->len, name, text_len);
    WFI_STORED();
    entry[0] = (uint8_t)(len - 1);
    WFI_STORED();
    entry[WFI_NAME_ID] = s->bytes[0];
    WFI_STORED();
    ++wfi_names.names;
    wfi_names.gap = 0;
}

static bool fits_gap(const uint8_t *gap, uint32_t len) {
    return wfi_name_len(gap) == len || wfi_name_len(gap) >= len + WFI_NAME_HEAD;
}

// Makes the rest of the gap a gap of its own, before the entry is written.
static void split_gap(uint8_t *gap, uint32_t len) {
    uint32_t rest = wfi_name_len(gap) - len;
    if (!rest) return;
    gap[len] = (uint8_t)(rest - 1);
    gap[len + WFI_NAME_ID] = 0;
}

static bool put_into_gap(uint32_t len, const struct subject *s, const char *name,
                         unsigned text_len) {
    struct name_walk w;
    walk_begin(&w);
    for (uint8_t *entry; (entry = walk_next(&w)) != NULL;) {
        if (entry[WFI_NAME_ID] || !join_gap(w.at) || !fits_gap(entry, len)) continue;
        split_gap(entry, len);
        write_entry(entry, len, s, name, text_len);
        walk_end(&w);
        return true;
    }
    return false;
}

static void append(uint32_t len, const struct subject *s, const char *name, unsigned text_len) {
    uint32_t was = wf_port_lock();
    struct wf_names_box *box = wfi_names.box;
    if (len <= box->size - box->used) {
        uint8_t *entry = wfi_name_at(box->used);
        entry[WFI_NAME_ID] = 0;
        write_entry(entry, len, s, name, text_len);
        box->used += len;
    } else {
        ++wfi_names.refused;
    }
    wf_port_unlock(was);
}

static void refuse(void) {
    uint32_t was = wf_port_lock();
    ++wfi_names.refused;
    wf_port_unlock(was);
}

static void add_name(unsigned id, uint32_t value, uintptr_t of, const char *name) {
    struct subject s;
    wfi_names_announced();
    set_subject(&s, id, value, of);
    const unsigned text_len = wfi_text_len(name);
    const uint32_t len = WFI_NAME_ID + s.len + text_len;
    if (len - 1 > UINT8_MAX) {
        has_name(&s, NULL, 0); // the earlier name is no longer valid
        refuse();
        return;
    }
    if (has_name(&s, name, text_len) || put_into_gap(len, &s, name, text_len)) return;
    append(len, &s, name, text_len);
}

static void forget(const void *obj) {
    struct subject s;
    set_subject(&s, WF_ID_obj_dict, 0, (uintptr_t)obj);
    has_name(&s, NULL, 0);
}

static void get_status(struct wf_names_status *status) {
    uint32_t was = wf_port_lock();
    status->size = wfi_names.box->size;
    status->used = wfi_names.box->used;
    status->names = wfi_names.names;
    status->refused = wfi_names.refused;
    status->told = wfi_names.told;
    wf_port_unlock(was);
}

static void describe_table(struct wf_names_box *box, uint32_t size) {
    // "WFNAMES1", inverted, so that a memory image has it only in the table.
    static const uint8_t inverted[8] = {0xA8, 0xB9, 0xB1, 0xBE, 0xB2, 0xBA, 0xAC, 0xCE};
    static const uint8_t sizes[] = {WFI_SIZES};
    volatile uint8_t *magic = box->magic;
    wfi_fill(box, sizeof *box, 0);
    box->order = 0x01020304;
    box->size = size - (uint32_t)sizeof *box;
#if WF_CFG_SLOTS
    box->build_id = wfi_slots.box->build_id;
#else
    box->build_id = wfi.config->build_id;
#endif
    for (unsigned i = 0; i < sizeof sizes; ++i) box->sizes[i] = sizes[i];
    box->since = WFI_NAMES_SINCE;
    for (unsigned i = 0; i < sizeof inverted; ++i) magic[i] = (uint8_t)~inverted[i];
}

// The alignment of uint32_t: 1 on 8-bit CPUs.
struct alignment {
    char byte;
    uint32_t word;
};

bool wf_names_start(void *memory, uint32_t size, unsigned period_s) {
    static const struct wfi_names_calls calls = {add_name, forget, wfi_names_tell, get_status,
                                                 wfi_names_step};
    wfi.names = NULL;
    if (!memory) return true;
    if (size < WF_NAMES_MIN || (uintptr_t)memory % offsetof(struct alignment, word)) return false;
    wfi_fill(&wfi_names, sizeof wfi_names, 0);
    wfi_names.box = memory;
    wfi_names.bytes = (uint8_t *)memory + sizeof *wfi_names.box;
    describe_table(memory, size);
    wfi_names_tell_start(period_s);
    wfi.names = &calls;
    return true;
}
