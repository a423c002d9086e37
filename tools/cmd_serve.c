// SPDX-License-Identifier: MIT
// `wallfly serve`: serves a trace to the page in the browser; with a live target also to front ends
// over UDP.

#include "check/marks.h"
#include "serve.h"

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    {"page", 0, "[HOST:]PORT",
     "address of the page (default: a free port of 127.0.0.1); off: no page"},
    CLOCK_ROW,
    AT_ROW,
    RULES_ROW,
    NOTES_ROW,
    {"token", 0, "TEXT",
     "the secret part of the page's address, 16 to 64 of A-Z a-z 0-9 _ - (a new one each time)"},
    {"keep", 0, "SIZE",
     "of a target: how much of its trace to keep for the page, as in 500M or 4G (1G)"},
    {"sql", 0, "SIZE",
     "how large the temporary database for SQL queries of pages may become (4G); off: no queries"},
    {"front", 0, "[HOST:]PORT",
     "address for front ends (127.0.0.1:7701); off: none. With it a FILE is sent to front ends "
     "once, and to no page"},
    {"allow-commands", 0, NULL,
     "let front ends and pages send commands to the target, switch files and record"},
    {"keep-filters", 0, NULL, "restore the filters after the target resets"},
    {"idle", 0, "S", "detach front ends that were silent for S seconds"},
    {"record", 0, "FILE",
     "record the bytes of the target and the commands to it, as `record` does"},
    CAPTURE_ROWS,
    START_ROW,
    {"out", 0, "DIR", "folder of the files that front ends and pages begin (the current one)"},
    {"files", 0, "LIST", "files on from the start: text, binary, matlab, sequence"},
    {"objects", 'g', "LIST", "objects of the sequence diagram, with commas; ? is all others"},
    {"once", 0, NULL, "tcp-listen: end when the first target has disconnected"},
    {"quiet", 'q', NULL, "do not show the lines of the trace"},
    {"every", 0, "N", "show only every Nth record, and dots for the others; 99: no records"},
    {"color", 0, "WHEN", "auto (dark, on a terminal), dark, light or never"},
    {NULL, 0, NULL, NULL},
};

static int serve(struct serve_options *o) {
    const struct args *args = o->args;
    if (!o->page.live && !o->fronts) return serve_file(o);
    if (!args->operands && !args->value[STREAM_IMAGE])
        return diag_error(EXIT_USAGE, "usage: wallfly serve %s; see `wallfly help serve`",
                          args->cmd->operands);
    if (args->value[STREAM_IMAGE] || args->value[STREAM_LANE])
        return diag_error(EXIT_USAGE, "--ram-image and --lane are for files that a page shows");
    return serve_live(o);
}

static int run(const struct args *args) {
    struct serve_options o = {.args = args};
    int code = serve_parse(&o);
    if (code == EXIT_GOOD) code = serve(&o);
    input_close(&o.input);
    return code;
}

const struct cmd cmd_serve = {
    "serve",
    run,
    "FILE...|SOURCE",
    0,
    SITE_PAGES_MAX,
    "Serves a trace to the browser, and a target to front ends: QView, QUTest, `wallfly print "
    "spy:`.",
    "The first line of standard output is the address of a page that shows the time line: of a\n"
    "FILE, as print reads it, or of the target at a SOURCE, live. Several FILEs, and the lanes of "
    "a\n"
    "recording that has several, are shown above one another, at corresponding times.\n"
    "wallfly serves the page itself.\n"
    "The address contains a secret token; anyone with the address can view the trace. See "
    "docs/page.md.\n\n"
    "Up to 64 front ends of a target attach on UDP, by default only from this machine. They can\n"
    "watch; with --allow-commands they and the page can also send commands to the target, as "
    "QUTest\n"
    "and QView's menus do. The lines of the trace then go to standard output as QSPY shows them\n"
    "(the page's address to standard error), unless --quiet. Ctrl-C ends the server. See\n"
    "docs/front-ends.md.",
    options};
