// SPDX-License-Identifier: MIT
// The black box keeps its contents over a reset: the ring's frames continue in one stream, every
// record has its number and time, the loss is exact. Incomplete contents are refused, and recording
// starts anew. A reset may come between any two instructions; on a CPU with single stepping, each
// one is tested.

#ifdef __x86_64__
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>
#endif

#include "wf_test.h"

enum { RING = 700, SNAPS = 60000 };

static uint8_t ring[RING];
static struct wf_config config;
static uint32_t seed;

struct snap { // the memory that keeps its contents over a reset
    struct wfi_recorder wfi;
    uint8_t ring[RING];
};

static uint32_t rnd(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static void power_on(uint32_t size, bool keep) {
    config = (struct wf_config){
        .ring = ring, .ring_size = size, .hz = 1000000, .build_id = 7, .keep = keep};
    fake_lock_depth = fake_lock_errors = 0;
    assert_true(wf_start(&config));
    wf_filter(WF_GRP_ALL);
}

static void take_snap(struct snap *s) {
    memcpy(&s->wfi, &wfi, sizeof wfi);
    memcpy(s->ring, ring, sizeof ring);
}

static void restore(const struct snap *s) {
    memcpy(&wfi, &s->wfi, sizeof wfi);
    memcpy(ring, s->ring, sizeof ring);
}

// Each record has a value that increases by one, and the full time.
static uint32_t made;

static void record(void) {
    static const uint8_t hard[] = {0x7D, 0x7E, 0x5D, 0x5E, 0x7D};
    fake_clock += rnd(20) ? rnd(50) : rnd(1u << 16);
    uint32_t value = made++;
    if (rnd(3))
        WF_RECORD(WF_USER, 0, WF_U32(0, value), WF_U64(0, fake_clock));
    else
        WF_RECORD(WF_USER, 0, WF_U32(0, value), WF_U64(0, fake_clock),
                  WF_MEM(hard, (uint8_t)rnd(6)));
}

struct host {
    struct receiver receiver;
    uint64_t number, received, missing, told;
    bool joined;           // it has received a number
    uint32_t value;        // of the last record + 1
    unsigned infos, users; // target infos; records of ours
    uint64_t base;
    uint64_t time; // of the last record
    bool loose;    // the time may be wrong by one wrap
};

static uint64_t extended(uint64_t base, uint64_t stamp) {
    uint64_t ticks = (base - (wf_stamp)base) + stamp;
    return ticks >= base || sizeof(wf_stamp) == 8 ? ticks : ticks + ((uint64_t)(wf_stamp)-1) + 1;
}

static void hear(struct host *h, uint8_t byte) {
    struct frame f;
    if (!receive(&h->receiver, byte, &f)) return;
    const uint8_t *p = f.bytes + 2;
    if (f.bytes[1] == WF_ID_sync) {
        uint64_t count = le(p, 8);
        if (count == h->number && (p[40] & 1)) return; // a repetition
        if (h->joined) assert_true(count > h->number);
        h->missing += count - h->number - (p[40] & 1 ? 0 : 1);
        h->received += !(p[40] & 1);
        h->number = count;
        if (sizeof(wf_stamp) < 8 && !h->loose) assert_true(le(p + 8, 8) >= h->base);
        h->base = le(p + 8, 8);
        h->joined = true;
        h->told = le(p + 20, 8) + le(p + 28, 4);
        return;
    }
    if ((uint8_t)(h->number + 1) != f.bytes[0])
        fail_msg("%u after %u", f.bytes[0], (unsigned)h->number);
    ++h->number;
    ++h->received;
    h->infos += f.bytes[1] == WF_ID_target_info;
    if (f.bytes[1] != WF_USER) return;
    ++h->users;
    const uint8_t *q = p + sizeof(wf_stamp);
    uint32_t value = (uint32_t)le(q + 1, 4);
    assert_true(value >= h->value);
    h->value = value + 1;
    uint64_t time = extended(h->base, le(p, sizeof(wf_stamp)));
    if (sizeof(wf_stamp) < 8 && !h->loose) assert_true(time >= h->time);
    h->time = time;
}

static void hear_all(struct host *h) {
    for (int b; (b = wf_get_byte()) >= 0;) hear(h, (uint8_t)b);
}

static void check_exact(const struct host *h) {
    struct wf_status s;
    wf_get_status(&s);
    assert_int_equal(h->number, s.count);
    assert_int_equal(h->missing, s.lost);
    assert_int_equal(h->received + s.lost, s.count);
    assert_int_equal(fake_lock_errors, 0);
}

static void a_first_start_keeps_nothing(void **state) {
    (void)state;
    memset(&wfi, 0xA5, sizeof wfi);
    power_on(sizeof ring, true);
    assert_false(wf_was_kept());
    assert_int_equal(wf_get_byte(), 1); // EMPTY
    memset(&wfi, 0, sizeof wfi);
    power_on(sizeof ring, true);
    assert_false(wf_was_kept());
}

static void nothing_is_kept_unless_asked(void **state) {
    (void)state;
    power_on(sizeof ring, false);
    power_on(sizeof ring, false);
    assert_false(wf_was_kept());
    power_on(sizeof ring, true);
    assert_true(wf_was_kept());
    power_on(sizeof ring, false);
    assert_false(wf_was_kept());
}

// Runs of random length, drained in random parts; each ends with a reset. One receiver decodes all.
static void resets_are_part_of_one_stream(void **state) {
    (void)state;
    unsigned spoilt = 0;
    for (uint32_t round = 0; round < 400; ++round) {
        struct host h = {.number = 0};
        uint32_t size = WF_RING_MIN + rnd(RING - WF_RING_MIN);
        seed = round;
        made = 0;
        power_on(size, false);
        for (unsigned resets = 0; resets < 6; ++resets) {
            for (uint32_t i = rnd(40); i; --i) {
                for (uint32_t k = rnd(round % 3 ? 4 : 90); k; --k) record();
                const uint8_t *block;
                uint32_t len = wf_get_block(&block, rnd(60));
                for (uint32_t k = 0; k < len; ++k) hear(&h, block[k]);
                wf_block_done(len);
            }
            fake_clock = rnd(2) ? rnd(1000) : fake_clock;
            power_on(size, true);
            assert_true(wf_was_kept());
        }
        hear_all(&h);
        record();
        hear_all(&h);
        check_exact(&h);
        assert_int_equal(h.value, made);
        spoilt += h.receiver.bad;
    }
    assert_true(spoilt > 100); // frames that were sent in part were closed
}

// The numbers, the time when the clock restarts, and the records about the reset.
static void time_and_numbers_go_on(void **state) {
    (void)state;
    struct host h = {.number = 0};
    made = 0;
    fake_clock = 5000;
    power_on(sizeof ring, false);
    for (unsigned i = 0; i < 5; ++i) record();
    uint64_t before = wfi.wraps;
    struct wf_status s;
    wf_get_status(&s);
    fake_clock = 10;
    power_on(sizeof ring, true);
    if (sizeof(wf_stamp) == 4) assert_int_equal(wfi.wraps, before + 1);
    struct wf_status now;
    wf_get_status(&now);
    assert_int_equal(now.count, s.count + 2); // SYNC, TARGET_INFO
    record();
    hear_all(&h);
    check_exact(&h);
    assert_int_equal(h.infos, 2);
    assert_int_equal(h.value, 6);
    if (sizeof(wf_stamp) == 4) assert_int_equal(h.time >> 32, before + 1);
    assert_false(wfi.glb[WF_ID_isr_entry / 8] == 0);
    power_on(sizeof ring, true);
    config.keep = true;
    wf_start(&config);
    assert_int_equal(wfi.glb[WF_USER / 8] >> WF_USER % 8 & 1, 0); // filters are reset
}

// A change in the block's fixed part or in the frames: the contents are refused.
static void what_is_damaged_is_refused(void **state) {
    static struct snap good;
    (void)state;
    made = 0;
    seed = 3;
    fake_clock = 0;
    power_on(400, false);
    for (unsigned i = 0; i < 40; ++i) record();
    take_snap(&good);
    power_on(400, true);
    assert_true(wf_was_kept());
    for (unsigned bit = 0; bit < 8; ++bit) {
        for (size_t i = 0; i < sizeof wfi.box; ++i) {
            restore(&good);
            ((uint8_t *)&wfi.box)[i] ^= (uint8_t)(1u << bit);
            power_on(400, true);
            assert_false(wf_was_kept());
        }
        const size_t from = offsetof(struct wfi_recorder, self);
        for (size_t i = 0; i < sizeof(void *) * 3; ++i) {
            restore(&good);
            ((uint8_t *)&wfi)[from + i] ^= (uint8_t)(1u << bit);
            power_on(400, true);
            assert_false(wf_was_kept());
        }
        for (const uint8_t *p = good.wfi.tail; p != good.wfi.next;
             p = p + 1 == good.wfi.turn ? good.wfi.ring : p + 1) {
            restore(&good);
            ring[p - ring] ^= (uint8_t)(1u << bit);
            power_on(400, true);
            assert_false(wf_was_kept());
        }
    }
    // Ends inside of frames, or with more than one frame missing. One missing may be the incomplete
    // one.
    unsigned kept = 0;
    for (unsigned at = 0; at < 400; ++at) {
        restore(&good);
        wfi.next = ring + at;
        power_on(400, true);
        kept += wf_was_kept();
    }
    assert_int_equal(kept, 2);
    for (unsigned at = 0; at < 400; ++at) {
        struct host h = {.number = 0};
        restore(&good);
        wfi.tail = ring + at;
        power_on(400, true);
        if (!wf_was_kept()) continue;
        h.number = wfi.tail_at.count; // the tail is at a later whole frame
        hear_all(&h);
        assert_int_equal(h.value, made);
    }
    uint8_t *const wild[] = {NULL, (uint8_t *)((uintptr_t)ring - 1), ring + 400, ring + 401,
                             (uint8_t *)UINTPTR_MAX};
    for (unsigned i = 0; i < sizeof wild / sizeof *wild; ++i) {
        uint8_t **const members[] = {&wfi.tail, &wfi.sent, &wfi.next};
        for (unsigned k = 0; k < 3; ++k) {
            restore(&good);
            *members[k] = wild[i];
            power_on(400, true);
            assert_false(wf_was_kept());
        }
        restore(&good);
        wfi.turn = wild[i];
        power_on(400, true);
        assert_true(wf_was_kept() == (good.wfi.next >= good.wfi.tail || wild[i] == good.wfi.turn));
    }
    restore(&good);
    power_on(401, true); // another ring size
    assert_false(wf_was_kept());
}

static void counts_that_do_not_fit_are_refused(void **state) {
    static struct snap good;
    (void)state;
    made = 0;
    power_on(400, false);
    for (unsigned i = 0; i < 400; ++i) record();
    take_snap(&good);
    for (unsigned i = 0; i < 6; ++i) {
        restore(&good);
        if (i == 0) wfi.count_low += 2;
        if (i == 1) wfi.count_low -= 2;
        if (i == 2) wfi.count_high = 1;
        if (i == 3) wfi.refused += 3;
        if (i == 4) wfi.tail_at.count += 1000;
        if (i == 5) wfi.tail_at.count = UINT64_MAX;
        power_on(400, true);
        assert_false(wf_was_kept());
    }
}

// The frames after a reset are in order and end with the last record.
static void check_after_reset(uint32_t size, const char *when, unsigned at) {
    // A reset while the reader passes a SYNC leaves the old time base or already the new one.
    struct host h = {.loose = sizeof(wf_stamp) < 4};
    struct wf_status s;
    power_on(size, true);
    if (!wf_was_kept()) fail_msg("%s %u: not kept", when, at);
    h.number = wfi.tail_at.count;
    record();
    hear_all(&h);
    wf_get_status(&s);
    assert_int_equal(h.number, s.count);
    assert_int_equal(h.value, made);
    assert_true(h.users > 0);
    if (h.infos == 2) assert_int_equal(h.missing, s.lost);
}

static void a_memory_copied_at_any_time_is_kept(void **state) {
    static struct snap copy;
    (void)state;
    for (uint32_t round = 0; round < 3000; ++round) {
        seed = round;
        made = 0;
        uint32_t size = WF_RING_MIN + rnd(RING - WF_RING_MIN);
        power_on(size, false);
        for (uint32_t i = rnd(round % 2 ? 60 : 800); i; --i) {
            record();
            for (uint32_t k = rnd(40); k && wf_get_byte() >= 0; --k) {
            }
        }
        take_snap(&copy);
        for (uint32_t i = rnd(30); i; --i) record();
        restore(&copy);
        check_after_reset(size, "round", round);
    }
}

#ifdef __x86_64__

static struct snap *snaps;
static unsigned snap_count;

static void on_step(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)info;
    (void)context;
    if (snap_count < SNAPS) take_snap(&snaps[snap_count++]);
}

static void step(bool on) {
    if (on)
        __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t"
                         "lea 128(%%rsp), %%rsp" ::
                             : "memory", "cc");
    else
        __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\t"
                         "lea 128(%%rsp), %%rsp" ::
                             : "memory", "cc");
}

// Every memory state while records are made, the oldest ones are dropped, and bytes are read, can
// be taken over: no whole frame is lost, none is invented.
static void a_reset_at_any_instruction_is_outlived(void **state) {
    (void)state;
    struct sigaction act = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO}, was;
    snaps = calloc(SNAPS, sizeof *snaps);
    assert_non_null(snaps);
    for (uint32_t round = 0; round < 12; ++round) {
        seed = round;
        made = 0;
        uint32_t size = 140 + 40 * round;
        power_on(size, false);
        for (uint32_t i = 20 + 41 * round; i; --i) record();
        for (uint32_t k = 13 * round; k && wf_get_byte() >= 0; --k) {
        }
        snap_count = 0;
        const uint8_t *block;
        sigaction(SIGTRAP, &act, &was);
        step(true);
        record();
        record();
        uint32_t len = wf_get_block(&block, 70);
        record();
        wf_block_done(len);
        record();
        step(false);
        sigaction(SIGTRAP, &was, NULL);
        assert_true(snap_count > 300);
        uint32_t made_after = made;
        for (unsigned i = 0; i < snap_count; ++i) {
            restore(&snaps[i]);
            made = made_after;
            check_after_reset(size, "instruction", i);
        }
    }
    free(snaps);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_start_keeps_nothing),
        cmocka_unit_test(nothing_is_kept_unless_asked),
        cmocka_unit_test(resets_are_part_of_one_stream),
        cmocka_unit_test(time_and_numbers_go_on),
        cmocka_unit_test(what_is_damaged_is_refused),
        cmocka_unit_test(counts_that_do_not_fit_are_refused),
        cmocka_unit_test(a_memory_copied_at_any_time_is_kept),
#ifdef __x86_64__
        cmocka_unit_test(a_reset_at_any_instruction_is_outlived),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
