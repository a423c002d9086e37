// SPDX-License-Identifier: MIT
// The slot recorder's reader: takes slots out of a core's ring, adds the core's number to them, and
// reports lost slots.

#include "wfi_core.h"
#include "wfi_slots.h"

#if WF_CFG_SLOTS

enum { WFI_OWN_HEAD = WF_SLOT_CLASS_OWN << WF_SLOT_CLASS_SHIFT };

// Returns `at`, or the start of the ring's oldest whole chunk if the slots from `at` on are
// overwritten.
static uint64_t oldest(uint64_t at, uint64_t next) {
    uint64_t slots = wfi_slots.box->slots;
    if (next - at <= slots) return at;
    return (next - slots + WFI_CHUNK - 1) / WFI_CHUNK * WFI_CHUNK;
}

// The stamps of a core go back only at a TIME, or at the slots before it that fill a chunk. Another
// slot with an earlier stamp was written for another place, long ago.
static bool is_in_order(const struct wf_slots_reader *r, const struct wf_slot *slot) {
    uint32_t cls = slot->head >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS;
    return cls <= WF_SLOT_CLASS_CONTROL || slot->time >= r->last;
}

static struct wf_slot own_slot(unsigned event, unsigned core, uint32_t time, uint64_t v) {
    struct wf_slot slot = {WFI_OWN_HEAD | event | (uint32_t)core << WF_SLOT_CORE_SHIFT,
                           time,
                           {(uint32_t)v, (uint32_t)(v >> 32)}};
    return slot;
}

// Writes GONE if lost slots are not reported yet.
static unsigned tell_gone(struct wf_slots_reader *r, unsigned core, uint32_t time,
                          struct wf_slot *to) {
    if (r->gone == r->told) return 0;
    *to = own_slot(WF_SLOT_OWN_GONE, core, time, r->gone - r->told);
    r->told = r->gone;
    return 1;
}

// Reads the slot at the reader's position. Returns false when it is lost or not written yet.
static bool take_slot(struct wf_slots_reader *r, struct wf_slot_core *c, unsigned core,
                      struct wf_slot *slot) {
    uint32_t at = (uint32_t)r->at * 16;
    if (!wfi_slot_load(wfi_slot_at(c, at), slot)) return false;
    if ((slot->head ^ wfi_slot_tag(at)) >> WF_SLOT_TAG_SHIFT || !is_in_order(r, slot)) return false;
    uint32_t structure = slot->head >> WF_SLOT_KEPT_STRUCTURE_SHIFT & 3;
    slot->head = (slot->head & ((UINT32_C(1) << WF_SLOT_KEPT_STRUCTURE_SHIFT) - 1)) |
                 (uint32_t)core << WF_SLOT_CORE_SHIFT | structure << WF_SLOT_STRUCTURE_SHIFT;
    r->last = slot->time;
    return true;
}

// Returns whether to wait for a slot that was taken but not written. If the oldest slots are
// overwritten, it will be overtaken. If they are kept and the ring is full, its writer may never
// come back.
static bool wait_on(struct wf_slots_reader *r, uint64_t next) {
    bool full = next - r->at > wfi_slots.box->slots - WFI_CHUNK;
    return !wfi_slots.box->keep_oldest || !full || ++r->waits < WF_SLOTS_WAITS;
}

static unsigned close_core(struct wf_slots_reader *r, unsigned core, struct wf_slot *to) {
    struct wf_slots_status status;
    wf_slots_get_status(core, &status);
    to[0] = own_slot(WF_SLOT_OWN_MADE, core, r->last, status.made);
    to[1] = own_slot(WF_SLOT_OWN_REFUSED, core, r->last, status.refused);
    r->done = true;
    return 2;
}

unsigned wf_slots_read(struct wf_slots_reader *r, unsigned core, struct wf_slot *to, unsigned max,
                       bool end) {
    struct wf_slot_core *c = wfi_slot_core_of(core);
    struct wf_slots_status status;
    unsigned n = 0;
    if (wfi.names && r->started && !end) wfi.names->step(0, r, core);
    wf_slots_get_status(core, &status);
    if (!r->started) {
        r->started = true;
        r->at = oldest(0, status.slots);
        r->gone = r->at;
    }
    while (n + 2 <= max && r->at < status.slots) {
        uint64_t from = oldest(r->at, status.slots);
        struct wf_slot slot;
        bool good = from == r->at && take_slot(r, c, core, &slot);
        if (good) {
            n += tell_gone(r, core, slot.time, to + n);
            to[n++] = slot;
            r->waits = 0;
        } else if (from == r->at && !end && wait_on(r, status.slots)) {
            break; // its writer is not done yet, or is held up
        } else {
            uint64_t next = from == r->at ? r->at + 1 : from;
            r->gone += next - r->at;
            r->at = next;
            r->last = 0;
            continue;
        }
        ++r->at;
    }
    if (wfi_slots.box->keep_oldest) {
        uint32_t held = WFI_SLOT_LOCK(0);
        wfi_free32(&c->tail, (uint32_t)r->at * 16);
        WFI_SLOT_UNLOCK(0, held);
    }
    if (end && !r->done && r->at == status.slots && n + 3 <= max) {
        n += tell_gone(r, core, r->last, to + n);
        n += close_core(r, core, to + n);
    }
    return n;
}

// ---- the text header of a file ----

static char *put_text(char *to, const char *text) {
    while (*text) *to++ = *text++;
    return to;
}

static char *put_number(char *to, uint32_t v) {
    char digits[10];
    unsigned n = 0;
    do digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n) *to++ = digits[--n];
    return to;
}

unsigned wf_slots_header(char *to) {
#define WFI_LETTERS(low, low_letter, low_bytes, high, high_letter, high_bytes)                     \
    low_letter, high_letter,
    static const char letters[] = {WF_SIZES(WFI_LETTERS)}; // and a terminating zero
    static const uint8_t sizes[] = {WFI_SIZES};
    const struct wf_slot_box *box = wfi_slots.box;
    char *p = to;
    p = put_text(p, "TRACE_HEADER_BEGIN::TRACE_FILE_NAME::-TRACE_DATE::Thu Jan  1 00:00:00 1970"
                    "TRACE_VER_MAJOR::1TRACE_VER_MINOR::02");
    p = put_text(p, WFI_LITTLE ? "TRACE_LITTLE_ENDIAN::TRUE" : "TRACE_BIG_ENDIAN::TRUE");
    p = put_text(p, "TRACE_ENCODING::16 byte eventsTRACE_BOOT_DATE::Thu Jan  1 00:00:00 1970"
                    "TRACE_CYCLES_PER_SEC::");
    p = put_number(p, box->hz);
    p = put_number(put_text(p, "TRACE_CPU_NUM::"), box->cores);
    p = put_text(p, "TRACE_SYSNAME::wallflyTRACE_NODENAME::-TRACE_SYS_RELEASE::1"
                    "TRACE_SYS_VERSION::-TRACE_MACHINE::-TRACE_WALLFLY::");
    for (unsigned i = 0; letters[i]; ++i) {
        *p++ = letters[i];
        p = put_number(p, sizes[i / 2] >> (i % 2 ? 4 : 0) & 15);
    }
    p = put_number(put_text(p, "TRACE_BUILD_ID::"), box->build_id);
    p = put_text(p, "TRACE_HEADER_END::");
    return (unsigned)(p - to);
}
#endif
