// SPDX-License-Identifier: MIT
// Rows, slices and arrows of small traces: the effect of each record, names and priorities that
// come late.

#include "wf_test_drawn.h"

enum { AO = 0x1000, HSM = 0x2000, IDLE = 0x801, BUSY = 0x901 };

// ---- tasks of an RTOS

static void tasks_and_their_core(void **state) {
    (void)state;
    two_tasks();
    PUT(b, "task_switch", B, PREEMPTED, 0); // 10
    PUT(b, "mutex_wait", M, B);
    PUT(b, "task_switch", A, BLOCKED, 0); // 12
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", B, DELAYED, 0); // 14
    PUT(b, "mutex_take", M, B, 1);
    PUT(b, "task_switch", 0, SUSPENDED, 0); // 16: no task runs
    drawn("task a [states: 3-5 ready 5-10 running@0 10-12 ready 12-14 running@0 14-16~ delayed]\n"
          "task b [states: 4-10 ready 10-12 running@0 12-13 blocked on 0x00000100 13-14 ready "
          "14-16 running@0 16-16~ suspended] [holds: 15-16~ 0x00000100]\n"
          "core core 0 [runs: 5-10 a 10-12 b 12-14 a 14-16 b 16-16~ idle]\n"
          "object 0x00000100 [holder: <1-15 ? 15-16~ b] [level: 11-15 1]\n"
          "preempt 10-10 task a > task b\n"); // it is unknown whether an interrupt made it ready
    stop();
}

// A wait for a mutex is part of the job. The arrival of a's first job is known; a job that another
// task suspends is abandoned.
static void jobs_from_ready_to_done(void **state) {
    (void)state;
    draws_jobs = true;
    two_tasks();
    PUT(b, "task_switch", B, PREEMPTED, 0); // 10
    PUT(b, "mutex_wait", M, B);
    PUT(b, "task_switch", A, BLOCKED, 0); // 12
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", B, DELAYED, 0); // 14
    PUT(b, "task_ready", A, 0);
    PUT(b, "task_suspend", A); // 16
    PUT(b, "task_ready", A, 0);
    PUT(b, "task_switch", A, DELAYED, 0); // 18
    lose(3);
    PUT(b, "task_switch", B, DELAYED, 0); // 20: its arrival is lost
    drawn("task a [states: 3-5 ready 5-10 running@0 10-12 ready 12-14 running@0 14-15 delayed "
          "15-16 ready 16-17 suspended 17-18 ready 18-18> running@0] "
          "[jobs: 3-14 done 15-16 abandoned 17-18> open]\n"
          "task b [states: 4-10 ready 10-12 running@0 12-13 blocked on 0x00000100 13-14 ready "
          "14-18 running@0 18-18> delayed 19-19~ running@0] [jobs: 4-18 done <19-19~ open]\n"
          "core core 0 [runs: 5-10 a 10-12 b 12-14 a 14-18 b 18-18> a 19-19~ b]\n"
          "object 0x00000100 [holder: <1-19~ ?] [level: 11-18> 1]\n"
          "link [loss: 18-19 3?]\n"
          "preempt 10-10 task a > task b\n");
    draws_jobs = false;
    stop();
}

// A task with the same name continues in the same row.
static void a_target_that_starts_anew(void **state) {
    (void)state;
    two_tasks();
    put_frame_seq(&b->stream, 1, 0, "", 0);
    PUT(b, "task_create", A, 1); // 6: the clock continues
    put_name(&b->stream, A, "a");
    PUT(b, "task_create", B, 2);
    put_name(&b->stream, B, "another");
    PUT(b, "task_ready", A, 0); // 8
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", A, LEFT, 0); // 10
    drawn("task a [states: 3-5 ready 5-5> running@0 8-10 ready 10-10~ running@0]\n"
          "task b [states: 4-5> ready]\n"
          "core core 0 [runs: 5-5> a 10-10~ a]\n"
          "link [loss: 5-6 0?]\n"
          "task another [states: 9-10~ ready]\n");
    stop();
}

static void mutexes_lie_on_each_other(void **state) {
    (void)state;
    two_tasks();
    PUT(b, "mutex_take", M, A, 1); // 10
    PUT(b, "mutex_take", N, A, 1);
    PUT(b, "mutex_give", M, A, 0); // 12: the first level is free
    PUT(b, "mutex_take", S, A, 1);
    PUT(b, "mutex_give", N, A, 0); // 14
    PUT(b, "mutex_give", S, A, 0);
    drawn("task a [states: 3-5 ready 5-15~ running@0] [holds: 10-12 0x00000100 13-15 0x00000300] "
          "[holds1: 11-14 0x00000200]\n"
          "task b [states: 4-15~ ready]\n"
          "core core 0 [runs: 5-15~ a]\n"
          "object 0x00000100 [holder: <1-10 ? 10-12 a]\n"
          "object 0x00000200 [holder: <1-11 ? 11-14 a]\n"
          "object 0x00000300 [holder: <1-13 ? 13-15 a]\n");
    stop();
}

static void queues_and_semaphores(void **state) {
    (void)state;
    two_tasks();
    PUT(b, "queue_create", Q, 4); // 10
    PUT(b, "sema_create", S, 2);
    PUT(b, "queue_send", Q, A, 1);
    PUT(b, "irq_enter", 15, 1, 0);
    PUT(b, "queue_send", Q, 0, 2); // 14, by the interrupt
    PUT(b, "irq_exit", 15, 1, 0);
    PUT(b, "task_switch", B, PREEMPTED, 0);
    PUT(b, "queue_receive", Q, B, 1); // 17
    PUT(b, "queue_receive", Q, B, 0);
    PUT(b, "queue_delete", Q);
    PUT(b, "sema_take", S, B, 1); // 20
    drawn("task a [states: 3-5 ready 5-16 running@0 16-20~ ready]\n"
          "task b [states: 4-16 ready 16-20~ running@0]\n"
          "core core 0 [runs: 5-16 a 16-20~ b]\n"
          "object 0x00000400 [level: 10-12 0 12-14 1 14-17 2 17-18 1 18-19 0]\n"
          "object 0x00000300 [level: 11-20 2 20-20~ 1]\n"
          "irq irq 15 c0 [irqs: 13-15 +0]\n"
          "preempt 16-16 task a > task b\n"
          "give 12-17 task a > task b 0x00000400\n"
          "give 14-18 irq irq 15 > task b 0x00000400\n");
    stop();
}

// Which give ends a wait: of a mutex the last one, of a semaphore the first one after the last
// take.
static void gives_let_in_who_waits(void **state) {
    (void)state;
    two_tasks();
    PUT(b, "sema_create", S, 0); // 10
    PUT(b, "mutex_take", M, A, 1);
    PUT(b, "task_switch", B, PREEMPTED, 0); // 12
    PUT(b, "mutex_wait", M, B);
    PUT(b, "task_switch", A, BLOCKED, 0); // 14
    PUT(b, "mutex_give", M, A, 0);
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", B, PREEMPTED, 0); // 17
    PUT(b, "mutex_take", M, B, 1);          // 18
    PUT(b, "sema_wait", S, B);
    PUT(b, "task_switch", A, BLOCKED, 0); // 20
    PUT(b, "sema_give", S, A, 1);
    PUT(b, "sema_give", S, A, 2);
    PUT(b, "task_switch", B, PREEMPTED, 0); // 23
    PUT(b, "sema_take", S, B, 1);           // 24
    PUT(b, "sema_give", S, B, 2);
    PUT(b, "sema_take", S, B, 1); // it did not wait
    drawn("task a [states: 3-5 ready 5-12 running@0 12-14 ready 14-17 running@0 17-20 ready "
          "20-23 running@0 23-26~ ready] [holds: 11-15 0x00000100]\n"
          "task b [states: 4-12 ready 12-14 running@0 14-16 blocked on 0x00000100 16-17 ready "
          "17-20 running@0 20-23 blocked on 0x00000300 23-26~ running@0] "
          "[holds: 18-26~ 0x00000100]\n"
          "core core 0 [runs: 5-12 a 12-14 b 14-17 a 17-20 b 20-23 a 23-26~ b]\n"
          "object 0x00000300 [level: 10-21 0 21-22 1 22-24 2 24-25 1 25-26 2 26-26~ 1]\n"
          "object 0x00000100 [holder: <1-11 ? 11-15 a 18-26~ b] [level: 13-18 1]\n"
          "preempt 12-12 task a > task b\n"
          "preempt 17-17 task a > task b\n"
          "give 15-18 task a > task b 0x00000100\n"
          "preempt 23-23 task a > task b\n"
          "give 21-24 task a > task b 0x00000300\n");
    stop();
}

static void interrupts_and_spans(void **state) {
    (void)state;
    two_tasks();
    PUT(b, "span_begin", A, TEXT); // 10
    PUT(b, "span_begin", A, TEXT + 1);
    PUT(b, "irq_enter", 5, 1, 0);
    PUT(b, "span_begin", 0, TEXT + 2); // 13
    PUT(b, "irq_enter", 6, 2, 0);
    PUT(b, "irq_exit", 6, 2, 0);
    PUT(b, "task_ready", B, 0);
    PUT(b, "span_end", 0, TEXT + 2); // 17
    PUT(b, "irq_exit", 5, 1, 0);
    PUT(b, "span_end", A, TEXT + 1);
    PUT(b, "span_end", A, TEXT);     // 20
    PUT(b, "span_end", A, TEXT + 3); // it began before the trace
    PUT(b, "irq_exit", 7, 1, 0);     // 22: no begin
    drawn("task a [states: 3-5 ready 5-22~ running@0] [spans: 10-20 0x00000500 <21-21 0x00000503] "
          "[spans1: 11-19 0x00000501]\n"
          "task b [states: 4-22~ ready]\n"
          "core core 0 [runs: 5-22~ a] [spans: 13-17 0x00000502]\n"
          "irq irq 5 c0 [irqs: 12-18 +0]\n"
          "irq irq 6 c0 [irqs: 14-15 +1]\n"
          "irq irq 7 c0 [irqs:] [unpaired: 22-22 exit 1]\n");
    stop();
}

static void an_interrupt_wakes(void **state) {
    (void)state;
    two_tasks();
    PUT(b, "task_switch", B, BLOCKED, 0); // 10
    PUT(b, "irq_enter", 5, 1, 0);
    PUT(b, "task_ready", A, 0);
    PUT(b, "irq_exit", 5, 1, 0);
    PUT(b, "task_switch", A, PREEMPTED, 0);
    drawn("task a [states: 3-5 ready 5-10 running@0 10-12 blocked 12-14 ready 14-14~ running@0]\n"
          "task b [states: 4-10 ready 10-14 running@0 14-14~ ready]\n"
          "core core 0 [runs: 5-10 a 10-14 b 14-14~ a]\n"
          "irq irq 5 c0 [irqs: 11-13 +0]\n"
          "preempt 14-14 task b > task a\n"
          "wake 12-14 irq irq 5 > task a\n");
    stop();
}

// ---- state machines

static void machines_step_and_post(void **state) {
    (void)state;
    start();
    PUT(b, "active_get_last", 3, AO, 0, 0); // the queue is empty from here on
    PUT(b, "init_tran", HSM, IDLE);         // 2
    PUT(b, "init_tran", AO, IDLE);
    PUT(b, "active_post", HSM, 4, AO, 0, 0, 3, 3);
    PUT(b, "active_get_last", 4, AO, 0, 0); // 5
    PUT(b, "dispatch", 4, AO, IDLE);
    PUT(b, "tran", 4, AO, IDLE, BUSY);
    PUT(b, "dispatch", 5, AO, BUSY); // 8
    lose(1);
    PUT(b, "tran", 6, AO, BUSY, IDLE); // 9: the step's begin is not recorded
    drawn("machine 0x00002000 [machine: 2-8> 0x00000801]\n"
          "machine 0x00001000 [machine: 3-7 0x00000801 7-8> 0x00000901 9-9~ 0x00000801] "
          "[level: 4-5 3 5-8> 4] [steps: 6-7 signal 4! 8-8> signal 5 <9-9 signal 6!]\n"
          "link [loss: 8-9 1?]\n"
          "post 4-5 machine 0x00002000 > machine 0x00001000 signal 4\n");
    stop();
}

static void priorities_of_qp(void **state) {
    (void)state;
    start();
    PUT(b, "sched_next", 3, 0);    // 1: prio 3 runs, the idle loop left
    PUT(b, "sched_preempt", 5, 3); // 2
    PUT(b, "sched_restore", 3, 5);
    PUT(b, "sched_idle", 3); // 4
    drawn("task priority 3 [states: 1-2 running@0 2-3 ready 3-4 running@0 4-4~ blocked]\n"
          "core core 0 [runs: 1-2 priority 3 2-3 priority 5 3-4 priority 3 4-4~ idle]\n"
          "task priority 5 [states: 2-3 running@0 4-4~ blocked]\n"
          "preempt 2-2 task priority 3 > task priority 5\n");
    stop();
}

// ---- heaps

// The mark is valid until the next one is recorded, also across a loss, and to the end of the heap.
static void low_water_marks_are_levels(void **state) {
    (void)state;
    const uint64_t H = 0x600, G = 0x700;
    two_tasks();
    PUT(b, "heap_create", H, 8192); // 10: no mark yet
    PUT(b, "heap_low", H, 5000);
    PUT(b, "heap_low", G, 0); // 12: of unknown size
    PUT(b, "heap_low", H, 5000);
    PUT(b, "heap_low", H, 4096); // 14
    lose(3);
    b->clock = 20;
    PUT(b, "heap_low", H, 4096);
    PUT(b, "heap_low", H, 1); // 21
    PUT(b, "heap_delete", H);
    PUT(b, "heap_create", H, 100);
    PUT(b, "heap_low", H, UINT32_MAX); // 24: another heap, in the same row
    take_all();
    unsigned heaps = 0;
    for (unsigned i = 0; i < wf_timeline_rows(t); ++i) {
        struct wf_timeline_row r;
        struct wf_entity of;
        struct wf_piece p[8];
        wf_timeline_row(t, i, &r);
        wf_timeline_entity(t, r.entity, &of);
        if (r.kind != WF_ROW_OBJECT) continue;
        assert_true(of.kind == WF_ENTITY_OBJECT && of.sub == WF_OBJECT_HEAP && of.low_known);
        size_t n = wf_timeline_range(t, r.first_track, 0, 100, 1, p, 8);
        if (of.key == G) {
            assert_true(n == 1 && p[0].begin == 12 && p[0].value == 0 && of.size == 0);
        } else {
            assert_true(of.low == UINT32_MAX && of.size == 100);
            assert_true(n == 4 && p[0].begin == 11 && p[0].end == 14 && p[0].value == 5000);
            assert_true(p[1].begin == 14 && p[1].end == 21 && p[1].value == 4096);
            assert_true(p[2].begin == 21 && p[2].end == 22 && p[2].value == 1);
            assert_true(p[3].begin == 24 && p[3].value == UINT32_MAX);
            assert_int_equal(wf_timeline_range(t, r.first_track, 0, 24, 64, p, 8), 1);
            assert_true(p[0].count == 3 && p[0].min == 1 && p[0].max == 5000); // zoomed out
        }
        ++heaps;
    }
    assert_int_equal(heaps, 2);
    stop();
}

static void use_of_a_heap_is_a_level(void **state) {
    (void)state;
    const uint64_t H = 0x600;
    two_tasks();
    PUT(b, "heap_alloc", H, A, 0x5000, 24); // 10
    PUT(b, "heap_alloc", H, A, 0x5020, 6);
    PUT(b, "heap_free", H, A, 0x5000, 24); // 12
    lose(3);
    b->clock = 20;
    PUT(b, "heap_alloc", H, A, 0x5100, 5);
    PUT(b, "heap_delete", H); // 21
    PUT(b, "heap_create", H, 100);
    PUT(b, "heap_alloc", H, A, 0x5000, 50); // 23
    take_all();
    struct wf_piece p[8];
    for (unsigned i = 0; i < wf_timeline_rows(t); ++i) {
        struct wf_timeline_row r;
        struct wf_track track;
        wf_timeline_row(t, i, &r);
        if (r.kind != WF_ROW_OBJECT) continue;
        wf_timeline_track(t, r.first_track, &track);
        assert_int_equal(track.kind, WF_TRACK_USED);
        assert_int_equal(wf_timeline_range(t, r.first_track, 0, 100, 1, p, 8), 5);
        static const uint64_t want[5][4] = {
            {10, 11, 24, 0}, {11, 12, 30, 0}, {12, 12, 6, 0}, {20, 21, 5, 0}, {23, 23, 50, 1}};
        for (unsigned k = 0; k < 5; ++k) {
            assert_true(p[k].begin == want[k][0] && (uint64_t)p[k].value == want[k][2]);
            assert_true(p[k].more == want[k][3] && (p[k].end == want[k][1] || k == 4 || k == 2));
        }
        assert_true(p[2].flags & WF_PIECE_END_CUT);
        stop();
        return;
    }
    fail_msg("no row of the heap");
}

// ---- names, marks, filters

static void free_stack_is_a_level(void **state) {
    (void)state;
    two_tasks();
    PUT(b, "task_stack", A, 300, 1024); // 10
    PUT(b, "task_stack", A, 300, 1024); // no change
    PUT(b, "task_stack", A, 0, 1024);   // 12
    lose(3);
    b->clock = 20;
    PUT(b, "task_stack", A, 0, 1024);
    drawn("task a [states: 3-5 ready 5-12> running@0] [level: 10-12 300 12-20~ 0]\n"
          "task b [states: 4-12> ready]\n"
          "core core 0 [runs: 5-12> a]\n"
          "link [loss: 12-20 3?]\n");
    stop();
}

static void names_and_priorities_come_late(void **state) {
    (void)state;
    two_tasks();
    struct wf_entity of;
    uint64_t revision = wf_timeline_revision(t);
    PUT(b, "task_priority", A, 9);
    take_all();
    assert_true(wf_timeline_revision(t) > revision);
    wf_timeline_entity(t, WF_ENTITY_FIRST, &of);
    assert_true(of.kind == WF_ENTITY_TASK && of.prio_known && of.prio == 9 && of.key == A);
    revision = wf_timeline_revision(t);
    PUT(b, "counter", TEXT, 1);
    take_all();
    uint32_t entity = wf_timeline_entities(t) - 1;
    assert_string_equal(name(entity), "0x00000500");
    assert_true(wf_timeline_revision(t) > revision);
    revision = wf_timeline_revision(t);
    PUT(b, "counter", TEXT, 2); // no change
    take_all();
    assert_int_equal(wf_timeline_revision(t), revision);
    put_name(&b->stream, TEXT, "speed");
    put_name(&b->stream, A, "motor");
    take_all();
    assert_true(wf_timeline_revision(t) > revision);
    assert_string_equal(name(entity), "speed");
    assert_string_equal(name(WF_ENTITY_FIRST), "motor");
    assert_string_equal(name(WF_ENTITY_IDLE), "idle");
    stop();
}

static void users_records_are_marks(void **state) {
    (void)state;
    two_tasks();
    uint8_t payload[] = {30, 0, 0, 0, 0x11, 7};
    put_frame(&b->stream, 101, payload, sizeof payload);
    put_frame(&b->stream, 101, payload, sizeof payload); // at the same tick
    payload[0] = 33;
    put_frame(&b->stream, 120, payload, sizeof payload);
    take_all();
    struct wf_timeline_row r;
    struct wf_piece p[8];
    wf_timeline_row(t, wf_timeline_rows(t) - 1, &r);
    assert_int_equal(r.kind, WF_ROW_RECORDS);
    assert_int_equal(wf_timeline_range(t, r.first_track, 30, 33, 1, p, 8), 2);
    assert_true(p[0].begin == 30 && p[0].end == 30 && p[0].value == 101 && p[1].value == 101);
    assert_int_equal(wf_timeline_range(t, r.first_track, 0, 100, 64, p, 8), 1);
    assert_true(p[0].count == 3 && p[0].busy == 0 && p[0].value == 101);
    assert_true(p[0].min == 101 && p[0].max == 120);
    assert_true(wf_timeline_step(t, r.first_track, 31, 1, true, 0, p));
    assert_int_equal(p[0].value, 120);
    assert_true(wf_timeline_step(t, r.first_track, 33, -1, false, 101, p));
    assert_int_equal(p[0].begin, 30);
    stop();
}

static void filters_are_slices(void **state) {
    (void)state;
    uint8_t bits[16];
    two_tasks();
    memset(bits, 0xFF, sizeof bits);
    wf_timeline_filters(t, bits);
    PUT(b, "task_switch", B, PREEMPTED, 0); // 10
    take_all();
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        if (row->group == WF_GROUP_TASK) bits[row->id / 8] &= (uint8_t) ~(1u << row->id % 8);
    }
    wf_timeline_filters(t, bits);
    PUT(b, "counter", TEXT, 1); // 11
    take_all();
    wf_timeline_filters(t, bits); // the same filters again
    memset(bits, 0xFF, sizeof bits);
    bits[row_called("task_switch")->id / 8] = 0; // not the whole group
    PUT(b, "counter", TEXT, 2);                  // 12
    take_all();
    wf_timeline_filters(t, bits);
    struct wf_timeline_row r;
    struct wf_piece p[4];
    unsigned row = 0;
    for (; row < wf_timeline_rows(t); ++row) {
        wf_timeline_row(t, row, &r);
        if (r.kind == WF_ROW_LINK) break;
    }
    assert_true(r.kind == WF_ROW_LINK && r.core == -1);
    assert_int_equal(wf_timeline_range(t, r.first_track, 0, 100, 1, p, 4), 1);
    assert_true(p[0].begin == 10 && p[0].end == 12 && p[0].value == (int64_t)1 << WF_GROUP_TASK);
    stop();
}

// A SYNC reports the time before any stamp does: the trace begins there.
static void time_begins_with_what_is_told_first(void **state) {
    (void)state;
    struct wf_timeline_span span;
    uint8_t sync[51] = {2, [8] = 21, [46] = 0x22, 0x41, 0x22, 0x44, 0x04};
    start();
    put_name(&b->stream, A, "a");
    put_frame(&b->stream, row_called("sync")->id, sync, sizeof sync);
    put_name(&b->stream, B, "b");
    take_all();
    wf_timeline_extent(t, &span);
    assert_true(span.known && span.first == 21 && span.last == 21);
    b->clock = 500;
    PUT(b, "counter", TEXT, 1);
    take_all();
    wf_timeline_extent(t, &span);
    assert_true(span.first == 21 && span.last == 500);
    stop();
}

// ---- QNX

static void take_class(unsigned core, unsigned cls, unsigned event, uint32_t pid, uint32_t tid) {
    const uint32_t words[] = {pid, tid};
    const struct wf_slot_event e = slot_event(b, core, cls, event, words, 2);
    const struct wf_item item = {.kind = WF_ITEM_EVENT, .event = &e};
    wf_timeline_take(t, &item);
}

static void take_event(unsigned core, unsigned event, uint32_t pid, uint32_t tid) {
    take_class(core, WF_SLOT_CLASS_PR_TH, event, pid, tid);
}

static void lose_slots(unsigned core, unsigned records) {
    struct wf_item item = {.kind = WF_ITEM_LOSS};
    item.loss.kind = WF_LOSS_HOLE;
    item.loss.records = records;
    item.loss.exact = true;
    item.loss.core = (uint8_t)core;
    wf_timeline_take(t, &item);
}

static void threads_of_qnx(void **state) {
    (void)state;
    static const char header[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CPU_NUM::2"
                                 "TRACE_CYCLES_PER_SEC::1000TRACE_SYS_RELEASE::6.4.1"
                                 "TRACE_HEADER_END::";
    start();
    take_header(b, header);
    enum { RUNNING = 1, READY, STOPPED, SEND, RECEIVE, REPLY };
    take_event(0, RUNNING, 7, 1); // 1
    take_event(1, RUNNING, 7, 2);
    take_event(0, SEND, 7, 1);
    take_event(0, RUNNING, 1, 1); // 4
    take_event(0, REPLY, 7, 1);
    lose_slots(1, 5);
    take_event(0, RUNNING, 7, 3);
    take_event(1, RUNNING, 7, 2); // 7
    drawn("task pid 7 tid 1 [states: 1-4 running@0 4-5 blocked on SEND 5-5> blocked on REPLY]\n"
          "core core 0 [runs: 1-4 pid 7 tid 1 4-6 pid 1 tid 1 6-7~ pid 7 tid 3]\n"
          "task pid 7 tid 2 [states: 2-5> running@1 7-7~ running@1]\n"
          "core core 1 [runs: 2-5> pid 7 tid 2 7-7~ pid 7 tid 2]\n"
          "task pid 1 tid 1 [states: 4-6 running@0]\n"
          "link c1 [loss: 5-7 5]\n"
          "task pid 7 tid 3 [states: 6-7~ running@0]\n");
    uint64_t revision = wf_timeline_revision(t);
    take_class(0, WF_SLOT_CLASS_PR_TH, 192, 7, 0); // the process may have another name
    assert_true(wf_timeline_revision(t) > revision);
    take_class(0, WF_SLOT_CLASS_USER, 3, 0, 0); // 9
    struct wf_timeline_row row;
    struct wf_piece mark;
    wf_timeline_row(t, wf_timeline_rows(t) - 1, &row);
    assert_int_equal(row.kind, WF_ROW_RECORDS);
    assert_int_equal(wf_timeline_range(t, row.first_track, 9, 10, 1, &mark, 1), 1);
    assert_int_equal(mark.value, WF_MARK_EVENT + 3);
    struct wf_entity of;
    wf_timeline_entity(t, WF_ENTITY_FIRST, &of);
    assert_true(of.with == 7 && of.key == ((uint64_t)7 << 32 | 1));
    struct wf_timeline_span span;
    wf_timeline_extent(t, &span);
    assert_true(span.known && span.first == 1 && span.last == 9 && span.records == 9);
    assert_int_equal(span.kept, 1);
    stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_and_their_core),
        cmocka_unit_test(jobs_from_ready_to_done),
        cmocka_unit_test(a_target_that_starts_anew),
        cmocka_unit_test(mutexes_lie_on_each_other),
        cmocka_unit_test(queues_and_semaphores),
        cmocka_unit_test(gives_let_in_who_waits),
        cmocka_unit_test(interrupts_and_spans),
        cmocka_unit_test(an_interrupt_wakes),
        cmocka_unit_test(machines_step_and_post),
        cmocka_unit_test(priorities_of_qp),
        cmocka_unit_test(low_water_marks_are_levels),
        cmocka_unit_test(use_of_a_heap_is_a_level),
        cmocka_unit_test(free_stack_is_a_level),
        cmocka_unit_test(names_and_priorities_come_late),
        cmocka_unit_test(users_records_are_marks),
        cmocka_unit_test(filters_are_slices),
        cmocka_unit_test(time_begins_with_what_is_told_first),
        cmocka_unit_test(threads_of_qnx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
