// SPDX-License-Identifier: MIT
// What the host controls in a program written for QS: filters, commands, probes and pauses.
// Built as test_compat.c.

#include "compat_test.h"

// ---- filters ----

// Tries to record all numbers up to the last; returns the recorded ones as text, in ranges.
static const char *recorded(void) {
    static char text[600];
    int first = -1;
    size_t n = 0;
    text[0] = 0;
    for (int rec = 1; rec <= 0x7D; ++rec) {
        bool came = false;
        if (rec < 0x7D) {
            QS_BEGIN_INCRIT(rec, 0)
            QS_END_INCRIT()
            came = frame_waits();
            if (came) (void)next_frame(rec);
        }
        if (came && first < 0) first = rec;
        if (came || first < 0) continue;
        n += (size_t)snprintf(text + n, sizeof text - n, first == rec - 1 ? "%d " : "%d-%d ", first,
                              rec - 1);
        first = -1;
    }
    return text;
}

#define ALWAYS(before, behind) before "54 58-70 " behind

static void global_filters(void **state) {
    static const struct {
        int group;
        const char *on; // the records of this group in QS
    } groups[] = {{QS_SM_RECORDS, "1-9 54-70 "},
                  {QS_AO_RECORDS, ALWAYS("10-18 45 ", "")},
                  {QS_EQ_RECORDS, ALWAYS("19-22 46 ", "")},
                  {QS_MP_RECORDS, ALWAYS("24-25 47 ", "")},
                  {QS_TE_RECORDS, ALWAYS("32-37 ", "")},
                  {QS_QF_RECORDS, ALWAYS("23 26-31 38-44 ", "")},
                  {QS_SC_RECORDS, "48-54 58-70 "},
                  {QS_SEM_RECORDS, "54 58-74 "},
                  {QS_MTX_RECORDS, ALWAYS("", "75-80 ")},
                  {QS_U0_RECORDS, ALWAYS("", "100-104 ")},
                  {QS_U1_RECORDS, ALWAYS("", "105-109 ")},
                  {QS_U2_RECORDS, ALWAYS("", "110-114 ")},
                  {QS_U3_RECORDS, ALWAYS("", "115-119 ")},
                  {QS_U4_RECORDS, ALWAYS("", "120-124 ")},
                  {QS_UA_RECORDS, ALWAYS("", "100-124 ")},
                  {QS_ALL_RECORDS, "1-124 "},
                  {QS_QF_TICK, ALWAYS("31 ", "")},
                  {QS_USER + 7, ALWAYS("", "107 ")}};
    (void)state;
    fresh();
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; ++i) {
        QS_GLB_FILTER(-QS_GRP_ALL);
        assert_string_equal(recorded(), ALWAYS("", ""));
        QS_GLB_FILTER(groups[i].group);
        assert_string_equal(recorded(), groups[i].on);
        QS_GLB_FILTER(-groups[i].group);
        assert_string_equal(recorded(), ALWAYS("", ""));
    }
    QS_GLB_FILTER(QS_ALL_RECORDS);
    QS_GLB_FILTER(-QS_QF_TICK);
    assert_string_equal(recorded(), "1-30 32-124 ");
    QS_GLB_FILTER(QS_QF_TICK);
    QS_GLB_FILTER(-QS_GRP_SM);
    assert_string_equal(recorded(), "10-54 58-124 ");
    QS_FILTER_OFF(QS_UA_RECORDS);
    assert_string_equal(recorded(), "10-54 58-99 ");
    QS_FILTER_ON(QS_U0_RECORDS);
    assert_string_equal(recorded(), "10-54 58-104 ");
}

static bool passes(unsigned id) {
    QS_BEGIN_ID(QS_USER, id)
    QS_END()
    bool came = frame_waits();
    if (came) (void)next_frame(100);
    return came;
}

static void local_filters(void **state) {
    static const struct {
        int group;
        unsigned first, last;
    } groups[] = {{QS_AO_IDS, 1, 64},    {QS_EP_IDS, 65, 79},  {QS_EQ_IDS, 80, 95},
                  {QS_AP_IDS, 96, 126},  {QS_ALL_IDS, 1, 126}, {17, 17, 17},
                  {QS_AP_ID + 0, 96, 96}};
    (void)state;
    fresh();
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; ++i) {
        for (int on = 0; on < 2; ++on) {
            QS_LOC_FILTER(on ? -QS_ALL_IDS : QS_ALL_IDS);
            QS_LOC_FILTER(on ? groups[i].group : -groups[i].group);
            for (unsigned id = 0; id <= 126; ++id) {
                bool in = id >= groups[i].first && id <= groups[i].last;
                assert_int_equal(passes(id), id == 0 || (on ? in : !in));
            }
        }
    }
}

// ---- commands from the host ----

static void host_commands(void **state) {
    (void)state;
    fresh();
    uint16_t room = QS_rxGetNfree();
    // seq 1, COMMAND, id 5, three parameters, sum
    send("01 01 05 01000000 02000000 7D000000");
    assert_int_equal(QS_rxGetNfree(), room - 18); // 17 and an escape
    QS_rxParse();
    assert_int_equal(QS_rxGetNfree(), room);
    expect_log("command 5 1 2 125;");
    expect(66, "01");
    expect(65, STAMP "01");
    send("02 0A 10 00000000 00000000 00000000 10000000"); // record 100 on, all others off
    QS_RX_INPUT();
    expect_log("input;");
    expect(66, "0A");
    assert_string_equal(recorded(), ALWAYS("", "100 "));
    send("03 02"); // RESET
    QS_rxParse();
    expect_log("reset;");
    send("04 00"); // INFO
    QS_rxParse();
    assert_int_equal(next_frame(64)[2], 0);
    send("06 0D 05 78563412"); // CURR_OBJ, with a gap in the numbers
    QS_rxParse();
    expect(66, "AA");
    expect(66, "0D");
    assert_ptr_equal(wf_get_current(WF_OBJ_APP), AN_OBJECT);
    send("07 2F");
    QS_rxParse();
    expect(66, "AB"); // unknown
    for (uint16_t i = 0; i < room; ++i) assert_true(QS_RX_PUT(0));
    assert_false(QS_RX_PUT(0));
    assert_int_equal(QS_rxGetNfree(), 0);
}

static bool on_event(const struct wf_rx_event *e) {
    note("event %u %lu;", e->to, (unsigned long)e->sig);
    return true;
}
static void on_tick(uint8_t rate) { note("tick %u;", rate); }
static int id_of(const void *active) { return active == AN_OBJECT ? 9 : -1; }
static bool on_query(enum wf_object_kind kind, const void *object) {
    if (kind != WF_OBJ_SM) return false;
    wfi_emit_query_sm((uint8_t)kind, object, A_FUNCTION);
    return true;
}

static void framework_hooks(void **state) {
    static const struct wf_rx_hooks framework = {
        .event = on_event, .tick = on_tick, .id_of = id_of, .query = on_query};
    (void)state;
    fresh();
    send("01 03 00"); // TICK: no hooks yet
    QS_rxParse();
    expect(66, "83");
    qs_compat_hooks(&framework);
    send("02 03 00");
    send("03 10 02 0500 0000"); // EVENT to priority 2
    send("04 0C 01 78563412");  // AO_FILTER off
    send("05 01 09");           // still QS's callback
    QS_rxParse();
    expect_log("tick 0;event 2 5;command 9 0 0 0;");
    expect(66, "03");
    expect(65, STAMP "03");
    expect(66, "10");
    expect(65, STAMP "10");
    expect(66, "0C");
    expect(66, "01");
    expect(65, STAMP "01");
    assert_false(passes(9));
    assert_true(passes(8));
    QS_queryCurrObj(SM_OBJ); // none yet
    expect(66, "8F");
    QS_setCurrObj(SM_AO_OBJ, AN_OBJECT);
    QS_queryCurrObj(SM_OBJ);
    expect(67, STAMP "00 78563412 EFCDAB89");
    QS_queryCurrObj(AO_OBJ);
    expect(66, "8F");
    QS_setCurrObj(200, AN_OBJECT); // not a valid kind
    QS_setCurrObj(SM_OBJ, NULL);
    QS_queryCurrObj(SM_OBJ);
    expect(66, "8F");
    qs_compat_hooks(&(struct wf_rx_hooks){0});
}

// ---- tests of the target ----

static int probed(int n) {
    QS_TEST_PROBE_DEF(&probed)
    QS_TEST_PROBE(if (qs_tp_ > 100) { return (int)qs_tp_; })
    QS_TEST_PROBE_ID(5, n = 50; return n;)
    return n;
}

static void probes(void **state) {
    (void)state;
    fresh();
    assert_int_equal(probed(1), 1);
#if WF_CFG_TEST
    char hex[40];
    const uint32_t fun = (uint32_t)(uintptr_t)&probed;
    send("01 07"); // TEST_SETUP: stamps restart
    for (unsigned i = 0; i < 3; ++i) {
        snprintf(hex, sizeof hex, "%02X 09 %02X000000 %02X%02X%02X%02X", i + 2,
                 i == 0 ? 120 : (i == 1 ? 5 : 6), fun & 0xFF, fun >> 8 & 0xFF, fun >> 16 & 0xFF,
                 fun >> 24);
        send(hex);
    }
    QS_rxParse();
    expect_log("setup;");
    expect(66, "07");
    for (int i = 0; i < 3; ++i) expect(66, "09");
    const uint32_t data[] = {120, 5, 6};
    for (unsigned i = 0; i < 3; ++i) {
        int got = probed(1);
        assert_int_equal(got, i == 0 ? 120 : (i == 1 ? 50 : 1));
        const uint8_t *f = next_frame(59);
        assert_int_equal(le(f + 2, 4), i + 1); // the stamp
        assert_int_equal(le(f + 6, 4), fun);
        assert_int_equal(le(f + 10, 4), data[i]);
    }
    assert_int_equal(probed(1), 1);
    QF_TEST_CRIT_ENTRY();
    QS_BEGIN_PRE(QS_QF_CRIT_ENTRY, 0)
    QS_TIME_PRE();
    QS_U8_PRE(1);
    QS_END_PRE()
    QF_TEST_CRIT_EXIT();
    expect(39, "04000000 01");
    send("05 08");
    QS_rxParse();
    expect_log("teardown;");
    expect(66, "08");
#endif
    expect_nothing();
}

static void a_pause(void **state) {
    (void)state;
    fresh();
    test_loops = 3;
    QS_TEST_PAUSE();
#if WF_CFG_TEST
    expect(58, "");
    expect_log("flush;loop;flush;loop;flush;loop;");
    expect(66, "0E");
#endif
    expect_nothing();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_filters), cmocka_unit_test(local_filters),
        cmocka_unit_test(host_commands),  cmocka_unit_test(framework_hooks),
        cmocka_unit_test(probes),         cmocka_unit_test(a_pause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
