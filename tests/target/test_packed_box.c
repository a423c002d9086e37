// SPDX-License-Identifier: MIT
// The black box with packed frames: an image of the memory, taken at any time between two records,
// has every record that was not sent, those of the open frame included; and a start that keeps the
// records continues the stream. The recorder and its ring lie in a section of their own, the image.

#include "packed_receive.h"

#include "wallfly_host/wf_box.h"

extern const uint8_t __start_box[], __stop_box[];

static void check_image(void) {
    const size_t len = (size_t)(__stop_box - __start_box);
    uint8_t *const image = malloc(len);
    struct checker h;
    struct wf_box box;
    struct wf_item item;
    bool begun = false;
    assert_non_null(image);
    memcpy(image, __start_box, len);
    if (wf_box_read(image, len, NULL, 0, &box) != WF_OK) fail_msg("%s", box.problem);
    begin_checker(&h);
    h.number = box.before;
    wf_session_feed(h.s, box.stream, box.len);
    while (wf_session_next(h.s, &item)) {
        assert_int_not_equal(item.kind, WF_ITEM_DAMAGE);
        if (item.kind == WF_ITEM_LOSS && begun) h.number += item.loss.records; // refused ones
        if (item.kind == WF_ITEM_LOSS) continue;
        // The SYNC before the first record has the number of the record before it, or its own,
        // which comes after that of a refused one.
        if (!begun && item.record.id == WF_RECORD_sync) {
            assert_in_range(item.record.value[0], box.before, box.before + 2);
            h.number = item.record.value[0];
            begun = true;
            continue;
        }
        begun = true;
        take_record(&h, &item.record);
    }
    assert_int_equal(h.number, now_count());
    wf_session_close(h.s);
    wf_box_free(&box);
    free(image);
}

static void an_image_has_all_records(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 60; ++round) {
        seed = round;
        vary.objects = rnd(3) ? 1 + rnd(20) : OBJECTS;
        vary.oddities = rnd(4) ? 1 + rnd(8) : 0;
        begin(rnd(2) ? WF_RING_MIN + rnd(400) : 800 + rnd(RING_MAX - 800), rnd(2)   ? 0
                                                                           : rnd(2) ? 1000
                                                                                    : UINT32_MAX);
        for (unsigned i = 0; i < 40; ++i) {
            for (uint32_t n = rnd(rnd(2) ? 4 : 100); n; --n) make();
            check_image();
            if (rnd(2)) read_some(rnd(1000));
            check_image();
        }
    }
}

// The time goes on anew after a reset, so that only contents and numbers are compared.
static void receive_kept(struct checker *h, const uint8_t *bytes, size_t len) {
    struct wf_item item;
    wf_session_feed(h->s, bytes, len);
    while (wf_session_next(h->s, &item)) {
        const struct wf_record *const r = &item.record;
        if (item.kind == WF_ITEM_LOSS) h->number += item.loss.records;
        if (item.kind != WF_ITEM_RECORD) continue;
        if (r->id == WF_RECORD_sync && r->value[0] == h->number && r->value[6] & 1) continue;
        const struct made *const m = &made[++h->number];
        assert_true(h->number <= made_last);
        assert_int_equal(r->seq, (uint8_t)h->number);
        if (m->name)
            check_record(h->s, r, m);
        else
            assert_true(is_internal(r->id));
    }
}

static void a_start_that_keeps_the_records_goes_on(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 150; ++round) {
        struct checker h;
        struct wf_status status;
        seed = round;
        vary.objects = rnd(3) ? 1 + rnd(20) : OBJECTS;
        vary.oddities = rnd(4) ? 1 + rnd(8) : 0;
        begin(rnd(2) ? WF_RING_MIN + rnd(400) : 800 + rnd(RING_MAX - 800), rnd(2)   ? 0
                                                                           : rnd(2) ? 1000
                                                                                    : UINT32_MAX);
        begin_checker(&h);
        for (unsigned resets = 0; resets < 6; ++resets) {
            for (uint32_t i = rnd(20); i; --i) {
                for (uint32_t n = rnd(rnd(2) ? 4 : 100); n; --n) make();
                read_some(rnd(300));
                receive_kept(&h, stream, stream_len);
                stream_len = 0;
            }
            config.keep = true;
            fake_lock_errors += fake_lock_depth;
            assert_true(wf_start(&config));
            assert_true(wf_was_kept());
            wf_filter(WF_GRP_ALL);
            while (made_last < now_count()) made[++made_last].name = NULL;
        }
        make();
        read_all();
        receive_kept(&h, stream, stream_len);
        wf_get_status(&status);
        assert_int_equal(h.number, status.count);
        assert_int_equal(wf_session_ledger(h.s)->missing, status.lost);
        assert_int_equal(fake_lock_errors, 0);
        wf_session_close(h.s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_has_all_records),
        cmocka_unit_test(a_start_that_keeps_the_records_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
