// SPDX-License-Identifier: MIT
// Lines of the text that are not of tasks and interrupts: runnables are spans of their task, values
// of signals are counters, OS events are conditions. Semaphores have no count that we know (the
// note is the number of users, of an unknown capacity), so theirs are events of their own name.

#include "wfi_btf.h"

// ---- the acting task or interrupt

// Acts as the source of the line; the core's state is put back by end_acting.
static void begin_acting(struct wfi_import *im, const struct wfi_btf_line *l,
                         struct wfi_import_core *before) {
    const struct wfi_btf_entity *e = wfi_btf_find(wfi_btf_of(im), l->source);
    const struct wfi_btf_job *job =
        e && e->jobs ? wfi_btf_job(im, l->source, l->source_instance) : NULL;
    if (job && job->seen) im->core = job->core;
    if (e && e->irq && e->core) im->core = e->core - 1u;
    struct wfi_import_core *c = &im->cores[im->core];
    *before = *c;
    if (job) *c = (struct wfi_import_core){.known = true, .task = job->key};
}

static void end_acting(struct wfi_import *im, const struct wfi_import_core *before) {
    im->cores[im->core] = *before;
}

// ---- lines

// Returns false if it is no begin or end: a runnable is suspended with its task.
static bool take_runnable(struct wfi_import *im, const struct wfi_btf_line *l) {
    bool start = wfi_part_is(l->event, "start");
    if (!start && !wfi_part_is(l->event, "terminate"))
        return wfi_part_is(l->event, "suspend") || wfi_part_is(l->event, "resume");
    wfi_import_span(im, start, l->target.at, l->target.len);
    return true;
}

static bool take_signal(struct wfi_import *im, const struct wfi_btf_line *l) {
    int64_t value;
    if (!wfi_part_is(l->event, "write") || !wfi_part_signed(l->note, &value)) return false;
    wfi_import_counter(im, l->target.at, l->target.len, value);
    return true;
}

static bool take_os_event(struct wfi_import *im, const struct wfi_btf_line *l) {
    struct wfi_btf_entity *e = wfi_btf_find(wfi_btf_of(im), l->source);
    uint64_t event = wfi_btf_object(im, l->target);
    if (!event || !e || !e->jobs) return false;
    if (wfi_part_is(l->event, "set_event")) {
        WFI_IMPORT(im, cond_give, event, 1);
        return true;
    }
    if (!wfi_part_is(l->event, "wait_event")) return false;
    struct wfi_btf_job *job = wfi_btf_job(im, l->source, l->source_instance);
    if (!job) return false;
    WFI_IMPORT(im, cond_wait, event);
    job->waits = event;
    return true;
}

// A stimulus that a task triggers; the activation that follows is by that task.
static void note_trigger(struct wfi_import *im, const struct wfi_btf_line *l) {
    const struct wfi_btf_entity *source = wfi_btf_find(wfi_btf_of(im), l->source);
    struct wfi_btf_entity *e = wfi_btf_entity(im, l->target);
    if (!e || !wfi_part_is(l->event, "trigger")) return;
    e->by = source && source->jobs ? wfi_import_actor(im) : 0;
    e->triggered = l->tick;
}

static unsigned add_text(struct wfi_import_field *fields, unsigned n, const char *name,
                         struct wfi_part text) {
    if (!text.len) return n;
    fields[n] = (struct wfi_import_field){name, WFI_FIELD_TEXT, 0, text.at, text.len};
    return n + 1;
}

// An entity as a field: a task or an object by its key, else its name.
static unsigned add_entity(struct wfi_import *im, struct wfi_import_field *fields, unsigned n,
                           const char *name, struct wfi_part text, uint64_t instance) {
    const struct wfi_btf_entity *e = wfi_btf_find(wfi_btf_of(im), text);
    uint64_t key = 0;
    if (e && e->jobs)
        key = e->freertos ? e->jobs[0].key : wfi_btf_job(im, text, instance)->key;
    else if (e && e->named)
        key = e->key;
    if (!key) return add_text(fields, n, name, text);
    fields[n] = (struct wfi_import_field){name, WFI_FIELD_ADDRESS, key, NULL, 0};
    return n + 1;
}

static void take_other(struct wfi_import *im, const struct wfi_btf_line *l) {
    struct wfi_import_field fields[6];
    unsigned n = 0;
    if (wfi_part_is(l->type, "SEM")) (void)wfi_btf_object(im, l->target);
    n = add_text(fields, n, "type", l->type);
    n = add_entity(im, fields, n, "target", l->target, l->instance);
    if (!wfi_part_same(l->source, l->target))
        n = add_entity(im, fields, n, "source", l->source, l->source_instance);
    if (l->note.len) fields[n++] = wfi_part_field("note", l->note);
    wfi_import_event(im, l->event.at, l->event.len, fields, n);
}

void wfi_btf_event(struct wfi_import *im, const struct wfi_btf_line *l) {
    struct wfi_import_core before;
    const struct wfi_btf_entity *e = wfi_btf_find(wfi_btf_of(im), l->source);
    if (e && e->core && !e->irq) im->core = e->core - 1u;
    begin_acting(im, l, &before);
    bool done = false;
    if (wfi_part_is(l->type, "R"))
        done = take_runnable(im, l);
    else if (wfi_part_is(l->type, "SIG"))
        done = take_signal(im, l);
    else if (wfi_part_is(l->type, "EVENT"))
        done = take_os_event(im, l);
    else if (wfi_part_is(l->type, "STI"))
        done = wfi_btf_freertos_mark(im, l);
    if (!done && wfi_part_is(l->type, "STI")) note_trigger(im, l);
    if (!done) take_other(im, l);
    end_acting(im, &before);
}
