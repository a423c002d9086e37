// SPDX-License-Identifier: MIT
// An event of class RECORD is a payload without its stamp; with the event's tick put before it, it
// is decoded like that of a frame. Sequence, checksum and wraps of the stamp are not involved.

#include "wallfly_host/wf_slot_record.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_session.h"

enum { STAMP = 8, QS_VERSION = 740 }; // the records are those of that version

// "T8O8F8...": invalid sizes are ignored.
static void set_sizes(struct wf_session *s, const char *text) {
    for (; text[0] && text[1]; text += 2) {
        unsigned bytes = (unsigned)(text[1] - '0');
        if (bytes < 1 || bytes > 8 || !wfi_size_known(bytes)) continue;
        for (unsigned t = 0; t < WF_TYPE_END; ++t) {
            if (wf_types[t].letter == text[0]) s->target.bytes[t] = (uint8_t)bytes;
        }
    }
    s->target.sizes_known = true;
}

static unsigned long attribute_number(const struct wf_slots *slots, const char *key,
                                      unsigned long unknown) {
    const char *text = wf_slots_find(slots, key);
    return text && isdigit((unsigned char)*text) ? strtoul(text, NULL, 10) : unknown;
}

static void take_header(struct wf_session *s, const struct wf_slots *slots) {
    const char *sizes = wf_slots_find(slots, "WALLFLY");
    unsigned long cores = attribute_number(slots, "CPU_NUM", WF_SLOT_CORES);
    struct wf_target *t = &s->target;
    s->slots.on = true;
    s->slots.own = sizes != NULL;
    s->slots.release = wf_sat_release_of(wf_slots_find(slots, "SYS_RELEASE"));
    s->ledger.exact = s->slots.own;
    s->clock.known = false;
    t->cores = (uint8_t)(cores < 1 || cores > WF_SLOT_CORES ? WF_SLOT_CORES : cores);
    t->hz = wf_slots_hz(slots);
    t->big_endian = wf_slots_big_endian(slots);
    if (s->slots.own) {
        set_sizes(s, sizes);
        t->build_id = (uint32_t)attribute_number(slots, "BUILD_ID", 0);
        wfi_use_check(s);
        if (!s->options.version) t->version = t->version_raw = QS_VERSION;
    }
    t->bytes[WF_TYPE_TIME] = STAMP;
    wfi_set_key_sizes(s);
    wfi_plan_all(s);
}

static void take_time(struct wf_session *s, struct wf_record *r, const struct wf_slot_event *e) {
    r->tick = e->tick;
    if (!e->timed) return; // only the low half is known
    r->back = s->clock.known && e->tick < s->clock.last;
    if (r->back)
        ++s->ledger.back;
    else
        s->clock.last = e->tick;
    s->clock.known = true;
    wfi_clock_note(&s->clock, e->tick);
}

// A slot cannot have a length of 0: an application record without elements has one zero byte, and a
// row without fields has length 0, whatever the slot contains.
static unsigned payload_length(const struct wf_session *s, const struct wf_record *r,
                               const struct wf_slot_event *e) {
    const struct wfi_plan *plan = s->pick[r->id].only;
    if (!plan) return e->len;
    if (plan->open) return e->len == 1 && !e->bytes[0] ? 0 : e->len;
    return plan->len == (plan->stamped ? STAMP : 0) ? 0 : e->len;
}

// The core is in the slot, not in the payload.
static bool wants_core(const struct wf_row *row) {
    return row && row->count && row->fields[row->count - 1].type == WF_TYPE_CORE;
}

// Only the row shows whether a stamp comes first, and some numbers have several rows.
static void decode_event(struct wf_session *s, struct wf_record *r, const struct wf_slot_event *e) {
    uint8_t *bytes = s->slots.payload;
    unsigned len = payload_length(s, r, e);
    for (unsigned i = 0; i < STAMP; ++i) bytes[i] = (uint8_t)(e->tick >> 8 * i);
    memcpy(bytes + STAMP, e->bytes, len);
    memset(bytes + STAMP + len, 0, WFI_PAD); // where a frame has its checksum
    r->payload = bytes;
    r->len = STAMP + len;
    wfi_decode(s, r);
    if (wants_core(r->row)) {
        bytes[r->len++] = e->core;
        bytes[r->len] = 0;
        wfi_decode(s, r);
    }
    if (r->row && r->row->count && r->row->fields[0].kind == WF_KIND_STAMP) return;
    r->payload = bytes + STAMP;
    r->len = len;
    wfi_decode(s, r);
}

static bool take_record(struct wf_session *s, const struct wf_slot_event *e, struct wf_item *item) {
    struct wf_record *r = &item->record;
    item->kind = WF_ITEM_RECORD;
    item->changed = item->discarded = false;
    r->id = (uint8_t)e->event;
    r->core = e->core;
    r->seq_expected = (uint8_t)(s->qspy_last + 1);
    r->seq = (uint8_t)(r->seq_expected + s->slots.skip);
    s->qspy_last = r->seq;
    s->slots.skip = 0;
    r->offset = e->offset;
    r->raw_len = sizeof(struct wf_slot) * (e->count > 2 ? (e->count + 1) / 2 : 1);
    r->first = s->ledger.records == 0;
    decode_event(s, r, e);
    take_time(s, r, e);
    s->ledger.bytes += r->raw_len;
    s->ledger.bytes_good += r->raw_len;
    ++s->ledger.records;
    ++s->ledger.by_id[r->id];
    if (!r->row) ++s->ledger.unknown;
    if (r->left || r->missing) wfi_note_evidence(s, r);
    if (wfi_applies(s, r)) wfi_apply(s, item);
    return true;
}

static bool take_event(struct wf_session *s, const struct wf_slot_event *e, struct wf_item *item) {
    if (e->cls == WF_SLOT_CLASS_CONTROL || (s->slots.own && e->cls == WF_SLOT_CLASS_OWN)) {
        return false;
    }
    bool record = s->slots.own && e->cls == WF_SLOT_CLASS_RECORD && e->event < 256;
    if (record) return take_record(s, e, item);
    if (e->timed) wfi_clock_note(&s->clock, e->tick);
    item->kind = WF_ITEM_EVENT;
    item->event = e;
    return true;
}

static struct wf_loss *begin_loss(struct wf_item *item, uint64_t offset, unsigned core) {
    memset(&item->loss, 0, sizeof item->loss);
    item->kind = WF_ITEM_LOSS;
    item->loss.kind = WF_LOSS_HOLE;
    item->loss.offset = offset;
    item->loss.core = (uint8_t)core;
    return &item->loss;
}

// Lost slots may have been no events; at the end of a cut trace the number is unknown.
static bool take_loss(struct wf_session *s, const struct wf_slots_loss *from,
                      struct wf_item *item) {
    struct wf_loss *l = begin_loss(item, from->offset, from->core);
    l->records = from->events + from->refused;
    l->given_up = from->refused + (from->slots ? from->events : 0);
    l->exact = from->exact;
    l->tick_before = from->tick_before;
    l->any_core = from->any_core;
    if (!from->exact) s->ledger.exact = false;
    bool unknown = !from->exact && (from->slots || from->chunks);
    if (!l->records && !unknown) return false;
    // QSPY's text shows losses by the sequence.
    s->slots.skip = (uint8_t)(l->records % 256 ? l->records : 1);
    s->ledger.missing += l->records;
    s->ledger.given_up += l->given_up;
    ++s->ledger.holes;
    return true;
}

static bool take_damage(struct wf_session *s, const struct wf_slots_damage *from,
                        struct wf_item *item) {
    struct wf_loss *l = begin_loss(item, from->offset, from->core);
    enum wf_damage_kind kind = from->kind == WF_SLOTS_CUT || from->kind == WF_SLOTS_NO_LAST
                                   ? WF_DAMAGE_CUT
                               : from->kind == WF_SLOTS_TOO_LONG ? WF_DAMAGE_TOO_LONG
                                                                 : WF_DAMAGE_BAD_SUM;
    l->bytes = from->len;
    l->tick_before = s->clock.last;
    l->exact = true;
    l->why = from->why;
    l->any_core = !s->slots.own && kind == WF_DAMAGE_BAD_SUM && from->kind != WF_SLOTS_NO_FIRST;
    l->damage[kind] = 1;
    s->ledger.bytes += from->len;
    s->ledger.bytes_bad += from->len;
    ++s->ledger.damage[kind];
    ++s->ledger.holes;
    return true;
}

bool wf_session_take_slot(struct wf_session *s, const struct wf_slots *slots,
                          const struct wf_slots_item *from, struct wf_item *item) {
    switch (from->kind) {
    case WF_SLOTS_HEADER: take_header(s, slots); return false;
    case WF_SLOTS_EVENT: return take_event(s, &from->event, item);
    case WF_SLOTS_LOSS: return take_loss(s, &from->loss, item);
    default: return take_damage(s, &from->damage, item);
    }
}
