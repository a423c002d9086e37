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

// The ticks of a share; a whole number if it is very near to one.
static double ticks_of(double share, double window) {
    double ticks = share * window / 100, whole = nearbyint(ticks);
    return isfinite(ticks) && fabs(ticks - whole) < 1e-9 * fmax(1, fabs(whole)) ? whole : ticks;
}

static void set_limits(struct wfi_rule *r, uint64_t window) {
    r->load->most_allowed = ticks_of(r->limit[WFI_MAX], (double)window);
    r->load->least_allowed = ticks_of(r->limit[WFI_MIN], (double)window);
}

void wfi_load_rate(struct wfi_rule *r) {
    if (r->load->begun) r->unrated = r->unrated || r->r.window_s != 0;
    r->load->window = wf_time_to_ticks(r->r.window_s, r->c->hz);
    set_limits(r, r->load->window);
}

// ---- windows that break the rule

static void end_episode(struct wfi_rule *r, struct wfi_load_series *s) {
    if (s->open) wfi_sum_fail(r, r->sums.at[s->number], &s->episode);
    s->open = false;
}

struct context {
    struct wfi_rule *r;
    struct wfi_load_series *s;
};

// Windows that break the rule and overlap are one failure.
static void add_window(struct context *x, const struct wfi_window *w, bool low) {
    struct wfi_sum *sum = x->r->sums.at[x->s->number];
    double value = 100 * (double)w->busy / (double)(w->to - w->from);
    if (x->s->open && w->from > x->s->episode.to) end_episode(x->r, x->s);
    struct wfi_place *p = &x->s->episode;
    if (x->s->open && (low ? value >= p->value : value <= p->value)) return;
    bool first = !x->s->open;
    x->s->open = true;
    *p = (struct wfi_place){.from = w->from,
                            .to = w->to,
                            .record = x->r->c->record,
                            .value = value,
                            .task = sum->task,
                            .core = sum->core,
                            .irq = sum->irq,
                            .low = low};
    if (first && wfi_sum_selected(x->r, sum)) wfi_failure_report(x->r, p);
}

// With the time in which there was a core that was not known.
static double possible_ticks(const struct wfi_load *l, const struct wfi_window *w) {
    uint64_t until = l->late_until < w->to ? l->late_until : w->to;
    double ticks = (double)w->busy + (until > w->from ? (double)(until - w->from) : 0);
    return fmin(ticks, (double)(w->to - w->from));
}

static void on_possible(void *ctx, const struct wfi_window *w) {
    struct context *x = ctx;
    const struct wfi_load *l = x->r->load;
    double busy = (double)w->busy, most = w->from < l->late_until ? possible_ticks(l, w) : busy;
    if (busy < x->s->least) x->s->least = busy;
    if (most > x->s->most) x->s->most = most;
    if (most + (double)l->doubt < l->least_allowed) add_window(x, w, true);
}

static void on_sure(void *ctx, const struct wfi_window *w) {
    struct context *x = ctx;
    double busy = (double)w->busy;
    ++x->s->windows;
    if (busy > x->s->top) x->s->top = busy;
    if (busy - (double)x->r->load->doubt > x->r->load->most_allowed) add_window(x, w, false);
    if (x->s->exact) on_possible(ctx, w);
}

static void on_unknown(void *ctx, const struct wfi_window *w) {
    struct wfi_load *l = ctx;
    double most = possible_ticks(l, w);
    if (most > l->most_unknown) l->most_unknown = most;
}

// ---- series

static struct wfi_load_series *new_series(struct wfi_rule *r, size_t number,
                                          const struct wf_task *task, int core, int irq) {
    struct wfi_load *l = r->load;
    struct wfi_sum *sum = wfi_sum_at(r, number);
    bool room = WFI_GROW(l->series, &l->cap, number + 1);
    struct wfi_load_series *s = sum && room ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        r->c->err = WF_ERR_NOMEM;
        return NULL;
    }
    l->series[number] = s;
    if (l->count <= number) l->count = number + 1;
    s->number = number;
    s->most = l->most_unknown;
    s->least = INFINITY;
    sum->task = task;
    sum->core = core;
    sum->irq = irq;
    bool good = wfi_slider_begin(&s->sure, l->first);
    if (!wfi_slider_copy(&s->possible, &l->unknown) || !good) r->c->err = WF_ERR_NOMEM;
    return r->c->err == WF_OK ? s : NULL;
}

// Tasks and cores by their number, interrupts by a number of their core and own number.
static struct wfi_load_series *find_series(struct wfi_rule *r, const struct wf_task *task, int core,
                                           int irq) {
    struct wfi_load *l = r->load;
    size_t number = task ? task->index + 1ull : (size_t)core + 1;
    if (irq >= 0) number = wfi_keys_number(&r->keys, (uint64_t)irq, (uint64_t)core);
    if (number < l->count && l->series[number]) return l->series[number];
    if (number) return new_series(r, number, task, core, irq);
    r->c->err = WF_ERR_NOMEM;
    return NULL;
}

// The series that is busy; null: none.
static struct wfi_load_series *busy_series(struct wfi_rule *r, const struct wf_stats_run *run) {
    bool irq = run->activity == WF_CPU_IRQ;
    if (r->r.irq) return irq ? find_series(r, NULL, (int)run->core, run->irq) : NULL;
    if (!r->r.task) return find_series(r, NULL, (int)run->core, -1);
    if (irq || !run->task) return NULL;
    struct wfi_load_series *s = find_series(r, run->task, r->r.core, -1);
    struct wfi_sum *sum = s ? r->sums.at[s->number] : NULL;
    if (!s || wfi_sum_selected(r, sum) || sum->unnamed) {
        if (s && s->skipped) r->doubt = "a task got its name after it ran: give the names (--elf)";
        return s;
    }
    s->skipped = true; // it has another name
    return NULL;
}

static bool add_possible(struct wfi_rule *r, struct wfi_load_series *s,
                         const struct wf_stats_run *run) {
    struct context x = {r, s};
    if (s->exact) {
        wfi_slider_close(&s->possible);
        if (!wfi_slider_copy(&s->possible, &s->sure)) return false;
        s->exact = false;
    }
    return wfi_slider_add(&s->possible, r->load->window, run->from, run->to, on_possible, &x);
}

// A core's unknown time is possible for each task, else only for the core's own series.
static void add_unknown(struct wfi_rule *r, const struct wf_stats_run *run) {
    struct wfi_load *l = r->load;
    bool good = wfi_slider_add(&l->unknown, l->window, run->from, run->to, on_unknown, l);
    l->unknown_until = run->to;
    for (size_t i = 0; i < l->count && good; ++i) {
        struct wfi_load_series *s = l->series[i];
        if (!s || (!r->r.task && r->sums.at[s->number]->core != (int)run->core)) continue;
        good = add_possible(r, s, run);
    }
    if (!good) r->c->err = WF_ERR_NOMEM;
}

// Behind a window without unknown time, what is possible is what is sure.
static void forget_unknown(struct wfi_rule *r, struct wfi_load_series *s, uint64_t now) {
    const struct wfi_load *l = r->load;
    struct context x = {r, s};
    if (s->exact || !l->window || now <= l->unknown_until || now - l->unknown_until <= l->window)
        return;
    wfi_slider_end(&s->possible, l->window, now, on_possible, &x);
    s->exact = true;
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

static void add_busy(struct wfi_rule *r, const struct wf_stats_run *run) {
    struct wfi_load_series *s = busy_series(r, run);
    struct context x = {r, s};
    if (!s) return;
    forget_unknown(r, s, run->from);
    if (!wfi_slider_add(&s->sure, r->load->window, run->from, run->to, on_sure, &x) ||
        (!s->exact && !add_possible(r, s, run)))
        r->c->err = WF_ERR_NOMEM;
}

static void take_run(struct wfi_rule *r, const struct wf_stats_run *run) {
    struct wfi_load *l = r->load;
    l->time = run->from;
    if (run->to > l->last) l->last = run->to;
    if (l->cores) (void)find_series(r, NULL, (int)run->core, -1); // even if it is idle
    if (run->activity == WF_CPU_UNKNOWN)
        add_unknown(r, run);
    else if (run->activity != WF_CPU_IDLE)
        add_busy(r, run);
}

// The first run, or one of a core that was not known before.
__attribute__((noinline)) static void take_first(struct wfi_rule *r,
                                                 const struct wf_stats_run *run) {
    struct wfi_load *l = r->load;
    struct wf_stats_run rest = *run;
    l->cores = !r->r.task && !r->r.irq;
    l->tasks = r->r.task != NULL;
    if (!l->begun && !begin(r, run->from)) r->c->err = WF_ERR_NOMEM;
    if (run->from < l->time) note_late(l, (run->to < l->time ? run->to : l->time) - run->from);
    if (run->from < l->time) rest.from = l->time;
    take_run(r, &rest);
}

void wfi_load_take(struct wfi_rule *r, const struct wf_stats_run *run) {
    struct wfi_load *l = r->load;
    bool busy = run->activity == WF_CPU_TASK || run->activity == WF_CPU_UNKNOWN;
    if (l->tasks && !busy) { // no task runs
        if (run->to > l->last) l->last = run->to;
        return;
    }
    if (r->c->err != WF_OK || (r->r.core >= 0 && run->core != (unsigned)r->r.core)) return;
    if (!l->begun || run->from < l->time)
        take_first(r, run);
    else
        take_run(r, run);
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
            (void)find_series(r, t, r->r.core, -1);
    }
    for (size_t i = 0; i < l->count && r->c->err == WF_OK; ++i) {
        struct wfi_load_series *s = l->series[i];
        if (!s) continue;
        struct context x = {r, s};
        uint64_t window = l->window ? l->window : l->last - l->first;
        if (!l->window) set_limits(r, window);
        wfi_slider_end(&s->sure, l->window, l->last, on_sure, &x);
        if (!s->exact) wfi_slider_end(&s->possible, l->window, l->last, on_possible, &x);
        struct wfi_sum *sum = r->sums.at[s->number];
        sum->count = s->windows;
        if (s->windows) sum->max = 100 * s->top / (double)window;
        if (isfinite(s->least)) sum->min = 100 * s->least / (double)window;
        end_episode(r, s);
    }
    wfi_slider_end(&l->unknown, l->window, l->last, on_unknown, l);
}
