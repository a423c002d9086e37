// SPDX-License-Identifier: MIT
// What `wallfly fleet setup` makes, as SQL and as a page.

#include <stdio.h>

#include "fleet.h"
#include "wallfly_host/wf_fleet_sql.h"

static void print_statement(const struct wf_fleet_sql *sql, bool modern) {
    if (modern == (sql->feature != NULL)) printf("%s;\n", sql->text);
}

void fleet_print_sql(const char *project, bool replicated, bool modern, bool commands) {
    struct wf_fleet_sql sql;
    printf("-- Made by `wallfly fleet setup --sql=%s`; do not edit.\n", modern ? "modern" : "base");
    for (unsigned n = 0; wf_fleet_sql(project, replicated, n, &sql); ++n)
        print_statement(&sql, modern);
    for (unsigned n = 0; commands && wf_fleet_sql_commands(project, replicated, n, &sql); ++n)
        print_statement(&sql, modern);
}

static void print_figures(void) {
    printf("\nKinds of figures:");
#define WF_X(spread, kind, of) printf(" `%s`", kind);
    WF_FLEET_FIGURES(WF_X)
#undef WF_X
    puts("");
}

static void print_columns(const struct wf_fleet_table *table) {
    printf("\n\n| column | type | meaning |\n| --- | --- | --- |\n");
    for (unsigned i = 0; i < table->count; ++i) {
        const struct wf_fleet_column *c = &table->columns[i];
        printf("| `%s` | %s | %s |\n", c->name, wf_fleet_types[c->type].name, c->sentence);
    }
}

void fleet_print_tables(void) {
    puts("# Tables of a project\n\nMade by `wallfly fleet setup --md` from "
         "`host/include/wallfly_host/wf_fleet.h`; do not edit.\n\n"
         "Times are of the target, in ns since its tick 0; in ticks if its rate is not known. Rows "
         "with the\n"
         "same key replace each other: ask for them with `FINAL`.");
    for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t) {
        const struct wf_fleet_table *table = &wf_fleet_tables[t];
        printf("\n## %s\n\nA row: %s. Key: `%s`.", table->name, table->sentence, table->key);
        if (table->days)
            printf(" Kept for %u days where the engine lets rows expire.", table->days);
        print_columns(table);
        if (t == WF_FLEET_TABLE_FIGURE) print_figures();
    }
    const struct wf_fleet_table *command = &wf_fleet_command_table;
    printf("\n## %s\n\nA row: %s. Rows do not replace each other; sorted by `%s`. Made only by\n"
           "`wallfly fleet setup --commands`: without it no commands can be sent.",
           command->name, command->sentence, command->key);
    print_columns(command);
}
