// SPDX-License-Identifier: MIT
// Random schedules of the simulated kernel, whole and with frames lost: the parts of each job add
// up to its response, responses and execution times are those of statistics, and without losses
// each part has the cause that the kernel's own state has at all its events. Usage: model_explain
// [SEEDS]

#include "trace.h"
#include "wallfly_host/wf_explain.h"
#include "wallfly_host/wf_stats.h"

enum { JOBS = 1 << 14 };

// Of statistics.
static struct interval {
    const struct wf_task *task;
    uint64_t from, to, value;
} responses[JOBS], executions[JOBS];
static unsigned response_count, execution_count;
// Of explanations.
static unsigned counted;
static uint64_t jobs, causes[WF_CAUSES], chains, gave_up, acquired, cut;
static bool lossy;

static void observe(void *ctx, const struct wf_stats_interval *i) {
    (void)ctx;
    if (i->part != WF_PART_WHOLE) return;
    struct interval is = {i->task, i->from, i->to, i->value};
    assert_true(response_count < JOBS && execution_count < JOBS);
    if (i->spread == WF_SPREAD_RESPONSE) responses[response_count++] = is;
    if (i->spread == WF_SPREAD_EXECUTION) executions[execution_count++] = is;
}

// The interval of the job that ended last.
static const struct interval *last_of(const struct interval *list, unsigned count,
                                      const struct wf_explained *job) {
    for (unsigned i = count; i-- > 0 && i + 64 > count;) {
        if (list[i].task == job->task && list[i].from == job->from && list[i].to == job->to)
            return &list[i];
    }
    return NULL;
}

// ---- the truth

static unsigned task_number(const struct wf_task *t) {
    return (unsigned)((t->key - KEY_TASK) / KEY_STEP);
}

static unsigned object_number(const struct wf_object *o) {
    return (unsigned)((o->key - KEY_OBJECT) / KEY_STEP);
}

// Returns null if the path is that of the kernel's state.
static const char *contradiction(const struct wf_explain_path *p, const struct wf_task *job,
                                 const struct k_truth *is) {
    const struct wf_task *t = job;
    for (unsigned i = 0; i < p->block_count; ++i) {
        const struct wf_explain_block *b = &p->blocks[i];
        const struct k_truth_task *task = &is->task[task_number(t)];
        if (task->state != WF_TASK_BLOCKED || !b->mutex) return "is not blocked";
        if (task->waits != (int)object_number(b->mutex)) return "waits for another mutex";
        int holder = is->object[task->waits].holder;
        if (holder != (b->holder ? (int)task_number(b->holder) : -1)) return "another holder";
        t = b->holder;
        if (!t) return p->cause == WF_CAUSE_FREE ? NULL : "no holder";
    }
    const struct k_truth_task *task = &is->task[task_number(t)];
    const struct k_truth_core *core = &is->core[p->core];
    bool ready = task->state == WF_TASK_READY || task->state == WF_TASK_RUNNING;
    switch (p->cause) {
    case WF_CAUSE_EXECUTION:
        return p->task == t && task->state == WF_TASK_RUNNING ? NULL : "does not run";
    case WF_CAUSE_IRQ:
        return ready && core->irqs && core->irq[core->irqs - 1] == p->irq ? NULL : "no interrupt";
    case WF_CAUSE_TASK:
        return ready && !core->irqs && core->task == (int)task_number(p->task) ? NULL
                                                                               : "another task";
    case WF_CAUSE_IDLE: return ready && !core->irqs && core->task < 0 ? NULL : "not idle";
    case WF_CAUSE_WAIT: return task->state == WF_TASK_BLOCKED ? NULL : "does not wait";
    case WF_CAUSE_SLEEP: return task->state == WF_TASK_DELAYED ? NULL : "does not sleep";
    case WF_CAUSE_SUSPENDED: return task->state == WF_TASK_SUSPENDED ? NULL : "not suspended";
    default: return NULL;
    }
}

static void compare_part(const struct wf_explained *job, const struct wf_explain_part *p) {
    for (unsigned i = 0; i < trace.count && trace.truth[i].tick < p->to; ++i) {
        if (trace.truth[i].tick < p->from) continue;
        const char *bad = contradiction(p->path, job->task, &trace.truth[i]);
        if (bad)
            fail_msg("seed %u: tick %lu: %s with %u blocks: %s", trace.kernel.options.seed,
                     (unsigned long)trace.truth[i].tick, wf_cause_names[p->path->cause],
                     p->path->block_count, bad);
    }
}

// ---- each job

static void check_parts(const struct wf_explained *job) {
    uint64_t at = job->from, sum = 0;
    for (size_t i = 0; i < job->part_count; ++i) {
        const struct wf_explain_part *p = &job->parts[i];
        assert_true(p->from == at && p->to > at);
        assert_true(!i || p->path != p[-1].path);
        at = p->to;
        causes[p->path->cause] += p->to - p->from;
        chains += p->path->block_count > 1;
        if (!lossy) compare_part(job, p);
    }
    assert_true(at == job->to && job->parts_until == job->to);
    for (size_t i = 0; i < job->sum_count; ++i) sum += job->sums[i].ticks;
    assert_true(sum == job->to - job->from);
}

static void check_waits(const struct wf_explained *job) {
    for (size_t i = 0; i < job->wait_count; ++i) {
        const struct wf_explain_wait *w = &job->waits[i];
        assert_true(w->mutex && w->from >= job->from && w->to >= w->from && w->to <= job->to);
        acquired += w->end == WF_WAIT_ACQUIRED;
        gave_up += w->end == WF_WAIT_GAVE_UP;
    }
}

static uint64_t execution_of(const struct wf_explained *job) {
    uint64_t ticks = 0;
    for (size_t i = 0; i < job->sum_count; ++i) {
        const struct wf_explain_path *p = job->sums[i].path;
        if (p->cause == WF_CAUSE_EXECUTION && !p->block_count) ticks += job->sums[i].ticks;
    }
    return ticks;
}

static void on_job(void *ctx, const struct wf_explained *job) {
    (void)ctx;
    ++jobs;
    check_parts(job);
    check_waits(job);
    cut += job->end == WF_JOB_OPEN;
    if (job->end != WF_JOB_DONE || !job->from_known) return;
    const struct interval *response = last_of(responses, response_count, job);
    const struct interval *execution = last_of(executions, execution_count, job);
    if (!response) fail_msg("seed %u: statistics do not have the job", trace.kernel.options.seed);
    assert_true(response->value == job->to - job->from);
    ++counted;
    if (execution) assert_true(execution->value == execution_of(job));
}

static void take_lossy(struct wf_session *s, struct wf_sinks *g) {
    struct wf_item item;
    for (unsigned i = 0, gone = 0; i < trace.frames; ++i) {
        size_t end = i + 1 < trace.frames ? trace.frame[i + 1] : trace.len;
        if (!gone && lossy && i > trace.first_safe && rnd(300) == 0) gone = 1 + rnd(40);
        if (gone && --gone) continue;
        wf_session_feed(s, trace.bytes + trace.frame[i], end - trace.frame[i]);
        while (wf_session_next(s, &item)) wf_sinks_item(g, &item);
    }
    wf_session_end(s);
    while (wf_session_next(s, &item)) wf_sinks_item(g, &item);
    wf_sinks_end(g);
}

static void explain(void) {
    const struct wf_session_options options = {.size = sizeof options};
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_sinks *g = wf_sinks_open(s);
    // Statistics come first in the group: they have a job when it is explained.
    struct wf_stats_options so = {.size = sizeof so,
                                  .sinks = g,
                                  .single = true,
                                  .priorities = WF_PRIORITIES_HIGH,
                                  .on_interval = observe};
    struct wf_explain_options eo = {.size = sizeof eo, .sinks = g, .on_job = on_job};
    struct wf_stats *st = wf_stats_open(s, &so, NULL);
    struct wf_explain *e = wf_explain_open(s, &eo, NULL);
    response_count = execution_count = counted = 0;
    take_lossy(s, g);
    assert_int_equal(wf_explain_error(e), WF_OK);
    assert_int_equal(counted, response_count);
    for (unsigned i = 0; i < wf_model_tasks(wf_explain_model(e)); ++i) {
        const struct wf_task *t = wf_model_task(wf_explain_model(e), i);
        const struct wf_explained *longest = wf_explain_job(e, t);
        uint64_t most = 0;
        bool any = false;
        for (unsigned k = 0; k < response_count; ++k) {
            if (responses[k].task != t) continue;
            most = responses[k].value > most ? responses[k].value : most;
            any = true;
        }
        assert_true(any == (longest != NULL));
        if (longest) assert_true(longest->to - longest->from == most);
    }
    wf_explain_close(e);
    wf_stats_close(st);
    wf_sinks_close(g);
    wf_session_close(s);
}

static void parts_add_up(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 2 * seeds; ++seed) {
        lossy = seed > seeds;
        begin(seed, 1 << 14);
        kernel_start(&trace.kernel);
        trace.first_safe = trace.frames;
        go(EVENTS);
        explain();
    }
    for (unsigned i = 0; i < WF_CAUSES; ++i)
        print_message("%s %lu\n", wf_cause_names[i], (unsigned long)causes[i]);
    print_message("%lu jobs, %lu cut, %lu chains, %lu waits acquired, %lu given up\n",
                  (unsigned long)jobs, (unsigned long)cut, (unsigned long)chains,
                  (unsigned long)acquired, (unsigned long)gave_up);
    for (unsigned i = 0; i < WF_CAUSES; ++i)
        if (i != WF_CAUSE_DEADLOCK) assert_true(causes[i] > 0);
    assert_true(jobs > 1000 && cut && chains && acquired && gave_up);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_add_up)};
    read_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
