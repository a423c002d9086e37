// SPDX-License-Identifier: MIT
// Bytes in use of heaps: exact from the creation of a heap, else without the blocks from before.

#include "wf_test_model.h"

enum { H = 0x600, G = 0x700 };

static void use_is_exact_from_the_creation(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "heap_create", H, 4096); // nothing is in use, if blocks are recorded at all
    PUT(b, "heap_alloc", H, A, 0x5000, 24);
    PUT(b, "heap_alloc", H, A, 0x5020, 100);
    PUT(b, "heap_free", H, A, 0x5000, 0); // some recorders do not know the size
    PUT(b, "heap_free", H, A, 0x6000, 8); // allocated without a record
    PUT(b, "heap_alloc", H, A, 0x5020, 10);
    changes(b, "10 object 0x00000600 + 4096\n"
               "11 memory a 0x00000600 + 24 @5000\n"
               "11 used 0x00000600 + 24\n"
               "12 memory a 0x00000600 + 100 @5020\n"
               "12 used 0x00000600 + 124\n"
               "13 memory a 0x00000600 - @5000\n"
               "13 used 0x00000600 + 100\n"
               "14 memory a 0x00000600 - 8 @6000\n"
               "14 used 0x00000600 - 100\n"
               "15 memory a 0x00000600 + 10 @5020\n" // it was freed without a record
               "15 used 0x00000600 - 10\n");
    assert_true(object(b, H)->used_known && !object(b, H)->used_exact);
    PUT(b, "heap_delete", H);
    run(b);
    assert_false(object(b, H)->used_known);
    close_bench(b);
}

static void a_hole_takes_the_blocks(void **state) {
    (void)state;
    struct bench *b = open_two_tasks();
    PUT(b, "heap_create", H, 4096);
    PUT(b, "heap_alloc", H, A, 0x5000, 24);
    PUT(b, "heap_free", G, A, 0x9000, 4); // of unknown begin: nothing is known to be in use
    b->quiet = true;
    run(b);
    b->quiet = false;
    assert_true(object(b, H)->used_exact && !object(b, G)->used_known);
    lose_records(b, 1);
    PUT(b, "heap_free", H, A, 0x5000, 24);
    PUT(b, "heap_alloc", H, A, 0x5100, 7);
    run(b);
    assert_non_null(strstr(b->text.bytes, "12 used 0x00000600 - cut\n"));
    assert_non_null(strstr(b->text.bytes, "14 used 0x00000600 - 7\n"));
    assert_null(strstr(b->text.bytes, "13 used"));
    close_bench(b);
}

// Random blocks, with holes, against a list.
static void use_is_the_sum_of_the_blocks(void **state) {
    enum { PLACES = 700, STEPS = 60000 };
    static uint32_t sizes[PLACES]; // 0: free, or not known
    (void)state;
    struct bench *b = open_two_tasks();
    uint64_t used = 0, max = 0;
    unsigned count = 0, random = 1, holes = 0;
    b->quiet = true;
    memset(sizes, 0, sizeof sizes);
    PUT(b, "heap_create", H, 1 << 20);
    for (unsigned i = 0; i < STEPS; ++i) {
        random = random * 1664525 + 1013904223;
        unsigned at = (random >> 8) % PLACES, size = 1 + (random >> 20) % 500;
        if (i % 9973 == 9972) {
            run(b);
            lose_records(b, 1);
            memset(sizes, 0, sizeof sizes);
            used = count = 0;
            ++holes;
        }
        if (sizes[at]) {
            PUT(b, "heap_free", H, A, 0x10000 + 16 * at, i % 2 ? sizes[at] : 0);
            used -= sizes[at];
            sizes[at] = 0;
            --count;
        } else {
            PUT(b, "heap_alloc", H, A, 0x10000 + 16 * at, size);
            used += sizes[at] = size;
            ++count;
        }
        if (i % 64 && i % 9973 != 9972) continue;
        run(b);
        assert_int_equal(object(b, H)->used, used);
        assert_true(object(b, H)->used_known);
        assert_int_equal(object(b, H)->used_exact, holes == 0);
        if (used > max) max = used;
    }
    assert_true(max > 50000 && holes == 6 && count > 100);
    close_bench(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(use_is_exact_from_the_creation),
        cmocka_unit_test(a_hole_takes_the_blocks),
        cmocka_unit_test(use_is_the_sum_of_the_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
