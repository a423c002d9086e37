// SPDX-License-Identifier: MIT
// The receiver: frames are unescaped where they lie in the ring, and obeyed when they are whole and
// their sum is right; nothing of a bad one has any effect. (QS obeys while the bytes come in; what
// the host sees is the same for good frames.) A hook may call wf_rx_parse again: by then all fields
// of its frame have been taken, but the parameters of an event.
//
//   ring  |....[kept = start: unescaped so far )end....[scan: not looked at yet )head....|

#include "wfi_rx.h"

#if WF_CFG_RX

struct wfi_receiver wfi_rx;

static uint32_t after(uint32_t i) { return ++i == wfi_rx.config->ring_size ? 0 : i; }

bool wf_rx_put(uint8_t byte) {
    if (!wfi_rx.config) return false;
    uint32_t was = wf_port_lock(), next = after(wfi_rx.head);
    bool fits = next != wfi_rx.kept && !wfi_rx.overrun;
    if (fits) {
        wfi_rx.config->ring[wfi_rx.head] = byte;
        wfi_rx.head = next;
    } else if (!wfi_rx.overrun) {
        wfi_rx.overrun = true;
        wfi_rx.lost_at = wfi_rx.head;
    }
    wf_port_unlock(was);
    return fits;
}

uint32_t wf_rx_free(void) {
    if (!wfi_rx.config) return 0;
    uint32_t was = wf_port_lock(), size = wfi_rx.config->ring_size;
    uint32_t used = (wfi_rx.head < wfi_rx.kept ? size : 0) + wfi_rx.head - wfi_rx.kept;
    wf_port_unlock(was);
    return size - 1 - used;
}

void wfi_rx_error(uint8_t code) { wfi_emit_rx_status((uint8_t)(0x80 | code)); }

uint32_t wfi_rx_take(struct wfi_frame *f, unsigned bytes) {
    uint32_t v = 0;
    if (f->left < bytes) {
        f->cut = true;
        f->left = 0;
        return 0;
    }
    for (unsigned i = 0; i < bytes; ++i) {
        v |= (uint32_t)wfi_rx.config->ring[f->at] << 8 * i;
        f->at = after(f->at);
    }
    f->left -= bytes;
    return v;
}

uintptr_t wfi_rx_take_address(struct wfi_frame *f, unsigned bytes) {
    if (f->left < bytes) f->cut = true;
    uint64_t low = wfi_rx_take(f, bytes < 4 ? bytes : 4);
    uint64_t high = bytes > 4 ? wfi_rx_take(f, bytes - 4) : 0;
    return (uintptr_t)(high << 32 | low);
}

uint32_t wf_rx_copy(void *to, uint32_t offset, uint32_t len) {
    struct wfi_frame f = wfi_rx.params;
    uint8_t *p = to;
    if (offset > f.left) offset = f.left;
    f.left -= offset;
    f.at += offset;
    if (f.at >= wfi_rx.config->ring_size) f.at -= wfi_rx.config->ring_size;
    if (len > f.left) len = f.left;
    for (uint32_t i = 0; i < len; ++i) p[i] = (uint8_t)wfi_rx_take(&f, 1);
    return len;
}

// Gives what is before back to the producer.
static void keep_from(uint32_t offset) {
    uint32_t was = wf_port_lock();
    wfi_rx.kept = offset;
    wf_port_unlock(was);
}

static void frame_ended(void) {
    struct wfi_frame f = {wfi_rx.start, wfi_rx.len, false};
    bool good = wfi_rx.sum == 0xFF && !wfi_rx.esc && !wfi_rx.too_long;
    wfi_rx.start = wfi_rx.end = wfi_rx.scan;
    wfi_rx.len = 0;
    wfi_rx.sum = 0;
    wfi_rx.esc = wfi_rx.too_long = false;
    if (!good) {
        wfi_rx_error(WFI_RX_BAD_SUM);
        wfi_rx_error(WFI_RX_BAD);
    } else {
        --f.left; // the checksum is no data
        uint8_t seq = (uint8_t)wfi_rx_take(&f, 1), number = (uint8_t)wfi_rx_take(&f, 1);
        if (f.cut) {
            wfi_rx_error(WFI_RX_CUT);
        } else {
            if (seq != (uint8_t)(wfi_rx.seq + 1)) wfi_rx_error(WFI_RX_GAP);
            wfi_rx.seq = seq;
            wfi_rx_obey(number, &f);
        }
    }
    keep_from(wfi_rx.start);
}

static void look_at(uint8_t byte) {
    if (byte == WFI_ESC) {
        wfi_rx.esc = true;
        return;
    }
    if (wfi_rx.esc) byte ^= WFI_ESC_XOR;
    wfi_rx.esc = false;
    wfi_rx.sum = (uint8_t)(wfi_rx.sum + byte);
    wfi_rx.config->ring[wfi_rx.end] = byte;
    wfi_rx.end = after(wfi_rx.end);
    ++wfi_rx.len;
}

void wf_rx_parse(void) {
    if (!wfi_rx.config) return;
    for (;;) {
        uint32_t was = wf_port_lock(), head = wfi_rx.head;
        bool full = after(head) == wfi_rx.kept;
        if (wfi_rx.overrun && wfi_rx.lost_at == wfi_rx.scan) {
            wfi_rx.overrun = false;
            wfi_rx.too_long = true; // bytes are missing here: the frame is bad
        }
        wf_port_unlock(was);
        if (wfi_rx.scan == head) {
            // Full and no end in sight: it can only be given up.
            if (full) {
                wfi_rx.too_long = true;
                wfi_rx.start = wfi_rx.end = wfi_rx.scan;
                wfi_rx.len = 0;
                keep_from(wfi_rx.start);
            }
            return;
        }
        uint8_t byte = wfi_rx.config->ring[wfi_rx.scan];
        wfi_rx.scan = after(wfi_rx.scan);
        if (byte == WFI_FLAG)
            frame_ended();
        else
            look_at(byte);
    }
}

const void *wf_rx_sender(void) { return &wfi_rx; }

void wf_rx_start(const struct wf_rx_config *config) {
    for (volatile uint8_t *p = (uint8_t *)&wfi_rx, *end = p + sizeof wfi_rx; p != end; ++p) *p = 0;
    wfi_rx.hooks = config->hooks;
    wfi_rx.config = config;
    wfi_emit_obj_dict(wf_rx_sender(), "QS_RX");
}

void wf_set_current(enum wf_object_kind kind, void *object) {
    if (kind < WF_OBJ_KINDS) wfi_rx.current[kind] = object;
    if (kind == WF_OBJ_SM_AO) wfi_rx.current[WF_OBJ_SM] = wfi_rx.current[WF_OBJ_AO] = object;
}

void *wf_get_current(enum wf_object_kind kind) {
    return kind < WF_OBJ_KINDS ? wfi_rx.current[kind] : NULL;
}

bool wf_query_current(enum wf_object_kind kind) {
    void *object = wf_get_current(kind);
    return object && wfi_rx.hooks->query && wfi_rx.hooks->query(kind, object);
}

#endif
