// SPDX-License-Identifier: MIT
// Lanes of a trace, their writers and their items. All commands read a trace through this code,
// live or not; stream_open.c opens it, stream_read.c has the input.

#include "stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dic_line(void *ctx, enum wf_line_class line, const char *text) {
    struct lane *l = ctx;
    (void)line;
    if (l->stream->qspy && l->writers) wf_writer_line(l->writers[0], text);
}

static void report_dic(void *ctx, const char *text) {
    const struct lane *l = ctx;
    if (!l->stream->again) diag_note("%s", text);
}

bool stream_dictionaries(struct lane *l) {
    struct wf_error error;
    if (wf_dic_read(&l->dic, l->session, &error) == WF_OK) return true;
    diag_error(EXIT_INPUT, "%s", error.text);
    return false;
}

// Prefixes each line with its lane number if there are several lanes.
static bool write_lines(void *ctx, const char *bytes, size_t len) {
    struct lane *l = ctx;
    char mark[16];
    int mark_len = snprintf(mark, sizeof mark, "[%u] ", l->number);
    const struct stream_out *out = l->stream->outs;
    if (!l->stream->prefix) return out->write(out->ctx, bytes, len);
    while (len) {
        const char *end = memchr(bytes, '\n', len);
        size_t n = end ? (size_t)(end - bytes) + 1 : len;
        if (!l->in_line && !out->write(out->ctx, mark, (size_t)mark_len)) return false;
        if (!out->write(out->ctx, bytes, n)) return false;
        l->in_line = !end;
        bytes += n;
        len -= n;
    }
    return true;
}

static void free_lane(struct lane *l) {
    if (!l) return;
    wf_task_filter_close(l->hide);
    free(l->writers);
    wf_sinks_close(l->sinks);
    free(l);
}

// With several lanes, text goes through write_lines.
static bool open_writers(struct lane *l, struct wf_error *error) {
    struct stream *s = l->stream;
    l->sinks = wf_sinks_open(l->session);
    l->writers = calloc(s->out_count, sizeof *l->writers);
    if (!l->sinks || !l->writers) return false;
    for (unsigned i = 0; i < s->out_count; ++i) {
        const struct stream_out *out = &s->outs[i];
        struct wf_writer_options options = out->options;
        options.sinks = l->sinks;
        l->writers[i] =
            s->single
                ? wf_writer_open(out->format, l->session, &options, out->write, out->ctx, error)
                : wf_writer_open(out->format, l->session, &options, write_lines, l, error);
        if (!l->writers[i]) return false;
    }
    return true;
}

static void close_writers(struct lane *l) {
    for (unsigned i = 0; l->writers && i < l->stream->out_count; ++i) {
        struct stream_out *out = &l->stream->outs[i];
        int err = l->writers[i] ? wf_writer_close(l->writers[i]) : WF_OK;
        if (out->err == WF_OK) out->err = err;
    }
}

struct lane *stream_new_lane(struct stream *s, unsigned number, struct wf_error *error) {
    struct lane *l = calloc(1, sizeof *l);
    struct lane **lanes = realloc(s->lanes, (s->lane_count + 1) * sizeof *lanes);
    wf_error_code(error, WF_ERR_NOMEM);
    if (lanes) s->lanes = lanes;
    if (l && lanes) l->of = wf_trace_lane(s->trace, number, error);
    if (l && l->of) {
        wf_error_code(error, WF_ERR_NOMEM);
        l->stream = s;
        l->number = number;
        l->session = wf_lane_session(l->of);
        wf_lane_set_user(l->of, l);
        names_use(&s->names, l->session);
        l->dic = (struct wf_dic){.file = s->args->value[STREAM_DIC],
                                 .ctx = l,
                                 .line = dic_line,
                                 .report = report_dic,
                                 .files = s->args->files};
        if (s->hide) l->hide = wf_task_filter_open(l->session, s->hide_view);
        if ((!s->hide || stream_hide_rules(l->hide, s->hide)) &&
            (!s->out_count || open_writers(l, error))) {
            s->lanes[s->lane_count++] = l;
            return l;
        }
        close_writers(l);
    }
    free_lane(l);
    return NULL;
}

struct lane *stream_lane(struct stream *s, unsigned number) {
    struct wf_error error;
    for (unsigned i = 0; i < s->lane_count; ++i) {
        if (s->lanes[i]->number != number) continue;
        s->lane_came = true;
        return s->lanes[i];
    }
    if (number >= s->lane_end) s->lane_end = number + 1;
    if (s->one_lane) return NULL;
    if (s->single) {
        s->code = diag_error(EXIT_USAGE, "%s: has several lanes; --lane=N takes one", s->name);
        return NULL;
    }
    struct lane *l = stream_new_lane(s, number, &error);
    if (!l) s->code = diag_error(EXIT_INPUT, "%s", error.text);
    if (l) s->prefix = true;
    return l;
}

static void note_tick(struct lane *l, uint64_t tick) {
    if (!l->ticks_known) l->tick_first = tick;
    l->ticks_known = true;
    l->tick_last = tick;
}

// Reports a problem with the program file, once.
static void watch_names(struct lane *l, bool end) {
    char text[512];
    if (l->stream->again) return;
    if (names_watch(&l->stream->names, l->session, end, text)) diag_note("%s", text);
}

static void show_item(struct lane *l, const struct wf_item *it) {
    if (l->sinks) wf_sinks_item(l->sinks, it);
    if (l->stream->on_item) l->stream->on_item(l, it);
}

// Shows the item, with the tasks of --hide left out.
static void show_unhidden(struct lane *l, const struct wf_item *it) {
    struct wf_item shown;
    wf_task_filter_take(l->hide, it);
    while (wf_task_filter_next(l->hide, &shown)) show_item(l, &shown);
}

// Shows the last items, and reports tasks of --hide that do not occur.
static void end_hide(struct lane *l) {
    char name[256];
    struct wf_item shown;
    size_t at = 0;
    if (!l->hide) return;
    wf_task_filter_end(l->hide);
    while (wf_task_filter_next(l->hide, &shown)) show_item(l, &shown);
    for (const char *task; (task = wf_task_filter_unused(l->hide, &at)) != NULL;)
        diag_note("%s: --hide: there is no task '%s'", lane_name(l, name), task);
    if (wf_task_filter_error(l->hide) != WF_OK)
        diag_note("--hide: %s", wf_err_text(wf_task_filter_error(l->hide)));
}

static void save_names(struct lane *l) {
    if (!l->stream->again && l->dic.file && strcmp(l->dic.file, "auto") == 0)
        wf_dic_save(&l->dic, l->session);
}

static inline void handle_record(struct lane *l, const struct wf_record *r) {
    if (!r->row) return;
    if ((r->stamped || l->slots) && !r->back) note_tick(l, r->tick);
    if (r->left || r->missing) {
        if (l->stream->live) stream_hint_sizes(l);
        return;
    }
    switch (r->row->effect) {
    case WF_EFFECT_TARGET_INFO: stream_dictionaries(l); break;
    case WF_EFFECT_SYNC: watch_names(l, false); break;
    case WF_EFFECT_RUN: save_names(l); break;
    default: break;
    }
}

// For stream_drain and stream_item; part of the loop over all records, so always inlined.
static inline __attribute__((always_inline)) void handle_item(struct lane *l,
                                                              const struct wf_item *it) {
    if (l->hide)
        show_unhidden(l, it);
    else
        show_item(l, it);
    if (l->stream->look) return;
    if (it->kind == WF_ITEM_RECORD)
        handle_record(l, &it->record);
    else if (it->kind == WF_ITEM_EVENT && it->event->timed)
        note_tick(l, it->event->tick);
}

bool stream_flush(struct lane *l) {
    bool good = true;
    for (unsigned i = 0; i < l->stream->out_count; ++i)
        good &= wf_writer_flush(l->writers[i]) == WF_OK;
    return good && (!l->stream->live || fflush(stdout) == 0);
}

void stream_turn_to(struct lane *l) {
    struct stream *s = l->stream;
    if (s->last && s->last != l) stream_flush(s->last);
    s->last = l;
}

int stream_report(const struct stream *s, const struct wf_error *e) {
    int code = exit_code_of(e->code);
    if (e->place == WF_AT_NOWHERE) return diag_error(code, "%s: %s", s->name, e->text);
    return diag_error(code, "%s:%" PRIu64 ": %s", s->name, e->at, e->text);
}

static void update_progress(const struct lane *l) {
    struct progress *p = l->stream->progress;
    if (p) progress_update(p, wf_lane_bytes(l->of), wf_session_ledger(l->session)->records);
}

// Returns whether items are printed to standard output and writing has failed.
static bool output_is_broken(const struct stream *s) {
    bool prints = s->raw_slots || (s->out_count && !s->outs_report);
    return prints && ferror(stdout);
}

// Returns the lane of the next item, and looks up its format, which may be known only now. Returns
// null after an error message.
static struct lane *next_lane(struct stream *s, struct wf_lane *of) {
    struct lane *l = wf_lane_get_user(of);
    if (!l && s->code == EXIT_GOOD) l = stream_lane(s, wf_lane_number(of));
    if (!l) return NULL;
    s->lane_came = true;
    stream_turn_to(l);
    l->slots = wf_lane_get_slots(l->of);
    s->looked = true;
    return l;
}

static void count_item(struct stream *s, const struct lane *l) {
    enum { A_WHILE = 4096 }; // items
    if (++s->items % A_WHILE) return;
    update_progress(l);
    // No more input is read then, not even at the end.
    if (output_is_broken(s) || (s->without_link && !source_goes_on(&s->source))) s->enough = true;
}

void stream_item(struct stream *s, const struct wf_item *it) {
    struct lane *l = s->last;
    if (!s->looked || l->of != it->lane) l = next_lane(s, it->lane);
    handle_item(l, it);
    count_item(s, l);
}

bool stream_drained(struct stream *s) {
    struct wf_error error;
    struct lane *l = s->last ? s->last : s->lanes[0];
    l->slots = wf_lane_get_slots(l->of);
    s->looked = false;
    update_progress(l);
    if (s->on_drained) s->on_drained(s);
    if (wf_trace_error(s->trace, &error) != WF_OK && s->code == EXIT_GOOD && !s->source.interrupted)
        s->code = stream_report(s, &error);
    if (output_is_broken(s)) s->enough = true;
    return s->code == EXIT_GOOD && !s->enough;
}

bool stream_drain(struct stream *s) {
    struct wf_item it;
    struct wf_lane *of = NULL; // of the item before; null: a chunk that no lane has
    struct lane *l = NULL;
    while (!s->enough && wf_trace_next(s->trace, &it)) {
        if (it.lane != of) {
            of = it.lane;
            l = of ? next_lane(s, of) : NULL;
            if (of && !l) break;
        }
        if (it.kind == WF_ITEM_CHUNK) {
            stream_chunk(s, l, &it);
            continue;
        }
        handle_item(l, &it);
        count_item(s, l);
    }
    return stream_drained(s);
}

// Handles the remaining items, and prints the final messages.
static int end_lane(struct stream *s, struct lane *l, int code) {
    stream_turn_to(l);
    wf_trace_end_lane(s->trace, l->number);
    stream_drain(s);
    if (code == EXIT_GOOD) code = s->code;
    end_hide(l);
    watch_names(l, true);
    if (wf_session_error(l->session) != WF_OK && code == EXIT_GOOD)
        code = diag_error(EXIT_INPUT, "%s: %s", s->name, wf_err_text(wf_session_error(l->session)));
    bool flushed = stream_flush(l) || s->outs_report;
    return flushed || code != EXIT_GOOD ? code
                                        : diag_error(EXIT_INPUT, "output: %s", strerror(errno));
}

int stream_end(struct stream *s, int code) {
    for (unsigned i = 0; i < s->lane_count && !s->look; ++i) code = end_lane(s, s->lanes[i], code);
    return code;
}

const char *lane_name(const struct lane *l, char name[256]) {
    if (!l->stream->prefix) return l->stream->name;
    snprintf(name, 256, "%.200s: lane %u", l->stream->name, l->number);
    return name;
}

int stream_close(struct stream *s) {
    int err = WF_OK;
    for (unsigned i = 0; i < s->lane_count; ++i) {
        struct lane *l = s->lanes[i];
        close_writers(l);
        free_lane(l);
    }
    for (unsigned i = 0; i < s->out_count && err == WF_OK; ++i) err = s->outs[i].err;
    wf_trace_close(s->trace);
    s->trace = NULL;
    free(s->lanes);
    free(s->connections);
    names_close(&s->names);
    input_close(&s->input);
    s->lanes = NULL;
    s->connections = NULL;
    s->lane_count = s->connection_count = 0;
    return err;
}
