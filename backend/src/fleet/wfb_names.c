// SPDX-License-Identifier: MIT
// Programs of the table `build`, which the loader asks for when a build comes first, and again when
// a minute has passed: one may have been bound since.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_answer.h"
#include "wfb_loader.h"
#include "wfb_rows.h"

enum { SQL_MAX = 8192, AGAIN_S = 60 };

static void forget(struct wfb_program *p) {
    wf_program_close(p->program);
    free(p->bytes);
    free(p->of_version);
    p->program = NULL;
    p->bytes = NULL;
    p->of_version = NULL;
}

void wfb_names_close(struct wf_loader *l) {
    for (size_t i = 0; i < l->program_count; ++i) {
        forget(&l->programs[i]);
        free(l->programs[i].version);
    }
    free(l->programs);
}

// Returns null when out of memory.
static struct wfb_program *find_or_add(struct wf_loader *l, uint32_t build, const char *version) {
    for (size_t i = 0; i < l->program_count; ++i) {
        struct wfb_program *p = &l->programs[i];
        if (p->build == build && (build || strcmp(p->version, version) == 0)) return p;
    }
    if (!wfb_grow(&l->programs, &l->program_cap, l->program_count, sizeof *l->programs))
        return NULL;
    struct wfb_program *p = &l->programs[l->program_count];
    *p = (struct wfb_program){.build = build, .version = build ? NULL : strdup(version)};
    if (!build && !p->version) return NULL;
    ++l->program_count;
    return p;
}

static int ask(struct wf_loader *l, const struct wfb_program *p, struct wf_error *error) {
    char sql[SQL_MAX], version[2 * WF_LOADING_VERSION_MAX + 3], where[3 * sizeof version];
    if (p->build) {
        snprintf(where, sizeof where, "build = %" PRIu32, p->build);
    } else {
        wf_fleet_quote(p->version, version, sizeof version);
        // Of several builds with this version none is guessed.
        snprintf(where, sizeof where,
                 "version = %s AND (SELECT uniqExact(build) FROM %s.build WHERE version = %s) = 1",
                 version, l->project, version);
    }
    snprintf(
        sql, sizeof sql,
        "SELECT toUInt32(changed) AS at, program, assumeNotNull((SELECT argMax(toString(version), "
        "changed) FROM %s.build WHERE %s AND version != '')), toUInt8(0) FROM %s.build WHERE "
        "%s AND toUInt32(changed) > %" PRIu32 " ORDER BY at DESC, build LIMIT 1 FORMAT RowBinary",
        l->project, where, l->project, where, p->names);
    return wf_engine_ask(l->o.engine, sql, error);
}

static int bad_row(const struct wf_loader *l, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_ENGINE, "%s.build: a row cannot be read", l->project);
}

// Takes a text. Returns a copy, terminated; null when out of memory.
static uint8_t *copy_text(struct wfb_rows *rows, size_t *len) {
    const uint8_t *text = wfb_rows_text(rows, len);
    uint8_t *copy = malloc(*len + 1);
    if (!copy) return NULL;
    memcpy(copy, text, *len);
    copy[*len] = 0;
    return copy;
}

// A program that cannot be read was stored by another version of wallfly: it has no names.
static int take_answer(struct wf_loader *l, struct wfb_program *p, struct wf_error *error) {
    struct wfb_rows rows = wfb_rows_answer(l->o.engine);
    size_t len, version_len;
    uint32_t names = 0;
    if (rows.at == rows.end) return WF_OK; // nothing new
    if (rows.end - rows.at < 4) return bad_row(l, error);
    for (unsigned i = 0; i < 4; ++i) names |= (uint32_t)*rows.at++ << 8 * i;
    forget(p);
    p->bytes = copy_text(&rows, &len);
    p->of_version = (char *)copy_text(&rows, &version_len);
    if (!p->bytes || !p->of_version) return wf_error_code(error, WF_ERR_NOMEM);
    if (rows.bad) return bad_row(l, error);
    p->program = wf_program_open(p->bytes, len, error);
    p->names = p->program ? names : 0;
    return p->program || error->code != WF_ERR_NOMEM ? WF_OK : WF_ERR_NOMEM;
}

int wfb_names_find(struct wf_loader *l, uint32_t build, const char *version,
                   const struct wfb_program **program, struct wf_error *error) {
    static const struct wfb_program none;
    struct timespec now;
    *program = &none;
    if (!build && !*version) return WF_OK;
    struct wfb_program *p = find_or_add(l, build, version);
    if (!p) {
        wf_error_code(error, WF_ERR_NOMEM);
        return wfb_loader_fail(l, error);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    *program = p;
    if (p->asked && now.tv_sec - p->asked < AGAIN_S) return WF_OK;
    int err = ask(l, p, error);
    if (err == WF_OK) err = take_answer(l, p, error);
    if (err != WF_OK) return wfb_loader_fail(l, error);
    p->asked = now.tv_sec + 1; // not 0
    return WF_OK;
}
