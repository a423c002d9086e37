// SPDX-License-Identifier: MIT
// Filters of scripts as bits. The bitmaps were captured from the real QUTest.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "filter.h"

enum { QS_740 = 740, QS_700 = 700, QS_810 = 810 };

// Applies the list (terminated by 0), and compares with a bitmap in hex.
static void check(const long *list, bool ids, uint16_t version, const char *hex) {
    const struct wf_target t = {.known = true, .version = version};
    uint8_t bits[WF_FILTER_BYTES] = {0};
    char text[2 * WF_FILTER_BYTES + 1];
    for (; *list; ++list)
        assert_true(ids ? filter_ids(bits, *list) : filter_records(bits, *list, &t));
    for (int i = 0; i < WF_FILTER_BYTES; ++i) {
        static const char digits[] = "0123456789abcdef";
        text[2 * i] = digits[bits[i] >> 4];
        text[2 * i + 1] = digits[bits[i] & 15];
    }
    text[2 * WF_FILTER_BYTES] = 0;
    assert_string_equal(text, hex);
}
#define CHECK(ids, version, hex, ...) check((const long[]){__VA_ARGS__, 0}, ids, version, hex)

static void filters_are_those_of_qutest(void **state) {
    (void)state;
    CHECK(false, QS_740, "feff07000020800300000000f0ffff1f", GRP_SM, GRP_AO, GRP_UA);
    CHECK(false, QS_740, "0000f87fffdf00000000000000000000", GRP_MP, GRP_EQ, GRP_TE, GRP_QF, -0x1F);
    CHECK(false, QS_740, "ffffffffffffffffffffffffffffff1f", GRP_ALL);
    CHECK(true, QS_740, "ffffffffffffffffffffffffffffffff", IDS_ALL);
}

static void filters_begin_with_nothing(void **state) {
    (void)state;
    CHECK(false, QS_740, "00000000000000000000000000000000", -GRP_ALL);
    CHECK(false, QS_740, "00000000000000000000000000000000", GRP_ALL, -GRP_ALL);
    CHECK(false, QS_740, "00400000000000000000000000000000", 14);
    CHECK(false, QS_740, "01bfffffffffffffffffffffffffff1f", GRP_ALL, -14, -1, -2, -3, -4, -5, -6,
          -7);
}

static void groups_have_their_records(void **state) {
    (void)state;
    CHECK(false, QS_740, "00000000000000000000000000000000", -GRP_SC);
    CHECK(false, QS_740, "00000000000000003f00000000000000", 64, 65, 66, 67, 68, 69);
    CHECK(false, QS_740, "0000000000003f000000000000000000", GRP_SC);
    CHECK(false, QS_700, "0000000000007f000000000000000000", GRP_SC); // RESUME, now a dictionary
    CHECK(false, QS_740,
          "000000000000000080070000"
          "00000000",
          GRP_SEM);
    CHECK(false, QS_740, "000000000000000000f8010000000000", GRP_MTX);
    CHECK(false, QS_740, "000000000000000000000000f0010000", GRP_U0);
    CHECK(false, QS_740, "0000000000000000000000000000001f", GRP_U4, -119);
    CHECK(false, QS_810,
          "00fc070000200000000002000000"
          "0000",
          GRP_AO); // DEFER_ATTEMPT
}

static void ids_have_their_groups(void **state) {
    (void)state;
    CHECK(true, QS_740, "feffffffffffffff0100000000000000", IDS_AO);
    CHECK(true, QS_740, "0000000000000000feff000000000000", IDS_EP);
    CHECK(true, QS_740, "00000000000000000000ffff00000000", IDS_EQ);
    CHECK(true, QS_740, "000000000000000000000000ffffffff", IDS_AP);
    CHECK(true, QS_740, "04000000000000000000000000000000", 2);
    CHECK(true, QS_740, "faffffffffffffff0100000000000000", IDS_AO, -2);
}

static void what_does_not_exist_is_refused(void **state) {
    const struct wf_target t = {.known = true, .version = QS_740};
    uint8_t bits[WF_FILTER_BYTES] = {0}, none[WF_FILTER_BYTES] = {0};
    (void)state;
    assert_false(filter_records(bits, 0x7D, &t));
    assert_false(filter_records(bits, -0x7D, &t));
    assert_false(filter_records(bits, 0xEF, &t));
    assert_false(filter_records(bits, 0x100, &t));
    assert_false(filter_records(bits, LONG_MIN, &t));
    assert_false(filter_ids(bits, 127));
    assert_false(filter_ids(bits, 0x81));
    assert_false(filter_ids(bits, 256));
    assert_false(filter_ids(bits, LONG_MIN));
    assert_memory_equal(bits, none, sizeof bits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_are_those_of_qutest),
        cmocka_unit_test(filters_begin_with_nothing),
        cmocka_unit_test(groups_have_their_records),
        cmocka_unit_test(ids_have_their_groups),
        cmocka_unit_test(what_does_not_exist_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
