// SPDX-License-Identifier: MIT
// Uses every form of the recorder's macros. `make check` compiles it as C99 and as C++11, with gcc
// and clang, in several configurations, without a warning.

#include "wallfly/wallfly.h"

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
    if (wf_was_kept()) wf_target_info(0);
}
