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
    struct wf_lane *source_lane; // that reads it; null: there is none
    uint64_t source_at;
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

int wfi_set_reader(struct wf_lane *l, const struct wfi_reader *reader);
void wfi_end_lane(struct wf_lane *l);
// Notes the first error of the trace.
void wfi_fail(struct wf_trace *t, int err);
// Sets the error; of WF_ERR_READ with the reason in errno. Returns err.
int wfi_input_error(struct wf_error *error, int err);
bool wfi_next_nothing(struct wf_lane *l, struct wf_item *item);
bool wfi_next_of_session(struct wf_lane *l, struct wf_item *item);

#endif
