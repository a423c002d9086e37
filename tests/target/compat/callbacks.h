// SPDX-License-Identifier: MIT
// Empty callbacks of QS, for programs that need them only to link.
#ifndef CALLBACKS_H
#define CALLBACKS_H

void QS_onCleanup(void) {}
void QS_onReset(void) {}
void QS_onCommand(uint8_t cmdId, uint32_t param1, uint32_t param2, uint32_t param3) {
    (void)cmdId;
    (void)param1;
    (void)param2;
    (void)param3;
}
void QS_onTestSetup(void) {}
void QS_onTestTeardown(void) {}
void QS_onTestLoop(void) {}
void QS_onTestEvt(QEvt *e) { (void)e; }
void QS_onTestPost(void const *sender, QActive *recipient, QEvt const *e, bool status) {
    (void)sender;
    (void)recipient;
    (void)e;
    (void)status;
}

#endif
