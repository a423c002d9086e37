// SPDX-License-Identifier: MIT
// Black boxes that come in several chunks (docs/fleet-chunks.md), for wf_unspool.c. The bytes of a
// box are kept until it is whole, or cannot be any more. A device sends one box after the other.
#ifndef WFB_BOXES_H
#define WFB_BOXES_H

#include <time.h>

#include "wfb_intake.h"

struct wfb_boxes {
    struct wfb_streams devices; // each with stream 0; client: its box, or null
    // Reports a box that cannot be loaded.
    void (*refuse)(void *ctx, const char *device, uint64_t stream, const char *text);
    void *ctx;
};

// Takes a chunk of a box.
//   now_s    of any clock that does not go back
//   image    set if the box is whole: valid until the next call; else null
//   returns  WF_OK, also for a chunk that is left out; WF_ERR_NOMEM
int wfb_boxes_take(struct wfb_boxes *b, const struct wf_spool_entry *e, time_t now_s,
                   const uint8_t **image, size_t *len);
// Returns the position in the spool of the first chunk of those that are not whole; UINT64_MAX:
// there is none.
uint64_t wfb_boxes_oldest(const struct wfb_boxes *b);
// Refuses boxes without chunks since `before_s`.
void wfb_boxes_forget(struct wfb_boxes *b, time_t before_s);
void wfb_boxes_close(struct wfb_boxes *b);

#endif
