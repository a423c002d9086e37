// SPDX-License-Identifier: MIT
// Events of packed frames become records: each field gets its value, and the payload is that of the
// same record in a frame of its own, so that nothing behind a session distinguishes them.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_session.h"

// Keeps rare cases out of the function that decodes nearly all events.
#define WFI_COLD   __attribute__((noinline))
#define WFI_INLINE static inline __attribute__((always_inline))

enum { KIND_LOG = (WF_RECORD_log - WF_PACKED_FIRST) << 4, KIND_NONE = 0xFF };

// The least bytes of a packed frame behind its id and before its events, without the stamp.
enum { AT_COUNT = 4, AT_BYTES, AT_RUNNING, HEAD };

static bool open_packed(struct wf_session *s) {
    struct wfi_packed *k = &s->packed;
    if (k->kinds) return true;
    k->kinds = calloc(256, sizeof *k->kinds);
    k->payload = calloc(1, WFI_PACKED_BODY + WFI_PAD);
    if (!k->kinds || !k->payload) {
        s->err = WF_ERR_NOMEM;
        wfi_packed_close(s);
        return false;
    }
    wfi_packed_plan(s);
    return true;
}

void wfi_packed_close(struct wf_session *s) {
    free(s->packed.kinds);
    free(s->packed.payload);
    free(s->packed.held);
    s->packed.kinds = NULL;
    s->packed.payload = NULL;
    s->packed.held = NULL;
}

// ---- reading events

// Reads a value of 1 to 5 bytes, which may lie before a few bytes more. Returns its end. The next
// event cannot be read before that is known: so it is computed, which is faster than a table.
WFI_INLINE const uint8_t *take_value(const uint8_t *p, uint64_t *value) {
    const uint64_t word = wfi_load64(p);
    const unsigned form = (unsigned)word & 3, bytes = form + 1 + (form + 1) / 4;
    *value = (word & UINT64_MAX >> (64 - 8 * bytes)) >> 2;
    return p + bytes;
}

// A number that is not known gets a pointer that no target has, and a name.
static WFI_COLD uint64_t stand_in(struct wf_session *s, unsigned number) {
    const unsigned size = s->target.bytes[WF_TYPE_OBJ];
    const uint64_t key = UINT64_MAX >> (8 * (8 - (size ? size : 8))) ^ (uint64_t)(255 - number);
    char name[16];
    const int len = snprintf(name, sizeof name, "object #%u", number);
    if (!wfi_dict_get(&s->names.objects, key) &&
        !wfi_dict_put(&s->names.objects, key, name, (size_t)len))
        s->err = WF_ERR_NOMEM;
    return key;
}

// Reads what follows a number that is not known: 255 has the pointer itself.
static WFI_COLD const uint8_t *take_unknown(struct wf_session *s, unsigned number, const uint8_t *p,
                                            uint64_t *pointer) {
    const unsigned size = s->target.bytes[WF_TYPE_OBJ];
    if (number == WF_PACKED_NO_NUMBER) {
        *pointer = wfi_load(p, size);
        return p + size;
    }
    s->packed.unknown = s->packed.doubt = true; // from the next frame on, what is unknown waits
    *pointer = s->packed.scanning ? 0 : stand_in(s, number);
    return p;
}

WFI_INLINE const uint8_t *take_number(struct wf_session *s, const uint8_t *p, uint64_t *pointer) {
    const unsigned number = *p++;
    if (!s->packed.known[number]) return take_unknown(s, number, p, pointer);
    *pointer = s->packed.pointers[number];
    return p;
}

// An event being read: the next byte, and the acting task.
struct reading {
    const uint8_t *p;
    uint64_t actor;
};

// The bytes behind the frame are not the sender's: the last events are read from a copy, with zeros
// behind them. Returns false at the end.
static WFI_COLD bool copy_tail(struct wfi_packed *k) {
    const size_t len = (size_t)(k->end - k->at);
    memmove(k->tail, k->at, len); // it may be a copy already
    memset(k->tail + len, 0, sizeof k->tail - len);
    k->at = k->tail;
    k->end = k->safe = k->tail + len;
    return len != 0;
}

// Reads prefixes and the kind after them. Returns the kind; one that nothing has if the frame ends
// before it.
static WFI_COLD unsigned take_prefixes(struct wf_session *s, struct reading *e, unsigned kind) {
    struct wfi_packed *k = &s->packed;
    while (kind >= WF_PACKED_NO_ACTOR && kind <= WF_PACKED_CORE) {
        if (kind == WF_PACKED_NO_ACTOR) {
            e->actor = 0;
        } else if (kind == WF_PACKED_ACTOR) {
            e->p = take_number(s, e->p, &e->actor);
        } else {
            k->core = *e->p++;
            e->p = take_number(s, e->p, &k->running);
            e->actor = k->running;
        }
        if (e->p >= k->end) return KIND_NONE;
        k->at = e->p; // there may be many prefixes
        if (k->at >= k->safe) copy_tail(k);
        e->p = k->at;
        kind = *e->p++;
    }
    return kind;
}

// Reads the other operands of an event than numbers and values.
static WFI_COLD const uint8_t *take_operand(struct wf_session *s, const struct wfi_event_field *f,
                                            const uint8_t *p, uint64_t *v) {
    switch (f->operand) {
    case WFI_OPERAND_BYTE: *v = *p; return p + 1;
    case WFI_OPERAND_SIGNED:
        p = take_value(p, v);
        *v = *v >> 1 ^ (0 - (*v & 1));
        return p;
    case WFI_OPERAND_IRQ: *v = s->packed.irq; return p;
    default: { // a pointer
        const unsigned size = s->target.bytes[WF_TYPE_OBJ];
        *v = wfi_load64(p);
        return p + size;
    }
    }
}

// Reads the operands of an event of no usual shape.
static WFI_COLD const uint8_t *take_others(struct wf_session *s, const struct wfi_event_plan *plan,
                                           const uint8_t *p, uint64_t actor, uint64_t *value) {
    const struct wfi_event_field *f = plan->field + WFI_CONSTANTS, *const end = f + plan->operands;
    for (; f != end; ++f) {
        uint64_t v = actor;
        if (f->operand == WFI_OPERAND_NUMBER)
            p = take_number(s, p, &v);
        else if (f->operand == WFI_OPERAND_VALUE)
            p = take_value(p, &v);
        else if (f->operand != WFI_OPERAND_ACTOR)
            p = take_operand(s, f, p, &v);
        value[f->index] = v & f->mask;
    }
    return p;
}

// Reads the fields of a record of its own kind. Locals, because stores to the payload and to the
// record may be to any object for the compiler.
WFI_INLINE const uint8_t *take_fields(struct wf_session *s, const struct wfi_event_plan *plan,
                                      const uint8_t *p, uint64_t actor, uint64_t *value) {
    const struct wfi_event_field *f = plan->field;
    value[f[0].index] = f[0].constant; // a later field overwrites one that is not used
    value[f[1].index] = f[1].constant;
    if (plan->core) value[plan->core] = s->packed.core;
    f += WFI_CONSTANTS;
    switch (plan->shape) {
    case WFI_SHAPE_ACTOR_VALUE:
    case WFI_SHAPE_ACTOR: value[f[1].index] = actor; // fall through
    case WFI_SHAPE_NUMBER:
        p = take_number(s, p, &value[f[0].index]);
        if (plan->shape != WFI_SHAPE_ACTOR_VALUE) return p;
        f += 2; // fall through
    case WFI_SHAPE_VALUE:
        p = take_value(p, &value[f[0].index]);
        value[f[0].index] &= f[0].mask;
        return p;
    case WFI_SHAPE_IRQ: value[f[0].index] = s->packed.irq; return p;
    default: return take_others(s, plan, p, actor, value);
    }
}

// Writes the payload of a record of its own kind: eight bytes of each field, the next one
// overwrites what is behind it. Nearly all have at most five fields; those that a record lacks go
// behind it.
static inline void put_payload(uint8_t *payload, const struct wfi_event_plan *plan,
                               const uint64_t *value) {
    wfi_store64(payload + plan->at[0], value[0]);
    wfi_store64(payload + plan->at[1], value[1]);
    wfi_store64(payload + plan->at[2], value[2]);
    wfi_store64(payload + plan->at[3], value[3]);
    wfi_store64(payload + plan->at[4], value[4]);
    for (unsigned i = 5; i < plan->fields; ++i) wfi_store64(payload + plan->at[i], value[i]);
}

// Copies the payload of a record without a kind of its own. Returns the end of the event, or null
// when it is cut or cannot be in a packed frame.
static WFI_COLD const uint8_t *take_bytes(struct wf_session *s, unsigned kind, const uint8_t *p,
                                          struct wf_record *r) {
    struct wfi_packed *k = &s->packed;
    const unsigned stamp = s->target.bytes[WF_TYPE_TIME];
    bool stamped = true;
    if (kind == WF_PACKED_RECORD || kind == WF_PACKED_STAMPED) {
        stamped = kind == WF_PACKED_STAMPED;
        r->id = *p++;
        if (r->id == WF_RECORD_empty || r->id == WF_RECORD_target_info || r->id == WF_RECORD_sync ||
            r->id == WF_RECORD_packed || r->id == WF_RECORD_objects)
            return NULL;
    } else if (kind == KIND_LOG) {
        r->id = WF_RECORD_log;
    } else if (kind >= WF_PACKED_USER && kind - WF_PACKED_USER <= WF_USER_LAST - WF_USER_FIRST) {
        r->id = (uint8_t)(WF_USER_FIRST + kind - WF_PACKED_USER);
    } else {
        return NULL;
    }
    const unsigned len = *p++;
    if (p > k->end || len > (size_t)(k->end - p)) return NULL;
    uint8_t *to = k->payload;
    if (stamped) {
        wfi_store64(to, r->stamp);
        to += stamp;
    }
    memcpy(to, p, len);
    memset(to + len, 0, WFI_PAD);
    r->len = (size_t)(to - k->payload) + len;
    wfi_decode(s, r);
    return p + len;
}

// Reads an event into id, stamp, payload and fields of a record. Returns its plan, or null when it
// cannot be decoded.
WFI_INLINE const struct wfi_event_plan *take_event(struct wf_session *s, struct wf_record *r) {
    struct wfi_packed *k = &s->packed;
    if (k->at >= k->safe && !copy_tail(k)) return NULL;
    const uint8_t *p = k->at;
    uint64_t actor = k->running, delta;
    unsigned kind = *p++;
    if (kind - WF_PACKED_NO_ACTOR <= WF_PACKED_CORE - WF_PACKED_NO_ACTOR) {
        struct reading e = {p, actor};
        kind = take_prefixes(s, &e, kind);
        p = e.p;
        actor = e.actor;
    }
    const struct wfi_event_plan *const plan = &k->kinds[kind];
    const struct wf_row *const row = plan->row;
    p = take_value(p, &delta);
    const uint64_t stamp = (k->stamp + delta) & s->clock.mask;
    k->stamp = r->stamp = stamp;
    k->tick += delta;
    r->payload = k->payload;
    if (row) {
        r->id = row->id;
        r->row = row;
        r->len = plan->len;
        r->left = 0;
        r->missing = 0;
        r->stamped = true;
        r->value[0] = stamp;
        p = take_fields(s, plan, p, actor, r->value);
        put_payload(k->payload, plan, r->value);
        if (plan->runs) k->running = r->value[1];
        if (plan->enters) k->irq = r->value[2];
    } else {
        p = take_bytes(s, kind, p, r);
    }
    if (!p || p > k->end) return NULL;
    k->at = p;
    return plan;
}

// The rest of a frame cannot be decoded: its records are missing.
static WFI_COLD bool give_up(struct wf_session *s, struct wf_item *item) {
    struct wfi_packed *k = &s->packed;
    memset(&item->loss, 0, sizeof item->loss);
    item->kind = WF_ITEM_LOSS;
    item->loss.kind = WF_LOSS_HOLE;
    item->loss.offset = k->offset;
    item->loss.records = k->left;
    item->loss.tick_before = s->clock.last;
    item->loss.exact = s->ledger.exact;
    s->ledger.missing += k->left;
    ++s->ledger.holes;
    ++s->ledger.malformed;
    k->left = 0;
    return true;
}

bool wfi_packed_next(struct wf_session *s, struct wf_item *item) {
    struct wfi_packed *k = &s->packed;
    struct wf_record *r = &item->record;
    const uint8_t seq = ++k->seq;
    const struct wfi_event_plan *const plan = take_event(s, r);
    if (!plan) return give_up(s, item);
    item->kind = WF_ITEM_RECORD;
    item->changed = item->discarded = false;
    r->core = 0;
    r->seq = r->seq_expected = seq;
    r->offset = k->offset;
    r->raw_len = k->raw_len;
    r->first = s->ledger.records++ == 0;
    r->back = k->back;
    r->tick = k->tick;
    ++s->ledger.by_id[r->id];
    if (!k->back) s->clock.last = k->tick;
    if (!plan->row) {
        if (!r->row) ++s->ledger.unknown;
        if (r->left || r->missing) wfi_note_evidence(s, r);
        if (wfi_applies(s, r)) wfi_apply(s, item);
    } else if (plan->applies || s->starting) {
        wfi_apply(s, item);
    }
    if (!--k->left && k->at != k->end) ++s->ledger.malformed; // bytes after the last event
    return true;
}

// ---- frames

bool wfi_packed_begin(struct wf_session *s, const struct wfi_frame *f) {
    struct wfi_packed *k = &s->packed;
    const unsigned stamp = s->target.bytes[WF_TYPE_TIME];
    if (f->len <= 2u + stamp + HEAD + 1 || !open_packed(s)) return false;
    const uint8_t *const head = f->bytes + 2 + stamp;
    k->at = head + HEAD;
    k->end = f->bytes + f->len - 1;
    k->safe = k->end - k->at > WFI_EVENT_PAD ? k->end - WFI_EVENT_PAD : k->at;
    k->stamp = wfi_load(f->bytes + 2, stamp);
    k->number = (uint32_t)wfi_load(head, 4);
    k->left = head[AT_COUNT];
    k->core = 0;
    take_number(s, head + AT_RUNNING, &k->running);
    return k->left && k->end - k->at == head[AT_BYTES] && f->bytes[0] == head[0];
}

void wfi_packed_scan(struct wf_session *s, const struct wfi_frame *f, bool names) {
    struct wfi_packed *k = &s->packed;
    struct wf_item item = {.kind = WF_ITEM_RECORD};
    k->scanning = true;
    k->unknown = false;
    unsigned left = wfi_packed_begin(s, f) ? k->left : 0;
    k->left = 0; // the frame is not taken
    for (; left && take_event(s, &item.record); --left) {
        const struct wf_row *row = item.record.row;
        if (names && row && wf_effect_is_name(row->effect)) wfi_apply(s, &item);
    }
    k->scanning = false;
}
