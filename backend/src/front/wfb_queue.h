// SPDX-License-Identifier: MIT
// Packets waiting to be sent, in a ring buffer of fixed size. Each packet is contiguous, so it can
// be sent without copying.
#ifndef WFB_QUEUE_H
#define WFB_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WFB_PACKET_MAX = 2048 };

struct wfb_queue {
    uint8_t *bytes;
    size_t cap, head, tail, wrap; // wrap: end of the bytes after the tail
    size_t used;
    unsigned count; // number of packets
};

bool wfb_queue_open(struct wfb_queue *q, size_t cap); // false: out of memory
void wfb_queue_close(struct wfb_queue *q);
void wfb_queue_clear(struct wfb_queue *q);

// Reserves space for a packet of len bytes at the end. Returns null when it does not fit.
uint8_t *wfb_queue_add(struct wfb_queue *q, size_t len);

// Iterates over the packets from the oldest: *at starts as the head; call it at most `count` times.
const uint8_t *wfb_queue_at(const struct wfb_queue *q, size_t *at, size_t *len);
void wfb_queue_drop(struct wfb_queue *q, unsigned n); // drops the n oldest packets

#endif
