// SPDX-License-Identifier: MIT
// A lane is loaded if it holds frames, and they fit the sizes.

#include <stdio.h>

#include "load.h"
#include "wallfly_host/wf_trace.h"

static void read_first(struct wf_trace *t, const uint8_t *bytes, size_t len) {
    struct wf_item item;
    wf_trace_feed(t, 0, bytes, len);
    while (wf_trace_next(t, &item)) {
    }
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) {
    }
}

static bool refuse_format(enum wf_lane_format format, char text[512]) {
    snprintf(text, 512, "holds %s; only QP/Spy frames can be loaded", wf_lane_format_title(format));
    return false;
}

static bool judge(struct wf_trace *t, bool more, char text[512]) {
    const struct wf_verdict *verdict = wf_trace_verdict(t);
    enum wf_lane_format format = wf_lane_get_format(wf_trace_lane(t, 0, NULL));
    if (format > WF_LANE_FRAMES) return refuse_format(format, text);
    if (more && verdict->kind == WF_VERDICT_NO_TRACE) return true;
    if (verdict->kind != WF_VERDICT_GOOD)
        snprintf(text, 512, "%s%s%s", verdict->text, *verdict->sizes ? "; try --sizes=" : "",
                 verdict->sizes);
    return verdict->kind == WF_VERDICT_GOOD || verdict->kind == WF_VERDICT_MALFORMED;
}

bool load_look(const struct wf_session_options *session, const uint8_t *bytes, size_t len,
               bool more, char text[512]) {
    const struct wf_trace_options options = {.size = sizeof options, .session = session};
    enum wf_lane_format format = wf_trace_foreign_format(bytes, len);
    text[0] = 0;
    if (format) return refuse_format(format, text);
    struct wf_trace *t = wf_trace_open(&options, NULL);
    bool good = t != NULL;
    if (good) {
        read_first(t, bytes, len);
        good = judge(t, more, text);
    } else {
        snprintf(text, 512, "%s", wf_err_text(WF_ERR_NOMEM));
    }
    wf_trace_close(t);
    return good;
}
