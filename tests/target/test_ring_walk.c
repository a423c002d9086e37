// SPDX-License-Identifier: MIT
// After each record, in rings of many sizes, read and unread: the frames from the tail to next are
// whole, adjacent, with consecutive numbers, and `sent` is at one of them. So no record overwrites
// another one, for any length and any position of the ring's end. With WFI_QUICK a frame's head is
// contiguous.

#include "wf_test.h"
#include "wfi_core.h"

enum { RINGS = 700, RECORDS = 1200 };

static uint8_t ring[128 + RINGS];

static uint32_t seed;

static uint32_t rnd(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static void record(void) {
    static const uint8_t bytes[120];
    static const char text[] = "a text of thirty-nine characters or so";
    switch (rnd(10)) {
    case 0: WF_REC0(qf_run, 0); break; // no stamp and no field: the shortest
    case 1: WF_REC(crit_entry, 0, 1); break;
    case 2: WF_REC(sched_next, 1, 1, 2); break;
    case 3: WF_REC(active_post, 1, ring, 5, ring, 1, 1, 3, 2); break;
    case 4: WF_RECORD(WF_USER, 0, WF_U8(0, 1)); break;
    case 5: WF_RECORD(WF_USER, 0, WF_U32(0, 7), WF_STR("eightchr")); break;
    case 6: WF_RECORD(WF_USER, 0, WF_STR(text + rnd(sizeof text))); break;
    case 7: WF_RECORD(WF_USER, 0, WF_MEM(bytes, (uint8_t)rnd(sizeof bytes))); break;
    case 8: // in steps
        WF_BEGIN(WF_USER, 0);
        wf_mem(bytes, (uint8_t)rnd(sizeof bytes));
        WF_END();
        break;
    default: fake_clock = rnd(20) ? fake_clock + rnd(99) : 0; break;
    }
}

static void walk(void) {
    const uint8_t *p = wfi.sent;
    uint8_t number = (uint8_t)(wfi.tail_at.count + 1);
    unsigned bytes = 0;
    while (p != wfi.next) {
        const uint8_t seq = *wfi_step(p), left_out = (uint8_t)(seq - number);
        uint8_t sum = 0, length = *p;
        assert_true(length >= 3 && length <= WFI_PIECE_MAX);
        const ptrdiff_t head =
            3 + wfi_is_sync(p) + (wfi_is_sync(p) || wfi_has_stamp(p)) * WF_CFG_TIME_SIZE;
        assert_true(!WFI_QUICK || wfi.ring_end - p >= head); // does not wrap around the ring's end
        assert_true(!WF_CFG_SYNC || wfi_is_sync(p) || left_out <= 2);
        const uint8_t *q = wfi_step(p);
        for (unsigned i = 0; i < length; ++i, q = wfi_step(q)) sum = (uint8_t)(sum + *q);
        assert_int_equal(sum, 0xFF);
        number = (uint8_t)(seq + 1);
        p = wfi_behind_frame(p);
        bytes += 1u + length;
        assert_true(bytes < (size_t)(wfi.ring_end - wfi.ring));
    }
    assert_true(!WF_CFG_SYNC || wfi.sync_due || number == (uint8_t)(wfi.count_low + 1));
}

static void frames_stay_whole(void **state) {
    (void)state;
    for (unsigned size = 0; size < RINGS; ++size) {
        seed = size;
        fake_clock = 0;
        start(ring, 128 + size);
        wf_filter(WF_GRP_ALL);
        const bool reads = size % 2;
        for (unsigned i = 0; i < RECORDS; ++i) {
            record();
            for (unsigned n = reads ? rnd(40) : 0; n; --n) (void)wf_get_byte();
            if (!wfi.part) walk();
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_stay_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
