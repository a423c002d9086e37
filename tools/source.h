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
    // The source is open, but nothing was read yet. Returns an exit code; an error ends the
    // reading. May be null.
    int (*opened)(void *ctx);
    // Returns false to stop.
    bool (*bytes)(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len);
    // A target has connected or disconnected (why: "" for an orderly close).
    void (*link)(void *ctx, struct wf_peer *peer, bool up, const char *why);
    // No more bytes will come. Not called when the reading was stopped. May be null.
    void (*ended)(void *ctx);
    bool once;     // end when the first target has disconnected
    unsigned most; // most targets at a time, 0: any number
    enum wf_ask ask;
    bool quiet; // do not print the link's messages
    // A command that the link has sent by itself (wf_link.h). May be null.
    void (*sent)(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                 size_t len);
    // A record from outside the stream (wf_session_learn); may be null.
    void (*known)(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload, size_t len);
    bool (*tick)(void *ctx); // called a few times a second; false: stop. May be null.
    uint64_t seconds;        // end after this time, 0: never
    bool *interrupted;       // set if a signal ended the reading. May be null.
};

// A row for the table of a command.
#define ASK_ROW                                                                                    \
    {                                                                                              \
        "ask", 0, "WHEN",                                                                          \
            "ask a target that had started before for its names and sizes, with the command "      \
            "INFO: auto (not over TCP, unless commands go there anyway), always or never"          \
    }

// Parses --ask=WHEN; text: null if not given. commands: the target gets commands anyway. Returns
// false after an error message.
bool source_ask(const char *text, bool commands, enum wf_ask *ask);

// Returns true if more bytes may arrive at any time, so that output must not wait in buffers.
bool source_is_live(const char *name);

// Returns the number of lanes of a recording; 0 when the file is not one or cannot be read.
unsigned source_lanes(const char *name);

// Reads a source to its end or until Ctrl-C or SIGTERM. Prints errors itself. Returns an exit code,
// EXIT_GOOD also after a signal.
int source_run(const char *name, const struct source_handlers *on);

#endif
