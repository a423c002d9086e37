// SPDX-License-Identifier: MIT
// The table of rules, whether a rule can be used, and its limits in the units that are measured.

#include "wfi_check.h"

#include <math.h>

enum {
    TASK = WF_CHECK_KEY_TASK,
    IRQ = WF_CHECK_KEY_IRQ,
    CORE = WF_CHECK_KEY_CORE,
    WINDOW = WF_CHECK_KEY_WINDOW,
    TIMER = WF_CHECK_KEY_TIMER,
    MUTEX = WF_CHECK_KEY_MUTEX,
    OBJECT = WF_CHECK_KEY_OBJECT,
    BY = WF_CHECK_KEY_BY,
    NAME = WF_CHECK_KEY_NAME,
    MACHINE = WF_CHECK_KEY_MACHINE,
    EVENT = WF_CHECK_KEY_EVENT,
    EXPECT = WF_CHECK_KEY_EXPECT,
    EVENTS = WF_CHECK_KEY_EVENTS,
    STATES = WF_CHECK_KEY_STATES
};

const struct wf_check_kind_info wf_check_kinds[WF_CHECK_KINDS] = {
#define WF_X(rule, name, unit, keys, bounds, sentence)                                             \
    {name, WF_CHECK_##unit, keys, WF_CHECK_##bounds, sentence},
    WF_CHECK_RULES(WF_X)
#undef WF_X
};
const char *const wf_check_verdicts[3] = {"pass", "fail", "cannot tell"};
const char *const wfi_limit_names[WFI_LIMITS] = {"max", "min", "mean", "p50", "p95", "p99"};
const double wfi_limit_shares[WFI_LIMITS] = {1, 1, 1, 0.5, 0.95, 0.99};

const struct wf_check_bound *wfi_rule_bound(const struct wf_check_rule *r, unsigned limit) {
    const struct wf_check_bound *const bounds[WFI_LIMITS] = {&r->max, &r->min, &r->mean,
                                                             &r->p50, &r->p95, &r->p99};
    return bounds[limit];
}

enum wf_stats_spread wfi_rule_spread(const struct wf_check_rule *r) {
    switch (r->kind) {
    case WF_CHECK_RESPONSE:
    case WF_CHECK_DEADLINE: return WF_SPREAD_RESPONSE;
    case WF_CHECK_EXECUTION: return WF_SPREAD_EXECUTION;
    case WF_CHECK_START: return WF_SPREAD_START;
    case WF_CHECK_PERIOD:
        return r->irq ? WF_SPREAD_IRQ_PERIOD : r->object ? WF_SPREAD_ALARMS : WF_SPREAD_PERIOD;
    case WF_CHECK_JITTER: return WF_SPREAD_JITTER;
    case WF_CHECK_HOLD: return WF_SPREAD_HOLD;
    case WF_CHECK_WAIT: return WF_SPREAD_WAIT;
    case WF_CHECK_BLOCKED: return WF_SPREAD_BLOCKED;
    case WF_CHECK_IRQ: return WF_SPREAD_IRQ_DURATION;
    case WF_CHECK_SPAN: return WF_SPREAD_SPAN;
    case WF_CHECK_STEP: return WF_SPREAD_STEP;
    case WF_CHECK_NO_INVERSION: return WF_SPREAD_INVERSION;
    default: return WF_SPREADS;
    }
}

// ---- checks of a rule

static int reject(struct wf_error *error, const struct wf_check_rule *r, unsigned number,
                  const char *what, const char *more) {
    const char *name = r->kind < WF_CHECK_KINDS ? wf_check_kinds[r->kind].name : "?";
    return wf_error_set(error, WF_ERR_USAGE, "rule %u, %s: %s%s", number + 1, name, what, more);
}

// Keys of the rule's kind that share a member of the struct: any of them.
static const char *wrong_key(const struct wf_check_rule *r, unsigned keys) {
    const struct {
        bool set;
        unsigned keys;
        const char *name;
    } of[] = {{r->task != NULL, TASK, "task"},
              {r->irq != NULL, IRQ, "irq"},
              {r->object != NULL, MUTEX | OBJECT | TIMER, "object"},
              {r->by != NULL, BY, "by"},
              {r->name != NULL, NAME, "name"},
              {r->machine != NULL, MACHINE, "machine"},
              {r->core >= 0 && r->kind == WF_CHECK_CPU, CORE, "core"},
              {r->window_s != 0, WINDOW, "window"},
              {r->event_count != 0, EVENT | EVENTS, "events"},
              {r->expect != NULL, EXPECT, "expect"},
              {r->from || r->to || r->only_count, STATES, "from, to, only"}};
    for (unsigned i = 0; i < sizeof of / sizeof *of; ++i) {
        if (of[i].set && !(keys & of[i].keys)) return of[i].name;
    }
    return NULL;
}

static int check_bounds(const struct wf_check_rule *r, unsigned number, struct wf_error *error) {
    static const unsigned allowed[] = {0, 1 << WFI_MAX, 1 << WFI_MAX | 1 << WFI_MIN, 63};
    const struct wf_check_kind_info *info = &wf_check_kinds[r->kind];
    unsigned set = 0;
    for (unsigned i = 0; i < WFI_LIMITS; ++i) {
        const struct wf_check_bound *b = wfi_rule_bound(r, i);
        if (!b->set) continue;
        set |= 1u << i;
        if (!(allowed[info->bounds] >> i & 1))
            return reject(error, r, number, "it has no bound ", wfi_limit_names[i]);
        if (!isfinite(b->value) || (b->value < 0 && r->kind != WF_CHECK_COUNTER))
            return reject(error, r, number, "a bound that is not possible: ", wfi_limit_names[i]);
    }
    if (!set && info->bounds != WF_CHECK_NONE)
        return reject(error, r, number, "it needs a bound, as max", "");
    if (r->min.set && r->max.set && r->min.value > r->max.value)
        return reject(error, r, number, "min is above max", "");
    return WF_OK;
}

static int check_events(const struct wf_check_rule *r, unsigned number, struct wf_error *error) {
    unsigned keys = wf_check_kinds[r->kind].keys;
    struct wf_error why;
    if (keys & EVENT && r->event_count != 1)
        return reject(error, r, number, "it needs one event", "");
    if (keys & EVENTS && (r->event_count < 2 || r->event_count > WF_CHECK_EVENTS))
        return reject(error, r, number, "it needs 2 to 64 events", "");
    if (keys & EXPECT && !r->expect) return reject(error, r, number, "it needs expect", "");
    for (unsigned i = 0; i < r->event_count; ++i) {
        if (!r->events || !wf_check_event(r->events[i], &why))
            return reject(error, r, number, r->events ? why.text : "it needs an event", "");
    }
    if (r->expect && !wf_check_event(r->expect, &why))
        return reject(error, r, number, why.text, "");
    return WF_OK;
}

int wfi_rule_check(const struct wf_check_rule *r, unsigned number, struct wf_error *error) {
    if ((unsigned)r->kind >= WF_CHECK_KINDS) return reject(error, r, number, "unknown", "");
    const char *key = wrong_key(r, wf_check_kinds[r->kind].keys);
    if (key) return reject(error, r, number, "it has no key ", key);
    if (r->kind == WF_CHECK_PERIOD &&
        (r->task != NULL) + (r->irq != NULL) + (r->object != NULL) > 1)
        return reject(error, r, number, "it has one of task, irq, timer", "");
    if (r->kind == WF_CHECK_CPU && r->task && r->irq)
        return reject(error, r, number, "it has one of task, irq", "");
    if (!(r->window_s >= 0) || isinf(r->window_s))
        return reject(error, r, number, "a window that is not possible", "");
    if (r->kind == WF_CHECK_STATE && (r->only_count != 0) == (r->to != NULL) &&
        (r->only_count || !r->from))
        return reject(error, r, number, "it needs from, and to or the allowed states", "");
    int err = check_bounds(r, number, error);
    return err == WF_OK ? check_events(r, number, error) : err;
}

bool wf_check_reports(const struct wf_check_rule *r) {
    if (r->kind == WF_CHECK_CPU) return r->window_s > 0;
    return r->max.set || r->min.set || wf_check_kinds[r->kind].unit == WF_CHECK_NO_UNIT;
}

// ---- limits

// "5 ms" is a whole number of ticks even if 0.005 is no double.
static double to_ticks(double seconds, uint64_t hz) {
    double ticks = seconds * (double)hz, whole = nearbyint(ticks);
    return fabs(ticks - whole) < 1e-9 * fmax(1, whole) ? whole : ticks;
}

void wfi_rule_set_limits(struct wfi_rule *r, uint64_t hz) {
    bool time = wf_check_kinds[r->r.kind].unit == WF_CHECK_TIME;
    r->lowest = INFINITY;
    for (unsigned i = 0; i < WFI_LIMITS; ++i) {
        const struct wf_check_bound *b = wfi_rule_bound(&r->r, i);
        bool known = b->set && (hz || !time);
        r->limit[i] = i == WFI_MIN ? -INFINITY : INFINITY;
        if (known) r->limit[i] = time ? to_ticks(b->value, hz) : b->value;
        if (i > WFI_MIN && r->limit[i] < r->lowest) r->lowest = r->limit[i];
    }
    if (r->r.kind == WF_CHECK_NO_INVERSION) r->limit[WFI_MAX] = 0;
}
