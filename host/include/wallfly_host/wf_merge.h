// SPDX-License-Identifier: MIT
// Merges the events of all cores of a slot trace by time, with bounded memory. At equal ticks the
// lower core comes first, then the event that is first in the trace. One merge is for one thread at
// a time; several may run in parallel.
//
// A seekable trace is read twice. The first pass lists its blocks with their ticks; the second one
// merges the blocks that overlap in time. The order is exact, whatever the order of the blocks,
// unless more of them overlap than memory allows.
//
//   wf_merge_read(m, &source); while (wf_merge_next(m, &item)) ...
//
// A stream is read once: events that all cores have passed are returned. An event that arrives
// after one with a later tick was returned is returned late, and counted.
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
    size_t size;                          // sizeof(struct wf_merge_options)
    const struct wf_slots_options *slots; // or null
    size_t memory;  // bytes for waiting events; 0: 24 MiB. The list of blocks has up to 24 MiB, too
    uint64_t delay; // stream: ticks after which an event stops waiting for silent cores; 0: it
                    // waits until all cores have passed, or memory is full
    unsigned delay_ms; // the same in milliseconds of the trace, if its rate is known
    bool as_stored;    // no merging: items in the order of the bytes
};

// A seekable trace. read_at reads up to len bytes at an offset into buf. Returns their number, 0 at
// the end, a negative value on an error.
struct wf_merge_source {
    void *ctx;
    int64_t (*read_at)(void *ctx, uint64_t offset, void *buf, size_t len);
};

// A source of bytes in memory: {&span, wf_merge_span_at}.
struct wf_merge_span {
    const uint8_t *bytes;
    size_t len;
};
int64_t wf_merge_span_at(void *span, uint64_t offset, void *buf, size_t len);

// Returns null when out of memory, or if the size of the options is 0 (`error`, may be null).
struct wf_merge *wf_merge_open(const struct wf_merge_options *options, struct wf_error *error);
void wf_merge_close(struct wf_merge *m);

// Sets the trace and makes the first pass. Returns WF_OK, WF_ERR_NOMEM or WF_ERR_READ.
int wf_merge_read(struct wf_merge *m, const struct wf_merge_source *source);

// Adds bytes of a stream; they must stay valid until wf_merge_next returns false.
void wf_merge_feed(struct wf_merge *m, const void *bytes, size_t len);
void wf_merge_end(struct wf_merge *m);

// Takes the next item, valid until the next call: the header first, losses and damage between the
// events of their core. Returns false at the end, for lack of bytes, or on an error.
bool wf_merge_next(struct wf_merge *m, struct wf_slots_item *item);
int wf_merge_error(const struct wf_merge *m); // WF_OK, WF_ERR_NOMEM, WF_ERR_READ

// The number of events returned late so far.
uint64_t wf_merge_late(const struct wf_merge *m);
// The reader: attributes, rate, ledger. After wf_merge_read it has read the whole trace.
const struct wf_slots *wf_merge_slots(const struct wf_merge *m);

#ifdef __cplusplus
}
#endif
#endif
