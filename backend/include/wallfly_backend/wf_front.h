// SPDX-License-Identifier: MIT
// The server for front ends: QView, QUTest, `spy:` links. It speaks QSPY's front-end protocol over
// UDP (docs/front-ends.md) for the one target of a hub. It runs on the caller's libuv loop; all
// functions must be called from the loop's thread.
#ifndef WF_FRONT_H
#define WF_FRONT_H

#include "wallfly_backend/wf_hub.h"
#include "wallfly_host/wf_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_FRONT_PORT = 7701, WF_FRONT_ENDS_MAX = 64 };

// Files that front ends can switch on and off, as bits.
enum wf_front_file {
    WF_FRONT_TEXT = 1,
    WF_FRONT_BINARY = 2,
    WF_FRONT_MATLAB = 4,
    WF_FRONT_SEQUENCE = 8,
};

struct wf_front_options {
    size_t size; // sizeof(struct wf_front_options)
    struct wf_session_options
        session;                    // sizes etc. until TARGET_INFO arrives; the dialect is QSPY's
    const char *listen;             // "[HOST:]PORT"; null: the loopback, WF_FRONT_PORT
    bool once;                      // end when the first target has disconnected
    bool allow_commands;            // false: front ends can only watch
    bool keep_filters;              // restore the target's filters after it resets
    enum wf_ask ask;                // see wf_link.h
    unsigned files;                 // enum wf_front_file: open from the start
    const char *folder;             // folder of these files; null: the current one
    const char *dic;                // dictionary file, see struct wf_dic
    const char *objects;            // objects of the sequence diagram; null: no diagram
    unsigned idle_s;                // drop front ends that are silent for so long; 0: never
    struct wf_capture *capture;     // see struct wf_hub_options
    struct wf_files *command_files; // files that must not be overwritten; may be null
    // As in struct wf_hub_options.
    enum wf_lane_format format;
    const char *describe;
    size_t describe_len;
    const char *start;
    size_t start_len;
};

struct wf_front_handlers {
    void *ctx; // each function may be null
    // A message for the user, without end of line.
    void (*report)(void *ctx, const char *text);
    // A line of QSPY's standard output, without its end. Null: nothing is shown.
    //   record  the number of its record; above 127 a packet of a front end
    void (*line)(void *ctx, enum wf_line_class line, uint8_t record, const char *text, size_t len);
    void (*clear)(void *ctx); // a front end requests clearing the screen
    // Bytes as received from the target.
    void (*bytes)(void *ctx, const uint8_t *bytes, size_t len);
    // The link has ended (see wf_link.h); WF_OK also when a front end requests the server to end.
    void (*done)(void *ctx, int err);
    // As in struct wf_hub_handlers.
    void (*up)(void *ctx, const char *peer);
    void (*down)(void *ctx, const char *peer, const char *why);
    void (*known)(void *ctx, uint8_t id, const uint8_t *payload, size_t len);
    void (*sent)(void *ctx, uint8_t command, const uint8_t *payload, size_t len);
};

struct wf_front_counters {
    uint64_t attached, detached, vanished, idle, refused; // front ends
    uint64_t packets, commands; // from attached front ends; sent to the target
    uint64_t not_allowed;
    // Ignored packets: sender not attached, too long, malformed, old sequence number.
    uint64_t strangers, oversized, malformed, late;
    uint64_t gaps;       // in the sequence of front ends
    uint64_t sent, lost; // packets to front ends; lost: the queue was full
    unsigned most;       // highest number of front ends at a time
};

struct wf_front;

// Opens the link to the target and the server for front ends.
//   error    on an error the fault and the remedy, for the user
//   returns  as wf_hub_open
int wf_front_open(struct uv_loop_s *loop, const char *source,
                  const struct wf_front_options *options, const struct wf_front_handlers *on,
                  struct wf_front **front, struct wf_error *error);
// Detaches all front ends, closes the link and the files. Frees itself as the loop runs.
void wf_front_close(struct wf_front *front);

// As wf_hub_send, even without allow_commands.
int wf_front_send(struct wf_front *front, uint8_t command, const void *payload, size_t len);

void wf_front_end(struct wf_front *front);             // as wf_hub_end
struct wf_lane *wf_front_lane(struct wf_front *front); // as wf_hub_lane
// As wf_hub_set_capture.
void wf_front_set_capture(struct wf_front *front, struct wf_capture *capture);
struct wf_front_counters wf_front_count(const struct wf_front *front);

#ifdef __cplusplus
}
#endif
#endif
