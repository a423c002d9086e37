// SPDX-License-Identifier: MIT
// Shared by the tests of behaviour: a small trace of tasks and objects, and its collection.
#ifndef WF_TEST_BEHAVIOUR_H
#define WF_TEST_BEHAVIOUR_H

#include "behaviour/wfi_compare.h"
#include "wf_test_model.h"

enum { M = 0x100, N = 0x180, Q = 0x200, S = 0x280, D = 0x300, T1 = 0x400, T2 = 0x480 };

static struct bench *b;
static struct wf_behaviour *all;
static struct wf_behaviour_sink *k;

static inline void begin_with(struct wf_behaviour_options options) {
    options.size = sizeof options;
    if (!options.source) options.source = "trace.bin";
    b = open_bench();
    k = wf_behaviour_sink_open(all, b->s, &options, NULL);
    assert_non_null(k);
}

static inline void begin(void) {
    all = wf_behaviour_open(NULL);
    assert_non_null(all);
    begin_with((struct wf_behaviour_options){.lane = 0});
}

static inline void feed_all(void) {
    struct wf_item item;
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    while (wf_session_next(b->s, &item)) wf_behaviour_sink_take(k, &item);
    b->stream.len = 0;
}

static inline void end(void) {
    struct wf_item item;
    feed_all();
    wf_session_end(b->s);
    while (wf_session_next(b->s, &item)) wf_behaviour_sink_take(k, &item);
    wf_behaviour_sink_end(k);
    assert_int_equal(wf_behaviour_sink_error(k), WF_OK);
    wf_behaviour_sink_close(k);
    close_bench(b);
}

static inline void done(void) { wf_behaviour_close(all); }

#define AT(time, name, ...) (b->clock = (time), PUT(b, name, __VA_ARGS__))

static inline void name(uint32_t key, const char *text) { put_name(&b->stream, key, text); }

static inline void create(uint64_t time, uint32_t key, const char *text) {
    AT(time, "task_create", key, 1);
    name(key, text);
    AT(time, "task_ready", key, 0);
}

// Objects: mutexes m and n, queue q, semaphore s.
static inline void objects(void) {
    AT(1, "mutex_create", M);
    name(M, "m");
    AT(1, "mutex_create", N);
    name(N, "n");
    AT(1, "queue_create", Q, 4);
    name(Q, "q");
    AT(1, "sema_create", S, 1);
    name(S, "s");
}

// Times that the actor has this run; fails if it has another one that `only` does not allow.
static inline uint64_t times_of(const char *actor, const char *text) {
    const struct wf_behaviour_compare_options options = {.size = sizeof options};
    struct wf_behaviour_diff *d = wf_behaviour_compare(all, all, &options, NULL);
    uint64_t times = 0;
    assert_non_null(d);
    for (uint32_t i = 1; i <= d->b->fact_count; ++i) {
        const struct wfi_fact *t = wfi_fact(d->b, i);
        if (t->kind != WFI_FACT_RUN) continue;
        if (strcmp(wfi_behaviour_text_at(d->b, wfi_actor_text(d->b, t->actor)), actor) != 0)
            continue;
        if (strcmp(wfi_words_run(d, i), text) == 0) times += d->cases[i].sides[WFI_GOOD].count;
    }
    wf_behaviour_diff_close(d);
    return times;
}

static inline unsigned kinds_of_runs(const char *actor) {
    unsigned kinds = 0;
    for (uint32_t i = 1; i <= all->fact_count; ++i) {
        const struct wfi_fact *t = wfi_fact(all, i);
        kinds += t->kind == WFI_FACT_RUN &&
                 strcmp(wfi_behaviour_text_at(all, wfi_actor_text(all, t->actor)), actor) == 0;
    }
    return kinds;
}

#define RUNS(actor, n, text) assert_int_equal(times_of(actor, text), n)

#endif
