// SPDX-License-Identifier: MIT
// Packets waiting to be sent, in a ring of bytes of a fixed size. Each lies in one piece, so that
// it can be sent from where it is.
#ifndef WFB_QUEUE_H
#define WFB_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WFB_PACKET_MAX = 2048 };

struct wfb_queue {
    uint8_t *bytes;
    size_t cap, head, tail, wrap; // wrap: where the bytes end that are behind the tail
    size_t used;
    unsigned count; // of packets
};

bool wfb_queue_open(struct wfb_queue *q, size_t cap); // false: out of memory
void wfb_queue_close(struct wfb_queue *q);
void wfb_queue_clear(struct wfb_queue *q);

// Room for a packet of len bytes at the end; null when it does not fit.
uint8_t *wfb_queue_add(struct wfb_queue *q, size_t len);

// Goes through the packets from the oldest: *at starts as the head, and n of them can be taken.
const uint8_t *wfb_queue_at(const struct wfb_queue *q, size_t *at, size_t *len);
void wfb_queue_drop(struct wfb_queue *q, unsigned n); // the n oldest ones

#endif
