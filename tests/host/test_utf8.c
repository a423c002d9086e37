// SPDX-License-Identifier: MIT
// All characters, all texts of three bytes, and the edges of the four-byte texts.

#include "wf_test.h"
#include "wallfly_host/wf_utf8.h"

// An independent encoder.
static size_t encode(uint32_t c, char *to) {
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len - 1; i; --i, c /= 64) to[i] = (char)(0x80 + c % 64);
    to[0] = (char)(lead[len] + c);
    return len;
}

static void every_character_is_one(void **state) {
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; ++c) {
        char bytes[8];
        bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        uint32_t code = 0x5A5A5A5A;
        size_t len = encode(c, bytes);
        memset(bytes + len, 0xBF, 4); // following bytes do not matter
        assert_int_equal(wf_utf8_decode(bytes, len + 4, NULL), surrogate ? 0 : len);
        assert_int_equal(wf_utf8_decode(bytes, len, &code), surrogate ? 0 : len);
        assert_int_equal(code, surrogate ? 0x5A5A5A5A : c);
        for (size_t cut = 0; cut < len; ++cut)
            assert_int_equal(wf_utf8_decode(bytes, cut, &code), 0);
    }
}

// A decoded character encodes to the same bytes. With the test above: no other bytes decode to it.
static size_t check(const char *bytes, size_t len) {
    char again[4];
    uint32_t code;
    size_t n = wf_utf8_decode(bytes, len, &code);
    if (!n) return 0;
    assert_true(n <= len && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF));
    assert_int_equal(encode(code, again), n);
    assert_memory_equal(again, bytes, n);
    return n;
}

static void nothing_else_is_one(void **state) {
    (void)state;
    unsigned long count[4] = {0};
    for (uint32_t v = 0; v < 1u << 24; ++v) {
        const char bytes[3] = {(char)(v >> 16), (char)(v >> 8), (char)v};
        ++count[check(bytes, 3)];
    }
    assert_int_equal(count[1], 128ul << 16);
    assert_int_equal(count[2], (0x800ul - 0x80) << 8);
    assert_int_equal(count[3], 0x10000ul - 0x800 - 0x800); // without the surrogates
    unsigned long fours = 0;
    for (uint32_t v = 0; v < 1u << 24; ++v) { // of the last two bytes only the upper four bits
        const char bytes[4] = {(char)(v >> 16), (char)(v >> 8), (char)(v & 0xF0), (char)(v << 4)};
        fours += check(bytes, 4) == 4;
    }
    assert_int_equal(fours, 0x100000ul >> 8); // four of 64 values for each of the two bytes
}

static void controls_are_not_shown(void **state) {
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; ++c) {
        char bytes[4];
        bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F), surrogate = c >> 11 == 0x1B;
        control |= c == 0x61C || c == 0x200E || c == 0x200F; // direction marks, line separators
        control |= (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        size_t len = encode(c, bytes);
        assert_int_equal(wf_utf8_shown(bytes, len), control || surrogate ? 0 : len);
        assert_int_equal(wf_utf8_shown(bytes, len - 1), 0);
    }
}

static void nothing_behind_is_read(void **state) {
    (void)state;
    for (unsigned lead = 0; lead < 256; ++lead) {
        const uint8_t bytes[3] = {(uint8_t)lead, 0x90, 0x80};
        for (size_t len = 0; len <= 3; ++len) {
            struct guarded g = guard(bytes, len);
            assert_true(wf_utf8_decode((const char *)g.bytes, len, NULL) <= len);
            unguard(&g);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_is_one),
        cmocka_unit_test(nothing_else_is_one),
        cmocka_unit_test(controls_are_not_shown),
        cmocka_unit_test(nothing_behind_is_read),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
