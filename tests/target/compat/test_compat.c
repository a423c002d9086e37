// SPDX-License-Identifier: MIT
// The frames of QS's macros, byte for byte against the wire reference: the expected bytes are
// written out by hand. Built with the sizes of a 32-bit QS, and as a test build;
// test_compat_sizes.c tests other sizes.

#include "compat_test.h"

// ---- start ----

static void starts_as_qs_does(void **state) {
    (void)state;
    log_text[0] = 0;
    assert_int_equal(QS_INIT("arg"), 7);
    expect_log("startup arg;");
    QS_initBuf(ring, sizeof ring);
    last_seq = 0;
    expect(0, ""); // EMPTY is the first, with seq 1
    const uint8_t *f = next_frame(64);
    assert_int_equal(frame_len, 2 + 16);
    const uint8_t sizes[] = {0xFF, 740 & 0xFF, 740 >> 8, 0x22, 0x41, 0x22, 0x44, 0x04, 64, 0x13};
    assert_memory_equal(f + 2, sizes, sizeof sizes);
    const uint8_t *built = f + 12; // second, minute, hour, day, month, year
    assert_true(built[0] < 60 && built[1] < 60 && built[2] < 24);
    assert_true(built[3] >= 1 && built[3] <= 31 && built[4] >= 1 && built[4] <= 12);
    assert_true(built[5] >= 24);
    assert_int_equal(QS_getByte(), QS_EOD);
    // Only records that cannot be switched off are on.
    uint8_t glb[16], loc[16];
    wf_get_filters(glb, loc);
    const uint8_t fixed[16] = {[0] = 1, [6] = 0x40, [7] = 0xFC, [8] = 0x7F};
    assert_memory_equal(glb, fixed, 16);
    for (int i = 0; i < 16; ++i) assert_int_equal(loc[i], 0xFF);
    // The receiver sends a dictionary for its own sender.
    QS_rxInitBuf(rx_ring, sizeof rx_ring);
    f = next_frame(61);
    assert_int_equal(frame_len, 2 + 4 + 6);
    assert_string_equal((const char *)f + 6, "QS_RX");
}

static void callbacks_are_called(void **state) {
    (void)state;
    fresh();
    QS_FLUSH();
    QS_OUTPUT();
    QS_RX_INPUT();
    QS_EXIT();
    expect_log("flush;output;input;cleanup;");
    int n = 0;
    QS_ONLY(++n);
    QF_QS_ACTION(++n);
    assert_int_equal(n, 2);
}

// ---- application records ----

// The whole frame: sequence, record, stamp, format byte, value with its escape, checksum, flag.
static void a_frame_bit_for_bit(void **state) {
    (void)state;
    fresh();
    if (WF_CFG_TEST) return;
    wfi.count_low = 8;
    QS_BEGIN_ID(QS_USER + 1, 0)
    QS_U8(2, 0x7D);
    QS_END()
    // 09 65 04 03 02 01 21 7D add up to 0x116; its complement is E9
    static const uint8_t want[] = {0x09, 0x65, 4, 3, 2, 1, 0x21, 0x7D, 0x5D, 0xE9, 0x7E};
    for (unsigned i = 0; i < sizeof want; ++i) assert_int_equal(QS_getByte(), want[i]);
    assert_int_equal(QS_getByte(), QS_EOD);
}

static void integers(void **state) {
    (void)state;
    fresh();
    QS_BEGIN_ID(QS_USER, 0)
    QS_I8(7, -2); // the width is not in the frame
    QS_U8(1, 200);
    QS_I16(2, -3);
    QS_U16(3, 0xABCD);
    QS_I32(4, -4);
    QS_U32(15, 0x12345678);
    QS_I64(5, -5);
    QS_U64(6, UINT64_C(0x1122334455667788));
    QS_END()
    expect(100, STAMP "00FE 11C8 22FDFF 33CDAB 44FCFFFFFF F578563412 5DFBFFFFFFFFFFFFFF "
                      "6E8877665544332211");
    QS_BEGIN_ID(QS_USER + 24, 0)
    QS_U8(QS_HEX_FMT, 0x0A);
    QS_U16(QS_HEX_FMT, 0x0B);
    QS_U32(QS_HEX_FMT, 0x0C);
    QS_U64(QS_HEX_FMT, 0x0D);
    QS_END();
    expect(124, STAMP "F10A F30B00 F50C000000 FE0D00000000000000");
}

static void every_width(void **state) {
    (void)state;
    fresh();
    for (unsigned w = 0; w < 16; ++w) {
        char want[200];
        QS_BEGIN_ID(QS_USER, 0)
        QS_I8(w, 1);
        QS_U8(w, 1);
        QS_I16(w, 1);
        QS_U16(w, 1);
        QS_I32(w, 1);
        QS_U32(w, 1);
        QS_I64(w, 1);
        QS_U64(w, 1);
        QS_F32(w, 1.0f);
        QS_F64(w, 1.0);
        QS_END()
        snprintf(want, sizeof want,
                 STAMP "0001 %X101 %X20100 %X30100 %X401000000 %X501000000 %XD0100000000000000 "
                       "%XE0100000000000000 %X60000803F %X7000000000000F03F",
                 w, w, w, w, w, w, w, w, w);
        expect(100, want);
    }
}

static void other_elements(void **state) {
    static const uint8_t block[] = {1, 0x7D, 0x7E, 255};
    const char *text = "no literal";
    (void)state;
    fresh();
    QS_BEGIN_ID(QS_USER, 0)
    QS_F32(3, -1.5);
    QS_F64(4, 0.1);
    QS_STR("ab");
    QS_STR("");
    QS_STR(text);
    QS_MEM(block, sizeof block);
    QS_MEM(block, 0);
    QS_SIG(5, AN_OBJECT);
    QS_SIG(0x1234, NULL);
    QS_OBJ(AN_OBJECT);
    QS_FUN(A_FUNCTION);
    QS_ENUM(0, 0xFE);
    QS_ENUM(QS_CMD, 3);
    QS_END()
    expect(100, STAMP "360000C0BF 479A9999999999B93F 08616200 0800 086E6F206C69746572616C00 "
                      "09 04 017D7EFF 0900 0A0500 78563412 0A3412 00000000 0B78563412 0CEFCDAB89 "
                      "80FE F003");
    QS_BEGIN_ID(QS_USER, 0)
    QS_STR("}~"); // needs escapes
    QS_END()
    expect(100, STAMP "087D7E00");
}

static void forms_of_begin(void **state) {
    (void)state;
    fresh();
    QF_TEST_CRIT_ENTRY();
    QS_BEGIN_INCRIT(QS_USER + 2, 0)
    QS_U8(0, 1);
    QS_END_INCRIT()
    QS_BEGIN_NOCRIT(QS_USER + 3, 0)
    QS_U8(0, 2);
    QS_END_NOCRIT()
    QF_TEST_CRIT_EXIT();
    expect(102, STAMP "0101");
    expect(103, STAMP "0102");
    // 6.6: by object; with NULL, all objects.
    int mine, other;
    for (int round = 0; round < 3; ++round) {
        QS_FILTER_AP_OBJ(round == 1 ? &mine : NULL);
        QS_BEGIN(QS_USER, &mine)
        QS_U8(0, 3);
        QS_END()
        QS_BEGIN(QS_USER, &other)
        QS_U8(0, 4);
        QS_END()
        expect(100, STAMP "0103");
        if (round != 1) expect(100, STAMP "0104");
        expect_nothing();
    }
    assert_int_equal(crit_errors, 0);
}

static int calls;
static int evaluated(void) { return ++calls; }

static void filtered_records_are_not_evaluated(void **state) {
    (void)state;
    fresh();
    QS_GLB_FILTER(-QS_ALL_RECORDS);
    QS_BEGIN_ID(QS_USER, 0)
    QS_U8(0, evaluated());
    QS_END()
    assert_int_equal(calls, 0);
    expect_nothing();
}

// ---- dictionaries ----

struct philo {
    int timeEvt;
};

static void dictionaries(void **state) {
    static struct philo inst[1000];
    (void)state;
    fresh();
    enum { EAT_SIG = 4, MY_CMD = 9 };
    QS_SIG_DICTIONARY(EAT_SIG, NULL);
    expect(60, "0400 00000000 4541545F53494700");
    QS_SIG_DICTIONARY(EAT_SIG, AN_OBJECT);
    expect(60, "0400 78563412 4541545F53494700");
    QS_OBJ_DICTIONARY(&inst[3]);
    expect_name(61, 4, "inst[3]");
    QS_OBJ_DICTIONARY(inst);
    expect_name(61, 4, "inst");
    QS_OBJ_DICTIONARY(AN_OBJECT); // the macro's name, not its value
    expect(61, "78563412 414E5F4F424A45435400");
    QS_FUN_DICTIONARY(&dictionaries);
    expect_name(62, 4, "dictionaries");
    QS_FUN_DICTIONARY(A_FUNCTION);
    expect(62, "EFCDAB89 415F46554E4354494F4E00");
    QS_USR_DICTIONARY(QS_USER + 1);
    expect(63, "65 51535F55534552202B203100");
    QS_USR_DICTIONARY(QS_USER0);
    expect(63, "64 51535F555345523000");
    QS_ENUM_DICTIONARY(MY_CMD, QS_CMD);
    expect(54, "09 07 4D595F434D4400");
    expect_log("flush;flush;flush;flush;flush;flush;flush;flush;flush;flush;");
    // Dictionaries cannot be switched off.
    QS_GLB_FILTER(-QS_ALL_RECORDS);
    QS_OBJ_DICTIONARY(&inst[0].timeEvt);
    expect_name(61, 4, "inst[0].timeEvt");
}

static void array_dictionaries(void **state) {
    static struct philo inst[1000];
    static int noBracket;
    static const struct {
        int idx;
        const char *name;
    } want[] = {{0, "inst[0].timeEvt"},     {7, "inst[7].timeEvt"},     {10, "inst[10].timeEvt"},
                {42, "inst[42].timeEvt"},   {99, "inst[99].timeEvt"},   {100, "inst[0].timeEvt"},
                {105, "inst[5].timeEvt"},   {110, "inst[110].timeEvt"}, {200, "inst[0].timeEvt"},
                {123, "inst[123].timeEvt"}, {205, "inst[5].timeEvt"},   {999, "inst[999].timeEvt"}};
    (void)state;
    fresh();
    for (unsigned k = 0; k < sizeof want / sizeof *want; ++k) {
        int n = want[k].idx;
        QS_OBJ_ARR_DICTIONARY(&inst[n].timeEvt, n);
        const uint8_t *f = expect_name(61, 4, want[k].name);
        assert_int_equal(le(f + 2, 4), (uint32_t)(uintptr_t)&inst[n]);
    }
    QS_OBJ_ARR_DICTIONARY(inst[5].timeEvt, 5);
    expect_name(61, 4, "inst[5].timeEvt");
    QS_OBJ_ARR_DICTIONARY(&noBracket, 3);
    expect_name(61, 4, "noBracket3");
}

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
        const char *on; // by the table of wire reference section 8
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

// ---- predefined records, field by field ----

static void predefined_records(void **state) {
    (void)state;
    fresh();
    QF_TEST_CRIT_ENTRY();
    QS_BEGIN_PRE(QS_QF_ACTIVE_POST, 3)
    QS_TIME_PRE();
    QS_OBJ_PRE(AN_OBJECT);
    QS_SIG_PRE(5);
    QS_OBJ_PRE(AN_OBJECT);
    QS_2U8_PRE(1, 2);
    QS_EQC_PRE(9);
    QS_EQC_PRE(8);
    QS_END_PRE()
    expect(14, STAMP "78563412 0500 78563412 01 02 09 08");
    QS_BEGIN_PRE(QS_QEP_STATE_ENTRY, 3) // without a stamp
    QS_OBJ_PRE(AN_OBJECT);
    QS_FUN_PRE(A_FUNCTION);
    QS_END_PRE()
    expect(1, "78563412 EFCDAB89");
    QS_BEGIN_PRE(QS_USER, 0)
    QS_U8_PRE(0x7E);
    QS_U16_PRE(0x7D7E);
    QS_U32_PRE(0x01020304);
    QS_STR_PRE("text");
    QS_EVS_PRE(12);
    QS_MPS_PRE(13);
    QS_MPC_PRE(14);
    QS_TEC_PRE(15);
    QS_END_PRE()
    expect(100, "7E 7E7D 04030201 7465787400 0C00 0D00 0E00 0F000000");
    QS_GLB_FILTER(-QS_SM_RECORDS);
    QS_LOC_FILTER(-3);
    QS_BEGIN_PRE(QS_QEP_STATE_ENTRY, 0)
    QS_U8_PRE(evaluated());
    QS_END_PRE()
    QS_BEGIN_PRE(QS_QF_ACTIVE_POST, 3)
    QS_U8_PRE(evaluated());
    QS_END_PRE()
    QF_TEST_CRIT_EXIT();
    expect_nothing();
    assert_int_equal(calls, 0);
}

static void an_assertion(void **state) {
    (void)state;
    fresh();
    QF_TEST_CRIT_ENTRY(); // Q_onError may be called inside a critical section
    QS_ASSERTION("mod", 777, 100U);
    QF_TEST_CRIT_EXIT();
    expect_log("flush;cleanup;");
    expect(69, STAMP "0903 6D6F6400");
    assert_int_equal(crit_errors, 0);
}

// ---- output by blocks ----

static void blocks(void **state) {
    uint8_t got[64];
    unsigned len = 0;
    uint16_t n = 5;
    (void)state;
    fresh();
    for (int i = 0; i < 3; ++i) {
        QS_BEGIN_ID(QS_USER, 0)
        QS_U8(0, i);
        QS_END()
    }
    const uint8_t *p = QS_getBlock(&n);
    while (p) {
        assert_true(n >= 1 && n <= 5);
        memcpy(got + len, p, n);
        len += n;
        n = 5;
        p = QS_getBlock(&n);
    }
    assert_int_equal(n, 0);
    assert_int_equal(len, 3 * 10); // seq, rec, 4, format, value, sum, flag
    for (unsigned i = 0; i < 3; ++i) {
        assert_int_equal(got[10 * i + 1], 100);
        assert_int_equal(got[10 * i + 7], i);
        assert_int_equal(got[10 * i + 9], 0x7E);
    }
    assert_int_equal(QS_getByte(), QS_EOD);
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
        cmocka_unit_test(starts_as_qs_does),
        cmocka_unit_test(callbacks_are_called),
        cmocka_unit_test(a_frame_bit_for_bit),
        cmocka_unit_test(integers),
        cmocka_unit_test(every_width),
        cmocka_unit_test(other_elements),
        cmocka_unit_test(forms_of_begin),
        cmocka_unit_test(filtered_records_are_not_evaluated),
        cmocka_unit_test(dictionaries),
        cmocka_unit_test(array_dictionaries),
        cmocka_unit_test(global_filters),
        cmocka_unit_test(local_filters),
        cmocka_unit_test(predefined_records),
        cmocka_unit_test(an_assertion),
        cmocka_unit_test(blocks),
        cmocka_unit_test(host_commands),
        cmocka_unit_test(framework_hooks),
        cmocka_unit_test(probes),
        cmocka_unit_test(a_pause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
