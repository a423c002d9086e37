// SPDX-License-Identifier: MIT
// The readings of a trace that is shown without a server: of `wallfly page`, and of both sides of a
// comparison.

#include "page_read.h"

#include "page_source.h"

static void on_item(struct lane *l, const struct wf_item *item) {
    struct page_reader *r = (struct page_reader *)(void *)l->stream;
    page_item(&r->page, item);
    if (r->on_item) r->on_item(r, item);
}

static void on_chunk(struct lane *l, const struct wf_chunk *chunk) {
    page_chunk(&((struct page_reader *)(void *)l->stream)->page, chunk);
}

static int read_trace(struct page_reader *r, bool progress) {
    int code = stream_run_shown(&r->stream, progress, r->args.operands ? r->args.operand[0] : NULL);
    if (code == EXIT_GOOD && r->stream.source.interrupted)
        return diag_error(EXIT_INPUT, "%s: interrupted; no page is made", r->stream.name);
    if (code == EXIT_GOOD) code = stream_verdict(&r->stream);
    page_end(&r->page);
    int err = wf_timeline_error(r->page.timeline);
    if (err == WF_OK || code == EXIT_INPUT) return code;
    return diag_error(EXIT_INPUT, "%s: %s", r->stream.name, wf_err_text(err));
}

int page_read(struct page_reader *r, const struct args *args, const char *file,
              const struct page_options *o, bool progress) {
    r->args = *args;
    if (file) {
        r->operand[0] = (char *)file;
        r->args.operand = r->operand;
        r->args.operands = 1;
    }
    r->stream.single = true;
    r->stream.on_item = on_item;
    r->stream.on_chunk = on_chunk;
    int code = stream_rate(&r->args, &r->stream.rate);
    if (code == EXIT_GOOD) code = stream_open(&r->stream, &r->args);
    if (code != EXIT_GOOD) return code;
    code = page_open_stream(&r->page, NULL, &r->stream, o);
    if (code != EXIT_GOOD) {
        stream_close(&r->stream);
        return code;
    }
    r->open = true;
    code = read_trace(r, progress);
    if (code != EXIT_GOOD && code != EXIT_LOSS) page_read_close(r);
    return code;
}

void page_read_close(struct page_reader *r) {
    if (!r->open) return;
    page_close(&r->page);
    stream_close(&r->stream);
    r->open = false;
}
