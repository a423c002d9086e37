// SPDX-License-Identifier: MIT
// The reader's side: bytes leave as loans. A frame leaves the ring when its last byte has been
// sent; then its number and time are known as those of the tail.
//
// Two things go out that are not in the ring, from `stage`: a byte that spoils a frame which was
// given up while half of it was sent, and behind every hole a SYNC that takes the number of the
// last record lost. Both only where they belong: between frames. The frames behind such a SYNC go
// with it, as many as fit: else, when records come faster than they leave, the next hole would be
// there before any of them, and nothing but SYNCs would get out.

#include "wfi_core.h"

#if !WF_CFG_SLOTS

// Moves the oldest frame behind what is on the stage. False: there is none, or it does not fit.
static bool stage_frame(void) {
    uint8_t *p = wfi.tail, *to = wfi.at, byte;
    if (p == wfi.next) return false;
    do {
        if (to == wfi.stage + sizeof wfi.stage) return false;
        *to++ = byte = *p;
        p = wfi_step(p);
    } while (byte != WFI_FLAG);
    wfi_leaves(wfi.tail);
    wfi.tail = wfi.sent = p;
    wfi.at = to;
    return true;
}

// Puts onto the stage what must go out before the ring's next byte, if anything.
static void set_stage(void) {
    wfi_open();
    wfi.at = wfi.stage;
    wfi.limit = wfi.stage + sizeof wfi.stage;
    if (wfi.cut) {
        wfi.cut = false;
        *wfi.at++ = wfi.spoiler;
        *wfi.at++ = WFI_FLAG;
    } else if (wfi.hole && wfi.sent == wfi.tail) {
        wfi.hole = false;
        if (WF_CFG_SYNC) {
            wfi_put_sync(&wfi.tail_at, true);
            wfi_close_frame();
            while (stage_frame()) continue;
        }
    }
    wfi.limit = wfi.next; // to be found again
    wfi.stage_at = 0;
    wfi.stage_len = (uint8_t)(wfi.at - wfi.stage);
}

int wf_get_byte(void) {
    const uint8_t *p;
    if (!wf_get_block(&p, 1)) return -1;
    int byte = *p;
    wf_block_done(1);
    return byte;
}

uint32_t wf_get_block(const uint8_t **block, uint32_t max) {
    wf_block_done(wfi.lent);
    uint32_t was = wf_port_lock();
    if (wfi.stage_at == wfi.stage_len && (wfi.cut || wfi.hole)) set_stage();
    const uint8_t *from = wfi.stage + wfi.stage_at, *end = wfi.stage + wfi.stage_len;
    wfi.lent_stage = from != end;
    if (from == end) {
        from = wfi.sent;
        end = wfi.next < from ? wfi.ring_end : wfi.next;
    }
    *block = from;
    if ((size_t)(end - from) < max) max = (uint32_t)(end - from);
    wfi.lent = max;
    wf_port_unlock(was);
    return max;
}

static void free_ring(uint32_t sent) {
    // The loan keeps the writer off these bytes and the tail, so no lock is needed to look at them.
    uint8_t *tail = wfi.tail, *p = wfi.sent;
    for (; sent; --sent) {
        uint8_t byte = *p;
        p = wfi_step(p);
        if (byte != WFI_FLAG) continue;
        wfi_leaves(tail);
        tail = p;
    }
    uint32_t was = wf_port_lock();
    wfi.tail = tail;
    wfi.sent = p;
    wfi.lent = 0;
    wf_port_unlock(was);
}

void wf_block_done(uint32_t sent) {
    if (!wfi.lent) return;
    if (sent > wfi.lent) sent = wfi.lent;
    if (!wfi.lent_stage) {
        free_ring(sent);
        return;
    }
    uint32_t was = wf_port_lock();
    wfi.stage_at = (uint8_t)(wfi.stage_at + sent);
    wfi.lent = 0;
    wf_port_unlock(was);
}
#endif
