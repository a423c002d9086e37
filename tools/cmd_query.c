// SPDX-License-Identifier: MIT
// `wallfly query`: queries the database of a trace, or a trace itself, for which it makes a
// temporary database.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ending.h"
#include "query.h"
#include "stream.h"
#include "wallfly_backend/wf_database.h"

enum {
    OPTION_CSV = STREAM_HIDE_OPTIONS,
    OPTION_JSON,
    OPTION_TABLES,
    OPTION_MD,
    OPTION_CSV_RAW,
};

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    STREAM_HIDE_ROWS,
    {"csv", 0, NULL, "the answer as CSV"},
    {"json", 0, NULL, "the answer as JSON, an object a row"},
    {"tables", 0, NULL, "list tables, their columns and views; needs no FILE"},
    {"md", 0, NULL, "with --tables: as a page of Markdown"},
    {"csv-raw", 0, NULL,
     "as --csv, with texts as they are: without escapes, also those that a spreadsheet would take "
     "for a formula"},
    {NULL, 0, NULL, NULL},
};

// ---- temporary database

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
    const char *in = getenv("TMPDIR");
    if (!in || !*in) in = "/tmp";
    int n = snprintf(temporary.folder, sizeof temporary.folder, "%s/wallflyXXXXXX", in);
    if (n >= (int)sizeof temporary.folder) errno = ENAMETOOLONG;
    if (n >= (int)sizeof temporary.folder || !mkdtemp(temporary.folder)) {
        complain(EXIT_INPUT, "%s: %s; TMPDIR says where there is room for a database", in,
                 strerror(errno));
        return false;
    }
    snprintf(temporary.file, sizeof temporary.file, "%s/trace.sqlite", temporary.folder);
    temporary.part[0] = 0;
    ending_catch(on_signal);
    return true;
}

// Writes the trace's rows to the database. Returns an exit code; *judged is the verdict on the
// trace, which does not prevent the query.
static int fill(const struct args *args, struct wf_database *db, int *judged) {
    struct stream_out out = {.format = wf_format_find("sqlite"), .ctx = db};
    struct stream s = {.outs = &out, .out_count = 1, .single = true, .outs_tell = true};
    out.options.row = wf_database_row;
    out.options.source = args->value[STREAM_IMAGE] ? args->value[STREAM_IMAGE] : args->operand[0];
    struct args source = *args;
    source.operands = args->value[STREAM_IMAGE] ? 0 : 1;
    if (!stream_hide(&s, args)) return EXIT_USAGE;
    int code = stream_rate(&source, &s.rate);
    ending_catch(on_signal); // stream_rate installed other handlers
    if (code == EXIT_GOOD) code = stream_open(&s, &source);
    if (code != EXIT_GOOD) return code;
    code = stream_run(&s, true);
    if (code == EXIT_GOOD && s.interrupted && !s.live)
        code = complain(EXIT_INPUT, "%s: interrupted", s.name);
    *judged = code == EXIT_GOOD ? stream_judge(&s) : code;
    if (*judged != EXIT_LOSS) code = *judged;
    // Write errors are reported when the database is closed.
    return stream_close(&s) == WF_ERR_NOMEM && code == EXIT_GOOD
               ? complain(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM))
               : code;
}

static int ask_trace(const struct args *args, const char *name, const char *sql,
                     enum query_form form) {
    struct wf_database *db;
    char why[256];
    int judged = EXIT_GOOD;
    if (!make_temporary()) return EXIT_INPUT;
    int code = wf_database_open(temporary.file, NULL, &db, why);
    if (code != WF_OK) {
        code = complain(EXIT_INPUT, "%s", why);
    } else {
        snprintf(temporary.part, sizeof temporary.part, "%s", wf_database_path(db));
        code = fill(args, db, &judged);
        ending_catch(on_signal); // a live source installed other handlers
        if (wf_database_close(db, code == EXIT_GOOD, why) != WF_OK && code == EXIT_GOOD)
            code = complain(EXIT_INPUT, "%s", why);
    }
    if (code == EXIT_GOOD) code = query_run(temporary.file, name, sql, form);
    remove_temporary();
    return code == EXIT_GOOD ? judged : code;
}

// ---- the command

static int run(const struct args *args) {
    bool csv = args->value[OPTION_CSV] != NULL, json = args->value[OPTION_JSON] != NULL;
    bool list = args->value[OPTION_TABLES] != NULL, image = args->value[STREAM_IMAGE] != NULL;
    bool raw = args->value[OPTION_CSV_RAW] != NULL;
    if (raw && isatty(STDOUT_FILENO)) { // control characters are never sent to a terminal
        raw = false;
        csv = true;
    }
    enum query_form form = raw ? QUERY_CSV_RAW : csv ? QUERY_CSV : json ? QUERY_JSON : QUERY_TABLE;
    if ((csv || raw) && json) return complain(EXIT_USAGE, "query: --csv or --json, not both");
    if (args->value[OPTION_MD] && !list)
        return complain(EXIT_USAGE, "query: --md goes with --tables only");
    if (list) {
        query_list(args->value[OPTION_MD] != NULL);
        return EXIT_GOOD;
    }
    if (args->operands != (image ? 1 : 2))
        return complain(EXIT_USAGE, "usage: wallfly query FILE \"SQL\", or --tables; see "
                                    "`wallfly help query`");
    const char *sql = args->operand[args->operands - 1];
    const char *name = image ? args->value[STREAM_IMAGE] : args->operand[0];
    if (image || !query_is_database(name)) return ask_trace(args, name, sql, form);
    for (unsigned i = 0; i < STREAM_HIDE_OPTIONS; ++i) {
        if (args->value[i])
            return complain(EXIT_USAGE, "query: --%s is for traces; %s is a database",
                            options[i].name, name);
    }
    return query_run(name, name, sql, form);
}

const struct cmd cmd_query = {
    "query",
    run,
    "FILE|SOURCE \"SQL\"",
    0,
    2,
    "Asks a trace in SQL.",
    "FILE is a database made by `wallfly convert --to=sqlite`, or any trace: then a database is "
    "made\n"
    "in $TMPDIR (or /tmp) for the time of the question. --tables lists tables, columns and views;\n"
    "docs/tables.md has examples. Nothing is ever changed.\n"
    "\n"
    "    wallfly query trace.bin \"select * from cpu_load\"\n"
    "    wallfly query trace.sqlite \"select ns, words from record where name = 'task_switch'\"",
    options};
