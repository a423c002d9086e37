// SPDX-License-Identifier: MIT
// Questions to a database: read-only, answers as a table for people, as CSV or as JSON.
#ifndef QUERY_H
#define QUERY_H

#include <stdbool.h>

enum query_form { QUERY_TABLE, QUERY_CSV, QUERY_CSV_RAW, QUERY_JSON };

// Asks the file. shown: its name for messages. Returns an exit code after complaining.
int query_run(const char *file, const char *shown, const char *sql, enum query_form form);
// Lists tables with their columns, and views. markdown: as a page.
void query_list(bool markdown);
// Whether the file begins as an SQLite database does.
bool query_is_database(const char *file);

#endif
