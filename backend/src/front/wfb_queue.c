// SPDX-License-Identifier: MIT
// A packet is its length and its bytes. A packet that would cross the end of the ring starts at
// offset 0, and `wrap` stores where the bytes before it end:
//
//   head <= tail:   ....head=====tail....        tail < head:   ====tail....head=====wrap..

#include "wfb_queue.h"

#include <stdlib.h>
#include <string.h>

enum { LEN_BYTES = sizeof(uint16_t) };

bool wfb_queue_open(struct wfb_queue *q, size_t cap) {
    memset(q, 0, sizeof *q);
    q->bytes = malloc(cap);
    q->cap = cap;
    return q->bytes != NULL;
}

void wfb_queue_close(struct wfb_queue *q) {
    free(q->bytes);
    memset(q, 0, sizeof *q);
}

void wfb_queue_clear(struct wfb_queue *q) {
    q->head = q->tail = q->wrap = q->used = 0;
    q->count = 0;
}

uint8_t *wfb_queue_add(struct wfb_queue *q, size_t len) {
    size_t need = LEN_BYTES + len;
    uint16_t stored = (uint16_t)len;
    if (len > WFB_PACKET_MAX) return NULL;
    if (!q->count) wfb_queue_clear(q);
    bool crossed = q->tail < q->head || (q->count && q->tail == q->head);
    if (crossed) {
        if (q->head - q->tail < need) return NULL;
    } else if (q->cap - q->tail < need) {
        if (q->head < need) return NULL;
        q->wrap = q->tail;
        q->tail = 0;
    }
    uint8_t *at = q->bytes + q->tail;
    memcpy(at, &stored, LEN_BYTES);
    q->tail += need;
    q->used += need;
    ++q->count;
    return at + LEN_BYTES;
}

const uint8_t *wfb_queue_at(const struct wfb_queue *q, size_t *at, size_t *len) {
    uint16_t stored;
    bool crossed = q->tail <= q->head;
    if (crossed && *at == q->wrap && q->wrap) *at = 0;
    memcpy(&stored, q->bytes + *at, LEN_BYTES);
    const uint8_t *packet = q->bytes + *at + LEN_BYTES;
    *len = stored;
    *at += LEN_BYTES + stored;
    return packet;
}

void wfb_queue_drop(struct wfb_queue *q, unsigned n) {
    size_t at = q->head, len;
    if (!n) return;
    for (unsigned i = 0; i < n; ++i) {
        wfb_queue_at(q, &at, &len);
        q->used -= LEN_BYTES + len;
    }
    // Once the head has wrapped, nothing is left after the tail.
    if (at <= q->head) q->wrap = 0;
    q->head = at;
    q->count -= n;
    if (!q->count) wfb_queue_clear(q);
}
