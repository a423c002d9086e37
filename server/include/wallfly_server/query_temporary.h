// SPDX-License-Identifier: MIT
// Temporary databases of traces, removed at the end and by a signal.
#ifndef QUERY_TEMPORARY_H
#define QUERY_TEMPORARY_H

#include "wallfly_backend/wf_database.h"

struct query_temporary {
    struct wf_database *db; // null: closed
    char file[320], part[4096];
    struct query_temporary *next;
};

// Creates a database in the folder for temporary files. Returns WF_OK, or an error with a text for
// the user.
int query_temporary_open(struct query_temporary *t, struct wf_error *error);
// Closes the database, which can then be opened by its file's name. Returns as wf_database_close.
int query_temporary_end(struct query_temporary *t, bool whole, struct wf_error *error);
// Removes the file. An open connection can still read it.
void query_temporary_close(struct query_temporary *t);
// Removes all files, before the program ends in another way. Safe to call in a signal handler.
void query_temporaries_remove(void);

#endif
