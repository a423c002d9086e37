// SPDX-License-Identifier: MIT
// The database has no name once it is complete: the connection still reads it, and nothing is left
// behind when the program is killed. A thread makes its indexes and runs the queries; meanwhile the
// loop runs (replay_report).

#include "wallfly_server/sql_console.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uv.h>

#include "wallfly_host/wf_writer.h"
#include "wallfly_server/json.h"

enum { LOOK_EVERY = 4096, WAIT_NS = 5000000, MEGA = 1000000, NS = 1000000000 };

struct sql_console *sql_console_open(uint64_t size_max) {
    struct sql_console *c = size_max ? calloc(1, sizeof *c) : NULL;
    if (c) c->size_max = size_max;
    return c;
}

static void drop_database(struct sql_console *c) {
    sqlite3_close(c->db);
    c->db = NULL;
}

void sql_console_close(struct sql_console *c) {
    if (!c) return;
    drop_database(c);
    free(c);
}

// ---- a thread that the loop waits for

struct task {
    void (*run)(struct task *task);
    uv_mutex_t lock;
    uv_cond_t turn;
    bool done; // under the lock
};

static void run_thread(void *ctx) {
    struct task *task = ctx;
    task->run(task);
    uv_mutex_lock(&task->lock);
    task->done = true;
    uv_cond_signal(&task->turn);
    uv_mutex_unlock(&task->lock);
}

static bool wait_turn(struct task *task) {
    uv_mutex_lock(&task->lock);
    if (!task->done) uv_cond_timedwait(&task->turn, &task->lock, WAIT_NS);
    bool done = task->done;
    uv_mutex_unlock(&task->lock);
    return done;
}

// Runs the task, and `each` meanwhile. Returns false when there is no thread.
static bool run_task(struct task *task, void (*each)(void *ctx), void *ctx) {
    uv_thread_t thread;
    if (uv_mutex_init(&task->lock) != 0) return false;
    bool good = uv_cond_init(&task->turn) == 0;
    if (good) {
        good = uv_thread_create(&thread, run_thread, task) == 0;
        while (good && !wait_turn(task)) each(ctx);
        if (good) uv_thread_join(&thread);
        uv_cond_destroy(&task->turn);
    }
    uv_mutex_destroy(&task->lock);
    return good;
}

// ---- making the database

struct making {
    struct task task; // the first member: ends the database
    const struct page_query_context *a;
    struct query_temporary file;
    struct wf_writer *writer;
    uint64_t items;
    bool too_large, whole;
    int err;
    struct wf_error *error;
};

static bool is_too_large(const struct making *m) {
    struct stat st;
    return stat(m->file.part, &st) == 0 && (uint64_t)st.st_size > m->a->console->size_max;
}

static bool make_item(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct making *m = ctx;
    (void)number;
    if (!m->writer) {
        const struct wf_writer_options o = {
            .size = sizeof o, .row = wf_database_row, .source = m->a->source};
        m->writer = wf_writer_open(wf_format_find("sqlite"), s, &o, NULL, m->file.db, m->error);
        if (!m->writer) m->err = m->error->code;
    }
    if (!m->writer) return false;
    wf_writer_item(m->writer, item);
    if (++m->items % LOOK_EVERY == 0) m->too_large = is_too_large(m);
    return !m->too_large;
}

static void end_rows(void *ctx) {
    struct making *m = ctx;
    int err = m->writer ? wf_writer_close(m->writer) : WF_OK;
    m->writer = NULL;
    if (m->err == WF_OK && err == WF_ERR_NOMEM) m->err = wf_error_code(m->error, err);
}

static void end_file(struct task *task) {
    struct making *m = (struct making *)(void *)task;
    int err = query_temporary_end(&m->file, m->whole, m->error);
    if (m->whole) m->err = err;
}

static void run_loop(void *ctx) {
    struct making *m = ctx;
    replay_report(&m->a->progress, m->items, m->items + 1);
}

static int refuse_size(const struct making *m) {
    return wf_error_set(m->error, WF_ERR_TOO_MANY,
                        "the database of this trace needs more than %" PRIu64
                        " MB; serve --sql=SIZE allows more, or use wallfly query",
                        m->a->console->size_max / MEGA);
}

static int fill(struct making *m) {
    const struct replay_reading on = {.ctx = m,
                                      .item = make_item,
                                      .end = end_rows,
                                      .progress = m->a->progress,
                                      .names_in_order = true};
    int err = replay_run(m->a->replay, REPLAY_ALL, &on, m->error);
    if (err == WF_OK) err = m->err;
    if (err == WF_OK && (m->too_large || is_too_large(m))) err = refuse_size(m);
    m->whole = err == WF_OK;
    m->task.run = end_file;
    bool ran = run_task(&m->task, run_loop, m);
    if (!ran) end_file(&m->task);
    return m->whole ? m->err : err;
}

static int make_database(const struct page_query_context *a, struct wf_error *error) {
    struct sql_console *c = a->console;
    struct making m = {.a = a, .error = error};
    const uint64_t records = replay_rows(a->replay);
    drop_database(c);
    int err = query_temporary_open(&m.file, error);
    if (err == WF_OK) err = fill(&m);
    if (err == WF_OK && query_open(m.file.file, QUERY_UNTRUSTED, &c->db) != SQLITE_OK) {
        err = wf_error_set(error, WF_ERR_READ, "the temporary database: %.200s",
                           sqlite3_errmsg(c->db));
        drop_database(c);
    }
    query_temporary_close(&m.file);
    c->records = records;
    return err;
}

// ---- a query

struct query {
    struct task task; // the first member
    const struct page_query_context *a;
    const char *sql;
    FILE *out;
    uint64_t began, most; // ns
    bool late, cancelled; // set while the thread runs, read afterwards
    bool more, failed;    // set by the thread
    int code;
    char text[512];
};

static void put_names(struct query *q, sqlite3_stmt *s, int columns) {
    fputs("\"columns\":[", q->out);
    for (int i = 0; i < columns; ++i) {
        if (i) putc(',', q->out);
        json_text(q->out, sqlite3_column_name(s, i));
    }
    fputs("],\"rows\":[", q->out);
}

static void put_row(struct query *q, sqlite3_stmt *s, int columns) {
    for (int i = 0; i < columns; ++i) {
        putc(i ? ',' : '[', q->out);
        if (!query_put_json(q->out, s, i)) q->failed = true;
    }
    putc(']', q->out);
}

static void run_query(struct task *task) {
    struct query *q = (struct query *)(void *)task;
    sqlite3 *db = q->a->console->db;
    sqlite3_stmt *s;
    unsigned rows = 0;
    q->code = SQLITE_ERROR;
    if (!query_prepare(db, q->sql, &s, q->text)) return;
    const int columns = sqlite3_column_count(s);
    const long begin = ftell(q->out);
    put_names(q, s, columns);
    while (!q->failed && (q->code = sqlite3_step(s)) == SQLITE_ROW) {
        q->more = rows == SQL_CONSOLE_ROWS || ftell(q->out) - begin > SQL_CONSOLE_BYTES;
        if (q->more) break;
        if (rows++) fputs(",\n", q->out);
        put_row(q, s, columns);
    }
    if (q->more) q->code = SQLITE_DONE;
    if (q->code != SQLITE_DONE) query_fault(db, q->sql, q->text);
    if (q->code == SQLITE_NOMEM)
        snprintf(q->text, sizeof q->text, "the query needs more than %d MB of memory",
                 QUERY_MEMORY >> 20);
    sqlite3_finalize(s);
}

// Stops the query when its time is over or the page no longer wants it.
static void watch_query(void *ctx) {
    struct query *q = ctx;
    const uint64_t now = uv_hrtime() - q->began;
    q->late |= now > q->most;
    q->cancelled |= !replay_report(&q->a->progress, now / MEGA, q->most / MEGA);
    if (q->late || q->cancelled) sqlite3_interrupt(q->a->console->db);
}

static int end_query(const struct query *q, struct wf_error *error) {
    if (q->failed) return wf_error_code(error, WF_ERR_NOMEM);
    if (q->code == SQLITE_DONE) return WF_OK;
    if (q->cancelled) return WF_ERR_STOPPED;
    if (q->late)
        return wf_error_set(error, WF_ERR_STOPPED,
                            "stopped after %" PRIu64
                            " s: limit it to a part of the trace, or use wallfly query",
                            q->most / NS);
    return wf_error_set(error, WF_ERR_USAGE, "%s", q->text);
}

int page_query_sql(const struct page_query_context *a, const cJSON *ask, FILE *out,
                   struct wf_error *error) {
    const cJSON *sql = cJSON_GetObjectItemCaseSensitive(ask, "sql");
    const cJSON *fresh = cJSON_GetObjectItemCaseSensitive(ask, "fresh");
    int64_t seconds = SQL_CONSOLE_SECONDS;
    if (!a->console)
        return wf_error_set(error, WF_ERR_USAGE, "queries are switched off: serve --sql=off");
    if (!cJSON_IsString(sql)) return wf_error_set(error, WF_ERR_USAGE, "'sql' is no text");
    if (cJSON_HasObjectItem(ask, "seconds") &&
        !page_query_number(ask, "seconds", 1, SQL_CONSOLE_SECONDS, &seconds, error))
        return WF_ERR_USAGE;
    if (!a->console->db || cJSON_IsTrue(fresh)) {
        int err = make_database(a, error);
        if (err != WF_OK) return err;
    }
    struct query q = {.task = {.run = run_query},
                      .a = a,
                      .sql = sql->valuestring,
                      .out = out,
                      .began = uv_hrtime(),
                      .most = (uint64_t)seconds * NS};
    if (!run_task(&q.task, watch_query, &q)) return wf_error_code(error, WF_ERR_NOMEM);
    int err = end_query(&q, error);
    fprintf(out, "],\"more\":%s,\"ms\":%" PRIu64 ",\"read\":%" PRIu64, q.more ? "true" : "false",
            (uv_hrtime() - q.began) / MEGA, a->console->records);
    return err;
}

// ---- tables

int page_query_tables(const struct page_query_context *a, const cJSON *ask, FILE *out,
                      struct wf_error *error) {
    (void)a, (void)ask, (void)error;
    fputs("\"tables\":[", out);
    for (unsigned i = 0; i < wf_table_count; ++i) {
        const struct wf_table *t = &wf_tables[i];
        fputs(i ? "],[" : "[", out);
        json_text(out, t->name);
        putc(',', out);
        json_text(out, t->sentence);
        for (unsigned k = 0; k < t->count; ++k) {
            fputs(k ? ",[" : ",[[", out);
            json_text(out, t->columns[k].name);
            putc(',', out);
            json_text(out, t->columns[k].sentence);
            putc(']', out);
        }
        putc(']', out);
    }
    fputs("]],\"views\":[", out);
    for (unsigned i = 0; i < wf_view_count; ++i) {
        fputs(i ? ",[" : "[", out);
        json_text(out, wf_views[i].name);
        putc(',', out);
        json_text(out, wf_views[i].sentence);
        putc(']', out);
    }
    putc(']', out);
    return WF_OK;
}
