// SPDX-License-Identifier: MIT
// Rows of the table of segments, in format RowBinary.

#include "wfb_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SQL_MAX = 1024 };

struct wfb_rows wfb_rows_answer(const struct wf_engine *e) {
    size_t len;
    const uint8_t *bytes = (const uint8_t *)wf_engine_answer(e, &len);
    return (struct wfb_rows){bytes, bytes + len, false};
}

int wfb_rows_ask(struct wf_engine *e, const struct wfb_rows_of *of, uint64_t from, uint64_t until,
                 struct wfb_rows *rows, struct wf_error *error) {
    char sql[SQL_MAX];
    snprintf(sql, sizeof sql,
             "SELECT offset, if(offset = %" PRIu64 ", at_begin, ''), bytes, `breaks.at`, "
             "`breaks.lost` FROM %s.segment FINAL WHERE device = %s AND stream = %" PRIu64
             " AND offset >= %" PRIu64 " AND offset <= %" PRIu64
             " ORDER BY offset FORMAT RowBinary",
             from, of->project, of->device, of->stream, from, until);
    int err = wf_engine_ask(e, sql, error);
    if (err == WF_OK) *rows = wfb_rows_answer(e);
    return err;
}

uint64_t wfb_rows_u64(struct wfb_rows *c) {
    uint64_t v = 0;
    if (c->end - c->at < 8) {
        c->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < 8; ++i) v |= (uint64_t)c->at[i] << 8 * i;
    c->at += 8;
    return v;
}

uint64_t wfb_rows_count(struct wfb_rows *c) {
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
        const uint8_t byte = *c->at++;
        v |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) return v;
    }
    c->bad = true;
    return 0;
}

const uint8_t *wfb_rows_text(struct wfb_rows *c, size_t *len) {
    const uint8_t *text = c->at;
    uint64_t n = wfb_rows_count(c);
    if (c->bad || n > (uint64_t)(c->end - c->at)) {
        c->bad = true;
        *len = 0;
        return text;
    }
    text = c->at;
    c->at += n;
    *len = (size_t)n;
    return text;
}

// Takes the two arrays of breaks.
static bool take_breaks(struct wfb_rows *c, struct wfb_row *row) {
    for (unsigned lost = 0; lost < 2; ++lost) {
        uint64_t count = wfb_rows_count(c);
        if (c->bad || count > (uint64_t)(c->end - c->at) / 8 ||
            (lost && count != row->segment.break_count)) {
            c->bad = true;
            return true;
        }
        row->segment.break_count = (size_t)count;
        if (row->break_cap < count) {
            struct wf_segment_break *more = realloc(row->breaks, (size_t)count * sizeof *more);
            if (!more) return false;
            row->breaks = more;
            row->break_cap = (size_t)count;
        }
        for (uint64_t i = 0; i < count; ++i) {
            uint64_t value = wfb_rows_u64(c);
            if (lost)
                row->breaks[i].lost = value;
            else
                row->breaks[i].at = (size_t)value;
        }
    }
    row->segment.breaks = row->breaks;
    return true;
}

int wfb_rows_next(struct wfb_rows *c, struct wfb_row *row) {
    row->segment = (struct wf_segment){.offset = wfb_rows_u64(c)};
    row->segment.state = wfb_rows_text(c, &row->segment.state_len);
    row->segment.bytes = wfb_rows_text(c, &row->segment.len);
    if (!take_breaks(c, row)) return WF_ERR_NOMEM;
    return c->bad ? WF_ERR_ENGINE : WF_OK;
}
