// SPDX-License-Identifier: MIT
// Assertions, and the additions of a test build: probes, pauses, a counting clock.

#include "wfi_rx.h"

void wf_assert_fail(const char *module, uint16_t location) {
#if WF_CFG_TRIGGER
    wfi_trigger_asked(false, WF_ID_assert_fail, 0); // it is recorded in any case
#endif
    wfi_emit_assert_fail(location, module);
#if WF_CFG_RX
    if (!wfi_rx.hooks) return;
    if (wfi_rx.hooks->flush) wfi_rx.hooks->flush();
    if (wfi_rx.hooks->stop) wfi_rx.hooks->stop();
#endif
}

#if WF_CFG_TEST && WF_CFG_RX

bool wfi_probe_add(uintptr_t fun, uint32_t data) {
    if (wfi_rx.probe_count == WF_PROBES_MAX) return false;
    wfi_rx.probes[wfi_rx.probe_count].fun = fun;
    wfi_rx.probes[wfi_rx.probe_count].data = data;
    ++wfi_rx.probe_count;
    return true;
}

// A probe has the low bytes of the function's address, as sent on the wire.
static uintptr_t on_wire(wf_function fun) {
    enum { WFI_CUT = 64 - 8 * WF_CFG_FUN_SIZE };
    return (uintptr_t)((uint64_t)(uintptr_t)fun << WFI_CUT >> WFI_CUT);
}

uint32_t wfi_probe_get(wf_function fun) {
    uint32_t data = 0;
    unsigned i = 0;
    while (i < wfi_rx.probe_count && wfi_rx.probes[i].fun != on_wire(fun)) ++i;
    if (i == wfi_rx.probe_count) return 0;
    data = wfi_rx.probes[i].data;
    --wfi_rx.probe_count;
    for (; i < wfi_rx.probe_count; ++i) wfi_rx.probes[i] = wfi_rx.probes[i + 1];
    wfi_emit_test_probe_get(fun, data);
    return data;
}

// Restarts the test clock. Counts as a wrap, so that the host's clock does not report an error.
void wfi_test_setup(void) {
    uint32_t was = wf_port_lock();
    wfi_rx.probe_count = 0;
    wfi.test_clock = 0;
    ++wfi.wraps;
    wfi.wrapped = true;
    wfi.last = 0;
    wfi.sync_due = WF_CFG_SYNC;
    wfi.limit = wfi.next;
    wf_port_unlock(was);
}

void wfi_test_pause(void) {
    wfi_emit_test_paused();
    wfi_rx.paused = true;
    while (wfi_rx.paused) {
        if (wfi_rx.hooks->flush) wfi_rx.hooks->flush();
        wf_rx_parse();
    }
}

#endif
