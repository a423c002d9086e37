// SPDX-License-Identifier: MIT
// Reads the trace once for the history of an object. An event is written at its begin; waits and
// holds that have not ended are remembered, and their ends are written later.

#include <stdlib.h>
#include <string.h>

#include "object_history.h"
#include "wallfly_host/wf_model.h"
#include "wallfly_host/wf_rows.h"

struct pending {
    uint64_t index;
    uint32_t task;
    uint8_t kind;
};

struct reading {
    const struct page_query_context *a;
    struct history *h;
    struct wf_model *model;
    struct pending *pending; // waits and holds
    size_t count, cap;
    uint64_t number; // of the current record
    bool ended_wait; // a wait for the object ended in this item
    bool holds;      // a task holds it since this item, or is known to
    bool any_life;   // the reading does not begin at the trace's begin
    int err;
};

static bool is_object(const struct reading *r, const struct wf_object *o) {
    return o && o->key == r->h->key && (r->any_life || o->life == r->h->life);
}

static uint32_t task_index(const struct wf_task *task) { return task ? task->index : NO_TASK; }

static void count_task(struct reading *r, uint32_t task) {
    struct history *h = r->h;
    if (task == NO_TASK) return;
    if (task >= h->task_count) {
        uint32_t count = task + 64;
        struct history_task *more = realloc(h->tasks, count * sizeof *more);
        if (!more) {
            r->err = WF_ERR_NOMEM;
            return;
        }
        memset(more + h->task_count, 0, (count - h->task_count) * sizeof *more);
        h->tasks = more;
        h->task_count = count;
    }
    ++h->tasks[task].events;
}

static void add_pending(struct reading *r, const struct event *e) {
    if (r->count == r->cap) {
        size_t cap = 2 * r->cap + 16;
        struct pending *more = realloc(r->pending, cap * sizeof *more);
        if (!more) {
            r->err = WF_ERR_NOMEM;
            return;
        }
        r->pending = more;
        r->cap = cap;
    }
    r->pending[r->count++] = (struct pending){r->h->events.count - 1, e->task, e->kind};
}

static void note_end(struct history *h, const struct event *e, uint64_t index) {
    const uint64_t ticks = e->end - e->tick;
    const bool whole = e->how != END_OPEN && e->how != END_CUT && !(e->flags & EVENT_BEGIN_UNKNOWN);
    if (e->kind == EVENT_WAIT) {
        ++h->ends[e->how];
        if (e->how == END_TIMEOUT && (h->first_timeout == UINT64_MAX || index < h->first_timeout))
            h->first_timeout = index;
        if (whole && (h->longest_wait == UINT64_MAX || ticks > h->wait_ticks)) {
            h->longest_wait = index;
            h->wait_ticks = ticks;
        }
    }
    if (e->kind == EVENT_TAKE && whole &&
        (h->longest_hold == UINT64_MAX || ticks > h->hold_ticks)) {
        h->longest_hold = index;
        h->hold_ticks = ticks;
    }
}

static void add_event(struct reading *r, const struct event *e, bool ends_later) {
    struct history *h = r->h;
    if (r->err != WF_OK) return;
    ++h->kinds[e->kind];
    if (h->events.count == OBJECT_EVENTS) {
        ++h->left;
        return;
    }
    if (!event_file_add(&h->events, e)) r->err = WF_ERR_WRITE;
    count_task(r, e->task);
    if (ends_later) add_pending(r, e);
    if (!ends_later && e->kind == EVENT_WAIT) note_end(h, e, h->events.count - 1);
}

static void end_event(struct reading *r, size_t i, uint64_t tick, enum event_end how) {
    const uint64_t index = r->pending[i].index;
    struct event e;
    r->pending[i] = r->pending[--r->count];
    if (!event_file_get(&r->h->events, index, &e)) {
        r->err = WF_ERR_READ;
        return;
    }
    e.end = tick;
    e.how = (uint8_t)how;
    if (!event_file_set(&r->h->events, index, &e)) r->err = WF_ERR_WRITE;
    note_end(r->h, &e, index);
}

static void end_pending(struct reading *r, const struct wf_change *c, enum event_kind kind,
                        enum event_end how) {
    const uint32_t task = task_index(c->task);
    for (size_t i = r->count; i-- > 0;) {
        if (r->pending[i].kind != kind || r->pending[i].task != task) continue;
        end_event(r, i, c->tick, how);
        return;
    }
}

static enum wf_effect effect_of(const struct wf_record *record) {
    return record && record->row ? (enum wf_effect)record->row->effect : WF_EFFECT_END;
}

static enum event_end wait_end(const struct wf_change *c) {
    enum wf_effect effect = effect_of(c->record);
    if (c->cut) return END_CUT;
    if (c->got) return END_GOT;
    if (effect == WF_EFFECT_TIMEOUT) return END_TIMEOUT;
    return effect == WF_EFFECT_REFUSED || effect == WF_EFFECT_GIVE_REFUSED ? END_REFUSED
                                                                           : END_GAVE_UP;
}

static struct event event_of(const struct reading *r, const struct wf_change *c,
                             enum event_kind kind) {
    return (struct event){.tick = c->tick,
                          .record = r->number,
                          .task = task_index(c->task),
                          .holder = NO_TASK,
                          .kind = (uint8_t)kind};
}

// Of which the model reports no change.
static struct event event_of_record(const struct reading *r, const struct wf_record *record,
                                    enum event_kind kind) {
    const int actor = wf_row_place(record->row, WF_KIND_ACTOR);
    const struct wf_task *task =
        actor < 0 ? NULL : wf_model_find_task(r->model, record->value[actor]);
    return (struct event){.tick = record->tick,
                          .end = record->tick,
                          .record = r->number,
                          .task = task_index(task),
                          .holder = NO_TASK,
                          .kind = (uint8_t)kind};
}

// The model's state is that after the record, in which the holder may already be the next one.
static void add_wait(struct reading *r, const struct wf_change *c) {
    struct event e = event_of(r, c, EVENT_WAIT);
    if (c->object->holder_known && c->object->holder != c->task)
        e.holder = task_index(c->object->holder);
    add_event(r, &e, true);
}

static void add_hold(struct reading *r, const struct wf_change *c) {
    struct event e = event_of(r, c, EVENT_TAKE);
    e.flags = (uint8_t)(EVENT_HOLDS | (c->from_known ? 0 : EVENT_BEGIN_UNKNOWN));
    add_event(r, &e, true);
}

static void add_count(struct reading *r, const struct wf_change *c, enum event_kind kind) {
    struct event e = event_of(r, c, kind);
    e.level = c->value;
    if (c->kind == WF_CHANGE_TAKE || c->kind == WF_CHANGE_GIVE)
        e.flags = c->object->kind == WF_OBJECT_EVENTS ? 0 : EVENT_LEVEL;
    add_event(r, &e, false);
}

static void end_hold(struct reading *r, const struct wf_change *c) {
    end_pending(r, c, EVENT_TAKE, c->cut ? END_CUT : END_GOT);
    const struct event e = event_of(r, c, EVENT_GIVE);
    if (!c->cut) add_event(r, &e, false);
}

static void take_change(struct reading *r, const struct wf_change *c) {
    if (c->kind == WF_CHANGE_LOSS) {
        const struct event e = {.tick = c->tick,
                                .task = NO_TASK,
                                .holder = NO_TASK,
                                .record = r->number,
                                .kind = EVENT_LOSS};
        add_event(r, &e, false);
        return;
    }
    if (!is_object(r, c->object)) return;
    switch (c->kind) {
    case WF_CHANGE_WAIT: add_wait(r, c); break;
    case WF_CHANGE_WAIT_END:
        r->ended_wait = true;
        end_pending(r, c, EVENT_WAIT, wait_end(c));
        break;
    case WF_CHANGE_HOLD:
        r->holds = true;
        add_hold(r, c);
        break;
    case WF_CHANGE_HOLD_END: end_hold(r, c); break;
    case WF_CHANGE_TAKE:
    case WF_CHANGE_GET: add_count(r, c, EVENT_TAKE); break;
    case WF_CHANGE_GIVE: add_count(r, c, EVENT_GIVE); break;
    case WF_CHANGE_POST: add_count(r, c, c->got ? EVENT_GIVE : EVENT_REFUSED); break;
    case WF_CHANGE_REFUSED: add_count(r, c, EVENT_REFUSED); break;
    default: break;
    }
}

// The end of a wait that began before the trace or in a hole: the model reports no change.
static void add_lone_timeout(struct reading *r, const struct wf_item *item) {
    const struct wf_record *record = &item->record;
    if (item->kind != WF_ITEM_RECORD || effect_of(record) != WF_EFFECT_TIMEOUT || r->ended_wait)
        return;
    int object = wf_row_place(record->row, WF_KIND_OBJECT);
    if (object < 0 || !is_object(r, wf_model_find_object(r->model, record->value[object]))) return;
    struct event e = event_of_record(r, record, EVENT_WAIT);
    e.how = END_TIMEOUT;
    e.flags = EVENT_BEGIN_UNKNOWN;
    add_event(r, &e, false);
}

// Takes and gives of a mutex that its holder has taken several times: the model reports the first
// take and the last give.
static void add_nested(struct reading *r, const struct wf_item *item) {
    const struct wf_record *record = &item->record;
    if (item->kind != WF_ITEM_RECORD || !record->row) return;
    const bool takes = record->row->effect == WF_EFFECT_TAKE;
    const int depth = wf_row_place(record->row, WF_KIND_NESTING);
    const int object = wf_row_place(record->row, WF_KIND_OBJECT);
    if ((!takes && record->row->effect != WF_EFFECT_GIVE) || depth < 0 || object < 0) return;
    const uint64_t nested = record->value[depth];
    if (nested < (takes ? 2 : 1) || (takes && r->holds)) return;
    const struct wf_object *of = wf_model_find_object(r->model, record->value[object]);
    if (!is_object(r, of) || of->kind != WF_OBJECT_MUTEX) return;
    struct event e = event_of_record(r, record, takes ? EVENT_TAKE : EVENT_GIVE);
    e.level = (int64_t)nested;
    e.flags = EVENT_LEVEL;
    add_event(r, &e, false);
}

static void take_changes(struct reading *r) {
    size_t count;
    const struct wf_change *changes = wf_model_changes(r->model, &count);
    for (size_t i = 0; i < count; ++i) take_change(r, &changes[i]);
    if (r->err == WF_OK) r->err = wf_model_error(r->model);
}

static bool take_item(void *ctx, struct wf_session *s, const struct wf_item *item,
                      uint64_t number) {
    struct reading *r = ctx;
    if (!r->model) r->model = wf_model_open(s);
    if (!r->model) r->err = WF_ERR_NOMEM;
    if (!r->model) return false;
    r->number = number;
    r->ended_wait = r->holds = false;
    wf_model_take(r->model, item);
    take_changes(r);
    add_lone_timeout(r, item);
    add_nested(r, item);
    return r->err == WF_OK;
}

// Keeps the names of the tasks that have events. Waits that have not ended stay open: the trace
// may go on.
static void end_items(void *ctx) {
    struct reading *r = ctx;
    struct history *h = r->h;
    for (uint32_t i = 0; r->model && i < h->task_count; ++i) {
        if (i >= wf_model_tasks(r->model)) continue;
        h->tasks[i].name = strdup(wf_task_name(r->model, wf_model_task(r->model, i)));
        if (!h->tasks[i].name) r->err = WF_ERR_NOMEM;
    }
    if (r->model) wf_model_close(r->model);
    r->model = NULL;
}

int history_read(struct history *h, const struct page_query_context *a, struct wf_error *error) {
    const uint64_t gone = replay_gone(a->replay);
    struct reading r = {.a = a, .h = h, .any_life = gone > 0};
    const struct replay_reading on = {
        .ctx = &r, .item = take_item, .end = end_items, .progress = a->progress};
    h->read = replay_rows(a->replay);
    h->longest_wait = h->longest_hold = h->first_timeout = UINT64_MAX;
    int err = replay_run(a->replay, gone ? gone + 1 : REPLAY_ALL, &on, error);
    for (size_t i = 0; i < r.count; ++i) h->ends[END_OPEN] += r.pending[i].kind == EVENT_WAIT;
    free(r.pending);
    return err == WF_OK && r.err != WF_OK ? wf_error_code(error, r.err) : err;
}
