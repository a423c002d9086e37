// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_intake.h"
#include "wfb_spool.h"

struct wfb_kept {
    sqlite3 *db;
    sqlite3_stmt *put, *forget, *place;
};

// Numbers of 64 bits are kept as those with a sign.
static const char schema[] =
    "PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY CHECK (id = 1), done, at);"
    "CREATE TABLE IF NOT EXISTS stream (device TEXT, stream INTEGER, wanted INTEGER, "
    "given_up INTEGER, seen INTEGER, PRIMARY KEY (device, stream)) WITHOUT ROWID;";

static int fail(const struct wfb_kept *k, int code, struct wf_error *error) {
    return wf_error_set(error, code, "the spool's table of streams: %s",
                        k->db ? sqlite3_errmsg(k->db) : strerror(ENOMEM));
}

static uint64_t number_of(sqlite3_stmt *row, int column) {
    return (uint64_t)sqlite3_column_int64(row, column);
}

static void bind_number(sqlite3_stmt *row, int place, uint64_t value) {
    sqlite3_bind_int64(row, place, (sqlite3_int64)value);
}

// ---- reading

static int read_streams(struct wfb_kept *k, struct wfb_streams *s, struct wf_error *error) {
    sqlite3_stmt *row;
    int step, err = WF_OK;
    if (sqlite3_prepare_v2(k->db, "SELECT device, stream, wanted, given_up, seen FROM stream", -1,
                           &row, NULL) != SQLITE_OK)
        return fail(k, WF_ERR_READ, error);
    while ((step = sqlite3_step(row)) == SQLITE_ROW && err == WF_OK) {
        const char *device = (const char *)sqlite3_column_text(row, 0);
        if (!device || !wf_fleet_is_device(device)) continue;
        struct wfb_stream *of = wfb_streams_get(s, device, number_of(row, 1));
        if (!of) err = wf_error_code(error, WF_ERR_NOMEM);
        if (!of) break;
        of->order = of->safe =
            (struct wf_fleet_order){.wanted = number_of(row, 2), .given_up = number_of(row, 3)};
        of->seen_s = number_of(row, 4);
    }
    if (err == WF_OK && step != SQLITE_DONE) err = fail(k, WF_ERR_READ, error);
    sqlite3_finalize(row);
    return err;
}

static int read_place(struct wfb_kept *k, struct wfb_saved *saved, struct wf_error *error) {
    sqlite3_stmt *row;
    if (sqlite3_prepare_v2(k->db, "SELECT done, at FROM place", -1, &row, NULL) != SQLITE_OK)
        return fail(k, WF_ERR_READ, error);
    const int step = sqlite3_step(row);
    if (step == SQLITE_ROW)
        *saved = (struct wfb_saved){.done = number_of(row, 0), .at = number_of(row, 1)};
    int err = step == SQLITE_ROW || step == SQLITE_DONE ? WF_OK : fail(k, WF_ERR_READ, error);
    sqlite3_finalize(row);
    return err;
}

static bool prepare(struct wfb_kept *k) {
    return sqlite3_prepare_v2(k->db, "INSERT OR REPLACE INTO stream VALUES (?, ?, ?, ?, ?)", -1,
                              &k->put, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(k->db, "DELETE FROM stream WHERE seen < ?", -1, &k->forget, NULL) ==
               SQLITE_OK &&
           sqlite3_prepare_v2(k->db, "INSERT OR REPLACE INTO place VALUES (1, ?, ?)", -1, &k->place,
                              NULL) == SQLITE_OK;
}

struct wfb_kept *wfb_kept_open(const char *folder, struct wfb_streams *s, struct wfb_saved *saved,
                               struct wf_error *error) {
    char path[WFB_SPOOL_PATH + 16];
    struct wfb_kept *k = calloc(1, sizeof *k);
    int err = k ? WF_OK : wf_error_code(error, WF_ERR_NOMEM);
    snprintf(path, sizeof path, "%s/streams.db", folder);
    if (k && (sqlite3_open(path, &k->db) != SQLITE_OK ||
              sqlite3_exec(k->db, schema, NULL, NULL, NULL) != SQLITE_OK || !prepare(k)))
        err = fail(k, WF_ERR_READ, error);
    if (err == WF_OK) err = read_place(k, saved, error);
    if (err == WF_OK) err = read_streams(k, s, error);
    if (err == WF_OK) return k;
    wfb_kept_close(k);
    return NULL;
}

void wfb_kept_close(struct wfb_kept *k) {
    if (!k) return;
    sqlite3_finalize(k->put);
    sqlite3_finalize(k->forget);
    sqlite3_finalize(k->place);
    sqlite3_close(k->db);
    free(k);
}

// ---- saving

static bool run(sqlite3_stmt *statement) {
    const bool good = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return good;
}

static bool put_stream(struct wfb_kept *k, const struct wfb_stream *s) {
    sqlite3_bind_text(k->put, 1, s->device, -1, SQLITE_STATIC);
    bind_number(k->put, 2, s->stream);
    bind_number(k->put, 3, s->safe.wanted);
    bind_number(k->put, 4, s->safe.given_up);
    bind_number(k->put, 5, s->seen_s);
    return run(k->put);
}

int wfb_kept_save(struct wfb_kept *k, struct wfb_streams *s, const struct wfb_saved *saved,
                  uint64_t forget_before_s, struct wf_error *error) {
    bool good = sqlite3_exec(k->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
    for (size_t i = 0; i < s->count && good; ++i)
        if (s->list[i].changed) good = put_stream(k, &s->list[i]);
    bind_number(k->forget, 1, forget_before_s);
    bind_number(k->place, 1, saved->done);
    bind_number(k->place, 2, saved->at);
    good = good && run(k->forget) && run(k->place) &&
           sqlite3_exec(k->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (!good) {
        int err = fail(k, WF_ERR_WRITE, error);
        sqlite3_exec(k->db, "ROLLBACK", NULL, NULL, NULL);
        return err;
    }
    for (size_t i = 0; i < s->count; ++i) s->list[i].changed = false;
    return wf_error_code(error, WF_OK);
}
