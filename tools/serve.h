// SPDX-License-Identifier: MIT
// The two ways of `wallfly serve`: a file is read at once and then served to pages; a target behind
// a link is served as it goes on, to front ends and pages.
#ifndef SERVE_H
#define SERVE_H

#include "page.h"
#include "screen.h"
#include "wallfly_backend/wf_front.h"

struct serve_options {
    const struct args *args; // its operand and first options are those of stream_open
    struct wf_front_options front;
    struct page_options page;
    struct wf_capture_options capture;
    const char *record; // file; null: nothing is recorded
    bool fronts, pages; // who is served
    bool quiet;
    struct screen screen;
};

// Return an exit code after complaining.
int serve_file(const struct serve_options *o);
int serve_live(struct serve_options *o);

// The page's address, for people: on standard output if nothing else goes there.
void serve_tell(const struct page *p, bool on_output);

#endif
