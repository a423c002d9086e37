// SPDX-License-Identifier: MIT
// Only reading is allowed: the file is opened read-only, and an authorizer rejects statements that
// attach or write another file.

#include "query_guard.h"

#include <stdio.h>
#include <string.h>

static int authorize(void *ctx, int action, const char *one, const char *two, const char *three,
                     const char *four) {
    static const char *const pragmas[] = {"table_list",      "table_info",  "table_xinfo",
                                          "index_list",      "index_info",  "index_xinfo",
                                          "integrity_check", "quick_check", "page_count"};
    (void)ctx, (void)three, (void)four;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION:
        return two && strcmp(two, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
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
    bool unknown = strstr(why, "no such") != NULL;
    if (code == SQLITE_AUTH || strstr(why, "not authorized"))
        snprintf(text, 512, "only queries that read are allowed");
    else if (at >= 0)
        snprintf(text, 512, "%s, at character %d: '%.40s'%s", why, at + 1, sql + at,
                 unknown ? "; --tables lists what there is" : "");
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

int query_open(const char *file, sqlite3 **db) {
    int err = sqlite3_open_v2(file, db, SQLITE_OPEN_READONLY, NULL);
    if (err == SQLITE_OK)
        err = sqlite3_exec(*db,
                           "pragma query_only = 1; pragma trusted_schema = 0;"
                           "pragma cache_size = -16384; pragma temp_store = file;"
                           "select count(*) from sqlite_schema",
                           NULL, NULL, NULL);
    if (err == SQLITE_OK) sqlite3_set_authorizer(*db, authorize, NULL);
    return err;
}
