// SPDX-License-Identifier: MIT
// A stream as the trace that pages show.
#ifndef PAGE_SOURCE_H
#define PAGE_SOURCE_H

#include "wallfly_server/page.h"
#include "stream.h"

// How a stream that is open is read again.
struct replay_options stream_again(struct stream *s);

// As page_open, for the one lane of a stream that is open. Returns an exit code, after an error
// message.
static inline int page_open_stream(struct page *p, uv_loop_t *loop, struct stream *s,
                                   const struct page_options *o) {
    struct page_options options = *o;
    struct page_source source = {s->name, s->trace, s->lanes[0]->of, stream_again(s)};
    char why[256];
    options.warn = complain_text;
    int err = page_open(p, loop, &source, &options, why);
    return err == WF_OK ? EXIT_GOOD : complain(exit_code_of(err), "%s", why);
}

#endif
