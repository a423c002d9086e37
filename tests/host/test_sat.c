// SPDX-License-Identifier: MIT
// The text of traceprinter, against the examples in the reference (kernel-event logs, section 10).

#include "wf_test_sat.h"

#define N(...)                                                                                     \
    sizeof((uint32_t[]){__VA_ARGS__}) / 4, { __VA_ARGS__ }
#define T4(a, b, c, d)                                                                             \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

// Text words are packed as by a little-endian target.
struct sample {
    uint8_t cls;
    uint16_t event;
    uint8_t count;
    uint32_t words[40];
    const char *six, *seven; // after "t:0x4f81e320 CPU:01 " and "t:0x37b04f81e320 CPU:01 "
};

static const struct sample samples[] = {
    // CONTROL
    {1, 2, N(0x801, 5), "CONTROL: BUFFER sequence = 1, num_events = 5",
     "CONTROL         :BUFFER             sequence = 2049, num_events = 5"},
    {1, 1, N(2, 0xFFE), "CONTROL :TIME msb:0x00000002 lsb(offset):0x00000ffe",
     "CONTROL         :TIME               msb:0x00000002 lsb(offset):0x00000ffe"},
    {1, 4, N(0xE6E6E6E6, 0xE6E6E6E6), "CONTROL :BUFFER_END d0:0xe6e6e6e6 d1:0xe6e6e6e6",
     "CONTROL         :BUFFER_END         d0:0xe6e6e6e6 d1:0xe6e6e6e6"},
    {1, 3, N(1, 2), "CONTROL :3 d0:0x00000001 d1:0x00000002",
     "CONTROL         :3                  d0:0x00000001 d1:0x00000002"},
    // INT, with and without the 64-bit variants
    {3, 1, N(30, 0xF0012345), "INT_ENTR:0x0000001e (30)       IP:0xf0012345",
     "INT_ENTR        :0x0000001e (30)    IP:0xf0012345"},
    {3, 2, N(30, 1), "INT_EXIT:0x0000001e (30) inkernel:0x00000001",
     "INT_EXIT        :0x0000001e (30)    inkernel:0x00000001"},
    {3, 3, N(12, 30, 0xAB, 0xCD),
     "INT_HANDLER_ENTR:0x0000001e (30)       PID:12 IP:0x000000ab AREA:0x000000cd",
     "INT_HANDLER_ENTR:0x0000001e (30)    PID:12 IP:0x000000ab AREA:0x000000cd"},
    {3, 4, N(30, 0), "INT_HANDLER_EXIT:0x0000001e (30) SIGEVENT:NONE",
     "INT_HANDLER_EXIT:0x0000001e (30)    SIGEVENT:NONE"},
    {3, 4, N(30, 4, 5, 6),
     "INT_HANDLER_EXIT:0x0000001e (30) SIGEVENT:UNKNOWN(0x00000004) "
     "d2:0x00000005 d3:0x00000006",
     NULL},
    {3, 5, N(30, 0x12345678, 0xFFFFFF80, 0), "INT_ENTR:0x0000001e (30)       IP:0xffffff8012345678",
     NULL},
    {3, 6, N(12, 30, 1, 2, 3, 4),
     "INT_HANDLER_ENTR:0x0000001e (30)       PID:12 IP:0x200000001 AREA:0x400000003", NULL},
    {3, 9, N(1, 2), "INT     :9 d0:0x00000001 d1:0x00000002", NULL},
    // PROCESS
    {4, 64, N(0, 1), "PROCESS :PROCCREATE ppid:0 pid:1",
     "PROCESS         :PROCCREATE         ppid:0 pid:1"},
    {4, 320, N(7, 2, T4('m', 'a', 'i', 'n'), 0),
     "PROCESS :PROCTHREAD_NAME\n"
     "                       pid:7\n"
     "                       tid:2\n"
     "                      name:main",
     NULL},
    {4, 448, N(1, 2), "PROCESS :448 d0:0x00000001 d1:0x00000002", NULL},
    // THREAD and VTHREAD
    {4, 1, N(1, 2), "THREAD  :THRUNNING     pid:1 tid:2 ",
     "THREAD          :THRUNNING          pid:1 tid:2 "},
    {4, 2, N(1, 1), "THREAD  :THREADY       pid:1 tid:1 ", NULL},
    {4, 0x202, N(1, 1), "THREAD  :THREADY       pid:1 tid:1 ", NULL},
    {4, 11, N(1, 1), "THREAD  :THSIGWAITINFO pid:1 tid:1 ", NULL},
    {4, 4, N(1, 2, 10, 2), "THREAD  :THSEND        pid:1 tid:2 priority:10 policy:2", NULL},
    {4, 4, N(1, 2, 10, 2, 3, 0x10),
     "THREAD  :THSEND        pid:1 tid:2 priority:10 policy:2 partition:3 sched_flags:0x00000010",
     NULL},
    {4, 26 + 13, N(1, 2), "VTHREAD :THMUTEX       pid:1 tid:2 ", NULL},
    {4, 23, N(1, 2), "THREAD  :23 d0:0x00000001 d1:0x00000002", NULL},
    // SYSTEM
    {5, 2, N(9, 1, T4('/', 'd', 'e', 'v'), 0),
     "SYSTEM  :PATHMGR_OPEN\n"
     "                       pid:9\n"
     "                       tid:1\n"
     "                      path:/dev",
     NULL},
    {5, 4, N(1, 20, 5, 0),
     "SYSTEM  :APS_NEW_BUDGET\n"
     "              partition_id:1\n"
     "            new_percentage:20\n"
     "           new_critical_ms:5",
     NULL},
    {5, 6, N(9, 0x1000, 0x20, 0x3000, 0, 5),
     "SYSTEM  :MMAP\n"
     "                       pid:9\n"
     "                      addr:0x2000001000\n"
     "                       len:0x3000\n"
     "                     flags:0x00000005",
     NULL},
    {5, 6, N(9, 0x1000, 0, 0x3000, 0, 5, 3, UINT32_MAX, 0, 0, 0, 0, T4('l', 'i', 'b', 0), 0),
     "SYSTEM  :MMAP\n"
     "                       pid:9\n"
     "                      addr:0x1000\n"
     "                       len:0x3000\n"
     "                     flags:0x00000005\n"
     "                      prot:0x00000003\n"
     "                        fd:-1\n"
     "                     align:0x0\n"
     "                    offset:0x0\n"
     "                      name:lib",
     NULL},
    {5, 9, N(0x8001000, 0), "SYSTEM  :ADDRESS addr:0x08001000", NULL},
    {5, 10, N(1, 2), "SYSTEM  :FUNC_ENTER thisfn:0x00000001 call_site:0x00000002",
     "SYSTEM          :FUNC_ENTER         thisfn:0x00000001 call_site:0x00000002"},
    {5, 0x20A, N(1, 2, 3, 4),
     "SYSTEM  :FUNC_ENTER\n"
     "                    thisfn:0x200000001\n"
     "                 call_site:0x400000003",
     NULL},
    {5, 16, N(1, 2), "SYSTEM  :IPI d0:0x00000001 d1:0x00000002", NULL},
    {5, 99, N(1, 2, 3, 4),
     "SYSTEM  :99\n"
     "                        d0:0x00000001\n"
     "                        d1:0x00000002\n"
     "                        d2:0x00000003\n"
     "                        d3:0x00000004",
     NULL},
    // USER
    {6, 1000, N(1, 0xABCD), "USREVENT:EVENT:1000, d0:0x00000001 d1:0x0000abcd",
     "USREVENT        :EVENT:1000,        d0:0x00000001 d1:0x0000abcd"},
    {6, 7, N(T4('t', 'e', 'x', 't'), T4('!', 0, 'x', 'x'), 0, 0), "USREVENT:EVENT:7 STR:\"text!\"",
     "USREVENT        :EVENT:7            STR:\"text!\""},
    // COMM
    {7, 0, N(0x10001, 9), "COMM    :SND_MESSAGE rcvid:0x00010001 pid:9",
     "COMM            :SND_MESSAGE        rcvid:0x00010001 pid:9"},
    {7, 8, N(1, 9), "COMM    :SND_PULSE_QUN scoid:0x00000001 pid:9", NULL},
    {7, 11, N(1, 9), "COMM    :MSG_ERROR tid:1 pid:9", NULL},
    // classes of 7.x and 8.0, and unknown ones
    {8, 5, N(1, 2), "QUIP    :5 d0:0x00000001 d1:0x00000002", NULL},
    {9, 2, N(1, 2), "SEC     :PATH_ATTACH d0:0x00000001 d1:0x00000002", NULL},
    {10, 1, N(1, 2), "QVM     :GUEST_EXIT d0:0x00000001 d1:0x00000002", NULL},
    {11, 1, N(1, 2), "PMU     :COUNTER d0:0x00000001 d1:0x00000002", NULL},
    {24, 10, N(1, 2), "RECORD  :10 d0:0x00000001 d1:0x00000002", NULL},
    {25, 1, N(1, 2), "OWN     :1 d0:0x00000001 d1:0x00000002", NULL},
    {13, 1, N(1, 2), "CLASS13 :1 d0:0x00000001 d1:0x00000002", NULL},
    // kernel calls: fast, wide, failed, restarted, unknown
    {2, 11, N(0x40000002, 0x64636261),
     "KER_CALL:MSG_SENDV/11 coid:0x40000002 msg:\"abcd\" (0x64636261)",
     "KER_CALL        :MSG_SENDV/11       coid:0x40000002 msg:\"abcd\" (0x64636261)"},
    {2, 11, N(3, 1, 2, 0x64636261, 0x00676665, 0x1B),
     "KER_CALL:MSG_SENDV/11\n"
     "                      coid:0x00000003\n"
     "                    sparts:1\n"
     "                    rparts:2\n"
     "                       msg:\"abcdefg.....\" (0x64636261 0x00676665 0x0000001b)",
     NULL},
    {2, 11 + 128, N(0, 0x64636261), "KER_EXIT:MSG_SENDV/11 status:0 rmsg:\"abcd\" (0x64636261)",
     NULL},
    {2, 11 + 128, N(UINT32_MAX, 9), "KER_EXIT:MSG_SENDV/11 ret_val:-1, errno:9", NULL},
    {2, 11 + 256, N(0, 0), "INT_CALL:MSG_SENDV/11", NULL},
    {2, 1, N(5, 6), "KER_CALL:TRACE_EVENT/01 mode:5 class:6", NULL},
    {2, 1 + 256, N(0, 0), "INT_CALL:TRACE_EVENT/1", NULL},
    {2, 90, N(0, 0), "KER_CALL:SCHED_YIELD/90", NULL},
    {2, 101 + 128, N(0, 0), "KER_EXIT:BAD/101 ret_val:0", NULL},
    {2, 0x200 + 82, N(1, 2, 3, 4),
     "KER_CALL:SYNC_CONDVAR_WAIT/82\n"
     "                    sync_p:0x200000001\n"
     "                   mutex_p:0x400000003",
     NULL},
    {2, 72, N(1, 0, 5, 0, 6, 0),
     "KER_CALL:TIMER_SETTIME/72\n"
     "                  clock_id:1\n"
     "                     flags:0x00000000\n"
     "                itime.nsec:5\n"
     "       itime.interval_nsec:6",
     NULL},
    {2, 80, N(0x1000, 0, 9, 0),
     "KER_CALL:SYNC_MUTEX_LOCK/80\n"
     "                    sync_p:0x00001000\n"
     "                     count:0\n"
     "                     owner:9",
     NULL},
    {2, 110, N(1, 2), "KER_CALL:110 d0:0x00000001 d1:0x00000002", NULL},
    {2, 110 + 128, N(1, 2), "KER_EXIT:110 d0:0x00000001 d1:0x00000002", NULL},
    {2, 500, N(1, 2), "KER_CALL:500 d0:0x00000001 d1:0x00000002", NULL},
    // more words than the event has
    {2, 90, N(0, 0, 7, 8),
     "KER_CALL:SCHED_YIELD/90\n"
     "                        d0:0x00000000\n"
     "                        d1:0x00000000\n"
     "                        d2:0x00000007\n"
     "                        d3:0x00000008",
     NULL},
};

static void both_styles(void **state) {
    (void)state;
    struct wf_sat *six = open_printer((struct wf_sat_options){.style = WF_SAT_STYLE_GUESS});
    struct wf_sat *seven = open_printer((struct wf_sat_options){.release = WF_SAT_RELEASE_7});
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; ++i) {
        const struct sample *s = &samples[i];
        struct wf_slot_event e = make(s->cls, s->event, s->words, s->count);
        char want[2000];
        snprintf(want, sizeof want, "t:0x4f81e320 CPU:01 %s\n", s->six);
        assert_string_equal(line(six, &e), want);
        if (!s->seven) continue;
        snprintf(want, sizeof want, "t:0x37b04f81e320 CPU:01 %s\n", s->seven);
        assert_string_equal(line(seven, &e), want);
    }
    wf_sat_close(six);
    wf_sat_close(seven);
}

// "Shape of a short output", whole, with its header.
static void short_output(void **state) {
    (void)state;
    static const char want[] =
        "TRACEPRINTER version 1.02\n"
        "TRACEPARSER LIBRARY version 1.02\n"
        " -- HEADER FILE INFORMATION -- \n"
        "       TRACE_FILE_NAME:: all_classes.kev\n"
        "TRACE_TRACELOGGER_ARGS:: tracelogger -d1\n"
        " -- KERNEL EVENTS -- \n"
        "t:0x00001000 CPU:00 CONTROL: BUFFER sequence = 1, num_events = 5\n"
        "t:0x00001000 CPU:00 CONTROL :TIME msb:0x00000002 lsb(offset):0x00000ffe\n"
        "t:0x00001050 CPU:00 PROCESS :PROCCREATE_NAME\n"
        "                      ppid:0\n"
        "                       pid:1\n"
        "                      name:proc/boot/example\n"
        "t:0x000010a0 CPU:00 THREAD  :THCREATE      pid:1 tid:1 \n"
        "t:0x000010c4 CPU:00 THREAD  :THREADY       pid:1 tid:1 \n";
    uint32_t named[8] = {0, 1};
    memcpy(named + 2, "proc/boot/example", 18);
    const struct {
        uint8_t cls;
        uint16_t event;
        uint32_t tick;
        const uint32_t *words;
        unsigned count;
    } events[] = {{1, 2, 0x1000, (uint32_t[]){1, 5}, 2},
                  {1, 1, 0x1000, (uint32_t[]){2, 0xFFE}, 2},
                  {4, 192, 0x1050, named, 8},
                  {4, 24, 0x10A0, (uint32_t[]){1, 1}, 2},
                  {4, 2, 0x10C4, (uint32_t[]){1, 1}, 2}};
    struct wf_sat *p = open_printer((struct wf_sat_options){.style = WF_SAT_STYLE_6});
    char all[2000];
    size_t len = sizeof WF_SAT_TITLE - 1;
    memcpy(all, WF_SAT_TITLE, len);
    assert_int_equal(wf_sat_attribute("HEADER_BEGIN", "", all + len, 1000), 0);
    len += wf_sat_attribute("FILE_NAME", "all_classes.kev", all + len, 1000);
    len += wf_sat_attribute("TRACELOGGER_ARGS", " tracelogger -d1", all + len, 1000);
    memcpy(all + len, WF_SAT_TITLE_EVENTS, sizeof WF_SAT_TITLE_EVENTS - 1);
    len += sizeof WF_SAT_TITLE_EVENTS - 1;
    for (unsigned i = 0; i < 5; ++i) {
        struct wf_slot_event e =
            make(events[i].cls, events[i].event, events[i].words, events[i].count);
        e.core = 0;
        e.tick = 0x200000000u + events[i].tick;
        strcpy(all + len, line(p, &e));
        len += strlen(all + len);
    }
    all[len] = 0;
    assert_string_equal(all, want);
    wf_sat_close(p);
}

static void one_line(void **state) {
    (void)state;
    struct wf_sat *p = open_printer((struct wf_sat_options){.one_line = true});
    uint32_t words[8] = {0, 1};
    memcpy(words + 2, "proc", 5);
    struct wf_slot_event e = make(4, 192, words, 4);
    assert_string_equal(line(p, &e),
                        "t:0x4f81e320 CPU:01 PROCESS :PROCCREATE_NAME ppid:0 pid:1 name:proc\n");
    e = make(2, 11, (uint32_t[]){3, 1, 2, 0x64636261, 0x68676665, 0x6C6B6A69}, 6);
    assert_string_equal(line(p, &e),
                        "t:0x4f81e320 CPU:01 KER_CALL:MSG_SENDV/11 coid:0x00000003 "
                        "sparts:1 rparts:2 msg:\"abcdefghijkl\" (0x64636261 0x68676665 "
                        "0x6c6b6a69)\n");
    wf_sat_close(p);
}

static void releases(void **state) {
    (void)state;
    assert_int_equal(wf_sat_release_of("6.4.1"), WF_SAT_RELEASE_6);
    assert_int_equal(wf_sat_release_of("7.1.0"), WF_SAT_RELEASE_7);
    assert_int_equal(wf_sat_release_of("8.0.0"), WF_SAT_RELEASE_8);
    assert_int_equal(wf_sat_release_of(NULL), WF_SAT_RELEASE_6);
    assert_int_equal(wf_sat_release_of("new"), WF_SAT_RELEASE_6);
    struct wf_sat *p =
        open_printer((struct wf_sat_options){.style = WF_SAT_STYLE_6, .release = WF_SAT_RELEASE_8});
    uint32_t words[] = {1, 2};
    struct wf_slot_event e = make(4, 26, words, 2);
    assert_non_null(strstr(line(p, &e), "THREAD  :THMUON_MUTEX  pid:1 tid:2 \n"));
    e = make(4, 7, words, 2);
    assert_non_null(strstr(line(p, &e), "THREAD  :THMQ_SEND     pid:1"));
    e = make(4, 18, words, 2);
    assert_non_null(strstr(line(p, &e), "THREAD  :18 d0:"));
    e = make(2, 77, words, 2); // call numbers that changed
    assert_non_null(strstr(line(p, &e), "KER_CALL:77 d0:"));
    wf_sat_close(p);
}

static void big_endian(void **state) {
    (void)state;
    struct wf_sat *p = open_printer((struct wf_sat_options){.big_endian = true, .one_line = true});
    struct wf_slot_event e = make(5, 7, (uint32_t[]){9, 1, 2, 0, 4096, 0}, 6);
    assert_non_null(strstr(line(p, &e), "SYSTEM  :MUNMAP pid:9 addr:0x100000002 len:0x1000\n"));
    wf_sat_close(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_styles), cmocka_unit_test(short_output), cmocka_unit_test(one_line),
        cmocka_unit_test(releases),    cmocka_unit_test(big_endian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
