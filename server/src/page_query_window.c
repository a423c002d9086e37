// SPDX-License-Identifier: MIT
// Queries about a selected time span as a whole: statistics, a sequence diagram, the states of a
// state machine.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "wallfly_host/wf_writer.h"
#include "wallfly_server/memory.h"
#include "wallfly_server/page_query.h"
#include "wallfly_server/stats_data.h"

// ---- statistics: over all that can be read, so that they are those of `wallfly stats`

struct counting {
    const struct page_query_context *a;
    struct wf_stats_options options;
    struct wf_stats *figures;
    FILE *out;
    int err;
};

static bool count_item(void *ctx, struct wf_session *s, const struct wf_item *item,
                       uint64_t number) {
    struct counting *c = ctx;
    (void)number;
    struct wf_error error;
    if (!c->figures) c->figures = wf_stats_open(s, &c->options, &error);
    if (!c->figures) c->err = error.code;
    if (c->figures) wf_stats_take(c->figures, item);
    return c->figures != NULL;
}

static void end_count(void *ctx) {
    struct counting *c = ctx;
    struct stats s = {.lane = c->a->lane, .figures = c->figures, .zero = c->a->t0, .out = c->out};
    if (!c->figures) return;
    wf_stats_end(c->figures);
    if (c->err == WF_OK) c->err = wf_stats_error(c->figures);
    wf_stats_report(c->figures, &s.about);
    if (c->err == WF_OK) stats_json(&s);
    wf_stats_close(c->figures);
}

int page_query_stats(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    struct counting c = {
        .a = a,
        .out = out,
        .options = {
            .size = sizeof c.options, .has_from = true, .has_until = true, .has_ticks = true}};
    if (!page_query_window(a, ask, &c.options.from_tick, &c.options.until_tick, error))
        return WF_ERR_USAGE;
    const struct replay_reading on = {.ctx = &c,
                                      .item = count_item,
                                      .end = end_count,
                                      .progress = a->progress,
                                      .names_in_order = !replay_gone(a->replay)};
    fputs("\"stats\":", out);
    stats_json_head(out, a->source);
    int err = replay_run(a->replay, replay_oldest(a->replay), &on, error);
    stats_json_end(out);
    return err == WF_OK && c.err != WF_OK ? wf_error_code(error, WF_ERR_NOMEM) : err;
}

// ---- a sequence diagram: reading begins LEAD rows earlier, to know the running tasks

enum { LEAD = 16384, MOST = 2000 }; // rows read before the window; most arrows and notes

struct drawing {
    const struct page_query_context *a;
    struct wf_filter filter;
    uint64_t until;
    struct wf_writer *writer;
    struct {
        FILE *out;
        char *bytes;
        size_t len;
    } part[2]; // lanes and arrows
    int err;
};

static bool put_part(void *ctx, unsigned part, const char *name, const char *bytes, size_t len) {
    struct drawing *d = ctx;
    (void)name;
    return part < 2 && fwrite(bytes, 1, len, d->part[part].out) == len;
}

static bool no_bytes(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    (void)bytes;
    (void)len;
    return false;
}

static bool open_writer(struct drawing *d, struct wf_session *s) {
    const struct wf_writer_options o = {
        .size = sizeof o, .filter = &d->filter, .most = MOST, .zero = d->a->t0, .part = put_part};
    struct wf_error error;
    if (d->writer) return true;
    d->writer = wf_writer_open(wf_format_find("sequence"), s, &o, no_bytes, d, &error);
    d->err = error.code;
    return d->writer != NULL;
}

static bool draw_item(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct drawing *d = ctx;
    (void)number;
    if (!open_writer(d, s)) return false;
    wf_writer_item(d->writer, item);
    uint64_t tick;
    return !row_tick(item, &tick) || tick <= d->until;
}

static void end_draw(void *ctx) {
    struct drawing *d = ctx;
    int err = d->writer ? wf_writer_close(d->writer) : WF_OK;
    if (d->err == WF_OK && err != WF_ERR_CUT) d->err = err;
}

// Writes the members of one object, which the two parts form.
static int put_drawing(struct drawing *d, FILE *out) {
    bool good = true;
    for (unsigned i = 0; i < 2; ++i) good &= d->part[i].out && fflush(d->part[i].out) == 0;
    if (!good) return WF_ERR_NOMEM;
    if (!d->part[0].len) { // no items were read
        fputs("\"lanes\":[],\"arrows\":[],\"left\":0", out);
        return WF_OK;
    }
    fwrite(d->part[0].bytes + 1, 1, d->part[0].len - 1, out);
    size_t len = d->part[1].len;
    while (len && d->part[1].bytes[len - 1] != '}') --len;
    fwrite(d->part[1].bytes, 1, len ? len - 1 : 0, out);
    return WF_OK;
}

int page_query_sequence(const struct page_query_context *a, const cJSON *ask, FILE *out,
                        struct wf_error *error) {
    struct drawing d = {
        .a = a,
        .filter = {
            .size = sizeof d.filter, .has_from = true, .has_until = true, .has_ticks = true}};
    uint64_t from;
    if (!page_query_window(a, ask, &from, &d.until, error)) return WF_ERR_USAGE;
    memset(d.filter.id, true, sizeof d.filter.id);
    d.filter.from_tick = from;
    d.filter.until_tick = d.until;
    for (unsigned i = 0; i < 2; ++i)
        d.part[i].out = memory_stream(&d.part[i].bytes, &d.part[i].len);
    const struct replay_reading on = {
        .ctx = &d, .item = draw_item, .end = end_draw, .progress = a->progress};
    uint64_t row = replay_near(a->replay, from), least = replay_gone(a->replay) + 1;
    bool gone = row < least;
    if (!gone) row = row > least + LEAD ? row - LEAD : least; // else replay_run reports the error
    int err = d.part[0].out && d.part[1].out ? replay_run(a->replay, row, &on, error)
                                             : wf_error_code(error, WF_ERR_NOMEM);
    if (err == WF_OK && d.err == WF_OK) d.err = put_drawing(&d, out);
    for (unsigned i = 0; i < 2; ++i) {
        if (d.part[i].out && !memory_close(d.part[i].out)) err = wf_error_code(error, WF_ERR_NOMEM);
        free(d.part[i].bytes);
    }
    return err == WF_OK && d.err != WF_OK ? wf_error_code(error, WF_ERR_NOMEM) : err;
}

// ---- states of a machine: from the slices of its track

enum { PIECES = 1024, STATES = 1024 };

struct state {
    uint32_t entity;
    uint64_t entered, ticks;
};

struct move {
    uint32_t from, to;
    uint64_t times;
};

struct machine {
    uint64_t from, until;
    struct state states[STATES];
    struct move moves[STATES];
    size_t state_count, move_count;
    bool known; // the previous state and its end are known
    uint32_t entity;
    uint64_t end;
    bool left; // STATES was not enough
};

static struct state *state_of(struct machine *m, uint32_t entity) {
    size_t i = 0;
    while (i < m->state_count && m->states[i].entity != entity) ++i;
    if (i == STATES) return NULL;
    if (i == m->state_count) m->states[m->state_count++] = (struct state){.entity = entity};
    return &m->states[i];
}

static void count_move(struct machine *m, uint32_t from, uint32_t to) {
    size_t i = 0;
    while (i < m->move_count && (m->moves[i].from != from || m->moves[i].to != to)) ++i;
    if (i == STATES) {
        m->left = true;
        return;
    }
    if (i == m->move_count) m->moves[m->move_count++] = (struct move){.from = from, .to = to};
    ++m->moves[i].times;
}

// State 0 is unknown and is not counted.
static void add_piece(struct machine *m, const struct wf_piece *p) {
    uint64_t begin = p->begin > m->from ? p->begin : m->from;
    uint64_t end = p->end < m->until ? p->end : m->until;
    uint32_t entity = (uint32_t)p->value;
    struct state *s = entity ? state_of(m, entity) : NULL;
    bool entered = !(p->flags & WF_PIECE_BEGIN_CUT) && p->begin >= m->from;
    if (entity && !s) m->left = true;
    if (s) {
        s->entered += entered;
        s->ticks += end > begin ? end - begin : 0;
        if (m->known && entered && m->end == p->begin) count_move(m, m->entity, entity);
    }
    m->known = s && !(p->flags & WF_PIECE_END_CUT);
    m->entity = entity;
    m->end = p->end;
}

static void put_machine(const struct machine *m, FILE *out) {
    fputs("\"states\":[", out);
    for (size_t i = 0; i < m->state_count; ++i)
        fprintf(out, "%s[%" PRIu32 ",%" PRIu64 ",%" PRIu64 "]", i ? "," : "", m->states[i].entity,
                m->states[i].entered, m->states[i].ticks);
    fputs("],\"moves\":[", out);
    for (size_t i = 0; i < m->move_count; ++i)
        fprintf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu64 "]", i ? "," : "", m->moves[i].from,
                m->moves[i].to, m->moves[i].times);
    fprintf(out, "],\"left\":%s", m->left ? "true" : "false");
}

// Reads in parts: as many slices as fit one call, then on from the end of the last one.
static int run_machine(const struct page_query_context *a, struct machine *m, unsigned track,
                       struct wf_error *error) {
    struct wf_piece *pieces = malloc(PIECES * sizeof *pieces);
    uint64_t at = m->from, done = 0;
    size_t n = pieces ? PIECES + 1 : 0;
    int err = pieces ? WF_OK : wf_error_code(error, WF_ERR_NOMEM);
    while (n > PIECES && err == WF_OK) {
        n = wf_timeline_range(a->timeline, track, at, m->until, 1, pieces, PIECES);
        for (size_t i = 0; i < n && i < PIECES && err == WF_OK; ++i) {
            if (pieces[i].count > 1 || (pieces[i].flags & WF_PIECE_COARSE)) {
                err = wf_error_set(error, WF_ERR_READ, "its single states are no longer kept");
            } else if (done == 0 || pieces[i].begin >= at) { // else it was in the previous part
                add_piece(m, &pieces[i]);
            }
        }
        if (n <= PIECES) break;
        uint64_t next = pieces[PIECES - 1].end;
        if (next <= at) next = at + 1;
        at = next;
        ++done;
        if (!replay_report(&a->progress, at - m->from, m->until - m->from)) err = WF_ERR_STOPPED;
    }
    free(pieces);
    return err;
}

int page_query_machine(const struct page_query_context *a, const cJSON *ask, FILE *out,
                       struct wf_error *error) {
    int64_t track;
    uint64_t from, until;
    struct wf_track about;
    if (!page_query_window(a, ask, &from, &until, error) ||
        !page_query_number(ask, "track", 0, (int64_t)wf_timeline_tracks(a->timeline) - 1, &track,
                           error))
        return WF_ERR_USAGE;
    wf_timeline_track(a->timeline, (unsigned)track, &about);
    if (about.kind != WF_TRACK_MACHINE)
        return wf_error_set(error, WF_ERR_USAGE, "track %d is not that of a state machine",
                            (int)track);
    struct machine *m = calloc(1, sizeof *m);
    if (!m) return wf_error_code(error, WF_ERR_NOMEM);
    m->from = from;
    m->until = until;
    int err = run_machine(a, m, (unsigned)track, error);
    if (err == WF_OK) put_machine(m, out);
    free(m);
    return err;
}
