// SPDX-License-Identifier: MIT
// Port of a program written for QS. Its time is QS_onGetTime(). Its critical section is that of its
// own port's header, given by -DWF_CFG_QS_PORT='"qf_port.h"' (QP 7.3 and later: "qp_port.h"):
// QF_CRIT_ENTRY and QF_CRIT_EXIT, with a status if there is a QF_CRIT_STAT_TYPE. If QF_CRIT_STAT
// declares a variable for the status, give its name by -DWF_CFG_QS_STATUS=variable. Without these
// macros there is no critical section, for programs without interrupts.
#ifndef WF_PORT_H
#define WF_PORT_H

#include <stdint.h>

#include "wallfly/wf_recorder.h"

#ifdef WF_CFG_QS_PORT
#include WF_CFG_QS_PORT
#endif

wf_stamp QS_onGetTime(void);

static inline wf_stamp wf_port_now(void) { return QS_onGetTime(); }

#if defined QF_CRIT_ENTRY && defined WF_CFG_QS_STATUS
static inline uint32_t wf_port_lock(void) {
    QF_CRIT_STAT
    QF_CRIT_ENTRY();
    return (uint32_t)WF_CFG_QS_STATUS;
}
static inline void wf_port_unlock(uint32_t was) {
    QF_CRIT_STAT
    WF_CFG_QS_STATUS = was;
    QF_CRIT_EXIT();
}
#elif defined QF_CRIT_ENTRY && defined QF_CRIT_STAT_TYPE
static inline uint32_t wf_port_lock(void) {
    QF_CRIT_STAT_TYPE was;
    QF_CRIT_ENTRY(was);
    return (uint32_t)was;
}
static inline void wf_port_unlock(uint32_t was) {
    QF_CRIT_STAT_TYPE as_it_was = (QF_CRIT_STAT_TYPE)was;
    QF_CRIT_EXIT(as_it_was);
}
#elif defined QF_CRIT_ENTRY
static inline uint32_t wf_port_lock(void) {
    QF_CRIT_ENTRY();
    return 0;
}
static inline void wf_port_unlock(uint32_t was) {
    (void)was;
    QF_CRIT_EXIT();
}
#else
static inline uint32_t wf_port_lock(void) { return 0; }
static inline void wf_port_unlock(uint32_t was) { (void)was; }
#endif

static inline uint8_t wf_port_core(void) { return 0; }

#endif
