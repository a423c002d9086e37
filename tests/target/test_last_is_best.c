// SPDX-License-Identifier: MIT
// The promise of the frame recorder, against a model that remembers every record made: whatever the
// sizes, the drains and the loans, each frame a receiver accepts was recorded so, byte for byte and
// in order, and the loss that the stream tells is exactly what the recorder gave up.

#include "wf_test.h"

enum { MADE_MAX = 60000, RING_MAX = 2048 };

static struct {
    uint8_t *bytes;
    unsigned len;
} made[MADE_MAX]; // by number; SYNCs have none

static uint8_t ring[RING_MAX];
static uint32_t seed;

static uint32_t rnd(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static uint8_t any_byte(void) {
    static const uint8_t hard[] = {0x7D, 0x7E, 0x5D, 0x5E, 0x00, 0xFF, 0x7C, 0x7F};
    return rnd(3) ? (uint8_t)rnd(256) : hard[rnd(sizeof hard)];
}

struct host { // what a host knows
    struct receiver receiver;
    uint64_t number; // of the last record, exact after a SYNC
    uint64_t received, missing;
    uint64_t told_lost; // by SYNCs
    uint32_t told_refused;
    unsigned spoilt;
};

static uint64_t now_count(void) {
    struct wf_status s;
    wf_get_status(&s);
    return s.count;
}

static void remember(uint64_t number, unsigned id, const uint8_t *payload, unsigned len) {
    assert_in_range(number, 1, MADE_MAX - 1);
    made[number].bytes = malloc(len + 1);
    made[number].bytes[0] = (uint8_t)id;
    memcpy(made[number].bytes + 1, payload, len);
    made[number].len = len + 1;
}

static unsigned with_stamp(uint8_t *to) {
    for (unsigned i = 0; i < WF_CFG_TIME_SIZE; ++i) to[i] = (uint8_t)(fake_clock >> 8 * i);
    return WF_CFG_TIME_SIZE;
}

// A record of a random kind and length; what is expected of it is remembered under its number.
static void make_record(void) {
    uint8_t block[256], want[700];
    unsigned n = 0, len;
    fake_clock += rnd(3) ? rnd(5) : rnd(200);
    switch (rnd(4)) {
    case 0: // a fixed record
        WF_REC(isr_entry, 0, any_byte() & 0x7F, 0x7D);
        n = 0;
        break;
    case 1: // a text
        len = rnd(40);
        for (unsigned i = 0; i < len; ++i) block[i] = (uint8_t)(any_byte() | 1);
        block[len] = 0;
        wfi_emit_usr_dict(false, 0x7E, (const char *)block);
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
        return;
    }
    n = with_stamp(want);
    remember(now_count(), WF_ID_isr_entry, want, n); // its two fields are checked by length
}

static void check_frame(struct host *h, const struct frame *f) {
    if (f->bytes[1] == WF_ID_sync) {
        const uint8_t *p = f->bytes + 2;
        uint64_t count = le(p, 8), lost = le(p + 20, 8);
        uint32_t refused = (uint32_t)le(p + 28, 4);
        int at_hole = p[40];
        assert_int_equal((uint8_t)count, f->bytes[0]);
        assert_true(count > h->number);
        h->missing += count - h->number - (at_hole ? 0 : 1);
        h->received += !at_hole;
        h->number = count;
        if (lost > h->told_lost) h->told_lost = lost;
        if (refused > h->told_refused) h->told_refused = refused;
        return;
    }
    // Behind a hole a SYNC has set the number, so it must go on by one.
    assert_int_equal((uint8_t)(h->number + 1), f->bytes[0]);
    ++h->number;
    ++h->received;
    if (!made[h->number].bytes) return; // start-up
    assert_true(f->len - 1 >= made[h->number].len);
    assert_memory_equal(f->bytes + 1, made[h->number].bytes, made[h->number].len);
}

static void hear(struct host *h, uint8_t byte) {
    struct frame f;
    unsigned bad = h->receiver.bad;
    if (receive(&h->receiver, byte, &f)) check_frame(h, &f);
    h->spoilt += h->receiver.bad != bad;
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
    // While it is lent, records come; the loan must stay as it is.
    for (uint32_t n = rnd(3) ? 0 : rnd(12); n; --n) make_record();
    assert_memory_equal(copy, block, len);
    uint32_t sent = rnd(4) ? len : rnd(len + 1);
    for (uint32_t i = 0; i < sent; ++i) hear(h, copy[i]);
    wf_block_done(sent);
}

static void run(uint32_t size, unsigned records, unsigned eagerness) {
    struct host h = {.number = 0};
    memset(made, 0, sizeof made);
    fake_clock_step = 0;
    start(ring, size);
    wf_filter(WF_GRP_ALL);
    while (now_count() < records) {
        for (uint32_t n = rnd(eagerness ? 6 : 900); n && now_count() < records; --n) make_record();
        for (uint32_t n = rnd(eagerness + 2); n; --n) read_some(&h);
    }
    for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
    // A refusal at the very end is told by the SYNC before the next record.
    WF_REC(crit_entry, 0, 1);
    for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);

    struct wf_status s;
    wf_get_status(&s);
    assert_int_equal(h.number, s.count);
    assert_int_equal(h.received + h.missing, s.count);
    assert_int_equal(h.missing, s.lost);
    assert_int_equal(h.told_lost + h.told_refused, s.lost);
    assert_int_equal(fake_lock_errors, 0);
    assert_int_equal(fake_lock_depth, 0);
    for (unsigned i = 0; i < MADE_MAX; ++i) free(made[i].bytes);
}

static void every_ring_size_from_64(void **state) {
    (void)state;
    for (uint32_t size = 64; size <= 300; ++size) {
        seed = size;
        run(size, 1500, size % 5);
    }
}

static void random_rings_and_drains(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 60; ++i) {
        seed = 1000 + i;
        run(64 + rnd(RING_MAX - 64), 4000, i % 8);
    }
}

// Nobody reads while more than 256, and exactly 256 and 512, records go by.
static void holes_longer_than_the_sequence(void **state) {
    (void)state;
    for (unsigned burst = 250; burst < 530; ++burst) {
        struct host h = {.number = 0};
        memset(made, 0, sizeof made);
        start(ring, 400);
        wf_filter(WF_GRP_ALL);
        for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
        for (unsigned i = 0; i < burst; ++i) {
            fake_clock += 7;
            WF_REC(crit_entry, 0, (uint8_t)i);
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

// Whatever the bytes of the part that was sent, it must never pass for a frame.
static void a_frame_cut_in_the_middle_is_spoilt_for_certain(void **state) {
    (void)state;
    for (unsigned sent = 1; sent < 12; ++sent) {
        for (unsigned value = 0; value < 256; ++value) {
            struct host h = {.number = 0};
            memset(made, 0, sizeof made);
            start(ring, 128);
            wf_filter(WF_GRP_ALL);
            for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
            WF_REC(isr_entry, 0, (uint8_t)value, (uint8_t)(255 - value));
            for (unsigned i = 0; i < sent; ++i) {
                int b = wf_get_byte();
                if (b >= 0) hear(&h, (uint8_t)b);
            }
            unsigned good = h.receiver.good;
            unsigned in_frame = h.receiver.len != 0 || h.receiver.esc;
            for (unsigned i = 0; i < 30; ++i) WF_REC(crit_exit, 0, (uint8_t)i);
            for (int b; (b = wf_get_byte()) >= 0;) hear(&h, (uint8_t)b);
            assert_true(h.receiver.good > good);
            struct wf_status s;
            wf_get_status(&s);
            assert_int_equal(h.missing, s.lost);
            assert_int_equal(h.spoilt, in_frame);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ring_size_from_64),
        cmocka_unit_test(random_rings_and_drains),
        cmocka_unit_test(holes_longer_than_the_sequence),
        cmocka_unit_test(a_frame_cut_in_the_middle_is_spoilt_for_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
