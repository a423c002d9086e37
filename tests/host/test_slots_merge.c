// SPDX-License-Identifier: MIT
// Merged traces against all events of the reader, sorted: chunks in and out of order, chains, equal
// ticks, clock offsets, damage. Large enough for several blocks.

#include "wf_test_slots.h"
#include "wallfly_host/wf_merge.h"

enum { EVENTS_MAX = 1 << 17 };

struct seen {
    uint64_t tick, offset;
    uint32_t head, sum;
    unsigned core, count;
};

static struct seen want[EVENTS_MAX], got[EVENTS_MAX];
static struct trace trace;
static size_t pieces; // maximum bytes of a read_at call
static uint32_t seed;

static uint32_t any(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static struct seen look(const struct wf_slot_event *e) {
    struct seen s = {e->tick, e->offset, e->head, e->len, e->core, e->count};
    for (unsigned i = 0; i < e->count; ++i) s.sum = s.sum * 31 + e->words[i];
    for (unsigned i = 0; i < e->len; ++i) s.sum = s.sum * 31 + e->bytes[i];
    return s;
}

static int by_time(const void *a, const void *b) {
    const struct seen *x = a, *y = b;
    if (x->tick != y->tick) return x->tick < y->tick ? -1 : 1;
    if (x->core != y->core) return x->core < y->core ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    const struct trace *t = ctx;
    if (offset >= t->len) return 0;
    if (len > t->len - offset) len = t->len - offset;
    if (pieces && len > pieces) len = pieces;
    memcpy(buf, t->bytes + offset, len);
    return (int64_t)len;
}

// The reader's items, sorted.
static size_t sort_all(const struct trace *t, const struct wf_slots_options *o, uint64_t *others) {
    struct wf_slots_item item;
    size_t n = 0;
    struct wf_slots *s = wf_slots_open(o, NULL);
    *others = 0;
    wf_slots_feed(s, t->bytes, t->len);
    wf_slots_end(s);
    while (wf_slots_next(s, &item)) {
        if (item.kind == WF_SLOTS_EVENT)
            want[n++] = look(&item.event);
        else
            ++*others;
    }
    wf_slots_close(s);
    qsort(want, n, sizeof *want, by_time);
    return n;
}

static void check(const struct trace *t, const struct wf_merge_options *o) {
    struct wf_merge_source source = {(void *)(uintptr_t)t, read_at};
    struct wf_slots_item item;
    uint64_t others, others_got = 0;
    size_t n = sort_all(t, o->slots, &others), m = 0;
    struct wf_merge *merge = wf_merge_open(o, NULL);
    assert_int_equal(wf_merge_read(merge, &source), WF_OK);
    while (wf_merge_next(merge, &item)) {
        if (item.kind == WF_SLOTS_EVENT)
            got[m++] = look(&item.event);
        else
            ++others_got;
    }
    assert_int_equal(wf_merge_error(merge), WF_OK);
    assert_int_equal(wf_merge_late(merge), 0);
    assert_int_equal(m, n);
    assert_int_equal(others_got, others);
    for (size_t i = 0; i < n; ++i) {
        if (memcmp(&want[i], &got[i], sizeof *want) != 0) {
            fail_msg("event %zu of %zu: tick %" PRIx64 " core %u, want %" PRIx64 " core %u", i, n,
                     got[i].tick, got[i].core, want[i].tick, want[i].core);
        }
    }
    wf_merge_close(merge);
}

static void put_chain(struct trace *t, uint32_t head, uint32_t time, unsigned slots) {
    for (unsigned i = 0; i < slots; ++i) {
        uint32_t structure = i == 0 ? 1 : i + 1 == slots ? 3 : 2;
        put_slot(t, structure << 30 | head, time, any(1000), i);
    }
}

// Chunk `number` of a core, with events from `tick` on.
static unsigned put_some(struct trace *t, unsigned core, uint32_t number, uint64_t tick,
                         uint64_t made) {
    unsigned events = 10 + any(50);
    put_buffer(t, core, (uint32_t)tick, number);
    put_time(t, core, tick);
    put_own(t, core, WF_SLOT_OWN_MADE, (uint32_t)tick, made);
    put_own(t, core, WF_SLOT_OWN_REFUSED, (uint32_t)tick, 0);
    for (unsigned i = 0; i < events; ++i) {
        uint64_t next = tick + any(3);
        if (next >> 32 != tick >> 32) put_time(t, core, next);
        tick = next;
        if (any(10) == 0)
            put_chain(t, HEAD(core, 24, any(250)), (uint32_t)tick, 2 + any(40));
        else
            put_slot(t, HEAD(core, 4 + any(4), any(20)), (uint32_t)tick, i, core);
    }
    return events;
}

// Chunks of the cores in turn; the ticks of core 3 are 900 ahead of the others'.
static void make(unsigned cores, unsigned chunks, uint64_t start) {
    uint64_t made[WF_SLOT_CORES] = {0};
    char text[8];
    snprintf(text, sizeof text, "%u", cores);
    trace.len = 0;
    trace.big = false;
    put_text(&trace, "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CYCLES_PER_SEC::1"
                     "TRACE_CPU_NUM::");
    put_text(&trace, text);
    put_text(&trace, "TRACE_WALLFLY::T8TRACE_HEADER_END::");
    for (unsigned i = 0; i < chunks; ++i) {
        unsigned core = i % cores;
        uint64_t tick = start + (uint64_t)(i / cores) * 100 + (core == 3 ? 900 : 0);
        made[core] += put_some(&trace, core, i / cores, tick, made[core]);
    }
}

static void test_in_order(void **state) {
    (void)state;
    struct wf_merge_options o = {.size = sizeof o};
    for (unsigned i = 0; i < 12; ++i) {
        seed = i;
        pieces = i % 3 == 0 ? 0 : i * 100 + 1;
        make(1 + i % 5, 40 + i * 30, 0xFFFFF000);
        check(&trace, &o);
    }
}

// All of one core, then all of the next, and chunks in any order.
static void test_blocks_anywhere(void **state) {
    (void)state;
    const struct wf_slots_options bare = {
        .size = sizeof bare, .no_header = true, .order = WF_SLOTS_LITTLE};
    struct wf_merge_options o = {.size = sizeof o, .slots = &bare};
    pieces = 0;
    for (unsigned turn = 0; turn < 8; ++turn) {
        seed = turn;
        trace.len = 0;
        for (unsigned core = 0; core < 4; ++core) {
            for (uint32_t i = 0; i < 150; ++i) {
                uint32_t place = turn < 2 ? i : i ^ (any(4) == 0 ? 16 : 0);
                if (turn > 5) place = any(150);
                put_buffer(&trace, core, place * 100, i);
                put_time(&trace, core, UINT64_C(0xFFFFF000) + place * 100);
                for (unsigned n = 0; n < 20; ++n) {
                    uint64_t tick = UINT64_C(0xFFFFF000) + place * 100 + n * 3 - any(7);
                    put_slot(&trace, HEAD(core, 4, n), (uint32_t)tick, i, n);
                }
            }
        }
        assert_true(trace.len > 3 << 16);
        check(&trace, &o);
    }
}

static void test_damage_comes_too(void **state) {
    (void)state;
    struct wf_merge_options o = {.size = sizeof o};
    pieces = 0;
    for (unsigned turn = 0; turn < 40; ++turn) {
        seed = turn;
        make(4, 300, 5000);
        for (unsigned i = 0; i < 4; ++i) {
            size_t at = 500 + any((uint32_t)trace.len - 1000), n = 1 + any(200);
            memmove(trace.bytes + at, trace.bytes + at + n, trace.len - at - n);
            trace.len -= n;
        }
        check(&trace, &o);
    }
}

// Losses reported by the last slots, where a block may end with them.
static void test_losses_at_the_end(void **state) {
    (void)state;
    struct wf_merge_options o = {.size = sizeof o};
    for (unsigned slots = (1 << 16) / 16 - 12; slots < (1 << 16) / 16 + 12; ++slots) {
        pieces = 0;
        make(2, 0, 0);
        for (unsigned core = 0; core < 2; ++core) {
            put_buffer(&trace, core, 1, 0);
            put_time(&trace, core, 1);
            put_own(&trace, core, WF_SLOT_OWN_MADE, 1, 0);
        }
        for (unsigned i = 6; i < slots; ++i) put_slot(&trace, HEAD(i & 1, 6, 1), i, i, 0);
        put_own(&trace, 0, WF_SLOT_OWN_REFUSED, slots, 7);
        put_own(&trace, 1, WF_SLOT_OWN_REFUSED, slots, 8);
        check(&trace, &o);
    }
}

// Traces so short that the end of the trace also ends the attributes.
static void test_short(void **state) {
    (void)state;
    struct wf_merge_options o = {.size = sizeof o};
    trace.len = 0;
    put_text(&trace, "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUE");
    put_time(&trace, 1, 50);
    put_slot(&trace, HEAD(1, 4, 1), 70, 0, 0);
    put_time(&trace, 0, 50);
    put_slot(&trace, HEAD(0, 4, 1), 60, 0, 0);
    check(&trace, &o);
    for (; trace.len; --trace.len) check(&trace, &o);
    check(&trace, &o);
}

static void test_offsets(void **state) {
    (void)state;
    struct wf_merge_source source = {&trace, read_at};
    struct wf_slots_item item;
    struct text text = {NULL, 0};
    trace.len = 0;
    put_text(&trace, OWN_HEADER("2"));
    put_time(&trace, 0, 100);
    put_slot(&trace, HEAD(0, 4, 1), 100, 0, 0);
    put_slot(&trace, HEAD(0, 4, 2), 200, 0, 0);
    put_time(&trace, 1, 1000);
    put_slot(&trace, HEAD(1, 4, 3), 1050, 0, 0); // before its OFFSET
    put_buffer(&trace, 1, 1150, 1);
    put_time(&trace, 1, 1150);
    put_own(&trace, 1, WF_SLOT_OWN_OFFSET, 1150, (uint64_t)-1000);
    put_slot(&trace, HEAD(1, 4, 4), 1150, 0, 0);
    put_buffer(&trace, 1, 1160, 2);
    put_time(&trace, 1, 1160);
    put_own(&trace, 1, WF_SLOT_OWN_OFFSET, 1160, (uint64_t)-950);
    put_slot(&trace, HEAD(1, 4, 5), 1160, 0, 0);
    struct wf_merge *m = wf_merge_open(NULL, NULL);
    assert_int_equal(wf_merge_read(m, &source), WF_OK);
    while (wf_merge_next(m, &item)) say_item(&text, &item);
    assert_string_equal(text.bytes, "header\nc1 4/3 32 0 0\nc0 4/1 64 0 0\nc1 4/4 96 0 0\n"
                                    "c0 4/2 c8 0 0\nc1 4/5 d2 0 0\n");
    free(text.bytes);
    wf_merge_close(m);
}

struct streamed {
    size_t events;
    uint64_t late, waited; // waited: maximum bytes fed before the first event came out
};

static struct streamed stream(const struct wf_merge_options *o, size_t piece) {
    struct streamed r = {0};
    struct wf_slots_item item;
    uint64_t last = 0, late = 0;
    struct wf_merge *m = wf_merge_open(o, NULL);
    for (size_t at = 0; at < trace.len; at += piece) {
        size_t n = trace.len - at < piece ? trace.len - at : piece;
        uint8_t *copy = malloc(n);
        memcpy(copy, trace.bytes + at, n);
        wf_merge_feed(m, copy, n);
        while (wf_merge_next(m, &item)) {
            if (item.kind != WF_SLOTS_EVENT) continue;
            if (!r.events) r.waited = at + n;
            got[r.events++] = look(&item.event);
            if (item.event.tick < last) ++late;
            if (item.event.tick > last) last = item.event.tick;
        }
        free(copy);
    }
    wf_merge_feed(m, NULL, 0);
    wf_merge_end(m);
    while (wf_merge_next(m, &item)) {
        if (item.kind != WF_SLOTS_EVENT) continue;
        got[r.events++] = look(&item.event);
        if (item.event.tick < last) ++late;
        if (item.event.tick > last) last = item.event.tick;
    }
    r.late = wf_merge_late(m);
    assert_int_equal(r.late, late);
    assert_int_equal(wf_merge_error(m), WF_OK);
    wf_merge_close(m);
    return r;
}

static void test_stream(void **state) {
    (void)state;
    struct wf_merge_options o = {.size = sizeof o},
                            small = {.size = sizeof small, .memory = 1 << 14};
    uint64_t others;
    seed = 5;
    make(4, 400, 5000);
    size_t n = sort_all(&trace, o.slots, &others);
    struct streamed r = stream(&o, 1000);
    assert_int_equal(r.events, n);
    assert_int_equal(r.late, 0);
    assert_memory_equal(got, want, n * sizeof *want);
    assert_in_range(r.waited, 1, 1 << 16); // some were not held back
    r = stream(&small, 77);
    assert_int_equal(r.events, n);
    assert_in_range(r.late, 1, n);
    qsort(got, n, sizeof *got, by_time);
    assert_memory_equal(got, want, n * sizeof *want);
}

// Chunk `number` of a core whose ring the writer laps: some of its first slots, events, or what
// MADE and REFUSED count is lost.
static uint64_t put_lossy(struct trace *t, unsigned core, uint32_t number, uint64_t tick,
                          uint64_t made, uint64_t *refused) {
    const uint32_t time = (uint32_t)tick;
    uint64_t events = any(4) ? 0 : any(9);
    if (any(4) == 0) *refused += 1 + any(5);
    put_buffer(t, core, time, number);
    put_time(t, core, tick);
    put_own(t, core, WF_SLOT_OWN_MADE, time, made + events);
    put_own(t, core, WF_SLOT_OWN_REFUSED, time, *refused);
    const unsigned slots = any(12);
    for (unsigned i = 0; i < slots; ++i) {
        if (any(4) == 0)
            put_own(t, core, WF_SLOT_OWN_GONE, time, 1);
        else
            put_slot(t, HEAD(core, 4, 1), time + i, i, core);
        ++events;
    }
    return made + events;
}

// Adds the items that are there as text, with the tick of losses.
static void say_all(struct wf_merge *m, struct text *text) {
    struct wf_slots_item item;
    while (wf_merge_next(m, &item)) {
        if (item.kind == WF_SLOTS_LOSS) say(text, "%" PRIx64 " ", item.loss.tick_before);
        say_item(text, &item);
    }
}

// piece: bytes of a stream that are fed at a time; 0: a file
static struct text merged(size_t piece) {
    struct wf_merge_source source = {&trace, read_at};
    struct text text = {calloc(1, 1), 0};
    struct wf_merge *m = wf_merge_open(NULL, NULL);
    if (!piece) assert_int_equal(wf_merge_read(m, &source), WF_OK);
    for (size_t at = 0; piece && at < trace.len; at += piece) {
        wf_merge_feed(m, trace.bytes + at, trace.len - at < piece ? trace.len - at : piece);
        say_all(m, &text);
    }
    if (piece) {
        wf_merge_feed(m, NULL, 0);
        wf_merge_end(m);
    }
    say_all(m, &text);
    assert_int_equal(wf_merge_late(m), 0);
    wf_merge_close(m);
    return text;
}

// Losses are in the same places, however the bytes of a stream arrive, and as in a file.
static void test_losses_in_streams(void **state) {
    (void)state;
    pieces = 0;
    for (seed = 1; seed < 200; ++seed) {
        const uint32_t kept = seed;
        uint64_t made[3] = {0}, refused[3] = {0};
        unsigned losses = 0;
        trace.len = 0;
        put_text(&trace, OWN_HEADER("3"));
        for (uint32_t i = 0; i < 60; ++i) {
            const unsigned core = i % 3;
            made[core] =
                put_lossy(&trace, core, i / 3, 1000 + i * 40 + any(30), made[core], &refused[core]);
        }
        const struct text file = merged(0);
        for (const char *at = file.bytes; (at = strstr(at, "loss")); ++at) ++losses;
        assert_in_range(losses, 10, 200);
        for (size_t piece = 1; piece < 4000; piece = piece * 3 + 1) {
            const struct text streamed = merged(piece);
            assert_string_equal(streamed.bytes, file.bytes);
            free(streamed.bytes);
        }
        free(file.bytes);
        seed = kept;
    }
}

// A silent core delays the others, but only up to `delay`.
static void test_stream_delay(void **state) {
    (void)state;
    struct wf_merge_options o = {.size = sizeof o};
    trace.len = 0;
    put_text(&trace, OWN_HEADER("2"));
    put_time(&trace, 0, 0);
    put_time(&trace, 1, 0);
    for (uint32_t i = 1; i < 1000; ++i) put_slot(&trace, HEAD(0, 4, 1), i * 10, 0, 0);
    assert_int_equal(stream(&o, 100).waited, 0); // no event before the end
    o.delay = 500;
    assert_in_range(stream(&o, 100).waited, 200 + 16 * 50, 200 + 16 * 60 + 100);
}

static int64_t read_nothing(void *ctx, uint64_t offset, void *buf, size_t len) {
    return offset < 1000 ? read_at(ctx, offset, buf, len < 500 ? len : 500) : -1;
}

static void test_source_fails(void **state) {
    (void)state;
    struct wf_merge_source source = {&trace, read_nothing};
    struct wf_slots_item item;
    make(2, 40, 0);
    struct wf_merge *m = wf_merge_open(NULL, NULL);
    assert_int_equal(wf_merge_read(m, &source), WF_ERR_READ);
    while (wf_merge_next(m, &item)) assert_int_not_equal(item.kind, WF_SLOTS_EVENT);
    assert_int_equal(wf_merge_error(m), WF_ERR_READ);
    wf_merge_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_blocks_anywhere),
        cmocka_unit_test(test_damage_comes_too),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_losses_at_the_end),
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_losses_in_streams),
        cmocka_unit_test(test_stream_delay),
        cmocka_unit_test(test_source_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
