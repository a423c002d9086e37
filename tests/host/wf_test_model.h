// SPDX-License-Identifier: MIT
// Shared by the tests of the model: records by name, as frames or slots, and the model's changes as
// text, one on each line.
#ifndef WF_TEST_MODEL_H
#define WF_TEST_MODEL_H

#include <inttypes.h>
#include <stdarg.h>

#include "wf_test.h"
#include "wallfly_host/wf_model.h"
#include "wallfly_host/wf_slot_record.h"

enum { A = 0xA0, B = 0xB0, C = 0xC0 };                                         // tasks
enum { LEFT, PREEMPTED, YIELDED, SLICED, BLOCKED, DELAYED, SUSPENDED, ENDED }; // reasons

struct bench {
    struct wf_session *s;
    struct wf_model *m;
    struct stream stream;
    struct text text;
    uint64_t clock; // of the next record
    bool quiet;     // no text of changes
};

static inline struct bench *open_bench(void) {
    struct bench *b = calloc(1, sizeof *b);
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    b->s = wf_session_open(&options, NULL);
    b->m = wf_model_open(b->s);
    assert_non_null(b->m);
    b->clock = 1;
    b->text.bytes = calloc(1, 1);
    return b;
}

static inline void close_bench(struct bench *b) {
    assert_int_equal(wf_model_error(b->m), WF_OK);
    wf_model_close(b->m);
    wf_session_close(b->s);
    free(b->text.bytes);
    free(b);
}

static inline const struct wf_row *row_called(const char *name) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (strcmp(wf_rows[i].name, name) == 0) return &wf_rows[i];
    }
    fail_msg("no record %s", name);
    return NULL;
}

// The payload of a record: values for all fields but the time and the selector. Returns its length.
static inline size_t pack(uint8_t *to, const struct wf_row *row, uint64_t time,
                          const uint64_t *values) {
    size_t n = 0;
    for (unsigned f = 0; f < row->count; ++f) {
        const struct wf_field *field = &row->fields[f];
        uint64_t v = field->type == WF_TYPE_TIME    ? time
                     : field->type == WF_TYPE_WHICH ? (uint64_t)row->select
                                                    : *values++;
        unsigned bytes = wf_types[field->type].bytes;
        if (field->type == WF_TYPE_CORE || field->type == WF_TYPE_WHICH) bytes = 1;
        for (unsigned i = 0; i < bytes; ++i) to[n++] = (uint8_t)(v >> 8 * i);
    }
    return n;
}

static inline void put_record(struct bench *b, const char *name, const uint64_t *values) {
    uint8_t payload[64];
    const struct wf_row *row = row_called(name);
    put_frame(&b->stream, row->id, payload, pack(payload, row, b->clock++, values));
}
#define PUT(b, name, ...) put_record((b), name, (uint64_t[]){__VA_ARGS__})

// A runs on core 0; B is there and ready.
static inline void put_two_tasks(struct bench *b) {
    PUT(b, "task_create", A, 1);
    put_name(&b->stream, A, "a");
    PUT(b, "task_create", B, 2);
    put_name(&b->stream, B, "b");
    PUT(b, "task_ready", A, 0);
    PUT(b, "task_ready", B, 0);
    PUT(b, "task_switch", A, LEFT, 0);
}

// Reads the header of a slot trace.
static inline void take_header(struct bench *b, const char *header) {
    struct wf_slots_item from;
    struct wf_item item;
    struct wf_slots *slots = wf_slots_open(NULL, NULL);
    wf_slots_feed(slots, header, strlen(header));
    wf_slots_end(slots);
    while (wf_slots_next(slots, &from)) (void)wf_session_take_slot(b->s, slots, &from, &item);
    wf_slots_close(slots);
    assert_true(wf_session_target(b->s)->cores > 0);
}

// The next event of a slot trace.
static inline struct wf_slot_event slot_event(struct bench *b, unsigned core, unsigned cls,
                                              unsigned event, const uint32_t *words,
                                              unsigned count) {
    uint64_t tick = b->clock++;
    return (struct wf_slot_event){.core = (uint8_t)core,
                                  .cls = (uint8_t)cls,
                                  .event = (uint16_t)event,
                                  .timed = true,
                                  .tick = tick,
                                  .offset = 16 * b->clock,
                                  .words = words,
                                  .bytes = (const uint8_t *)words,
                                  .count = count,
                                  .len = 4 * count};
}

__attribute__((format(printf, 2, 3))) static inline void add(struct text *t, const char *format,
                                                             ...) {
    char line[256];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    keep_text(t, line, (size_t)n);
}

static inline const char *task_text(const struct bench *b, const struct wf_task *t) {
    return t ? wf_task_name(b->m, t) : "-";
}

static inline void add_change(struct bench *b, const struct wf_change *c) {
    static const char *const names[WF_CHANGES] = {
        "task",   "create",   "priority", "irq",      "irq-end", "wait",  "wait-end",
        "hold",   "hold-end", "take",     "give",     "refused", "count", "wake",
        "object", "span",     "span-end", "counter",  "log",     "alarm", "set",
        "memory", "state",    "step",     "step-end", "post",    "get",   "free",
        "loss",   "odd",      "unpaired", "holder",   "low",     "used"};
    if (c->kind == WF_CHANGE_HOLDER) return; // part of the state
    if (c->kind == WF_CHANGE_PRIORITY && c->cut) return;
    struct text *t = &b->text;
    add(t, "%" PRIu64 " %s", c->tick, names[c->kind]);
    if (c->kind == WF_CHANGE_LOSS && c->core) add(t, " c%u", c->core);
    if (c->kind == WF_CHANGE_LOSS) add(t, " from %" PRIu64, c->from);
    if (c->task) add(t, " %s", task_text(b, c->task));
    if (c->object) add(t, " %s", wf_object_name(b->m, c->object));
    switch (c->kind) {
    case WF_CHANGE_TASK:
        add(t, " %s>%s", wf_task_state_names[c->was], wf_task_state_names[c->is]);
        if (c->is_called) add(t, " (%s)", c->is_called);
        if (c->was == WF_TASK_RUNNING) add(t, " c%u %s", c->core, wf_reasons[c->reason].name);
        break;
    case WF_CHANGE_IRQ_BEGIN:
    case WF_CHANGE_IRQ_END: add(t, " c%u %u", c->core, c->irq); break;
    case WF_CHANGE_WAKE: add(t, " by %s", task_text(b, c->by)); break;
    case WF_CHANGE_INCONSISTENT: add(t, ": %s", c->why); break;
    case WF_CHANGE_UNPAIRED:
        add(t, " c%u %u %s", c->core, c->irq, c->got ? "enter" : "exit");
        break;
    case WF_CHANGE_COUNT:
    case WF_CHANGE_OBJECT:
    case WF_CHANGE_WAIT_END:
    case WF_CHANGE_ALARM_SET:
    case WF_CHANGE_USED:
    case WF_CHANGE_MEMORY: add(t, c->got ? " +" : " -"); break;
    default: break;
    }
    if (c->value) add(t, " %" PRId64, c->value);
    if (c->text) add(t, " @%" PRIx64, c->text);
    if (c->from_known && c->kind != WF_CHANGE_LOSS) add(t, " since %" PRIu64, c->from);
    if (c->cut) add(t, " cut");
    add(t, "\n");
}

static inline void take_item(struct bench *b, const struct wf_item *item) {
    struct wf_change c;
    wf_model_take(b->m, item);
    while (wf_model_next(b->m, &c)) {
        if (!b->quiet) add_change(b, &c);
    }
}

// Feeds the model with the records put since the last call.
static inline void run(struct bench *b) {
    struct wf_item item;
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    while (wf_session_next(b->s, &item)) take_item(b, &item);
    b->stream.len = 0;
}

// A bench with the records of put_two_tasks taken; the next one comes at 10.
static inline struct bench *open_two_tasks(void) {
    struct bench *b = open_bench();
    put_two_tasks(b);
    b->quiet = true;
    run(b);
    b->quiet = false;
    b->clock = 10;
    return b;
}

// A loss of this number of records.
static inline void lose_records(struct bench *b, unsigned records) {
    b->stream.seq = (uint8_t)(b->stream.seq + records);
}

// Checks the changes since the last call.
static inline void changes(struct bench *b, const char *want) {
    run(b);
    assert_string_equal(b->text.bytes, want);
    b->text.len = 0;
    b->text.bytes[0] = 0;
}

static inline struct wf_task *task(const struct bench *b, uint64_t key) {
    struct wf_task *last = NULL;
    for (unsigned i = 0; i < wf_model_tasks(b->m); ++i) {
        if (wf_model_task(b->m, i)->key == key) last = wf_model_task(b->m, i);
    }
    assert_non_null(last);
    return last;
}

static inline struct wf_object *object(const struct bench *b, uint64_t key) {
    struct wf_object *last = NULL;
    for (unsigned i = 0; i < wf_model_objects(b->m); ++i) {
        if (wf_model_object(b->m, i)->key == key) last = wf_model_object(b->m, i);
    }
    assert_non_null(last);
    return last;
}

#endif
