// SPDX-License-Identifier: MIT
// Loads the chunks of an agent's spool (wf_spool.h) into the tables of a project (wf_loader.h). It
// can end at any time: another one goes on at wf_unspool_done, and what is loaded twice is in the
// tables once.
//
//   u = wf_unspool_open(&options, &error)
//   again and again: wf_unspool_step(u, wf_spool_end(spool), &error)
//   wf_unspool_close(u)
//
// A step waits for the engine. All functions are for one thread, but for wf_unspool_done.
#ifndef WF_UNSPOOL_H
#define WF_UNSPOOL_H

#include "wf_loader.h"
#include "wf_spool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_unspool;

struct wf_unspool_options {
    size_t size; // sizeof(struct wf_unspool_options)
    struct wf_loader *loader;
    const char *folder; // of the spool
    uint64_t position;  // where to begin
    // Segments that have not ended are added every `grow_s` seconds, and whenever `bytes` of the
    // spool were read; wf_unspool_done moves on then. 0: 60 s, 64 MiB
    unsigned grow_s;
    uint64_t bytes;
    // A stream without chunks for so long is ended, in seconds; more may follow. 0: 600
    unsigned idle_s;
    // Reports what could not be loaded; may be null.
    void (*report)(void *ctx, const char *device, uint64_t stream, const char *text);
    void *ctx;
};

// Returns null with `error`: WF_ERR_USAGE, WF_ERR_NOMEM, WF_ERR_READ.
struct wf_unspool *wf_unspool_open(const struct wf_unspool_options *options,
                                   struct wf_error *error);
void wf_unspool_close(struct wf_unspool *u); // what is not in the tables is loaded again
// Loads the entries before a position of the spool. Returns as wf_loader_flush, WF_ERR_NOMEM.
int wf_unspool_step(struct wf_unspool *u, uint64_t end, struct wf_error *error);
// Adds all that has not ended, so that all before `end` of the last step is done, but for records
// that are not whole.
int wf_unspool_flush(struct wf_unspool *u, struct wf_error *error);
// Returns the position before which all is in the tables. Any thread.
uint64_t wf_unspool_done(const struct wf_unspool *u);

struct wf_unspool_totals {
    uint64_t chunks, bytes;
    uint64_t refused; // chunks that could not be loaded
    uint64_t skipped; // bytes of the spool that could not be read
    uint64_t streams; // open at present
};
const struct wf_unspool_totals *wf_unspool_totals(const struct wf_unspool *u);

#ifdef __cplusplus
}
#endif
#endif
