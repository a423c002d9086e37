// SPDX-License-Identifier: MIT
// Hides tasks from the items of a session. Rules select them from a table of all tasks mentioned.
// For switches, each core has the task that ran last in the trace, and the task that is shown.

#include "wallfly_host/wf_task_filter.h"

#include <stdlib.h>
#include <string.h>

#include "core/wfi_names.h"
#include "util/wfi_grow.h"

enum { CORES = 256, CREATE_MAX = 64 };
enum rule_kind { BY_KEY, BY_NAME, BY_PRIO };
enum core_state { NOBODY, SHOWN, IN_GAP };

struct rule {
    enum rule_kind kind;
    bool shown, used;
    char *text; // as given; BY_NAME: the name
    uint64_t key;
    long prio[2];
};

struct hidden_task {
    uint64_t key; // its index in `keys` is the task's index in `tasks`
    bool prio_known, hidden;
    int16_t prio;
};

struct seen_core {
    bool from_known;
    uint64_t from; // running task, in the trace
    uint64_t task; // DIRECT, GAP: shown as running, if SHOWN; PUBLISHED: T1, 0: none
    uint64_t to;   // PUBLISHED: T2
    enum core_state state;
    uint64_t reason; // why `task` left
    bool away;       // `task` has left, and no switch has shown it yet
};

struct wf_task_filter {
    struct wf_session *session;
    enum wf_task_filter_view view;
    struct rule *rules;
    size_t rule_count;
    struct wfi_dict keys;
    struct hidden_task *tasks;
    size_t task_room;
    struct seen_core cores[CORES];
    bool create_held; // until the next item
    struct wf_item create;
    uint8_t create_payload[CREATE_MAX];
    const struct wf_item *item; // to be shown next
    struct wf_item copy;
    uint64_t count;
    int err;
};

struct wf_task_filter *wf_task_filter_open(struct wf_session *s, enum wf_task_filter_view view) {
    struct wf_task_filter *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->session = s;
    h->view = view;
    return h;
}

void wf_task_filter_close(struct wf_task_filter *h) {
    if (!h) return;
    for (size_t i = 0; i < h->rule_count; ++i) free(h->rules[i].text);
    free(h->rules);
    wfi_dict_free(&h->keys);
    free(h->tasks);
    free(h);
}

uint64_t wf_task_filter_count(const struct wf_task_filter *h) { return h->count; }

int wf_task_filter_error(const struct wf_task_filter *h) { return h->err; }

// ---- which tasks ----

static bool rule_matches(struct wf_task_filter *h, const struct rule *rule,
                         const struct hidden_task *t) {
    if (rule->kind == BY_KEY) return rule->key == t->key;
    if (rule->kind == BY_PRIO)
        return t->prio_known && rule->prio[0] <= t->prio && t->prio <= rule->prio[1];
    const char *name = wf_session_name(h->session, WF_EFFECT_NAME_OBJECT, t->key, 0);
    return name && strcmp(name, rule->text) == 0;
}

static void apply_rules(struct wf_task_filter *h, struct hidden_task *t) {
    t->hidden = false;
    for (size_t i = h->rule_count; i--;) {
        struct rule *rule = &h->rules[i];
        if (!rule_matches(h, rule, t)) continue;
        t->hidden = !rule->shown;
        rule->used = true;
        return;
    }
}

static struct hidden_task *find_task(const struct wf_task_filter *h, uint64_t key) {
    const struct wfi_name *name = wfi_dict_get(&h->keys, key);
    return name ? &h->tasks[name - h->keys.names] : NULL;
}

// Returns null when out of memory.
static struct hidden_task *task_of(struct wf_task_filter *h, uint64_t key) {
    struct hidden_task *t = find_task(h, key);
    if (t) return t;
    if (!WFI_GROW(h->tasks, &h->task_room, h->keys.count + 1) ||
        !wfi_dict_put(&h->keys, key, "", 0)) {
        h->err = WF_ERR_NOMEM;
        return NULL;
    }
    t = find_task(h, key);
    *t = (struct hidden_task){.key = key};
    apply_rules(h, t);
    return t;
}

static bool is_hidden(struct wf_task_filter *h, uint64_t key) {
    struct hidden_task *t = key ? task_of(h, key) : NULL;
    return t && t->hidden;
}

// ---- rules ----

static bool parse_prio(const char *text, long prio[2]) {
    char *end;
    prio[0] = prio[1] = strtol(text, &end, 10);
    if (end == text) return false;
    if (strncmp(end, "..", 2) == 0) {
        text = end + 2;
        prio[1] = strtol(text, &end, 10);
        if (end == text) return false;
    }
    return !*end && prio[0] <= prio[1];
}

static bool parse_rule(struct rule *rule) {
    char *end;
    const char *text = rule->text;
    if (strncmp(text, "prio:", 5) == 0) {
        rule->kind = BY_PRIO;
        return parse_prio(text + 5, rule->prio);
    }
    rule->kind = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? BY_KEY : BY_NAME;
    if (rule->kind == BY_NAME) return *text != 0;
    rule->key = strtoull(text + 2, &end, 16);
    return end != text + 2 && !*end && text[2] != '-' && rule->key;
}

int wf_task_filter_rule(struct wf_task_filter *h, const char *task, size_t len, bool shown) {
    struct rule *rules = realloc(h->rules, (h->rule_count + 1) * sizeof *rules);
    if (rules) h->rules = rules;
    char *text = malloc(len + 1);
    struct rule rule = {.shown = shown, .text = text};
    if (!rules || !text) {
        free(text);
        return WF_ERR_NOMEM;
    }
    memcpy(text, task, len);
    text[len] = 0;
    if (!parse_rule(&rule)) {
        free(text);
        return WF_ERR_USAGE;
    }
    h->rules[h->rule_count++] = rule;
    for (size_t i = 0; i < h->keys.count; ++i) apply_rules(h, &h->tasks[i]);
    return WF_OK;
}

const char *wf_task_filter_unused(const struct wf_task_filter *h, size_t *at) {
    while (*at < h->rule_count) {
        const struct rule *rule = &h->rules[(*at)++];
        if (!rule->used) return rule->text;
    }
    return NULL;
}

// ---- switches ----

// A switch to show: the next task, and why the previous one left.
struct shown_switch {
    uint64_t to, reason;
};

static bool show_gap(struct wf_task_filter *h, struct seen_core *c, struct shown_switch *s) {
    if (h->view != WF_TASK_FILTER_GAP || c->state == IN_GAP) return false;
    if (c->state == SHOWN) s->reason = c->reason;
    s->to = 0;
    c->state = IN_GAP;
    return true;
}

static bool show_direct(struct wf_task_filter *h, struct seen_core *c, struct shown_switch *s) {
    if (c->state == SHOWN && c->from_known && c->from == c->task) {
        c->reason = s->reason;
        c->away = true;
    }
    if (is_hidden(h, s->to)) return show_gap(h, c, s);
    bool same = c->state == SHOWN && c->task == s->to;
    if (c->state == SHOWN) s->reason = c->reason;
    c->state = SHOWN;
    c->task = s->to;
    c->away = false;
    return !same;
}

// No task and an unknown task count as shown, but neither can be source or target of a merged
// switch.
static bool show_published(struct wf_task_filter *h, struct seen_core *c, struct shown_switch *s) {
    bool from_seen = !c->from_known || !is_hidden(h, c->from), to_seen = !is_hidden(h, s->to);
    bool show = from_seen && to_seen;
    if (!show) {
        if (from_seen) {
            c->task = c->from_known ? c->from : 0;
            c->reason = s->reason;
        } else if (to_seen) {
            c->to = s->to;
        }
        if (c->task != c->to && (!c->task || !c->to)) return false;
        show = c->task != c->to;
        s->to = c->to;
        s->reason = c->reason;
    }
    c->task = c->to = 0;
    return show;
}

// ---- records ----

static unsigned core_of(const struct wf_record *r) {
    int i = wf_row_place(r->row, WF_KIND_CORE);
    return i < 0 ? r->core : (uint8_t)r->value[i];
}

static bool show_switch(struct wf_task_filter *h, struct wf_record *r, int task) {
    struct seen_core *c = &h->cores[core_of(r)];
    int reason = wf_row_place(r->row, WF_KIND_REASON);
    struct shown_switch s = {r->value[task], reason < 0 ? 0 : r->value[reason]};
    bool show = (h->view == WF_TASK_FILTER_PUBLISHED ? show_published : show_direct)(h, c, &s);
    c->from_known = true;
    c->from = r->value[task];
    r->value[task] = s.to;
    if (reason >= 0) r->value[reason] = s.reason;
    return show;
}

// The new state of a task that has left becomes the reason in the switch that will show it.
static void set_reason(struct wf_task_filter *h, uint64_t key, unsigned reason) {
    for (unsigned i = 0; i < CORES; ++i) {
        struct seen_core *c = &h->cores[i];
        if (c->state == SHOWN && c->away && c->task == key) c->reason = reason;
    }
}

static void forget_task(struct wf_task_filter *h, uint64_t key) {
    for (unsigned i = 0; i < CORES; ++i) {
        struct seen_core *c = &h->cores[i];
        if (c->state == SHOWN && c->task == key) c->state = NOBODY;
    }
}

static void set_priority(struct wf_task_filter *h, const struct wf_record *r, uint64_t key) {
    int prio = wf_row_place(r->row, WF_KIND_PRIORITY);
    struct hidden_task *t = task_of(h, key);
    if (!t) return;
    if (prio >= 0) {
        t->prio = (int16_t)r->value[prio];
        t->prio_known = t->prio != WF_PRIO_UNKNOWN;
    }
    apply_rules(h, t);
}

// Changes the record to the one shown. Returns false if it is hidden.
static bool show_record(struct wf_task_filter *h, struct wf_record *r) {
    int task = wf_row_place(r->row, WF_KIND_TASK);
    if (task < 0) task = wf_row_place(r->row, WF_KIND_ACTOR);
    if (task < 0) return true;
    uint64_t key = r->value[task];
    if (r->row->effect == WF_EFFECT_TASK_SWITCH) return show_switch(h, r, task);
    if (r->row->effect == WF_EFFECT_TASK_CREATE || r->row->effect == WF_EFFECT_TASK_PRIORITY)
        set_priority(h, r, key);
    bool show = !is_hidden(h, key);
    switch (r->row->effect) {
    case WF_EFFECT_TASK_READY: set_reason(h, key, WF_REASON_preempted); break;
    case WF_EFFECT_TASK_SUSPEND: set_reason(h, key, WF_REASON_suspended); break;
    case WF_EFFECT_TASK_DELETE: forget_task(h, key); break;
    default: break;
    }
    return show;
}

// A new name may match a rule.
static void apply_rules_to_name(struct wf_task_filter *h, const struct wf_record *r) {
    struct hidden_task *t = find_task(h, r->value[wf_row_place(r->row, WF_KIND_VALUE)]);
    if (t) apply_rules(h, t);
}

// A lost record may have been a switch.
static void forget_cores(struct wf_task_filter *h, const struct wf_loss *loss) {
    bool slots = wf_session_has_slots(h->session);
    if (loss->kind == WF_LOSS_RESTART) wfi_dict_clear(&h->keys);
    if (slots && loss->kind != WF_LOSS_RESTART)
        memset(&h->cores[loss->core], 0, sizeof h->cores[loss->core]);
    else
        memset(h->cores, 0, sizeof h->cores);
}

static bool show_item(struct wf_task_filter *h, struct wf_item *item) {
    if (item->kind == WF_ITEM_LOSS) forget_cores(h, &item->loss);
    if (item->kind != WF_ITEM_RECORD || !item->record.row) return true;
    struct wf_record *r = &item->record;
    if (r->left || r->missing) return true;
    if (r->row->effect == WF_EFFECT_NAME_OBJECT) apply_rules_to_name(h, r);
    if (show_record(h, r)) return true;
    ++h->count;
    return false;
}

// ---- items ----

static bool is_create(const struct wf_item *item) {
    return item->kind == WF_ITEM_RECORD && item->record.row &&
           item->record.row->effect == WF_EFFECT_TASK_CREATE && !item->record.left &&
           !item->record.missing && item->record.len < CREATE_MAX;
}

static void hold_create(struct wf_task_filter *h, const struct wf_item *item) {
    h->create_held = true;
    h->create = *item;
    memcpy(h->create_payload, item->record.payload, item->record.len + 1); // and the checksum
    h->create.record.payload = h->create_payload;
}

void wf_task_filter_take(struct wf_task_filter *h, const struct wf_item *item) { h->item = item; }

void wf_task_filter_end(struct wf_task_filter *h) { h->item = NULL; }

bool wf_task_filter_next(struct wf_task_filter *h, struct wf_item *item) {
    if (h->create_held) {
        h->create_held = false;
        *item = h->create;
        if (show_item(h, item)) return true;
    }
    if (!h->item) return false;
    const struct wf_item *taken = h->item;
    h->item = NULL;
    if (is_create(taken)) {
        hold_create(h, taken);
        return false;
    }
    *item = *taken;
    return show_item(h, item);
}
