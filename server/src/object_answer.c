// SPDX-License-Identifier: MIT
// The query for the history of an object: finds or makes the history, applies the filter, writes
// the requested rows.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "object_history.h"
#include "wallfly_server/json.h"

enum { PROGRESS_EVERY = 65536 };

struct object_histories {
    struct history all[OBJECT_HISTORIES];
    uint64_t turn;
};

static const char *const kind_names[EVENT_KINDS] = {"take", "give", "wait", "refused", "loss"};
static const char *const end_names[EVENT_ENDS] = {"open",    "got",     "timed out",
                                                  "refused", "gave up", "cut"};

struct object_histories *object_histories_open(void) {
    return calloc(1, sizeof(struct object_histories));
}

static void drop(struct history *h) {
    if (!h->used) return;
    for (uint32_t i = 0; i < h->task_count; ++i) free(h->tasks[i].name);
    free(h->tasks);
    event_file_close(&h->events);
    event_file_close(&h->shown);
    *h = (struct history){.used = false};
}

void object_histories_close(struct object_histories *h) {
    for (unsigned i = 0; h && i < OBJECT_HISTORIES; ++i) drop(&h->all[i]);
    free(h);
}

// ---- the history

// Returns that of the object, or the one that was not used for the longest time.
static struct history *find_history(struct object_histories *all, uint32_t entity) {
    struct history *oldest = &all->all[0];
    for (unsigned i = 0; i < OBJECT_HISTORIES; ++i) {
        struct history *h = &all->all[i];
        if (h->used && h->entity == entity) return h;
        if (!h->used || (oldest->used && h->turn < oldest->turn)) oldest = h;
    }
    return oldest;
}

// Sets key and life of the object. Returns false if it is none.
static bool find_object(struct wf_timeline *t, uint32_t entity, struct history *h) {
    struct wf_entity e, other;
    wf_timeline_entity(t, entity, &e);
    if (e.kind != WF_ENTITY_OBJECT) return false;
    h->key = e.key;
    for (uint32_t i = WF_ENTITY_FIRST; i < entity; ++i) {
        wf_timeline_entity(t, i, &other);
        h->life += other.kind == WF_ENTITY_OBJECT && other.key == h->key;
    }
    return true;
}

static int make_history(struct history *h, const struct page_query_context *a, uint32_t entity,
                        struct wf_error *error) {
    drop(h);
    *h = (struct history){.used = true, .entity = entity, .task = -1};
    h->events.fd = h->shown.fd = -1;
    int err = WF_OK;
    if (!find_object(a->timeline, entity, h))
        err = wf_error_set(error, WF_ERR_USAGE, "'thing' %" PRIu32 " is no object", entity);
    else if (!event_file_open(&h->events, sizeof(struct event), error) ||
             !event_file_open(&h->shown, sizeof(uint32_t), error))
        err = error->code;
    if (err == WF_OK) err = history_read(h, a, error);
    if (err != WF_OK) drop(h);
    return err;
}

// ---- the filter

static bool is_shown(const struct event *e, const char *only, int64_t task) {
    if (task >= 0 && e->task != (uint64_t)task) return e->kind == EVENT_LOSS;
    if (strcmp(only, "waits") == 0) return e->kind == EVENT_WAIT || e->kind == EVENT_LOSS;
    if (strcmp(only, "time-outs") == 0) return e->kind == EVENT_WAIT && e->how == END_TIMEOUT;
    if (strcmp(only, "failed") == 0)
        return e->kind == EVENT_REFUSED ||
               (e->kind == EVENT_WAIT && e->how > END_GOT && e->how < END_CUT);
    return true;
}

static int apply_filter(struct history *h, const struct page_query_context *a, const char *only,
                        int64_t task, struct wf_error *error) {
    struct event e;
    if (strcmp(h->only, only) == 0 && h->task == task) return WF_OK;
    h->shown.count = h->shown.written = 0;
    h->filtered = *only || task >= 0;
    *h->only = 0;
    h->task = -2; // no filter until it is complete
    for (uint64_t i = 0; h->filtered && i < h->events.count; ++i) {
        const uint32_t index = (uint32_t)i;
        if (!event_file_get(&h->events, i, &e)) return wf_error_code(error, WF_ERR_READ);
        if (is_shown(&e, only, task) && !event_file_add(&h->shown, &index))
            return wf_error_code(error, WF_ERR_WRITE);
        if (i % PROGRESS_EVERY == 0 && !replay_report(&a->progress, i, h->events.count))
            return WF_ERR_STOPPED;
    }
    snprintf(h->only, sizeof h->only, "%s", only);
    h->task = task;
    return WF_OK;
}

static uint64_t shown_count(const struct history *h) {
    return h->filtered ? h->shown.count : h->events.count;
}

// Reads a shown event; sets its index among all.
static bool get_shown(const struct history *h, uint64_t place, uint32_t *index, struct event *e) {
    *index = (uint32_t)place;
    if (h->filtered && !event_file_get(&h->shown, place, index)) return false;
    return event_file_get(&h->events, *index, e);
}

// Returns the place of the first shown event at or after the tick.
static uint64_t place_of(const struct history *h, uint64_t tick) {
    uint64_t low = 0, high = shown_count(h);
    struct event e;
    uint32_t index;
    while (low < high) {
        uint64_t mid = low + (high - low) / 2;
        if (get_shown(h, mid, &index, &e) && e.tick < tick)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// ---- the answer

static void put_task(const struct history *h, uint32_t task, FILE *out) {
    if (task < h->task_count && h->tasks[task].name)
        json_text(out, h->tasks[task].name);
    else
        fputs("null", out);
}

static void put_event(const struct page_query_context *a, const struct history *h, uint32_t index,
                      const struct event *e, FILE *out) {
    const bool ends = e->kind == EVENT_WAIT || (e->flags & EVENT_HOLDS);
    fprintf(out, "[%" PRIu32 ",\"%s\",%.0f,", index, kind_names[e->kind],
            page_query_time(a, e->tick));
    if (ends && e->how != END_OPEN)
        fprintf(out, "%.0f,", page_query_time(a, e->end));
    else
        fputs("null,", out);
    put_task(h, e->task, out);
    fprintf(out, ",\"%s\",", ends ? end_names[e->how] : "");
    put_task(h, e->holder, out);
    if (e->flags & EVENT_LEVEL)
        fprintf(out, ",%" PRId64, e->level);
    else
        fputs(",null", out);
    fprintf(out, ",%" PRIu64 ",%u]", e->record, e->flags & EVENT_BEGIN_UNKNOWN);
}

static bool put_named(const struct page_query_context *a, const struct history *h, const char *name,
                      uint64_t index, FILE *out) {
    struct event e;
    fprintf(out, ",\"%s\":", name);
    if (index == UINT64_MAX) {
        fputs("null", out);
        return true;
    }
    if (!event_file_get(&h->events, index, &e)) return false;
    put_event(a, h, (uint32_t)index, &e, out);
    return true;
}

static bool put_summary(const struct page_query_context *a, const struct history *h, FILE *out) {
    fprintf(out, "\"read\":%" PRIu64 ",\"left\":%" PRIu64 ",\"all\":%" PRIu64, h->read, h->left,
            h->events.count);
    for (unsigned i = 0; i < EVENT_KINDS; ++i)
        fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : ",\"kinds\":{", kind_names[i], h->kinds[i]);
    for (unsigned i = 0; i < EVENT_ENDS; ++i)
        fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "},\"ends\":{", end_names[i], h->ends[i]);
    fputs("},\"tasks\":[", out);
    const char *comma = "";
    for (uint32_t i = 0; i < h->task_count; ++i) {
        if (!h->tasks[i].events) continue;
        fprintf(out, "%s[%" PRIu32 ",", comma, i);
        put_task(h, i, out);
        fprintf(out, ",%" PRIu64 "]", h->tasks[i].events);
        comma = ",";
    }
    putc(']', out);
    return put_named(a, h, "timeout", h->first_timeout, out) &&
           put_named(a, h, "wait", h->longest_wait, out) &&
           put_named(a, h, "hold", h->longest_hold, out);
}

static int put_rows(const struct page_query_context *a, const struct history *h, uint64_t first,
                    uint64_t most, FILE *out) {
    const uint64_t count = shown_count(h);
    struct event e;
    uint32_t index;
    fprintf(out, ",\"count\":%" PRIu64 ",\"first\":%" PRIu64 ",\"rows\":[", count, first);
    for (uint64_t i = first; i < count && i - first < most; ++i) {
        if (!get_shown(h, i, &index, &e)) return WF_ERR_READ;
        if (i > first) putc(',', out);
        put_event(a, h, index, &e, out);
    }
    putc(']', out);
    return WF_OK;
}

int page_query_object(const struct page_query_context *a, const cJSON *ask, FILE *out,
                      struct wf_error *error) {
    static const char *const filters[] = {"", "waits", "time-outs", "failed"};
    const cJSON *only = cJSON_GetObjectItemCaseSensitive(ask, "only");
    const char *filter = NULL;
    const int64_t far = INT64_C(1) << 53;
    int64_t thing, task, first = 0, most, at = 0;
    const bool by_time = cJSON_GetObjectItemCaseSensitive(ask, "at") != NULL;
    if (!page_query_number(ask, "thing", WF_ENTITY_FIRST,
                           (int64_t)wf_timeline_entities(a->timeline) - 1, &thing, error) ||
        !page_query_number(ask, "task", -1, UINT32_MAX - 1, &task, error) ||
        !page_query_number(ask, "most", 0, OBJECT_ROWS, &most, error) ||
        !page_query_number(ask, by_time ? "at" : "first", by_time ? -far : 0, far,
                           by_time ? &at : &first, error))
        return WF_ERR_USAGE;
    for (unsigned i = 0; cJSON_IsString(only) && i < sizeof filters / sizeof *filters; ++i) {
        if (strcmp(only->valuestring, filters[i]) == 0) filter = filters[i];
    }
    if (!filter) return wf_error_set(error, WF_ERR_USAGE, "'only' is no filter");
    struct history *h = find_history(a->histories, (uint32_t)thing);
    const cJSON *fresh = cJSON_GetObjectItemCaseSensitive(ask, "fresh");
    int err = WF_OK;
    if (!h->used || h->entity != (uint32_t)thing ||
        (cJSON_IsTrue(fresh) && h->read < replay_rows(a->replay)))
        err = make_history(h, a, (uint32_t)thing, error);
    if (err == WF_OK) err = apply_filter(h, a, filter, task, error);
    if (err != WF_OK) return err;
    h->turn = ++a->histories->turn;
    if (by_time) first = (int64_t)place_of(h, page_query_tick(a, at));
    if (!put_summary(a, h, out)) err = WF_ERR_READ;
    if (err == WF_OK) err = put_rows(a, h, (uint64_t)first, (uint64_t)most, out);
    return err == WF_OK ? err : wf_error_code(error, err);
}
