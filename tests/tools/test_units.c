// SPDX-License-Identifier: MIT
// Units of bounds: what is parsed is exact, and nothing else is taken for a value.

#include "units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void exact(enum wf_check_unit unit, const char *text, double want) {
    double value = -1;
    assert_null(unit_parse(unit, text, &value));
    if (value < want || value > want) fail_msg("%s: %.17g, not %.17g", text, value, want);
}

static void values_are_exact(void **state) {
    (void)state;
    exact(WF_CHECK_TIME, "5 ms", 0.005);
    exact(WF_CHECK_TIME, "5ms", 0.005);
    exact(WF_CHECK_TIME, "80 ns", 80e-9);
    exact(WF_CHECK_TIME, "1.5 s", 1.5);
    exact(WF_CHECK_TIME, "200 us", 0.0002);
    exact(WF_CHECK_TIME, "200 \xC2\xB5s", 0.0002);
    exact(WF_CHECK_TIME, "3 min", 180);
    exact(WF_CHECK_TIME, "1 h", 3600);
    exact(WF_CHECK_TIME, "0 s", 0);
    exact(WF_CHECK_TIME, "1e3 us", 0.001);
    exact(WF_CHECK_SHARE, "40 %", 40);
    exact(WF_CHECK_SHARE, "0.5%", 0.5);
    exact(WF_CHECK_BYTES, "512 B", 512);
    exact(WF_CHECK_BYTES, "1.5 KiB", 1536);
    exact(WF_CHECK_BYTES, "2 MiB", 2097152);
    exact(WF_CHECK_BYTES, "1 GiB", 1073741824);
    exact(WF_CHECK_NUMBER, "-3", -3);
}

static void nothing_else_is_a_value(void **state) {
    static const struct {
        enum wf_check_unit unit;
        const char *text;
    } rows[] = {
        {WF_CHECK_TIME, ""},          {WF_CHECK_TIME, "5"},       {WF_CHECK_TIME, "ms"},
        {WF_CHECK_TIME, "5 m"},       {WF_CHECK_TIME, "5 MS"},    {WF_CHECK_TIME, "5 ms "},
        {WF_CHECK_TIME, "5 ms 3 us"}, {WF_CHECK_TIME, "5,1 ms"},  {WF_CHECK_TIME, "0x5 ms"},
        {WF_CHECK_TIME, "inf s"},     {WF_CHECK_TIME, "nan s"},   {WF_CHECK_TIME, "1e999 s"},
        {WF_CHECK_TIME, "-1 ms"},     {WF_CHECK_TIME, "5 %"},     {WF_CHECK_TIME, "infinity ms"},
        {WF_CHECK_SHARE, "40"},       {WF_CHECK_SHARE, "40 ms"},  {WF_CHECK_SHARE, "-1 %"},
        {WF_CHECK_BYTES, "512"},      {WF_CHECK_BYTES, "512 kB"}, {WF_CHECK_BYTES, "512 b"},
        {WF_CHECK_NUMBER, "12 B"},    {WF_CHECK_NUMBER, "x"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        double value;
        if (!unit_parse(rows[i].unit, rows[i].text, &value)) fail_msg("'%s'", rows[i].text);
    }
}

static void shown(enum wf_check_unit unit, double value, const char *want) {
    char text[UNIT_TEXT];
    assert_string_equal(unit_text(unit, value, text), want);
}

static void texts_have_the_unit_that_fits(void **state) {
    (void)state;
    shown(WF_CHECK_TIME, 0.005, "5 ms");
    shown(WF_CHECK_TIME, 0.0123449, "12.34 ms");
    shown(WF_CHECK_TIME, 80e-9, "80 ns");
    shown(WF_CHECK_TIME, 0.9999999, "1 s");
    shown(WF_CHECK_TIME, 7200, "7200 s");
    shown(WF_CHECK_TIME, 0, "0 ns");
    shown(WF_CHECK_SHARE, 12.5, "12.5 %");
    shown(WF_CHECK_BYTES, 4294967295.0, "4294967295 B");
    shown(WF_CHECK_NUMBER, -3, "-3");
}

// What is written is read again as the same value, within its four digits.
static void texts_are_read_as_the_same_value(void **state) {
    char text[UNIT_TEXT];
    double value;
    (void)state;
    for (double v = 1e-9; v < 1e5; v *= 1.37) {
        assert_null(unit_parse(WF_CHECK_TIME, unit_text(WF_CHECK_TIME, v, text), &value));
        assert_true(fabs(value - v) <= 6e-4 * v);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_exact),
        cmocka_unit_test(nothing_else_is_a_value),
        cmocka_unit_test(texts_have_the_unit_that_fits),
        cmocka_unit_test(texts_are_read_as_the_same_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
