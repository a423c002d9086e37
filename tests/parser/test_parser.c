// SPDX-License-Identifier: MIT
// The parser on traces made by hand: callbacks and their arguments, from files, pipes, memory,
// images and memory that is being written; in both orders; stopped early; unreadable input.

#include <fcntl.h>
#include <sys/stat.h>

#include "wallfly_parser/wf_parser.h"
#include "wf_test_slots.h"

static struct text said;
static struct trace trace;

static int tell(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    (void)p;
    say(&said, "%s %u/%u%s c%u %" PRIu64, (const char *)user, e->cls, e->event, e->wide ? "w" : "",
        e->core, e->tick);
    for (unsigned i = 0; i < e->count; ++i) say(&said, " %u", e->words[i]);
    if (e->owned) say(&said, " of %u.%u", e->pid, e->tid);
    say(&said, "\n");
    return 0;
}

static int stop_at_third(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    tell(p, "s", e);
    return ++*(int *)user == 3 ? 42 : 0;
}

static int tell_loss(struct wf_parser *p, void *user, const struct wf_slots_loss *l) {
    (void)p;
    (void)user;
    say(&said, "loss %" PRIu64 "\n", l->events);
    return 0;
}

static int tell_damage(struct wf_parser *p, void *user, const struct wf_slots_damage *d) {
    (void)p;
    (void)user;
    say(&said, "damage %d\n", (int)d->kind);
    return 0;
}

static void forget(void) {
    free(said.bytes);
    said = (struct text){calloc(1, 1), 0};
}

static struct wf_parser *create(enum wf_parser_order order) {
    struct wf_parser *p = wf_parser_create(&(struct wf_parser_options){.order = order}, NULL);
    assert_non_null(p);
    forget();
    return p;
}

// One event of each kind; the one of core 1 is stored last but is earlier.
static void make(const char *release) {
    trace.len = 0;
    put_text(&trace, "TRACE_HEADER_BEGIN::TRACE_DATE::aTRACE_VER_MAJOR::1TRACE_VER_MINOR::01"
                     "TRACE_LITTLE_ENDIAN::TRUETRACE_ENCODING::16 byte eventsTRACE_BOOT_DATE::b"
                     "TRACE_CYCLES_PER_SEC::1000TRACE_CPU_NUM::2TRACE_SYSNAME::QNXTRACE_NODENAME::n"
                     "TRACE_SYS_VERSION::vTRACE_MACHINE::mTRACE_SYS_RELEASE::");
    put_text(&trace, release);
    put_text(&trace, "TRACE_HEADER_END::");
    put_time(&trace, 0, 100);
    put_slot(&trace, HEAD(0, 4, 1), 101, 7, 1);   // THREAD RUNNING
    put_slot(&trace, HEAD(0, 2, 11), 102, 1, 2);  // enters call 11
    put_slot(&trace, HEAD(0, 2, 139), 103, 3, 4); // leaves it
    put_slot(&trace, HEAD(0, 3, 1), 104, 55, 6);  // interrupt 55
    put_slot(&trace, HEAD(0, 4, 192) | UINT32_C(1) << 30, 105, 1, 2);
    put_slot(&trace, HEAD(0, 4, 192) | UINT32_C(3) << 30, 105, 0x61, 0); // PROCCREATE_NAME
    put_slot(&trace, HEAD(0, 6, 900), 106, 8, 9);                        // USER
    put_slot(&trace, HEAD(0, 13, 3), 107, 10, 11);                       // an unknown class
    put_slot(&trace, HEAD(0, 2, 11 | 0x200), 108, 1, 2);                 // 64-bit variant
    put_time(&trace, 1, 100);
    put_slot(&trace, HEAD(1, 7, 2), 103, 5, 6); // COMM
}

static void test_numbers(void **state) {
    (void)state;
    struct wf_parser *p = create(WF_PARSER_AS_STORED);
    make("6.4.1");
    wf_parser_on(p, WF_SAT_EMPTY, 0, tell, "header");
    wf_parser_on(p, WF_SAT_THREAD, 2, tell, "thread");
    wf_parser_on(p, WF_SAT_KERCALLEXIT, 11, tell, "exit");
    wf_parser_on_range(p, WF_SAT_INT, 50, 60, tell, "int");
    wf_parser_on(p, WF_SAT_PROCESS, 4, tell, "process");
    wf_parser_on_range(p, WF_SAT_USER, 0, 1023, tell, "user");
    wf_parser_on_range(p, WF_PARSER_INTERNAL + 13, 0, WF_PARSER_EVENTS, tell, "raw");
    wf_parser_on(p, WF_SAT_COMM, 2, tell, "comm");
    wf_parser_on(p, WF_SAT_CONTROL, 1, tell, "time");
    assert_int_equal(wf_parser_run_memory(p, trace.bytes, trace.len), WF_OK);
    assert_string_equal(said.bytes,
                        "header 0/0 c0 0\ntime 1/1 c0 100 0 100\nthread 10/2 c0 101 7 1 of 7.1\n"
                        "exit 4/11 c0 103 3 4 of 7.1\nint 7/55 c0 104 55 6 of 7.1\n"
                        "process 9/4 c0 105 1 2 97 0 of 7.1\nuser 12/900 c0 106 8 9 of 7.1\n"
                        "raw 269/3 c0 107 10 11 of 7.1\ntime 1/1 c1 100 0 100\n"
                        "comm 14/2 c1 103 5 6\n");
    assert_string_equal(wf_parser_attribute(p, "MACHINE"), "m");
    assert_int_equal(wf_parser_hz(p), 1000);
    assert_int_equal(wf_parser_totals(p)->events, 9);
    wf_parser_destroy(p);
}

static void test_release_8(void **state) {
    (void)state;
    struct wf_parser *p = create(WF_PARSER_AS_STORED);
    make("8.0.0");
    wf_parser_on(p, WF_SAT_THREAD, 1, tell, "thread"); // the state itself
    wf_parser_on(p, WF_SAT_KERCALL, 11, tell, "call");
    assert_int_equal(wf_parser_run_memory(p, trace.bytes, trace.len), WF_OK);
    assert_non_null(strstr(said.bytes, "thread 10/1 c0 101 7 1 of 7.1\n"));
    assert_non_null(strstr(said.bytes, "call 3/11w c0 108 1 2 of 7.1\n"));
    wf_parser_destroy(p);
}

static void test_last_one_holds(void **state) {
    (void)state;
    struct wf_parser *p = create(WF_PARSER_AS_STORED);
    make("6.4.1");
    wf_parser_on_range(p, WF_SAT_KERCALLENTER, 0, 127, tell, "enter");
    wf_parser_on_range(p, WF_SAT_KERCALL, 0, 20, tell, "all");
    wf_parser_on(p, WF_SAT_KERCALLEXIT, 11, tell, "exit");
    wf_parser_on_range(p, WF_SAT_USER, 0, 1000, tell, "user");
    wf_parser_on(p, WF_SAT_USER, 900, NULL, NULL);
    assert_int_equal(wf_parser_run_memory(p, trace.bytes, trace.len), WF_OK);
    assert_string_equal(said.bytes, "all 3/11 c0 102 1 2 of 7.1\nexit 4/11 c0 103 3 4 of 7.1\n"
                                    "all 3/11w c0 108 1 2 of 7.1\n");
    forget();
    wf_parser_on_range(p, WF_SAT_KERCALL, 0, WF_PARSER_EVENTS, NULL, NULL);
    assert_int_equal(wf_parser_run_memory(p, trace.bytes, trace.len), WF_OK);
    assert_string_equal(said.bytes, "");
    assert_int_equal(wf_parser_on(p, 99, 0, tell, ""), WF_ERR_USAGE);
    assert_int_equal(wf_parser_on(p, WF_PARSER_INTERNAL + 32, 0, tell, ""), WF_ERR_USAGE);
    assert_int_equal(wf_parser_on_range(p, WF_SAT_USER, 2, 1, tell, ""), WF_ERR_USAGE);
    wf_parser_destroy(p);
}

static void want_some(struct wf_parser *p) {
    wf_parser_on(p, WF_SAT_KERCALLEXIT, 11, tell, "exit");
    wf_parser_on(p, WF_SAT_COMM, 2, tell, "comm");
    wf_parser_on(p, WF_SAT_USER, 900, tell, "user");
}
#define BY_TIME "exit 4/11 c0 103 3 4 of 7.1\ncomm 14/2 c1 103 5 6\nuser 12/900 c0 106 8 9 of 7.1\n"
#define AS_STORED                                                                                  \
    "exit 4/11 c0 103 3 4 of 7.1\nuser 12/900 c0 106 8 9 of 7.1\ncomm 14/2 c1 103 5 6\n"

static void put_file(const char *name) {
    FILE *f = fopen(name, "wb");
    assert_int_equal(fwrite(trace.bytes, 1, trace.len, f), trace.len);
    fclose(f);
}

static void test_sources_and_orders(void **state) {
    (void)state;
    char name[] = "/tmp/wf_parser_XXXXXX";
    close(mkstemp(name));
    make("6.4.1");
    put_file(name);
    for (int order = 0; order < 2; ++order) {
        struct wf_parser *p = create(order ? WF_PARSER_AS_STORED : WF_PARSER_BY_TIME);
        const char *want = order ? AS_STORED : BY_TIME;
        want_some(p);
        assert_int_equal(wf_parser_run_memory(p, trace.bytes, trace.len), WF_OK);
        assert_string_equal(said.bytes, want);
        forget();
        assert_int_equal(wf_parser_run_file(p, name), WF_OK);
        assert_string_equal(said.bytes, want);
        forget();
        int ends[2], input = dup(0);
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], trace.bytes, trace.len), trace.len);
        close(ends[1]);
        dup2(ends[0], 0);
        assert_int_equal(wf_parser_run_file(p, "-"), WF_OK);
        dup2(input, 0);
        close(input);
        close(ends[0]);
        assert_string_equal(said.bytes, want);
        assert_int_equal(wf_parser_late(p), 0);
        wf_parser_destroy(p);
    }
    unlink(name);
}

static void test_stopped(void **state) {
    (void)state;
    for (int order = 0; order < 2; ++order) {
        struct wf_parser *p = create(order ? WF_PARSER_AS_STORED : WF_PARSER_BY_TIME);
        int calls = 0;
        make("6.4.1");
        wf_parser_on_range(p, WF_SAT_KERCALL, 0, 127, stop_at_third, &calls);
        wf_parser_on_range(p, WF_SAT_USER, 0, 1023, stop_at_third, &calls);
        assert_int_equal(wf_parser_run_memory(p, trace.bytes, trace.len), WF_ERR_STOPPED);
        assert_int_equal(wf_parser_stopped(p), 42);
        assert_int_equal(calls, 3);
        assert_int_equal(wf_parser_run_memory(p, trace.bytes, trace.len), WF_OK); // 4, 5, 6, 7
        assert_int_equal(wf_parser_stopped(p), 0);
        assert_int_equal(calls, 7);
        wf_parser_destroy(p);
    }
}

static void test_loss_and_damage(void **state) {
    (void)state;
    struct wf_parser *p = create(WF_PARSER_BY_TIME);
    trace.len = 0;
    put_text(&trace, OWN_HEADER("1"));
    put_buffer(&trace, 0, 10, 5);
    put_time(&trace, 0, 10);
    put_own(&trace, 0, WF_SLOT_OWN_MADE, 10, 33);
    put_slot(&trace, HEAD(0, 24, 100), 11, 1, 2);
    put_slot(&trace, LAST(HEAD(0, 6, 1)), 12, 1, 2);
    wf_parser_on_range(p, WF_PARSER_INTERNAL + WF_SLOT_CLASS_RECORD, 0, 255, tell, "record");
    wf_parser_on_loss(p, tell_loss, NULL);
    wf_parser_on_damage(p, tell_damage, NULL);
    assert_int_equal(wf_parser_run_memory(p, trace.bytes, trace.len), WF_OK);
    assert_string_equal(said.bytes, "loss 33\nrecord 280/100 c0 11 1 2\ndamage 0\n");
    wf_parser_destroy(p);
}

// The recorder's memory, one core, one chunk.
static struct {
    struct wf_slot_box box;
    struct wf_slot_core core;
    struct wf_slot ring[32];
} __attribute__((aligned(64))) mem;

static void record(unsigned n) {
    for (; n; --n) {
        uint32_t at = mem.core.next / 16;
        mem.ring[at] = (struct wf_slot){HEAD(0, 24, 100), 50 + at, {at, 0}};
        if (at == 0) mem.ring[at] = (struct wf_slot){HEAD(0, 1, 1), 50, {0, 50}};
        mem.core.next += 16;
        ++mem.core.at;
        mem.core.made += at != 0;
        mem.core.extra += at == 0;
    }
}

static void make_memory(void) {
    memset(&mem, 0, sizeof mem);
    memcpy(mem.box.magic, WF_SLOT_MAGIC, 8);
    mem.box.order = 0x01020304;
    mem.box.cores = 1;
    mem.box.core_at = sizeof mem.box;
    mem.box.core_step = sizeof mem - sizeof mem.box;
    mem.box.slots = 32;
    mem.box.chunk = 16;
    mem.box.started = 1;
    for (unsigned i = 0; i < 32; ++i) mem.ring[i].head = UINT32_C(0xFFF) << 20;
    record(3);
}

#define RECORDS "r 280/100 c0 51 1 0\nr 280/100 c0 52 2 0\n"

static void test_image(void **state) {
    (void)state;
    char name[] = "/tmp/wf_parser_XXXXXX";
    close(mkstemp(name));
    make_memory();
    struct wf_parser *p = create(WF_PARSER_BY_TIME);
    wf_parser_on_range(p, WF_PARSER_INTERNAL + WF_SLOT_CLASS_RECORD, 0, 255, tell, "r");
    assert_int_equal(wf_parser_run_memory(p, &mem, sizeof mem), WF_OK);
    assert_string_equal(said.bytes, RECORDS);
    // In a file, so that the magic crosses the limit of a read.
    for (size_t gap = (1 << 16) - 8; gap <= 1 << 16; gap += 4) {
        trace.len = gap;
        memset(trace.bytes, 0, gap);
        memcpy(trace.bytes + gap, &mem, sizeof mem);
        trace.len += sizeof mem;
        put_file(name);
        forget();
        assert_int_equal(wf_parser_run_file(p, name), WF_OK);
        assert_string_equal(said.bytes, RECORDS);
    }
    mem.box.started = 0;
    assert_int_equal(wf_parser_run_memory(p, &mem, sizeof mem), WF_ERR_BAD_BOX);
    assert_non_null(strstr(wf_parser_problem(p), "was not started"));
    wf_parser_destroy(p);
    unlink(name);
}

static enum wf_parser_idle record_more(struct wf_parser *p, void *user) {
    (void)p;
    int *turns = user;
    if (++*turns == 4) return WF_PARSER_END;
    record(2);
    return WF_PARSER_WAIT;
}

static void test_live(void **state) {
    (void)state;
    for (int order = 0; order < 2; ++order) {
        int turns = 0;
        make_memory();
        struct wf_parser *p = create(order ? WF_PARSER_AS_STORED : WF_PARSER_BY_TIME);
        wf_parser_on_range(p, WF_PARSER_INTERNAL + WF_SLOT_CLASS_RECORD, 0, 255, tell, "r");
        assert_int_equal(wf_parser_run_live(p, &mem, sizeof mem, false, record_more, &turns),
                         WF_OK);
        assert_int_equal(wf_parser_totals(p)->events, 8);
        assert_true(wf_parser_totals(p)->exact);
        assert_memory_equal(said.bytes, RECORDS, strlen(RECORDS));
        assert_non_null(strstr(said.bytes, "r 280/100 c0 58 8 0\n"));
        wf_parser_destroy(p);
    }
}

static void test_unreadable(void **state) {
    (void)state;
    struct wf_parser *p = create(WF_PARSER_BY_TIME);
    assert_int_equal(wf_parser_run_file(p, "/nowhere/at/all"), WF_ERR_READ);
    assert_string_equal(wf_parser_problem(p),
                        "/nowhere/at/all cannot be read: No such file or directory");
    assert_int_equal(wf_parser_run_file(p, "/"), WF_ERR_READ);
    assert_non_null(strstr(wf_parser_problem(p), "Is a directory"));
    assert_null(wf_parser_attribute(p, "CPU_NUM"));
    static _Alignas(16) uint8_t zeros[4096]; // no recorder's memory
    assert_int_equal(wf_parser_run_live(p, zeros, sizeof zeros, false, NULL, NULL), WF_ERR_BAD_BOX);
    assert_null(wf_parser_slots(p));
    wf_parser_destroy(p);
    wf_parser_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),        cmocka_unit_test(test_release_8),
        cmocka_unit_test(test_last_one_holds), cmocka_unit_test(test_sources_and_orders),
        cmocka_unit_test(test_stopped),        cmocka_unit_test(test_loss_and_damage),
        cmocka_unit_test(test_image),          cmocka_unit_test(test_live),
        cmocka_unit_test(test_unreadable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
