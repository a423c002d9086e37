// SPDX-License-Identifier: MIT
// A MAT file from the model: matrices with a column for each record, run, wait and so on. MAT files
// store values column by column, so a column is written at once. The header of a matrix has the
// number of columns, so it is a part of its own, written at the end.

#include <string.h>

#include "util/wfi_keys.h"
#include "wfi_octave.h"

#define ENDS " begin end begin_known end_known"
// clang-format off
// Matrices and the names of their rows. T(table, name, rows, names)
#define TABLES_OF(T) \
    T(RECORDS, records, 4, "time number core group") \
    T(RUNS, runs, 7, "task core" ENDS " reason") \
    T(STATES, states, 6, "task state" ENDS) \
    T(WAITS, waits, 7, "task object" ENDS " got") \
    T(HOLDS, holds, 6, "task object" ENDS) \
    T(IRQS, irqs, 6, "number core" ENDS) \
    T(MACHINES, machines, 6, "object handler" ENDS) \
    T(STEPS, steps, 7, "object signal" ENDS " transition") \
    T(SPANS, spans, 6, "task text" ENDS) \
    T(COUNTERS, counters, 3, "time text value") \
    T(LEVELS, levels, 4, "time object value known") \
    T(MARKS, marks, 5, "time task object free size") \
    T(LOSSES, losses, 5, "time core records bytes exact") \
    T(HOLES, holes, 2, "begin end")
// clang-format on

enum table {
#define T(table, name, rows, names) table,
    TABLES_OF(T)
#undef T
        TABLES
};
enum { ROWS_MAX = 7 };

static const struct {
    const char *name, *names_of_rows;
    unsigned rows;
    const char *names; // separated by blanks
} tables[TABLES] = {
#define T(table, name, rows, names) {#name, #name "_rows", rows, names},
    TABLES_OF(T)
#undef T
};

enum { TEXTS, HANDLERS, SIGNALS, KEYS };

struct octave {
    struct wfi_strbuf data[TABLES];
    uint64_t columns[TABLES];
    bool begun; // origin is set
    uint64_t origin, origin_ns;
    struct wfi_keys keys[KEYS];
    struct wfi_strbuf word;
};

// ---- values

static void set_origin(struct wf_writer *w, uint64_t tick) {
    struct octave *o = w->own;
    if (o->begun) return;
    o->begun = true;
    o->origin = tick;
    o->origin_ns = wf_scale_ns(&w->scale, tick);
}

// Seconds from the origin on; times before it become 0.
static double seconds(const struct wf_writer *w, uint64_t tick) {
    const struct octave *o = w->own;
    uint64_t ns = wf_scale_ns(&w->scale, tick);
    return ns > o->origin_ns ? (double)(ns - o->origin_ns) / 1e9 : 0;
}

static double task_number(const struct wf_task *t) { return t ? t->index + 1.0 : 0; }
static double object_number(const struct wf_object *o) { return o ? o->index + 1.0 : 0; }

static void flush_table(struct wf_writer *w, enum table table, size_t least) {
    struct octave *o = w->own;
    wfi_flush_part(w, 2 * table + 1, tables[table].name, &o->data[table], least);
}

static void put_column(struct wf_writer *w, enum table table, const double *values) {
    struct octave *o = w->own;
    if (++o->columns[table] > INT32_MAX) w->failed = w->refused = true; // no header can hold it
    for (unsigned i = 0; i < tables[table].rows; ++i) wfi_octave_value(&o->data[table], values[i]);
    flush_table(w, table, WFI_STRBUF_CAP / 2);
}

// Puts an interval that ended. more: the last value of tables with 7 rows.
static void put_interval(struct wf_writer *w, enum table table, double what, double where,
                         const struct wf_change *c, double more) {
    const double values[ROWS_MAX] = {
        what, where, seconds(w, c->from), seconds(w, c->tick), c->from_known, !c->cut, more};
    put_column(w, table, values);
}

// The row of a key in text_names, handler_names or signal_names, from 1.
static double key_number(struct wf_writer *w, unsigned keys, uint64_t key, uint64_t with) {
    uint32_t number = wfi_keys_number(&((struct octave *)w->own)->keys[keys], key, with);
    if (!number) w->failed = true;
    return number;
}

static void take_task(struct wf_writer *w, const struct wf_change *c) {
    double task = task_number(c->task);
    if (c->was == WF_TASK_UNKNOWN) return;
    put_interval(w, STATES, task, (double)c->was + 1, c, 0);
    if (c->was == WF_TASK_RUNNING) put_interval(w, RUNS, task, c->core, c, c->reason + 1.0);
}

static void take_change(struct wf_writer *w, const struct wf_change *c) {
    set_origin(w, c->tick);
    double task = task_number(c->task), object = object_number(c->object);
    const double value[] = {seconds(w, c->tick), object, (double)c->value, c->got};
    switch (c->kind) {
    case WF_CHANGE_TASK: take_task(w, c); break;
    case WF_CHANGE_WAIT_END: put_interval(w, WAITS, task, object, c, c->got); break;
    case WF_CHANGE_HOLD_END: put_interval(w, HOLDS, task, object, c, 0); break;
    case WF_CHANGE_IRQ_END: put_interval(w, IRQS, c->irq, c->core, c, 0); break;
    case WF_CHANGE_STATE:
        if (!c->text) break;
        put_interval(w, MACHINES, object, key_number(w, HANDLERS, c->text, 0), c, 0);
        break;
    case WF_CHANGE_STEP_END:
        put_interval(w, STEPS, object, key_number(w, SIGNALS, c->text, c->object->key), c, c->got);
        break;
    case WF_CHANGE_SPAN_END:
        put_interval(w, SPANS, task, key_number(w, TEXTS, c->text, 0), c, 0);
        break;
    case WF_CHANGE_COUNTER:
        put_column(w, COUNTERS,
                   (const double[]){value[0], key_number(w, TEXTS, c->text, 0), value[2]});
        break;
    case WF_CHANGE_COUNT:
    case WF_CHANGE_FREE: put_column(w, LEVELS, value); break;
    case WF_CHANGE_LOW:
        put_column(
            w, MARKS,
            (const double[]){value[0], task, object, value[2], c->task ? c->task->stack_size : 0});
        break;
    case WF_CHANGE_OBJECT:
        if (!c->got) put_column(w, LEVELS, (const double[]){value[0], object, 0, false});
        break;
    case WF_CHANGE_LOSS:
        put_column(w, HOLES, (const double[]){seconds(w, c->from), seconds(w, c->tick)});
        break;
    default: break;
    }
}

// A loss before the first time stamp, or before the window, gets time 0.
static void take_loss(struct wf_writer *w, const struct wf_loss *l) {
    bool begun = ((struct octave *)w->own)->begun;
    const double values[] = {begun ? seconds(w, wf_model_tick(w->model)) : 0, l->core,
                             (double)l->records, (double)l->bytes, l->exact};
    if (l->kind == WF_LOSS_LATE || l->kind == WF_LOSS_REPEATED) return; // nothing is lost
    put_column(w, LOSSES, values);
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    if (item->kind == WF_ITEM_LOSS && !w->ending) take_loss(w, &item->loss);
    if (item->kind != WF_ITEM_RECORD) return;
    if (r->stamped) set_origin(w, r->tick);
    put_column(
        w, RECORDS,
        (const double[]){seconds(w, r->tick), r->id, r->core, r->row ? r->row->group + 1.0 : 0});
}

// ---- the end

static void put_word(struct wf_writer *w, const char *text) {
    wfi_strbuf_bytes(text, strlen(text) + 1, &((struct octave *)w->own)->word);
}

// Writes a matrix of the words since the last one.
static void end_words(struct wf_writer *w, const char *name, uint64_t count) {
    struct wfi_strbuf *word = &((struct octave *)w->own)->word;
    wfi_octave_lines(&w->text, name, word->buf, count);
    wfi_strbuf_clear(word);
}

static void put_task_names(struct wf_writer *w) {
    unsigned tasks = wf_model_tasks(w->model), objects = wf_model_objects(w->model);
    for (unsigned i = 0; i < tasks; ++i)
        put_word(w, wf_task_name(w->model, wf_model_task(w->model, i)));
    end_words(w, "task_names", tasks);
    for (unsigned i = 0; i < objects; ++i)
        put_word(w, wf_object_name(w->model, wf_model_object(w->model, i)));
    end_words(w, "object_names", objects);
    for (unsigned i = 0; i < objects; ++i)
        put_word(w, wf_object_kind_names[wf_model_object(w->model, i)->kind]);
    end_words(w, "object_kinds", objects);
}

static void put_key_names(struct wf_writer *w) {
    static const char *const names[KEYS] = {"text_names", "handler_names", "signal_names"};
    struct octave *o = w->own;
    for (unsigned k = 0; k < KEYS; ++k) {
        for (size_t i = 0; i < o->keys[k].count; ++i) {
            const struct wfi_key *key = &o->keys[k].list[i];
            if (k == TEXTS) wfi_put_constant(w->s, key->key, &o->word);
            if (k == HANDLERS) wfi_put_function(w->s, key->key, &o->word);
            if (k == SIGNALS) wfi_put_signal(w->s, key->key, key->with, &o->word);
            put_word(w, "");
        }
        end_words(w, names[k], o->keys[k].count);
    }
}

// Names of the constants, and of the rows of all matrices.
static void put_fixed_names(struct wf_writer *w) {
    struct octave *o = w->own;
    for (unsigned i = 0; i < WF_TASK_STATES; ++i) put_word(w, wf_task_state_names[i]);
    end_words(w, "state_names", WF_TASK_STATES);
    for (unsigned i = 0; i < wf_reason_count; ++i) put_word(w, wf_reasons[i].name);
    end_words(w, "reason_names", wf_reason_count);
    for (unsigned i = 0; i < WF_GROUP_END; ++i) put_word(w, wf_groups[i].name);
    end_words(w, "group_names", WF_GROUP_END);
    for (unsigned t = 0; t < TABLES; ++t) {
        put_word(w, tables[t].names);
        for (char *p = o->word.buf; (p = strchr(p, ' ')) != NULL;) *p++ = 0;
        end_words(w, tables[t].names_of_rows, tables[t].rows);
    }
}

static void end_octave(struct wf_writer *w) {
    struct octave *o = w->own;
    for (unsigned t = 0; t < TABLES; ++t) {
        flush_table(w, t, 1);
        wfi_octave_header(&o->word, tables[t].name, false, tables[t].rows, o->columns[t]);
        wfi_flush_part(w, 2 * t, tables[t].name, &o->word, 0);
    }
    wfi_octave_scalar(&w->text, "rate_hz", (double)w->scale.hz);
    wfi_octave_scalar(&w->text, "first_tick_high", (double)(o->origin >> 32));
    wfi_octave_scalar(&w->text, "first_tick_low", (double)(o->origin & UINT32_MAX));
    put_task_names(w);
    put_key_names(w);
    put_fixed_names(w);
    wfi_flush_part(w, 2 * TABLES, "names", &w->text, 0);
}

// If the window begins after the trace does, time 0 is the requested time.
static void begin_octave(struct wf_writer *w, uint64_t tick) {
    (void)tick;
    if (w->filter.has_from && wf_model_tick(w->model) > 0) set_origin(w, w->scope.from);
}

static int open_octave(struct wf_writer *w) {
    struct octave *o = w->own;
    bool good = wfi_strbuf_open(&o->word, &w->failed);
    for (unsigned t = 0; t < TABLES; ++t) good = good && wfi_strbuf_open(&o->data[t], &w->failed);
    return good ? WF_OK : WF_ERR_NOMEM;
}

static void close_octave(struct wf_writer *w) {
    struct octave *o = w->own;
    for (unsigned t = 0; t < TABLES; ++t) wfi_strbuf_close(&o->data[t]);
    for (unsigned k = 0; k < KEYS; ++k) wfi_keys_close(&o->keys[k]);
    wfi_strbuf_close(&o->word);
}

const struct wfi_ops wfi_octave_ops = {.own_bytes = sizeof(struct octave),
                                       .open = open_octave,
                                       .begin = begin_octave,
                                       .change = take_change,
                                       .item = take_item,
                                       .end = end_octave,
                                       .close = close_octave};
