// SPDX-License-Identifier: MIT
// `wallfly fleet again`: makes the rows of loaded traces anew, with names of stored programs.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fleet/fleet.h"
#include "term/progress.h"
#include "wallfly_backend/wf_loader.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { AGAIN_BUILD = FLEET_OPTIONS, AGAIN_VERSION, AGAIN_DEVICE, AGAIN_GIVE_UP, AGAIN_PROGRESS };

static const struct option_row options[] = {
    FLEET_ROWS,
    {"build", 0, "ID", "traces of this build alone, as `wallfly info` prints it"},
    {"version", 0, "TEXT", "traces that were loaded with this version alone"},
    {"device", 0, "NAME", "traces of this device alone"},
    {"give-up", 0, "S",
     "end if the engine is away for so long, in seconds (never: waits until it is back)"},
    {"progress", 0, NULL, "show the progress, also if standard error is not a terminal"},
    {NULL, 0, NULL, NULL},
};

struct shown {
    struct progress progress; // streams stand for bytes
    struct wf_loader *loader;
};

static void show_progress(void *ctx, uint64_t done, uint64_t all) {
    struct shown *s = ctx;
    s->progress.total = all;
    progress_update(&s->progress, done, wf_loader_totals(s->loader)->records);
}

static void report_failure(void *ctx, const char *text) {
    const struct fleet *f = ctx;
    diag_note("%s: %s; trying again", f->url, text);
}

static void report_refused(void *ctx, const char *device, uint64_t stream, const char *text) {
    struct shown *s = ctx;
    progress_end(&s->progress);
    diag_error(EXIT_INPUT, "%s, stream %" PRIu64 ": %s", device, stream, text);
}

static int again(struct fleet *f, const struct args *args, uint32_t build) {
    struct wf_error error;
    struct shown shown;
    struct wf_again_found found;
    const struct wf_loader_options o = {
        .size = sizeof o, .engine = f->engine, .project = f->project};
    const struct wf_again what = {.size = sizeof what,
                                  .device = args->value[AGAIN_DEVICE],
                                  .version = args->value[AGAIN_VERSION],
                                  .build = build,
                                  .progress = show_progress,
                                  .refused = report_refused,
                                  .ctx = &shown};
    struct wf_loader *l = shown.loader = wf_loader_open(&o, &error);
    if (!l) return diag_error(exit_code_of(error.code), "%s: %s", f->url, error.text);
    progress_begin(&shown.progress, args->value[AGAIN_PROGRESS] != NULL, NULL);
    int err = wf_loader_again(l, &what, &found, &error);
    progress_end(&shown.progress);
    if (err == WF_OK)
        printf("%s: %" PRIu64 " streams, %" PRIu64 " loaded again: %" PRIu64 " records\n",
               f->project, found.streams, found.changed, wf_loader_totals(l)->records);
    wf_loader_close(l);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s: %s", f->url, error.text);
    return found.refused ? EXIT_INPUT : EXIT_GOOD;
}

static int run(const struct args *args) {
    struct fleet f = {.give_up_s = UINT64_MAX, .failed = report_failure, .ctx = &f};
    const char *device = args->value[AGAIN_DEVICE], *version = args->value[AGAIN_VERSION];
    uint32_t build;
    const char *give_up = args->value[AGAIN_GIVE_UP];
    if (!fleet_parse_build(args->value[AGAIN_BUILD], &build) ||
        (give_up && !parse_number("--give-up", give_up, 0, 1000000000, &f.give_up_s)))
        return EXIT_USAGE;
    if (device && !wf_fleet_is_device(device))
        return diag_error(EXIT_USAGE, "--device: '%s' is no name of a device", device);
    if (version && strlen(version) > WF_LOADING_VERSION_MAX)
        return diag_error(EXIT_USAGE, "--version: has more than %d bytes", WF_LOADING_VERSION_MAX);
    int code = fleet_open(&f, args);
    if (code == EXIT_GOOD) code = fleet_check_tables(&f);
    if (code == EXIT_GOOD) code = again(&f, args, build);
    fleet_close(&f);
    return code;
}

const struct cmd cmd_fleet_again = {
    "fleet again",
    run,
    "URL",
    1,
    1,
    "Adds the names of stored programs to traces that are already loaded.",
    "Traces whose build has got a program since (`wallfly fleet names`) are loaded again, out of\n"
    "their segments: rows of figures and records get its names, and traces without a version that\n"
    "of the program. It can be ended at any time and started again.\n"
    "\n"
    "    wallfly fleet again http://localhost:8123 --project=pilot",
    options};
