// SPDX-License-Identifier: MIT
// A recording has the input of a link unchanged: the bytes of each target, their arrival times,
// when targets connected and disconnected, the commands sent to them. docs/recording.md describes
// the bytes: a sequence of Zstandard frames, each of them readable alone. The writer passes bytes
// to a callback, the reader takes bytes in any pieces; neither opens a file.
#ifndef WF_RECORDING_H
#define WF_RECORDING_H

#include "wf_session.h"
#include "wf_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_RECORDING_VERSION = 1,
    WF_RECORDING_BLOCK = 512 * 1024,  // the writer closes a block of this many bytes,
    WF_RECORDING_SPAN_US = 1000000,   // or whose first chunk is that old
    WF_RECORDING_LANES = 1024,        // lanes have lower numbers
    WF_RECORDING_NAME_MAX = 255,      // bytes of a peer's name
    WF_RECORDING_STATE_MAX = 1 << 19, // bytes of a chunk that is not BYTES
    WF_RECORDING_MAGIC_LEN = 16,      // bytes that identify a recording
};

enum wf_chunk_kind {
    WF_CHUNK_BLOCK,  // first in each block (not returned by wf_recording_next)
    WF_CHUNK_BYTES,  // received on the lane
    WF_CHUNK_UP,     // a target connected; bytes: its name
    WF_CHUNK_DOWN,   // it disconnected; bytes: the reason, empty when orderly
    WF_CHUNK_SENT,   // a command: its number and payload
    WF_CHUNK_STATE,  // the state of the lane's session when the file began (wf_session_read_state)
    WF_CHUNK_FORMAT, // how the bytes after it are read (wf_recording_format)
    WF_CHUNK_PLACE,  // where the lane's bytes are in a split recording (wf_recording_place)
    // Not in files: made by the reader.
    WF_CHUNK_LOST,   // `lost` bytes of the lane were in a damaged part of the file
    WF_CHUNK_DAMAGE, // the damaged part: from `offset` of the file on, `lost` bytes
    WF_CHUNK_CUT,    // the file ends without its index, or inside a block
    WF_CHUNK_NEWER,  // the file's version is above WF_RECORDING_VERSION: some of it may be ignored
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
    char tool[32];     // the program that wrote it, "wallfly 0.1.0"
};

// Writing. Errors: WF_ERR_NOMEM, WF_ERR_WRITE (the callback returned false), WF_ERR_USAGE.
struct wf_recording_writer;

// Writes the head at once; every call of `write` after that is a whole block.
// `error` may be null.
struct wf_recording_writer *wf_recording_create(const struct wf_recording_head *head,
                                                wf_write_fn write, void *ctx,
                                                struct wf_error *error);
// Adds a chunk (its kind, lane, time_us, bytes, len). An earlier time than that of the last chunk
// is raised to it.
int wf_recording_put(struct wf_recording_writer *w, const struct wf_chunk *chunk);
// Leaves out bytes of a lane: the reader reports them as LOST. Call it between two chunks. Returns
// WF_ERR_USAGE if all bytes of the lane are 2^62 or more.
int wf_recording_skip(struct wf_recording_writer *w, unsigned lane, uint64_t bytes);
// Closes the open block; without one it does nothing.
int wf_recording_flush(struct wf_recording_writer *w);
// The time of the open block's start; UINT64_MAX: none is open.
uint64_t wf_recording_open_since(const struct wf_recording_writer *w);
// Bytes of the open block, uncompressed.
size_t wf_recording_waiting(const struct wf_recording_writer *w);
// Bytes of the file so far.
uint64_t wf_recording_written(const struct wf_recording_writer *w);
// Closes the open block, writes the index, frees.
int wf_recording_finish(struct wf_recording_writer *w);

// Reading.
struct wf_recording;

struct wf_recording_info {
    struct wf_recording_head head;
    unsigned version;
    uint64_t blocks;            // good ones
    uint64_t damages;           // damaged parts that were skipped
    uint64_t first_us, last_us; // of the chunks returned
    bool complete;              // the index was found
    uint64_t block_at;          // offset in the file of the block of the last chunk
    unsigned lane_end;          // the highest lane of the chunks returned, plus one; 0: none
};

// Returns whether a file with these first bytes is a recording. WF_RECORDING_MAGIC_LEN bytes
// decide; with fewer: whether it may be one.
bool wf_recording_is(const uint8_t *bytes, size_t len);

struct wf_recording *wf_recording_open(void); // null when out of memory
// Starts at a block instead of at the file's first byte: the first byte fed is that of the block at
// `at` (wf_recording_info, wf_index_entry). Lanes begin with their state there, without chunks for
// their connects or lost bytes.
void wf_recording_go_on(struct wf_recording *r, uint64_t at);
void wf_recording_close(struct wf_recording *r);
// Adds bytes of the file (copied). Returns false when out of memory.
bool wf_recording_feed(struct wf_recording *r, const uint8_t *bytes, size_t len);
// Ends the input.
void wf_recording_end(struct wf_recording *r);
// Takes the next chunk, valid until the next call of any of these functions. Returns false when it
// needs more bytes; after wf_recording_end: when done.
bool wf_recording_next(struct wf_recording *r, struct wf_chunk *chunk);
// Describes the part of the file read so far.
const struct wf_recording_info *wf_recording_get_info(const struct wf_recording *r);

// Describes DAMAGE, CUT or NEWER for the user, after the name of the file.
void wf_chunk_text(const struct wf_chunk *c, const struct wf_recording_info *info, const char *name,
                   char text[512]);

// How the bytes of a lane are read, if they are another tracer's.
struct wf_recording_format {
    const char *name;        // of the format (wf_lane_format_name); "": by the first bytes
    const uint8_t *describe; // the user's description or mapping file
    size_t describe_len;
};
// Makes the contents of a chunk FORMAT; null when out of memory. Free it with free().
uint8_t *wf_recording_put_format(const struct wf_recording_format *f, size_t *len);
// Returns false when the contents are damaged. What it sets points into them.
bool wf_recording_get_format(const uint8_t *bytes, size_t len, struct wf_recording_format *f);

// Where the bytes of a lane are in a recording of several files. The files after the first have it,
// and a file with a part of a stream.
struct wf_recording_place {
    uint64_t start_ns; // UTC, since 1970, of the first file
    uint64_t offset;   // bytes of the lane in the files before this one
    // Times and places are shown as those of the whole: times count from the tick `zero`. Files of
    // a split are shown alone.
    bool shown;
    uint64_t zero;
};
enum { WF_RECORDING_PLACE_MAX = 28 };
// Makes the contents of a chunk PLACE, and returns their length.
size_t wf_recording_put_place(const struct wf_recording_place *p,
                              uint8_t bytes[WF_RECORDING_PLACE_MAX]);
// Returns false when the contents are damaged.
bool wf_recording_get_place(const uint8_t *bytes, size_t len, struct wf_recording_place *p);

// Applies the chunk to the session of a lane: BYTES are fed (wf_session_next follows), DOWN is a
// wf_session_relink, STATE, PLACE and LOST are applied; others do nothing. Returns the errors of
// wf_session_read_state.
int wf_recording_apply(struct wf_session *s, const struct wf_chunk *chunk);

// The index. A complete file ends with a trailer of 32 bytes that has the index's place.
enum { WF_TRAILER_LEN = 32 };

struct wf_trailer {
    uint64_t index_at; // offset of its frame in the file
    unsigned lanes;    // number of lanes with chunks
};
// Returns false when the bytes are no trailer, or a damaged one.
bool wf_trailer_read(const uint8_t last[WF_TRAILER_LEN], struct wf_trailer *trailer);

struct wf_index_entry {
    uint64_t at, time_us; // offset of the block in the file; time of its first chunk
    unsigned lane_count;  // lanes that received bytes since the last block
    struct {
        unsigned lane;
        uint64_t offset;
    } lanes[WF_RECORDING_LANES];
};
// Takes the next entry of an index frame (from wf_trailer.index_at to the end of the file); *at
// starts as 0. Returns 1 for an entry, 0 after the last, WF_ERR_BAD_RECORDING (< 0).
int wf_index_next(const uint8_t *frame, size_t len, size_t *at, struct wf_index_entry *entry);

#ifdef __cplusplus
}
#endif
#endif
