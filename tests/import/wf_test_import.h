// SPDX-License-Identifier: MIT
// Shared by the tests of importers: `bytes`, which a test writes, as the text of their records.
// They are read at once and byte by byte; both must be the same.
#ifndef WF_TEST_IMPORT_H
#define WF_TEST_IMPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_import.h"
#include "wallfly_host/wf_writer.h"

static const struct wfi_import_format *format;
static const char *describe; // the user's description file; or null
static uint8_t bytes[1 << 18];
static size_t len;
static char text[1 << 20];
static size_t text_len;
static uint64_t last_tick;
static struct wf_ledger ledger;
static struct wf_target target;
static struct wf_error error;

static bool keep_text(void *ctx, const char *part, size_t n) {
    (void)ctx;
    assert_true(text_len + n < sizeof text);
    memcpy(text + text_len, part, n);
    text_len += n;
    text[text_len] = 0;
    return true;
}

static void drain(struct wfi_import *im, struct wf_writer *w) {
    struct wf_item item;
    while (wfi_import_next(im, &item)) {
        if (item.kind == WF_ITEM_RECORD) last_tick = item.record.tick;
        wf_writer_item(w, &item);
    }
}

static void read_pieces(size_t piece) {
    const struct wf_writer_options writer = {.size = sizeof writer};
    const struct wfi_import_options options = {describe, describe ? strlen(describe) : 0, 0};
    struct wf_session *s = wf_session_open(NULL, NULL);
    struct wfi_import *im = wfi_import_open(s, format, &options);
    struct wf_writer *w = wf_writer_open(wf_format_find("text"), s, &writer, keep_text, NULL, NULL);
    assert_true(s && im && w);
    text_len = 0;
    text[0] = 0;
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        uint8_t *copy = malloc(n); // not a byte more can be read
        memcpy(copy, bytes + at, n);
        wfi_import_feed(im, copy, n);
        drain(im, w);
        free(copy);
        wfi_import_feed(im, NULL, 0);
    }
    wfi_import_end(im);
    drain(im, w);
    wf_writer_flush(w);
    ledger = *wf_session_ledger(s);
    target = *wf_session_target(s);
    error = im->error;
    if (error.code == WF_OK) assert_int_equal(ledger.bytes_good + ledger.bytes_bad, len);
    wf_writer_close(w);
    wfi_import_close(im);
    wf_session_close(s);
}

static void read_all(void) {
    static char whole[sizeof text];
    read_pieces(len);
    memcpy(whole, text, text_len + 1);
    const struct wf_ledger first = ledger;
    read_pieces(1);
    assert_string_equal(text, whole);
    assert_int_equal(first.missing, ledger.missing);
    assert_int_equal(first.bytes_bad, ledger.bytes_bad);
}

#define SHOWS(part)                                                                                \
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text)
#define HIDES(part)                                                                                \
    if (strstr(text, part)) fail_msg("\"%s\" is in:\n%s", part, text)

static inline unsigned count_of(const char *part) {
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) ++n;
    return n;
}

#endif
