// SPDX-License-Identifier: MIT
// `wallfly fleet diff`: what has changed from one version of the firmware to another.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "fleet/fleet.h"
#include "wallfly_backend/wf_loader.h"
#include "wallfly_backend/wf_release.h"

enum {
    RELEASES_VERSION = FLEET_OPTIONS,
    RELEASES_FAIL_ON,
    RELEASES_ALL,
    RELEASES_JSON,
    RELEASES_JUNIT
};

static const struct option_row options[] = {
    FLEET_ROWS,
    {"version", 0, "TEXT", "the good version, and once more for the new one"},
    {"fail-on", 0, "CHANGE",
     "fail only on this, as \"response p99 +10 %\" (docs/diff.md); may be repeated"},
    {"all", 0, NULL, "show also what has not changed, and all changes"},
    {"json", 0, NULL, "as JSON"},
    {"junit", 0, "FILE", "also write a JUnit file for a CI server"},
    {NULL, 0, NULL, NULL},
};

// ---- the sides

// Repeated options are joined by a comma.
static bool split_versions(const char *both,
                           char versions[DIFF_SIDES][WF_LOADING_VERSION_MAX + 1]) {
    const char *comma = both ? strchr(both, ',') : NULL;
    if (!comma || strchr(comma + 1, ',')) {
        diag_error(EXIT_USAGE, "two versions are compared, the good one first: --version=GOOD "
                               "--version=NEW; neither can have a comma");
        return false;
    }
    const size_t lens[DIFF_SIDES] = {(size_t)(comma - both), strlen(comma + 1)};
    for (unsigned i = 0; i < DIFF_SIDES; ++i) {
        if (lens[i] > WF_LOADING_VERSION_MAX) {
            diag_error(EXIT_USAGE, "--version: has more than %d bytes", WF_LOADING_VERSION_MAX);
            return false;
        }
        memcpy(versions[i], i ? comma + 1 : both, lens[i]);
        versions[i][lens[i]] = 0;
    }
    return true;
}

static void describe(const char *version, const struct wf_release_about *a, char text[640]) {
    int len = snprintf(text, 640,
                       "version %s: %" PRIu64 " device%s, %" PRIu64 " records, %" PRId64 " missing",
                       version, a->devices, a->devices == 1 ? "" : "s", a->records, a->missing);
    if (a->with_holes)
        snprintf(text + len, 640 - (size_t)len,
                 "; %" PRIu64 " of %" PRIu64 " segments left out, with holes", a->with_holes,
                 a->segments);
}

static int read_side(struct fleet *f, struct diff_side *side, const char *label,
                     const char *version) {
    struct wf_release_about about;
    struct wf_error error;
    char text[640];
    side->label = label;
    side->without_behaviour = true;
    side->profile = wf_release_read(f->engine, f->project, version, &about, &error);
    if (!side->profile) return diag_error(exit_code_of(error.code), "%s: %s", f->url, error.text);
    side->behaviour = wf_behaviour_open(NULL);
    side->sources = calloc(1, sizeof *side->sources);
    describe(version, &about, text);
    if (side->sources) side->sources->name = strdup(text);
    if (!side->behaviour || !side->sources || !side->sources->name) return out_of_memory();
    side->count = 1;
    return EXIT_GOOD;
}

// ---- the command

static int show(const struct diff_result *r, const char *junit) {
    int code = junit ? diff_junit(r, junit) : EXIT_GOOD;
    if (code != EXIT_GOOD) return code;
    if (r->args->value[DIFF_JSON])
        diff_json(r);
    else
        diff_text(r);
    return r->code;
}

static int compare(struct fleet *f, struct diff_result *r,
                   char versions[DIFF_SIDES][WF_LOADING_VERSION_MAX + 1]) {
    int code = fleet_check_tables(f);
    if (code == EXIT_GOOD)
        code = read_side(f, &r->sides[DIFF_SIDE_GOOD], "good", versions[DIFF_SIDE_GOOD]);
    if (code == EXIT_GOOD)
        code = read_side(f, &r->sides[DIFF_SIDE_NEW], "new", versions[DIFF_SIDE_NEW]);
    return code == EXIT_GOOD ? diff_compare(r) : code;
}

static int run(const struct args *args) {
    char versions[DIFF_SIDES][WF_LOADING_VERSION_MAX + 1];
    struct wf_error error;
    struct fleet f = {.engine = NULL};
    const char *junit = args->value[RELEASES_JUNIT];
    // The outputs read the options of `wallfly diff`.
    struct args as_diff = {.files = args->files};
    as_diff.value[DIFF_ALL] = args->value[RELEASES_ALL];
    as_diff.value[DIFF_JSON] = args->value[RELEASES_JSON];
    struct diff_result r = {.args = &as_diff, .without_behaviour = "the tables have no sequences"};
    if (!split_versions(args->value[RELEASES_VERSION], versions)) return EXIT_USAGE;
    if (junit && wf_files_check(args->files, junit, &error) != WF_OK)
        return diag_error(EXIT_USAGE, "%s", error.text);
    int code =
        diff_conditions(&r, args->value[RELEASES_FAIL_ON]) ? fleet_open(&f, args) : EXIT_USAGE;
    if (code == EXIT_GOOD) code = compare(&f, &r, versions);
    fleet_close(&f);
    if (code == EXIT_GOOD) code = show(&r, junit);
    diff_close(&r);
    return code;
}

const struct cmd cmd_fleet_diff = {
    "fleet diff",
    run,
    "URL",
    1,
    1,
    "Shows what has changed from one version of the firmware to another, over all devices.",
    "Figures of all devices with a version are compared by their whole distributions, as by\n"
    "`wallfly diff` (docs/fleet.md); how much devices differ from each other shows what chance\n"
    "explains. Exit code 0: nothing changed beyond chance, 1: something did, 5: lost data does "
    "not\n"
    "let it decide. With --fail-on only what it lists decides.\n"
    "\n"
    "    wallfly fleet diff http://localhost:8123 --project=pilot --version=2.0.3 --version=2.1.0",
    options};
