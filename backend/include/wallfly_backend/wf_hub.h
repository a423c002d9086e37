// SPDX-License-Identifier: MIT
// A hub owns the link to one target at a time: the trace that decodes its bytes, the commands sent
// to it, and its filters. serve, attach, send and test are built on it. It runs on the caller's
// libuv loop; all functions must be called from the loop's thread.
#ifndef WF_HUB_H
#define WF_HUB_H

#include "wallfly_backend/wf_capture.h"
#include "wallfly_backend/wf_link.h"
#include "wallfly_host/wf_trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_hub;

struct wf_hub_handlers {
    void *ctx; // each function may be null
    void (*up)(void *ctx, const char *peer);
    void (*down)(void *ctx, const char *peer, const char *why); // why: "" for an orderly close
    // Every item of the trace, in order. `bytes` is called first, with the bytes that contain the
    // items; `drained` is called when these bytes, or the end of the connection, give no more
    // items.
    void (*item)(void *ctx, const struct wf_item *item);
    void (*bytes)(void *ctx, const uint8_t *bytes, size_t len);
    void (*drained)(void *ctx);
    void (*report)(void *ctx, const char *text);
    void (*done)(void *ctx, int err);
    // A record from outside the stream (wf_session_learn), before it is applied to the session.
    void (*known)(void *ctx, uint8_t id, const uint8_t *payload, size_t len);
    // A command (enum wf_command) was sent to the target, by any sender.
    void (*sent)(void *ctx, uint8_t command, const uint8_t *payload, size_t len);
};

struct wf_hub_options {
    size_t size;                       // sizeof(struct wf_hub_options)
    struct wf_session_options session; // without its size
    struct wf_trace *trace; // decodes the bytes, on lane 0; the caller's, must outlive the hub;
                            // with chunk_bytes, so that recordings can be captured.
                            // Null: the hub makes its own with these session options
    bool once;
    bool keep_filters;          // restore the target's filters after it resets
    enum wf_ask ask;            // see wf_link.h
    struct wf_capture *capture; // see wf_hub_set_capture
    // Of an own trace, see wf_trace.h. A target whose format is another tracer's gets no commands.
    enum wf_lane_format format;
    const char *describe;
    size_t describe_len;
    const char *start; // see wf_link.h
    size_t start_len;
};

// Errors: those of wf_link_open and wf_trace_lane.
int wf_hub_open(struct uv_loop_s *loop, const char *source, const struct wf_hub_options *options,
                const struct wf_hub_handlers *on, struct wf_hub **hub, struct wf_error *error);
// Ends the trace: the last items are reported. Bytes that arrive later are dropped.
void wf_hub_end(struct wf_hub *hub);
// Closes the link. Frees itself as the loop runs.
void wf_hub_close(struct wf_hub *hub);

struct wf_lane *wf_hub_lane(struct wf_hub *hub);       // valid as long as the trace
struct wf_session *wf_hub_session(struct wf_hub *hub); // of the lane
// Records all data that are received and sent from now on; null: no recording. The capture is the
// caller's, which calls its tick, and wf_capture_join before if the hub has had input.
void wf_hub_set_capture(struct wf_hub *hub, struct wf_capture *capture);
bool wf_hub_connected(const struct wf_hub *hub);
unsigned wf_hub_port(const struct wf_hub *hub); // as wf_link_port

// Sends a command (enum wf_command) to the connected target.
//   returns  WF_OK, WF_ERR_NO_TARGET, WF_ERR_ONE_WAY (another tracer's target), or as wf_peer_send
int wf_hub_send(struct wf_hub *hub, uint8_t command, const void *payload, size_t len);
// Returns the length of the frame that the last wf_hub_send could not send; 0 when out of memory.
size_t wf_hub_unsent_len(const struct wf_hub *hub, uint8_t command, const void *payload,
                         size_t len);

#ifdef __cplusplus
}
#endif
#endif
