// SPDX-License-Identifier: MIT
// A small, typical program for QS. Its stream goes to standard output.

#include <stdio.h>

#include "qs.h"

enum { TIMEOUT_SIG = 10 };
enum { PHILO_STAT = QS_USER, COMMAND_STAT };
enum { THINKING, EATING };

static struct philo { uint8_t prio; } inst[3];
static QSpyId const l_clock_tick = {QS_AP_ID};

static void serving(void) {}

uint8_t QS_onStartup(void const *arg) {
    static uint8_t out[4096];
    QS_initBuf(out, sizeof(out));
    return arg == NULL;
}
void QS_onCleanup(void) {}
void QS_onFlush(void) {
    uint16_t n = 64U;
    uint8_t const *block;
    while ((block = QS_getBlock(&n)) != NULL) {
        fwrite(block, 1U, n, stdout);
        n = 64U;
    }
}
QSTimeCtr QS_onGetTime(void) { return 1234U; }
void QS_onReset(void) {}
void QS_onCommand(uint8_t cmdId, uint32_t param1, uint32_t param2, uint32_t param3) {
    (void)cmdId;
    (void)param1;
    (void)param2;
    (void)param3;
}

int main(void) {
    static uint8_t const bytes[3] = {1, 0x7E, 255};
    if (!QS_INIT(NULL)) return 1;
    QS_GLB_FILTER(QS_ALL_RECORDS);
    QS_GLB_FILTER(-QS_QF_TICK);
    QS_OBJ_DICTIONARY(&l_clock_tick);
    for (int n = 0; n < 3; ++n) {
        QS_OBJ_ARR_DICTIONARY(&inst[n], n);
    }
    QS_FUN_DICTIONARY(&serving);
    QS_SIG_DICTIONARY(TIMEOUT_SIG, (void *)0);
    QS_USR_DICTIONARY(PHILO_STAT);
    QS_ENUM_DICTIONARY(EATING, 2);
    QS_BEGIN_ID(PHILO_STAT, inst[1].prio)
    QS_I8(5, -7);
    QS_U8(5, 7);
    QS_U16(QS_HEX_FMT, 0xABC);
    QS_I32(0, -100000);
    QS_I64(3, -5);
    QS_U64(9, 5);
    QS_F32(2, 1.25F);
    QS_F64(3, -1000.5);
    QS_STR("eating");
    QS_STR("{~}");
    QS_MEM(bytes, sizeof(bytes));
    QS_SIG(TIMEOUT_SIG, &inst[1]);
    QS_SIG(TIMEOUT_SIG, (void *)0);
    QS_OBJ(&inst[2]);
    QS_FUN(&serving);
    QS_ENUM(2, EATING);
    QS_ENUM(2, THINKING);
    QS_END()
    QS_BEGIN_ID(COMMAND_STAT, 0U)
    QS_END()
    QS_BEGIN_PRE(QS_QF_ACTIVE_POST, 1U)
    QS_TIME_PRE();
    QS_OBJ_PRE(&l_clock_tick);
    QS_SIG_PRE(TIMEOUT_SIG);
    QS_OBJ_PRE(&inst[0]);
    QS_2U8_PRE(1, 0);
    QS_EQC_PRE(9);
    QS_EQC_PRE(8);
    QS_END_PRE()
    QS_BEGIN_PRE(QS_QF_TICK, 0U) // filtered out
    QS_TEC_PRE(1);
    QS_U8_PRE(0);
    QS_END_PRE()
    QS_ASSERTION("main", 200, 1U);
    return 0;
}
