// SPDX-License-Identifier: MIT
// Explanations of jobs in traces made by hand. Random schedules: tests/model/test_model_explain.c.

#include "wallfly_host/wf_explain.h"
#include "wf_test_model.h"

enum { M = 0x500, N = 0x600 };

static char text[4096];

__attribute__((format(printf, 1, 2))) static void print(const char *format, ...) {
    va_list list;
    size_t len = strlen(text);
    va_start(list, format);
    vsnprintf(text + len, sizeof text - len, format, list);
    va_end(list);
}

// As "M(b)>N(c)>execution".
static void print_path(const struct wf_model *m, const struct wf_explain_path *p) {
    for (unsigned i = 0; i < p->block_count; ++i) {
        const struct wf_explain_block *b = &p->blocks[i];
        print("%s(%s)>", b->mutex ? wf_object_name(m, b->mutex) : "?",
              b->holder ? wf_task_name(m, b->holder) : "?");
    }
    print("%s", wf_cause_names[p->cause]);
    if (p->cause == WF_CAUSE_TASK) print(" %s", wf_task_name(m, p->task));
    if (p->cause == WF_CAUSE_IRQ) print(" %u", p->irq);
}

static struct wf_explain *explain(struct bench *b, enum wf_explain_which which, uint64_t value) {
    const struct wf_explain_options o = {.size = sizeof o, .which = which, .value = value};
    struct wf_explain *e = wf_explain_open(b->s, &o, NULL);
    struct wf_item item;
    assert_non_null(e);
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    wf_session_end(b->s);
    while (wf_session_next(b->s, &item)) wf_explain_take(e, &item);
    wf_explain_end(e);
    assert_int_equal(wf_explain_error(e), WF_OK);
    return e;
}

// The chosen job of a task as text: its begin and end, then the ticks and the path of each part.
static void expect(struct bench *b, enum wf_explain_which which, uint64_t value, uint64_t key,
                   const char *expected) {
    static const char *const ends[] = {"cut", "done", "abandoned"};
    static const char *const waits[] = {"unknown", "acquired", "gave up"};
    struct wf_explain *e = explain(b, which, value);
    const struct wf_model *m = wf_explain_model(e);
    const struct wf_explained *job = wf_explain_job(e, wf_model_find_task(m, key));
    text[0] = 0;
    if (job)
        print("%u: %u..%u %s%s", (unsigned)job->number, (unsigned)job->from, (unsigned)job->to,
              ends[job->end], job->from_known ? "" : " found");
    for (size_t i = 0; job && i < job->part_count; ++i) {
        print("; %u ", (unsigned)(job->parts[i].to - job->parts[i].from));
        print_path(m, job->parts[i].path);
    }
    for (size_t i = 0; job && i < job->wait_count; ++i)
        print("; wait %s", waits[job->waits[i].end]);
    wf_explain_close(e);
    assert_string_equal(text, expected);
    close_bench(b);
}

// b is ready and preempted by a; an interrupt runs, with another one on top.
static void put_preemption(struct bench *b) {
    put_two_tasks(b);
    b->clock = 100;
    PUT(b, "task_switch", B, DELAYED, 0);   // 100: b runs
    PUT(b, "irq_enter", 5, 1, 0);           // 101
    PUT(b, "irq_enter", 6, 2, 0);           // 102
    PUT(b, "irq_exit", 6, 2, 0);            // 103
    PUT(b, "task_ready", A, 0);             // 104
    PUT(b, "irq_exit", 5, 1, 0);            // 105
    PUT(b, "task_switch", A, PREEMPTED, 0); // 106
    b->clock = 110;
    PUT(b, "task_switch", B, DELAYED, 0); // 110
    b->clock = 120;
    PUT(b, "task_switch", 0, DELAYED, 0); // 120: idle
}

static void preemption_and_interrupts(void **state) {
    (void)state;
    struct bench *b = open_bench();
    put_preemption(b);
    expect(b, WF_EXPLAIN_LONGEST, 0, B,
           "1: 4..120 done; 1 unknown; 95 task a; 1 execution; 1 interrupt 5; 1 interrupt 6; 2 "
           "interrupt 5; "
           "1 execution; 4 task a; 10 execution");
    b = open_bench();
    put_preemption(b);
    expect(b, WF_EXPLAIN_SHORTEST, 0, A, "2: 104..110 done; 1 interrupt 5; 1 task b; 4 execution");
    b = open_bench();
    put_preemption(b);
    expect(b, WF_EXPLAIN_NUMBER, 1, A, "1: 3..100 done; 2 unknown; 95 execution");
    b = open_bench();
    put_preemption(b);
    expect(b, WF_EXPLAIN_AT, 101, A, "2: 104..110 done; 1 interrupt 5; 1 task b; 4 execution");
    b = open_bench();
    put_preemption(b);
    expect(b, WF_EXPLAIN_NUMBER, 3, A, "");
}

// a waits for the mutex of b, which waits for that of c; c is preempted by an interrupt, and
// sleeps.
static void a_chain_of_holders(void **state) {
    (void)state;
    struct bench *b = open_bench();
    put_two_tasks(b);
    PUT(b, "task_create", C, 3);
    put_name(&b->stream, C, "c");
    put_name(&b->stream, M, "M");
    put_name(&b->stream, N, "N");
    PUT(b, "mutex_create", M);
    PUT(b, "mutex_create", N);
    PUT(b, "task_ready", C, 0);
    PUT(b, "task_switch", C, DELAYED, 0);
    PUT(b, "mutex_take", N, C, 1);
    PUT(b, "task_switch", B, PREEMPTED, 0);
    PUT(b, "mutex_take", M, B, 1);
    PUT(b, "mutex_wait", N, B);
    PUT(b, "task_switch", C, BLOCKED, 0);
    b->clock = 100;
    PUT(b, "task_ready", A, 0);             // 100
    PUT(b, "task_switch", A, PREEMPTED, 0); // 101
    PUT(b, "mutex_wait", M, A);             // 102
    PUT(b, "task_switch", C, BLOCKED, 0);   // 103: c runs on, for a
    PUT(b, "irq_enter", 5, 1, 0);           // 104
    PUT(b, "irq_exit", 5, 1, 0);            // 105
    PUT(b, "task_switch", 0, DELAYED, 0);   // 106: c sleeps, with N
    b->clock = 116;
    PUT(b, "task_ready", C, 0);             // 116
    PUT(b, "task_switch", C, DELAYED, 0);   // 117
    PUT(b, "mutex_give", N, C, 0);          // 118
    PUT(b, "task_ready", B, 0);             // 119
    PUT(b, "task_switch", B, PREEMPTED, 0); // 120
    PUT(b, "mutex_take", N, B, 1);          // 121
    PUT(b, "mutex_give", M, B, 0);          // 122
    PUT(b, "task_ready", A, 0);             // 123
    PUT(b, "task_switch", A, PREEMPTED, 0); // 124
    PUT(b, "mutex_take", M, A, 1);          // 125
    b->clock = 130;
    PUT(b, "task_switch", B, DELAYED, 0); // 130
    expect(b, WF_EXPLAIN_AT, 100, A,
           "2: 100..130 done; 1 task c; 2 execution; 1 M(b)>N(c)>execution; "
           "1 M(b)>N(c)>interrupt 5; 1 M(b)>N(c)>execution; 10 M(b)>N(c)>sleep; 1 M(b)>N(c)>idle; "
           "1 M(b)>N(c)>execution; 1 M(b)>N(?)>free; 1 M(b)>task c; 2 M(b)>execution; "
           "1 M(?)>free; 1 task b; 6 execution; wait acquired");
}

// A wait for itself ends the chain.
static void a_deadlock(void **state) {
    (void)state;
    struct bench *b = open_bench();
    put_two_tasks(b);
    put_name(&b->stream, M, "M");
    put_name(&b->stream, N, "N");
    PUT(b, "mutex_create", M);
    PUT(b, "mutex_create", N);
    PUT(b, "mutex_take", M, A, 1);
    PUT(b, "task_switch", B, PREEMPTED, 0);
    PUT(b, "mutex_take", N, B, 1);
    PUT(b, "mutex_wait", M, B);
    PUT(b, "task_switch", A, BLOCKED, 0);
    PUT(b, "mutex_wait", N, A);
    b->clock = 50;
    PUT(b, "task_switch", 0, BLOCKED, 0);
    b->clock = 60;
    PUT(b, "irq_enter", 5, 1, 0);
    expect(b, WF_EXPLAIN_AT, 0, A,
           "1: 3..60 cut; 2 unknown; 4 execution; 3 task b; 38 execution; 10 N(b)>M(a)>deadlock; "
           "wait unknown");
}

// The exit of interrupt 5 is missing, as tasks sleep on top of it: the time from its enter is
// unknown.
static void an_interrupt_without_exit(void **state) {
    (void)state;
    struct bench *b = open_bench();
    put_two_tasks(b);
    b->clock = 100;
    PUT(b, "irq_enter", 5, 1, 0);
    b->clock = 110;
    PUT(b, "task_switch", B, DELAYED, 0);
    b->clock = 120;
    PUT(b, "task_switch", 0, DELAYED, 0);
    b->clock = 130;
    PUT(b, "irq_enter", 5, 1, 0);
    PUT(b, "irq_exit", 5, 1, 0);
    PUT(b, "irq_exit", 5, 1, 0);
    expect(b, WF_EXPLAIN_LONGEST, 0, A, "1: 3..110 done; 2 unknown; 95 execution; 10 unknown");
}

static void a_hole_cuts_a_job(void **state) {
    (void)state;
    struct bench *b = open_bench();
    put_two_tasks(b);
    b->clock = 100;
    PUT(b, "irq_enter", 5, 1, 0);
    PUT(b, "irq_exit", 5, 1, 0);
    ++b->stream.seq; // a record is lost
    b->clock = 150;
    PUT(b, "task_switch", B, DELAYED, 0);
    b->clock = 160;
    PUT(b, "task_switch", 0, DELAYED, 0);
    expect(b, WF_EXPLAIN_AT, 100, A, "1: 3..101 cut; 2 unknown; 95 execution; 1 interrupt 5");
}

// More parts than are listed: the sums have them all.
static void a_long_job(void **state) {
    (void)state;
    enum { IRQS = 40000 };
    struct bench *b = open_bench();
    const struct wf_explain_options o = {.size = sizeof o};
    struct wf_explain *e = wf_explain_open(b->s, &o, NULL);
    struct wf_item item;
    put_two_tasks(b);
    for (unsigned i = 0; i <= IRQS; ++i) {
        if (i < IRQS) PUT(b, "irq_enter", 5, 1, 0);
        if (i < IRQS) PUT(b, "irq_exit", 5, 1, 0);
        if (i == IRQS) PUT(b, "task_switch", B, DELAYED, 0);
        wf_session_feed(b->s, b->stream.bytes, b->stream.len);
        while (wf_session_next(b->s, &item)) wf_explain_take(e, &item);
        b->stream.len = 0;
    }
    wf_explain_end(e);
    const struct wf_explained *job = wf_explain_job(e, wf_model_find_task(wf_explain_model(e), A));
    assert_int_equal(job->to - job->from, 2 * IRQS + 3);
    assert_int_equal(job->part_count, WF_EXPLAIN_PARTS - 1);
    assert_int_equal(job->parts[job->part_count - 1].to, job->parts_until);
    assert_int_equal(job->sum_count, 3);
    assert_int_equal(job->sums[0].path->cause, WF_CAUSE_EXECUTION);
    assert_int_equal(job->sums[0].ticks, IRQS + 1);
    assert_int_equal(job->sums[1].path->irq, 5);
    assert_int_equal(job->sums[1].ticks, IRQS);
    assert_int_equal(job->sums[1].count, IRQS);
    assert_int_equal(job->sums[2].ticks, 2);
    wf_explain_close(e);
    close_bench(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preemption_and_interrupts),
        cmocka_unit_test(a_chain_of_holders),
        cmocka_unit_test(a_deadlock),
        cmocka_unit_test(an_interrupt_without_exit),
        cmocka_unit_test(a_hole_cuts_a_job),
        cmocka_unit_test(a_long_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
