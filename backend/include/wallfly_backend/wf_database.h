// SPDX-License-Identifier: MIT
// A trace as an SQLite database: takes the rows of a writer (wf_tables.h) and makes of them tables
// with indexes, and views for common questions (docs/tables.md). It is written beside its name and
// moved there when it is whole, so that what has the name is never half of a trace.
// A database is for one thread at a time.
#ifndef WF_DATABASE_H
#define WF_DATABASE_H

#include "wallfly_backend/wf_outfile.h"
#include "wallfly_host/wf_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_database;

struct wf_view {
    const char *name, *sentence, *sql; // sql: the select
};
extern const struct wf_view wf_views[];
extern const unsigned wf_view_count;

// In the header of the file, by which it is known as a trace's: `pragma application_id`.
enum { WF_DATABASE_ID = 0x57664C79 }; // "WfLy"

// Begins a database. A file of this name is replaced when it is closed.
//   files    which it must not replace (wf_outfile.h); may be null
//   why      on an error what is wrong and what to do
//   returns  WF_OK, WF_ERR_USAGE, WF_ERR_WRITE, WF_ERR_NOMEM
int wf_database_open(const char *name, struct wf_files *files, struct wf_database **db,
                     char why[256]);
// The temporary name that it has until it is closed.
const char *wf_database_path(const struct wf_database *db);
// A wf_row_fn; ctx is the database. False: nothing more is written;
// wf_database_close returns the reason.
bool wf_database_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells);
// Ends it and frees.
//   whole    make indexes and views, and give it its name; false: remove it
//   returns  WF_OK, or the error that there was first (why)
int wf_database_close(struct wf_database *db, bool whole, char why[256]);

#ifdef __cplusplus
}
#endif
#endif
