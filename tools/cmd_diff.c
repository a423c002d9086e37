// SPDX-License-Identifier: MIT
// `wallfly diff`: what has changed since a good trace.

#include "diff/diff.h"
#include "filter_options.h"

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    {"from", 0, "S", "only after this time of each trace, " SECONDS_TEXT},
    {"until", 0, "S", "only before this time"},
    CLOCK_ROW,
    {"good", 0, "FILE", "a further file or folder of the good side; may be repeated"},
    {"new", 0, "FILE", "a further one of the new side"},
    {"good-elf", 0, "FILE", "the program of the good side, if it is another than --elf"},
    {"good-map", 0, "FILE", "its map or listing, in place of --map"},
    {"good-dic", 0, "FILE", "its dictionary file, in place of --dic"},
    {"fail-on", 0, "CHANGE",
     "fail only on this, as \"response p99 +10 %\" or behaviour (docs/diff.md); may be repeated"},
    {"all", 0, NULL, "show also what has not changed, and all changes"},
    {"json", 0, NULL, "as JSON"},
    {"junit", 0, "FILE", "also write a JUnit file for a CI server"},
    {"html", 0, "FILE",
     "also write a report: one page with the changes and both time lines, one above the other"},
    {NULL, 0, NULL, NULL},
};

// Outputs to a file. They are written before the text, so that it ends with its verdict.
static const struct {
    int option;
    int (*write)(const struct diff_result *r, const char *file);
} outputs[] = {{DIFF_JUNIT, diff_junit}, {DIFF_HTML, diff_write_html}};

static bool check_outputs(const struct args *args) {
    struct wf_error error;
    for (unsigned i = 0; i < sizeof outputs / sizeof *outputs; ++i) {
        const char *file = args->value[outputs[i].option];
        if (!file || wf_files_check(args->files, file, &error) == WF_OK) continue;
        diag_error(EXIT_USAGE, "%s", error.text);
        return false;
    }
    return true;
}

static int show(const struct diff_result *r) {
    int code = EXIT_GOOD;
    for (unsigned i = 0; i < sizeof outputs / sizeof *outputs && code == EXIT_GOOD; ++i) {
        const char *file = r->args->value[outputs[i].option];
        if (file) code = outputs[i].write(r, file);
    }
    if (code != EXIT_GOOD) return code;
    if (r->args->value[DIFF_JSON])
        diff_json(r);
    else
        diff_text(r);
    return r->code;
}

static int run(const struct args *args) {
    struct diff_result r = {.args = args};
    bool good = diff_conditions(&r, args->value[DIFF_FAIL_ON]) && check_outputs(args);
    int code = good ? diff_read(&r) : EXIT_USAGE;
    if (code == EXIT_GOOD) code = diff_compare(&r);
    if (code == EXIT_GOOD) code = show(&r);
    diff_close(&r);
    return code;
}

const struct cmd cmd_diff = {
    "diff",
    run,
    "GOOD NEW",
    2,
    2,
    "Shows what has changed since a good trace: times, counts, loads and behaviour.",
    "Each side is a trace, a profile (wallfly stats --save) or a folder of them. Every figure of\n"
    "`wallfly stats` is compared by its whole distribution; of each task, interrupt and state\n"
    "machine the sequence of actions without times. A change is reported if chance does not "
    "explain\n"
    "it: of equal traces at most one pair in a hundred shows any. Changes that may be the cause "
    "of\n"
    "others come first. What lost data touches has no verdict.\n"
    "Exit code 0: nothing changed beyond chance, 1: something did, 5: lost data does not let it\n"
    "decide. With --fail-on only what it lists decides.",
    options};
