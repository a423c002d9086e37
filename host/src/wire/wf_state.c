// SPDX-License-Identifier: MIT
// Session state as bytes (docs/recording.md), so that each file of a split recording can be read
// without the earlier ones. The bytes are read twice: first to check all of them, then to apply
// them.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_cursor.h"
#include "wallfly_host/wf_recording.h"
#include "core/wfi_session.h"

enum {
    STATE_VERSION = 1,
    STATE_NUMBERS = 2,     // after the names: object numbers of packed frames
    STATE_SINCE_START = 3, // after the numbers: the state since the target's start
    FLAG_KNOWN = 1,
    FLAG_SIZES = 2,
    FLAG_BIG = 4,
    FLAG_EXACT = 8,
    FLAG_NAMELESS = 16
};
enum { CLOCK_KNOWN = 1, CLOCK_FRESH = 2, SEQ_STARTED = 1, SEQ_BASE = 2 };
enum { START_ANEW = 1, START_RELINKED = 2, START_STARTING = 4, START_KERNEL = 8 };
enum { BUILT = 6, NUMBERS_MAX = 64 };

static bool of_signals(unsigned i) { return wfi_dict_rows[i].effect == WF_EFFECT_NAME_SIGNAL; }

static uint8_t *put_target(uint8_t *p, const struct wf_session *s, bool nameless) {
    const struct wf_target *t = &s->target;
    unsigned flags = (t->known ? FLAG_KNOWN : 0) | (t->sizes_known ? FLAG_SIZES : 0) |
                     (t->big_endian ? FLAG_BIG : 0) | (s->ledger.exact ? FLAG_EXACT : 0) |
                     (nameless ? FLAG_NAMELESS : 0);
    p = wfi_put_varint(p, flags);
    p = wfi_put_varint(wfi_put_varint(p, t->version), t->version_raw);
    p = wfi_put_varint(p, WF_TYPE_END);
    for (unsigned i = 0; i < WF_TYPE_END; ++i) *p++ = t->bytes[i];
    memcpy(p, t->built, BUILT);
    p = wfi_put_varint(wfi_put_varint(p + BUILT, t->released), t->framework);
    p = wfi_put_varint(wfi_put_varint(p, t->hz), t->build_id);
    return wfi_put_varint(p, t->resets);
}

static uint8_t *put_counts(uint8_t *p, const struct wf_session *s) {
    const struct wfi_clock *c = &s->clock;
    const struct wfi_sequence *q = &s->sequence;
    p = wfi_put_varint(p, (c->known ? CLOCK_KNOWN : 0) | (c->fresh ? CLOCK_FRESH : 0));
    p = wfi_put_varint(p, c->last);
    p = wfi_put_varint(p, (q->started ? SEQ_STARTED : 0) | (q->base_known ? SEQ_BASE : 0));
    *p++ = q->last;
    p = wfi_put_varint(wfi_put_varint(p, q->missing), q->received);
    for (unsigned i = 0; i < WFI_HISTORY; ++i) {
        wfi_put32(p, q->history[i]);
        p += 4;
    }
    p = wfi_put_varint(wfi_put_varint(p, q->base_count), q->base_lost);
    p = wfi_put_varint(wfi_put_varint(p, q->base_refused), q->since);
    return wfi_put_varint(p, q->since_missing);
}

static uint8_t *put_dict(uint8_t *p, const struct wfi_dict *d, bool signals, bool nameless) {
    if (nameless) return wfi_put_varint(p, 0);
    p = wfi_put_varint(p, d->count);
    for (size_t i = 0; i < d->count; ++i) {
        const struct wfi_name *name = &d->names[i];
        p = wfi_put_varint(p, name->key);
        if (signals) p = wfi_put_varint(p, name->obj);
        p = wfi_put_varint(p, name->len);
        memcpy(p, name->text, name->len);
        p += name->len;
    }
    return p;
}

// Known numbers and their pointers.
static uint8_t *put_numbers(uint8_t *p, const struct wfi_packed *k) {
    p = wfi_put_varint(p, wfi_packed_count(k));
    for (unsigned i = 1; i < WFI_NUMBERS; ++i) {
        if (k->known[i]) p = wfi_put_varint(wfi_put_varint(p, i), k->pointers[i]);
    }
    return p;
}

static bool has_start_state(const struct wf_session *s) {
    const struct wfi_clock *c = &s->clock;
    return c->shift || c->anew || c->relinked || s->starting || s->kernel;
}

static uint8_t *put_start_state(uint8_t *p, const struct wf_session *s) {
    const struct wfi_clock *c = &s->clock;
    p = wfi_put_varint(p, (c->anew ? START_ANEW : 0) | (c->relinked ? START_RELINKED : 0) |
                              (s->starting ? START_STARTING : 0) | (s->kernel ? START_KERNEL : 0));
    return wfi_put_varint(wfi_put_varint(p, c->shift), s->start_irqs);
}

static uint8_t *write_state(const struct wf_session *s, bool nameless, size_t *len) {
    size_t cap = NUMBERS_MAX * WFI_VARINT_MAX + 4 * WFI_HISTORY + WF_TYPE_END + BUILT;
    const unsigned numbers = wfi_packed_count(&s->packed);
    cap += (2 * numbers + 1) * WFI_VARINT_MAX;
    for (unsigned i = 0; i < WFI_DICTS && !nameless; ++i) {
        const struct wfi_dict *d = wfi_dict_view(&s->names, i);
        for (size_t n = 0; n < d->count; ++n) cap += d->names[n].len + 3 * WFI_VARINT_MAX;
    }
    uint8_t *bytes = malloc(cap), *p = bytes;
    if (!bytes) return NULL;
    const bool starts = has_start_state(s);
    p = wfi_put_varint(p, starts ? STATE_SINCE_START : numbers ? STATE_NUMBERS : STATE_VERSION);
    p = put_counts(put_target(p, s, nameless), s);
    p = wfi_put_varint(p, WFI_DICTS);
    for (unsigned i = 0; i < WFI_DICTS; ++i)
        p = put_dict(p, wfi_dict_view(&s->names, i), of_signals(i), nameless);
    if (numbers || starts) p = put_numbers(p, &s->packed);
    if (starts) p = put_start_state(p, s);
    *len = (size_t)(p - bytes);
    return bytes;
}

uint8_t *wf_session_write_state(const struct wf_session *s, size_t *len) {
    uint8_t *bytes = write_state(s, false, len);
    if (!bytes || *len <= WF_RECORDING_STATE_MAX) return bytes;
    free(bytes);
    return write_state(s, true, len);
}

uint8_t *wf_session_save_checkpoint(const struct wf_session *s, size_t *len, uint64_t *offset) {
    bool between = !s->holding && !s->packed.left && !s->packed.holding && !s->packed.draining &&
                   !s->hole.open && s->frames.offset == s->frames.start;
    if (!between || s->lines || s->slots.on) return NULL;
    *offset = s->frames.offset;
    return write_state(s, true, len);
}

bool wf_session_state_nameless(const uint8_t *state, size_t len) {
    struct wfi_cursor c = {state, state + len, false};
    wfi_take_varint(&c);
    unsigned flags = (unsigned)wfi_take_upto(&c, UINT8_MAX);
    return !c.bad && flags & FLAG_NAMELESS;
}

static void take_target(struct wfi_cursor *c, struct wf_target *t, bool *exact) {
    unsigned flags = (unsigned)wfi_take_upto(c, UINT8_MAX);
    t->known = flags & FLAG_KNOWN;
    t->sizes_known = flags & FLAG_SIZES;
    t->big_endian = flags & FLAG_BIG;
    *exact = flags & FLAG_EXACT;
    t->version = (uint16_t)wfi_take_upto(c, UINT16_MAX); // any value a target reports
    t->version_raw = (uint16_t)wfi_take_upto(c, UINT16_MAX);
    if (wfi_take_varint(c) != WF_TYPE_END) c->bad = true;
    const uint8_t *sizes = wfi_take_bytes(c, WF_TYPE_END);
    for (unsigned i = 0; i < WF_TYPE_END && !c->bad; ++i) {
        if (!wf_types[i].letter) continue; // not a size of the target
        if (sizes[i] > 8) c->bad = true;   // else kept as reported, even if no CPU has it
        t->bytes[i] = sizes[i];
    }
    const uint8_t *built = wfi_take_bytes(c, BUILT);
    if (!c->bad) memcpy(t->built, built, BUILT);
    t->released = (uint32_t)wfi_take_upto(c, UINT32_MAX);
    t->framework = (uint8_t)wfi_take_upto(c, UINT8_MAX);
    t->hz = wfi_take_varint(c);
    t->build_id = (uint32_t)wfi_take_upto(c, UINT32_MAX);
    t->resets = (unsigned)wfi_take_upto(c, UINT32_MAX);
}

static void take_counts(struct wfi_cursor *c, struct wfi_clock *clock, struct wfi_sequence *q) {
    unsigned flags = (unsigned)wfi_take_upto(c, UINT8_MAX);
    clock->known = flags & CLOCK_KNOWN;
    clock->fresh = flags & CLOCK_FRESH;
    clock->last = wfi_take_varint(c);
    clock->begun = clock->known || clock->last; // after a restart the time is not known yet
    clock->first = clock->last;
    flags = (unsigned)wfi_take_upto(c, UINT8_MAX);
    q->started = flags & SEQ_STARTED;
    q->base_known = flags & SEQ_BASE;
    const uint8_t *last = wfi_take_bytes(c, 1);
    if (!c->bad) q->last = *last;
    q->missing = (uint32_t)wfi_take_upto(c, UINT32_MAX);
    q->received = (uint32_t)wfi_take_upto(c, WFI_HISTORY);
    const uint8_t *p = wfi_take_bytes(c, 4 * WFI_HISTORY);
    for (unsigned i = 0; i < WFI_HISTORY && !c->bad; ++i) {
        q->history[i] = (uint32_t)wfi_load(p + 4 * i, 4);
    }
    q->base_count = wfi_take_varint(c);
    q->base_lost = wfi_take_varint(c);
    q->base_refused = (uint32_t)wfi_take_upto(c, UINT32_MAX);
    q->since = wfi_take_varint(c);
    q->since_missing = wfi_take_varint(c);
}

// Adds a name to dictionary i. Returns false when out of memory.
static bool put_name(struct wf_session *s, unsigned i, const struct wfi_name *n) {
    return of_signals(i) ? wfi_signal_put(&s->names, n->key, n->obj, n->text, n->len)
                         : wfi_dict_put(wfi_dict_at(&s->names, i), n->key, n->text, n->len);
}

// With a session, adds the names to it. Returns false when out of memory.
static bool take_names(struct wfi_cursor *c, struct wf_session *s) {
    uint64_t dicts = wfi_take_varint(c);
    if (dicts != WFI_DICTS && dicts != WFI_DICTS_BEFORE_IRQS) c->bad = true;
    for (unsigned i = 0; i < dicts && !c->bad; ++i) {
        uint64_t count = wfi_take_varint(c);
        for (uint64_t n = 0; n < count && !c->bad; ++n) {
            struct wfi_name name = {.key = wfi_take_varint(c)};
            if (of_signals(i)) name.obj = wfi_take_varint(c);
            name.len = wfi_take_varint(c);
            name.text = (char *)(uintptr_t)wfi_take_bytes(c, name.len);
            if (!c->bad && s && !put_name(s, i, &name)) return false;
        }
    }
    return true;
}

// With a session, sets its numbers.
static void take_numbers(struct wfi_cursor *c, struct wf_session *s) {
    uint64_t count = wfi_take_upto(c, WFI_NUMBERS);
    for (; count && !c->bad; --count) {
        const unsigned number = (unsigned)wfi_take_upto(c, WFI_NUMBERS - 1);
        const uint64_t pointer = wfi_take_varint(c);
        if (c->bad || !s) continue;
        s->packed.known[number] = true;
        s->packed.pointers[number] = number ? pointer : 0;
    }
}

// The state since the target's last start; all 0 in versions without it.
struct start_state {
    unsigned flags, irqs;
    uint64_t shift;
};

static void take_start_state(struct wfi_cursor *c, struct start_state *to) {
    to->flags = (unsigned)wfi_take_upto(c, 2 * START_KERNEL - 1);
    to->shift = wfi_take_varint(c);
    to->irqs = (unsigned)wfi_take_upto(c, UINT32_MAX);
}

static void apply_start_state(struct wf_session *s, const struct start_state *from) {
    s->clock.anew = from->flags & START_ANEW;
    s->clock.relinked = from->flags & START_RELINKED;
    s->clock.shift = from->shift;
    s->starting = from->flags & START_STARTING;
    s->kernel = from->flags & START_KERNEL;
    s->start_irqs = from->irqs;
}

int wf_session_read_state(struct wf_session *s, const uint8_t *bytes, size_t len) {
    struct wfi_cursor c = {bytes, bytes + len, false};
    struct start_state starts = {0};
    struct wf_target target = s->target;
    struct wfi_clock clock = s->clock;
    struct wfi_sequence sequence = {0};
    bool exact;
    const uint64_t version = wfi_take_varint(&c);
    if (version < STATE_VERSION || version > STATE_SINCE_START) return WF_ERR_BAD_STATE;
    take_target(&c, &target, &exact);
    take_counts(&c, &clock, &sequence);
    struct wfi_cursor names = c;
    take_names(&c, NULL);
    struct wfi_cursor numbers = c;
    if (version >= STATE_NUMBERS) take_numbers(&c, NULL);
    if (version >= STATE_SINCE_START) take_start_state(&c, &starts);
    if (c.bad || c.p != c.end) return WF_ERR_BAD_STATE;
    wfi_clear_names(s);
    for (unsigned i = 0; i < WFI_ENUM_GROUPS && !s->names_kept; ++i) {
        wfi_dict_clear(&s->names.enums[i]); // wfi_clear_names clears the others
    }
    if (!target.hz) target.hz = s->options.hz;
    s->target = target;
    s->clock = clock;
    s->sequence = sequence;
    s->qspy_last = sequence.last;
    s->ledger.exact = exact;
    wfi_follow_key_sizes(s);
    wfi_plan_all(s);
    wfi_packed_forget(s);
    s->packed.doubt = true;
    if (version >= STATE_NUMBERS) take_numbers(&numbers, s);
    apply_start_state(s, &starts);
    bool good = take_names(&names, s);
    wfi_use_look(s);
    return good ? WF_OK : WF_ERR_NOMEM;
}

int wf_session_restore_checkpoint(struct wf_session *s, const uint8_t *bytes, size_t len,
                                  uint64_t offset) {
    int err = wf_session_read_state(s, bytes, len);
    if (err != WF_OK) return err;
    s->frames.offset = s->frames.start = offset;
    return WF_OK;
}

void wf_session_show_as_part(struct wf_session *s, uint64_t before, uint64_t zero) {
    s->part = true;
    s->before = before;
    s->clock.first = zero;
    s->clock.begun = true;
}

bool wf_session_is_part(const struct wf_session *s) { return s->part; }

int wf_session_keep_names(struct wf_session *s, const struct wf_session *from) {
    s->names_kept = true;
    for (unsigned i = 0; i < WFI_DICTS; ++i) {
        const struct wfi_dict *d = wfi_dict_view(&from->names, i);
        for (size_t n = 0; n < d->count; ++n) {
            if (!put_name(s, i, &d->names[n])) return WF_ERR_NOMEM;
        }
    }
    wfi_use_look(s);
    return WF_OK;
}
