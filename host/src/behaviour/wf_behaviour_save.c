// SPDX-License-Identifier: MIT
// The bytes of a collection. All numbers are varints (wfi_cursor.h), except bits of blocks, which
// have 8 bytes:
//
//   version 1
//   texts      count; each: length, bytes
//   actors     count; each: kind, lane, text
//   actions    count; each: verb, text, text (0: none)
//   traces     count; each: source, lane, hz, first, last, zero, records, holes, unnamed,
//              block_bits, full, bits that holes touch
//   facts     count; each: kind, actor; RUN: number of actions, actions; others: three parts;
//              times seen; each: trace, count, tick, record, run, bits
//   sequences  count; each: actor, trace, cut, count; each: run, times, tick, record, number, the
//              last three as differences to those before, signed (zigzag)
//
// Numbers are from 1, and an entry refers only to entries before it. What is read is checked as it
// is put into tables: an entry that is there already, or has no such reference, is an error.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_cursor.h"
#include "wfi_behaviour.h"

enum { VERSION = 1, BITS = 8, LANES_MOST = 1 << 16 };

// ---- writing

struct writer {
    uint8_t *bytes;
    size_t len, cap;
    bool failed;
};

static uint8_t *make_room(struct writer *w, size_t len) {
    if (!w->failed && WFI_GROW(w->bytes, &w->cap, w->len + len)) return w->bytes + w->len;
    w->failed = true;
    return NULL;
}

static void put(struct writer *w, uint64_t value) {
    uint8_t *p = make_room(w, WFI_VARINT_MAX);
    if (p) w->len = (size_t)(wfi_put_varint(p, value) - w->bytes);
}

static void put_bits(struct writer *w, uint64_t bits) {
    uint8_t *p = make_room(w, BITS);
    if (!p) return;
    wfi_put64(p, bits);
    w->len += BITS;
}

static void put_difference(struct writer *w, uint64_t value, uint64_t *last) {
    int64_t d = (int64_t)(value - *last);
    *last = value;
    put(w, (uint64_t)d << 1 ^ (d < 0 ? UINT64_MAX : 0));
}

static void put_texts(struct writer *w, const struct wf_behaviour *b) {
    put(w, b->texts.count);
    for (size_t i = 0; i < b->texts.count; ++i) {
        const struct wfi_text *t = &b->texts.list[i];
        put(w, t->len);
        uint8_t *p = make_room(w, t->len);
        if (!p) return;
        memcpy(p, b->texts.bytes + t->at, t->len);
        w->len += t->len;
    }
}

static void put_keys(struct writer *w, const struct wf_behaviour *b) {
    put(w, b->actors.count);
    for (uint32_t i = 1; i <= b->actors.count; ++i) {
        put(w, wfi_actor_kind(b, i));
        put(w, wfi_actor_lane(b, i));
        put(w, wfi_actor_text(b, i));
    }
    put(w, b->actions.count);
    for (uint32_t i = 1; i <= b->actions.count; ++i) {
        put(w, wfi_action_verb(b, i));
        put(w, wfi_action_text(b, i));
        put(w, wfi_action_text2(b, i));
    }
}

static void put_traces(struct writer *w, const struct wf_behaviour *b) {
    put(w, b->trace_count);
    for (size_t i = 0; i < b->trace_count; ++i) {
        const struct wfi_trace_info *t = &b->traces[i];
        const uint64_t values[] = {t->source,  t->lane,       t->hz,      t->first,
                                   t->last,    t->zero,       t->records, t->holes,
                                   t->unnamed, t->block_bits, t->full};
        for (size_t n = 0; n < sizeof values / sizeof *values; ++n) put(w, values[n]);
        put_bits(w, t->touched);
    }
}

static void put_fact(struct writer *w, const struct wf_behaviour *b, const struct wfi_fact *fact) {
    bool run = fact->kind == WFI_FACT_RUN;
    uint32_t times = 0;
    put(w, fact->kind);
    put(w, fact->actor);
    if (run) put(w, fact->part[1]);
    for (uint32_t i = 0; i < (run ? fact->part[1] : WFI_PARTS); ++i)
        put(w, run ? b->list[fact->part[0] + i] : fact->part[i]);
    for (uint32_t n = fact->seen; n; n = b->seen[n - 1].next) ++times;
    put(w, times);
    for (uint32_t n = fact->seen; n; n = b->seen[n - 1].next) {
        const struct wfi_seen *s = &b->seen[n - 1];
        put(w, s->trace);
        put(w, s->count);
        put(w, s->tick);
        put(w, s->record);
        put(w, s->run);
        put_bits(w, s->bits);
    }
}

static void put_sequence(struct writer *w, const struct wfi_sequence *q) {
    uint64_t tick = 0, record = 0, number = 0;
    put(w, q->actor);
    put(w, q->trace);
    put(w, q->cut);
    put(w, q->count);
    for (size_t i = 0; i < q->count; ++i) {
        const struct wfi_entry *e = &q->entries[i];
        put(w, e->run);
        put(w, e->times);
        put_difference(w, e->tick, &tick);
        put_difference(w, e->record, &record);
        put_difference(w, e->number, &number);
    }
}

uint8_t *wf_behaviour_write(const struct wf_behaviour *b, size_t *len, struct wf_error *error) {
    struct writer w = {.bytes = NULL};
    put(&w, VERSION);
    put_texts(&w, b);
    put_keys(&w, b);
    put_traces(&w, b);
    put(&w, b->fact_count);
    for (size_t i = 0; i < b->fact_count; ++i) put_fact(&w, b, &b->facts[i]);
    put(&w, b->sequence_count);
    for (size_t i = 0; i < b->sequence_count; ++i) put_sequence(&w, &b->sequences[i]);
    wf_error_code(error, w.failed ? WF_ERR_NOMEM : WF_OK);
    *len = w.len;
    if (!w.failed) return w.bytes;
    free(w.bytes);
    return NULL;
}

// ---- reading

struct reader {
    struct wfi_cursor c;
    struct wf_behaviour *b;
};

static uint64_t take_bits(struct reader *r) {
    const uint8_t *p = wfi_take_bytes(&r->c, BITS);
    return r->c.bad ? 0 : wfi_load(p, BITS);
}

static bool goes_on(const struct reader *r) { return !r->c.bad && r->b->err == WF_OK; }

// The numbers of entries must be those of the file.
static void expect_number(struct reader *r, uint32_t number, uint64_t expected) {
    if (number != expected) r->c.bad = true;
}

// A number of entries, of at least one byte each.
static uint64_t take_count(struct reader *r) {
    return wfi_take_upto(&r->c, (uint64_t)(r->c.end - r->c.p));
}

static uint32_t take_number(struct reader *r, size_t least, size_t count) {
    uint64_t number = wfi_take_upto(&r->c, count);
    if (number < least) r->c.bad = true;
    return (uint32_t)number;
}

static void take_texts(struct reader *r) {
    uint64_t count = take_count(r);
    for (uint64_t i = 1; i <= count && goes_on(r); ++i) {
        uint64_t len = take_count(r);
        const uint8_t *text = wfi_take_bytes(&r->c, len);
        if (r->c.bad || memchr(text, 0, (size_t)len)) {
            r->c.bad = true;
            return;
        }
        expect_number(r, wfi_behaviour_text(r->b, (const char *)text, (size_t)len), i);
    }
}

static void take_keys(struct reader *r) {
    size_t texts = r->b->texts.count;
    uint64_t count = take_count(r);
    for (uint64_t i = 1; i <= count && goes_on(r); ++i) {
        uint64_t kind = wfi_take_upto(&r->c, WFI_ACTOR_MACHINE),
                 lane = wfi_take_upto(&r->c, LANES_MOST);
        uint32_t text = take_number(r, 0, texts);
        if (!r->c.bad)
            expect_number(
                r, wfi_behaviour_actor(r->b, (enum wfi_actor_kind)kind, (unsigned)lane, text), i);
    }
    count = take_count(r);
    for (uint64_t i = 1; i <= count && goes_on(r); ++i) {
        uint64_t verb = wfi_take_upto(&r->c, WFI_VERB_COUNT - 1);
        uint32_t a = take_number(r, 0, texts), with = take_number(r, 0, texts);
        if (!r->c.bad)
            expect_number(r, wfi_behaviour_action(r->b, (enum wfi_verb)verb, a, with), i);
    }
}

static void take_traces(struct reader *r) {
    uint64_t count = take_count(r);
    for (uint64_t i = 1; i <= count && goes_on(r); ++i) {
        struct wfi_trace_info t = {.source = take_number(r, 0, r->b->texts.count)};
        t.lane = (uint32_t)wfi_take_upto(&r->c, LANES_MOST);
        t.hz = wfi_take_varint(&r->c);
        t.first = wfi_take_varint(&r->c);
        t.last = wfi_take_varint(&r->c);
        t.zero = wfi_take_varint(&r->c);
        t.records = wfi_take_varint(&r->c);
        t.holes = wfi_take_varint(&r->c);
        t.unnamed = wfi_take_varint(&r->c);
        t.block_bits = (unsigned)wfi_take_upto(&r->c, 63);
        t.full = wfi_take_upto(&r->c, 1) != 0;
        t.touched = take_bits(r);
        if (t.last < t.first || (t.last - t.first) >> t.block_bits >= WF_BEHAVIOUR_BLOCKS)
            r->c.bad = true;
        if (!r->c.bad) wfi_behaviour_new_trace(r->b, &t);
    }
}

static uint32_t take_run(struct reader *r, uint32_t actor, bool *full) {
    uint32_t actions[WFI_RUN_ACTIONS], count = take_number(r, 1, WFI_RUN_ACTIONS);
    for (uint32_t i = 0; i < count && !r->c.bad; ++i)
        actions[i] = take_number(r, 1, r->b->actions.count);
    return r->c.bad ? 0 : wfi_behaviour_run(r->b, actor, actions, count, full);
}

static uint32_t take_other(struct reader *r, enum wfi_fact_kind kind, uint32_t actor, bool *full) {
    bool runs = kind == WFI_FACT_FOLLOWS;
    size_t most = runs ? r->b->fact_count : r->b->texts.count;
    uint32_t part[WFI_PARTS];
    for (unsigned i = 0; i < WFI_PARTS; ++i) {
        part[i] = take_number(r, runs && i < 2, most);
        bool run = part[i] && !r->c.bad && runs && wfi_fact(r->b, part[i])->kind != WFI_FACT_RUN;
        if (run || (runs && i == 2 && part[i])) r->c.bad = true;
    }
    return r->c.bad ? 0 : wfi_behaviour_fact(r->b, kind, actor, part[0], part[1], part[2], full);
}

static void take_seen(struct reader *r, uint32_t fact) {
    uint64_t times = take_count(r);
    for (uint64_t i = 0; i < times && goes_on(r); ++i) {
        struct wfi_seen s = {.trace = take_number(r, 1, r->b->trace_count)};
        s.count = wfi_take_upto(&r->c, UINT64_C(1) << 56);
        s.tick = wfi_take_varint(&r->c);
        s.record = wfi_take_varint(&r->c);
        s.run = wfi_take_varint(&r->c);
        s.bits = take_bits(r);
        if (!r->c.bad) wfi_behaviour_see(r->b, fact, &s);
    }
}

static void take_facts(struct reader *r) {
    uint64_t count = take_count(r);
    bool full = false;
    for (uint64_t i = 1; i <= count && goes_on(r); ++i) {
        uint64_t kind = wfi_take_upto(&r->c, WFI_FACT_SAVED - 1);
        uint32_t actor = take_number(r, 1, r->b->actors.count);
        if (r->c.bad) return;
        uint32_t fact = kind == WFI_FACT_RUN
                            ? take_run(r, actor, &full)
                            : take_other(r, (enum wfi_fact_kind)kind, actor, &full);
        expect_number(r, fact, i);
        if (goes_on(r)) take_seen(r, fact);
    }
}

static uint64_t take_difference(struct reader *r, uint64_t *last) {
    uint64_t d = wfi_take_varint(&r->c);
    *last += d >> 1 ^ (d & 1 ? UINT64_MAX : 0);
    return *last;
}

static void take_sequence(struct reader *r) {
    uint32_t actor = take_number(r, 1, r->b->actors.count),
             trace = take_number(r, 1, r->b->trace_count);
    bool cut = wfi_take_upto(&r->c, 1) != 0;
    uint64_t count = wfi_take_upto(&r->c, WF_BEHAVIOUR_SEQUENCE), tick = 0, record = 0, number = 0;
    if (r->c.bad || trace > WF_BEHAVIOUR_SEQUENCES) {
        r->c.bad = true;
        return;
    }
    struct wfi_sequence *q = wfi_behaviour_sequence(r->b, actor, trace);
    if (!q) return;
    q->cut |= cut;
    for (uint64_t i = 0; i < count && goes_on(r); ++i) {
        struct wfi_entry e = {.run = take_number(r, 0, r->b->fact_count)};
        e.times = (uint32_t)wfi_take_upto(&r->c, UINT32_MAX / 4);
        e.tick = take_difference(r, &tick);
        e.record = take_difference(r, &record);
        e.number = take_difference(r, &number);
        if (e.run && !r->c.bad && wfi_fact(r->b, e.run)->kind != WFI_FACT_RUN) r->c.bad = true;
        if (!r->c.bad) wfi_sequence_add(r->b, q, &e);
    }
}

int wf_behaviour_read(struct wf_behaviour *b, const void *bytes, size_t len,
                      struct wf_error *error) {
    const uint8_t *from = bytes;
    struct reader r = {.c = {from, from + len, false}, .b = wf_behaviour_open(error)};
    if (!r.b) return WF_ERR_NOMEM;
    if (wfi_take_varint(&r.c) != VERSION) r.c.bad = true;
    take_texts(&r);
    take_keys(&r);
    take_traces(&r);
    take_facts(&r);
    uint64_t count = take_count(&r);
    for (uint64_t i = 0; i < count && goes_on(&r); ++i) take_sequence(&r);
    if (r.c.p != r.c.end) r.c.bad = true;
    int err = r.b->err != WF_OK ? r.b->err : r.c.bad ? WF_ERR_BAD_PROFILE : WF_OK;
    if (err == WF_ERR_BAD_PROFILE) {
        wf_error_set(error, err, "the saved behaviour is damaged");
        if (error) error->place = WF_AT_BYTE;
        if (error) error->at = (uint64_t)(r.c.p - from);
    } else if (err == WF_OK) {
        err = wf_behaviour_join(b, r.b, error);
    } else {
        wf_error_code(error, err);
    }
    wf_behaviour_close(r.b);
    return err;
}
