// SPDX-License-Identifier: MIT
// A trace for Perfetto from the model's changes. A record that causes no change is drawn as an
// instant with its sentence. Not drawn are dictionaries, which become names, and SYNCs, whose
// losses are.

#include <inttypes.h>
#include <stdlib.h>

#include "wallfly_host/wf_text_trace.h"
#include "wfi_perfetto.h"

// ---- losses

static void put_between(struct wfi_strbuf *t) {
    if (t->end != t->buf) wfi_strbuf_put(t, "; ");
}

static void loss_args(struct wf_writer *w, uint64_t records, uint64_t given_up, uint64_t bytes,
                      bool exact, const struct wfi_strbuf *what) {
    wfi_pf_arg_uint(w, WFI_PF_ARG_records, records);
    wfi_pf_arg_uint(w, WFI_PF_ARG_given_up, given_up);
    wfi_pf_arg_uint(w, WFI_PF_ARG_bytes, bytes);
    wfi_pf_arg_bool(w, WFI_PF_ARG_exact, exact);
    wfi_pf_arg_text(w, WFI_PF_ARG_what, what->buf, (size_t)(what->end - what->buf));
}

// Slots of several cores have holes that overlap, so each core has a track of losses.
static bool by_core(const struct wf_writer *w, unsigned core) {
    return w->s->slots.on && w->s->target.cores > 1 && core < WF_MODEL_CORES;
}

// Collects the loss. The hole is drawn with the next record.
static void note_loss(struct wf_writer *w, const struct wf_loss *l) {
    struct wfi_pf_loss *of = &wfi_pf(w)->losses[by_core(w, l->core) ? l->core : 0];
    if (!of->words.buf && !wfi_strbuf_open(&of->words, &w->failed)) {
        wfi_pf(w)->failed = true;
        return;
    }
    bool empty = of->words.end == of->words.buf;
    if (of->words.end - of->words.buf < 2000) {
        put_between(&of->words);
        wfi_put_loss(w->s, l, &of->words);
    }
    of->exact = l->exact && (empty || of->exact);
    of->records += l->records;
    of->given_up += l->given_up;
    of->bytes += l->bytes + l->lost;
}

// A loss without a hole: records that come late or twice.
static void mark_loss(struct wf_writer *w, const struct wf_loss *l) {
    struct wfi_strbuf *words = &wfi_pf(w)->words;
    bool late = l->kind == WF_LOSS_LATE;
    struct wfi_pf_event e = {.type = WFI_PF_INSTANT,
                             .track = wfi_pf_track(w, WFI_PF_LOSSES),
                             .name = wfi_pf_literal(w, late ? "comes late" : "came twice"),
                             .category = WFI_PF_CAT_loss};
    words->end = words->buf;
    wfi_put_loss(w->s, l, words);
    wfi_pf_event(w, wfi_pf_ns(w, wf_model_tick(w->model)), &e);
    loss_args(w, 0, 0, l->bytes + l->lost, true, words);
    wfi_pf_event_end(w);
}

static void take_loss(struct wf_writer *w, const struct wf_change *c) {
    bool own = by_core(w, c->core);
    struct wfi_pf_loss *of = &wfi_pf(w)->losses[own ? c->core : 0];
    struct wfi_pf_event e = {
        .type = WFI_PF_BEGIN, .name = wfi_pf_literal(w, "loss"), .category = WFI_PF_CAT_loss};
    e.track =
        own ? wfi_pf_core_track(w, c->core, WFI_PF_CORE_LOSSES) : wfi_pf_track(w, WFI_PF_LOSSES);
    uint64_t from = wfi_pf_ns(w, c->from), to = wfi_pf_ns(w, c->tick);
    if (from < of->lane.ns) from = of->lane.ns;
    wfi_pf_event(w, from, &e);
    loss_args(w, of->records, of->given_up, of->bytes, of->exact, &of->words);
    wfi_pf_event_end(w);
    e = (struct wfi_pf_event){.type = WFI_PF_END, .track = e.track};
    of->lane.ns = to > from ? to : from;
    wfi_pf_event(w, of->lane.ns, &e);
    wfi_pf_event_end(w);
    of->words.end = of->words.buf;
    of->records = of->given_up = of->bytes = 0;
    of->exact = false;
}

// ---- records without a change

static void put_core(struct wf_writer *w, unsigned core) {
    if (w->s->target.cores > 1) wfi_pf_arg_uint(w, WFI_PF_ARG_core, core);
}

// Returns the track of the record's object, else of its task, else of its core.
static uint64_t track_of(struct wf_writer *w, const struct wf_record *r) {
    static const enum wf_kind actors[] = {WF_KIND_TASK, WF_KIND_ACTOR};
    int at = wf_row_place(r->row, WF_KIND_OBJECT);
    const struct wf_object *o = at < 0 ? NULL : wf_model_find_object(w->model, r->value[at]);
    if (o) return wfi_pf_object_track(w, o, WFI_PF_OBJECT_STATES);
    for (unsigned i = 0; i < 2; ++i) {
        at = wf_row_place(r->row, actors[i]);
        const struct wf_task *t = at < 0 ? NULL : wf_model_find_task(w->model, r->value[at]);
        if (t) return wfi_pf_task_track(w, t, WFI_PF_TASK_STATES);
    }
    return wfi_pf_core_track(w, r->core < WF_MODEL_CORES ? r->core : 0, WFI_PF_CORE_RECORDS);
}

static void mark_words(struct wf_writer *w, uint64_t tick, struct wfi_pf_event *e, unsigned core,
                       const struct wfi_strbuf *words) {
    size_t len = (size_t)(words->end - words->buf);
    e->type = WFI_PF_INSTANT;
    wfi_pf_event(w, wfi_pf_ns(w, tick), e);
    if (len) wfi_pf_arg_text(w, WFI_PF_ARG_text, words->buf, len);
    put_core(w, core);
    wfi_pf_event_end(w);
}

static void mark_record(struct wf_writer *w, const struct wf_record *r) {
    struct wfi_strbuf *words = &wfi_pf(w)->words;
    bool user = r->row == &wf_user_row, whole = wfi_is_whole(r);
    struct wfi_pf_event e = {.category = user ? WFI_PF_CAT_user : WFI_PF_CAT_record};
    e.track = user ? wfi_pf_track(w, WFI_PF_APPLICATION) : 0;
    if (!user && whole) e.track = track_of(w, r);
    if (user)
        e.name = wfi_pf_name(w, WFI_PF_USER, r->id, 0);
    else if (whole)
        e.name = wfi_pf_literal(w, r->row->name);
    if (!user && !whole) {
        e.track = wfi_pf_track(w, WFI_PF_INCONSISTENT);
        e.name = wfi_pf_literal(w, "odd record");
        e.category = WFI_PF_CAT_odd;
    }
    words->end = words->buf;
    if (whole)
        wfi_put_words(w, r, words);
    else
        wfi_put_odd(r, words);
    mark_words(w, r->tick, &e, r->core, words);
}

// The message itself is the name.
static void take_log(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_strbuf *words = &wfi_pf(w)->words;
    struct wfi_pf_event e = {.type = WFI_PF_INSTANT,
                             .track = wfi_pf_track(w, WFI_PF_MESSAGES),
                             .category = WFI_PF_CAT_log};
    words->end = words->buf;
    wfi_put_log(w->s, c->record, words);
    wfi_pf_event(w, wfi_pf_ns(w, c->tick), &e);
    wfi_pf_text(w, WFI_PF_EVENT_NAME_TEXT, words->buf, (size_t)(words->end - words->buf));
    put_core(w, c->core);
    wfi_pf_event_end(w);
}

static void take_odd(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf_event e = {.type = WFI_PF_INSTANT,
                             .track = wfi_pf_track(w, WFI_PF_INCONSISTENT),
                             .name = wfi_pf_literal(w, c->why),
                             .category = WFI_PF_CAT_odd};
    const char *task = c->task ? wf_task_name(w->model, c->task) : NULL;
    wfi_pf_event(w, wfi_pf_ns(w, c->tick), &e);
    if (task) wfi_pf_arg_text(w, WFI_PF_ARG_task, task, strlen(task));
    if (c->object) {
        const char *object = wf_object_name(w->model, c->object);
        wfi_pf_arg_text(w, WFI_PF_ARG_object, object, strlen(object));
    }
    put_core(w, c->core);
    wfi_pf_event_end(w);
}

// An event of QNX: its name is class and number.
static void mark_event(struct wf_writer *w, const struct wf_slot_event *event) {
    struct wfi_strbuf *words = &wfi_pf(w)->words;
    unsigned core = event->core < WF_MODEL_CORES ? event->core : 0;
    struct wfi_pf_event e = {.track = wfi_pf_core_track(w, core, WFI_PF_CORE_RECORDS),
                             .category = WFI_PF_CAT_event};
    words->end = words->buf;
    wfi_put_event(w, event, "%Z %z\t", words);
    size_t len = (size_t)(words->end - words->buf);
    const char *tab = memchr(words->buf, '\t', len);
    size_t name = tab ? (size_t)(tab - words->buf) : len, rest = tab ? len - name - 1 : 0;
    e.name = wfi_pf_event_name(w, (uint64_t)event->cls << 16 | event->event, words->buf, name);
    memmove(words->buf, words->buf + len - rest, rest);
    words->end = words->buf + rest;
    mark_words(w, event->tick, &e, event->core, words);
}

// ---- the writer

static void draw_change(struct wf_writer *w, const struct wf_change *c) {
    switch (c->kind) {
    case WF_CHANGE_TASK:
    case WF_CHANGE_WAKE:
    case WF_CHANGE_CREATE: wfi_pf_take_task(w, c); break;
    case WF_CHANGE_PRIORITY: // cut: a hole makes it unknown
        if (!c->cut) wfi_pf_take_task(w, c);
        break;
    case WF_CHANGE_IRQ_BEGIN:
    case WF_CHANGE_IRQ_END: wfi_pf_take_irq(w, c); break;
    case WF_CHANGE_SPAN:
    case WF_CHANGE_SPAN_END: wfi_pf_take_span(w, c); break;
    case WF_CHANGE_COUNTER:
        wfi_pf_count(w, c->tick, wfi_pf_counter_track(w, c->text), c->value);
        break;
    case WF_CHANGE_LOG: take_log(w, c); break;
    case WF_CHANGE_LOSS: take_loss(w, c); break;
    case WF_CHANGE_INCONSISTENT:
    case WF_CHANGE_UNPAIRED: take_odd(w, c); break;
    default: wfi_pf_take_object(w, c);
    }
}

// Detects that names may have changed: there are more, or one was received again.
static void set_now(struct wf_writer *w) {
    struct wfi_pf *g = wfi_pf(w);
    const struct wfi_names *n = &w->s->names;
    size_t names = n->objects.count + n->functions.count + n->users.count + n->stamp;
    g->epoch = (uint32_t)names * 2654435761u + g->renamed; // one may grow while another shrinks
    if (g->now_tick == wf_model_tick(w->model)) return;
    g->now_tick = wf_model_tick(w->model);
    g->now_ns = wf_scale_ns(&w->scale, g->now_tick);
}

// The model does not change between the changes of an item and the item itself.
static void see_model(struct wf_writer *w) {
    if (!w->fresh) return;
    w->fresh = false;
    set_now(w);
    wfi_pf_watch_cores(w);
}

static void take_change(struct wf_writer *w, const struct wf_change *c) {
    struct wfi_pf *g = wfi_pf(w);
    see_model(w);
    draw_change(w, c);
    g->drawn |= wf_change_covers(c);
    w->failed |= g->failed;
}

static void take_name(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind != WF_ITEM_RECORD || !item->record.row) return;
    bool info = item->record.row->effect == WF_EFFECT_TARGET_INFO;
    if (item->record.row->group != WF_GROUP_DICT && !info) return;
    ++wfi_pf(w)->renamed;
    set_now(w);
}

static void take_record(struct wf_writer *w, const struct wf_record *r) {
    bool name = r->row && r->row->group == WF_GROUP_DICT;
    bool sync = r->row && r->row->effect == WF_EFFECT_SYNC;
    bool quiet = wfi_is_whole(r) && (name || sync || wf_text_trace_is_style(w->s, r->id));
    if (!quiet && !wfi_pf(w)->drawn) mark_record(w, r);
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    struct wfi_pf *g = wfi_pf(w);
    take_name(w, item);
    see_model(w);
    if (item->kind == WF_ITEM_RECORD) {
        take_record(w, &item->record);
    } else if (item->kind == WF_ITEM_EVENT) {
        mark_event(w, item->event);
    } else if (item->kind == WF_ITEM_LOSS) {
        bool hole = item->loss.kind != WF_LOSS_LATE && item->loss.kind != WF_LOSS_REPEATED;
        if (hole)
            note_loss(w, &item->loss);
        else
            mark_loss(w, &item->loss);
    }
    g->drawn = false;
    w->failed |= g->failed;
}

// Draws the running tasks and the current states at the start of the window.
static void begin_window(struct wf_writer *w, uint64_t tick) {
    (void)tick;
    const bool *shown = w->scope.group;
    uint64_t from = w->scope.from, ns = wfi_pf_ns(w, from);
    bool tasks = shown[WF_GROUP_TASK] || shown[WF_GROUP_SC];
    for (unsigned i = 0; tasks && i < wf_model_tasks(w->model); ++i) {
        const struct wf_task *t = wf_model_task(w->model, i);
        struct wfi_pf_task *own = wfi_pf_task(w, t);
        if (!own || t->state == WF_TASK_UNKNOWN || t->state == WF_TASK_ENDED) continue;
        own->on = t->state == WF_TASK_BLOCKED ? t->waits : NULL;
        wfi_pf_sched_task(w, t, t->state, t->core, ns);
    }
    wfi_pf_watch_cores(w);
    wfi_pf_nests_begin(w, from);
}

static int open_perfetto(struct wf_writer *w) {
    struct wfi_pf *g = calloc(1, sizeof *g);
    if (!g) return WF_ERR_NOMEM;
    w->own = g;
    bool good = wfi_strbuf_open(&g->words, &w->failed) && wfi_pf_names_open(g) &&
                wfi_sentences_open(&w->sentences, WFI_STYLE_WALLFLY);
    if (!good) return WF_ERR_NOMEM;
    wfi_pf_header(w);
    return WF_OK;
}

static void end_perfetto(struct wf_writer *w) {
    set_now(w);
    wfi_pf_watch_cores(w);
    wfi_pf_sched_end(w);
    wfi_pf_names_late(w);
    w->failed |= wfi_pf(w)->failed;
}

static void close_perfetto(struct wf_writer *w) {
    struct wfi_pf *g = w->own;
    if (!g) return;
    wfi_strbuf_close(&g->words);
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) wfi_strbuf_close(&g->losses[i].words);
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        if (g->cores[i]) free(g->cores[i]->irq_tracks);
        free(g->cores[i]);
    }
    free(g->names);
    free(g->tasks);
    free(g->objects);
    free(g);
}

const struct wfi_ops wfi_perfetto_ops = {.open = open_perfetto,
                                         .begin = begin_window,
                                         .change = take_change,
                                         .item = take_item,
                                         .end = end_perfetto,
                                         .close = close_perfetto};
