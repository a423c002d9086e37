// SPDX-License-Identifier: MIT
// The macros of wf_rtos.h: a log is one record with any number of elements, the first is the
// format's address; it is filtered and counted like other records; a create is followed by its
// name.

#include "wf_test.h"

#include "wallfly/wf_rtos.h"

static uint8_t ring[1 << 14];
static uint32_t tcb;

static void fresh(void) {
    start(ring, sizeof ring);
    wf_filter(WF_GRP_ALL);
    drain_all();
}

static struct frame frame(unsigned id) {
    struct frame f = next_frame();
    if (f.bytes[1] == WF_ID_sync) f = next_frame();
    assert_int_equal(f.bytes[1], id);
    return f;
}

// The next log must have the format's address and these bytes as its elements.
static void expect_log(const char *format, const void *more, unsigned len) {
    struct frame f = frame(WF_ID_log);
    const uint8_t *p = f.bytes + 2 + WF_CFG_TIME_SIZE;
    assert_int_equal(*p++, WF_EL_obj);
    assert_int_equal(le(p, WF_CFG_OBJ_SIZE), (uintptr_t)format);
    p += WF_CFG_OBJ_SIZE;
    assert_int_equal(f.bytes + f.len - p, len);
    assert_memory_equal(p, more, len);
}

static void a_log_is_its_format_and_elements(void **state) {
    static const char plain[] = "plain", numbers[] = "%d of %u", texts[] = "%s and %.2f";
    const char *volatile text = "text";
    float value = 0.5f;
    (void)state;
    fresh();
    WF_LOG(plain);
    expect_log(plain, "", 0);
    WF_LOG(numbers, WF_I32(0, -2), WF_U32(0, 0x7E7D));
    expect_log(numbers, "\4\xFE\xFF\xFF\xFF\5\x7D\x7E\0\0", 10);
    WF_LOG(texts, WF_STR(text), WF_F32(0, value));
    expect_log(texts, "\10text\0\6\0\0\0\x3F", 6 + 5);
    WF_LOG(plain, WF_U8(0, 1), WF_U8(0, 2), WF_U8(0, 3), WF_U8(0, 4), WF_U8(0, 5), WF_U8(0, 6),
           WF_U8(0, 7), WF_U8(0, 8), WF_U8(0, 9), WF_U8(0, 10), WF_U8(0, 11), WF_U8(0, 12));
    expect_log(plain, "\1\1\1\2\1\3\1\4\1\5\1\6\1\7\1\10\1\11\1\12\1\13\1\14", 24);
}

static void logs_are_filtered_and_counted(void **state) {
    struct wf_status before, after;
    int evaluated = 0;
    (void)state;
    fresh();
    wf_get_status(&before);
    WF_LOG("counted %d", WF_I32(0, ++evaluated));
    wf_filter(-WF_GRP_NOTE);
    WF_LOG("not made %d", WF_I32(0, ++evaluated));
    wf_get_status(&after);
    assert_int_equal(evaluated, 1);
    assert_int_equal(after.count - before.count, 1);
}

static void a_create_and_its_name(void **state) {
    (void)state;
    fresh();
    WF_TASK_CREATE(&tcb, -7, "worker");
    struct frame f = frame(WF_ID_task_create);
    const uint8_t *p = f.bytes + 2 + WF_CFG_TIME_SIZE;
    assert_int_equal(*p, 0);
    assert_int_equal(le(p + 1, WF_CFG_OBJ_SIZE), (uintptr_t)&tcb);
    assert_int_equal((int16_t)le(p + 1 + WF_CFG_OBJ_SIZE, 2), -7);
    f = frame(WF_ID_obj_dict);
    assert_string_equal((char *)f.bytes + 2 + WF_CFG_OBJ_SIZE, "worker");
    WF_TASK_CREATE(&tcb, 1, NULL);
    frame(WF_ID_task_create);
    assert_int_equal(wf_get_byte(), -1);
    WF_TASK_SWITCH(NULL, &tcb, WF_SWITCH_delayed);
    f = frame(WF_ID_task_switch);
    assert_int_equal(f.bytes[2 + WF_CFG_TIME_SIZE + WF_CFG_OBJ_SIZE], WF_SWITCH_delayed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_is_its_format_and_elements),
        cmocka_unit_test(logs_are_filtered_and_counted),
        cmocka_unit_test(a_create_and_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
