// SPDX-License-Identifier: MIT
// Finds the ring. The program gives the recorder a structure (wf_config, wf_slots_config) that
// begins with the ring's address and size; mostly it is constant or initialized, so both are in the
// file. Debug data has the type of such an object; without it, the object is one whose address is
// in a function that calls wf_start, and that begins with the address of another object and a size
// within it. A structure that is filled in at run time is not found.

#include <stdio.h>
#include <string.h>

#include "util/wfi_cursor.h"
#include "wallfly_host/wf_utf8.h"
#include "wfi_firmware.h"

enum { RING_MIN = 128, CONFIG_MIN = 16, CONFIG_MAX = 64 };
enum { TRIES_MAX = 4096 }; // only a forged file has more

static const char *const starts[] = {"wf_start", "wf_slots_start", NULL};

struct search {
    const struct wfi_calls *calls;
    struct wf_firmware_info *info;
    unsigned tries;
};

static uint64_t load_word(const uint8_t *p, unsigned bytes, bool big) {
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; ++i) v |= (uint64_t)p[i] << 8 * (big ? bytes - 1 - i : i);
    return v;
}

static bool is_writable(const struct wf_firmware_info *info, uint64_t from, uint64_t size) {
    for (unsigned i = 0; i < info->ram_count; ++i) {
        const struct wf_firmware_range *r = &info->ram[i];
        if (from >= r->from && from < r->to && size <= r->to - from) return true;
    }
    return false;
}

static bool is_config(const struct search *s, const struct wfi_symbol *object) {
    const char *type = wfi_members_type(s->calls->p, object->address);
    if (type) return strcmp(type, "wf_config") == 0 || strcmp(type, "wf_slots_config") == 0;
    return wfi_calls_with_word(s->calls, object->address, starts);
}

static void set_ring(struct search *s, uint64_t address, uint64_t size,
                     const struct wfi_symbol *ring) {
    struct wf_firmware_ring *r = &s->info->ring;
    *r = (struct wf_firmware_ring){.known = true, .address = address, .size = size};
    r->in_ram = is_writable(s->info, address, size);
    if (!ring) return;
    size_t len = strlen(ring->name);
    if (len >= sizeof r->name / 4) len = sizeof r->name / 4 - 1;
    r->name[wf_utf8_show(ring->name, len, r->name)] = 0;
}

static bool check_object(struct search *s, const struct wfi_symbol *object, const uint8_t *bytes,
                         bool big) {
    const unsigned word = wfi_firmware_word(s->calls->p);
    const unsigned count = s->info->recorder == WF_FIRMWARE_SLOTS ? word : 4; // bytes of the size
    const uint64_t pointer = load_word(bytes, word, big),
                   size = load_word(bytes + word, count, big);
    const bool avr = s->calls->p->machine == WFI_MACHINE_AVR;
    const uint64_t at = pointer + (avr ? WFI_AVR_DATA : 0);
    if (size < RING_MIN || size > UINT32_MAX) return false;
    const struct wfi_symbol *ring = wfi_program_at(s->calls->p, WF_PROGRAM_OBJECT, at);
    const bool inside = ring && size <= ring->size - (at - ring->address);
    ++s->tries;
    const bool placed = pointer && !ring && wfi_members_type(s->calls->p, object->address);
    if ((!inside && !placed) || !is_config(s, object)) return false;
    set_ring(s, at, size, ring);
    return true;
}

static size_t first_symbol(const struct wf_program *p, uint64_t address) {
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (p->symbols[mid].address < address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Tries the objects in a section.
static bool search_section(void *ctx, const struct wfi_code *data) {
    struct search *s = ctx;
    const struct wf_program *p = s->calls->p;
    for (size_t i = first_symbol(p, data->address); i < p->count && s->tries < TRIES_MAX; ++i) {
        const struct wfi_symbol *o = &p->symbols[i];
        if (o->address - data->address >= data->len) break;
        if (!o->object || o->size < CONFIG_MIN || o->size > CONFIG_MAX) continue;
        const size_t at = (size_t)(o->address - data->address);
        if (data->len - at < CONFIG_MIN) continue;
        if (check_object(s, o, data->bytes + at, data->big)) return false;
    }
    return true;
}

void wfi_firmware_ring(const struct wfi_calls *c, struct wf_firmware_info *info) {
    struct search s = {c, info, 0};
    wfi_firmware_sections(c->p, false, search_section, &s);
}
