// SPDX-License-Identifier: MIT
// A source named on the command line (see wf_link.h), read to its end.
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/signals.h"
#include "wallfly_backend/wf_link.h"

struct source_options {
    struct wf_link_options link; // its size is set by source_run
    // The source is open, but nothing was read yet. Returns an exit code; an error ends the
    // reading. May be null.
    int (*opened)(void *ctx);
    void (*tick)(void *ctx); // called a few times a second; may be null
    uint64_t seconds;        // end after this time, 0: never
};

struct source {
    bool interrupted; // a signal ended the reading
    int code;         // private, like the members below
    uv_loop_t loop;
    struct signals signals;
};

// A row for the table of a command.
#define ASK_ROW                                                                                    \
    {                                                                                              \
        "ask", 0, "WHEN",                                                                          \
            "request names and sizes from a target that was running before, by the command INFO: " \
            "auto (over TCP only if this command also sends others), always or never"              \
    }

// Parses --ask=WHEN; text: null if not given. commands: the target gets commands anyway. Returns
// false after an error message.
bool source_ask(const char *text, bool commands, enum wf_ask *ask);

// Returns the number of lanes of a recording; 0 when the file is not one or cannot be read.
unsigned source_lanes(const char *name);
// The same, and sets which ones. Reads the file until all lanes that it has were found.
unsigned source_lane_list(const char *name, bool seen[WF_RECORDING_LANES]);

// Reads a source to its end or until a signal (signals.h); a signal ends it at once, and the bytes
// received so far are processed. `on`: as for wf_link_open; its ctx is also that of the options'
// functions. Returns an exit code, after an error message; EXIT_GOOD also after a signal.
int source_run(struct source *s, const char *name, const struct source_options *o,
               const struct wf_link_handlers *on);
void source_stop(struct source *s);          // from a handler
void source_done(struct source *s, int err); // from the handler `done`

// Notes that a file or folder could not be read to its end: the command shows what was read, and
// fails.
void source_note_cut(void);
bool source_was_cut(void);

// For input without a link: catches signals between source_begin and source_end.
void source_begin(struct source *s);
bool source_goes_on(struct source *s); // false: there was a signal
void source_end(struct source *s);

// Formats "PEER: target connected", or disconnected with the reason (why; "": orderly).
const char *source_link_text(const char *peer, bool up, const char *why, char text[512]);

#endif
