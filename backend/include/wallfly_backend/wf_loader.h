// SPDX-License-Identifier: MIT
// Loads streams of frames, and whole traces of other formats (wf_segment.h), into the tables of a
// project (docs/fleet-tables.md).
//
//   l = wf_loader_open(&options, &error)
//   for each stream: s = wf_loading_begin(l, &o, &error);
//       wf_loading_feed, _relink, _lose; wf_loading_end(s, &error)
//   wf_loader_flush(l, &error); wf_loader_close(l)
//
// Rows are sent in batches, so any of these functions may wait for the engine (wf_engine_run); they
// are in the engine when wf_loader_flush has returned WF_OK. Rows have the same keys whenever they
// are made: a stream that is loaded again, whole or longer, after a kill of either side too, has
// each row once. After an error all functions of the loader return it.
//
// All functions of one loader are for one thread.
#ifndef WF_LOADER_H
#define WF_LOADER_H

#include "wallfly_host/wf_fleet.h"
#include "wf_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_loader;
struct wf_loading; // a stream

struct wf_loader_options {
    size_t size;              // sizeof(struct wf_loader_options)
    struct wf_engine *engine; // stays open until the loader is closed
    const char *project;      // wf_fleet_is_project; copied
    const bool *records;      // 256: as of wf_fleet_options, copied; null: none
    uint64_t batch_bytes;     // bytes of segments that are sent at a time; 0: 32 MiB
    uint64_t batch_rows;      // ... or rows of all tables; 0: 300,000
};

// Asks the engine what it has. Returns null with `error`: the errors of wf_engine_run,
// WF_ERR_USAGE, WF_ERR_NOMEM.
struct wf_loader *wf_loader_open(const struct wf_loader_options *options, struct wf_error *error);
void wf_loader_close(struct wf_loader *l); // what was not flushed is dropped

enum { WF_LOADING_VERSION_MAX = 255 }; // bytes

struct wf_loading_options {
    size_t size;        // sizeof(struct wf_loading_options); texts are copied
    const char *device; // wf_fleet_is_device
    // Release of the firmware; null: that with which the stream was loaded before, or that of its
    // build (wf_fleet_build), or "".
    const char *version;
    const struct wf_session_options *session; // null: all default
    uint64_t stream;                          // 0: made of its first segment
    // Of a stream that does not begin here, as a later file of a split recording.
    const uint8_t *state; // as of wf_segments_options
    size_t state_len;
    uint64_t offset;    // bytes of the stream before
    uint64_t number;    // rows before; 0: they are counted from the offset
    uint64_t begun_ns;  // UTC, when its first bytes arrived, since 1970
    const char *source; // file that it comes from
    bool anew;          // deletes what the tables have of the stream, when its first segment comes
};

// Returns null with `error`: WF_ERR_USAGE, WF_ERR_BAD_STATE, WF_ERR_NOMEM, or the loader's error.
struct wf_loading *wf_loading_begin(struct wf_loader *l, const struct wf_loading_options *options,
                                    struct wf_error *error);
// Goes on with a stream where the tables end: its last segment, which may be one that has not
// ended, is read out of them. options: as of wf_loading_begin; `stream` is set, there is no state.
//   offset   set to that of the first byte to be fed; 0: the tables do not have the stream
//   returns  as wf_loading_begin; null with an error of wf_loading_feed, too
struct wf_loading *wf_loading_resume(struct wf_loader *l, const struct wf_loading_options *options,
                                     uint64_t *offset, struct wf_error *error);
// As wf_segments_feed, _relink and _lose.
//   returns  WF_OK, the errors of wf_engine_run, WF_ERR_NOMEM,
//            WF_ERR_USAGE: the stream was loaded before with other options,
//            WF_ERR_READ: ... with other bytes; or more than WF_SEGMENT_WHOLE_MAX of a whole trace
//            WF_ERR_BAD_IMPORT: a whole trace cannot be read; these are not errors of the loader
int wf_loading_feed(struct wf_loading *s, const void *bytes, size_t len, struct wf_error *error);
int wf_loading_relink(struct wf_loading *s, struct wf_error *error);
int wf_loading_lose(struct wf_loading *s, uint64_t bytes, struct wf_error *error);
// Adds the segment that has not ended, up to its last good record: a longer one replaces it later.
// Returns as wf_loading_feed.
int wf_loading_grow(struct wf_loading *s, struct wf_error *error);
// Returns the offset behind the last byte that is in the tables, or will be after the next flush.
uint64_t wf_loading_stored(const struct wf_loading *s);
// Ends the stream and frees it. Returns as wf_loading_feed.
int wf_loading_end(struct wf_loading *s, struct wf_error *error);
// Frees it, before the loader is closed; what it has not yet sent is missing.
void wf_loading_discard(struct wf_loading *s);

// Loads the black box of a memory image (wf_box.h), which is a stream of its own.
//   options  as of wf_loading_begin, but the state, offset and number
//   returns  as wf_loading_end; WF_ERR_READ: there is no box, or nothing in it
int wf_loader_box(struct wf_loader *l, const struct wf_loading_options *options,
                  const uint8_t *image, size_t len, struct wf_error *error);

// Stores a program for the names of its build. Its time `changed` is set behind that of all others.
// Returns as wf_loader_flush.
int wf_loader_bind(struct wf_loader *l, struct wf_fleet_build *build, struct wf_error *error);

// Loads streams again, out of the tables: for the names of a program that was bound since, and for
// streams without a version that of their build. Records get rows where their stream has some.
struct wf_again {
    size_t size;        // sizeof(struct wf_again)
    const char *device; // of this device, version and build alone; null, 0: of any
    const char *version;
    uint32_t build;
    // Called before each stream; may be null.
    void (*progress)(void *ctx, uint64_t done, uint64_t all);
    // Reports a stream that cannot be loaded again, as its segments do not fit each other; may be
    // null.
    void (*refused)(void *ctx, const char *device, uint64_t stream, const char *text);
    void *ctx;
};
struct wf_again_found {
    uint64_t streams, changed; // changed: loaded again, as it has new names or a version
    uint64_t refused;
};
//   found    set; may be null
//   returns  as wf_loader_flush
int wf_loader_again(struct wf_loader *l, const struct wf_again *what, struct wf_again_found *found,
                    struct wf_error *error);

// Sends what waits.
int wf_loader_flush(struct wf_loader *l, struct wf_error *error);
// After a flush: forgets streams without a reading, and of others the segments that it has passed,
// so that a loader of streams that never end does not grow. A reading that begins later asks the
// engine for them.
void wf_loader_trim(struct wf_loader *l);

struct wf_loader_totals {
    uint64_t streams, created;                        // created: those that were not loaded before
    uint64_t segments, bytes, records, damaged, lost; // lost: bytes
    int64_t missing;
    uint64_t rows[WF_FLEET_TABLE_END]; // sent
};
const struct wf_loader_totals *wf_loader_totals(const struct wf_loader *l);

#ifdef __cplusplus
}
#endif
#endif
