// SPDX-License-Identifier: MIT
// Runs of small traces, alignment, chance, and bytes of collections.

#include "wf_test_behaviour.h"

// ---- runs

static void waiting_and_preemption_do_not_matter(void **unused) {
    (void)unused;
    begin();
    objects();
    create(2, A, "a");
    create(3, B, "b");
    AT(4, "task_switch", A, LEFT, 0);
    AT(5, "queue_receive", Q, A, 1); // nothing to wait for
    AT(6, "mutex_take", M, A, 1);
    AT(7, "mutex_give", M, A, 0);
    AT(8, "queue_receive_wait", Q, A);
    AT(9, "task_switch", B, BLOCKED, 0);
    AT(10, "mutex_take", M, B, 1);
    AT(11, "queue_send", Q, B, 1);
    AT(12, "task_ready", A, 0);
    AT(13, "task_switch", A, PREEMPTED, 0);
    AT(14, "queue_receive", Q, A, 0);
    AT(15, "mutex_wait", M, A); // within the run
    AT(16, "task_switch", B, BLOCKED, 0);
    AT(17, "mutex_give", M, B, 0);
    AT(18, "task_ready", A, 0);
    AT(19, "task_switch", A, PREEMPTED, 0);
    AT(20, "mutex_take", M, A, 1);
    AT(21, "mutex_give", M, A, 0);
    AT(22, "queue_receive_wait", Q, A);
    AT(23, "task_switch", B, BLOCKED, 0);
    AT(24, "task_switch", 0, DELAYED, 0);
    end();
    RUNS("a", 2, "takes `q`, takes `m`, gives `m`; then waits for `q`");
    RUNS("a", 1, "then waits for `q`"); // from its creation on
    assert_int_equal(kinds_of_runs("a"), 2);
    RUNS("b", 1, "takes `m`, gives `q`, gives `m`; then sleeps");
    done();
}

static void loops_count_once(void **unused) {
    (void)unused;
    begin();
    objects();
    create(2, A, "a");
    AT(3, "task_switch", A, LEFT, 0);
    uint64_t t = 4;
    for (unsigned times = 2; times <= 5; ++times) {
        AT(t++, "queue_receive", Q, A, 1);
        for (unsigned i = 0; i < times; ++i) {
            AT(t++, "mutex_take", M, A, 1);
            AT(t++, "mutex_give", M, A, 0);
        }
    }
    AT(t, "task_switch", 0, DELAYED, 0);
    end();
    RUNS("a", 3, "takes `q`, takes `m`, gives `m`; then waits for `q`");
    RUNS("a", 1, "takes `q`, takes `m`, gives `m`; then sleeps");
    done();
}

static void a_semaphore_given_back_is_a_lock(void **unused) {
    (void)unused;
    begin();
    objects();
    create(2, A, "a");
    AT(3, "task_switch", A, LEFT, 0);
    for (uint64_t t = 10; t < 50; t += 10) {
        AT(t, "queue_receive", Q, A, 1);
        AT(t + 1, "sema_take", S, A, 0);
        AT(t + 2, "sema_give", S, A, 1);
    }
    AT(60, "queue_receive", Q, A, 1);
    end();
    RUNS("a", 3, "takes `q`, takes `s`, gives `s`; then waits for `q`");
    done();
}

static void a_wait_may_be_given_up(void **unused) {
    (void)unused;
    begin();
    objects();
    create(2, A, "a");
    AT(3, "task_switch", A, LEFT, 0);
    AT(4, "queue_receive_wait", Q, A);
    AT(5, "task_switch", 0, BLOCKED, 0);
    AT(9, "task_ready", A, 0);
    AT(10, "task_switch", A, LEFT, 0);
    AT(11, "queue_timeout", Q, A);
    AT(12, "mutex_wait", M, A);
    AT(13, "mutex_timeout", M, A);
    AT(14, "task_switch", 0, SUSPENDED, 0);
    end();
    RUNS("a", 1, "gives up waiting for `q`, gives up waiting for `m`; then is suspended");
    done();
}

static void interrupts_have_runs(void **unused) {
    (void)unused;
    begin();
    objects();
    create(2, A, "a");
    AT(3, "task_switch", A, LEFT, 0);
    AT(4, "irq_enter", 5, 1, 0);
    AT(5, "irq_enter", 6, 2, 0);
    AT(6, "sema_give", S, 0, 2);
    AT(7, "irq_exit", 6, 2, 0);
    AT(8, "queue_send", Q, 0, 2);
    AT(9, "irq_exit", 5, 1, 0);
    end();
    RUNS("interrupt 5", 1, "gives `q`; then returns");
    RUNS("interrupt 6", 1, "gives `s`; then returns");
    done();
}

static void machines_have_steps(void **unused) {
    (void)unused;
    begin();
    name(D, "door");
    AT(1, "init_tran", D, 0x10);
    AT(2, "dispatch", 7, D, 0x10);
    AT(3, "tran", 7, D, 0x10, 0x20);
    AT(4, "dispatch", 8, D, 0x20);
    AT(5, "active_post", D, 9, T1, 0, 0, 3, 3);
    AT(6, "intern_tran", 8, D, 0x20);
    name(T1, "other");
    end();
    RUNS("door", 1, "gets `signal 7`, goes to `state without a name`; then returns");
    RUNS("door", 1, "gets `signal 8`, posts `signal 9` to `other`; then returns");
    done();
}

static void notes_belong_to_what_runs(void **unused) {
    (void)unused;
    begin();
    objects();
    create(2, A, "a");
    name(T1, "speed");
    name(T2, "phase");
    AT(3, "task_switch", A, LEFT, 0);
    AT(4, "counter", T1, 5);
    AT(5, "span_begin", A, T2);
    AT(6, "irq_enter", 5, 1, 0);
    AT(7, "counter", T1, 6);
    AT(8, "irq_exit", 5, 1, 0);
    AT(9, "span_end", A, T2);
    AT(10, "task_switch", 0, DELAYED, 0);
    end();
    RUNS("a", 1, "sets `speed`, begins `phase`, ends `phase`; then sleeps");
    RUNS("interrupt 5", 1, "sets `speed`; then returns");
    done();
}

// ---- what is not known

static void cut_runs_are_left_out(void **unused) {
    (void)unused;
    begin();
    // The begin of the trace cuts the first run.
    AT(1, "mutex_take", M, A, 1);
    AT(2, "mutex_give", M, A, 0);
    AT(3, "queue_receive", Q, A, 1);
    AT(4, "mutex_take", M, A, 1);
    ++b->stream.seq; // a hole cuts the second
    AT(5, "mutex_give", M, A, 0);
    AT(6, "queue_receive", Q, A, 1);
    AT(7, "mutex_take", M, A, 1);
    AT(8, "mutex_give", M, A, 0);
    AT(9, "queue_receive", Q, A, 1);
    AT(10, "mutex_take", M, A, 1); // the end cuts the last one
    name(M, "m");
    name(Q, "q");
    name(A, "a");
    end();
    assert_int_equal(kinds_of_runs("a"), 1);
    RUNS("a", 1, "takes `q`, takes `m`, gives `m`; then waits for `q`");
    struct wf_behaviour_trace t;
    assert_true(wf_behaviour_trace(all, 0, &t));
    assert_int_equal(t.holes, 1);
    assert_int_equal(t.first, 1);
    assert_int_equal(t.last, 10);
    assert_true(all->traces[0].touched != 0);
    done();
}

static void names_may_come_late_or_never(void **unused) {
    (void)unused;
    begin();
    AT(1, "mutex_create", M);
    AT(1, "mutex_create", N);
    create(2, A, "a");
    AT(3, "task_switch", A, LEFT, 0);
    AT(4, "mutex_take", N, A, 1);
    AT(5, "mutex_take", M, A, 1);
    AT(6, "task_switch", 0, DELAYED, 0);
    name(M, "late");
    end();
    RUNS("a", 1, "takes `mutex #2`, takes `late`; then sleeps");
    struct wf_behaviour_trace t;
    assert_true(wf_behaviour_trace(all, 0, &t));
    assert_int_equal(t.unnamed, 1);
    done();
}

static void a_window_has_whole_runs(void **unused) {
    (void)unused;
    all = wf_behaviour_open(NULL);
    begin_with((struct wf_behaviour_options){
        .has_from = true, .has_until = true, .from_s = 15, .until_s = 45});
    objects();
    for (uint64_t t = 10; t <= 60; t += 10) {
        AT(t, "queue_receive", Q, A, 1);
        AT(t + 1, "mutex_take", t < 30 ? M : N, A, 1);
        AT(t + 2, "mutex_give", t < 30 ? M : N, A, 0);
    }
    name(A, "a");
    end();
    RUNS("a", 1, "takes `q`, takes `m`, gives `m`; then waits for `q`");
    RUNS("a", 1, "takes `q`, takes `n`, gives `n`; then waits for `q`");
    done();
}

// ---- blocks of time

static void blocks_widen_with_the_trace(void **unused) {
    (void)unused;
    begin();
    objects();
    create(2, A, "a");
    AT(3, "task_switch", A, LEFT, 0);
    for (uint64_t t = 100; t <= 6400; t += 100) AT(t, "counter", T1, 1);
    end();
    const struct wfi_trace_info *t = &all->traces[0];
    assert_int_equal((t->last - t->first) >> t->block_bits, 49); // blocks of 128 ticks
    for (uint32_t i = 1; i <= all->fact_count; ++i) {
        const struct wfi_fact *fact = wfi_fact(all, i);
        if (fact->kind != WFI_FACT_RECORD ||
            strcmp(wfi_behaviour_text_at(all, fact->part[0]), "counter") != 0)
            continue;
        const struct wfi_seen *seen = &all->seen[fact->seen - 1];
        assert_int_equal(seen->count, 64);
        assert_true(seen->bits == (UINT64_C(1) << 50) - 1);
        assert_int_equal(seen->tick, 100);
    }
    done();
}

// ---- alignment and chance

static void sequences_are_aligned(void **unused) {
    (void)unused;
    const struct wfi_entry a[] = {{.run = 1}, {.run = 2}, {.run = 3}, {.run = 2}, {.run = 4}},
                           x[] = {{.run = 9}, {.run = 2}, {.run = 3}, {.run = 5}, {.run = 4}};
    uint32_t match[5];
    assert_true(wfi_align(a, 5, x, 5, match));
    const uint32_t want[] = {0, 2, 3, 0, 5};
    assert_memory_equal(match, want, sizeof want);
    // Another begin shifts nothing; gaps match nothing.
    const struct wfi_entry y[] = {{.run = 0}, {.run = 2}, {.run = 4}};
    assert_true(wfi_align(y, 3, a, 5, match));
    const uint32_t want2[] = {0, 2, 5};
    assert_true(match[0] == want2[0] && match[2] == want2[2]);
    assert_true(match[1] == 2 || match[1] == 4);
    assert_true(wfi_align(a, 5, y, 0, match));
    assert_int_equal(match[0] + match[1] + match[4], 0);
}

static void close_to(double is, double want) {
    if (is < want * 0.9999 || is > want * 1.0001) fail_msg("%g instead of %g", is, want);
}

static void chance_is_exact(void **unused) {
    (void)unused;
    close_to(wfi_chance(3, 3, 0, 3), 2.0 / 20); // of 20 ways to choose three of six
    close_to(wfi_chance(0, 4, 4, 4), 2.0 / 70);
    close_to(wfi_chance(8, 10, 1, 10), 2 * (45.0 * 10 + 10) / 167960 + 2 * 0.0);
    assert_true(wfi_chance(5, 10, 5, 10) > 0.999);
    assert_true(wfi_chance(0, 0, 5, 10) > 0.999); // nothing to compare with
    assert_true(wfi_chance(64, 64, 0, 64) < 1e-35);
}

// ---- bytes

static void fill(void) {
    begin();
    objects();
    create(2, A, "a");
    AT(3, "task_switch", A, LEFT, 0);
    for (uint64_t t = 10; t < 200; t += 10) {
        if (t == 100) ++b->stream.seq;
        AT(t, "queue_receive", Q, A, 1);
        AT(t + 1, "mutex_take", t % 20 ? M : N, A, 1);
        AT(t + 2, "mutex_give", t % 20 ? M : N, A, 0);
        AT(t + 3, "irq_enter", 5, 1, 0);
        AT(t + 4, "queue_send", Q, 0, 2);
        AT(t + 5, "irq_exit", 5, 1, 0);
    }
    end();
}

static void bytes_are_read_as_written(void **unused) {
    (void)unused;
    fill();
    size_t len, again_len;
    uint8_t *bytes = wf_behaviour_write(all, &len, NULL);
    struct wf_behaviour *read = wf_behaviour_open(NULL);
    struct wf_error error;
    assert_int_equal(wf_behaviour_read(read, bytes, len, &error), WF_OK);
    uint8_t *again = wf_behaviour_write(read, &again_len, NULL);
    assert_int_equal(again_len, len);
    assert_memory_equal(again, bytes, len);
    // A second time it is a second trace.
    assert_int_equal(wf_behaviour_read(read, bytes, len, &error), WF_OK);
    assert_int_equal(read->trace_count, 2);
    assert_int_equal(read->fact_count, all->fact_count);
    free(again);
    free(bytes);
    wf_behaviour_close(read);
    done();
}

static void damaged_bytes_are_refused(void **unused) {
    (void)unused;
    fill();
    size_t len;
    uint8_t *bytes = wf_behaviour_write(all, &len, NULL);
    unsigned refused = 0;
    for (size_t i = 0; i < len; ++i) {
        struct wf_behaviour *read = wf_behaviour_open(NULL);
        struct wf_error error;
        assert_int_equal(wf_behaviour_read(read, bytes, i, &error), WF_ERR_BAD_PROFILE);
        assert_true(error.place == WF_AT_BYTE && error.at <= i && error.text[0]);
        assert_int_equal(read->trace_count + read->fact_count, 0);
        for (unsigned bit = 0; bit < 8; ++bit) {
            bytes[i] ^= (uint8_t)(1u << bit);
            int err = wf_behaviour_read(read, bytes, len, &error);
            assert_true(err == WF_OK || err == WF_ERR_BAD_PROFILE);
            refused += err != WF_OK;
            bytes[i] ^= (uint8_t)(1u << bit);
        }
        wf_behaviour_close(read);
    }
    assert_true(refused > len); // the others are other texts and times
    free(bytes);
    done();
}

// Different runs without end: those above the limit are not kept, and that is reported.
static void memory_is_bounded(void **unused) {
    (void)unused;
    begin();
    objects();
    for (uint64_t t = 1; t <= WF_BEHAVIOUR_FACTS + 100; ++t) {
        AT(t, "queue_receive", Q, A, 1);
        AT(t, "mutex_take", (uint32_t)(0x10000 + t), A, 1);
        if (b->stream.len > sizeof b->stream.bytes - 4096) feed_all();
    }
    end();
    assert_true(all->fact_count <= WF_BEHAVIOUR_FACTS);
    struct wf_behaviour_trace t;
    assert_true(wf_behaviour_trace(all, 0, &t) && t.full);
    for (size_t i = 0; i < all->sequence_count; ++i)
        assert_true(all->sequences[i].count <= WF_BEHAVIOUR_SEQUENCE && all->sequences[i].cut);
    done();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_and_preemption_do_not_matter),
        cmocka_unit_test(loops_count_once),
        cmocka_unit_test(a_semaphore_given_back_is_a_lock),
        cmocka_unit_test(a_wait_may_be_given_up),
        cmocka_unit_test(interrupts_have_runs),
        cmocka_unit_test(machines_have_steps),
        cmocka_unit_test(notes_belong_to_what_runs),
        cmocka_unit_test(cut_runs_are_left_out),
        cmocka_unit_test(names_may_come_late_or_never),
        cmocka_unit_test(a_window_has_whole_runs),
        cmocka_unit_test(blocks_widen_with_the_trace),
        cmocka_unit_test(sequences_are_aligned),
        cmocka_unit_test(chance_is_exact),
        cmocka_unit_test(bytes_are_read_as_written),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
