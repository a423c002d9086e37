// SPDX-License-Identifier: MIT
// Packed frames from the recorder to a host session, against a model that has every record made:
// random records of all kinds, rings, drains, and clocks. Every record arrives as it was made, at
// its time, and every record that does not arrive is counted.

#include "packed_receive.h"

// Records of a random number are made, and read in random pieces.
static void run(unsigned bursts, uint32_t longest, uint32_t reads) {
    struct checker h;
    size_t received = 0;
    begin_checker(&h);
    for (; bursts; --bursts) {
        for (uint32_t n = rnd(longest); n; --n) make();
        switch (rnd(5)) {
        case 0: break;
        case 1: wf_flush(); break;
        case 2: read_some(UINT32_MAX); break;
        default: read_some(rnd(reads));
        }
        if (rnd(50) == 0) wf_announce_numbers();
        while (rnd(4) && received < stream_len) {
            const size_t len = 1 + rnd((uint32_t)(stream_len - received));
            receive_bytes(&h, stream + received, len);
            received += len;
        }
    }
    make();
    read_all();
    receive_bytes(&h, stream + received, stream_len - received);
    check_end(&h);
}

static void every_record_arrives_or_is_counted(void **state) {
    (void)state;
    const char *const rounds = getenv("ROUNDS"); // for a longer test
    const uint32_t end = rounds ? (uint32_t)atoi(rounds) : 100;
    for (uint32_t round = 0; round < end; ++round) {
        seed = round;
        vary.objects = rnd(3) ? 1 + rnd(20) : OBJECTS;
        vary.oddities = rnd(4) ? 1 + rnd(8) : 0;
        vary.moves = rnd(2);
        vary.still = rnd(4) == 0;
        begin(rnd(2) ? WF_RING_MIN + rnd(400) : 800 + rnd(RING_MAX - 800), rnd(2)   ? 0
                                                                           : rnd(2) ? 1000
                                                                                    : UINT32_MAX);
        run(100, rnd(2) ? 12 : 150, rnd(2) ? 400 : 3000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_record_arrives_or_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
