// SPDX-License-Identifier: MIT
// Random schedules of a simulated kernel through the recorder, its bytes, and the session to the
// model: behind every record the model equals the kernel. With losses nothing that it claims is
// wrong, and it finds back soon. Usage: test_model_random [SEEDS]

#include "check.h"

#include "wallfly_host/wf_merge.h"
#include "wallfly_host/wf_slot_record.h"

enum { EVENTS = 3000, BYTES = 1 << 20, FRAMES = 8 * EVENTS };

struct trace {
    struct kernel kernel;
    struct k_truth truth[EVENTS + 64];
    unsigned count;
    uint64_t now;
    uint32_t random;
    bool drains; // after every event
    uint8_t bytes[BYTES];
    size_t len;
    size_t frame[FRAMES]; // where each begins
    unsigned frames;
    unsigned first_safe; // truth from which on losses may be: each core has been told
};
static struct trace trace;
static unsigned seeds = 60;

static uint32_t rnd(uint32_t below) {
    trace.random = trace.random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(trace.random >> 8) * below >> 24);
}

// ---- recording

static uint64_t tick_of(void *ctx) {
    (void)ctx;
    return trace.now;
}

static void keep_frames(void) {
    uint8_t *to = trace.bytes + trace.len;
    unsigned n = record_drain(to, (unsigned)(BYTES - trace.len), 0, false);
    bool begins = true;
    for (unsigned i = 0; i < n; ++i) {
        if (begins) trace.frame[trace.frames++] = trace.len + i;
        begins = to[i] == 0x7E;
    }
    trace.len += n;
}

static void happens(void *ctx, const struct kernel *k, enum k_event event, int task, int object,
                    unsigned number) {
    (void)ctx;
    if (trace.count == EVENTS + 64) return;
    record_event(k, trace.now, event, task, object, number);
    trace.truth[trace.count] = k->truth;
    trace.truth[trace.count++].tick = trace.now;
    trace.now += 1 + rnd(3);
    if (trace.drains) keep_frames();
}

static void begin(unsigned cores, enum k_hand hand, uint32_t seed, unsigned size) {
    memset(&trace, 0, sizeof trace);
    trace.random = seed * 7919 + 1;
    trace.now = 1000;
    trace.drains = true;
    trace.kernel.options = (struct k_options){cores, hand, seed};
    trace.kernel.now = tick_of;
    trace.kernel.happens = happens;
    record_start(cores, size, trace.now);
}

static void go(unsigned events) {
    while (trace.count < events) kernel_step(&trace.kernel);
}

// ---- checking

struct run {
    struct wf_session *s;
    struct wf_model *m;
    struct follower *f;
    unsigned at; // truth
    bool exact;
    struct known known;
    unsigned losses;
};

static void open_run(struct run *r, bool exact) {
    struct wf_options options = {.dialect = WF_DIALECT_WALLFLY};
    int err;
    memset(r, 0, sizeof *r);
    r->s = wf_open(&options, &err);
    r->m = wf_model_open(r->s);
    r->f = follower_open();
    r->exact = exact;
}

static void close_run(struct run *r) {
    assert_int_equal(wf_model_error(r->m), WF_OK);
    follower_close(r->f);
    wf_model_close(r->m);
    wf_close(r->s);
}

static void complain(const struct run *r, const char *bad) {
    if (!bad) return;
    fail_msg("seed %u, cores %u, hand %d, tick %lu: %s", trace.kernel.options.seed,
             trace.kernel.options.cores, trace.kernel.options.hand,
             (unsigned long)wf_model_tick(r->m), bad);
}

static void take(struct run *r, const struct wf_item *item) {
    wf_model_take(r->m, item);
    complain(r, follower_take(r->f, r->m));
    if (r->exact && follower_odd(r->f)) complain(r, "a record that cannot be");
    r->losses += item->kind == WF_ITEM_LOSS;
    if (item->kind != WF_ITEM_RECORD || !item->record.stamped) return;
    while (r->at < trace.count && trace.truth[r->at].tick < item->record.tick) ++r->at;
    if (r->at == trace.count || trace.truth[r->at].tick != item->record.tick) return;
    complain(r, check_claims(r->m, &trace.truth[r->at], trace.kernel.options.cores, r->exact,
                             &r->known));
}

static void feed(struct run *r, const uint8_t *bytes, size_t len) {
    struct wf_item item;
    wf_feed(r->s, bytes, len);
    while (wf_next(r->s, &item)) take(r, &item);
}

static void finish(struct run *r) {
    struct wf_item item;
    wf_feed(r->s, NULL, 0);
    wf_end(r->s);
    while (wf_next(r->s, &item)) take(r, &item);
    wf_model_end(r->m);
    complain(r, follower_take(r->f, r->m));
}

static const enum k_hand hands[] = {K_RETRY, K_HAND_NOW, K_HAND_LATE};

static void record_all(uint32_t seed, unsigned size) {
    begin(1 + seed % 4, hands[seed / 4 % 3], seed, size);
    kernel_start(&trace.kernel);
    trace.first_safe = trace.frames;
    go(EVENTS);
}

static void add(struct known *sum, const struct known *k) {
    for (unsigned i = 0; i < sizeof *k / sizeof(uint64_t); ++i) {
        ((uint64_t *)sum)[i] += ((const uint64_t *)k)[i];
    }
}

static unsigned share(const uint64_t of[2]) {
    return of[0] ? (unsigned)(of[1] * 1000 / of[0]) : 1000;
}

// Parts of a thousand, at least.
static void expect_known(const char *what, const struct known *k, unsigned cores, unsigned states,
                         unsigned waits, unsigned holders, unsigned counts) {
    printf("%s: known of cores %u, states %u, waits %u, holders %u, counts %u, interrupts %u of "
           "1000\n",
           what, share(k->cores), share(k->states), share(k->waits), share(k->holders),
           share(k->counts), share(k->irqs));
    assert_true(share(k->cores) >= cores && share(k->states) >= states);
    assert_true(share(k->waits) >= waits && share(k->holders) >= holders);
    assert_true(share(k->counts) >= counts);
}

#if !WF_CFG_SLOTS

static void equals_the_kernel(void **state) {
    (void)state;
    struct run r;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        record_all(seed, 1 << 14);
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
    unsigned rate; // one in so many frames begins a loss
    unsigned longest;
    unsigned gone; // in a row, so far
};

static void deliver(struct link *l, unsigned i) {
    l->gone = 0;
    feed(l->r, frame_at(i), frame_len(i));
}

// The same with another sum.
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
        // 256 in a row do not show in the sequence.
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
    } of[] = {{60, 4, "short losses", 0, 0, 0, 0, 0},
              {400, 40, "some bursts", 0, 0, 0, 0, 0},
              {900, 700, "long holes", 0, 0, 0, 0, 0}};
    for (unsigned i = 0; i < sizeof of / sizeof *of; ++i) {
        struct known sum;
        memset(&sum, 0, sizeof sum);
        for (uint32_t seed = 1; seed <= seeds; ++seed) {
            struct run r;
            struct link l = {&r, seed % 2, of[i].rate, of[i].longest, 0};
            record_all(seed, 1 << 14);
            open_run(&r, false);
            lossy(&l);
            finish(&r);
            assert_true(r.losses > 0);
            add(&sum, &r.known);
            close_run(&r);
        }
        expect_known(of[i].what, &sum, of[i].cores, of[i].states, of[i].waits, of[i].holders,
                     of[i].counts);
    }
}

#endif

int main(int argc, char **argv) {
    if (argc > 1) seeds = (unsigned)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_kernel),
                                       cmocka_unit_test(claims_nothing_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
