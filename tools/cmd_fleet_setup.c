// SPDX-License-Identifier: MIT
// `wallfly fleet setup`: makes the tables of a project in ClickHouse, or prints their SQL.

#include <stdio.h>
#include <string.h>

#include "fleet/fleet.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { SETUP_REPLICATED = FLEET_OPTIONS, SETUP_COMMANDS, SETUP_SQL, SETUP_MD };

static const struct option_row options[] = {
    FLEET_ROWS,
    {"replicated", 0, NULL,
     "for one of several servers that have the same rows, by ZooKeeper or Keeper, with the macros "
     "shard and replica in their configuration; run it for each"},
    {"commands", 0, NULL,
     "also makes the table `command`, and so permits commands to devices (`wallfly fleet send`) to "
     "users of the engine who may insert into it"},
    {"sql", 0, "PART",
     "prints the statements and runs none; needs no URL. PART: base, for all engines, or modern, "
     "for those that have codecs, expiry, tokens and fsync"},
    {"md", 0, NULL, "lists the tables and their columns as a page of Markdown; needs no URL"},
    {NULL, 0, NULL, NULL},
};

// ---- making

struct making {
    const char *feature;  // of the last statement: those of one feature follow each other
    bool has;             // the engine has the feature
    const char *settings; // for statements
};

static int make(struct fleet *f, const struct wf_fleet_sql *sql, struct making *m) {
    if (sql->feature && sql->feature != m->feature) {
        int code = fleet_has(f, sql->of, sql->setting, &m->has);
        if (code != EXIT_GOOD) return code;
        m->feature = sql->feature;
        printf("%s: %s\n", m->feature, m->has ? "set" : "this engine has none");
    }
    return sql->feature && !m->has ? EXIT_GOOD : fleet_run(f, sql->text, m->settings);
}

// The type of names was an experiment in old engines.
static int ask_engine(struct fleet *f, struct making *m) {
    bool experimental;
    int code = fleet_run(f, "SELECT version()", NULL);
    if (code != EXIT_GOOD) return code;
    const char *version = wf_engine_answer(f->engine, NULL);
    if (*version < '0' || *version > '9')
        return diag_error(EXIT_INPUT, "%s: is not a ClickHouse server: it has no version", f->url);
    printf("ClickHouse %s\n", shown_text(version));
    code =
        fleet_has(f, "system.settings", "allow_experimental_low_cardinality_type", &experimental);
    m->settings = experimental ? "allow_experimental_low_cardinality_type=1" : NULL;
    return code;
}

static int permit_commands(struct fleet *f, bool replicated, struct making *m) {
    struct wf_fleet_sql sql;
    int code = EXIT_GOOD;
    for (unsigned n = 0; code == EXIT_GOOD; ++n) {
        if (!wf_fleet_sql_commands(f->project, replicated, n, &sql)) break;
        code = make(f, &sql, m);
        if (code == EXIT_GOOD && n == 0) code = fleet_check_table(f, &wf_fleet_command_table);
    }
    if (code == EXIT_GOOD) printf("%s: commands to devices are permitted\n", f->project);
    return code;
}

static int make_all(struct fleet *f, bool replicated, bool commands) {
    struct making m = {0};
    struct wf_fleet_sql sql;
    int code = ask_engine(f, &m);
    for (unsigned n = 0; code == EXIT_GOOD && wf_fleet_sql(f->project, replicated, n, &sql); ++n) {
        code = make(f, &sql, &m);
        // The tables are there; what follows alters them.
        if (code == EXIT_GOOD && n == WF_FLEET_TABLE_END) code = fleet_check_tables(f);
    }
    if (code == EXIT_GOOD) printf("%s: %d tables\n", f->project, WF_FLEET_TABLE_END);
    return code == EXIT_GOOD && commands ? permit_commands(f, replicated, &m) : code;
}

static int run(const struct args *args) {
    static const char *const parts[] = {"base", "modern", NULL};
    unsigned part = 0;
    const char *sql = args->value[SETUP_SQL], *project = fleet_project(args);
    const bool lists = sql || args->value[SETUP_MD], replicated = args->value[SETUP_REPLICATED],
               commands = args->value[SETUP_COMMANDS];
    if (!project || !parse_choice("--sql", sql, parts, &part)) return EXIT_USAGE;
    if (lists != (args->operands == 0))
        return diag_error(EXIT_USAGE,
                          lists ? "--sql and --md take no URL, as they run nothing"
                                : "usage: wallfly fleet setup URL; see `wallfly help fleet setup`");
    if (sql) fleet_print_sql(project, replicated, part == 1, commands);
    if (args->value[SETUP_MD]) fleet_print_tables();
    if (lists) return EXIT_GOOD;
    struct fleet f = {.engine = NULL};
    int code = fleet_open(&f, args);
    if (code == EXIT_GOOD) code = make_all(&f, replicated, commands);
    fleet_close(&f);
    return code;
}

const struct cmd cmd_fleet_setup = {
    "fleet setup",
    run,
    "[URL]",
    0,
    1,
    "Makes the tables of many devices in a ClickHouse server.",
    "URL is that of the server's HTTP interface. It can be run again: tables that are there keep\n"
    "their rows, and get what a newer engine can. docs/fleet-tables.md lists their columns.\n"
    "\n"
    "    wallfly fleet setup http://localhost:8123 --project=pilot",
    options};
