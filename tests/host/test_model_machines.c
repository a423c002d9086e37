// SPDX-License-Identifier: MIT
// State machines, event queues and pools of QP, and which event causes which, by the model's
// changes with their flows, which the other tests leave out.

#include "wf_test_model.h"

enum { AO = 0x100, HSM = 0x200, EQ = 0x300, POOL = 0x400, QUEUE = 0x500 };
enum { IDLE = 0x1000, BUSY = 0x2000, SUPER = 0x3000 };

static const char *name_of(enum wf_change_kind kind) {
    switch (kind) {
    case WF_CHANGE_TASK: return "task";
    case WF_CHANGE_WAKE: return "wake";
    case WF_CHANGE_GIVE: return "give";
    case WF_CHANGE_TAKE: return "take";
    case WF_CHANGE_STATE: return "state";
    case WF_CHANGE_STEP: return "step";
    case WF_CHANGE_STEP_END: return "step-end";
    case WF_CHANGE_POST: return "post";
    case WF_CHANGE_GET: return "get";
    case WF_CHANGE_FREE: return "free";
    case WF_CHANGE_INCONSISTENT: return "odd";
    case WF_CHANGE_LOSS: return "loss";
    default: return NULL;
    }
}

static void add_flow(struct bench *b, const struct wf_change *c) {
    struct text *t = &b->text;
    bool wakes = c->kind == WF_CHANGE_TASK && c->is != WF_TASK_RUNNING;
    if (!name_of(c->kind) || wakes) return;
    add(t, "%" PRIu64 " %s", c->tick, name_of(c->kind));
    if (c->object) add(t, " %" PRIx64, c->object->key);
    if (c->task) add(t, " %" PRIx64, c->task->key);
    if (c->kind == WF_CHANGE_STATE) add(t, " %" PRIx64 ">%" PRIx64, c->text, (uint64_t)c->value);
    if (c->kind == WF_CHANGE_FREE) add(t, " %" PRId64 "%s", c->value, c->got ? "" : "?");
    if (c->text && c->kind != WF_CHANGE_STATE) add(t, " sig %" PRIu64, c->text);
    if (c->sender) add(t, " by %" PRIx64, c->sender);
    if (c->kind == WF_CHANGE_STEP_END) add(t, c->got ? " tran" : " no");
    if (c->kind == WF_CHANGE_POST && !c->got) add(t, " refused");
    if (c->from_known) add(t, " since %" PRIu64, c->from);
    if (c->cut) add(t, " cut");
    if (c->flow) add(t, " #%" PRIu64, c->flow);
    add(t, "\n");
}

// Compares the changes since the last call.
static void expect(struct bench *b, const char *want) {
    struct wf_item item;
    struct wf_change c;
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    while (wf_session_next(b->s, &item)) {
        wf_model_take(b->m, &item);
        while (wf_model_next(b->m, &c)) add_flow(b, &c);
    }
    b->stream.len = 0;
    assert_string_equal(b->text.bytes, want);
    b->text.len = 0;
    b->text.bytes[0] = 0;
}

static void start(struct bench *b) {
    uint8_t none = 0;
    put_frame(&b->stream, row_called("empty")->id, &none, 0);
}

static void hole(struct bench *b) { ++b->stream.seq; }

static void steps(void **state) {
    (void)state;
    struct bench *b = open_bench();
    PUT(b, "init_tran", AO, IDLE);
    PUT(b, "dispatch", 4, AO, IDLE);
    put_record(b, "state_exit", (uint64_t[]){AO, IDLE});
    put_record(b, "state_entry", (uint64_t[]){AO, SUPER});
    put_record(b, "tran_hist", (uint64_t[]){AO, SUPER, BUSY});
    b->clock = 5;
    PUT(b, "tran", 4, AO, IDLE, BUSY);
    expect(b, "1 state 100 0>1000\n"
              "2 step 100 sig 4\n"
              "5 step-end 100 sig 4 tran since 2\n"
              "5 state 100 1000>2000 since 1\n");
    assert_true(object(b, AO)->state_known);
    assert_int_equal(object(b, AO)->state, BUSY);
    PUT(b, "dispatch", 5, AO, BUSY);
    PUT(b, "intern_tran", 5, AO, SUPER); // handled by the superstate: the state stays
    PUT(b, "dispatch", 6, AO, BUSY);
    PUT(b, "ignored", 6, AO, BUSY);
    PUT(b, "dispatch", 7, HSM, IDLE); // known from here, but not since when
    PUT(b, "dispatch", 8, HSM, IDLE); // the end of the previous step is filtered out
    PUT(b, "tran", 8, HSM, IDLE, IDLE);
    expect(b, "6 step 100 sig 5\n"
              "7 step-end 100 sig 5 no since 6\n"
              "8 step 100 sig 6\n"
              "9 step-end 100 sig 6 no since 8\n"
              "10 state 200 0>1000\n"
              "10 step 200 sig 7\n"
              "11 step-end 200 sig 7 no since 10 cut\n"
              "11 step 200 sig 8\n"
              "12 step-end 200 sig 8 tran since 11\n");
    PUT(b, "tran", 9, HSM, IDLE, BUSY); // an end without a begin
    expect(b, "13 step-end 200 sig 9 tran\n"
              "13 state 200 1000>2000\n");
    close_bench(b);
}

static void a_hole_ends_steps_and_states(void **state) {
    (void)state;
    struct bench *b = open_bench();
    PUT(b, "init_tran", AO, IDLE);
    PUT(b, "dispatch", 4, AO, IDLE);
    hole(b);
    PUT(b, "dispatch", 5, AO, BUSY);
    expect(b, "1 state 100 0>1000\n"
              "2 step 100 sig 4\n"
              "2 step-end 100 sig 4 no since 2 cut\n"
              "2 state 100 1000>0 since 1 cut\n"
              "3 loss since 2\n"
              "3 state 100 0>2000\n"
              "3 step 100 sig 5\n");
    wf_model_end(b->m);
    struct wf_change c;
    assert_true(wf_model_next(b->m, &c) && c.kind == WF_CHANGE_STEP_END && c.cut);
    assert_true(wf_model_next(b->m, &c) && c.kind == WF_CHANGE_STATE && c.cut && !c.from_known);
    assert_int_equal(c.from, 3);
    assert_false(wf_model_next(b->m, &c));
    close_bench(b);
}

static void events_go_with_their_flow(void **state) {
    (void)state;
    struct bench *b = open_bench();
    start(b);
    PUT(b, "active_post", HSM, 4, AO, 0, 0, 3, 3);
    PUT(b, "active_post", 0, 5, AO, 0, 0, 2, 2);
    PUT(b, "active_post_lifo", 6, AO, 0, 0, 1, 1);
    PUT(b, "active_post_attempt", HSM, 7, AO, 0, 0, 1, 1);
    PUT(b, "active_get", 6, AO, 0, 0, 2);
    PUT(b, "dispatch", 6, AO, IDLE);
    PUT(b, "active_get", 4, AO, 0, 0, 3);
    PUT(b, "dispatch", 4, AO, IDLE);
    PUT(b, "active_get_last", 5, AO, 0, 0);
    expect(b, "1 post 100 sig 4 by 200 #1\n"
              "1 free 100 3\n"
              "2 post 100 sig 5 #2\n"
              "2 free 100 2\n"
              "3 post 100 sig 6 #3\n"
              "3 free 100 1\n"
              "4 post 100 sig 7 by 200 refused\n"
              "5 get 100 sig 6 #3\n"
              "5 free 100 2\n"
              "6 state 100 0>1000\n"
              "6 step 100 sig 6 #3\n"
              "7 get 100 sig 4 #1\n"
              "7 free 100 3\n"
              "8 step-end 100 sig 6 no since 6 cut\n"
              "8 step 100 sig 4 #1\n"
              "9 get 100 sig 5 #2\n"
              "9 free 100 4\n");
    assert_int_equal(object(b, AO)->kind, WF_OBJECT_ACTIVE);
    PUT(b, "equeue_post", 4, EQ, 0, 0, 9, 9); // another queue, seen from the start
    PUT(b, "equeue_get_last", 4, EQ, 0, 0);
    PUT(b, "mpool_get", POOL, 7, 7);
    PUT(b, "mpool_put", POOL, 8);
    expect(b, "10 post 300 sig 4 #4\n"
              "10 free 300 9\n"
              "11 get 300 sig 4 #4\n"
              "11 free 300 10\n"
              "12 free 400 7\n"
              "13 free 400 8\n");
    close_bench(b);
}

// The contents of a queue are unknown at the start and after a loss, until it is empty.
static void flows_are_sure_or_none(void **state) {
    (void)state;
    struct bench *b = open_bench();
    PUT(b, "active_post", 0, 4, AO, 0, 0, 3, 3);
    PUT(b, "active_get", 3, AO, 0, 0, 4);
    PUT(b, "active_get_last", 4, AO, 0, 0);
    PUT(b, "active_post", 0, 5, AO, 0, 0, 4, 4);
    expect(b, "1 post 100 sig 4\n"
              "1 free 100 3\n"
              "2 get 100 sig 3\n"
              "2 free 100 4\n"
              "3 get 100 sig 4\n"
              "3 free 100 5\n"
              "4 post 100 sig 5 #1\n"
              "4 free 100 4\n");
    hole(b);
    PUT(b, "active_get_last", 5, AO, 0, 0);
    PUT(b, "active_post", 0, 6, AO, 0, 0, 4, 4);
    expect(b, "4 free 100 0?\n"
              "5 loss since 4\n"
              "5 get 100 sig 5\n"
              "6 post 100 sig 6 #2\n"
              "6 free 100 4\n");
    hole(b); // before a get_last, which records no free entries
    PUT(b, "active_get_last", 6, AO, 0, 0);
    hole(b);
    PUT(b, "active_get", 7, AO, 0, 0, 2);
    expect(b, "6 free 100 0?\n"
              "7 loss since 6\n"
              "7 get 100 sig 6\n"
              "8 loss since 7\n"
              "8 get 100 sig 7\n"
              "8 free 100 2\n");
    close_bench(b);
}

static void an_rtos_queue_and_wakes(void **state) {
    (void)state;
    struct bench *b = open_bench();
    PUT(b, "queue_create", QUEUE, 4);
    PUT(b, "task_switch", A, LEFT, 0);
    PUT(b, "queue_receive_wait", QUEUE, A);
    PUT(b, "task_switch", B, BLOCKED, 0);
    PUT(b, "queue_send", QUEUE, B, 1);
    PUT(b, "task_ready", A, 0);
    PUT(b, "queue_send", QUEUE, B, 2);
    PUT(b, "task_switch", A, PREEMPTED, 0);
    PUT(b, "queue_receive", QUEUE, A, 1);
    PUT(b, "queue_receive", QUEUE, A, 0);
    PUT(b, "task_switch", B, YIELDED, 0);
    PUT(b, "task_switch", A, YIELDED, 0);
    expect(b, "2 task a0\n"
              "4 task b0\n"
              "5 give 500 b0 #1\n"
              "6 wake a0 #2\n"
              "7 give 500 b0 #3\n"
              "8 task a0 since 6 #2\n"
              "9 take 500 a0 #1\n"
              "10 take 500 a0 #3\n"
              "11 task b0 since 8\n"
              "12 task a0 since 11\n");
    PUT(b, "queue_send", QUEUE, A, 3); // two sends were not recorded
    PUT(b, "queue_receive", QUEUE, A, 2);
    PUT(b, "queue_receive", QUEUE, A, 0);
    PUT(b, "queue_send", QUEUE, A, 1);
    PUT(b, "queue_receive", QUEUE, A, 0);
    expect(b, "13 give 500 a0\n"
              "14 take 500 a0\n"
              "15 take 500 a0\n"
              "16 give 500 a0 #5\n"
              "17 take 500 a0 #5\n");
    close_bench(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),
        cmocka_unit_test(a_hole_ends_steps_and_states),
        cmocka_unit_test(events_go_with_their_flow),
        cmocka_unit_test(flows_are_sure_or_none),
        cmocka_unit_test(an_rtos_queue_and_wakes),
    };
    return cmocka_run_group_tests_name("model_machines", tests, NULL, NULL);
}
