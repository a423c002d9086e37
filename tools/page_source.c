// SPDX-License-Identifier: MIT
// Names and second readings of a stream.

#include "page_source.h"

#include <stdio.h>

#include "wallfly_host/wf_time.h"

static void use_names(void *ctx, struct wf_session *session, bool begin) {
    struct stream *s = ctx;
    const struct wf_dic dic = {.file = s->args->value[STREAM_DIC]};
    names_use(&s->names, session);
    if (!begin) return;
    wf_dic_read(&dic, session, NULL);
    names_begin(&s->names, session);
}

static int load_names(void *ctx, uint8_t *bytes, size_t len, struct wf_error *error) {
    struct stream *s = ctx;
    return names_add(&s->names, s->lanes[0]->session, bytes, len, error);
}

struct again {
    struct stream stream; // the first member
    const struct replay_taker *taker;
};

static void on_item(struct lane *l, const struct wf_item *item) {
    struct again *a = (struct again *)(void *)l->stream;
    if (!a->stream.enough && !a->taker->item(a->taker->ctx, l->session, item))
        a->stream.enough = true;
}

static int read_again(void *ctx, const char *kept, const struct wf_session *known,
                      const struct replay_taker *taker) {
    struct stream *s = ctx;
    struct again a = {.taker = taker};
    struct args args = *s->args;
    char name[64];
    char *operand[] = {name};
    a.stream.single = a.stream.again = true;
    a.stream.on_item = on_item;
    a.stream.rate = s->options.hz;
    a.stream.format = s->format;
    if (kept) {
        snprintf(name, sizeof name, "%s", kept);
        a.stream.pieces = true;
        args.operand = operand;
        args.operands = 1;
    }
    if (stream_open(&a.stream, &args) != EXIT_GOOD) return WF_ERR_READ;
    struct wf_session *session = a.stream.lanes[0]->session;
    if (s->names.own) names_use(&s->names, session); // of a page
    names_begin(&s->names, session);
    int err = known ? wf_session_keep_names(session, known) : WF_OK;
    if (err == WF_OK && stream_run(&a.stream, true) != EXIT_GOOD) err = WF_ERR_READ;
    taker->end(taker->ctx);
    stream_close(&a.stream);
    return err;
}

struct replay_options stream_again(struct stream *s) {
    return (struct replay_options){.file = s->image ? s->image : s->args->operand[0],
                                   .image = s->image != NULL,
                                   .session = s->options,
                                   .ctx = s,
                                   .names = use_names,
                                   .read = read_again};
}

int page_open_stream(struct page *p, struct site *site, struct stream *s,
                     const struct page_options *o) {
    struct page_options options = *o;
    struct page_source source = {s->name, s->trace, s->lanes[0]->of, stream_again(s), load_names};
    struct wf_error error;
    options.warn = diag_text;
    int err = page_open(p, site, &source, &options, &error);
    return err == WF_OK ? EXIT_GOOD : diag_error(exit_code_of(err), "%s", error.text);
}

int64_t page_time(const struct page *p, double seconds) {
    struct wf_timeline_span span;
    wf_timeline_extent(p->timeline, &span);
    uint64_t zero = wf_time_zero(p->session, p->about.target_clock);
    uint64_t tick = wf_time_tick_at(seconds, span.hz, zero);
    if (tick < span.first) return -1;
    return tick - span.first > INT64_MAX ? INT64_MAX : (int64_t)(tick - span.first);
}

bool page_place(const struct page *p, const struct place *at, int64_t *from, int64_t *until) {
    struct wf_timeline_span span;
    wf_timeline_extent(p->timeline, &span);
    *from = page_time(p, at->from_s);
    *until = page_time(p, at->until_s);
    return span.known && *from >= 0 && *until <= (int64_t)(span.last - span.first);
}
