// SPDX-License-Identifier: MIT
// What print, info and convert share: options of the stream, a session per lane fed from a source,
// dictionary files, and what is said at the end.
#ifndef STREAM_H
#define STREAM_H

#include "cmd.h"
#include "names.h"
#include "slots.h"
#include "source.h"
#include "wallfly_backend/wf_dic.h"
#include "wallfly_host/wf_hide.h"
#include "wallfly_host/wf_trace.h"
#include "wallfly_host/wf_writer.h"

// Option rows for the table of a command, in this order from its first option on.
enum {
    STREAM_SIZES,
    STREAM_VERSION,
    STREAM_RATE,
    STREAM_DIC,
    STREAM_ELF,
    STREAM_MAP,
    STREAM_LOADED_AT,
    STREAM_ASK,
    STREAM_SESSION_OPTIONS, // those of STREAM_SESSION_ROWS stand before
    STREAM_STRICT = STREAM_SESSION_OPTIONS,
    STREAM_IMAGE,
    STREAM_LANE,
    STREAM_CLOCK,
    STREAM_OPTIONS
};
#define STREAM_SESSION_ROWS                                                                        \
    {"sizes", 0, "LETTERS",                                                                        \
     "sizes until the target tells its own, in QSPY's letters: T time, O object, F function, "     \
     "S signal, E event, Q queue counter, P pool counter, B pool block, C timer counter; O8F8"},   \
        {"qs-version", 0, "X.Y",                                                                   \
         "QS version until the target tells its own (7.4; in QSPY's formats 7.0)"},                \
        {"rate", 0, "HZ", "ticks a second of the time stamps, if the target does not tell"},       \
        {"dic", 0, "FILE",                                                                         \
         "read names from a dictionary file; auto: the one of the target's build time, saved "     \
         "when the framework runs"},                                                               \
        NAMES_ROWS, ASK_ROW
#define STREAM_OPTION_ROWS                                                                         \
    STREAM_SESSION_ROWS, {"strict", 0, NULL, "exit code 4 if anything was lost or damaged"},       \
        {"ram-image", 0, "IMAGE",                                                                  \
         "in place of FILE: what the recorder's ring (of frames or slots) holds, from a raw "      \
         "image "                                                                                  \
         "of the target's memory or an ELF core (docs/black-box.md)"},                             \
        {"lane", 0, "N", "only this lane of a recording, or of a link with several targets"}, {    \
        "clock", 0, "WHICH",                                                                       \
            "slot traces (.kev): global, one clock for all cores, or percpu, each its own; "       \
            "unless given it is guessed (docs/slots.md)"                                           \
    }

// Rows of the commands that can hide tasks, behind those.
enum { STREAM_HIDE = STREAM_OPTIONS, STREAM_HIDE_AS, STREAM_HIDE_OPTIONS };
#define STREAM_HIDE_ROWS                                                                           \
    {"hide", 0, "TASKS",                                                                           \
     "leave out these tasks of an RTOS, with commas: names, addresses (0x20001234) or priorities " \
     "(prio:3 or prio:3..7); switches through them appear as one (docs/part-tracing.md)"},         \
    {                                                                                              \
        "hide-as", 0, "HOW",                                                                       \
            "gap: a hidden task that takes over shows as a switch to no task; published: "         \
            "switches "                                                                            \
            "as the thesis' published tracer shows them, faults included"                          \
    }

// One target, or one after the other, on one lane.
struct lane {
    struct stream *stream;
    unsigned number;
    struct wf_lane *of; // the trace's
    struct wf_session *session;
    const struct wf_lane_slots *slots; // null: frames or text
    struct wf_sinks *sinks;            // of the writers
    struct wf_writer **writers;        // of the stream's outs, in their order
    struct wf_hide *hide;              // null: all is shown
    struct wf_dic dic;
    uint64_t tick_first, tick_last;
    bool ticks_known;
    bool in_line;       // of the text
    unsigned visit;     // of the target that is there: index + 1 into the stream's, 0: none
    bool announced;     // that it has come
    uint64_t block_at;  // recordings: where in the file the block begins that its last bytes are in
    bool hinted;        // that other sizes fit
    uint64_t hint_from; // malformed records to look for that again; 0: not looked yet
    void *user;         // the caller's
};

// A target that came and left.
struct visit {
    unsigned lane;
    char peer[128], why[128];
    bool continues;          // it was there in the file before,
    bool nameless;           // whose names were too many to be here
    uint64_t from_us, to_us; // recordings only, since the file's start
    uint64_t bytes, records, missing;
};

// What is made of each lane. All formats of a stream want the same dialect.
struct stream_out {
    const struct wf_format *format;
    struct wf_writer_options options;
    wf_write_fn write;
    void *ctx; // of write and of the options' functions
};

struct stream {
    const struct stream_out *outs; // the caller sets these
    unsigned out_count;
    bool outs_tell; // their errors themselves
    // Each item, before the next is asked for. May be null.
    void (*on_item)(struct lane *l, const struct wf_item *item);
    // All items of what has come so far are out. May be null.
    void (*on_drained)(struct stream *s);
    bool qspy;   // say what QSPY says of dictionary files
    bool single; // one lane only
    bool look;   // only looks at it: names and what targets say go nowhere
    bool again;  // it was read before: what there is to say of it was said
    bool pieces; // a file is read piece by piece, in the order of what comes over a link
    bool enough; // set by on_item: it needs no more
    void (*progress)(void *ctx, uint64_t bytes, uint64_t records); // so far; may be null
    void *progress_ctx;
    const char *name; // of the source, for messages
    const struct args *args;
    const char *image; // null or a file
    uint64_t rate;     // that a first look has found, or 0
    const char *hide;  // tasks, with commas, or null
    enum wf_hide_view hide_view;
    struct wf_session_options options;
    enum wf_lane_format format; // that it has to have; UNKNOWN: any
    bool raw_slots;             // items are those of slots (wf_trace.h)
    enum wf_slots_clock clock;
    struct wf_trace *trace;
    uint64_t items; // so far
    struct names names;
    enum wf_ask ask; // a target that had started before
    bool live, strict;
    bool interrupted;  // a signal ended it
    bool damaged, cut; // a recording that is, or ends too early
    bool one_lane, prefix;
    unsigned lane;     // the one
    unsigned lane_end; // of those passed over: one more than the highest
    bool lane_came;    // the one
    struct lane **lanes;
    unsigned lane_count;
    struct lane *last; // whose text came last
    bool looked;       // what its format is, since the trace was fed
    int code;
    bool recorded;
    struct wf_recording_info recording; // if recorded
    struct visit *visits;
    unsigned visit_count;
};

// Fills in the session's options from the command line. False after complaining.
bool stream_options(const struct args *args, struct wf_session_options *options);
// Opens the program that the options name. Returns an exit code after complaining.
int stream_names(const struct args *args, struct names *names);
// --color=WHEN. False after complaining.
bool stream_colour(const char *text, bool *colour);
// --hide and --hide-as, before stream_open. False after complaining.
bool stream_hide(struct stream *s, const struct args *args);
// Gives hide the rules of a list of tasks. False after complaining.
bool stream_hide_rules(struct wf_hide *hide, const char *list);
// Opens the first lane. Returns an exit code, after complaining.
int stream_open(struct stream *s, const struct args *args);
// Reads the source to its end. Returns an exit code.
int stream_run(struct stream *s, bool once);
// In place of stream_run, for a target whose link has another owner. Either that feeds s->trace and
// passes its items on: stream_item, and stream_drained when there are no more for now. Or it passes
// bytes, records from outside the stream and the end of the connection (stream_push...), and the
// items come out within these calls.
int stream_push_begin(struct stream *s); // an exit code after complaining
void stream_item(struct stream *s, const struct wf_item *item);
bool stream_drained(struct stream *s); // false: no more of the input is wanted
void stream_push(struct stream *s, const uint8_t *bytes, size_t len);
void stream_push_known(struct stream *s, uint8_t id, const uint8_t *payload, size_t len);
void stream_push_down(struct stream *s);
int stream_push_end(struct stream *s); // as stream_run returns
// Says that other sizes would fit, once, if malformed records say so.
void stream_hint_sizes(struct lane *l);
// Judges what came: not a trace, wrong sizes, loss under --strict. Returns an exit code.
int stream_judge(struct stream *s);
// More than a quarter of the records have a length that cannot be: the sizes are wrong, or it is no
// trace.
bool lengths_are_wrong(const struct wf_ledger *l);
// The rate, from a first look at a file if --rate does not say; 0: it is not told there. Returns an
// exit code after complaining.
int stream_rate(const struct args *args, uint64_t *rate);
// Ends the text, frees. Returns the error of a text that could not be written.
int stream_close(struct stream *s);
// Inside (stream.c and stream_read.c): the lane of a peer (null: of an image), opened when it is
// new. Null when it is not wanted, or after complaining.
struct lane *stream_lane(struct stream *s, const struct wf_peer *peer);
// Handles the items that there are. Returns as stream_drained.
bool stream_drain(struct stream *s);
// Lines of several lanes stay in the order in which they arrived.
void stream_turn_to(struct lane *l);
bool stream_flush(struct lane *l);
int stream_complain(const struct stream *s,
                    const struct wf_error *e); // of the source; an exit code
int stream_no_lane(const struct stream *s, unsigned lanes);
bool stream_dictionaries(struct lane *l);
int stream_end(struct stream *s,
               int code); // items that are left, and what there is to say at the end
// The source, and the lane where there are several.
const char *lane_name(const struct lane *l, char name[256]);

// The coming and going of targets (visits.c), as lines among the text of a recording.
void visit_begin(struct lane *l, const struct wf_peer *peer);
void visit_begun(struct lane *l, bool continues); // the first thing it sent, or a state
void visit_nameless(struct lane *l, bool nameless);
void visit_end(struct lane *l, const struct wf_peer *peer, const char *why);
// A time of the recording, as "2026-01-02 03:04:05.678901Z".
void recording_time(const struct stream *s, uint64_t us, char text[40]);

#endif
