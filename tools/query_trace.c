// SPDX-License-Identifier: MIT
// Queries of a trace: makes a temporary database of it.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query.h"
#include "stream.h"
#include "term/signals.h"
#include "wallfly_backend/wf_database.h"
#include "wallfly_server/store.h"

static struct { char folder[256], file[280], part[4096]; } temporary;

static void remove_temporary(void) {
    if (*temporary.part) unlink(temporary.part);
    unlink(temporary.file);
    rmdir(temporary.folder);
}

static void on_signal(int signal) {
    remove_temporary();
    _exit(128 + signal);
}

static bool make_temporary(void) {
    const char *in = temporary_folder();
    int n = snprintf(temporary.folder, sizeof temporary.folder, "%s/wallflyXXXXXX", in);
    if (n >= (int)sizeof temporary.folder) errno = ENAMETOOLONG;
    if (n >= (int)sizeof temporary.folder || !mkdtemp(temporary.folder)) {
        diag_error(EXIT_INPUT, "%s: %s; TMPDIR names the folder for a temporary database", in,
                   strerror(errno));
        return false;
    }
    snprintf(temporary.file, sizeof temporary.file, "%s/trace.sqlite", temporary.folder);
    temporary.part[0] = 0;
    signals_catch(on_signal);
    return true;
}

// Writes the trace's rows to the database. Returns an exit code; *verdict is the verdict on the
// trace, which does not prevent the query.
static int fill_database(const struct args *args, const char *name, struct wf_database *db,
                         int *verdict) {
    struct stream_out out = {
        .format = wf_format_find("sqlite"), .options = {.size = sizeof out.options}, .ctx = db};
    struct stream s = {.outs = &out, .out_count = 1, .single = true, .outs_report = true};
    out.options.row = wf_database_row;
    out.options.source = name;
    struct args source = *args;
    source.operands = args->value[STREAM_IMAGE] ? 0 : 1;
    if (!stream_hide(&s, args)) return EXIT_USAGE;
    int code = stream_rate(&source, &s.rate);
    signals_catch(on_signal); // stream_rate installed other handlers
    if (code == EXIT_GOOD) code = stream_open(&s, &source);
    if (code != EXIT_GOOD) return code;
    code = stream_run(&s, true);
    if (code == EXIT_GOOD && s.source.interrupted && !s.live)
        code = diag_error(EXIT_INPUT, "%s: interrupted", s.name);
    *verdict = code == EXIT_GOOD ? stream_verdict(&s) : code;
    if (*verdict != EXIT_LOSS) code = *verdict;
    // Write errors are reported when the database is closed.
    return stream_close(&s) == WF_ERR_NOMEM && code == EXIT_GOOD ? out_of_memory() : code;
}

int query_trace(const struct args *args, const char *name, const char *sql, enum query_form form) {
    struct wf_database *db;
    struct wf_error error;
    int verdict = EXIT_GOOD;
    if (!make_temporary()) return EXIT_INPUT;
    int code = wf_database_open(temporary.file, NULL, &db, &error);
    if (code != WF_OK) {
        code = diag_error(EXIT_INPUT, "%s", error.text);
    } else {
        snprintf(temporary.part, sizeof temporary.part, "%s", wf_database_path(db));
        code = fill_database(args, name, db, &verdict);
        signals_catch(on_signal); // a live source installed other handlers
        if (wf_database_close(db, code == EXIT_GOOD, &error) != WF_OK && code == EXIT_GOOD)
            code = diag_error(EXIT_INPUT, "%s", error.text);
    }
    if (code == EXIT_GOOD) code = query_run(temporary.file, name, sql, form);
    remove_temporary();
    return code == EXIT_GOOD ? verdict : code;
}
