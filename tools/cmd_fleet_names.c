// SPDX-License-Identifier: MIT
// `wallfly fleet names`: stores programs of the target for the names of their traces.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fleet/fleet.h"
#include "names.h"
#include "wallfly_backend/wf_loader.h"

enum { NAMES_VERSION = FLEET_OPTIONS, NAMES_BUILD };

static const struct option_row options[] = {
    FLEET_ROWS,
    {"version", 0, "TEXT",
     "release of the firmware: of traces of this build that are loaded without one, too"},
    {"build", 0, "ID", "the build id of the traces, for a FILE without one, as a map"},
    {NULL, 0, NULL, NULL},
};

static const char *file_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- a program

static int read_program(const char *name, const struct wf_input *input,
                        struct wf_program_info *info) {
    struct wf_error error;
    struct wf_program *p = wf_program_open(input->bytes, input->len, &error);
    if (!p) return diag_error(EXIT_INPUT, "%s: %s", name, error.text);
    *info = *wf_program_about(p);
    wf_program_close(p);
    return EXIT_GOOD;
}

// Sets the build of the row.
static int choose_build(const char *name, const struct wf_program_info *info,
                        struct wf_fleet_build *row) {
    if (info->has_build_id && row->build && row->build != info->build_id)
        return diag_error(EXIT_USAGE, "%s: has the build id %08" PRIX32 ", not that of --build",
                          name, info->build_id);
    if (info->has_build_id) row->build = info->build_id;
    if (row->build || *row->version) return EXIT_GOOD;
    return diag_error(EXIT_USAGE,
                      "%s: has no build id: give that of the traces by --build=ID (`wallfly info` "
                      "prints it), or for traces without one the --version",
                      name);
}

static int count_older(struct fleet *f, const struct wf_fleet_build *row) {
    char sql[512];
    if (!row->build) return EXIT_GOOD;
    snprintf(sql, sizeof sql,
             "SELECT count() FROM %s.segment FINAL WHERE build = %" PRIu32
             " AND toUInt32(names) < %" PRIu64,
             f->project, row->build, row->changed);
    int code = fleet_run(f, sql, NULL);
    const char *count = wf_engine_answer(f->engine, NULL);
    if (code == EXIT_GOOD && strcmp(count, "0") != 0)
        printf("%s segments were loaded without it: `wallfly fleet again %s --project=%s "
               "--build=%08" PRIX32 "` names them\n",
               shown_text(count), f->url, f->project, row->build);
    return code;
}

static int bind(struct fleet *f, struct wf_loader *l, const char *name,
                struct wf_fleet_build *row) {
    struct wf_input input;
    struct wf_program_info info = {0};
    struct wf_error error;
    int code = map_file(name, &input);
    if (code != EXIT_GOOD) return code;
    code = read_program(name, &input, &info);
    if (code == EXIT_GOOD) code = choose_build(name, &info, row);
    row->file = file_of(name);
    row->bytes = input.bytes;
    row->len = input.len;

    if (code == EXIT_GOOD && wf_loader_bind(l, row, &error) != WF_OK)
        code = diag_error(exit_code_of(error.code), "%s: %s", f->url, error.text);
    wf_input_close(&input);
    if (code != EXIT_GOOD) return code;
    printf("%s: ", f->project);
    if (row->build) printf("build %08" PRIX32 "%s", row->build, *row->version ? ", " : "");
    if (*row->version) printf("version %s", shown_text(row->version));
    printf(": %s, %zu objects and %zu functions\n", shown_text(row->file), info.objects,
           info.functions);
    return count_older(f, row);
}

// ---- the command

static int bind_all(struct fleet *f, const struct args *args, uint32_t build) {
    struct wf_error error;
    const char *version = args->value[NAMES_VERSION] ? args->value[NAMES_VERSION] : "";
    const struct wf_loader_options o = {
        .size = sizeof o, .engine = f->engine, .project = f->project};
    struct wf_loader *l = wf_loader_open(&o, &error);
    if (!l) return diag_error(exit_code_of(error.code), "%s: %s", f->url, error.text);
    int code = EXIT_GOOD;
    for (int i = 1; i < args->operands && code == EXIT_GOOD; ++i) {
        struct wf_fleet_build row = {.build = build, .version = version};
        code = bind(f, l, args->operand[i], &row);
    }
    wf_loader_close(l);
    return code;
}

static int run(const struct args *args) {
    struct fleet f = {.engine = NULL};
    uint32_t build;
    const char *version = args->value[NAMES_VERSION];
    if (!fleet_parse_build(args->value[NAMES_BUILD], &build)) return EXIT_USAGE;
    if (build && args->operands > 2)
        return diag_error(EXIT_USAGE, "--build is of one FILE, not of %d", args->operands - 1);
    if (version && strlen(version) > WF_LOADING_VERSION_MAX)
        return diag_error(EXIT_USAGE, "--version: has more than %d bytes", WF_LOADING_VERSION_MAX);
    int code = fleet_open(&f, args);
    if (code == EXIT_GOOD) code = fleet_check_tables(&f);
    if (code == EXIT_GOOD) code = bind_all(&f, args, build);
    fleet_close(&f);
    return code;
}

const struct cmd cmd_fleet_names = {
    "fleet names",
    run,
    "URL FILE...",
    2,
    1 << 30,
    "Stores programs of the target, for the names of their traces.",
    "FILE is an ELF file, a map of GNU ld or a listing of nm (docs/names.md). Traces of its build\n"
    "get its names when they are loaded, where they have none of their own, and when they are "
    "read\n"
    "by clickhouse://. `wallfly fleet again` names what was loaded before. The same build can be\n"
    "stored again: the latest file stays.\n"
    "\n"
    "    wallfly fleet names http://localhost:8123 --project=pilot --version=2.1.0 firmware.elf",
    options};
