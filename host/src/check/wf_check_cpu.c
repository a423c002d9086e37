// SPDX-License-Identifier: MIT
// The rule CPU: a series of busy times for each task, interrupt or core, what is sure and what is
// possible. Unknown time of a core is possible for all.

#include "wfi_check_load.h"

#include "util/wfi_grow.h"
#include "wallfly_host/wf_time.h"

#include <math.h>
#include <stdlib.h>

bool wfi_load_open(struct wfi_rule *r) {
    r->load = calloc(1, sizeof *r->load);
    return r->load != NULL;
}

void wfi_load_close(struct wfi_rule *r) {
    if (!r->load) return;
    for (size_t i = 0; i < r->load->count; ++i) {
        struct wfi_load_series *s = r->load->series[i];
        if (!s) continue;
        wfi_slider_close(&s->sure);
        wfi_slider_close(&s->possible);
        free(s);
    }
    free(r->load->series);
    wfi_slider_close(&r->load->unknown);
    free(r->load);
}

void wfi_load_rate(struct wfi_rule *r) {
    if (r->load->begun) r->unrated = r->unrated || r->r.window_s != 0;
    r->load->window = wf_time_to_ticks(r->r.window_s, r->c->hz);
}

// ---- windows that break the rule

static double percent_of(const struct wfi_window *w) {
    return 100 * (double)w->busy / (double)(w->to - w->from);
}

static void end_episode(struct wfi_rule *r, struct wfi_load_series *s) {
    if (s->open) wfi_sum_fail(r, r->sums.at[s->number], &s->episode);
    s->open = false;
}

struct context {
    struct wfi_rule *r;
    struct wfi_load_series *s;
};

// Windows that break the rule and overlap are one failure.
static void judge_window(struct context *x, const struct wfi_window *w, bool breaks, bool low) {
    struct wfi_sum *sum = x->r->sums.at[x->s->number];
    double value = percent_of(w);
    if (!breaks) return;
    if (x->s->open && w->from > x->s->episode.to) end_episode(x->r, x->s);
    struct wfi_place *p = &x->s->episode;
    if (x->s->open && (low ? value >= p->value : value <= p->value)) return;
    x->s->open = true;
    *p = (struct wfi_place){.from = w->from,
                            .to = w->to,
                            .record = x->r->c->record,
                            .value = value,
                            .task = sum->task,
                            .core = sum->core,
                            .irq = sum->irq};
}

static void on_sure(void *ctx, const struct wfi_window *w) {
    struct context *x = ctx;
    struct wfi_sum *sum = x->r->sums.at[x->s->number];
    double value = percent_of(w);
    ++sum->count;
    if (value > sum->max) sum->max = value;
    double doubt = 100 * (double)x->r->load->doubt / (double)(w->to - w->from);
    judge_window(x, w, value - doubt > x->r->limit[WFI_MAX], false);
}

// With the time in which there was a core that was not known.
static double possible_ticks(const struct wfi_load *l, const struct wfi_window *w) {
    uint64_t until = l->late_until < w->to ? l->late_until : w->to;
    double ticks = (double)w->busy + (until > w->from ? (double)(until - w->from) : 0);
    return fmin(ticks, (double)(w->to - w->from));
}

static void on_possible(void *ctx, const struct wfi_window *w) {
    struct context *x = ctx;
    struct wfi_sum *sum = x->r->sums.at[x->s->number];
    const struct wfi_load *l = x->r->load;
    double value = percent_of(w), most = possible_ticks(l, w);
    if (value < sum->min) sum->min = value;
    if (most > x->s->most) x->s->most = most;
    double doubt = 100 * ((double)l->doubt + most - (double)w->busy) / (double)(w->to - w->from);
    judge_window(x, w, value + doubt < x->r->limit[WFI_MIN], true);
}

static void on_unknown(void *ctx, const struct wfi_window *w) {
    struct wfi_load *l = ctx;
    double most = possible_ticks(l, w);
    if (most > l->most_unknown) l->most_unknown = most;
}

// ---- series

static struct wfi_load_series *find_series(struct wfi_rule *r, uint64_t key,
                                           const struct wf_task *task, int core, int irq) {
    struct wfi_load *l = r->load;
    uint32_t number = wfi_keys_number(&r->keys, key, 0);
    if (number && number < l->count && l->series[number]) return l->series[number];
    struct wfi_sum *sum = number ? wfi_sum_at(r, number) : NULL;
    bool room = number && WFI_GROW(l->series, &l->cap, number + 1ull);
    struct wfi_load_series *s = sum && room ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        r->c->err = WF_ERR_NOMEM;
        return NULL;
    }
    l->series[number] = s;
    if (l->count <= number) l->count = number + 1ull;
    s->number = number;
    s->most = l->most_unknown;
    sum->task = task;
    sum->core = core;
    sum->irq = irq;
    bool good = wfi_slider_begin(&s->sure, l->first);
    if (!wfi_slider_copy(&s->possible, &l->unknown) || !good) {
        r->c->err = WF_ERR_NOMEM;
        return NULL;
    }
    return s;
}

static struct wfi_load_series *series_of_run(struct wfi_rule *r, const struct wf_stats_run *run) {
    bool task = run->activity == WF_CPU_TASK, irq = run->activity == WF_CPU_IRQ;
    if (r->r.irq)
        return irq ? find_series(r, (uint64_t)run->core << 16 | run->irq, NULL, (int)run->core,
                                 run->irq)
                   : NULL;
    if (r->r.task)
        return task && run->task ? find_series(r, run->task->index, run->task, r->r.core, -1)
                                 : NULL;
    return find_series(r, run->core, NULL, (int)run->core, -1);
}

// A core's unknown time is possible for each task, else only for the core's own series.
static void add_unknown(struct wfi_rule *r, const struct wf_stats_run *run) {
    struct wfi_load *l = r->load;
    bool good = wfi_slider_add(&l->unknown, l->window, run->from, run->to, on_unknown, l);
    for (size_t i = 0; i < l->count && good; ++i) {
        struct wfi_load_series *s = l->series[i];
        const struct wfi_sum *sum = s ? r->sums.at[s->number] : NULL;
        if (!s || (!r->r.task && sum->core != (int)run->core)) continue;
        struct context x = {r, s};
        good = wfi_slider_add(&s->possible, l->window, run->from, run->to, on_possible, &x);
    }
    if (!good) r->c->err = WF_ERR_NOMEM;
}

static bool begin(struct wfi_rule *r, uint64_t from) {
    struct wfi_load *l = r->load;
    if (l->begun) return true;
    l->begun = true;
    l->first = l->time = from;
    return wfi_slider_begin(&l->unknown, from);
}

// A core that was not known before: `ticks` until now are possible in windows already measured.
static void note_late(struct wfi_load *l, uint64_t ticks) {
    l->late_until = l->time;
    if (l->most_unknown > 0) l->most_unknown += (double)ticks;
    for (size_t i = 0; i < l->count; ++i) {
        if (l->series[i] && l->series[i]->most > 0) l->series[i]->most += (double)ticks;
    }
}

void wfi_load_take(struct wfi_rule *r, const struct wf_stats_run *run) {
    struct wfi_load *l = r->load;
    struct wf_stats_run now = *run;
    if (r->r.core >= 0 && run->core != (unsigned)r->r.core) return;
    if (!begin(r, run->from)) r->c->err = WF_ERR_NOMEM;
    if (r->c->err != WF_OK) return;
    if (now.from < l->time) { // a core that was not known before
        note_late(l, (now.to < l->time ? now.to : l->time) - now.from);
        now.from = l->time;
    }
    l->time = now.from;
    if (now.to > l->last) l->last = now.to;
    bool core = !r->r.task && !r->r.irq;
    struct wfi_load_series *s = core ? series_of_run(r, run) : NULL; // it has a load, even if none
    if (run->activity == WF_CPU_UNKNOWN) {
        add_unknown(r, &now);
        return;
    }
    if (run->activity == WF_CPU_IDLE) return;
    if (!core) s = series_of_run(r, run);
    if (!s) return;
    struct context x = {r, s};
    if (!wfi_slider_add(&s->sure, l->window, now.from, now.to, on_sure, &x) ||
        !wfi_slider_add(&s->possible, l->window, now.from, now.to, on_possible, &x))
        r->c->err = WF_ERR_NOMEM;
}

void wfi_load_doubt(struct wfi_rule *r, uint64_t from) {
    if (r->c->now > from) r->load->doubt += r->c->now - from;
    for (size_t i = 0; i < r->load->count; ++i) {
        struct wfi_load_series *s = r->load->series[i];
        if (s && s->open && s->episode.to > from) s->open = false;
    }
    wfi_sums_retract(r, from);
}

void wfi_load_end(struct wfi_rule *r) {
    struct wfi_load *l = r->load;
    if (!l->begun) return;
    for (unsigned i = 0; r->r.task && i < wf_model_tasks(r->c->m); ++i) { // those that never ran
        const struct wf_task *t = wf_model_task(r->c->m, i);
        if (wfi_name_fits(r->r.task, wf_task_name(r->c->m, t)))
            (void)find_series(r, t->index, t, r->r.core, -1);
    }
    for (size_t i = 0; i < l->count && r->c->err == WF_OK; ++i) {
        struct wfi_load_series *s = l->series[i];
        if (!s) continue;
        struct context x = {r, s};
        wfi_slider_end(&s->sure, l->window, l->last, on_sure, &x);
        wfi_slider_end(&s->possible, l->window, l->last, on_possible, &x);
        end_episode(r, s);
    }
    wfi_slider_end(&l->unknown, l->window, l->last, on_unknown, l);
}
