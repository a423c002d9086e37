// SPDX-License-Identifier: MIT
// The capture of the bare-metal recorder with words of 8 bytes, compared with the application's
// log: every message, counter, interrupt and state, at its microsecond.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_trace.h"
#include "wallfly_host/wf_writer.h"

static const char capture[] = WF_TEST_DATA "/import/tracerecorder/word64.psf";
static const char truth[] = WF_TEST_DATA "/import/tracerecorder/word64.truth.csv";

static char words[512];
static size_t words_len;

static bool keep_words(void *ctx, const char *part, size_t n) {
    (void)ctx;
    if (words_len + n >= sizeof words) return false;
    memcpy(words + words_len, part, n);
    words[words_len += n] = 0;
    return true;
}

static size_t read_capture(uint8_t *bytes, size_t room) {
    FILE *f = fopen(capture, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, room, f);
    fclose(f);
    return n;
}

// The kind of a log line that a record stands for; 0: none.
static char kind_of(const struct wf_record *r) {
    if (!r->row) return 0;
    if (r->id == WF_RECORD_log) return 'M';
    if (r->id == WF_RECORD_counter) return 'C';
    if (r->id == WF_RECORD_irq_enter) return strcmp(r->row->name, "irq_enter") == 0 ? 'I' : 0;
    return r->id == WF_RECORD_init_tran ? 'Z' : 0;
}

// The next line of the log of that kind, as the text that is to be shown.
static void expect_line(FILE *log, char kind, uint64_t tick) {
    char line[128];
    do {
        assert_non_null(fgets(line, sizeof line, log));
    } while (!strchr(line, ',') || strchr(line, ',')[1] != kind);
    char *value = strchr(line, ',') + 3;
    value[strcspn(value, "\n")] = 0;
    assert_int_equal(tick, strtoull(line, NULL, 10));
    const char *shown =
        kind == 'Z' ? (value[0] == '0' ? "phase is set up, in one" : "in two") : value;
    if (!strstr(words, shown)) fail_msg("\"%s\" is not in: %s", shown, words);
}

static void the_capture_is_the_log(void **state) {
    static uint8_t bytes[8192];
    static const char kinds[] = "MCIZ";
    const struct wf_writer_options options = {.size = sizeof options};
    unsigned count[4] = {0};
    FILE *logs[4];
    struct wf_item item;
    struct wf_error error;
    (void)state;
    size_t n = read_capture(bytes, sizeof bytes);
    for (unsigned i = 0; i < 4; ++i) assert_non_null(logs[i] = fopen(truth, "r"));
    struct wf_trace *t = wf_trace_open(NULL, NULL);
    assert_int_equal(wf_trace_feed(t, 0, bytes, n), WF_OK);
    wf_trace_end(t);
    struct wf_session *s = NULL;
    struct wf_writer *w = NULL;
    while (wf_trace_next(t, &item)) {
        if (!s) {
            s = wf_lane_session(wf_trace_lane(t, 0, &error));
            w = wf_writer_open(wf_format_find("text"), s, &options, keep_words, NULL, NULL);
        }
        assert_int_equal(item.kind, WF_ITEM_RECORD);
        words_len = 0;
        wf_writer_item(w, &item);
        wf_writer_flush(w);
        const char *kind = strchr(kinds, kind_of(&item.record));
        if (!kind || !*kind) continue;
        expect_line(logs[kind - kinds], *kind, item.record.tick);
        ++count[kind - kinds];
    }
    assert_int_equal(count[0], 50);
    assert_int_equal(count[1], 50);
    assert_int_equal(count[2], 10);
    assert_int_equal(count[3], 5);
    for (unsigned i = 0; i < 4; ++i) fclose(logs[i]);
    wf_writer_close(w);
    wf_trace_close(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_capture_is_the_log)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
