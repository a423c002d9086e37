// SPDX-License-Identifier: MIT
// The run: the true state is found by the tick of a record; no two events have the same tick.

#include "trace.h"

struct trace trace;
unsigned seeds = 60;
static const char *folder;
static unsigned runs;

uint32_t rnd(uint32_t below) {
    trace.random = trace.random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(trace.random >> 8) * below >> 24);
}

// ---- recording

static uint64_t tick_of(void *ctx) {
    (void)ctx;
    return trace.now;
}

void keep_frames(void) {
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

void begin(uint32_t seed, unsigned size) {
    static const enum k_hand hands[] = {K_RETRY, K_HAND_NOW, K_HAND_LATE};
    uint64_t now = trace.now + 5000;
    memset(&trace, 0, sizeof trace);
    trace.random = seed * 7919 + 1;
    trace.now = now;
    trace.drains = true;
    trace.kernel.options = (struct k_options){1 + seed % 4, hands[seed / 4 % 3], seed};
    trace.kernel.now = tick_of;
    trace.kernel.happens = happens;
    record_start(trace.kernel.options.cores, size, trace.now);
}

void go(unsigned events) {
    while (trace.count < events && trace.count < EVENTS) kernel_step(&trace.kernel);
}

// ---- checking

void open_run(struct run *r, bool exact) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    memset(r, 0, sizeof *r);
    r->s = wf_session_open(&options, NULL);
    r->m = wf_model_open(r->s);
    r->f = follower_open();
    r->lines = lines_open(r->s);
    r->exact = exact;
    if (!folder) return;
    char name[4096];
    snprintf(name, sizeof name, "%s/%u.trace", folder, ++runs);
    r->kept = fopen(name, "wb");
    assert_non_null(r->kept);
}

void keep_bytes(struct run *r, const uint8_t *bytes, size_t len) {
    if (r->kept && len) assert_int_equal(fwrite(bytes, 1, len, r->kept), len);
}

void close_run(struct run *r) {
    assert_int_equal(wf_model_error(r->m), WF_OK);
    follower_close(r->f);
    lines_close(r->lines);
    wf_model_close(r->m);
    wf_session_close(r->s);
    if (r->kept) assert_int_equal(fclose(r->kept), 0);
}

void diag_error(const struct run *r, const char *bad) {
    if (!bad) return;
    fail_msg("seed %u, cores %u, hand %d, tick %lu: %s", trace.kernel.options.seed,
             trace.kernel.options.cores, trace.kernel.options.hand,
             (unsigned long)wf_model_tick(r->m), bad);
}

void take(struct run *r, const struct wf_item *item) {
    wf_model_take(r->m, item);
    lines_take(r->lines, r->m, item);
    diag_error(r, follower_take(r->f, r->m));
    if (r->exact && follower_odd(r->f)) diag_error(r, "a record that cannot be");
    r->losses += item->kind == WF_ITEM_LOSS;
    if (item->kind != WF_ITEM_RECORD || !item->record.stamped) return;
    while (r->at < trace.count && trace.truth[r->at].tick < item->record.tick) ++r->at;
    if (r->at == trace.count || trace.truth[r->at].tick != item->record.tick) return;
    diag_error(r, check_claims(r->m, &trace.truth[r->at], trace.kernel.options.cores, r->exact,
                               &r->known));
}

void feed(struct run *r, const uint8_t *bytes, size_t len) {
    struct wf_item item;
    keep_bytes(r, bytes, len);
    wf_session_feed(r->s, bytes, len);
    while (wf_session_next(r->s, &item)) take(r, &item);
}

void end_model(struct run *r) {
    wf_model_end(r->m);
    diag_error(r, follower_take(r->f, r->m));
    diag_error(r, lines_end(r->lines));
}

void finish(struct run *r) {
    struct wf_item item;
    wf_session_feed(r->s, NULL, 0);
    wf_session_end(r->s);
    while (wf_session_next(r->s, &item)) take(r, &item);
    end_model(r);
}

void add(struct known *sum, const struct known *k) {
    for (unsigned i = 0; i < sizeof *k / sizeof(uint64_t); ++i) {
        ((uint64_t *)sum)[i] += ((const uint64_t *)k)[i];
    }
}

unsigned share(const uint64_t of[2]) { return of[0] ? (unsigned)(of[1] * 1000 / of[0]) : 1000; }

// The least known parts, of a thousand.
void expect_known(const char *what, const struct known *k, unsigned cores, unsigned states,
                  unsigned waits, unsigned holders, unsigned counts) {
    printf("%s: known of cores %u, states %u, waits %u, holders %u, counts %u, interrupts %u of "
           "1000\n",
           what, share(k->cores), share(k->states), share(k->waits), share(k->holders),
           share(k->counts), share(k->irqs));
    assert_true(share(k->cores) >= cores && share(k->states) >= states);
    assert_true(share(k->waits) >= waits && share(k->holders) >= holders);
    assert_true(share(k->counts) >= counts);
}

void read_arguments(int argc, char **argv) {
    if (argc > 1) seeds = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2) folder = argv[2];
}
