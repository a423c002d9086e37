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
    unsigned losses, odd;
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

static void check_odd(struct run *r) {
    struct wf_change c;
    (void)c;
    if (r->exact) assert_int_equal(r->odd, 0);
}

static void take(struct run *r, const struct wf_item *item) {
    wf_model_take(r->m, item);
    complain(r, follower_take(r->f, r->m));
    check_odd(r);
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

static void equals_the_kernel(void **state) {
    (void)state;
    struct run r;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        begin(1 + seed % 4, hands[seed % 3], seed, 1 << 14);
        kernel_start(&trace.kernel);
        go(EVENTS);
        open_run(&r, true);
        feed(&r, trace.bytes, trace.len);
        assert_int_equal(r.at, trace.count - 1);
        finish(&r);
        close_run(&r);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) seeds = (unsigned)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_kernel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
