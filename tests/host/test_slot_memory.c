// SPDX-License-Identifier: MIT
// The reader of the slot recorder's memory on rings written by hand: location of the memory, byte
// orders, overwritten, unfinished and corrupt slots, live reading, and invalid numbers.

#include "wf_test_slots.h"
#include "wallfly_host/wf_slot_memory.h"

enum { SLOTS = 64, CHUNK = 16, CORES = 2, ROOM = 1 << 16 };

struct memory {
    struct wf_slot_box box;
    struct {
        struct wf_slot_core numbers;
        struct wf_slot ring[SLOTS];
    } core[CORES];
} __attribute__((aligned(64)));

static struct memory mem;

static void start(void) {
    memset(&mem, 0, sizeof mem);
    memcpy(mem.box.magic, WF_SLOT_MAGIC, 8);
    mem.box.order = 0x01020304;
    mem.box.cores = CORES;
    mem.box.core_at = sizeof mem.box;
    mem.box.core_step = sizeof mem.core[0];
    mem.box.slots = SLOTS;
    mem.box.chunk = CHUNK;
    mem.box.hz = 1000;
    mem.box.build_id = 7;
    static const uint8_t sizes[5] = {0x12, 0x24, 0x48, 0x88, 0x80};
    memcpy(mem.box.sizes, sizes, sizeof sizes);
    mem.box.started = 1;
    for (unsigned core = 0; core < CORES; ++core) {
        for (unsigned i = 0; i < SLOTS; ++i) mem.core[core].ring[i].head = UINT32_C(0xFFF) << 20;
    }
}

// Takes slots; `extra` counts the slots that are not an event's first.
static uint64_t take(unsigned core, unsigned slots, unsigned events) {
    struct wf_slot_core *c = &mem.core[core].numbers;
    uint64_t both = (uint64_t)c->extra << 32 | c->next, position = c->at;
    both += 16 * slots + ((uint64_t)(slots - events) << 32);
    c->next = (uint32_t)both;
    c->extra = (uint32_t)(both >> 32);
    c->at += slots; // always up to date here
    c->made += events;
    return position;
}

static void write_slot(unsigned core, uint64_t position, uint32_t what, uint32_t time, uint64_t v) {
    struct wf_slot *s = &mem.core[core].ring[position % SLOTS];
    s->head = what | (uint32_t)(position / CHUNK & 0xFFF) << 20;
    s->time = time;
    s->word[0] = (uint32_t)v;
    s->word[1] = (uint32_t)(v >> 32);
}

// Writes an event, and a chunk head before it at the start of a chunk. Returns the event's
// position.
static uint64_t record(unsigned core, unsigned event, uint32_t time) {
    struct wf_slot_core *c = &mem.core[core].numbers;
    if (c->at % CHUNK == 0) {
        uint64_t made = c->made, p = take(core, 4, 0);
        write_slot(core, p, HEAD(0, 1, 2), time, (p / CHUNK & 0xFFFFFFFF) | (uint64_t)CHUNK << 32);
        write_slot(core, p + 1, HEAD(0, 1, 1), time, (uint64_t)time << 32);
        write_slot(core, p + 2, HEAD(0, 25, 1), time, made);
        write_slot(core, p + 3, HEAD(0, 25, 2), time, c->refused);
    }
    uint64_t p = take(core, 1, 1);
    write_slot(core, p, HEAD(0, 4, event), time, event);
    return p;
}

// The whole stream as text.
static struct text tell(const void *bytes, size_t len, struct wf_slots_ledger *ledger) {
    static struct trace t;
    struct wf_slot_memory *m = wf_slot_memory_open(bytes, len, NULL, NULL);
    assert_non_null(m);
    size_t n;
    t.len = 0;
    while ((n = wf_slot_memory_read(m, t.bytes + t.len, WF_SLOT_MEMORY_LEAST)) > 0) {
        t.len += n;
        assert_true(t.len + WF_SLOT_MEMORY_LEAST <= sizeof t.bytes);
    }
    assert_true(wf_slot_memory_done(m));
    wf_slot_memory_close(m);
    return read_trace(&t, NULL, 1000, ledger);
}

static void test_plain(void **state) {
    (void)state;
    struct wf_slots_ledger l;
    start();
    record(0, 1, 100);
    record(1, 2, 90);
    record(0, 3, 110);
    uint64_t p = take(0, 2, 1);
    write_slot(0, p, HEAD(0, 6, 9) | 1 << 18, 120, 5);
    write_slot(0, p + 1, HEAD(0, 6, 9) | 3 << 18, 120, 6);
    mem.core[1].numbers.refused = 4;
    struct text got = tell(&mem, sizeof mem, &l);
    assert_string_equal(got.bytes, "header\nc0 4/1 64 1 0\nc0 4/3 6e 3 0\nc0 6/9 78 5 0 6 0\n"
                                   "c1 4/2 5a 2 0\nloss c1 refused 4\n");
    assert_true(l.exact);
    free(got.bytes);
}

static void test_anywhere(void **state) {
    (void)state;
    static uint8_t image[3 * sizeof mem];
    struct wf_slots_ledger l;
    start();
    record(1, 2, 90);
    for (size_t at = 0; at < 100; at += 4) {
        memset(image, 0xA5, sizeof image);
        memcpy(image + 4, WF_SLOT_MAGIC, 8); // the magic alone, as among a program's constants
        memcpy(image + 16 + at, &mem, sizeof mem);
        struct guarded g = guard(image, 16 + at + sizeof mem); // the image ends there
        struct text got = tell(g.bytes, 16 + at + sizeof mem, &l);
        assert_string_equal(got.bytes, "header\nc1 4/2 5a 2 0\n");
        free(got.bytes);
        unguard(&g);
    }
}

static void swap_words(void *p, size_t len) {
    uint32_t *w = p;
    for (size_t i = 0; i < len / 4; ++i) w[i] = __builtin_bswap32(w[i]);
}

static void test_other_byte_order(void **state) {
    (void)state;
    struct wf_slots_ledger l;
    start();
    for (unsigned i = 0; i < 100; ++i) record(0, i, 100 + i);
    struct text want = tell(&mem, sizeof mem, &l);
    swap_words(&mem.box.order, offsetof(struct wf_slot_box, sizes) - 8);
    for (unsigned core = 0; core < CORES; ++core) {
        struct wf_slot_core *c = &mem.core[core].numbers;
        c->next = __builtin_bswap32(c->next);
        c->extra = __builtin_bswap32(c->extra);
        c->at = __builtin_bswap64(c->at);
        c->made = __builtin_bswap64(c->made);
        swap_words(mem.core[core].ring, sizeof mem.core[core].ring);
    }
    struct text got = tell(&mem, sizeof mem, &l);
    assert_string_equal(got.bytes, want.bytes);
    assert_int_equal(l.events + l.lost, 100);
    free(want.bytes);
    free(got.bytes);
}

// Every end position of the ring, also where positions wrap at 32 bits.
static void test_written_over(void **state) {
    (void)state;
    static const uint64_t from[] = {0, (UINT64_C(1) << 28) - 160, (UINT64_C(5) << 28) - 96};
    for (size_t start_at = 0; start_at < 3; ++start_at) {
        start();
        struct wf_slot_core *c = &mem.core[0].numbers;
        c->at = from[start_at];
        c->next = (uint32_t)(c->at * 16);
        c->made = c->at / 2;
        c->extra = (uint32_t)(c->at - c->made + (c->at >> 28));
        uint64_t made = c->made;
        for (unsigned i = 1; i < 300; ++i) {
            struct wf_slots_ledger l;
            record(0, i, 100 + i);
            struct text got = tell(&mem, sizeof mem, &l);
            assert_int_equal(l.events + l.lost, made + i);
            assert_true(l.exact);
            assert_int_equal(l.gone + l.slots - 4 - (l.gone != 0), c->at);
            assert_true(i < 60 || l.events >= SLOTS - CHUNK - 4 * SLOTS / CHUNK);
            free(got.bytes);
        }
    }
}

static void test_unfinished_and_spoilt(void **state) {
    (void)state;
    struct wf_slots_ledger l;
    start();
    record(0, 1, 100);
    take(0, 1, 1); // never written
    record(0, 3, 110);
    uint64_t spoilt = record(0, 4, 120);
    record(0, 5, 130);
    write_slot(0, spoilt, HEAD(0, 4, 99), 50, 99); // from an earlier round, with the same tag
    struct text got = tell(&mem, sizeof mem, &l);
    assert_string_equal(got.bytes, "header\nc0 4/1 64 1 0\nloss c0 slots 1\nc0 4/3 6e 3 0\n"
                                   "loss c0 slots 1\nc0 4/5 82 5 0\nloss c0 2\n");
    assert_true(l.exact);
    free(got.bytes);
}

static size_t poll_live(struct wf_slot_memory *m, struct wf_slots *s, struct text *text) {
    static uint8_t buf[4096];
    struct wf_slots_item item;
    size_t n = wf_slot_memory_read(m, buf, sizeof buf);
    wf_slots_feed(s, buf, n);
    while (wf_slots_next(s, &item)) say_item(text, &item);
    return n;
}

static void read_live(bool keep) {
    struct wf_slot_memory_options options = {.size = sizeof options, .live = true, .taking = true};
    struct text text = {calloc(1, 1), 0};
    start();
    mem.box.keep_oldest = keep;
    record(0, 1, 100);
    struct wf_slot_memory *m = wf_slot_memory_open(&mem, sizeof mem, &options, NULL);
    struct wf_slots *s = wf_slots_open(NULL, NULL);
    poll_live(m, s, &text);
    assert_string_equal(text.bytes, "header\nc0 4/1 64 1 0\n");
    assert_int_equal(mem.core[0].numbers.tail, keep ? 5 * 16 : 0);
    uint64_t held = take(0, 1, 1); // its writer was interrupted
    record(0, 3, 110);
    assert_int_equal(poll_live(m, s, &text), 0);
    assert_int_equal(mem.core[0].numbers.tail, keep ? 5 * 16 : 0);
    write_slot(0, held, HEAD(0, 4, 2), 105, 2);
    poll_live(m, s, &text);
    assert_string_equal(text.bytes, "header\nc0 4/1 64 1 0\nc0 4/2 69 2 0\nc0 4/3 6e 3 0\n");
    held = take(0, 1, 1);
    for (unsigned i = 0; i < 30; ++i) record(0, 4, 120);
    assert_int_equal(poll_live(m, s, &text), 0);
    for (unsigned i = 0; i < 10; ++i) record(0, 5, 130); // its chunk would soon be overwritten
    if (keep) {
        assert_int_equal(poll_live(m, s, &text), 0);
        wf_slot_memory_skip(m);
    }
    poll_live(m, s, &text);
    assert_non_null(strstr(text.bytes, "c0 4/3 6e 3 0\nloss c0 slots 1\nc0 4/4 78 4 0\n"));
    wf_slot_memory_end(m);
    while (!wf_slot_memory_done(m)) poll_live(m, s, &text);
    wf_slots_end(s);
    struct wf_slots_item item;
    while (wf_slots_next(s, &item)) say_item(&text, &item);
    assert_int_equal(wf_slots_get_ledger(s)->events, 43);
    assert_int_equal(wf_slots_get_ledger(s)->lost, 1);
    assert_true(wf_slots_get_ledger(s)->exact);
    free(text.bytes);
    wf_slots_close(s);
    wf_slot_memory_close(m);
}

static void test_live(void **state) {
    (void)state;
    read_live(true);
}
static void test_live_unkept(void **state) {
    (void)state;
    read_live(false);
}

static void refuse(size_t len, const char *why) {
    struct wf_error error;
    assert_null(wf_slot_memory_open(&mem, len, NULL, &error));
    assert_int_equal(error.code, WF_ERR_BAD_BOX);
    if (!strstr(error.text, why)) fail_msg("'%s', not '%s'", error.text, why);
}

static void test_refused(void **state) {
    (void)state;
    start();
    refuse(sizeof mem - 1, "not all of its rings are in the image");
    refuse(40, "no memory of the slot recorder in 40 bytes");
    mem.box.started = 0;
    refuse(sizeof mem, "was not started");
    start();
    mem.box.cores = 65;
    refuse(sizeof mem, "number of cores");
    start();
    mem.box.slots = 63;
    refuse(sizeof mem, "numbers of slots");
    start();
    mem.box.core_step = 0xFFFFFFF0;
    refuse(sizeof mem, "not all of its rings");
    start();
    mem.box.core_at = 8;
    refuse(sizeof mem, "cannot lie at these offsets");
}

// With any numbers, reading ends and stays inside the memory.
static void test_hostile(void **state) {
    (void)state;
    uint32_t x = 1;
    start();
    for (unsigned i = 0; i < 200; ++i) record(i % 2, i, 100 + i);
    struct memory good = mem;
    for (unsigned i = 0; i < 3000; ++i) {
        struct wf_slots_ledger l;
        mem = good;
        for (unsigned n = 0; n < 3; ++n) {
            x = x * 1664525 + 1013904223;
            size_t at = sizeof mem.box + (x >> 8) % (sizeof mem - sizeof mem.box);
            if (n) at = sizeof mem.box + at % 56; // the numbers of core 0
            ((uint8_t *)&mem)[at] = (uint8_t)(x >> 3);
        }
        struct guarded g = guard((uint8_t *)&mem, sizeof mem);
        struct text got = tell(g.bytes, sizeof mem, &l);
        assert_true(l.slots <= CORES * (2 * SLOTS + 3));
        free(got.bytes);
        unguard(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_anywhere),
        cmocka_unit_test(test_other_byte_order),
        cmocka_unit_test(test_written_over),
        cmocka_unit_test(test_unfinished_and_spoilt),
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_live_unkept),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
