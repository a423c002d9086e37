// SPDX-License-Identifier: MIT
// A trace of any format in pieces of any size: the items of each lane are those of its own reader,
// independent of the other lanes.

#include "wallfly_host/wf_trace.h"

#include <errno.h>

#include "wallfly_host/wf_slot_record.h"
#include "wallfly_host/wf_text_trace.h"
#include "wf_test_slots.h"

enum { LANES = 3 };

static struct stream frames;
static struct trace slots;
static const char lines[] =
    "n 0 task 1 one 3\nn 0 task 2 two 2\np 1000 JR 1\np 2000 JP 1 -t 2\np 2000 JR 2\n"
    "p 2600 JC 2\np 2600 JR 1\np 3000 X\n";

struct input {
    enum wf_lane_format format;
    const uint8_t *bytes;
    size_t len;
};

static struct input input_of(enum wf_lane_format format) {
    switch (format) {
    case WF_LANE_SLOTS: return (struct input){format, slots.bytes, slots.len};
    case WF_LANE_TEXT: return (struct input){format, (const uint8_t *)lines, sizeof lines - 1};
    default: return (struct input){format, frames.bytes, frames.len};
    }
}

static int make_inputs(void **state) {
    (void)state;
    for (unsigned i = 0; i < 40; ++i) {
        char name[16];
        snprintf(name, sizeof name, "object %u", i);
        put_name(&frames, 0x1000 + i, name);
        if (i == 20) frames.seq += 3; // lost
    }
    put_raw(&frames, 0x12); // an end inside a frame
    put_text(&slots, OWN_HEADER("2"));
    for (unsigned i = 1; i < 200; ++i) { // the cores' chunks are not in the order of time
        unsigned core = i / 16 % 2;
        uint32_t tick = 1000 * (i % 16) + 16000 * (i / 32) + 7 * core;
        if (i % 16 == 0 || i == 1) put_time(&slots, core, tick);
        put_slot(&slots, HEAD(core, 6, 1), tick + 1, i, 0);
    }
    return 0;
}

// ---- expected: each reader alone

struct sink {
    struct text text;
    struct wf_writer *writer;
};

static struct wf_writer *open_writer(struct wf_session *s, struct text *text) {
    static const struct wf_writer_options how = {.size = sizeof how, .time = WF_TIME_TICKS};
    *text = (struct text){calloc(1, 1), 0};
    struct wf_writer *w = wf_writer_open(wf_format_find("jsonl"), s, &how, keep_text, text, NULL);
    assert_non_null(w);
    return w;
}

static void take_merged(struct wf_session *s, struct wf_writer *w, const struct input *in) {
    const struct wf_slots_options control = {.size = sizeof control, .with_control = true};
    const struct wf_merge_options options = {
        .size = sizeof options, .slots = &control, .delay_ms = 1000};
    struct wf_slots_item from;
    struct wf_item item;
    struct wf_merge *m = wf_merge_open(&options, NULL);
    wf_merge_feed(m, in->bytes, in->len);
    wf_merge_end(m);
    while (wf_merge_next(m, &from)) {
        if (wf_session_take_slot(s, wf_merge_slots(m), &from, &item)) wf_writer_item(w, &item);
    }
    wf_merge_close(m);
}

static char *want(const struct input *in) {
    struct text text;
    struct wf_item item;
    struct wf_session *s = wf_session_open(NULL, NULL);
    struct wf_writer *w = open_writer(s, &text);
    if (in->format == WF_LANE_TEXT) assert_int_equal(wf_session_take_text(s), WF_OK);
    if (in->format == WF_LANE_SLOTS)
        take_merged(s, w, in);
    else
        wf_session_feed(s, in->bytes, in->len);
    while (wf_session_next(s, &item)) wf_writer_item(w, &item);
    wf_session_end(s);
    while (wf_session_next(s, &item)) wf_writer_item(w, &item);
    assert_int_equal(wf_writer_close(w), WF_OK);
    wf_session_close(s);
    assert_true(text.len > 200);
    return text.bytes;
}

// ---- a trace

static struct wf_trace *open_trace(const struct wf_trace_options *more, struct sink sinks[LANES]) {
    struct wf_trace_options options = {.size = sizeof options};
    struct wf_error error;
    if (more) options = *more;
    struct wf_trace *t = wf_trace_open(&options, &error);
    assert_non_null(t);
    assert_int_equal(error.code, WF_OK);
    for (unsigned i = 0; i < LANES; ++i) {
        struct wf_lane *l = wf_trace_lane(t, i, &error);
        assert_non_null(l);
        assert_int_equal(wf_lane_get_format(l), WF_LANE_UNKNOWN);
        sinks[i].writer = open_writer(wf_lane_session(l), &sinks[i].text);
        wf_lane_set_user(l, &sinks[i]);
    }
    return t;
}

static void drain(struct wf_trace *t) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) {
        struct sink *sink = wf_lane_get_user(item.lane);
        wf_writer_item(sink->writer, &item);
    }
}

// The bytes end at an unreadable page, and are freed after their items are out.
static void feed(struct wf_trace *t, unsigned lane, const uint8_t *bytes, size_t len) {
    struct guarded g = guard(bytes, len);
    assert_int_equal(wf_trace_feed(t, lane, g.bytes, len), WF_OK);
    drain(t);
    unguard(&g);
}

static void close_trace(struct wf_trace *t, struct sink sinks[LANES]) {
    wf_trace_end(t);
    drain(t);
    wf_trace_end(t); // nothing is left
    assert_false(wf_trace_next(t, &(struct wf_item){.kind = WF_ITEM_RECORD}));
    assert_int_equal(wf_trace_error(t, NULL), WF_OK);
    for (unsigned i = 0; i < LANES; ++i) assert_int_equal(wf_writer_close(sinks[i].writer), WF_OK);
    wf_trace_close(t);
}

static void free_texts(struct sink sinks[LANES]) {
    for (unsigned i = 0; i < LANES; ++i) free(sinks[i].text.bytes);
}

// All formats at once, one in each lane, fed in turns of `piece` bytes.
static void lanes_of_all_formats(void **state) {
    (void)state;
    for (size_t piece = 1; piece < 10000; piece = piece * 3 + 1) {
        struct sink sinks[LANES];
        struct wf_trace *t = open_trace(NULL, sinks);
        bool any = true;
        for (size_t at = 0; any; at += piece) {
            any = false;
            for (unsigned lane = 0; lane < LANES; ++lane) {
                struct input in = input_of((enum wf_lane_format)(lane + 1));
                if (at >= in.len) continue;
                any = true;
                feed(t, lane, in.bytes + at, in.len - at < piece ? in.len - at : piece);
            }
        }
        for (unsigned lane = 0; lane < LANES; ++lane) {
            struct wf_lane *l = wf_trace_lane(t, lane, NULL);
            wf_trace_end_lane(t, lane);
            drain(t);
            assert_int_equal(wf_lane_get_format(l), lane + 1);
            assert_int_equal(wf_lane_bytes(l), input_of((enum wf_lane_format)(lane + 1)).len);
            assert_int_equal(wf_lane_get_slots(l) != NULL, lane + 1 == WF_LANE_SLOTS);
        }
        close_trace(t, sinks);
        for (unsigned lane = 0; lane < LANES; ++lane) {
            struct input in = input_of((enum wf_lane_format)(lane + 1));
            char *wanted = want(&in);
            assert_string_equal(sinks[lane].text.bytes, wanted);
            free(wanted);
        }
        free_texts(sinks);
    }
}

// ---- inputs with random access

static size_t piece_most = 777;

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    const struct input *in = ctx;
    if (offset >= in->len) return 0;
    if (len > in->len - offset) len = in->len - (size_t)offset;
    if (len > piece_most) len = piece_most; // always less than requested
    memcpy(buf, in->bytes + offset, len);
    return (int64_t)len;
}

static void whole_inputs(void **state) {
    (void)state;
    for (unsigned format = WF_LANE_FRAMES; format <= WF_LANE_TEXT; ++format) {
        struct input in = input_of((enum wf_lane_format)format);
        struct sink sinks[LANES];
        struct wf_error error;
        struct wf_trace *t = open_trace(NULL, sinks);
        const struct wf_merge_source source = {&in, read_at};
        piece_most = format == WF_LANE_SLOTS ? 10 : 777;
        assert_int_equal(wf_trace_read(t, 1, &source, &error), WF_OK);
        drain(t);
        assert_int_equal(wf_trace_read(t, 1, &source, &error), WF_ERR_USAGE); // only once
        assert_int_equal(wf_trace_feed(t, 1, in.bytes, 1), WF_ERR_USAGE);
        assert_int_equal(wf_lane_get_format(wf_trace_lane(t, 1, NULL)), format);
        close_trace(t, sinks);
        char *wanted = want(&in);
        assert_string_equal(sinks[1].text.bytes, wanted);
        assert_string_equal(sinks[0].text.bytes, sinks[2].text.bytes);
        free(wanted);
        free_texts(sinks);
    }
}

static int64_t read_half(void *ctx, uint64_t offset, void *buf, size_t len) {
    const struct input *in = ctx;
    errno = EIO;
    return offset < in->len / 2 ? read_at(ctx, offset, buf, len) : -1;
}

static void an_input_that_fails(void **state) {
    (void)state;
    struct input in = input_of(WF_LANE_FRAMES);
    struct sink sinks[LANES];
    struct wf_error error;
    struct wf_trace *t = open_trace(NULL, sinks);
    const struct wf_merge_source source = {&in, read_half};
    assert_int_equal(wf_trace_read(t, 0, &source, &error), WF_OK);
    drain(t);
    assert_int_equal(wf_trace_error(t, &error), WF_ERR_READ);
    assert_int_equal(error.place, WF_AT_BYTE);
    assert_in_range(error.at, in.len / 2, in.len / 2 + 777);
    assert_non_null(strstr(error.text, strerror(EIO)));
    for (unsigned i = 0; i < LANES; ++i) wf_writer_close(sinks[i].writer);
    assert_true(sinks[0].text.len > 200); // the readable part was read
    wf_trace_close(t);
    free_texts(sinks);
}

// The rest of the source is dropped.
static void a_lane_ended_early(void **state) {
    (void)state;
    struct input in = input_of(WF_LANE_FRAMES);
    const struct wf_trace_options options = {.size = sizeof options};
    const struct wf_merge_source source = {&in, read_at};
    struct wf_item item;
    struct wf_trace *t = wf_trace_open(&options, NULL);
    struct wf_lane *lane = wf_trace_lane(t, 0, NULL);
    piece_most = 100;
    assert_int_equal(wf_trace_read(t, 0, &source, NULL), WF_OK);
    assert_true(wf_trace_next(t, &item));
    uint64_t bytes = wf_lane_bytes(lane);
    assert_in_range(bytes, 1, in.len - 1);
    wf_trace_end_lane(t, 0);
    while (wf_trace_next(t, &item)) {
    }
    assert_int_equal(wf_lane_bytes(lane), bytes);
    wf_trace_end(t);
    assert_false(wf_trace_next(t, &item));
    assert_int_equal(wf_trace_feed_file(t, in.bytes, in.len), WF_ERR_USAGE);
    wf_trace_close(t);
}

// Slots are read twice, so a read error leaves no items; the error is reported once.
static void slots_that_cannot_be_read(void **state) {
    (void)state;
    struct input in = input_of(WF_LANE_SLOTS);
    struct sink sinks[LANES];
    struct wf_error error;
    struct wf_trace *t = open_trace(NULL, sinks);
    const struct wf_merge_source source = {&in, read_half};
    piece_most = 777;
    assert_int_equal(wf_trace_read(t, 0, &source, &error), WF_ERR_READ);
    assert_non_null(strstr(error.text, strerror(EIO)));
    close_trace(t, sinks);
    assert_string_equal(sinks[0].text.bytes, sinks[1].text.bytes);
    free_texts(sinks);
}

// The end of a trace drops the rest of a source.
static void a_source_that_is_left(void **state) {
    (void)state;
    struct input in = input_of(WF_LANE_FRAMES);
    struct sink sinks[LANES];
    struct wf_item item;
    struct wf_trace *t = open_trace(NULL, sinks);
    const struct wf_merge_source source = {&in, read_at};
    piece_most = 100;
    assert_int_equal(wf_trace_read(t, 0, &source, NULL), WF_OK);
    assert_true(wf_trace_next(t, &item));
    wf_trace_end(t);
    drain(t);
    assert_in_range(wf_lane_bytes(wf_trace_lane(t, 0, NULL)), 1, in.len - 1);
    close_trace(t, sinks);
    free_texts(sinks);
}

static void an_image_without_a_recorder(void **state) {
    (void)state;
    static const uint8_t image[4096];
    struct sink sinks[LANES];
    struct wf_error error;
    struct wf_trace *t = open_trace(NULL, sinks);
    assert_int_equal(wf_trace_read_image(t, 0, image, sizeof image, NULL, 0, &error),
                     WF_ERR_BAD_BOX);
    assert_int_equal(error.place, WF_AT_BYTE);
    assert_true(error.text[0]);
    close_trace(t, sinks);
    free_texts(sinks);
}

// ---- connections

static unsigned count(const char *text, const char *what) {
    unsigned n = 0;
    for (; (text = strstr(text, what)) != NULL; ++text) ++n;
    return n;
}

// The target disconnects in the middle of a frame; the next one sends text lines, and the lane
// keeps this format.
static void connections(void **state) {
    (void)state;
    struct input in = input_of(WF_LANE_FRAMES), text = input_of(WF_LANE_TEXT);
    struct sink sinks[LANES];
    struct wf_trace *t = open_trace(NULL, sinks);
    struct wf_lane *l = wf_trace_lane(t, 0, NULL);
    feed(t, 0, in.bytes, in.len / 2);
    wf_trace_relink(t, 0);
    drain(t);
    assert_int_equal(wf_lane_get_format(l), WF_LANE_UNKNOWN);
    feed(t, 0, in.bytes, in.len);
    wf_trace_relink(t, 0);
    drain(t);
    feed(t, 0, text.bytes, 3); // too few to decide
    wf_trace_relink(t, 0);
    drain(t);
    feed(t, 0, text.bytes, text.len);
    assert_int_equal(wf_lane_get_format(l), WF_LANE_TEXT);
    wf_trace_relink(t, 0);
    drain(t);
    assert_int_equal(wf_lane_get_format(l), WF_LANE_TEXT);
    assert_int_equal(wf_lane_bytes(l), in.len / 2 + in.len + 3 + text.len);
    close_trace(t, sinks);
    assert_int_equal(count(sinks[0].text.bytes, "\"obj_dict\""),
                     40); // repeated ones are not new
    assert_true(count(sinks[0].text.bytes, "\"task_switch\"") >= 3);
    free_texts(sinks);
}

// With raw slots, the next connection may have frames; the ledger of the slots is freed then.
static void slots_and_then_frames(void **state) {
    (void)state;
    const struct wf_trace_options options = {.size = sizeof options, .raw_slots = true};
    struct input in = input_of(WF_LANE_SLOTS), next = input_of(WF_LANE_FRAMES);
    struct sink sinks[LANES];
    struct wf_item item;
    struct wf_trace *t = open_trace(&options, sinks);
    struct wf_lane *l = wf_trace_lane(t, 0, NULL);
    assert_int_equal(wf_trace_feed(t, 0, in.bytes, in.len), WF_OK);
    while (wf_trace_next(t, &item)) assert_int_equal(item.kind, WF_ITEM_SLOT);
    wf_trace_relink(t, 0);
    while (wf_trace_next(t, &item)) assert_int_equal(item.kind, WF_ITEM_SLOT);
    assert_non_null(wf_lane_get_slots(l));
    feed(t, 0, next.bytes, next.len);
    assert_null(wf_lane_get_slots(l));
    assert_int_equal(wf_lane_bytes(l), next.len);
    close_trace(t, sinks);
    assert_int_equal(count(sinks[0].text.bytes, "\"obj_dict\""), 40);
    free_texts(sinks);
}

// Two connections of slots: counts continue, the ledger is of the second one.
static void connections_with_slots(void **state) {
    (void)state;
    for (int raw = 0; raw < 2; ++raw) {
        const struct wf_trace_options options = {
            .size = sizeof options, .as_stored = raw, .raw_slots = raw};
        struct input in = input_of(WF_LANE_SLOTS);
        struct sink sinks[LANES];
        struct wf_item item;
        struct wf_trace *t = open_trace(&options, sinks);
        struct wf_lane *l = wf_trace_lane(t, 0, NULL);
        uint64_t events[2] = {0};
        unsigned headers = 0;
        for (unsigned visit = 0; visit < 2; ++visit) {
            assert_int_equal(wf_trace_feed(t, 0, in.bytes, in.len), WF_OK);
            while (wf_trace_next(t, &item))
                headers += item.kind == WF_ITEM_SLOT && item.slot->kind == WF_SLOTS_HEADER;
            wf_trace_relink(t, 0);
            while (wf_trace_next(t, &item)) assert_int_equal(item.lane == l, true);
            const struct wf_lane_slots *s = wf_lane_get_slots(l);
            assert_non_null(s);
            assert_int_equal(wf_slots_get_ledger(s->slots)->bytes, in.len);
            events[visit] = s->events[0][6] + s->events[1][6];
        }
        assert_int_equal(events[0], 199);
        assert_int_equal(events[1], 398);
        assert_int_equal(headers, raw ? 2 : 0);
        close_trace(t, sinks);
        free_texts(sinks);
    }
}

// ---- wrong use

static void wrong_use(void **state) {
    (void)state;
    const struct wf_session_options old = {.size = sizeof old, .version = 1};
    struct wf_trace_options options = {.size = offsetof(struct wf_trace_options, format)};
    struct wf_error error;
    options.format = WF_LANE_TEXT; // outside of the caller's version of the struct
    struct wf_trace *t = wf_trace_open(&options, &error);
    assert_non_null(t);
    assert_null(wf_trace_lane(t, WF_TRACE_LANES, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    assert_string_equal(error.text, "lane 1024: the highest is 1023");
    struct input in = input_of(WF_LANE_FRAMES);
    assert_int_equal(wf_trace_feed(t, WF_TRACE_LANES - 1, in.bytes, in.len), WF_OK);
    struct wf_item item;
    assert_true(wf_trace_next(t, &item));
    assert_int_equal(item.kind, WF_ITEM_RECORD);
    assert_int_equal(wf_lane_number(item.lane), WF_TRACE_LANES - 1);
    wf_trace_close(t);
    options = (struct wf_trace_options){.size = sizeof options, .session = &old};
    t = wf_trace_open(&options, &error);
    assert_null(wf_trace_lane(t, 0, &error));
    assert_int_equal(error.code, WF_ERR_BAD_VERSION);
    wf_trace_close(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_all_formats),
        cmocka_unit_test(whole_inputs),
        cmocka_unit_test(an_input_that_fails),
        cmocka_unit_test(a_lane_ended_early),
        cmocka_unit_test(slots_that_cannot_be_read),
        cmocka_unit_test(a_source_that_is_left),
        cmocka_unit_test(an_image_without_a_recorder),
        cmocka_unit_test(slots_and_then_frames),
        cmocka_unit_test(connections),
        cmocka_unit_test(connections_with_slots),
        cmocka_unit_test(wrong_use),
    };
    return cmocka_run_group_tests(tests, make_inputs, NULL);
}
