// SPDX-License-Identifier: MIT
// The sender's rules of the wire (docs/wire-format.md), one test for each rule.

#include "wf_test.h"
#include "wfi_core.h"

static uint8_t ring[4096], out[8192];

static void expect_bytes(const uint8_t *want, unsigned len) {
    unsigned n = drain(out, sizeof out);
    assert_int_equal(n, len);
    assert_memory_equal(out, want, len);
}

static void fresh(void) {
    fake_clock = fake_clock_step = 0;
    start(ring, sizeof ring);
    drain_all();
    wf_filter(WF_GRP_ALL);
}

// Record 0x7D with payload 7D 08 01 at sequence 7E has the checksum 7E.
static void the_worked_example(void **state) {
    static const uint8_t want[] = {0x7D, 0x5E, 0x7D, 0x5D, 0x7D, 0x5D,
                                   0x08, 0x01, 0x7D, 0x5E, 0x7E};
    static const uint8_t payload[] = {0x7D, 0x08, 0x01};
    (void)state;
    fresh();
    wfi.count_low = 0x7D;
    wfi.tail_at.count = 0x7D;
    wfi_put(0x7D, payload, sizeof payload, NULL, 0);
    expect_bytes(want, sizeof want);
}

static void the_stream_starts_with_empty_info_and_sync(void **state) {
    (void)state;
    fake_clock = 0;
    start(ring, sizeof ring);
    struct frame f = next_frame();
    assert_int_equal(f.bytes[0], 1);
    assert_int_equal(f.bytes[1], 0);
    assert_int_equal(f.len, 2);
    f = next_frame();
    const uint8_t info[] = {2,
                            64,
                            0xFF,
                            WF_CFG_QS_VERSION & 0xFF,
                            WF_CFG_QS_VERSION >> 8,
                            WF_CFG_SIG_SIZE | WF_CFG_EVT_SIZE << 4,
                            WF_CFG_QUEUE_CTR_SIZE | WF_CFG_TIMEEVT_CTR_SIZE << 4,
                            WF_CFG_POOL_BLK_SIZE | WF_CFG_POOL_CTR_SIZE << 4,
                            WF_CFG_OBJ_SIZE | WF_CFG_FUN_SIZE << 4,
                            WF_CFG_TIME_SIZE,
                            WF_CFG_MAX_ACTIVE,
                            WF_CFG_MAX_POOLS | WF_CFG_MAX_RATES << 4,
                            7,
                            8,
                            9,
                            3,
                            2,
                            24};
    assert_int_equal(f.len, sizeof info);
    assert_memory_equal(f.bytes, info, sizeof info);
    f = next_frame();
    assert_int_equal(f.bytes[0], 3);
    assert_int_equal(f.bytes[1], WF_ID_sync);
    assert_int_equal(le(f.bytes + 2, 8), 3);
}

static void every_byte_is_escaped(void **state) {
    (void)state;
    for (unsigned seq = 0; seq < 256; ++seq) {
        fresh();
        wfi.count_low = 0x300 + seq;
        WF_REC(isr_entry, 0, (uint8_t)seq, 0x7E);
        wfi_emit_usr_dict(0x7D, "a}b~c");
        WF_RECORD(WF_USER, 0, WF_STR("~}"), WF_I64(7, 0x7D7E7D7E7D7E7D7E));
        unsigned n = drain(out, sizeof out), flags = 0;
        struct receiver r = {.len = 0};
        struct frame f;
        for (unsigned i = 0; i < n; ++i) {
            flags += out[i] == 0x7E;
            receive(&r, out[i], &f);
        }
        assert_int_equal(r.bad, 0);
        assert_int_equal(r.good, flags);
        assert_true(flags >= 3);
    }
}

static void the_sum_of_all_bytes_is_ff(void **state) {
    (void)state;
    fresh();
    for (unsigned i = 0; i < 600; ++i) {
        fake_clock += 77;
        WF_REC(active_post, 1, ring + i, i, out + i, (uint8_t)i, 1, i, 2);
        assert_true(next_frame().len > 4); // the receiver checks the checksum
    }
}

static void the_sequence_wraps_behind_255(void **state) {
    uint8_t want = 4;
    (void)state;
    fresh();
    for (unsigned i = 0; i < 700; ++i) {
        WF_REC(crit_entry, 0, 1);
        struct frame f = next_frame();
        assert_int_equal(f.bytes[0], want++);
        if (f.bytes[1] == WF_ID_sync) assert_int_equal(next_frame().bytes[0], want++);
    }
}

static void integers_are_little_endian(void **state) {
    (void)state;
    fresh();
    WF_RECORD(WF_USER, 0, WF_U32(0, 0x01020304), WF_U16(15, 0x0506));
    struct frame f = next_frame();
    const uint8_t want[] = {5, 4, 3, 2, 1, 0xF3, 6, 5};
    assert_memory_equal(f.bytes + 2 + WF_CFG_TIME_SIZE, want, sizeof want);
}

static int evaluated(void) {
    fail_msg("an argument was evaluated");
    return 0;
}

static void filtered_records_evaluate_nothing(void **state) {
    (void)state;
    fresh();
    wf_filter(-WF_GRP_ALL);
    WF_REC(crit_entry, 0, (uint8_t)evaluated());
    WF_RECORD(WF_USER, 0, WF_U8(0, (uint8_t)evaluated()), WF_STR("x"));
    WF_BEGIN(WF_USER, 0);
    evaluated();
    WF_END();
    assert_int_equal(wf_get_byte(), -1);
    wf_filter(WF_GRP_ALL);
    wf_filter_id(-7);
    WF_REC(crit_entry, 7, (uint8_t)evaluated());
    assert_int_equal(wf_get_byte(), -1);
}

static void the_three_forms_give_the_same_bytes(void **state) {
    uint8_t first[64], second[64], third[64];
    unsigned a, b, c;
    (void)state;
    fresh();
    WF_BEGIN(WF_USER + 1, 0);
    wf_u8(1, 7);
    wf_str("eating");
    WF_END();
    a = drain(first, sizeof first);
    fresh();
    uint32_t was = wf_port_lock();
    WF_BEGIN_HELD(WF_USER + 1, 0);
    wf_u8(1, 7);
    wf_str("eating");
    WF_END_HELD();
    wf_port_unlock(was);
    b = drain(second, sizeof second);
    fresh();
    WF_RECORD(WF_USER + 1, 0, WF_U8(1, 7), WF_STR("eating"));
    c = drain(third, sizeof third);
    assert_int_equal(a, b);
    assert_int_equal(a, c);
    assert_memory_equal(first, second, a);
    assert_memory_equal(first, third, a);
    assert_int_equal(fake_lock_errors, 0);
}

static void a_record_longer_than_the_limit_is_given_up_and_told(void **state) {
    static uint8_t block[255];
    struct wf_status s;
    (void)state;
    fresh();
    WF_RECORD(WF_USER, 0, WF_MEM(block, 255), WF_MEM(block, 255));
    wf_get_status(&s);
    assert_int_equal(s.lost, 1);
    struct frame f = next_frame();
    assert_int_equal(f.bytes[1], WF_ID_sync);
    assert_int_equal(le(f.bytes + 2, 8), 5); // 1, 2, 3 at the start, 4 is lost
    assert_int_equal(le(f.bytes + 30, 4), 1);
    assert_int_equal(wf_get_byte(), -1);
    WF_REC(crit_entry, 0, 1);
    assert_int_equal(next_frame().bytes[0], 6);
}

// A record that is much too long does not push out others.
static void a_record_much_too_long_leaves_the_others(void **state) {
    static char text[70001];
    (void)state;
    memset(text, 'x', sizeof text - 1);
    for (unsigned way = 0; way < 2; ++way) {
        fresh();
        for (unsigned i = 0; i < 20; ++i) WF_REC(crit_entry, 0, 1);
        WF_BEGIN(WF_USER, 0);
        if (way)
            wf_str(text);
        else
            for (unsigned i = 0; i < 20000; ++i) wf_u32(0, i);
        WF_END();
        struct wf_status s;
        wf_get_status(&s);
        assert_int_equal(s.lost, 1);
        for (unsigned i = 0; i < 20; ++i) assert_int_equal(next_frame().bytes[1], WF_ID_crit_entry);
    }
}

static void blocks_can_be_sent_in_part(void **state) {
    const uint8_t *block;
    uint8_t all[2][4096];
    unsigned n[2] = {0, 0};
    (void)state;
    for (unsigned in_parts = 0; in_parts < 2; ++in_parts) {
        fresh();
        for (int i = 0; i < 20; ++i) WF_RECORD(WF_USER, 0, WF_I32(0, i * 0x7D), WF_STR("part"));
        for (uint32_t len; (len = wf_get_block(&block, 50)) != 0;) {
            uint32_t sent = in_parts ? (len + 2) / 3 : len;
            memcpy(all[in_parts] + n[in_parts], block, sent);
            n[in_parts] += sent;
            wf_block_done(sent);
        }
    }
    assert_true(n[0] > 20 * 15);
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(all[0], all[1], n[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(the_stream_starts_with_empty_info_and_sync),
        cmocka_unit_test(every_byte_is_escaped),
        cmocka_unit_test(the_sum_of_all_bytes_is_ff),
        cmocka_unit_test(the_sequence_wraps_behind_255),
        cmocka_unit_test(integers_are_little_endian),
        cmocka_unit_test(filtered_records_evaluate_nothing),
        cmocka_unit_test(the_three_forms_give_the_same_bytes),
        cmocka_unit_test(a_record_longer_than_the_limit_is_given_up_and_told),
        cmocka_unit_test(a_record_much_too_long_leaves_the_others),
        cmocka_unit_test(blocks_can_be_sent_in_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
