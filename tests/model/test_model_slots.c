// SPDX-License-Identifier: MIT
// Random schedules of a simulated kernel through the slot recorder, a ring for each core, and the
// merge to the model: as test_model_frames.c, but a loss concerns one core. Usage: model_slots
// [SEEDS [FOLDER]] (FOLDER keeps the traces), or model_slots save FILE SEED CHUNKS: writes such a
// trace, with one chunk in CHUNKS lost (0: none).

#include "trace.h"

#include "wallfly_host/wf_merge.h"
#include "wallfly_host/wf_slot_record.h"

enum { CHUNK_BYTES = WF_CFG_CHUNK * 16, CORE_BYTES = 1 << 18 };

static uint8_t core_bytes[K_CORES][CORE_BYTES];
static size_t core_len[K_CORES];

static void drain(bool end) {
    for (unsigned c = 0; c < trace.kernel.options.cores; ++c) {
        unsigned n;
        while ((n = record_drain(core_bytes[c] + core_len[c], (unsigned)(CORE_BYTES - core_len[c]),
                                 c, end)) > 0)
            core_len[c] += n;
    }
}

static void record_slots(uint32_t seed, unsigned slots, unsigned pause) {
    memset(core_len, 0, sizeof core_len);
    begin(seed, slots);
    trace.drains = false;
    kernel_start(&trace.kernel);
    while (trace.count < EVENTS) {
        go(trace.count + 1 + rnd(pause));
        drain(false);
    }
    drain(true);
    trace.len = record_header((char *)trace.bytes);
}

// Loses chunks of the cores, but not the last ones, whose loss would not be reported.
static void lose_chunks(unsigned rate) {
    for (unsigned c = 0; c < trace.kernel.options.cores; ++c) {
        size_t to = 0;
        for (size_t at = 0; at < core_len[c]; at += CHUNK_BYTES) {
            size_t n = core_len[c] - at < CHUNK_BYTES ? core_len[c] - at : CHUNK_BYTES;
            if (at + 2 * CHUNK_BYTES < core_len[c] && rate && rnd(rate) == 0) continue;
            memmove(core_bytes[c] + to, core_bytes[c] + at, n);
            to += n;
        }
        core_len[c] = to;
    }
}

static void join_cores(void) {
    for (unsigned c = 0; c < trace.kernel.options.cores; ++c) {
        memcpy(trace.bytes + trace.len, core_bytes[c], core_len[c]);
        trace.len += core_len[c];
    }
}

static void run_slots(struct run *r, bool exact) {
    struct wf_slots_item from;
    struct wf_item item;
    struct wf_merge *m = wf_merge_open(NULL, NULL);
    open_run(r, exact);
    join_cores();
    keep_bytes(r, trace.bytes, trace.len);
    wf_merge_feed(m, trace.bytes, trace.len);
    wf_merge_end(m);
    while (wf_merge_next(m, &from)) {
        if (wf_session_take_slot(r->s, wf_merge_slots(m), &from, &item)) take(r, &item);
    }
    assert_int_equal(wf_merge_late(m), 0);
    end_model(r);
    wf_merge_close(m);
}

static void equals_the_kernel(void **state) {
    (void)state;
    struct run r;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        record_slots(seed, 1 << 12, 200);
        run_slots(&r, true);
        assert_int_equal(r.at, trace.count - 1);
        assert_int_equal(r.losses, 0);
        close_run(&r);
    }
}

static void claims_nothing_wrong(void **state) {
    (void)state;
    static const struct {
        unsigned slots, pause, rate;
        const char *what;
        unsigned cores, states, waits, holders, counts;
    } of[] = {{1 << 12, 200, 30, "chunks lost", 900, 600, 570, 300, 700},
              {1 << 12, 200, 200, "few chunks lost", 950, 850, 850, 700, 900},
              {64, 150, 0, "rings run over", 830, 370, 340, 100, 450}};
    for (unsigned i = 0; i < sizeof of / sizeof *of; ++i) {
        struct known sum;
        unsigned losses = 0;
        memset(&sum, 0, sizeof sum);
        for (uint32_t seed = 1; seed <= seeds; ++seed) {
            struct run r;
            record_slots(seed, of[i].slots, of[i].pause);
            lose_chunks(of[i].rate);
            run_slots(&r, false);
            losses += r.losses;
            add(&sum, &r.known);
            close_run(&r);
        }
        assert_true(losses > 0);
        expect_known(of[i].what, &sum, of[i].cores, of[i].states, of[i].waits, of[i].holders,
                     of[i].counts);
    }
}

static int save(char **argv) {
    record_slots((uint32_t)strtoul(argv[1], NULL, 10), 1 << 12, 200);
    lose_chunks((unsigned)strtoul(argv[2], NULL, 10));
    join_cores();
    FILE *f = fopen(argv[0], "wb");
    bool good = f && fwrite(trace.bytes, 1, trace.len, f) == trace.len;
    return f && fclose(f) == 0 && good ? 0 : 3;
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "save") == 0) return save(argv + 2);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_kernel),
        cmocka_unit_test(claims_nothing_wrong),
    };
    read_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
