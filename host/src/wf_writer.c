// SPDX-License-Identifier: MIT
// The formats, and what they share: buffer, flush, end.

#include "wfi_writer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct wf_format wf_formats[] = {
    {"text", "our own text, for people", WF_DIALECT_WALLFLY, false},
    {"qspy", "the text of QSPY 7.4.1, byte for byte", WF_DIALECT_QSPY, false},
    {"mat", "QSPY's MATLAB file", WF_DIALECT_QSPY, true},
    {"seq", "QSPY's sequence diagram of the objects named", WF_DIALECT_QSPY, true},
    {"dic", "QSPY's dictionary file, as it stands at the end", WF_DIALECT_WALLFLY, false},
    {"grasp", "a time line of tasks for Grasp, a Tcl script", WF_DIALECT_WALLFLY, false},
};
const unsigned wf_format_count = sizeof wf_formats / sizeof *wf_formats;

static int nothing(struct wf_writer *w) {
    (void)w;
    return WF_OK;
}

static void ignore(struct wf_writer *w, const struct wf_item *item) {
    (void)w;
    (void)item;
}

// By the order of wf_formats.
static const struct {
    int (*open)(struct wf_writer *w);
    void (*item)(struct wf_writer *w, const struct wf_item *item);
    void (*end)(struct wf_writer *w);
} ops[] = {
    {wfi_people_open, wfi_people_item, NULL}, {wfi_qspy_open, wfi_qspy_item, NULL},
    {wfi_mat_open, wfi_mat_item, NULL},       {wfi_seq_open, wfi_seq_item, NULL},
    {nothing, ignore, wfi_dic_end},           {wfi_grasp_open, wfi_grasp_item, wfi_grasp_end},
};

const struct wf_format *wf_find_format(const char *name) {
    for (unsigned i = 0; i < wf_format_count; ++i) {
        if (strcasecmp(wf_formats[i].name, name) == 0) return &wf_formats[i];
    }
    return NULL;
}

static void writer_free(struct wf_writer *w) {
    wfi_text_close(&w->text);
    wfi_sentences_close(&w->sentences);
    wf_sat_close(w->sat);
    free(w->objects);
    wfi_grasp_close(w);
    free(w);
}

struct wf_writer *wf_writer_open(const struct wf_format *format, struct wf_session *s,
                                 const struct wf_writer_options *options, wf_write_fn write,
                                 void *ctx, int *err) {
    struct wf_writer *w = calloc(1, sizeof *w);
    *err = WF_ERR_NOMEM;
    if (!w) return NULL;
    w->format = format;
    w->s = s;
    w->options = *options;
    w->write = write;
    w->ctx = ctx;
    if (options->filter) {
        w->filter = *options->filter;
        w->filtered = true;
    }
    if (wfi_text_open(&w->text)) *err = ops[format - wf_formats].open(w);
    if (*err == WF_OK) return w;
    writer_free(w);
    return NULL;
}

void wf_writer_item(struct wf_writer *w, const struct wf_item *item) {
    ops[w->format - wf_formats].item(w, item);
    if (w->text.end - w->text.buf > WFI_TEXT_CAP / 2) wf_writer_flush(w);
}

void wf_writer_line(struct wf_writer *w, const char *line) {
    if (w->options.line) {
        w->options.line(w->ctx, WF_LINE_INFO, line, strlen(line));
        return;
    }
    wfi_put_bytes(line, strlen(line), &w->text);
    wfi_put_bytes("\n", 1, &w->text);
}

int wf_writer_flush(struct wf_writer *w) {
    size_t len = (size_t)(w->text.end - w->text.buf);
    if (len && !w->failed) w->failed = !w->write(w->ctx, w->text.buf, len);
    w->text.end = w->text.buf;
    return w->failed ? WF_ERR_WRITE : WF_OK;
}

int wf_writer_close(struct wf_writer *w) {
    if (ops[w->format - wf_formats].end) ops[w->format - wf_formats].end(w);
    int err = wf_writer_flush(w);
    writer_free(w);
    return err;
}
