// SPDX-License-Identifier: MIT
// Inside of a trace: its lanes, and what a format must do to be read.
#ifndef WFI_TRACE_H
#define WFI_TRACE_H

#include "wallfly_host/wf_text_trace.h"
#include "wallfly_host/wf_trace.h"

enum {
    WFI_SNIFF_MAX = WF_TEXT_TELLS, // bytes after which every format is decided
    WFI_PIECE = 1 << 16            // bytes of a source read at a time
};

enum wfi_sniff { WFI_SNIFF_NO, WFI_SNIFF_PERHAPS, WFI_SNIFF_YES };

// One row a format (readers.c).
struct wfi_reader {
    enum wf_lane_format format;
    // Are these the first bytes of a stream of the format?
    enum wfi_sniff (*sniff)(const uint8_t *bytes, size_t len);
    // Prepares the lane; again after `end`, for another connection. WF_OK, WF_ERR_NOMEM.
    int (*open)(struct wf_lane *l);
    void (*feed)(struct wf_lane *l, const uint8_t *bytes, size_t len);
    // False: more bytes are needed, or an error, which the trace has then.
    bool (*next)(struct wf_lane *l, struct wf_item *item);
    void (*end)(struct wf_lane *l); // no more bytes come on this connection; may be null
    bool stays;                     // another connection has the same format
};

extern const struct wfi_reader wfi_reader_frames, wfi_reader_slots, wfi_reader_text;
// The format of a stream that begins so; null: more bytes are needed. whole: there are no more.
const struct wfi_reader *wfi_detect(const uint8_t *bytes, size_t len, bool whole);
const struct wfi_reader *wfi_reader_of(enum wf_lane_format format); // null: UNKNOWN

// What is to be done with a lane when its reader needs more, in this order.
enum wfi_lane_step {
    WFI_FEED_FIRST = 1,  // the bytes that decided about the format
    WFI_FEED_REST = 2,   // those behind them
    WFI_END_READER = 4,  // end of the connection
    WFI_RELINK = 8,      // the session is told of it
    WFI_END_SESSION = 16 // end of the lane
};

struct wfi_slots_state;

// A recording that is being read: its chunks become bytes of lanes, and items.
struct wfi_recorded {
    struct wf_recording *recording;
    struct wf_chunk chunk; // the next one,
    bool held;             // if there is one;
    bool relinked;         // DOWN: the lane has been told
    bool ended;            // there are no more
    bool dropped;          // the rest is not wanted
    struct wf_chunk made;  // of an item that is not in the file: UP, DOWN
};

struct wf_lane {
    struct wf_trace *trace;
    unsigned number;
    struct wf_session *session;
    const struct wfi_reader *reader; // null: the format is not known yet
    bool (*next)(struct wf_lane *l, struct wf_item *item);
    unsigned steps; // enum wfi_lane_step
    bool over;      // its end has come
    const uint8_t *rest;
    size_t rest_len;
    bool up;          // recordings: a target is connected,
    uint64_t time_us; // and when its last chunk came
    struct wfi_slots_state *slots;
    void *user;
    size_t first_len;
    uint8_t first[WFI_SNIFF_MAX];
};

struct wf_trace {
    struct wf_trace_options options;
    struct wf_error error;
    struct wf_lane **lanes;
    unsigned lane_count;
    struct wf_lane *turn; // whose items come
    bool ending;          // then the lanes end one after the other,
    unsigned ended;       // so many have
    struct wf_merge_source source;
    bool reading;                // there is a source that has not ended
    struct wf_lane *source_lane; // that reads it; null: a recording's lanes
    uint64_t source_at;
    struct wfi_recorded *recorded; // null: the input is no recording
    const struct wf_chunk *chunk;  // the next item, null: none;
    struct wf_lane *chunk_lane;    // its lane, null: the file's;
    bool chunk_good;               // STATE: it could be read
    bool plain_file;               // wf_trace_feed_file: no recording
    size_t file_first_len;
    uint8_t file_first[WF_RECORDING_MAGIC_LEN];
    uint8_t *buffer; // bytes that a lane reads: of the source, or taken out of an image
};

// Hands a slot memory's contents to the lane, with the names kept beside it.
int wfi_slots_read_memory(struct wf_lane *l, const uint8_t *image, size_t len,
                          struct wf_error *error);
// Reads the slots of a source in the exact order of time.
int wfi_slots_read(struct wf_lane *l, const struct wf_merge_source *source, struct wf_error *error);
void wfi_slots_close(struct wf_lane *l);
// The ledger of a connection with slots ends: the next one has another format.
void wfi_slots_end_counts(struct wf_lane *l);

// Recordings (reader_recording.c).
int wfi_recorded_open(struct wf_trace *t); // WF_OK, WF_ERR_NOMEM
void wfi_recorded_close(struct wf_trace *t);
int wfi_recorded_feed(struct wf_trace *t, const uint8_t *bytes, size_t len);
void wfi_recorded_end(struct wf_trace *t);
// Takes the next chunk, or a part of its work. False: more bytes are needed, or all is done.
bool wfi_recorded_step(struct wf_trace *t);

int wfi_feed_lane(struct wf_lane *l, const uint8_t *bytes, size_t len);
int wfi_set_reader(struct wf_lane *l, const struct wfi_reader *reader);
void wfi_end_lane(struct wf_lane *l);
// Notes the first error of the trace.
void wfi_fail(struct wf_trace *t, int err);
// Sets the error; of WF_ERR_READ with the reason in errno. Returns err.
int wfi_input_error(struct wf_error *error, int err);
bool wfi_next_nothing(struct wf_lane *l, struct wf_item *item);
bool wfi_next_of_session(struct wf_lane *l, struct wf_item *item);

#endif
