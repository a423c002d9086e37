// SPDX-License-Identifier: MIT
// Segments: pieces of a stream that can be stored, sent again and read one by one. Each has the
// state of the decoder in front of it, so a session that reads it returns the same records, losses
// and times as one that has read the stream from its beginning.
//
//   s = wf_segments_open(&options, &error)
//   wf_segments_feed(s, bytes, len); while (wf_segments_next(s, &segment)) ...; at the end
//   wf_segments_end(s) and wf_segments_next
//
// A new connection of the link, and bytes that a recording has lost, are breaks in a segment; no
// segment ends at one.
//
// A segment ends behind the first good record that is not within a packed frame, and at which it
// has WF_SEGMENT_BYTES or lasts WF_SEGMENT_SECONDS of the target's time. So the segments follow
// from the bytes of the stream and the options alone: however the bytes are fed, and whoever cuts
// them, they are the same. Bytes without a good record stay in one segment, whatever its length.
//
// A stream that is not read from its beginning, as a later file of a split recording, has a state
// of its own in front; it begins with a segment, whatever came before.
//
// A trace of another format, as of another tracer or of slots, is one whole segment: its reader has
// no state that can be stored, and may need all bytes before the first record. In place of a state
// it has its format, which begins with a letter; a state never does.
//
// To read one that is not whole: a session with the same options, wf_session_read_state if the
// segment has a state, wf_segment_feed, wf_session_end. Offsets and row numbers of that session
// count from the segment's begin. All functions of one cutter are for one thread.
#ifndef WF_SEGMENT_H
#define WF_SEGMENT_H

#include "wf_recording.h"
#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_SEGMENT_BYTES = 256 << 10,
    WF_SEGMENT_SECONDS = 60,
    WF_SEGMENT_WHOLE_MAX = 64 << 20 // bytes of a whole segment
};

struct wf_segments_options {
    size_t size;                              // sizeof(struct wf_segments_options)
    const struct wf_session_options *session; // null: all default
    size_t bytes;                             // 0: WF_SEGMENT_BYTES
    unsigned seconds;                         // 0: WF_SEGMENT_SECONDS
    // Where the bytes begin, if not at the beginning of the stream; or how they are read
    // (wf_segment_put_whole).
    const uint8_t *state; // wf_session_write_state there, copied; state_len 0: none is known
    size_t state_len;
    uint64_t offset, number; // `offset` and `number` of the first segment
};

// Where the bytes of a segment do not follow each other.
struct wf_segment_break {
    size_t at;     // bytes of the segment before it
    uint64_t lost; // bytes that are missing there; 0: none, a new connection begins
};

struct wf_segment {
    const uint8_t *bytes; // frames; the last segment may end within one
    size_t len;
    uint64_t offset;                       // of its first byte in the stream, lost bytes included
    const struct wf_segment_break *breaks; // in order
    size_t break_count;
    const uint8_t *state; // wf_session_read_state; state_len 0: the stream begins here; of a whole
                          // one wf_segment_get_whole
    size_t state_len;
    uint64_t number;  // rows of the table `record` (records and losses) before it
    uint64_t rows;    // ... in it
    uint64_t records; // good ones
    int64_t missing;  // records, as they became known here; all together are those of the ledger.
                      // Negative: some that were counted before have arrived late, or were not
                      // made by the count of a SYNC
    uint64_t damaged; // bytes
    bool exact;       // `missing` of the stream up to its end is confirmed by SYNC records
    bool timed;       // `begin` and `end` are set
    uint64_t begin, end; // the least and the greatest tick of its records with a time stamp
    uint64_t hz;         // ticks per second at its end; 0: unknown
    uint32_t build_id;   // at its end; 0: unknown
    bool last;           // the stream has ended here. If it ends where a segment does, none is last
};

struct wf_segments;

// Returns null when out of memory (WF_ERR_NOMEM), for options that are not valid (WF_ERR_USAGE) or
// a state that is not one (WF_ERR_BAD_STATE). `error` may be null.
struct wf_segments *wf_segments_open(const struct wf_segments_options *options,
                                     struct wf_error *error);
void wf_segments_close(struct wf_segments *s);

// Adds bytes of the stream; they are copied. Call it after wf_segments_next has returned false.
//   returns  WF_OK; the bytes were not taken: WF_ERR_NOMEM, WF_ERR_READ (a trace that is kept whole
//            has more than WF_SEGMENT_WHOLE_MAX bytes)
int wf_segments_feed(struct wf_segments *s, const void *bytes, size_t len);
// Report, after wf_segments_next has returned false, a new connection (wf_session_relink), and
// bytes that are lost (wf_session_lose).
//   returns  WF_OK, WF_ERR_NOMEM: no more segments come
int wf_segments_relink(struct wf_segments *s);
int wf_segments_lose(struct wf_segments *s, uint64_t bytes);
// Ends the stream: wf_segments_next returns the last segment.
void wf_segments_end(struct wf_segments *s);
// Returns the next whole segment, valid until the next call of a function of `s`. Returns false if
// there is none yet, or after an error.
bool wf_segments_next(struct wf_segments *s, struct wf_segment *segment);
// Returns what is known of the segment that has not ended, up to its last good record, valid as
// long as one of wf_segments_next. A later one with the same offset replaces it. Returns false if
// it has no record, is a whole one, or after an error.
bool wf_segments_growing(struct wf_segments *s, struct wf_segment *segment);
// Feeds a piece of a segment, from 0, to a session that has read the pieces before, and applies the
// break before it. wf_session_next follows. Returns false behind the last piece. A break beyond the
// bytes, as in a damaged one, is at their end.
bool wf_segment_feed(const struct wf_segment *segment, size_t piece, struct wf_session *session);
// Returns the offset of the byte behind it in the stream.
uint64_t wf_segment_end(const struct wf_segment *segment);
// Copies a segment with its bytes, breaks and state, so that it stays valid. Returns false when out
// of memory: then `to` is empty. wf_segment_free frees what a copy has, or does nothing with an
// empty one (all 0).
bool wf_segment_copy(struct wf_segment *to, const struct wf_segment *from);
void wf_segment_free(struct wf_segment *copy);
// Returns WF_OK, or why no more segments come: WF_ERR_NOMEM; of a whole one the errors of
// wf_trace_error, and WF_ERR_BAD_IMPORT (it has no record). `error` may be null.
int wf_segments_error(const struct wf_segments *s, struct wf_error *error);

// ---- whole segments

struct wf_trace;

// How the bytes of a whole segment are read.
struct wf_segment_whole {
    struct wf_recording_format format;
    const uint8_t *state; // in front of a later file of a split recording; state_len 0: none
    size_t state_len;
};
// Makes the `state` of a whole segment; null when out of memory. Free it with free().
uint8_t *wf_segment_put_whole(const struct wf_segment_whole *whole, size_t *len);
// Returns false for a segment that is not whole, or one whose state is damaged. What it sets points
// into the segment. `whole` may be null.
bool wf_segment_get_whole(const struct wf_segment *segment, struct wf_segment_whole *whole);
// Returns a trace with the items of a whole segment, on lane 0, for wf_trace_next; null on an error
// (WF_ERR_BAD_STATE: it is not whole; those of wf_trace_open). `error` may be null.
//   session  as of wf_segments_options
struct wf_trace *wf_segment_open(const struct wf_segment *segment,
                                 const struct wf_session_options *session, struct wf_error *error);

// ---- recordings of segments

// put_begin: writes to a lane of a recording what comes before the first of its segments: a
// connection without a name, the format, the state. put: writes a segment. DOWN ends the lane.
//   session  as of wf_segments_options
//   returns  as wf_recording_put; WF_ERR_BAD_STATE: a break has an absurd length
int wf_segment_put_begin(const struct wf_segment *first, const struct wf_session_options *session,
                         struct wf_recording_writer *w, unsigned lane, uint64_t time_us);
int wf_segment_put(const struct wf_segment *segment, struct wf_recording_writer *w, unsigned lane,
                   uint64_t time_us);

#ifdef __cplusplus
}
#endif
#endif
