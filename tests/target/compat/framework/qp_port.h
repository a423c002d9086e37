// SPDX-License-Identifier: MIT
// The test framework's replacement for QP's header: types, sizes and a critical section, which ends
// the program when it is entered recursively. QP_STYLE: how the status is stored. 0: not stored; 1:
// in a variable of the caller, QF_CRIT_STAT_TYPE; 2: in one that QF_CRIT_STAT declares.
#ifndef QP_PORT_H
#define QP_PORT_H

#include <stdbool.h>
#include <stdint.h>

#define Q_SIGNAL_SIZE       2U
#define QF_EVENT_SIZ_SIZE   4U
#define QF_EQUEUE_CTR_SIZE  4U
#define QF_MPOOL_SIZ_SIZE   4U
#define QF_MPOOL_CTR_SIZE   4U
#define QF_TIMEEVT_CTR_SIZE 4U
#define QF_MAX_ACTIVE       32U
#define QF_MAX_TICK_RATE    2U

typedef uint16_t QSignal;
typedef struct QEvt {
    QSignal sig;
} QEvt;
typedef struct QActive {
    uint8_t prio;
} QActive;

void crit_enter(void);
void crit_exit(void);
extern unsigned crit_depth, crit_entries;

#if QP_STYLE == 1
#define QF_CRIT_STAT_TYPE    unsigned
#define QF_CRIT_ENTRY(stat_) (crit_enter(), (stat_) = 0x5AU)
#define QF_CRIT_EXIT(stat_)  ((stat_) == 0x5AU ? crit_exit() : crit_enter())
#define FRAMEWORK_STAT       QF_CRIT_STAT_TYPE held_;
#define FRAMEWORK_ENTRY()    QF_CRIT_ENTRY(held_)
#define FRAMEWORK_EXIT()     QF_CRIT_EXIT(held_)
#else
#if QP_STYLE == 2
#define QF_CRIT_STAT    unsigned crit_stat_;
#define QF_CRIT_ENTRY() (crit_enter(), crit_stat_ = 0x5AU)
#define QF_CRIT_EXIT()  (crit_stat_ == 0x5AU ? crit_exit() : crit_enter())
#else
#define QF_CRIT_STAT
#define QF_CRIT_ENTRY() crit_enter()
#define QF_CRIT_EXIT()  crit_exit()
#endif
#define FRAMEWORK_STAT    QF_CRIT_STAT
#define FRAMEWORK_ENTRY() QF_CRIT_ENTRY()
#define FRAMEWORK_EXIT()  QF_CRIT_EXIT()
#endif

#endif
