// SPDX-License-Identifier: MIT
// Sentences of results and failures.

#include "wfi_check_events.h"
#include "wfi_check_load.h"
#include "wfi_check_total.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- values

double wfi_value_unit(const struct wfi_rule *r, double value) {
    bool time = wf_check_kinds[r->r.kind].unit == WF_CHECK_TIME;
    return time && r->c->hz ? value / (double)r->c->hz : value;
}

// The value in the unit of the interface.
static const char *unit_text(const struct wfi_rule *r, double value, char to[40]) {
    static const struct {
        double least;
        const char *name;
        double in;
    } units[] = {{1, "s", 1}, {1e-3, "ms", 1e3}, {1e-6, "us", 1e6}, {0, "ns", 1e9}};
    unsigned i = 0;
    switch (wf_check_kinds[r->r.kind].unit) {
    case WF_CHECK_TIME:
        while (fabs(value) < units[i].least && i < 3) ++i;
        snprintf(to, 40, "%.6g %s", value * units[i].in, units[i].name);
        break;
    case WF_CHECK_SHARE: snprintf(to, 40, "%.6g %%", value); break;
    case WF_CHECK_BYTES: snprintf(to, 40, "%.15g bytes", value); break;
    default: snprintf(to, 40, "%.15g", value);
    }
    return to;
}

const char *wfi_value_text(const struct wfi_rule *r, double value, char to[40]) {
    return unit_text(r, wfi_value_unit(r, value), to);
}

// ---- failures

// What a failure is of: "control", "control, lock by display".
static void put_who(const struct wfi_rule *r, const struct wfi_place *p, char *to, size_t cap) {
    struct wf_check *c = r->c;
    char name[256];
    to[0] = 0;
    if (p->irq >= 0) {
        snprintf(to, cap, "%s", wfi_check_irq_name(c, p->irq, name));
    } else if (p->text) {
        snprintf(to, cap, "%s", wfi_check_text_name(c, p->text, name, sizeof name));
    } else {
        size_t len = 0;
        if (p->task) len = (size_t)snprintf(to, cap, "%s", wf_task_name(c->m, p->task));
        if (p->object && len < cap)
            len += (size_t)snprintf(to + len, cap - len, "%s%s", len ? ", " : "",
                                    wf_object_name(c->m, p->object));
        if (p->by && len < cap)
            len += (size_t)snprintf(to + len, cap - len, " by %s", wf_task_name(c->m, p->by));
        if (!len && p->core >= 0) snprintf(to, cap, "core %d", p->core);
    }
}

static void put_event(const struct wfi_rule *r, const struct wfi_place *p, char *to, size_t cap) {
    char from[40], state[40], value[40], bound[40];
    const struct wf_check_rule *k = &r->r;
    switch (k->kind) {
    case WF_CHECK_NEVER: snprintf(to, cap, "'%s' occurred", k->events[0]); break;
    case WF_CHECK_ORDER:
        snprintf(to, cap, "'%s' came, where '%s' is next", p->event, k->events[p->state]);
        break;
    case WF_CHECK_AFTER:
        snprintf(to, cap, "'%s' did not come within %s after '%s', but after %s or more", k->expect,
                 unit_text(r, k->max.value, bound), k->events[0],
                 wfi_value_text(r, p->value, value));
        break;
    default:
        snprintf(to, cap, "%s went from %s to %s",
                 p->object ? wf_object_name(r->c->m, p->object) : "a machine",
                 wfi_check_state_name(r->c, p->text, from),
                 wfi_check_state_name(r->c, p->state, state));
    }
}

void wfi_failure_text(struct wfi_rule *r, const struct wfi_place *p, char *to, size_t cap) {
    char who[100], value[40], limit[40], window[40] = "";
    const char *verb = "took";
    const struct wf_check_rule *k = &r->r;
    enum wf_check_unit unit = wf_check_kinds[k->kind].unit;
    put_who(r, p, who, sizeof who);
    wfi_value_text(r, p->value, value);
    const struct wf_check_bound *bound = p->low ? &k->min : &k->max;
    for (unsigned i = WFI_MEAN; i < WFI_LIMITS && !bound->set; ++i) bound = wfi_rule_bound(k, i);
    unit_text(r, bound->value, limit);
    if (r->events) {
        put_event(r, p, to, cap);
        return;
    }
    switch (k->kind) {
    case WF_CHECK_LOSS: snprintf(to, cap, "%s records are missing here", value); return;
    case WF_CHECK_NO_INVERSION:
        snprintf(to, cap, "%s: a task of a priority in between ran during the wait", who);
        return;
    case WF_CHECK_CPU:
        verb = "used";
        if (k->window_s > 0)
            snprintf(window, sizeof window, " in a window of %.6g ms", k->window_s * 1e3);
        break;
    default:
        if (unit != WF_CHECK_TIME) verb = unit == WF_CHECK_BYTES ? "had a rest of" : "was";
    }
    const char *name =
        wf_check_kinds[k->kind == WF_CHECK_DEADLINE ? WF_CHECK_RESPONSE : k->kind].name;
    snprintf(to, cap, "%s of %s %s %s%s%s, %s%s %s", name, who, verb, value,
             p->part ? " or more" : "", window, p->low ? "at least " : "", limit,
             p->low ? "are required" : "are allowed");
}

static struct wf_check_failure make_failure(struct wfi_rule *r, const struct wfi_place *p) {
    struct wf_check_failure f = {.from = p->from,
                                 .to = p->to,
                                 .value = wfi_value_unit(r, p->value),
                                 .core = p->core < 0 ? 0 : (unsigned)p->core,
                                 .record = p->record};
    if (p->task) f.task = wf_task_name(r->c->m, p->task);
    wfi_failure_text(r, p, f.text, sizeof f.text);
    return f;
}

void wfi_failure_report(struct wfi_rule *r, const struct wfi_place *p) {
    struct wf_check *c = r->c;
    if (!c->o.on_failure || c->ended) return;
    const struct wf_check_failure f = make_failure(r, p);
    c->o.on_failure(c->o.ctx, (unsigned)(r - c->rules), &f);
}

void wfi_failures_write(struct wfi_rule *r, struct wfi_places *places) {
    struct wf_check_result *to = &r->result;
    r->failures = calloc(places->count ? places->count : 1, sizeof *r->failures);
    if (!r->failures) {
        r->c->err = WF_ERR_NOMEM;
        return;
    }
    for (unsigned i = 0; i < places->count; ++i) r->failures[i] = make_failure(r, &places->at[i]);
    to->failures = r->failures;
    to->kept = places->count;
}

// ---- results

void wfi_text_of_fail(struct wfi_rule *r) {
    struct wf_check_result *to = &r->result;
    char value[40], bound[40];
    bool percentile = to->measured && to->figure[0] == 'p';
    if (r->r.kind == WF_CHECK_LOSS || percentile || (to->measured && to->kept == 0))
        snprintf(to->text, sizeof to->text, "%s is %s, %s are allowed", to->figure,
                 unit_text(r, to->value, value), unit_text(r, to->bound, bound));
    else
        snprintf(to->text, sizeof to->text, "%llu failure%s; %s",
                 (unsigned long long)to->failure_count, to->failure_count == 1 ? "" : "s",
                 to->kept ? to->failures[0].text : "");
}

void wfi_text_of_pass(struct wfi_rule *r) {
    struct wf_check_result *to = &r->result;
    char value[40], bound[40], of[32] = "";
    if (to->count > 1) snprintf(of, sizeof of, " of %llu", (unsigned long long)to->count);
    if (to->measured)
        snprintf(to->text, sizeof to->text, "%s%s is %s, %s %s", to->figure, of,
                 unit_text(r, to->value, value), unit_text(r, to->bound, bound),
                 strcmp(to->figure, "min") == 0 ? "are required" : "are allowed");
    else if (r->r.kind == WF_CHECK_NEVER)
        snprintf(to->text, sizeof to->text, "'%s' did not occur", r->r.events[0]);
    else
        snprintf(to->text, sizeof to->text, "%llu, all as required", (unsigned long long)to->count);
}

static bool offer_tasks(struct wf_check *c, const char *pattern, struct wfi_check_near *near) {
    bool any = false;
    near->text = pattern;
    for (unsigned i = 0; i < wf_model_tasks(c->m); ++i) {
        const char *name = wf_task_name(c->m, wf_model_task(c->m, i));
        any |= wfi_name_fits(pattern, name);
        wfi_check_near_offer(near, name);
    }
    return any;
}

static bool offer_objects(struct wf_check *c, const char *pattern, struct wfi_check_near *near) {
    bool any = false;
    near->text = pattern;
    for (unsigned i = 0; i < wf_model_objects(c->m); ++i) {
        const char *name = wf_object_name(c->m, wf_model_object(c->m, i));
        any |= wfi_name_fits(pattern, name);
        wfi_check_near_offer(near, name);
    }
    return any;
}

// Interrupts and texts: those that were measured.
static bool offer_measured(struct wfi_rule *r, const char *pattern, struct wfi_check_near *near) {
    char name[256];
    bool any = false;
    near->text = pattern;
    for (size_t i = 0; i < r->sums.count; ++i) {
        const struct wfi_sum *s = r->sums.at[i];
        if (!s) continue;
        any |= s->irq >= 0 && wfi_irq_fits(r->c, pattern, s->irq);
        wfi_check_near_offer(near, s->irq >= 0
                                       ? wfi_check_irq_name(r->c, s->irq, name)
                                       : wfi_check_text_name(r->c, s->text, name, sizeof name));
    }
    return any;
}

// The first key that selects nothing. Returns null if all select something, but not together.
static const char *find_wrong_key(struct wfi_rule *r, struct wfi_check_near *near) {
    const struct wf_check_rule *k = &r->r;
    const char *const objects[] = {k->object, k->machine};
    const char *const tasks[] = {k->task, k->by};
    for (unsigned i = 0; i < 2; ++i) {
        *near = (struct wfi_check_near){0};
        if (tasks[i] && !offer_tasks(r->c, tasks[i], near)) return tasks[i];
        *near = (struct wfi_check_near){0};
        if (objects[i] && !offer_objects(r->c, objects[i], near)) return objects[i];
    }
    *near = (struct wfi_check_near){0};
    if (k->irq && !offer_measured(r, k->irq, near)) return k->irq;
    if (k->name && !offer_measured(r, k->name, near)) return k->name;
    bool states = k->kind == WF_CHECK_STATE;
    if (states && wfi_events_wrong_state(r, near)) return near->text;
    for (unsigned i = 0; r->events && !states && i < r->events->count; ++i) {
        if (r->events->events[i].known) continue;
        wfi_event_near(r->c, &r->events->events[i], near);
        return i < k->event_count ? k->events[i] : k->expect;
    }
    return NULL;
}

static void put_wrong_name(struct wfi_rule *r) {
    struct wf_check_result *to = &r->result;
    struct wfi_check_near near;
    char list[130];
    const char *wrong = find_wrong_key(r, &near);
    wfi_check_near_list(&near, list, sizeof list);
    bool machine = wrong && wrong == r->r.machine;
    const char *what = !r->events || machine         ? "name"
                       : r->r.kind == WF_CHECK_STATE ? "state"
                                                     : "event";
    if (!wrong)
        snprintf(to->text, sizeof to->text, "nothing was measured of what the rule selects");
    else
        snprintf(to->text, sizeof to->text, "no %s '%.60s' in the trace%s%s", what, wrong,
                 *list ? "; there is " : "", list);
}

void wfi_text_of_reason(struct wfi_rule *r, enum wfi_reason reason) {
    struct wf_check_result *to = &r->result;
    const char *words = "";
    switch (reason) {
    case WFI_REASON_HOLE:
        if (r->load) {
            words = "it may be too much in time in which it is not known what a core did";
            break;
        }
        snprintf(to->text, sizeof to->text,
                 "%llu hole%s in the data may hide what breaks it; %llu cut",
                 (unsigned long long)to->holes, to->holes == 1 ? "" : "s",
                 (unsigned long long)to->undecided);
        return;
    case WFI_REASON_ODD:
        snprintf(to->text, sizeof to->text,
                 "the begin or end of %llu is missing, though no data is lost",
                 (unsigned long long)to->undecided);
        return;
    case WFI_REASON_NAME: put_wrong_name(r); return;
    case WFI_REASON_NOTHING:
        words = r->load ? "the trace is shorter than the window" : "nothing was measured";
        break;
    case WFI_REASON_RATE:
        words = r->unrated ? "the rate of the clock came after the first values (--rate)"
                           : "the rate of the clock is not known (--rate)";
        break;
    default: words = r->doubt;
    }
    snprintf(to->text, sizeof to->text, "%s", words);
}
