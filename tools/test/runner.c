// SPDX-License-Identifier: MIT
// Runs all scripts, and reports.

#include "runner.h"

#include <stdlib.h>
#include <unistd.h>

#include "../cmd.h"

static int run_exit_code(const struct runner *r, bool broken) {
    if (r->stopped) return diag_error(EXIT_NO, "stopped; the rest of the tests was not run");
    if (r->target.dead)
        return diag_error(EXIT_INPUT, "there is no target; the rest of the tests was not run");
    if (broken) return EXIT_USAGE;
    return r->report.count[FAILED] ? EXIT_NO : EXIT_GOOD;
}

// Writes the reports after the last test.
static int finish_run(struct runner *r, bool broken) {
    double seconds = (double)(uv_hrtime() - r->began_run) / 1e9;
    report_end(&r->report, seconds);
    int code = run_exit_code(r, broken);
    struct wf_error error;
    if (r->junit && report_junit(&r->report, r->junit, r->args->files, seconds, &error) != WF_OK)
        code = diag_error(EXIT_INPUT, "%s", error.text);
    return code;
}

void runner_over(lua_State *L, void *ctx) {
    struct runner *r = ctx;
    const char *why = r->stopped ? "stopped" : "took longer than --limit allows";
    if (!r->now) {
        luaL_error(L, "%s", why);
        return;
    }
    r->flat = false; // the test cannot continue
    fail(L, NULL, NULL, "%s", why);
}

// The script blocks the other thread forever, so that thread's resources cannot be closed.
void runner_give_up(void *ctx) {
    struct runner *r = ctx;
    script_stuck(r);
    if (!r->stopped)
        diag_error(EXIT_NO, "a script does not return; the rest of the tests was not run");
    program_kill(&r->target.program);
    int code = finish_run(r, r->report.count[BROKEN] > 0);
    fflush(NULL);
    _exit(code);
}

int runner_run(struct runner *r, bool tap) {
    const struct args *args = r->args;
    bool broken = false;
    r->began_run = uv_hrtime();
    report_begin(&r->report, tap ? REPORT_TAP : REPORT_TEXT, isatty(1) && !getenv("NO_COLOR"));
    r->bounds = (struct bounds){.ctx = r,
                                .stopped = &r->stopped,
                                .deadline = &r->deadline,
                                .over = runner_over,
                                .give_up = runner_give_up};
    if (!bounds_open(&r->bounds)) {
        report_free(&r->report);
        return out_of_memory();
    }
    for (int i = 0; i < args->operands && !r->stopped && !r->target.dead; ++i) {
        broken |= !script_run(r, args->operand[i]);
    }
    bounds_close(&r->bounds);
    int code = finish_run(r, broken);
    report_free(&r->report);
    return code;
}
