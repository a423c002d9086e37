// SPDX-License-Identifier: MIT
// Tables of names (wallfly/wf_names.h, docs/names-again.md) in an image of a target's memory. Reads
// nothing outside of the image, whatever its contents. No state; any thread.
#ifndef WF_KEPT_NAMES_H
#define WF_KEPT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_kept_name {
    uint64_t since; // number of records made before its announcement; slot recorder: its tick
    const uint8_t *payload; // of a dictionary record, in the image
    uint8_t len;
    uint8_t id; // of that record
};

struct wf_kept_names {
    struct wf_kept_name *names; // in the order of since; freed by wf_kept_names_free
    size_t count;
    unsigned tables;  // number of tables with these names
    uint8_t sizes[5]; // of the last table, as in SYNC
    uint32_t build_id;
};

// Collects the names of all complete tables.
//   slots     true: tables of a slot recorder; false: of a frame recorder
//   build_id  only tables of this build are read
//   names     always set
//   returns   WF_OK (also when there is no table), WF_ERR_NOMEM
int wf_kept_names_read(const uint8_t *image, size_t len, bool slots, uint32_t build_id,
                       struct wf_kept_names *names);
void wf_kept_names_free(struct wf_kept_names *names);

// The payload of a SYNC record that gives a session (wf_session_learn) the sizes, which names need.
enum { WF_KEPT_SYNC_ID = 82, WF_KEPT_SYNC_SIZES = 46, WF_KEPT_SYNC_LEN = 51 };
void wf_kept_names_sync(const uint8_t sizes[5], uint32_t hz, uint32_t build_id,
                        uint8_t payload[WF_KEPT_SYNC_LEN]);

#ifdef __cplusplus
}
#endif
#endif
