// SPDX-License-Identifier: MIT
// The model on QNX's kernel-event logs, event by event: states, CPUs, names, priorities, wakes,
// interrupts; differences of releases; losses.

#include "wallfly_host/wf_stats.h"
#include "wf_test_model.h"

enum { KERCALL = 2, INT = 3, PR_TH = 4, COMM = 7, WIDE = 0x200 };
enum { DEAD, RUNNING, READY, STOPPED, SEND, RECEIVE, REPLY, SEVEN, EIGHT, NANOSLEEP = 12, MUTEX };
enum {
    CREATE = 24,
    DESTROY,
    MUON_MUTEX,
    PROC = 64,
    PROC_END = 128,
    NAME = 192,
    NAME_END = 256,
    THREAD_NAME = 320
};
enum { INTENTER = 1, INTEXIT, HANDLER, HANDLER_EXIT, INTENTER_64 };

static struct bench *b;
static struct wf_stats *st; // null, or gets the same items

#define LOG(cpus, release)                                                                         \
    "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CYCLES_PER_SEC::1000TRACE_CPU_NUM::" cpus  \
    "TRACE_SYS_RELEASE::" release "TRACE_HEADER_END::"

static void open_log(const char *header) {
    b = open_bench();
    take_header(b, header);
}

static void take(const struct wf_item *item) {
    take_item(b, item);
    if (st) wf_stats_take(st, item);
}

static void take_words(unsigned core, unsigned cls, unsigned event, const uint32_t *words,
                       unsigned count) {
    const struct wf_slot_event e = slot_event(b, core, cls, event, words, count);
    const struct wf_item item = {.kind = WF_ITEM_EVENT, .event = &e};
    take(&item);
}
#define EVENT(core, cls, event, ...)                                                               \
    take_words((core), (cls), (event), (uint32_t[]){__VA_ARGS__},                                  \
               sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define THREAD(core, state, pid, tid) EVENT(core, PR_TH, state, pid, tid)

static void name(unsigned event, uint32_t a, uint32_t second, const char *text) {
    uint32_t words[64] = {a, second};
    memcpy(words + 2, text, strlen(text) + 1);
    take_words(0, PR_TH, event, words, 2 + (unsigned)(strlen(text) / 8 + 1) * 2);
}

static void lose(unsigned core, bool any) {
    const struct wf_item item = {.kind = WF_ITEM_LOSS,
                                 .loss = {.kind = WF_LOSS_HOLE,
                                          .records = 1,
                                          .core = (uint8_t)core,
                                          .any_core = any,
                                          .offset = 16 * (b->clock + 2)}};
    take(&item);
}

static struct wf_task *thread(uint64_t pid, uint64_t tid) { return task(b, pid << 32 | tid); }
static const struct wf_core *core(unsigned n) { return wf_model_core(b->m, n); }

static void close_log(void) { close_bench(b); }

// ---- threads on one CPU

static void threads_take_turns(void **state) {
    (void)state;
    open_log(LOG("1", "6.4.1"));
    THREAD(0, RUNNING, 7, 1); // the thread before is unknown
    changes(b, "1 task pid 7 tid 1 unknown>running\n");
    assert_true(core(0)->known && core(0)->irqs_known);
    assert_int_equal(thread(7, 1)->pid, 7);
    assert_int_equal(thread(7, 1)->tid, 1);
    THREAD(0, READY, 7, 2);
    changes(b, "2 task pid 7 tid 2 unknown>ready\n"); // preempted earlier or woken: unknown
    THREAD(0, READY, 7, 1);
    changes(b, ""); // it leaves when another one runs
    assert_ptr_equal(core(0)->task, thread(7, 1));
    THREAD(0, RUNNING, 7, 2);
    changes(b, "4 task pid 7 tid 1 running>ready c0 unknown since 1\n"
               "4 task pid 7 tid 2 ready>running since 2\n");
    THREAD(0, SEND, 7, 2);
    THREAD(0, RUNNING, 7, 1);
    changes(b, "6 task pid 7 tid 2 running>blocked (SEND) c0 blocked since 4\n"
               "6 task pid 7 tid 1 ready>running since 4\n");
    assert_string_equal(thread(7, 2)->called, "SEND");
    THREAD(0, REPLY, 7, 2); // the server has received the message
    changes(b, "7 task pid 7 tid 2 blocked>blocked (REPLY) since 6\n");
    THREAD(0, READY, 7, 2);
    changes(b, "8 task pid 7 tid 2 blocked>ready since 7\n8 wake pid 7 tid 2 by -\n");
    assert_null(thread(7, 2)->called);
    THREAD(0, NANOSLEEP, 7, 1);
    THREAD(0, RUNNING, 7, 2);
    THREAD(0, STOPPED, 7, 2);
    THREAD(0, RUNNING, 1, 1);
    changes(b, "10 task pid 7 tid 1 running>delayed (NANOSLEEP) c0 delayed since 6\n"
               "10 task pid 7 tid 2 ready>running since 8\n"
               "12 task pid 7 tid 2 running>suspended (STOPPED) c0 suspended since 10\n"
               "12 task pid 1 tid 1 unknown>running\n");
    THREAD(0, RUNNING, 1, 1);    // a repetition
    THREAD(0, 26 + READY, 1, 1); // of a virtual thread
    EVENT(0, COMM, 0, 7, 7);
    changes(b, "");
    THREAD(0, RUNNING, 7, 1); // no record of why the other one leaves
    changes(b, "16 task pid 1 tid 1 running>unknown c0 unknown since 12\n"
               "16 task pid 7 tid 1 delayed>running since 10\n");
    close_log();
}

static void threads_live(void **state) {
    (void)state;
    open_log(LOG("1", "6.4.1"));
    THREAD(0, RUNNING, 7, 1);
    THREAD(0, CREATE, 7, 2);
    THREAD(0, READY, 7, 2);
    changes(b, "1 task pid 7 tid 1 unknown>running\n"
               "2 create pid 7 tid 2\n"
               "3 task pid 7 tid 2 unknown>ready\n");
    assert_true(thread(7, 2)->created);
    THREAD(0, CREATE, 7, 2); // a report of an existing thread
    THREAD(0, DEAD, 7, 1);
    changes(b, "");
    THREAD(0, RUNNING, 7, 2);
    THREAD(0, DESTROY, 7, 1);
    changes(b, "6 task pid 7 tid 1 running>ended c0 ended since 1\n"
               "6 task pid 7 tid 2 ready>running since 3\n");
    THREAD(0, CREATE, 7, 1); // the number is used again
    THREAD(0, DESTROY, 7, 1);
    changes(b, "8 create pid 7 tid 1\n9 task pid 7 tid 1 unknown>ended\n");
    assert_int_equal(thread(7, 1)->life, 1);
    THREAD(0, DESTROY, 8, 1); // an unknown thread
    THREAD(0, READY, 7, 0);
    THREAD(0, READY, 7, 1);
    changes(b, "11 odd: of no thread\n"
               "12 odd pid 7 tid 1: a task that has ended does something\n"
               "12 task pid 7 tid 1 unknown>ready\n");
    close_log();
}

static void a_report_tells_no_cpu(void **state) {
    (void)state;
    open_log(LOG("2", "7.1.0"));
    THREAD(0, CREATE, 1, 1);
    THREAD(0, RUNNING, 1, 1); // perhaps on the other CPU
    THREAD(0, CREATE, 7, 1);
    THREAD(0, RECEIVE, 7, 1);
    changes(b, "4 task pid 7 tid 1 unknown>blocked (RECEIVE)\n");
    assert_false(core(0)->known || thread(1, 1)->created || thread(7, 1)->since_known);
    THREAD(1, RUNNING, 1, 1);
    THREAD(1, READY, 1, 1); // now CPU 1 is free
    THREAD(1, CREATE, 7, 2);
    THREAD(1, RUNNING, 7, 2);
    changes(b, "5 task pid 1 tid 1 unknown>running\n"
               "7 create pid 7 tid 2\n"
               "8 task pid 1 tid 1 running>ready c1 unknown since 5\n"
               "8 task pid 7 tid 2 unknown>running\n");
    close_log();
    open_log(LOG("1", "7.1.0")); // with one CPU it is known
    THREAD(0, CREATE, 7, 1);
    THREAD(0, RUNNING, 7, 1);
    THREAD(0, CREATE, 7, 2);
    THREAD(0, READY, 7, 2);
    changes(b, "2 task pid 7 tid 1 unknown>running\n4 task pid 7 tid 2 unknown>ready\n");
    assert_false(core(0)->since_known || thread(7, 2)->created);
    close_log();
}

static void names_come_late(void **state) {
    (void)state;
    open_log(LOG("1", "6.4.1"));
    THREAD(0, READY, 7, 1);
    assert_string_equal(wf_task_name(b->m, thread(7, 1)), "pid 7 tid 1");
    assert_null(wf_task_process(thread(7, 1)));
    name(NAME, 1, 7, "proc/boot/io-pkt");
    assert_string_equal(wf_task_name(b->m, thread(7, 1)), "io-pkt 1");
    assert_string_equal(wf_task_process(thread(7, 1)), "io-pkt");
    THREAD(0, READY, 7, 2);
    assert_string_equal(wf_task_name(b->m, thread(7, 2)), "io-pkt 2");
    name(WIDE | THREAD_NAME, 7, 2, "rx\x1b[1m loop");
    assert_string_equal(wf_task_name(b->m, thread(7, 2)), "rx.[1m loop");
    name(NAME, 1, 7, "usr/"); // another program; the thread's own name stays
    assert_string_equal(wf_task_name(b->m, thread(7, 1)), "usr/ 1");
    assert_string_equal(wf_task_name(b->m, thread(7, 2)), "rx.[1m loop");
    name(NAME, 1, 7, "");
    name(THREAD_NAME, 7, 0, "nobody");
    name(THREAD_NAME, 7, 3, "early");
    assert_string_equal(wf_task_name(b->m, thread(7, 3)), "early");
    THREAD(0, DEAD, 7, 1);
    name(NAME_END, 1, 7, "usr/");
    name(NAME, 1, 7, "sh"); // the number is used again
    THREAD(0, READY, 7, 1);
    THREAD(0, READY, 7, 2); // its end was not recorded
    assert_string_equal(wf_task_name(b->m, thread(7, 1)), "sh 1");
    assert_string_equal(wf_task_name(b->m, thread(7, 2)), "sh 2");
    assert_int_equal(thread(7, 2)->life, 1);
    assert_string_equal(wf_task_name(b->m, wf_model_task(b->m, 0)), "usr/ 1");
    EVENT(0, PR_TH, PROC, 1, 9);
    EVENT(0, PR_TH, PROC_END, 1, 9);
    name(NAME_END, 1, 10, "gone");
    THREAD(0, READY, (uint32_t)-3, 4000000000u);
    assert_string_equal(wf_task_name(b->m, thread((uint32_t)-3, 4000000000u)),
                        "pid -3 tid 4000000000");
    char longest[129];
    memset(longest, 'x', 128);
    longest[128] = 0;
    name(NAME, 1, 12, longest);
    THREAD(0, READY, 12, 7);
    assert_int_equal(strlen(wf_task_name(b->m, thread(12, 7))), 130);
    close_log();
}

static void priorities_of_the_wide_form(void **state) {
    (void)state;
    open_log(LOG("1", "6.4.1"));
    EVENT(0, PR_TH, READY, 7, 1, 10, 2);
    EVENT(0, PR_TH, RECEIVE, 7, 1, 10, 2, 0, 1);
    THREAD(0, READY, 7, 1); // the fast form has no priority
    changes(b, "1 priority pid 7 tid 1\n"
               "1 task pid 7 tid 1 unknown>ready\n"
               "2 task pid 7 tid 1 ready>blocked (RECEIVE) since 1\n"
               "3 task pid 7 tid 1 blocked>ready since 2\n"
               "3 wake pid 7 tid 1 by -\n");
    assert_true(thread(7, 1)->prio_known && thread(7, 1)->prio == 10);
    EVENT(0, PR_TH, WIDE | SEND, 7, 1, 11, 2);
    assert_int_equal(thread(7, 1)->prio, 11);
    EVENT(0, PR_TH, READY, 7, 1, 11 << 16 | 10, 2); // perhaps two values in one
    assert_false(thread(7, 1)->prio_known);
    close_log();
}

static void releases_have_other_numbers(void **state) {
    (void)state;
    open_log(LOG("1", "6.4.1"));
    THREAD(0, SEVEN, 7, 1);
    THREAD(0, EIGHT, 7, 1);
    THREAD(0, 22, 7, 1); // not a state
    THREAD(0, MUON_MUTEX, 7, 1);
    changes(b, "1 task pid 7 tid 1 unknown>blocked (STACK)\n"
               "2 task pid 7 tid 1 blocked>blocked (WAITTHREAD) since 1\n"
               "3 task pid 7 tid 1 blocked>unknown since 2\n");
    close_log();
    open_log(LOG("1", "8.0.0"));
    THREAD(0, SEVEN, 7, 1);
    THREAD(0, EIGHT, 7, 1);
    THREAD(0, 18, 7, 1);
    THREAD(0, MUON_MUTEX, 7, 1);
    EVENT(0, INT, INTENTER, 5, 0); // has no meaning here
    changes(b, "1 task pid 7 tid 1 unknown>blocked (MQ_SEND)\n"
               "2 task pid 7 tid 1 blocked>blocked (MQ_RECEIVE) since 1\n"
               "3 task pid 7 tid 1 blocked>unknown since 2\n"
               "4 task pid 7 tid 1 unknown>blocked (MUON_MUTEX)\n");
    assert_true(thread(7, 1)->waits_mutex);
    close_log();
}

// ---- several CPUs, wakes

static void threads_move(void **state) {
    (void)state;
    open_log(LOG("2", "6.4.1"));
    THREAD(0, RUNNING, 7, 1);
    THREAD(1, RUNNING, 7, 2);
    THREAD(0, MUTEX, 7, 1);
    THREAD(1, READY, 7, 1); // woken before it has switched away
    changes(b, "1 task pid 7 tid 1 unknown>running\n"
               "2 task pid 7 tid 2 unknown>running\n"
               "4 wake pid 7 tid 1 by -\n");
    THREAD(1, READY, 7, 2);
    THREAD(1, RUNNING, 7, 1); // CPU 0 has no record yet of its next thread
    changes(b, "6 task pid 7 tid 2 running>ready c1 unknown since 2\n"
               "6 task pid 7 tid 1 running>ready c0 blocked since 1\n"
               "6 task pid 7 tid 1 ready>running since 6\n");
    assert_false(core(0)->known);
    THREAD(0, RUNNING, 7, 1);
    changes(b, "7 odd pid 7 tid 1: runs on two cores\n"
               "7 task pid 7 tid 1 running>unknown c1 unknown since 6 cut\n"
               "7 task pid 7 tid 1 unknown>running\n");
    THREAD(0, READY, 7, 1);
    THREAD(0, RUNNING, 7, 1); // it continued
    changes(b, "9 task pid 7 tid 1 running>ready c0 unknown since 7\n"
               "9 task pid 7 tid 1 ready>running since 9\n");
    close_log();
}

static void who_wakes(void **state) {
    (void)state;
    open_log(LOG("1", "6.4.1"));
    THREAD(0, RUNNING, 7, 1);
    THREAD(0, RECEIVE, 7, 2);
    EVENT(0, KERCALL, 11, 0, 0);
    THREAD(0, READY, 7, 2); // an interrupt may have run, unrecorded
    EVENT(0, KERCALL, 128 + 11, 0, 0);
    EVENT(0, INT, INTENTER, 5, 0);
    EVENT(0, INT, INTEXIT, 5, 0);
    THREAD(0, RECEIVE, 7, 2);
    THREAD(0, READY, 7, 2); // probably by the interrupt
    EVENT(0, KERCALL, 11, 0, 0);
    THREAD(0, SEND, 7, 2);
    THREAD(0, READY, 7, 2); // in a kernel call
    THREAD(0, SEND, 7, 2);
    EVENT(0, INT, INTENTER, 5, 0);
    EVENT(0, INT, INTEXIT, 5, 0);
    THREAD(0, READY, 7, 2); // the call was interrupted
    changes(b, "1 task pid 7 tid 1 unknown>running\n"
               "2 task pid 7 tid 2 unknown>blocked (RECEIVE)\n"
               "4 task pid 7 tid 2 blocked>ready since 2\n"
               "4 wake pid 7 tid 2 by -\n"
               "6 irq c0 5\n"
               "7 irq-end c0 5 since 6\n"
               "8 task pid 7 tid 2 ready>blocked (RECEIVE) since 4\n"
               "9 task pid 7 tid 2 blocked>ready since 8\n"
               "9 wake pid 7 tid 2 by -\n"
               "11 task pid 7 tid 2 ready>blocked (SEND) since 9\n"
               "12 task pid 7 tid 2 blocked>ready since 11\n"
               "12 wake pid 7 tid 2 by pid 7 tid 1\n"
               "13 task pid 7 tid 2 ready>blocked (SEND) since 12\n"
               "14 irq c0 5\n"
               "15 irq-end c0 5 since 14\n"
               "16 task pid 7 tid 2 blocked>ready since 13\n"
               "16 wake pid 7 tid 2 by -\n");
    close_log();
}

// ---- interrupts

static void interrupts_lie_on_top(void **state) {
    (void)state;
    open_log(LOG("2", "7.1.0"));
    EVENT(1, INT, INTEXIT, 9, 0);
    EVENT(1, INT, INTENTER, 5, 0); // perhaps nested in others
    changes(b, "1 irq-end c1 9\n2 irq c1 5\n");
    assert_true(core(1)->irqs == 1 && !core(1)->irqs_known);
    EVENT(1, INT, INTEXIT, 5, 0);
    EVENT(1, INT, HANDLER, 1, 5, 0, 0);
    THREAD(1, RUNNING, 7, 1);
    assert_true(core(1)->irqs_known);
    EVENT(1, INT, INTENTER_64, 5, 0, 0, 0);
    EVENT(1, INT, INTENTER, 0x80000001u, 0);
    EVENT(1, INT, HANDLER_EXIT, 5, 0);
    EVENT(1, INT, INTEXIT, 0x80000001u, 0);
    EVENT(1, INT, INTEXIT, 5, 0);
    changes(b, "3 irq-end c1 5 since 2\n"
               "5 task pid 7 tid 1 unknown>running\n"
               "6 irq c1 5\n"
               "7 irq c1 65535\n"
               "9 irq-end c1 65535 since 7\n"
               "10 irq-end c1 5 since 6\n");
    EVENT(1, INT, INTEXIT, 5, 0);
    EVENT(0, INT, INTENTER, 1, 0);
    EVENT(0, INT, INTENTER, 2, 0);
    EVENT(0, INT, INTEXIT, 1, 0);
    changes(b, "11 unpaired c1 5 exit 1\n"
               "12 irq c0 1\n"
               "13 irq c0 2\n"
               "14 irq-end c0 2 since 13 cut\n"
               "14 unpaired c0 2 enter 1 since 13\n"
               "14 irq-end c0 1 since 12\n");
    for (unsigned i = 0; i < 40; ++i) EVENT(0, INT, INTENTER, i, 0);
    for (unsigned i = 40; i-- > 0;) EVENT(0, INT, INTEXIT, i, 0);
    assert_int_equal(core(0)->irqs, 0);
    assert_null(strstr(b->text.bytes, "unpaired"));
    close_log();
}

// ---- losses

static void a_hole_takes_away(void **state) {
    (void)state;
    open_log(LOG("2", "6.4.1"));
    THREAD(0, RUNNING, 7, 1);
    THREAD(1, RUNNING, 7, 2);
    EVENT(1, PR_TH, RECEIVE, 7, 3, 10, 2);
    EVENT(1, INT, INTENTER, 5, 0);
    changes(b, "1 task pid 7 tid 1 unknown>running\n"
               "2 task pid 7 tid 2 unknown>running\n"
               "3 priority pid 7 tid 3\n"
               "3 task pid 7 tid 3 unknown>blocked (RECEIVE)\n"
               "4 irq c1 5\n");
    lose(1, false);
    changes(b, "4 task pid 7 tid 2 running>unknown c1 unknown since 2 cut\n"
               "4 irq-end c1 5 since 4 cut\n"
               "4 task pid 7 tid 3 blocked>unknown since 3 cut\n");
    assert_true(core(0)->known && !core(1)->known && !core(1)->irqs_known);
    assert_false(thread(7, 3)->prio_known);
    THREAD(0, READY, 7, 3); // CPU 1 may have changed it again at once
    changes(b, "5 task pid 7 tid 3 unknown>ready\n"
               "5 task pid 7 tid 3 ready>unknown since 5 cut\n");
    THREAD(0, READY, 7, 1); // 7/1 may run there now
    changes(b, "6 task pid 7 tid 1 running>unknown c0 unknown since 1 cut\n");
    THREAD(1, RUNNING, 7, 3);
    THREAD(0, RUNNING, 7, 4);
    changes(b, "7 loss c1 from 4\n7 task pid 7 tid 3 unknown>running\n8 task pid 7 tid 4 "
               "unknown>running\n");
    close_log();
}

static void a_hole_on_any_cpu(void **state) {
    (void)state;
    open_log(LOG("2", "6.4.1"));
    THREAD(0, RUNNING, 7, 1);
    THREAD(1, RUNNING, 7, 2);
    lose(1, true);
    THREAD(0, RUNNING, 7, 3); // comes before the loss in the file
    changes(b, "1 task pid 7 tid 1 unknown>running\n"
               "2 task pid 7 tid 2 unknown>running\n"
               "2 task pid 7 tid 2 running>unknown c1 unknown since 2 cut\n"
               "2 task pid 7 tid 1 running>unknown c0 unknown since 1 cut\n"
               "3 task pid 7 tid 3 unknown>running\n"
               "3 task pid 7 tid 3 running>unknown c0 unknown since 3 cut\n");
    b->clock = 9;
    THREAD(0, RUNNING, 7, 3); // after the loss; but CPU 1 has no record yet
    THREAD(0, RECEIVE, 7, 4);
    THREAD(1, RUNNING, 7, 2);
    THREAD(0, READY, 7, 4);
    changes(b, "9 task pid 7 tid 3 unknown>running\n"
               "10 task pid 7 tid 4 unknown>blocked (RECEIVE)\n"
               "10 task pid 7 tid 4 blocked>unknown since 10 cut\n"
               "11 loss c1 from 2\n"
               "11 task pid 7 tid 2 unknown>running\n"
               "12 task pid 7 tid 4 unknown>ready\n");
    close_log();
}

static void ends_in_a_hole(void **state) {
    (void)state;
    open_log(LOG("1", "6.4.1"));
    THREAD(0, RUNNING, 7, 1);
    THREAD(0, DEAD, 7, 1);
    lose(0, false);
    THREAD(0, CREATE, 7, 2);
    lose(0, false);
    THREAD(0, CREATE, 7, 2); // the end of the one before is lost
    changes(b, "1 task pid 7 tid 1 unknown>running\n"
               "2 task pid 7 tid 1 running>ended c0 unknown since 1 cut\n"
               "3 loss from 2\n"
               "4 loss from 3\n"
               "4 task pid 7 tid 2 unknown>ended cut\n");
    assert_int_equal(thread(7, 2)->life, 1);
    b->clock = 3;
    THREAD(0, READY, 7, 2); // late
    b->clock = 5;
    THREAD(0, READY, 7, 2);
    changes(b, "5 loss from 4\n5 task pid 7 tid 2 unknown>ready\n");
    close_log();
}

// ---- statistics

static double value_of(enum wf_stats_kind kind, const char *which, const char *figure) {
    struct wf_stats_row row;
    for (uint64_t at = 0; wf_stats_next(st, &at, &row);) {
        if (row.kind != kind || (which && (!row.name || strcmp(row.name, which) != 0))) continue;
        for (unsigned i = 0; i < row.count; ++i) {
            const struct wf_figure *f = &row.figures[i];
            if (strcmp(f->name, figure) == 0) return f->form == WF_FIGURE_ONE ? f->value : f->count;
        }
    }
    fail_msg("no %s of %s", figure, which ? which : "a core");
    return 0;
}

static void figures(void **state) {
    (void)state;
    open_log(LOG("1", "6.4.1"));
    st = wf_stats_open(b->s, NULL, NULL);
#define AT(tick) b->clock = (tick)
    AT(100);
    THREAD(0, RUNNING, 7, 1);
    THREAD(0, RECEIVE, 7, 2);
    AT(110);
    THREAD(0, READY, 7, 2); // a job arrives
    THREAD(0, READY, 7, 1);
    AT(120);
    THREAD(0, RUNNING, 7, 2);
    AT(125);
    EVENT(0, INT, INTENTER, 5, 0);
    AT(130);
    EVENT(0, INT, INTEXIT, 5, 0);
    AT(140);
    THREAD(0, MUTEX, 7, 2); // does not end the job
    THREAD(0, RUNNING, 7, 1);
    AT(150);
    THREAD(0, READY, 7, 2);
    THREAD(0, READY, 7, 1);
    AT(160);
    THREAD(0, RUNNING, 7, 2);
    AT(169);
    THREAD(0, RECEIVE, 7, 2); // the job ends
    AT(170);
    THREAD(0, RUNNING, 7, 1);
    AT(200);
    EVENT(0, COMM, 0, 1, 1);
    wf_stats_end(st);
    assert_true(value_of(WF_STATS_TASK, "pid 7 tid 2", "response") == 1);
    assert_true(value_of(WF_STATS_TASK, "pid 7 tid 2", "runs") == 2);
    assert_true(value_of(WF_STATS_TASK, "pid 7 tid 2", "cpu") == 16 + 10);
    assert_true(value_of(WF_STATS_TASK, "pid 7 tid 1", "cpu") == 20 + 19 + 30);
    assert_true(value_of(WF_STATS_IRQ, "5", "cpu") == 5);
    assert_true(value_of(WF_STATS_IRQ, "5", "begins") == 1);
    assert_true(value_of(WF_STATS_CORE, NULL, "known") == 100);
    assert_true(value_of(WF_STATS_CORE, NULL, "unknown") == 0);
    wf_stats_close(st);
    st = NULL;
    close_log();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_take_turns),
        cmocka_unit_test(threads_live),
        cmocka_unit_test(a_report_tells_no_cpu),
        cmocka_unit_test(names_come_late),
        cmocka_unit_test(priorities_of_the_wide_form),
        cmocka_unit_test(releases_have_other_numbers),
        cmocka_unit_test(threads_move),
        cmocka_unit_test(who_wakes),
        cmocka_unit_test(interrupts_lie_on_top),
        cmocka_unit_test(a_hole_takes_away),
        cmocka_unit_test(a_hole_on_any_cpu),
        cmocka_unit_test(ends_in_a_hole),
        cmocka_unit_test(figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
