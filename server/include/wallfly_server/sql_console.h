// SPDX-License-Identifier: MIT
// SQL queries of pages: on the tables of `wallfly query`, in a temporary database that is made at
// the first query. Queries are untrusted: they only read, and their time, memory and answer are
// bounded. They run on a thread of their own.
#ifndef SQL_CONSOLE_H
#define SQL_CONSOLE_H

#include "wallfly_server/page_query.h"
#include "wallfly_server/query_guard.h"
#include "wallfly_server/query_temporary.h"

enum {
    SQL_CONSOLE_ROWS = 10000,    // most rows of an answer
    SQL_CONSOLE_BYTES = 8 << 20, // and about as many bytes
    SQL_CONSOLE_SECONDS = 30,    // most of a query
};

struct sql_console {
    uint64_t size_max; // bytes of the database's file
    // Private.
    sqlite3 *db;      // null: not made yet
    uint64_t records; // of the trace when it was made
};

// size_max: of the database; 0: no console.
//   returns  null without one, or when out of memory
struct sql_console *sql_console_open(uint64_t size_max);
void sql_console_close(struct sql_console *c);

// Request `sql`: the text of a query; `fresh`: make the database again; `seconds` of the query.
page_query_fn page_query_sql;
// Request `tables`: lists tables, columns and views.
page_query_fn page_query_tables;

#endif
