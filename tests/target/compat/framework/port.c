// SPDX-License-Identifier: MIT
// The test's port to a desktop: critical section, callbacks of QS, output. Without Q_SPY only the
// critical section.

#include <stdio.h>
#include <stdlib.h>

#include "qpc.h"

#include "qs_pkg.h"

#include "../callbacks.h"

unsigned crit_depth, crit_entries;

void crit_enter(void) {
    if (crit_depth++) abort();
    ++crit_entries;
}
void crit_exit(void) {
    if (--crit_depth) abort();
}

uint8_t QS_onStartup(void const *arg) {
    static uint8_t out[65536], in[128];
    QS_initBuf(out, sizeof(out));
    QS_rxInitBuf(in, sizeof(in));
    return arg == NULL;
}
QSTimeCtr QS_onGetTime(void) { return (QSTimeCtr)10U; }
void QS_onFlush(void) {
    FRAMEWORK_STAT
    for (;;) {
        uint16_t n = 256U;
        FRAMEWORK_ENTRY(); // as QS requires
        uint8_t const *block = QS_getBlock(&n);
        FRAMEWORK_EXIT();
        if (!block) break;
        fwrite(block, 1U, n, stdout);
    }
}
void QS_output(void) { QS_onFlush(); }
void QS_rx_input(void) { QS_rxParse(); }
