// SPDX-License-Identifier: MIT
// Queries to the time line: rows, entities, arrows, and steps from slice to slice.

#include <inttypes.h>
#include <stdlib.h>

#include "page_parts.h"
#include "wallfly_server/json.h"

enum { ARROWS_MAX = 100000, TIME_BITS = 53 };

static void put_tracks(FILE *out, const struct wf_timeline *t, uint32_t first) {
    const char *comma = "";
    struct wf_track track;
    for (uint32_t i = first; i != WF_NO_TRACK; i = wf_timeline_next_track(t, i)) {
        wf_timeline_track(t, i, &track);
        fprintf(out, "%s{\"id\":%" PRIu32 ",\"kind\":\"%s\",\"level\":%u}", comma, i,
                wf_track_kind_names[track.kind], track.level);
        comma = ",";
    }
}

static void put_load_name(FILE *out, const struct wf_timeline_row *row) {
    if (row->core < 0)
        fputs("\"load of all cores\"", out);
    else
        fprintf(out, "\"load of core %d\"", row->core);
}

static void put_row(FILE *out, struct wf_timeline *t, unsigned i) {
    struct wf_timeline_row row;
    struct wf_entity entity;
    wf_timeline_row(t, i, &row);
    wf_timeline_entity(t, row.entity, &entity);
    bool named = row.entity != WF_ENTITY_NONE;
    fprintf(out, "%s{\"kind\":\"%s\",\"thing\":%" PRIu32 ",\"name\":", i ? "," : "",
            wf_row_kind_names[row.kind], row.entity);
    if (row.kind == WF_ROW_LOAD) {
        put_load_name(out, &row);
    } else {
        json_text(out, named ? entity.name : wf_row_kind_names[row.kind]);
    }
    fprintf(out, ",\"core\":%d,\"tracks\":[", row.core);
    put_tracks(out, t, row.first_track);
    fputs("]}", out);
}

int page_query_rows(const struct page_query_context *a, const cJSON *ask, FILE *out,
                    struct wf_error *error) {
    struct wf_timeline *t = a->timeline;
    (void)ask;
    (void)error;
    fprintf(out, "\"rev\":%" PRIu64 ",\"rows\":[", wf_timeline_revision(t));
    for (unsigned i = 0; i < wf_timeline_rows(t); ++i) put_row(out, t, i);
    putc(']', out);
    return WF_OK;
}

static void put_entity(FILE *out, const struct wf_entity *entity) {
    bool object = entity->kind == WF_ENTITY_OBJECT;
    fprintf(out, "[\"%s\",", wf_entity_kind_names[entity->kind]);
    json_text(out, entity->name);
    fprintf(out, ",\"%" PRIx64 "\",\"%s\",", entity->key,
            object ? wf_object_kind_names[entity->sub] : "");
    if (entity->prio_known)
        fprintf(out, "%d", entity->prio);
    else
        fputs("null", out);
    if (entity->low_known) fprintf(out, ",%" PRIu64 ",%" PRIu64, entity->low, entity->size);
    putc(']', out);
}

int page_query_entities(const struct page_query_context *a, const cJSON *ask, FILE *out,
                        struct wf_error *error) {
    struct wf_timeline *t = a->timeline;
    struct wf_entity entity;
    int64_t from;
    unsigned count = wf_timeline_entities(t);
    if (!page_query_number(ask, "from", 0, count, &from, error)) return WF_ERR_USAGE;
    fprintf(out, "\"rev\":%" PRIu64 ",\"from\":%" PRId64 ",\"things\":[", wf_timeline_revision(t),
            from);
    for (uint32_t i = (uint32_t)from; i < count; ++i) {
        wf_timeline_entity(t, i, &entity);
        if (i > from) putc(',', out);
        put_entity(out, &entity);
    }
    putc(']', out);
    return WF_OK;
}

static void put_arrow(FILE *out, const struct page_query_context *a, const struct wf_arrow *arrow) {
    fprintf(out, "[\"%s\",%.0f,%.0f,%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
            wf_arrow_kind_names[arrow->kind], page_query_time(a, arrow->begin),
            page_query_time(a, arrow->end), arrow->from_row, arrow->to_row, arrow->entity);
}

int page_query_arrows(const struct page_query_context *a, const cJSON *ask, FILE *out,
                      struct wf_error *error) {
    uint64_t from, until;
    int64_t most;
    if (!page_query_window(a, ask, &from, &until, error) ||
        !page_query_number(ask, "most", 0, ARROWS_MAX, &most, error))
        return WF_ERR_USAGE;
    struct wf_arrow *arrows = calloc((size_t)most + 1, sizeof *arrows);
    if (!arrows) return WF_ERR_NOMEM;
    uint64_t count = wf_timeline_arrows(a->timeline, from, until, arrows, (size_t)most);
    fprintf(out, "\"count\":%" PRIu64 ",\"arrows\":[", count);
    for (uint64_t i = 0; i < count && count <= (uint64_t)most; ++i) {
        if (i) putc(',', out);
        put_arrow(out, a, &arrows[i]);
    }
    putc(']', out);
    free(arrows);
    return WF_OK;
}

int page_query_step(const struct page_query_context *a, const cJSON *ask, FILE *out,
                    struct wf_error *error) {
    const int64_t most = INT64_C(1) << TIME_BITS;
    const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(ask, "value");
    bool any = !wanted || cJSON_IsNull(wanted);
    int64_t track, at, way, value = 0;
    struct wf_piece p;
    if (!page_query_number(ask, "track", 0, (int64_t)wf_timeline_tracks(a->timeline) - 1, &track,
                           error) ||
        !page_query_number(ask, "at", -most, most, &at, error) ||
        !page_query_number(ask, "way", -1, 1, &way, error) ||
        (!any && !page_query_number(ask, "value", -most, most, &value, error)))
        return WF_ERR_USAGE;
    bool back = way < 0;
    if (!wf_timeline_step(a->timeline, (unsigned)track, page_query_tick(a, back ? at : at + 1),
                          back ? -1 : 1, any, value, &p))
        fputs("\"slice\":null", out);
    else
        fprintf(out, "\"slice\":[%.0f,%.0f,%" PRId64 ",%" PRIu32 ",%" PRIu32 "]",
                page_query_time(a, p.begin), page_query_time(a, p.end), p.value, p.more, p.flags);
    return WF_OK;
}

// ---- limits

// A limit of a slice: its length, or its value.
struct limit {
    enum { LONGER, ABOVE, BELOW } kind;
    int64_t value; // ticks, or the value
};

static bool read_limit(const cJSON *ask, struct limit *l, struct wf_error *error) {
    static const char *const names[] = {"longer", "above", "below"};
    const int64_t most = INT64_C(1) << TIME_BITS;
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        if (!cJSON_GetObjectItemCaseSensitive(ask, names[i])) continue;
        l->kind = i;
        return page_query_number(ask, names[i], i == LONGER ? 0 : -most, most, &l->value, error);
    }
    wf_error_set(error, WF_ERR_USAGE, "'longer', 'above' or 'below' is missing");
    return false;
}

// Returns whether the slice exceeds the limit, and sets the tick at which it does.
static bool exceeds(const struct limit *l, const struct wf_piece *p, uint64_t *at) {
    *at = p->begin;
    switch (l->kind) {
    case ABOVE: return p->value > l->value;
    case BELOW: return p->value < l->value;
    default: *at += (uint64_t)l->value; return p->end - p->begin > (uint64_t)l->value;
    }
}

// Finds the first slice of a track that exceeds a limit behind a tick. One answer looks at some
// thousand slices.
int page_query_beyond(const struct page_query_context *a, const cJSON *ask, FILE *out,
                      struct wf_error *error) {
    enum { PIECES = 4096 };
    const int64_t most = INT64_C(1) << TIME_BITS;
    struct wf_timeline_span span;
    struct wf_piece *p;
    struct limit limit;
    int64_t track, from;
    uint64_t at = 0;
    if (!page_query_number(ask, "track", 0, (int64_t)wf_timeline_tracks(a->timeline) - 1, &track,
                           error) ||
        !page_query_number(ask, "from", -most, most, &from, error) ||
        !read_limit(ask, &limit, error))
        return WF_ERR_USAGE;
    p = malloc(PIECES * sizeof *p);
    if (!p) return wf_error_code(error, WF_ERR_NOMEM);
    wf_timeline_extent(a->timeline, &span);
    const uint64_t begin = page_query_tick(a, from);
    size_t n = wf_timeline_range(a->timeline, (unsigned)track, begin, span.last + 1, 1, p, PIECES);
    size_t i = 0, count = n < PIECES ? n : PIECES;
    while (i < count && !(exceeds(&limit, &p[i], &at) && at > begin)) ++i;
    double seen = page_query_time(a, n > PIECES ? p[PIECES - 1].begin : span.last);
    if (i == count)
        fprintf(out, "\"slice\":null,\"seen\":%.0f", seen);
    else
        fprintf(out, "\"slice\":[%.0f,%.0f,%" PRId64 ",%" PRIu32 ",%" PRIu32 "],\"seen\":%.0f",
                page_query_time(a, p[i].begin), page_query_time(a, p[i].end), p[i].value, p[i].more,
                p[i].flags, page_query_time(a, at));
    free(p);
    return WF_OK;
}
