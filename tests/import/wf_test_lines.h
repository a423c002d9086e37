// SPDX-License-Identifier: MIT
// Shared by the tests of importers of text: an input as the text of its records, read as a file and
// in pieces that end at a page that cannot be read.
#ifndef WF_TEST_LINES_H
#define WF_TEST_LINES_H

#include "wallfly_host/wf_trace.h"
#include "wf_test.h"

static enum wf_lane_format lane_format; // of the input; 0: it is detected

static inline struct wf_trace *open_lines(void) {
    const struct wf_session_options session = {.size = sizeof session,
                                               .dialect = WF_DIALECT_WALLFLY};
    const struct wf_trace_options options = {
        .size = sizeof options, .format = lane_format, .session = &session};
    struct wf_trace *t = wf_trace_open(&options, NULL);
    assert_non_null(t);
    return t;
}

static inline void write_items(struct wf_trace *t, struct wf_writer *w) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) wf_writer_item(w, &item);
}

static inline void feed_lines(struct wf_trace *t, struct wf_writer *w, const char *input,
                              size_t len, size_t piece) {
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        struct guarded g = guard((const uint8_t *)input + at, n);
        wf_trace_feed(t, 0, g.bytes, n);
        write_items(t, w);
        unguard(&g);
    }
    wf_trace_end(t);
    write_items(t, w);
}

// Reads in pieces; 0: as a file. Sets the error of the trace. The caller frees the text.
static inline char *read_lines(const char *input, size_t len, size_t piece,
                               struct wf_error *error) {
    const struct wf_writer_options options = {.size = sizeof options, .time = WF_TIME_TICKS};
    struct text text = {NULL, 0};
    struct wf_trace *t = open_lines();
    struct wf_lane *lane = wf_trace_lane(t, 0, NULL);
    struct wf_session *s = wf_lane_session(lane);
    struct wf_writer *w =
        wf_writer_open(wf_format_find("text"), s, &options, keep_text, &text, NULL);
    struct guarded g = guard((const uint8_t *)input, len);
    struct wf_merge_span span = {g.bytes, len};
    const struct wf_merge_source source = {&span, wf_merge_span_at};
    if (piece) {
        feed_lines(t, w, input, len, piece);
    } else {
        assert_int_equal(wf_trace_read(t, 0, &source, NULL), WF_OK);
        write_items(t, w);
    }
    assert_int_equal(wf_writer_close(w), WF_OK);
    const struct wf_ledger *l = wf_session_ledger(s);
    if (wf_trace_error(t, error) == WF_OK) {
        assert_int_equal(l->bytes, len);
        assert_int_equal(l->bytes, l->bytes_good + l->bytes_idle + l->bytes_bad);
    }
    wf_trace_close(t);
    unguard(&g);
    return text.bytes ? text.bytes : calloc(1, 1);
}

// One blank for several, none at the begin of a line; lines with this word are left out.
static inline void squeeze_lines(char *text, const char *without) {
    char *to = text, *line = text;
    for (char *p = text; *p; ++p) {
        bool blank = *p == ' ' && (to == line || to[-1] == ' ');
        if (!blank) *to++ = *p;
        if (*p != '\n') continue;
        char *end = to, after = *end;
        *end = 0;
        bool drop = without && strstr(line, without);
        *end = after;
        line = to = drop ? line : end;
    }
    *to = 0;
}

// The input has these records, whose names are left out, however it is read.
static inline void expect_lines(const char *input, const char *want) {
    static const size_t pieces[] = {0, 1, 3, 64, 100000};
    for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; ++i) {
        struct wf_error error;
        char *got = read_lines(input, strlen(input), pieces[i], &error);
        assert_int_equal(error.code, WF_OK);
        squeeze_lines(got, "_dict ");
        assert_string_equal(got, want);
        free(got);
    }
}

static inline void expect_failure(const char *input, const char *want) {
    struct wf_error error;
    free(read_lines(input, strlen(input), 0, &error));
    assert_int_equal(error.code, WF_ERR_BAD_IMPORT);
    if (!strstr(error.text, want)) fail_msg("%s", error.text);
}

// The format of bytes that are a whole stream.
static inline enum wf_lane_format detect_lines(const char *input) {
    struct wf_item item;
    struct wf_trace *t = open_lines();
    struct guarded g = guard((const uint8_t *)input, strlen(input));
    wf_trace_feed(t, 0, g.bytes, strlen(input));
    while (wf_trace_next(t, &item)) {
    }
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) {
    }
    enum wf_lane_format format = wf_lane_get_format(wf_trace_lane(t, 0, NULL));
    wf_trace_close(t);
    unguard(&g);
    return format;
}

#endif
