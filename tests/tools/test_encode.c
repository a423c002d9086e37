// SPDX-License-Identifier: MIT
// Commands of scripts as bytes (wire reference sections 8 and 9). The bitmaps are those that the
// real QUTest was seen to send.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "encode.h"

enum { QS_740 = 740, QS_700 = 700, QS_810 = 810 };

// Sets what the list (which ends with 0) names, and compares with a bitmap in hex.
static void check(const long *list, bool ids, unsigned version, const char *hex) {
    uint8_t bits[FILTER_BYTES] = {0};
    char text[2 * FILTER_BYTES + 1];
    for (; *list; ++list)
        assert_true(ids ? filter_ids(bits, *list) : filter_records(bits, *list, version));
    for (int i = 0; i < FILTER_BYTES; ++i) {
        static const char digits[] = "0123456789abcdef";
        text[2 * i] = digits[bits[i] >> 4];
        text[2 * i + 1] = digits[bits[i] & 15];
    }
    text[2 * FILTER_BYTES] = 0;
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
    uint8_t bits[FILTER_BYTES] = {0}, none[FILTER_BYTES] = {0};
    (void)state;
    assert_false(filter_records(bits, 0x7D, QS_740));
    assert_false(filter_records(bits, -0x7D, QS_740));
    assert_false(filter_records(bits, 0xEF, QS_740));
    assert_false(filter_records(bits, 0x100, QS_740));
    assert_false(filter_records(bits, LONG_MIN, QS_740));
    assert_false(filter_ids(bits, 127));
    assert_false(filter_ids(bits, 0x81));
    assert_false(filter_ids(bits, 256));
    assert_false(filter_ids(bits, LONG_MIN));
    assert_memory_equal(bits, none, sizeof bits);
}

static void check_payload(const struct payload *p, const char *bytes, size_t len) {
    assert_false(p->too_long);
    assert_int_equal(p->len, len);
    assert_memory_equal(p->bytes, bytes, len);
}
#define PAYLOAD(call, bytes)                                                                       \
    do {                                                                                           \
        const struct payload p = call;                                                             \
        check_payload(&p, bytes, sizeof bytes - 1);                                                \
    } while (0)

static void commands_have_the_sizes_of_the_target(void **state) {
    struct wf_target small = {.known = true}, large = {.known = true};
    (void)state;
    small.bytes[WF_TYPE_SIG] = 1;
    small.bytes[WF_TYPE_OBJ] = small.bytes[WF_TYPE_FUN] = 2;
    large.bytes[WF_TYPE_SIG] = 4;
    large.bytes[WF_TYPE_OBJ] = 4;
    large.bytes[WF_TYPE_FUN] = 8;
    PAYLOAD(encode_event(&small, 253, 0x1234, "ab", 2), "\xFD\x34\x02\0ab");
    PAYLOAD(encode_event(&large, 0, 0x1234, NULL, 0), "\0\x34\x12\0\0\0\0");
    PAYLOAD(encode_object(&small, 5, 0xA1B2C3D4), "\x05\xD4\xC3");
    PAYLOAD(encode_object(&large, 6, 0xA1B2C3D4), "\x06\xD4\xC3\xB2\xA1");
    PAYLOAD(encode_probe(&small, 99, 0xC3D4), "\x63\0\0\0\xD4\xC3");
    PAYLOAD(encode_probe(&large, UINT32_MAX, 0x0102030405060708),
            "\xFF\xFF\xFF\xFF\x08\x07\x06\x05\x04\x03\x02\x01");
}

static void commands_have_their_fields(void **state) {
    static const uint32_t params[3] = {21, 7, 0xBEEF};
    uint8_t bits[FILTER_BYTES] = {0x7E};
    (void)state;
    PAYLOAD(encode_command(9, params), "\x09\x15\0\0\0\x07\0\0\0\xEF\xBE\0\0");
    PAYLOAD(encode_filter(bits), "\x10\x7E\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    PAYLOAD(encode_byte(4), "\x04");
    PAYLOAD(encode_memory(0x102, 2, 1, "ab", 2), "\x02\x01\x02\x01"
                                                 "ab");
    PAYLOAD(encode_memory(0, 1, 5, NULL, 0), "\0\0\x01\x05");
}

static void what_is_too_long_says_so(void **state) {
    static const uint8_t bytes[PAYLOAD_MAX];
    struct wf_target t = {.known = true};
    (void)state;
    t.bytes[WF_TYPE_SIG] = 2;
    assert_false(encode_event(&t, 0, 5, bytes, PAYLOAD_MAX - 5).too_long);
    assert_true(encode_event(&t, 0, 5, bytes, PAYLOAD_MAX - 4).too_long);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_are_those_of_qutest),
        cmocka_unit_test(filters_begin_with_nothing),
        cmocka_unit_test(groups_have_their_records),
        cmocka_unit_test(ids_have_their_groups),
        cmocka_unit_test(what_does_not_exist_is_refused),
        cmocka_unit_test(commands_have_the_sizes_of_the_target),
        cmocka_unit_test(commands_have_their_fields),
        cmocka_unit_test(what_is_too_long_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
