// SPDX-License-Identifier: MIT
// Shared by print, info, convert and others: options of the stream, a session per lane fed from a
// source, dictionary files, and the final messages.
#ifndef STREAM_H
#define STREAM_H

#include "cmd.h"
#include "input_options.h"
#include "names.h"
#include "slots.h"
#include "source.h"
#include "term/progress.h"
#include "wallfly_backend/wf_dic.h"
#include "wallfly_host/wf_behaviour.h"
#include "wallfly_host/wf_task_filter.h"
#include "wallfly_host/wf_trace.h"
#include "wallfly_host/wf_writer.h"

// Option rows for the table of a command, in this order from its first option on.
enum {
    STREAM_SIZES,
    STREAM_VERSION,
    STREAM_RATE,
    STREAM_INPUT,
    STREAM_DIC = STREAM_INPUT + INPUT_OPTIONS,
    STREAM_ELF,
    STREAM_MAP,
    STREAM_LOADED_AT,
    STREAM_ASK,
    STREAM_SESSION_OPTIONS, // the options before are those of STREAM_SESSION_ROWS
    STREAM_STRICT = STREAM_SESSION_OPTIONS,
    STREAM_IMAGE,
    STREAM_RAM_SYMBOL,
    STREAM_LANE,
    STREAM_CLOCK,
    STREAM_OPTIONS
};
#define STREAM_SIZE_ROWS                                                                           \
    {"sizes", 0, "LETTERS",                                                                        \
     "sizes until the target reports its own, in QSPY's letters: T time, O object, F function, "   \
     "S signal, E event, Q queue counter, P pool counter, B pool block, C timer counter; O8F8"},   \
        {"qs-version", 0, "X.Y",                                                                   \
         "QS version until the target reports its own (7.4; in QSPY's formats 7.0)"},              \
    {                                                                                              \
        "rate", 0, "HZ", "ticks per second of the time stamps, if the trace does not contain it"   \
    }

#define STREAM_SESSION_ROWS                                                                        \
    STREAM_SIZE_ROWS, INPUT_ROWS,                                                                  \
        {"dic", 0, "FILE",                                                                         \
         "read names from a dictionary file; auto: the one of the target's build time, saved "     \
         "when the framework runs"},                                                               \
        NAMES_ROWS, ASK_ROW
#define STREAM_OPTION_ROWS                                                                         \
    STREAM_SESSION_ROWS, {"strict", 0, NULL, "exit code 4 if anything was lost or damaged"},       \
        {"ram-image", 0, "IMAGE",                                                                  \
         "in place of FILE: the recorder's ring (of frames or slots) in a raw image of the "       \
         "target's "                                                                               \
         "memory or in an ELF core (docs/black-box.md), or the buffer of another tracer"},         \
        {"ram-symbol", 0, "NAME",                                                                  \
         "with --ram-image and --elf: the variable that is another tracer's buffer, or points to " \
         "it, if the image has several"},                                                          \
        {"lane", 0, "N", "only this lane of a recording, or of a link with several targets"}, {    \
        "clock", 0, "WHICH",                                                                       \
            "slot traces (.kev): global, one clock for all cores, or percpu, one for each core; "  \
            "default: guessed (docs/slots.md)"                                                     \
    }

// Rows for the commands that can hide tasks, after those.
enum { STREAM_HIDE = STREAM_OPTIONS, STREAM_HIDE_AS, STREAM_HIDE_OPTIONS };
#define STREAM_HIDE_ROWS                                                                           \
    {"hide", 0, "TASKS",                                                                           \
     "leave out these tasks of an RTOS, separated by commas: names, addresses (0x20001234) or "    \
     "priorities "                                                                                 \
     "(prio:3 or prio:3..7); switches through them appear as one (docs/part-tracing.md)"},         \
    {                                                                                              \
        "hide-as", 0, "HOW",                                                                       \
            "gap: a switch to a hidden task shows as one to no task; published: switches as the "  \
            "published tracer of the thesis shows them, including its faults"                      \
    }

// A lane: one target, or several one after the other.
struct lane {
    struct stream *stream;
    unsigned number;
    struct wf_lane *of; // lane of the trace
    struct wf_session *session;
    const struct wf_lane_slots *slots; // null: frames or text
    struct wf_sinks *sinks;            // shared by the writers
    struct wf_writer **writers;        // by index into the stream's outs
    struct wf_task_filter *hide;       // null: show all
    struct wf_dic dic;
    uint64_t tick_first, tick_last;
    bool ticks_known;
    bool in_line; // the text is within a line
    unsigned
        connection;     // of the connected target: index + 1 into the stream's connections, 0: none
    bool announced;     // its connection was reported
    bool hinted;        // better sizes were reported
    uint64_t hint_from; // malformed records for the next check of sizes; 0: not checked yet
    void *user;         // the caller's
    struct wf_behaviour_sink *behaviour; // collected for a profile; or null
    bool begins_in_ring;                 // for info: older events were overwritten,
    uint64_t overwritten;                // so many; 0: unknown
};

// A connection of a target.
struct connection {
    unsigned lane;
    char peer[128], why[128];
    bool continues;          // it began in the previous file
    bool nameless;           // its names did not fit in this file
    uint64_t from_us, to_us; // recordings only, since the start of the file
    uint64_t bytes, records, missing;
};

// An output of each lane. All formats of a stream need the same dialect.
struct stream_out {
    const struct wf_format *format;
    struct wf_writer_options options;
    wf_write_fn write;
    void *ctx; // passed to write and the options' functions
    int err;   // set by stream_close: the first error of its writer
};

struct stream {
    struct stream_out *outs; // the caller sets these
    unsigned out_count;
    bool outs_report; // the outputs report their errors themselves
    // Called with each item, before the next is read. May be null.
    void (*on_item)(struct lane *l, const struct wf_item *item);
    // Called with each chunk of a recording that a lane has (wf_trace.h). May be null.
    void (*on_chunk)(struct lane *l, const struct wf_chunk *chunk);
    // Called when all received bytes have given their items. May be null.
    void (*on_drained)(struct stream *s);
    bool qspy;                 // print QSPY's messages about dictionary files
    bool single;               // one lane only
    bool look;                 // a first look: names and messages are ignored
    bool again;                // a second reading: messages were already printed
    bool pieces;               // read a file in pieces, in the order in which a link delivers them
    bool enough;               // set by on_item to stop
    uint64_t seconds;          // end a link after this time; 0: never
    struct progress *progress; // null: none is shown
    struct source source;
    bool without_link; // read a file or an image, not a link
    const char *name;  // name of the source, for messages
    const struct args *args;
    const char *image; // file name, or null
    const char *ring_symbol;
    uint64_t rate;    // found by a first look, or 0
    const char *hide; // tasks separated by commas, or null
    enum wf_task_filter_view hide_view;
    struct wf_session_options options;
    enum wf_lane_format format; // required format; UNKNOWN: that of `input`
    struct input_options input;
    bool raw_slots; // report the items of slots (wf_trace.h)
    enum wf_slots_clock clock;
    struct wf_trace *trace;
    uint64_t items; // so far
    struct names names;
    enum wf_ask ask; // for a target that started before the connection
    bool live, strict;
    bool damaged, cut; // the recording is damaged; it ends too early
    bool one_lane, prefix;
    unsigned lane;     // the selected one
    unsigned lane_end; // of the ignored lanes: the highest number plus one
    bool lane_came;    // the selected lane occurred
    struct lane **lanes;
    unsigned lane_count;
    struct lane *last; // lane of the last text
    bool looked;       // its format was checked since the last feed
    int code;
    const struct wf_recording_info *recording; // null: the source is none, or was not read yet
    struct connection *connections;
    unsigned connection_count;
};

// Sets the session's options from the command line. first: index of the first of STREAM_SIZE_ROWS.
// Returns false after an error message.
bool stream_options(const struct args *args, unsigned first, struct wf_session_options *options);
// Parses --lane=N. Returns false after an error message.
bool stream_lane_option(struct stream *s, const char *text);
// Opens the program file given by the options. Returns an exit code, after an error message.
int stream_names(const struct args *args, struct names *names);
// Parses --color=WHEN. Returns false after an error message.
bool stream_colour(const char *text, bool *colour);
// Parses --hide and --hide-as; call before stream_open. Returns false after an error message.
bool stream_hide(struct stream *s, const struct args *args);
// Adds the rules of a list of tasks to hide. Returns false after an error message.
bool stream_hide_rules(struct wf_task_filter *hide, const char *list);
// Adds a lane with its session, names and writers. Returns null after an error.
struct lane *stream_new_lane(struct stream *s, unsigned number, struct wf_error *error);
// Opens the first lane. Returns an exit code, after an error message.
int stream_open(struct stream *s, const struct args *args);
// Reads the source to its end. Returns an exit code.
int stream_run(struct stream *s, bool once);
// The same with a progress line. always, file: as in progress_begin.
int stream_run_shown(struct stream *s, bool always, const char *file);
// Replaces stream_run for a target whose link has another owner. Either the owner feeds s->trace
// and passes its items: stream_item, and stream_drained when there are no more for now. Or it
// passes bytes and the end of the connection (stream_push...), and the items are handled within
// these calls. Begin with stream_dictionaries, end with stream_end.
void stream_item(struct stream *s, const struct wf_item *item);
bool stream_drained(struct stream *s); // false: stop the input
void stream_push(struct stream *s, const uint8_t *bytes, size_t len);
void stream_push_down(struct stream *s);
// Reports once that other sizes would fit, when enough records are malformed.
void stream_hint_sizes(struct lane *l);
// Verdict: not a trace, wrong sizes, loss under --strict. Returns an exit code.
int stream_verdict(struct stream *s);
// Counts and losses, on standard error (summary.c).
void summary_lanes(const struct stream *s);
// name: of the source. Returns whether the lane is whole by its verdict.
bool summary_link(const char *name, struct wf_lane *lane);
// Finds the rate, by a first look at a file if --rate is not given; 0: it is not in the file.
// Returns an exit code, after an error message.
int stream_rate(const struct args *args, uint64_t *rate);
// Closes the writers and frees. Returns the first error of a writer.
int stream_close(struct stream *s);
// Internal (stream.c and stream_read.c): returns the lane with this number, opened at first use.
// Returns null for a lane that is not selected, or after an error message.
struct lane *stream_lane(struct stream *s, unsigned number);
// Handles a connection or a fault of a recording. l: its lane, null: the file.
void stream_chunk(struct stream *s, struct lane *l, const struct wf_item *item);
// Handles the available items. Returns as stream_drained.
bool stream_drain(struct stream *s);
// Keeps the lines of several lanes in the order in which they arrived.
void stream_turn_to(struct lane *l);
bool stream_flush(struct lane *l);
int stream_report(const struct stream *s, const struct wf_error *e); // returns an exit code
int stream_no_lane(const struct stream *s, unsigned lanes);
bool stream_dictionaries(struct lane *l);
int stream_end(struct stream *s,
               int code); // handles the remaining items, prints the final messages
// Returns the name of the source, with the lane if there are several.
const char *lane_name(const struct lane *l, char name[256]);

// Connections of targets (connections.c), printed as lines in the text of a recording.
// Times are in us since the start of the recording; 0 for a live link.
void connection_begin(struct lane *l, const char *peer, uint64_t time_us);
void connection_begun(struct lane *l, bool continues); // at the first bytes or state of the target
void connection_nameless(struct lane *l, bool nameless);
void connection_end(struct lane *l, uint64_t time_us, const char *why);
// Formats a time of the recording as "2026-01-02 03:04:05.678901Z".
void recording_time(const struct stream *s, uint64_t us, char text[40]);

#endif
