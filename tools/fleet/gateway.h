// SPDX-License-Identifier: MIT
// `wallfly record SOURCE --to=URL`: the bytes of targets go to a fleet's agent in chunks
// (docs/fleet-chunks.md), in place of a file. gateway.c reads the source, gateway_send.c sends in a
// thread of its own; what is not yet sent waits in the streams between them (gateway_streams.c).
// The device's profile says what of it is sent (gateway_profile.c), commands go the other way
// (gateway_commands.c).
#ifndef FLEET_GATEWAY_H
#define FLEET_GATEWAY_H

#include <pthread.h>
#include <stdatomic.h>

#include "../cmd.h"
#include "../source.h"
#include "place.h"
#include "wallfly_backend/wf_uplink.h"
#include "wallfly_host/wf_fleet_profile.h"
#include "wallfly_host/wf_fleet_sender.h"
#include "wallfly_host/wf_trace.h"

enum {
    GATEWAY_TO,
    GATEWAY_SECRET_FILE,
    GATEWAY_STREAM,
    GATEWAY_COMMANDS,
    GATEWAY_BUFFER,
    GATEWAY_PROFILE,
    GATEWAY_OPTIONS
};
#define GATEWAY_ROWS                                                                               \
    {"to", 0, "URL",                                                                               \
     "send to a fleet's agent in place of a file: mqtt://[USER@]HOST[:PORT]/PROJECT/DEVICE, or "   \
     "http://..."},                                                                                \
        {"secret-file", 0, "FILE",                                                                 \
         "a file whose first line is the token for --to=http:, the user's password for "           \
         "--to=mqtt:; without it the environment's WALLFLY_SECRET, or none"},                      \
        {"stream", 0, "NUMBER",                                                                    \
         "the stream to go on with when wallfly is started again, of one target at a time "        \
         "(default: a new one for each connection)"},                                              \
        {"commands", 0, NULL,                                                                      \
         "with --to=mqtt:, pass commands of `wallfly fleet send` on to all connected targets"},    \
        {"buffer", 0, "KB",                                                                        \
         "what waits for the agent at most, for each stream (4096): then a target on TCP or a "    \
         "pipe is not read, others lose their oldest bytes, which are counted"},                   \
    {                                                                                              \
        "profile", 0, "TEXT",                                                                      \
            "what of a live target is sent, in place of what the fleet says: stream (all), "       \
            "stats=SECONDS/PERIOD (the first SECONDS of each PERIOD) or box (nothing)"             \
    }

struct gateway_options {
    const char *source;
    struct place_url {
        char url[512]; // without the path
        struct fleet_place place;
    } to;
    char secret[1024];
    uint64_t stream;  // of the first connection; those of others follow
    bool one_stream;  // all connections are this one: one target at a time
    size_t buffer;    // bytes
    bool commands;    // are passed on to the targets
    bool has_profile; // which replaces the fleet's
    struct wf_fleet_profile profile;
    bool once, quiet, strict;
    uint64_t seconds;
    enum wf_ask ask;
    const char *start; // sent to each target; null: none
};

enum {
    GATEWAY_LEFT = 16, // streams that targets have left and that are not safe yet
    GATEWAY_STREAMS = WF_RECORDING_LANES + 4 * GATEWAY_LEFT
};

// The bytes of a connection, or of all of them.
struct gateway_stream {
    // Under the mutex.
    bool used;
    bool left;    // no bytes come any more: closed when all is safe
    bool dropped; // closed at once; what is not safe is given up
    uint64_t number;
    struct wf_fleet_sender *sender; // null: no bytes came; closed by the thread
    // The reader's.
    struct wf_peer *peer;  // null: none is connected
    bool held;             // it is not read
    bool foreign;          // its bytes are no frames: they are not sent
    struct wf_trace *look; // null: it is known whether they are
    size_t looked;         // at bytes
    bool closed;           // it is outside of a window: its bytes are left out
    bool in_frame;         // its last byte did not end a frame
};

struct gateway {
    const struct gateway_options *o;
    struct gateway_stream streams[GATEWAY_STREAMS];
    struct gateway_stream *by_lane[WF_RECORDING_LANES]; // the reader's; null: none
    unsigned count;                     // streams below this may be used; under the mutex
    uint64_t begun;                     // streams; under the mutex
    struct wf_fleet_profile profile;    // until it is known, all is sent; under the mutex
    struct wf_fleet_sender_totals past; // of streams that were closed; under the mutex
    struct gateway_command *commands;   // not yet passed on, in their order; under the mutex
    struct source source;
    uint64_t sessions;
    bool obeys;        // the profile: a file is sent whole
    uint64_t left_out; // bytes, by the profile
    bool full;         // and bytes were given up, which is reported
    bool failed, foreign;
    struct wf_error error; // of both

    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex;
    struct wf_uplink *uplink; // the thread's, as the next three
    bool asked;               // for the profile
    uint64_t ask_ms;          // when it is asked for
    uint64_t bad_profile;     // hash of one that was reported
    atomic_bool stopping;
    atomic_bool refused;     // by the agent, for good
    struct wf_error refusal; // written before
};

// Returns false after a message if options of GATEWAY_ROWS, which begin at `row`, lack their --to.
bool gateway_allows(const struct args *args, int row);
// Parses GATEWAY_ROWS, which begin at `row` and have --to. Returns an exit code, after a message.
int gateway_parse(const struct args *args, int row, struct gateway_options *o);
// Sends until the source ends or a signal. Returns an exit code, after a message.
int gateway_run(const struct gateway_options *o);

// (gateway_streams.c) For the reader. The stream of a peer that has connected; null: there is no
// room for one.
struct gateway_stream *gateway_begin(struct gateway *g, struct wf_peer *peer);
struct gateway_stream *gateway_stream_of(const struct gateway *g, const struct wf_peer *peer);
// Opens its sender if it has none. Returns false when out of memory.
bool gateway_open_sender(struct gateway *g, struct gateway_stream *s);
// Its peer is gone.
void gateway_leave(struct gateway *g, struct gateway_stream *s);
// Begins the stream of a new window, and returns it: the same one, with a break, with --stream.
struct gateway_stream *gateway_renew(struct gateway *g, struct gateway_stream *s);
// Returns what the bytes of a stream are if it is surely no frames, else UNKNOWN.
//   end  no more come; bytes may be null
enum wf_lane_format gateway_look(const struct gateway *g, struct gateway_stream *s,
                                 const uint8_t *bytes, size_t len, bool end);
// For the thread: closes those that were left and are safe.
void gateway_close_left(struct gateway *g);
// When the thread has ended.
void gateway_sum_up(const struct gateway *g, struct wf_fleet_sender_totals *totals);
void gateway_close_all(struct gateway *g);

// (gateway_profile.c) For the reader: cuts what a target has sent to what is passed on, which may
// be nothing. Returns the stream of it.
struct gateway_stream *gateway_select(struct gateway *g, struct gateway_stream *s,
                                      const uint8_t **bytes, size_t *len);
// For the thread: asks for the profile when it is time to. sent: something else was.
void gateway_ask_profile(struct gateway *g, bool sent);
// For wf_uplink_options.
void gateway_take_profile(void *ctx, const uint8_t *bytes, size_t len);

// (gateway_commands.c) For wf_uplink_options, in the thread: keeps a message for the reader.
void gateway_take_command(void *ctx, const uint8_t *bytes, size_t len, bool retained);
// For the reader: passes commands on to the targets that are connected.
void gateway_pass_commands(struct gateway *g);
// When the thread has ended.
void gateway_drop_commands(struct gateway *g);

// (gateway_send.c) The thread; ctx: the gateway.
void *gateway_send(void *ctx);
// For the thread. Returns whether a message was sent; else *again_ms is set to when to try again.
bool gateway_send_message(struct gateway *g, const uint8_t *message, size_t len,
                          uint64_t *again_ms);
// For wf_uplink_options.
void gateway_take_answer(void *ctx, uint64_t stream, uint64_t wanted);
// Whether all that came is safe, or given up.
bool gateway_is_done(struct gateway *g);

#endif
