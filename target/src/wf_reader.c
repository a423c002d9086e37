// SPDX-License-Identifier: MIT
// The reader's side: bytes leave at the tail, one by one or as a loan. What leaves, and what is
// given up, passes wfi_pass, so that the recorder always knows the number of the frame at the tail,
// its time base, and how much of it has been sent.
//
// Two things go out that are not in the ring, from `stage`: a byte that spoils a frame which was
// given up while half of it was sent, and behind every hole a SYNC that takes the number of the
// last record lost. Both only where they belong: between frames.

#include "wfi_core.h"

enum { SYNC_COUNT_AT = 2, SYNC_TICKS_AT = SYNC_COUNT_AT + 8, SYNC_TICKS_END = SYNC_TICKS_AT + 8 };

// A frame has left. A SYNC carries its own number; numbers between were refused at the head.
static void passed(void) {
    ++wfi.tail_count;
    if (wfi.passing.at <= SYNC_TICKS_END || wfi.passing.id != WF_ID_sync) return;
    wfi.tail_refused += (uint32_t)(wfi.passing_count - wfi.tail_count);
    wfi.tail_count = wfi.passing_count;
}

static void passing_sync(uint8_t at, uint8_t byte) {
    if (at == SYNC_COUNT_AT) wfi.passing_count = 0;
    if (at == SYNC_TICKS_AT) wfi.tail_ticks = 0;
    if (at >= SYNC_COUNT_AT && at < SYNC_TICKS_AT) {
        wfi.passing_count |= (uint64_t)byte << 8 * (at - SYNC_COUNT_AT);
    } else if (at >= SYNC_TICKS_AT && at < SYNC_TICKS_END) {
        wfi.tail_ticks |= (uint64_t)byte << 8 * (at - SYNC_TICKS_AT);
    }
}

bool wfi_pass(uint8_t byte) {
    struct wfi_passing *p = &wfi.passing;
    if (byte == WFI_FLAG) {
        passed();
        p->at = p->sum = p->id = 0;
        return true;
    }
    if (byte == WFI_ESC) {
        p->esc = true;
        return false;
    }
    if (p->esc) byte ^= WFI_ESC_XOR;
    p->esc = false;
    p->sum = (uint8_t)(p->sum + byte);
    if (p->at == 1) p->id = byte;
    if (p->id == WF_ID_sync) passing_sync(p->at, byte);
    if (p->at < UINT8_MAX) ++p->at;
    return false;
}

static void stage_byte(uint8_t byte) {
    if (wfi_special(byte)) {
        wfi.stage[wfi.stage_len++] = WFI_ESC;
        byte ^= WFI_ESC_XOR;
    }
    wfi.stage[wfi.stage_len++] = byte;
}

// The part of a frame that is out, one byte and a flag: never a frame with a right checksum.
static void stage_spoiler(void) {
    uint8_t sum = (uint8_t)(wfi.cut_sum + (wfi.cut_esc ? WFI_ESC_XOR : 0));
    wfi.stage[0] = sum == 0xFF ? 1 : 0;
    wfi.stage[1] = WFI_FLAG;
    wfi.stage_len = 2;
    wfi.cut = false;
}

static void stage_sync(void) {
    wfi.hole = false;
    if (!WF_CFG_SYNC) return;
    uint8_t payload[WFI_SYNC_LEN];
    wfi_sync_payload(payload, wfi.tail_count, wfi.tail_ticks, true);
    uint8_t seq = (uint8_t)wfi.tail_count, sum = (uint8_t)(seq + WF_ID_sync);
    stage_byte(seq);
    stage_byte(WF_ID_sync);
    for (unsigned i = 0; i < sizeof payload; ++i) {
        stage_byte(payload[i]);
        sum = (uint8_t)(sum + payload[i]);
    }
    stage_byte((uint8_t)~sum);
    wfi.stage[wfi.stage_len++] = WFI_FLAG;
}

// Makes the stage ready if something must go out before the ring's next byte.
static bool staged(void) {
    if (wfi.stage_at < wfi.stage_len) return true;
    wfi.stage_at = wfi.stage_len = 0;
    bool between = !wfi.passing.at && !wfi.passing.esc;
    if (wfi.cut)
        stage_spoiler();
    else if (wfi.hole && between)
        stage_sync();
    return wfi.stage_len != 0;
}

int wf_get_byte(void) {
    int byte = -1;
    wf_block_done(wfi.lent);
    uint32_t was = wf_port_lock();
    if (staged()) {
        byte = wfi.stage[wfi.stage_at++];
    } else if (wfi.used) {
        byte = wfi.ring[wfi.tail];
        wfi_pass((uint8_t)byte);
        if (++wfi.tail == wfi.cap) wfi.tail = 0;
        --wfi.used;
    }
    wf_port_unlock(was);
    return byte;
}

uint32_t wf_get_block(const uint8_t **block, uint32_t max) {
    wf_block_done(wfi.lent);
    uint32_t was = wf_port_lock(), len;
    wfi.lent_stage = staged();
    if (wfi.lent_stage) {
        *block = wfi.stage + wfi.stage_at;
        len = (uint32_t)wfi.stage_len - wfi.stage_at;
    } else {
        *block = wfi.ring + wfi.tail;
        len = wfi.cap - wfi.tail < wfi.used ? wfi.cap - wfi.tail : wfi.used;
    }
    wfi.lent = len < max ? len : max;
    wf_port_unlock(was);
    return wfi.lent;
}

void wf_block_done(uint32_t sent) {
    if (sent > wfi.lent) sent = wfi.lent;
    // The loan keeps the writer off these bytes and the tail, so no lock is needed to look at them.
    for (uint32_t i = 0; !wfi.lent_stage && i < sent; ++i) wfi_pass(wfi.ring[wfi.tail + i]);
    uint32_t was = wf_port_lock();
    if (wfi.lent_stage) {
        wfi.stage_at = (uint8_t)(wfi.stage_at + sent);
    } else {
        wfi.tail += sent;
        if (wfi.tail == wfi.cap) wfi.tail = 0;
        wfi.used -= sent;
    }
    wfi.lent = 0;
    wfi.lent_stage = false;
    wf_port_unlock(was);
}
