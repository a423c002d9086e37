// SPDX-License-Identifier: MIT
// The streams that an agent knows: wfb_streams.c finds them, wfb_kept.c keeps them
// in a file.
#ifndef WFB_INTAKE_H
#define WFB_INTAKE_H

#include "wallfly_backend/wf_intake.h"

struct wfb_stream {
    char device[WF_FLEET_DEVICE_MAX + 1];
    uint64_t stream;
    struct wf_fleet_order order; // with what is not yet safe
    struct wf_fleet_order safe;
    uint64_t seen_s; // time of its last chunk, since 1970
    bool touched;    // since the last sync
    bool changed;    // since it was saved
    void *client;    // to be answered
};

// A table by device and stream; begins as zeros.
struct wfb_streams {
    struct wfb_stream *list;
    size_t count, cap;
    uint32_t *index; // places in the list + 1, by hash; 0: free
    size_t slots;    // a power of two
};

// Finds a stream. Returns null if it is not known.
struct wfb_stream *wfb_streams_find(const struct wfb_streams *s, const char *device,
                                    uint64_t stream);
// Finds a stream, or adds it. Returns null when out of memory. Pointers are valid until the next
// one is added.
struct wfb_stream *wfb_streams_get(struct wfb_streams *s, const char *device, uint64_t stream);
// Forgets those that were seen before a time.
void wfb_streams_forget(struct wfb_streams *s, uint64_t before_s);
void wfb_streams_close(struct wfb_streams *s);

// What is saved beside the streams.
struct wfb_saved {
    uint64_t done; // what is before this position of the spool is worked off
    uint64_t at;   // entries from here on came after the table was saved
};

// The table in a file of the folder, a database of SQLite, which replaces it as a whole or not.
struct wfb_kept;
// Opens it, and reads what it has into an empty table. Returns null with `error`: WF_ERR_READ,
// WF_ERR_NOMEM.
struct wfb_kept *wfb_kept_open(const char *folder, struct wfb_streams *s, struct wfb_saved *saved,
                               struct wf_error *error);
// Saves the streams that were changed since. Returns WF_OK, WF_ERR_WRITE.
int wfb_kept_save(struct wfb_kept *k, struct wfb_streams *s, const struct wfb_saved *saved,
                  uint64_t forget_before_s, struct wf_error *error);
void wfb_kept_close(struct wfb_kept *k);

#endif
