// SPDX-License-Identifier: MIT
// The stream of a black box: wf_box.c finds the block in an image and copies the frames out of its
// ring, wf_box_stream.c makes the stream of them.
#ifndef WFI_BOX_H
#define WFI_BOX_H

#include "wallfly_host/wf_box.h"

#include <stdbool.h>

// A position in the stream, as in a SYNC.
struct wfi_box_place {
    uint64_t count, ticks, refused;
    bool at_hole;
};

// The frames of a ring, the oldest first, and their counts in the block.
struct wfi_box_ring {
    const uint8_t *frames;
    size_t len;
    bool lengths; // each piece of a frame after its length; else frames as on the wire
    bool copied;  // the target's reader has taken a part of the first frame, and counted it
    struct wfi_box_place tail;
    uint64_t lost, lost_bytes;
    uint32_t hz, build_id;
    uint8_t core, sizes[5];
    // Packed frames: the bytes of a record 99; the frame that was open, its length byte first.
    uint8_t *numbers, *open; // or null
    size_t numbers_len, open_len;
    uint8_t open_events;
};

// Makes the stream: frames as the target's reader would send them, with its SYNCs before and among
// them. Sets stream, len and before of *box. Returns false when out of memory.
bool wfi_box_stream(const struct wfi_box_ring *ring, struct wf_box *box);

#endif
