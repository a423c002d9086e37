// SPDX-License-Identifier: MIT
// Sends the bytes of a stream in chunks (wf_fleet_chunk.h), for a gateway: one message is under way
// at a time, again until the agent answers that it is safe. What follows waits in a buffer.
//
//   s = wf_fleet_sender_open(stream, capacity)
//   wf_fleet_sender_put(s, bytes, len, now_us)             // when bytes come
//   message = wf_fleet_sender_next(s, now_ms, &len)        // again and again; null: nothing is due
//   wf_fleet_sender_answer(s, wanted, now_ms)              // when the agent has answered
//
// The first message asks what is wanted, so a sender that begins anew with the number of an earlier
// one goes on behind what that has sent, with a break. All functions of one sender are for one
// thread at a time.
#ifndef WF_FLEET_SENDER_H
#define WF_FLEET_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_fleet_chunk.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_FLEET_SENDER_CONTENT = 64 << 10, // bytes of a message's content at most
    WF_FLEET_SENDER_AGAIN_MS = 500      // a message without answer is sent again
};

struct wf_fleet_sender;

// capacity: bytes of the buffer behind the message under way, at least 1. Returns null when out of
// memory.
struct wf_fleet_sender *wf_fleet_sender_open(uint64_t stream, size_t capacity);
void wf_fleet_sender_close(struct wf_fleet_sender *s);

size_t wf_fleet_sender_room(const struct wf_fleet_sender *s); // bytes that fit
// Takes bytes; those that do not fit replace the oldest, which are a gap then, a counted loss.
//   now_us   when they were read, in us since 1970 UTC; 0: not known
void wf_fleet_sender_put(struct wf_fleet_sender *s, const uint8_t *bytes, size_t len,
                         uint64_t now_us);
// What is put from now on does not continue what was put before: another connection, perhaps of
// another target. The stream has a gap of one byte there, which no target has given up: the agent
// begins anew with the next frame. More than 8 breaks do not wait: then what waits is given up.
void wf_fleet_sender_break(struct wf_fleet_sender *s);
// Returns the message to send at a time (ms of any steady clock), valid until the next call of
// this function or _answer; null: there is none, or that under way waits for its answer.
const uint8_t *wf_fleet_sender_next(struct wf_fleet_sender *s, uint64_t now_ms, size_t *len);
// Takes the agent's answer.
void wf_fleet_sender_answer(struct wf_fleet_sender *s, uint64_t wanted, uint64_t now_ms);
// The message under way was not taken: it is sent again at a time, not before.
void wf_fleet_sender_wait(struct wf_fleet_sender *s, uint64_t until_ms);

struct wf_fleet_sender_totals {
    uint64_t bytes;    // that were put
    uint64_t safe;     // of them, those that the agent has
    uint64_t given_up; // ... that were replaced, or that the agent has lost (at most: an answer
                       // that comes behind a later one looks like a loss)
    uint64_t messages, again;
};
const struct wf_fleet_sender_totals *wf_fleet_sender_totals(const struct wf_fleet_sender *s);
// Returns whether all that was put is safe, or given up.
bool wf_fleet_sender_is_done(const struct wf_fleet_sender *s);

#ifdef __cplusplus
}
#endif
#endif
