// SPDX-License-Identifier: MIT
// Readings of parts of a trace: rows of a file, rows and bytes of a live source of which only the
// newest are kept, and whole readings.

#include "wallfly_server/replay.h"

#include "wallfly_server/page_query.h"
#include "wf_test.h"

enum { FRAMES = 20000, USER = 100 };

static struct stream s;
static uint64_t offsets[FRAMES + 2]; // of each row's frame, by its number

// Records with stamps of 4 bytes, each with the number of its row.
static void make_frames(void) {
    static uint8_t whole[FRAMES * 16];
    size_t len = 0;
    s.seq = 255;
    for (uint32_t row = 1; row <= FRAMES; ++row) {
        uint8_t p[9] = {0};
        for (int i = 0; i < 4; ++i) {
            p[i] = (uint8_t)(row >> 8 * i);
            p[5 + i] = (uint8_t)(row >> 8 * i);
        }
        p[4] = 0x06; // u32
        s.len = 0;
        put_frame(&s, USER, p, sizeof p);
        offsets[row] = len;
        assert_true(len + s.len <= sizeof whole);
        memcpy(whole + len, s.bytes, s.len);
        len += s.len;
    }
    offsets[FRAMES + 1] = len;
    FILE *f = fopen("replay.bin", "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(whole, 1, len, f), len);
    fclose(f);
}

static struct replay *first_reading(const struct replay_options *o, struct wf_session *session) {
    static uint8_t block[1000];
    struct wf_error error = {.text = ""};
    struct wf_item item;
    FILE *f = fopen("replay.bin", "rb");
    struct replay *r = replay_open(o, &error);
    assert_non_null(f);
    if (!r) fail_msg("%s", error.text);
    for (size_t n; (n = fread(block, 1, sizeof block, f)) != 0;) {
        if (o->spool) assert_true(replay_take(r, block, n));
        wf_session_feed(session, block, n);
        while (wf_session_next(session, &item)) replay_item(r, session, &item, 0, 0);
    }
    fclose(f);
    assert_int_equal(replay_rows(r), FRAMES);
    return r;
}

struct rows {
    uint64_t first, next, most;
    bool ended;
};

static bool take_row(void *ctx, struct wf_session *session, const struct wf_item *item,
                     uint64_t number) {
    struct rows *rows = ctx;
    (void)session;
    assert_int_equal(item->kind, WF_ITEM_RECORD);
    assert_false(rows->ended);
    assert_int_equal(item->record.tick, number);
    if (!rows->first) rows->first = rows->next = number;
    assert_int_equal(number, rows->next++);
    return rows->next - rows->first < rows->most;
}

static void end_rows(void *ctx) { ((struct rows *)ctx)->ended = true; }

static bool cancel(void *ctx, uint64_t done, uint64_t of) {
    (void)ctx;
    assert_true(done <= of);
    return false;
}

static struct rows read_rows(struct replay *r, uint64_t row, uint64_t most, int wanted) {
    struct rows rows = {.most = most};
    const struct replay_reading on = {.ctx = &rows, .item = take_row, .end = end_rows};
    struct wf_error error = {.text = ""};
    assert_int_equal(replay_run(r, row, &on, &error), wanted);
    assert_int_equal(rows.ended, rows.first != 0);
    assert_int_equal(*error.text != 0, wanted != WF_OK);
    return rows;
}

static const struct wf_session_options with_time = {.size = sizeof with_time,
                                                    .dialect = WF_DIALECT_WALLFLY};

static struct wf_session *open_session(void) {
    struct wf_session *session = wf_session_open(&with_time, NULL);
    assert_non_null(session);
    return session;
}

struct names {
    unsigned at_begin, later;
};

static void use_names(void *ctx, struct wf_session *session, bool begin) {
    struct names *names = ctx;
    assert_non_null(session);
    ++*(begin ? &names->at_begin : &names->later);
}

static void any_row_of_a_file(void **state) {
    struct names names = {0};
    const struct replay_options o = {
        .file = "replay.bin", .session = with_time, .ctx = &names, .names = use_names};
    struct wf_session *session = open_session();
    struct replay *r = first_reading(&o, session);
    uint8_t bytes[64];
    (void)state;
    assert_int_equal(replay_gone(r), 0);
    for (uint64_t row = 1; row <= FRAMES; row += 1777) {
        struct rows rows = read_rows(r, row, 3000, WF_OK);
        assert_true(rows.first <= row && row < rows.next);
        assert_int_equal(rows.first, replay_start(r, row));
        assert_true(row - rows.first <= 2048); // a place is near
        assert_true(replay_near(r, row) <= row);
    }
    assert_int_equal(names.at_begin, 2); // rows 1 and 1778
    assert_int_equal(names.later, FRAMES / 1777 - 1);
    size_t len = replay_raw(r, 7000, offsets[7000], bytes, sizeof bytes);
    assert_int_equal(len, sizeof bytes);
    assert_int_equal(bytes[0], 6999 % 256);
    const struct replay_reading on = {.ctx = &(struct rows){.most = FRAMES},
                                      .item = take_row,
                                      .end = end_rows,
                                      .progress = {.report = cancel}};
    struct wf_error error = {.text = ""};
    assert_int_equal(replay_run(r, REPLAY_ALL, &on, &error), WF_ERR_STOPPED);
    replay_close(r);
    wf_session_close(session);
}

static void a_live_source_keeps_the_newest(void **state) {
    const uint64_t keep = 100000;
    const struct replay_options o = {.session = with_time, .spool = keep};
    struct wf_session *session = open_session();
    struct replay *r = first_reading(&o, session);
    uint64_t gone = replay_gone(r);
    uint8_t bytes[64];
    (void)state;
    assert_true(offsets[FRAMES + 1] > 2 * keep);
    assert_true(gone > 0 && offsets[gone + 1] >= offsets[FRAMES + 1] - keep);
    assert_true(offsets[gone + 1] <= offsets[FRAMES + 1] - keep + 2 * 2048 * 16);
    struct rows rows = read_rows(r, FRAMES, FRAMES, WF_OK);
    assert_int_equal(rows.next, FRAMES + 1);
    rows = read_rows(r, gone, FRAMES, WF_ERR_READ);
    assert_int_equal(rows.first, 0);
    rows = read_rows(r, gone + 1, FRAMES, WF_OK);
    assert_int_equal(rows.first, gone + 1);
    assert_int_equal(rows.next, FRAMES + 1);
    assert_int_equal(replay_raw(r, 1, 0, bytes, sizeof bytes), 0);
    replay_close(r);
    wf_session_close(session);
}

// ---- whole readings

struct whole {
    int result;
    unsigned readings;
    const struct rows *rows;
};

static int read_whole(void *ctx, const char *kept, const struct wf_session *known,
                      const struct replay_taker *taker) {
    struct whole *whole = ctx;
    struct wf_session *session = open_session();
    struct wf_item item;
    bool more = true;
    assert_null(kept);
    assert_non_null(known);
    ++whole->readings;
    s.len = 0;
    s.seq = 255;
    for (uint32_t row = 1; row <= 5; ++row) {
        uint8_t p[9] = {(uint8_t)row, 0, 0, 0, 0x06};
        put_frame(&s, USER, p, sizeof p);
    }
    wf_session_feed(session, s.bytes, s.len);
    while (more && wf_session_next(session, &item)) more = taker->item(taker->ctx, session, &item);
    assert_false(whole->rows->ended);
    taker->end(taker->ctx);
    assert_true(whole->rows->ended); // before the session is closed
    wf_session_close(session);
    return whole->result;
}

static void a_memory_image_is_read_from_its_beginning(void **state) {
    struct rows rows = {.most = 3};
    struct whole whole = {.rows = &rows};
    const struct replay_options o = {.file = "replay.bin",
                                     .image = true,
                                     .session = with_time,
                                     .ctx = &whole,
                                     .read = read_whole};
    const struct replay_reading on = {.ctx = &rows, .item = take_row, .end = end_rows};
    struct wf_session *session = open_session();
    struct replay *r = first_reading(&o, session);
    struct wf_error error = {.text = ""};
    uint8_t bytes[8];
    (void)state;
    assert_int_equal(replay_run(r, 4000, &on, &error), WF_OK);
    assert_int_equal(rows.first, 1);
    assert_int_equal(rows.next, 4);
    rows = (struct rows){.most = 9};
    whole.result = WF_ERR_READ;
    assert_int_equal(replay_run(r, 4000, &on, &error), WF_ERR_READ);
    assert_true(*error.text);
    assert_int_equal(whole.readings, 2);
    assert_int_equal(replay_raw(r, 1, 0, bytes, sizeof bytes), 0);
    replay_close(r);
    wf_session_close(session);
}

// ---- numbers of queries

static void numbers_of_queries(void **state) {
    const struct page_query_context a = {.t0 = 1000};
    cJSON *ask = cJSON_Parse("{\"a\":7,\"b\":\"7\",\"c\":1e300,\"from\":-2000,\"until\":50}");
    uint64_t from, until;
    int64_t value;
    struct wf_error error = {.text = ""};
    (void)state;
    assert_true(page_query_number(ask, "a", 0, 9, &value, &error));
    assert_int_equal(value, 7);
    const char *const bad[] = {"b", "c", "d"};
    for (unsigned i = 0; i < 3; ++i) {
        assert_false(page_query_number(ask, bad[i], 0, 9, &value, &error));
        assert_non_null(strstr(error.text, bad[i]));
    }
    assert_true(page_query_window(&a, ask, &from, &until, &error));
    assert_int_equal(from, 0); // before the target's tick 0
    assert_int_equal(until, 1050);
    assert_int_equal(page_query_tick(&(struct page_query_context){.t0 = UINT64_MAX}, 1),
                     UINT64_MAX);
    assert_true(page_query_time(&a, 400) == -600);
    cJSON_ReplaceItemInObject(ask, "until", cJSON_CreateNumber(-2001));
    assert_false(
        page_query_window(&(struct page_query_context){.t0 = 10000}, ask, &from, &until, &error));
    assert_non_null(strstr(error.text, "until"));
    cJSON_Delete(ask);
}

static int make(void **state) {
    (void)state;
    make_frames();
    return 0;
}

static int clean(void **state) {
    (void)state;
    return unlink("replay.bin");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_row_of_a_file),
        cmocka_unit_test(a_live_source_keeps_the_newest),
        cmocka_unit_test(a_memory_image_is_read_from_its_beginning),
        cmocka_unit_test(numbers_of_queries),
    };
    return cmocka_run_group_tests(tests, make, clean);
}
