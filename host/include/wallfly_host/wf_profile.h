// SPDX-License-Identifier: MIT
// A profile: the statistics (wf_stats.h) of one or several traces of the same program, in a small
// form that can be saved, joined with others and compared (wf_diff.h). It has the whole
// distribution of every figure, and the figure's values in up to WF_PROFILE_BLOCKS consecutive
// blocks of time: how much they differ from block to block shows how much chance alone changes the
// figure, though values that follow each other are alike. docs/profile.md describes the bytes.
//
//   options.blocks = true; st = wf_stats_open(session, &options, &error); ...; wf_stats_end(st)
//   p = wf_profile_open(&error); wf_profile_add(p, st, lane, &error)
//   bytes = wf_profile_write(p, &len, &error); ...; p = wf_profile_read(bytes, len, &error)
//
// A profile is for one thread at a time. Functions that return int return WF_OK or an error; after
// one, `error` (may be null) has its message, and the profile can only be closed.
#ifndef WF_PROFILE_H
#define WF_PROFILE_H

#include "wf_error.h"
#include "wf_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_PROFILE_BLOCKS = 32, WF_PROFILE_VERSION = 1 };

struct wf_profile;

// Returns an empty profile; null when out of memory.
struct wf_profile *wf_profile_open(struct wf_error *error);
void wf_profile_close(struct wf_profile *p);
// Adds the rows of a lane, after wf_stats_end. A lane that has rows already gets more values: it is
// as if the traces were one. WF_ERR_USAGE: options.blocks was not set, or the lane's tick rate is
// another one; WF_ERR_NOMEM.
int wf_profile_add(struct wf_profile *p, struct wf_stats *st, unsigned lane,
                   struct wf_error *error);
// Adds all of another profile, lane by lane. Errors as of wf_profile_add.
int wf_profile_join(struct wf_profile *p, const struct wf_profile *from, struct wf_error *error);

// Returns the bytes, which the caller frees; null when out of memory.
uint8_t *wf_profile_write(const struct wf_profile *p, size_t *len, struct wf_error *error);
// Reads bytes from anywhere. Returns null and an error with its place: WF_ERR_BAD_PROFILE,
// WF_ERR_NOMEM.
struct wf_profile *wf_profile_read(const void *bytes, size_t len, struct wf_error *error);
// Returns whether the bytes begin as a profile does; 8 bytes are enough.
bool wf_profile_is(const void *bytes, size_t len);

// Further parts of a profile's file, which follow the bytes of wf_profile_write. wf_profile_read
// passes over them.
enum { WF_PROFILE_BEHAVIOUR = 1 }; // kinds of parts: wf_behaviour_write (wf_behaviour.h)
// Returns the bytes of a part, which the caller frees and appends; null and WF_ERR_NOMEM.
uint8_t *wf_profile_write_part(unsigned kind, const void *bytes, size_t len, size_t *part_len,
                               struct wf_error *error);
// Returns the contents of the first part of this kind, which the caller frees. Returns null if
// there is none (WF_OK), or an error: WF_ERR_BAD_PROFILE, WF_ERR_NOMEM.
uint8_t *wf_profile_read_part(const void *file, size_t len, unsigned kind, size_t *part_len,
                              struct wf_error *error);

// A lane: the time that its blocks cover, and its records.
struct wf_profile_lane {
    unsigned lane;
    uint64_t traces;        // added
    uint64_t hz;            // ticks a second; 0: unknown
    uint64_t ticks;         // observed
    uint64_t records, lost; // received; missing
    uint64_t holes;
};
// Returns false if there is no lane of this index.
bool wf_profile_lane(const struct wf_profile *p, size_t index, struct wf_profile_lane *lane);
// Returns the next row, with its lane, as wf_stats_next would of all traces together. Starts with
// *at = 0. Returns false when there are no more rows. Texts are valid until the profile changes.
// Members that are not part of a profile (key, priorities) are 0.
bool wf_profile_next(const struct wf_profile *p, uint64_t *at, unsigned *lane,
                     struct wf_stats_row *row);

// ---- profiles from sums, as a fleet's tables have them (docs/fleet-tables.md)
//
//   p = wf_profile_open(&error); wf_profile_put_lane(p, blocks, count, &error)
//   for each block of each row: wf_profile_put_sums(p, &sums, &error)

struct wf_profile_block {
    uint64_t ns;            // of the target's time
    uint64_t records, lost; // received, missing
};
// Adds the one lane of an empty profile, with times in ns. count: at most WF_PROFILE_BLOCKS.
//   returns  WF_OK, WF_ERR_USAGE, WF_ERR_NOMEM
int wf_profile_put_lane(struct wf_profile *p, const struct wf_profile_block *blocks, unsigned count,
                        struct wf_error *error);

// Intervals of a row in one block.
struct wf_profile_sums {
    enum wf_stats_kind kind; // of the row
    enum wf_stats_spread spread;
    const char *name;
    unsigned block;
    bool marked;                                      // a hole may have changed them
    uint64_t count, sum, least, most, open, in_holes; // lengths in ns
    // Classes of the lengths, ascending, and how many lie in each (wf_fleet_class_of).
    const uint64_t *classes, *class_counts;
    size_t class_count;
};
//   returns  WF_OK, WF_ERR_NOMEM, WF_ERR_TOO_MANY,
//            WF_ERR_USAGE   a block or class that is none, or counts of classes that are not
//            `count`
int wf_profile_put_sums(struct wf_profile *p, const struct wf_profile_sums *sums,
                        struct wf_error *error);

#ifdef __cplusplus
}
#endif
#endif
