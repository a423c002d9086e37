// SPDX-License-Identifier: MIT
// `wallfly check --learn`: reads a trace for its figures, and again to try the rules on it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "learn.h"

struct reading {
    struct stream stream; // the first member
    const struct check_job *job;
    struct learned_list learned;
    struct wf_check_rule *rules; // second reading: of all lanes
};

// ---- first reading

static void take_figures(struct lane *l, const struct wf_item *item) {
    struct reading *r = (struct reading *)(void *)l->stream;
    const struct wf_check_options *o = &r->job->options;
    struct wf_stats_options options = {.size = sizeof options,
                                       .has_from = o->has_from,
                                       .has_until = o->has_until,
                                       .from_s = o->from_s,
                                       .until_s = o->until_s,
                                       .target_clock = o->target_clock,
                                       .priorities = o->priorities};
    struct wf_error error;
    if (!l->user) l->user = wf_stats_open(l->session, &options, &error);
    if (l->user)
        wf_stats_take(l->user, item);
    else if (r->stream.code == EXIT_GOOD)
        r->stream.code = diag_error(EXIT_INPUT, "%s", error.text);
}

// What a trace with holes shows is not the worst that happened.
static int refuse_loss(const struct reading *r) {
    const struct stream *s = &r->stream;
    char name[256];
    for (unsigned i = 0; i < s->lane_count; ++i) {
        const struct wf_verdict *v = wf_lane_verdict(s->lanes[i]->of);
        if (!v->lossy || r->job->options.loss == WF_CHECK_LOSS_IGNORED) continue;
        return diag_error(EXIT_UNDECIDED,
                          "%s: %s: the worst may be in what is missing, so no rules are learned; "
                          "--loss=ignore learns from the rest",
                          lane_name(s->lanes[i], name), v->loss);
    }
    return EXIT_GOOD;
}

static int learn_lanes(struct reading *r) {
    const struct stream *s = &r->stream;
    for (unsigned i = 0; i < s->lane_count; ++i) {
        struct lane *l = s->lanes[i];
        uint64_t hz = wf_session_target(l->session)->hz;
        if (!l->user) continue;
        wf_stats_end(l->user);
        if (wf_stats_error(l->user) != WF_OK) return out_of_memory();
        if (!hz)
            return diag_error(EXIT_USAGE, "%s: the rate of its clock is not known; give --rate",
                              s->name);
        if (!learn_lane(&r->learned, l->user, l->number, hz)) return out_of_memory();
    }
    if (r->learned.count) return EXIT_GOOD;
    return diag_error(EXIT_UNDECIDED, "%s: has no records: nothing was learned", s->name);
}

static int first_reading(struct reading *r, const struct args *args) {
    struct stream *s = &r->stream;
    if (!stream_hide(s, args)) return EXIT_USAGE;
    int code = job_rate(r->job, args, &s->rate);
    if (code == EXIT_GOOD) code = stream_open(s, args);
    if (code != EXIT_GOOD) return code;
    code = stream_run(s, true);
    if (code == EXIT_GOOD && s->source.interrupted)
        code = diag_error(EXIT_INPUT, "%s: interrupted", s->name);
    if (code == EXIT_GOOD) code = stream_verdict(s);
    if (code == EXIT_GOOD) code = refuse_loss(r);
    if (code == EXIT_GOOD) code = learn_lanes(r);
    for (unsigned i = 0; i < s->lane_count; ++i) wf_stats_close(s->lanes[i]->user);
    return code;
}

// ---- second reading

static unsigned select_rules(struct reading *r, unsigned lane) {
    unsigned n = 0;
    for (unsigned i = 0; i < r->learned.count; ++i) {
        if (r->learned.list[i].lane == lane) r->rules[n++] = r->learned.list[i].rule;
    }
    return n;
}

static void try_item(struct lane *l, const struct wf_item *item) {
    struct reading *r = (struct reading *)(void *)l->stream;
    struct wf_error error;
    if (!l->user) {
        unsigned count = select_rules(r, l->number);
        l->user = wf_check_open(l->session, r->rules, count, &r->job->options, &error);
    }
    if (l->user)
        wf_check_take(l->user, item);
    else if (r->stream.code == EXIT_GOOD)
        r->stream.code = diag_error(EXIT_INPUT, "%s", error.text);
}

static void note_results(struct reading *r, struct lane *l) {
    unsigned n = 0;
    for (unsigned i = 0; i < r->learned.count && l->user; ++i) {
        struct learned *of = &r->learned.list[i];
        struct wf_check_result result;
        if (of->lane != l->number) continue;
        wf_check_result(l->user, n++, &result);
        of->passes = result.verdict == WF_CHECK_PASSED;
        snprintf(of->why, sizeof of->why, "%s", result.text);
    }
}

static int second_reading(struct reading *r, const struct args *args) {
    struct stream *s = &r->stream;
    int code = stream_hide(s, args) ? stream_open(s, args) : EXIT_USAGE;
    if (code != EXIT_GOOD) return code;
    code = stream_run(s, true);
    for (unsigned i = 0; i < s->lane_count; ++i) {
        if (!s->lanes[i]->user) continue;
        wf_check_end(s->lanes[i]->user);
        if (wf_check_error(s->lanes[i]->user) != WF_OK) code = out_of_memory();
        if (code == EXIT_GOOD) note_results(r, s->lanes[i]);
        wf_check_close(s->lanes[i]->user);
    }
    return code;
}

int job_learn(struct check_job *job) {
    struct reading first = {.stream = {.on_item = take_figures}, .job = job};
    struct reading second = {.stream = {.on_item = try_item, .again = true}, .job = job};
    struct args args = *job->args;
    char *operand[2] = {(char *)(uintptr_t)job->traces[0], NULL};
    args.operand = operand;
    args.operands = job->traces[0] != NULL;
    int code = first_reading(&first, &args);
    second.learned = first.learned;
    second.stream.rate = first.stream.rate;
    second.rules = calloc(first.learned.count + 1, sizeof *second.rules);
    if (code == EXIT_GOOD) code = second.rules ? second_reading(&second, &args) : out_of_memory();
    if (code == EXIT_GOOD)
        learn_write(stdout, &second.learned, first.stream.name, second.stream.prefix);
    stream_close(&second.stream);
    stream_close(&first.stream);
    free(second.rules);
    learn_free(&second.learned);
    return code;
}
