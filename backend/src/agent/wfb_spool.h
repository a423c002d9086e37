// SPDX-License-Identifier: MIT
// Entries and files of a spool, for its writer (wf_spool.c) and its reader (wf_spool_read.c).
#ifndef WFB_SPOOL_H
#define WFB_SPOOL_H

#include "wallfly_backend/wf_spool.h"

enum {
    WFB_SPOOL_HEAD = 5, // bytes of an entry before the device's name
    WFB_SPOOL_ENTRY_MAX = WFB_SPOOL_HEAD + WF_FLEET_DEVICE_MAX + WF_FLEET_CHUNK_FRAME +
                          WF_FLEET_CHUNK_MAX, // 1 MiB of content, packed or not
    WFB_SPOOL_PATH = 4096
};

// Reads the entry at the begin of some bytes.
//   returns  its length; 0: there is no whole one; SIZE_MAX: what is there is none
size_t wfb_spool_take(const uint8_t *bytes, size_t len, struct wf_spool_entry *entry);
// The name of the file that begins at a position.
void wfb_spool_name(const char *folder, uint64_t position, char path[WFB_SPOOL_PATH]);
// Lists the positions of all files, ascending. Returns WF_OK, WF_ERR_READ, WF_ERR_NOMEM.
int wfb_spool_list(const char *folder, uint64_t **files, size_t *count);

#endif
