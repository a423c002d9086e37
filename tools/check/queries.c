// SPDX-License-Identifier: MIT
// Rules in SQL: the lane is written to a temporary database, as `wallfly query` does; each row of a
// query is a failure.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules.h"
#include "wallfly_host/wf_writer.h"
#include "wallfly_server/query_guard.h"
#include "wallfly_server/query_temporary.h"

struct queries {
    struct query_temporary file;
    bool opened;
    struct wf_writer *writer;
    unsigned count;
    struct own_result *own;
};

int queries_open(struct check_lane *c, struct wf_error *error) {
    struct queries *q = c->queries = calloc(1, sizeof *q);
    struct wf_filter filter = {.size = sizeof filter,
                               .from_s = c->options.from_s,
                               .until_s = c->options.until_s,
                               .has_from = c->options.has_from,
                               .has_until = c->options.has_until};
    memset(filter.id, 1, sizeof filter.id);
    struct wf_writer_options o = {.size = sizeof o,
                                  .row = wf_database_row,
                                  .filter = &filter,
                                  .target_clock = c->options.target_clock,
                                  .sinks = c->sinks};
    if (q) q->own = calloc(c->rules->queries, sizeof *q->own);
    if (!q || !q->own) return wf_error_code(error, WF_ERR_NOMEM);
    q->count = c->rules->queries;
    q->opened = true;
    int err = query_temporary_open(&q->file, error);
    if (err != WF_OK) return err;
    q->writer = wf_writer_open(wf_format_find("sqlite"), c->session, &o, NULL, q->file.db, error);
    return q->writer ? WF_OK : error->code;
}

// ---- rows

// Times in the database are ticks if the rate is not known.
static uint64_t to_ticks(const struct check_lane *c, const char *column, int64_t value) {
    uint64_t hz = wf_session_target(c->session)->hz, v = value > 0 ? (uint64_t)value : 0;
    size_t len = strlen(column);
    if (!hz || len < 2 || strcmp(column + len - 2, "ns") != 0) return v;
    return v / 1000000000 * hz + (v % 1000000000 * hz + 500000000) / 1000000000;
}

// The place of a row: from columns that the tables have for it.
static struct wf_check_failure row_place(const struct check_lane *c, sqlite3_stmt *s) {
    struct wf_check_failure f = {.record = 0};
    bool from = false, to = false;
    for (int i = 0; i < sqlite3_column_count(s); ++i) {
        const char *name = sqlite3_column_name(s, i);
        if (sqlite3_column_type(s, i) != SQLITE_INTEGER) continue;
        int64_t value = sqlite3_column_int64(s, i);
        bool begin = strncmp(name, "begin_", 6) == 0, end = strncmp(name, "end_", 4) == 0;
        const char *unit = begin ? name + 6 : end ? name + 4 : name;
        if (strcmp(name, "number") == 0 || strcmp(name, "record") == 0) {
            f.record = (uint64_t)value;
        } else if (strcmp(unit, "tick") == 0 || strcmp(unit, "ns") == 0) {
            uint64_t tick = to_ticks(c, name, value);
            if (!end && !from) f.from = tick;
            if (!begin && !to) f.to = tick;
            from |= !end;
            to |= !begin;
        }
    }
    if (!from) f.from = f.to;
    if (!to) f.to = f.from;
    return f;
}

// "task = clock, ns = 51060000"; a row of one column is its text alone.
static void row_text(sqlite3_stmt *s, char text[160]) {
    int columns = sqlite3_column_count(s);
    size_t len = 0;
    for (int i = 0; i < columns && len < 160; ++i) {
        const char *value = (const char *)sqlite3_column_text(s, i);
        len += (size_t)snprintf(text + len, 160 - len, "%s%s%s%s", i ? ", " : "",
                                columns > 1 ? sqlite3_column_name(s, i) : "",
                                columns > 1 ? " = " : "", value ? value : "null");
    }
}

static int run_query(struct check_lane *c, sqlite3 *db, const struct check_rule *rule,
                     struct own_result *own, struct wf_error *error) {
    sqlite3_stmt *s;
    char text[512];
    int code = SQLITE_DONE;
    bool good = query_prepare(db, rule->sql, &s, text);
    while (good && (code = sqlite3_step(s)) == SQLITE_ROW) {
        struct wf_check_failure place = row_place(c, s);
        row_text(s, text);
        if (own_fail(own, &place, text, c->options.failures)) continue;
        code = SQLITE_NOMEM;
        break;
    }
    if (good && code != SQLITE_DONE) query_fault(db, rule->sql, text);
    bool memory = code == SQLITE_NOMEM || sqlite3_errcode(db) == SQLITE_NOMEM;
    sqlite3_finalize(s);
    if (memory) return wf_error_code(error, WF_ERR_NOMEM);
    if (good && code == SQLITE_DONE) return WF_OK;
    return wf_error_set(error, WF_ERR_USAGE, "%.100s:%d: sql: %.120s", rule->script, rule->line,
                        text);
}

static int run_queries(struct check_lane *c, struct wf_error *error) {
    struct queries *q = c->queries;
    sqlite3 *db;
    int err = WF_OK;
    unsigned n = 0;
    if (query_open(q->file.file, QUERY_OWN, &db) != SQLITE_OK)
        err = wf_error_set(error, WF_ERR_READ, "%.100s: %.100s", q->file.file, sqlite3_errmsg(db));
    for (unsigned i = 0; i < c->rules->count && err == WF_OK; ++i) {
        const struct check_rule *rule = c->rules->list[i];
        if (rule->form != CHECK_SQL) continue;
        struct own_result *own = &q->own[n++];
        if (rule->lane >= 0 && rule->lane != (int)c->number) continue;
        err = run_query(c, db, rule, own, error);
        own->result.count = c->in_window;
        own_end(own, rule, c->holes, c->options.loss, "records");
    }
    sqlite3_close(db);
    return err;
}

int queries_end(struct check_lane *c, struct wf_error *error) {
    struct queries *q = c->queries;
    int err = wf_writer_close(q->writer);
    q->writer = NULL;
    int end = query_temporary_end(&q->file, err == WF_OK || err == WF_ERR_WRITE, error);
    if (end != WF_OK) return end;
    if (err != WF_OK) return wf_error_code(error, err);
    err = run_queries(c, error);
    query_temporary_close(&q->file);
    q->opened = false;
    return err;
}

const struct wf_check_result *queries_result(const struct check_lane *c, unsigned index) {
    return &c->queries->own[index].result;
}

void queries_close(struct check_lane *c) {
    struct queries *q = c->queries;
    if (!q) return;
    if (q->writer) wf_writer_close(q->writer);
    if (q->opened) query_temporary_close(&q->file);
    for (unsigned i = 0; i < q->count; ++i) own_close(&q->own[i]);
    free(q->own);
    free(q);
}
