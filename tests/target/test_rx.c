// SPDX-License-Identifier: MIT
// The commands of docs/command-list.md: the answer of each one; bad lengths and values out of
// range have their error and no effect. Built with and without test mode.

#include "wf_test_rx.h"

static uint32_t other_active;

static void the_start_names_the_sender(void **state) {
    (void)state;
    start(ring, sizeof ring);
    drain_all();
    wf_rx_start(&config);
    struct frame f = next_frame();
    assert_int_equal(f.bytes[1], WF_ID_obj_dict);
    assert_int_equal(le(f.bytes + 2, WF_CFG_OBJ_SIZE),
                     (uintptr_t)wf_rx_sender() & (UINT64_MAX >> (64 - 8 * WF_CFG_OBJ_SIZE)));
    assert_string_equal((const char *)f.bytes + 2 + WF_CFG_OBJ_SIZE, "QS_RX");
}

static void simple_commands(void **state) {
    (void)state;
    fresh();
    command(0, NULL, 0);
    assert_string_equal(answers(), "64;");
    GIVES(1, P(9, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0x80), "ack 1;done 1;");
    did("command 9 1 2 80000003;");
    GIVES(1, P(0x7E, 0x7D, 0x7E, 0, 0), "ack 1;done 1;"); // missing parameters are 0
    did("command 126 7e7d 0 0;");
    GIVES(1, P(7), "ack 1;done 1;");
    did("command 7 0 0 0;");
    command(1, NULL, 0);
    assert_string_equal(answers(), "error 47;");
    command(2, NULL, 0);
    assert_string_equal(answers(), "");
    did("reset;");
    GIVES(3, P(0), "ack 3;done 3;");
    did("tick 0;");
    GIVES(3, P(WF_CFG_MAX_RATES), "error 3;");
    command(3, NULL, 0);
    assert_string_equal(answers(), "error 47;");
    GIVES(17, P(1, 2, 3), "error 43;");
    GIVES(255, P(0), "error 43;");
    did("");
}

static void events(void **state) {
    (void)state;
    fresh();
    GIVES(16, P(0, 5, 0, 2, 0, 0x7D, 0x22), "ack 16;done 16;");
    did("event 0 5 -:7d22;");
    GIVES(16, P(3, 6, 0, 0, 0), "ack 16;done 16;");
    did("event 3 6 -:;");
    GIVES(16, P(3, 13, 0, 0, 0), "ack 16;error 16;"); // the program has no hook
    did("event 3 13 -:;");
    GIVES(16, P(65, 5, 0, 0, 0), "error 16;");
    GIVES(16, P(252, 5, 0, 0, 0), "error 16;");
    GIVES(16, P(253, 5, 0, 0, 0), "error 16;"); // no current object
    GIVES(16, P(254, 5, 0, 0, 0), "error 16;");
    GIVES(16, P(255, 5, 0, 0, 0), "error 16;");
    GIVES(16, P(0, 5, 0, 41, 0), "error 47;");
    GIVES(16, P(0, 5, 0, 2, 0, 1), "error 47;");
    GIVES(16, P(0, 5), "error 47;");
    uint8_t longest[5 + 41] = {0, 5, 0, 40, 0};
    command(16, longest, 45);
    assert_string_equal(answers(), "ack 16;done 16;");
    log_text[0] = 0;
    longest[3] = 41;
    command(16, longest, 46);
    assert_string_equal(answers(), "error 16;");
    did("");
    wf_set_current(WF_OBJ_AO, &active);
    wf_set_current(WF_OBJ_SM, &machine);
    GIVES(16, P(253, 5, 0, 0, 0), "ack 16;done 16;");
    GIVES(16, P(254, 5, 0, 0, 0), "ack 16;done 16;");
    GIVES(16, P(255, 5, 0, 1, 0, 9, 8, 7), "ack 16;done 16;"); // extra bytes are dropped
    did("event 253 5 active:;event 254 5 machine:;event 255 5 machine:09;");
}

static void with_address(uint8_t number, uint8_t first, const void *object, const char *want) {
    uint8_t payload[1 + 8] = {first};
    for (unsigned i = 0; i < WF_CFG_OBJ_SIZE; ++i)
        payload[1 + i] = (uint8_t)((uint64_t)(uintptr_t)object >> 8 * i);
    command(number, payload, 1 + WF_CFG_OBJ_SIZE);
    assert_string_equal(answers(), want);
}

static void current_objects_and_queries(void **state) {
    (void)state;
    fresh();
    for (unsigned kind = 0; kind < WF_OBJ_KINDS; ++kind) {
        assert_null(wf_get_current((enum wf_object_kind)kind));
        with_address(13, (uint8_t)kind, memory + kind, "ack 13;");
        assert_ptr_equal(wf_get_current((enum wf_object_kind)kind), memory + kind);
    }
    with_address(13, 6, &machine, "ack 13;");
    assert_ptr_equal(wf_get_current(WF_OBJ_SM), &machine);
    assert_ptr_equal(wf_get_current(WF_OBJ_AO), &machine);
    assert_ptr_equal(wf_get_current(WF_OBJ_POOL), memory + 2);
    with_address(13, 7, &machine, "error 13;");
    GIVES(13, P(0, 1, 2), WF_CFG_OBJ_SIZE > 2 ? "error 47;" : "ack 13;");
    wf_set_current(WF_OBJ_SM, &machine);
    GIVES(15, P(0), "67;");
    GIVES(15, P(1), "error 15;"); // the hook has no answer
    GIVES(15, P(6), "error 15;");
    command(15, NULL, 0);
    assert_string_equal(answers(), "error 47;");
    with_address(13, 0, NULL, "ack 13;");
    GIVES(15, P(0), "error 15;");
}

static void filters(void **state) {
    uint8_t payload[17] = {16}, glb[16], loc[16];
    (void)state;
    fresh();
    for (unsigned i = 0; i < 16; ++i) payload[1 + i] = (uint8_t)(0x11 * i);
    command(10, payload, 17);
    assert_string_equal(answers(), "ack 10;");
    wf_get_filters(glb, loc);
    static const uint8_t want[16] = {0x01, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0xFF,
                                     0xFF, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0x1F};
    assert_memory_equal(glb, want, 16); // fixed ones stay on, the last three off
    assert_int_equal(loc[0], 0xFF);
    command(11, payload, 17);
    assert_string_equal(answers(), "ack 11;");
    wf_get_filters(glb, loc);
    assert_memory_equal(glb, want, 16);
    payload[1] |= 1; // id 0 stays on
    assert_memory_equal(loc, payload + 1, 16);
    payload[1] = 0;
    for (unsigned number = 10; number <= 11; ++number) {
        char error[20];
        snprintf(error, sizeof error, "error %u;", number);
        payload[0] = 15;
        command((uint8_t)number, payload, 17);
        assert_string_equal(answers(), error);
        payload[0] = 16;
        command((uint8_t)number, payload, 16);
        assert_string_equal(answers(), "error 47;");
        command((uint8_t)number, payload, 0);
        assert_string_equal(answers(), "error 47;");
    }
    wf_get_filters(glb, loc);
    assert_memory_equal(glb, want, 16);

    wf_filter_id(-WF_IDS_ALL);
    with_address(12, 0, &active, "ack 12;");
    wf_get_filters(glb, loc);
    assert_int_equal(loc[0], 1 | 1 << 5);
    with_address(12, 6, &active, "ack 12;");
    for (uint8_t remove = 1; remove <= 5; ++remove) {
        wf_filter_id(5);
        with_address(12, remove, &active, "ack 12;");
        wf_get_filters(glb, loc);
        assert_int_equal(loc[0], 1);
    }
    with_address(12, 7, &active, "error 12;");
    with_address(12, 0, NULL, "error 12;");
    with_address(12, 0, &other_active, "error 12;");
    GIVES(12, P(0), "error 47;");
}

static void memory_access(void **state) {
    (void)state;
    fresh();
    if (!WF_CFG_PEEK) {
        GIVES(4, P(0, 0, 1, 1), "error 43;");
        GIVES(5, P(0, 0, 1, 1, 9), "error 43;");
        GIVES(6, P(0, 0, 1, 1, 9), "error 43;");
        return;
    }
    GIVES(4, P(0, 0, 1, 1), "error 4;"); // no current object
    wf_set_current(WF_OBJ_APP, memory);
    for (unsigned i = 0; i < sizeof memory; ++i) memory[i] = (uint8_t)i;
    GIVES(5, P(4, 0, 1, 3, 0x7D, 0x7E, 0x7F), "ack 5;");
    GIVES(5, P(8, 0, 2, 1, 0x34, 0x12), "ack 5;");
    GIVES(5, P(12, 0, 4, 1, 4, 3, 2, 1), "ack 5;");
    GIVES(6, P(16, 0, 2, 3, 0xCD, 0xAB), "ack 6;");
    GIVES(6, P(24, 0, 4, 2, 1, 2, 3, 4), "ack 6;");
    GIVES(6, P(33, 0, 1, 2, 0xEE), "ack 6;");
    static const uint8_t want[36] = {0, 1, 2, 3, 0x7D, 0x7E, 0x7F, 7,    0x34, 0x12, 10,   11,
                                     4, 3, 2, 1, 0xCD, 0xAB, 0xCD, 0xAB, 0xCD, 0xAB, 22,   23,
                                     1, 2, 3, 4, 1,    2,    3,    4,    32,   0xEE, 0xEE, 35};
    assert_memory_equal(memory, want, sizeof want);
    command(4, (const uint8_t[]){4, 0, 2, 10}, 4);
    struct frame f = next_frame();
    assert_int_equal(f.bytes[1], WF_ID_peek_data);
    const uint8_t *p = f.bytes + 2 + WF_CFG_TIME_SIZE;
    assert_memory_equal(p, ((const uint8_t[]){4, 0, 2, 10}), 4);
    assert_memory_equal(p + 4, memory + 4, 20);

    uint8_t before[64];
    memcpy(before, memory, 64);
    GIVES(5, P(0, 0, 1, 0), "error 5;");          // no items
    GIVES(5, P(0, 0, 3, 1, 1, 1, 1), "error 5;"); // invalid size
    GIVES(5, P(0, 0, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1), "error 5;");
    GIVES(5, P(1, 0, 2, 1, 1, 1), "error 5;"); // not aligned
    GIVES(5, P(0, 0, 1, 3, 1, 1), "error 5;"); // too few bytes: nothing is written
    GIVES(5, P(0, 0, 1), "error 47;");
    GIVES(6, P(0, 0, 4, 1, 1, 1, 1), "error 6;");
    GIVES(6, P(0, 0, 4, 0, 1, 1, 1, 1), "error 6;");
    if (WF_CFG_PEEK == 1) {
        GIVES(5, P(62, 0, 4, 1, 1, 1, 1, 1), "error 5;"); // across the end
        GIVES(5, P(60, 0, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1), "error 5;");
        GIVES(6, P(0, 0, 1, 65, 1), "error 6;");
        GIVES(6, P(64, 0, 1, 1, 1), "error 6;");
        GIVES(4, P(0xFF, 0xFF, 1, 1), "error 4;");
        GIVES(4, P(63, 0, 1, 2), "error 4;");
    }
    GIVES(4, P(0, 0, 5, 1), "error 4;");
    GIVES(4, P(0, 0, 1), "error 47;");
    assert_memory_equal(memory, before, 64);
    GIVES(6, P(60, 0, 4, 1, 9, 9, 9, 9), "ack 6;"); // the last four
    GIVES(6, P(0, 0, 1, 64, 9), "ack 6;");
    if (WF_CFG_PEEK == 1) { // readable, in part
        wf_set_current(WF_OBJ_APP, secret);
        GIVES(4, P(0, 0, 4, 2), "68;");
        GIVES(4, P(0, 0, 4, 3), "error 4;");
        GIVES(5, P(0, 0, 1, 1, 1), "error 5;");
    }
}

// Runs first: nothing is started yet.
static void nothing_comes_in_before_the_start(void **state) {
    (void)state;
    assert_false(wf_rx_put(1));
    assert_int_equal(wf_rx_free(), 0);
    wf_rx_parse();
    fresh();
    GIVES(3, P(0), "ack 3;done 3;");
}

static void parsing_command(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    wf_rx_parse();
    on_command(id, p1, p2, p3);
}

static bool parsing_event(const struct wf_rx_event *e) {
    bool good = on_event(e);
    wf_rx_parse();
    return good;
}

// A hook that calls the parser: the commands after its own are executed, also the event within the
// event.
static void hooks_parse_again(void **state) {
    static const uint8_t id[] = {7, 1, 2, 3, 4}, event[] = {0, 9, 0, 2, 0, 0xAA, 0xBB};
    static struct wf_rx_config c;
    static struct wf_rx_hooks parsing;
    (void)state;
    c = config;
    parsing = hooks;
    parsing.command = parsing_command;
    parsing.event = parsing_event;
    c.hooks = &parsing;
    fresh();
    wf_rx_start(&c);
    drain_all();
    put_frame(++seq, 1, id, sizeof id);
    put_frame(++seq, 3, "", 1);
    wf_rx_parse();
    assert_string_equal(answers(), "ack 1;ack 3;done 3;done 1;");
    did("tick 0;command 7 4030201 0 0;");
    if (WF_CFG_SIG_SIZE != 2) return; // the event's bytes are for this size
    put_frame(++seq, 16, event, sizeof event);
    put_frame(++seq, 16, event, sizeof event);
    wf_rx_parse();
    assert_string_equal(answers(), "ack 16;ack 16;done 16;done 16;");
    did("event 0 9 -:aabb;event 0 9 -:aabb;");
}

#if WF_CFG_TEST

static uint32_t probed(void) {
    WF_PROBE_DEF(probed);
    WF_PROBE_ID(5, return 50;);
    WF_PROBE(return wf_probe;);
    return 1000;
}

static void set_probe(wf_function f, uint32_t data, const char *want) {
    uint8_t payload[4 + 8];
    for (unsigned i = 0; i < 4; ++i) payload[i] = (uint8_t)(data >> 8 * i);
    for (unsigned i = 0; i < WF_CFG_FUN_SIZE; ++i)
        payload[4 + i] = (uint8_t)((uint64_t)(uintptr_t)f >> 8 * i);
    command(9, payload, 4 + WF_CFG_FUN_SIZE);
    assert_string_equal(answers(), want);
}

static unsigned flushes;
static bool stopped;
static void on_flush(void) {
    if (++flushes == 3) command(1, "\x08", 1);
    if (flushes == 5) command(14, NULL, 0);
}
static void on_stop(void) { stopped = true; }
static void on_setup(void) { note("setup;"); }
static void on_teardown(void) { note("teardown;"); }

static void test_mode(void **state) {
    (void)state;
    fresh();
    assert_int_equal(probed(), 1000);
    assert_string_equal(answers(), "");
    set_probe(WF_FUN(probed), 5, "ack 9;");
    set_probe(WF_FUN(on_flush), 3, "ack 9;");
    set_probe(WF_FUN(probed), 6, "ack 9;");
    assert_int_equal(probed(), 50);
    assert_int_equal(probed(), 6);
    assert_int_equal(probed(), 1000);
    assert_string_equal(answers(), "59;59;");
    for (unsigned i = 1; i < WF_PROBES_MAX; ++i) set_probe(WF_FUN(probed), i, "ack 9;");
    set_probe(WF_FUN(probed), 1, "error 9;");
    GIVES(9, P(1, 2, 3), "error 47;");
    GIVES(7, P(0), "ack 7;"); // set-up forgets them
    assert_int_equal(probed(), 1000);

    static const struct wf_rx_hooks more = {.command = on_command,
                                            .flush = on_flush,
                                            .stop = on_stop,
                                            .test_setup = on_setup,
                                            .test_teardown = on_teardown};
    static struct wf_rx_config with_more;
    with_more = config;
    with_more.hooks = &more;
    wf_rx_start(&with_more);
    seq = 0;
    answers();
    GIVES(7, P(0), "ack 7;");
    GIVES(8, P(0), "ack 8;");
    did("setup;teardown;");
    WF_TEST_PAUSE();
    assert_int_equal(flushes, 5);
    did("command 8 0 0 0;");
    assert_string_equal(answers(), "58;ack 1;done 1;ack 14;");
    wf_assert_fail("module", 12);
    assert_true(stopped);
    assert_string_equal(answers(), "69;");
}

static void stamps_count(void **state) {
    (void)state;
    fresh();
    wf_filter(WF_GRP_ALL);
    command(7, NULL, 0);
    drain_all();
    for (uint32_t want = 1; want < 300; ++want) {
        WF_REC(state_entry, 0, NULL, WF_FUN(on_tick)); // without a stamp
        if (want % 2)
            WF_REC(crit_entry, 0, 1);
        else if (want % 3)
            WF_RECORD(WF_USER, 0, WF_U8(0, 1));
        else
            WF_RECORD(WF_USER, 0, WF_STR("}~"));
        struct frame f;
        do f = next_frame();
        while (f.bytes[1] == WF_ID_sync || f.bytes[1] == WF_ID_state_entry);
        assert_int_equal(le(f.bytes + 2, WF_CFG_TIME_SIZE), (wf_stamp)want);
        drain_all();
    }
}

#else

static void test_mode(void **state) {
    (void)state;
    fresh();
    GIVES(7, P(0), "error 43;");
    GIVES(8, P(0), "error 43;");
    GIVES(9, P(0), "error 43;");
    GIVES(14, P(0), "error 43;");
}

static void stamps_count(void **state) {
    (void)state;
    wf_assert_fail("module", 12); // without hooks it records
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_comes_in_before_the_start),
        cmocka_unit_test(the_start_names_the_sender),
        cmocka_unit_test(simple_commands),
        cmocka_unit_test(events),
        cmocka_unit_test(current_objects_and_queries),
        cmocka_unit_test(filters),
        cmocka_unit_test(memory_access),
        cmocka_unit_test(hooks_parse_again),
        cmocka_unit_test(test_mode),
        cmocka_unit_test(stamps_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
