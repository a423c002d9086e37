// SPDX-License-Identifier: MIT
// A trace as an SQLite database: takes the rows of a writer (wf_tables.h) and makes of them tables
// with indexes, and views for common questions (docs/tables.md). It is written beside its name and
// moved there when it is whole, so that what has the name is never half of a trace.
// A database is for one thread at a time.
#ifndef WF_DATABASE_H
#define WF_DATABASE_H

#include "wallfly_host/wf_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_database;

struct wf_database_options {
    bool overwrite; // a file that is there
    bool temporary; // no name: a file that is gone when it is closed; for wf_database_query
};

// Begins a database.
//   why      on an error what is wrong and what to do
//   returns  WF_OK, WF_ERR_USAGE (the file exists), WF_ERR_WRITE, WF_ERR_NOMEM
int wf_database_open(const char *name, const struct wf_database_options *options,
                     struct wf_database **db, char why[256]);
// A wf_row_fn; ctx is the database. False: nothing is written any more, wf_database_close says why.
bool wf_database_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells);
// Ends it and frees.
//   whole    make indexes and views, and give it its name; false: remove it
//   returns  WF_OK, or the error that there was first (why)
int wf_database_close(struct wf_database *db, bool whole, char why[256]);

#ifdef __cplusplus
}
#endif
#endif
