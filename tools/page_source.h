// SPDX-License-Identifier: MIT
// A stream as the trace that pages show.
#ifndef PAGE_SOURCE_H
#define PAGE_SOURCE_H

#include "filter_options.h"
#include "stream.h"
#include "wallfly_server/page.h"

// How a stream that is open is read again.
struct replay_options stream_again(struct stream *s);

// As page_open, for the one lane of a stream that is open. Returns an exit code, after an error
// message.
int page_open_stream(struct page *p, struct site *site, struct stream *s,
                     const struct page_options *o);

// Converts a time of the command line to ticks since t0; -1: before it.
int64_t page_time(const struct page *p, double seconds);
// Converts a place. Returns whether it lies within the trace.
bool page_place(const struct page *p, const struct place *at, int64_t *from, int64_t *until);

#endif
