// SPDX-License-Identifier: MIT
// A MAT file from the model: matrices with a column for each record, run, wait ... MAT files hold
// values column by column, so columns are written as they come. A matrix's header has the number of
// columns, so it is a part of its own, written at the end.

#include <stdlib.h>
#include <string.h>

#include "wfi_octave.h"

enum table {
    RECORDS,
    RUNS,
    STATES,
    WAITS,
    HOLDS,
    IRQS,
    MACHINES,
    STEPS,
    SPANS,
    COUNTERS,
    LEVELS,
    MARKS,
    LOSSES,
    HOLES,
    TABLES
};
enum { ROWS_MAX = 7 };

static const struct {
    const char *name, *names; // names: of its rows, as a matrix of characters
    unsigned rows;
    const char *row[ROWS_MAX];
} tables[TABLES] = {
    [RECORDS] = {"records", "records_rows", 4, {"time", "number", "core", "group"}},
    [RUNS] = {"runs",
              "runs_rows",
              7,
              {"task", "core", "begin", "end", "begin_known", "end_known", "reason"}},
    [STATES] = {"states",
                "states_rows",
                6,
                {"task", "state", "begin", "end", "begin_known", "end_known"}},
    [WAITS] = {"waits",
               "waits_rows",
               7,
               {"task", "object", "begin", "end", "begin_known", "end_known", "got"}},
    [HOLDS] = {"holds",
               "holds_rows",
               6,
               {"task", "object", "begin", "end", "begin_known", "end_known"}},
    [IRQS] = {"irqs",
              "irqs_rows",
              6,
              {"number", "core", "begin", "end", "begin_known", "end_known"}},
    [MACHINES] = {"machines",
                  "machines_rows",
                  6,
                  {"object", "handler", "begin", "end", "begin_known", "end_known"}},
    [STEPS] = {"steps",
               "steps_rows",
               7,
               {"object", "signal", "begin", "end", "begin_known", "end_known", "transition"}},
    [SPANS] = {"spans",
               "spans_rows",
               6,
               {"task", "text", "begin", "end", "begin_known", "end_known"}},
    [COUNTERS] = {"counters", "counters_rows", 3, {"time", "text", "value"}},
    [LEVELS] = {"levels", "levels_rows", 4, {"time", "object", "value", "known"}},
    [MARKS] = {"marks", "marks_rows", 5, {"time", "task", "object", "free", "size"}},
    [LOSSES] = {"losses", "losses_rows", 5, {"time", "core", "records", "bytes", "exact"}},
    [HOLES] = {"holes", "holes_rows", 2, {"begin", "end"}},
};

struct octave {
    struct wfi_strbuf data[TABLES];
    uint64_t columns[TABLES];
    bool begun; // origin is set
    uint64_t origin, origin_ns;
    struct wfi_keys texts, handlers, signals;
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

static void flush(struct wf_writer *w, enum table table, size_t least) {
    struct wfi_strbuf *t = &((struct octave *)w->own)->data[table];
    size_t len = wfi_strbuf_len(t);
    if (len < least) return;
    wfi_put_part(w, 2 * table + 1, tables[table].name, t->buf, len);
    wfi_strbuf_clear(t);
}

static void put(struct wf_writer *w, enum table table, const double *values) {
    struct octave *o = w->own;
    if (++o->columns[table] > INT32_MAX) w->failed = w->refused = true; // no header can hold it
    for (unsigned i = 0; i < tables[table].rows; ++i) wfi_octave_value(&o->data[table], values[i]);
    flush(w, table, WFI_STRBUF_CAP / 2);
}

// A stretch that ended; more: the value after its ends, in some tables.
static void put_stretch(struct wf_writer *w, enum table table, double what, double where,
                        const struct wf_change *c, double more) {
    const double values[ROWS_MAX] = {
        what, where, seconds(w, c->from), seconds(w, c->tick), c->from_known, !c->cut, more};
    put(w, table, values);
}

// The number of a key in a table of names.
static double number_of(struct wf_writer *w, struct wfi_keys *keys, uint64_t key, uint64_t with) {
    uint32_t number = wfi_keys_number(keys, key, with);
    if (!number) w->failed = true;
    return number;
}

static void take_task(struct wf_writer *w, const struct wf_change *c) {
    double task = task_number(c->task);
    if (c->was == WF_TASK_UNKNOWN) return;
    put_stretch(w, STATES, task, (double)c->was + 1, c, 0);
    if (c->was == WF_TASK_RUNNING) put_stretch(w, RUNS, task, c->core, c, c->reason + 1.0);
}

static void take(struct wf_writer *w, const struct wf_change *c) {
    struct octave *o = w->own;
    double task = task_number(c->task), object = object_number(c->object);
    const double value[] = {seconds(w, c->tick), object, (double)c->value, c->got};
    switch (c->kind) {
    case WF_CHANGE_TASK: take_task(w, c); break;
    case WF_CHANGE_WAIT_END: put_stretch(w, WAITS, task, object, c, c->got); break;
    case WF_CHANGE_HOLD_END: put_stretch(w, HOLDS, task, object, c, 0); break;
    case WF_CHANGE_IRQ_END: put_stretch(w, IRQS, c->irq, c->core, c, 0); break;
    case WF_CHANGE_STATE:
        if (!c->text) break;
        put_stretch(w, MACHINES, object, number_of(w, &o->handlers, c->text, 0), c, 0);
        break;
    case WF_CHANGE_STEP_END:
        put_stretch(w, STEPS, object, number_of(w, &o->signals, c->text, c->object->key), c,
                    c->got);
        break;
    case WF_CHANGE_SPAN_END:
        put_stretch(w, SPANS, task, number_of(w, &o->texts, c->text, 0), c, 0);
        break;
    case WF_CHANGE_COUNTER:
        put(w, COUNTERS, (const double[]){value[0], number_of(w, &o->texts, c->text, 0), value[2]});
        break;
    case WF_CHANGE_COUNT:
    case WF_CHANGE_FREE: put(w, LEVELS, value); break;
    case WF_CHANGE_LOW:
        put(w, MARKS,
            (const double[]){value[0], task, object, value[2], c->task ? c->task->stack_size : 0});
        break;
    case WF_CHANGE_OBJECT:
        if (!c->got) put(w, LEVELS, (const double[]){value[0], object, 0, false});
        break;
    case WF_CHANGE_LOSS:
        put(w, HOLES, (const double[]){seconds(w, c->from), seconds(w, c->tick)});
        break;
    default: break;
    }
}

static void take_change(struct wf_writer *w, const struct wf_change *c) {
    set_origin(w, c->tick);
    take(w, c);
}

// A loss before the first time stamp, or before the window, is at its beginning.
static void take_loss(struct wf_writer *w, const struct wf_loss *l) {
    bool begun = ((struct octave *)w->own)->begun;
    const double values[] = {begun ? seconds(w, wf_model_tick(w->model)) : 0, l->core,
                             (double)l->records, (double)l->bytes, l->exact};
    if (l->kind == WF_LOSS_LATE || l->kind == WF_LOSS_REPEATED) return; // nothing is lost
    put(w, LOSSES, values);
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    if (item->kind == WF_ITEM_LOSS && !w->ending) take_loss(w, &item->loss);
    if (item->kind != WF_ITEM_RECORD) return;
    if (r->stamped) set_origin(w, r->tick);
    put(w, RECORDS,
        (const double[]){seconds(w, r->tick), r->id, r->core, r->row ? r->row->group + 1.0 : 0});
}

// ---- the end

static void put_word(struct wf_writer *w, const char *text) {
    wfi_strbuf_bytes(text, strlen(text) + 1, &((struct octave *)w->own)->word);
}

// Writes a matrix of the lines put since the last one.
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
    struct octave *o = w->own;
    for (size_t i = 1; i <= o->texts.count; ++i) {
        wfi_put_constant(w->s, o->texts.keys[i].key, &o->word);
        put_word(w, "");
    }
    end_words(w, "text_names", o->texts.count);
    for (size_t i = 1; i <= o->handlers.count; ++i) {
        wfi_put_function(w->s, o->handlers.keys[i].key, &o->word);
        put_word(w, "");
    }
    end_words(w, "handler_names", o->handlers.count);
    for (size_t i = 1; i <= o->signals.count; ++i) {
        wfi_put_signal(w->s, o->signals.keys[i].key, o->signals.keys[i].with, &o->word);
        put_word(w, "");
    }
    end_words(w, "signal_names", o->signals.count);
}

static void put_fixed_names(struct wf_writer *w) {
    for (unsigned i = 0; i < WF_TASK_STATES; ++i) put_word(w, wf_task_state_names[i]);
    end_words(w, "state_names", WF_TASK_STATES);
    for (unsigned i = 0; i < wf_reason_count; ++i) put_word(w, wf_reasons[i].name);
    end_words(w, "reason_names", wf_reason_count);
    for (unsigned i = 0; i < WF_GROUP_END; ++i) put_word(w, wf_groups[i].name);
    end_words(w, "group_names", WF_GROUP_END);
    for (unsigned t = 0; t < TABLES; ++t) {
        for (unsigned i = 0; i < tables[t].rows; ++i) put_word(w, tables[t].row[i]);
        end_words(w, tables[t].names, tables[t].rows);
    }
}

static void end_octave(struct wf_writer *w) {
    struct octave *o = w->own;
    for (unsigned t = 0; t < TABLES; ++t) {
        flush(w, t, 1);
        wfi_octave_header(&o->word, tables[t].name, false, tables[t].rows, o->columns[t]);
        wfi_put_part(w, 2 * t, tables[t].name, o->word.buf, wfi_strbuf_len(&o->word));
        wfi_strbuf_clear(&o->word);
    }
    wfi_octave_scalar(&w->text, "rate_hz", (double)w->scale.hz);
    wfi_octave_scalar(&w->text, "first_tick_high", (double)(o->origin >> 32));
    wfi_octave_scalar(&w->text, "first_tick_low", (double)(o->origin & UINT32_MAX));
    put_task_names(w);
    put_key_names(w);
    put_fixed_names(w);
    wfi_put_part(w, 2 * TABLES, "names", w->text.buf, wfi_strbuf_len(&w->text));
    wfi_strbuf_clear(&w->text);
}

// Within a trace the window begins at the requested time.
static void begin_octave(struct wf_writer *w, uint64_t tick) {
    (void)tick;
    if (w->filter.has_from && wf_model_tick(w->model) > 0) set_origin(w, w->scope.from);
}

static int open_octave(struct wf_writer *w) {
    struct octave *o = calloc(1, sizeof *o);
    if (!o) return WF_ERR_NOMEM;
    w->own = o;
    for (unsigned t = 0; t < TABLES; ++t) {
        if (!wfi_strbuf_open(&o->data[t], &w->failed)) return WF_ERR_NOMEM;
    }
    return wfi_strbuf_open(&o->word, &w->failed) ? WF_OK : WF_ERR_NOMEM;
}

static void close_octave(struct wf_writer *w) {
    struct octave *o = w->own;
    if (!o) return;
    for (unsigned t = 0; t < TABLES; ++t) wfi_strbuf_close(&o->data[t]);
    wfi_strbuf_close(&o->word);
    wfi_keys_close(&o->texts);
    wfi_keys_close(&o->handlers);
    wfi_keys_close(&o->signals);
    free(o);
}

const struct wfi_ops wfi_octave_ops = {.open = open_octave,
                                       .begin = begin_octave,
                                       .change = take_change,
                                       .item = take_item,
                                       .end = end_octave,
                                       .close = close_octave};
