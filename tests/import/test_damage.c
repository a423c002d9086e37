// SPDX-License-Identifier: MIT
// A capture of another tracer cut at every byte, and with every byte damaged; in any pieces. The
// input ends at a page that cannot be read. Usage: test_damage FORMAT FILE MEGABYTES: as many
// positions, evenly spread, as make about this many megabytes to decode.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wallfly_host/wf_trace.h"

static enum wf_lane_format format;
static const char *file_name;
static size_t budget;
static uint8_t *capture;
static size_t capture_len;

// ---- input that ends at a page without access

static uint8_t *guarded;
static size_t guarded_cap;

static uint8_t *guard(const uint8_t *bytes, size_t len) {
    uint8_t *at = guarded + guarded_cap - len;
    memcpy(at, bytes, len);
    return at;
}

static int open_guard(void **state) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    (void)state;
    guarded_cap = (capture_len + page) / page * page;
    guarded =
        mmap(NULL, guarded_cap + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guarded == MAP_FAILED) return -1;
    return mprotect(guarded + guarded_cap, page, PROT_NONE);
}

// ---- reading

struct result {
    uint64_t items, records, losses, hash;
    int err;
};

static void note(struct result *r, uint64_t value) {
    r->hash = (r->hash ^ value) * UINT64_C(1099511628211);
}

static void drain(struct wf_trace *t, struct result *r) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) {
        ++r->items;
        note(r, item.kind);
        if (item.kind == WF_ITEM_LOSS) {
            ++r->losses;
            continue;
        }
        assert_int_equal(item.kind, WF_ITEM_RECORD);
        ++r->records;
        note(r, item.record.tick);
        note(r, item.record.id);
        for (size_t i = 0; i < item.record.len; ++i) note(r, item.record.payload[i]);
        assert_non_null(item.record.row);
        assert_int_equal(item.record.left, 0);
        assert_int_equal(item.record.missing, 0);
    }
}

static void check_end(struct wf_trace *t, struct result *r, size_t len) {
    struct wf_error error;
    struct wf_lane *lane = wf_trace_lane(t, 0, &error);
    const struct wf_ledger *l = wf_session_ledger(wf_lane_session(lane));
    r->err = wf_trace_error(t, &error);
    if (r->err == WF_OK) {
        assert_int_equal(l->bytes, len);
        assert_int_equal(l->bytes, l->bytes_good + l->bytes_idle + l->bytes_bad);
    } else {
        assert_int_equal(r->err, WF_ERR_BAD_IMPORT);
        assert_true(error.text[0] && error.place == WF_AT_BYTE && error.at <= len);
    }
    assert_true(r->items <= 64 + 4 * (uint64_t)len);
    (void)wf_trace_verdict(t);
    wf_trace_close(t);
}

static struct wf_trace *open_trace(void) {
    const struct wf_trace_options options = {.size = sizeof options, .format = format};
    struct wf_error error;
    struct wf_trace *t = wf_trace_open(&options, &error);
    assert_non_null(t);
    return t;
}

static struct result read_file(const uint8_t *bytes, size_t len) {
    struct wf_trace *t = open_trace();
    struct wf_merge_span span = {guard(bytes, len), len};
    const struct wf_merge_source source = {&span, wf_merge_span_at};
    struct result r = {0};
    assert_int_equal(wf_trace_read(t, 0, &source, NULL), WF_OK);
    drain(t, &r);
    check_end(t, &r, len);
    return r;
}

static struct result read_pieces(const uint8_t *bytes, size_t len, size_t piece) {
    struct wf_trace *t = open_trace();
    struct result r = {0};
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        wf_trace_feed(t, 0, guard(bytes + at, n), n);
        drain(t, &r);
    }
    wf_trace_end(t);
    drain(t, &r);
    check_end(t, &r, len);
    return r;
}

static void in_pieces(void **state) {
    const struct result whole = read_file(capture, capture_len);
    (void)state;
    assert_int_equal(whole.err, WF_OK);
    assert_true(whole.records > 0);
    static const size_t pieces[] = {1, 2, 3, 7, 64, 511, 4099, 1 << 16};
    for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; ++i) {
        const struct result r = read_pieces(capture, capture_len, pieces[i]);
        assert_int_equal(r.items, whole.items);
        assert_int_equal(r.hash, whole.hash);
    }
}

// Positions so far apart that all readings together have `budget` bytes.
static size_t step_for(size_t mean) {
    size_t readings = budget / (mean + 1) + 1;
    return capture_len / readings + 1;
}

static void cut_at_every_byte(void **state) {
    (void)state;
    const struct result whole = read_file(capture, capture_len);
    for (size_t len = 0; len < capture_len; len += step_for(capture_len / 2)) {
        const struct result r = read_file(capture, len);
        assert_true(r.records <= whole.records + 64); // a cut event may be damage, no new record
    }
}

static void every_byte_damaged(void **state) {
    static const uint8_t masks[] = {0x01, 0x80, 0xFF, 0x7F};
    uint8_t *copy = malloc(capture_len);
    (void)state;
    memcpy(copy, capture, capture_len);
    for (size_t at = 0; at < capture_len; at += step_for(capture_len)) {
        copy[at] ^= masks[at % sizeof masks];
        (void)read_file(copy, capture_len);
        copy[at] = capture[at];
    }
    free(copy);
}

static bool load(void) {
    FILE *f = fopen(file_name, "rb");
    if (!f) return false;
    capture = malloc(1 << 20);
    capture_len = fread(capture, 1, 1 << 20, f);
    fclose(f);
    return capture_len > 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_pieces),
                                       cmocka_unit_test(cut_at_every_byte),
                                       cmocka_unit_test(every_byte_damaged)};
    if (argc != 4 || !wf_lane_find_format(argv[1], &format)) return 2;
    file_name = argv[2];
    budget = (size_t)strtoul(argv[3], NULL, 10) << 20;
    if (!load()) return 2;
    return cmocka_run_group_tests_name(file_name, tests, open_guard, NULL);
}
