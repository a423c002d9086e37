// SPDX-License-Identifier: MIT
// A trace: the streams of any number of targets, each on a lane of its own. Bytes in, items out.
// The first bytes of a lane determine its format: frames, slots (docs/slots.md) or transmission
// text (docs/text-trace.md). Opens no file, prints nothing, keeps no global state. A trace is for
// one thread at a time; several may be read in parallel.
//
// A stream:
//   wf_trace_feed(t, 0, bytes, len); while (wf_trace_next(t, &item)) ...
//   at the end wf_trace_end(t); while (wf_trace_next(t, &item)) ...
//
// A file with random access, or an image of a target's memory:
//   wf_trace_read(t, 0, &source, &error); while (wf_trace_next(t, &item)) ...
//
// A recording (wf_recording.h) has lanes of its own. Besides records it gives items of the kind
// CHUNK, each with a wf_chunk: UP and DOWN when a target connected and disconnected, SENT for
// commands, STATE where the names of the target come from an earlier file of a split recording
// (item->changed: they could be read), BYTES if chunk_bytes asks for them; without a lane, DAMAGE
// and CUT for parts of the file that are missing, and NEWER for a file of a later version.
//
// After each call that takes input, the caller takes items until wf_trace_next returns false.
#ifndef WF_TRACE_H
#define WF_TRACE_H

#include "wf_error.h"
#include "wf_merge.h"
#include "wf_recording.h"
#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_trace;
struct wf_lane;

enum { WF_TRACE_LANES = WF_RECORDING_LANES }; // lanes have lower numbers

// Formats of a lane: L(enumerator, name for options and JSON, title for people). Those after TEXT
// are of other tracers (docs/import/README.md).
#define WF_LANE_FORMATS(L)                                                                         \
    L(UNKNOWN, "unknown", "unknown")                                                               \
    L(FRAMES, "qpspy", "QP/Spy frames")                                                            \
    L(SLOTS, "slots", "slots")                                                                     \
    L(TEXT, "text", "transmission text")                                                           \
    L(SYSTEMVIEW, "systemview", "SystemView")                                                      \
    L(TRACERECORDER, "tracerecorder", "TraceRecorder")                                             \
    L(THREADX, "threadx", "ThreadX trace buffer")                                                  \
    L(ZEPHYR, "zephyr", "Zephyr CTF")                                                              \
    L(CTF, "ctf", "Common Trace Format")                                                           \
    L(FTRACE, "ftrace", "ftrace text")                                                             \
    L(CHROME, "chrome", "Chrome trace events")                                                     \
    L(BTF, "btf", "Best Trace Format")                                                             \
    L(TONBANDGERAET, "tonbandgeraet", "Tonbandgeraet")

enum wf_lane_format {
#define WF_X(lane, name, title) WF_LANE_##lane,
    WF_LANE_FORMATS(WF_X)
#undef WF_X
        WF_LANE_END // the number of formats
};

// Return "systemview" and "SystemView". find: returns false for a name that is not known.
const char *wf_lane_format_name(enum wf_lane_format format);
const char *wf_lane_format_title(enum wf_lane_format format);
bool wf_lane_find_format(const char *name, enum wf_lane_format *format);
// Returns whether the format is another tracer's.
bool wf_lane_format_is_foreign(enum wf_lane_format format);
// Returns the format of a file with these first bytes (64 KiB, or all) if it is another tracer's,
// else UNKNOWN.
enum wf_lane_format wf_trace_foreign_format(const uint8_t *bytes, size_t len);

struct wf_trace_options {
    size_t size;                              // sizeof(struct wf_trace_options)
    const struct wf_session_options *session; // of each lane; or null
    enum wf_lane_format format;               // UNKNOWN: by the first bytes
    enum wf_slots_clock clock;                // of slots
    bool as_stored;                           // slots: in the order of the bytes, not of time
    bool raw_slots;                           // slots: as items of kind SLOT, no others
    bool one_lane;                            // of recordings: `lane`, no others
    unsigned lane;
    size_t chunk_bytes; // recordings: BYTES are items too, before the records that they end, in
                        // pieces of at most this many bytes; 0: they are not
    // Other tracers' recordings: the contents of the user's description or mapping file; must stay
    // valid until the trace is closed. Null: none.
    const char *describe;
    size_t describe_len;
    // wf_trace_read_image: the variable of the program that is another tracer's buffer, or points
    // to it; null: not known.
    const char *ring_symbol;
};

// Returns null when out of memory, and WF_ERR_USAGE for options that are not valid.
struct wf_trace *wf_trace_open(const struct wf_trace_options *options, struct wf_error *error);
void wf_trace_close(struct wf_trace *t);

// ---- input

// Feeds bytes to a lane and opens the lane if needed. `bytes` must stay valid until wf_trace_next
// returns false. Returns WF_OK, the errors of wf_trace_lane, WF_ERR_USAGE after the end of the
// lane, or the error of wf_trace_error.
int wf_trace_feed(struct wf_trace *t, unsigned lane, const uint8_t *bytes, size_t len);
// Feeds the bytes of a file, in order: of a recording to the lanes that it has, of any other format
// to lane 0. A trace takes one file. Returns as wf_trace_feed.
int wf_trace_feed_file(struct wf_trace *t, const uint8_t *bytes, size_t len);
// Reports that a lane's connection has closed. Names and ledger are kept. The format of the next
// connection is detected again if this one had frames, or slots with raw_slots; otherwise it stays.
void wf_trace_relink(struct wf_trace *t, unsigned lane);
// Ends one lane, or all of them. Unread data of a source (wf_trace_read) is dropped.
void wf_trace_end_lane(struct wf_trace *t, unsigned lane);
void wf_trace_end(struct wf_trace *t);

// is_file: returns whether a file with these first bytes (64 KiB, or all) must be read with
// wf_trace_read, not fed.
//
// Reads a complete random-access input, or a file with an image of slot memory, on a lane without
// input, and then ends the lane. A recording is read on the lanes that it has. Slots of several
// cores come in the exact order of time. The data of `source` must stay valid until wf_trace_next
// returns false. read_at sets errno when it returns a negative number. `error` may be null. Returns
// WF_OK, WF_ERR_READ, WF_ERR_NOMEM, WF_ERR_BAD_BOX, WF_ERR_USAGE.
bool wf_trace_is_file(const uint8_t *bytes, size_t len);
int wf_trace_read(struct wf_trace *t, unsigned lane, const struct wf_merge_source *source,
                  struct wf_error *error);
// Reads a memory image, raw or an ELF core, on a lane without input, and then ends the lane. Finds
// the recorder's frame ring (wf_box.h) or slot memory (wf_slot_memory.h) and its tables of names,
// or else the buffer of another tracer.
//   image    must stay valid until the trace is closed
//   program  ELF file of the program, may be null: selects the ring if there are several
//   returns  WF_OK (an empty ring is no error), WF_ERR_NOMEM, WF_ERR_BAD_BOX (the error has the
//            place), WF_ERR_USAGE (not the format of the options)
int wf_trace_read_image(struct wf_trace *t, unsigned lane, const uint8_t *image, size_t len,
                        const uint8_t *program, size_t program_len, struct wf_error *error);

// ---- output

// Gets the next item, valid until the next call. item->lane is its lane; null for DAMAGE, CUT
// and NEWER of a recording. Returns false when more input is needed, at the end, and after an error
// (wf_trace_error).
bool wf_trace_next(struct wf_trace *t, struct wf_item *item);
// Returns sizeof(struct wf_item) of this library, for callers in other languages. An item begins
// with `kind`, an int, and then `lane`, a pointer.
size_t wf_trace_item_size(void);
// Returns WF_OK, or the first error of the input or of memory. `error` may be null.
int wf_trace_error(const struct wf_trace *t, struct wf_error *error);

// ---- lanes

// Returns the lane of this number, and opens it if it is new. Returns null on an error. `error` may
// be null.
struct wf_lane *wf_trace_lane(struct wf_trace *t, unsigned number, struct wf_error *error);
unsigned wf_lane_number(const struct wf_lane *l);
// Names, target, ledger, time.
struct wf_session *wf_lane_session(const struct wf_lane *l);

enum wf_lane_format wf_lane_get_format(const struct wf_lane *l);
// What the lane's format does not record ("interrupt numbers"), a list that ends with null. Such
// state is unknown in all outputs.
const char *const *wf_lane_lacks(const struct wf_lane *l);
// A pointer of the caller, initially null.
void wf_lane_set_user(struct wf_lane *l, void *user);
void *wf_lane_get_user(const struct wf_lane *l);

// Slots of a lane. Counts are over all its connections.
struct wf_lane_slots {
    const struct wf_slots *slots; // attributes, ledger of the connection
    uint64_t late;                // events that came after later ones; none from a file
    uint64_t events[WF_SLOT_CORES][WF_SLOT_CLASS + 1]; // without those of class CONTROL and OWN
    uint64_t lost[WF_SLOT_CORES], refused[WF_SLOT_CORES];
    uint64_t gone[WF_SLOT_CORES], chunks[WF_SLOT_CORES]; // lost slots; missing numbers of chunks
    bool not_exact[WF_SLOT_CORES];
    bool timed[WF_SLOT_CORES]; // then tick_first and tick_last are valid
    uint64_t tick_first[WF_SLOT_CORES], tick_last[WF_SLOT_CORES];
};
// Returns null for a lane without slots.
const struct wf_lane_slots *wf_lane_get_slots(struct wf_lane *l);
// What is known so far of the recording that is read; null: the input is not a recording.
const struct wf_recording_info *wf_trace_recording(const struct wf_trace *t);
// Number of bytes read on the lane.
uint64_t wf_lane_bytes(struct wf_lane *l);

// ---- verdict

enum { WF_VERDICT_MALFORMED_MIN = 3 }; // fewer malformed records may be caused by damage

enum wf_verdict_kind {
    WF_VERDICT_GOOD,
    WF_VERDICT_MALFORMED,   // at least that many records do not have the length that the sizes give
    WF_VERDICT_WRONG_SIZES, // more than a quarter of the records do not have it
    WF_VERDICT_NO_TRACE     // there were bytes, but no record and no slot
};

struct wf_verdict {
    enum wf_verdict_kind kind;
    bool lossy;     // anything is missing, damaged or malformed
    char text[400]; // what is wrong, for the user; "" if kind is GOOD
    char sizes[32]; // sizes that fit the malformed records, as "O8F8"; "" if none do
    char loss[160]; // what is missing; "" if not lossy
};

// Judges what was read so far. Valid until the next call of the same function.
const struct wf_verdict *wf_lane_verdict(struct wf_lane *l);
// Returns the verdict of the lane with the worst kind. lossy is set if any lane is lossy, or if the
// recording is damaged or ends without its index.
const struct wf_verdict *wf_trace_verdict(struct wf_trace *t);

#ifdef __cplusplus
}
#endif
#endif
