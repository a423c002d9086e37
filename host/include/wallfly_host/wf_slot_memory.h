// SPDX-License-Identifier: MIT
// Reads the memory of the slot recorder (schema/wf_slot.h, docs/slots.md) as a stream for wf_slots,
// the attributes first. The memory is a copy (an image of RAM that contains it) or one that the
// recorder is writing to. Values of a copy are checked, and nothing outside of it is read. One
// reader is for one thread at a time; several may read the same memory, one of them `taking`.
//
//   while ((len = wf_slot_memory_read(m, buf, sizeof buf)) > 0) wf_slots_feed(s, buf, len) ...
#ifndef WF_SLOT_MEMORY_H
#define WF_SLOT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_error.h"
#include "wf_slot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_slot_memory;

enum { WF_SLOT_MEMORY_LEAST = 1024 }; // smallest buffer to read into, in bytes

struct wf_slot_memory_options {
    size_t size; // sizeof(struct wf_slot_memory_options)
    bool live;   // a recorder writes to it; else it is a copy that does not change
    bool taking; // live, writable memory: mark in it what has been read, so that a recorder that
                 // keeps the oldest continues
};

struct wf_slot_memory_info {
    uint64_t offset; // of the recorder's memory in the given bytes
    unsigned cores;
    uint32_t slots, chunk; // in a ring, in a chunk
    bool keeps_oldest, big_endian;
    uint32_t hz, build_id;
};

// Finds the recorder's memory, at any multiple of 4; of several, the first valid one.
//   bytes    must stay valid until the reader is closed; live: aligned to 16 bytes
//   error    may be null: WF_ERR_NOMEM, WF_ERR_USAGE, WF_ERR_BAD_BOX, when null is returned
struct wf_slot_memory *wf_slot_memory_open(const void *bytes, size_t len,
                                           const struct wf_slot_memory_options *options,
                                           struct wf_error *error);
void wf_slot_memory_close(struct wf_slot_memory *m);

const struct wf_slot_memory_info *wf_slot_memory_get_info(const struct wf_slot_memory *m);

// Reads the next bytes of the stream: the attributes, then whole slots. `room` is at least
// WF_SLOT_MEMORY_LEAST. Returns 0 at the end; live: when nothing is ready, ask again. The
// reader waits for a reserved slot that is not written yet until its chunk is about to be
// overwritten; without limit if the oldest are kept.
size_t wf_slot_memory_read(struct wf_slot_memory *m, void *to, size_t room);
// Copy: returns the whole stream, which the caller frees. Returns null when out of memory.
uint8_t *wf_slot_memory_read_all(struct wf_slot_memory *m, size_t *len);
// Live: counts the slots that the next read would wait for as lost. Call it if
// a writer was killed: if the oldest are kept, the reader would wait for it forever.
void wf_slot_memory_skip(struct wf_slot_memory *m);

// Live: ends the recording. Unfinished slots count as lost, and the stream ends with MADE and
// REFUSED. A copy has ended from the beginning.
void wf_slot_memory_end(struct wf_slot_memory *m);
bool wf_slot_memory_done(const struct wf_slot_memory *m); // the end of the stream was read

#ifdef __cplusplus
}
#endif
#endif
