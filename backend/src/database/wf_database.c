// SPDX-License-Identifier: MIT
// SQLite creates the file with its tables and views, the rows are written page by page
// (wfb_btree.h), and SQLite makes the indexes when all rows are written. The file gets its name
// only when it is complete, so no journal is needed.

#include "wallfly_backend/wf_database.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wallfly_host/wf_error.h"
#include "wfb_btree.h"
#include "wfb_index.h"

enum { SQL_MAX = 2048 };

struct wf_database {
    char *name;
    struct wf_outfile *output; // it has a temporary name until it is complete
    sqlite3 *db;
    struct wfb_pages pages;
    struct wfb_tree *trees; // by table
    struct wfb_scratch scratch;
    struct wfb_index times;       // index of the table record, by time
    const struct wf_table *timed; // the table record
    unsigned time_column;
    bool times_made;
    int fd;                // descriptor for the pages; -1: none
    struct wf_error error; // the first one
};

// For questions about tasks, objects and times. The first index is filled along with the rows.
static const char times_index[] = "record_ns on record(ns)";
static const char *const indexes[] = {
    "run_task on run(task, begin_ns)",
    "run_flow on run(flow) where flow is not null",
    "wait_object on wait(object, begin_ns)",
    "hold_object on hold(object, begin_ns)",
    "action_flow on action(flow) where flow is not null",
    "counter_object on counter(object, ns)",
};

// ---- errors: the first one stays

static bool fail(struct wf_database *d, int err, const char *what) {
    if (d->error.code == WF_OK) wf_error_set(&d->error, err, "%.120s: %.115s", d->name, what);
    return false;
}

static bool fail_errno(struct wf_database *d, int error) {
    return fail(d, error == ENOMEM ? WF_ERR_NOMEM : WF_ERR_WRITE, strerror(error));
}

static bool check(struct wf_database *d, int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return true;
    if (code == SQLITE_NOMEM) return fail_errno(d, ENOMEM);
    if (code == SQLITE_FULL) return fail_errno(d, ENOSPC);
    // "disk I/O error" has no details, and SQLite does not keep the errno of a failed write.
    if ((code & 0xFF) == SQLITE_IOERR && errno) return fail(d, WF_ERR_WRITE, strerror(errno));
    return fail(d, WF_ERR_WRITE, d->db ? sqlite3_errmsg(d->db) : sqlite3_errstr(code));
}

static bool execute(struct wf_database *d, const char *sql) {
    errno = 0;
    return check(d, sqlite3_exec(d->db, sql, NULL, NULL, NULL));
}

// ---- open

static bool create_table(struct wf_database *d, const struct wf_table *table) {
    static const char *const types[] = {
        [WF_CELL_INT] = "integer", [WF_CELL_TEXT] = "text", [WF_CELL_JSON] = "text"};
    char sql[SQL_MAX];
    int n = snprintf(sql, SQL_MAX, "create table %s (", table->name);
    for (unsigned i = 0; i < table->count; ++i) {
        const struct wf_column *c = &table->columns[i];
        n += snprintf(sql + n, SQL_MAX - (size_t)n, "%s%s %s%s", i ? ", " : "", c->name,
                      types[c->type], i == 0 && table->numbered ? " primary key" : "");
    }
    snprintf(sql + n, SQL_MAX - (size_t)n, ")");
    return execute(d, sql);
}

static bool create_index(struct wf_database *d, const char *index) {
    char sql[256];
    snprintf(sql, sizeof sql, "create index %s", index);
    return execute(d, sql);
}

static bool create_views(struct wf_database *d) {
    char sql[SQL_MAX];
    for (unsigned i = 0; i < wf_view_count; ++i) {
        snprintf(sql, sizeof sql, "create view %s as %s", wf_views[i].name, wf_views[i].sql);
        if (!execute(d, sql)) return false;
    }
    return true;
}

static bool open_sqlite(struct wf_database *d) {
    return check(d, sqlite3_open_v2(wf_outfile_path(d->output), &d->db, SQLITE_OPEN_READWRITE,
                                    NULL)) &&
           execute(d, "pragma journal_mode = off; pragma synchronous = off;"
                      "pragma locking_mode = exclusive; pragma cache_size = -8192;"
                      "pragma temp_store = file");
}

static bool close_sqlite(struct wf_database *d) {
    bool good = check(d, sqlite3_close(d->db));
    d->db = NULL;
    return good;
}

static bool create(struct wf_database *d) {
    char sql[128];
    snprintf(sql, sizeof sql, "pragma page_size = %d; pragma application_id = %d; begin", WFB_PAGE,
             WF_DATABASE_ID);
    if (!open_sqlite(d) || !execute(d, sql)) return false;
    for (unsigned i = 0; i < wf_table_count; ++i) {
        if (!create_table(d, &wf_tables[i])) return false;
    }
    return create_index(d, times_index) && create_views(d) && execute(d, "commit");
}

static bool query_number(struct wf_database *d, const char *sql, const char *name, uint32_t *to) {
    sqlite3_stmt *s;
    if (!check(d, sqlite3_prepare_v2(d->db, sql, -1, &s, NULL))) return false;
    int code = name ? sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC) : SQLITE_OK;
    if (code == SQLITE_OK) code = sqlite3_step(s);
    if (code == SQLITE_ROW) *to = (uint32_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    if (code == SQLITE_ROW) return true;
    return check(d, code) && fail(d, WF_ERR_WRITE, "SQLite does not report where its tables are");
}

static void find_times(struct wf_database *d) {
    for (d->timed = wf_tables; strcmp(d->timed->name, "record") != 0;) ++d->timed;
    while (strcmp(d->timed->columns[d->time_column].name, "ns") != 0) ++d->time_column;
}

static bool open_trees(struct wf_database *d) {
    static const char where[] = "select rootpage from sqlite_schema where name = ?";
    uint32_t pages, root;
    find_times(d);
    if (!query_number(d, where, "record_ns", &root)) return false;
    wfb_index_open(&d->times, root);
    for (unsigned i = 0; i < wf_table_count; ++i) {
        if (!query_number(d, where, wf_tables[i].name, &root)) return false;
        if (!wfb_tree_open(&d->trees[i], root)) return fail_errno(d, ENOMEM);
    }
    if (!query_number(d, "pragma page_count", NULL, &pages) || !close_sqlite(d)) return false;
    d->fd = open(wf_outfile_path(d->output), O_RDWR | O_CLOEXEC);
    if (d->fd < 0) return fail_errno(d, errno);
    return wfb_pages_open(&d->pages, d->fd, pages) || fail_errno(d, d->pages.error);
}

static char *joined(const char *name, const char *end) {
    size_t len = strlen(name) + strlen(end) + 1;
    char *text = malloc(len);
    if (text) snprintf(text, len, "%s%s", name, end);
    return text;
}

// A database must be a regular file.
static bool create_file(struct wf_database *d, struct wf_files *files) {
    struct stat st;
    char *real = realpath(d->name, NULL); // SQLite's leftovers are beside the file, not its links
    if (real) {
        free(d->name);
        d->name = real;
    }
    if (stat(d->name, &st) == 0 && !S_ISREG(st.st_mode))
        return fail(d, WF_ERR_WRITE, "is no file, which a database is");
    return wf_outfile_open(d->name, WF_MODE_BESIDE, files, &d->output, &d->error) == WF_OK &&
           create(d) && open_trees(d);
}

static void free_pages(struct wf_database *d) {
    for (unsigned i = 0; d->trees && i < wf_table_count; ++i) wfb_tree_free(&d->trees[i]);
    wfb_index_free(&d->times);
    free(d->scratch.bytes);
    d->scratch = (struct wfb_scratch){NULL, 0};
}

static void free_all(struct wf_database *d) {
    free_pages(d);
    free(d->trees);
    free(d->name);
    free(d);
}

int wf_database_open(const char *name, struct wf_files *files, struct wf_database **db,
                     struct wf_error *error) {
    struct wf_database *d = calloc(1, sizeof *d);
    *db = NULL;
    if (d) {
        d->fd = -1;
        d->name = joined(name, "");
        d->trees = calloc(wf_table_count, sizeof *d->trees);
    }
    if (!d || !d->name || !d->trees) {
        if (d) free_all(d);
        return wf_error_code(error, WF_ERR_NOMEM);
    }
    if (!create_file(d, files)) return wf_database_close(d, false, error);
    *db = d;
    return WF_OK;
}

const char *wf_database_path(const struct wf_database *db) { return wf_outfile_path(db->output); }

// ---- rows

bool wf_database_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
    struct wf_database *d = ctx;
    if (d->error.code != WF_OK) return false;
    bool good = wfb_tree_row(&d->trees[table - wf_tables], &d->pages, &d->scratch, cells,
                             table->count, table->numbered);
    if (good && table == d->timed)
        good = wfb_index_add(&d->times, &d->pages, &cells[d->time_column], cells[0].number);
    return good || fail_errno(d, d->pages.error);
}

// ---- close

static bool close_trees(struct wf_database *d) {
    bool good = true;
    for (unsigned i = 0; good && i < wf_table_count; ++i)
        good = wfb_tree_close(&d->trees[i], &d->pages);
    good = good && wfb_index_close(&d->times, &d->pages, &d->times_made);
    good &= wfb_pages_close(&d->pages);
    free_pages(d); // SQLite needs its memory for the indexes
    int fd = d->fd;
    d->fd = -1;
    if (close(fd) != 0 && good) return fail_errno(d, errno);
    return good || fail_errno(d, d->pages.error);
}

static bool make_indexes(struct wf_database *d) {
    if (!open_sqlite(d) || !execute(d, "begin")) return false;
    if (!d->times_made && !execute(d, "reindex record_ns")) return false;
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; ++i) {
        if (!create_index(d, indexes[i])) return false;
    }
    return execute(d, "commit");
}

// SQLite would apply the leftovers of an earlier database of that name to the new one.
static void remove_rest(const struct wf_database *d) {
    static const char *const ends[] = {"-journal", "-wal", "-shm"};
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; ++i) {
        char *rest = joined(d->name, ends[i]);
        if (rest) unlink(rest);
        free(rest);
    }
}

int wf_database_close(struct wf_database *d, bool whole, struct wf_error *error) {
    whole = whole && d->error.code == WF_OK && close_trees(d) && make_indexes(d);
    if (!close_sqlite(d)) whole = false;
    if (d->fd >= 0) {
        wfb_pages_close(&d->pages);
        close(d->fd);
    }
    if (whole) remove_rest(d);
    int err = d->output ? wf_outfile_close(d->output, whole, error) : WF_OK;
    if (d->error.code != WF_OK) {
        *error = d->error;
        err = error->code;
    }
    free_all(d);
    return err;
}
