// SPDX-License-Identifier: MIT
// Queries of a database that can only read.
#ifndef QUERY_GUARD_H
#define QUERY_GUARD_H

#include <sqlite3.h>
#include <stdbool.h>

// Opens a database file and reads its schema, so that an invalid file is not reported as an error
// of a query. Returns a code of SQLite; close *db in any case.
int query_open(const char *file, sqlite3 **db);
// Compiles one query. Returns false with a text for the user; then *s is null.
bool query_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **s, char text[512]);
// Formats the last error of a query for the user.
void query_fault(sqlite3 *db, const char *sql, char text[512]);

#endif
