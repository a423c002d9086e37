// SPDX-License-Identifier: MIT
// A link brings the bytes of targets in and takes commands to them, whatever it is made of: a
// file, TCP, a serial line. It runs on the caller's libuv loop and calls back from there; all
// functions are for the loop's thread. Sources are named as on the command line:
//
//   FILE  -  tcp-listen:[HOST:]PORT  serial:DEV[@BAUD]  spy:[[HOST:]PORT] ... (wf_link_kinds lists
//   all)
//
// Each target that is connected is a peer. It has a lane: the lowest number that no other
// connected peer has, so a target that comes back is on the lane it left. A file that is a
// recording gives its peers and lanes back as they were.
#ifndef WF_LINK_H
#define WF_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_err.h"
#include "wallfly_host/wf_recording.h"

#ifdef __cplusplus
extern "C" {
#endif

struct uv_loop_s; // uv_loop_t
struct wf_link;
struct wf_peer;

struct wf_link_kind {
    const char *name;    // before the colon; "" for files
    const char *operand; // what stands behind it
    const char *sentence;
};
extern const struct wf_link_kind wf_link_kinds[];
extern const unsigned wf_link_kind_count;

struct wf_link_handlers {
    void *ctx; // all functions but `chunk` must be there
    // A target is there. The peer is valid until `down` has returned.
    void (*up)(void *ctx, struct wf_peer *peer);
    void (*bytes)(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len);
    // It has gone; why: "" when it ended in an orderly way.
    void (*down)(void *ctx, struct wf_peer *peer, const char *why);
    // For the user: what is waited for, what is tried again. Without end of line.
    void (*say)(void *ctx, const char *text);
    // No target will come any more: the file was read, or the first one has left (once), or the
    // link failed (WF_ERR_LINK, reported by `say` before).
    void (*done)(void *ctx, int err);
    // A record from outside the stream of bytes, of what the other end already knew of the target
    // (wf_session_learn). May be null.
    void (*known)(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload, size_t len);
    // A command that the link has sent by itself (wf_link_options.ask). May be null.
    void (*sent)(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                 size_t len);
    // What a recording holds beside the bytes: STATE, SENT and LOST of a peer (wf_recording_apply
    // does the first and the last), DAMAGE and CUT of the file (peer is null). May be null.
    void (*chunk)(void *ctx, struct wf_peer *peer, const struct wf_chunk *chunk);
};

// Whether the link sends INFO to a target that had started before the connection: one whose first
// whole frame is not the start of a trace. A target with a table of names then sends all of them.
enum wf_ask {
    WF_ASK_NEVER,
    WF_ASK_AUTO,  // if bytes that the target does not read do no harm: not over TCP
    WF_ASK_ALWAYS // on each link with a way back
};

struct wf_link_options {
    bool once;     // done when the first target has left
    unsigned most; // targets at a time, more have to wait; 0: any number
    enum wf_ask ask;
};

// Opens a source. But for `say` the handlers are called when the loop runs, not yet here.
//   why      on an error the fault and the remedy, for the user
//   returns  WF_OK, WF_ERR_USAGE (the name makes no sense), WF_ERR_LINK, WF_ERR_NOMEM
int wf_link_open(struct uv_loop_s *loop, const char *source, const struct wf_link_options *options,
                 const struct wf_link_handlers *on, struct wf_link **link, char why[256]);

// Closes all its handles (`down` is called for connected peers, `done` is not); frees itself as
// the loop goes on. Run the loop until it has no handles left.
void wf_link_close(struct wf_link *link);

// The port that targets connect to; 0 for links that do not listen.
unsigned wf_link_port(const struct wf_link *link);

// Whether more may come at any time, so that output must not wait in buffers. Opens nothing.
bool wf_link_is_live(const char *source);
// Whether it is a file or standard input: one peer, which is not
// announced, unless it is a recording.
bool wf_link_is_file(const char *source);

const char *wf_peer_name(const struct wf_peer *peer); // "127.0.0.1:51234"
unsigned wf_peer_lane(const struct wf_peer *peer);
// The recording that the peer comes from, as far as it was read; null: the peer is there now.
const struct wf_recording_info *wf_peer_recording(const struct wf_peer *peer);
// When its last bytes arrived (recordings only): us since the start of the recording.
uint64_t wf_peer_time_us(const struct wf_peer *peer);

// Sends a command: a frame of the peer's own sequence, which starts with 1.
//   returns  WF_OK; WF_ERR_ONE_WAY: nothing can be sent there; WF_ERR_LINK; WF_ERR_NOMEM
int wf_peer_send(struct wf_peer *peer, uint8_t record, const void *payload, size_t len);
// The target has started anew and expects the sequence to.
void wf_peer_restart(struct wf_peer *peer);

#ifdef __cplusplus
}
#endif
#endif
