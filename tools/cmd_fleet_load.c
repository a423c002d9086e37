// SPDX-License-Identifier: MIT
// `wallfly fleet load`: loads files into the tables of a project.

#include <string.h>

#include "filter_options.h"
#include "fleet/load.h"
#include "stream.h"

enum {
    LOAD_DEVICE = FLEET_OPTIONS,
    LOAD_VERSION,
    LOAD_RECORDS,
    LOAD_SIZES,
    LOAD_QS_VERSION,
    LOAD_RATE,
    LOAD_INPUT,
    LOAD_BATCH = LOAD_INPUT + INPUT_OPTIONS,
    LOAD_GIVE_UP,
    LOAD_STREAM,
    LOAD_ANEW,
    LOAD_IMAGE,
    LOAD_PROGRESS
};

static const struct option_row options[] = {
    FLEET_ROWS,
    {"device", 0, "NAME",
     "the device whose traces these are, by the hardware's own id; {file} in it is the name of the "
     "file without its ending: for a file of each device"},
    {"version", 0, "TEXT",
     "release of the firmware (that with which the trace was loaded before, or none)"},
    {"records", 0, "[=LIST]",
     "a row for each record, too, or only for these records (tran), groups (AO) or numbers (14, "
     "100-104)"},
    STREAM_SIZE_ROWS,
    INPUT_ROWS,
    {"batch", 0, "ROWS", "rows that are sent at a time (300000); a segment is never sent in parts"},
    {"give-up", 0, "S",
     "end if the engine is away for so long, in seconds (never: waits until it is back)"},
    {"stream", 0, "NUMBER",
     "number of the stream (of a recording by its start, of another file by its first bytes), of a "
     "file with one lane"},
    {"anew", 0, NULL, "replaces what was loaded before of these streams, when it was damaged"},
    {"ram-image", 0, NULL, "the files are images of memory, each with a black box"},
    {"progress", 0, NULL, "show the progress, also if standard error is not a terminal"},
    {NULL, 0, NULL, NULL},
};

// ---- options

// *number keeps its value if text is null: not given.
static bool parse_option(const char *option, const char *text, uint64_t *number) {
    return !text || parse_number(option, text, 0, 1000000000, number);
}

static bool parse_stream(const char *text, uint64_t *number) {
    return !text || parse_number("--stream", text, 1, UINT64_MAX, number);
}

static bool parse_records(const char *list, bool records[256]) {
    memset(records, list && !*list, 256);
    return !list || record_list_parse("--records", list, true, records);
}

// ---- loading

static int load_all(struct load *l) {
    struct wf_error error;
    bool good = true;
    progress_begin(&l->progress, l->args->value[LOAD_PROGRESS] != NULL, NULL);
    for (int i = 1; good && i < l->args->operands; ++i)
        good = l->args->value[LOAD_IMAGE] ? load_image(l, l->args->operand[i])
                                          : load_file(l, l->args->operand[i]);
    int err = good ? wf_loader_flush(l->loader, &error) : WF_OK;
    progress_end(&l->progress);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s: %s", l->fleet->url, error.text);
    if (good) load_print_totals(l);
    return l->code;
}

static int open_and_load(struct load *l, const bool records[256]) {
    struct wf_error error;
    const struct wf_loader_options o = {.size = sizeof o,
                                        .engine = l->fleet->engine,
                                        .project = l->fleet->project,
                                        .records = records,
                                        .batch_rows = l->batch};
    int code = fleet_check_tables(l->fleet);
    if (code != EXIT_GOOD) return code;
    l->loader = wf_loader_open(&o, &error);
    if (!l->loader)
        return diag_error(exit_code_of(error.code), "%s: %s", l->fleet->url, error.text);
    code = load_all(l);
    wf_loader_close(l->loader);
    return code;
}

static int run(const struct args *args) {
    struct wf_session_options session = {.size = sizeof session};
    struct input_options input;
    struct fleet fleet = {.failed = load_report_failure, .give_up_s = UINT64_MAX};
    struct load l = {.fleet = &fleet,
                     .args = args,
                     .input = &input,
                     .device = args->value[LOAD_DEVICE],
                     .version = args->value[LOAD_VERSION],
                     .anew = args->value[LOAD_ANEW] != NULL};
    bool records[256];
    fleet.ctx = &l;
    if (!l.device) return diag_error(EXIT_USAGE, "--device=NAME is missing");
    if (!parse_option("--give-up", args->value[LOAD_GIVE_UP], &fleet.give_up_s) ||
        !parse_option("--batch", args->value[LOAD_BATCH], &l.batch) ||
        !parse_stream(args->value[LOAD_STREAM], &l.stream) ||
        !parse_records(args->value[LOAD_RECORDS], records) ||
        !stream_options(args, LOAD_SIZES, &session))
        return EXIT_USAGE;
    if (args->value[LOAD_SIZES] || args->value[LOAD_QS_VERSION] || args->value[LOAD_RATE])
        l.session = &session;
    int code = input_parse(args, LOAD_INPUT, &input);
    if (code == EXIT_GOOD) code = fleet_open(&fleet, args);
    if (code == EXIT_GOOD) code = open_and_load(&l, records);
    fleet_close(&fleet);
    input_close(&input);
    return code;
}

const struct cmd cmd_fleet_load = {
    "fleet load",
    run,
    "URL FILE...",
    2,
    1 << 30,
    "Loads traces of a device into the tables of a project in ClickHouse.",
    "FILE is a trace of QP/Spy frames, of slots or of another tracer (docs/import/README.md);\n"
    "or a recording, whose lanes are streams of the device, also one file of a split, in any\n"
    "order; - is standard input. `wallfly fleet setup` makes the tables (docs/fleet-tables.md).\n"
    "\n"
    "Loading is exact: a file that is loaded twice, has grown since, or whose loading was ended\n"
    "midway, has each of its records once. While the engine is away, it waits; it can be ended\n"
    "at any time and started again.\n"
    "\n"
    "Times of a recording are known; of a file of frames the last change is taken for the time\n"
    "of its first record. That is for the days of rows and for dashboards; the times of records\n"
    "are the target's.\n"
    "\n"
    "    wallfly fleet load http://localhost:8123 --project=pilot --device=board-7 trace.wfr\n"
    "    wallfly fleet load http://localhost:8123 --device={file} --version=2.1.0 boards/*.wfr",
    options};
