// SPDX-License-Identifier: MIT
// `wallfly fleet profile`: sets how much of their traces devices send.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fleet/fleet.h"
#include "wallfly_host/wf_fleet_profile.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { PROFILE_DEVICE = FLEET_OPTIONS };

static const struct option_row options[] = {
    FLEET_ROWS,
    {"device", 0, "NAME", "this device (all that have no profile of their own)"},
    {NULL, 0, NULL, NULL},
};

// The row without a device is of all that have none.
static void print_row(const struct fleet *f, const char *device, const char *profile) {
    printf("%s: %s: %s\n", f->project, *device ? shown_text(device) : "all others",
           shown_text(profile));
}

// ---- setting

// Agents read rows that are as new as the newest one they have, or newer: the clock of another host
// may be ahead. A device's own row must be older.
static int next_change(struct fleet *f, const char *device, uint64_t *changed) {
    char sql[512], *end;
    snprintf(sql, sizeof sql,
             "SELECT toUInt32(max(changed)), toUInt32(maxIf(changed, device = '%s')) FROM "
             "%s.device",
             device, f->project);
    int code = fleet_run(f, sql, NULL);
    if (code != EXIT_GOOD) return code;
    const uint64_t newest = strtoull(wf_engine_answer(f->engine, NULL), &end, 10);
    const uint64_t own = strtoull(end, NULL, 10), now = (uint64_t)time(NULL);
    *changed = now > newest ? now : newest;
    if (*changed == own) ++*changed;
    return EXIT_GOOD;
}

// Names have no character that a literal could not have.
static int set_profile(struct fleet *f, const char *device,
                       const struct wf_fleet_profile *profile) {
    char sql[512], text[WF_FLEET_PROFILE_MAX];
    uint64_t changed;
    int code = next_change(f, device, &changed);
    if (code != EXIT_GOOD) return code;
    wf_fleet_profile_print(profile, text);
    snprintf(sql, sizeof sql,
             "INSERT INTO %s.device (device, profile, changed) VALUES ('%s', '%s', %" PRIu64 ")",
             f->project, device, text, changed);
    code = fleet_run(f, sql, NULL);
    if (code == EXIT_GOOD) print_row(f, device, text);
    return code;
}

// ---- listing

static int list_profiles(struct fleet *f, const char *device) {
    char sql[512], where[128] = "";
    if (*device) snprintf(where, sizeof where, "WHERE device = '%s'", device);
    snprintf(sql, sizeof sql, "SELECT device, profile FROM %s.device FINAL %s ORDER BY device",
             f->project, where);
    int code = fleet_run(f, sql, NULL);
    if (code != EXIT_GOOD) return code;
    char *row = strdup(wf_engine_answer(f->engine, NULL));
    if (!row) return out_of_memory();
    char *const rows = row;
    if (!*row) printf("%s: no profile is set%s%s\n", f->project, *device ? " for " : "", device);
    while (*row) {
        char *end = row + strcspn(row, "\n"), *next = end + (*end != 0);
        *end = 0;
        char *profile = row + strcspn(row, "\t");
        if (*profile) *profile++ = 0;
        print_row(f, row, profile);
        row = next;
    }
    free(rows);
    return EXIT_GOOD;
}

// ---- the command

static int run(const struct args *args) {
    struct fleet f = {.engine = NULL};
    struct wf_error error;
    struct wf_fleet_profile profile;
    const char *device = args->value[PROFILE_DEVICE], *text = args->operand[1];
    if (device && !wf_fleet_is_device(device))
        return diag_error(EXIT_USAGE, "--device: '%s' is no name of a device", device);
    if (args->operands > 1 && wf_fleet_profile_parse(text, strlen(text), &profile, &error) != WF_OK)
        return diag_error(EXIT_USAGE, "%s", error.text);
    if (!device) device = "";
    int code = fleet_open(&f, args);
    if (code == EXIT_GOOD) code = fleet_check_tables(&f);
    if (code == EXIT_GOOD)
        code = args->operands > 1 ? set_profile(&f, device, &profile) : list_profiles(&f, device);
    fleet_close(&f);
    return code;
}

const struct cmd cmd_fleet_profile = {
    "fleet profile",
    run,
    "URL [PROFILE]",
    1,
    2,
    "Sets how much of their traces the devices of a project send, or lists what is set.",
    "PROFILE is stream: everything; stats=SECONDS/PERIOD: the first SECONDS of each PERIOD, in\n"
    "seconds, up to a day; or box: nothing but black boxes. It is of one device, or without\n"
    "--device of all that have none of their own; where none is set, devices send everything.\n"
    "The agent passes it on within seconds (docs/fleet.md).\n"
    "\n"
    "    wallfly fleet profile http://localhost:8123 --project=pilot stats=10/3600\n"
    "    wallfly fleet profile http://localhost:8123 --project=pilot --device=board-7 stream",
    options};
