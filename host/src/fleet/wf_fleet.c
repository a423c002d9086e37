// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "util/wfi_options.h"
#include "wfi_fleet.h"
#include "wfi_segment.h"

enum { ANY_CORE = 255 };
static const uint64_t day_ns = 86400 * UINT64_C(1000000000);

struct wf_fleet *wf_fleet_open(const struct wf_fleet_options *options, struct wf_error *error) {
    struct wf_fleet_options o;
    int err = wfi_options_copy(&o, sizeof o, options);
    struct wf_fleet *f = err == WF_OK ? calloc(1, sizeof *f) : NULL;
    if (!f) {
        wf_error_code(error, err == WF_OK ? WF_ERR_NOMEM : err);
        return NULL;
    }
    memcpy(f->records, o.records, sizeof f->records);
    for (unsigned i = 0; i < WF_FLEET_TABLE_END; ++i) f->tables[i].table = &wf_fleet_tables[i];
    return f;
}

void wf_fleet_close(struct wf_fleet *f) {
    if (!f) return;
    for (unsigned i = 0; i < WF_FLEET_TABLE_END; ++i) wfi_columns_close(&f->tables[i]);
    wfi_fleet_close_figures(f);
    free(f->block.bytes);
    free(f->breaks);
    free(f);
}

uint64_t wf_fleet_rows(const struct wf_fleet *f, enum wf_fleet_table_number table) {
    return f->tables[table].rows;
}

const uint8_t *wf_fleet_block(struct wf_fleet *f, enum wf_fleet_table_number table, size_t *len) {
    if (!wfi_columns_block(&f->tables[table], &f->block)) return NULL;
    *len = f->block.len;
    return f->block.bytes;
}

void wf_fleet_clear(struct wf_fleet *f) {
    for (unsigned i = 0; i < WF_FLEET_TABLE_END; ++i) wfi_columns_clear(&f->tables[i]);
}

// ---- rows

void wfi_fleet_put_text(struct wfi_columns *c, const char *text) {
    wfi_columns_text(c, text, text ? strlen(text) : 0);
}

void wfi_fleet_put_stream(const struct wf_fleet *f, struct wfi_columns *c) {
    wfi_fleet_put_text(c, f->stream->device);
    wfi_columns_number(c, f->stream->stream);
}

static void put_breaks(struct wf_fleet *f, struct wfi_columns *c) {
    const struct wf_segment *s = f->segment;
    for (unsigned lost = 0; lost < 2; ++lost) {
        for (size_t i = 0; i < s->break_count; ++i)
            f->breaks[i] = lost ? s->breaks[i].lost : s->breaks[i].at;
        wfi_columns_array(c, f->breaks, s->break_count);
    }
}

static void put_segment(struct wf_fleet *f, uint64_t begin_ns, uint64_t end_ns) {
    struct wfi_columns *c = &f->tables[WF_FLEET_TABLE_SEGMENT];
    const struct wf_segment *s = f->segment;
    wfi_columns_number(c, f->day);
    wfi_fleet_put_stream(f, c);
    wfi_columns_number(c, s->offset);
    wfi_columns_number(c, s->len);
    wfi_columns_number(c, s->number);
    wfi_columns_number(c, s->rows);
    wfi_columns_number(c, begin_ns);
    wfi_columns_number(c, end_ns);
    wfi_fleet_put_text(c, f->stream->version);
    wfi_columns_number(c, s->build_id);
    wfi_columns_number(c, s->records);
    wfi_columns_number(c, (uint64_t)s->missing);
    wfi_columns_number(c, s->damaged);
    wfi_columns_number(c, s->exact);
    put_breaks(f, c);
    wfi_columns_number(c, f->stream->names);
    wfi_columns_text(c, s->state, s->state_len);
    wfi_columns_text(c, s->bytes, s->len);
    wfi_columns_end_row(c);
}

static void put_of_segment(const struct wf_fleet *f, struct wfi_columns *c) {
    wfi_columns_number(c, f->day);
    wfi_fleet_put_text(c, f->stream->version);
    wfi_fleet_put_stream(f, c);
}

static void put_loss(struct wf_fleet *f, const struct wf_loss *l) {
    struct wfi_columns *c = &f->tables[WF_FLEET_TABLE_LOSS];
    put_of_segment(f, c);
    wfi_columns_number(c, f->number);
    wfi_columns_number(c, wfi_fleet_ns(f, l->tick_before));
    wfi_columns_number(c, l->kind);
    wfi_columns_number(c, l->records);
    wfi_columns_number(c, l->given_up);
    wfi_columns_number(c, l->exact);
    wfi_columns_number(c, l->bytes);
    wfi_columns_end_row(c);
}

// Holes of slots are of a core.
static bool has_cores(struct wf_fleet *f) {
    return f->trace && wf_lane_get_slots(wf_trace_lane(f->trace, 0, NULL));
}

static void put_hole(struct wf_fleet *f, const struct wf_change *hole) {
    struct wfi_columns *c = &f->tables[WF_FLEET_TABLE_HOLE];
    f->marked = true;
    if (f->ended) return;
    put_of_segment(f, c);
    wfi_columns_number(c, wfi_fleet_ns(f, hole->from));
    wfi_columns_number(c, wfi_fleet_ns(f, hole->tick));
    wfi_columns_number(c, has_cores(f) ? hole->core : ANY_CORE);
    wfi_columns_end_row(c);
}

static void put_item(struct wf_fleet *f, const struct wf_item *item) {
    if (item->kind == WF_ITEM_LOSS && item->loss.kind != WF_LOSS_BEGINNING && !f->ended)
        put_loss(f, &item->loss);
    if (item->kind == WF_ITEM_RECORD && f->records[item->record.id])
        wfi_fleet_put_record(f, &item->record);
    f->number += item->kind == WF_ITEM_LOSS || item->kind == WF_ITEM_RECORD;
}

int wf_fleet_add_stream(struct wf_fleet *f, const struct wf_fleet_stream *stream,
                        const char *source, uint64_t changed) {
    struct wfi_columns *c = &f->tables[WF_FLEET_TABLE_STREAM];
    const struct wf_session_options *o = stream->session;
    char sizes[WF_FLEET_SIZES_MAX] = "";
    f->stream = stream;
    wfi_fleet_put_stream(f, c);
    wfi_columns_number(c, f->stream->origin_ns);
    wfi_fleet_put_text(c, f->stream->version);
    wfi_columns_number(c, o ? o->hz : 0);
    wfi_columns_number(c, o ? o->version : 0);
    if (o) wf_fleet_write_sizes(o->bytes, sizes);
    wfi_fleet_put_text(c, sizes);
    wfi_fleet_put_text(c, source);
    wfi_columns_number(c, changed);
    wfi_columns_end_row(c);
    return c->failed ? WF_ERR_NOMEM : WF_OK;
}

int wf_fleet_add_build(struct wf_fleet *f, const struct wf_fleet_build *build) {
    struct wfi_columns *c = &f->tables[WF_FLEET_TABLE_BUILD];
    wfi_columns_number(c, build->build);
    wfi_fleet_put_text(c, build->version);
    wfi_fleet_put_text(c, build->file);
    wfi_columns_text(c, build->bytes, build->len);
    wfi_columns_number(c, build->changed);
    wfi_columns_end_row(c);
    return c->failed ? WF_ERR_NOMEM : WF_OK;
}

void wf_fleet_set_records(struct wf_fleet *f, const bool *records) {
    memcpy(f->records, records, sizeof f->records);
}

// ---- reading

static bool next_item(struct wf_fleet *f, struct wf_item *item) {
    return f->trace ? wf_trace_next(f->trace, item) : wf_session_next(f->session, item);
}

static void take_items(struct wf_fleet *f) {
    struct wf_item item;
    size_t count;
    while (next_item(f, &item)) {
        wf_stats_take(f->stats, &item);
        if (item.kind == WF_ITEM_RECORD && item.record.stamped) f->tick = item.record.tick;
        if (!f->counting) continue;
        put_item(f, &item);
        const struct wf_change *changes = wf_model_changes(wf_stats_model(f->stats), &count);
        for (size_t i = 0; i < count; ++i)
            if (changes[i].kind == WF_CHANGE_LOSS) put_hole(f, &changes[i]);
    }
}

static void read_segment(struct wf_fleet *f, const struct wf_segment *segment) {
    if (f->trace) {
        take_items(f); // all rows: a longer one replaces them all
        return;
    }
    for (size_t piece = 0; wf_segment_feed(segment, piece, f->session); ++piece) take_items(f);
    if (!segment->last) return;
    f->ended = true;
    wf_session_end(f->session);
    take_items(f);
}

// Intervals that are open at the end of the stream are left out; those that are open at the end of
// another segment belong to a later one.
static void end_stats(struct wf_fleet *f) {
    f->counting = f->segment->last;
    wf_stats_end(f->stats);
    if (wf_stats_error(f->stats) != WF_OK || wf_session_error(f->session) != WF_OK)
        f->failed = true;
}

static void set_times(struct wf_fleet *f, uint64_t *begin_ns, uint64_t *end_ns) {
    const struct wf_segment *s = f->segment;
    f->scale = (struct wf_scale){0};
    if (s->hz) wf_scale_set(&f->scale, s->hz, 0);
    *begin_ns = wfi_fleet_ns(f, s->timed ? s->begin : f->tick);
    *end_ns = wfi_fleet_ns(f, s->timed ? s->end : f->tick);
    f->day = (uint16_t)((f->stream->origin_ns + (s->hz ? *begin_ns : 0)) / day_ns);
}

static int open_trace(struct wf_fleet *f, const struct wf_segment *segment) {
    struct wf_error error;
    f->trace = wf_segment_open(segment, f->stream->session, &error);
    if (!f->trace) return error.code;
    f->session = wf_lane_session(wf_trace_lane(f->trace, 0, NULL));
    return WF_OK;
}

static int open_session(struct wf_fleet *f, const struct wf_segment *first) {
    f->session = wf_session_open(f->stream->session, NULL);
    if (!f->session) return WF_ERR_NOMEM;
    return first->state_len ? wf_session_read_state(f->session, first->state, first->state_len)
                            : WF_OK;
}

static int open_readers(struct wf_fleet *f, const struct wf_segment *first) {
    const struct wf_stats_options o = {.size = sizeof o,
                                       .single = true,
                                       .on_interval = wfi_fleet_interval,
                                       .ctx = f,
                                       .spreads = wfi_fleet_spreads(),
                                       .no_spreads = true};
    int err = wfi_segment_is_whole(first) ? open_trace(f, first) : open_session(f, first);
    if (err != WF_OK) return err;
    if (f->stream->program) wf_session_use_program(f->session, f->stream->program, NULL);
    f->tick = wf_time_zero(f->session, false); // of the state, or 0
    f->stats = wf_stats_open(f->session, &o, NULL);
    return f->stats ? WF_OK : WF_ERR_NOMEM;
}

static void close_readers(struct wf_fleet *f) {
    wf_stats_close(f->stats);
    if (!f->trace) wf_session_close(f->session);
    wf_trace_close(f->trace);
    f->trace = NULL;
    f->stats = NULL;
    f->session = NULL;
}

static void make_rows(struct wf_fleet *f, const struct wf_segment *previous) {
    uint64_t begin_ns, end_ns;
    f->counting = f->marked = f->ended = false;
    if (previous) read_segment(f, previous);
    set_times(f, &begin_ns, &end_ns);
    f->number = f->segment->number + 1; // rows are numbered from 1
    f->counting = true;
    read_segment(f, f->segment);
    end_stats(f);
    put_segment(f, begin_ns, end_ns);
    wfi_fleet_put_figures(f);
}

int wf_fleet_add(struct wf_fleet *f, const struct wf_fleet_stream *stream,
                 const struct wf_segment *previous, const struct wf_segment *segment) {
    if (previous && (previous->last || wf_segment_end(previous) != segment->offset))
        return WF_ERR_USAGE;
    if (!WFI_GROW(f->breaks, &f->break_cap, segment->break_count)) return WF_ERR_NOMEM;
    f->stream = stream;
    f->segment = segment;
    int err = open_readers(f, previous ? previous : segment);
    if (err == WF_OK) make_rows(f, previous);
    if (err == WF_OK && f->trace) err = wf_trace_error(f->trace, NULL);
    close_readers(f);
    for (unsigned i = 0; i < WF_FLEET_TABLE_END; ++i) f->failed |= f->tables[i].failed;
    return err == WF_OK && f->failed ? WF_ERR_NOMEM : err;
}
