// SPDX-License-Identifier: MIT
// Opens the files of the command line, a recording with several lanes once for each.

#include "serve_traces.h"

#include <stdlib.h>
#include <string.h>

#include "page_source.h"

// lane: -1: that of the command line, or the only one. several: the file has others. title: of the
// file.
static void describe(struct file_trace *t, const struct args *args, const char *file, int lane,
                     bool several, const char *title) {
    t->args = *args;
    t->operand[0] = (char *)file;
    if (file) {
        t->args.operand = t->operand;
        t->args.operands = 1;
    }
    if (lane < 0) return;
    snprintf(t->lane, sizeof t->lane, "%d", lane);
    t->args.value[STREAM_LANE] = t->lane;
    if (several) snprintf(t->title, sizeof t->title, "%.200s: lane %d", title ? title : file, lane);
}

static int add(struct file_server *f, const struct args *args, const char *file, int lane,
               bool several) {
    if (f->count == SITE_PAGES_MAX)
        return diag_error(EXIT_USAGE, "more than %d traces; --lane=N takes one lane",
                          SITE_PAGES_MAX);
    struct file_trace *t = &f->traces[f->count++];
    t->server = f;
    describe(t, args, file, lane, several, f->title);
    return EXIT_GOOD;
}

// All of a recording's lanes are shown unless one is chosen.
static int add_file(struct file_server *f, const struct args *args, const char *file) {
    static bool seen[WF_RECORDING_LANES];
    unsigned lanes = args->value[STREAM_LANE] ? 0 : source_lane_list(file, seen);
    int code = lanes ? EXIT_GOOD : add(f, args, file, -1, false);
    for (int lane = 0; lanes && lane < WF_RECORDING_LANES && code == EXIT_GOOD; ++lane) {
        if (seen[lane]) code = add(f, args, file, lane || lanes > 1 ? lane : -1, lanes > 1);
    }
    return code;
}

// Returns null for none: of a file that is shown twice only the first one has them.
static const char *notes_of(const struct file_server *f, struct file_trace *t) {
    const struct args *args = &t->args;
    const char *name = notes_name(args->value[SERVE_NOTES], t->operand[0], args->value[STREAM_LANE],
                                  t->notes, sizeof t->notes);
    for (const struct file_trace *other = f->traces; name && other < t; ++other) {
        if (strcmp(other->notes, name) == 0) return NULL;
    }
    return name;
}

static int open_trace(struct file_server *f, struct file_trace *t, const struct page_options *o) {
    const struct args *args = &t->args;
    struct page_options options = *o;
    traces_prepare(t);
    if (*t->title) options.title = t->title;
    options.notes = notes_of(f, t);
    int code = check_marks_open(args, args->value[SERVE_RULES], &t->rules);
    if (code == EXIT_GOOD) code = stream_rate(args, &t->stream.rate);
    if (code == EXIT_GOOD) code = stream_open(&t->stream, args);
    if (code != EXIT_GOOD) return code;
    code = page_open_stream(&t->page, &f->site, &t->stream, &options);
    t->open = code == EXIT_GOOD;
    if (!t->open) stream_close(&t->stream);
    return code;
}

int traces_open(struct file_server *f, const struct serve_options *o) {
    const struct args *args = o->args;
    f->title = o->page.title;
    f->traces = calloc(SITE_PAGES_MAX, sizeof *f->traces);
    if (!f->traces) return out_of_memory();
    int code = args->operands ? EXIT_GOOD : add(f, args, NULL, -1, false);
    for (int i = 0; i < args->operands && code == EXIT_GOOD; ++i)
        code = add_file(f, args, args->operand[i]);
    for (unsigned i = 0; i < f->count && code == EXIT_GOOD; ++i)
        code = open_trace(f, &f->traces[i], &o->page);
    return code;
}

void traces_close(struct file_server *f) {
    for (unsigned i = 0; i < f->count; ++i) {
        struct file_trace *t = &f->traces[i];
        check_marks_close(t->rules);
        if (!t->open) continue;
        page_close(&t->page);
        stream_close(&t->stream);
    }
}
