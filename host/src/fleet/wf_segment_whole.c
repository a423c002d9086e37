// SPDX-License-Identifier: MIT
// A whole segment is read as a recording of one lane: it is one when it comes out of a fleet's
// tables, and so all of its rows are those of that recording.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_cursor.h"
#include "wallfly_host/wf_trace.h"
#include "wfi_segment.h"

// ---- how it is read

uint8_t *wf_segment_put_whole(const struct wf_segment_whole *whole, size_t *len) {
    const struct wf_recording_format *f = &whole->format;
    const size_t name = strlen(f->name) + 1;
    uint8_t *bytes = malloc(name + WFI_VARINT_MAX + f->describe_len + whole->state_len), *p = bytes;
    if (!bytes) return NULL;
    memcpy(p, f->name, name);
    p = wfi_put_varint(p + name, f->describe_len);
    if (f->describe_len) memcpy(p, f->describe, f->describe_len);
    p += f->describe_len;
    if (whole->state_len) memcpy(p, whole->state, whole->state_len);
    *len = (size_t)(p - bytes) + whole->state_len;
    return bytes;
}

bool wf_segment_get_whole(const struct wf_segment *segment, struct wf_segment_whole *whole) {
    const uint8_t *end = segment->state + segment->state_len;
    struct wf_segment_whole own;
    if (!whole) whole = &own;
    const uint8_t *name_end =
        wfi_segment_is_whole(segment) ? memchr(segment->state, 0, segment->state_len) : NULL;
    if (!name_end) return false;
    struct wfi_cursor c = {name_end + 1, end, false};
    const uint64_t describe_len = wfi_take_varint(&c);
    if (c.bad || describe_len > (uint64_t)(end - c.p)) return false;
    whole->format.name = (const char *)segment->state;
    whole->format.describe = c.p;
    whole->format.describe_len = (size_t)describe_len;
    whole->state = c.p + describe_len;
    whole->state_len = (size_t)(end - whole->state);
    return true;
}

// ---- reading

static bool feed_trace(void *ctx, const char *bytes, size_t len) {
    return wf_trace_feed_file(ctx, (const uint8_t *)bytes, len) == WF_OK; // copied
}

static int put_all(const struct wf_segment *segment, const struct wf_session_options *session,
                   struct wf_trace *t, struct wf_error *error) {
    const struct wf_recording_head head = {.part = 1};
    struct wf_recording_writer *w = wf_recording_create(&head, feed_trace, t, error);
    if (!w) return error->code;
    int err = wf_segment_put_begin(segment, session, w, 0, 0);
    if (err == WF_OK) err = wf_segment_put(segment, w, 0, 0);
    int end = wf_recording_finish(w);
    return wf_error_code(error, err == WF_OK ? end : err);
}

struct wf_trace *wf_segment_open(const struct wf_segment *segment,
                                 const struct wf_session_options *session, struct wf_error *error) {
    const struct wf_trace_options o = {.size = sizeof o};
    struct wf_error own;
    if (!error) error = &own;
    if (!wf_segment_get_whole(segment, NULL)) {
        wf_error_code(error, WF_ERR_BAD_STATE);
        return NULL;
    }
    struct wf_trace *t = wf_trace_open(&o, error);
    if (t && put_all(segment, session, t, error) == WF_OK && wf_trace_lane(t, 0, error)) {
        wf_trace_end(t);
        return t;
    }
    wf_trace_close(t);
    return NULL;
}

static int check(struct wf_trace *t, struct wf_error *error) {
    if (wf_trace_error(t, error) != WF_OK) return error->code;
    const struct wf_verdict *verdict = wf_trace_verdict(t);
    if (verdict->kind != WF_VERDICT_NO_TRACE) return WF_OK;
    return wf_error_set(error, WF_ERR_BAD_IMPORT, "%s", verdict->text);
}

int wfi_segment_count_whole(struct wf_segment *segment, const struct wf_session_options *session,
                            struct wf_error *error) {
    static const struct wf_ledger none;
    struct wf_trace *t = wf_segment_open(segment, session, error);
    struct wf_item item;
    if (!t) return error->code;
    while (wf_trace_next(t, &item)) wfi_segment_count(segment, &item);
    int err = check(t, error);
    if (err == WF_OK) wfi_segment_close(segment, wf_lane_session(wf_trace_lane(t, 0, NULL)), &none);
    wf_trace_close(t);
    return err;
}
