// SPDX-License-Identifier: MIT
// Every order of DEPTH steps of a writer and a reader, on the smallest ring: records of all
// lengths, refused ones, wraps of the clock, interrupts that make records before a critical section
// of another record or of the reader, bytes and blocks that are lent and given back at any time or
// never. After each step the lent bytes are unchanged; after each order the rest is read, and the
// model agrees with the stream and with the recorder's counts. The orders begin at many places of
// the ring and of the sequence, with an empty ring and a full one.
//
// DEPTH in the environment: the number of steps; default 4.

#include "stream_model.h"

enum { SIZE = WF_RING_MIN, DEPTH = 4, BEGINS = 16, LENT = 20 };

// All state that a step can change.
struct state {
    struct wfi_recorder recorder;
    uint8_t ring[SIZE];
    struct host host;
    uint64_t clock, made_last;
    const uint8_t *block; // lent, and not yet given back
    uint32_t lent;
    uint8_t copy[LENT];
};

int fake_preempt_in;
void (*fake_preempt)(void);
static struct state now; // except the state in other variables
static unsigned long orders;

static void save(struct state *to) {
    now.recorder = wfi;
    memcpy(now.ring, ring, SIZE);
    now.clock = fake_clock;
    now.made_last = made_last;
    *to = now;
}

static void restore(const struct state *from) {
    now = *from;
    wfi = now.recorder;
    memcpy(ring, now.ring, SIZE);
    fake_clock = now.clock;
    for (; made_last > now.made_last; --made_last) made[made_last].len = 0;
}

// ---- steps ----

static void remember_short(void) {
    uint8_t want[WF_CFG_TIME_SIZE + 2];
    unsigned n = with_stamp(want);
    want[n++] = 0x7E;
    want[n++] = 0x7D;
    remember(now_count(), WF_ID_isr_entry, want, n);
}

static void make_shortest(void) {
    WF_REC0(qf_run, 0);
    remember(now_count(), WF_ID_qf_run, (const uint8_t *)"", 0);
}

// The stamp is taken when a record gets its place, so after a preceding interrupt.
static void make_short(void) {
    fake_clock += 3;
    WF_REC(isr_entry, 0, 0x7E, 0x7D);
    remember_short();
}

static void make_of(uint8_t len) {
    static uint8_t bytes[255];
    uint8_t want[WF_CFG_TIME_SIZE + 2 + 255];
    fake_clock += 5;
    unsigned n = with_stamp(want);
    WF_RECORD(WF_USER + 3, 0, WF_MEM(bytes, len));
    want[n++] = 9;
    want[n++] = len;
    memcpy(want + n, bytes, len);
    if (n + len + 4 < SIZE) remember(now_count(), WF_USER + 3, want, n + len); // else it is refused
}

static void make_some_bytes(void) { make_of((uint8_t)(7 * made_last % 31)); }
static void make_long(void) { make_of(SIZE - 20); }
static void make_too_long(void) { make_of(SIZE); }

// The next record's stamp is less than the last one's.
static void wrap_clock(void) { fake_clock += WF_CFG_TIME_SIZE < 8 ? (wf_stamp)-50 : 1000000; }

static void wrap_and_make_short(void) {
    wrap_clock();
    make_short();
}

static void wrap_and_make_too_long(void) {
    wrap_clock();
    make_too_long();
}

static void hear_lent(uint32_t sent) {
    for (uint32_t i = 0; i < sent; ++i) hear(&now.host, now.copy[i]);
    now.lent = 0;
}

static void with_interrupt(void (*step)(void), int at, void (*by)(void)) {
    fake_preempt = by;
    fake_preempt_in = at;
    step();
    fake_preempt_in = 0;
}

static void make_short_late(void) { with_interrupt(make_short, 1, make_short); }
static void make_short_at_wrap(void) { with_interrupt(make_short, 1, wrap_and_make_short); }

// Lent bytes count as sent when the next block is taken.
static void borrow(uint32_t most) {
    hear_lent(now.lent);
    now.lent = wf_get_block(&now.block, most);
    assert_true(now.lent <= most);
    memcpy(now.copy, now.block, now.lent);
}

static void borrow_byte(void) { borrow(1); }
static void borrow_block(void) { borrow(LENT); }

static void borrow_late(void) { with_interrupt(borrow_block, 1, make_long); }
static void borrow_later(void) { with_interrupt(borrow_block, 2, make_long); }

static void give_back_all(void) {
    wf_block_done(now.lent);
    hear_lent(now.lent);
}

static void give_back_half(void) {
    wf_block_done(now.lent / 2);
    hear_lent(now.lent / 2);
}

static void (*const steps[])(void) = {
    make_shortest,      make_short,      make_some_bytes,     make_long,
    make_too_long,      make_short_late, wrap_and_make_short, wrap_and_make_too_long,
    make_short_at_wrap, borrow_byte,     borrow_block,        borrow_late,
    borrow_later,       give_back_all,   give_back_half,
};

// ---- orders ----

static void read_all(void) {
    give_back_all();
    for (uint32_t len; (len = wf_get_block(&now.block, UINT32_MAX)) != 0; wf_block_done(len)) {
        for (uint32_t i = 0; i < len; ++i) hear(&now.host, now.block[i]);
    }
}

static void check_end(void) {
    read_all();
    make_short(); // the SYNC before the next record reports a refusal at the end
    read_all();
    struct wf_status s;
    wf_get_status(&s);
    const struct host *h = &now.host;
    assert_int_equal(h->received + s.lost, s.count);
    assert_int_equal(h->number, s.count);
    assert_int_equal(h->missing, s.lost);
    assert_int_equal(h->sync_lost + h->sync_refused, s.lost);
    assert_int_equal(h->sync_cut, h->spoilt);
    assert_int_equal(fake_lock_errors, 0);
    ++orders;
}

static void go_on(unsigned depth) {
    struct state before;
    save(&before);
    if (!depth) {
        check_end();
        restore(&before);
        return;
    }
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; ++i) {
        steps[i]();
        assert_memory_equal(now.copy, now.block, now.lent);
        go_on(depth - 1);
        restore(&before);
    }
}

// Start state of the orders: position in the ring and sequence number; full: of unread records.
static void begin(unsigned records, bool full) {
    memset(&now, 0, sizeof now);
    fake_clock = 1000;
    fresh(SIZE);
    now.block = ring;
    make_of((uint8_t)(records % 16));
    read_all();
    for (unsigned i = 0; i < records; ++i) {
        make_short();
        read_all();
    }
    for (unsigned i = 0; full && i < SIZE / 9; ++i) make_short();
}

static void every_order(void **state) {
    const char *const text = getenv("DEPTH");
    const unsigned depth = text ? (unsigned)atoi(text) : DEPTH;
    unsigned long expected = BEGINS * 2;
    (void)state;
    for (unsigned i = 0; i < depth; ++i) expected *= sizeof steps / sizeof *steps;
    for (unsigned i = 0; i < BEGINS; ++i) {
        // Half of them are before a multiple of 256.
        const unsigned records = i % 2 ? 256 - BEGINS / 2 + i : i / 2;
        for (int full = 0; full < 2; ++full) {
            begin(records, full);
            go_on(depth);
        }
    }
    assert_int_equal(orders, expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
