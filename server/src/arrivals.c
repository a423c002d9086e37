// SPDX-License-Identifier: MIT
// A block arrives after its last record was made, so the last time of each block is an event for
// wf_align. Each connection is aligned by itself, since a target may have restarted before it.

#include "wallfly_server/arrivals.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "rows.h"

// A faster or slower clock is no clock of a target: the recording was made of a file.
static const double drift_most_ppm = 50000;

struct piece {
    struct wf_align *align; // null: none was needed
    struct wf_align_result result;
    uint64_t hz, first, last; // rate and ticks
    uint64_t error_ns;        // added to the errors
};

struct arrivals {
    struct piece pieces[ARRIVALS_PIECES];
    unsigned count;
    bool closed; // the next item begins a piece
    bool full;   // there are more
    bool timed;  // the block has a time
    bool no_memory;
    uint64_t start_ns, arrival_us;
    bool arrived;
};

struct arrivals *arrivals_open(void) {
    struct arrivals *a = calloc(1, sizeof *a);
    if (a) a->closed = true;
    return a;
}

void arrivals_close(struct arrivals *a) {
    if (!a) return;
    for (unsigned i = 0; i < a->count; ++i) wf_align_close(a->pieces[i].align);
    free(a);
}

// ---- reading

static struct piece *current_piece(struct arrivals *a) {
    return a->closed ? NULL : &a->pieces[a->count - 1];
}

static int64_t piece_ns(const struct piece *p, uint64_t tick) {
    long double ticks =
        tick >= p->first ? (long double)(tick - p->first) : -(long double)(p->first - tick);
    long double ns = ticks * 1e9L / (long double)p->hz;
    return fabsl(ns) < 0x1p60L ? (int64_t)ns : INT64_MAX; // wf_align ignores that
}

// Adds the last time of the block that has ended. Times of arrival are rounded down to us.
static void end_block(struct arrivals *a) {
    struct piece *p = current_piece(a);
    if (p && p->align && a->timed && a->arrived && a->arrival_us < UINT64_C(1) << 50)
        wf_align_after(p->align, piece_ns(p, p->last), (int64_t)(a->arrival_us + 1) * 1000);
    a->timed = false;
}

void arrivals_chunk(struct arrivals *a, const struct wf_chunk *chunk, uint64_t start_ns) {
    a->start_ns = start_ns;
    end_block(a);
    if (chunk->kind == WF_CHUNK_UP || chunk->kind == WF_CHUNK_DOWN) {
        a->closed = true;
        a->arrived = false;
    }
    if (chunk->kind != WF_CHUNK_BYTES) return;
    a->arrival_us = chunk->time_us;
    a->arrived = true;
}

static void begin_piece(struct arrivals *a, uint64_t tick, uint64_t hz) {
    if (a->count == ARRIVALS_PIECES) {
        a->full = true;
        return;
    }
    a->pieces[a->count++] = (struct piece){.hz = hz, .first = tick, .last = tick};
    a->closed = false;
}

// Returns the time of an item that has one of its own.
static bool own_tick(const struct wf_item *item, uint64_t *tick) {
    if (item->kind == WF_ITEM_RECORD && (!item->record.stamped || item->record.back)) return false;
    if (item->kind == WF_ITEM_EVENT && !item->event->timed) return false;
    return row_tick(item, tick);
}

void arrivals_item(struct arrivals *a, const struct wf_item *item, uint64_t hz) {
    uint64_t tick;
    if (!a->arrived || !hz || !own_tick(item, &tick)) return;
    if (a->closed || a->pieces[a->count - 1].hz != hz) begin_piece(a, tick, hz);
    struct piece *p = current_piece(a);
    if (!p || p->hz != hz) return;
    if (!p->align && !a->no_memory) {
        p->align = wf_align_open();
        a->no_memory = !p->align;
    }
    if (tick < p->last) return;
    p->last = tick;
    a->timed = true;
}

int arrivals_end(struct arrivals *a) {
    int err = a->no_memory ? WF_ERR_NOMEM : WF_OK;
    end_block(a);
    for (unsigned i = 0; i < a->count; ++i) {
        struct piece *p = &a->pieces[i];
        if (!p->align) continue;
        int solved = wf_align_solve(p->align, NULL, &p->result);
        if (solved != WF_OK) err = solved;
        if (fabs(p->result.drift_ppm) > drift_most_ppm) p->result.bounded = false;
    }
    return err;
}

// ---- results

static const struct piece *piece_of(const struct arrivals *a, uint64_t tick) {
    const struct piece *found = NULL;
    for (unsigned i = 0; i < a->count; ++i) {
        if (!found || a->pieces[i].first <= tick) found = &a->pieces[i];
    }
    return found;
}

bool arrivals_known(const struct arrivals *a) {
    for (unsigned i = 0; i < a->count; ++i) {
        if (a->pieces[i].result.bounded) return true;
    }
    return false;
}

struct wf_align_time arrivals_time(const struct arrivals *a, uint64_t tick) {
    const struct piece *p = piece_of(a, tick);
    if (!p || !p->result.bounded || tick < p->first || tick > p->last)
        return (struct wf_align_time){0};
    return wf_align_to_y(p->align, piece_ns(p, tick));
}

// A line between two of its points is at each place within the limits that lie on the lines between
// their limits. So a few points of a piece are enough.
static void put_piece(FILE *out, const struct piece *p, uint64_t t0) {
    enum { POINTS = 9 };
    const struct wf_align_result *r = &p->result;
    fprintf(out,
            "{\"basis\":\"%s\",\"drift\":[%.6f,%.6f,%.6f],\"shortest\":%" PRIu64
            ",\"blocks\":%" PRIu64 ",\"times\":[",
            wf_align_basis_name(r->basis), r->drift_ppm, r->drift_min_ppm, r->drift_max_ppm,
            r->shortest_ns, r->events);
    for (unsigned i = 0; i < POINTS; ++i) {
        uint64_t tick = p->first + (uint64_t)((long double)(p->last - p->first) * i / (POINTS - 1));
        struct wf_align_time y = wf_align_to_y(p->align, piece_ns(p, tick));
        double t = tick >= t0 ? (double)(tick - t0) : -(double)(t0 - tick);
        fprintf(out, "%s[%.0f,%" PRId64 ",%" PRIu64 "]", i ? "," : "", t, y.ns,
                y.error_ns + p->error_ns);
    }
    fputs("]}", out);
}

void arrivals_put_line(FILE *out, struct wf_align *align, const struct wf_align_result *result,
                       const struct wf_timeline_span *span, uint64_t error_ns) {
    const struct piece p = {align, *result, span->hz, span->first, span->last, error_ns};
    put_piece(out, &p, span->first);
}

void arrivals_put(FILE *out, const struct arrivals *a, uint64_t t0) {
    const char *comma = "";
    if (!a || !arrivals_known(a)) {
        fputs("null", out);
        return;
    }
    fprintf(out, "{\"start\":\"%" PRIu64 "\",\"pieces\":[", a->start_ns);
    for (unsigned i = 0; i < a->count; ++i) {
        const struct piece *p = &a->pieces[i];
        if (!p->result.bounded) continue;
        fputs(comma, out);
        put_piece(out, p, t0);
        comma = ",";
    }
    fputs("]}", out);
}
