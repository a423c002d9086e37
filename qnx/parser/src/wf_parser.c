// SPDX-License-Identifier: MIT
// Registrations by class, and the calls of their callbacks.

#include "wfp_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wf_parser *wf_parser_create(const struct wf_parser_options *options,
                                   struct wf_error *error) {
    struct wf_parser *p = calloc(1, sizeof *p);
    wf_error_code(error, p ? WF_OK : WF_ERR_NOMEM);
    if (!p) return NULL;
    p->options = *options;
    p->options.slots.size = sizeof p->options.slots;
    p->options.slots.with_control = true;
    return p;
}

void wfp_forget_run(struct wf_parser *p) {
    wf_merge_close(p->merge);
    p->merge = NULL;
    p->problem[0] = 0;
    p->stopped = 0;
    p->release = WF_SAT_RELEASE_6;
    memset(p->owners, 0, sizeof p->owners);
}

void wf_parser_destroy(struct wf_parser *p) {
    if (!p) return;
    wfp_forget_run(p);
    for (unsigned i = 0; i < WFP_CLASSES; ++i) free(p->wants[i].list);
    free(p);
}

// ---- registration

static int slot_of(unsigned cls) {
    if (cls < WF_SAT_CLASS_END) return (int)cls;
    if (cls >= WF_PARSER_INTERNAL && cls <= WF_PARSER_INTERNAL + WF_SLOT_CLASS) {
        return (int)(WF_SAT_CLASS_END + cls - WF_PARSER_INTERNAL);
    }
    return -1;
}

int wf_parser_on_range(struct wf_parser *p, unsigned cls, unsigned first, unsigned last,
                       wf_parser_fn fn, void *user) {
    int slot = slot_of(cls);
    if (slot < 0 || first > last) return WF_ERR_USAGE;
    struct wfp_wants *w = &p->wants[slot];
    struct wfp_want *more = realloc(w->list, (w->count + 1) * sizeof *more);
    if (!more) return WF_ERR_NOMEM;
    w->list = more;
    for (size_t i = 0; i < w->count; ++i) { // a covered one is no longer used
        if (w->list[i].first < first || w->list[i].last > last) continue;
        memmove(&w->list[i], &w->list[i + 1], (w->count - i - 1) * sizeof *w->list);
        --w->count;
        --i;
    }
    w->list[w->count++] = (struct wfp_want){first, last, ++p->serial, fn, user};
    return WF_OK;
}

int wf_parser_on(struct wf_parser *p, unsigned cls, unsigned event, wf_parser_fn fn, void *user) {
    return wf_parser_on_range(p, cls, event, event, fn, user);
}

void wf_parser_on_loss(struct wf_parser *p, wf_parser_loss_fn fn, void *user) {
    p->on_loss = fn;
    p->loss_user = user;
}

void wf_parser_on_damage(struct wf_parser *p, wf_parser_damage_fn fn, void *user) {
    p->on_damage = fn;
    p->damage_user = user;
}

// Returns the later registration: the known one, or that of a class.
static const struct wfp_want *later(const struct wf_parser *p, unsigned cls, unsigned event,
                                    const struct wfp_want *known) {
    const struct wfp_wants *w = &p->wants[slot_of(cls)];
    for (size_t i = w->count; i; --i) {
        const struct wfp_want *want = &w->list[i - 1];
        if (event < want->first || event > want->last) continue;
        return !known || want->serial > known->serial ? want : known;
    }
    return known;
}

// Returns the class that includes this one.
static unsigned all_of(unsigned cls) {
    switch (cls) {
    case WF_SAT_KERCALLENTER:
    case WF_SAT_KERCALLEXIT:
    case WF_SAT_KERCALLINT: return WF_SAT_KERCALL;
    case WF_SAT_INTENTER:
    case WF_SAT_INTEXIT:
    case WF_SAT_INT_HANDLER_ENTER:
    case WF_SAT_INT_HANDLER_EXIT: return WF_SAT_INT;
    default: return cls;
    }
}

// ---- callbacks

static bool call(struct wf_parser *p, const struct wfp_want *want,
                 const struct wf_parser_event *e) {
    if (!want || !want->fn) return true;
    p->stopped = want->fn(p, want->user, e);
    return p->stopped == 0;
}

static bool call_for_event(struct wf_parser *p, const struct wf_slot_event *s) {
    struct wf_sat_number n;
    unsigned internal = WF_PARSER_INTERNAL + s->cls;
    struct wfp_owner *owner = &p->owners[s->core];
    if (s->cls == WF_SLOT_CLASS_PR_TH && s->event == RUNNING && s->count >= 2) {
        *owner = (struct wfp_owner){true, s->words[0], s->words[1]};
    }
    if (!p->serial) return true; // no callback was ever registered
    bool external = wf_sat_external(p->release, s, &n);
    struct wf_parser_event e = {.cls = external ? n.cls : internal,
                                .event = external ? n.event : s->event,
                                .wide = external && n.wide,
                                .head = s->head,
                                .core = s->core,
                                .timed = s->timed,
                                .tick = s->tick,
                                .words = s->words,
                                .count = s->count,
                                .bytes = s->bytes,
                                .len = s->len,
                                .offset = s->offset,
                                .owned = owner->known,
                                .pid = owner->pid,
                                .tid = owner->tid};
    const struct wfp_want *want = later(p, internal, s->event, NULL);
    if (external) {
        const struct wfp_want *by_name = later(p, n.cls, n.event, NULL);
        if (all_of(n.cls) != n.cls) by_name = later(p, all_of(n.cls), n.event, by_name);
        if (by_name) want = by_name;
    }
    return call(p, want, &e);
}

static bool call_for_header(struct wf_parser *p) {
    static const struct wf_parser_event none = {.cls = WF_SAT_EMPTY};
    p->release = wf_sat_release_of(wf_parser_attribute(p, "SYS_RELEASE"));
    return call(p, later(p, WF_SAT_EMPTY, 0, NULL), &none);
}

bool wfp_call(struct wf_parser *p, const struct wf_slots_item *item) {
    switch (item->kind) {
    case WF_SLOTS_HEADER: return call_for_header(p);
    case WF_SLOTS_EVENT: return call_for_event(p, &item->event);
    case WF_SLOTS_LOSS:
        if (p->on_loss) p->stopped = p->on_loss(p, p->loss_user, &item->loss);
        break;
    case WF_SLOTS_DAMAGE:
        if (p->on_damage) p->stopped = p->on_damage(p, p->damage_user, &item->damage);
        break;
    }
    return p->stopped == 0;
}

int wfp_fail(struct wf_parser *p, int err, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(p->problem, sizeof p->problem, format, list);
    va_end(list);
    return err;
}

// ---- queries

const struct wf_slots *wf_parser_slots(const struct wf_parser *p) {
    return p->merge ? wf_merge_slots(p->merge) : NULL;
}

const char *wf_parser_attribute(const struct wf_parser *p, const char *key) {
    const struct wf_slots *s = wf_parser_slots(p);
    return s ? wf_slots_find(s, key) : NULL;
}

uint64_t wf_parser_hz(const struct wf_parser *p) {
    const struct wf_slots *s = wf_parser_slots(p);
    return s ? wf_slots_hz(s) : 0;
}

const struct wf_slots_ledger *wf_parser_totals(const struct wf_parser *p) {
    static const struct wf_slots_ledger none = {.bytes = 0};
    const struct wf_slots *s = wf_parser_slots(p);
    return s ? wf_slots_get_ledger(s) : &none;
}

uint64_t wf_parser_late(const struct wf_parser *p) {
    return p->merge ? wf_merge_late(p->merge) : 0;
}
int wf_parser_stopped(const struct wf_parser *p) { return p->stopped; }
const char *wf_parser_problem(const struct wf_parser *p) { return p->problem; }
