// SPDX-License-Identifier: MIT
// A recording is what came over a link as it came: the bytes of each target, when they arrived,
// when targets came and left, the commands sent to them. docs/recording.md describes the bytes: a
// sequence of Zstandard frames, each of them readable alone. The writer gives bytes to a callback,
// the reader takes bytes in any pieces; neither opens a file.
#ifndef WF_RECORDING_H
#define WF_RECORDING_H

#include "wf_session.h"
#include "wf_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_RECORDING_VERSION = 1,
    WF_RECORDING_BLOCK = 512 * 1024,  // the writer closes a block that has so many bytes,
    WF_RECORDING_SPAN_US = 1000000,   // or whose first chunk is that old
    WF_RECORDING_LANES = 1024,        // lanes have lower numbers
    WF_RECORDING_NAME_MAX = 255,      // bytes of a peer's name
    WF_RECORDING_STATE_MAX = 1 << 19, // bytes of a chunk that is not BYTES
    WF_RECORDING_MAGIC_LEN = 16,      // bytes that identify a recording
};

enum wf_chunk_kind {
    WF_CHUNK_BLOCK, // first in each block (wf_recording_next does not give it)
    WF_CHUNK_BYTES, // received on the lane
    WF_CHUNK_UP,    // a target connected; bytes: its name
    WF_CHUNK_DOWN,  // it left; bytes: why, empty when orderly
    WF_CHUNK_SENT,  // a command: its number and payload
    WF_CHUNK_STATE, // what was known of the target when the file began (wf_session_read_state)
    // Not in files: made by the reader.
    WF_CHUNK_LOST,   // `lost` bytes of the lane were in a part of the file that is damaged
    WF_CHUNK_DAMAGE, // that part: from `offset` of the file on, `lost` bytes
    WF_CHUNK_CUT,    // the file ends without its index, or inside a block
};

struct wf_chunk {
    enum wf_chunk_kind kind;
    unsigned lane;
    uint64_t time_us; // since the recording's start
    const uint8_t *bytes;
    size_t len;
    uint64_t offset; // BYTES: in the lane's stream; DAMAGE, CUT: in the file
    uint64_t lost;   // LOST, DAMAGE
};

struct wf_recording_head {
    uint64_t start_ns; // UTC, since 1970
    unsigned part;     // of a split recording, from 1
    char tool[32];     // what wrote it, "wallfly 0.1.0"
};

// Writing. Errors: WF_ERR_NOMEM, WF_ERR_WRITE (the callback returned false), WF_ERR_USAGE.
struct wf_recording_writer;

// Writes the head at once; every call of `write` after that is a whole block.
struct wf_recording_writer *wf_recording_create(const struct wf_recording_head *head,
                                                wf_write_fn write, void *ctx, int *err);
// Adds a chunk (its kind, lane, time_us, bytes, len). Times must not go back.
int wf_recording_put(struct wf_recording_writer *w, const struct wf_chunk *chunk);
// Closes the open block; without one it does nothing.
int wf_recording_flush(struct wf_recording_writer *w);
// When the open block was begun; UINT64_MAX: none is open.
uint64_t wf_recording_open_since(const struct wf_recording_writer *w);
size_t
wf_recording_waiting(const struct wf_recording_writer *w); // bytes of the open block, not packed
uint64_t wf_recording_written(const struct wf_recording_writer *w); // bytes of file so far
// Closes the open block, writes the index, frees.
int wf_recording_finish(struct wf_recording_writer *w);

// Reading.
struct wf_recording;

struct wf_recording_info {
    struct wf_recording_head head;
    unsigned version;
    uint64_t blocks;            // good ones
    uint64_t damages;           // stretches skipped
    uint64_t first_us, last_us; // of the chunks given
    bool complete;              // its index was there
    uint64_t block_at;          // where in the file the block of the last chunk begins
};

// Whether these first bytes of a file are a recording's. WF_RECORDING_MAGIC_LEN bytes decide; with
// fewer the answer is whether it may be one.
bool wf_recording_is(const uint8_t *bytes, size_t len);

struct wf_recording *wf_recording_open(void); // null: out of memory
// The first byte fed is not the file's but that of a block at `at` in it (wf_recording_info,
// wf_index_entry): lanes are taken as they stand there, without chunks that they came or lost
// bytes.
void wf_recording_go_on(struct wf_recording *r, uint64_t at);
void wf_recording_close(struct wf_recording *r);
// Takes bytes of the file (copied). False when out of memory.
bool wf_recording_feed(struct wf_recording *r, const uint8_t *bytes, size_t len);
// There are no more.
void wf_recording_end(struct wf_recording *r);
// The next chunk, valid until the next call of any of these. False: more bytes are needed, or after
// wf_recording_end: done.
bool wf_recording_next(struct wf_recording *r, struct wf_chunk *chunk);
// Valid as far as has been read.
const struct wf_recording_info *wf_recording_get_info(const struct wf_recording *r);

// Applies the chunk to the session of a lane: BYTES are fed (wf_session_next follows), DOWN is a
// wf_session_relink, STATE and LOST are applied; nothing for others. Errors of
// wf_session_read_state.
int wf_recording_apply(struct wf_session *s, const struct wf_chunk *chunk);

// The index. A file that ends well has a trailer of 32 bytes with its place.
enum { WF_TRAILER_LEN = 32 };

struct wf_trailer {
    uint64_t index_at; // where in the file its frame begins
    unsigned lanes;    // how many lanes have chunks
};
// False: the bytes are no trailer, or one that is damaged.
bool wf_trailer_read(const uint8_t last[WF_TRAILER_LEN], struct wf_trailer *trailer);

struct wf_index_entry {
    uint64_t at, time_us; // where in the file the block begins; of its first chunk
    unsigned lane_count;  // lanes whose place in their stream has changed since the block before
    struct {
        unsigned lane;
        uint64_t offset;
    } lanes[WF_RECORDING_LANES];
};
// Gives the entries of an index frame (from wf_trailer.index_at to the end of the file) one after
// the other; *at starts as 0. Returns 1: there was one, 0: no more, < 0: WF_ERR_BAD_RECORDING.
int wf_index_next(const uint8_t *frame, size_t len, size_t *at, struct wf_index_entry *entry);

#ifdef __cplusplus
}
#endif
#endif
