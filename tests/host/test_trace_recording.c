// SPDX-License-Identifier: MIT
// Recordings and other files through a trace: lanes, connections and commands as they were
// recorded, in pieces of any length.

#include "wallfly_host/wf_recording.h"
#include "wallfly_host/wf_trace.h"

#include <inttypes.h>

#include "wf_test.h"

enum { FRAMES = 0, OTHER = 5 }; // lanes

static struct stream frames, few;

static void make_frames(void) {
    for (unsigned i = 0; i < 60; ++i) {
        char name[16];
        snprintf(name, sizeof name, "object %u", i);
        put_name(&frames, 0x1000 + i, name);
        if (i == 20) frames.seq += 3; // lost
        if (i < 7) put_name(&few, 0x2000 + i, name);
    }
}

static void put_chunk(struct wf_recording_writer *w, enum wf_chunk_kind kind, unsigned lane,
                      uint64_t time_us, const void *bytes, size_t len) {
    const struct wf_chunk c = {
        .kind = kind, .lane = lane, .time_us = time_us, .bytes = bytes, .len = len};
    assert_int_equal(wf_recording_put(w, &c), WF_OK);
}
#define PUT_TEXT(w, kind, lane, time, text)                                                        \
    put_chunk(w, WF_CHUNK_##kind, lane, time, text, sizeof(text) - 1)

// Two connections on one lane, the second without an end, and one without an end on another lane.
static struct text make_recording(void) {
    static const struct wf_recording_head head = {.start_ns = 5, .part = 1, .tool = "test"};
    struct text file = {NULL, 0};
    size_t half = frames.len / 2;
    struct wf_recording_writer *w = wf_recording_create(&head, keep_text, &file, NULL);
    PUT_TEXT(w, UP, FRAMES, 10, "first");
    put_chunk(w, WF_CHUNK_BYTES, FRAMES, 20, frames.bytes, half);
    PUT_TEXT(w, UP, OTHER, 25, "other");
    put_chunk(w, WF_CHUNK_BYTES, OTHER, 26, few.bytes, few.len);
    PUT_TEXT(w, SENT, FRAMES, 30, "\x01");
    PUT_TEXT(w, DOWN, FRAMES, 40, "why");
    wf_recording_flush(w);
    PUT_TEXT(w, UP, FRAMES, 50, "second");
    put_chunk(w, WF_CHUNK_BYTES, FRAMES, 60, frames.bytes + half, frames.len - half);
    assert_int_equal(wf_recording_finish(w), WF_OK);
    return file;
}

// ---- output: a line for each chunk, and one for the records between two of them

struct seen {
    char text[2000];
    unsigned records, lane;
};

static void end_records(struct seen *s) {
    size_t n = strlen(s->text);
    if (s->records)
        snprintf(s->text + n, sizeof s->text - n, "%u: %u records\n", s->lane, s->records);
    s->records = 0;
}

static void see(struct seen *s, const struct wf_item *item) {
    static const char *const kinds[] = {"block",  "bytes", "up",   "down",   "sent", "state",
                                        "format", "place", "lost", "damage", "cut",  "newer"};
    unsigned lane = item->lane ? wf_lane_number(item->lane) : 99;
    if (item->kind != WF_ITEM_CHUNK) {
        if (lane != s->lane) end_records(s);
        s->lane = lane;
        s->records += item->kind == WF_ITEM_RECORD;
        return;
    }
    end_records(s);
    const struct wf_chunk *c = item->chunk;
    size_t n = strlen(s->text);
    if (c->kind == WF_CHUNK_SENT)
        snprintf(s->text + n, sizeof s->text - n, "%u: sent %u at %" PRIu64 "\n", lane, c->bytes[0],
                 c->time_us);
    else if (c->kind >= WF_CHUNK_DAMAGE)
        snprintf(s->text + n, sizeof s->text - n, "%s\n", kinds[c->kind]);
    else
        snprintf(s->text + n, sizeof s->text - n, "%u: %s %.*s at %" PRIu64 "\n", lane,
                 kinds[c->kind], (int)c->len, (const char *)c->bytes, c->time_us);
}

static void drain(struct wf_trace *t, struct seen *s) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) see(s, &item);
}

static struct wf_trace *open_trace(bool one_lane, unsigned lane) {
    const struct wf_trace_options options = {
        .size = sizeof options, .one_lane = one_lane, .lane = lane};
    struct wf_trace *t = wf_trace_open(&options, NULL);
    assert_non_null(t);
    return t;
}

static void feed_pieces(struct wf_trace *t, struct seen *s, const void *bytes, size_t len,
                        size_t piece) {
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        struct guarded g = guard((const uint8_t *)bytes + at, n);
        assert_int_equal(wf_trace_feed_file(t, g.bytes, n), WF_OK);
        drain(t, s);
        unguard(&g);
    }
}

static void end_trace(struct wf_trace *t, struct seen *s) {
    wf_trace_end(t);
    drain(t, s);
    end_records(s);
    wf_trace_end(t); // nothing is left
    drain(t, s);
    assert_int_equal(wf_trace_error(t, NULL), WF_OK);
}

static const char whole[] = "0: up first at 10\n"
                            "0: 30 records\n"
                            "5: up other at 25\n"
                            "5: 7 records\n"
                            "0: sent 1 at 30\n"
                            "0: down why at 40\n"
                            "0: up second at 50\n"
                            "0: 29 records\n"
                            "0: down the recording ends at 60\n"
                            "5: down the recording ends at 26\n";

// missing: includes a frame cut by the end of a connection.
static void check_names(struct wf_trace *t, unsigned missing) {
    struct wf_error error;
    struct wf_session *s = wf_lane_session(wf_trace_lane(t, FRAMES, &error));
    assert_string_equal(wf_session_name(s, WF_EFFECT_NAME_OBJECT, 0x1000, 0), "object 0");
    assert_string_equal(wf_session_name(s, WF_EFFECT_NAME_OBJECT, 0x1000 + 59, 0), "object 59");
    assert_int_equal(wf_session_ledger(s)->bytes, frames.len);
    assert_int_equal(wf_session_ledger(s)->missing, missing);
}

static void in_pieces(void **state) {
    (void)state;
    struct text file = make_recording();
    for (size_t piece = 1; piece < 2 * file.len; piece = piece * 3 + 1) {
        struct seen s = {.lane = 99};
        struct wf_trace *t = open_trace(false, 0);
        assert_null(wf_trace_recording(t));
        feed_pieces(t, &s, file.bytes, file.len, piece);
        end_trace(t, &s);
        assert_string_equal(s.text, whole);
        assert_true(wf_trace_recording(t)->complete);
        assert_int_equal(wf_trace_recording(t)->head.start_ns, 5);
        check_names(t, 4);
        wf_trace_close(t);
    }
    free(file.bytes);
}

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    const struct text *file = ctx;
    if (offset >= file->len) return 0;
    if (len > file->len - offset) len = file->len - (size_t)offset;
    if (len > 100) len = 100;
    memcpy(buf, file->bytes + offset, len);
    return (int64_t)len;
}

static void from_a_source(void **state) {
    (void)state;
    struct text file = make_recording();
    const struct wf_merge_source source = {&file, read_at};
    struct wf_error error;
    struct seen s = {.lane = 99};
    struct wf_trace *t = open_trace(false, 0);
    assert_int_equal(wf_trace_read(t, 0, &source, &error), WF_OK);
    assert_int_equal(wf_trace_read(t, 0, &source, &error), WF_ERR_USAGE); // only one at a time
    drain(t, &s);
    end_trace(t, &s);
    assert_string_equal(s.text, whole);
    check_names(t, 4);
    wf_trace_close(t);

    // Ended early, it gives only the records that were read.
    t = open_trace(false, 0);
    s = (struct seen){.lane = 99};
    assert_int_equal(wf_trace_read(t, 0, &source, &error), WF_OK);
    for (unsigned i = 0; i < 3; ++i) {
        struct wf_item item;
        assert_true(wf_trace_next(t, &item));
        see(&s, &item);
    }
    end_trace(t, &s);
    assert_string_equal(s.text, "0: up first at 10\n0: 30 records\n");
    wf_trace_close(t);
    free(file.bytes);
}

static void one_lane(void **state) {
    (void)state;
    struct text file = make_recording();
    struct seen s = {.lane = 99};
    struct wf_trace *t = open_trace(true, OTHER);
    feed_pieces(t, &s, file.bytes, file.len, 50);
    end_trace(t, &s);
    assert_string_equal(s.text,
                        "5: up other at 25\n5: 7 records\n5: down the recording ends at 26\n");
    wf_trace_close(t);
    free(file.bytes);
}

// The first block is damaged: its contents are lost, and the loss is counted where its lanes
// continue.
static void damaged(void **state) {
    (void)state;
    struct text file = make_recording();
    struct seen s = {.lane = 99};
    struct wf_trace *t = open_trace(false, 0);
    file.bytes[100] ^= 1;
    file.len -= 40; // the index is truncated too
    feed_pieces(t, &s, file.bytes, file.len, 64);
    end_trace(t, &s);
    assert_memory_equal(s.text, "damage\n", 7);
    assert_non_null(strstr(s.text, "cut\n"));
    assert_non_null(strstr(s.text, "0: up second at 50\n"));
    assert_non_null(strstr(s.text, "5: up other at"));
    struct wf_session *session = wf_lane_session(wf_trace_lane(t, FRAMES, NULL));
    assert_int_equal(wf_session_ledger(session)->bytes_lost, frames.len / 2);
    wf_trace_close(t);
    free(file.bytes);
}

// Bytes of a lane whose connection begin is not in the file; an end without a begin.
static void connections_that_do_not_pair(void **state) {
    (void)state;
    static const struct wf_recording_head head = {.part = 1};
    struct text file = {NULL, 0};
    struct seen s = {.lane = 99};
    struct wf_recording_writer *w = wf_recording_create(&head, keep_text, &file, NULL);
    PUT_TEXT(w, SENT, OTHER, 1, "\x01"); // no connection
    put_chunk(w, WF_CHUNK_BYTES, OTHER, 2, few.bytes, few.len);
    PUT_TEXT(w, UP, OTHER, 3, "again");
    PUT_TEXT(w, DOWN, OTHER, 4, "");
    PUT_TEXT(w, DOWN, OTHER, 5, "");
    assert_int_equal(wf_recording_finish(w), WF_OK);
    struct wf_trace *t = open_trace(false, 0);
    feed_pieces(t, &s, file.bytes, file.len, file.len);
    end_trace(t, &s);
    assert_string_equal(s.text,
                        "5: up unknown at 2\n5: 7 records\n5: down  at 2\n5: up again at 3\n"
                        "5: down  at 4\n");
    wf_trace_close(t);
    free(file.bytes);
}

// The bytes are items too, in pieces, each before it is decoded.
static void bytes_as_items(void **state) {
    (void)state;
    enum { PIECE = 100 };
    const struct wf_trace_options options = {.size = sizeof options, .chunk_bytes = PIECE};
    struct text file = make_recording();
    struct seen s = {.lane = 99};
    struct wf_item item;
    size_t at = 0, pieces = 0;
    struct wf_trace *t = wf_trace_open(&options, NULL);
    assert_non_null(t);
    assert_int_equal(wf_trace_feed_file(t, (const uint8_t *)file.bytes, file.len), WF_OK);
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) {
        const struct wf_chunk *c = item.chunk;
        if (item.kind != WF_ITEM_CHUNK || c->kind != WF_CHUNK_BYTES) {
            see(&s, &item);
            continue;
        }
        assert_in_range(c->len, 1, PIECE);
        if (c->lane != FRAMES) continue;
        assert_int_equal(c->offset, at);
        assert_int_equal(wf_session_ledger(wf_lane_session(item.lane))->bytes, at);
        assert_memory_equal(c->bytes, frames.bytes + at, c->len);
        at += c->len;
        ++pieces;
    }
    end_records(&s);
    assert_int_equal(at, frames.len);
    assert_in_range(pieces, frames.len / PIECE, frames.len / PIECE + 2);
    assert_string_equal(s.text, whole);
    check_names(t, 4);
    wf_trace_close(t);
    free(file.bytes);
}

static void newer_version(void **state) {
    (void)state;
    enum { VERSION_AT = WF_RECORDING_MAGIC_LEN };
    struct text file = make_recording();
    struct seen s = {.lane = 99};
    char text[512];
    assert_int_equal(file.bytes[VERSION_AT], WF_RECORDING_VERSION);
    file.bytes[VERSION_AT] = WF_RECORDING_VERSION + 1;
    struct wf_trace *t = open_trace(false, 0);
    feed_pieces(t, &s, file.bytes, file.len, 1000);
    end_trace(t, &s);
    assert_memory_equal(s.text, "newer\n", 6);
    assert_string_equal(s.text + 6, whole);
    const struct wf_chunk c = {.kind = WF_CHUNK_NEWER};
    wf_chunk_text(&c, wf_trace_recording(t), "a.wfr", text);
    assert_string_equal(
        text, "a.wfr: is of format 2, newer than this program; it may not know all of it");
    wf_trace_close(t);
    free(file.bytes);
}

// Other files are read as lane 0, even if they begin like a recording or are empty.
static void other_files(void **state) {
    (void)state;
    struct text file = make_recording();
    for (size_t piece = 1; piece < 5000; piece = piece * 3 + 1) {
        struct seen s = {.lane = 99};
        struct wf_trace *t = open_trace(false, 0);
        feed_pieces(t, &s, frames.bytes, frames.len, piece);
        end_trace(t, &s);
        assert_string_equal(s.text, "0: 60 records\n");
        check_names(t, 3);
        wf_trace_close(t);
    }
    for (size_t len = 0; len < WF_RECORDING_MAGIC_LEN; ++len) {
        struct seen s = {.lane = 99};
        struct wf_trace *t = open_trace(false, 0);
        if (len) feed_pieces(t, &s, file.bytes, len, 3);
        end_trace(t, &s);
        assert_null(wf_trace_recording(t));
        struct wf_lane *l = wf_trace_lane(t, 0, NULL);
        assert_int_equal(wf_lane_bytes(l), len);
        assert_int_equal(wf_session_ledger(wf_lane_session(l))->bytes_bad, len);
        wf_trace_close(t);
    }
    free(file.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_pieces),
        cmocka_unit_test(from_a_source),
        cmocka_unit_test(one_lane),
        cmocka_unit_test(damaged),
        cmocka_unit_test(connections_that_do_not_pair),
        cmocka_unit_test(bytes_as_items),
        cmocka_unit_test(newer_version),
        cmocka_unit_test(other_files),
    };
    make_frames();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
