// SPDX-License-Identifier: MIT
// ftrace text of Linux, of trace-cmd and of NuttX: what each kind of line becomes, in any pieces.

#include "wf_test_lines.h"

static void the_ring_and_its_beginning(void **state) {
    (void)state;
    expect_lines("# tracer: nop\n"
                 "#\n"
                 "# entries-in-buffer/entries-written: 5/12   #P:2\n"
                 "#\n"
                 "   a b-1-1   [000] d..2.  1.000001: sched_switch: prev_comm=a b-1 prev_pid=1 "
                 "prev_prio=120 prev_state=S ==> next_comm=c next_pid=2 next_prio=100\n"
                 "          c-2   [000] d..2.  1.000002: sched_waking: comm=a b-1 pid=1 prio=120 "
                 "target_cpu=001\n",
                 "---- the trace begins here: 7 older events were overwritten [byte 67]\n"
                 "1000001000 c0 TASK task_switch 0x00000001 runs on core 0, the one before left\n"
                 "1000001000 c0 TASK task_priority a b-1 has priority 120 now\n"
                 "1000001000 c0 TASK task_priority c has priority 100 now\n"
                 "1000001000 c0 TASK task_switch c runs on core 0, the one before waits\n"
                 "1000002000 c0 TASK task_ready a b-1 is ready\n");
}

static void idle_tasks_are_pid_0_of_each_core(void **state) {
    (void)state;
    expect_lines(" <idle>-0     [001] d..2.  1.5: sched_switch: prev_comm=swapper/1 prev_pid=0 "
                 "prev_prio=120 prev_state=R ==> next_comm=x next_pid=1 next_prio=100\n"
                 " <idle>-0     [000] d..2.  1.6: sched_switch: prev_comm=swapper/0 prev_pid=0 "
                 "prev_prio=120 prev_state=R ==> next_comm=y next_pid=2 next_prio=100\n"
                 " y-2     [000] d..2.  1.7: sched_switch: prev_comm=y prev_pid=2 prev_prio=120 "
                 "prev_state=D|K ==> next_comm=swapper/0 next_pid=0 next_prio=100\n"
                 " x-1     [001] d..2.  1.8: sched_switch: prev_comm=x prev_pid=1 prev_prio=120 "
                 "prev_state=T ==> next_comm=swapper/1 next_pid=0 next_prio=100\n",
                 "1500000000 TASK task_switch idle runs on core 1, the one before left\n"
                 "1500000000 TASK task_priority x has priority 100 now\n"
                 "1500000000 TASK task_switch x runs on core 1, the one before was preempted\n"
                 "1600000000 TASK task_switch idle runs on core 0, the one before left\n"
                 "1600000000 TASK task_priority y has priority 100 now\n"
                 "1600000000 TASK task_switch y runs on core 0, the one before was preempted\n"
                 "1700000000 TASK task_priority y has priority 120 now\n"
                 "1700000000 TASK task_switch idle runs on core 0, the one before waits\n"
                 "1800000000 TASK task_priority x has priority 120 now\n"
                 "1800000000 TASK task_switch idle runs on core 1, the one before is suspended\n");
}

static void names_may_look_like_fields(void **state) {
    (void)state;
    expect_lines(
        " a ==> b-1 [000] d..2. 1.0: sched_switch: prev_comm=a ==> b prev_pid=1 prev_prio=120 "
        "prev_state=S ==> next_comm=x prev_pid=9 next_pid=2 next_prio=100\n"
        " [x] y-3 [001] .... 1.1: sched_switch: prev_comm=[x] y prev_pid=3 prev_prio=120 "
        "prev_state=R ==> next_comm=n [4] z next_pid=4 next_prio=100\n",
        "1000000000 TASK task_switch 0x00000001 runs on core 0, the one before left\n"
        "1000000000 TASK task_priority a ==> b has priority 120 now\n"
        "1000000000 TASK task_priority x prev_pid=9 has priority 100 now\n"
        "1000000000 TASK task_switch x prev_pid=9 runs on core 0, the one before waits\n"
        "1100000000 TASK task_switch 0x00000003 runs on core 1, the one before left\n"
        "1100000000 TASK task_priority [x] y has priority 120 now\n"
        "1100000000 TASK task_priority n [4] z has priority 100 now\n"
        "1100000000 TASK task_switch n [4] z runs on core 1, the one before was preempted\n");
}

static void trace_cmd_has_a_shorter_form(void **state) {
    (void)state;
    expect_lines("cpus=2\n"
                 "  <idle>-0     [001]   1.5: sched_switch:  swapper/1:0 [120] R ==> a:b:12 [98]\n"
                 "   a:b-12  [001]   1.6: sched_wakeup: c d:13 [120] success=1 CPU:000\n",
                 "1500000000 c1 TASK task_switch idle runs on core 1, the one before left\n"
                 "1500000000 c1 TASK task_priority a:b has priority 98 now\n"
                 "1500000000 c1 TASK task_switch a:b runs on core 1, the one before was preempted\n"
                 "1600000000 c1 TASK task_priority c d has priority 120 now\n"
                 "1600000000 c1 TASK task_ready c d is ready\n");
}

static void losses_are_of_a_core(void **state) {
    (void)state;
    expect_lines(" a-1 [000] d..2. 1.1: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 "
                 "prev_state=S ==> next_comm=b next_pid=2 next_prio=100\n"
                 "CPU:1 [LOST 7 EVENTS]\n"
                 "  b-2  [000] 1.7: sched_waking: comm=q pid=4 prio=1\n"
                 "CPU:0 [3 EVENTS DROPPED]\n"
                 "CPU:0 [EVENTS DROPPED]\n"
                 "CPU:3 [LOST EVENTS]\n"
                 " b-2 [000] 1.8: x: y\n",
                 "1100000000 TASK task_switch 0x00000001 runs on core 0, the one before left\n"
                 "1100000000 TASK task_priority a has priority 120 now\n"
                 "1100000000 TASK task_priority b has priority 100 now\n"
                 "1100000000 TASK task_switch b runs on core 0, the one before waits\n"
                 "1100000000 ---- 7 events missing: the kernel's ring buffer was full [byte 127]\n"
                 "1700000000 TASK task_switch b runs on core 0, the one before left\n"
                 "1700000000 TASK task_priority q has priority 1 now\n"
                 "1700000000 TASK task_ready q is ready\n"
                 "1700000000 ---- 3 events missing: the kernel's ring buffer was full [byte 201]\n"
                 "1700000000 ---- events are missing here, it is not known how many: the kernel's "
                 "ring buffer was full [byte 226]\n"
                 "1700000000 ---- events are missing here, it is not known how many: the kernel's "
                 "ring buffer was full [byte 249]\n"
                 "1800000000 TASK task_switch b runs on core 0, the one before left\n"
                 "1800000000 USER x task b text y\n");
}

static void a_line_names_the_running_task(void **state) {
    (void)state;
    expect_lines(" a-1 [000] .... 1.0: x: n=1\n"
                 " a-1 [000] d..2. 1.1: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 "
                 "prev_state=S ==> next_comm=b next_pid=2 next_prio=100\n"
                 " c-3 [001] .... 1.2: x: n=2\n"
                 " d-4 [000] .... 1.3: x: n=3\n",
                 "1000000000 USER x task a n 1\n"
                 "1100000000 TASK task_switch a runs on core 0, the one before left\n"
                 "1100000000 TASK task_priority a has priority 120 now\n"
                 "1100000000 TASK task_priority b has priority 100 now\n"
                 "1100000000 TASK task_switch b runs on core 0, the one before waits\n"
                 "1200000000 TASK task_switch 0x00000003 runs on core 1, the one before left\n"
                 "1200000000 USER x task c n 2\n"
                 "1300000000 TASK task_switch 0x00000004 runs on core 0, the one before left\n"
                 "1300000000 USER x task d n 3\n");
}

static void without_switches_there_are_no_runs(void **state) {
    (void)state;
    expect_lines(" a-1 [000] .... 1.0: sched_waking: comm=b pid=2 prio=120 target_cpu=000\n"
                 " b-2 [000] .... 1.1: x: n=1\n",
                 "1000000000 TASK task_priority b has priority 120 now\n"
                 "1000000000 TASK task_ready b is ready\n"
                 "1100000000 USER x task b n 1\n");
}

static void system_calls_are_spans(void **state) {
    (void)state;
    expect_lines("<noname>-1   [0]   7.640000001: sys_close()\n"
                 "<noname>-1   [0]   7.640000002: sys_close -> 0\n"
                 "<noname>-1 [0] 7.640000003: sys_read(fd: 1)\n"
                 "<noname>-1 [0] 7.640000004: sys_read -> 12\n"
                 "<noname>-1   [0]   7.640000005: sched_switch: prev_comm=<noname> prev_pid=1 "
                 "prev_state=S ==> next_comm=<noname> next_pid=0\n"
                 "<noname>-0   [0]   7.640000006: irq_handler_entry: irq=11\n"
                 "<noname>-0 [0] 7.65: irq_handler_exit: irq=11\n",
                 "7640000001 NOTE span_begin 0x00000001 begins sys_close\n"
                 "7640000002 NOTE span_end 0x00000001 ends sys_close\n"
                 "7640000003 NOTE span_begin 0x00000001 begins sys_read\n"
                 "7640000003 USER sys_read arguments fd: 1\n"
                 "7640000004 NOTE span_end 0x00000001 ends sys_read\n"
                 "7640000004 USER sys_read result 12\n"
                 "7640000005 TASK task_switch 0x00000001 runs on core 0, the one before left\n"
                 "7640000005 TASK task_switch idle runs on core 0, the one before waits\n"
                 "7640000006 ISR irq_enter interrupt 11 begins on core 0, depth 1\n"
                 "7650000000 ISR irq_exit interrupt 11 ends on core 0, depth 1\n");
}

static void marks_of_programs(void **state) {
    (void)state;
    expect_lines(" p-5 [000] .... 1.0: tracing_mark_write: B|5|a span\n"
                 " p-5 [000] .... 1.1: tracing_mark_write: C|5|n|-3\n"
                 " p-5 [000] .... 1.2: tracing_mark_write: E|5\n"
                 " p-5 [000] .... 1.3: tracing_mark_write: E\n"
                 " p-5 [000] .... 1.4: print: tracing_mark_write: hello world\n",
                 "1000000000 NOTE span_begin p begins a span\n"
                 "1100000000 NOTE counter n is -3\n"
                 "1200000000 NOTE span_end p ends a span\n"
                 "1300000000 NOTE log E\n"
                 "1400000000 NOTE log hello world\n");
}

static void other_events_keep_their_fields(void **state) {
    (void)state;
    expect_lines(
        " p-5 (  5) [000] .... 1.5: kmalloc: ptr=0xff len=16 name=a b flags=GFP|X r=1.5\n"
        " p-5 (-----) [000] 1.6: other: some text\n"
        " p-5 [000] 1.7: f <-g\n",
        "1500000000 USER kmalloc task p ptr 0x000000FF len 16 name a b flags GFP|X r 1.500e+00\n"
        "1600000000 USER other task p text some text\n"
        "1700000000 USER function task p function f caller g\n");
}

static void interrupts(void **state) {
    (void)state;
    expect_lines(" a-1 [000] d.h1. 1.0: irq_handler_entry: irq=9 name=eth 0\n"
                 " a-1 [000] d.h1. 1.1: irq_handler_exit: irq=9 ret=handled\n"
                 " a-1 [000] ..s1. 1.2: softirq_entry: vec=3 [action=NET_RX]\n"
                 " a-1 [000] d.h1. 1.25: local_timer_entry: vector=236\n"
                 " a-1 [000] d.h1. 1.3: local_timer_exit: vector=236\n"
                 " a-1 [000] ..s1. 1.3: softirq_exit: vec=3 [action=NET_RX]\n"
                 " a-1 [000] d.h1. 1.35: irq_handler_exit: irq=10 ret=handled\n",
                 "1000000000 ISR irq_enter interrupt eth 0 begins on core 0, depth 1\n"
                 "1100000000 ISR irq_exit interrupt eth 0 ends on core 0, depth 1\n"
                 "1200000000 ISR irq_enter interrupt softirq NET_RX begins on core 0, depth 1\n"
                 "1250000000 ISR irq_enter interrupt local_timer begins on core 0, depth 2\n"
                 "1300000000 ISR irq_exit interrupt local_timer ends on core 0, depth 2\n"
                 "1300000000 ISR irq_exit interrupt softirq NET_RX ends on core 0, depth 1\n");
}

static void an_interrupt_without_an_exit_ends_when_tasks_run(void **state) {
    (void)state;
    expect_lines(" a-1 [000] d.h1. 1.8: irq_handler_entry: irq=9 name=eth 0\n"
                 " a-1 [000] .... 1.9: x: a=1\n",
                 "1800000000 ISR irq_enter interrupt eth 0 begins on core 0, depth 1\n"
                 "1900000000 ISR irq_exit interrupt eth 0 ends on core 0, depth 1\n"
                 "1900000000 USER x task a a 1\n");
}

static void a_waker_in_an_interrupt_without_events(void **state) {
    (void)state;
    expect_lines(" a-1 [000] d.h1. 1.0: irq_handler_entry: irq=9 name=e\n"
                 " a-1 [000] d.h1. 1.1: sched_waking: comm=b pid=2 prio=5 target_cpu=000\n"
                 " a-1 [000] d.h1. 1.2: irq_handler_exit: irq=9 ret=handled\n"
                 " a-1 [000] d.s1. 1.7: sched_waking: comm=c pid=3 prio=5 target_cpu=000\n",
                 "1000000000 ISR irq_enter interrupt e begins on core 0, depth 1\n"
                 "1100000000 TASK task_priority b has priority 5 now\n"
                 "1100000000 TASK task_ready b is ready\n"
                 "1200000000 ISR irq_exit interrupt e ends on core 0, depth 1\n"
                 "1700000000 TASK task_priority c has priority 5 now\n"
                 "1700000000 ISR irq_enter interrupt ? begins on core 0, depth 1\n"
                 "1700000000 TASK task_ready c is ready\n"
                 "1700000000 ISR irq_exit interrupt ? ends on core 0, depth 1\n");
}

static void tasks_begin_and_end(void **state) {
    (void)state;
    expect_lines(
        " a-1 [000] .... 1.0: sched_process_fork: comm=a pid=1 child_comm=a child_pid=2\n"
        " a-1 [000] .... 1.1: sched_wakeup_new: comm=a pid=2 prio=120 target_cpu=000\n"
        " a-1 [000] .... 1.2: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=R+ ==> "
        "next_comm=a next_pid=2 next_prio=100\n"
        " a-2 [000] .... 1.3: task_rename: pid=2 oldcomm=a newcomm=new name oom_score_adj=0\n"
        " new name-2 [000] .... 1.4: sched_process_exit: comm=new name pid=2 prio=120\n"
        " new name-2 [000] .... 1.5: sched_switch: prev_comm=new name prev_pid=2 prev_prio=120 "
        "prev_state=X ==> next_comm=a next_pid=1 next_prio=100\n"
        " a-1 [000] 1.6: sched_pi_setprio: comm=a pid=1 oldprio=120 newprio=50\n"
        " a-1 [000] 1.7: sched_wakeup: comm=fresh pid=2 prio=120 target_cpu=000\n",
        "1000000000 TASK task_create 0x00000002 is created, priority ?\n"
        "1100000000 TASK task_priority a has priority 120 now\n"
        "1100000000 TASK task_ready a is ready\n"
        "1200000000 TASK task_switch a runs on core 0, the one before left\n"
        "1200000000 TASK task_priority a has priority 120 now\n"
        "1200000000 TASK task_priority a has priority 100 now\n"
        "1200000000 TASK task_switch a runs on core 0, the one before was preempted\n"
        "1400000000 TASK task_priority new name has priority 120 now\n"
        "1400000000 TASK task_delete new name is deleted\n"
        "1500000000 TASK task_priority a has priority 100 now\n"
        "1500000000 TASK task_switch a runs on core 0, the one before ended\n"
        "1600000000 TASK task_priority a has priority 50 now\n"
        "1700000000 TASK task_create 0x00000002 is created, priority 120\n"
        "1700000000 TASK task_ready fresh is ready\n");
}

static void other_lines_are_damage_but_stacks(void **state) {
    (void)state;
    expect_lines(" a-1 [000] .... 1.0: x: y\n"
                 " <stack trace>\n"
                 " => f\n"
                 "\n"
                 "garbage\n"
                 " a-1 [000] 1.8: x: y\n",
                 "1000000000 USER x task a text y\n"
                 "1000000000 ---- 7 damaged bytes: a line that is no event [byte 48]\n"
                 "1800000000 USER x task a text y\n");
}

static void stamps_without_a_fraction_are_ticks(void **state) {
    (void)state;
    expect_lines(" a-1 [000] .... 123: x: y=1\n"
                 " a-1 [000] .... 124: x: y=2\n"
                 " a-1 [000] .... 1.25: x: y=2\n",
                 "123 USER x task a y 1\n"
                 "124 USER x task a y 2\n"
                 "124 ---- 28 damaged bytes: a line that is no event [byte 56]\n");
}

static void lines_end_with_cr_lf_or_the_file(void **state) {
    (void)state;
    expect_lines(" a-1 [000] .... 1.0: x: y=1\r\n"
                 " a-1 [000] .... 1.1: x: y=2",
                 "1000000000 USER x task a y 1\n"
                 "1100000000 USER x task a y 2\n");
}

// ---- the form of the input

static void a_line_that_is_too_long_is_damage(void **state) {
    static char input[60000];
    (void)state;
    strcpy(input, " a-1 [000] 1.0: x: n=1\n");
    size_t n = strlen(input);
    memset(input + n, 'x', 50000);
    strcpy(input + n + 50000, "\n a-1 [000] 1.1: x: n=2\n");
    expect_lines(input, "1000000000 USER x task a n 1\n"
                        "1000000000 ---- 50001 damaged bytes: a line that is too long [byte 23]\n"
                        "1100000000 USER x task a n 2\n");
}

static void other_forms_and_more_cores_are_refused(void **state) {
    (void)state;
    expect_failure("# tracer: function_graph\n 0)   1.5 us | f();\n", "no line has");
    expect_failure(" a-1 [063] 1.0: x: y\n a-1 [064] 1.1: x: y\n", "CPU 64");
}

static void it_is_detected(void **state) {
    (void)state;
    assert_int_equal(detect_lines("# tracer: nop\n#\n"), WF_LANE_FTRACE);
    assert_int_equal(detect_lines("nsh> trace dump\n<noname>-1   [0]   7.64: sys_close()\n"),
                     WF_LANE_FTRACE);
    assert_int_equal(detect_lines("a-1 [0] 7.64: x"), WF_LANE_FTRACE);
    assert_int_equal(detect_lines("nT 330 -p 19\np 120 JA 330\na-1 [000] 1.0: x: y\n"),
                     WF_LANE_TEXT);
    assert_int_equal(detect_lines("p 120 JA 330\n"), WF_LANE_TEXT);
    assert_int_equal(detect_lines("some text - 1 [2] without an event\n"), WF_LANE_FRAMES);
}

static void odd_lines_do_no_harm(void **state) {
    static const char *const lines[] = {
        "-1 [0] 1.0:",
        "-1 [0] 1.0: ",
        "a-1 [0] 18446744073709551615.9: x: y",
        "a-99999999999999999999 [0] 1.0: x: y",
        "a-1 [99999999999] 1.0: x: y",
        "a-1 [0] 1.0: sched_switch:",
        "a-1 [0] 1.0: sched_switch: ==> next_comm=",
        "a-1 [0] 1.0: sched_switch: prev_comm= prev_pid= ==> next_comm= next_pid=",
        "a-1 [0] 1.0: sched_switch: x:1 [] S ==> y:2 [",
        "a-1 [0] 1.0: sched_switch: prev_comm=a prev_pid=-1 ==> next_comm=b next_pid=2",
        "a-1 [0] 1.0: sched_waking: comm=a pid=99999999999 prio=1",
        "a-1 [0] 1.0: sched_process_fork: comm=a pid=1 child_comm=",
        "a-1 [0] 1.0: tracing_mark_write: B|",
        "a-1 [0] 1.0: tracing_mark_write: C|1|n|",
        "a-1 [0] 1.0: tracing_mark_write: C|1",
        "a-1 [0] 1.0: tracing_mark_write:",
        "a-1 [0] 1.0: softirq_entry: vec=300 [action=",
        "a-1 [0] 1.0: irq_handler_entry: irq=70000",
        "a-1 [0] 1.0: sys_(",
        "a-1 [0] 1.0: sys_x -> ",
        "a-1 [0] 1.0: e: a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10 k=11 l=12 m=13 n=14 o=15 p=16 "
        "q=17",
        "CPU: [LOST",
        "CPU:1 [LOST ",
        "CPU:99 [LOST 1 EVENTS]",
        "[[[[[[[[]]]]]]]]",
    };
    (void)state;
    lane_format = WF_LANE_FTRACE;
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; ++i) {
        char input[300];
        struct wf_error error;
        snprintf(input, sizeof input, " a-1 [000] 1.0: x: y\n%s", lines[i]);
        free(read_lines(input, strlen(input), 0, &error));
        free(read_lines(input, strlen(input), 1, &error));
        assert_int_equal(error.code, WF_OK);
    }
    lane_format = WF_LANE_UNKNOWN;
}

// ---- the capture

static unsigned count(const char *text, const char *what) {
    unsigned n = 0;
    for (; (text = strstr(text, what)) != NULL; ++text) ++n;
    return n;
}

// The facts are from the program: 60 wake-ups of the one, about 120 of the other.
static void the_capture_has_its_facts(void **state) {
    static char input[1 << 17];
    struct wf_error error;
    (void)state;
    FILE *f = fopen(WF_TEST_DATA "/import/ftrace/trace.txt", "rb");
    assert_non_null(f);
    size_t n = fread(input, 1, sizeof input, f);
    fclose(f);
    char *text = read_lines(input, n, 0, &error);
    squeeze_lines(text, "_dict ");
    assert_int_equal(count(text, "TASK task_ready wf ping is ready"), 60);
    assert_int_equal(count(text, "TASK task_ready wf-pong-2 is ready"), 119);
    assert_int_equal(count(text, "TASK task_switch wf ping runs on core 0"), 119);
    assert_int_equal(count(text, "damaged"), 0);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ring_and_its_beginning),
        cmocka_unit_test(idle_tasks_are_pid_0_of_each_core),
        cmocka_unit_test(names_may_look_like_fields),
        cmocka_unit_test(trace_cmd_has_a_shorter_form),
        cmocka_unit_test(losses_are_of_a_core),
        cmocka_unit_test(a_line_names_the_running_task),
        cmocka_unit_test(without_switches_there_are_no_runs),
        cmocka_unit_test(system_calls_are_spans),
        cmocka_unit_test(marks_of_programs),
        cmocka_unit_test(other_events_keep_their_fields),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(an_interrupt_without_an_exit_ends_when_tasks_run),
        cmocka_unit_test(a_waker_in_an_interrupt_without_events),
        cmocka_unit_test(tasks_begin_and_end),
        cmocka_unit_test(other_lines_are_damage_but_stacks),
        cmocka_unit_test(stamps_without_a_fraction_are_ticks),
        cmocka_unit_test(lines_end_with_cr_lf_or_the_file),
        cmocka_unit_test(a_line_that_is_too_long_is_damage),
        cmocka_unit_test(other_forms_and_more_cores_are_refused),
        cmocka_unit_test(it_is_detected),
        cmocka_unit_test(odd_lines_do_no_harm),
        cmocka_unit_test(the_capture_has_its_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
