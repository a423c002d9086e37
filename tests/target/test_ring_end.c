// SPDX-License-Identifier: MIT
// A record of several pieces reaches the end of the ring and does not fit at its start, because the
// oldest frame begins at the second byte and is on loan: it is refused, and nothing is written
// beyond the ring. (In an old fault the later pieces were.)

#include "wf_test.h"

enum { SIZE = 256, FILL = 0xAA };

static struct { uint8_t ring[SIZE], behind[SIZE]; } memory;
static const struct wf_config config = {.ring = memory.ring, .ring_size = SIZE, .hz = 1};
static const uint8_t bytes[64];

// Returns false when no frame begins at the second byte with these lengths.
static bool start_at_second_byte(unsigned step) {
    memset(&memory, FILL, sizeof memory);
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    for (unsigned i = 0; i < 200; ++i) {
        WF_RECORD(WF_USER, 0, WF_MEM(bytes, (uint8_t)(1 + step * i % 31)));
        while (wf_get_byte() >= 0) continue;
        if (wfi.next == memory.ring + 1) return wfi.tail == wfi.next;
    }
    return false;
}

static void nothing_is_written_behind_the_ring(void **state) {
    unsigned met = 0;
    (void)state;
    for (unsigned step = 1; step < 40; ++step) {
        for (uint8_t len = 1; len < 40 && start_at_second_byte(step); ++len, ++met) {
            const uint8_t *block;
            struct wf_status status;
            WF_RECORD(WF_USER, 0, WF_MEM(bytes, len));
            assert_int_equal(wf_get_block(&block, 1), 1);
            for (unsigned i = 0; i < 12; ++i) {
                WF_BEGIN(WF_USER, 0);
                wf_mem(bytes, len);
                wf_mem(bytes, 20);
                wf_u32(0, 1);
                WF_END();
            }
            for (unsigned i = 0; i < SIZE; ++i) assert_int_equal(memory.behind[i], FILL);
            wf_get_status(&status);
            assert_true(status.lost > 0);
        }
    }
    assert_true(met > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_written_behind_the_ring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
