// SPDX-License-Identifier: MIT
// Writes files in a thread, so that a slow disk does not block the loop: blocks are queued, then
// written and synced in order. When the queue is full the caller waits, and so does the link.
#ifndef WFB_DISK_H
#define WFB_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WFB_DISK_QUEUE = 8 * 1024 * 1024 }; // most bytes queued: seconds of the fastest link

struct wfb_disk;

struct wfb_disk *wfb_disk_open(void); // null: no memory or no thread
// Later writes go to this file; the descriptor is duplicated. Returns false when that fails or when
// out of memory.
bool wfb_disk_begin(struct wfb_disk *d, int fd);
// Waits until everything queued is written, or has failed. Returns the bytes written to the current
// file.
uint64_t wfb_disk_wait(struct wfb_disk *d);
// Queues bytes (copied) for the current file. Returns false when out of memory.
bool wfb_disk_write(struct wfb_disk *d, const void *bytes, size_t len);
// Removes a file, in order with the writes.
bool wfb_disk_remove(struct wfb_disk *d, const char *name);
// Returns the first error; 0: none. Nothing is written after an error.
int wfb_disk_error(struct wfb_disk *d);
// Waits until everything is written and synced. Returns the error.
int wfb_disk_close(struct wfb_disk *d);

#endif
