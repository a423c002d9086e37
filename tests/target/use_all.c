// SPDX-License-Identifier: MIT
// Uses every form of the recorder's macros. `make check` compiles it as C99 and as C++11, with gcc
// and clang, in several configurations, without a warning.

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

static struct { int member; } object;

void use_all(int n, const char *text);
void use_all(int n, const char *text) {
    WF_REC(active_post, 1, &object, 5, &object, 1, 1, 3, 2);
    WF_REC_HELD(sched_next, 1, 2, 3);
    WF_REC0(qf_run, 0);
    WF_REC0_HELD(test_paused, 0);
    WF_RECORD(WF_USER, 0, WF_U8(0, n), WF_U32(0, 0x12345678), WF_STR("literal"), WF_F32(1, 2.0f));
    WF_RECORD(WF_USER, 0, WF_STR(text), WF_MEM(text, 3), WF_SIG(5, &object), WF_ENUM(1, 2));
    WF_RECORD(WF_USER, 0, WF_I8(1, n), WF_I16(1, n), WF_I32(1, n), WF_I64(1, n), WF_U16(1, n));
    WF_RECORD(WF_USER, 0, WF_U64(1, n), WF_F64(1, 1.0), WF_OBJ(&object), WF_FUNC(WF_FUN(use_all)));
    WF_BEGIN(WF_USER, 0);
    wf_u8(0, 1);
    wf_str(text);
    WF_END();
    WF_BEGIN_HELD(WF_USER, 0);
    wf_fun(WF_FUN(use_all));
    WF_END_HELD();
    WF_PROBE_DEF(use_all);
    WF_PROBE(object.member = 1;);
    WF_PROBE_ID(2, return;);
    WF_TEST_PAUSE();
    wf_assert_fail("module", 1);
    wf_rx_put(1);
    wf_rx_parse();
    wf_set_current(WF_OBJ_AO, &object);
    wf_query_current(WF_OBJ_AO);
    WF_OBJ_DICTIONARY(&object);
    WF_OBJ_ARR_DICTIONARY(&object, 3);
    WF_SIG_DICTIONARY(WF_USER, 0);
    WF_FUN_DICTIONARY(use_all);
    WF_USR_DICTIONARY(WF_USER);
    WF_ENUM_DICTIONARY(WF_USER, 1);
    WF_TASK_CREATE(&object, n, text);
    WF_TASK_READY(&object);
    WF_TASK_SWITCH(NULL, &object, WF_SWITCH_preempted);
    WF_TASK_PRIORITY(&object, n);
    WF_TASK_SUSPEND(&object);
    WF_TASK_DELETE(&object);
    WF_NAME(&object, text);
    WF_IRQ_ENTER(3, 1);
    WF_IRQ_EXIT(WF_IRQ_UNKNOWN, 1);
    WF_OBJECT(mutex_create, &n);
    WF_OBJECT_N(queue_create, &n, 4);
    WF_BY(mutex_wait, &n, &object);
    WF_BY_N(mutex_take, &n, &object, 1);
    WF_BY_BLOCK(heap_alloc, &n, &object, text, 4);
    WF_SPAN_BEGIN(&object, "span");
    WF_SPAN_END(&object, "span");
    WF_COUNTER("counter", n);
    WF_LOG("alone");
    WF_LOG("%d of %s", WF_I32(0, n), WF_STR(text));
    wf_part_task(&object, false);
    wf_part_name("idle", false);
    wf_part_priority(0, 3, true);
    wf_part_all(true);
    wf_part_set_view(WF_PART_GAP);
    struct wf_part_status status;
    wf_part_get_status(&status);
    wf_text_start(status.rules + 1);
    wf_text_event("event", 3);
    if (wf_text_lost() && wf_text_get_byte() < 0) WF_COUNTER("lost", wf_text_lost());
    if (wf_was_kept()) wf_target_info(0);
}
