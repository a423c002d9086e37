// SPDX-License-Identifier: MIT
// No critical section is entered recursively: the program's callbacks are those of a stock POSIX
// port, which calls QS_getBlock() and QS_getByte() inside its own, and a recursive entry fails the
// test. The test calls every function of compat/qs.h and every command of the host.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "qs.h"

#include "qf_port.h"

int crit_depth, crit_errors;

static uint8_t ring[4096], rx_ring[128];
static unsigned sent;

#ifdef TEST_CRIT_STAT
#define CRIT_ENTRY()                                                                               \
    QF_CRIT_STAT_TYPE stat;                                                                        \
    QF_CRIT_ENTRY(stat)
#define CRIT_AGAIN() QF_CRIT_ENTRY(stat)
#define CRIT_EXIT()  QF_CRIT_EXIT(stat)
#else
#define CRIT_ENTRY() QF_CRIT_ENTRY()
#define CRIT_AGAIN() QF_CRIT_ENTRY()
#define CRIT_EXIT()  QF_CRIT_EXIT()
#endif

static void check(void) {
    assert_int_equal(crit_errors, 0);
    assert_int_equal(crit_depth, 0);
}

// ---- as in a stock port

void QS_onFlush(void) {
    uint16_t n = 1000;
    const uint8_t *block;
    CRIT_ENTRY();
    while ((block = QS_getBlock(&n)) != NULL) {
        CRIT_EXIT();
        for (uint16_t i = 0; i < n; ++i) sent += block[i] == 0x7E;
        n = 1000;
        CRIT_AGAIN();
    }
    CRIT_EXIT();
    check();
}

void QS_doOutput(void) {
    CRIT_ENTRY();
    uint16_t byte = QS_getByte();
    CRIT_EXIT();
    sent += byte == 0x7E;
}

void QS_doInput(void) { QS_rxParse(); }
uint8_t QS_onStartup(const void *arg) { return arg == NULL; }
void QS_onCleanup(void) {}
QSTimeCtr QS_onGetTime(void) { return 1; }
void QS_onReset(void) {}
void QS_onCommand(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    QS_BEGIN_ID(QS_USER, 0)
    QS_U32(0, id + p1 + p2 + p3);
    QS_END()
}
void QS_onTestSetup(void) {}
void QS_onTestTeardown(void) {}
void QS_onTestLoop(void) {
    static const uint8_t go_on[] = {1, 14, (uint8_t)~15, 0x7E};
    for (unsigned i = 0; i < sizeof go_on; ++i) (void)QS_RX_PUT(go_on[i]);
    QS_rxParse();
}

static void fresh(void) {
    QS_initBuf(ring, sizeof ring);
    QS_rxInitBuf(rx_ring, sizeof rx_ring);
    QS_GLB_FILTER(QS_ALL_RECORDS);
    QS_LOC_FILTER(QS_ALL_IDS);
    sent = 0;
}

static void records(void) {
    static const uint8_t block[3] = {1, 2, 3};
    QS_BEGIN_ID(QS_USER, 0)
    QS_I8(0, 1);
    QS_STR("a text");
    QS_MEM(block, 3);
    QS_OBJ(ring);
    QS_FUN(&records);
    QS_SIG(5, ring);
    QS_F64(0, 1.0);
    QS_END()
    QS_BEGIN(QS_USER, ring)
    QS_U8(0, 1);
    QS_END()
    CRIT_ENTRY();
    QS_BEGIN_INCRIT(QS_USER, 0)
    QS_U8(0, 1);
    QS_END_INCRIT()
    QS_BEGIN_NOCRIT(QS_USER, 0)
    QS_U8(0, 1);
    QS_END_NOCRIT()
    QS_BEGIN_PRE(QS_QF_TICK, 0)
    QS_TEC_PRE(1);
    QS_U8_PRE(0);
    QS_END_PRE()
    CRIT_EXIT();
    check();
}

static void records_and_output(void **state) {
    (void)state;
    fresh();
    for (unsigned i = 0; i < 600; ++i) { // more than the ring holds
        records();
        if (i % 100 == 0) QS_FLUSH();
    }
    for (unsigned i = 0; i < 9000; ++i) QS_OUTPUT();
    check();
    assert_true(sent > 100);
}

static void dictionaries_filters_objects(void **state) {
    (void)state;
    fresh();
    QS_SIG_DICTIONARY(1, NULL);
    QS_OBJ_DICTIONARY(ring);
    QS_OBJ_ARR_DICTIONARY(&ring[3], 3);
    QS_FUN_DICTIONARY(&records);
    QS_USR_DICTIONARY(QS_USER);
    QS_ENUM_DICTIONARY(1, 0);
    QS_GLB_FILTER(-QS_UA_RECORDS);
    QS_LOC_FILTER(-QS_AP_IDS);
    QS_setCurrObj(SM_OBJ, ring);
    for (uint8_t kind = 0; kind < 8; ++kind) QS_queryCurrObj(kind);
    assert_true(QS_INIT(NULL) == 1);
    QS_TEST_PAUSE();
    QS_ASSERTION("module", 1, 1);
    QS_EXIT();
    QS_FLUSH();
    check();
    assert_true(sent > 10);
}

static void commands_of_the_host(void **state) {
    (void)state;
    fresh();
    for (unsigned command = 0; command < 32; ++command) {
        for (unsigned len = 0; len < 24; ++len) {
            uint8_t sum = 0;
            for (unsigned i = 0; i <= 2 + len; ++i) {
                const uint8_t byte = i == 0   ? (uint8_t)(1 + len)
                                     : i == 1 ? (uint8_t)command
                                              : (uint8_t)(i % 3);
                const uint8_t put = i == 2 + len ? (uint8_t)~sum : byte;
                sum = (uint8_t)(sum + byte);
                if (put == 0x7D || put == 0x7E) (void)QS_RX_PUT(0x7D);
                (void)QS_RX_PUT(put == 0x7D || put == 0x7E ? put ^ 0x20 : put);
            }
            (void)QS_RX_PUT(0x7E);
            QS_RX_INPUT();
            check();
            assert_true(QS_rxGetNfree() > 0);
            QS_FLUSH();
        }
    }
    assert_true(sent > 100);
}

// Functions called inside a critical section enter none, also when they complete a SYNC, when a
// frame is longer than the stage, and when frames are dropped.
static void the_reader_enters_none(void **state) {
    static const uint8_t block[256];
    (void)state;
    fresh();
    for (unsigned round = 0; round < 400; ++round) {
        for (unsigned i = 0; i < round % 50; ++i) {
            QS_BEGIN_ID(QS_USER, 0)
            QS_MEM(block, (uint8_t)(i * 7));
            QS_END()
        }
        uint16_t n = (uint16_t)(1 + round % 300);
        CRIT_ENTRY();
        const int depth = crit_depth;
        if (round % 2)
            (void)QS_getBlock(&n);
        else
            for (; n; --n) (void)QS_getByte();
        assert_int_equal(crit_depth, depth);
        CRIT_EXIT();
        check();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_and_output),
        cmocka_unit_test(dictionaries_filters_objects),
        cmocka_unit_test(commands_of_the_host),
        cmocka_unit_test(the_reader_enters_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
