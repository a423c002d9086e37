// SPDX-License-Identifier: MIT
// A source named on the command line (see wf_link.h), read to its end.
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_backend/wf_link.h"

struct source_handlers {
    void *ctx;
    // The source is open, nothing of it was read yet. Returns an exit code, that of an error ends
    // it. May be null.
    int (*opened)(void *ctx);
    // false: stop
    bool (*bytes)(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len);
    // A target came or left (why: "" when orderly).
    void (*link)(void *ctx, struct wf_peer *peer, bool up, const char *why);
    bool once;     // end when the first target has left
    unsigned most; // targets at a time, 0: any number
    enum wf_ask ask;
    bool quiet; // what the link has to say goes nowhere
    // A command that the link has sent by itself (wf_link.h). May be null.
    void (*sent)(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                 size_t len);
    // A record from outside the stream (wf_session_learn); may be null.
    void (*known)(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload, size_t len);
    // Of a recording: what it says beside the bytes (wf_link.h). May be null.
    void (*chunk)(void *ctx, struct wf_peer *peer, const struct wf_chunk *chunk);
    bool (*tick)(void *ctx); // a few times a second; false: stop. May be null.
    uint64_t seconds;        // end after so many, 0: do not
    bool *interrupted;       // set if a signal ended it. May be null.
};

// A row for the table of a command.
#define ASK_ROW                                                                                    \
    {                                                                                              \
        "ask", 0, "WHEN",                                                                          \
            "ask a target that had started before for its names and sizes, with the command "      \
            "INFO: auto (not over TCP, unless commands go there anyway), always or never"          \
    }

// --ask=WHEN; text: null if it is not given. commands: the target gets commands anyway. False after
// complaining.
bool source_ask(const char *text, bool commands, enum wf_ask *ask);

// True if more may come at any time, so output must not wait in buffers.
bool source_is_live(const char *name);

// How many lanes the recording in this file has; 0 when it is none or cannot be read.
unsigned source_lanes(const char *name);

// Reads NAME to its end or until Ctrl-C or SIGTERM. Complains itself. Returns an exit code:
// EXIT_GOOD also after a signal.
int source_run(const char *name, const struct source_handlers *on);

#endif
