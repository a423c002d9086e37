// SPDX-License-Identifier: MIT
// The receiver: frames are unescaped in place in the ring, and executed when they are whole and
// their sum is right; a bad frame has no effect. (QS executes a command while its bytes come in;
// for good frames the host sees the same.) A hook may call wf_rx_parse again: by then all fields of
// its frame were read, except the parameters of an event.
//
//   ring  |....[kept = start: unescaped so far )end....[scan: not looked at yet )head....|

#include "wfi_rx.h"

#if WF_CFG_RX

struct wfi_receiver wfi_rx;

static void error(uint8_t code) { wfi_emit_rx_status((uint8_t)(0x80 | code)); }

static uint32_t after(uint32_t i) { return ++i < wfi_rx.size ? i : 0; }

bool wf_rx_put(uint8_t byte) {
    uint32_t was = wf_port_lock(), next = after(wfi_rx.head);
    if (!wfi_rx.overrun) {
        if (next != wfi_rx.kept) {
            wfi_rx.ring[wfi_rx.head] = byte;
            wfi_rx.head = next;
        } else {
            wfi_rx.lost_at = wfi_rx.head;
            wfi_rx.overrun = true;
        }
    }
    bool fits = !wfi_rx.overrun;
    wf_port_unlock(was);
    return fits;
}

uint32_t wf_rx_free(void) {
    if (!wfi_rx.size) return 0;
    uint32_t was = wf_port_lock();
    uint32_t used = (wfi_rx.head < wfi_rx.kept ? wfi_rx.size : 0) + wfi_rx.head - wfi_rx.kept;
    wf_port_unlock(was);
    return wfi_rx.size - 1 - used;
}

wfi_field wfi_rx_take(unsigned bytes) {
    wfi_field v = 0;
    if (bytes > wfi_rx.left) {
        wfi_rx.cut = true;
        return 0;
    }
    wfi_rx.left -= bytes;
    for (unsigned i = 0; i < bytes; ++i) {
        v |= (wfi_field)wfi_rx.ring[wfi_rx.at] << 8 * i;
        wfi_rx.at = after(wfi_rx.at);
    }
    return v;
}

uint32_t wf_rx_copy(void *to, uint32_t offset, uint32_t len) {
    uint8_t *p = to;
    if (offset > wfi_rx.left) offset = wfi_rx.left;
    if (len > wfi_rx.left - offset) len = wfi_rx.left - offset;
    uint32_t at = wfi_rx.at + offset;
    if (at >= wfi_rx.size) at -= wfi_rx.size;
    for (uint32_t i = 0; i < len; ++i, at = after(at)) p[i] = wfi_rx.ring[at];
    return len;
}

// The next frame begins after the bytes that were scanned.
static WFI_NOINLINE void next_frame(bool bad) {
    wfi_rx.start = wfi_rx.end = wfi_rx.scan;
    wfi_rx.len = 0;
    wfi_rx.sum = 0;
    wfi_rx.esc = false;
    wfi_rx.bad = bad;
}

// Executes the received frame. Returns 0, or an error code.
static uint8_t obey(void) {
    bool good = wfi_rx.sum == 0xFF && !wfi_rx.esc && !wfi_rx.bad;
    wfi_rx.at = wfi_rx.start;
    wfi_rx.left = wfi_rx.len;
    wfi_rx.cut = false;
    next_frame(false); // now, because a hook may parse further frames
    if (!good) {
        error(WFI_RX_BAD_SUM);
        return WFI_RX_BAD;
    }
    --wfi_rx.left; // without the checksum
    unsigned head = (unsigned)wfi_rx_take(2);
    if (wfi_rx.cut) return WFI_RX_CUT;
    uint8_t seq = (uint8_t)head;
    if (seq != (uint8_t)(wfi_rx.seq + 1)) error(WFI_RX_GAP);
    wfi_rx.seq = seq;
    return wfi_rx_obey((uint8_t)(head >> 8));
}

static void look_at(uint8_t byte) {
    if (byte == WFI_ESC) {
        wfi_rx.esc = true;
        return;
    }
    if (wfi_rx.esc) byte ^= WFI_ESC_XOR;
    wfi_rx.esc = false;
    wfi_rx.sum = (uint8_t)(wfi_rx.sum + byte);
    wfi_rx.ring[wfi_rx.end] = byte;
    wfi_rx.end = after(wfi_rx.end);
    ++wfi_rx.len;
}

// Releases the bytes before the next frame to the producer.
static WFI_NOINLINE void give_back(void) {
    uint32_t was = wf_port_lock();
    wfi_rx.kept = wfi_rx.start;
    wf_port_unlock(was);
}

void wf_rx_parse(void) {
    for (;;) {
        uint32_t was = wf_port_lock(), head = wfi_rx.head;
        if (wfi_rx.overrun && wfi_rx.lost_at == wfi_rx.scan) {
            wfi_rx.overrun = false;
            wfi_rx.bad = true; // bytes are missing here
        }
        wf_port_unlock(was);
        if (wfi_rx.scan == head) {
            if (after(head) != wfi_rx.kept) return;
            next_frame(true); // full, and no end of the frame: it must be discarded
            give_back();
            return;
        }
        uint8_t byte = wfi_rx.ring[wfi_rx.scan];
        wfi_rx.scan = after(wfi_rx.scan);
        if (byte != WFI_FLAG) {
            look_at(byte);
            continue;
        }
        uint8_t code = obey();
        if (code) error(code);
        give_back();
    }
}

const void *wf_rx_sender(void) { return &wfi_rx; }

void wf_rx_start(const struct wf_rx_config *config) {
    uint32_t was = wf_port_lock(); // bytes may come in meanwhile
    wfi_fill(&wfi_rx, sizeof wfi_rx, 0);
    wfi_rx.ring = config->ring;
    wfi_rx.size = config->ring_size;
    wfi_rx.hooks = config->hooks;
    wfi_rx.config = config;
    wf_port_unlock(was);
    wfi_obj_dict(wf_rx_sender(), "QS_RX");
}

void wf_set_current(enum wf_object_kind kind, void *object) {
    if (kind < WF_OBJ_KINDS) wfi_rx.current[kind] = object;
    if (kind == WF_OBJ_SM_AO) wfi_rx.current[WF_OBJ_SM] = wfi_rx.current[WF_OBJ_AO] = object;
}

void *wf_get_current(enum wf_object_kind kind) {
    return kind < WF_OBJ_KINDS ? wfi_rx.current[kind] : NULL;
}

void *const *wfi_rx_currents(void) { return wfi_rx.current; }

bool wf_query_current(enum wf_object_kind kind) {
    if (kind >= WF_OBJ_KINDS || !wfi_rx.current[kind] || !wfi_rx.hooks->query) return false;
    return wfi_rx.hooks->query(kind, wfi_rx.current[kind]);
}

#endif
