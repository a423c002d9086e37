// SPDX-License-Identifier: MIT
// The spool of a fleet's agent: chunks (wf_fleet_chunk.h) of many devices in the order of their
// arrival, in files of a folder that only grow. What was synced survives a kill of the process and
// a crash of the machine; a chunk is acknowledged after that alone.
//
//   s = wf_spool_open(&options, &error)
//   wf_spool_put(s, device, &chunk); ...; wf_spool_sync(s, &error): safe, or none of them
//   r = wf_spool_reader_open(folder, position, &error)
//   while (wf_spool_next(r, wf_spool_end(s), &entry)) ...
//   wf_spool_drop(s, position)
//
// A position counts the bytes of all files that ever were. The files are named by the position of
// their first byte; an entry is
//
//   4 bytes   length of what follows, little-endian
//   1 byte    length of the device's name
//   ...       the name
//   ...       the chunk, with its own checksum
//
// All functions of one spool are for one thread, but for wf_spool_end; those of one reader for
// another one.
#ifndef WF_SPOOL_H
#define WF_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_fleet_chunk.h"
#include "wallfly_host/wf_fleet_sql.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_spool;

struct wf_spool_options {
    size_t size;         // sizeof(struct wf_spool_options)
    const char *folder;  // made if it is not there
    uint64_t file_bytes; // a new file is begun beyond so many; 0: 64 MiB
    uint64_t most_bytes; // of all files, and of wf_spool_set_others; 0: no bound
};

// Opens or makes a spool. What a crash has left half written at its end, which nothing was
// acknowledged of, is cut off.
//   returns  null with `error`: WF_ERR_USAGE (another process has it), WF_ERR_WRITE, WF_ERR_NOMEM
struct wf_spool *wf_spool_open(const struct wf_spool_options *options, struct wf_error *error);
void wf_spool_close(struct wf_spool *s); // what was not synced is dropped

// Adds a chunk to those of the next sync.
//   device   wf_fleet_is_device
//   returns  WF_OK, WF_ERR_NOMEM, WF_ERR_TOO_MANY: the spool is full
int wf_spool_put(struct wf_spool *s, const char *device, const struct wf_fleet_chunk *chunk);
// Sets the bytes of other files that share the spool's bound: none at first.
void wf_spool_set_others(struct wf_spool *s, uint64_t bytes);
// Returns whether so many bytes more are within the bound.
bool wf_spool_has_room(const struct wf_spool *s, uint64_t bytes);
// Writes the chunks put since, and waits until they are on disk.
//   returns  WF_OK
//            WF_ERR_WRITE   `error` says why: none of them is in the spool
int wf_spool_sync(struct wf_spool *s, struct wf_error *error);
// Returns the position behind the last entry that is safe. Any thread.
uint64_t wf_spool_end(const struct wf_spool *s);
uint64_t wf_spool_begin(const struct wf_spool *s); // of the oldest file
// Removes files that have only entries before a position.
void wf_spool_drop(struct wf_spool *s, uint64_t position);

// ---- reading

struct wf_spool_entry {
    uint64_t position, next; // of the entry, and of the one behind it
    char device[WF_FLEET_DEVICE_MAX + 1];
    struct wf_fleet_chunk chunk; // valid until the next call of wf_spool_next; may be packed
};

struct wf_spool_reader;

// Returns null with WF_ERR_NOMEM, or WF_ERR_READ: the folder cannot be read.
struct wf_spool_reader *wf_spool_reader_open(const char *folder, uint64_t position,
                                             struct wf_error *error);
void wf_spool_reader_close(struct wf_spool_reader *r);
// Returns the next entry before `end`, which is a position of wf_spool_end. Returns false if there
// is none, or after an error.
bool wf_spool_next(struct wf_spool_reader *r, uint64_t end, struct wf_spool_entry *entry);
// Bytes that could not be read: of damaged entries up to the end of their file, and of files that
// are not there.
uint64_t wf_spool_skipped(const struct wf_spool_reader *r);
int wf_spool_reader_error(const struct wf_spool_reader *r); // WF_OK, WF_ERR_NOMEM

#ifdef __cplusplus
}
#endif
#endif
