// SPDX-License-Identifier: MIT
// Frames of commands, as they go over links: written and read.

#include "wf_test.h"

#include "wallfly_host/wf_command.h"

static uint8_t bytes[2 * WF_PAYLOAD_MAX + 8];

static void a_frame_is_read_as_written(void **state) {
    uint8_t payload[WF_PAYLOAD_MAX];
    struct wf_frame frame;
    (void)state;
    for (unsigned n = 0; n < 256; ++n) {
        // All bytes, in all places: also those that are escaped, in the sum, too.
        const size_t len = n == 255 ? sizeof payload : n;
        for (size_t i = 0; i < len; ++i) payload[i] = (uint8_t)(n + 0x7C + i % 4);
        const size_t end = wf_frame_write(bytes, (uint8_t)n, (uint8_t)(n + 1), payload, len);
        const uint8_t *at = bytes;
        assert_true(end <= 2 * len + 8 && bytes[end - 1] == 0x7E);
        assert_true(wf_frame_read(&at, bytes + end, &frame));
        assert_true(at == bytes + end && frame.record == (uint8_t)(n + 1) && frame.len == len);
        assert_memory_equal(frame.payload, payload, len);
    }
}

static void frames_follow_each_other(void **state) {
    struct wf_frame frame;
    const uint8_t *at = bytes;
    (void)state;
    size_t end = wf_frame_write(bytes, 1, WF_COMMAND_INFO, NULL, 0);
    end += wf_frame_write(bytes + end, 7, WF_COMMAND_TICK, "\x7D", 1);
    assert_true(wf_frame_read(&at, bytes + end, &frame) && frame.record == WF_COMMAND_INFO);
    assert_int_equal(frame.len, 0);
    assert_true(wf_frame_read(&at, bytes + end, &frame) && frame.record == WF_COMMAND_TICK);
    assert_true(frame.len == 1 && frame.payload[0] == 0x7D && at == bytes + end);
    assert_false(wf_frame_read(&at, bytes + end, &frame));
}

// Each cut and each changed bit is seen; but for a flag that begins there, then what is left.
static void what_is_no_whole_frame_is_refused(void **state) {
    struct wf_frame frame;
    (void)state;
    const size_t end = wf_frame_write(bytes, 3, WF_COMMAND_PEEK, "\x10\x00\x04\x7E", 4);
    for (size_t cut = 0; cut < end; ++cut) {
        const uint8_t *at = bytes;
        assert_false(wf_frame_read(&at, bytes + cut, &frame));
        assert_true(at == bytes);
    }
    for (size_t bit = 0; bit < 8 * end; ++bit) {
        const uint8_t *at = bytes;
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(wf_frame_read(&at, bytes + end, &frame) && at == bytes + end);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    static const uint8_t none[] = {0x7E, 0x01, 0xFE, 0x7E, 0x01, 0x00, 0xFE, 0x7D, 0x7E};
    for (size_t from = 0; from < sizeof none; from = from ? from + 3 : 1) {
        const uint8_t *at = none + from;
        assert_false(wf_frame_read(&at, none + sizeof none, &frame));
    }
}

static void a_payload_has_a_bound(void **state) {
    static uint8_t longer[2 * (WF_PAYLOAD_MAX + 1) + 8], payload[WF_PAYLOAD_MAX + 1];
    struct wf_frame frame;
    const uint8_t *at = longer;
    (void)state;
    const size_t end = wf_frame_write(longer, 1, WF_COMMAND_EVENT, payload, sizeof payload);
    assert_false(wf_frame_read(&at, longer + end, &frame));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_is_read_as_written),
        cmocka_unit_test(frames_follow_each_other),
        cmocka_unit_test(what_is_no_whole_frame_is_refused),
        cmocka_unit_test(a_payload_has_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
