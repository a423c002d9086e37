// SPDX-License-Identifier: MIT
// `wallfly query`: queries the database of a trace, or a trace itself, for which it makes a
// temporary database.

#include <unistd.h>

#include "query.h"
#include "stream.h"

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
    {"json", 0, NULL, "the answer as JSON, an object for each row"},
    {"tables", 0, NULL, "list tables, their columns and views; needs no FILE"},
    {"md", 0, NULL, "with --tables: as a page of Markdown"},
    {"csv-raw", 0, NULL,
     "as --csv, with texts as they are: without escapes, also those that a spreadsheet would take "
     "for a formula"},
    {NULL, 0, NULL, NULL},
};

static int run(const struct args *args) {
    bool csv = args->value[OPTION_CSV] != NULL, json = args->value[OPTION_JSON] != NULL;
    bool list = args->value[OPTION_TABLES] != NULL, image = args->value[STREAM_IMAGE] != NULL;
    bool raw = args->value[OPTION_CSV_RAW] != NULL;
    if (raw && isatty(STDOUT_FILENO)) { // control characters are never sent to a terminal
        raw = false;
        csv = true;
    }
    enum query_form form = raw ? QUERY_CSV_RAW : csv ? QUERY_CSV : json ? QUERY_JSON : QUERY_TABLE;
    if ((csv || raw) && json) return diag_error(EXIT_USAGE, "query: --csv or --json, not both");
    if (args->value[OPTION_MD] && !list)
        return diag_error(EXIT_USAGE, "query: --md goes with --tables only");
    if (list) {
        query_list(args->value[OPTION_MD] != NULL);
        return EXIT_GOOD;
    }
    if (args->operands != (image ? 1 : 2))
        return diag_error(EXIT_USAGE, "usage: wallfly query FILE \"SQL\", or --tables; see "
                                      "`wallfly help query`");
    const char *sql = args->operand[args->operands - 1];
    const char *name = image ? args->value[STREAM_IMAGE] : args->operand[0];
    if (image || !query_is_database(name)) return query_trace(args, name, sql, form);
    for (unsigned i = 0; i < STREAM_HIDE_OPTIONS; ++i) {
        if (args->value[i])
            return diag_error(EXIT_USAGE, "query: --%s is for traces; %s is a database",
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
    "Queries a trace with SQL.",
    "FILE is a database made by `wallfly convert --to=sqlite`, or any trace, for which a "
    "temporary\n"
    "database is made in $TMPDIR (or /tmp). --tables lists tables, columns and views; "
    "docs/tables.md\n"
    "has examples. The file is only read.\n"
    "\n"
    "    wallfly query trace.bin \"select * from cpu_load\"\n"
    "    wallfly query trace.sqlite \"select ns, words from record where name = 'task_switch'\"",
    options};
