// SPDX-License-Identifier: MIT
// Frames (docs/wire-format.md): sequence number, record, payload and the inverted sum of them,
// escaped; then 0x7E.

#include <string.h>

#include "core/wfi_frames.h"
#include "wallfly_host/wf_command.h"

static uint8_t *put_escaped(uint8_t *to, uint8_t byte) {
    if (byte == WFI_ESC || byte == WFI_FLAG) {
        *to++ = WFI_ESC;
        byte ^= WFI_ESC_XOR;
    }
    *to++ = byte;
    return to;
}

size_t wf_frame_write(uint8_t *to, uint8_t seq, uint8_t record, const void *payload, size_t len) {
    const uint8_t *from = payload;
    uint8_t *p = put_escaped(put_escaped(to, seq), record), sum = (uint8_t)(seq + record);
    for (size_t i = 0; i < len; ++i) {
        p = put_escaped(p, from[i]);
        sum = (uint8_t)(sum + from[i]);
    }
    p = put_escaped(p, (uint8_t)~sum);
    *p++ = WFI_FLAG;
    return (size_t)(p - to);
}

bool wf_frame_read(const uint8_t **at, const uint8_t *end, struct wf_frame *frame) {
    uint8_t bytes[WF_PAYLOAD_MAX + 3], sum = 0; // with sequence number, record and sum
    size_t len = 0;
    bool escaped = false;
    const uint8_t *p = *at;
    for (; p < end && *p != WFI_FLAG; ++p) {
        if (*p == WFI_ESC && !escaped) {
            escaped = true;
            continue;
        }
        if (len == sizeof bytes) return false;
        bytes[len] = escaped ? *p ^ WFI_ESC_XOR : *p;
        sum = (uint8_t)(sum + bytes[len++]);
        escaped = false;
    }
    if (p == end || escaped || len < 3 || sum != 0xFF) return false;
    *frame = (struct wf_frame){.record = bytes[1], .len = len - 3};
    memcpy(frame->payload, bytes + 2, frame->len);
    *at = p + 1;
    return true;
}
