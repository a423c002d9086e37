// SPDX-License-Identifier: MIT
// Uses every macro, function, callback and name of QS as applications do. Compiled as C99 and as
// C++11, with Q_SPY (no warning) and without it (no warning, and no references).

#include "qs.h"

// ---- only in a build with tracing ----

#ifdef Q_SPY
#include "callbacks.h"

static uint8_t out[1024], in[128];

uint8_t QS_onStartup(void const *arg) {
    QS_initBuf(out, sizeof(out));
    QS_rxInitBuf(in, sizeof(in));
    return arg ? 1U : 0U;
}
void QS_onFlush(void) {
    uint16_t b;
    while ((b = QS_getByte()) != QS_EOD) {
        (void)b;
    }
    uint16_t n = 0xFFFFU;
    uint8_t const *block = QS_getBlock(&n);
    (void)block;
}
QSTimeCtr QS_onGetTime(void) { return (QSTimeCtr)0; }
void QS_doOutput(void) { (void)QS_rxGetNfree(); }
void QS_doInput(void) { QS_rxParse(); }
#endif

// ---- application code, the same in both builds ----

enum { PHILO_STAT = QS_USER, COMMAND_STAT, TIMEOUT_SIG = 5 };

typedef struct {
    uint8_t prio;
    volatile int timer;
} Philo;

int evaluate(int n); // not defined: without Q_SPY no call may remain
void use_qs(Philo *me, Philo *philo, int n, char const *text, float f, double d);
int use_probes(int n);

void use_qs(Philo *me, Philo *philo, int n, char const *text, float f, double d) {
    static QSpyId const l_clock_tick = {QS_AP_ID};
    static uint8_t const block[3] = {1, 2, 3};
    (void)l_clock_tick;
    (void)block;
    (void)me;
    (void)philo;
    (void)n;
    (void)text;
    (void)f;
    (void)d;
    if (!QS_INIT((void *)0)) {
        QS_EXIT();
    }
    QS_FLUSH();
    QS_OUTPUT();
    QS_RX_INPUT();
    if (!QS_RX_PUT(0x7E)) QS_rxParse();
    QS_GLB_FILTER(QS_ALL_RECORDS);
    QS_GLB_FILTER(-QS_QF_TICK);
    QS_GLB_FILTER(-QS_GRP_UA);
    QS_GLB_FILTER(evaluate(1));
    QS_LOC_FILTER(QS_ALL_IDS);
    QS_LOC_FILTER(-QS_EP_IDS);
    QS_LOC_FILTER(me->prio);
    QS_FILTER_ON(QS_U0_RECORDS);
    QS_FILTER_OFF(QS_U1_RECORDS);
    QS_FILTER_AP_OBJ(me);

    QS_SIG_DICTIONARY(TIMEOUT_SIG, (void *)0);
    QS_SIG_DICTIONARY(TIMEOUT_SIG, me);
    QS_OBJ_DICTIONARY(&l_clock_tick);
    QS_OBJ_DICTIONARY(&me->timer);
    QS_OBJ_ARR_DICTIONARY(&philo[n].timer, n);
    QS_FUN_DICTIONARY(&use_qs);
    QS_FUN_DICTIONARY(evaluate);
    QS_USR_DICTIONARY(PHILO_STAT);
    QS_ENUM_DICTIONARY(COMMAND_STAT, QS_CMD);

    QS_BEGIN_ID(PHILO_STAT, me->prio) // no semicolon
    QS_I8(3, n);
    QS_U8(1, n);
    QS_I16(1, n);
    QS_U16(1, n);
    QS_I32(1, n);
    QS_U32(QS_HEX_FMT, n);
    QS_I64(1, n);
    QS_U64(1, evaluate(2));
    QS_F32(2, f);
    QS_F64(2, d);
    QS_STR("literal");
    QS_STR(text);
    QS_MEM(block, sizeof(block));
    QS_SIG(TIMEOUT_SIG, me);
    QS_OBJ(me);
    QS_OBJ(&me->timer);
    QS_FUN(&use_qs);
    QS_ENUM(QS_CMD, COMMAND_STAT);
    QS_END()
    QS_BEGIN(PHILO_STAT, me);
    QS_U8(0, 1);
    QS_END();
    QS_BEGIN_INCRIT(PHILO_STAT, 0U)
    QS_U8(0, 1);
    QS_END_INCRIT()
    QS_BEGIN_NOCRIT(PHILO_STAT, 0U)
    QS_U8(0, 1);
    QS_END_NOCRIT()
    QS_BEGIN_PRE(QS_QF_ACTIVE_POST, me->prio)
    QS_TIME_PRE();
    QS_OBJ_PRE(&l_clock_tick);
    QS_SIG_PRE(TIMEOUT_SIG);
    QS_OBJ_PRE(me);
    QS_2U8_PRE(n, 2U);
    QS_EQC_PRE(n);
    QS_U8_PRE(n);
    QS_U16_PRE(n);
    QS_U32_PRE(n);
    QS_STR_PRE(text);
    QS_FUN_PRE(&use_qs);
    QS_EVS_PRE(sizeof(Philo));
    QS_MPS_PRE(n);
    QS_MPC_PRE(n);
    QS_TEC_PRE(n);
    QS_END_PRE()

    QS_ONLY(n = evaluate(3));
    QF_QS_ACTION(n = evaluate(4));
    QS_setCurrObj(SM_OBJ, me);
    QS_setCurrObj(QS_OBJ_AP, me);
    QS_queryCurrObj(SM_OBJ);
    if (n) QS_ASSERTION("module", 100, 1000U);
    QS_TEST_PAUSE();
}

int use_probes(int n) {
    QS_TEST_PROBE_DEF(&use_probes)
    QS_TEST_PROBE(if (n > 1) { return (int)qs_tp_; })
    QS_TEST_PROBE_ID(3, n = 5; return evaluate(n);)
    return n;
}

// ---- every name that is a number ----

int names(int n);
int names(int n) {
    switch (n) {
    case 1: return QS_USER + QS_USER0 + QS_USER1 + QS_USER2 + QS_USER3 + QS_USER4;
    case 2: return QS_AO_ID + QS_EP_ID + QS_EQ_ID + QS_AP_ID;
    case 3: return QS_ID_AO + QS_ID_EP + QS_ID_EQ + QS_ID_AP;
    case 4: return QS_ALL_RECORDS + QS_SM_RECORDS + QS_AO_RECORDS + QS_EQ_RECORDS + QS_MP_RECORDS;
    case 5: return QS_TE_RECORDS + QS_QF_RECORDS + QS_SC_RECORDS + QS_SEM_RECORDS + QS_MTX_RECORDS;
    case 6: return QS_U0_RECORDS + QS_U1_RECORDS + QS_U2_RECORDS + QS_U3_RECORDS + QS_U4_RECORDS;
    case 7: return QS_GRP_ALL + QS_GRP_SM + QS_GRP_AO + QS_GRP_EQ + QS_GRP_MP + QS_GRP_TE;
    case 8: return QS_GRP_QF + QS_GRP_SC + QS_GRP_SEM + QS_GRP_MTX + QS_GRP_U0 + QS_GRP_U1;
    case 9: return QS_GRP_U2 + QS_GRP_U3 + QS_GRP_U4 + QS_GRP_UA + QS_UA_RECORDS;
    case 10: return QS_ALL_IDS + QS_AO_IDS + QS_EP_IDS + QS_EQ_IDS + QS_AP_IDS;
    case 11: return QS_IDS_ALL + QS_IDS_AO + QS_IDS_EP + QS_IDS_EQ + QS_IDS_AP;
    case 12: return SM_OBJ + AO_OBJ + MP_OBJ + EQ_OBJ + TE_OBJ + AP_OBJ + SM_AO_OBJ;
    case 13: return QS_OBJ_SM + QS_OBJ_AO + QS_OBJ_MP + QS_OBJ_EQ + QS_OBJ_TE + QS_OBJ_SM_AO;
    case 14: return QS_OBJ_EP + QS_RX_INFO + QS_RX_EVENT + QS_QF_ACTIVE_POST_FIFO;
    case 15: return QS_MUTEX_LOCK + QS_SCHED_RESUME + QS_QUERY_DATA + QS_QF_ACTIVE_DEFER_ATTEMPT;
    default: return QS_EMPTY;
    }
}
