// SPDX-License-Identifier: MIT
// Messages of commands to a device (wf_frame_read). The first byte: not 0: the sum of each frame is
// made right, as fuzzing hardly finds one. What is read must be what is written from it.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static void write_again(const struct wf_frame *frame) {
    struct wf_frame again;
    uint8_t *to = malloc(2 * frame->len + 8);
    require(to != NULL);
    const uint8_t *at = to;
    const size_t len = wf_frame_write(to, 7, frame->record, frame->payload, frame->len);
    require(len <= 2 * frame->len + 8);
    require(wf_frame_read(&at, to + len, &again) && at == to + len);
    require(again.record == frame->record && again.len == frame->len &&
            !memcmp(again.payload, frame->payload, frame->len));
    free(to);
}

// Writes what is between two flags as the payload of a frame. Returns the new length.
static size_t make_frames(const uint8_t *from, size_t len, uint8_t *to) {
    size_t made = 0;
    for (size_t i = 0, n; i < len; i += n + 1) {
        for (n = 0; i + n < len && from[i + n] != 0x7E; ++n) {
        }
        if (n) made += wf_frame_write(to + made, 1, from[i], from + i + 1, n - 1);
    }
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_frame frame;
    if (size < 1) return 0;
    size_t len = size - 1;
    uint8_t *message = malloc(8 * len + 1);
    require(message != NULL);
    if (data[0])
        len = make_frames(data + 1, len, message);
    else
        memcpy(message, data + 1, len);
    uint8_t *exact = malloc(len ? len : 1); // so that what is read behind it is noticed
    require(exact != NULL);
    memcpy(exact, message, len);
    const uint8_t *at = exact, *end = exact + len;
    while (at < end) {
        const uint8_t *before = at;
        if (!wf_frame_read(&at, end, &frame)) {
            require(at == before);
            break;
        }
        require(at > before && at <= end && at[-1] == 0x7E && frame.len <= WF_PAYLOAD_MAX);
        write_again(&frame);
    }
    free(exact);
    free(message);
    return 0;
}
