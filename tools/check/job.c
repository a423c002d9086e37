// SPDX-License-Identifier: MIT
// All traces, and the outputs that join them.

#include "job.h"

#include <stdio.h>
#include <string.h>

int worse_code(int a, int b) {
    // An input that could not be checked weighs more than a broken rule.
    static const int ranks[] = {[EXIT_GOOD] = 0, [EXIT_UNDECIDED] = 1, [EXIT_LOSS] = 2,
                                [EXIT_NO] = 3,   [EXIT_INPUT] = 4,     [EXIT_USAGE] = 5};
    return ranks[b] > ranks[a] ? b : a;
}

int job_rate(const struct check_job *job, const struct args *args, uint64_t *rate) {
    bool window = job->options.has_from || job->options.has_until;
    bool one = args->value[STREAM_LANE] || !args->operands || source_lanes(args->operand[0]) < 2;
    return window || one ? stream_rate(args, rate) : EXIT_GOOD;
}

bool job_show(struct check_job *job, const struct check_view *view) {
    bool several = job->trace_count > 1;
    view_count(view, &job->counts);
    if (job->output == JOB_JSON) {
        if (job->view_count) fputs(",\n ", stdout);
        view_json(stdout, view);
    } else if (job->output == JOB_TEXT) {
        if (job->view_count) putchar('\n');
        view_text(view);
    }
    if (job->github) view_github(stdout, view, several);
    fflush(stdout);
    ++job->view_count;
    return view_report(&job->report, view, several);
}

static void end_output(const struct check_job *job, int code) {
    if (job->output == JOB_JSON)
        printf("],\"passed\":%u,\"failed\":%u,\"undecided\":%u,\"exit\":%d}\n", job->counts.passed,
               job->counts.failed, job->counts.undecided, code);
    else if (job->output == JOB_TEXT && job->view_count)
        view_text_end(&job->counts, job->colour);
    else if (job->output == JOB_TAP)
        report_end(&job->report, 0);
}

// Writes the JUnit file, also if a trace could not be read.
static int write_junit(struct check_job *job, int code) {
    struct wf_error error;
    const char *file = job->args->value[CHECK_JUNIT];
    if (!file || report_junit(&job->report, file, job->args->files, 0, &error) == WF_OK)
        return code;
    return worse_code(code, diag_error(EXIT_INPUT, "%s", error.text));
}

int job_run(struct check_job *job) {
    struct wf_outfile *none;
    int code = log_open(NULL, job->args->value[CHECK_JUNIT], job->args->files, &none);
    if (code != EXIT_GOOD) return code;
    report_begin(&job->report, job->output == JOB_TAP ? REPORT_TAP : REPORT_KEEP, false);
    if (job->output == JOB_JSON) fputs("{\"wallfly_check\":1,\"traces\":[", stdout);
    for (unsigned i = 0; i < job->trace_count; ++i)
        code = worse_code(code, trace_check(job, job->traces[i]));
    if (job->counts.failed) code = worse_code(code, EXIT_NO);
    if (job->counts.undecided) code = worse_code(code, EXIT_UNDECIDED);
    code = write_junit(job, code);
    end_output(job, code);
    report_free(&job->report);
    return code;
}
