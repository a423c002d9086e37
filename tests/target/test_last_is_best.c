// SPDX-License-Identifier: MIT
// The guarantee of the frame recorder, against a model that stores every record made: for all
// sizes, drains and loans, each frame that a receiver accepts was recorded, byte for byte and in
// order; the loss reported by the stream is exactly the number of dropped records; and every stamp
// extends to the 64-bit time of its record, over wraps and losses. Without SYNC records (a pure
// QP/Spy stream) the bytes and the recorder's own count must still be right.

#include "stream_model.h"

static uint32_t seed;

static uint32_t rnd(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static uint8_t any_byte(void) {
    static const uint8_t hard[] = {0x7D, 0x7E, 0x5D, 0x5E, 0x00, 0xFF, 0x7C, 0x7F};
    return rnd(3) ? (uint8_t)rnd(256) : hard[rnd(sizeof hard)];
}

static void make_short_record(uint8_t nest, uint8_t prio) {
    uint8_t want[WF_CFG_TIME_SIZE + 2];
    unsigned n = with_stamp(want);
    want[n++] = nest;
    want[n++] = prio;
    WF_REC(isr_entry, 0, nest, prio);
    remember(now_count(), WF_ID_isr_entry, want, n);
}

// Makes a record of a random kind and length; the model stores it by its number.
static void make_record(void) {
    uint8_t block[256], want[700];
    unsigned n = 0, len;
    fake_clock += rnd(3) ? rnd(5) : rnd(200);
    switch (rnd(4)) {
    case 0: make_short_record(any_byte(), any_byte()); return;
    case 1: // a text
        len = rnd(40);
        for (unsigned i = 0; i < len; ++i) block[i] = (uint8_t)(any_byte() | 1);
        block[len] = 0;
        wfi_emit_usr_dict(0x7E, (const char *)block);
        want[n++] = 0x7E;
        memcpy(want + n, block, len + 1);
        remember(now_count(), WF_ID_usr_dict, want, n + len + 1);
        return;
    default: // elements
        len = rnd(rnd(6) ? 24 : 200);
        for (unsigned i = 0; i < len; ++i) block[i] = any_byte();
        WF_RECORD(WF_USER + 3, 0, WF_U32(0, 0x7D7E0000u | len), WF_MEM(block, (uint8_t)len));
        n = with_stamp(want);
        want[n++] = 5;
        for (unsigned i = 0; i < 4; ++i) want[n++] = (uint8_t)((0x7D7E0000u | len) >> 8 * i);
        want[n++] = 9;
        want[n++] = (uint8_t)len;
        memcpy(want + n, block, len);
        remember(now_count(), WF_USER + 3, want, n + len);
    }
}

static void read_some(struct host *h) {
    const uint8_t *block;
    if (rnd(2)) {
        int b;
        for (uint32_t n = rnd(80); n && (b = wf_get_byte()) >= 0; --n) hear(h, (uint8_t)b);
        return;
    }
    uint32_t len = wf_get_block(&block, 1 + rnd(100));
    uint8_t copy[128];
    memcpy(copy, block, len);
    // Records are made during the loan; the lent bytes must not change.
    for (uint32_t n = rnd(3) ? 0 : rnd(12); n; --n) make_record();
    assert_memory_equal(copy, block, len);
    uint32_t sent = rnd(4) ? len : rnd(len + 1);
    for (uint32_t i = 0; i < sent; ++i) hear(h, copy[i]);
    wf_block_done(sent);
}

static void run(uint32_t size, unsigned records, unsigned eagerness) {
    struct host h = {.number = 0};
    fresh(size);
    while (now_count() < records) {
        for (uint32_t n = rnd(eagerness ? 6 : 900); n && now_count() < records; --n) make_record();
        for (uint32_t n = rnd(eagerness + 2); n; --n) read_some(&h);
    }
    for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
    // The SYNC before the next record reports a refusal at the very end.
    make_short_record(0, 1);
    for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);

    struct wf_status s;
    wf_get_status(&s);
    if (WF_CFG_SYNC) {
        assert_int_equal(h.number, s.count);
        assert_int_equal(h.missing, s.lost);
        assert_int_equal(h.sync_lost + h.sync_refused, s.lost);
    }
    assert_int_equal(h.received + s.lost, s.count);
    if (WF_CFG_SYNC) assert_int_equal(h.sync_cut, h.spoilt);
    if (WFI_STAGE > 2 * WF_CFG_RECORD_MAX) assert_int_equal(h.spoilt, 0); // all frames fit in it
    assert_int_equal(fake_lock_errors, 0);
    assert_int_equal(fake_lock_depth, 0);
}

static void every_ring_size_from_128(void **state) {
    (void)state;
    for (uint32_t size = WF_RING_MIN; size <= 350; ++size) {
        seed = size;
        run(size, 1500, size % 5);
    }
}

static void random_rings_and_drains(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 60; ++i) {
        seed = 1000 + i;
        run(WF_RING_MIN + rnd(RING_MAX - WF_RING_MIN), 4000, i % 8);
    }
}

// More than 256 records, and exactly 256 and 512, are made without a read.
static void holes_longer_than_the_sequence(void **state) {
    (void)state;
    if (!WF_CFG_SYNC) skip();
    for (unsigned burst = 250; burst < 530; ++burst) {
        struct host h = {.number = 0};
        fresh(400);
        for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
        for (unsigned i = 0; i < burst; ++i) {
            fake_clock += 7;
            make_short_record((uint8_t)i, 0);
        }
        for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
        struct wf_status s;
        wf_get_status(&s);
        assert_int_equal(h.number, s.count);
        assert_int_equal(h.missing, s.lost);
        assert_int_equal(h.received + h.missing, s.count);
        assert_true(s.lost > 100);
    }
}

// Nothing is written to a ring below the minimum size; all records are refused.
static void a_ring_too_small_is_refused(void **state) {
    static struct wf_config config = {.ring = ring, .hz = 1};
    (void)state;
    fresh(RING_MAX);
    for (uint32_t size = 0; size < WF_RING_MIN; ++size) {
        config.ring_size = size;
        memset(ring, 0xA5, sizeof ring);
        assert_false(wf_start(&config));
        wf_filter(WF_GRP_ALL);
        for (uint8_t i = 0; i < 3; ++i) make_short_record(i, 0);
        WF_RECORD(WF_USER, 0, WF_STR("a text"), WF_U32(0, size));
        assert_int_equal(wf_get_byte(), -1);
        for (unsigned i = 0; i < sizeof ring; ++i) assert_int_equal(ring[i], 0xA5);
    }
    config.ring_size = WF_RING_MIN;
    assert_true(wf_start(&config));
}

// Records come many times faster than they are read, permanently: some still get through, between
// the SYNCs of the losses, and the rest is counted.
static void an_overrun_reader_gets_records_through(void **state) {
    (void)state;
    if (!WF_CFG_SYNC || WF_CFG_TIME_SIZE == 1) skip(); // one-byte stamps wrap with every frame
    for (unsigned slower = 2; slower <= 32; slower *= 2) {
        struct host h = {.number = 0};
        unsigned sent = 0, frame = 2 + WF_CFG_TIME_SIZE + 4;
        fresh(600);
        for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
        h.receiver.good = 0;
        while (made_last < 6000) {
            for (unsigned i = 0; i < slower; ++i) make_short_record((uint8_t)i, 0);
            for (unsigned i = 0; i < frame; ++i) {
                int b = wf_get_byte();
                sent += b >= 0;
                if (b >= 0) hear(&h, (uint8_t)b);
            }
        }
        assert_true(h.receiver.good * frame > sent / 4); // with SYNCs, which are six times as long
        for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
        struct wf_status s;
        wf_get_status(&s);
        assert_int_equal(h.received + s.lost, s.count);
        assert_int_equal(h.missing, s.lost);
    }
}

// With any bytes, the sent part must never be a valid frame. A frame that fits in the stage is
// never cut.
static void a_frame_cut_in_the_middle_is_spoilt_for_certain(void **state) {
    static uint8_t block[255];
    (void)state;
    for (unsigned len = 40; len < 220; len += 43) {
        for (unsigned sent = 1; sent < len; sent += 1 + sent / 8) {
            for (unsigned value = 0; value < 256; value += sent % 3 + 1) {
                struct host h = {.number = 0};
                fresh(600);
                for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
                memset(block, (int)value, sizeof block);
                WF_RECORD(WF_USER + 3, 0, WF_MEM(block, (uint8_t)len));
                uint8_t want[240];
                unsigned n = with_stamp(want);
                want[n++] = 9;
                want[n++] = (uint8_t)len;
                memcpy(want + n, block, len);
                remember(now_count(), WF_USER + 3, want, n + len);
                for (unsigned i = 0; i < sent; ++i) {
                    int b = wf_get_byte();
                    if (b >= 0) hear(&h, (uint8_t)b);
                }
                const bool in_parts = wfi.part; // and the rest is still in the ring
                if (!sent || n + len + 3 > sent + WFI_STAGE) assert_int_equal(in_parts, sent != 0);
                if (2 * (n + len + 3) < WFI_STAGE) assert_false(in_parts);
                unsigned good = h.receiver.good;
                for (unsigned i = 0; i < 80; ++i) make_short_record((uint8_t)i, 2);
                for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
                assert_true(h.receiver.good > good);
                struct wf_status s;
                wf_get_status(&s);
                assert_int_equal(h.received + s.lost, s.count);
                assert_int_equal(h.spoilt, in_parts);
                if (WF_CFG_SYNC) assert_int_equal(h.sync_cut, h.spoilt);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ring_size_from_128),
        cmocka_unit_test(random_rings_and_drains),
        cmocka_unit_test(holes_longer_than_the_sequence),
        cmocka_unit_test(a_ring_too_small_is_refused),
        cmocka_unit_test(an_overrun_reader_gets_records_through),
        cmocka_unit_test(a_frame_cut_in_the_middle_is_spoilt_for_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
