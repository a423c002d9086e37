// SPDX-License-Identifier: MIT
// Internals of replay, for readings in other threads (replay_part.c).
#ifndef REPLAY_STATE_H
#define REPLAY_STATE_H

#include <uv.h>

#include "replay_bytes.h"
#include "wallfly_server/replay.h"

struct checkpoint {
    uint64_t row;  // number of rows before it
    uint64_t tick; // the highest tick before it
    uint64_t offset, block_at;
    uint8_t *state; // null: none; at the beginning, and for input without frames
    size_t len;
};

struct replay {
    struct replay_options o;
    // Held to change the checkpoints and the spool, and to read them in another thread.
    uv_mutex_t lock;
    struct spool spool;
    const struct wf_session *session; // the session that has read the trace
    unsigned lane;
    bool frames;
    struct checkpoint *checkpoints;
    size_t count, cap;
    uint64_t rows, every, tick;
};

// Returns the last checkpoint before a row; null when its bytes are no longer available.
const struct checkpoint *replay_checkpoint(const struct replay *r, uint64_t row);
// As replay_checkpoint, for a reading; null: with the message for the user.
const struct checkpoint *replay_readable(const struct replay *r, uint64_t row,
                                         struct wf_error *error);
// Opens a session at a checkpoint. names: those known now; null: only those that it receives
//   returns  WF_OK, WF_ERR_NOMEM, WF_ERR_BAD_STATE; *session may be set in any case
int replay_session(const struct replay *r, const struct checkpoint *p,
                   const struct wf_session *names, struct wf_session **session);

#endif
