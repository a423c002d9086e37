// SPDX-License-Identifier: MIT
// `wallfly record SOURCE --to=URL`: the bytes of targets go to a fleet's agent in chunks
// (docs/fleet-chunks.md), in place of a file. gateway.c reads the source, gateway_send.c sends in a
// thread of its own; what is not yet sent waits in a buffer between them.
#ifndef FLEET_GATEWAY_H
#define FLEET_GATEWAY_H

#include <pthread.h>
#include <stdatomic.h>

#include "../cmd.h"
#include "../source.h"
#include "place.h"
#include "wallfly_backend/wf_uplink.h"
#include "wallfly_host/wf_fleet_sender.h"

enum { GATEWAY_TO, GATEWAY_SECRET_FILE, GATEWAY_STREAM, GATEWAY_BUFFER, GATEWAY_OPTIONS };
#define GATEWAY_ROWS                                                                               \
    {"to", 0, "URL",                                                                               \
     "send to a fleet's agent in place of a file: mqtt://[USER@]HOST[:PORT]/PROJECT/DEVICE, or "   \
     "http://..."},                                                                                \
        {"secret-file", 0, "FILE",                                                                 \
         "a file whose first line is the token for --to=http:, the user's password for "           \
         "--to=mqtt:; without it the environment's WALLFLY_SECRET, or none"},                      \
        {"stream", 0, "NUMBER",                                                                    \
         "the stream to go on with when wallfly is started again, of one target at a time "        \
         "(default: a new one for each target of each start)"},                                    \
    {                                                                                              \
        "buffer", 0, "KB",                                                                         \
            "what waits for the agent at most, for each lane (4096): then a target on TCP or a "   \
            "pipe is not read, others lose their oldest bytes, which are counted"                  \
    }

struct gateway_options {
    const char *source;
    struct place_url {
        char url[512]; // without the path
        struct fleet_place place;
    } to;
    char secret[1024];
    uint64_t stream; // of lane 0; those of others follow
    unsigned most;   // targets at a time; 0: any number
    size_t buffer;   // bytes
    bool once, quiet, strict;
    uint64_t seconds;
    enum wf_ask ask;
    const char *start; // sent to each target; null: none
};

struct gateway_lane {
    struct wf_fleet_sender *sender; // under the mutex; null: no bytes came
    struct wf_peer *held;           // null: none, or it is read
};

struct gateway {
    const struct gateway_options *o;
    struct gateway_lane lanes[WF_RECORDING_LANES];
    unsigned count; // lanes below this may have a sender; under the mutex
    struct source source;
    uint64_t sessions;
    bool full; // and bytes were given up, which is reported
    bool failed;

    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex;
    struct wf_uplink *uplink; // the thread's
    atomic_bool stopping;
    atomic_bool refused; // by the agent, for good: `error`
    struct wf_error error;
};

// Returns false after a message if options of GATEWAY_ROWS, which begin at `row`, lack their --to.
bool gateway_allows(const struct args *args, int row);
// Parses GATEWAY_ROWS, which begin at `row` and have --to. Returns an exit code, after a message.
int gateway_parse(const struct args *args, int row, struct gateway_options *o);
// Sends until the source ends or a signal. Returns an exit code, after a message.
int gateway_run(const struct gateway_options *o);

// (gateway_send.c) The thread; ctx: the gateway.
void *gateway_send(void *ctx);
// For wf_uplink_options.
void gateway_take_answer(void *ctx, uint64_t stream, uint64_t wanted);
// Whether all that came is safe, or given up.
bool gateway_is_done(struct gateway *g);

#endif
