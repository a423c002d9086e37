// SPDX-License-Identifier: MIT
// See fleet.h.

#include "fleet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"

const char *fleet_project(const struct args *args) {
    const char *project = args->value[FLEET_PROJECT];
    if (!project) project = "wallfly";
    if (wf_fleet_is_project(project)) return project;
    diag_error(EXIT_USAGE, "--project: '%s' is not a name of letters, digits and _, at most %d",
               project, WF_FLEET_PROJECT_MAX);
    return NULL;
}

bool fleet_parse_build(const char *text, uint32_t *build) {
    *build = 0;
    if (!text) return true;
    const size_t len = strspn(text, "0123456789abcdefABCDEF");
    *build = (uint32_t)strtoul(text, NULL, 16);
    if (len >= 1 && len <= 8 && !text[len] && *build) return true;
    diag_error(
        EXIT_USAGE,
        "--build: '%s' is no build id as `wallfly info` prints it: up to 8 hexadecimal digits",
        text);
    return false;
}

int fleet_read_password(const char *name, const char *variable, char *to, size_t cap) {
    const char *from_environment = getenv(variable);
    if (!name) {
        if (from_environment && strlen(from_environment) >= cap)
            return diag_error(EXIT_USAGE, "%s: longer than %zu bytes", variable, cap - 1);
        snprintf(to, cap, "%s", from_environment ? from_environment : "");
        return EXIT_GOOD;
    }
    FILE *file = fopen(name, "r");
    if (!file) return diag_error(EXIT_INPUT, "%s: %s", name, strerror(errno));
    bool read = fgets(to, (int)cap, file) != NULL;
    bool whole = read && (strchr(to, '\n') || feof(file));
    fclose(file);
    if (!read) return diag_error(EXIT_INPUT, "%s: has no password in its first line", name);
    if (!whole)
        return diag_error(EXIT_INPUT, "%s: its first line is longer than %zu bytes", name, cap - 2);
    to[strcspn(to, "\r\n")] = 0;
    return EXIT_GOOD;
}

int fleet_open(struct fleet *f, const struct args *args) {
    f->url = args->operand[0];
    f->project = fleet_project(args);
    if (!f->project) return EXIT_USAGE;
    int code = fleet_read_password(args->value[FLEET_PASSWORD_FILE], "WALLFLY_PASSWORD",
                                   f->password, sizeof f->password);
    if (code != EXIT_GOOD) return code;
    struct wf_error error;
    struct wf_engine_options options = {.size = sizeof options,
                                        .url = f->url,
                                        .user = args->value[FLEET_USER],
                                        .password = *f->password ? f->password : NULL,
                                        .give_up_s = f->give_up_s,
                                        .failed = f->failed,
                                        .stopped = f->stopped,
                                        .ctx = f->ctx};
    f->engine = wf_engine_open(&options, &error);
    if (f->engine) return EXIT_GOOD;
    return diag_error(exit_code_of(error.code), "%s", error.text);
}

void fleet_close(struct fleet *f) {
    wf_engine_close(f->engine);
    memset(f, 0, sizeof *f);
}

static int report(const struct fleet *f, int err, const struct wf_error *error) {
    if (err == WF_OK) return EXIT_GOOD;
    return diag_error(exit_code_of(err), "%s: %s", f->url, error->text);
}

int fleet_run(struct fleet *f, const char *sql, const char *settings) {
    struct wf_error error;
    struct wf_statement statement = {.sql = sql, .settings = settings};
    return report(f, wf_engine_run(f->engine, &statement, &error), &error);
}

int fleet_has(struct fleet *f, const char *of, const char *setting, bool *has) {
    struct wf_error error;
    return report(f, wf_engine_has(f->engine, of, setting, has, &error), &error);
}

int fleet_check_table(struct fleet *f, const struct wf_fleet_table *table) {
    char wanted[WF_FLEET_SQL_MAX] = "", query[512];
    for (unsigned i = 0; i < table->count; ++i) {
        const struct wf_fleet_column *c = &table->columns[i];
        size_t at = strlen(wanted);
        snprintf(wanted + at, sizeof wanted - at, "%s%s %s", at ? "," : "", c->name,
                 wf_fleet_types[c->type].name);
    }
    snprintf(query, sizeof query,
             "SELECT arrayStringConcat(groupArray(concat(name, ' ', type)), ',') "
             "FROM (SELECT name, type FROM system.columns "
             "WHERE database = '%s' AND table = '%s')",
             f->project, table->name);
    int code = fleet_run(f, query, NULL);
    if (code != EXIT_GOOD) return code;
    const char *columns = wf_engine_answer(f->engine, NULL);
    if (strcmp(columns, wanted) == 0) return EXIT_GOOD;
    if (!*columns)
        return diag_error(EXIT_INPUT, "%s: has no table %s.%s; `wallfly fleet setup` makes it",
                          f->url, f->project, table->name);
    return diag_error(EXIT_INPUT,
                      "%s.%s: has other columns than this version of wallfly makes "
                      "(`wallfly fleet setup --sql=base`); rename the table and make it anew",
                      f->project, table->name);
}

int fleet_check_tables(struct fleet *f) {
    int code = EXIT_GOOD;
    for (unsigned t = 0; t < WF_FLEET_TABLE_END && code == EXIT_GOOD; ++t)
        code = fleet_check_table(f, &wf_fleet_tables[t]);
    return code;
}
