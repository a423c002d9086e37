// SPDX-License-Identifier: MIT
// Whole traces that a fleet's agent was sent: recordings and memory images, each a file in the
// folder `files` of its spool (wf_spool.h) until it is loaded. What was put survives a kill of the
// process and a crash of the machine.
//
//   q = wf_file_queue_open(folder, &error)
//   wf_file_queue_put(q, device, kind, bytes, len, &error): it is safe
//   while (wf_file_queue_first(q, &file)): load file.path; wf_file_queue_remove(q, &error)
//
// wf_file_queue_put is for one thread, wf_file_queue_remove for one, maybe another; the others for
// any.
#ifndef WF_FILE_QUEUE_H
#define WF_FILE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_fleet_sql.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_file_queue;

enum {
    WF_FILE_MAX = 16 << 20, // bytes of a file
    WF_FILE_PATH_MAX = 4352
};

enum wf_file_kind { WF_FILE_RECORDING, WF_FILE_IMAGE };

struct wf_queued_file {
    uint64_t number; // by arrival
    enum wf_file_kind kind;
    char device[WF_FLEET_DEVICE_MAX + 1];
    uint64_t len;
    char path[WF_FILE_PATH_MAX];
};

// Opens the queue of a spool, which the caller has open, with the files that are there.
//   folder   of the spool
//   returns  null with `error`: WF_ERR_WRITE, WF_ERR_USAGE (its name is too long), WF_ERR_NOMEM
struct wf_file_queue *wf_file_queue_open(const char *folder, struct wf_error *error);
void wf_file_queue_close(struct wf_file_queue *q); // the files stay

// Writes a file, and waits until it is on disk.
//   device   wf_fleet_is_device
//   returns  WF_OK
//            WF_ERR_WRITE, WF_ERR_NOMEM   it is not in the queue
int wf_file_queue_put(struct wf_file_queue *q, const char *device, enum wf_file_kind kind,
                      const uint8_t *bytes, size_t len, struct wf_error *error);
// Gets the file that came first. Returns false if there is none.
bool wf_file_queue_first(struct wf_file_queue *q, struct wf_queued_file *file);
// Removes it: also from the queue if it cannot be removed from the disk.
//   returns  WF_OK, WF_ERR_WRITE
int wf_file_queue_remove(struct wf_file_queue *q, struct wf_error *error);
bool wf_file_queue_is_empty(struct wf_file_queue *q);
uint64_t wf_file_queue_bytes(struct wf_file_queue *q); // of all files

#ifdef __cplusplus
}
#endif
#endif
