// SPDX-License-Identifier: MIT
// A task's name may come after its jobs, or change, so those of all tasks are explained.

#include "explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "wallfly_host/wf_near.h"
#include "wallfly_server/explain_data.h"
#include "wallfly_server/json.h"

enum { LINES = 40 }; // parts shown as text

struct explaining {
    struct stream stream; // the first member
    const struct explain_args *a;
    struct wf_explain_options options;
    double at_s; // WF_EXPLAIN_AT: seconds, or ticks if the rate is unknown
};

// ---- options

// Returns false for what is no such number.
static bool parse_place(const char *text, struct wf_explain_options *o, double *at) {
    char *end;
    errno = 0;
    if (*text == '@') {
        o->which = WF_EXPLAIN_AT;
        *at = strtod(text + 1, &end);
        return end != text + 1 && !*end && *at >= 0 && *at < 1e18;
    }
    o->which = WF_EXPLAIN_NUMBER;
    o->value = strtoull(text, &end, 10);
    return *text >= '1' && *text <= '9' && !*end && errno == 0;
}

static bool parse_job(const char *text, struct explaining *x) {
    x->options = (struct wf_explain_options){.size = sizeof x->options};
    if (!text || strcmp(text, "longest") == 0) return true;
    if (strcmp(text, "shortest") == 0) {
        x->options.which = WF_EXPLAIN_SHORTEST;
        return true;
    }
    if (parse_place(text, &x->options, &x->at_s)) return true;
    diag_error(EXIT_USAGE,
               "--job: '%s' is not longest, shortest, the number of a job, or @TIME in seconds",
               text);
    return false;
}

// ---- reading

static uint64_t tick_at(const struct explaining *x, const struct lane *l) {
    uint64_t hz = wf_session_target(l->session)->hz;
    uint64_t zero = wf_time_zero(l->session, x->a->target_clock);
    double ticks = hz ? x->at_s * (double)hz : x->at_s;
    return ticks < 9e18 ? zero + (uint64_t)ticks : UINT64_MAX;
}

// Opened at the first item that has a time: before it the trace's beginning is not known.
static void on_item(struct lane *l, const struct wf_item *item) {
    struct explaining *x = (struct explaining *)(void *)l->stream;
    struct wf_explain_options o = x->options;
    struct wf_error error;
    if (l->user || l->stream->code != EXIT_GOOD || !wf_session_has_time(l->session)) return;
    l->sinks = wf_sinks_open(l->session);
    o.sinks = l->sinks;
    if (o.which == WF_EXPLAIN_AT) o.value = tick_at(x, l);
    wf_error_code(&error, WF_ERR_NOMEM);
    if (l->sinks) l->user = wf_explain_open(l->session, &o, &error);
    if (l->user)
        wf_sinks_item(l->sinks, item);
    else
        l->stream->code = diag_error(EXIT_INPUT, "%s", error.text);
}

// ---- the task

static bool is_better(const struct explaining *x, const struct wf_explained *job,
                      const struct wf_explained *than) {
    uint64_t response = job->to - job->from, before = than->to - than->from;
    switch (x->options.which) {
    case WF_EXPLAIN_LONGEST: return response > before;
    case WF_EXPLAIN_SHORTEST: return response < before;
    default: return job->from < than->from;
    }
}

// Returns the task of this name whose job is the one that is asked for; *known: there is a task.
static const struct wf_task *find_task(const struct explaining *x, struct wf_explain *e,
                                       bool *known) {
    const struct wf_model *m = wf_explain_model(e);
    const struct wf_task *found = NULL;
    struct wf_explained best = {0};
    for (unsigned i = 0; i < wf_model_tasks(m); ++i) {
        const struct wf_task *t = wf_model_task(m, i);
        if (strcmp(wf_task_name(m, t), x->a->task) != 0) continue;
        *known = true;
        const struct wf_explained *job = wf_explain_job(e, t);
        if (!job || (found && !is_better(x, job, &best))) continue;
        best = *job;
        found = t;
    }
    return found;
}

static int report_unknown(const struct explaining *x) {
    const char *near = NULL;
    unsigned least = 3; // letters that may differ
    for (unsigned i = 0; i < x->stream.lane_count; ++i) {
        struct wf_explain *e = x->stream.lanes[i]->user;
        const struct wf_model *m = e ? wf_explain_model(e) : NULL;
        for (unsigned k = 0; m && k < wf_model_tasks(m); ++k) {
            const char *name = wf_task_name(m, wf_model_task(m, k));
            unsigned distance = wf_near_distance(name, x->a->task);
            if (distance >= least) continue;
            least = distance;
            near = name;
        }
    }
    if (near)
        return diag_error(EXIT_NO, "--explain: the trace has no task '%s'; is it '%s'?", x->a->task,
                          near);
    return diag_error(EXIT_NO, "--explain: the trace has no task '%s'; `wallfly stats` lists them",
                      x->a->task);
}

// ---- text

static void put_cause_lines(const struct stats *s, const struct wf_explain *e,
                            const struct wf_explained *job) {
    char time[CELL_TEXT], longest[CELL_TEXT], words[512];
    double response = (double)(job->to - job->from);
    printf("\n%12s %7s %6s %12s  cause\n", "time", "share", "parts", "longest at");
    for (size_t i = 0; i < job->sum_count; ++i) {
        const struct wf_explain_sum *sum = &job->sums[i];
        cell_time(s, (double)sum->ticks, time);
        cell_point(s, sum->longest_from, longest);
        printf("%12s %5.1f %% %6" PRIu64 " %12s  %s\n", time, 100 * (double)sum->ticks / response,
               sum->count, longest,
               shown_text(wf_explain_words(e, sum->path, words, sizeof words)));
    }
}

static void put_part_lines(const struct stats *s, const struct wf_explain *e,
                           const struct wf_explained *job) {
    char at[CELL_TEXT], time[CELL_TEXT], words[512];
    size_t count = job->part_count < LINES ? job->part_count : LINES;
    printf("\n%12s %12s  in order of time\n", "at", "for");
    for (size_t i = 0; i < count; ++i) {
        const struct wf_explain_part *p = &job->parts[i];
        cell_point(s, p->from, at);
        cell_time(s, (double)(p->to - p->from), time);
        printf("%12s %12s  %s\n", at, time,
               shown_text(wf_explain_words(e, p->path, words, sizeof words)));
    }
    if (count < job->part_count)
        printf("%12s %12s  and %zu more: --json has them\n", "", "", job->part_count - count);
}

static void put_wait_lines(const struct stats *s, const struct wf_model *m,
                           const struct wf_explained *job) {
    static const char *const ends[] = {"end not known", "acquired", "gave up"};
    char at[CELL_TEXT], time[CELL_TEXT];
    if (job->wait_count) printf("\n%12s %12s  waits for mutexes\n", "at", "for");
    for (size_t i = 0; i < job->wait_count && i < LINES; ++i) {
        const struct wf_explain_wait *w = &job->waits[i];
        cell_point(s, w->from, at);
        cell_time(s, (double)(w->to - w->from), time);
        printf("%12s %12s  %s", at, time, shown_text(wf_object_name(m, w->mutex)));
        if (w->holder) printf(", held by %s", shown_text(wf_task_name(m, w->holder)));
        printf(": %s\n", ends[w->end]);
    }
}

static void put_text(const struct stats *s, const struct wf_explain *e,
                     const struct wf_explained *job) {
    static const char *const ends[] = {"its end is not known", "done", "abandoned"};
    const struct wf_model *m = wf_explain_model(e);
    char from[CELL_TEXT], to[CELL_TEXT], response[CELL_TEXT];
    cell_point(s, job->from, from);
    cell_point(s, job->to, to);
    cell_time(s, (double)(job->to - job->from), response);
    printf("job %" PRIu64 " of %s, %s to %s: %s, %s%s\n", job->number,
           shown_text(wf_task_name(m, job->task)), from, to, response, ends[job->end],
           job->from_known ? "" : "; it arrived earlier");
    if (job->to == job->from) return;
    put_cause_lines(s, e, job);
    put_part_lines(s, e, job);
    put_wait_lines(s, m, job);
}

// ---- all lanes

static void put_lane(const struct explaining *x, const struct lane *l, struct wf_explain *e,
                     const struct wf_explained *job, bool first) {
    const uint64_t hz = wf_session_target(l->session)->hz;
    const uint64_t zero = wf_time_zero(l->session, x->a->target_clock);
    const struct explain_out o = {.out = stdout, .zero = zero, .hz = hz, .most = SIZE_MAX};
    const struct stats s = {.about = {.hz = hz, .zero = zero}};
    if (x->a->json) {
        printf("%s{\"lane\":%u,\"unit\":\"%s\",", first ? "" : ",", l->number, hz ? "ns" : "ticks");
        explain_json(&o, e, job);
        putchar('}');
        return;
    }
    if (x->stream.prefix) printf("%slane %u\n", first ? "" : "\n", l->number);
    put_text(&s, e, job);
}

static int print_lanes(const struct explaining *x) {
    bool known = false, any = false;
    for (unsigned i = 0; i < x->stream.lane_count; ++i) {
        const struct lane *l = x->stream.lanes[i];
        struct wf_explain *e = l->user;
        if (!e) continue;
        wf_explain_end(e);
        const struct wf_task *task = find_task(x, e, &known);
        const struct wf_explained *job = task ? wf_explain_job(e, task) : NULL;
        if (wf_explain_error(e) != WF_OK)
            return diag_error(EXIT_INPUT, "%s", wf_err_text(wf_explain_error(e)));
        if (!job) continue;
        if (x->a->json && !any) {
            printf("{\"wallfly_explain\":1,\"source\":");
            json_text(stdout, x->stream.name);
            printf(",\"lanes\":[");
        }
        put_lane(x, l, e, job, !any);
        any = true;
    }
    if (any && x->a->json) printf("]}\n");
    if (any) return EXIT_GOOD;
    if (!known) return report_unknown(x);
    return diag_error(
        EXIT_NO, "--explain: task '%s' has no such job; --job=1 is its first one, if it has any",
        x->a->task);
}

int explain_run(const struct args *args, const struct explain_args *a) {
    struct explaining x = {.stream = {.on_item = on_item}, .a = a};
    if (!a->task) return diag_error(EXIT_USAGE, "--job needs --explain=TASK");
    if (!parse_job(a->job, &x) || !stream_hide(&x.stream, args)) return EXIT_USAGE;
    int code = EXIT_GOOD;
    if (x.options.which == WF_EXPLAIN_AT) code = stream_rate(args, &x.stream.rate);
    if (code == EXIT_GOOD) code = stream_open(&x.stream, args);
    if (code == EXIT_GOOD) {
        code = stream_run(&x.stream, a->once);
        if (code == EXIT_GOOD) code = stream_verdict(&x.stream);
        int shown = code == EXIT_GOOD || code == EXIT_LOSS ? print_lanes(&x) : EXIT_GOOD;
        if (shown != EXIT_GOOD) code = shown;
    }
    for (unsigned i = 0; i < x.stream.lane_count; ++i) wf_explain_close(x.stream.lanes[i]->user);
    stream_close(&x.stream);
    return code;
}
