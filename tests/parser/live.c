// SPDX-License-Identifier: MIT
// The slot recorder with threads on all cores while the parser reads its memory: every event is
// delivered once and whole, or counted. With rings that drop the oldest events (slow reader), that
// keep them, and as an image afterwards.

#include <pthread.h>

#include "wallfly/wf_slots.h"
#include "wallfly_parser/wf_parser.h"
#include "wf_test_slots.h"

enum { THREADS = 4, EVENTS = 200000, CORES = 4, SLOTS = 2048, SIZE = WF_SLOTS_SIZE(CORES, SLOTS) };

static uint8_t memory[SIZE] __attribute__((aligned(64)));
static unsigned running;

// Alternates short and long events. Each word can be computed from the others.
static void *write_events(void *arg) {
    unsigned thread = (unsigned)(uintptr_t)arg;
    for (uint32_t i = 0; i < EVENTS; ++i) {
        const uint32_t words[6] = {thread, i, i * 7, ~i, i ^ thread, 99};
        if (i % 16 == 0)
            wf_slot_words(WF_SLOT_CLASS_USER, 2, words, 6);
        else
            wf_slot_event(WF_SLOT_CLASS_USER, 1, thread << 24 | i, i * 31 + thread);
    }
    __atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE);
    return NULL;
}

struct seen {
    uint64_t events, torn, back, damaged;
    uint32_t next[WF_SLOT_CORES][THREADS]; // each thread's numbers ascend on each core
};

static int check(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    struct seen *s = user;
    const uint32_t *w = e->words;
    bool is_long = e->event == 2;
    uint32_t thread = is_long ? w[0] : w[0] >> 24, i = is_long ? w[1] : w[0] & 0xFFFFFF;
    bool whole =
        is_long ? e->count == 6 && w[2] == i * 7 && w[3] == ~i && w[4] == (i ^ thread) && w[5] == 99
                : e->count == 2 && w[1] == i * 31 + thread;
    (void)p;
    ++s->events;
    if (!whole || thread >= THREADS) return ++s->torn, 0;
    if (i < s->next[e->core][thread]) ++s->back;
    s->next[e->core][thread] = i + 1;
    return 0;
}

static int count_damage(struct wf_parser *p, void *user, const struct wf_slots_damage *d) {
    (void)p;
    // Lost slots also damage events of several slots.
    if (d->kind != WF_SLOTS_NO_FIRST && d->kind != WF_SLOTS_NO_LAST)
        ++((struct seen *)user)->damaged;
    return 0;
}

static enum wf_parser_idle is_over(struct wf_parser *p, void *user) {
    (void)p;
    (void)user;
    return __atomic_load_n(&running, __ATOMIC_ACQUIRE) ? WF_PARSER_WAIT : WF_PARSER_END;
}

static void expect_account(struct wf_parser *p, const struct seen *s, bool nothing_lost) {
    const struct wf_slots_ledger *l = wf_parser_totals(p);
    assert_int_equal(s->torn, 0);
    assert_int_equal(s->back, 0);
    assert_int_equal(s->damaged, 0);
    assert_int_equal(l->events, s->events);
    assert_true(l->exact);
    assert_int_equal(s->events + l->lost + l->refused, (uint64_t)THREADS * EVENTS);
    if (nothing_lost) assert_int_equal(l->lost, 0);
    assert_true(s->events > 0);
}

static void run(bool keep_oldest, bool taking, enum wf_parser_order order) {
    struct wf_slots_config config = {.memory = memory,
                                     .size = SIZE,
                                     .cores = CORES,
                                     .slots = SLOTS,
                                     .keep_oldest = keep_oldest,
                                     .hz = 1000000000};
    struct wf_parser_options options = {.order = order};
    pthread_t threads[THREADS];
    static struct seen seen, image;
    memset(&seen, 0, sizeof seen);
    memset(&image, 0, sizeof image);
    struct wf_parser *p = wf_parser_create(&options, NULL);
    assert_true(wf_slots_start(&config));
    wf_parser_on_range(p, WF_SAT_USER, 0, 1023, check, &seen);
    wf_parser_on_damage(p, count_damage, &seen);
    running = THREADS;
    for (uintptr_t i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_create(&threads[i], NULL, write_events, (void *)i), 0);
    }
    assert_int_equal(wf_parser_run_live(p, memory, SIZE, taking, is_over, NULL), WF_OK);
    for (unsigned i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    expect_account(p, &seen, keep_oldest);
    wf_parser_on_range(p, WF_SAT_USER, 0, 1023, check, &image);
    wf_parser_on_damage(p, count_damage, &image);
    assert_int_equal(wf_parser_run_memory(p, memory, SIZE), WF_OK);
    expect_account(p, &image, false);
    wf_parser_destroy(p);
}

static void test_gives_up_the_oldest(void **state) {
    (void)state;
    run(false, false, WF_PARSER_AS_STORED);
}
static void test_keeps_the_oldest(void **state) {
    (void)state;
    run(true, true, WF_PARSER_AS_STORED);
}
static void test_kept_and_not_taken(void **state) {
    (void)state;
    run(true, false, WF_PARSER_AS_STORED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gives_up_the_oldest),
        cmocka_unit_test(test_keeps_the_oldest),
        cmocka_unit_test(test_kept_and_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
