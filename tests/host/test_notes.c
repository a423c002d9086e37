// SPDX-License-Identifier: MIT
// Files of notes: what is written is read again; what is not understood has its line in the
// message.

#include "wallfly_host/wf_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wf_test.h"

static void test_written_and_read(void **state) {
    (void)state;
    static const char wanted[] = "wallfly-notes 1\ntrace first=7 hz=1000\n"
                                 "marker 3 \"a \\\"b\\\" \\\\ \\x0a\\xff \xc3\xa9\"\n"
                                 "marker 20 \"\"\n"
                                 "rename object \"q\" \"jobs\"\nrename task \"q\" \"main\"\n";
    const struct wf_notes_trace trace = {7, 1000};
    struct wf_notes_trace again;
    struct wf_note_marker marker;
    struct wf_note_rename rename;
    struct wf_error error;
    size_t len;
    struct wf_notes *n = wf_notes_open();
    assert_int_equal(wf_notes_mark(n, 20, ""), WF_OK);
    assert_int_equal(wf_notes_mark(n, 3, "old"), WF_OK);
    assert_int_equal(wf_notes_mark(n, 4, "gone"), WF_OK);
    assert_int_equal(wf_notes_mark(n, 3, "a \"b\" \\ \n\xff \xc3\xa9"), WF_OK);
    assert_int_equal(wf_notes_mark(n, 4, NULL), WF_OK);
    assert_int_equal(wf_notes_rename(n, "task", "q", "main"), WF_OK);
    assert_int_equal(wf_notes_rename(n, "object", "q", "jobs"), WF_OK);
    assert_int_equal(wf_notes_rename(n, "task", "p", "x"), WF_OK);
    assert_int_equal(wf_notes_rename(n, "task", "p", NULL), WF_OK);
    assert_int_equal(wf_notes_rename(n, "Task", "p", "x"), WF_ERR_USAGE);
    char *text = wf_notes_write(n, &trace, &len);
    assert_string_equal(text, wanted);
    wf_notes_close(n);
    n = wf_notes_read(text, len, &again, &error);
    assert_non_null(n);
    assert_int_equal(again.first, 7);
    assert_int_equal(again.hz, 1000);
    assert_true(wf_notes_marker(n, 0, &marker) && marker.tick == 3);
    assert_string_equal(marker.note, "a \"b\" \\ \n\xff \xc3\xa9");
    assert_true(wf_notes_renamed(n, 1, &rename));
    assert_string_equal(rename.as, "main");
    assert_false(wf_notes_marker(n, 2, &marker) || wf_notes_renamed(n, 2, &rename));
    free(text);
    wf_notes_close(n);
}

static void test_bad_files(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *words;
    } bad[] = {
        {"", 1, "not a file of notes"},
        {"wallfly-notes 2\n", 1, "newer version"},
        {"wallfly-notes 1\n", 2, "trace first="},
        {"wallfly-notes 1\ntrace first=1 hz=\n", 2, "trace first="},
        {"wallfly-notes 1\ntrace first=1 hz=1\n<<<<<<< HEAD\n", 3, "git"},
        {"wallfly-notes 1\ntrace first=1 hz=1\nmarker 1 \"a\"\nmarker 2 \"b\n", 4, "not a marker"},
        {"wallfly-notes 1\ntrace first=1 hz=1\nmarker 99999999999999999999 \"\"\n", 3,
         "not a marker"},
        {"wallfly-notes 1\ntrace first=1 hz=1\nmarker 1 \"\\x00\"\n", 3, "not a marker"},
        {"wallfly-notes 1\ntrace first=1 hz=1\nrename task \"a\"\n", 3, "not a name"},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct wf_notes_trace trace;
        struct wf_error error;
        assert_null(wf_notes_read(bad[i].text, strlen(bad[i].text), &trace, &error));
        assert_int_equal(error.code, WF_ERR_BAD_NOTES);
        assert_int_equal(error.place, WF_AT_LINE);
        assert_int_equal(error.at, bad[i].line);
        assert_non_null(strstr(error.text, bad[i].words));
    }
}

static void test_limits(void **state) {
    (void)state;
    char note[WF_NOTE_MAX + 2];
    struct wf_notes *n = wf_notes_open();
    memset(note, 'x', sizeof note);
    note[sizeof note - 1] = 0;
    assert_int_equal(wf_notes_mark(n, 1, note), WF_ERR_USAGE);
    for (unsigned i = 0; i < WF_MARKERS_MAX; ++i) assert_int_equal(wf_notes_mark(n, i, ""), WF_OK);
    assert_int_equal(wf_notes_mark(n, 1, "again"), WF_OK);
    assert_int_equal(wf_notes_mark(n, WF_MARKERS_MAX, ""), WF_ERR_TOO_MANY);
    wf_notes_close(n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_and_read),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
