// SPDX-License-Identifier: MIT
// One buffer for the trace; any failure ends the program.

#include "model_read.h"

#include <stdio.h>
#include <stdlib.h>

#include "wallfly_host/wf_slots.h"
#include "wallfly_host/wf_text_trace.h"

static uint8_t bytes[1 << 26];
static size_t len;

static _Noreturn void fail(int code, const char *program, const char *why) {
    fprintf(stderr, "%s: %s\n", program, why);
    exit(code);
}

struct wf_session *model_open(int argc, char **argv, struct wf_model **m) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    if (argc < 2 || argc > 3) fail(2, argv[0], "usage: TRACE [HZ]");
    if (argc == 3) options.hz = strtoull(argv[2], NULL, 10);
    FILE *f = fopen(argv[1], "rb");
    if (!f) fail(2, argv[0], "cannot be opened");
    len = fread(bytes, 1, sizeof bytes, f);
    if (len == sizeof bytes) fail(3, argv[0], "the trace is too long");
    fclose(f);
    struct wf_session *s = wf_session_open(&options, NULL);
    *m = s ? wf_model_open(s) : NULL;
    if (!*m) fail(3, argv[0], "no memory");
    if (wf_text_trace_is(bytes, len) == WF_TEXT_YES && wf_session_take_text(s) != WF_OK)
        fail(3, argv[0], "no memory");
    return s;
}

bool model_has_slots(void) { return wf_slots_is(bytes, len); }

void model_feed(struct wf_session *s, void (*take)(const struct wf_item *item)) {
    struct wf_item item;
    wf_session_feed(s, bytes, len);
    while (wf_session_next(s, &item)) take(&item);
    wf_session_end(s);
    while (wf_session_next(s, &item)) take(&item);
}
