// SPDX-License-Identifier: MIT
// Events: the phrases of wf_check.h, and where they occur. Names are compared once for each entity
// and revision of the names.

#include "wfi_check_events.h"

#include "util/wfi_grow.h"

#include <stdlib.h>
#include <string.h>

#define BIT(change) (UINT64_C(1) << WF_CHANGE_##change)

static const struct verb {
    const char *word;
    enum wfi_verb verb;
    unsigned words; // of the phrase
    uint64_t changes;
} verbs[] = {
    {"runs", WFI_VERB_RUNS, 2, BIT(TASK)},
    {"stops", WFI_VERB_STOPS, 2, BIT(TASK)},
    {"ready", WFI_VERB_READY, 2, BIT(TASK)},
    {"blocks", WFI_VERB_BLOCKS, 2, BIT(TASK)},
    {"delays", WFI_VERB_DELAYS, 2, BIT(TASK)},
    {"created", WFI_VERB_CREATED, 2, BIT(CREATE)},
    {"begins", WFI_VERB_BEGINS, 2, BIT(IRQ_BEGIN) | BIT(SPAN)},
    {"ends", WFI_VERB_ENDS, 2, BIT(TASK) | BIT(IRQ_END) | BIT(SPAN_END)},
    {"takes", WFI_VERB_TAKES, 3, BIT(TAKE) | BIT(HOLD)},
    {"gives", WFI_VERB_GIVES, 3, BIT(GIVE) | BIT(HOLD_END)},
    {"waits", WFI_VERB_WAITS, 3, BIT(WAIT)},
    {"enters", WFI_VERB_ENTERS, 3, BIT(STATE)},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

// ---- phrases

struct word {
    char text[WFI_EVENT_NAME];
    bool quoted;
};

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t') ++at;
    return at;
}

// Reads the next word. Returns null if it is not valid.
static const char *read_word(const char *at, struct word *w, struct wf_error *error) {
    size_t len = 0;
    char quote = *at == '\'' || *at == '"' ? *at++ : 0;
    w->quoted = quote != 0;
    while (*at && (quote ? *at != quote : *at != ' ' && *at != '\t')) {
        if (len == WFI_EVENT_NAME - 1) {
            wf_error_set(error, WF_ERR_USAGE, "an event has a name of more than %d bytes",
                         WFI_EVENT_NAME - 1);
            return NULL;
        }
        w->text[len++] = *at++;
    }
    w->text[len] = 0;
    if ((quote && *at != quote) || len == 0) {
        wf_error_set(error, WF_ERR_USAGE,
                     len ? "an event has a quote without end" : "an empty name");
        return NULL;
    }
    return quote ? at + 1 : at;
}

static int split(const char *text, struct word words[3], unsigned *count, struct wf_error *error) {
    const char *at = skip_blanks(text);
    for (*count = 0; *at; at = skip_blanks(at)) {
        if (*count == 3)
            return wf_error_set(
                error, WF_ERR_USAGE,
                "an event has at most three words, a name with blanks is in quotes");
        at = read_word(at, &words[(*count)++], error);
        if (!at) return WF_ERR_USAGE;
    }
    return *count ? WF_OK : wf_error_set(error, WF_ERR_USAGE, "an event without a name");
}

static const struct verb *find_verb(const struct word *w, unsigned words) {
    for (unsigned i = 0; i < VERBS && !w->quoted; ++i) {
        if (verbs[i].words == words && strcmp(verbs[i].word, w->text) == 0) return &verbs[i];
    }
    return NULL;
}

int wfi_event_parse(struct wfi_event *e, const char *text, struct wf_error *error) {
    struct word w[3];
    unsigned count = 0;
    memset(e, 0, sizeof *e);
    int err = text ? split(text, w, &count, error)
                   : wf_error_set(error, WF_ERR_USAGE, "an event without a name");
    if (err != WF_OK) return err;
    bool record = count == 2 && !w[0].quoted && strcmp(w[0].text, "record") == 0;
    bool log = count == 2 && !w[0].quoted && strcmp(w[0].text, "log") == 0;
    const struct verb *verb = count > 1 ? find_verb(&w[1], count) : NULL;
    memcpy(e->name[0], w[record || log].text, sizeof e->name[0]);
    if (count == 3) memcpy(e->name[1], w[2].text, sizeof e->name[1]);
    e->verb = record ? WFI_VERB_RECORD : log ? WFI_VERB_LOG : verb ? verb->verb : WFI_VERB_ANY;
    e->changes = verb && !record && !log ? verb->changes : 0;
    static const unsigned any = (1u << WF_TASK_STATES) - 1;
    e->states = e->verb == WFI_VERB_RUNS     ? 1u << WF_TASK_RUNNING
                : e->verb == WFI_VERB_READY  ? 1u << WF_TASK_READY
                : e->verb == WFI_VERB_BLOCKS ? 1u << WF_TASK_BLOCKED
                : e->verb == WFI_VERB_DELAYS ? 1u << WF_TASK_DELAYED
                : e->verb == WFI_VERB_ENDS   ? 1u << WF_TASK_ENDED
                                             : any & ~(1u << WF_TASK_RUNNING);
    if (count == 1) e->changes = BIT(IRQ_BEGIN) | BIT(SPAN) | BIT(ALARM);
    if (count == 1 || record || log || verb) return WF_OK;
    return wf_error_set(error, WF_ERR_USAGE,
                        count == 2 ? "'%s' is no event of one name: runs, stops, ready, blocks, "
                                     "delays, created, begins, ends"
                                   : "'%s' is no event of two names: takes, gives, waits, enters",
                        w[1].text);
}

bool wf_check_event(const char *text, struct wf_error *error) {
    struct wfi_event e;
    return wfi_event_parse(&e, text, error) == WF_OK;
}

void wfi_event_close(struct wfi_event *e) {
    wfi_keys_close(&e->keys);
    free(e->cache);
    free(e->tasks);
}

// ---- names

enum { TASK_NAME, OBJECT_NAME, IRQ_NAME, TEXT_NAME, STATE_NAME, RECORD_NAME, CLASSES };

// The name of an entity; null: not known.
static const char *name_of(struct wf_check *c, unsigned class, uint64_t key, char text[256]) {
    switch (class) {
    case TASK_NAME: return wf_task_name(c->m, wf_model_task(c->m, (unsigned)key));
    case OBJECT_NAME: return wf_object_name(c->m, wf_model_object(c->m, (unsigned)key));
    case IRQ_NAME: return wfi_check_irq_name(c, (int)key, text);
    case TEXT_NAME: return wfi_check_text_name(c, key, text, 256);
    case STATE_NAME: return wfi_check_state_name(c, key, text);
    default: return key < 256 ? wf_session_user_name(c->s, (unsigned)key) : wf_rows[key - 256].name;
    }
}

// Returns whether the name fits. Sets *unnamed if it does not because it is not known.
static bool compare(struct wf_check *c, const char *pattern, unsigned class, uint64_t key,
                    bool *unnamed) {
    char text[256];
    const char *name = name_of(c, class, key, text);
    bool is = wfi_name_fits(pattern, name ? name : "");
    if (class == IRQ_NAME) is |= wfi_irq_fits(c, pattern, (int)key);
    if (class == RECORD_NAME && key >= 256)
        is |= wfi_name_fits(pattern, wf_rows[key - 256].qs_name);
    *unnamed |= !is && (!name || wfi_name_is_number(name)) && !wfi_name_is_number(pattern);
    return is;
}

static bool fits(struct wf_check *c, struct wfi_event *e, unsigned which, unsigned class,
                 uint64_t key) {
    uint32_t n = wfi_keys_number(&e->keys, key, class * 2 + which);
    if (!n || !WFI_GROW(e->cache, &e->cap, n + 1ull)) {
        c->err = WF_ERR_NOMEM;
        return false;
    }
    struct wfi_event_name *known = &e->cache[n];
    if (known->names != c->names + 1) {
        known->fits = compare(c, e->name[which], class, key, &e->unnamed);
        known->names = c->names + 1;
        e->known |= known->fits && which == 0;
    }
    known->missed |= !known->fits;
    return known->fits;
}

bool wfi_event_fits_state(struct wf_check *c, struct wfi_event *e, uint64_t state) {
    return fits(c, e, 1, STATE_NAME, state);
}
bool wfi_event_fits_object(struct wf_check *c, struct wfi_event *e, const struct wf_object *o) {
    return fits(c, e, 0, OBJECT_NAME, o->index);
}

static bool compare_task(struct wf_check *c, struct wfi_event *e, const struct wf_task *t) {
    if (e->task_names != c->names && e->tasks) memset(e->tasks, 0, e->task_cap);
    e->task_names = c->names;
    bool is = fits(c, e, 0, TASK_NAME, t->index);
    if (!WFI_GROW(e->tasks, &e->task_cap, t->index + 1ull)) c->err = WF_ERR_NOMEM;
    if (t->index < e->task_cap) e->tasks[t->index] = is ? 2 : 1;
    return is;
}

static inline bool task_fits(struct wf_check *c, struct wfi_event *e, const struct wf_task *t) {
    if (!t) return false;
    bool known = t->index < e->task_cap && e->task_names == c->names && e->tasks[t->index];
    return known ? e->tasks[t->index] == 2 : compare_task(c, e, t);
}

// ---- changes

// Of an unknown state, its record is needed: it may have left its core READY.
static bool becomes_ready(const struct wf_change *ch) {
    bool recorded = ch->record && ch->record->row->effect == WF_EFFECT_TASK_READY;
    return ch->was != WF_TASK_RUNNING && (ch->was != WF_TASK_UNKNOWN || recorded);
}

static bool task_changes(struct wf_check *c, struct wfi_event *e, const struct wf_change *ch) {
    bool left = ch->was == WF_TASK_RUNNING && ch->is != WF_TASK_RUNNING, is = false;
    switch (e->verb) {
    case WFI_VERB_RUNS: is = ch->is == WF_TASK_RUNNING && ch->task->since_known; break;
    case WFI_VERB_STOPS: is = left; break;
    case WFI_VERB_READY: is = ch->is == WF_TASK_READY && becomes_ready(ch); break;
    case WFI_VERB_BLOCKS: is = left && ch->is == WF_TASK_BLOCKED; break;
    case WFI_VERB_DELAYS: is = left && ch->is == WF_TASK_DELAYED; break;
    default: is = ch->is == WF_TASK_ENDED; // ENDS
    }
    return is && task_fits(c, e, ch->task);
}

static bool object_changes(struct wf_check *c, struct wfi_event *e, const struct wf_change *ch) {
    if (ch->kind == WF_CHANGE_HOLD && !ch->from_known) return false; // it held it before
    return task_fits(c, e, ch->task) && fits(c, e, 1, OBJECT_NAME, ch->object->index);
}

bool wfi_event_in_change(struct wf_check *c, struct wfi_event *e, const struct wf_change *ch) {
    if (!(e->changes >> ch->kind & 1) || ch->cut) return false;
    switch (ch->kind) {
    case WF_CHANGE_TASK: return task_changes(c, e, ch);
    case WF_CHANGE_CREATE: return task_fits(c, e, ch->task);
    case WF_CHANGE_IRQ_BEGIN:
    case WF_CHANGE_IRQ_END: return fits(c, e, 0, IRQ_NAME, ch->irq);
    case WF_CHANGE_SPAN:
    case WF_CHANGE_SPAN_END: return fits(c, e, 0, TEXT_NAME, ch->text);
    case WF_CHANGE_ALARM: return fits(c, e, 0, OBJECT_NAME, ch->object->index);
    case WF_CHANGE_STATE:
        return ch->value && ch->object->state_since_known &&
               fits(c, e, 0, OBJECT_NAME, ch->object->index) &&
               fits(c, e, 1, STATE_NAME, (uint64_t)ch->value);
    default: return object_changes(c, e, ch);
    }
}

bool wfi_event_in_record(struct wf_check *c, struct wfi_event *e, const struct wf_record *r,
                         const char *log) {
    bool any = e->verb == WFI_VERB_ANY;
    if (log && (any || e->verb == WFI_VERB_LOG) && wfi_name_fits(e->name[0], log)) return true;
    if (!any && e->verb != WFI_VERB_RECORD) return false;
    bool user = r->row == &wf_user_row;
    return fits(c, e, 0, RECORD_NAME, user ? r->id : 256 + (uint64_t)(r->row - wf_rows));
}

// ---- what a hole leaves unknown

bool wfi_event_becomes_known(struct wf_check *c, struct wfi_event *e, const struct wf_change *ch) {
    if (ch->kind == WF_CHANGE_TASK && e->changes & BIT(TASK))
        return ch->was == WF_TASK_UNKNOWN && task_fits(c, e, ch->task);
    if (ch->kind == WF_CHANGE_HOLDER && e->changes & (BIT(HOLD) | BIT(HOLD_END)))
        return ch->got && fits(c, e, 1, OBJECT_NAME, ch->object->index);
    return false;
}

bool wfi_event_is_unknown(struct wf_check *c, struct wfi_event *e) {
    bool tasks = e->changes & BIT(TASK), mutexes = e->changes & (BIT(HOLD) | BIT(HOLD_END));
    bool irqs = e->changes & (BIT(IRQ_BEGIN) | BIT(IRQ_END));
    for (unsigned i = 0; tasks && i < wf_model_tasks(c->m); ++i) {
        const struct wf_task *t = wf_model_task(c->m, i);
        if (t->state == WF_TASK_UNKNOWN && task_fits(c, e, t)) return true;
    }
    for (unsigned i = 0; mutexes && i < wf_model_objects(c->m); ++i) {
        const struct wf_object *o = wf_model_object(c->m, i);
        bool mutex = o->kind == WF_OBJECT_MUTEX && !o->ended && !o->holder_known;
        if (mutex && fits(c, e, 1, OBJECT_NAME, i)) return true;
    }
    for (unsigned i = 0; irqs && i < wf_model_cores(c->m); ++i) {
        const struct wf_core *core = wf_model_core(c->m, i);
        if (core->used && !core->irqs_known) return true;
    }
    return false;
}

// ---- the end

// Offers all names of a class to `near`, or compares them if it is null.
static void visit(struct wf_check *c, struct wfi_event *e, struct wfi_check_near *near) {
    bool tasks = e->changes & (BIT(TASK) | BIT(CREATE) | BIT(TAKE) | BIT(WAIT) | BIT(GIVE));
    bool objects = e->changes & (BIT(ALARM) | BIT(STATE));
    bool names = e->changes & BIT(IRQ_BEGIN) || e->verb == WFI_VERB_RECORD;
    struct wf_name name;
    for (unsigned i = 0; tasks && i < wf_model_tasks(c->m); ++i) {
        const char *is = wf_task_name(c->m, wf_model_task(c->m, i));
        if (near) wfi_check_near_offer(near, is);
        e->known |= wfi_name_fits(e->name[0], is);
    }
    for (unsigned i = 0; objects && i < wf_model_objects(c->m); ++i) {
        const char *is = wf_object_name(c->m, wf_model_object(c->m, i));
        if (near) wfi_check_near_offer(near, is);
        e->known |= wfi_name_fits(e->name[0], is);
    }
    for (size_t at = 0; names && wf_session_next_name(c->s, &at, &name);) {
        bool fits_in = name.dict == WF_EFFECT_NAME_USER ||
                       (e->verb != WFI_VERB_RECORD && name.dict == WF_EFFECT_NAME_IRQ);
        if (!fits_in) continue;
        if (near) wfi_check_near_offer(near, name.text);
        e->known |= wfi_name_fits(e->name[0], name.text);
    }
    for (unsigned i = 0; i < wf_row_count && (e->verb == WFI_VERB_RECORD); ++i) {
        if (near) wfi_check_near_offer(near, wf_rows[i].name);
        e->known |= wfi_name_fits(e->name[0], wf_rows[i].name) ||
                    wfi_name_fits(e->name[0], wf_rows[i].qs_name);
    }
}

bool wfi_event_is_named(struct wf_check *c, struct wfi_event *e) {
    const uint64_t size = 1ull + c->names + wf_model_tasks(c->m) + wf_model_objects(c->m);
    if (!e->known && e->visited != size) visit(c, e, NULL);
    e->visited = size;
    return e->known;
}

void wfi_event_end(struct wf_check *c, struct wfi_event *e) {
    for (size_t i = 0; i < e->keys.count && i + 1 < e->cap; ++i) {
        const struct wfi_key *k = &e->keys.list[i];
        bool unnamed = false;
        bool now = compare(c, e->name[k->with & 1], (unsigned)(k->with / 2), k->key, &unnamed);
        e->late |= now && e->cache[i + 1].missed;
    }
    visit(c, e, NULL);
    e->known |= e->count > 0;
}

void wfi_event_near(struct wf_check *c, const struct wfi_event *e, struct wfi_check_near *near) {
    struct wfi_event copy = *e;
    char text[256];
    near->text = e->name[0];
    visit(c, &copy, near);
    for (size_t i = 0; i < e->keys.count; ++i) { // spans and interrupts that have occurred
        const struct wfi_key *k = &e->keys.list[i];
        if (k->with == 2 * TEXT_NAME)
            wfi_check_near_offer(near, wfi_check_text_name(c, k->key, text, sizeof text));
        if (k->with == 2 * IRQ_NAME)
            wfi_check_near_offer(near, wfi_check_irq_name(c, (int)k->key, text));
    }
}
