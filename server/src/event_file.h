// SPDX-License-Identifier: MIT
// An array of entries of one size in a temporary file without a name; the newest are in memory.
#ifndef EVENT_FILE_H
#define EVENT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"

enum { EVENT_FILE_BUFFER = 1024 };

struct event_file {
    int fd; // negative: closed
    size_t size;
    uint64_t count, written; // entries; those in the file
    unsigned char *buffer;   // the others
};

// Returns false on an error. Call event_file_close in any case.
bool event_file_open(struct event_file *f, size_t size, struct wf_error *error);
void event_file_close(struct event_file *f);
// These return false when the file cannot be written or read.
bool event_file_add(struct event_file *f, const void *entry);
bool event_file_get(const struct event_file *f, uint64_t index, void *entry);
bool event_file_set(struct event_file *f, uint64_t index, const void *entry);

#endif
