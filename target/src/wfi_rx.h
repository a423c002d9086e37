// SPDX-License-Identifier: MIT
// Between the receiver (wf_rx.c), its commands (wf_commands.c) and the test mode (wf_probe.c).
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

// Small members first: the shortest instructions reach them. Before wf_rx_start all is 0: a ring
// that takes nothing and is always empty.
struct wfi_receiver {
    uint8_t sum;
    uint8_t seq;
    bool esc, bad; // of the frame coming in: the next byte is escaped; it cannot be good any more
    bool cut;      // more of the frame at hand was asked for than there is
    bool overrun;  // bytes were dropped
#if WF_CFG_TEST
    bool paused;
    uint8_t probe_count;
#endif
    uint8_t *ring;
    uint32_t size;
    uint32_t head;       // where the next byte goes
    uint32_t kept;       // from here on bytes are still needed
    uint32_t scan;       // next byte to look at
    uint32_t start, len; // of the frame that is coming in, unescaped up to `end`
    uint32_t end;
    uint32_t lost_at;  // in front of the byte here bytes were dropped
    uint32_t at, left; // of the frame at hand: what has not been taken yet
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

// Errors of the protocol, as they stand in RX_STATUS behind bit 7.
enum {
    WFI_RX_OBEYED = 0,
    WFI_RX_BAD_SUM = 41,
    WFI_RX_GAP = 42,
    WFI_RX_UNKNOWN = 43,
    WFI_RX_CUT = 47,
    WFI_RX_BAD = 50
};

// The next bytes of the frame at hand, little-endian; 0 if it is cut.
wfi_field wfi_rx_take(unsigned bytes);

// Obeys the frame at hand; an error, if it cannot.
uint8_t wfi_rx_obey(uint8_t number);

#if WF_CFG_TEST
void wfi_test_setup(void);
bool wfi_probe_add(uintptr_t fun, uint32_t data);
#endif

#endif
#endif
