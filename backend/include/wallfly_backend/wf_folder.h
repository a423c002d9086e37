// SPDX-License-Identifier: MIT
// Traces that are a folder: CTF 1.8, the folder with the file `metadata` or one above it, read
// through libbabeltrace2, which is loaded only then; and Zephyr's flat CTF, which needs no library.
#ifndef WF_FOLDER_H
#define WF_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_folder;

// How the bytes of a folder are read.
struct wf_folder_info {
    enum wf_lane_format format; // CTF: a stream of events (wf_event_stream.h); ZEPHYR
    char *describe;             // of Zephyr: the metadata (wf_trace_options.describe); null: none
    size_t describe_len;
};

// Returns whether the name is that of a folder.
bool wf_folder_is(const char *name);
// Looks what a folder holds, without the library.
//   error    on an error the fault and the remedy, for the user
//   returns  WF_OK; WF_ERR_LINK (no trace; with wf_folder_open also: the library is missing, or
//            cannot read it); WF_ERR_NOMEM
int wf_folder_look(const char *name, struct wf_folder_info *info, struct wf_error *error);
void wf_folder_info_free(struct wf_folder_info *info);

int wf_folder_open(const char *name, struct wf_folder **folder, struct wf_error *error);
void wf_folder_close(struct wf_folder *f); // may be null
// Reads the next bytes. Memory does not grow with the length of the trace.
//   returns  the number of bytes, 0 at the end, -1 on an error
int64_t wf_folder_read(struct wf_folder *f, uint8_t *bytes, size_t len, struct wf_error *error);
// Returns why the bytes have ended before the end of the trace; "": they have not.
const char *wf_folder_stopped(const struct wf_folder *f);

#ifdef __cplusplus
}
#endif
#endif
