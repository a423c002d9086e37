// SPDX-License-Identifier: MIT
// Random schedules of a simulated kernel through the frame recorder, its bytes and the session to
// the model: after every record the model equals the kernel. With losses none of its claims is
// wrong, and it recovers soon. Usage: model_frames [SEEDS [FOLDER]]

#include "trace.h"

static void record_all(uint32_t seed) {
    begin(seed, 1 << 14);
    kernel_start(&trace.kernel);
    trace.first_safe = trace.frames;
    go(EVENTS);
}

static void equals_the_kernel(void **state) {
    (void)state;
    struct run r;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        record_all(seed);
        open_run(&r, true);
        feed(&r, trace.bytes, trace.len);
        assert_int_equal(r.at, trace.count - 1);
        finish(&r);
        assert_int_equal(r.losses, 0);
        close_run(&r);
    }
}

// ---- losses on the link

static size_t frame_len(unsigned i) {
    return (i + 1 < trace.frames ? trace.frame[i + 1] : trace.len) - trace.frame[i];
}
static const uint8_t *frame_at(unsigned i) { return trace.bytes + trace.frame[i]; }
static bool is_sync(unsigned i) { return frame_at(i)[0] != 0x7D && frame_at(i)[1] == 82; }

struct link {
    struct run *r;
    bool keeps_syncs;
    unsigned rate; // a loss begins at one frame in `rate`
    unsigned longest;
    unsigned gone; // consecutive losses so far
};

static void deliver(struct link *l, unsigned i) {
    l->gone = 0;
    feed(l->r, frame_at(i), frame_len(i));
}

// Delivers the frame with a wrong checksum.
static void spoil(struct link *l, unsigned i) {
    uint8_t bytes[512];
    size_t len = frame_len(i);
    assert_true(len <= sizeof bytes);
    memcpy(bytes, frame_at(i), len);
    do ++bytes[len - 2];
    while (bytes[len - 2] == 0x7D || bytes[len - 2] == 0x7E);
    ++l->gone;
    feed(l->r, bytes, len);
}

static void lossy(struct link *l) {
    unsigned burst = 0;
    for (unsigned i = 0; i < trace.frames; ++i) {
        bool safe = i < trace.first_safe;
        if (!burst && !safe && rnd(l->rate) == 0) burst = 1 + rnd(rnd(4) ? 4 : l->longest);
        if (!burst && !safe && rnd(4 * l->rate) == 0) {
            spoil(l, i);
            continue;
        }
        // The sequence number does not show a loss of 256.
        if (!burst && l->gone && l->gone % 256 == 0) burst = 1;
        if (!burst || (l->keeps_syncs && is_sync(i))) {
            deliver(l, i);
            if (!safe && rnd(10 * l->rate) == 0) deliver(l, i);
        } else {
            ++l->gone;
        }
        burst -= burst > 0;
    }
}

static void claims_nothing_wrong(void **state) {
    (void)state;
    static const struct {
        unsigned rate, longest;
        const char *what;
        unsigned cores, states, waits, holders, counts;
    } of[] = {{60, 4, "short losses", 600, 270, 290, 80, 400},
              {400, 40, "some bursts", 880, 650, 640, 320, 780},
              {900, 700, "long holes", 920, 780, 770, 480, 870}};
    for (unsigned i = 0; i < sizeof of / sizeof *of; ++i) {
        struct known sum;
        unsigned losses = 0;
        memset(&sum, 0, sizeof sum);
        for (uint32_t seed = 1; seed <= seeds; ++seed) {
            struct run r;
            struct link l = {&r, seed % 2, of[i].rate, of[i].longest, 0};
            record_all(seed);
            open_run(&r, false);
            lossy(&l);
            finish(&r);
            losses += r.losses;
            add(&sum, &r.known);
            close_run(&r);
        }
        assert_true(losses > 0);
        expect_known(of[i].what, &sum, of[i].cores, of[i].states, of[i].waits, of[i].holders,
                     of[i].counts);
    }
}

// ---- losses that the target makes and reports

static void target_loses(void **state) {
    (void)state;
    struct known sum;
    unsigned losses = 0;
    memset(&sum, 0, sizeof sum);
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        struct run r;
        begin(seed, 2048);
        kernel_start(&trace.kernel);
        trace.drains = false;
        while (trace.count < EVENTS) {
            go(trace.count + 1 + rnd(rnd(8) ? 60 : 400));
            keep_frames();
        }
        open_run(&r, false);
        feed(&r, trace.bytes, trace.len);
        finish(&r);
        losses += r.losses;
        add(&sum, &r.known);
        close_run(&r);
    }
    assert_true(losses > seeds);
    expect_known("ring runs over", &sum, 900, 600, 600, 300, 700);
}

// ---- late records, and records that are filtered out

static void late_ones(void **state) {
    (void)state;
    uint64_t late = 0;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        struct run r;
        unsigned held = 0, wait = 0;
        record_all(seed);
        open_run(&r, false);
        for (unsigned i = 0; i < trace.frames; ++i) {
            if (!wait && i >= trace.first_safe && rnd(100) == 0 && !is_sync(i)) {
                held = i;
                wait = 2 + rnd(20);
                continue;
            }
            feed(&r, frame_at(i), frame_len(i));
            if (wait && --wait == 0) feed(&r, frame_at(held), frame_len(held));
        }
        finish(&r);
        late += wf_session_ledger(r.s)->late;
        close_run(&r);
    }
    assert_true(late > seeds);
}

static void without_switches(void **state) {
    (void)state;
    struct run r;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        begin(seed, 1 << 14);
        record_switches(false);
        kernel_start(&trace.kernel);
        go(EVENTS);
        open_run(&r, false);
        feed(&r, trace.bytes, trace.len);
        assert_int_equal(follower_odd(r.f), 0);
        // Holders and waiters are still known; running and ready tasks are not.
        assert_int_equal(share(r.known.holders), 1000);
        assert_int_equal(share(r.known.waits), 1000);
        assert_int_equal(share(r.known.counts), 1000);
        assert_int_equal(r.known.cores[1], 0);
        finish(&r);
        close_run(&r);
    }
}

// The target restarts in the middle: earlier objects no longer exist.
static void restarts(void **state) {
    (void)state;
    struct run r;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        record_all(seed);
        open_run(&r, false);
        feed(&r, trace.bytes, trace.frame[trace.frames / 2 + rnd(300)]);
        unsigned before = wf_model_tasks(r.m);
        begin(seed + 1, 1 << 14);
        kernel_start(&trace.kernel);
        go(300);
        r.at = 0;
        feed(&r, trace.bytes, trace.len);
        for (unsigned i = 0; i < before; ++i) {
            assert_int_equal(wf_model_task(r.m, i)->state, WF_TASK_ENDED);
        }
        finish(&r);
        close_run(&r);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_kernel), cmocka_unit_test(claims_nothing_wrong),
        cmocka_unit_test(target_loses),      cmocka_unit_test(late_ones),
        cmocka_unit_test(without_switches),  cmocka_unit_test(restarts),
    };
    read_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
