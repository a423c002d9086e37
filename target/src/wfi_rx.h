// SPDX-License-Identifier: MIT
// Between the receiver (wf_rx.c), its commands (wf_commands.c) and the test mode (wf_probe.c).
#ifndef WFI_RX_H
#define WFI_RX_H

#include "wfi_core.h"

#include "wallfly/wf_probe.h"
#include "wallfly/wf_rx.h"

#if WF_CFG_RX

// A frame in the ring, already unescaped, without sequence, number and checksum.
struct wfi_frame {
    uint32_t at;   // offset in the ring of the next byte
    uint32_t left; // bytes
    bool cut;      // more was asked for than there is
};

struct wfi_receiver {
    const struct wf_rx_config *config;
    const struct wf_rx_hooks *hooks;
    uint32_t head;  // where the next byte goes
    uint32_t kept;  // from here on bytes are still needed
    uint32_t scan;  // next byte to look at
    uint32_t start; // of the frame that is coming in, unescaped up to `end`
    uint32_t end, len;
    uint8_t sum, seq;
    bool esc, too_long;
    bool overrun;            // bytes were dropped
    uint32_t lost_at;        // in front of the one here
    struct wfi_frame params; // of the event under way
    void *current[WF_OBJ_KINDS];
#if WF_CFG_TEST
    bool paused;
    uint8_t probe_count;
    struct {
        uintptr_t fun;
        uint32_t data;
    } probes[WF_PROBES_MAX];
#endif
};

extern struct wfi_receiver wfi_rx;

// Errors of the protocol, as they stand in RX_STATUS behind bit 7.
enum {
    WFI_RX_BAD_SUM = 41,
    WFI_RX_GAP = 42,
    WFI_RX_UNKNOWN = 43,
    WFI_RX_CUT = 47,
    WFI_RX_BAD = 50
};

void wfi_rx_error(uint8_t code);
uint32_t wfi_rx_take(struct wfi_frame *f, unsigned bytes); // little-endian, at most 4; 0 if cut
uintptr_t wfi_rx_take_address(struct wfi_frame *f, unsigned bytes);
void wfi_rx_obey(uint8_t number, struct wfi_frame *f);

#if WF_CFG_TEST
void wfi_test_setup(void);
bool wfi_probe_add(uintptr_t fun, uint32_t data);
#endif

#endif
#endif
