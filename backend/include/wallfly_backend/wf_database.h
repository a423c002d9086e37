// SPDX-License-Identifier: MIT
// A trace as an SQLite database: writes the rows of a writer (wf_tables.h) into tables with
// indexes, and adds views for common questions (docs/tables.md). It is written under a temporary
// name and renamed when complete, so a file with the final name is never incomplete. Use a database
// from one thread at a time.
#ifndef WF_DATABASE_H
#define WF_DATABASE_H

#include "wallfly_backend/wf_outfile.h"
#include "wallfly_host/wf_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_database;

struct wf_view {
    const char *name, *sentence, *sql; // sql: the select statement
};
extern const struct wf_view wf_views[];
extern const unsigned wf_view_count;

// Identifies the file as a trace: `pragma application_id` in its header.
enum { WF_DATABASE_ID = 0x57664C79 }; // "WfLy"

// Creates a database. An existing file of this name is replaced on close.
//   files    files that it must not replace (wf_outfile.h); may be null
//   error    on an error the fault and the remedy
//   returns  WF_OK, WF_ERR_USAGE, WF_ERR_WRITE, WF_ERR_NOMEM
int wf_database_open(const char *name, struct wf_files *files, struct wf_database **db,
                     struct wf_error *error);
// Returns the temporary name that it has until it is closed.
const char *wf_database_path(const struct wf_database *db);
// A wf_row_fn; ctx is the database. Returns false after an error, which wf_database_close returns;
// nothing more is written.
bool wf_database_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells);
// Closes and frees the database.
//   whole    true: make the indexes and views and rename it; false: remove it
//   returns  WF_OK, or the first error
int wf_database_close(struct wf_database *db, bool whole, struct wf_error *error);

#ifdef __cplusplus
}
#endif
#endif
