// SPDX-License-Identifier: MIT
// Chunks: the recorder's bytes in messages for MQTT or HTTP. A message is sent again until the
// fleet's agent has answered that it is stored (docs/fleet-chunks.md has the bytes). For devices
// with a network of their own; others send bare frames over a link.
//
//   wf_chunk_open(&sender, boot_number, buffer, sizeof buffer);
//   again and again, in the task that sends:
//       len = wf_chunk_next(&sender, 0, &message);
//       if (len) publish(message, len); // again when half a second passed without an answer
//   for each message of the agent: wf_chunk_take_answer(&sender, bytes, len);
//
// One message is under way at a time. While it is, the ring keeps what follows, and counts what it
// gives up. Nothing is allocated; the sender has its state, the caller a buffer for a message.
//
// Context of all functions: the recorder's reader. Not for the slot recorder.
#ifndef WF_CHUNK_H
#define WF_CHUNK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_CHUNK_FRAME = 56, // bytes of a message at most that are not the recorder's
    WF_CHUNK_LEAST = 128 // size of a buffer
};

struct wf_chunk_sender {
    uint64_t stream;
    uint64_t offset;        // in the stream, of the content; without one, of the next byte
    uint8_t *buffer;        // of the caller
    uint32_t size, content; // content: bytes of it under way; 0: no message is
    uint8_t head;           // bytes of the message before the content
    bool begins;            // what came before is not sent
};

// stream: a number that this device has never used before: counted or random at each boot.
// size: WF_CHUNK_LEAST to 1 MiB; some KiB are good. WF_CHUNK_FRAME of them are not the recorder's.
void wf_chunk_open(struct wf_chunk_sender *s, uint64_t stream, void *buffer, uint32_t size);

// Returns the length of the message to send, 0: there is nothing. As long as it is not answered, it
// is the same.
//   utc_us   time of the day in us since 1970; 0: not known
//   message  set, valid until the next call
uint32_t wf_chunk_next(struct wf_chunk_sender *s, uint64_t utc_us, const uint8_t **message);

// Takes a message of the agent. Returns whether the one under way is stored.
bool wf_chunk_take_answer(struct wf_chunk_sender *s, const void *answer, uint32_t len);

// Gives the message under way up: the newest records come sooner then. Its bytes are a counted gap.
void wf_chunk_skip(struct wf_chunk_sender *s);

#ifdef __cplusplus
}
#endif
#endif
