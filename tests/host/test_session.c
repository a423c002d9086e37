// SPDX-License-Identifier: MIT
// The session in our own dialect: losses and their kinds, time to 64 bits, target infos, names
// without limits, callbacks, and guessed sizes.

#include "wf_test.h"

static struct stream s;

static void fresh(void) { memset(&s, 0, sizeof s); }

struct seen {
    unsigned records, losses;
    struct wf_loss loss[16];
    uint64_t tick[64];
    bool back[64];
    struct wf_ledger ledger;
    struct wf_target target;
    unsigned stop_after;
};

static bool on_record(void *ctx, const struct wf_item *item) {
    struct seen *seen = ctx;
    if (seen->records < 64) {
        seen->tick[seen->records] = item->record.tick;
        seen->back[seen->records] = item->record.back;
    }
    return ++seen->records != seen->stop_after;
}

static bool on_loss(void *ctx, const struct wf_item *item) {
    struct seen *seen = ctx;
    if (seen->losses < 16) seen->loss[seen->losses] = item->loss;
    ++seen->losses;
    return true;
}

static struct seen run_with(struct wf_session_options options) {
    options.size = sizeof options;
    struct seen seen = {0};
    struct wf_session_handlers on = {&seen, on_record, NULL, on_loss};
    struct wf_session *session = wf_session_open(&options, NULL);
    assert_int_equal(wf_session_run(session, s.bytes, s.len, &on), WF_OK);
    assert_int_equal(wf_session_run_end(session, &on), WF_OK);
    seen.ledger = *wf_session_ledger(session);
    seen.target = *wf_session_target(session);
    wf_session_close(session);
    return seen;
}

static struct seen run(void) {
    return run_with((struct wf_session_options){.dialect = WF_DIALECT_WALLFLY});
}

static void tick_at(uint8_t seq, uint32_t time) {
    uint8_t p[5] = {(uint8_t)time, (uint8_t)(time >> 8), (uint8_t)(time >> 16),
                    (uint8_t)(time >> 24), 1};
    put_frame_seq(&s, seq, 39, p, 5);
}

static void a_gap_is_a_hole_that_may_be_longer(void **state) {
    (void)state;
    fresh();
    tick_at(1, 10);
    tick_at(5, 20);
    struct seen seen = run();
    assert_int_equal(seen.losses, 1);
    assert_int_equal(seen.loss[0].kind, WF_LOSS_HOLE);
    assert_int_equal(seen.loss[0].records, 3);
    assert_false(seen.loss[0].exact);
    assert_int_equal(seen.loss[0].tick_before, 10);
    assert_int_equal(seen.ledger.missing, 3);
    assert_false(seen.ledger.exact);
}

static void a_late_record_is_not_missing(void **state) {
    static const uint8_t order[] = {1, 2, 4, 3, 5};
    (void)state;
    fresh();
    for (unsigned i = 0; i < sizeof order; ++i) tick_at(order[i], order[i] * 10u);
    struct seen seen = run();
    assert_int_equal(seen.records, 5);
    assert_int_equal(seen.ledger.missing, 0);
    assert_int_equal(seen.ledger.late, 1);
    assert_int_equal(seen.loss[1].kind, WF_LOSS_LATE);
    assert_int_equal(seen.tick[3], 30);
}

static void sync_at_tick(uint8_t seq, uint16_t tick) {
    uint8_t p[51] = {seq, [8] = (uint8_t)tick, (uint8_t)(tick >> 8)}; // default sizes
    p[46] = p[48] = 0x22;
    p[47] = 0x41;
    p[49] = 0x44;
    p[50] = 0x04;
    put_frame_seq(&s, seq, 82, p, sizeof p);
}

static void sync_at(uint8_t seq) { sync_at_tick(seq, 0); }

// The record already counts as missing; the loss of 6 is still reported.
static void a_late_record_from_before_a_sync_counts_for_nothing(void **state) {
    (void)state;
    fresh();
    tick_at(1, 10);
    sync_at(2);
    tick_at(3, 30);
    sync_at(5);
    tick_at(4, 40);
    sync_at(7);
    struct seen seen = run();
    assert_int_equal(seen.losses, 3);
    assert_int_equal(seen.loss[0].records, 1);
    assert_int_equal(seen.loss[1].kind, WF_LOSS_LATE);
    assert_int_equal(seen.loss[2].kind, WF_LOSS_HOLE);
    assert_int_equal(seen.loss[2].records, 1);
    assert_int_equal(seen.ledger.missing, 1);
}

static void a_repeated_record_is_left_out(void **state) {
    (void)state;
    fresh();
    tick_at(1, 10);
    tick_at(2, 20);
    tick_at(2, 20);
    tick_at(3, 30);
    struct seen seen = run();
    assert_int_equal(seen.records, 3);
    assert_int_equal(seen.ledger.repeated, 1);
    assert_int_equal(seen.ledger.missing, 0);
    assert_int_equal(seen.loss[0].kind, WF_LOSS_REPEATED);
    assert_int_equal(seen.ledger.bytes, seen.ledger.bytes_good + seen.ledger.bytes_repeated);
}

static void a_restart_is_no_loss(void **state) {
    (void)state;
    fresh();
    tick_at(7, 1000);
    tick_at(8, 1010);
    put_frame_seq(&s, 1, 0, "", 0);
    tick_at(2, 5);
    struct seen seen = run();
    assert_int_equal(seen.losses, 1);
    assert_int_equal(seen.loss[0].kind, WF_LOSS_RESTART);
    assert_int_equal(seen.ledger.missing, 0);
}

static void ticks_of_a_restarted_target_go_on(void **state) {
    (void)state;
    fresh();
    tick_at(7, 1000);
    tick_at(8, 1010);
    put_frame_seq(&s, 1, 0, "", 0);
    tick_at(2, 5); // 1011 from here on
    tick_at(3, 25);
    put_frame_seq(&s, 1, 0, "", 0);
    sync_at_tick(2, 100); // 1032: the first time after the restart
    tick_at(3, 107);
    put_frame_seq(&s, 1, 0, "", 0); // a restart again, before any time
    put_frame_seq(&s, 1, 0, "", 0);
    tick_at(2, 3);
    struct seen seen = run();
    static const uint64_t want[] = {1000, 1010, 1010, 1011, 1031, 1031,
                                    1032, 1039, 1039, 1039, 1040};
    assert_int_equal(seen.records, sizeof want / sizeof *want);
    assert_memory_equal(seen.tick, want, sizeof want);
    seen = run_with((struct wf_session_options){.dialect = WF_DIALECT_QSPY}); // ticks as recorded
    assert_true(seen.tick[4] == 25 && seen.tick[10] == 3);
    fresh(); // the first time in the stream is as recorded
    put_frame_seq(&s, 9, 0, "", 0);
    put_frame_seq(&s, 1, 0, "", 0);
    tick_at(2, 500);
    assert_int_equal(run().tick[2], 500);
}

// Another connection, the first bytes of which are lost: the SYNC shows that time has restarted.
static void a_start_that_was_not_seen(void **state) {
    (void)state;
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    for (unsigned relinked = 0; relinked < 2; ++relinked) {
        struct seen seen = {0};
        struct wf_session_handlers on = {&seen, on_record, NULL, on_loss};
        struct wf_session *session = wf_session_open(&options, NULL);
        fresh();
        tick_at(1, 5000);
        assert_int_equal(wf_session_run(session, s.bytes, s.len, &on), WF_OK);
        if (relinked) wf_session_relink(session);
        fresh();
        sync_at_tick(40, 300);
        tick_at(41, 310);
        sync_at_tick(42, 320);
        assert_int_equal(wf_session_run(session, s.bytes, s.len, &on), WF_OK);
        assert_int_equal(seen.tick[1], relinked ? 5001 : 5000);
        assert_int_equal(seen.tick[2], relinked ? 5011 : 310);
        wf_session_close(session);
    }
}

static void stamps_wrap_to_64_bits(void **state) {
    (void)state;
    fresh();
    uint64_t t = 0;
    for (unsigned i = 0; i < 40; ++i) tick_at((uint8_t)(i + 1), (uint32_t)(t += 0x60000000));
    struct seen seen = run();
    for (unsigned i = 0; i < 40; ++i)
        assert_int_equal(seen.tick[i], (i + 1) * UINT64_C(0x60000000));
}

static void a_stamp_a_little_back_is_no_wrap(void **state) {
    (void)state;
    fresh();
    tick_at(1, 1000);
    tick_at(2, 900);
    tick_at(3, 1100);
    struct seen seen = run();
    assert_true(seen.back[1]);
    assert_int_equal(seen.tick[1], 900);
    assert_int_equal(seen.tick[2], 1100);
    assert_int_equal(seen.ledger.back, 1);
}

static void damage_is_described(void **state) {
    (void)state;
    fresh();
    tick_at(1, 10);
    tick_at(2, 20);
    s.bytes[s.len - 4] ^= 0x40;
    tick_at(3, 30);
    struct seen seen = run();
    assert_int_equal(seen.loss[0].records, 1);
    assert_int_equal(seen.loss[0].damage[WF_DAMAGE_BAD_SUM], 1);
    assert_int_equal(seen.loss[0].bytes, seen.ledger.bytes_bad);
    assert_int_equal(seen.records, 2);
}

static void the_info_of_qs_8_is_understood(void **state) {
    uint8_t p[18] = {0x46};
    uint32_t release = ~(uint32_t)(241031u * 10000 + 812);
    (void)state;
    fresh();
    for (int i = 0; i < 4; ++i) p[1 + i] = (uint8_t)(release >> 8 * i);
    memcpy(p + 5, "\x22\x41\x22\x88\x04\x40\x23\x07\x08\x09\x03\x02\x18", 13);
    put_frame(&s, 64, p, sizeof p);
    struct seen seen = run();
    assert_int_equal(seen.target.version, 812);
    assert_int_equal(seen.target.released, 241031);
    assert_int_equal(seen.target.framework, 1);
    assert_int_equal(seen.target.resets, 1);
    assert_int_equal(seen.target.bytes[WF_TYPE_OBJ], 8);
    assert_int_equal(seen.ledger.malformed, 0);
}

static void names_have_no_limits(void **state) {
    (void)state;
    char name[200], want[600];
    fresh();
    for (unsigned i = 0; i < 1000; ++i) {
        memset(name, 'n', 80);
        snprintf(name + 80, 20, "%u", i);
        put_name(&s, 0x20000000 + i, name);
    }
    put_frame(&s, 2, "\xE7\x03\0\x20\0\0\0\0", 8);
    char *got = convert(&s, "text", NULL, 0, 1000);
    snprintf(want, sizeof want, "%s leaves NULL\n", name);
    assert_non_null(strstr(got, want));
    free(got);
}

static void wrong_sizes_are_guessed(void **state) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    char letters[32];
    uint64_t fits;
    uint8_t zeros[64] = {0};
    (void)state;
    fresh();
    put_frame(&s, 1, zeros, 16); // O8 F8
    put_frame(&s, 14, zeros, 4 + 8 + 2 + 8 + 4);
    put_frame(&s, 24, zeros, 4 + 8 + 4);
    struct wf_session *session = wf_session_open(&options, NULL);
    wf_session_feed(session, s.bytes, s.len);
    while (wf_session_next(session, &item)) {
    }
    assert_int_equal(wf_session_ledger(session)->malformed, 3);
    assert_true(wf_session_guess_sizes(session, letters, sizeof letters, &fits));
    assert_string_equal(letters, "O8F8");
    assert_int_equal(fits, 3);
    wf_session_close(session);
}

// 32768 Hz: 5 digits identify each tick; truncated, not rounded.
static void expect_times(const struct wf_writer_options *wo, const char *const times[3]) {
    struct wf_session_options options = {
        .size = sizeof options, .dialect = WF_DIALECT_WALLFLY, .hz = 32768};
    struct text text = {NULL, 0};
    struct wf_item item;
    struct wf_session *session = wf_session_open(&options, NULL);
    struct wf_writer *w =
        wf_writer_open(wf_format_find("text"), session, wo, keep_text, &text, NULL);
    wf_session_feed(session, s.bytes, s.len);
    while (wf_session_next(session, &item)) wf_writer_item(w, &item);
    wf_writer_close(w);
    wf_session_close(session);
    for (unsigned i = 0; i < 3; ++i) assert_non_null(strstr(text.bytes, times[i]));
    free(text.bytes);
}

static void time_is_shown_exactly(void **state) {
    (void)state;
    fresh();
    tick_at(1, 32767);
    tick_at(2, 32769);
    tick_at(3, 3 * 32768 + 1);
    expect_times(&(struct wf_writer_options){.size = sizeof(struct wf_writer_options),
                                             .time = WF_TIME_S,
                                             .target_clock = true},
                 (const char *const[]){" 0.99996 s ", " 1.00003 s ", " 3.00003 s "});
    expect_times(
        &(struct wf_writer_options){.size = sizeof(struct wf_writer_options), .time = WF_TIME_S},
        (const char *const[]){" 0.00000 s ", " 0.00006 s ", " 2.00006 s "});
    expect_times(&(struct wf_writer_options){.size = sizeof(struct wf_writer_options),
                                             .time = WF_TIME_TICKS},
                 (const char *const[]){" 32767 ", " 32769 ", " 98305 "});
}

static void a_callback_can_stop(void **state) {
    struct seen seen = {.stop_after = 2};
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_session_handlers on = {&seen, on_record, NULL, on_loss};
    (void)state;
    fresh();
    for (uint8_t i = 1; i < 9; ++i) tick_at(i, i);
    struct wf_session *session = wf_session_open(&options, NULL);
    assert_int_equal(wf_session_run(session, s.bytes, s.len, &on), WF_ERR_STOPPED);
    assert_int_equal(seen.records, 2);
    wf_session_close(session);
}

static void wrong_options_are_refused(void **state) {
    struct wf_session_options options = {.size = sizeof options, .version = 12};
    struct wf_error error;
    (void)state;
    assert_null(wf_session_open(&options, &error));
    assert_int_equal(error.code, WF_ERR_BAD_VERSION);
    options.version = 0;
    options.bytes[WF_TYPE_OBJ] = 3;
    assert_null(wf_session_open(&options, &error));
    assert_int_equal(error.code, WF_ERR_BAD_SIZE);
    assert_string_equal(wf_err_text(99), "unknown error");
}

static bool refuse_part(void *ctx, unsigned part, const char *name, const char *bytes, size_t len) {
    (void)ctx, (void)part, (void)name, (void)bytes, (void)len;
    return false;
}

static bool refuse_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
    (void)ctx, (void)table, (void)cells;
    return false;
}

static void a_writer_needs_what_it_writes_with(void **state) {
    (void)state;
    for (unsigned i = 0; i < wf_format_count; ++i) {
        const struct wf_format *f = &wf_formats[i];
        const struct wf_session_options options = {
            .size = sizeof options, .dialect = f->dialect, .info8 = f->info8};
        bool parts = f->output == WF_OUTPUT_JOINED || f->output == WF_OUTPUT_FOLDER;
        bool rows = f->output == WF_OUTPUT_ROWS;
        struct wf_error error;
        struct wf_session *s = wf_session_open(&options, &error);
        struct text text = {0};
        struct wf_writer_options wo = {
            .size = sizeof wo, .part = parts ? NULL : refuse_part, .row = rows ? NULL : refuse_row};
        assert_null(wf_writer_open(f, s, &wo, parts || rows ? keep_text : NULL, &text, &error));
        assert_int_equal(error.code, WF_ERR_USAGE);
        wo = (struct wf_writer_options){
            .size = sizeof(struct wf_writer_options), .part = refuse_part, .row = refuse_row};
        struct wf_writer *w =
            wf_writer_open(f, s, &wo, parts || rows ? NULL : keep_text, &text, &error);
        assert_non_null(w);
        wf_writer_close(w);
        wf_session_close(s);
        free(text.bytes);
    }
}

// A caller that was compiled with an older, smaller struct, and one that forgot the size.
static void options_have_their_size(void **state) {
    (void)state;
    const struct wf_format *f = wf_format_find("text");
    struct wf_filter filter = {.size = sizeof filter, .has_object = true, .object = "none"};
    struct wf_writer_options wo = {
        .size = offsetof(struct wf_writer_options, filter), .time = WF_TIME_US, .filter = &filter};
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_error error;
    struct wf_session *session = wf_session_open(&options, &error);
    struct text text = {0};
    struct wf_writer *w = wf_writer_open(f, session, &wo, keep_text, &text, &error);
    assert_non_null(w); // the filter is beyond the size
    filter.size = 0;
    assert_int_equal(wf_writer_close(w), WF_OK);
    wo.size = sizeof wo;
    assert_null(wf_writer_open(f, session, &wo, keep_text, &text, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    filter.size = offsetof(struct wf_filter, from_s);
    w = wf_writer_open(f, session, &wo, keep_text, &text, &error);
    assert_non_null(w);
    wf_writer_close(w);
    wo.size = 0;
    assert_null(wf_writer_open(f, session, &wo, keep_text, &text, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    w = wf_writer_open(f, session, NULL, keep_text, &text, &error);
    assert_non_null(w);
    wf_writer_close(w);
    wf_session_close(session);
    free(text.bytes);
}

static bool append_part(void *ctx, unsigned part, const char *name, const char *bytes, size_t len) {
    (void)part, (void)name;
    return keep_text(ctx, bytes, len);
}

static void what_options_point_to_is_copied(void **state) {
    (void)state;
    static const char *const formats[] = {"vcd", "seq"}; // vcd: its header is written at the end
    for (unsigned i = 0; i < 2; ++i) {
        const struct wf_format *f = wf_format_find(formats[i]);
        const struct wf_session_options options = {.size = sizeof options, .dialect = f->dialect};
        char source[] = "here.bin", objects[] = "lamp,?";
        struct text text = {0};
        const struct wf_writer_options wo = {
            .size = sizeof wo, .source = source, .objects = objects, .part = append_part};
        struct wf_session *s = wf_session_open(&options, NULL);
        struct wf_writer *w = wf_writer_open(f, s, &wo, keep_text, &text, NULL);
        memset(source, 'x', sizeof source - 1);
        memset(objects, 'x', sizeof objects - 1);
        assert_int_equal(wf_writer_close(w), WF_OK);
        wf_session_close(s);
        assert_non_null(strstr(text.bytes, i ? "-g lamp,?" : "here.bin"));
        assert_null(strstr(text.bytes, "xxx"));
        free(text.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_is_a_hole_that_may_be_longer),
        cmocka_unit_test(a_late_record_is_not_missing),
        cmocka_unit_test(a_late_record_from_before_a_sync_counts_for_nothing),
        cmocka_unit_test(a_repeated_record_is_left_out),
        cmocka_unit_test(a_restart_is_no_loss),
        cmocka_unit_test(ticks_of_a_restarted_target_go_on),
        cmocka_unit_test(a_start_that_was_not_seen),
        cmocka_unit_test(stamps_wrap_to_64_bits),
        cmocka_unit_test(a_stamp_a_little_back_is_no_wrap),
        cmocka_unit_test(damage_is_described),
        cmocka_unit_test(the_info_of_qs_8_is_understood),
        cmocka_unit_test(names_have_no_limits),
        cmocka_unit_test(wrong_sizes_are_guessed),
        cmocka_unit_test(time_is_shown_exactly),
        cmocka_unit_test(a_callback_can_stop),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(a_writer_needs_what_it_writes_with),
        cmocka_unit_test(options_have_their_size),
        cmocka_unit_test(what_options_point_to_is_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
