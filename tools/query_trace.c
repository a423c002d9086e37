// SPDX-License-Identifier: MIT
// Queries of a trace: makes a temporary database of it.

#include "query.h"

#include <unistd.h>

#include "stream.h"
#include "term/signals.h"
#include "wallfly_server/query_temporary.h"

static void on_signal(int signal) {
    query_temporaries_remove();
    _exit(128 + signal);
}

void query_temporaries_catch(void) { signals_catch(on_signal); }

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
    query_temporaries_catch(); // stream_rate installed other handlers
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
    struct query_temporary t;
    struct wf_error error;
    int verdict = EXIT_GOOD, code = EXIT_GOOD;
    query_temporaries_catch();
    if (query_temporary_open(&t, &error) != WF_OK) {
        code = diag_error(EXIT_INPUT, "%s", error.text);
    } else {
        code = fill_database(args, name, t.db, &verdict);
        query_temporaries_catch(); // a live source installed other handlers
        if (query_temporary_end(&t, code == EXIT_GOOD, &error) != WF_OK && code == EXIT_GOOD)
            code = diag_error(EXIT_INPUT, "%s", error.text);
    }
    if (code == EXIT_GOOD) code = query_run(t.file, name, sql, form);
    query_temporary_close(&t);
    return code == EXIT_GOOD ? verdict : code;
}
