// SPDX-License-Identifier: MIT
// The model, record by record: the state after each one, contradictions, and the effect of losses.

#include "wf_test_model.h"

enum { M = 0x100, N = 0x200, S = 0x300, Q = 0x400 };

static void starts(void **state) {
    (void)state;
    struct bench *b = open_bench();
    PUT(b, "task_create", A, 0xFFFF);
    put_name(&b->stream, A, "a");
    PUT(b, "task_ready", A, 0);
    PUT(b, "task_switch", A, LEFT, 0);
    changes(b, "1 create 0x000000A0\n"
               "2 task a unknown>ready\n"
               "2 wake a by -\n"
               "3 task a ready>running since 2\n");
    assert_int_equal(task(b, A)->prio, -1);
    assert_ptr_equal(wf_model_core(b->m, 0)->task, task(b, A));
    close_bench(b);
}

static void switches(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "task_switch", B, PREEMPTED, 0);
    changes(b, "10 task a running>ready c0 preempted since 5\n"
               "10 task b ready>running since 4\n");
    PUT(b, "mutex_wait", M, B);
    PUT(b, "task_switch", A, BLOCKED, 0);
    changes(b, "11 wait b 0x00000100\n"
               "12 task b running>blocked c0 blocked since 10\n"
               "12 task a ready>running since 10\n");
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", B, DELAYED, 0);
    PUT(b, "mutex_take", M, B, 1);
    changes(b, "13 task b blocked>ready since 12\n"
               "13 wake b by -\n"
               "14 task a running>delayed c0 delayed since 12\n"
               "14 task b ready>running since 13\n"
               "15 wait-end b 0x00000100 + since 11\n"
               "15 hold b 0x00000100 since 15\n");
    PUT(b, "task_switch", 0, SUSPENDED, 0);
    changes(b, "16 task b running>suspended c0 suspended since 14\n");
    assert_null(wf_model_core(b->m, 0)->task);
    assert_true(wf_model_core(b->m, 0)->known);
    close_bench(b);
}

static void a_hole_takes_all(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "mutex_create", M);
    PUT(b, "sema_create", S, 3);
    PUT(b, "mutex_take", M, A, 1);
    PUT(b, "irq_enter", 5, 1, 0);
    b->quiet = true;
    run(b);
    b->quiet = false;
    lose_records(b, 1);
    b->clock = 50;
    PUT(b, "irq_exit", 5, 1, 0);
    changes(b, "13 count 0x00000300 -\n"
               "13 hold-end a 0x00000100 since 12 cut\n"
               "13 task a running>unknown c0 unknown since 5 cut\n"
               "13 irq-end c0 5 since 13 cut\n"
               "13 task b ready>unknown since 4 cut\n"
               "50 loss from 13\n"
               "50 irq-end c0 5\n");
    assert_false(object(b, M)->holder_known || object(b, M)->waiters_known);
    assert_false(object(b, S)->count_known || task(b, A)->waits_known || task(b, A)->prio_known);
    assert_true(wf_model_core(b->m, 0)->irqs_known);
    // On one core an action shows the running task, but not its start; a mutex's depth its holder.
    PUT(b, "mutex_take", N, A, 1);
    PUT(b, "mutex_give", M, A, 1);
    PUT(b, "mutex_give", M, A, 0);
    PUT(b, "task_switch", B, BLOCKED, 0);
    changes(b, "51 hold a 0x00000200 since 51\n"
               "52 task a unknown>running\n"
               "52 hold a 0x00000100\n"
               "53 hold-end a 0x00000100\n"
               "54 task a running>blocked c0 blocked\n"
               "54 task b unknown>running\n");
    close_bench(b);
}

static void odd_mutexes(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "mutex_create", M);
    PUT(b, "mutex_take", M, A, 1);
    PUT(b, "mutex_take", M, A, 3);
    PUT(b, "mutex_take", M, B, 1);
    changes(b, "10 object 0x00000100 +\n"
               "11 hold a 0x00000100 since 11\n"
               "12 odd a 0x00000100: the depth jumps\n"
               "13 odd b: acts, but does not run\n"
               "13 task a running>unknown c0 unknown since 5 cut\n"
               "13 task b ready>unknown since 4 cut\n"
               "13 odd b 0x00000100: taken while another task holds it\n"
               "13 hold-end a 0x00000100 since 11 cut\n"
               "13 hold b 0x00000100 since 13\n");
    PUT(b, "mutex_give", M, A, 0);
    changes(b, "14 task a unknown>running\n"
               "14 odd a 0x00000100: given by one that does not hold it\n"
               "14 hold-end b 0x00000100 since 13 cut\n");
    assert_true(object(b, M)->holder_known && !object(b, M)->holder);
    close_bench(b);
}

static void odd_tasks(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "task_switch", A, LEFT, 1);
    changes(b, "10 odd a: runs on two cores\n"
               "10 task a running>unknown c0 unknown since 5 cut\n"
               "10 task a unknown>running\n");
    assert_false(wf_model_core(b->m, 0)->known);
    assert_int_equal(task(b, A)->core, 1);
    PUT(b, "task_delete", B);
    PUT(b, "task_ready", B, 0);
    changes(b, "11 task b ready>ended since 4\n"
               "12 odd b: a task that has ended does something\n"
               "12 wake b by -\n");
    PUT(b, "task_create", A, 4);
    changes(b, "13 task a running>unknown c1 unknown since 10 cut\n"
               "13 odd a: a task is created that is there\n"
               "13 task a unknown>ended cut\n"
               "13 create a\n");
    PUT(b, "irq_enter", 3, 1, 0);
    PUT(b, "irq_enter", 4, 3, 0);
    PUT(b, "irq_exit", 9, 3, 0);
    changes(b, "14 irq c0 3\n"
               "15 unpaired c0 65535 exit 1\n" // of the interrupt below, which has no enter
               "15 irq c0 4\n"
               "16 irq-end c0 4 since 15 cut\n"
               "16 unpaired c0 4 enter 1 since 15\n"
               "16 unpaired c0 9 exit 1\n");
    close_bench(b);
}

// ---- priorities that are inherited

static void a_holder_is_raised(void **state) {
    (void)state;
    struct bench *b = open_two_tasks(); // a: 1, b: 2
    const struct wf_task *a = task(b, A);
    PUT(b, "mutex_create", M);
    PUT(b, "mutex_take", M, A, 1);
    PUT(b, "task_switch", B, PREEMPTED, 0);
    PUT(b, "mutex_wait", M, B);
    PUT(b, "task_priority", A, 2);
    PUT(b, "task_switch", A, BLOCKED, 0);
    b->quiet = true;
    run(b);
    b->quiet = false;
    assert_true(a->raised && a->base_known && a->prio == 2 && a->base_prio == 1);
    assert_ptr_equal(a->raised_by, task(b, B));
    assert_ptr_equal(a->raised_for, object(b, M));
    PUT(b, "mutex_give", M, A, 0);
    PUT(b, "task_priority", A, 1);
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", B, PREEMPTED, 0);
    PUT(b, "mutex_take", M, B, 1);
    run(b);
    assert_true(!a->raised && a->prio == 1 && a->prio_known);
    // Set without a waiter: from then on it is the base priority.
    PUT(b, "task_priority", A, 2);
    run(b);
    assert_true(!a->raised && a->prio == 2);
    close_bench(b);
}

// The kernel raises it before it records the wait; then another task with a higher priority waits.
static void a_holder_is_raised_before_the_wait(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    const struct wf_task *a = task(b, A);
    b->quiet = true;
    PUT(b, "task_create", C, 7);
    PUT(b, "mutex_create", M);
    PUT(b, "mutex_take", M, A, 1);
    PUT(b, "task_switch", B, PREEMPTED, 0);
    PUT(b, "task_priority", A, 2);
    run(b);
    assert_false(a->raised);
    PUT(b, "mutex_wait", M, B);
    run(b);
    assert_true(a->raised && a->base_known && a->base_prio == 1 && a->raised_by == task(b, B));
    PUT(b, "task_switch", C, BLOCKED, 0);
    PUT(b, "mutex_wait", M, C);
    PUT(b, "task_priority", A, 7);
    run(b);
    assert_true(a->raised && a->base_prio == 1 && a->prio == 7 && a->raised_by == task(b, C));
    PUT(b, "mutex_timeout", M, C);
    PUT(b, "task_priority", A, 2); // c has timed out, b still waits
    run(b);
    assert_true(a->raised && a->base_prio == 1 && a->prio == 2 && a->raised_by == task(b, B));
    lose_records(b, 1);
    PUT(b, "tick", 1, 0);
    run(b);
    assert_false(a->raised || a->prio_known);
    close_bench(b);
}

static void names_of_lives(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    struct wf_task *first = task(b, B);
    PUT(b, "task_delete", B);
    PUT(b, "task_create", B, 3);
    run(b);
    struct wf_task *second = task(b, B);
    assert_string_equal(wf_task_name(b->m, first), "b");
    assert_string_equal(wf_task_name(b->m, second), "0x000000B0");
    put_name(&b->stream, B, "other");
    put_name(&b->stream, M, "lock"); // before the object's first record
    PUT(b, "mutex_create", M);
    PUT(b, "mutex_delete", M);
    PUT(b, "queue_create", M, 4);
    put_name(&b->stream, M, "pipe");
    run(b);
    assert_string_equal(wf_task_name(b->m, first), "b");
    assert_string_equal(wf_task_name(b->m, second), "other");
    assert_int_equal(second->life, 1);
    assert_string_equal(wf_object_name(b->m, wf_model_object(b->m, 0)), "lock");
    assert_string_equal(wf_object_name(b->m, wf_model_object(b->m, 1)), "pipe");
    assert_int_equal(wf_model_object(b->m, 1)->room, 4);
    close_bench(b);
}

static void queues_and_waits(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "queue_create", Q, 1);
    PUT(b, "queue_send", Q, A, 1);
    PUT(b, "queue_send_wait", Q, A);
    changes(b, "10 object 0x00000400 + 1\n"
               "10 count 0x00000400 +\n"
               "11 give a 0x00000400 1\n"
               "11 count 0x00000400 + 1\n"
               "12 wait a 0x00000400\n");
    assert_true(task(b, A)->waits_to_give);
    PUT(b, "task_ready", A, 0); // before the switch: so the task leaves as ready
    PUT(b, "task_switch", B, BLOCKED, 0);
    PUT(b, "queue_receive", Q, 0, 0);
    PUT(b, "queue_send_refused", Q, B);
    PUT(b, "queue_timeout", Q, A);
    changes(b, "13 wake a by -\n"
               "14 task a running>ready c0 blocked since 5\n"
               "14 task b ready>running since 4\n"
               "15 take 0x00000400\n"
               "15 count 0x00000400 +\n"
               "16 refused b 0x00000400\n"
               "17 wait-end a 0x00000400 - since 12\n");
    PUT(b, "queue_receive_wait", Q, B);
    PUT(b, "queue_delete", Q);
    changes(b, "18 wait b 0x00000400\n"
               "19 wait-end b 0x00000400 - since 18\n"
               "19 object 0x00000400 -\n");
    close_bench(b);
}

static void other_records(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "span_begin", A, 0x77);
    PUT(b, "counter", 0x78, (uint32_t)-5);
    PUT(b, "span_end", A, 0x77);
    PUT(b, "span_end", A, 0x79);
    PUT(b, "timer_create", N, 100);
    PUT(b, "timer_start", N, A, 30);
    PUT(b, "timer_expire", N);
    PUT(b, "timer_stop", N, A);
    PUT(b, "heap_create", C, 4096);
    PUT(b, "heap_alloc", C, A, 0x5000, 24);
    PUT(b, "heap_refused", C, A, 9000);
    PUT(b, "heap_free", C, A, 0x5000, 24);
    PUT(b, "task_priority", A, 7);
    PUT(b, "task_suspend", B);
    changes(b, "10 span a @77\n"
               "11 counter -5 @78\n"
               "12 span-end a @77 since 10\n"
               "13 span-end a @79\n"
               "14 object 0x00000200 + 100\n"
               "15 set a 0x00000200 + 30\n"
               "16 alarm 0x00000200\n"
               "17 set a 0x00000200 -\n"
               "18 object 0x000000C0 + 4096\n"
               "19 memory a 0x000000C0 + 24 @5000\n"
               "19 used 0x000000C0 + 24\n"
               "20 refused a 0x000000C0\n"
               "21 memory a 0x000000C0 - 24 @5000\n"
               "21 used 0x000000C0 +\n"
               "22 priority a 1 since 0\n"
               "23 task b ready>suspended since 4\n");
    assert_int_equal(task(b, A)->prio, 7);
    close_bench(b);
}

// QP's kernels record the previous task, by priority.
static void kernels_of_qp(void **state) {
    (void)state;
    struct bench *b = open_bench();
    PUT(b, "sched_next", 3, 0);
    PUT(b, "mtx_lock", M, 3, 1);
    PUT(b, "sched_preempt", 5, 3);
    PUT(b, "mtx_block", M, 3, 5);
    PUT(b, "sched_restore", 3, 5);
    PUT(b, "mtx_unlock", M, 3, 0);
    PUT(b, "sched_idle", 3);
    changes(b, "1 task priority 3 unknown>running\n"
               "2 hold priority 3 0x00000100 since 2\n"
               "3 task priority 3 running>ready c0 preempted since 1\n"
               "3 task priority 5 unknown>running\n"
               "4 wait priority 5 0x00000100\n"
               "5 task priority 5 running>blocked c0 blocked since 3\n"
               "5 task priority 3 ready>running since 3\n"
               "6 hold-end priority 3 0x00000100 since 2\n"
               "7 task priority 3 running>blocked c0 blocked since 5\n");
    PUT(b, "isr_entry", 1, 9);
    PUT(b, "isr_exit", 1, 9);
    PUT(b, "sched_next", 7, 6);
    changes(b, "8 irq c0 65535\n"
               "9 irq-end c0 65535 since 8\n"
               "10 odd priority 6: leaves, but does not run\n"
               "10 task priority 7 unknown>running\n");
    close_bench(b);
}

// Like changes(), but only for states of tasks.
static void task_changes(struct bench *b, const char *want) {
    struct wf_item item;
    struct wf_change c;
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    b->stream.len = 0;
    while (wf_session_next(b->s, &item)) {
        wf_model_take(b->m, &item);
        while (wf_model_next(b->m, &c)) {
            if (c.kind == WF_CHANGE_TASK) add_change(b, &c);
        }
    }
    changes(b, want);
}

// No task is ready when the idle loop runs; a task with an event is ready, unless it runs.
static void active_objects_wait_for_events(void **state) {
    (void)state;
    enum { X = 0x500, Y = 0x510, STATE = 0x1000, SIG = 4 };
    struct bench *b = open_bench();
    PUT(b, "sched_next", 3, 0);
    PUT(b, "active_get_last", SIG, X, 0, 0);
    PUT(b, "dispatch", SIG, X, STATE);
    PUT(b, "sched_next", 5, 3); // no reason recorded
    PUT(b, "sched_next", 7, 5);
    PUT(b, "sched_idle", 7);
    task_changes(b, "1 task priority 3 unknown>running\n"
                    "4 task priority 3 running>unknown c0 unknown since 1\n"
                    "4 task priority 5 unknown>running\n"
                    "5 task priority 5 running>unknown c0 unknown since 4\n"
                    "5 task priority 7 unknown>running\n"
                    "6 task priority 7 running>blocked c0 blocked since 5\n"
                    "6 task priority 3 unknown>blocked\n"
                    "6 task priority 5 unknown>blocked\n");
    PUT(b, "active_post", X, SIG, X, 0, 0, 4, 4);
    task_changes(b, "7 task priority 3 blocked>ready since 6\n");
    PUT(b, "active_post", X, SIG, Y, 0, 0, 4, 4); // to 5, 7 or neither of them
    task_changes(b, "8 task priority 5 blocked>unknown since 6 cut\n"
                    "8 task priority 7 blocked>unknown since 6 cut\n");
    PUT(b, "sched_next", 3, 0);
    PUT(b, "active_post_lifo", SIG, X, 0, 0, 4, 4); // 3 runs
    PUT(b, "sched_next", 5, 3);
    PUT(b, "active_post", X, SIG, X, 0, 0, 4, 4);
    PUT(b, "dispatch", SIG, Y, STATE);
    PUT(b, "sem_block", S, 5, 0);
    PUT(b, "sched_next", 3, 5);
    PUT(b, "active_post", X, SIG, Y, 0, 0, 4, 4); // 5 waits for a semaphore
    PUT(b, "sched_idle", 3);
    task_changes(b, "9 task priority 3 ready>running since 7\n"
                    "11 task priority 3 running>unknown c0 unknown since 9\n"
                    "11 task priority 5 unknown>running\n"
                    "12 task priority 3 unknown>ready\n"
                    "15 task priority 5 running>blocked c0 blocked since 11\n"
                    "15 task priority 3 ready>running since 12\n"
                    "17 task priority 3 running>blocked c0 blocked since 15\n"
                    "17 task priority 7 unknown>blocked\n");
    ++b->stream.seq; // after the loss 3 may run
    PUT(b, "active_post", X, SIG, X, 0, 0, 4, 4);
    task_changes(b, "17 task priority 7 blocked>unknown since 17 cut\n"
                    "17 task priority 5 blocked>unknown since 15 cut\n"
                    "17 task priority 3 blocked>unknown since 17 cut\n");
    close_bench(b);
}

static void a_target_that_starts_anew(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    put_frame_seq(&b->stream, 1, 0, "", 0);
    PUT(b, "task_ready", A, 0);
    changes(b, "5 task a running>unknown c0 unknown since 5 cut\n"
               "5 task b ready>unknown since 4 cut\n"
               "5 task a unknown>ended cut\n"
               "5 task b unknown>ended cut\n"
               "6 loss from 5\n" // the start record has no time; the clock continues
               "6 wake a by -\n");
    assert_int_equal(task(b, A)->life, 1);
    assert_int_equal(wf_model_tasks(b->m), 3);
    close_bench(b);
}

static void the_end_cuts(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    struct wf_change c;
    PUT(b, "mutex_take", M, A, 1);
    changes(b, "10 hold a 0x00000100 since 10\n");
    wf_model_end(b->m);
    while (wf_model_next(b->m, &c)) add_change(b, &c);
    changes(b, "10 hold-end a 0x00000100 since 10 cut\n"
               "10 task a running>unknown c0 unknown since 5 cut\n"
               "10 task b ready>unknown since 4 cut\n");
    close_bench(b);
}

// A kernel gives back the mutexes of a task that it has ended: of a running task and of another
// one.
static void given_for_a_task_that_ended(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "mutex_take", M, A, 1);
    PUT(b, "task_switch", B, DELAYED, 0);
    PUT(b, "task_delete", A);
    PUT(b, "mutex_give", M, 0, 0);
    PUT(b, "mutex_take", M, B, 1);
    PUT(b, "mutex_give", M, 0, 0); // its holder is alive
    PUT(b, "mutex_take", M, B, 1);
    PUT(b, "task_delete", B);
    PUT(b, "mutex_give", M, 0, 0);
    changes(b, "10 hold a 0x00000100 since 10\n"
               "11 task a running>delayed c0 delayed since 5\n"
               "11 task b ready>running since 4\n"
               "12 task a delayed>ended since 11\n"
               "13 hold-end a 0x00000100 since 10\n"
               "14 hold b 0x00000100 since 14\n"
               "15 odd 0x00000100: given by one that does not hold it\n"
               "15 hold-end b 0x00000100 since 14 cut\n"
               "16 hold b 0x00000100 since 16\n"
               "18 hold-end b 0x00000100 since 16\n");
    close_bench(b);
}

// The awaited item may have been handed over before the task has left: whether it left as ready is
// then unknown.
static void handed_over_before_it_left(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "sema_wait", S, A);
    PUT(b, "sema_take", S, A, 0);
    PUT(b, "task_switch", B, BLOCKED, 0);
    changes(b, "10 wait a 0x00000300\n"
               "11 wait-end a 0x00000300 + since 10\n"
               "11 take a 0x00000300\n"
               "11 count 0x00000300 +\n"
               "12 task a running>unknown c0 blocked since 5\n"
               "12 task b ready>running since 4\n");
    close_bench(b);
}

// ---- slots: a loss concerns one core, until its next record

static struct bench *two_cores(void) {
    static const char header[] =
        "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CYCLES_PER_SEC::1000TRACE_CPU_NUM::2"
        "TRACE_WALLFLY::T8O4F4TRACE_HEADER_END::";
    struct bench *b = open_bench();
    take_header(b, header);
    return b;
}

static void slot(struct bench *b, unsigned core, bool back, const char *name,
                 const uint64_t *values) {
    struct wf_item item;
    memset(&item, 0, sizeof item);
    item.kind = WF_ITEM_RECORD;
    item.record.row = row_called(name);
    item.record.core = (uint8_t)core;
    item.record.back = back;
    item.record.tick = b->clock++;
    for (unsigned f = 0; f < item.record.row->count; ++f) {
        unsigned type = item.record.row->fields[f].type;
        bool ours = type != WF_TYPE_TIME && type != WF_TYPE_WHICH && type != WF_TYPE_CORE;
        item.record.value[f] = ours ? *values++ : type == WF_TYPE_CORE ? core : 0;
    }
    take_item(b, &item);
}
#define SLOT(b, core, name, ...) slot((b), (core), false, name, (uint64_t[]){__VA_ARGS__})

static void slots_lost(struct bench *b, unsigned core) {
    struct wf_item item;
    memset(&item, 0, sizeof item);
    item.kind = WF_ITEM_LOSS;
    item.loss.core = (uint8_t)core;
    take_item(b, &item);
}

static void a_core_is_blind(void **state) {
    (void)state;
    struct bench *b = two_cores();
    SLOT(b, 0, "task_switch", A, LEFT);
    SLOT(b, 1, "task_switch", B, LEFT);
    SLOT(b, 0, "mutex_wait", M, A);
    slots_lost(b, 1);
    changes(b, "1 task 0x000000A0 unknown>running\n"
               "2 task 0x000000B0 unknown>running\n"
               "3 wait 0x000000A0 0x00000100\n"
               "3 task 0x000000B0 running>unknown c1 unknown since 2 cut\n"
               "3 wait-end 0x000000A0 0x00000100 - since 3 cut\n");
    // Core 1 may have woken it, and given the mutex that core 0 takes now.
    SLOT(b, 0, "mutex_take", N, A, 1);
    SLOT(b, 1, "task_switch", B, LEFT);
    SLOT(b, 0, "task_switch", C, BLOCKED);
    SLOT(b, 0, "mutex_take", N, C, 1);
    changes(b, "4 hold 0x000000A0 0x00000200 since 4\n"
               "4 hold-end 0x000000A0 0x00000200 since 4 cut\n"
               "5 loss c1 from 3\n"
               "5 task 0x000000B0 unknown>running\n"
               "6 task 0x000000A0 running>unknown c0 blocked since 1\n"
               "6 task 0x000000C0 unknown>running\n"
               "7 hold 0x000000C0 0x00000200 since 7\n");
    assert_ptr_equal(wf_model_core(b->m, 0)->task, task(b, C));
    // A record with an earlier time is not applied; its core lost records.
    slot(b, 1, true, "task_switch", (uint64_t[]){C, LEFT});
    changes(b, "8 hold-end 0x000000C0 0x00000200 since 7 cut\n"
               "8 task 0x000000B0 running>unknown c1 unknown since 5 cut\n");
    assert_false(wf_model_core(b->m, 1)->known);
    assert_ptr_equal(wf_model_core(b->m, 0)->task, task(b, C));
    close_bench(b);
}

static void holes_on_two_cores(void **state) {
    (void)state;
    struct bench *b = two_cores();
    SLOT(b, 0, "task_switch", A, LEFT);
    slots_lost(b, 0);
    SLOT(b, 1, "task_switch", B, LEFT);
    slots_lost(b, 1);
    slots_lost(b, 0); // more lost slots in the same hole
    SLOT(b, 1, "task_switch", C, LEFT);
    SLOT(b, 1, "task_switch", B, LEFT);
    changes(b, "1 task 0x000000A0 unknown>running\n"
               "1 task 0x000000A0 running>unknown c0 unknown since 1 cut\n"
               "2 task 0x000000B0 unknown>running\n"
               "2 task 0x000000B0 running>unknown c1 unknown since 2 cut\n"
               "3 loss c1 from 2\n"
               "3 task 0x000000C0 unknown>running\n"
               "4 task 0x000000C0 running>unknown c1 unknown since 3\n"
               "4 task 0x000000B0 unknown>running\n");
    SLOT(b, 0, "task_switch", A, LEFT);
    changes(b, "5 loss from 1\n"
               "5 task 0x000000A0 unknown>running\n");
    close_bench(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(starts),
                                       cmocka_unit_test(switches),
                                       cmocka_unit_test(a_hole_takes_all),
                                       cmocka_unit_test(odd_mutexes),
                                       cmocka_unit_test(odd_tasks),
                                       cmocka_unit_test(a_holder_is_raised),
                                       cmocka_unit_test(a_holder_is_raised_before_the_wait),
                                       cmocka_unit_test(names_of_lives),
                                       cmocka_unit_test(queues_and_waits),
                                       cmocka_unit_test(other_records),
                                       cmocka_unit_test(kernels_of_qp),
                                       cmocka_unit_test(active_objects_wait_for_events),
                                       cmocka_unit_test(a_target_that_starts_anew),
                                       cmocka_unit_test(the_end_cuts),
                                       cmocka_unit_test(given_for_a_task_that_ended),
                                       cmocka_unit_test(handed_over_before_it_left),
                                       cmocka_unit_test(a_core_is_blind),
                                       cmocka_unit_test(holes_on_two_cores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
