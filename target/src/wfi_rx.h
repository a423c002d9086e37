// SPDX-License-Identifier: MIT
// Shared by the receiver (wf_rx.c), its commands (wf_commands.c) and the test mode (wf_probe.c).
#ifndef WFI_RX_H
#define WFI_RX_H

#include "wfi_core.h"

#include "wallfly/wf_probe.h"
#include "wallfly/wf_rx.h"

#if WF_CFG_RX

// A field of a command, of any width.
#if WF_CFG_OBJ_SIZE > 4 || WF_CFG_FUN_SIZE > 4
typedef uint64_t wfi_field;
#else
typedef uint32_t wfi_field;
#endif

// Small members first: short instructions can address them. Before wf_rx_start all is 0: a ring
// that takes nothing and is always empty.
struct wfi_receiver {
    uint8_t sum;
    uint8_t seq;
    bool esc, bad; // of the frame being received: the next byte is escaped; the frame is bad
    bool cut;      // the current frame is shorter than its fields
    bool overrun;  // bytes were dropped
#if WF_CFG_TEST
    bool paused;
    uint8_t probe_count;
#endif
    uint8_t *ring;
    uint32_t size;
    uint32_t head;       // where the next byte goes
    uint32_t kept;       // the bytes from here on are still needed
    uint32_t scan;       // next byte to scan
    uint32_t start, len; // of the frame being received, unescaped up to `end`
    uint32_t end;
    uint32_t lost_at;  // bytes were dropped before the byte here
    uint32_t at, left; // of the current frame: the bytes that were not read yet
    const struct wf_rx_config *config;
    const struct wf_rx_hooks *hooks;
    void *current[WF_OBJ_KINDS];
#if WF_CFG_TEST
    struct {
        uintptr_t fun;
        uint32_t data;
    } probes[WF_PROBES_MAX];
#endif
};

extern struct wfi_receiver wfi_rx;

// Errors of the protocol, as in the low bits of RX_STATUS when bit 7 is set.
enum {
    WFI_RX_OBEYED = 0,
    WFI_RX_BAD_SUM = 41,
    WFI_RX_GAP = 42,
    WFI_RX_UNKNOWN = 43,
    WFI_RX_CUT = 47,
    WFI_RX_BAD = 50
};

// Reads the next bytes of the current frame, little-endian. Returns 0 and sets `cut` at its end.
wfi_field wfi_rx_take(unsigned bytes);

// Executes the current frame. Returns 0, or an error code.
uint8_t wfi_rx_obey(uint8_t number);

#if WF_CFG_TEST
void wfi_test_setup(void);
bool wfi_probe_add(uintptr_t fun, uint32_t data);
#endif

#endif
#endif
