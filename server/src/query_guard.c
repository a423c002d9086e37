// SPDX-License-Identifier: MIT
// Only reading is allowed: the file is opened read-only, and an authorizer rejects statements that
// attach or write another file.

#include "wallfly_server/query_guard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_tables.h"

// load_extension loads code, and fts3_tokenizer shows addresses of this process. A width can make
// printf and format compute for a minute, which no interrupt ends.
static bool is_denied(const char *function, bool untrusted) {
    static const char *const denied[] = {"load_extension", "fts3_tokenizer", "printf", "format"};
    for (unsigned i = 0; i < (untrusted ? 4 : 2); ++i) {
        if (strcmp(function, denied[i]) == 0) return true;
    }
    return false;
}

static int authorize(void *ctx, int action, const char *one, const char *two, const char *three,
                     const char *four) {
    static const char *const pragmas[] = {"table_list",      "table_info",  "table_xinfo",
                                          "index_list",      "index_info",  "index_xinfo",
                                          "integrity_check", "quick_check", "page_count"};
    (void)three, (void)four;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return two && is_denied(two, ctx != NULL) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        for (unsigned i = 0; one && i < sizeof pragmas / sizeof *pragmas; ++i) {
            if (strcmp(one, pragmas[i]) == 0) return SQLITE_OK;
        }
        return SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

void query_fault(sqlite3 *db, const char *sql, char text[512]) {
    int at = sqlite3_error_offset(db), code = sqlite3_errcode(db);
    const char *why = sqlite3_errmsg(db);
    const char *function = strstr(why, "not authorized to use function: ");
    bool unknown = strstr(why, "no such") != NULL;
    if (function)
        snprintf(text, 512, "only queries that read are allowed, without %s",
                 strchr(function, ':') + 2);
    else if (code == SQLITE_AUTH || strstr(why, "not authorized"))
        snprintf(text, 512, "only queries that read are allowed");
    else if (at >= 0)
        snprintf(text, 512, "%s, at character %d: '%.40s'%s", why, at + 1, sql + at,
                 unknown ? "; wallfly query --tables lists tables and columns" : "");
    else
        snprintf(text, 512, "%s", why);
}

// Skips blanks and semicolons before the next statement.
static const char *skip_blanks(const char *sql) { return sql + strspn(sql, " \t\r\n;"); }

bool query_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **s, char text[512]) {
    const char *rest;
    *s = NULL;
    *text = 0;
    if (sqlite3_prepare_v2(db, sql, -1, s, &rest) != SQLITE_OK)
        query_fault(db, sql, text);
    else if (!*s)
        snprintf(text, 512, "there is no query in '%.40s'", sql);
    else if (*skip_blanks(rest))
        snprintf(text, 512, "one query at a time; '%.40s' follows", skip_blanks(rest));
    else if (!sqlite3_stmt_readonly(*s))
        snprintf(text, 512, "only queries that read are allowed");
    if (!*text) return true;
    sqlite3_finalize(*s);
    *s = NULL;
    return false;
}

// Bounds the memory and the work between two looks at an interrupt.
static void limit_queries(sqlite3 *db) {
    static const struct {
        int what, most;
    } limits[] = {{SQLITE_LIMIT_LENGTH, 256 << 10},
                  {SQLITE_LIMIT_SQL_LENGTH, 64 << 10},
                  {SQLITE_LIMIT_COLUMN, 256},
                  {SQLITE_LIMIT_EXPR_DEPTH, 100},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 50},
                  {SQLITE_LIMIT_VDBE_OP, 250000},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
                  {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; ++i)
        sqlite3_limit(db, limits[i].what, limits[i].most);
    sqlite3_hard_heap_limit64(QUERY_MEMORY);
}

int query_open(const char *file, enum query_trust trust, sqlite3 **db) {
    int err = sqlite3_open_v2(file, db, SQLITE_OPEN_READONLY, NULL);
    if (err == SQLITE_OK)
        err = sqlite3_exec(*db,
                           "pragma query_only = 1; pragma trusted_schema = 0;"
                           "pragma cache_size = -16384; select count(*) from sqlite_schema",
                           NULL, NULL, NULL);
    if (err == SQLITE_OK)
        err = sqlite3_exec(
            *db, trust == QUERY_OWN ? "pragma temp_store = file" : "pragma temp_store = memory",
            NULL, NULL, NULL);
    if (err == SQLITE_OK && trust == QUERY_UNTRUSTED) limit_queries(*db);
    if (err == SQLITE_OK)
        sqlite3_set_authorizer(*db, authorize, trust == QUERY_UNTRUSTED ? *db : NULL);
    return err;
}

// ---- cells

// Prints 15 digits if they are exact, else 17. JSON has no infinity.
static void put_real(FILE *out, double v) {
    char text[40];
    snprintf(text, sizeof text, "%.15g", v);
    if (strtod(text, NULL) < v || strtod(text, NULL) > v) snprintf(text, sizeof text, "%.17g", v);
    fputs(isfinite(v) ? text : "null", out);
}

static bool put_text(FILE *out, sqlite3_stmt *s, int column) {
    const char *text = sqlite3_column_blob(s, column);
    size_t len = (size_t)sqlite3_column_bytes(s, column);
    char *to = malloc(6 * len + 2);
    if (!to) return false;
    fwrite(to, 1, wf_table_json_text(text ? text : "", len, to), out);
    free(to);
    return true;
}

bool query_put_json(FILE *out, sqlite3_stmt *s, int column) {
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_NULL: fputs("null", out); return true;
    case SQLITE_INTEGER:
        fprintf(out, "%lld", (long long)sqlite3_column_int64(s, column));
        return true;
    case SQLITE_FLOAT: put_real(out, sqlite3_column_double(s, column)); return true;
    default: return put_text(out, s, column);
    }
}
