// SPDX-License-Identifier: MIT
// Reads a part of a stream of frames again: from every checkpoint of a stream with losses, damage
// and time wraps, a second session returns the same items as the session that has read all of it.

#include "wf_test.h"

static struct stream s;

enum { ITEMS = 4000 };

// An item as one number for each property.
struct told {
    uint64_t kind, id, tick, offset, more;
};

struct reading {
    struct told told[ITEMS];
    size_t count;
};

static struct told tell(const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    const struct wf_loss *l = &item->loss;
    struct told t = {.kind = item->kind};
    if (item->kind == WF_ITEM_RECORD)
        t = (struct told){t.kind, r->id, r->tick, r->offset, r->seq + 256u * r->back};
    if (item->kind == WF_ITEM_LOSS)
        t = (struct told){t.kind, l->kind, l->tick_before, l->offset, l->records * 2 + l->exact};
    if (item->kind == WF_ITEM_DAMAGE) t.offset = item->damage.offset;
    return t;
}

static void read_rest(struct wf_session *session, size_t from, struct reading *r) {
    struct wf_item item;
    wf_session_feed(session, s.bytes + from, s.len - from);
    for (int end = 0; end < 2; ++end) {
        while (wf_session_next(session, &item)) {
            assert_true(r->count < ITEMS);
            r->told[r->count++] = tell(&item);
        }
        wf_session_end(session);
    }
}

// Records of many kinds, a 4-byte stamp that wraps, and random losses, damage and restarts.
static void make_stream(unsigned seed) {
    uint32_t tick = 0xFFFF0000u - seed;
    memset(&s, 0, sizeof s);
    srand(seed);
    for (unsigned i = 0; i < 900; ++i) {
        uint8_t p[51] = {0};
        int what = rand() % 24;
        if (rand() % 150 == 0) { // the target restarts
            s.seq = 0;
            tick = (uint32_t)rand() % 9999;
            put_frame(&s, 0, "", 0);
        }
        tick += (uint32_t)(rand() % 1000);
        for (int b = 0; b < 4; ++b) p[b] = (uint8_t)(tick >> 8 * b);
        if (what == 0) {
            s.seq = (uint8_t)(s.seq + rand() % 5);
        } else if (what == 1) {
            put_raw(&s, (uint8_t)rand());
        } else if (what == 2) {
            put_raw(&s, 0x7E);
        } else if (what == 3) {
            put_name(&s, (uint32_t)rand() % 16, "name");
        } else if (what == 4 && s.seq > 3) {
            put_frame_seq(&s, (uint8_t)(s.seq - 1), 34, p, 8);
            s.seq = (uint8_t)(s.seq + 1);
        } else {
            put_frame(&s, (uint8_t)(what < 14 ? 34 : 100 + what), p, 4 + (size_t)(what % 4));
        }
    }
}

static struct wf_session_options options = {.size = sizeof options};

static void goes_on(const uint8_t *state, size_t len, uint64_t offset, const struct told *want,
                    size_t count) {
    static struct reading rest;
    struct wf_session *other = wf_session_open(&options, NULL);
    assert_int_equal(wf_session_restore_checkpoint(other, state, len, offset), WF_OK);
    rest.count = 0;
    read_rest(other, (size_t)offset, &rest);
    assert_int_equal(rest.count, count);
    for (size_t i = 0; i < count; ++i) assert_memory_equal(&rest.told[i], &want[i], sizeof *want);
    wf_session_close(other);
}

static void from_every_checkpoint_it_goes_on_the_same(void **state) {
    static struct reading all;
    (void)state;
    for (unsigned seed = 1; seed < 12; ++seed) {
        unsigned checkpoints = 0, none = 0;
        make_stream(seed);
        struct wf_session *session = wf_session_open(&options, NULL);
        all.count = 0;
        read_rest(session, 0, &all);
        wf_session_close(session);
        session = wf_session_open(&options, NULL);
        struct wf_item item;
        size_t done = 0;
        wf_session_feed(session, s.bytes, s.len);
        while (wf_session_next(session, &item)) {
            uint64_t offset = 0;
            size_t len = 0;
            ++done;
            uint8_t *checkpoint = wf_session_save_checkpoint(session, &len, &offset);
            if (!checkpoint) {
                ++none; // a loss comes before the record, or damage has not ended yet
                assert_true(item.kind != WF_ITEM_RECORD);
                continue;
            }
            ++checkpoints;
            assert_true(len < 400);
            goes_on(checkpoint, len, offset, all.told + done, all.count - done);
            free(checkpoint);
        }
        wf_session_close(session);
        assert_true(checkpoints > 500 && none > 10);
    }
}

static void within_a_frame_there_is_no_checkpoint(void **state) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    uint64_t offset;
    size_t len;
    struct wf_item item;
    (void)state;
    memset(&s, 0, sizeof s);
    put_name(&s, 5, "five");
    struct wf_session *session = wf_session_open(&options, NULL);
    wf_session_feed(session, s.bytes, s.len - 1);
    assert_false(wf_session_next(session, &item));
    assert_null(wf_session_save_checkpoint(session, &len, &offset));
    wf_session_feed(session, s.bytes + s.len - 1, 1);
    assert_true(wf_session_next(session, &item));
    uint8_t *checkpoint = wf_session_save_checkpoint(session, &len, &offset);
    assert_non_null(checkpoint);
    assert_int_equal(offset, s.len);
    for (size_t n = 0; n < len; ++n)
        assert_int_equal(wf_session_restore_checkpoint(session, checkpoint, n, 0),
                         WF_ERR_BAD_STATE);
    free(checkpoint);
    wf_session_close(session);
}

// A target info that reports a reset.
static void put_reset(void) {
    uint8_t p[16] = {0xFF, 0xE4, 0x02, 0x22, 0x41, 0x22, 0x44, 0x04, 0, 0, 0, 0, 12, 1, 1, 26};
    put_frame(&s, 64, p, sizeof p);
}

static const char *name_behind_a_reset(bool keep) {
    static char text[64];
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    struct wf_session *from = wf_session_open(&options, NULL),
                      *to = wf_session_open(&options, NULL);
    memset(&s, 0, sizeof s);
    put_name(&s, 5, "five");
    wf_session_feed(from, s.bytes, s.len);
    while (wf_session_next(from, &item)) {
    }
    assert_int_equal(wf_session_keep_names(to, from), WF_OK);
    memset(&s, 0, sizeof s);
    put_reset();
    struct wf_session *reads = keep ? to : from;
    wf_session_feed(reads, s.bytes, s.len);
    while (wf_session_next(reads, &item)) {
    }
    assert_int_equal(wf_session_target(reads)->resets, 1);
    const char *name = wf_session_name(reads, WF_EFFECT_NAME_OBJECT, 5, 0);
    snprintf(text, sizeof text, "%s", name ? name : "none");
    wf_session_close(from);
    wf_session_close(to);
    return text;
}

static void names_that_are_kept_outlive_a_reset(void **state) {
    (void)state;
    assert_string_equal(name_behind_a_reset(true), "five");
    assert_string_equal(name_behind_a_reset(false), "none");
}

// Names of objects, interrupts and enumerations; a state is read, as between two files of a
// recording.
static void names_that_are_kept_outlive_a_state(void **state) {
    (void)state;
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    static const uint8_t irq[] = {28, 0, 'T', 'I', 'M', '2', 0}, value[] = {3, 1, 'G', 'O', 0};
    struct wf_item item;
    size_t len;
    for (int keep = 0; keep < 2; ++keep) {
        struct wf_session *from = wf_session_open(&options, NULL),
                          *to = wf_session_open(&options, NULL);
        uint8_t *empty = wf_session_write_state(from, &len);
        memset(&s, 0, sizeof s);
        put_name(&s, 5, "five");
        put_frame(&s, 83, irq, sizeof irq);
        put_frame(&s, 54, value, sizeof value);
        wf_session_feed(from, s.bytes, s.len);
        while (wf_session_next(from, &item)) {
        }
        struct wf_session *reads = keep ? to : from;
        if (keep) assert_int_equal(wf_session_keep_names(to, from), WF_OK);
        assert_non_null(wf_session_name(reads, WF_EFFECT_NAME_ENUM, 3, 1));
        assert_non_null(wf_session_name(reads, WF_EFFECT_NAME_IRQ, 28, 0));
        assert_int_equal(wf_session_read_state(reads, empty, len), WF_OK);
        assert_int_equal(wf_session_name(reads, WF_EFFECT_NAME_OBJECT, 5, 0) != NULL, keep);
        assert_int_equal(wf_session_name(reads, WF_EFFECT_NAME_IRQ, 28, 0) != NULL, keep);
        assert_int_equal(wf_session_name(reads, WF_EFFECT_NAME_ENUM, 3, 1) != NULL, keep);
        free(empty);
        wf_session_close(from);
        wf_session_close(to);
    }
}

// A state keeps the target's sizes, even sizes that no CPU has.
static void sizes_of_any_target_outlive_a_state(void **state) {
    (void)state;
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    for (unsigned size = 0; size < 16; ++size) {
        uint8_t info[] = {0xFF, 0xE4, 2, 0, 0, 0, 0, 0, 32, 0x53, 1, 2, 3, 4, 5, 6};
        struct wf_item item;
        size_t len;
        struct wf_session *from = wf_session_open(&options, NULL),
                          *to = wf_session_open(&options, NULL);
        memset(info + 3, (int)(size | size << 4), 5);
        memset(&s, 0, sizeof s);
        put_frame(&s, 64, info, sizeof info);
        wf_session_feed(from, s.bytes, s.len);
        while (wf_session_next(from, &item)) {
        }
        assert_true(wf_session_target(from)->sizes_known);
        uint8_t *written = wf_session_write_state(from, &len);
        assert_int_equal(wf_session_read_state(to, written, len), WF_OK);
        assert_memory_equal(wf_session_target(to)->bytes, wf_session_target(from)->bytes,
                            sizeof wf_session_target(to)->bytes);
        free(written);
        wf_session_close(from);
        wf_session_close(to);
    }
}

// A state keeps the target's version, too.
static void versions_of_any_target_outlive_a_state(void **state) {
    (void)state;
    static const uint16_t versions[] = {0, 740, 9999, 10000, 25634, UINT16_MAX};
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    for (unsigned i = 0; i < sizeof versions / sizeof *versions; ++i) {
        uint8_t info[] = {0xFF, 0, 0, 0x22, 0x41, 0x22, 0x44, 4, 32, 0x13, 1, 2, 3, 4, 5, 6};
        struct wf_item item;
        size_t len;
        struct wf_session *from = wf_session_open(&options, NULL),
                          *to = wf_session_open(&options, NULL);
        info[1] = (uint8_t)versions[i];
        info[2] = (uint8_t)(versions[i] >> 8);
        memset(&s, 0, sizeof s);
        put_frame(&s, 64, info, sizeof info);
        wf_session_feed(from, s.bytes, s.len);
        while (wf_session_next(from, &item)) {
        }
        uint8_t *written = wf_session_write_state(from, &len);
        assert_int_equal(wf_session_read_state(to, written, len), WF_OK);
        assert_int_equal(wf_session_target(to)->version, wf_session_target(from)->version);
        assert_int_equal(wf_session_target(to)->version_raw, wf_session_target(from)->version_raw);
        free(written);
        wf_session_close(from);
        wf_session_close(to);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_every_checkpoint_it_goes_on_the_same),
        cmocka_unit_test(within_a_frame_there_is_no_checkpoint),
        cmocka_unit_test(names_that_are_kept_outlive_a_reset),
        cmocka_unit_test(names_that_are_kept_outlive_a_state),
        cmocka_unit_test(sizes_of_any_target_outlive_a_state),
        cmocka_unit_test(versions_of_any_target_outlive_a_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
