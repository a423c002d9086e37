// SPDX-License-Identifier: MIT
// Lets code that was written for QS record with wallfly, unchanged: the same macros make the same
// records. docs/compat.md lists what to change in a build. As in QS, without Q_SPY all macros
// expand to nothing, and no argument is evaluated.
#ifndef QS_H
#define QS_H

#include "compat/qs_ids.h"
#include "wallfly/wf_recorder.h"

#ifdef WF_CFG_QS_TYPES // a header of yours that has QEvt and QActive, for two test callbacks
#include WF_CFG_QS_TYPES
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef wf_stamp QSTimeCtr;
typedef wf_function QSpyFunPtr;

// A sender that is no object but has a QS-ID, for instance a clock tick.
typedef struct {
    uint8_t prio; // the QS-ID
} QSpyId;

#define QS_HEX_FMT 0x0FU               // width that means hexadecimal
#define QS_EOD     ((uint16_t)0xFFFFU) // of QS_getByte: no byte to send

// Functions that the program defines; compat/qs_compat.c calls them.
uint8_t QS_onStartup(const void *arg); // not 0: started. Calls QS_initBuf and QS_rxInitBuf
void QS_onCleanup(void);
void QS_onFlush(void);        // sends all waiting bytes; called after each dictionary
QSTimeCtr QS_onGetTime(void); // context: any; also called for records without a stamp
void QS_onReset(void);
void QS_onCommand(uint8_t cmdId, uint32_t param1, uint32_t param2, uint32_t param3);
void QS_doOutput(void); // of QS_OUTPUT: sends the bytes that the link takes
void QS_doInput(void);  // of QS_RX_INPUT: receives and parses

// The same for test builds (Q_UTEST). In a pause QS_onTestLoop is called repeatedly until the host
// continues the test; each call sends and receives once, and returns.
void QS_onTestSetup(void);
void QS_onTestTeardown(void);
void QS_onTestLoop(void);
#ifdef WF_CFG_QS_TYPES // called by the framework only
void QS_onTestEvt(QEvt *e);
void QS_onTestPost(const void *sender, QActive *recipient, const QEvt *e, bool status);
#endif

#ifdef __cplusplus
}
#endif

#ifdef Q_SPY
#include "compat/qs_on.h"

#include "compat/qs_framework.h"
#else
#include "compat/qs_off.h"
#endif

#endif
