// SPDX-License-Identifier: MIT
// Figures of small traces, each calculated by hand: cases that the kernel example does not have,
// and the effect of losses, windows and several cores.

#include "wallfly_host/wf_stats.h"
#include "wf_test_model.h"

enum { M = 0x100, N = 0x180, Q = 0x200, T = 0x300, H = 0x400 };

static struct bench *b;
static struct wf_stats *st;

static void begin(struct wf_stats_options options) {
    options.size = sizeof options;
    b = open_bench();
    st = wf_stats_open(b->s, &options, NULL);
    assert_non_null(st);
}

static void end(void) {
    struct wf_item item;
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    while (wf_session_next(b->s, &item)) wf_stats_take(st, &item);
    wf_session_end(b->s);
    while (wf_session_next(b->s, &item)) wf_stats_take(st, &item);
    wf_stats_end(st);
    assert_int_equal(wf_stats_error(st), WF_OK);
}

static void done(void) {
    wf_stats_close(st);
    close_bench(b);
}

#define AT(time, name, ...) (b->clock = (time), PUT(b, name, __VA_ARGS__))

static void create(uint64_t time, uint32_t key, const char *name, uint64_t prio) {
    AT(time, "task_create", key, prio);
    put_name(&b->stream, key, name);
}

// Returns the row of this kind with this name (or task) and object; null matches any.
static struct wf_stats_row row_of(enum wf_stats_kind kind, const char *name, const char *object) {
    struct wf_stats_row row, found = {.count = 0};
    unsigned hits = 0;
    for (uint64_t at = 0; wf_stats_next(st, &at, &row);) {
        const char *is = row.name ? row.name : row.task;
        bool fits = (!name || (is && strcmp(is, name) == 0)) &&
                    (!object || (row.object && strcmp(row.object, object) == 0));
        if (row.kind != kind || !fits) continue;
        found = row;
        ++hits;
    }
    if (hits != 1) fail_msg("%u rows %s of %s", hits, wf_stats_kind_names[kind], name);
    return found;
}

static struct wf_figure figure_of(const struct wf_stats_row *row, const char *name) {
    for (unsigned i = 0; i < row->count; ++i) {
        if (strcmp(row->figures[i].name, name) == 0) return row->figures[i];
    }
    fail_msg("no figure %s", name);
    return row->figures[0];
}

// count, min, max and the sum as mean times count
#define SPREAD(row, name, n, least, most, sum)                                                     \
    do {                                                                                           \
        struct wf_figure f_ = figure_of(&(row), name);                                             \
        assert_int_equal(f_.count, n);                                                             \
        assert_int_equal(f_.min, least);                                                           \
        assert_int_equal(f_.max, most);                                                            \
        assert_true(f_.mean *f_.count > (sum)-0.001 && f_.mean * f_.count < (sum) + 0.001);        \
    } while (0)
#define PLACES(row, name, min_from, min_to, max_from, max_to)                                      \
    do {                                                                                           \
        struct wf_figure f_ = figure_of(&(row), name);                                             \
        assert_true(f_.min_at.known &&f_.max_at.known);                                            \
        assert_int_equal(f_.min_at.from, min_from);                                                \
        assert_int_equal(f_.min_at.to, min_to);                                                    \
        assert_int_equal(f_.max_at.from, max_from);                                                \
        assert_int_equal(f_.max_at.to, max_to);                                                    \
    } while (0)
#define ONE(row, name, is) assert_int_equal(figure_of(&(row), name).value, is)

// ---- interrupts and cores

static void interrupts_nest(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.has_from = false});
    create(0, A, "a", 1);
    AT(0, "task_ready", A, 0);
    AT(0, "task_switch", A, LEFT, 0);
    AT(100, "irq_enter", 5, 1, 0);
    AT(130, "irq_enter", 9, 2, 0);
    AT(150, "irq_exit", 9, 2, 0);
    AT(160, "irq_exit", 5, 1, 0);
    AT(300, "irq_enter", 5, 1, 0);
    AT(310, "irq_exit", 5, 1, 0);
    AT(400, "task_switch", 0, DELAYED, 0);
    AT(500, "counter", T, 1);
    end();
    struct wf_stats_row five = row_of(WF_STATS_IRQ, "5", NULL),
                        a = row_of(WF_STATS_TASK, "a", NULL);
    struct wf_stats_row nine = row_of(WF_STATS_IRQ, "9", NULL);
    SPREAD(five, "duration", 2, 10, 60, 70);
    PLACES(five, "duration", 300, 310, 100, 160);
    PLACES(five, "period", 100, 300, 100, 300);
    SPREAD(five, "execution", 2, 10, 40, 50);
    SPREAD(five, "period", 1, 200, 200, 200);
    ONE(five, "cpu", 50);
    SPREAD(nine, "duration", 1, 20, 20, 20);
    ONE(a, "cpu", 330);
    SPREAD(a, "execution", 1, 330, 330, 330);
    SPREAD(a, "response", 1, 400, 400, 400);
    struct wf_stats_row core = row_of(WF_STATS_CORE, NULL, NULL);
    ONE(core, "interrupts", 70);
    ONE(core, "tasks", 330);
    ONE(core, "idle", 100);
    ONE(core, "unknown", 0);
    done();
}

static void tasks_move_between_cores(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.has_from = false});
    create(0, A, "a", 1);
    create(0, B, "b", 2);
    AT(0, "task_ready", A, 0);
    AT(0, "task_ready", B, 0);
    AT(10, "task_switch", A, LEFT, 0);
    AT(20, "task_switch", B, LEFT, 1);
    AT(50, "task_switch", 0, PREEMPTED, 0);
    AT(70, "task_switch", A, DELAYED, 1);
    AT(100, "task_switch", 0, DELAYED, 1);
    AT(110, "counter", T, 1);
    end();
    struct wf_stats_row a = row_of(WF_STATS_TASK, "a", NULL), b_ = row_of(WF_STATS_TASK, "b", NULL);
    ONE(a, "cpu", 70);
    ONE(a, "runs", 2);
    ONE(a, "preempted", 1);
    SPREAD(a, "execution", 1, 70, 70, 70);
    SPREAD(a, "response", 1, 100, 100, 100);
    SPREAD(a, "run", 2, 30, 40, 70);
    ONE(b_, "cpu", 50);
    struct wf_stats_row row;
    uint64_t at = 0;
    assert_true(wf_stats_next(st, &at, &row) && row.core == 0);
    ONE(row, "tasks", 40);
    ONE(row, "idle", 60);
    ONE(row, "unknown", 10);
    assert_true(wf_stats_next(st, &at, &row) && row.core == 1);
    ONE(row, "tasks", 80);
    ONE(row, "idle", 10);
    ONE(row, "unknown", 20);
    done();
}

// ---- objects

static void queues_timers_heaps(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.has_from = false});
    create(0, A, "a", 1);
    AT(0, "task_ready", A, 0);
    AT(0, "task_switch", A, LEFT, 0);
    AT(100, "queue_create", Q, 8);
    AT(100, "timer_create", T, 50);
    AT(100, "heap_create", H, 4096);
    AT(200, "queue_send", Q, A, 1);
    AT(250, "queue_send", Q, 0, 2);
    AT(300, "queue_receive", Q, A, 1);
    AT(350, "timer_start", T, A, 50);
    AT(400, "timer_expire", T);
    AT(450, "timer_expire", T);
    AT(520, "timer_expire", T);
    AT(530, "heap_alloc", H, A, 0x5000, 24);
    AT(540, "heap_alloc", H, A, 0x6000, 100);
    AT(550, "heap_free", H, A, 0x5000, 24);
    AT(560, "queue_receive_refused", Q, A);
    AT(600, "counter", M, 1);
    end();
    struct wf_stats_row queue = row_of(WF_STATS_OBJECT, "0x00000200", NULL);
    struct wf_stats_row timer = row_of(WF_STATS_OBJECT, "0x00000300", NULL);
    struct wf_stats_row heap = row_of(WF_STATS_OBJECT, "0x00000400", NULL);
    struct wf_figure depth = figure_of(&queue, "depth");
    ONE(queue, "given", 2);
    ONE(queue, "taken", 1);
    ONE(queue, "refused", 1);
    assert_int_equal(depth.min, 0);
    assert_int_equal(depth.max, 2);
    PLACES(queue, "depth", 100, 100, 250, 250);
    assert_int_equal(depth.value, 1);
    // 100 ticks of 0, 50 of 1, 50 of 2, 300 of 1
    assert_true(depth.mean > 0.9 - 1e-9 && depth.mean < 0.9 + 1e-9);
    ONE(timer, "expired", 3);
    ONE(timer, "started", 1);
    SPREAD(timer, "period", 2, 50, 70, 120);
    ONE(heap, "allocated", 2);
    ONE(heap, "freed", 1);
    SPREAD(heap, "bytes", 2, 24, 100, 124);
    PLACES(timer, "period", 400, 450, 450, 520);
    PLACES(heap, "bytes", 530, 530, 540, 540);
    assert_false(figure_of(&heap, "depth").min_at.known);
    done();
}

// A waits while first B and then C hold the mutex; D, whose priority is between them, runs
// meanwhile.
static void blocked_by_one_after_the_other(void **unused) {
    (void)unused;
    for (unsigned high = 0; high < 2; ++high) {
        begin((struct wf_stats_options){.priorities = WF_PRIORITIES_UNKNOWN});
        create(0, A, "a", high ? 9 : 1);
        create(0, B, "b", high ? 2 : 8);
        create(0, C, "c", high ? 1 : 9);
        create(0, H, "d", 5);
        AT(10, "task_ready", B, 0);
        AT(10, "task_switch", B, LEFT, 0);
        AT(20, "mutex_create", M);
        AT(30, "mutex_take", M, B, 1);
        AT(40, "task_ready", A, 0);
        AT(41, "task_switch", A, PREEMPTED, 0);
        AT(50, "mutex_wait", M, A);
        AT(51, "task_ready", H, 0);
        AT(52, "task_switch", H, BLOCKED, 0);
        AT(72, "task_switch", B, DELAYED, 0);
        AT(80, "mutex_give", M, B, 0);
        AT(80, "mutex_take", M, C, 1); // handed to C, whose wait is not recorded
        AT(81, "task_ready", C, 0);
        AT(82, "task_switch", C, DELAYED, 0);
        AT(95, "mutex_give", M, C, 0);
        AT(95, "mutex_take", M, A, 1);
        AT(95, "task_ready", A, 0);
        AT(96, "task_switch", A, PREEMPTED, 0);
        AT(100, "mutex_give", M, A, 0);
        AT(110, "task_switch", 0, DELAYED, 0);
        end();
        struct wf_stats_about about;
        wf_stats_report(st, &about);
        assert_int_equal(about.priorities, high ? WF_PRIORITIES_HIGH : WF_PRIORITIES_LOW);
        assert_int_equal(high ? about.for_high : about.for_low, 2);
        struct wf_stats_row wait = row_of(WF_STATS_WAIT, "a", "0x00000100"), row;
        SPREAD(wait, "wait", 1, 45, 45, 45);
        assert_false(figure_of(&wait, "gave up").first_at.known);
        unsigned seen = 0;
        for (uint64_t at = 0; wf_stats_next(st, &at, &row);) {
            if (row.kind == WF_STATS_BLOCKED && strcmp(row.by, "b") == 0) {
                SPREAD(row, "blocked", 1, 30, 30, 30);
                PLACES(row, "blocked", 50, 80, 50, 80);
                ++seen;
            } else if (row.kind == WF_STATS_BLOCKED) {
                assert_string_equal(row.by, "c");
                SPREAD(row, "blocked", 1, 15, 15, 15);
                ++seen;
            }
        }
        assert_int_equal(seen, 2);
        struct wf_stats_row inversion = row_of(WF_STATS_INVERSION, "a", NULL);
        assert_string_equal(inversion.over, "d");
        assert_string_equal(inversion.by, "b");
        SPREAD(inversion, "inversion", 1, 20, 20, 20);
        PLACES(inversion, "inversion", 50, 95, 50, 95); // the wait
        struct wf_stats_row a = row_of(WF_STATS_TASK, "a", NULL);
        SPREAD(a, "response", 1, 70, 70, 70); // includes the wait
        SPREAD(a, "execution", 1, 25, 25, 25);
        PLACES(a, "execution", 40, 110, 40, 110); // the job
        done();
    }
}

static void the_first_wait_that_is_given_up(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.has_from = true, .from_s = 100});
    create(0, A, "a", 1);
    create(0, B, "b", 8);
    AT(10, "mutex_create", M);
    AT(20, "mutex_take", M, B, 1);
    for (uint64_t at = 50; at <= 450; at += 200) { // the first one begins before the window
        AT(at, "mutex_wait", M, A);
        AT(at + 70, "mutex_timeout", M, A);
    }
    AT(600, "counter", T, 1);
    end();
    struct wf_stats_row wait = row_of(WF_STATS_WAIT, "a", "0x00000100");
    struct wf_stats_row mutex = row_of(WF_STATS_OBJECT, "0x00000100", NULL);
    struct wf_stats_place one = figure_of(&wait, "gave up").first_at;
    struct wf_stats_place all = figure_of(&mutex, "gave up").first_at;
    ONE(wait, "gave up", 3); // each that ends in the window
    assert_true(one.known && one.from == 50 && one.to == 120);
    assert_memory_equal(&one, &all, sizeof one);
    SPREAD(wait, "wait", 2, 70, 70, 140); // only whole ones
    PLACES(wait, "wait", 250, 320, 250, 320);
    done();
}

// The holder has inherited the waiter's priority: d's priority is not higher.
static void inherited_priority_is_no_inversion(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.priorities = WF_PRIORITIES_HIGH});
    create(0, A, "a", 9);
    create(0, B, "b", 1);
    create(0, H, "d", 5);
    AT(10, "task_ready", B, 0);
    AT(10, "task_switch", B, LEFT, 0);
    AT(30, "mutex_take", M, B, 1);
    AT(40, "task_ready", A, 0);
    AT(41, "task_switch", A, PREEMPTED, 0);
    AT(50, "mutex_wait", M, A);
    AT(50, "task_priority", B, 9);
    AT(51, "task_ready", H, 0);
    AT(52, "task_switch", H, BLOCKED, 0);
    AT(72, "task_switch", B, DELAYED, 0);
    AT(80, "mutex_give", M, B, 0);
    AT(80, "mutex_take", M, A, 1);
    end();
    struct wf_stats_row row;
    for (uint64_t at = 0; wf_stats_next(st, &at, &row);) {
        assert_int_not_equal(row.kind, WF_STATS_INVERSION);
    }
    assert_int_equal(row_of(WF_STATS_TASK, "b", NULL).prio, 9);
    done();
}

// ---- notes

static void spans_and_counters(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.has_from = false});
    create(0, A, "a", 1);
    put_name(&b->stream, 0x700, "draw");
    put_name(&b->stream, 0x710, "load");
    AT(0, "task_ready", A, 0);
    AT(0, "task_switch", A, LEFT, 0);
    AT(10, "span_begin", A, 0x700);
    AT(20, "span_begin", A, 0x700);
    AT(25, "span_end", A, 0x700);
    AT(40, "span_end", A, 0x700);
    AT(50, "span_begin", A, 0x700);
    AT(60, "counter", 0x710, 7);
    AT(61, "counter", 0x710, (uint32_t)-3);
    AT(62, "counter", 0x710, 5);
    end();
    struct wf_stats_row draw = row_of(WF_STATS_SPAN, "draw", NULL);
    struct wf_stats_row load = row_of(WF_STATS_COUNTER, "load", NULL);
    SPREAD(draw, "span", 2, 5, 30, 35);
    PLACES(draw, "span", 20, 25, 10, 40);
    PLACES(load, "counter", 61, 61, 60, 60);
    assert_int_equal(figure_of(&draw, "span").open, 1);
    struct wf_figure f = figure_of(&load, "counter");
    assert_int_equal(f.count, 3);
    assert_true(f.min == -3 && f.max == 7 && f.mean == 3 && f.value == 5);
    done();
}

// ---- losses and windows

static void put_jobs(bool hole) {
    create(0, A, "a", 1);
    AT(0, "task_ready", A, 0);
    AT(0, "task_switch", A, LEFT, 0);
    AT(0, "task_switch", 0, DELAYED, 0);
    for (uint64_t t = 100; t < 1000; t += 100) {
        AT(t, "task_ready", A, 0);
        AT(t + 10, "task_switch", A, LEFT, 0);
        if (hole && t == 500) ++b->stream.seq; // a frame is lost
        AT(t + 10 + t / 100, "task_switch", 0, DELAYED, 0);
    }
}

static void a_hole_takes_out_what_reaches_over_it(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.has_from = false});
    put_jobs(true);
    create(1100, B, "b", 2);
    AT(1110, "task_ready", B, 0);
    AT(1120, "task_switch", B, LEFT, 0);
    AT(1130, "task_switch", 0, DELAYED, 0);
    end();
    struct wf_stats_row a = row_of(WF_STATS_TASK, "a", NULL),
                        young = row_of(WF_STATS_TASK, "b", NULL);
    struct wf_figure response = figure_of(&a, "response");
    // The jobs of 500, which the loss cuts, and 600, whose arrival might be recorded twice, do not
    // count.
    assert_int_equal(response.count, 8);
    assert_int_equal(response.in_holes, 2);
    assert_int_equal(figure_of(&a, "execution").count, 8);
    assert_true(a.marked && !young.marked);
    SPREAD(young, "response", 1, 20, 20, 20);
    struct wf_stats_about about;
    wf_stats_report(st, &about);
    assert_int_equal(about.hole_count, 1);
    assert_true(about.holes[0].from == 510 && about.holes[0].to == 515);
    assert_int_equal(about.holes[0].records, 1);
    struct wf_stats_row core = row_of(WF_STATS_CORE, NULL, NULL);
    assert_true(core.marked);
    ONE(core, "unknown", 5);
    done();
}

static void only_whole_intervals_of_a_window_count(void **unused) {
    (void)unused;
    struct wf_stats_options options = {
        .size = sizeof options, .has_from = true, .from_s = 305, .has_until = true, .until_s = 702};
    begin(options);
    put_jobs(false);
    end();
    struct wf_stats_row a = row_of(WF_STATS_TASK, "a", NULL);
    SPREAD(a, "response", 3, 14, 16, 45);
    SPREAD(a, "period", 3, 100, 100, 300);
    ONE(a, "runs", 4);
    ONE(a, "cpu", 3 + 4 + 5 + 6);
    assert_int_equal(figure_of(&a, "response").open, 2);
    assert_false(a.marked);
    struct wf_stats_row core = row_of(WF_STATS_CORE, NULL, NULL);
    ONE(core, "known", 702 - 305);
    struct wf_stats_about about;
    wf_stats_report(st, &about);
    assert_true(about.known && about.from == 305 && about.until == 702);
    done();
}

// An open figure reaches over the begin or end of the window or of the trace.
#define OPEN(row, name, n, reaching)                                                               \
    do {                                                                                           \
        struct wf_figure f_ = figure_of(&(row), name);                                             \
        assert_int_equal(f_.count, n);                                                             \
        assert_int_equal(f_.open, reaching);                                                       \
        assert_int_equal(f_.in_holes, 0);                                                          \
    } while (0)

// Intervals that begin or are lost after the window are not in its figures.
static void what_lies_behind_a_window_does_not_count(void **unused) {
    (void)unused;
    struct wf_stats_options options = {.size = sizeof options, .has_until = true, .until_s = 450};
    begin(options);
    put_jobs(true); // one frame is lost at 510
    create(1010, B, "b", 2);
    AT(1020, "task_ready", B, 0);
    AT(1030, "task_switch", B, LEFT, 0);
    end();
    struct wf_stats_row a = row_of(WF_STATS_TASK, "a", NULL), young = row_of(WF_STATS_TASK, "b", 0);
    OPEN(a, "response", 5, 0);
    OPEN(a, "execution", 5, 0);
    OPEN(a, "start", 5, 0);
    OPEN(a, "run", 5, 0);
    OPEN(a, "period", 4, 1);
    OPEN(young, "response", 0, 0);
    OPEN(young, "run", 0, 0);
    done();
}

// A hold, a wait and an inversion that begin in the window and reach over its end.
static void what_reaches_over_the_end_of_a_window_is_open(void **unused) {
    (void)unused;
    for (uint64_t until = 60; until <= 90; until += 10) {
        begin((struct wf_stats_options){
            .priorities = WF_PRIORITIES_LOW, .has_until = true, .until_s = (double)until});
        create(0, A, "a", 1);
        create(0, B, "b", 8);
        create(0, H, "d", 5);
        AT(10, "task_ready", B, 0);
        AT(10, "task_switch", B, LEFT, 0);
        AT(30, "mutex_take", M, B, 1);
        AT(40, "task_ready", A, 0);
        AT(41, "task_switch", A, PREEMPTED, 0);
        AT(50, "mutex_wait", M, A);
        AT(51, "task_ready", H, 0);
        AT(52, "task_switch", H, BLOCKED, 0);
        AT(72, "task_switch", B, DELAYED, 0);
        AT(80, "mutex_give", M, B, 0);
        AT(80, "mutex_take", M, A, 1);
        AT(80, "task_ready", A, 0);
        AT(85, "task_switch", A, PREEMPTED, 0);
        AT(100, "mutex_wait", N, A);
        end();
        struct wf_stats_row inversion = row_of(WF_STATS_INVERSION, "a", NULL);
        OPEN(inversion, "inversion", until >= 80, until < 80);
        if (until >= 80) SPREAD(inversion, "inversion", 1, 20, 20, 20);
        struct wf_stats_row wait = row_of(WF_STATS_WAIT, "a", "0x00000100");
        OPEN(wait, "wait", until >= 80, until < 80);
        struct wf_stats_row mutex = row_of(WF_STATS_OBJECT, "0x00000100", NULL);
        OPEN(mutex, "hold", until >= 80, 1); // the second one lasts to the end of the trace
        struct wf_stats_row a = row_of(WF_STATS_TASK, "a", NULL);
        OPEN(a, "response", 0, 1);
        done();
    }
}

// Contradicting preemptions decide nothing.
static void contradicting_preemptions(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.has_from = false});
    create(0, A, "a", 1);
    create(0, B, "b", 2);
    AT(1, "task_ready", A, 0);
    AT(1, "task_ready", B, 0);
    AT(2, "task_switch", A, LEFT, 0);
    AT(3, "task_switch", B, PREEMPTED, 0);
    AT(4, "task_switch", A, PREEMPTED, 0);
    end();
    struct wf_stats_about about;
    wf_stats_report(st, &about);
    assert_true(about.for_low == 1 && about.for_high == 1);
    assert_int_equal(about.priorities, WF_PRIORITIES_UNKNOWN);
    done();
}

static void nothing_at_all(void **unused) {
    (void)unused;
    begin((struct wf_stats_options){.has_from = false});
    end();
    struct wf_stats_row row;
    struct wf_stats_about about;
    uint64_t at = 0;
    assert_false(wf_stats_next(st, &at, &row));
    wf_stats_report(st, &about);
    assert_true(!about.known && about.hole_count == 0);
    done();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupts_nest),
        cmocka_unit_test(tasks_move_between_cores),
        cmocka_unit_test(queues_timers_heaps),
        cmocka_unit_test(blocked_by_one_after_the_other),
        cmocka_unit_test(the_first_wait_that_is_given_up),
        cmocka_unit_test(inherited_priority_is_no_inversion),
        cmocka_unit_test(spans_and_counters),
        cmocka_unit_test(a_hole_takes_out_what_reaches_over_it),
        cmocka_unit_test(only_whole_intervals_of_a_window_count),
        cmocka_unit_test(what_lies_behind_a_window_does_not_count),
        cmocka_unit_test(what_reaches_over_the_end_of_a_window_is_open),
        cmocka_unit_test(contradicting_preemptions),
        cmocka_unit_test(nothing_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
