// SPDX-License-Identifier: MIT
// wf_loader.c has the batches, wf_loading.c a stream that is loaded, wfb_known.c what the tables
// have of it, wfb_whole.c whole segments, wfb_names.c programs for names; wf_again.c loads a stream
// out of the tables, wf_resume.c goes on with one.
#ifndef WFB_LOADER_H
#define WFB_LOADER_H

#include <time.h>

#include "wallfly_backend/wf_loader.h"

// A segment that the tables have, or the batch.
struct wfb_stored {
    uint64_t offset, length, end; // end: offset behind it, with what is lost in it
    uint64_t number, records, rows;
    uint32_t build, names;
    bool old_version; // its rows have another version than the stream
};

// A stream whose origin is fixed. Its row may still be in the batch. device null: a free place.
struct wfb_known {
    char *device, *version;
    uint64_t stream, origin_ns;
    struct wf_session_options session;
    bool is_new;               // all its rows are of this loader
    bool trimmed;              // segments before the first one of `stored` are in the tables, too
    unsigned readings;         // that are open
    uint64_t passed;           // the only one has no more segments before this offset
    struct wfb_stored *stored; // by offset
    size_t stored_count, stored_cap;
};

// A segment of which the tables have a shorter one, or one with other names.
struct wfb_grown {
    size_t known;
    uint64_t offset, revision;
};

// The program of a build, or of a version that has traces without a build.
struct wfb_program {
    uint32_t build;
    char *version;  // asked for; null: by the build
    time_t asked;   // when the engine was
    uint32_t names; // when it was bound; 0: there is none
    char *of_version;
    uint8_t *bytes;
    struct wf_program *program;
};

struct wf_loader {
    struct wf_loader_options o;
    char *project;
    struct wf_fleet *fleet;          // the rows of the batch
    uint64_t bytes;                  // of segments in it
    bool has_tokens, has_partitions; // settings of the engine
    struct wfb_known *known;
    size_t known_count, known_cap;
    struct wfb_grown *grown; // of the batch
    size_t grown_count, grown_cap;
    struct wfb_program *programs;
    size_t program_count, program_cap;
    uint64_t salt; // of tokens; 0 until rows were deleted
    struct wf_loader_totals totals;
    struct wf_error error; // the first one
};

// Returns the loader's error, or sets it.
int wfb_loader_fail(struct wf_loader *l, const struct wf_error *error);
int wfb_loader_error(const struct wf_loader *l, struct wf_error *error);

// ---- wfb_known.c

// Finds out whether the stream was loaded before, and with what: all its segments, for a reading
// that begins anywhere.
//   known  set to its index; or SIZE_MAX
int wfb_known_find(struct wf_loader *l, const char *device, uint64_t stream, size_t *known,
                   struct wf_error *error);
// Fixes the origin of a stream: adds its row to the batch. Returns its index; SIZE_MAX when out of
// memory.
size_t wfb_known_add(struct wf_loader *l, const struct wf_fleet_stream *stream, const char *source);
// Compares a segment with those that the tables have of its stream.
//   names    when the names of its rows were bound
//   put      set to whether its rows are to be added: not if there is a longer one
//   returns  WF_OK
//            WF_ERR_READ   it is not a piece of the same stream; not an error of the loader
//            WF_ERR_NOMEM
int wfb_known_compare(struct wf_loader *l, size_t known, const struct wf_segment *segment,
                      uint32_t names, bool *put, struct wf_error *error);
// WF_ERR_READ: a segment is not what was loaded before at this offset.
int wfb_known_differs(uint64_t offset, struct wf_error *error);
// Changes the version of a stream that the tables have.
int wfb_known_rename(struct wf_loader *l, size_t known, const char *version,
                     struct wf_error *error);
// Deletes all rows of a stream but its own.
int wfb_known_delete(struct wf_loader *l, size_t known, struct wf_error *error);
// Replaces rows of figures that the segments of the batch had before, and have no more.
int wfb_known_replace(struct wf_loader *l, struct wf_error *error);
void wfb_known_close(struct wf_loader *l);

// ---- wf_loading.c

// Feeds a segment of the tables, with its breaks. Returns as wf_loading_feed.
int wfb_loading_feed_segment(struct wf_loading *s, const struct wf_segment *segment,
                             struct wf_error *error);
// Tells a reading that has just begun what the tables have.
//   only_previous  its first segment is there, and no rows are made of it: the next one follows it
//   stored         offset behind what they have
void wfb_loading_go_on(struct wf_loading *s, bool only_previous, uint64_t stored);

// ---- wfb_whole.c

// Compares a whole segment with that which the tables have of its stream, by its bytes. Deletes
// the rows of a shorter one: those of the longer one do not replace them all.
//   returns  as wfb_known_compare, which follows, or the loader's error
int wfb_whole_compare(struct wf_loader *l, size_t known, const struct wf_segment *segment,
                      struct wf_error *error);

// ---- wfb_names.c

// Finds the program for the names of a segment: that of its build; of a segment without a build
// that of its version. A new one is found after a minute at the latest.
//   program  set, valid until the next call; its `names` are 0 if there is none
int wfb_names_find(struct wf_loader *l, uint32_t build, const char *version,
                   const struct wfb_program **program, struct wf_error *error);
void wfb_names_close(struct wf_loader *l);

// ---- wf_loader.c

// Adds the rows of a segment, and sends the batch when it is full.
int wfb_loader_put(struct wf_loader *l, const struct wf_fleet_stream *stream,
                   const struct wf_segment *previous, const struct wf_segment *segment,
                   struct wf_error *error);

#endif
