// SPDX-License-Identifier: MIT
// Queries of a database that can only read.
#ifndef QUERY_GUARD_H
#define QUERY_GUARD_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

enum query_trust {
    QUERY_OWN,       // the user's own queries: large ones use temporary files
    QUERY_UNTRUSTED, // of a page: memory only, of which SQLite gets QUERY_MEMORY in this process,
                     // and values, texts and nesting are limited
};
enum { QUERY_MEMORY = 256 << 20 };

// Opens a database file and reads its schema, so that an invalid file is not reported as an error
// of a query. Returns a code of SQLite; close *db in any case.
int query_open(const char *file, enum query_trust trust, sqlite3 **db);
// Compiles one query. Returns false with a text for the user; then *s is null.
bool query_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **s, char text[512]);
// Formats the last error of a query for the user.
void query_fault(sqlite3 *db, const char *sql, char text[512]);
// Prints a cell as JSON: texts as wf_table_json_text, a number that JSON does not have as null.
// Returns false when out of memory.
bool query_put_json(FILE *out, sqlite3_stmt *s, int column);

#endif
