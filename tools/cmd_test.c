// SPDX-License-Identifier: MIT
// `wallfly test`: runs tests of the target, written as Lua scripts.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "ending.h"
#include "names.h"
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
    {"to", 't', "SOURCE",
     "the target (tcp-listen:6601; with --run that has {port} in it: any free port)"},
    {"run", 'r', "CMD",
     "start the target by this command of the shell, and again when it ends or hangs; {port} in it "
     "is the port to connect to"},
    {"filter", 'f', "PATTERN", "only tests whose title has it; * and ? stand for any characters"},
    {"junit", 0, "FILE", "write the results as a JUnit file, too"},
    {"tap", 0, NULL, "print TAP in place of text for people"},
    {"timeout", 0, "S", "how long a line may take to come (1)"},
    {"limit", 0, "S", "how long a whole test may take (60)"},
    {"start", 0, "S", "how long the target may take to start or to come back (10)"},
    {"dic", 0, "FILE", "names from a dictionary file, for targets that do not send them"},
    NAMES_ROWS,
    {"log", 0, "FILE", "write all that goes and comes, and the notes"},
    {NULL, 0, NULL, NULL},
};

static struct runner runner;

static void on_signal(int number) {
    (void)number;
    runner.stopped = 1;
}

static bool parse_seconds(const struct args *args, unsigned option, double *seconds) {
    const char *text = args->value[option];
    char *end;
    if (!text) return true;
    *seconds = strtod(text, &end);
    if (end != text && !*end && *seconds > 0 && *seconds <= 86400) return true;
    complain(EXIT_USAGE, "--%s: '%s' is not a time in seconds, as in 0.5", options[option].name,
             text);
    return false;
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
        complain(EXIT_USAGE, "%s: %s", args->operand[i], strerror(errno));
        return false;
    }
    return true;
}

static int judge(const struct runner *r, bool broken) {
    if (r->stopped) return complain(EXIT_NO, "stopped; the rest of the tests was not run");
    if (r->target.dead)
        return complain(EXIT_INPUT, "there is no target; the rest of the tests was not run");
    if (broken) return EXIT_USAGE;
    return r->report.count[FAILED] ? EXIT_NO : EXIT_GOOD;
}

// Writes the reports after the last test.
static int finish(struct runner *r, bool broken) {
    const char *junit = r->args->value[TEST_JUNIT];
    double seconds = (double)(uv_hrtime() - r->began_run) / 1e9;
    report_end(&r->report, seconds);
    int code = judge(r, broken);
    char why[256];
    if (junit && report_junit(&r->report, junit, r->args->files, seconds, why) != WF_OK)
        code = complain(EXIT_INPUT, "%s", why);
    return code;
}

// The script blocks the other thread forever, so that thread's resources cannot be closed.
static void give_up(struct runner *r) {
    script_stuck(r);
    if (!r->stopped)
        complain(EXIT_NO, "a script does not come back; the rest of the tests was not run");
    program_kill(&r->target.program);
    int code = finish(r, r->report.count[BROKEN] > 0);
    fflush(NULL);
    _exit(code);
}

static int run_scripts(struct runner *r, const struct args *args) {
    bool broken = false;
    r->began_run = uv_hrtime();
    r->args = args;
    r->give_up = give_up;
    report_begin(&r->report, args->value[TEST_TAP] != NULL, isatty(1) && !getenv("NO_COLOR"));
    if (!bounds_open(r)) {
        report_free(&r->report);
        return complain(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
    }
    for (int i = 0; i < args->operands && !r->stopped && !r->target.dead; ++i) {
        broken |= !script_run(r, args->operand[i]);
    }
    bounds_close(r);
    int code = finish(r, broken);
    report_free(&r->report);
    return code;
}

static const char log_begin[] = "# wallfly test: log\n", junit_begin[] = "<?xml";

// Returns whether a file exists that is not an earlier output of this command: it may be a script
// that another one includes or requires.
static bool is_foreign(const char *name, const char *output_begin) {
    struct stat st;
    char begin[sizeof log_begin] = "";
    if (!name || stat(name, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) return false;
    FILE *f = fopen(name, "r");
    if (!f) return true;
    fread(begin, 1, strlen(output_begin), f);
    fclose(f);
    return strcmp(begin, output_begin) != 0;
}

// Called before a test is run. The log is written as it grows, so it survives a crash.
static int open_outputs(const struct args *args, struct wf_outfile **log) {
    const char *junit = args->value[TEST_JUNIT], *name = args->value[TEST_LOG];
    char why[256];
    const char *foreign = is_foreign(junit, junit_begin) ? junit
                          : is_foreign(name, log_begin)  ? name
                                                         : NULL;
    int err = name ? wf_outfile_open(name, WF_MODE_LIVE, args->files, log, why) : WF_OK;
    if (err == WF_OK && junit) err = wf_files_check(args->files, junit, why);
    if (err == WF_OK && foreign) {
        snprintf(why, sizeof why,
                 "%.160s: is no earlier output of this option; choose another name", foreign);
        err = WF_ERR_USAGE;
    }
    if (err == WF_OK && *log) err = wf_outfile_publish(*log, why);
    if (err == WF_OK) return EXIT_GOOD;
    char no[256];
    if (*log) wf_outfile_close(*log, false, no);
    return complain(exit_code_of(err), "%s", why);
}

static int close_log(struct wf_outfile *log, int code) {
    char why[256];
    if (!log || wf_outfile_close(log, true, why) == WF_OK) return code;
    return complain(code == EXIT_GOOD ? EXIT_INPUT : code, "%s", why);
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
    *r = (struct runner){.timeout_s = 1, .limit_s = 60, .filter = args->value[TEST_FILTER]};
    if (!parse_seconds(args, TEST_TIMEOUT, &r->timeout_s) ||
        !parse_seconds(args, TEST_LIMIT, &r->limit_s) ||
        !parse_seconds(args, TEST_START, &to.start_s) || !files_there(args))
        return EXIT_USAGE;
    if (wf_link_is_file(to.source))
        return complain(EXIT_USAGE, "--to: tests need a target that can be commanded, not a file");
    int code = names_open(&names, &no);
    if (code != EXIT_GOOD) return code;
    struct wf_outfile *log = NULL;
    code = open_outputs(args, &log);
    to.log = log && code == EXIT_GOOD ? wf_outfile_stream(log) : NULL;
    if (to.log) {
        setvbuf(to.log, NULL, _IOLBF, 0);
        fputs(log_begin, to.log);
    }
    if (code != EXIT_GOOD) {
        names_close(&names);
        return code;
    }
    ending_catch(on_signal);
    ending_ignore_pipes();
    to.names = &names;
    code = target_open(&r->target, &to, &r->stopped);
    if (code == EXIT_GOOD) code = run_scripts(r, args);
    target_close(&r->target);
    names_close(&names);
    return close_log(log, code);
}

const struct cmd cmd_test = {
    "test",
    run,
    "SCRIPT...",
    1,
    1000,
    "Tests a target by scripts in Lua.",
    "docs/testing.md describes how to write them. Each test starts the target anew, unless it "
    "says\n"
    "NORESET; one that hangs or goes away fails the test that was running, and the others go on.\n"
    "Exit code 0: all passed; 1: some failed; 2: a script is broken; 3: there is no target.",
    options};
