// SPDX-License-Identifier: MIT
// Sinks in one group, with one model, give the same output as each alone: whole traces, traces with
// losses, and time windows that differ from sink to sink.

#include "wallfly_host/wf_sinks.h"
#include "wallfly_host/wf_stats.h"
#include "wallfly_host/wf_timeline.h"
#include "wf_test_model.h"

enum { FORMATS = 4 };
static const char *const formats[FORMATS] = {"jsonl", "vcd", "perfetto", "grasp"};

// Concatenates the parts of a format.
static bool keep_part(void *ctx, unsigned part, const char *name, const char *bytes, size_t len) {
    (void)name;
    (void)part;
    return keep_text(ctx, bytes, len);
}

struct made {
    struct text text[FORMATS];
    struct text rows;     // of the statistics
    unsigned long slices; // of all tracks of the timeline
    uint64_t first, last;
};

static bool no_write(void *ctx, uint64_t at, const void *bytes, size_t len) {
    (void)ctx, (void)at, (void)bytes, (void)len;
    return true;
}
static bool no_read(void *ctx, uint64_t at, void *bytes, size_t len) {
    (void)ctx, (void)at, (void)bytes, (void)len;
    return false;
}

static void keep_rows(struct wf_stats *st, struct text *to) {
    struct wf_stats_row row;
    uint64_t at = 0;
    while (wf_stats_next(st, &at, &row)) {
        char line[512];
        int n = snprintf(line, sizeof line, "%d %s %s %s", row.kind, row.name ? row.name : "-",
                         row.task ? row.task : "-", row.object ? row.object : "-");
        keep_text(to, line, (size_t)n);
        for (unsigned i = 0; i < row.count; ++i) {
            const struct wf_figure *f = &row.figures[i];
            n = snprintf(line, sizeof line, " %s=%.17g/%.17g/%.17g", f->name, f->value, f->count,
                         f->max);
            keep_text(to, line, (size_t)n);
        }
        keep_text(to, "\n", 1);
    }
}

// Runs the sinks in `which` (a bit for each format, then statistics, then timeline), alone or in
// one group.
static void run_sinks(const struct stream *s, unsigned which, bool windows, struct made *made) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    struct wf_session *session = wf_session_open(&options, NULL);
    struct wf_sinks *group = wf_sinks_open(session);
    struct wf_writer *w[FORMATS] = {NULL};
    struct wf_stats *st = NULL;
    struct wf_timeline *t = NULL;
    for (unsigned i = 0; i < FORMATS; ++i) {
        struct wf_filter filter = {.size = sizeof filter,
                                   .has_from = true,
                                   .from_s = 40.0 * i,
                                   .has_until = i & 1,
                                   .until_s = 200};
        memset(filter.id, true, sizeof filter.id);
        struct wf_writer_options how = {.size = sizeof how, .part = keep_part, .sinks = group};
        if (windows) how.filter = &filter;
        if (which >> i & 1)
            w[i] = wf_writer_open(wf_format_find(formats[i]), session, &how, keep_text,
                                  &made->text[i], NULL);
        assert_true(w[i] || !(which >> i & 1));
    }
    struct wf_stats_options so = {
        .size = sizeof so, .sinks = group, .has_from = windows, .from_s = 100};
    struct wf_timeline_options to = {
        .size = sizeof to, .store = {NULL, no_write, no_read}, .sinks = group};
    if (which >> FORMATS & 1) st = wf_stats_open(session, &so, NULL);
    if (which >> (FORMATS + 1) & 1) t = wf_timeline_open(session, &to, NULL);
    wf_session_feed(session, s->bytes, s->len);
    while (wf_session_next(session, &item)) wf_sinks_item(group, &item);
    wf_session_end(session);
    while (wf_session_next(session, &item)) wf_sinks_item(group, &item);
    wf_sinks_end(group);
    if (st) keep_rows(st, &made->rows);
    if (t) {
        struct wf_timeline_span span;
        wf_timeline_extent(t, &span);
        made->first = span.first;
        made->last = span.last;
        for (unsigned i = 0; i < wf_timeline_tracks(t); ++i)
            made->slices += wf_timeline_range(t, i, 0, UINT64_MAX, 1, NULL, 0);
    }
    for (unsigned i = 0; i < FORMATS; ++i) {
        if (w[i]) assert_int_equal(wf_writer_close(w[i]), WF_OK);
    }
    wf_stats_close(st);
    wf_timeline_close(t);
    wf_sinks_close(group);
    wf_session_close(session);
}

static void compare(const struct stream *s, bool windows) {
    struct made alone = {0}, all = {0};
    for (unsigned i = 0; i < FORMATS + 2; ++i) run_sinks(s, 1u << i, windows, &alone);
    run_sinks(s, (1u << (FORMATS + 2)) - 1, windows, &all);
    for (unsigned i = 0; i < FORMATS; ++i) {
        assert_true(alone.text[i].len > 100);
        assert_int_equal(alone.text[i].len, all.text[i].len);
        assert_memory_equal(alone.text[i].bytes, all.text[i].bytes, all.text[i].len);
        free(alone.text[i].bytes);
        free(all.text[i].bytes);
    }
    assert_true(alone.rows.len > 100);
    assert_string_equal(alone.rows.bytes, all.rows.bytes);
    assert_int_equal(alone.slices, all.slices);
    assert_int_equal(alone.first, all.first);
    assert_int_equal(alone.last, all.last);
    free(alone.rows.bytes);
    free(all.rows.bytes);
}

// Tasks, a mutex, a queue, an interrupt, a span and a counter; with `holes`, some frames are
// missing or damaged.
static void put_trace(struct bench *b, bool holes) {
    enum { M = 0x100, Q = 0x200 };
    const uint32_t tasks[] = {A, B, C};
    uint32_t random = 1;
    for (unsigned i = 0; i < 3; ++i) {
        PUT(b, "task_create", tasks[i], i + 1);
        put_name(&b->stream, tasks[i], i == 0 ? "first" : i == 1 ? "second" : "third");
    }
    PUT(b, "queue_create", Q, 4);
    for (unsigned i = 0; i < 400; ++i) {
        random = random * 1664525 + 1013904223;
        uint32_t task = tasks[random >> 20 & 1], other = tasks[1 + (random >> 21 & 1)];
        size_t before = b->stream.len;
        switch (random >> 24 & 7) {
        case 0: PUT(b, "task_ready", task, 0); break;
        case 1: PUT(b, "task_switch", task, BLOCKED, 0); break;
        case 2: PUT(b, "task_switch", other, PREEMPTED, 0); break;
        case 3: PUT(b, "mutex_wait", M, task); break;
        case 4: PUT(b, "mutex_take", M, task, 1); break;
        case 5: PUT(b, "mutex_give", M, task, 1); break;
        case 6:
            PUT(b, "irq_enter", 5, 1, 0);
            PUT(b, "irq_exit", 5, 1, 0);
            break;
        default: PUT(b, "counter", 0x78, i); break;
        }
        if (holes && i % 50 == 49) b->stream.bytes[before + 3] ^= 1;
        if (holes && i % 90 == 89) ++b->stream.seq;
    }
}

static void sinks_share_a_model(void **state) {
    (void)state;
    for (unsigned holes = 0; holes < 2; ++holes) {
        struct bench *b = open_bench();
        put_trace(b, holes != 0);
        compare(&b->stream, false);
        compare(&b->stream, true);
        close_bench(b);
    }
}

// A sink that has left its group gets no more items; the others continue.
static void a_sink_may_leave(void **state) {
    (void)state;
    struct bench *b = open_bench();
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    put_trace(b, false);
    struct wf_session *session = wf_session_open(&options, NULL);
    struct wf_sinks *group = wf_sinks_open(session);
    const struct wf_stats_options so = {.size = sizeof so, .sinks = group};
    struct wf_stats *st = wf_stats_open(session, &so, NULL);
    struct wf_stats *gone = wf_stats_open(session, &so, NULL);
    wf_session_feed(session, b->stream.bytes, b->stream.len);
    for (unsigned i = 0; wf_session_next(session, &item); ++i) {
        if (i == 5) wf_stats_close(gone);
        wf_sinks_item(group, &item);
    }
    wf_stats_end(st);
    struct text rows = {NULL, 0};
    struct made alone = {0};
    keep_rows(st, &rows);
    run_sinks(&b->stream, 1u << FORMATS, false, &alone);
    assert_string_equal(rows.bytes, alone.rows.bytes);
    free(rows.bytes);
    free(alone.rows.bytes);
    wf_stats_close(st);
    wf_sinks_close(group);
    wf_session_close(session);
    close_bench(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinks_share_a_model),
        cmocka_unit_test(a_sink_may_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
