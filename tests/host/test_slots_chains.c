// SPDX-License-Identifier: MIT
// Events of several slots in merged traces: batches of a core end inside them, at every slot, so
// that almost everywhere an event is open; more open ones than can be kept. The merge must return
// every item of a single pass of the reader, sorted, and once; the ledgers are equal.

#define WF_TEST_TRACE_MAX (1 << 22)
#include "wf_test_slots.h"
#include "wallfly_host/wf_merge.h"

enum { ITEMS_MAX = 1 << 18, CORES_MAX = 4, QUEUE_MAX = 4096 };

struct seen {
    uint64_t what[8];
};

struct told {
    struct seen items[ITEMS_MAX];
    size_t events, others; // others come at the end
};

static struct told want, got;
static struct trace trace;
static uint32_t seed;

static uint32_t any(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

// ---- output

static struct seen look_event(const struct wf_slot_event *e) {
    uint64_t sum = e->timed;
    for (unsigned i = 0; i < e->count; ++i) sum = sum * 31 + e->words[i];
    for (unsigned i = 0; i < e->len; ++i) sum = sum * 31 + e->bytes[i];
    return (struct seen){{e->tick, e->core, e->offset, e->head, e->count, e->len, sum}};
}

static struct seen look_other(const struct wf_slots_item *item) {
    const struct wf_slots_damage *d = &item->damage;
    const struct wf_slots_loss *l = &item->loss;
    if (item->kind == WF_SLOTS_LOSS) {
        return (struct seen){{(uint64_t)item->kind << 8 | l->core, l->offset, l->events, l->exact,
                              l->slots, l->refused, l->chunks, l->tick_before}};
    }
    if (item->kind == WF_SLOTS_HEADER) return (struct seen){{item->kind}};
    uint64_t sum = 0;
    for (const char *p = d->why; *p; ++p) sum = sum * 31 + (uint8_t)*p;
    return (struct seen){{(uint64_t)item->kind << 8 | d->core, d->kind, d->offset, d->len, sum}};
}

static void keep(struct told *t, const struct wf_slots_item *item) {
    assert_true(t->events + t->others < ITEMS_MAX);
    if (item->kind == WF_SLOTS_EVENT)
        t->items[t->events++] = look_event(&item->event);
    else
        t->items[ITEMS_MAX - ++t->others] = look_other(item);
}

static int compare(const void *a, const void *b) {
    const struct seen *x = a, *y = b;
    for (unsigned i = 0; i < 8; ++i) {
        if (x->what[i] != y->what[i]) return x->what[i] < y->what[i] ? -1 : 1;
    }
    return 0;
}

static void sort_others(struct told *t) {
    qsort(t->items + ITEMS_MAX - t->others, t->others, sizeof *t->items, compare);
}

static struct wf_slots_ledger read_once(const struct wf_slots_options *o) {
    struct wf_slots_item item;
    struct wf_slots *s = wf_slots_open(o, NULL);
    want.events = want.others = 0;
    wf_slots_feed(s, trace.bytes, trace.len);
    wf_slots_end(s);
    while (wf_slots_next(s, &item)) keep(&want, &item);
    struct wf_slots_ledger ledger = *wf_slots_get_ledger(s);
    wf_slots_close(s);
    qsort(want.items, want.events, sizeof *want.items, compare);
    sort_others(&want);
    return ledger;
}

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    (void)ctx;
    if (offset >= trace.len) return 0;
    if (len > trace.len - offset) len = trace.len - (size_t)offset;
    memcpy(buf, trace.bytes + offset, len);
    return (int64_t)len;
}

// Returns the number of late events.
static uint64_t merge(const struct wf_merge_options *o, struct wf_slots_ledger *ledger) {
    struct wf_merge_source source = {NULL, read_at};
    struct wf_slots_item item;
    struct wf_merge *m = wf_merge_open(o, NULL);
    got.events = got.others = 0;
    assert_int_equal(wf_merge_read(m, &source), WF_OK);
    while (wf_merge_next(m, &item)) keep(&got, &item);
    assert_int_equal(wf_merge_error(m), WF_OK);
    uint64_t late = wf_merge_late(m);
    *ledger = *wf_slots_get_ledger(wf_merge_slots(m));
    wf_merge_close(m);
    sort_others(&got);
    return late;
}

static void check_told(void) {
    assert_int_equal(got.events, want.events);
    assert_int_equal(got.others, want.others);
    for (size_t i = 0; i < ITEMS_MAX; ++i) {
        if (i == want.events) i = ITEMS_MAX - want.others;
        if (i < ITEMS_MAX && compare(&want.items[i], &got.items[i]) != 0) {
            fail_msg("item %zu of %zu: %" PRIx64 " %" PRIu64 " %" PRIu64 ", want %" PRIx64
                     " %" PRIu64 " %" PRIu64,
                     i, want.events, got.items[i].what[0], got.items[i].what[1],
                     got.items[i].what[2], want.items[i].what[0], want.items[i].what[1],
                     want.items[i].what[2]);
        }
    }
}

static struct wf_slots_ledger check(bool with_control) {
    const struct wf_slots_options slots = {.size = sizeof slots, .with_control = with_control};
    struct wf_merge_options o = {.size = sizeof o, .slots = &slots};
    struct wf_slots_ledger once = read_once(o.slots), twice;
    assert_int_equal(merge(&o, &twice), 0);
    check_told();
    assert_memory_equal(&twice, &once, sizeof once);
    return once;
}

// ---- cores that make slots; batches of them go to the file

struct core {
    uint32_t slots[QUEUE_MAX][4];
    unsigned count, from;
    uint64_t tick, made;
    uint32_t number;
};

static struct core cores[CORES_MAX];

static void make_slot(struct core *c, uint32_t head, uint32_t a, uint32_t b) {
    head |= (uint32_t)(c - cores) << WF_SLOT_CORE_SHIFT;
    uint32_t slot[4] = {head, (uint32_t)c->tick, a, b};
    assert_true(c->count < QUEUE_MAX);
    memcpy(c->slots[c->count++], slot, sizeof slot);
}

static void make_chunk_head(struct core *c, bool own) {
    make_slot(c, HEAD(0, 1, 2), c->number++, 64);
    make_slot(c, HEAD(0, 1, 1), (uint32_t)(c->tick >> 32), (uint32_t)c->tick);
    if (!own) return;
    make_slot(c, HEAD(0, 25, 1), (uint32_t)c->made, 0);
    make_slot(c, HEAD(0, 25, 2), 0, 0);
}

// An event; another one of the same core may interrupt it.
static void make_event(struct core *c, unsigned slots, unsigned interrupts) {
    struct core stamp = {.tick = c->tick += 1 + any(5)};
    const uint32_t head = HEAD(0, 4 + any(4), any(200));
    for (unsigned i = 0; i < slots; ++i) {
        uint64_t now = c->tick;
        c->tick = stamp.tick;
        make_slot(c,
                  slots == 1      ? head
                  : i == 0        ? FIRST(head)
                  : i + 1 < slots ? MIDDLE(head)
                                  : LAST(head),
                  any(1 << 16), i);
        c->tick = now;
        if (interrupts && i + 1 < slots && any(8) == 0) make_event(c, 1 + any(4), interrupts - 1);
    }
    ++c->made;
}

struct plan {
    unsigned cores, bytes;
    unsigned batch, vary; // slots of a batch: `batch` to `batch + vary`
    unsigned event;       // maximum slots of an event
    unsigned interrupts;
    bool own;          // wallfly's format: chunks, events end inside their chunk
    unsigned lose_one; // drops one slot in this number; 0: none
};

static void make_some(const struct plan *p, struct core *c) {
    unsigned to = 0;
    c->count = c->from = 0;
    if (p->own || c->number == 0 || any(40) == 0) make_chunk_head(c, p->own);
    do make_event(c, any(3) ? 1 + any(p->event) : p->event, p->interrupts);
    while (c->count < 64);
    if (!p->lose_one) return;
    for (unsigned i = 0; i < c->count; ++i) {
        if (any(p->lose_one)) memmove(c->slots[to++], c->slots[i], sizeof c->slots[i]);
    }
    c->count = to;
}

static void make(const struct plan *p) {
    memset(cores, 0, sizeof cores);
    trace.len = 0;
    trace.big = any(2);
    put_text(&trace, "TRACE_HEADER_BEGIN::TRACE_");
    put_text(&trace, trace.big ? "BIG" : "LITTLE");
    put_text(&trace, "_ENDIAN::TRUETRACE_CYCLES_PER_SEC::1000TRACE_CPU_NUM::");
    char number[] = {(char)('0' + p->cores), 0};
    put_text(&trace, number);
    if (p->own) put_text(&trace, "TRACE_WALLFLY::T8");
    put_text(&trace, "TRACE_HEADER_END::");
    for (unsigned i = 0; i < p->cores; ++i) cores[i].tick = 0xFFFFF000 + any(2000);
    for (unsigned turn = 0; trace.len < p->bytes; ++turn) {
        struct core *c = &cores[p->vary ? any(p->cores) : turn % p->cores];
        for (unsigned n = p->batch + any(p->vary + 1); n; --n) {
            if (c->from == c->count) make_some(p, c);
            if (c->from == c->count) break;
            const uint32_t *s = c->slots[c->from++];
            put_slot(&trace, s[0], s[1], s[2], s[3]);
        }
    }
}

// Slot `n` of a core whose events have 8 slots each, in sequence.
static void put_steady(unsigned core, unsigned n) {
    const uint32_t head = HEAD(core, 6, n / 8 % 100);
    put_slot(&trace,
             n % 8 == 0   ? FIRST(head)
             : n % 8 == 7 ? LAST(head)
                          : MIDDLE(head),
             10 + n / 8, n, core);
}

// Two cores alternate; their batches end at every slot of their events: an event is always open.
static void test_every_slot(void **state) {
    (void)state;
    for (unsigned split = 0; split < 64; ++split) {
        unsigned next[2] = {0, 0}, batch[2] = {split % 8, split / 8};
        trace.len = 0;
        trace.big = false;
        put_text(&trace, QNX_HEADER("LITTLE", "2", ""));
        for (unsigned core = 0; core < 2; ++core) put_time(&trace, core, 10);
        for (unsigned turn = 0; turn < 2400; ++turn) {
            unsigned core = turn % 2;
            for (; batch[core]; --batch[core]) put_steady(core, next[core]++);
            batch[core] = 8;
        }
        struct wf_slots_ledger l = check(false);
        assert_int_equal(l.events, next[0] / 8 + next[1] / 8);
        assert_int_equal(l.damage[WF_SLOTS_NO_LAST], (next[0] % 8 != 0) + (next[1] % 8 != 0));
    }
}

static void test_any_batches(void **state) {
    (void)state;
    for (unsigned turn = 0; turn < 120; ++turn) {
        seed = turn;
        struct plan p = {.cores = 1 + any(CORES_MAX),
                         .bytes = 100000 + any(700000),
                         .batch = 1,
                         .vary = 1 + any(turn % 2 ? 300 : 20),
                         .event = 2 + any(turn % 5 ? 40 : 1000),
                         .own = turn % 3 == 0};
        if (!p.own) p.interrupts = any(3);
        make(&p);
        struct wf_slots_ledger l = check(turn % 4 == 0);
        assert_int_equal(l.damage[WF_SLOTS_NO_FIRST], 0);
    }
}

// The same with lost slots: each damage and loss is reported once.
static void test_lost_slots(void **state) {
    (void)state;
    uint64_t damage = 0, lost = 0;
    for (unsigned turn = 0; turn < 120; ++turn) {
        seed = turn;
        struct plan p = {.cores = 1 + any(CORES_MAX),
                         .bytes = 100000 + any(500000),
                         .batch = 1,
                         .vary = 1 + any(100),
                         .event = 2 + any(turn % 5 ? 20 : 1100),
                         .own = turn % 2,
                         .lose_one = 30 + any(2000)};
        if (!p.own) p.interrupts = any(3);
        make(&p);
        struct wf_slots_ledger l = check(turn % 4 == 0);
        damage += l.damage[WF_SLOTS_NO_LAST] + l.damage[WF_SLOTS_NO_FIRST];
        lost += l.lost;
    }
    assert_true(damage > 1000);
    assert_true(lost > 1000);
}

// ---- chains that are never closed

// Makes `chains` of 20 slots each, then events of one core, then of the other at the same time.
static void make_open(unsigned chains, unsigned events) {
    trace.len = 0;
    trace.big = false;
    for (unsigned core = 0; core < 2; ++core) put_time(&trace, core, 1000);
    for (unsigned i = 0; i < chains; ++i) {
        for (unsigned n = 0; n < 20; ++n) {
            uint32_t head = HEAD(0, 6, i % 1000);
            put_slot(&trace, n ? MIDDLE(head) : FIRST(head), 1000 + i / 1000, i, n);
        }
    }
    for (unsigned core = 0; core < 2; ++core) {
        for (unsigned i = 0; i < events; ++i) {
            put_slot(&trace, HEAD(core, 4, i % 50), 2000 + i, i, core);
        }
    }
    for (unsigned i = 0; i < chains; i += 7) {
        put_slot(&trace, LAST(HEAD(0, 6, i % 1000)), 1000 + i / 1000, i, 20);
    }
}

static const struct wf_slots_options plain = {
    .size = sizeof plain, .no_header = true, .order = WF_SLOTS_LITTLE};

// Their storage for each block exceeds the limit: blocks become longer.
static void test_many_open(void **state) {
    (void)state;
    struct wf_merge_options o = {.size = sizeof o, .slots = &plain};
    struct wf_slots_ledger once, twice;
    make_open(3500, 85000);
    once = read_once(o.slots);
    assert_int_equal(once.events, 500 + 2 * 85000);
    assert_int_equal(once.damage[WF_SLOTS_NO_LAST], 3000);
    assert_int_equal(merge(&o, &twice), 0);
    check_told();
    assert_memory_equal(&twice, &once, sizeof once);
}

// More than can be kept: the rest is one block, of which only as much is held as memory allows.
static void test_too_many_open(void **state) {
    (void)state;
    struct wf_merge_options o = {.size = sizeof o, .slots = &plain};
    struct wf_slots_ledger once, twice;
    make_open(4096, 80000);
    once = read_once(o.slots);
    assert_int_equal(merge(&o, &twice), 0);
    check_told();
    o.memory = 1 << 20;
    assert_true(merge(&o, &twice) > 10000);
    qsort(got.items, got.events, sizeof *got.items, compare);
    check_told();
    assert_memory_equal(&twice, &once, sizeof once);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_slot),    cmocka_unit_test(test_any_batches),
        cmocka_unit_test(test_lost_slots),    cmocka_unit_test(test_many_open),
        cmocka_unit_test(test_too_many_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
