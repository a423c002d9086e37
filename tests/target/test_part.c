// SPDX-License-Identifier: MIT
// Part tracing on the target: rules, the table and a full table, switching records at run time, the
// host's command. tests/e2e/test_part.c tests how switches appear.

#include "wf_test.h"

#include "wallfly/wf_rtos.h"

static uint8_t ring[1 << 14], rx_ring[100];
static uint32_t tcb[8], mutex;
static const struct wf_rx_hooks hooks; // null: no objects of QP
static const struct wf_rx_config rx = {
    .ring = rx_ring, .ring_size = sizeof rx_ring, .hooks = &hooks};

static void fresh(void) {
    memset(&wfi_part, 0, sizeof wfi_part);
    fake_core = 0;
    start(ring, sizeof ring);
    wf_rx_start(&rx);
    wf_filter(WF_GRP_ALL);
    drain_all();
}

// The pending records: record number and the selector or task: "86 2;" is task 2 ready.
static const char *records(void) {
    static char text[1000];
    struct receiver r = {.len = 0};
    struct frame f;
    size_t n = 0;
    text[0] = 0;
    for (int b; (b = wf_get_byte()) >= 0;) {
        if (!receive(&r, (uint8_t)b, &f) || f.bytes[1] == WF_ID_sync) continue;
        const uint8_t *p = f.bytes + 2;
        bool untimed = f.bytes[1] == WF_ID_obj_dict || f.bytes[1] == WF_ID_rx_status;
        if (!untimed) p += WF_CFG_TIME_SIZE;
        if (f.bytes[1] == WF_ID_task_create) ++p; // the selector
        uint64_t value = f.bytes[1] == WF_ID_rx_status ? *p : le(p, WF_CFG_OBJ_SIZE);
        for (unsigned i = 0; i < 8; ++i) {
            if (value == (uintptr_t)&tcb[i]) value = i;
        }
        if (value < 256)
            n += (size_t)snprintf(text + n, sizeof text - n, "%u %u;", f.bytes[1], (unsigned)value);
        else
            n += (size_t)snprintf(text + n, sizeof text - n, "%u;", f.bytes[1]);
    }
    return text;
}

// Shown tasks of the first n: "01.3" without task 2.
static void expect_shown(const char *want) {
    char got[9] = "";
    for (unsigned i = 0; want[i]; ++i) got[i] = wf_part_shows(&tcb[i]) ? (char)('0' + i) : '.';
    assert_string_equal(got, want);
}

static void all_are_shown_at_first(void **state) {
    (void)state;
    fresh();
    expect_shown("01234567");
    WF_TASK_CREATE(&tcb[0], 3, "one");
    WF_TASK_READY(&tcb[0]);
    WF_TASK_SWITCH(NULL, &tcb[0], WF_SWITCH_unknown);
    assert_string_equal(records(), "85 0;61 0;86 0;87 0;");
}

static void the_last_rule_decides(void **state) {
    (void)state;
    fresh();
    WF_TASK_CREATE(&tcb[0], 0, "idle");
    WF_TASK_CREATE(&tcb[1], 5, "net");
    WF_TASK_CREATE(&tcb[2], 5, NULL);
    assert_true(wf_part_priority(0, 5, false));
    expect_shown("...3");
    assert_true(wf_part_name("net", true));
    expect_shown(".1.3");
    assert_true(wf_part_task(&tcb[2], true));
    expect_shown(".123");
    assert_true(wf_part_priority(0, 5, false)); // again: now it is the last rule
    expect_shown("...3");
    assert_true(wf_part_name("net", true)); // not a fourth rule: it replaces itself
    assert_true(wf_part_task(&tcb[2], false));
    expect_shown(".1.3");
    assert_false(wf_part_name("other", false)); // WF_CFG_PART_RULES is 3
    assert_false(wf_part_task(NULL, false));
    expect_shown(".1.3");
    struct wf_part_status status;
    wf_part_get_status(&status);
    assert_int_equal(status.tasks, 3);
    assert_int_equal(status.hidden, 2);
    assert_int_equal(status.rules, 3);
    wf_part_all(false);
    expect_shown("....");
    assert_true(wf_part_shows(NULL)); // idle, or an interrupt
    assert_true(wf_part_task(&tcb[1], true));
    expect_shown(".1..");
    wf_part_all(true);
    expect_shown("0123");
}

static void tasks_change(void **state) {
    (void)state;
    fresh();
    assert_true(wf_part_name("idle", false));
    assert_true(wf_part_priority(-2, -1, false));
    WF_TASK_CREATE(&tcb[0], 3, "idle"); // created after the rule
    WF_TASK_CREATE(&tcb[1], 3, NULL);
    expect_shown(".1");
    WF_TASK_PRIORITY(&tcb[1], -2);
    expect_shown("..");
    WF_TASK_PRIORITY(&tcb[1], 2);
    WF_NAME(&tcb[1], "idle");
    expect_shown("..");
    WF_NAME(&tcb[0], "busy");
    expect_shown("0.");
    WF_TASK_DELETE(&tcb[1]);
    WF_TASK_CREATE(&tcb[1], 3, "another");
    expect_shown("01");
    drain_all();
}

static void records_of_hidden_tasks_are_left_out(void **state) {
    (void)state;
    fresh();
    assert_true(wf_part_task(&tcb[1], false));
    WF_TASK_CREATE(&tcb[1], 1, "hidden"); // hidden, except its name, for when it is shown
    WF_TASK_READY(&tcb[1]);
    WF_TASK_PRIORITY(&tcb[1], 2);
    WF_TASK_SUSPEND(&tcb[1]);
    WF_BY(mutex_wait, &mutex, &tcb[1]);
    WF_BY_N(mutex_take, &mutex, &tcb[1], 1);
    WF_BY_BLOCK(heap_alloc, &mutex, &tcb[1], &tcb[2], 4);
    WF_SPAN_BEGIN(&tcb[1], "span");
    assert_string_equal(records(), "61 1;");
    WF_BY_N(mutex_give, &mutex, &tcb[0], 0);
    WF_BY_N(sema_give, &mutex, NULL, 1u); // an interrupt
    WF_IRQ_ENTER(3, 1);
    WF_OBJECT(mutex_create, &mutex);
    assert_string_equal(records(), "89;90;88;89;");
    WF_TASK_DELETE(&tcb[1]);
    assert_string_equal(records(), "");
}

// Counted, and reported in the trace by a log text with its dictionary.
static void the_table_is_full(void **state) {
    struct wf_part_status status;
    (void)state;
    fresh();
    for (unsigned i = 0; i < 4; ++i) WF_TASK_CREATE(&tcb[i], 1, "x");
    drain_all();
    WF_TASK_CREATE(&tcb[4], 1, "x");
    assert_string_equal(records(), "61;96;85 4;61 4;");
    assert_true(wf_part_priority(1, 1, false));
    expect_shown("....4");
    assert_false(wf_part_task(&tcb[4], false));
    wf_part_get_status(&status);
    assert_int_equal(status.no_room, 1);
    WF_TASK_DELETE(&tcb[2]);
    expect_shown("....4"); // it stays in the table until its place is needed
    WF_TASK_CREATE(&tcb[4], 1, "x");
    expect_shown("..2..");
    wf_part_get_status(&status);
    assert_int_equal(status.no_room, 1);
    assert_int_equal(status.tasks, 4);
}

// While switch records are off the current task is not known; the next switch record shows it.
static void switches_are_off_for_a_while(void **state) {
    (void)state;
    fresh();
    wf_part_task(&tcb[1], false);
    WF_TASK_SWITCH(NULL, &tcb[0], WF_SWITCH_unknown);
    wf_filter(-WF_ID_task_switch);
    WF_TASK_SWITCH(&tcb[0], &tcb[2], WF_SWITCH_preempted);
    WF_TASK_SWITCH(&tcb[2], &tcb[1], WF_SWITCH_preempted);
    wf_filter(WF_ID_task_switch);
    WF_TASK_SWITCH(&tcb[1], &tcb[0], WF_SWITCH_preempted);
    assert_string_equal(records(), "87 0;87 0;");
}

static void more_cores_than_counted(void **state) {
    struct wf_part_status status;
    (void)state;
    fresh();
    fake_core = 2; // only two are counted
    wf_part_task(&tcb[1], false);
    WF_TASK_SWITCH(&tcb[0], &tcb[1], WF_SWITCH_preempted);
    WF_TASK_SWITCH(&tcb[1], &tcb[0], WF_SWITCH_preempted);
    assert_string_equal(records(), "87 0;");
    wf_part_get_status(&status);
    assert_int_equal(status.no_core, 2);
}

static void ao_filter(const void *object, uint8_t remove) {
    uint8_t p[2 + 1 + 8 + 1] = {1, 12, remove}, sum = 0;
    for (unsigned i = 0; i < WF_CFG_OBJ_SIZE; ++i)
        p[3 + i] = (uint8_t)((uint64_t)(uintptr_t)object >> 8 * i);
    for (unsigned i = 0; i < 3 + WF_CFG_OBJ_SIZE; ++i) sum = (uint8_t)(sum + p[i]);
    p[3 + WF_CFG_OBJ_SIZE] = (uint8_t)~sum;
    for (unsigned i = 0; i < 4 + WF_CFG_OBJ_SIZE; ++i) {
        if (p[i] == 0x7D || p[i] == 0x7E) wf_rx_put(0x7D);
        wf_rx_put(p[i] == 0x7D || p[i] == 0x7E ? p[i] ^ 0x20 : p[i]);
    }
    wf_rx_put(0x7E);
    wf_rx_parse();
}

// AO_FILTER of a known task shows or hides it; 12 acknowledges, 140 refuses.
static void the_host_hides(void **state) {
    (void)state;
    fresh();
    WF_TASK_CREATE(&tcb[0], 1, "task");
    drain_all();
    ao_filter(&tcb[0], 1);
    expect_shown(".1");
    ao_filter(&tcb[0], 6); // 6 has no effect
    expect_shown(".1");
    ao_filter(&tcb[0], 0);
    expect_shown("01");
    ao_filter(&tcb[1], 1); // not a task, and not an active object
    expect_shown("01");
    assert_non_null(strstr(records(), "66 12;"));
    ao_filter(&tcb[0], 7);
    expect_shown("01");
    assert_non_null(strstr(records(), "66 140;"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_shown_at_first),
        cmocka_unit_test(the_last_rule_decides),
        cmocka_unit_test(tasks_change),
        cmocka_unit_test(records_of_hidden_tasks_are_left_out),
        cmocka_unit_test(the_table_is_full),
        cmocka_unit_test(switches_are_off_for_a_while),
        cmocka_unit_test(more_cores_than_counted),
        cmocka_unit_test(the_host_hides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
