// SPDX-License-Identifier: MIT
// What print, info and convert share: options of the stream, a session fed from a source,
// dictionary files, and what is said at the end.
#ifndef STREAM_H
#define STREAM_H

#include "cmd.h"
#include "source.h"
#include "wallfly_backend/wf_dic.h"
#include "wallfly_host/wf_writer.h"

// Option rows for the table of a command, in this order from its first option on.
enum {
    STREAM_SIZES,
    STREAM_VERSION,
    STREAM_RATE,
    STREAM_DIC,
    STREAM_SESSION_OPTIONS, // those of STREAM_SESSION_ROWS stand before
    STREAM_STRICT = STREAM_SESSION_OPTIONS,
    STREAM_IMAGE,
    STREAM_ELF,
    STREAM_OPTIONS
};
#define STREAM_SESSION_ROWS                                                                        \
    {"sizes", 0, "LETTERS",                                                                        \
     "sizes until the target tells its own, in QSPY's letters: T time, O object, F function, "     \
     "S signal, E event, Q queue counter, P pool counter, B pool block, C timer counter; O8F8"},   \
        {"qs-version", 0, "X.Y",                                                                   \
         "QS version until the target tells its own (7.4; in QSPY's formats 7.0)"},                \
        {"rate", 0, "HZ", "ticks a second of the time stamps, if the target does not tell"}, {     \
        "dic", 0, "FILE",                                                                          \
            "read names from a dictionary file; auto: the one of the target's "                    \
            "build time, saved when the framework runs"                                            \
    }
#define STREAM_OPTION_ROWS                                                                         \
    STREAM_SESSION_ROWS, {"strict", 0, NULL, "exit code 4 if anything was lost or damaged"},       \
        {"ram-image", 0, "IMAGE",                                                                  \
         "in place of FILE: what the recorder's ring holds, from a raw image of the target's "     \
         "memory or an ELF core (docs/black-box.md)"},                                             \
    {                                                                                              \
        "elf", 0, "PROGRAM", "with --ram-image: the ELF file of the program that ran"              \
    }

struct stream {
    const char *name; // of the source, for messages
    struct wf_session *session;
    struct wf_writer *writer; // may be null
    struct wf_dic dic;
    bool qspy; // say what QSPY says of dictionary files
    bool live, strict, failed;
    uint64_t tick_first, tick_last;
    bool ticks_known;
    const struct args *args;
};

// Fills in the session's options from the command line. False after complaining.
bool stream_options(const struct args *args, struct wf_options *options);
// --color=WHEN. False after complaining.
bool stream_colour(const char *text, bool *colour);
// Opens the session. False after complaining.
bool stream_open(struct stream *s, const struct args *args, const struct wf_format *format);
// Reads the source to its end. Returns an exit code.
int stream_run(struct stream *s, bool once);
// Judges what came: not a trace, wrong sizes, loss under --strict. Returns an exit code.
int stream_judge(struct stream *s);
void stream_close(struct stream *s);

#endif
