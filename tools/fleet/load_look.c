// SPDX-License-Identifier: MIT
// A lane is loaded if it holds frames that fit the sizes, slots, or another tracer's trace.

#include <stdio.h>
#include <string.h>

#include "load.h"
#include "wallfly_host/wf_trace.h"

static void take_items(struct wf_trace *t) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) {
    }
}

// Reads the first bytes, behind the state if there is one: that has the sizes.
static void read_first(struct wf_trace *t, const struct load_first *first) {
    struct wf_lane *lane = wf_trace_lane(t, 0, NULL);
    if (lane && first->state_len)
        (void)wf_session_read_state(wf_lane_session(lane), first->state, first->state_len);
    wf_trace_feed(t, 0, first->bytes, first->len);
    take_items(t);
    wf_trace_end(t);
    take_items(t);
}

static bool judge_frames(struct wf_trace *t, bool more, char text[512]) {
    const struct wf_verdict *verdict = wf_trace_verdict(t);
    if (more && verdict->kind == WF_VERDICT_NO_TRACE) return true;
    if (verdict->kind != WF_VERDICT_GOOD)
        snprintf(text, 512, "%s%s%s", verdict->text, *verdict->sizes ? "; try --sizes=" : "",
                 verdict->sizes);
    return verdict->kind == WF_VERDICT_GOOD || verdict->kind == WF_VERDICT_MALFORMED;
}

// Sets what a trace is by its first bytes, as a file or as a stream. Returns whether it is no
// frames.
static bool find_format(struct wf_trace *t, const struct load_first *first,
                        enum wf_lane_format *format) {
    if (!*format) *format = wf_trace_foreign_format(first->bytes, first->len);
    if (*format > WF_LANE_FRAMES) return true;
    read_first(t, first);
    struct wf_lane *lane = wf_trace_lane(t, 0, NULL);
    *format = lane ? wf_lane_get_format(lane) : WF_LANE_UNKNOWN;
    return *format > WF_LANE_FRAMES;
}

// Options that are kept with the stream, and that another format does not have.
static bool judge_other(const struct wf_session_options *o, enum wf_lane_format format,
                        char text[512]) {
    static const uint8_t none[WF_TYPE_END];
    const char *title = wf_lane_format_title(format);
    if (format == WF_LANE_TEXT) {
        snprintf(text, 512, "holds %s, which cannot be loaded", title);
    } else if (o && (o->version || memcmp(o->bytes, none, sizeof none) != 0)) {
        snprintf(text, 512, "holds %s: --sizes and --qs-version are of frames", title);
    } else if (o && o->hz && format == WF_LANE_SLOTS) {
        snprintf(text, 512, "holds %s, which have their rate: --rate is of other traces", title);
    }
    return !*text;
}

bool load_look(const struct wf_session_options *session, const struct load_first *first,
               enum wf_lane_format *format, char text[512]) {
    const struct wf_trace_options options = {
        .size = sizeof options, .session = session, .format = *format};
    text[0] = 0;
    struct wf_trace *t = wf_trace_open(&options, NULL);
    bool good = false;
    if (!t)
        snprintf(text, 512, "%s", wf_err_text(WF_ERR_NOMEM));
    else if (find_format(t, first, format))
        good = judge_other(session, *format, text);
    else
        good = judge_frames(t, first->more, text);
    wf_trace_close(t);
    return good;
}
