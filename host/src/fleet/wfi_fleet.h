// SPDX-License-Identifier: MIT
// wf_fleet.c reads segments, wf_fleet_figures.c counts intervals, wf_fleet_records.c makes rows of
// records.
#ifndef WFI_FLEET_H
#define WFI_FLEET_H

#include "wallfly_host/wf_stats.h"
#include "wallfly_host/wf_time.h"
#include "wallfly_host/wf_trace.h"
#include "wfi_columns.h"

enum wfi_figure {
#define WF_X(spread, kind, rows) WFI_FIGURE_##spread,
    WF_FLEET_FIGURES(WF_X)
#undef WF_X
        WFI_FIGURES
};

// The intervals of a figure, by the row of the statistics that counts them.
struct wfi_sums {
    struct wf_histogram *at; // in ns
    size_t cap;
};

struct wf_fleet {
    bool records[256]; // of the options
    struct wfi_columns tables[WF_FLEET_TABLE_END];
    struct wfi_block block;
    struct wfi_sums sums[WFI_FIGURES];
    bool failed; // out of memory

    // The segment whose rows are made, and its stream.
    const struct wf_fleet_stream *stream;
    const struct wf_segment *segment;
    struct wf_trace *trace;     // that reads a whole segment; else null
    struct wf_session *session; // of its lane, or of its own
    struct wf_stats *stats;
    bool counting; // not while the segment before it is read
    bool marked;   // a hole lies in the segment
    bool ended;    // what comes is behind the last record of the stream
    struct wf_scale scale;
    uint64_t *breaks; // a number of each break
    size_t break_cap;
    uint64_t number; // of the next row of the table record
    uint64_t tick;   // of the last record with a stamp, or of the state
    uint16_t day;
};

static inline uint64_t wfi_fleet_ns(const struct wf_fleet *f, uint64_t ticks) {
    return wf_scale_ns(&f->scale, ticks);
}

// Put the columns that tables have in common.
void wfi_fleet_put_text(struct wfi_columns *c, const char *text); // null: ""
void wfi_fleet_put_stream(const struct wf_fleet *f, struct wfi_columns *c);

void wfi_fleet_interval(void *ctx, const struct wf_stats_interval *interval); // on_interval
uint32_t wfi_fleet_spreads(void);
// Makes the rows of the intervals that were counted, by kind and name, and forgets them.
void wfi_fleet_put_figures(struct wf_fleet *f);
void wfi_fleet_close_figures(struct wf_fleet *f);

void wfi_fleet_put_record(struct wf_fleet *f, const struct wf_record *r);

#endif
