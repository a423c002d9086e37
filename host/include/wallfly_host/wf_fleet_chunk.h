// SPDX-License-Identifier: MIT
// Chunks: how the bytes of a device's stream travel over MQTT or HTTP. A message is one chunk or
// more, each of
//
//   4 bytes   wfc1
//   varint    flags: 1 the stream begins here, 2 black box, 4 packed by Zstandard, 8 more of the
//             black box follows
//   8 bytes   stream, a number of 64 bits
//   varint    offset of its first byte in the stream
//   varint    us since 1970 UTC when it was received from the link; 0: not known
//   varint    length of the bytes, as they follow
//   ...       frames, cut anywhere
//   4 bytes   CRC-32C of all before
//
// Numbers are little-endian. Pure functions, for any thread.
#ifndef WF_FLEET_CHUNK_H
#define WF_FLEET_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_FLEET_CHUNK_BEGINS =
        1, // what came before is not sent: it was given up, or this is the first
    WF_FLEET_CHUNK_BOX = 2,
    WF_FLEET_CHUNK_PACKED = 4,
    WF_FLEET_CHUNK_MORE = 8,      // the black box has more chunks
    WF_FLEET_CHUNK_MAX = 1 << 20, // bytes of a chunk's content, packed or not
    WF_FLEET_CHUNK_FRAME = 56,    // at most so many bytes of a chunk are not its content
};

struct wf_fleet_chunk {
    unsigned flags;
    uint64_t stream, offset, arrival_us;
    const uint8_t *bytes;
    size_t len;
};

// Reads the chunk at byte *at of a message, and sets *at to the byte behind it. The chunk points
// into the message.
//   returns  WF_OK
//            WF_ERR_BAD_CHUNK   `error` (may be null) has the byte and the reason; *at is unchanged
int wf_fleet_chunk_read(const uint8_t *message, size_t len, size_t *at,
                        struct wf_fleet_chunk *chunk, struct wf_error *error);
// Writes a chunk of at most WF_FLEET_CHUNK_MAX bytes of content; `to` has room for them and
// WF_FLEET_CHUNK_FRAME more. Returns its length.
size_t wf_fleet_chunk_write(const struct wf_fleet_chunk *chunk, uint8_t *to);
// Unpacks a chunk that is packed into `to`, which has room for WF_FLEET_CHUNK_MAX bytes; it points
// there then. Others stay as they are.
//   returns  WF_OK, WF_ERR_BAD_CHUNK (it stays packed), WF_ERR_NOMEM
int wf_fleet_chunk_unpack(struct wf_fleet_chunk *chunk, uint8_t *to, struct wf_error *error);

// ---- commands to a device: frames (wf_command.h)

enum { WF_FLEET_COMMANDS_MAX = 1 << 16 }; // bytes of a message

// ---- answers to a device: stream (8 bytes), offset of the next byte wanted (varint)

enum { WF_FLEET_ANSWER_MAX = 18 };

// Returns its length.
size_t wf_fleet_answer_write(uint64_t stream, uint64_t wanted, uint8_t to[WF_FLEET_ANSWER_MAX]);
// Returns false for bytes that are none.
bool wf_fleet_answer_read(const uint8_t *bytes, size_t len, uint64_t *stream, uint64_t *wanted);

// ---- the order of a stream's chunks

// Of one stream; begins as zeros.
struct wf_fleet_order {
    uint64_t wanted;   // offset of the next byte: what the device is told
    uint64_t given_up; // bytes that will never come
};

enum wf_fleet_arrival {
    WF_FLEET_NEXT,     // take it
    WF_FLEET_REPEATED, // all of it is there: forget it
    WF_FLEET_EARLY,    // something before it is missing: tell the device what is wanted
};

// Decides on a chunk that is not packed. Of one that overlaps what is there, the begin is cut off.
enum wf_fleet_arrival wf_fleet_order_take(struct wf_fleet_order *order,
                                          struct wf_fleet_chunk *chunk);

#ifdef __cplusplus
}
#endif
#endif
