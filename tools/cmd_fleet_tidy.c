// SPDX-License-Identifier: MIT
// `wallfly fleet tidy`: drops rows of days that are over, in engines where rows do not expire.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/fleet.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { TIDY_LIST = FLEET_OPTIONS };

static const struct option_row options[] = {
    FLEET_ROWS,
    {"list", 0, NULL, "lists what would be dropped, and drops nothing"},
    {NULL, 0, NULL, NULL},
};

// A partition is a day. Returns an exit code.
static int drop_day(struct fleet *f, const char *table, const char *day, bool list) {
    char sql[512];
    printf("%s.%s: %s%s\n", f->project, table, day, list ? "" : " dropped");
    if (list) return EXIT_GOOD;
    snprintf(sql, sizeof sql, "ALTER TABLE %s.%s DROP PARTITION '%s'", f->project, table, day);
    return fleet_run(f, sql, NULL);
}

// The days are the engine's own texts: digits and -.
static bool is_day(const char *text) {
    return strlen(text) == 10 && strspn(text, "0123456789-") == 10;
}

static int tidy_table(struct fleet *f, const struct wf_fleet_table *table, bool list) {
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT DISTINCT toString(day) AS d FROM %s.%s WHERE day < today() - %u ORDER BY d",
             f->project, table->name, table->days);
    int code = fleet_run(f, sql, NULL);
    if (code != EXIT_GOOD) return code;
    char *days = strdup(wf_engine_answer(f->engine, NULL));
    if (!days) return out_of_memory();
    for (char *day = days; *day && code == EXIT_GOOD;) {
        char *end = day + strcspn(day, "\n"), *next = end + (*end != 0);
        *end = 0;
        code = is_day(day) ? drop_day(f, table->name, day, list)
                           : diag_error(EXIT_INPUT, "%s: '%.40s' is no day", f->url, day);
        day = next;
    }
    free(days);
    return code;
}

static int tidy(struct fleet *f, bool list) {
    bool expires;
    int code = fleet_check_tables(f);
    if (code == EXIT_GOOD)
        code = fleet_has(f, "system.merge_tree_settings", "merge_with_ttl_timeout", &expires);
    if (code == EXIT_GOOD && expires) {
        printf("%s: rows expire by themselves in this engine\n", f->project);
        return EXIT_GOOD;
    }
    for (unsigned t = 0; t < WF_FLEET_TABLE_END && code == EXIT_GOOD; ++t)
        if (wf_fleet_tables[t].days) code = tidy_table(f, &wf_fleet_tables[t], list);
    return code;
}

static int run(const struct args *args) {
    struct fleet f = {.engine = NULL};
    int code = fleet_open(&f, args);
    if (code == EXIT_GOOD) code = tidy(&f, args->value[TIDY_LIST] != NULL);
    fleet_close(&f);
    return code;
}

const struct cmd cmd_fleet_tidy = {
    "fleet tidy",
    run,
    "URL",
    1,
    1,
    "Drops rows that are too old, where the engine does not do it by itself.",
    "Newer engines let rows expire (`wallfly fleet setup` tells them when). In older ones this "
    "drops\n"
    "the days that are over, as many as docs/fleet-tables.md says for each table; run it once a "
    "day.\n"
    "The day of a row is that of its trace, not of its loading.",
    options};
