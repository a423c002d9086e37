// SPDX-License-Identifier: MIT
// Packets of SystemView: id, payload, time since the last packet. Numbers are varints of at most 5
// bytes. Ids below 24 have a payload with a fixed shape, others one with a length.
#ifndef WFI_SYSVIEW_PACKET_H
#define WFI_SYSVIEW_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WFI_SV_NOP,
    WFI_SV_OVERFLOW,
    WFI_SV_ISR_ENTER,
    WFI_SV_ISR_EXIT,
    WFI_SV_TASK_START_EXEC,
    WFI_SV_TASK_STOP_EXEC,
    WFI_SV_TASK_START_READY,
    WFI_SV_TASK_STOP_READY,
    WFI_SV_TASK_CREATE,
    WFI_SV_TASK_INFO,
    WFI_SV_TRACE_START,
    WFI_SV_TRACE_STOP,
    WFI_SV_SYSTIME_CYCLES,
    WFI_SV_SYSTIME_US,
    WFI_SV_SYSDESC,
    WFI_SV_MARK_START,
    WFI_SV_MARK_STOP,
    WFI_SV_IDLE,
    WFI_SV_ISR_TO_SCHEDULER,
    WFI_SV_TIMER_ENTER,
    WFI_SV_TIMER_EXIT,
    WFI_SV_STACK_INFO,
    WFI_SV_MODULEDESC,
    WFI_SV_DATA_SAMPLE,
    WFI_SV_INIT,
    WFI_SV_NAME_RESOURCE,
    WFI_SV_PRINT_FORMATTED,
    WFI_SV_NUMMODULES,
    WFI_SV_END_CALL,
    WFI_SV_TASK_TERMINATE,
    WFI_SV_EX = 31,
    WFI_SV_FIRST_WITH_LENGTH = 24,
    WFI_SV_EVENTS = 4096, // ids from here on are damage
    WFI_SV_SYNC = 10,     // zeros
    WFI_SV_VARINT_MAX = 5,
    WFI_SV_STRING_MAX = 8192, // longer strings, and payloads, are damage
};

struct wfi_sv_packet {
    uint32_t id, delta;
    const uint8_t *data, *end; // payload
    size_t len;                // of the packet
};

enum wfi_sv_framed { WFI_SV_WHOLE, WFI_SV_MORE, WFI_SV_BAD };

// Reads a number. Returns the byte after it; null, with *how, if it is cut or too long.
static inline const uint8_t *wfi_sv_get(const uint8_t *p, const uint8_t *end, uint32_t *v,
                                        enum wfi_sv_framed *how) {
    if (p < end && *p < 0x80) {
        *v = *p;
        return p + 1;
    }
    uint32_t value = 0;
    for (unsigned i = 0; i < WFI_SV_VARINT_MAX; ++i) {
        if (p == end) {
            *how = WFI_SV_MORE;
            return NULL;
        }
        uint8_t byte = *p++;
        value |= (uint32_t)(byte & 0x7F) << 7 * i;
        if (byte < 0x80) {
            *v = value;
            return p;
        }
    }
    *how = WFI_SV_BAD;
    return NULL;
}

// Finds the packet at the front of the bytes. Its payload is within them; that of ids from 24 on is
// not checked.
enum wfi_sv_framed wfi_sv_frame(const uint8_t *p, const uint8_t *end, struct wfi_sv_packet *k);
// Whether a payload has the numbers and strings that its id requires.
bool wfi_sv_is_sound(const struct wfi_sv_packet *k);
static inline bool wfi_sv_sound(const struct wfi_sv_packet *k) {
    if (k->id < WFI_SV_FIRST_WITH_LENGTH || k->id > WFI_SV_EX) return true;
    const uint8_t *p = k->data; // ids of kernel functions have one byte or two
    if (k->id == WFI_SV_END_CALL && k->end - p >= 2 && (p[0] < 0x80 || p[1] < 0x80)) return true;
    return wfi_sv_is_sound(k);
}

// ---- payloads: what is missing reads as 0 or empty

static inline uint32_t wfi_sv_number(struct wfi_sv_packet *k) {
    enum wfi_sv_framed how;
    uint32_t v = 0;
    const uint8_t *p = wfi_sv_get(k->data, k->end, &v, &how);
    k->data = p ? p : k->end;
    return v;
}
const char *wfi_sv_string(struct wfi_sv_packet *k, size_t *len);

#endif
