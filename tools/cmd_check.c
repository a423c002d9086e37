// SPDX-License-Identifier: MIT
// `wallfly check`: whether traces keep the rules of a script.

#include <stdlib.h>
#include <string.h>

#include "check/job.h"
#include "filter_options.h"

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    STREAM_HIDE_ROWS,
    {"rules", 0, "FILE", "a script of rules, as an operand that ends in .lua"},
    CLOCK_ROW,
    {"from", 0, "S", "only after this time, " SECONDS_TEXT},
    {"until", 0, "S", "only before this time"},
    {"priorities", 0, "WHICH",
     "low or high: which numbers are the better priorities; default: found from preemptions"},
    {"loss", 0, "HOW",
     "what lost data makes of a rule that it touches: undecided (the default), fail, or ignore: as "
     "if nothing was lost"},
    {"seconds", 0, "S", "end a live source after this number of seconds"},
    {"once", 0, NULL, "end when the first target has disconnected"},
    {"limit", 0, "S",
     "longest time of a script, and of a call of one of its functions, in seconds (10)"},
    {"failures", 0, "N", "show at most this number of failures of each rule (3)"},
    {"junit", 0, "FILE", "also write the results to a JUnit file"},
    {"tap", 0, NULL, "print TAP instead of text"},
    {"json", 0, NULL, "print JSON instead of text"},
    {"github", 0, NULL, "also print annotations for GitHub's workflows"},
    {"color", 0, "WHEN", "auto (on a terminal), always or never"},
    {"learn", 0, NULL, "write rules that the trace keeps, with margins, to standard output"},
    {NULL, 0, NULL, NULL},
};

static bool parse_window(const struct args *args, struct wf_check_options *o) {
    static const char *const which[] = {"low", "high", NULL};
    static const char *const losses[] = {"undecided", "fail", "ignore", NULL};
    const char *best = args->value[CHECK_PRIORITIES];
    unsigned high = 0, loss = WF_CHECK_LOSS_UNDECIDED;
    struct window w;
    o->size = sizeof *o;
    if (!window_parse(args->value[CHECK_FROM], args->value[CHECK_UNTIL], &w) ||
        !time_parse(args->value[CHECK_TIME], NULL, &o->target_clock) ||
        !parse_choice("--priorities", best, which, &high) ||
        !parse_choice("--loss", args->value[CHECK_LOSS], losses, &loss))
        return false;
    o->has_from = w.has_from;
    o->has_until = w.has_until;
    o->from_s = w.from_s;
    o->until_s = w.until_s;
    o->loss = (enum wf_check_loss)loss;
    if (best) o->priorities = high ? WF_PRIORITIES_HIGH : WF_PRIORITIES_LOW;
    return true;
}

static bool parse_output(const struct args *args, struct check_job *job) {
    const char *seconds = args->value[CHECK_SECONDS], *shown = args->value[CHECK_FAILURES];
    bool tap = args->value[CHECK_TAP] != NULL, json = args->value[CHECK_JSON] != NULL;
    uint64_t most = 3;
    job->output = tap ? JOB_TAP : json ? JOB_JSON : JOB_TEXT;
    job->github = args->value[CHECK_GITHUB] != NULL;
    job->once = args->value[CHECK_ONCE] != NULL;
    if ((tap || json) && (tap == json || job->github)) {
        diag_error(EXIT_USAGE, "check: --tap, --json and --github do not go together");
        return false;
    }
    if (seconds && !parse_number("--seconds", seconds, 1, 1000000000, &job->seconds)) return false;
    if (shown && !parse_number("--failures", shown, 0, WF_CHECK_FAILURES, &most)) return false;
    job->shown = (unsigned)most;
    return stream_colour(args->value[CHECK_COLOUR], &job->colour);
}

static int load(struct check_job *job, const char *file) {
    struct wf_error error;
    unsigned before = check_rule_count(job->rules);
    if (!wf_files_add(job->args->files, file)) return out_of_memory();
    int err = check_load(job->rules, file, &error);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    if (check_rule_count(job->rules) > before) return EXIT_GOOD;
    return diag_error(EXIT_USAGE, "%s: has no rules", file);
}

static bool is_script(const char *name) {
    size_t len = strlen(name);
    return len > 4 && strcmp(name + len - 4, ".lua") == 0;
}

// Tells scripts from traces, and loads the scripts.
static int take_operands(struct check_job *job, const char **traces) {
    const struct args *args = job->args;
    const char *list = args->value[CHECK_RULES];
    int code = EXIT_GOOD;
    job->traces = traces;
    for (int i = 0; i < args->operands && code == EXIT_GOOD; ++i) {
        if (is_script(args->operand[i]))
            code = load(job, args->operand[i]);
        else
            traces[job->trace_count++] = args->operand[i];
    }
    for (size_t len; list && *list && code == EXIT_GOOD; list += len + (list[len] == ',')) {
        char name[4096];
        len = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)len, list);
        code = load(job, name);
    }
    bool image = args->value[STREAM_IMAGE] != NULL, learn = args->value[CHECK_LEARN] != NULL;
    if (code != EXIT_GOOD) return code;
    bool rules = check_rule_count(job->rules) > 0;
    if (image != !job->trace_count || rules == learn || (learn && job->trace_count > 1))
        return diag_error(EXIT_USAGE, "usage: wallfly check %s; see `wallfly help check`",
                          learn ? "--learn TRACE" : args->cmd->operands);
    if (image) job->trace_count = 1;
    return EXIT_GOOD;
}

static int run(const struct args *args) {
    struct check_job job = {.args = args};
    double limit_s = 10;
    if (!parse_window(args, &job.options) || !parse_output(args, &job) ||
        !parse_seconds("--limit", args->value[CHECK_LIMIT], &limit_s))
        return EXIT_USAGE;
    const char **traces = calloc((size_t)args->operands + 1, sizeof *traces);
    job.rules = check_rules_open(limit_s);
    int code = traces && job.rules ? take_operands(&job, traces) : out_of_memory();
    if (code == EXIT_GOOD) code = args->value[CHECK_LEARN] ? job_learn(&job) : job_run(&job);
    check_rules_close(job.rules);
    free(traces);
    return code;
}

const struct cmd cmd_check = {
    "check",
    run,
    "FILE|SOURCE... RULES.lua...",
    0,
    1000,
    "Checks whether traces keep the rules of a script.",
    "docs/check.md describes the rules. Each rule passes, fails, or cannot be decided, because\n"
    "lost data lies where the answer would be. Exit code 0: all passed; 1: one failed; 2: a\n"
    "script is broken; 3: a trace cannot be read; 5: none failed, but one cannot be decided.\n"
    "A live source ends with --seconds or Ctrl-C.\n"
    "\n"
    "    wallfly check --learn good.wfr > rules.lua\n"
    "    wallfly check new.wfr rules.lua",
    options};
