// SPDX-License-Identifier: MIT
// The text of the Best Trace Format, in any pieces, and FreeRTOS-BTF-Trace's text beside its ring.

#include "wf_test_lines.h"

static void tables_of_numbers(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\n"
                 "#timescale us\n"
                 "#typeTable\n"
                 "#-0 T\n"
                 "#-3 R RUNNABLE\n"
                 "#entityTable\n"
                 "#-0 Task_A\n"
                 "#-7 Core_1\n"
                 "#-9 Run_1\n"
                 "#entityTypeTable\n"
                 "#-T Task_A\n"
                 "# a comment\n"
                 "5,7,0,0,0,0,start\n"
                 "6,0,0,3,9,0,start\n"
                 "7,0,0,3,9,0,terminate\n"
                 "8,7,0,0,0,0,terminate\n",
                 "5 TASK task_switch Task_A runs on core 1, the one before left\n"
                 "5 USER job task Task_A instance 0\n"
                 "6 NOTE span_begin Task_A begins Run_1\n"
                 "7 NOTE span_end Task_A ends Run_1\n"
                 "8 TASK task_switch idle runs on core 1, the one before is suspended\n");
}

static void the_example_of_the_specification(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\n"
                 "#creator test\n"
                 "#timeScale ns\n"
                 "0,    SIM,             -1, STI, Stimulus_Task_A, 0, trigger\n"
                 "0,     Stimulus_Task_A, 0, T, Task_A,       0, activate\n"
                 "100,   Core_1,          0, T, Task_A,       0, start\n"
                 "100,   Task_A,          0, R, Runnable_A_1, 0, start\n"
                 "7100,  Task_A,          0, R, Runnable_A_1, 0, terminate\n"
                 "7100,  Task_A,          0, R, Runnable_A_2, 0, start\n"
                 "10000, Task_A,          0, STI, Stimulus_Task_B, 0, trigger\n"
                 "10000, Stimulus_Task_B, 0, T, Task_B,       0, activate\n"
                 "10100, Task_A,          0, R, Runnable_A_2, 0, suspend\n"
                 "10100, Core_1,          0, T, Task_A,       0, preempt\n"
                 "10100, Core_1,          0, T, Task_B,       0, start\n"
                 "10100, Task_B,          0, R, Runnable_B_1, 0, start\n"
                 "11100, Core_1,          0, I, Timer, 3, start\n"
                 "11200, Core_1,          0, I, Timer, 3, terminate\n"
                 "17100, Task_B,          0, R, Runnable_B_1, 0, terminate\n"
                 "17100, Core_1,          0, T, Task_B,       0, terminate\n"
                 "17200, Core_1,          0, T, Task_A,       0, resume\n"
                 "17200, Task_A,          0, R, Runnable_A_2, 0, resume\n"
                 "18000, Task_A,          0, EVENT, Ev, 0, wait_event\n"
                 "18000, Core_1,          0, T, Task_A,       0, wait\n"
                 "18100, Core_2,          0, T, Task_B,       1, start\n"
                 "18200, Task_B,          1, SIG, Mode,       0, write, 4\n"
                 "18200, Task_B,          1, SEM, Sem1,       0, requestsemaphore, 0\n"
                 "18300, Task_B,          1, EVENT, Ev,       0, set_event,Task_A\n"
                 "18300, Core_1,          0, T, Task_A,       0, release\n"
                 "18400, Core_1,          0, T, Task_A,       0, resume\n"
                 "21200, Task_A,          0, R, Runnable_A_2, 0, terminate\n"
                 "21200, Core_1,          0, T, Task_A,       0, terminate\n"
                 "21200, Core_2,          0, T, Task_B,       1, terminate\n",
                 "0 USER trigger type STI target Stimulus_Task_A source SIM\n"
                 "0 TASK task_ready Task_A is ready\n"
                 "100 TASK task_switch Task_A runs on core 1, the one before left\n"
                 "100 USER job task Task_A instance 0\n"
                 "100 NOTE span_begin Task_A begins Runnable_A_1\n"
                 "7100 NOTE span_end Task_A ends Runnable_A_1\n"
                 "7100 NOTE span_begin Task_A begins Runnable_A_2\n"
                 "10000 USER trigger type STI target Stimulus_Task_B source Task_A\n"
                 "10000 TASK task_ready Task_B is ready\n"
                 "10100 TASK task_switch Task_B runs on core 1, the one before was preempted\n"
                 "10100 USER job task Task_B instance 0\n"
                 "10100 NOTE span_begin Task_B begins Runnable_B_1\n"
                 "11100 ISR irq_enter interrupt Timer begins on core 1, depth 1\n"
                 "11200 ISR irq_exit interrupt Timer ends on core 1, depth 1\n"
                 "17100 NOTE span_end Task_B ends Runnable_B_1\n"
                 "17100 TASK task_switch idle runs on core 1, the one before is suspended\n"
                 "17200 TASK task_switch Task_A runs on core 1, the one before left\n"
                 "18000 EVT cond_wait Task_A waits for Ev\n"
                 "18000 TASK task_switch idle runs on core 1, the one before waits\n"
                 "18100 TASK task_switch Task_B runs on core 2, the one before left\n"
                 "18100 USER job task Task_B instance 1\n"
                 "18200 NOTE counter Mode is 4\n"
                 "18200 USER requestsemaphore type SEM target Sem1 source Task_B note 0\n"
                 "18300 EVT cond_give Task_B signals Ev, to wake 1\n"
                 "18300 EVT cond_take Task_A is woken by Ev\n"
                 "18300 TASK task_ready Task_A is ready\n"
                 "18400 TASK task_switch Task_A runs on core 1, the one before left\n"
                 "21200 NOTE span_end Task_A ends Runnable_A_2\n"
                 "21200 TASK task_switch idle runs on core 1, the one before is suspended\n"
                 "21200 TASK task_switch idle runs on core 2, the one before is suspended\n");
}

static void instances_at_the_same_time_are_tasks(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\n"
                 "0,S,0,T,A,4,activate\n"
                 "1,S,0,T,A,5,activate\n"
                 "2,C0,0,T,A,4,start\n"
                 "2,C1,0,T,A,5,start\n"
                 "3,C0,0,T,A,4,terminate\n"
                 "3,C1,0,T,A,5,terminate\n"
                 "9,S,0,T,A,6,activate\n"
                 "9,S,0,T,A,6,mtalimitexceeded\n",
                 "0 TASK task_ready A is ready\n"
                 "1 TASK task_ready A (2) is ready\n"
                 "2 TASK task_switch A runs on core 0, the one before left\n"
                 "2 USER job task A instance 4\n"
                 "2 TASK task_switch A (2) runs on core 1, the one before left\n"
                 "2 USER job task A (2) instance 5\n"
                 "3 TASK task_switch idle runs on core 0, the one before is suspended\n"
                 "3 TASK task_switch idle runs on core 1, the one before is suspended\n"
                 "9 TASK task_ready A is ready\n"
                 "9 USER mtalimitexceeded type T target A source S\n");
}

static void polling_keeps_the_core(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\n"
                 "0,C0,0,T,A,0,start\n"
                 "1,C0,0,T,A,0,poll\n"
                 "2,C0,0,T,A,0,run\n"
                 "3,C0,0,T,A,0,poll\n"
                 "4,C0,0,T,A,0,park\n"
                 "4,C0,0,T,B,0,start\n"
                 "5,C0,0,T,A,0,release_parking\n"
                 "6,C0,0,T,B,0,preempt\n"
                 "6,C0,0,T,A,0,resume\n",
                 "0 TASK task_switch A runs on core 0, the one before left\n"
                 "0 USER job task A instance 0\n"
                 "1 USER poll type T target A source C0\n"
                 "2 USER run type T target A source C0\n"
                 "3 USER poll type T target A source C0\n"
                 "4 TASK task_switch B runs on core 0, the one before waits\n"
                 "4 USER job task B instance 0\n"
                 "5 TASK task_ready A is ready\n"
                 "6 TASK task_switch A runs on core 0, the one before was preempted\n");
}

static void interrupts(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\n"
                 "1,C0,0,T,A,0,start\n"
                 "7,C0,0,I,Isr,0,start\n"
                 "7,Isr,0,R,Work,0,start\n"
                 "8,C0,0,I,Isr,0,preempt\n"
                 "8,C0,0,I,High,0,start\n"
                 "8,Stim,0,T,B,1,activate\n"
                 "9,C0,0,I,High,0,terminate\n"
                 "9,C0,0,I,Isr,0,resume\n"
                 "9,Isr,0,R,Work,0,terminate\n"
                 "9,C0,0,I,Isr,0,terminate\n"
                 "10,Stim,0,T,C,1,activate\n",
                 "1 TASK task_switch A runs on core 0, the one before left\n"
                 "1 USER job task A instance 0\n"
                 "7 ISR irq_enter interrupt Isr begins on core 0, depth 1\n"
                 "7 NOTE span_begin interrupt begins Work\n"
                 "8 ISR irq_enter interrupt High begins on core 0, depth 2\n"
                 "8 TASK task_ready B is ready\n"
                 "9 ISR irq_exit interrupt High ends on core 0, depth 2\n"
                 "9 NOTE span_end interrupt ends Work\n"
                 "9 ISR irq_exit interrupt Isr ends on core 0, depth 1\n"
                 "10 ISR irq_enter interrupt ? begins on core 0, depth 1\n"
                 "10 TASK task_ready C is ready\n"
                 "10 ISR irq_exit interrupt ? ends on core 0, depth 1\n");
}

static void the_first_event_may_be_an_end(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\n"
                 "5,C0,0,T,A,0,preempt\n"
                 "5,C0,0,T,B,0,start\n"
                 "6,C3,0,T,C,0,wait\n"
                 "7,C0,0,T,B,0,terminate\n"
                 "9,C0,0,T,A,0,resume\n",
                 "5 TASK task_switch A runs on core 0, the one before left\n"
                 "5 TASK task_switch B runs on core 0, the one before was preempted\n"
                 "5 USER job task B instance 0\n"
                 "6 TASK task_switch C runs on core 3, the one before left\n"
                 "6 TASK task_switch idle runs on core 3, the one before waits\n"
                 "7 TASK task_switch idle runs on core 0, the one before is suspended\n"
                 "9 TASK task_switch A runs on core 0, the one before left\n");
}

static void os_events_are_conditions(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\n"
                 "0,C1,0,T,A,0,start\n"
                 "1,C2,0,T,B,0,start\n"
                 "10,A,0,EVENT,E,0,wait_event\n"
                 "10,C1,0,T,A,0,poll\n"
                 "11,B,0,EVENT,E,0,set_event,A\n"
                 "11,C1,0,T,A,0,run\n"
                 "11,A,0,EVENT,E,0,clear_event\n",
                 "0 TASK task_switch A runs on core 1, the one before left\n"
                 "0 USER job task A instance 0\n"
                 "1 TASK task_switch B runs on core 2, the one before left\n"
                 "1 USER job task B instance 0\n"
                 "10 EVT cond_wait A waits for E\n"
                 "10 USER poll type T target A source C1\n"
                 "11 EVT cond_give B signals E, to wake 1\n"
                 "11 EVT cond_take A is woken by E\n"
                 "11 USER run type T target A source C1\n"
                 "11 USER clear_event type EVENT target E source A\n");
}

static void signals_semaphores_and_others(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\r\n"
                 "0 , C0 , 0 , T , A , 0 , start \r\n"
                 "nonsense\r\n"
                 "\r\n"
                 "5, A, 0, SEM, S, 0, requestsemaphore, 1\r\n"
                 "5, A, 0, SIG, V, 0, write, 1.5\r\n"
                 "5, A, 0, SIG, V, 0, write, -7\r\n"
                 "6, A, 0, SIG, V, 0, read, -7\r\n"
                 "6, SIM, -1, SIM, SIM, -1, tag, SIG_INIT_VALUE,0\r\n",
                 "0 TASK task_switch A runs on core 0, the one before left\n"
                 "0 USER job task A instance 0\n"
                 "---- 8 damaged bytes: a line that is no event [byte 49]\n"
                 "5 USER requestsemaphore type SEM target S source A note 1\n"
                 "5 USER write type SIG target V source A note 1.500e+00\n"
                 "5 NOTE counter V is -7\n"
                 "6 USER read type SIG target V source A note -7\n"
                 "6 USER tag type SIM target SIM note SIG_INIT_VALUE,0\n");
}

static void freertos(void **state) {
    (void)state;
    expect_lines("#version 2.2.0\n"
                 "#creator FreeRTOS trace logger\n"
                 "#ringOverflow true\n"
                 "#taskTableOverflow true\n"
                 "#timeScale us\n"
                 "1,Core_0,0,C,Core_0,0,set_frequency,25000000\n"
                 "1,Core_0,0,T,[0/0001]A_b,0,preempt,create pri:3\n"
                 "2,Core_0,0,T,[0/0001]A_b,0,preempt,\n"
                 "9,Core_0,0,T,[0/0002]C,0,resume,\n"
                 "10,Core_0,0,STI,mutex,0,trigger,take 0x2000\n"
                 "10,Core_0,0,STI,sem,0,trigger,create 0x2004\n"
                 "10,Core_0,0,STI,task,0,trigger,priority_inherit A_b[1] pri:5\n"
                 "10,Core_0,0,STI,task,0,trigger,suspend A_b[1]\n"
                 "11,Core_0,0,STI,task,0,trigger,resume A_b[1]\n"
                 "11,Core_0,0,STI,TICK,0,trigger,4\n"
                 "11,Core_0,0,STI,tag3_event,0,trigger,-5\n"
                 "11,Core_0,0,STI,interval_start,0,trigger,3 tid:2\n"
                 "12,Core_0,0,STI,interval_stop,0,trigger,3 tid:2\n"
                 "12,Core_0,0,STI,task,0,trigger,delete A_b[1]\n"
                 "12,Core_0,0,T,[0/0002]C,0,preempt,\n",
                 "---- the trace begins here: older events were overwritten, it is not known how "
                 "many [byte 103]\n"
                 "---- events are missing here, it is not known how many: the recorder had no room "
                 "for all events [byte 103]\n"
                 "1 USER set_frequency type C target Core_0 note 25000000\n"
                 "1 TASK task_create 0x00000001 is created, priority 3\n"
                 "2 TASK task_switch A_b runs on core 0, the one before left\n"
                 "9 TASK task_switch C runs on core 0, the one before left\n"
                 "10 USER mutex take object 0x00002000\n"
                 "10 USER semaphore create object 0x00002004\n"
                 "10 TASK task_priority A_b has priority 5 now\n"
                 "10 TASK task_suspend A_b is suspended\n"
                 "11 TASK task_ready A_b is ready\n"
                 "11 USER tick count 4\n"
                 "11 NOTE counter tag3 is -5\n"
                 "11 NOTE span_begin C begins interval 3\n"
                 "12 NOTE span_end C ends interval 3\n"
                 "12 TASK task_delete A_b is deleted\n"
                 "12 TASK task_switch idle runs on core 0, the one before left\n");
}

static void an_own_stimulus_named_like_freertos(void **state) {
    (void)state;
    expect_lines("#version 2.1.5\n"
                 "1,SIM,-1,STI,queue,0,trigger\n"
                 "1,SIM,-1,STI,tag3_event,0,trigger,x\n"
                 "1,SIM,-1,STI,task,0,trigger,1\n",
                 "1 USER trigger type STI target queue source SIM\n"
                 "1 USER trigger type STI target tag3_event source SIM note x\n"
                 "1 USER trigger type STI target task source SIM note 1\n");
}

// ---- the form of the input

static void it_is_detected(void **state) {
    (void)state;
    assert_int_equal(detect_lines("#version 2.1.3\n"), WF_LANE_BTF);
    assert_int_equal(detect_lines("#creator x\n\n0, C, 0, T, A, 0, start\n"), WF_LANE_BTF);
    assert_int_equal(detect_lines("0,C,0,T,A,0,start"), WF_LANE_BTF);
    assert_int_equal(detect_lines("# a comment\n"), WF_LANE_FRAMES);
    assert_int_equal(detect_lines("#version 1\n1,2,3\n"), WF_LANE_FRAMES);
    assert_int_equal(detect_lines("0,C,0,Q,A,0,start\n"), WF_LANE_FRAMES);
    assert_int_equal(detect_lines("#x\np 120 JA 330\n"), WF_LANE_TEXT);
}

// A wanted format with two forms is read by the reader of the form that it has.
static void a_wanted_format_is_read_in_its_form(void **state) {
    (void)state;
    lane_format = WF_LANE_BTF;
    expect_lines("0,C0,0,T,A,0,resume\n",
                 "0 TASK task_switch A runs on core 0, the one before left\n");
    expect_failure("BTF2", "44 bytes");
    lane_format = WF_LANE_UNKNOWN;
}

static void odd_lines_do_no_harm(void **state) {
    static const char *const lines[] = {
        "#-",
        "#-1 x",
        "#typeTable\n#-99999999999999999999 T\n#-1\n#-1 ",
        "#timeScale",
        "#ringOverflow true",
        "99999999999999999999,C0,0,T,A,0,start",
        "-1,C0,0,T,A,0,start",
        "1,,,T,A,,start",
        "1,C0,0,T,,0,start",
        "1,C0,0,T,A,0,",
        "1,C0,0,T,[1/99999999999]A,0,resume",
        "1,C0,0,T,[/]A,0,resume",
        "1,C99999999999,0,T,A,0,resume",
        "1,A,0,T,A,0,resume",
        "1,A,0,I,A,0,start\n1,A,0,R,A,0,start\n1,A,0,EVENT,A,0,wait_event",
        "1,C0,0,STI,task,0,trigger,delete A[99999999999]",
        "1,C0,0,STI,queue,0,trigger,send 0xFFFFFFFFFFFF",
        "1,C0,0,STI,tagx_event,0,trigger,1",
        "1,C0,0,STI,interval_start,0,trigger,",
        ",,,,,,,,,,,",
    };
    (void)state;
    lane_format = WF_LANE_BTF;
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; ++i) {
        char input[300];
        struct wf_error error;
        snprintf(input, sizeof input, "#version 2\n0,C0,0,T,A,0,start\n%s", lines[i]);
        free(read_lines(input, strlen(input), 0, &error));
        free(read_lines(input, strlen(input), 1, &error));
        assert_int_equal(error.code, WF_OK);
    }
    lane_format = WF_LANE_UNKNOWN;
}

// More cores, instances and names than are kept apart.
static void there_are_limits(void **state) {
    static char input[1 << 22];
    struct wf_error error;
    size_t n = 0;
    (void)state;
    for (unsigned i = 0; i < 70; ++i)
        n += (size_t)sprintf(input + n, "%u,C%u,0,T,A%u,0,start\n", i, i, i);
    for (unsigned i = 0; i < 20; ++i)
        n += (size_t)sprintf(input + n, "99,S,0,T,A,%u,activate\n", i);
    for (unsigned i = 0; i < 66000; ++i)
        n += (size_t)sprintf(input + n, "100,C0,0,T,name%u,0,start\n", i);
    free(read_lines(input, n, 0, &error));
    assert_int_equal(error.code, WF_OK);
}

// ---- FreeRTOS-BTF-Trace: the text is made from the ring

static char *read_capture(const char *name) {
    static char input[1 << 17];
    char path[200];
    struct wf_error error;
    snprintf(path, sizeof path, WF_TEST_DATA "/import/btf/%s", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(input, 1, sizeof input, f);
    fclose(f);
    char *text = read_lines(input, n, 0, &error);
    assert_int_equal(error.code, WF_OK);
    squeeze_lines(text, "_dict ");
    return text;
}

// Keeps lines with this word, without their stamps, in which blanks of names are as in the text.
static void keep_lines(char *text, const char *word) {
    char *to = text;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char *from = strchr(line, ' ');
        *end = 0;
        if (!strstr(line, word)) continue;
        for (; *from; ++from) *to++ = *from == '_' ? ' ' : *from;
        *to++ = '\n';
    }
    *to = 0;
}

static void the_text_is_as_the_ring(void **state) {
    static const char *const words[] = {"task_switch", "task_priority", "tag",  "queue ",
                                        "mutex ",      "semaphore ",    "span", "tick "};
    static const char *const names[] = {"full", "wrapped"};
    (void)state;
    for (unsigned n = 0; n < 2; ++n) {
        for (unsigned i = 0; i < sizeof words / sizeof *words; ++i) {
            char text_name[40], ring_name[40];
            snprintf(text_name, sizeof text_name, "%s.btf", names[n]);
            snprintf(ring_name, sizeof ring_name, "%s.btf2.bin", names[n]);
            char *text = read_capture(text_name), *ring = read_capture(ring_name);
            keep_lines(text, words[i]);
            keep_lines(ring, words[i]);
            assert_string_equal(text, ring);
            assert_true(*text || n == 1);
            free(text);
            free(ring);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_numbers),
        cmocka_unit_test(the_example_of_the_specification),
        cmocka_unit_test(instances_at_the_same_time_are_tasks),
        cmocka_unit_test(polling_keeps_the_core),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(the_first_event_may_be_an_end),
        cmocka_unit_test(os_events_are_conditions),
        cmocka_unit_test(signals_semaphores_and_others),
        cmocka_unit_test(freertos),
        cmocka_unit_test(an_own_stimulus_named_like_freertos),
        cmocka_unit_test(it_is_detected),
        cmocka_unit_test(a_wanted_format_is_read_in_its_form),
        cmocka_unit_test(odd_lines_do_no_harm),
        cmocka_unit_test(there_are_limits),
        cmocka_unit_test(the_text_is_as_the_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
