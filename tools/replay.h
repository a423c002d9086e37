// SPDX-License-Identifier: MIT
// Any stretch of a trace read again, for what the page asks of single records. While the trace is
// taken, places are noted at which frames can be read from later, so a stretch costs what it is
// long; slots, text and memory images are read from their beginning. What came over a live link is
// kept in a file without a name, its newest bytes only.
//
// All names known now are known from the first record on. Rows are numbered as `convert --to jsonl`
// numbers those of its table record: from 1, damage without a record is none.
#ifndef REPLAY_H
#define REPLAY_H

#include "stream.h"

struct replay;

struct replay_options {
    const struct args *args;           // of the command, as stream_open takes them
    struct wf_session_options session; // with the rate
    uint64_t spool; // bytes that are kept of a live source; 0: a file, read again
};

// Null after complaining. The arguments must outlive it.
struct replay *replay_open(const struct replay_options *o);
void replay_close(struct replay *r);

// ---- while the trace is taken

// Live: bytes that came, before the session is fed with them. False: they cannot be kept, and
// nothing can be read again (said).
bool replay_take(struct replay *r, const uint8_t *bytes, size_t len);
// Live: another connection begins, wf_session_relink was called.
void replay_relink(struct replay *r);
// Each item, in its order. block_at: of a recording (struct lane), else 0.
void replay_item(struct replay *r, const struct wf_session *s, const struct wf_item *item,
                 unsigned lane, uint64_t block_at);

// ---- reading again

uint64_t replay_rows(const struct replay *r); // so far
// Rows before the first that can be read: those of the live source that are no longer kept.
uint64_t replay_gone(const struct replay *r);
// A row not behind the first whose tick is `tick` or later, and not far before it.
uint64_t replay_near(const struct replay *r, uint64_t tick);
// The row with which a reading for this one begins.
uint64_t replay_start(const struct replay *r, uint64_t row);

struct replay_reading {
    void *ctx;
    // Each item; number: of its row, of damage that of the row before. The session is another one
    // in each reading, and the same in all calls of one. False: it needs no more.
    bool (*item)(void *ctx, struct wf_session *s, const struct wf_item *item, uint64_t number);
    // Before the session is closed, if any item came. May be null.
    void (*end)(void *ctx);
    // Every few thousand records: rows read, of how many. False: give up. May be null.
    bool (*tell)(void *ctx, uint64_t done, uint64_t of);
    void *tell_ctx;
    bool as_told; // names are known from where they came on, as in every reading
};

enum { REPLAY_ALL = 0 }; // a row: from the beginning, as every reading goes

// Reads from some row not behind `row` on. Not within callbacks of a loop that `tell` runs.
//   why      on an error what is wrong, for the user
//   returns  WF_OK, also when `item` wanted no more; WF_ERR_STOPPED: `tell` gave up; WF_ERR_READ,
//            WF_ERR_NOMEM
int replay_run(struct replay *r, uint64_t row, const struct replay_reading *on, char why[256]);

// The bytes of the stream at this offset, of a row near `row`.
//   returns  how many are there, less than len at the end; 0: they cannot be had
size_t replay_raw(struct replay *r, uint64_t row, uint64_t offset, uint8_t *bytes, size_t len);

#endif
