// SPDX-License-Identifier: MIT
// Captures of Zephyr's CTF with their metadata: in any pieces, cut and damaged, and repeated; and
// damaged metadata. A test runs on evenly spread places, so that it takes a few seconds.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "wallfly_host/wf_trace.h"

enum { ROOM = 1 << 16, PAGE = 1 << 16, PLACES = 400 };

struct capture {
    const char *name;
    unsigned switches, messages, losses; // that are read
    char metadata[8192];
    size_t metadata_len;
    uint8_t bytes[ROOM];
    size_t len;
};

static struct capture captures[] = {
    {.name = "v2.5", .switches = 215},
    {.name = "v4-layout", .switches = 290, .messages = 80},
    {.name = "v4-layout-overflow", .messages = 58, .losses = 20},
    {.name = "v2026-circular", .switches = 261, .messages = 74, .losses = 1},
};
enum { CAPTURES = sizeof captures / sizeof *captures };
static uint8_t *guarded; // ends at a page without access

static size_t load(const char *capture, const char *file, void *to, size_t room) {
    char name[512];
    snprintf(name, sizeof name, "%s/import/zephyr/%s/%s", WF_TEST_DATA, capture, file);
    FILE *f = fopen(name, "rb");
    if (!f) fail_msg("%s cannot be read", name);
    size_t len = fread(to, 1, room, f);
    fclose(f);
    assert_true(len < room);
    return len;
}

static int load_all(void **state) {
    (void)state;
    guarded = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guarded == MAP_FAILED || mprotect(guarded + PAGE, PAGE, PROT_NONE)) return -1;
    for (unsigned i = 0; i < CAPTURES; ++i) {
        struct capture *c = &captures[i];
        c->metadata_len = load(c->name, "metadata", c->metadata, sizeof c->metadata);
        c->len = load(c->name, "channel0_0", c->bytes, sizeof c->bytes);
    }
    return 0;
}

struct result {
    uint64_t items, hash;
    unsigned switches, messages, losses;
    int err;
};

static void note(struct result *r, uint64_t value) {
    r->hash = (r->hash ^ value) * UINT64_C(1099511628211);
}

static void take(struct result *r, const struct wf_item *item) {
    ++r->items;
    note(r, item->kind);
    if (item->kind == WF_ITEM_LOSS) {
        ++r->losses;
        return;
    }
    assert_int_equal(item->kind, WF_ITEM_RECORD);
    assert_int_equal(item->record.left, 0);
    note(r, item->record.tick);
    note(r, item->record.id);
    for (size_t i = 0; i < item->record.len; ++i) note(r, item->record.payload[i]);
    const char *name = item->record.row->name;
    r->switches += strcmp(name, "task_switch") == 0;
    r->messages += strcmp(name, "log") == 0;
}

static struct result read_in(const char *metadata, size_t metadata_len, const uint8_t *bytes,
                             size_t len, size_t piece) {
    const struct wf_trace_options options = {.size = sizeof options,
                                             .format = WF_LANE_ZEPHYR,
                                             .describe = metadata,
                                             .describe_len = metadata_len};
    struct wf_error error;
    struct wf_item item;
    struct result r = {.items = 0};
    struct wf_trace *t = wf_trace_open(&options, &error);
    assert_non_null(t);
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        uint8_t *end = memcpy(guarded + PAGE - n, bytes + at, n);
        (void)wf_trace_feed(t, 0, end, n);
        while (wf_trace_next(t, &item)) take(&r, &item);
    }
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) take(&r, &item);
    r.err = wf_trace_error(t, &error);
    const struct wf_ledger *l = wf_session_ledger(wf_lane_session(wf_trace_lane(t, 0, &error)));
    if (r.err == WF_OK) assert_int_equal(l->bytes, len);
    if (r.err == WF_OK) assert_int_equal(l->bytes_good + l->bytes_bad, len);
    assert_true(r.items <= 64 + 4 * len);
    wf_trace_close(t);
    return r;
}

static struct result read_capture(const struct capture *c, size_t len, size_t piece) {
    return read_in(c->metadata, c->metadata_len, c->bytes, len, piece);
}

static void captures_are_read(void **state) {
    (void)state;
    for (unsigned i = 0; i < CAPTURES; ++i) {
        const struct capture *c = &captures[i];
        const struct result r = read_capture(c, c->len, PAGE);
        assert_int_equal(r.err, WF_OK);
        if (c->switches) assert_int_equal(r.switches, c->switches);
        assert_int_equal(r.messages, c->messages);
        assert_int_equal(r.losses, c->losses);
    }
}

static void in_any_pieces(void **state) {
    static const size_t pieces[] = {1, 2, 3, 7, 64, 511, 4099};
    (void)state;
    for (unsigned i = 0; i < CAPTURES; ++i) {
        const struct result whole = read_capture(&captures[i], captures[i].len, PAGE);
        for (unsigned p = 0; p < sizeof pieces / sizeof *pieces; ++p) {
            const struct result r = read_capture(&captures[i], captures[i].len, pieces[p]);
            assert_int_equal(r.items, whole.items);
            assert_int_equal(r.hash, whole.hash);
        }
    }
}

static void cut_and_damaged(void **state) {
    static const uint8_t flips[] = {0x01, 0x80, 0xFF};
    (void)state;
    for (unsigned i = 0; i < CAPTURES; ++i) {
        struct capture *c = &captures[i];
        size_t step = c->len / PLACES + 1;
        for (size_t at = 0; at < c->len; at += at < 300 ? 1 : step) {
            assert_int_equal(read_capture(c, at, PAGE).err, WF_OK);
            c->bytes[at] ^= flips[at % 3];
            assert_int_equal(read_capture(c, c->len, PAGE).err, WF_OK);
            c->bytes[at] ^= flips[at % 3];
        }
    }
}

static void metadata_cut_and_damaged(void **state) {
    static char copy[8192];
    (void)state;
    for (unsigned i = 0; i < CAPTURES; ++i) {
        struct capture *c = &captures[i];
        for (size_t at = 0; at < c->metadata_len; at += 3) {
            memcpy(copy, c->metadata, c->metadata_len);
            copy[at] = "{}[];:=\"9/*\xFF\0 z"[at % 15];
            (void)read_in(copy, c->metadata_len, c->bytes, 3000, PAGE);
            char *cut = malloc(at + 1); // of its exact size, for the sanitizer
            char *exact = memcpy(cut + 1, c->metadata, at);
            (void)read_in(exact, at, c->bytes, 3000, PAGE);
            free(cut);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_are_read),
        cmocka_unit_test(in_any_pieces),
        cmocka_unit_test(cut_and_damaged),
        cmocka_unit_test(metadata_cut_and_damaged),
    };
    return cmocka_run_group_tests(tests, load_all, NULL);
}
