// SPDX-License-Identifier: MIT
// Internals of a trace: its lanes, and the interface of a format's reader.
#ifndef WFI_TRACE_H
#define WFI_TRACE_H

#include "wallfly_host/wf_text_trace.h"
#include "wallfly_host/wf_trace.h"

#include "core/wfi_import.h"

enum {
    WFI_SNIFF_MAX = WF_TEXT_DETECT_BYTES, // bytes of a stream after which its format is decided
    WFI_PIECE = 1 << 16 // bytes of a source read at a time, and used to detect the format of a file
};

// The reader of a format. The lane has its session, for names and sizes (wf_session_learn), and
// state[format], for what the reader keeps. Items are records, events and losses of the session, or
// the reader's own.
struct wfi_reader {
    enum wf_lane_format format;
    const struct wfi_import_format *import; // another tracer's; or null
    // Checks whether these are the first bytes of a stream. Null: streams never have the format.
    enum wfi_sniff (*sniff)(const uint8_t *bytes, size_t len);
    // Prepares the lane; again after `end`, for another connection. Returns WF_OK or WF_ERR_NOMEM.
    int (*open)(struct wf_lane *l);
    // Takes bytes of a stream, live or from a file. They stay valid until `next` returns false.
    void (*feed)(struct wf_lane *l, const uint8_t *bytes, size_t len);
    // Returns false when it needs more bytes, or on an error, which is then set in the trace.
    bool (*next)(struct wf_lane *l, struct wf_item *item);
    void (*end)(struct wf_lane *l);   // the connection has ended; may be null
    void (*close)(struct wf_lane *l); // frees the state, also if never opened; may be null
    bool stays;                       // another connection has the same format

    // For formats that need the whole input before the first item; else both are null, and a file
    // is fed. is_file checks the first bytes of a file. After `open`, `read` takes the file instead
    // of `feed`; `source` stays valid until `next` has returned the last item. Returns WF_OK, or an
    // error with its place.
    bool (*is_file)(const void *bytes, size_t len);
    int (*read)(struct wf_lane *l, const struct wf_merge_source *source, struct wf_error *error);
};

// The readers by name: wfi_reader_slots and so on, in the order of detection. The reader of frames
// accepts any input, so it is last. A recording is no format of a lane: it contains the streams of
// lanes, each with its own format.
#define WFI_READERS(R) R(slots) R(slot_memory) R(text) R(frames)
#define R(name)        extern const struct wfi_reader wfi_reader_##name;
WFI_READERS(R)
#undef R
// The readers of other tracers' formats, in the order of detection; after slots, before text.
extern const struct wfi_reader wfi_import_readers[];
extern const unsigned wfi_import_reader_count;

// Returns the format of a stream with these first bytes; null: more bytes are needed. whole: there
// are no more bytes.
const struct wfi_reader *wfi_detect(const uint8_t *bytes, size_t len, bool whole);
// Returns the reader of a file with these first bytes, up to WFI_PIECE; null: it is fed as a
// stream, whose format wfi_detect finds.
const struct wfi_reader *wfi_detect_file(const uint8_t *bytes, size_t len);
void wfi_import_free(struct wf_lane *l);
// Finds another tracer's buffer in an image. Returns WF_OK, WF_ERR_NOMEM, or WF_ERR_BAD_BOX, whose
// error is set only if there is more to say than that there is none. found->copy is the caller's.
int wfi_find_import(const struct wf_trace *t, const uint8_t *image, size_t len,
                    const uint8_t *program, size_t program_len, const struct wfi_reader **reader,
                    struct wfi_import_found *found, struct wf_error *error);
// Feeds data of an image, at the offset `at`, to a lane whose reader is an importer's.
void wfi_import_read_memory(struct wf_lane *l, const uint8_t *bytes, size_t len, uint64_t at);
const struct wfi_reader *wfi_reader_of(enum wf_lane_format format); // null: UNKNOWN
// Of a format with several forms, each with its reader: the one for these first bytes, else one
// that reads streams. Returns null when more bytes are needed; whole: as for wfi_detect.
const struct wfi_reader *wfi_reader_for(enum wf_lane_format format, const uint8_t *bytes,
                                        size_t len, bool whole);
// The same, for the first bytes of a file; null: none of the forms is detected.
const struct wfi_reader *wfi_reader_of_file(enum wf_lane_format format, const uint8_t *bytes,
                                            size_t len);
void wfi_close_readers(struct wf_lane *l);

// Pending steps of a lane, done in this order when its reader needs more.
enum wfi_lane_step {
    WFI_FEED_FIRST = 1,  // feed the bytes used to detect the format
    WFI_FEED_REST = 2,   // feed the bytes after them
    WFI_END_READER = 4,  // end of the connection
    WFI_RELINK = 8,      // report it to the session
    WFI_END_SESSION = 16 // end of the lane
};

// A recording that is being read: its chunks become bytes of lanes, and items.
struct wfi_recorded {
    struct wf_recording *recording;
    struct wf_chunk chunk; // the present chunk; valid if held
    bool held;
    bool relinked;        // wf_trace_relink was called for the present UP or DOWN
    bool shown;           // the next piece of the present BYTES was returned as an item
    bool ended;           // the file has no more bytes
    bool dropped;         // no more chunks are read
    struct wf_chunk made; // UP or DOWN that the file does not have, or a piece of BYTES
};

struct wf_lane {
    struct wf_trace *trace;
    unsigned number;
    struct wf_session *session;
    const struct wfi_reader *reader; // null: the format is not known yet
    bool (*next)(struct wf_lane *l, struct wf_item *item);
    unsigned steps; // enum wfi_lane_step
    bool over;      // the lane was ended
    const uint8_t *rest;
    size_t rest_len;
    bool up;                   // recordings: a target is connected
    uint64_t time_us;          // recordings: of its last chunk
    enum wf_lane_format noted; // recordings: the format that the file states; or UNKNOWN
    char *describe;            // recordings: the description that the file contains; or null
    size_t describe_len;
    void *state[WF_LANE_END];  // of the readers, by format
    struct wf_verdict verdict; // the last one
    void *user;
    size_t first_len;
    uint8_t first[WFI_SNIFF_MAX];
};

struct wf_trace {
    struct wf_trace_options options;
    struct wf_session_options session; // options.session
    struct wf_error error;
    struct wf_lane **lanes;
    unsigned lane_count;
    struct wf_lane *turn; // the lane whose items are returned now
    bool ending;          // the lanes are ended one by one
    unsigned ended;       // number of lanes ended so far
    struct wf_merge_source source;
    bool reading;                // there is a source that has not ended
    struct wf_lane *source_lane; // gets its bytes; null: the lanes of a recording
    uint64_t source_at;
    struct wfi_recorded *recorded; // null: the input is not a recording
    const struct wf_chunk *chunk;  // the next item; null: none
    struct wf_lane *chunk_lane;    // its lane; null: it concerns the file
    bool chunk_good;               // STATE: it could be read
    bool plain_file;               // wf_trace_feed_file: not a recording
    size_t file_first_len;
    uint8_t file_first[WF_RECORDING_MAGIC_LEN];
    struct wf_verdict verdict; // the last one
    uint8_t *buffer;           // input of a lane: read from the source, or copied from an image
};

// Feeds the contents of a slot memory to the lane, with the names kept next to it.
int wfi_slots_read_memory(struct wf_lane *l, const uint8_t *image, size_t len,
                          struct wf_error *error);
// Ends the ledger of a connection with slots: the next one has another format.
void wfi_slots_end_counts(struct wf_lane *l);

// Recordings (reader_recording.c).
int wfi_recorded_open(struct wf_trace *t); // WF_OK, WF_ERR_NOMEM
void wfi_recorded_close(struct wf_trace *t);
int wfi_recorded_feed(struct wf_trace *t, const uint8_t *bytes, size_t len);
void wfi_recorded_end(struct wf_trace *t);
// Takes the next chunk, or a part of its work. False: more bytes are needed, or all is done.
bool wfi_recorded_step(struct wf_trace *t);

// Complete inputs (wf_trace_read.c). Feeds the source to the lane piece by piece, as items are
// wanted. lane: null for a recording. Returns WF_OK, WF_ERR_NOMEM.
int wfi_feed_source(struct wf_trace *t, struct wf_lane *lane, const struct wf_merge_source *source);
// Sets `all` to all bytes of the source: where they are, or read into the trace's buffer. Returns
// WF_OK, WF_ERR_READ, WF_ERR_NOMEM.
int wfi_load_source(struct wf_trace *t, const struct wf_merge_source *source,
                    struct wf_merge_span *all, struct wf_error *error);

// The format that the lane must have; UNKNOWN: by its first bytes.
enum wf_lane_format wfi_wanted_format(const struct wf_lane *l);
int wfi_feed_lane(struct wf_lane *l, const uint8_t *bytes, size_t len);
int wfi_set_reader(struct wf_lane *l, const struct wfi_reader *reader);
void wfi_end_lane(struct wf_lane *l);
// Records the first error of the trace.
void wfi_fail(struct wf_trace *t, int err);
// Sets the error; WF_ERR_READ: with the reason in errno. Returns err.
int wfi_input_error(struct wf_error *error, int err);
bool wfi_next_nothing(struct wf_lane *l, struct wf_item *item);
bool wfi_next_of_session(struct wf_lane *l, struct wf_item *item);

#endif
