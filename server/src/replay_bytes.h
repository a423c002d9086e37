// SPDX-License-Identifier: MIT
// The bytes for replay: from the file, the blocks of a recording, or the kept bytes of a live
// source.
#ifndef REPLAY_BYTES_H
#define REPLAY_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_recording.h"

// Kept bytes of a live source: a ring in a file without a name.
struct spool {
    int fd;          // -1: none
    uint64_t limit;  // bytes
    uint64_t len;    // bytes received so far
    uint64_t reach;  // and those that are being written
    int failed;      // the file, once it cannot be written; -1: none
    uint64_t *links; // offsets at which a new connection began
    size_t link_count, link_cap;
    // Reports once, for the user, that bytes cannot be kept any more. May be null.
    void (*warn)(void *ctx, const char *text);
    void *ctx;
};

// Set `warn` and `ctx` before.
//   returns  false on an error
bool spool_open(struct spool *s, uint64_t limit, struct wf_error *error);
void spool_close(struct spool *s);
// The lock is held while members change.
bool spool_put(struct spool *s, uv_mutex_t *lock, const uint8_t *bytes, size_t len);
void spool_relink(struct spool *s);
uint64_t spool_gone(const struct spool *s); // bytes that are no longer kept
// Copies it for a reading in another thread, which must end before spool_close. Returns false when
// out of memory.
bool spool_copy(const struct spool *s, struct spool *copy);
// Returns the bytes that may have been overwritten while they were read.
uint64_t spool_written_over(const struct spool *s);

// State of a reading.
struct bytes {
    const struct spool *spool; // null: a file
    int fd;
    bool ended;
    struct wf_recording *recording; // null: not a recording
    unsigned lane;
    uint64_t offset; // of the next byte of the stream
    uint64_t at;     // the same in the file of a recording
    bool reached;    // the first requested byte was reached
    size_t link;     // index of the next link in the spool
    uint8_t block[65536];
};

// Reads from a byte of the lane's stream on. block_at: for recordings, the offset of the block that
// contains it.
//   returns  null on an error
struct bytes *bytes_open(const struct spool *spool, const char *file, unsigned lane,
                         uint64_t offset, uint64_t block_at, struct wf_error *error);
void bytes_close(struct bytes *b);
// Returns the next chunk, as of a recording (wf_recording_apply).
//   returns  1 for a chunk; 0 at the end; < 0: WF_ERR_READ or WF_ERR_NOMEM
int bytes_next(struct bytes *b, struct wf_chunk *chunk, struct wf_error *error);

#endif
