// SPDX-License-Identifier: MIT
// The two modes of `wallfly serve`: a file is read once and then served to pages; a live target is
// served to front ends and pages.
#ifndef SERVE_H
#define SERVE_H

#include "capture_options.h"
#include "filter_options.h"
#include "stream.h"
#include "term/screen.h"
#include "wallfly_backend/wf_front.h"
#include "wallfly_server/page.h"

// Option rows of the command.
enum {
    SERVE_PAGE = STREAM_OPTIONS,
    SERVE_TIME,
    SERVE_AT,
    SERVE_RULES,
    SERVE_NOTES,
    SERVE_TOKEN,
    SERVE_KEEP,
    SERVE_SQL,
    SERVE_FRONT,
    SERVE_ALLOW,
    SERVE_KEEP_FILTERS,
    SERVE_IDLE,
    SERVE_RECORD,
    SERVE_CAPTURE,
    SERVE_BEGIN = SERVE_CAPTURE + CAPTURE_OPTIONS,
    SERVE_OUT,
    SERVE_FILES,
    SERVE_OBJECTS,
    SERVE_ONCE,
    SERVE_QUIET,
    SERVE_EVERY,
    SERVE_COLOUR,
};

struct serve_options {
    const struct args *args; // its operand and first options are as for stream_open
    struct wf_front_options front;
    struct page_options page;
    struct wf_capture_options capture;
    struct place at;
    char notes[4096];           // the file of notes
    struct input_options input; // closed by the command
    const char *record;         // file name; null: no recording
    bool fronts, pages;         // serve front ends; serve pages
    bool quiet;
    struct screen screen;
};

// (serve_options.c) Sets the options from args. Returns an exit code, after an error message.
int serve_parse(struct serve_options *o);

// Both return an exit code, after an error message.
int serve_file(const struct serve_options *o);
int serve_live(struct serve_options *o);

// Starts the web server with the options of the command. Returns an exit code, after an error
// message.
int serve_open_site(struct site *s, uv_loop_t *loop, const struct args *args);
// Prints the page's address, with the place of --at: on standard output if that is not used
// otherwise.
void serve_print_url(const struct site *s, const struct place *at, bool on_output);
// Prints totals of front ends on standard error.
void serve_print_fronts(struct wf_front *front);

#endif
