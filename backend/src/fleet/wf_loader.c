// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_answer.h"
#include "wfb_loader.h"
#include "wfb_options.h"

enum { BATCH_BYTES = 32 << 20, BATCH_ROWS = 300000, SQL_MAX = 1024 };

// ---- errors

int wfb_loader_fail(struct wf_loader *l, const struct wf_error *error) {
    if (l->error.code == WF_OK) l->error = *error;
    return error->code;
}

int wfb_loader_error(const struct wf_loader *l, struct wf_error *error) {
    *error = l->error;
    return l->error.code;
}

// ---- the engine

// A retry has the same bytes, so it has the same token, and the engine drops it at once. Without
// tokens, replicated tables know it by its bytes; a salt makes them take it again.
static void set_settings(const struct wf_loader *l, uint64_t token, char settings[128]) {
    settings[0] = 0;
    if (l->has_partitions) strcat(settings, "max_partitions_per_insert_block=0");
    const size_t len = strlen(settings);
    const char *between = len ? "&" : "";
    if (l->has_tokens)
        snprintf(settings + len, 128 - len, "%sinsert_deduplication_token=%016" PRIx64, between,
                 token);
    else if (l->salt)
        snprintf(settings + len, 128 - len, "%sinsert_deduplicate=0", between);
}

static int insert(struct wf_loader *l, enum wf_fleet_table_number table, struct wf_error *error) {
    char sql[SQL_MAX], settings[128];
    size_t len;
    if (!wf_fleet_rows(l->fleet, table)) return WF_OK;
    const uint8_t *block = wf_fleet_block(l->fleet, table, &len);
    if (!block) return wf_error_code(error, WF_ERR_NOMEM);
    snprintf(sql, sizeof sql, "INSERT INTO %s.%s FORMAT Native", l->project,
             wf_fleet_tables[table].name);
    set_settings(l, l->has_tokens ? wf_fleet_hash(block, len) ^ l->salt : 0, settings);
    const struct wf_statement statement = {
        .sql = sql, .settings = settings, .body = block, .len = len};
    int err = wf_engine_run(l->o.engine, &statement, error);
    if (err == WF_OK) l->totals.rows[table] += wf_fleet_rows(l->fleet, table);
    return err;
}

int wf_loader_flush(struct wf_loader *l, struct wf_error *error) {
    // The origin of a stream comes first: no row may be there without it. A segment comes when all
    // that is made of it is there.
    static const enum wf_fleet_table_number order[WF_FLEET_TABLE_END] = {
        WF_FLEET_TABLE_DEVICE, WF_FLEET_TABLE_BUILD, WF_FLEET_TABLE_STREAM, WF_FLEET_TABLE_RECORD,
        WF_FLEET_TABLE_LOSS,   WF_FLEET_TABLE_HOLE,  WF_FLEET_TABLE_FIGURE, WF_FLEET_TABLE_SEGMENT};
    int err = wfb_loader_error(l, error);
    for (unsigned i = 0; i < WF_FLEET_TABLE_END && err == WF_OK; ++i) {
        if (order[i] == WF_FLEET_TABLE_SEGMENT) err = wfb_known_replace(l, error);
        if (err == WF_OK) err = insert(l, order[i], error);
    }
    if (err != WF_OK) return wfb_loader_fail(l, error);
    wf_fleet_clear(l->fleet);
    l->bytes = 0;
    return WF_OK;
}

static bool is_full(const struct wf_loader *l) {
    uint64_t rows = 0;
    for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t)
        rows += wf_fleet_rows(l->fleet, (enum wf_fleet_table_number)t);
    return l->bytes >= l->o.batch_bytes || rows >= l->o.batch_rows;
}

int wfb_loader_put(struct wf_loader *l, const struct wf_fleet_stream *stream,
                   const struct wf_segment *previous, const struct wf_segment *segment,
                   struct wf_error *error) {
    int err = wf_error_code(error, wf_fleet_add(l->fleet, stream, previous, segment));
    if (err != WF_OK) return wfb_loader_fail(l, error);
    l->bytes += segment->len + segment->state_len;
    ++l->totals.segments;
    l->totals.bytes += segment->len;
    l->totals.records += segment->records;
    l->totals.missing += segment->missing;
    l->totals.damaged += segment->damaged;
    l->totals.lost += wf_segment_end(segment) - segment->offset - segment->len;
    return is_full(l) ? wf_loader_flush(l, error) : WF_OK;
}

// The clock of another host may be ahead.
static int set_changed(struct wf_loader *l, struct wf_fleet_build *build, struct wf_error *error) {
    char sql[SQL_MAX];
    uint64_t last = 0;
    snprintf(sql, sizeof sql, "SELECT toUInt32(max(changed)) FROM %s.build", l->project);
    int err = wf_engine_ask(l->o.engine, sql, error);
    if (err != WF_OK) return wfb_loader_fail(l, error);
    const char *at = wf_engine_answer(l->o.engine, NULL);
    (void)wfb_take_numbers(&at, (uint64_t *const[]){&last}, 1);
    build->changed = (uint64_t)time(NULL);
    if (build->changed <= last) build->changed = last + 1;
    return WF_OK;
}

int wf_loader_bind(struct wf_loader *l, struct wf_fleet_build *build, struct wf_error *error) {
    int err = wfb_loader_error(l, error);
    if (err == WF_OK) err = set_changed(l, build, error);
    if (err != WF_OK) return err;
    if (wf_fleet_add_build(l->fleet, build) != WF_OK) err = wf_error_code(error, WF_ERR_NOMEM);
    return err == WF_OK ? wf_loader_flush(l, error) : wfb_loader_fail(l, error);
}

// ---- opening

static int open_loader(struct wf_loader *l, const struct wf_loader_options *options,
                       struct wf_error *error) {
    int err = wfb_copy_options(&l->o, sizeof l->o, options, error);
    if (err != WF_OK) return err;
    if (!l->o.batch_bytes) l->o.batch_bytes = BATCH_BYTES;
    if (!l->o.batch_rows) l->o.batch_rows = BATCH_ROWS;
    if (!wf_fleet_is_project(l->o.project))
        return wf_error_set(error, WF_ERR_USAGE, "'%.64s' is no name of a project", l->o.project);
    struct wf_fleet_options o = {.size = sizeof o};
    if (l->o.records) memcpy(o.records, l->o.records, sizeof o.records);
    l->project = strdup(l->o.project);
    l->fleet = wf_fleet_open(&o, error);
    if (!l->project || !l->fleet) return wf_error_code(error, WF_ERR_NOMEM);
    static const char of[] = "system.settings";
    err = wf_engine_has(l->o.engine, of, "insert_deduplication_token", &l->has_tokens, error);
    if (err == WF_OK)
        err = wf_engine_has(l->o.engine, of, "max_partitions_per_insert_block", &l->has_partitions,
                            error);
    return err;
}

struct wf_loader *wf_loader_open(const struct wf_loader_options *options, struct wf_error *error) {
    struct wf_loader *l = calloc(1, sizeof *l);
    if (!l) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    if (open_loader(l, options, error) == WF_OK) return l;
    wf_loader_close(l);
    return NULL;
}

void wf_loader_close(struct wf_loader *l) {
    if (!l) return;
    wfb_known_close(l);
    wfb_names_close(l);
    wf_fleet_close(l->fleet);
    free(l->project);
    free(l);
}

const struct wf_loader_totals *wf_loader_totals(const struct wf_loader *l) { return &l->totals; }
