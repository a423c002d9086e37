// SPDX-License-Identifier: MIT
// Rows into SQLite: one transaction without a journal, as the file has its name only when it is
// whole; indexes and views when all rows are there.

#include "wallfly_backend/wf_database.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wallfly_host/wf_err.h"

enum { SQL_MAX = 2048 };

struct wf_database {
    sqlite3 *db;
    sqlite3_stmt **insert; // by table
    char *name, *part;     // its name, and the one that it has until it is whole
    int err;
    char why[256];
};

// Those that questions about tasks, objects and times need.
static const char *const indexes[] = {
    "record_ns on record(ns)",
    "run_task on run(task, begin_ns)",
    "run_flow on run(flow) where flow is not null",
    "state_task on state(task, begin_ns)",
    "wait_object on wait(object, begin_ns)",
    "hold_object on hold(object, begin_ns)",
    "action_flow on action(flow) where flow is not null",
    "counter_object on counter(object, ns)",
};

// ---- errors: the first one stays

static bool fail(struct wf_database *d, int err, const char *what) {
    if (d->err == WF_OK) snprintf(d->why, sizeof d->why, "%.120s: %.120s", d->name, what);
    if (d->err == WF_OK) d->err = err;
    return false;
}

static bool check(struct wf_database *d, int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return true;
    if (code == SQLITE_NOMEM) return fail(d, WF_ERR_NOMEM, wf_err_text(WF_ERR_NOMEM));
    if (code == SQLITE_FULL) return fail(d, WF_ERR_WRITE, "no space is left");
    return fail(d, WF_ERR_WRITE, d->db ? sqlite3_errmsg(d->db) : sqlite3_errstr(code));
}

static bool execute(struct wf_database *d, const char *sql) {
    return check(d, sqlite3_exec(d->db, sql, NULL, NULL, NULL));
}

// ---- open

static bool create_table(struct wf_database *d, const struct wf_table *table) {
    static const char *const types[] = {
        [WF_CELL_INT] = "integer", [WF_CELL_TEXT] = "text", [WF_CELL_JSON] = "text"};
    char create[SQL_MAX], insert[SQL_MAX];
    // The rows of these have a number, which others refer to.
    bool numbered = strcmp(table->name, "record") == 0 || strcmp(table->name, "task") == 0 ||
                    strcmp(table->name, "object") == 0;
    int n = snprintf(create, SQL_MAX, "create table %s (", table->name);
    int m = snprintf(insert, SQL_MAX, "insert into %s values (", table->name);
    for (unsigned i = 0; i < table->count; ++i) {
        const struct wf_column *c = &table->columns[i];
        n += snprintf(create + n, SQL_MAX - (size_t)n, "%s%s %s%s", i ? ", " : "", c->name,
                      types[c->type], numbered && i == 0 ? " primary key" : "");
        m += snprintf(insert + m, SQL_MAX - (size_t)m, i ? ", ?" : "?");
    }
    snprintf(create + n, SQL_MAX - (size_t)n, ")");
    snprintf(insert + m, SQL_MAX - (size_t)m, ")");
    return execute(d, create) &&
           check(d, sqlite3_prepare_v3(d->db, insert, -1, SQLITE_PREPARE_PERSISTENT,
                                       &d->insert[table - wf_tables], NULL));
}

static bool create(struct wf_database *d) {
    char id[64];
    snprintf(id, sizeof id, "pragma application_id = %d", WF_DATABASE_ID);
    if (!execute(d, "pragma page_size = 16384; pragma journal_mode = off; pragma synchronous = off;"
                    "pragma locking_mode = exclusive; pragma cache_size = -8192;"
                    "pragma temp_store = file") ||
        !execute(d, id) || !execute(d, "begin"))
        return false;
    for (unsigned i = 0; i < wf_table_count; ++i) {
        if (!create_table(d, &wf_tables[i])) return false;
    }
    return true;
}

static char *joined(const char *name, const char *end) {
    size_t len = strlen(name) + strlen(end) + 1;
    char *text = malloc(len);
    if (text) snprintf(text, len, "%s%s", name, end);
    return text;
}

// The file must be there for SQLite's own words to be about it and not about a name.
static bool create_file(struct wf_database *d) {
    int fd = open(d->part, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0) return fail(d, WF_ERR_WRITE, strerror(errno));
    close(fd);
    return check(d, sqlite3_open_v2(d->part, &d->db, SQLITE_OPEN_READWRITE, NULL)) && create(d);
}

static void free_all(struct wf_database *d) {
    for (unsigned i = 0; d->insert && i < wf_table_count; ++i) sqlite3_finalize(d->insert[i]);
    sqlite3_close(d->db);
    free(d->insert);
    free(d->name);
    free(d->part);
    free(d);
}

int wf_database_open(const char *name, struct wf_database **db, char why[256]) {
    struct wf_database *d = calloc(1, sizeof *d);
    *db = NULL;
    if (d) {
        d->name = joined(name, "");
        d->part = joined(name, ".part");
        d->insert = calloc(wf_table_count, sizeof *d->insert);
    }
    if (!d || !d->name || !d->part || !d->insert) {
        if (d) free_all(d);
        snprintf(why, 256, "%s", wf_err_text(WF_ERR_NOMEM));
        return WF_ERR_NOMEM;
    }
    if (create_file(d)) {
        *db = d;
        return WF_OK;
    }
    return wf_database_close(d, false, why);
}

// ---- rows

// SQLite takes text for UTF-8 and its end for granted; other bytes are kept as a blob.
static bool is_text(const char *text, size_t len) {
    const uint8_t *s = (const uint8_t *)text, *end = s + len;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    while (s < end) {
        if (*s < 0x80) {
            if (*s++ == 0) return false;
            continue;
        }
        size_t need = *s >= 0xF0 ? 4 : *s >= 0xE0 ? 3 : 2;
        if (*s < 0xC2 || *s > 0xF4 || (size_t)(end - s) < need) return false;
        uint32_t code = *s & (0xFFu >> (need + 1));
        for (size_t i = 1; i < need; ++i) {
            if ((s[i] & 0xC0) != 0x80) return false;
            code = code << 6 | (s[i] & 0x3Fu);
        }
        if (code < least[need] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
            return false;
        s += need;
    }
    return true;
}

static int bind(sqlite3_stmt *insert, int at, const struct wf_cell *cell) {
    switch (cell->type) {
    case WF_CELL_INT: return sqlite3_bind_int64(insert, at, cell->number);
    case WF_CELL_TEXT:
        if (!is_text(cell->text, cell->len))
            return sqlite3_bind_blob64(insert, at, cell->text, cell->len, SQLITE_STATIC);
        return sqlite3_bind_text(insert, at, cell->text, (int)cell->len, SQLITE_STATIC);
    case WF_CELL_JSON:
        return sqlite3_bind_text(insert, at, cell->text, (int)cell->len, SQLITE_STATIC);
    default: return sqlite3_bind_null(insert, at);
    }
}

bool wf_database_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
    struct wf_database *d = ctx;
    sqlite3_stmt *insert = d->insert[table - wf_tables];
    if (d->err != WF_OK) return false;
    for (unsigned i = 0; i < table->count; ++i) {
        int code = bind(insert, (int)i + 1, &cells[i]);
        if (code != SQLITE_OK) return check(d, code);
    }
    sqlite3_step(insert);
    return check(d, sqlite3_reset(insert));
}

// ---- close

static bool finish(struct wf_database *d) {
    char sql[SQL_MAX + 64];
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; ++i) {
        snprintf(sql, sizeof sql, "create index %s", indexes[i]);
        if (!execute(d, sql)) return false;
    }
    for (unsigned i = 0; i < wf_view_count; ++i) {
        snprintf(sql, sizeof sql, "create view %s as %s", wf_views[i].name, wf_views[i].sql);
        if (!execute(d, sql)) return false;
    }
    return execute(d, "commit");
}

// All of it is on the disk before it has the name.
static bool publish(struct wf_database *d) {
    static const char *const ends[] = {"-journal", "-wal", "-shm"};
    int fd = open(d->part, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    // What SQLite left beside a database of that name would be taken for the new one's.
    for (unsigned i = 0; good && i < 3; ++i) {
        char *rest = joined(d->name, ends[i]);
        if (rest) unlink(rest);
        free(rest);
    }
    return good && rename(d->part, d->name) == 0;
}

int wf_database_close(struct wf_database *d, bool whole, char why[256]) {
    whole = whole && d->err == WF_OK && finish(d);
    for (unsigned i = 0; i < wf_table_count; ++i) {
        sqlite3_finalize(d->insert[i]);
        d->insert[i] = NULL;
    }
    if (!check(d, sqlite3_close(d->db))) whole = false;
    d->db = NULL;
    if (whole && !publish(d)) whole = fail(d, WF_ERR_WRITE, strerror(errno));
    if (!whole) unlink(d->part);
    int err = d->err;
    memcpy(why, d->why, sizeof d->why);
    free_all(d);
    return err;
}
