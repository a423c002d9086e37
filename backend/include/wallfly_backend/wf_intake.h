// SPDX-License-Identifier: MIT
// Takes messages of devices (wf_fleet_chunk.h) for a fleet's agent, whatever network brings them.
// Chunks that are new and in order go into the spool (wf_spool.h). When they are on disk, each
// device is answered with the offset that is wanted next.
//
//   in = wf_intake_open(&options, &error)
//   for each message: wf_intake_take(in, device, bytes, len, client, &error)
//   when nothing more is there at once: wf_intake_sync(in, &error)    // calls options.answer
//   now and then: wf_intake_save(in, done, &error)
//
// Streams whose chunks are not wanted again are known over restarts by a table in the spool's
// folder, and by the entries that came after it was written.
//
// All functions are for one thread.
#ifndef WF_INTAKE_H
#define WF_INTAKE_H

#include "wf_spool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_intake;

struct wf_intake_answer {
    void *client; // of wf_intake_take
    const char *device;
    uint64_t stream, wanted;
};

struct wf_intake_options {
    size_t size; // sizeof(struct wf_intake_options)
    struct wf_spool_options spool;
    unsigned keep_days; // a stream without chunks for so long is forgotten; 0: 30
    // Tells a device what is wanted next of a stream: what came before is safe, or it came before
    // something else that is missing.
    void (*answer)(void *ctx, const struct wf_intake_answer *answer);
    void *ctx;
};

// Returns null with `error`: as wf_spool_open; WF_ERR_READ: the table of streams is damaged.
struct wf_intake *wf_intake_open(const struct wf_intake_options *options, struct wf_error *error);
void wf_intake_close(struct wf_intake *in);
struct wf_spool *wf_intake_spool(struct wf_intake *in);
// The position up to which the spool was worked off when the table was saved last.
uint64_t wf_intake_done(const struct wf_intake *in);

// Takes a message. What it has is answered at the next sync, also if nothing of it is new.
//   client   for the answer
//   returns  WF_OK
//            WF_ERR_USAGE      no name of a device
//            WF_ERR_BAD_CHUNK  `error` says where and why; chunks before that one are taken
//            WF_ERR_TOO_MANY, WF_ERR_NOMEM: there is no room; the device sends it again
int wf_intake_take(struct wf_intake *in, const char *device, const uint8_t *message, size_t len,
                   void *client, struct wf_error *error);
// Makes what was taken safe, and answers.
//   returns  WF_OK
//            WF_ERR_WRITE  nothing of it is; devices send it again
int wf_intake_sync(struct wf_intake *in, struct wf_error *error);
// Returns the offset that is wanted next of a stream: what is before it is safe.
uint64_t wf_intake_wanted(const struct wf_intake *in, const char *device, uint64_t stream);
// Saves the table of streams, and removes files of the spool that are worked off.
//   done     a position of the spool: what is before it will not be read again
//   returns  WF_OK, WF_ERR_WRITE, WF_ERR_NOMEM
int wf_intake_save(struct wf_intake *in, uint64_t done, struct wf_error *error);

struct wf_intake_totals {
    uint64_t messages, bad;             // bad: that could not be read
    uint64_t chunks, bytes;             // that are in the spool
    uint64_t repeated, early, given_up; // chunks; given_up: bytes that devices skipped
    uint64_t streams;
};
const struct wf_intake_totals *wf_intake_totals(const struct wf_intake *in);

#ifdef __cplusplus
}
#endif
#endif
