// SPDX-License-Identifier: MIT
// The table of formats; their common options, buffer and output.

#include "util/wfi_options.h"
#include "wfi_writer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// clang-format off
// F(name, its wfi_NAME_ops, sentence, suffix, output, dialect, info8, binary, all_names): the
//   members of struct wf_format
#define FORMATS(F) \
    F(text,   text,   "our own text", ".txt", STREAM, WALLFLY, false, false, false) \
    F(qspy,   qspy,   "the text of QSPY 7.4.1, byte for byte", ".qspy.txt", STREAM, QSPY, false, false, false) \
    F(mat,    mat,    "QSPY's MATLAB file", ".qspy.mat", STREAM, QSPY, true, false, false) \
    F(seq,    seq,    "QSPY's sequence diagram of the objects named", ".seq", STREAM, QSPY, true, false, false) \
    F(dic,    dic,    "QSPY's dictionary file, as it stands at the end", ".dic", STREAM, QSPY, true, false, true) \
    F(grasp,  grasp,  "a time line of tasks for Grasp, a Tcl script", ".grasp", STREAM, WALLFLY, false, false, false) \
    F(perfetto, perfetto, "a trace for Perfetto, native protobuf", ".pftrace", STREAM, WALLFLY, false, true, false) \
    F(ctf,    ctf,    "CTF 1.8, for babeltrace2 and Trace Compass", ".ctf", FOLDER, WALLFLY, false, false, false) \
    F(vcd,    vcd,    "values over time, for wave viewers as GTKWave", ".vcd", JOINED, WALLFLY, false, false, false) \
    F(octave, octave, "matrices for Octave, MATLAB and SciPy", ".mat", JOINED, WALLFLY, false, true, false) \
    F(mscgen, sequence, "a sequence diagram for MscGen and Doxygen", ".msc", JOINED, WALLFLY, false, false, false) \
    F(mermaid, sequence, "a sequence diagram for Mermaid, as in Markdown", ".mmd", JOINED, WALLFLY, false, false, false) \
    F(sequence, sequence, "a sequence diagram as JSON, for programs", ".json", JOINED, WALLFLY, false, false, false) \
    F(jsonl,  jsonl,  "all tables as JSON, a row a line", ".jsonl", STREAM, WALLFLY, false, false, false) \
    F(csv,    csv,    "the records as CSV, losses among them", ".csv", STREAM, WALLFLY, false, false, false) \
    F(tables, tables, "all tables as CSV, a file each", ".tables", FOLDER, WALLFLY, false, false, false) \
    F(sqlite, rows,   "all tables as an SQLite database, for `wallfly query`", ".sqlite", ROWS, WALLFLY, false, false, false)
// clang-format on

#define F(name, own, sentence, suffix, output, dialect, info8, binary, all_names)                  \
    {#name, sentence, suffix, WF_OUTPUT_##output, WF_DIALECT_##dialect, info8, all_names, binary},
const struct wf_format wf_formats[] = {FORMATS(F)};
#undef F
const unsigned wf_format_count = sizeof wf_formats / sizeof *wf_formats;

#define F(name, own, sentence, suffix, output, dialect, info8, binary, all_names)                  \
    extern const struct wfi_ops wfi_##own##_ops;
FORMATS(F)
#undef F
#define F(name, own, sentence, suffix, output, dialect, info8, binary, all_names) &wfi_##own##_ops,
static const struct wfi_ops *const ops[] = {FORMATS(F)};
#undef F

const struct wf_format *wf_format_find(const char *name) {
    for (unsigned i = 0; i < wf_format_count; ++i) {
        if (strcasecmp(wf_formats[i].name, name) == 0) return &wf_formats[i];
    }
    return NULL;
}

static void writer_free(struct wf_writer *w) {
    if (w->own && w->ops->close) w->ops->close(w);
    if (w->ops->own_bytes) free(w->own);
    wfi_sink_leave(&w->sink, w->sinks, w->own_sinks);
    wfi_strbuf_close(&w->text);
    wfi_sentences_close(&w->sentences);
    wf_sat_close(w->sat);
    free(w->objects);
    free(w->source);
    free(w);
}

static uint64_t tick_of(const struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_RECORD) return item->record.tick;
    if (item->kind == WF_ITEM_EVENT) return item->event->tick;
    return w->model ? wf_model_tick(w->model) : 0;
}

static void take_changes(struct wf_writer *w) {
    size_t count;
    const struct wf_change *changes = wf_model_changes(w->model, &count);
    for (size_t i = 0; i < count; ++i) {
        if (!w->filtered) {
            w->ops->change(w, &changes[i]);
            continue;
        }
        struct wf_change c = changes[i]; // it may be cut
        if (wfi_change_shown(w, &c)) w->ops->change(w, &c);
    }
    if (wf_model_error(w->model) != WF_OK) w->failed = true;
}

static inline void note_time(struct wfi_scope *v, uint64_t tick) {
    if (!v->timed || tick < v->first) v->first = tick;
    if (!v->timed || tick > v->last) v->last = tick;
    v->timed = true;
}

// Takes another rate of the session, or its first time.
static void follow_clock(struct wf_writer *w, uint64_t tick) {
    wf_scale_set(&w->scale, w->s->target.hz, tick);
    w->ns_known = false;
    wfi_scope_clock(w);
}

// Updates the window and decides whether the item is shown.
static void begin_item(struct wf_writer *w, const struct wf_item *item) {
    bool record = item->kind == WF_ITEM_RECORD, event = item->kind == WF_ITEM_EVENT;
    uint64_t tick = tick_of(w, item);
    uint64_t hz = w->s->target.hz;
    bool same = w->scale.hz == hz && w->scope.hz == hz &&
                w->scope.zero == wfi_time_zero(w->s, w->options.target_clock);
    if (!same) follow_clock(w, tick);
    w->shown = wfi_shown(w, item);
    w->fresh = true;
    if (!record && !event) return;
    if (record ? item->record.stamped || w->s->slots.on : item->event->timed)
        note_time(&w->scope, tick);
    if (!w->scope.begun && tick >= w->scope.from) {
        w->scope.begun = true;
        if (w->ops->begin) w->ops->begin(w, tick);
    }
    if (w->model && tick > w->scope.until) w->ending = true;
}

static inline void show_item(struct wf_writer *w, const struct wf_item *item) {
    if (w->shown && w->ops->item) w->ops->item(w, item);
    if (w->text.end - w->text.buf > WFI_STRBUF_CAP / 2) wf_writer_flush(w);
}

static void before_item(struct wfi_sink *sink, const struct wf_item *item) {
    begin_item((struct wf_writer *)sink, item);
}

static void take_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_writer *w = (struct wf_writer *)sink;
    take_changes(w);
    show_item(w, item);
}

// A format without the model needs no call before the model takes the item.
static void take_plain_item(struct wfi_sink *sink, const struct wf_item *item) {
    struct wf_writer *w = (struct wf_writer *)sink;
    begin_item(w, item);
    show_item(w, item);
}

static void take_end(struct wfi_sink *sink) {
    struct wf_writer *w = (struct wf_writer *)sink;
    if (!w->model) return;
    w->ending = w->fresh = true;
    take_changes(w);
}

void wf_writer_item(struct wf_writer *w, const struct wf_item *item) {
    wf_sinks_item(w->sinks, item);
}

// Returns WF_OK or WF_ERR_USAGE.
static int copy_options(struct wf_writer *w, const struct wf_writer_options *options) {
    struct wf_writer_options *o = &w->options;
    int err = wfi_options_copy(o, sizeof *o, options);
    w->filtered = o->filter != NULL;
    if (err == WF_OK && w->filtered)
        err = wfi_options_copy(&w->filter, sizeof w->filter, o->filter);
    if (err != WF_OK) return err;
    switch (w->format->output) {
    case WF_OUTPUT_STREAM: return w->write || o->line ? WF_OK : WF_ERR_USAGE;
    case WF_OUTPUT_ROWS: return o->row ? WF_OK : WF_ERR_USAGE;
    default: return o->part ? WF_OK : WF_ERR_USAGE;
    }
}

// Copies a text of the options. Returns false when out of memory.
static bool copy_text(const char **option, char **own) {
    if (*option) *option = *own = strdup(*option);
    return *own || !*option;
}

static int open_format(struct wf_writer *w) {
    const struct wfi_ops *o = w->ops;
    if (o->own_bytes) w->own = calloc(1, o->own_bytes);
    if (o->own_bytes && !w->own) return WF_ERR_NOMEM;
    if (o->style && !wfi_sentences_open(&w->sentences, o->style)) return WF_ERR_NOMEM;
    return o->open ? o->open(w) : WF_OK;
}

struct wf_writer *wf_writer_open(const struct wf_format *format, struct wf_session *s,
                                 const struct wf_writer_options *options, wf_write_fn write,
                                 void *ctx, struct wf_error *error) {
    struct wf_writer *w = calloc(1, sizeof *w);
    if (!w) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    w->format = format;
    w->ops = ops[format - wf_formats];
    w->s = s;
    w->write = write;
    w->ctx = ctx;
    int err = copy_options(w, options);
    if (err != WF_OK) {
        wf_error_code(error, err);
        free(w);
        return NULL;
    }
    wfi_scope_open(w);
    bool model = w->ops->change && !w->options.records_only;
    w->sink = (struct wfi_sink){.before = model ? before_item : NULL,
                                .item = model ? take_item : take_plain_item,
                                .end = take_end};
    w->sinks = wfi_sink_join(&w->sink, s, w->options.sinks, &w->own_sinks);
    err = WF_ERR_NOMEM;
    if (model && w->sinks) w->model = wfi_sinks_model(w->sinks);
    bool room = copy_text(&w->options.source, &w->source) &&
                copy_text(&w->options.objects, &w->objects) && w->sinks && (w->model || !model);
    if (room && wfi_strbuf_open(&w->text, &w->failed)) err = open_format(w);
    wf_error_code(error, err);
    if (err == WF_OK) return w;
    writer_free(w);
    return NULL;
}

struct wf_writer *wf_writer_open_rows(struct wf_session *s, wf_row_fn row, void *ctx,
                                      struct wf_error *error) {
    const struct wf_writer_options options = {.size = sizeof options, .row = row};
    return wf_writer_open(wf_format_find("sqlite"), s, &options, NULL, ctx, error);
}

void wf_writer_line(struct wf_writer *w, const char *line) {
    if (w->options.line) {
        w->options.line(w->ctx, WF_LINE_INFO, line, strlen(line));
        return;
    }
    size_t from = wfi_strbuf_len(&w->text);
    wfi_strbuf_put(&w->text, line);
    if (w->format->dialect == WF_DIALECT_WALLFLY || w->options.terminal)
        wfi_strbuf_show(&w->text, from);
    wfi_strbuf_put(&w->text, "\n");
}

static void check_taken(struct wf_writer *w, bool taken) {
    if (!taken) w->failed = w->refused = true;
}

static int state_of(struct wf_writer *w) {
    if (!w->failed) return WF_OK;
    return w->refused ? WF_ERR_WRITE : WF_ERR_NOMEM;
}

int wf_writer_flush(struct wf_writer *w) {
    size_t len = wfi_strbuf_len(&w->text);
    if (w->format->output != WF_OUTPUT_STREAM) return state_of(w);
    if (len && state_of(w) == WF_OK) check_taken(w, w->write(w->ctx, w->text.buf, len));
    wfi_strbuf_clear(&w->text);
    return state_of(w);
}

void wfi_put_part(struct wf_writer *w, unsigned part, const char *name, const char *bytes,
                  size_t len) {
    if (len && !w->failed) check_taken(w, w->options.part(w->ctx, part, name, bytes, len));
}

void wfi_flush_part(struct wf_writer *w, unsigned part, const char *name, struct wfi_strbuf *t,
                    size_t least) {
    if (wfi_strbuf_len(t) < least) return;
    wfi_put_part(w, part, name, t->buf, wfi_strbuf_len(t));
    wfi_strbuf_clear(t);
}

int wf_writer_close(struct wf_writer *w) {
    wf_sinks_end(w->sinks);
    if (w->ops->end && !w->options.records_only) w->ops->end(w);
    int err = wf_writer_flush(w);
    if (err == WF_OK && w->cut) err = WF_ERR_CUT;
    writer_free(w);
    return err;
}
