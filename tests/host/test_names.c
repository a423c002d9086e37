// SPDX-License-Identifier: MIT
// Names one by one and keys by name, records received out of band, and QSPY's lines as they are
// returned with their class.

#include "wf_test.h"

static struct stream s;

static struct wf_session *opened(enum wf_dialect dialect, bool all_names) {
    struct wf_session_options options = {
        .size = sizeof options, .dialect = dialect, .all_names = all_names};
    struct wf_session *session = wf_session_open(&options, NULL);
    assert_non_null(session);
    return session;
}

static void feed(struct wf_session *session) {
    struct wf_item item;
    wf_session_feed(session, s.bytes, s.len);
    while (wf_session_next(session, &item)) continue;
}

static void put_signal(uint16_t sig, uint32_t obj, const char *name) {
    uint8_t p[64] = {(uint8_t)sig,        (uint8_t)(sig >> 8),  (uint8_t)obj,
                     (uint8_t)(obj >> 8), (uint8_t)(obj >> 16), (uint8_t)(obj >> 24)};
    memcpy(p + 6, name, strlen(name) + 1);
    put_frame(&s, 60, p, 7 + strlen(name));
}

static void all_names_come_once(void **state) {
    struct wf_session *session = opened(WF_DIALECT_WALLFLY, false);
    struct wf_name name;
    size_t at = 0;
    unsigned objects = 0, signals = 0, enums = 0, all = 0;
    (void)state;
    memset(&s, 0, sizeof s);
    put_name(&s, 0x100, "table");
    put_name(&s, 0x200, "philo[0]");
    put_signal(5, 0x200, "EAT_SIG");
    put_frame(&s, 54, "\x03\x07PAUSE", 8);
    feed(session);
    while (wf_session_next_name(session, &at, &name)) {
        ++all;
        objects += name.dict == WF_EFFECT_NAME_OBJECT;
        if (name.dict == WF_EFFECT_NAME_SIGNAL) {
            ++signals;
            assert_int_equal(name.key, 5);
            assert_int_equal(name.with, 0x200);
        }
        if (name.dict != WF_EFFECT_NAME_ENUM) continue;
        ++enums;
        assert_string_equal(name.text, "PAUSE");
        assert_int_equal(name.key, 3);
        assert_int_equal(name.with, 7);
    }
    assert_int_equal(objects, 2);
    assert_int_equal(signals, 1);
    assert_int_equal(enums, 1);
    assert_int_equal(all, 4);
    wf_session_close(session);
}

static void keys_are_found_by_name(void **state) {
    struct wf_session *session = opened(WF_DIALECT_QSPY, false);
    char longer[81];
    uint64_t key = 0;
    (void)state;
    memset(&s, 0, sizeof s);
    memset(longer, 'x', 80);
    longer[80] = 0;
    put_name(&s, 0x300, "twice");
    put_name(&s, 0x200, "twice");
    put_name(&s, 0x400, longer);
    put_signal(9, 0x200, "OF_200");
    put_signal(7, 0, "OF_ALL");
    put_frame(&s, 54, "\x03\x07PAUSE", 8);
    feed(session);
    assert_true(wf_session_find_key(session, WF_EFFECT_NAME_OBJECT, "twice", 0, &key));
    assert_int_equal(key, 0x200);
    longer[70] = 0; // QSPY compares 63 characters
    assert_true(wf_session_find_key(session, WF_EFFECT_NAME_OBJECT, longer, 0, &key));
    assert_int_equal(key, 0x400);
    assert_false(wf_session_find_key(session, WF_EFFECT_NAME_OBJECT, "twic", 0, &key));
    assert_false(wf_session_find_key(session, WF_EFFECT_NAME_FUNCTION, "twice", 0, &key));
    assert_true(wf_session_find_key(session, WF_EFFECT_NAME_SIGNAL, "OF_200", 0x200, &key));
    assert_int_equal(key, 9);
    assert_false(wf_session_find_key(session, WF_EFFECT_NAME_SIGNAL, "OF_200", 0x300, &key));
    assert_true(wf_session_find_key(session, WF_EFFECT_NAME_SIGNAL, "OF_ALL", 0x300, &key));
    assert_int_equal(key, 7);
    assert_true(wf_session_find_key(session, WF_EFFECT_NAME_ENUM, "PAUSE", 7, &key));
    assert_int_equal(key, 3);
    assert_false(wf_session_find_key(session, WF_EFFECT_NAME_ENUM, "PAUSE", 6, &key));
    assert_false(wf_session_find_key(session, WF_EFFECT_NAME_ENUM, "PAUSE", 8, &key));
    assert_false(wf_session_find_key(session, WF_EFFECT_POST, "PAUSE", 0, &key));
    wf_session_close(session);
}

static void names_are_found_by_key(void **state) {
    struct wf_session *session = opened(WF_DIALECT_QSPY, false);
    (void)state;
    memset(&s, 0, sizeof s);
    put_name(&s, 0x100, "table");
    put_signal(5, 0x200, "EAT_SIG");
    put_signal(6, 0, "ALL_SIG");
    put_frame(&s, 62, "\x30\0\0\0on", 7);
    put_frame(&s, 63, "\x65READING", 9);
    put_frame(&s, 54, "\x03\x07PAUSE", 8);
    feed(session);
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_OBJECT, 0x100, 0), "table");
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_FUNCTION, 0x30, 0), "on");
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_USER, 101, 0), "READING");
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_SIGNAL, 5, 0x200), "EAT_SIG");
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_SIGNAL, 5, 0), "EAT_SIG");
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_SIGNAL, 6, 0x999), "ALL_SIG");
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_ENUM, 3, 7), "PAUSE");
    assert_null(wf_session_name(session, WF_EFFECT_NAME_OBJECT, 0x30, 0));
    assert_null(wf_session_name(session, WF_EFFECT_NAME_SIGNAL, 5, 0x999));
    assert_null(wf_session_name(session, WF_EFFECT_NAME_ENUM, 3, 6));
    assert_null(wf_session_name(session, WF_EFFECT_NAME_ENUM, 3, 8));
    assert_null(wf_session_name(session, WF_EFFECT_TICK, 0x100, 0));
    wf_session_close(session);
}

static void qspys_limits_can_be_lifted(void **state) {
    (void)state;
    memset(&s, 0, sizeof s);
    for (uint32_t i = 1; i <= 300; ++i) {
        char name[16];
        snprintf(name, sizeof name, "n%u", i);
        put_name(&s, i, name);
    }
    struct wf_session *tight = opened(WF_DIALECT_QSPY, false);
    struct wf_session *roomy = opened(WF_DIALECT_QSPY, true);
    feed(tight);
    feed(roomy);
    assert_int_equal(wf_session_count_names(tight).objects, 255);
    assert_int_equal(wf_session_count_names(roomy).objects, 300);
    wf_session_close(tight);
    wf_session_close(roomy);
}

static void what_is_known_leaves_the_stream_alone(void **state) {
    static const uint8_t info[16] = {0, 0xDD, 2, 0x44, 0x21, 0x42, 0x88, 0x04,
                                     4, 0x11, 1, 2,    3,    4,    5,    6};
    struct wf_session *session = opened(WF_DIALECT_WALLFLY, false);
    uint64_t key;
    (void)state;
    memset(&s, 0, sizeof s);
    s.seq = 40;
    put_frame(&s, 39, "\x64\0\0\0\1", 5);
    feed(session);
    wf_session_learn(session, 64, info, sizeof info);
    wf_session_learn(session, 61, "\1\2\3\4\5\6\7\x08known", 14);
    wf_session_learn(session, 61, "\1\2\3", 3);     // truncated: none of it is used
    wf_session_learn(session, 39, "\1\0\0\0\1", 5); // no name
    assert_true(wf_session_target(session)->known);
    assert_int_equal(wf_session_target(session)->bytes[WF_TYPE_OBJ], 8);
    assert_true(wf_session_find_key(session, WF_EFFECT_NAME_OBJECT, "known", 0, &key));
    assert_true(key == 0x0807060504030201);
    assert_int_equal(wf_session_ledger(session)->records, 1);
    assert_int_equal(wf_session_ledger(session)->malformed, 0);
    s.len = 0;
    put_frame(&s, 39, "\x65\0\0\0\1", 5);
    struct wf_item item;
    wf_session_feed(session, s.bytes, s.len);
    assert_true(wf_session_next(session, &item));
    assert_int_equal(item.kind, WF_ITEM_RECORD);
    assert_int_equal(item.record.tick, 0x65);
    assert_int_equal(wf_session_ledger(session)->missing, 0);
    wf_session_close(session);
}

struct lines {
    char text[1024];
};

static void on_line(void *ctx, enum wf_line_class line, const char *text, size_t len) {
    struct lines *l = ctx;
    size_t at = strlen(l->text);
    snprintf(l->text + at, sizeof l->text - at, "%d %.*s|", line, (int)len, text);
}

static void lines_come_with_their_class(void **state) {
    static const uint8_t cut[] = {1, 0, 0, 0, 0xF5, 2, 3}; // an u32 with two bytes
    const struct wf_format *format = wf_format_find("qspy");
    struct wf_session *session = opened(WF_DIALECT_QSPY, false);
    struct wf_writer_options wo = {.size = sizeof wo, .line = on_line};
    struct lines lines = {""};
    struct wf_item item;
    (void)state;
    memset(&s, 0, sizeof s);
    struct wf_writer *w = wf_writer_open(format, session, &wo, NULL, &lines, NULL);
    assert_non_null(w);
    put_frame_seq(&s, 1, 70, "", 0);
    put_frame_seq(&s, 5, 70, "", 0);
    put_raw(&s, 0x7E);
    put_frame(&s, 100, cut, sizeof cut);
    wf_session_feed(session, s.bytes, s.len);
    while (wf_session_next(session, &item)) wf_writer_item(w, &item);
    wf_writer_line(w, "said");
    assert_int_equal(wf_writer_close(w), WF_OK);
    assert_string_equal(lines.text,
                        "0            QF_RUN|"
                        "1    <COMMS> ERROR    Discontinuity Seq=1->5|"
                        "0            QF_RUN|"
                        "1    <COMMS> ERROR    Bad checksum in Rec=QS_QF_RUN(?),Seq=5|"
                        "0    <COMMS> ERROR    2 more bytes needed for uint32_t |"
                        "0    <COMMS> ERROR    2 more bytes needed for uint32_t 0x00000000|"
                        "2 said|");
    wf_session_close(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_names_come_once),
        cmocka_unit_test(keys_are_found_by_name),
        cmocka_unit_test(names_are_found_by_key),
        cmocka_unit_test(qspys_limits_can_be_lifted),
        cmocka_unit_test(what_is_known_leaves_the_stream_alone),
        cmocka_unit_test(lines_come_with_their_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
