// SPDX-License-Identifier: MIT
// Read-only queries of a database; answers as a text table, as CSV or as JSON.
#ifndef QUERY_H
#define QUERY_H

#include "cmd.h"

enum query_form { QUERY_TABLE, QUERY_CSV, QUERY_CSV_RAW, QUERY_JSON };

// Runs queries on a database file. shown: the file's name for messages. Returns an exit code, after
// an error message.
int query_run(const char *file, const char *shown, const char *sql, enum query_form form);
// (query_trace.c) The same for a trace, which args name, with the options of a stream and --hide.
int query_trace(const struct args *args, const char *name, const char *sql, enum query_form form);
// (query_trace.c) Lets SIGINT, SIGTERM and SIGHUP remove the temporary databases and end the
// program.
void query_temporaries_catch(void);
// Lists tables with their columns, and views. markdown: as a Markdown page.
void query_list(bool markdown);
// Returns whether the file has the header of an SQLite database.
bool query_is_database(const char *file);

#endif
