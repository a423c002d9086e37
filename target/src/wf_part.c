// SPDX-License-Identifier: MIT
// Part tracing: a table of tasks with the hidden ones first, so that a look-up takes time only by
// the number of hidden tasks; a list of rules; and for each core the task that is shown as running.

#include "wfi_core.h"

#include "wallfly/wf_rtos.h"

#if WF_CFG_PART

struct wfi_part wfi_part;

enum part_rule_kind { WFI_PART_BY_TASK, WFI_PART_BY_NAME, WFI_PART_BY_PRIO };
enum part_state { WFI_PART_NONE, WFI_PART_SHOWN, WFI_PART_IN_GAP };

static uint32_t part_hash(const char *name) {
    uint32_t hash = WFI_PART_HASH_START;
    for (; *name; ++name) hash = (hash << 5) + hash + (uint8_t)*name;
    return hash;
}

// ---- the table; the lock is held ----

// Returns the index of a task; wfi_part.count if it is not in the table.
static unsigned part_find(const void *task) {
    unsigned i = 0;
    while (i < wfi_part.count && wfi_part.tasks[i].task != task) ++i;
    return i;
}

static bool part_fits(const struct wfi_part_rule *rule, const struct wfi_part_task *t) {
    switch (rule->kind) {
    case WFI_PART_BY_TASK: return rule->of.task == t->task;
    case WFI_PART_BY_NAME: return t->named && rule->of.name == t->name;
    default: return t->prio_known && rule->of.prio[0] <= t->prio && t->prio <= rule->of.prio[1];
    }
}

static bool part_judge(const struct wfi_part_task *t) {
    for (unsigned i = wfi_part.rule_count; i--;) {
        if (part_fits(&wfi_part.rules[i], t)) return wfi_part.rules[i].shown;
    }
    return !wfi_part.out;
}

static void part_swap(unsigned i, unsigned k) {
    struct wfi_part_task was = wfi_part.tasks[i];
    wfi_part.tasks[i] = wfi_part.tasks[k];
    wfi_part.tasks[k] = was;
}

// Moves task i to the hidden or to the shown tasks.
static void part_file(unsigned i) {
    bool shown = part_judge(&wfi_part.tasks[i]);
    if (shown && i < wfi_part.hidden)
        part_swap(i, --wfi_part.hidden);
    else if (!shown && i >= wfi_part.hidden)
        part_swap(i, wfi_part.hidden++);
}

static void part_file_all(void) {
    wfi_part.hidden = 0;
    for (unsigned i = 0; i < wfi_part.count; ++i) part_file(i);
}

// Returns the index of a task, adding it if needed; WF_CFG_PART_TASKS if there is no room. Deleted
// tasks stay in the table, since they run on for a moment, until their place is needed.
static unsigned part_add(const void *task) {
    unsigned i = part_find(task);
    if (i < wfi_part.count) return i;
    if (i < WF_CFG_PART_TASKS) {
        ++wfi_part.count;
    } else {
        i = 0;
        while (i < wfi_part.count && !wfi_part.tasks[i].deleted) ++i;
        if (i == WF_CFG_PART_TASKS) return i;
    }
    wfi_fill(&wfi_part.tasks[i], sizeof wfi_part.tasks[i], 0);
    wfi_part.tasks[i].task = task;
    return i;
}

static bool part_hidden(const void *task) {
    unsigned i = wfi_part.out ? wfi_part.hidden : 0;
    unsigned end = wfi_part.out ? wfi_part.count : wfi_part.hidden;
    if (!task) return false;
    while (i < end && wfi_part.tasks[i].task != task) ++i;
    return (i < end) != wfi_part.out;
}

// ---- rules ----

static bool part_same(const struct wfi_part_rule *a, const struct wfi_part_rule *b) {
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case WFI_PART_BY_TASK: return a->of.task == b->of.task;
    case WFI_PART_BY_NAME: return a->of.name == b->of.name;
    default: return a->of.prio[0] == b->of.prio[0] && a->of.prio[1] == b->of.prio[1];
    }
}

static void part_drop(unsigned i) {
    --wfi_part.rule_count;
    for (; i < wfi_part.rule_count; ++i) wfi_part.rules[i] = wfi_part.rules[i + 1];
}

static unsigned part_find_rule(const struct wfi_part_rule *rule) {
    unsigned i = 0;
    while (i < wfi_part.rule_count && !part_same(&wfi_part.rules[i], rule)) ++i;
    return i;
}

static bool part_rule(const struct wfi_part_rule *rule) {
    uint32_t was = wf_port_lock();
    unsigned i = part_find_rule(rule);
    bool room = i < wfi_part.rule_count || i < WF_CFG_PART_RULES;
    if (room && rule->kind == WFI_PART_BY_TASK) room = part_add(rule->of.task) < WF_CFG_PART_TASKS;
    if (room) {
        if (i < wfi_part.rule_count) part_drop(i);
        wfi_part.rules[wfi_part.rule_count++] = *rule;
        part_file_all();
    }
    wf_port_unlock(was);
    return room;
}

bool wf_part_task(const void *task, bool shown) {
    struct wfi_part_rule rule = {WFI_PART_BY_TASK, shown, {task}};
    return task && part_rule(&rule);
}

bool wf_part_name(const char *name, bool shown) {
    struct wfi_part_rule rule;
    rule.kind = WFI_PART_BY_NAME;
    rule.shown = shown;
    rule.of.name = part_hash(name);
    return part_rule(&rule);
}

bool wf_part_priority(int first, int last, bool shown) {
    struct wfi_part_rule rule;
    rule.kind = WFI_PART_BY_PRIO;
    rule.shown = shown;
    rule.of.prio[0] = (int16_t)first;
    rule.of.prio[1] = (int16_t)last;
    return part_rule(&rule);
}

void wf_part_all(bool shown) {
    uint32_t was = wf_port_lock();
    wfi_part.rule_count = 0;
    wfi_part.out = !shown;
    part_file_all();
    wf_port_unlock(was);
}

void wf_part_set_view(enum wf_part_view view) {
    uint32_t was = wf_port_lock();
    wfi_part.view = (uint8_t)view;
    wfi_fill(wfi_part.cores, sizeof wfi_part.cores, WFI_PART_NONE);
    wf_port_unlock(was);
}

void wf_part_get_status(struct wf_part_status *status) {
    uint32_t was = wf_port_lock();
    status->tasks = 0;
    for (unsigned i = 0; i < wfi_part.count; ++i) status->tasks += !wfi_part.tasks[i].deleted;
    status->hidden = wfi_part.hidden;
    status->rules = wfi_part.rule_count;
    status->no_room = wfi_part.no_room;
    status->no_core = wfi_part.no_core;
    wf_port_unlock(was);
}

bool wf_part_knows(const void *task) {
    uint32_t was = wf_port_lock();
    bool knows = part_find(task) < wfi_part.count;
    wf_port_unlock(was);
    return knows;
}

// ---- actions of tasks ----

bool wfi_part_shows(const void *task) {
    uint32_t was = wf_port_lock();
    bool hidden = part_hidden(task);
    wf_port_unlock(was);
    return !hidden;
}

// A counter whose text is named in the trace, so that hosts can show it without the program file.
static void part_complain(uint32_t count) {
    static const char text[] = "tasks without room (WF_CFG_PART_TASKS)";
    if (WF_CFG_ON) wfi_obj_dict(text, text);
    WF_COUNTER(text, count);
    WFI_TEXT(wf_text_event("part_no_room", (uintptr_t)count));
}

void wfi_part_created(const void *task, int prio, const char *name) {
    uint32_t was = wf_port_lock();
    unsigned i = part_add(task);
    uint32_t no_room = 0;
    if (i < WF_CFG_PART_TASKS) {
        wfi_part.tasks[i].prio = (int16_t)prio;
        wfi_part.tasks[i].prio_known = prio != WF_PRIO_UNKNOWN;
        wfi_part.tasks[i].deleted = false;
        wfi_part.tasks[i].named = name != NULL;
        if (name) wfi_part.tasks[i].name = part_hash(name);
        part_file(i);
    } else {
        no_room = ++wfi_part.no_room;
    }
    wf_port_unlock(was);
    if (no_room) part_complain(no_room);
}

void wfi_part_named(const void *task, const char *name) {
    uint32_t was = wf_port_lock();
    unsigned i = part_find(task);
    if (i < wfi_part.count && name) {
        wfi_part.tasks[i].named = true;
        wfi_part.tasks[i].name = part_hash(name);
        part_file(i);
    }
    wf_port_unlock(was);
}

void wfi_part_priority(const void *task, int prio) {
    uint32_t was = wf_port_lock();
    unsigned i = part_find(task);
    if (i < wfi_part.count) {
        wfi_part.tasks[i].prio = (int16_t)prio;
        wfi_part.tasks[i].prio_known = prio != WF_PRIO_UNKNOWN;
        part_file(i);
    }
    wf_port_unlock(was);
}

// A task that was switched out for a hidden one is shown as running until the next shown task runs.
// The switch then gives the state of the task at that time as the reason.
void wfi_part_stands(const void *task, unsigned reason) {
    uint32_t was = wf_port_lock();
    for (unsigned i = 0; i < WF_CFG_CORES; ++i) {
        struct wfi_part_core *c = &wfi_part.cores[i];
        if (c->state == WFI_PART_SHOWN && c->away && c->task == task) c->reason = (uint8_t)reason;
    }
    wf_port_unlock(was);
}

void wfi_part_gone(const void *task) {
    uint32_t was = wf_port_lock();
    unsigned i = part_find(task);
    if (i < wfi_part.count) wfi_part.tasks[i].deleted = true;
    for (i = 0; i < WF_CFG_CORES; ++i) {
        struct wfi_part_core *c = &wfi_part.cores[i];
        if (c->state == WFI_PART_SHOWN && c->task == task) c->state = WFI_PART_NONE;
    }
    wf_port_unlock(was);
}

// ---- switches; the lock is held ----

static bool part_gap(struct wfi_part_core *c, struct wf_part_switch *s) {
    if (wfi_part.view != WF_PART_GAP || c->state == WFI_PART_IN_GAP) return false;
    bool seen = c->state == WFI_PART_SHOWN || s->last == c->task;
    if (c->state == WFI_PART_SHOWN) s->reason = c->reason;
    s->last = seen ? c->task : NULL;
    s->next = NULL;
    c->state = WFI_PART_IN_GAP;
    c->task = NULL;
    return true;
}

static bool part_direct(struct wfi_part_core *c, struct wf_part_switch *s, bool hides) {
    if (c->state == WFI_PART_SHOWN && s->last == c->task) {
        c->reason = (uint8_t)s->reason;
        c->away = true;
    }
    if (hides) return part_gap(c, s);
    if (c->state == WFI_PART_SHOWN && s->next == c->task) {
        c->away = false;
        return false;
    }
    if (c->state == WFI_PART_SHOWN) {
        s->last = c->task;
        s->reason = c->reason;
    } else if (s->last != c->task) { // (equal if it ends itself)
        s->last = NULL;
    }
    c->state = WFI_PART_SHOWN;
    c->task = s->next;
    c->away = false;
    return true;
}

// A null task is traced like a shown task, but is neither source nor target of a pending switch.
static bool part_published(struct wfi_part_core *c, struct wf_part_switch *s, bool hides) {
    bool from_seen = !part_hidden(s->last);
    if (!from_seen || hides) {
        if (from_seen) {
            c->task = s->last;
            c->reason = (uint8_t)s->reason;
        } else if (!hides) {
            c->to = s->next;
        }
        if (c->task != c->to && (!c->task || !c->to)) return false;
        if (c->task == c->to) {
            c->task = c->to = NULL;
            return false;
        }
        s->last = c->task;
        s->next = c->to;
        s->reason = c->reason;
    }
    c->task = c->to = NULL;
    return true;
}

// recorded: false when switch records are off; then no task is shown as running any more.
bool wfi_part_switched(struct wf_part_switch *s, bool recorded) {
    uint32_t was = wf_port_lock();
    unsigned core = wf_port_core();
    bool hides = part_hidden(s->next), show = !hides;
    if (core >= WF_CFG_CORES) {
        ++wfi_part.no_core;
    } else if (!recorded) {
        wfi_fill(&wfi_part.cores[core], sizeof wfi_part.cores[core], WFI_PART_NONE);
        show = false;
    } else {
        show = (wfi_part.view == WF_PART_PUBLISHED ? part_published
                                                   : part_direct)(&wfi_part.cores[core], s, hides);
    }
    wf_port_unlock(was);
    return show;
}

#endif
