// SPDX-License-Identifier: MIT
// Reads any part of a trace again, for queries about single records. While the trace is read first,
// checkpoints are saved from which frames can be decoded later, so the cost depends on the length
// of the part. Slots, text and memory images are read from their beginning. Bytes of a live link
// are kept in a file without a name, only the newest ones.
//
// Names known now apply from the first record on. Rows are numbered as in the table record of
// `convert --to jsonl`: from 1, damage without a record does not count.
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_recording.h"
#include "wallfly_host/wf_session.h"

struct replay;

// Receives a reading of the whole trace.
struct replay_taker {
    void *ctx;
    // Takes an item. Returns false to stop.
    bool (*item)(void *ctx, struct wf_session *s, const struct wf_item *item);
    // Called after the last item, before the session is closed.
    void (*end)(void *ctx);
};

struct replay_options {
    const char *file;                  // the trace; not used for frames of a live source
    bool image;                        // the file is a memory image
    struct wf_session_options session; // including the rate; without its size
    uint64_t spool;                    // bytes kept of a live source; 0: a file, read again
    void *ctx;                         // passed to the functions
    // Applies names from outside the trace to the session of a reading; at the beginning of the
    // trace also the sizes of a dictionary file. May be null.
    void (*names)(void *ctx, struct wf_session *s, bool begin);
    // Reads the whole trace from its beginning, for kinds that cannot be read from a checkpoint.
    //   kept     null, or the name of a file with the kept bytes of a live source
    //   known    null, or the session whose names apply from the beginning
    //   returns  WF_OK, also when the taker stopped it; WF_ERR_READ, WF_ERR_NOMEM
    int (*read)(void *ctx, const char *kept, const struct wf_session *known,
                const struct replay_taker *taker);
    // Reports a problem for the user. May be null.
    void (*warn)(void *ctx, const char *text);
};

// What the options point to must outlive it.
//   returns  null on an error
struct replay *replay_open(const struct replay_options *o, struct wf_error *error);
void replay_close(struct replay *r);

// ---- while the trace is read first

// Live: keeps received bytes, before they are fed to the session. Returns false when they cannot be
// kept; then nothing can be read again (reported by `warn`).
bool replay_take(struct replay *r, const uint8_t *bytes, size_t len);
// Live: a new connection begins; wf_session_relink was called.
void replay_relink(struct replay *r);
// Takes each item, in order. block_at: of a recording, the offset of the item's block
// (wf_recording_info); else 0.
void replay_item(struct replay *r, const struct wf_session *s, const struct wf_item *item,
                 unsigned lane, uint64_t block_at);

// ---- reading again

uint64_t replay_rows(const struct replay *r); // so far
// Returns the number of rows that can no longer be read: bytes of a live source that are not kept.
uint64_t replay_gone(const struct replay *r);
// Returns a row at or before the first one whose tick is at least `tick`, and not far before it.
uint64_t replay_near(const struct replay *r, uint64_t tick);
// Returns the first row of a reading that starts for this row.
uint64_t replay_start(const struct replay *r, uint64_t row);

// Progress of a long reading: rows read and their total.
struct replay_progress {
    // Called every few thousand records. Returns false to cancel. May be null.
    bool (*report)(void *ctx, uint64_t done, uint64_t of);
    void *ctx;
};

// Returns false when the reading is cancelled.
bool replay_report(const struct replay_progress *p, uint64_t done, uint64_t of);

struct replay_reading {
    void *ctx;
    // Called for each item. number: that of its row, for damage that of the previous row. Each
    // reading has a session of its own, the same in all its calls. Returns false to stop.
    bool (*item)(void *ctx, struct wf_session *s, const struct wf_item *item, uint64_t number);
    // Called before the session is closed, if there was any item. May be null.
    void (*end)(void *ctx);
    struct replay_progress progress;
    // A name applies only after it was received, as in a first reading; for readings from the
    // beginning.
    bool names_in_order;
};

enum { REPLAY_ALL = 0 }; // a row number: read from the beginning

// Returns the row for a reading of all that can still be read.
static inline uint64_t replay_oldest(const struct replay *r) {
    uint64_t gone = replay_gone(r);
    return gone ? gone + 1 : (uint64_t)REPLAY_ALL;
}

// Reads from a row at or before `row` on. Must not be called from callbacks of a loop that the
// progress runs.
//   error    on an error the message for the user
//   returns  WF_OK, also when `item` stopped it; WF_ERR_STOPPED when it was cancelled;
//            WF_ERR_READ, WF_ERR_NOMEM
int replay_run(struct replay *r, uint64_t row, const struct replay_reading *on,
               struct wf_error *error);

// Copies a part of a trace of frames, as chunks of a recording: what is known of the target at the
// checkpoint before `row`, with the names known now, then all that was received up to the byte
// `end` of the stream.
//   put      takes a chunk of lane 0. Returns WF_OK or an error, which is returned
//   returns  WF_OK; WF_ERR_USAGE: the trace does not have frames; as replay_run
int replay_copy(struct replay *r, uint64_t row, uint64_t end,
                int (*put)(void *ctx, const struct wf_chunk *chunk), void *ctx,
                struct wf_error *error);

// ---- parts, in other threads

// Returns whether replay_run_part works: the trace has frames.
bool replay_has_parts(const struct replay *r);
// Returns whether several threads may read parts at once: not if names come from a program's file,
// as those of a program are for one thread.
bool replay_is_parallel(const struct replay *r);
// Returns a session with the names known now, for replay_run_part. The caller closes it. Returns
// null when out of memory.
struct wf_session *replay_names(const struct replay *r);

struct replay_part_reading {
    void *ctx;
    // The next items are those of this session. There may be several in a reading.
    void (*begin)(void *ctx, struct wf_session *s);
    // Called for each item, also some before the first row. number: that of its row, for damage
    // that of the previous row. Returns false to stop.
    bool (*item)(void *ctx, struct wf_session *s, const struct wf_item *item, uint64_t number);
};

// Reads rows first..last, 1 or more, of frames. May be called from any thread while the trace
// grows, but not after replay_close. Names are those of `names`, which is only read. A name that
// the trace has holds for the rows up to the next checkpoint, so that a row has the same text as in
// a reading that begins near it.
//   returns  WF_OK, also when `item` stopped it; WF_ERR_READ, WF_ERR_NOMEM
int replay_run_part(struct replay *r, const struct wf_session *names, uint64_t first, uint64_t last,
                    const struct replay_part_reading *on, struct wf_error *error);

// Reads bytes of the stream at this offset, near the row `row`.
//   returns  the number of bytes, less than len at the end; 0 when they are not available
size_t replay_raw(struct replay *r, uint64_t row, uint64_t offset, uint8_t *bytes, size_t len);

#endif
