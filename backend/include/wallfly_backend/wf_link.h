// SPDX-License-Identifier: MIT
// A link receives the bytes of targets and sends commands to them, over any transport: a file, TCP,
// a serial line. It runs on the caller's libuv loop and calls the handlers from there; all
// functions must be called from the loop's thread. Sources are named as on the command line:
//
//   FILE  -  tcp-listen:[HOST:]PORT  serial:DEV[@BAUD]  spy:[[HOST:]PORT] ... (wf_link_kinds lists
//   all)
//
// Each connected target is a peer. Its lane is the lowest number that no other connected peer has,
// so a target that reconnects normally gets its old lane. A file is one peer, also if it is a
// recording, whose lanes wf_trace_feed_file reads.
#ifndef WF_LINK_H
#define WF_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_recording.h"

#ifdef __cplusplus
extern "C" {
#endif

struct uv_loop_s; // uv_loop_t
struct wf_link;
struct wf_peer;

enum { WF_LINK_BYTES_MAX = 256 * 1024 }; // most bytes that `bytes` is called with

struct wf_link_kind {
    const char *name;    // before the colon; "" for files
    const char *operand; // the text after the colon
    const char *sentence;
};
extern const struct wf_link_kind wf_link_kinds[];
extern const unsigned wf_link_kind_count;

struct wf_link_handlers {
    void *ctx; // all functions but `known` and `sent` are required
    // A target has connected. The peer is valid until `down` returns.
    void (*up)(void *ctx, struct wf_peer *peer);
    void (*bytes)(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len);
    // The target has disconnected; why: "" for an orderly close.
    void (*down)(void *ctx, struct wf_peer *peer, const char *why);
    // A message for the user, about waiting and retries. Without end of line.
    void (*report)(void *ctx, const char *text);
    // No target will connect any more: the file was read, the first target has disconnected (once),
    // or the link failed (WF_ERR_LINK, reported by `report` before).
    void (*done)(void *ctx, int err);
    // A record from outside the byte stream, with the other end's knowledge of the target
    // (wf_session_learn). May be null.
    void (*known)(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload, size_t len);
    // A command that the link has sent by itself (wf_link_options.ask). May be null.
    void (*sent)(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                 size_t len);
    // Returns whether the bytes of the peer so far are those of a target that takes our commands.
    // The link sends INFO only then. Called after `bytes`. May be null: they are.
    bool (*commandable)(void *ctx, struct wf_peer *peer);
};

// Whether the link sends INFO to a target that started before the connection: one whose first
// complete frame is not the start of a trace. A target with a table of names then sends all of
// them.
enum wf_ask {
    WF_ASK_NEVER,
    WF_ASK_AUTO,  // if bytes that the target does not read do no harm: not over TCP
    WF_ASK_ALWAYS // on each link that can send
};

struct wf_link_options {
    size_t size;   // sizeof(struct wf_link_options)
    bool once;     // end when the first target has disconnected
    unsigned most; // most targets at a time, further ones wait; 0: any number
    enum wf_ask ask;
    const char *start; // sent to each target that connects, as it is; null: nothing
    size_t start_len;
};

// Opens a source. All handlers except `report` are called only when the loop runs.
//   error    on an error the fault and the remedy, for the user
//   returns  WF_OK, WF_ERR_USAGE (the name is not valid), WF_ERR_LINK, WF_ERR_NOMEM
int wf_link_open(struct uv_loop_s *loop, const char *source, const struct wf_link_options *options,
                 const struct wf_link_handlers *on, struct wf_link **link, struct wf_error *error);

// Closes all handles of the link (calls `down` for connected peers, but not `done`). Frees itself
// as the loop runs. Run the loop until it has no handles left.
void wf_link_close(struct wf_link *link);

// Returns the port that targets connect to; 0 for links that do not listen.
unsigned wf_link_port(const struct wf_link *link);

// Returns whether more bytes may arrive at any time, so that output must not wait in buffers. Opens
// nothing.
bool wf_link_is_live(const char *source);
// Returns whether the source is a file or standard input.
bool wf_link_is_file(const char *source);

const char *wf_peer_name(const struct wf_peer *peer); // "127.0.0.1:51234"
unsigned wf_peer_lane(const struct wf_peer *peer);
// Returns whether its bytes are those of a recording (wf_recording.h), known when it connects.
bool wf_peer_is_recording(const struct wf_peer *peer);

// Sends a command: a frame with the peer's own sequence number, which starts with 1.
//   returns  WF_OK; WF_ERR_ONE_WAY when the link cannot send; WF_ERR_LINK; WF_ERR_NOMEM
int wf_peer_send(struct wf_peer *peer, uint8_t record, const void *payload, size_t len);
// Reads no more of a target, or again: meanwhile its bytes wait in the system, and then in the
// target, which counts what it gives up. Of a target that is held a disconnection is reported
// later. Returns false, without effect, for links on which bytes that are not read are lost without
// a trace: udp, serial, pty, spy, folders.
bool wf_peer_hold(struct wf_peer *peer, bool hold);
// Restarts the sequence of commands, as a target expects after its reset.
void wf_peer_restart(struct wf_peer *peer);

#ifdef __cplusplus
}
#endif
#endif
