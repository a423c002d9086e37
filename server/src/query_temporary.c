// SPDX-License-Identifier: MIT
// One folder for all databases of the program. The list of files is only changed by the program
// itself, entry by entry, so that a signal handler can read it.

#include "wallfly_server/query_temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wallfly_server/store.h"

static char folder[256];
static struct query_temporary *first;
static unsigned number;

static void remove_file(const struct query_temporary *t) {
    if (*t->part) unlink(t->part);
    unlink(t->file);
}

void query_temporaries_remove(void) {
    for (const struct query_temporary *t = first; t; t = t->next) remove_file(t);
    if (*folder) rmdir(folder);
}

static int make_folder(struct wf_error *error) {
    const char *in = temporary_folder();
    char name[sizeof folder];
    int n = snprintf(name, sizeof name, "%s/wallflyXXXXXX", in);
    if (n >= (int)sizeof name) errno = ENAMETOOLONG;
    if (n >= (int)sizeof name || !mkdtemp(name))
        return wf_error_set(error, WF_ERR_WRITE,
                            "%.120s: %s; TMPDIR names the folder for a temporary database", in,
                            strerror(errno));
    memcpy(folder, name, sizeof folder);
    return WF_OK;
}

int query_temporary_open(struct query_temporary *t, struct wf_error *error) {
    *t = (struct query_temporary){.next = first};
    if (!first && make_folder(error) != WF_OK) return WF_ERR_WRITE;
    snprintf(t->file, sizeof t->file, "%s/trace%u.sqlite", folder, number++);
    first = t;
    int err = wf_database_open(t->file, NULL, &t->db, error);
    if (err == WF_OK) snprintf(t->part, sizeof t->part, "%s", wf_database_path(t->db));
    return err;
}

int query_temporary_end(struct query_temporary *t, bool whole, struct wf_error *error) {
    struct wf_database *db = t->db;
    t->db = NULL;
    return db ? wf_database_close(db, whole, error) : WF_OK;
}

void query_temporary_close(struct query_temporary *t) {
    struct wf_error error;
    query_temporary_end(t, false, &error);
    remove_file(t);
    for (struct query_temporary **at = &first; *at; at = &(*at)->next) {
        if (*at != t) continue;
        *at = t->next;
        break;
    }
    if (first) return;
    if (*folder) rmdir(folder);
    *folder = 0;
}
