// SPDX-License-Identifier: MIT
// The events of all cores of a slot trace in the order of time, with bounded memory. At equal ticks
// the lower core comes first, then what stands first in the trace. One merge is for one thread at a
// time; several may run in parallel.
//
// A trace that can be read at any place is read twice: first through, to note blocks with the
// ticks between which they lie; then those blocks that overlap at a time are merged. The order is
// exact, whatever the order of the blocks, unless more of them overlap than memory allows.
//
//   wf_merge_read(m, &source); while (wf_merge_next(m, &item)) ...
//
// A stream is read once: what all cores have passed is handed out. An event that comes later than
// one with a later tick went out is handed out late, and counted.
//
//   wf_merge_feed(m, bytes, len); while (wf_merge_next(m, &item)) ...; at the end wf_merge_end(m)
//   and wf_merge_next
#ifndef WF_MERGE_H
#define WF_MERGE_H

#include "wf_slots.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_merge;

struct wf_merge_options {
    struct wf_slots_options slots;
    size_t memory;  // bytes for events that wait; 0: 24 MiB. The list of blocks takes up to 24 more
    uint64_t delay; // ticks; of a stream: older events wait no longer for cores that are silent.
                    // 0: they wait until all cores have passed, or memory is full
    unsigned delay_ms; // the same in milliseconds of the trace, if its rate is known
};

// A trace that can be read at any place. read_at puts up to len bytes from an offset into buf.
// Returns how many, 0 at the end, negative if it cannot be read.
struct wf_merge_source {
    void *ctx;
    int64_t (*read_at)(void *ctx, uint64_t offset, void *buf, size_t len);
};

// Null when out of memory (*err).
struct wf_merge *wf_merge_open(const struct wf_merge_options *options, int *err);
void wf_merge_close(struct wf_merge *m);

// Takes the trace and reads it through. WF_OK, WF_ERR_NOMEM, WF_ERR_READ.
int wf_merge_read(struct wf_merge *m, const struct wf_merge_source *source);

// Hands bytes of a stream in; they must stay until wf_merge_next has returned false.
void wf_merge_feed(struct wf_merge *m, const void *bytes, size_t len);
void wf_merge_end(struct wf_merge *m);

// The next item, valid until the next call; the header first, losses and damage between the events
// of their core. False: the end, more bytes are needed, or an error: see wf_merge_error.
bool wf_merge_next(struct wf_merge *m, struct wf_slots_item *item);
int wf_merge_error(const struct wf_merge *m); // WF_OK, WF_ERR_NOMEM, WF_ERR_READ

// Events handed out late so far.
uint64_t wf_merge_late(const struct wf_merge *m);
// The reader: attributes, rate, ledger. After wf_merge_read it has read all.
const struct wf_slots *wf_merge_slots(const struct wf_merge *m);

#ifdef __cplusplus
}
#endif
#endif
