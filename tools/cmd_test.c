// SPDX-License-Identifier: MIT
// `wallfly test`: runs tests of the target, written as Lua scripts.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "names.h"
#include "term/signals.h"
#include "test/runner.h"

enum {
    TEST_TO,
    TEST_RUN,
    TEST_FILTER,
    TEST_JUNIT,
    TEST_TAP,
    TEST_TIMEOUT,
    TEST_LIMIT,
    TEST_START,
    TEST_DIC,
    TEST_ELF,
    TEST_MAP,
    TEST_LOADED_AT,
    TEST_LOG,
};

static const struct option_row options[] = {
    {"to", 't', "SOURCE", "the target (tcp-listen:6601, or a free port if --run contains {port})"},
    {"run", 'r', "CMD",
     "start the target with this shell command, again when it ends or hangs; {port} in it is the "
     "port to connect to"},
    {"filter", 'f', "PATTERN",
     "only tests with this pattern in their title; * and ? match any characters"},
    {"junit", 0, "FILE", "also write the results to a JUnit file"},
    {"tap", 0, NULL, "print TAP instead of text"},
    {"timeout", 0, "S", "longest time to wait for a line, in seconds (1)"},
    {"limit", 0, "S", "longest time of a test, in seconds (60)"},
    {"start", 0, "S", "longest time for the target to start or reconnect, in seconds (10)"},
    {"dic", 0, "FILE", "names from a dictionary file, for targets that do not send them"},
    NAMES_ROWS,
    {"log", 0, "FILE", "log all commands, lines and notes"},
    {NULL, 0, NULL, NULL},
};

static struct runner runner;

static void on_signal(int number) {
    (void)number;
    runner.stopped = 1;
}

// Returns the source of the target, by default a TCP port.
static const char *source_of(const struct args *args) {
    const char *run = args->value[TEST_RUN];
    if (args->value[TEST_TO]) return args->value[TEST_TO];
    return run && strstr(run, "{port}") ? "tcp-listen:0" : "tcp-listen:6601";
}

static bool files_there(const struct args *args) {
    for (int i = 0; i < args->operands; ++i) {
        if (access(args->operand[i], R_OK) == 0) continue;
        diag_error(EXIT_USAGE, "%s: %s", args->operand[i], strerror(errno));
        return false;
    }
    return true;
}

static int run(const struct args *args) {
    struct runner *r = &runner;
    struct target_options to = {.source = source_of(args),
                                .command = args->value[TEST_RUN],
                                .dic = args->value[TEST_DIC],
                                .start_s = 10};
    struct names_options no = {args->value[TEST_ELF], args->value[TEST_MAP],
                               args->value[TEST_LOADED_AT]};
    struct names names;
    *r = (struct runner){.timeout_s = 1,
                         .limit_s = 60,
                         .filter = args->value[TEST_FILTER],
                         .args = args,
                         .junit = args->value[TEST_JUNIT]};
    if (!parse_seconds("--timeout", args->value[TEST_TIMEOUT], &r->timeout_s) ||
        !parse_seconds("--limit", args->value[TEST_LIMIT], &r->limit_s) ||
        !parse_seconds("--start", args->value[TEST_START], &to.start_s) || !files_there(args))
        return EXIT_USAGE;
    if (wf_link_is_file(to.source))
        return diag_error(EXIT_USAGE,
                          "--to: tests need a target that can be commanded, not a file");
    int code = names_open(&names, &no);
    if (code != EXIT_GOOD) return code;
    struct wf_outfile *log;
    code = log_open(args->value[TEST_LOG], r->junit, args->files, &log);
    if (code != EXIT_GOOD) {
        names_close(&names);
        return code;
    }
    signals_catch(on_signal);
    signals_ignore_pipes();
    to.log = log ? wf_outfile_stream(log) : NULL;
    to.names = &names;
    code = target_open(&r->target, &to, &r->stopped);
    if (code == EXIT_GOOD) code = runner_run(r, args->value[TEST_TAP] != NULL);
    target_close(&r->target);
    names_close(&names);
    return log_close(log, code);
}

const struct cmd cmd_test = {
    "test",
    run,
    "SCRIPT...",
    1,
    1000,
    "Tests a target by scripts in Lua.",
    "docs/testing.md describes how to write them. Each test resets the target, unless it "
    "has\n"
    "NORESET. If the target hangs or disconnects, the running test fails and the next ones are "
    "run.\n"
    "Exit code 0: all passed; 1: some failed; 2: a script is broken; 3: there is no target.",
    options};
