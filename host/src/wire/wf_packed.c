// SPDX-License-Identifier: MIT
// Events of packed frames become records: each field gets its value, and the payload is that of the
// same record in a frame of its own, so that nothing behind a session distinguishes them.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_session.h"

// The kinds and their operands: docs/wire-format.md.
enum {
    FIRST_ID = 85, // a kind for each selector
    LAST_ID = 97,
    KIND_SWITCH = 0xD0,
    KIND_RECORD = 0xD8,
    KIND_STAMPED = 0xD9,
    KIND_NO_ACTOR = 0xDA,
    KIND_ACTOR = 0xDB,
    KIND_CORE = 0xDC,
    KIND_IRQ_ENTER = 0xDD,
    KIND_IRQ_EXIT = 0xDE,
    KIND_USER = 0xE0,
    KIND_TAKE = 0xF9,
    KIND_GIVE = 0xFA,
    KIND_LOG = (WF_RECORD_log - FIRST_ID) << 4,
    NO_NUMBER = 255
};

// The least bytes of a packed frame behind its id and before its events, without the stamp.
enum { AT_COUNT = 4, AT_RUNNING = 5, HEAD = 6 };

static enum wfi_operand operand_of(const struct wf_field *f) {
    switch (f->type) {
    case WF_TYPE_TIME: return WFI_OPERAND_STAMP;
    case WF_TYPE_WHICH: return WFI_OPERAND_CONSTANT;
    case WF_TYPE_CORE: return WFI_OPERAND_CORE;
    case WF_TYPE_U8: return WFI_OPERAND_BYTE;
    case WF_TYPE_OBJ:
        if (f->kind == WF_KIND_ACTOR) return WFI_OPERAND_ACTOR;
        return f->kind == WF_KIND_ADDRESS ? WFI_OPERAND_POINTER : WFI_OPERAND_NUMBER;
    default: return f->kind == WF_KIND_SIGNED ? WFI_OPERAND_SIGNED : WFI_OPERAND_VALUE;
    }
}

static void plan_kind(struct wfi_event_plan *to, const struct wfi_plan *plan) {
    to->row = plan->row;
    to->len = plan->len;
    to->count = plan->count;
    to->runs = plan->row->effect == WF_EFFECT_TASK_SWITCH;
    to->enters = plan->row->effect == WF_EFFECT_IRQ_ENTER;
    for (unsigned i = 0; i < plan->count; ++i) {
        to->field[i].operand = (uint8_t)operand_of(&plan->row->fields[i]);
        to->field[i].bytes = plan->field[i].bytes;
        to->field[i].at = plan->field[i].at;
        to->field[i].mask = plan->field[i].mask;
        to->field[i].constant = plan->row->select < 0 ? 0 : (uint8_t)plan->row->select;
    }
}

// Adds a kind that leaves a field of this meaning out: it has the constant.
static void plan_short(struct wf_session *s, unsigned kind, unsigned of, enum wf_kind meaning,
                       unsigned constant) {
    struct wfi_event_plan *plan = &s->packed.kinds[kind];
    *plan = s->packed.kinds[of];
    for (unsigned i = 0; i < plan->count; ++i) {
        if (plan->row->fields[i].kind != meaning) continue;
        plan->field[i].operand = WFI_OPERAND_CONSTANT;
        plan->field[i].constant = (uint8_t)constant;
    }
}

static unsigned kind_of(const struct wf_row *row) {
    return (row->id - (unsigned)FIRST_ID) << 4 | (row->select < 0 ? 0 : (unsigned)row->select);
}

static unsigned kind_of_effect(unsigned id, enum wf_effect effect) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].id == id && wf_rows[i].effect == effect) return kind_of(&wf_rows[i]);
    }
    return 0;
}

static void plan_short_kinds(struct wf_session *s) {
    const unsigned runs = kind_of_effect(WF_RECORD_task_switch, WF_EFFECT_TASK_SWITCH);
    for (unsigned reason = 0; reason < 8; ++reason)
        plan_short(s, (unsigned)KIND_SWITCH + reason, runs, WF_KIND_REASON, reason);
    plan_short(s, KIND_IRQ_ENTER, kind_of_effect(WF_RECORD_irq_enter, WF_EFFECT_IRQ_ENTER),
               WF_KIND_NESTING, 1);
    plan_short(s, KIND_IRQ_EXIT, kind_of_effect(WF_RECORD_irq_exit, WF_EFFECT_IRQ_EXIT),
               WF_KIND_NESTING, 1);
    struct wfi_event_plan *plan = &s->packed.kinds[KIND_IRQ_EXIT];
    for (unsigned i = 0; i < plan->count; ++i) {
        if (plan->row->fields[i].kind == WF_KIND_IRQ) plan->field[i].operand = WFI_OPERAND_IRQ;
    }
    plan_short(s, KIND_TAKE, kind_of_effect(WF_RECORD_mutex_take, WF_EFFECT_TAKE), WF_KIND_NESTING,
               1);
    plan_short(s, KIND_GIVE, kind_of_effect(WF_RECORD_mutex_give, WF_EFFECT_GIVE), WF_KIND_NESTING,
               0);
}

void wfi_packed_plan(struct wf_session *s) {
    if (!s->packed.kinds) return;
    memset(s->packed.kinds, 0, 256 * sizeof *s->packed.kinds);
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        if (row->id < FIRST_ID || row->id > LAST_ID || row->id == WF_RECORD_log) continue;
        if (row->select <= 15 && row->count <= WFI_OPERANDS_MAX)
            plan_kind(&s->packed.kinds[kind_of(row)], &s->plans[i]);
    }
    plan_short_kinds(s);
}

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

void wfi_packed_forget(struct wf_session *s) {
    memset(s->packed.known, 0, sizeof s->packed.known);
    memset(s->packed.history, 0, sizeof s->packed.history);
    s->packed.known[0] = true;
    s->packed.pointers[0] = 0;
    s->packed.doubt = false;
}

unsigned wfi_packed_count(const struct wfi_packed *k) {
    unsigned count = 0;
    for (unsigned i = 1; i < WFI_NUMBERS; ++i) count += k->known[i];
    return count;
}

bool wfi_packed_learn(struct wf_session *s, const uint8_t *bytes, size_t len) {
    const unsigned size = s->target.bytes[WF_TYPE_OBJ], each = 1 + size;
    if (!size || len % each) return false;
    for (size_t at = 0; at < len; at += each) {
        const uint8_t number = bytes[at];
        if (number == 0 || number == NO_NUMBER) return false;
        s->packed.pointers[number] = wfi_load(bytes + at + 1, size);
        s->packed.known[number] = true;
    }
    return true;
}

// ---- reading events

// Reads a value of 1 to 5 bytes, which may lie before a few bytes more. Returns its end.
static inline const uint8_t *take_value(const uint8_t *p, uint64_t *value) {
    static const uint8_t bytes[4] = {1, 2, 3, 5};
    static const uint64_t masks[4] = {0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFFFF};
    const unsigned form = *p & 3;
    *value = (wfi_load64(p) & masks[form]) >> 2;
    return p + bytes[form];
}

// A number that is not known gets a pointer that no target has, and a name.
static uint64_t stand_in(struct wf_session *s, unsigned number) {
    const unsigned size = s->target.bytes[WF_TYPE_OBJ];
    const uint64_t key = UINT64_MAX >> (8 * (8 - (size ? size : 8))) ^ (uint64_t)(255 - number);
    char name[16];
    const int len = snprintf(name, sizeof name, "object #%u", number);
    if (!wfi_dict_get(&s->names.objects, key) &&
        !wfi_dict_put(&s->names.objects, key, name, (size_t)len))
        s->err = WF_ERR_NOMEM;
    return key;
}

static inline const uint8_t *take_number(struct wf_session *s, const uint8_t *p,
                                         uint64_t *pointer) {
    const uint8_t number = *p++;
    if (s->packed.known[number]) {
        *pointer = s->packed.pointers[number];
    } else if (number != NO_NUMBER) {
        s->packed.unknown = true;
        *pointer = s->packed.scanning ? 0 : stand_in(s, number);
    } else {
        const unsigned size = s->target.bytes[WF_TYPE_OBJ];
        *pointer = wfi_load(p, size);
        p += size;
    }
    return p;
}

// The fixed part of the decoder's state while it reads an event.
struct reading {
    const uint8_t *p;
    uint64_t actor;
};

// Reads prefixes and the kind. Returns the kind.
static inline unsigned take_kind(struct wf_session *s, struct reading *e) {
    struct wfi_packed *k = &s->packed;
    unsigned kind = *e->p++;
    e->actor = k->running;
    while (kind >= KIND_NO_ACTOR && kind <= KIND_CORE && e->p < k->end) {
        if (kind == KIND_NO_ACTOR) {
            e->actor = 0;
        } else if (kind == KIND_ACTOR) {
            e->p = take_number(s, e->p, &e->actor);
        } else {
            k->core = *e->p++;
            e->p = take_number(s, e->p, &k->running);
            e->actor = k->running;
        }
        kind = *e->p++;
    }
    return kind;
}

// Reads the fields of a record of its own kind.
static void take_fields(struct wf_session *s, const struct wfi_event_plan *plan, struct reading *e,
                        struct wf_record *r) {
    const uint8_t *p = e->p;
    uint8_t *const payload = s->packed.payload;
    for (unsigned i = 0; i < plan->count; ++i) {
        uint64_t v;
        switch (plan->field[i].operand) {
        case WFI_OPERAND_STAMP: v = r->stamp; break;
        case WFI_OPERAND_CONSTANT: v = plan->field[i].constant; break;
        case WFI_OPERAND_NUMBER:
            p = take_number(s, p, &v);
            if (plan->runs) s->packed.running = v;
            break;
        case WFI_OPERAND_ACTOR: v = e->actor; break;
        case WFI_OPERAND_BYTE: v = *p++; break;
        case WFI_OPERAND_VALUE:
            p = take_value(p, &v);
            if (plan->enters && plan->field[i].bytes == 2) s->packed.irq = v;
            break;
        case WFI_OPERAND_IRQ: v = s->packed.irq; break;
        case WFI_OPERAND_SIGNED:
            p = take_value(p, &v);
            v = v >> 1 ^ (0 - (v & 1));
            break;
        case WFI_OPERAND_POINTER:
            v = wfi_load64(p);
            p += plan->field[i].bytes;
            break;
        default: v = s->packed.core;
        }
        v &= plan->field[i].mask;
        r->value[i] = v;
        wfi_store64(payload + plan->field[i].at, v);
    }
    e->p = p;
}

// Copies the payload of a record without a kind of its own. Returns false when it is cut or cannot
// be in a packed frame.
static bool take_bytes(struct wf_session *s, unsigned kind, struct reading *e,
                       struct wf_record *r) {
    struct wfi_packed *k = &s->packed;
    const unsigned stamp = s->target.bytes[WF_TYPE_TIME];
    bool stamped = true;
    if (kind == KIND_RECORD || kind == KIND_STAMPED) {
        stamped = kind == KIND_STAMPED;
        r->id = *e->p++;
        if (r->id == WF_RECORD_empty || r->id == WF_RECORD_target_info || r->id == WF_RECORD_sync ||
            r->id == WF_RECORD_packed || r->id == WF_RECORD_objects)
            return false;
    } else if (kind == KIND_LOG) {
        r->id = WF_RECORD_log;
    } else if (kind >= KIND_USER && kind - KIND_USER <= WF_USER_LAST - WF_USER_FIRST) {
        r->id = (uint8_t)(WF_USER_FIRST + kind - KIND_USER);
    } else {
        return false;
    }
    const unsigned len = *e->p++;
    if (e->p > k->end || len > (size_t)(k->end - e->p)) return false;
    uint8_t *to = k->payload;
    if (stamped) {
        wfi_store64(to, r->stamp);
        to += stamp;
    }
    memcpy(to, e->p, len);
    memset(to + len, 0, WFI_PAD);
    r->len = (size_t)(to - k->payload) + len;
    e->p += len;
    wfi_decode(s, r);
    return true;
}

// The bytes behind the frame are not the sender's: the last events are read from a copy.
static void copy_tail(struct wfi_packed *k) {
    const size_t len = (size_t)(k->end - k->at);
    if (len >= WFI_EVENT_PAD || k->at == k->tail) return;
    if (k->at >= k->tail && k->at <= k->tail + sizeof k->tail) return;
    memcpy(k->tail, k->at, len);
    memset(k->tail + len, 0, sizeof k->tail - len);
    k->at = k->tail;
    k->end = k->tail + len;
}

static bool take_event(struct wf_session *s, struct wf_record *r) {
    struct wfi_packed *k = &s->packed;
    copy_tail(k);
    if (k->at >= k->end) return false;
    struct reading e = {.p = k->at};
    const unsigned kind = take_kind(s, &e);
    const struct wfi_event_plan *plan = &k->kinds[kind];
    uint64_t delta;
    e.p = take_value(e.p, &delta);
    k->stamp = (k->stamp + delta) & s->clock.mask;
    k->tick += delta;
    r->stamp = k->stamp;
    r->payload = k->payload;
    if (plan->row) {
        r->id = plan->row->id;
        r->row = plan->row;
        r->len = plan->len;
        r->left = 0;
        r->missing = 0;
        r->stamped = true;
        take_fields(s, plan, &e, r);
    } else if (!take_bytes(s, kind, &e, r)) {
        return false;
    }
    if (e.p > k->end) return false;
    k->at = e.p;
    return true;
}

// The rest of a frame cannot be decoded: its records are missing.
static bool give_up(struct wf_session *s, struct wf_item *item) {
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
    r->seq = ++k->seq;
    if (!take_event(s, r)) return give_up(s, item);
    item->kind = WF_ITEM_RECORD;
    item->changed = item->discarded = false;
    r->core = 0;
    r->offset = k->offset;
    r->raw_len = k->raw_len;
    r->first = s->ledger.records == 0;
    r->seq_expected = r->seq;
    r->back = k->back;
    r->tick = k->tick;
    if (!k->back) s->clock.last = k->tick;
    --k->left;
    ++s->ledger.records;
    ++s->ledger.by_id[r->id];
    if (!r->row) ++s->ledger.unknown;
    if (r->left || r->missing) wfi_note_evidence(s, r);
    if (wfi_applies(s, r)) wfi_apply(s, item);
    if (!k->left && k->at != k->end) ++s->ledger.malformed; // bytes after the last event
    return true;
}

// ---- frames

bool wfi_is_packed(const struct wf_session *s, const struct wfi_frame *f) {
    return (f->bytes[1] == WF_RECORD_packed || f->bytes[1] == WF_RECORD_objects) && !s->qspy;
}

// Sets the frame's time: the first event's, unless that has a delta.
static void take_base(struct wf_session *s, uint64_t stamp) {
    struct wfi_packed *k = &s->packed;
    struct wf_record base = {.stamp = stamp};
    wfi_clock_stamp(s, &base);
    k->stamp = stamp;
    k->tick = base.tick;
    k->back = base.back;
}

static bool take_frame(struct wf_session *s, const struct wfi_frame *f, struct wf_item *item) {
    struct wfi_packed *k = &s->packed;
    const unsigned stamp = s->target.bytes[WF_TYPE_TIME];
    const uint8_t *const head = f->bytes + 2 + stamp, *const end = f->bytes + f->len - 1;
    const bool good = f->len > 2u + stamp + HEAD + 1 && open_packed(s) && head[AT_COUNT] &&
                      f->bytes[0] == head[0];
    bool drop = false;
    s->ledger.bytes_good += f->raw_len;
    if (!good) {
        ++s->ledger.malformed;
        return false;
    }
    k->left = head[AT_COUNT];
    const bool lost =
        wfi_account_packed(s, f, (uint32_t)wfi_load(head, 4), k->left, &item->loss, &drop);
    if (drop) {
        s->ledger.bytes_good -= f->raw_len;
        s->ledger.bytes_repeated += f->raw_len;
        k->left = 0;
        item->kind = WF_ITEM_LOSS;
        return true;
    }
    k->at = head + HEAD;
    k->end = end;
    k->seq = (uint8_t)(f->bytes[0] - 1);
    k->core = 0;
    k->offset = f->offset;
    k->raw_len = f->raw_len;
    take_number(s, head + AT_RUNNING, &k->running);
    take_base(s, wfi_load(f->bytes + 2, stamp));
    ++s->ledger.packed_frames;
    if (!lost) return wfi_packed_next(s, item);
    item->kind = WF_ITEM_LOSS;
    return true;
}

// Reads a frame as take_frame does, only to look for a number that is not known.
bool wfi_packed_unknown(struct wf_session *s, const struct wfi_frame *f) {
    struct wfi_packed *k = &s->packed;
    const unsigned stamp = s->target.bytes[WF_TYPE_TIME];
    if (f->len <= 2u + stamp + HEAD + 1 || !open_packed(s)) return false;
    const uint8_t *const head = f->bytes + 2 + stamp;
    struct wf_record r;
    k->scanning = true;
    k->unknown = false;
    k->at = head + HEAD;
    k->end = f->bytes + f->len - 1;
    take_number(s, head + AT_RUNNING, &k->running);
    for (unsigned left = head[AT_COUNT]; left && take_event(s, &r); --left) continue;
    k->scanning = false;
    return k->unknown;
}

bool wfi_packed_take(struct wf_session *s, const struct wfi_frame *f, struct wf_item *item) {
    if (f->bytes[1] == WF_RECORD_packed) return take_frame(s, f, item);
    s->ledger.bytes_good += f->raw_len;
    if (!wfi_packed_learn(s, f->bytes + 2, f->len - 3)) ++s->ledger.malformed;
    return false;
}
