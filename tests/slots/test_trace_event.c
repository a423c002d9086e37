// SPDX-License-Identifier: MIT
// TraceEvent and its helpers, called as by a program for QNX: every command, its result, and the
// events read by the host.

#include <errno.h>
#include <stdio.h>

#include "compat/sys/trace.h"
#include "trace.h"

#define FAILS(why, ...)                                                                            \
    do {                                                                                           \
        errno = 0;                                                                                 \
        assert_int_equal(TraceEvent(__VA_ARGS__), -1);                                             \
        assert_int_equal(errno, why);                                                              \
    } while (0)
#define WORKS(...) assert_int_equal(TraceEvent(__VA_ARGS__), 0)

static void running(void) {
    begin(false, NULL);
    WORKS(_NTO_TRACE_ADDALLCLASSES);
    WORKS(_NTO_TRACE_STARTNOSTATE);
}

static void commands_tell_how_many_arguments_follow(void **state) {
    (void)state;
    assert_int_equal(_NTO_TRACE_ADDALLCLASSES, 1);
    assert_int_equal(_NTO_TRACE_ADDCLASS, 0x10000003);
    assert_int_equal(_NTO_TRACE_SETEVENTTID, 0x40000019);
    assert_int_equal(_NTO_TRACE_INSERTUSRSTREVENT, 0x20000020);
    running();
    FAILS(EINVAL, 3, 12);          // ADDCLASS without an argument
    FAILS(EINVAL, 0x10000005, 12); // ADDEVENT with one
    WORKS(0x20000003, 12, 0);      // one too many is ignored
}

static void without_a_recorder_nothing_is_supported(void **state) {
    (void)state;
    struct wf_slot_box *box = wfi_slots.box;
    wfi_slots.box = NULL;
#define X(number, name, args) FAILS(ENOTSUP, _NTO_TRACE_##name, 12, 1, 1, 1);
    WF_TRACE_COMMANDS(X)
#undef X
    wfi_slots.box = box;
}

static void what_only_a_logger_or_qnx_8_has_is_not_supported(void **state) {
    (void)state;
    running();
    FAILS(ENOTSUP, _NTO_TRACE_ALLOCBUFFER, 1, NULL);
    FAILS(ENOTSUP, _NTO_TRACE_DEALLOCBUFFER);
    FAILS(ENOTSUP, _NTO_TRACE_SETBUFFER);
    FAILS(ENOTSUP, _NTO_TRACE_LOGGER_ATTACH);
    FAILS(ENOTSUP, _NTO_TRACE_WAITBUFFER);
    FAILS(ENOTSUP, _NTO_TRACE_LOGGER_DETACH);
    FAILS(ENOTSUP, _NTO_TRACE_PMU_CONFIG);
    FAILS(ENOTSUP, _NTO_TRACE_PMU_QUERYEVENTS);
    FAILS(ENOTSUP, 0);
    FAILS(ENOTSUP, 50);
    FAILS(ENOTSUP, 0x40000032, 1, 2, 3, 4);
}

// Records an event of any class; returns whether it was kept.
static bool comes(unsigned cls, unsigned event) {
    const uint32_t words[] = {1, 2, 3, 4};
    uint64_t before = made();
    assert_int_equal(wf_classes_record(cls, event, words, 4, WF_CLASSES_FAST2(0, 1)), 0);
    drain();
    return made() != before;
}

static void classes_and_events_are_switched(void **state) {
    (void)state;
    begin(false, NULL);
    WORKS(_NTO_TRACE_STARTNOSTATE);
    assert_false(comes(WF_SAT_COMM, 1));
    WORKS(_NTO_TRACE_ADDCLASS, _NTO_TRACE_COMM);
    assert_true(comes(WF_SAT_COMM, 1));
    WORKS(_NTO_TRACE_DELEVENT, _NTO_TRACE_COMM, _NTO_TRACE_COMM_SPULSE);
    assert_false(comes(WF_SAT_COMM, 1));
    assert_true(comes(WF_SAT_COMM, 2));
    WORKS(_NTO_TRACE_DELCLASS, _NTO_TRACE_COMM);
    assert_false(comes(WF_SAT_COMM, 2));
    WORKS(_NTO_TRACE_ADDEVENT, _NTO_TRACE_THREAD, _NTO_TRACE_THRUNNING);
    assert_true(comes(WF_SAT_THREAD, 1));
    assert_false(comes(WF_SAT_THREAD, 2));
    assert_false(comes(WF_SAT_VTHREAD, 1));
    WORKS(_NTO_TRACE_ADDEVENT, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCDESTROY_NAME);
    assert_true(comes(WF_SAT_PROCESS, 3));
    WORKS(_NTO_TRACE_ADDEVENT, _NTO_TRACE_KERCALLEXIT, WF_KER_MSG_SENDV);
    assert_true(comes(WF_SAT_KERCALLEXIT, 11));
    assert_false(comes(WF_SAT_KERCALLENTER, 11));
    WORKS(_NTO_TRACE_ADDCLASS, _NTO_TRACE_KERCALL);
    assert_true(comes(WF_SAT_KERCALLENTER, 11));
    WORKS(_NTO_TRACE_ADDALLCLASSES);
    assert_true(comes(WF_SAT_VTHREAD, 25));
    WORKS(_NTO_TRACE_DELALLCLASSES);
    assert_false(comes(WF_SAT_VTHREAD, 25));
    assert_false(comes(WF_SAT_PROCESS, 3));
}

static void numbers_that_are_none_are_refused(void **state) {
    (void)state;
    static int (*const function)(struct wf_classes_event *);
    const uint32_t words[2] = {0};
    running();
    const unsigned bad[] = {21, 31, 99, 0xFFFFFFFF}; // the last is not ALLCLASSES
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; ++i) {
        FAILS(EINVAL, _NTO_TRACE_ADDCLASS, bad[i]);
        FAILS(EINVAL, _NTO_TRACE_DELCLASS, bad[i]);
        FAILS(EINVAL, _NTO_TRACE_ADDEVENT, bad[i], 1);
        FAILS(EINVAL, _NTO_TRACE_DELEVENT, bad[i], 1);
        FAILS(EINVAL, _NTO_TRACE_SETCLASSFAST, bad[i]);
        FAILS(EINVAL, _NTO_TRACE_SETCLASSWIDE, bad[i]);
        FAILS(EINVAL, _NTO_TRACE_SETEVENTFAST, bad[i], 1);
        FAILS(EINVAL, _NTO_TRACE_SETEVENTWIDE, bad[i], 1);
        FAILS(EINVAL, _NTO_TRACE_SETCLASSPID, bad[i], 1);
        FAILS(EINVAL, _NTO_TRACE_CLRCLASSPID, bad[i]);
        FAILS(EINVAL, _NTO_TRACE_DELCLASSEVHANDLER, bad[i]);
        FAILS(EINVAL, _NTO_TRACE_INSERTSCLASSEVENT, bad[i], 1, 1, 1);
        FAILS(EINVAL, _NTO_TRACE_INSERTCCLASSEVENT, bad[i], 1, words, 2);
    }
    FAILS(EINVAL, _NTO_TRACE_ADDEVENT, _NTO_TRACE_USER, 1024);
    FAILS(EINVAL, _NTO_TRACE_ADDEVENT, _NTO_TRACE_USER, 0xFFFFFFFF);
    FAILS(EINVAL, _NTO_TRACE_ADDEVENT, _NTO_TRACE_THREAD, 0);
    FAILS(EINVAL, _NTO_TRACE_ADDEVENT, _NTO_TRACE_THREAD, 3); // two bits
    FAILS(EINVAL, _NTO_TRACE_ADDEVENT, _NTO_TRACE_THREAD, 1 << 26);
    FAILS(EINVAL, _NTO_TRACE_ADDEVENT, _NTO_TRACE_PROCESS, 1 << 7);
    FAILS(ENOTSUP, _NTO_TRACE_ADDEVENT, _NTO_TRACE_INTENTER, 0x7FFFFFFF);
    FAILS(ENOTSUP, _NTO_TRACE_SETCLASSPID, _NTO_TRACE_USER, 1); // has no thread
    FAILS(EFAULT, _NTO_TRACE_ADDCLASSEVHANDLER, _NTO_TRACE_USER, function, NULL);
    FAILS(EFAULT, _NTO_TRACE_ADDEVENTHANDLER, _NTO_TRACE_USER, 1, function, NULL);
    FAILS(EFAULT, _NTO_TRACE_INSERTCUSEREVENT, 1, (uint32_t *)NULL, 1);
    FAILS(EFAULT, _NTO_TRACE_INSERTUSRSTREVENT, 1, (char *)NULL);
    FAILS(EINVAL, _NTO_TRACE_INSERTCUSEREVENT, 1024, words, 1);
    FAILS(EINVAL, _NTO_TRACE_INSERTCUSEREVENT, 1, words, 1 << 20);
    FAILS(EINVAL, _NTO_TRACE_INSERTSUSEREVENT, 1024, 1, 1);
    FAILS(EINVAL, _NTO_TRACE_INSERTUSRSTREVENT, 1024, "");
    FAILS(EINVAL, _NTO_TRACE_INSERTSCLASSEVENT, _NTO_TRACE_CONTROL, 1, 1, 1);
    FAILS(EINVAL, _NTO_TRACE_INSERTSCLASSEVENT, _NTO_TRACE_KERCALL, 1, 1, 1);
    FAILS(EINVAL, _NTO_TRACE_INSERTEVENT, 0x40001880, 0, 1, 2); // a part of a chain
    FAILS(EINVAL, _NTO_TRACE_INSERTEVENT, 31 << 10, 0, 1, 2);
    FAILS(EINVAL, _NTO_TRACE_INSERTEVENT, 4 << 10 | 70, 0, 1, 2);
    assert_int_equal(made(), 0);
}

static void events_that_share_a_switch_have_none(void **state) {
    (void)state;
    running();
    if (WF_CFG_CLASS_EVENTS < 1024)
        FAILS(ENOTSUP, _NTO_TRACE_DELEVENT, _NTO_TRACE_USER, 1023);
    else
        WORKS(_NTO_TRACE_DELEVENT, _NTO_TRACE_USER, 1023);
    assert_int_equal(comes(WF_SAT_USER, 1023), WF_CFG_CLASS_EVENTS < 1024);
}

static unsigned width_of(unsigned cls, unsigned event) {
    const uint32_t words[] = {1, 2, 3, 4};
    assert_int_equal(wf_classes_record(cls, event, words, 4, WF_CLASSES_FAST2(0, 1)), 0);
    unsigned n = read_events();
    assert_true(n > 0);
    return events[n - 1].count;
}

static void forms_are_set(void **state) {
    (void)state;
    running();
    assert_int_equal(width_of(WF_SAT_COMM, 9), 2);
    WORKS(_NTO_TRACE_SETEVENTWIDE, _NTO_TRACE_COMM, _NTO_TRACE_COMM_SIGNAL);
    assert_int_equal(width_of(WF_SAT_COMM, 9), 4);
    assert_int_equal(width_of(WF_SAT_COMM, 10), 2);
    WORKS(_NTO_TRACE_SETEVENTFAST, _NTO_TRACE_COMM, _NTO_TRACE_COMM_SIGNAL);
    assert_int_equal(width_of(WF_SAT_COMM, 9), 2);
    WORKS(_NTO_TRACE_SETCLASSWIDE, _NTO_TRACE_THREAD);
    assert_int_equal(width_of(WF_SAT_THREAD, 1), 4);
    WORKS(_NTO_TRACE_SETCLASSFAST, _NTO_TRACE_THREAD);
    assert_int_equal(width_of(WF_SAT_THREAD, 1), 2);
    WORKS(_NTO_TRACE_SETALLCLASSESWIDE);
    assert_int_equal(width_of(WF_SAT_SYSTEM, 1), 4);
    WORKS(_NTO_TRACE_SETALLCLASSESFAST);
    assert_int_equal(width_of(WF_SAT_SYSTEM, 1), 2);
}

static void filters_are_set_and_cleared(void **state) {
    (void)state;
    running();
    test_pid = 5;
    test_tid = 6;
    WORKS(_NTO_TRACE_SETCLASSPID, _NTO_TRACE_THREAD, 4);
    assert_false(comes(WF_SAT_THREAD, 2));
    WORKS(_NTO_TRACE_SETCLASSPID, _NTO_TRACE_THREAD, 5);
    assert_true(comes(WF_SAT_THREAD, 2));
    WORKS(_NTO_TRACE_SETCLASSTID, _NTO_TRACE_THREAD, 5, 7);
    assert_false(comes(WF_SAT_THREAD, 2));
    WORKS(_NTO_TRACE_CLRCLASSPID, _NTO_TRACE_THREAD);
    assert_false(comes(WF_SAT_THREAD, 2));
    WORKS(_NTO_TRACE_CLRCLASSTID, _NTO_TRACE_THREAD);
    assert_true(comes(WF_SAT_THREAD, 2));
    WORKS(_NTO_TRACE_SETEVENTPID, _NTO_TRACE_THREAD, _NTO_TRACE_THREADY, 9);
    assert_false(comes(WF_SAT_THREAD, 2));
    assert_true(comes(WF_SAT_THREAD, 3));
    WORKS(_NTO_TRACE_SETEVENTTID, _NTO_TRACE_THREAD, _NTO_TRACE_THSTOPPED, 5, 9);
    assert_false(comes(WF_SAT_THREAD, 3));
    if (WF_CFG_CLASS_FILTERS == 2) FAILS(ENOMEM, _NTO_TRACE_SETCLASSPID, _NTO_TRACE_COMM, 4);
    WORKS(_NTO_TRACE_CLREVENTPID, _NTO_TRACE_THREAD, _NTO_TRACE_THREADY);
    assert_true(comes(WF_SAT_THREAD, 2));
    WORKS(_NTO_TRACE_CLREVENTTID, _NTO_TRACE_THREAD, _NTO_TRACE_THSTOPPED);
    assert_true(comes(WF_SAT_THREAD, 3));
}

static int keep_odd(struct wf_classes_event *e) {
    ++*(unsigned *)e->area;
    return (int)(e->words[0] & 1);
}

static void handlers_are_added_and_deleted(void **state) {
    (void)state;
    unsigned of_class = 0, of_event = 0;
    running();
    WORKS(_NTO_TRACE_ADDCLASSEVHANDLER, _NTO_TRACE_USER, keep_odd, &of_class);
    WORKS(_NTO_TRACE_ADDEVENTHANDLER, _NTO_TRACE_USER, 7, keep_odd, &of_event);
    if (WF_CFG_CLASS_HANDLERS == 2) {
        FAILS(ENOMEM, _NTO_TRACE_ADDEVENTHANDLER, _NTO_TRACE_USER, 8, keep_odd, &of_event);
    }
    for (unsigned i = 0; i < 10; ++i) WORKS(_NTO_TRACE_INSERTSUSEREVENT, 6 + i % 4 / 2, i, 0);
    assert_int_equal(read_events(), 5);
    assert_int_equal(of_class, 10);
    assert_int_equal(of_event, 2); // 3 and 7; the class handler has dropped the even ones
    for (unsigned i = 0; i < 5; ++i) assert_int_equal(events[i].word[0], 2 * i + 1);
    WORKS(_NTO_TRACE_DELCLASSEVHANDLER, _NTO_TRACE_USER);
    WORKS(_NTO_TRACE_INSERTSUSEREVENT, 7, 2, 0);
    WORKS(_NTO_TRACE_DELEVENTHANDLER, _NTO_TRACE_USER, 7);
    WORKS(_NTO_TRACE_INSERTSUSEREVENT, 7, 2, 0);
    assert_int_equal(read_events(), 6);
}

static void what_is_inserted_is_read(void **state) {
    (void)state;
    const uint32_t words[] = {1, 2, 3, 4, 5};
    running();
    WORKS(_NTO_TRACE_INSERTSUSEREVENT, 0, 11, 12);
    WORKS(_NTO_TRACE_INSERTCUSEREVENT, 1023, words, 5);
    WORKS(_NTO_TRACE_INSERTUSRSTREVENT, 3, "an example");
    WORKS(_NTO_TRACE_INSERTSCLASSEVENT, _NTO_TRACE_THREAD, _NTO_TRACE_THRUNNING, 100, 1);
    WORKS(_NTO_TRACE_INSERTCCLASSEVENT, _NTO_TRACE_COMM, _NTO_TRACE_COMM_SIGNAL, words, 4);
    WORKS(_NTO_TRACE_INSERTEVENT, 4 << 10 | 192, 77, 1, 2); // PROCCREATE_NAME
    WORKS(_NTO_TRACE_INSERTEVENT, 2 << 10 | (128 + 11), 77, 1, 2);
    WORKS(_NTO_TRACE_INSERTEVENT, 3 << 10 | 1, 77, 30, 2);
    assert_int_equal(read_events(), 8);
    assert_string_equal(events[0].class_name, "USER");
    assert_int_equal(events[0].word[1], 12);
    assert_int_equal(events[1].event, 1023);
    assert_int_equal(events[1].count, 6);
    assert_memory_equal(events[1].word, words, sizeof words);
    assert_string_equal((const char *)events[2].word, "an example");
    assert_string_equal(events[3].name, "RUNNING");
    assert_int_equal(events[3].event, _NTO_TRACE_THRUNNING);
    assert_string_equal(events[4].name, "SIGNAL");
    assert_int_equal(events[4].count, 4);
    assert_string_equal(events[5].name, "PROCCREATE_NAME");
    assert_int_equal(events[6].cls, _NTO_TRACE_KERCALLEXIT);
    assert_int_equal(events[6].event, WF_KER_MSG_SENDV);
    assert_int_equal(events[7].cls, _NTO_TRACE_INTENTER);
    assert_int_equal(events[7].event, 30);
}

static void report(void) { TraceEvent(_NTO_TRACE_INSERTSCLASSEVENT, _NTO_TRACE_PROCESS, 1, 0, 1); }

static void a_trace_is_started_stopped_and_asked(void **state) {
    (void)state;
    begin(false, report);
    WORKS(_NTO_TRACE_ADDALLCLASSES);
    WORKS(_NTO_TRACE_SETLINEARMODE);
    WORKS(_NTO_TRACE_INSERTSUSEREVENT, 1, 1, 1); // not started
    WORKS(_NTO_TRACE_QUERYEVENTS);
    WORKS(_NTO_TRACE_START);
    WORKS(_NTO_TRACE_INSERTSUSEREVENT, 1, 1, 1);
    assert_int_equal(TraceEvent(_NTO_TRACE_QUERYEVENTS), 4 + 2);
    WORKS(_NTO_TRACE_FLUSHBUFFER);
    assert_int_equal(TraceEvent(_NTO_TRACE_QUERYEVENTS), 4 + 3);
    assert_int_equal(TraceEvent(_NTO_TRACE_QUERYVERSION), 102);
    assert_int_equal(TraceEvent(_NTO_TRACE_QUERYSUPPORT), 1);
    unsigned fit = 0;
    while (TraceEvent(_NTO_TRACE_INSERTSUSEREVENT, 2, 1, 1) == 0) assert_true(++fit < SLOTS);
    assert_int_equal(errno, ECANCELED);
    assert_int_equal(trace_logi(2, 1, 1), -1);
    WORKS(_NTO_TRACE_STOP);
    WORKS(_NTO_TRACE_OVERWRITEBUFFER);
    WORKS(_NTO_TRACE_STARTNOSTATE);
    WORKS(_NTO_TRACE_INSERTSUSEREVENT, 2, 1, 1);
    WORKS(_NTO_TRACE_STOP);
    WORKS(_NTO_TRACE_SKIPBUFFER);
    WORKS(_NTO_TRACE_SETRINGMODE); // the last one counts
    WORKS(_NTO_TRACE_STARTNOSTATE);
    for (unsigned i = 0; i < 2 * SLOTS; ++i) WORKS(_NTO_TRACE_INSERTSUSEREVENT, 2, 1, 1);
}

static void helpers_record(void **state) {
    (void)state;
    static const uint32_t aligned[5] = {9, 8, 7, 6, 5};
    const char *bytes = (const char *)aligned + 1;
    static char large[WF_TRACE_BLOCK + 8];
    char text[300], got[128];
    running();
    assert_int_equal(trace_logf(1, "%d and %s", 12, "text"), 0);
    assert_int_equal(trace_nlogf(2, 5, "%s", "abcdefgh"), 0);
    assert_int_equal(trace_logi(4, 100, 200), 0);
    assert_int_equal(trace_logb(5, aligned, sizeof aligned), 0);
    assert_int_equal(trace_logbc(6, bytes, 7), 0);
    assert_int_equal(trace_func_enter((void *)aligned, large), 0);
    assert_int_equal(trace_func_exit((void *)aligned, large), 0);
    assert_int_equal(trace_here(), 0);
    assert_int_equal(trace_logb(7, NULL, 0), 0);
    assert_int_equal(read_events(), 9);
    assert_string_equal((const char *)events[0].word, "12 and text");
    assert_string_equal((const char *)events[1].word, "abcd");
    assert_int_equal(events[2].word[1], 200);
    assert_memory_equal(events[3].word, aligned, sizeof aligned);
    memset(got, 0, 8);
    memcpy(got, bytes, 7);
    assert_memory_equal(events[4].word, got, 8);
    const void *function, *site;
    for (unsigned i = 5; i < 8; ++i) {
        memcpy(&function, events[i].word, sizeof function);
        memcpy(&site, (const char *)events[i].word + sizeof function, i < 7 ? sizeof site : 0);
        assert_int_equal(events[i].wide, sizeof function == 8);
        if (i == 7)
            assert_true(function != NULL && function != aligned);
        else
            assert_true(function == aligned && site == large);
    }
    assert_string_equal(events[5].name, "FUNC_ENTER");
    assert_string_equal(events[6].name, "FUNC_EXIT");
    assert_string_equal(events[7].name, "ADDRESS");

    // Limits.
    memset(text, 'z', sizeof text);
    text[sizeof text - 1] = 0;
    int fits = WF_CFG_CHUNK > 16 ? 0 : -1;
    assert_int_equal(trace_logf(1023, "%s", text), fits);
    assert_int_equal(trace_nlogf(1, 0, "%s", text), 0);
    if (!fits) {
        unsigned n = read_events();
        assert_int_equal(strlen((const char *)events[n - 2].word), 127);
        assert_int_equal(events[n - 1].word[0], 0);
    }
    assert_int_equal(trace_logb(1, large + 1, WF_TRACE_BLOCK + 1), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(trace_logb(1, aligned, SIZE_MAX), -1);
    errno = 0;
    assert_int_equal(trace_logb(1, NULL, 1), -1);
    assert_int_equal(errno, EFAULT);
    const char *no_format = NULL;
    assert_int_equal(trace_logf(1, no_format), -1);
    assert_int_equal(errno, EFAULT);
    errno = 0;
    assert_int_equal(trace_logf(1024, "x"), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(trace_logi(1024, 1, 1), -1);
    assert_int_equal(trace_logb(1024, aligned, 4), -1);
    assert_int_equal(trace_logb(1024, bytes, 3), -1);
    uint64_t before = made();
    WORKS(_NTO_TRACE_DELCLASS, _NTO_TRACE_USER);
    assert_int_equal(trace_logf(1, "%d", 1) + trace_logb(1, bytes, 3) + trace_logi(1, 1, 1), 0);
    assert_int_equal(made(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_tell_how_many_arguments_follow),
        cmocka_unit_test(without_a_recorder_nothing_is_supported),
        cmocka_unit_test(what_only_a_logger_or_qnx_8_has_is_not_supported),
        cmocka_unit_test(classes_and_events_are_switched),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(events_that_share_a_switch_have_none),
        cmocka_unit_test(forms_are_set),
        cmocka_unit_test(filters_are_set_and_cleared),
        cmocka_unit_test(handlers_are_added_and_deleted),
        cmocka_unit_test(what_is_inserted_is_read),
        cmocka_unit_test(a_trace_is_started_stopped_and_asked),
        cmocka_unit_test(helpers_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
