// SPDX-License-Identifier: MIT
// Comparison of expected lines: patterns, and the count of time stamps.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "match.h"

static void a_pattern_is_for_the_whole_line(void **state) {
    (void)state;
    assert_true(match_line("", ""));
    assert_true(match_line("AO-Post", "AO-Post"));
    assert_false(match_line("AO-Post", "AO-Post "));
    assert_false(match_line("AO-Post ", "AO-Post"));
    assert_false(match_line("", "x"));
    assert_false(match_line("x", ""));
    assert_false(match_line("ao-post", "AO-Post"));
}

static void a_star_stands_for_any_characters(void **state) {
    (void)state;
    assert_true(match_line("*", ""));
    assert_true(match_line("*", "anything"));
    assert_true(match_line("a*", "a"));
    assert_true(match_line("*b", "aab"));
    assert_true(match_line("a*b*c", "abbbcbc"));
    assert_true(match_line("**a**", "xay"));
    assert_false(match_line("a*b", "abc"));
    assert_false(match_line("*ab", "aba"));
    assert_false(match_line("a*a", "a"));
}

static void a_question_mark_stands_for_one(void **state) {
    (void)state;
    assert_true(match_line("?", "x"));
    assert_true(match_line("?*?", "xy"));
    assert_false(match_line("?", ""));
    assert_false(match_line("?", "xy"));
    assert_false(match_line("?*?", "x"));
}

static void brackets_stand_for_themselves(void **state) {
    (void)state;
    assert_true(match_line("Obj=philo[2],*", "Obj=philo[2],Sig=EAT"));
    assert_false(match_line("Obj=philo[2],*", "Obj=philo2,Sig=EAT"));
    assert_true(match_line("[a-c]", "[a-c]"));
    assert_true(match_line("50%s\\", "50%s\\"));
}

// A plain recursive matcher to compare with, over all short patterns and lines.
static bool slow(const char *p, const char *s) {
    if (*p == '*') return slow(p + 1, s) || (*s && slow(p, s + 1));
    if (!*p || !*s) return !*p && !*s;
    return (*p == '?' || *p == *s) && slow(p + 1, s + 1);
}

static void spell(unsigned n, unsigned base, const char *letters, char *to) {
    for (; n; n /= base) *to++ = letters[n % base];
    *to = 0;
}

static void it_agrees_with_a_plain_one(void **state) {
    unsigned matched = 0;
    (void)state;
    for (unsigned p = 0; p < 1024; ++p) { // 5 characters of "ab?*"
        for (unsigned s = 0; s < 256; ++s) {
            char pattern[16], line[16];
            spell(p, 4, "ab?*", pattern);
            spell(s, 2, "ab", line);
            assert_int_equal(match_line(pattern, line), slow(pattern, line));
            matched += match_line(pattern, line);
        }
    }
    assert_true(matched > 1000);
}

static void many_stars_take_no_time(void **state) {
    char line[1001], pattern[201];
    (void)state;
    memset(line, 'a', 1000);
    line[1000] = 0;
    for (int i = 0; i < 200; i += 2) memcpy(pattern + i, "*a", 2);
    pattern[199] = 'b';
    pattern[200] = 0;
    assert_false(match_line(pattern, line));
}

static void check_stamp(const char *pattern, uint32_t clock, const char *wanted, uint32_t after) {
    char out[64];
    match_stamp(pattern, &clock, out, sizeof out);
    assert_string_equal(out, wanted);
    assert_int_equal(clock, after);
}

static void stamps_are_counted(void **state) {
    (void)state;
    check_stamp("@timestamp AO-Post *", 0, "0000000001 AO-Post *", 1);
    check_stamp("@timestamp", 41, "0000000042", 42);
    check_stamp("0000000007 AO-Post", 6, "0000000007 AO-Post", 7);
    check_stamp("000000007", 6, "000000007", 7);
    check_stamp("00000007 AO-Post", 6, "00000007 AO-Post", 6);
    check_stamp("           QF_RUN", 6, "           QF_RUN", 6);
    check_stamp("*", 6, "*", 6);
    check_stamp(" @timestamp", 6, " @timestamp", 6);
    check_stamp("@timestam", 6, "@timestam", 6);
    check_stamp("@timestamp x", UINT32_MAX - 1, "4294967295 x", UINT32_MAX);
}

static void a_long_pattern_is_cut(void **state) {
    char out[8];
    uint32_t clock = 0;
    (void)state;
    match_stamp("@timestamp", &clock, out, sizeof out);
    assert_string_equal(out, "0000000");
    match_stamp("123456789", &clock, out, sizeof out);
    assert_string_equal(out, "1234567");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_is_for_the_whole_line),
        cmocka_unit_test(a_star_stands_for_any_characters),
        cmocka_unit_test(a_question_mark_stands_for_one),
        cmocka_unit_test(brackets_stand_for_themselves),
        cmocka_unit_test(it_agrees_with_a_plain_one),
        cmocka_unit_test(many_stars_take_no_time),
        cmocka_unit_test(stamps_are_counted),
        cmocka_unit_test(a_long_pattern_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
