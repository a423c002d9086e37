// SPDX-License-Identifier: MIT
// The queue of commands to a target: order, results, time-outs.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <uv.h>

#include "wallfly_backend/wf_command_queue.h"

struct fixture {
    uv_loop_t loop;
    struct wf_session *session;
    struct wf_command_queue *queue;
    int send_result;
    char log[1024]; // what was sent, and the results, in order
    bool drop;      // the handler of results drops the other commands
};

static void add(struct fixture *f, const char *what, const char *text) {
    size_t len = strlen(f->log);
    snprintf(f->log + len, sizeof f->log - len, "%s %s\n", what, text);
}

static int on_send(void *ctx, const struct wf_frame *frame) {
    struct fixture *f = ctx;
    add(f, "sent", wf_command_names[frame->record]);
    return f->send_result;
}

static void on_result(void *ctx, const struct wf_command_result *r) {
    struct fixture *f = ctx;
    add(f, wf_outcome_name(r->outcome), r->command);
    assert_true(*r->text);
    if (f->drop) wf_command_queue_drop(f->queue);
}

static void begin(struct fixture *f, bool patient, unsigned wait_ms) {
    const struct wf_session_options session = {.size = sizeof session};
    *f = (struct fixture){.send_result = WF_OK};
    uv_loop_init(&f->loop);
    f->session = wf_session_open(&session, NULL);
    const struct wf_command_queue_options options = {.size = sizeof options,
                                                     .session = f->session,
                                                     .ctx = f,
                                                     .send = on_send,
                                                     .result = on_result,
                                                     .patient = patient,
                                                     .answer_ms = 1,
                                                     .wait_ms = wait_ms,
                                                     .most = 3};
    f->queue = wf_command_queue_open(&f->loop, &options);
    assert_non_null(f->queue);
}

// Runs the loop until all commands have their results.
static void run(struct fixture *f) {
    wf_command_queue_run(f->queue);
    while (!wf_command_queue_idle(f->queue)) {
        assert_true(uv_run(&f->loop, UV_RUN_ONCE) || wf_command_queue_idle(f->queue));
        wf_command_queue_run(f->queue);
    }
}

static void end(struct fixture *f, const char *log) {
    assert_string_equal(f->log, log);
    wf_command_queue_close(f->queue);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    wf_session_close(f->session);
}

// Each command is sent when the one before has its result.
static void commands_are_sent_in_order(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, false, 0);
    wf_command_queue_link(f.queue, true);
    wf_command_queue_line(f.queue, "info;  info ; nonsense 1");
    run(&f);
    end(&f, "sent QS_RX_INFO\nsilent info\nsent QS_RX_INFO\nsilent info\nwrong nonsense 1\n");
}

static void a_line_may_be_wrong_or_too_long(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, true, 0);
    wf_command_queue_line(f.queue, "info; info; info; reset");
    wf_command_queue_line(f.queue, "peek \"0");
    wf_command_queue_fail(f.queue);
    end(&f, "wrong \nwrong peek \"0\nlink info\nlink info\nlink info\n");
}

// Without patience, after waiting, and when the link cannot send.
static void no_target(void **state) {
    char *const info[] = {(char[]){"info"}, (char[]){"x"}};
    struct fixture f;
    (void)state;
    begin(&f, false, 0);
    assert_true(wf_command_queue_put(f.queue, NULL, 0, info, 2));
    run(&f);
    end(&f, "link info x\n");
    begin(&f, true, 1);
    assert_true(wf_command_queue_put(f.queue, NULL, 0, info, 1));
    run(&f);
    f.send_result = WF_ERR_ONE_WAY;
    wf_command_queue_link(f.queue, true);
    wf_command_queue_line(f.queue, "info");
    run(&f);
    end(&f, "link info\nsent QS_RX_INFO\nlink info\n");
}

static void a_result_may_drop_the_rest(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, false, 0);
    f.drop = true;
    wf_command_queue_line(f.queue, "info; info; info");
    run(&f);
    end(&f, "link info\n");
}

// The answer or the time-out of a command that was sent and dropped has no result.
static void a_sent_command_may_be_dropped(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, false, 0);
    wf_command_queue_link(f.queue, true);
    wf_command_queue_line(f.queue, "info");
    while (!*f.log) {
        uv_run(&f.loop, UV_RUN_ONCE);
        wf_command_queue_run(f.queue);
    }
    wf_command_queue_drop(f.queue);
    uv_run(&f.loop, UV_RUN_DEFAULT);
    wf_command_queue_link(f.queue, false);
    end(&f, "sent QS_RX_INFO\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_sent_in_order),
        cmocka_unit_test(a_line_may_be_wrong_or_too_long),
        cmocka_unit_test(no_target),
        cmocka_unit_test(a_result_may_drop_the_rest),
        cmocka_unit_test(a_sent_command_may_be_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
