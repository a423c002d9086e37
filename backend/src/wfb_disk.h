// SPDX-License-Identifier: MIT
// Files written by a thread, so that a slow disk does not hold up the loop: blocks are queued, and
// written and synced in order. A queue that is full makes the caller wait: then the link waits.
#ifndef WFB_DISK_H
#define WFB_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WFB_DISK_QUEUE = 8 * 1024 * 1024 }; // bytes that may wait: seconds of the fastest link

struct wfb_disk;

struct wfb_disk *wfb_disk_open(void); // null: no memory, no thread
// Writes go to this file from now on, by a copy of the descriptor. False: there is none, or no
// memory.
bool wfb_disk_begin(struct wfb_disk *d, int fd);
// Waits until all that was given is written, or has failed. Returns how many bytes of the present
// file are written.
uint64_t wfb_disk_wait(struct wfb_disk *d);
// Writes to the file opened last, in one piece. Copies the bytes. False when out of memory.
bool wfb_disk_write(struct wfb_disk *d, const void *bytes, size_t len);
// Removes a file, in its turn.
bool wfb_disk_remove(struct wfb_disk *d, const char *name);
// What went wrong first; 0: nothing. Nothing is written after that.
int wfb_disk_error(struct wfb_disk *d);
// Waits until all is written and synced. Returns the error.
int wfb_disk_close(struct wfb_disk *d);

#endif
