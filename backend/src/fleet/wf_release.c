// SPDX-License-Identifier: MIT
#include "wallfly_backend/wf_release.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_answer.h"
#include "wfb_loader.h"
#include "wfb_rows.h"

enum { SQL_MAX = 8192, NAME_MAX_BYTES = 256 };

struct release {
    struct wf_engine *engine;
    const char *project;
    char version[2 * WF_LOADING_VERSION_MAX + 3]; // its literal of SQL
    const char *block;                            // expression for the number of a block
    char stored[1024];                            // condition: the segment of a figure is there
    uint8_t index[WF_PROFILE_BLOCKS];             // of a block in the profile
    unsigned blocks;
    struct wf_profile *profile;
    struct wf_release_about about;
    uint64_t *classes, *class_counts; // of a row
    size_t class_cap, count_cap;
};

static const struct {
    const char *kind;
    enum wf_stats_spread spread;
    enum wf_stats_kind rows;
} figures[] = {
#define WF_X(spread, kind, rows) {kind, WF_SPREAD_##spread, WF_STATS_##rows},
    WF_FLEET_FIGURES(WF_X)
#undef WF_X
};
enum { FIGURES = sizeof figures / sizeof *figures };

static int bad_row(const struct release *r, const char *table, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_ENGINE, "%s.%s: an answer cannot be read", r->project, table);
}

// ---- what there is

// A device is independent of the others, a segment of those that do not follow it.
static void choose_blocks(struct release *r) {
    static const char devices[] = "cityHash64(device) % 32",
                      segments[] = "cityHash64(device, stream, offset) % 32";
    r->block = r->about.devices >= WF_RELEASE_DEVICES ? devices : segments;
}

static int count(struct release *r, struct wf_error *error) {
    char sql[SQL_MAX];
    struct wf_release_about *a = &r->about;
    snprintf(
        sql, sizeof sql,
        "SELECT uniqExact(device), count(), (SELECT uniqExact(device, stream, offset) FROM "
        "%s.figure FINAL WHERE version = %s AND marked = 1 AND %s), sum(records), sum(missing) "
        "FROM %s.segment FINAL WHERE version = %s",
        r->project, r->version, r->stored, r->project, r->version);
    int err = wf_engine_ask(r->engine, sql, error);
    if (err != WF_OK) return err;
    const char *at = wf_engine_answer(r->engine, NULL);
    uint64_t *const numbers[] = {&a->devices, &a->segments, &a->with_holes, &a->records};
    if (!wfb_take_numbers(&at, numbers, 4)) return bad_row(r, "segment", error);
    a->missing = strtoll(at, NULL, 10);
    choose_blocks(r);
    if (a->devices) return WF_OK;
    return wf_error_set(error, WF_ERR_READ, "%s: nothing has the version %s", r->project,
                        r->version);
}

// Segments with a hole count with their losses, but not with their time.
static int read_blocks(struct release *r, struct wf_error *error) {
    char sql[SQL_MAX];
    struct wf_profile_block blocks[WF_PROFILE_BLOCKS];
    uint64_t number;
    snprintf(
        sql, sizeof sql,
        "SELECT block, sum(ns), sum(all_records), if(sum(all_missing) > 0, sum(all_missing), "
        "0) FROM (SELECT toUInt8(%s) AS block, if((device, stream, offset) IN (SELECT device, "
        "stream, offset FROM %s.figure FINAL WHERE version = %s AND marked = 1), 0, end_ns - "
        "begin_ns) AS ns, records AS all_records, missing AS all_missing FROM %s.segment FINAL "
        "WHERE version = %s) AS s GROUP BY block ORDER BY block",
        r->block, r->project, r->version, r->project, r->version);
    int err = wf_engine_ask(r->engine, sql, error);
    if (err != WF_OK) return err;
    for (const char *at = wf_engine_answer(r->engine, NULL); *at; ++r->blocks) {
        if (r->blocks == WF_PROFILE_BLOCKS) return bad_row(r, "segment", error);
        struct wf_profile_block *b = &blocks[r->blocks];
        uint64_t *const numbers[] = {&number, &b->ns, &b->records, &b->lost};
        if (!wfb_take_numbers(&at, numbers, 4) || number >= WF_PROFILE_BLOCKS)
            return bad_row(r, "segment", error);
        r->index[number] = (uint8_t)r->blocks;
    }
    return wf_profile_put_lane(r->profile, blocks, r->blocks, error);
}

// ---- figures

// Takes an array of numbers. Returns WF_OK, WF_ERR_NOMEM.
static int take_array(struct wfb_rows *rows, uint64_t **list, size_t *cap, size_t *len) {
    const uint64_t n = wfb_rows_count(rows);
    *len = 0;
    if (rows->bad || n > (uint64_t)(rows->end - rows->at) / 8) {
        rows->bad = true;
        return WF_OK;
    }
    if (*cap < n) {
        uint64_t *more = realloc(*list, (size_t)n * sizeof *more);
        if (!more) return WF_ERR_NOMEM;
        *list = more;
        *cap = (size_t)n;
    }
    for (; *len < n; ++*len) (*list)[*len] = wfb_rows_u64(rows);
    return WF_OK;
}

static bool take_name(struct wfb_rows *rows, char name[NAME_MAX_BYTES]) {
    size_t len;
    const uint8_t *text = wfb_rows_text(rows, &len);
    if (len >= NAME_MAX_BYTES) len = NAME_MAX_BYTES - 1;
    memcpy(name, text, len);
    name[len] = 0;
    return !rows->bad;
}

// Takes the kind and the name. Returns false if it is none that this version of wallfly makes.
static bool take_what(struct wfb_rows *rows, char name[NAME_MAX_BYTES], struct wf_profile_sums *s) {
    char kind[NAME_MAX_BYTES];
    unsigned i = 0;
    if (!take_name(rows, kind) || !take_name(rows, name)) return false;
    while (i < FIGURES && strcmp(figures[i].kind, kind) != 0) ++i;
    if (i == FIGURES) return false;
    s->kind = figures[i].rows;
    s->spread = figures[i].spread;
    s->name = name;
    return true;
}

static int take_sums(struct release *r, struct wfb_rows *rows, struct wf_error *error) {
    struct wf_profile_sums s = {0};
    char name[NAME_MAX_BYTES];
    size_t counts;
    const bool known = take_what(rows, name, &s);
    const uint64_t block = wfb_rows_u64(rows);
    uint64_t *const numbers[] = {&s.count, &s.sum, &s.least, &s.most, &s.open, &s.in_holes};
    for (unsigned i = 0; i < 6; ++i) *numbers[i] = wfb_rows_u64(rows);
    int err = take_array(rows, &r->classes, &r->class_cap, &s.class_count);
    if (err == WF_OK) err = take_array(rows, &r->class_counts, &r->count_cap, &counts);
    if (err != WF_OK) return wf_error_code(error, err);
    (void)wfb_rows_u64(rows); // the end of the row
    if (rows->bad || counts != s.class_count || block >= WF_PROFILE_BLOCKS)
        return bad_row(r, "figure", error);
    s.block = r->index[block];
    s.classes = r->classes;
    s.class_counts = r->class_counts;
    return known ? wf_profile_put_sums(r->profile, &s, error) : WF_OK;
}

static int read_figures(struct release *r, struct wf_error *error) {
    char sql[SQL_MAX];
    snprintf(
        sql, sizeof sql,
        "SELECT kind, name, toUInt64(block), sum(all_count), sum(all_sum), "
        "minIf(all_least, all_count > 0), maxIf(all_most, all_count > 0), sum(all_open), "
        "sum(all_in_holes), arrayMap(x -> toUInt64(x), (sumMap(class, n) AS m).1), m.2, "
        "toUInt64(0) FROM (SELECT toString(kind) AS kind, toString(name) AS name, %s AS block, "
        "count AS all_count, sum AS all_sum, least AS all_least, most AS all_most, open AS "
        "all_open, in_holes AS all_in_holes, `classes.class` AS class, `classes.n` AS n FROM "
        "%s.figure FINAL WHERE version = %s AND marked = 0 AND count + open + in_holes > 0 AND "
        "%s) AS f GROUP BY kind, name, block ORDER BY kind, name, block FORMAT RowBinary",
        r->block, r->project, r->version, r->stored);
    int err = wf_engine_ask(r->engine, sql, error);
    if (err != WF_OK) return err;
    for (struct wfb_rows rows = wfb_rows_answer(r->engine); rows.at < rows.end && err == WF_OK;)
        err = take_sums(r, &rows, error);
    return err;
}

// Marks what has more than a tenth of its values in segments with holes.
static int read_marks(struct release *r, struct wf_error *error) {
    char sql[SQL_MAX], name[NAME_MAX_BYTES];
    struct wf_profile_sums s = {.marked = true};
    snprintf(
        sql, sizeof sql,
        "SELECT toString(kind), toString(name), toUInt64(0) FROM %s.figure FINAL WHERE version "
        "= %s AND %s GROUP BY kind, name HAVING sum(count * marked) * 10 > sum(count) FORMAT "
        "RowBinary",
        r->project, r->version, r->stored);
    int err = wf_engine_ask(r->engine, sql, error);
    if (err != WF_OK) return err;
    for (struct wfb_rows rows = wfb_rows_answer(r->engine); rows.at < rows.end && err == WF_OK;) {
        const bool known = take_what(&rows, name, &s);
        (void)wfb_rows_u64(&rows);
        if (rows.bad) return bad_row(r, "figure", error);
        if (known) err = wf_profile_put_sums(r->profile, &s, error);
    }
    return err;
}

// ---- all

static int read_all(struct release *r, struct wf_error *error) {
    r->profile = wf_profile_open(error);
    int err = r->profile ? count(r, error) : WF_ERR_NOMEM;
    if (err == WF_OK) err = read_blocks(r, error);
    if (err == WF_OK) err = read_figures(r, error);
    if (err == WF_OK) err = read_marks(r, error);
    return err;
}

struct wf_profile *wf_release_read(struct wf_engine *engine, const char *project,
                                   const char *version, struct wf_release_about *about,
                                   struct wf_error *error) {
    struct wf_error own;
    struct release r = {.engine = engine, .project = project};
    if (!error) error = &own;
    if (!wf_fleet_is_project(project) ||
        wf_fleet_quote(version, r.version, sizeof r.version) >= sizeof r.version) {
        wf_error_set(error, WF_ERR_USAGE, "'%.64s' or '%.64s' is no project and version", project,
                     version);
        return NULL;
    }
    // Figures are kept longer than segments: without those their time is not known.
    snprintf(r.stored, sizeof r.stored,
             "(device, stream, offset) IN (SELECT device, stream, offset FROM %s.segment WHERE "
             "version = %s)",
             project, r.version);
    int err = read_all(&r, error);
    free(r.classes);
    free(r.class_counts);
    if (about) *about = r.about;
    if (err == WF_OK) return r.profile;
    wf_profile_close(r.profile);
    return NULL;
}
