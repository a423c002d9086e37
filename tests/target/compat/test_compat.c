// SPDX-License-Identifier: MIT
// The frames of QS's macros, byte for byte: the expected bytes are
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
        cmocka_unit_test(predefined_records),
        cmocka_unit_test(an_assertion),
        cmocka_unit_test(blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
