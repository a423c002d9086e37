// SPDX-License-Identifier: MIT
// The server of front ends: QView, QUTest, `spy:` links. It speaks QSPY's front-end protocol on UDP
// (docs/front-ends.md) for the one target of a hub. It runs on the caller's libuv loop; all
// functions are for that thread.
#ifndef WF_FRONT_H
#define WF_FRONT_H

#include "wallfly_backend/wf_hub.h"
#include "wallfly_host/wf_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_FRONT_PORT = 7701, WF_FRONT_ENDS_MAX = 64 };

// Files that front ends switch on and off, as bits.
enum wf_front_file {
    WF_FRONT_TEXT = 1,
    WF_FRONT_BINARY = 2,
    WF_FRONT_MATLAB = 4,
    WF_FRONT_SEQUENCE = 8,
};

struct wf_front_options {
    struct wf_session_options
        session;                // sizes and so on until TARGET_INFO comes; the dialect is QSPY's
    const char *listen;         // "[HOST:]PORT"; null: the loopback, WF_FRONT_PORT
    bool once;                  // ends when the first target has left
    bool allow_commands;        // else front ends can only watch
    bool keep_filters;          // after a target's reset, its filters are set again as they were
    enum wf_ask ask;            // see wf_link.h
    unsigned files;             // enum wf_front_file: open from the start
    const char *folder;         // of the files; null: the current one
    const char *dic;            // dictionary file, as struct wf_dic
    const char *objects;        // of the sequence diagram; null: there is none
    unsigned idle_s;            // front ends silent for so long are dropped; 0: never
    struct wf_capture *capture; // as struct wf_hub_options
    struct wf_files *command_files; // which no file may be written over; may be null
};

struct wf_front_handlers {
    void *ctx; // each function may be null
    // For the user, without end of line.
    void (*say)(void *ctx, const char *text);
    // A line of QSPY's standard output, without its end; null: nothing is shown.
    //   record  the number of the record it belongs to; above 127 a packet of a front end
    void (*line)(void *ctx, enum wf_line_class line, uint8_t record, const char *text, size_t len);
    void (*clear)(void *ctx); // a front end wants the screen cleared
    // As received from the target.
    void (*bytes)(void *ctx, const uint8_t *bytes, size_t len);
    // The link has ended (see wf_link.h), or with WF_OK a front end wants the server to end.
    void (*done)(void *ctx, int err);
    // As struct wf_hub_handlers.
    void (*up)(void *ctx, const char *peer);
    void (*down)(void *ctx, const char *peer, const char *why);
    void (*known)(void *ctx, uint8_t id, const uint8_t *payload, size_t len);
    void (*sent)(void *ctx, uint8_t command, const uint8_t *payload, size_t len);
};

struct wf_front_counters {
    uint64_t attached, detached, vanished, idle, refused; // front ends
    uint64_t packets, commands;                           // from attached ones, sent to the target
    uint64_t not_allowed;
    // Ignored packets: of a sender that is not attached, too long, malformed, of a past number.
    uint64_t strangers, oversized, malformed, late;
    uint64_t gaps;       // in what front ends sent
    uint64_t sent, lost; // packets to front ends; lost: for which there was no room
    unsigned most;       // front ends at a time
};

struct wf_front;

//   why      on an error what is wrong and what to do, for the user
//   returns  as wf_hub_open
int wf_front_open(struct uv_loop_s *loop, const char *source,
                  const struct wf_front_options *options, const struct wf_front_handlers *on,
                  struct wf_front **front, char why[256]);
// Detaches all front ends, closes the link and the files; frees itself as the loop goes on.
void wf_front_close(struct wf_front *front);

// As wf_hub_send, whatever front ends are allowed.
int wf_front_send(struct wf_front *front, uint8_t command, const void *payload, size_t len);

void wf_front_end(struct wf_front *front);             // as wf_hub_end
struct wf_lane *wf_front_lane(struct wf_front *front); // as wf_hub_lane
struct wf_front_counters wf_front_count(const struct wf_front *front);

#ifdef __cplusplus
}
#endif
#endif
