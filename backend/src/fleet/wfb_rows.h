// SPDX-License-Identifier: MIT
// Reads answers in format RowBinary: segments out of the tables, and texts.
#ifndef WFB_ROWS_H
#define WFB_ROWS_H

#include "wallfly_backend/wf_engine.h"
#include "wallfly_host/wf_segment.h"

enum { WFB_ROWS_AT_A_TIME = 64 }; // segments of an answer

struct wfb_rows_of {
    const char *project, *device; // device: as a literal of SQL
    uint64_t stream;
};

// What is left of an answer.
struct wfb_rows {
    const uint8_t *at, *end; // equal: nothing
    bool bad;
};

// Its bytes are the engine's, until the next statement. All 0 at first; the owner frees `breaks`.
struct wfb_row {
    struct wf_segment segment; // offset, state, bytes and breaks alone
    struct wf_segment_break *breaks;
    size_t break_cap;
};

// The last answer, whose rows end with a 0: the engine's own end of it is a line feed, which is
// taken off.
struct wfb_rows wfb_rows_answer(const struct wf_engine *e);
// Take a part of a row, which sets `bad` if it is none: a number of 8 bytes; the length of an
// array; a text, valid until the next statement, whose begin is returned.
uint64_t wfb_rows_u64(struct wfb_rows *rows);
uint64_t wfb_rows_count(struct wfb_rows *rows);
const uint8_t *wfb_rows_text(struct wfb_rows *rows, size_t *len);

// Asks for the segments of a stream at offsets from `from` to `until`, in order. That at `from` has
// its state. Returns as wf_engine_run.
int wfb_rows_ask(struct wf_engine *e, const struct wfb_rows_of *of, uint64_t from, uint64_t until,
                 struct wfb_rows *rows, struct wf_error *error);
// Takes the next one, if any is left.
//   returns  WF_OK, WF_ERR_NOMEM, WF_ERR_ENGINE: it cannot be read
int wfb_rows_next(struct wfb_rows *rows, struct wfb_row *row);

#endif
