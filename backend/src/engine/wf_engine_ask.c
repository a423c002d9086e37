// SPDX-License-Identifier: MIT
// Questions to an engine.
#include <stdio.h>
#include <string.h>

#include "wallfly_backend/wf_engine.h"

int wf_engine_ask(struct wf_engine *e, const char *sql, struct wf_error *error) {
    return wf_engine_run(e, &(struct wf_statement){.sql = sql}, error);
}

int wf_engine_has(struct wf_engine *e, const char *of, const char *setting, bool *has,
                  struct wf_error *error) {
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT count() FROM %s WHERE name = '%s'", of, setting);
    int err = wf_engine_ask(e, sql, error);
    *has = err == WF_OK && strcmp(wf_engine_answer(e, NULL), "0") != 0;
    return err;
}
