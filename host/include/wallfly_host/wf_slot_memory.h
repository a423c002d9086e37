// SPDX-License-Identifier: MIT
// The memory of the slot recorder (schema/wf_slot.h, docs/slots.md), as a copy (an image of RAM in
// which it lies somewhere) or as memory that the recorder is writing to: gives out what is in it as
// a stream for wf_slots, the attributes first. Of a copy it believes nothing unchecked and reads
// nothing outside of it. One reader is for one thread at a time; several may read the same memory,
// of which one may take (`taking`).
//
//   while ((len = wf_slot_memory_read(m, buf, sizeof buf)) > 0) wf_slots_feed(s, buf, len) ...
#ifndef WF_SLOT_MEMORY_H
#define WF_SLOT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_err.h"
#include "wf_slot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_slot_memory;

enum { WF_SLOT_MEMORY_LEAST = 1024 }; // bytes of a buffer to read into

struct wf_slot_memory_options {
    bool live;   // a recorder writes to it; else it is a copy that does not change
    bool taking; // live, memory that can be written to: mark there what has been read, so that a
                 // recorder that keeps the oldest goes on
};

struct wf_slot_memory_info {
    uint64_t offset; // of the recorder's memory in what was given
    unsigned cores;
    uint32_t slots, chunk; // in a ring, in a chunk
    bool keeps_oldest, big_endian;
    uint32_t hz, build_id;
};

// Finds the recorder's memory, at any address that 4 divides; of several, the first good one.
//   bytes    stay until the reader is closed. Live: at an address that 16 divides
//   problem  null, or room for 200 bytes: what is wrong and what to do, if null is returned
//   *err     WF_OK, WF_ERR_NOMEM, WF_ERR_BAD_BOX (see problem)
struct wf_slot_memory *wf_slot_memory_open(const void *bytes, size_t len,
                                           const struct wf_slot_memory_options *options,
                                           char *problem, int *err);
void wf_slot_memory_close(struct wf_slot_memory *m);

const struct wf_slot_memory_info *wf_slot_memory_get_info(const struct wf_slot_memory *m);

// The next bytes of the stream: whole slots behind the attributes, at least WF_SLOT_MEMORY_LEAST
// of room. 0: there is nothing more; live: nothing at present, ask again. A slot that is not
// written yet is waited for: until its chunk is about to be written over; where the oldest are
// kept, as long as it takes.
size_t wf_slot_memory_read(struct wf_slot_memory *m, void *to, size_t room);
// A copy: the whole stream, at once. The caller frees it. Null when out of memory.
uint8_t *wf_slot_memory_read_all(struct wf_slot_memory *m, size_t *len);
// Live: slots that the next read would wait for count as lost. For writers that never go on, as in
// a process that was killed; where the oldest are kept, else nothing comes behind them.
void wf_slot_memory_skip(struct wf_slot_memory *m);

// Live: nothing is recorded any more. What was never finished counts as lost, and the stream ends
// with MADE and REFUSED. A copy is ended from the beginning.
void wf_slot_memory_end(struct wf_slot_memory *m);
bool wf_slot_memory_done(const struct wf_slot_memory *m); // the end of the stream was read

#ifdef __cplusplus
}
#endif
#endif
