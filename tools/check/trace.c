// SPDX-License-Identifier: MIT
// Checks one trace: reads it, then reads a file again for the records around failures.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../query.h"
#include "job.h"

struct reading {
    struct stream stream; // the first member
    struct check_job *job;
    struct args args; // with the operand of this trace alone
    char *operand[2];
    struct around *around; // null: not yet
    struct check_view view;
};

static void on_item(struct lane *l, const struct wf_item *item) {
    struct reading *r = (struct reading *)(void *)l->stream;
    struct wf_error error;
    if (!l->user) {
        l->user = check_lane_open(r->job->rules, l->session, l->number, &r->job->options, &error);
        if (!l->user && r->stream.code == EXIT_GOOD)
            r->stream.code = diag_error(exit_code_of(error.code), "%s", error.text);
        if (!l->user) r->stream.enough = true;
    }
    if (!l->user) return;
    check_lane_take(l->user, item);
    if (check_lane_failed(l->user)) r->stream.enough = true; // check_lane_end has the error
    if (r->around && !around_item(r->around, l, item)) {
        around_close(r->around); // only the lines are missing then
        r->around = NULL;
    }
}

// A regular file and a folder can be read again.
static bool is_kept(const struct reading *r) {
    struct stat st;
    const char *name = r->args.operand[0];
    if (r->args.value[STREAM_IMAGE]) return true;
    if (strcmp(name, "-") == 0 || wf_link_is_live(name) || !wf_link_is_file(name)) return false;
    return stat(name, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

// ---- results

static struct check_row *add_row(struct check_view *v) {
    struct check_row *rows = realloc(v->rows, (v->count + 1) * sizeof *rows);
    if (!rows) return NULL;
    v->rows = rows;
    rows[v->count] = (struct check_row){.session = NULL};
    return &rows[v->count++];
}

static int add_results(struct check_view *v, struct lane *l) {
    for (unsigned i = 0; i < check_lane_results(l->user); ++i) {
        struct check_row *row = add_row(v);
        if (!row) return out_of_memory();
        check_lane_result(l->user, i, &row->result);
        row->lane = l->number;
        row->session = l->session;
    }
    return EXIT_GOOD;
}

static bool has_lane(const struct stream *s, unsigned number) {
    for (unsigned i = 0; i < s->lane_count; ++i) {
        if (s->lanes[i]->number == number && s->lanes[i]->user) return true;
    }
    return false;
}

// A rule for a lane that the trace does not have is not decided.
static int add_missing(struct reading *r) {
    const struct check_rules *rules = r->job->rules;
    for (unsigned i = 0; i < check_rule_count(rules); ++i) {
        const struct check_rule *rule = check_rule_at(rules, i);
        if (rule->lane < 0 || has_lane(&r->stream, (unsigned)rule->lane)) continue;
        if (r->stream.one_lane && r->stream.lane != (unsigned)rule->lane) continue;
        struct check_row *row = add_row(&r->view);
        if (!row) return out_of_memory();
        row->lane = (unsigned)rule->lane;
        row->result = (struct check_result){.rule = rule, .of = {.verdict = WF_CHECK_UNDECIDED}};
        snprintf(row->result.of.text, sizeof row->result.of.text, "the trace has no lane %d",
                 rule->lane);
    }
    return EXIT_GOOD;
}

static int end_lanes(struct reading *r) {
    struct stream *s = &r->stream;
    int code = EXIT_GOOD;
    unsigned lanes = 0;
    for (unsigned i = 0; i < s->lane_count && code == EXIT_GOOD; ++i) {
        struct wf_error error;
        struct lane *l = s->lanes[i];
        if (!l->user) continue;
        ++lanes;
        if (check_lane_end(l->user, &error) != WF_OK)
            code = diag_error(exit_code_of(error.code), "%s", error.text);
        else
            code = add_results(&r->view, l);
    }
    r->view.lanes = s->prefix;
    if (code == EXIT_GOOD && !lanes)
        return diag_error(EXIT_UNDECIDED, "%s: has no records: nothing was checked", s->name);
    return code == EXIT_GOOD ? add_missing(r) : code;
}

// ---- records around failures

struct again {
    struct stream stream; // the first member
    struct around *around;
};

static void take_again(struct lane *l, const struct wf_item *item) {
    struct again *a = (struct again *)(void *)l->stream;
    if (!around_item(a->around, l, item)) a->stream.enough = true;
}

static bool want_lines(const struct reading *r, struct around *around) {
    const struct check_view *v = &r->view;
    bool all = r->job->output == JOB_JSON;
    for (unsigned i = 0; i < v->count; ++i) {
        const struct wf_check_result *of = &v->rows[i].result.of;
        unsigned most = all || of->kept < v->shown ? of->kept : v->shown;
        for (unsigned k = 0; k < most && v->rows[i].session; ++k) {
            if (!of->failures[k].record) continue;
            if (!around_want(around, v->rows[i].lane, of->failures[k].record)) return false;
        }
    }
    return true;
}

// Reads the lines; without memory or when the file is gone, failures are shown without them.
static void read_again(struct reading *r) {
    struct again a = {.stream = {.on_item = take_again, .again = true, .rate = r->stream.rate}};
    a.around = around_open(false, r->view.target_clock);
    if (!a.around) return;
    bool any = want_lines(r, a.around) && around_is_wanted(a.around);
    if (any && stream_hide(&a.stream, &r->args) && stream_open(&a.stream, &r->args) == EXIT_GOOD) {
        stream_run(&a.stream, true);
        stream_close(&a.stream);
    }
    r->around = a.around;
}

// ---- a trace

static int show(struct reading *r, int code) {
    if (!r->view.gone) read_again(r);
    r->view.around = r->around;
    if (!job_show(r->job, &r->view)) code = worse_code(code, out_of_memory());
    return code;
}

static int run_stream(struct reading *r) {
    struct stream *s = &r->stream;
    int code = stream_run(s, r->job->once);
    if (code == EXIT_GOOD && s->source.interrupted && !r->view.gone)
        code = diag_error(EXIT_INPUT, "%s: interrupted", s->name);
    if (code == EXIT_GOOD) code = stream_verdict(s);
    if (code != EXIT_GOOD && code != EXIT_LOSS) return code;
    query_temporaries_catch();
    int end = end_lanes(r);
    return end == EXIT_GOOD ? show(r, code) : worse_code(code, end);
}

static int read_trace(struct reading *r) {
    struct stream *s = &r->stream;
    if (!stream_hide(s, &r->args)) return EXIT_USAGE;
    int code = job_rate(r->job, &r->args, &s->rate);
    if (code == EXIT_GOOD) code = stream_open(s, &r->args);
    if (code != EXIT_GOOD) return code;
    r->view = (struct check_view){.name = s->name,
                                  .args = &r->args,
                                  .gone = !is_kept(r),
                                  .target_clock = r->job->options.target_clock,
                                  .colour = r->job->colour,
                                  .shown = r->job->shown};
    if (r->view.gone) r->around = around_open(true, r->view.target_clock);
    code = run_stream(r);
    for (unsigned i = 0; i < s->lane_count; ++i) check_lane_close(s->lanes[i]->user);
    around_close(r->around);
    stream_close(s);
    free(r->view.rows);
    return code;
}

int trace_check(struct check_job *job, const char *operand) {
    struct reading r = {
        .stream = {.on_item = on_item, .seconds = job->seconds}, .job = job, .args = *job->args};
    r.operand[0] = (char *)(uintptr_t)operand;
    r.args.operand = r.operand;
    r.args.operands = operand != NULL;
    return read_trace(&r);
}
