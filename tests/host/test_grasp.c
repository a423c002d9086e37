// SPDX-License-Identifier: MIT
// Numbers and words of Grasp traces. tests/e2e/grasp.sh compares the drawn items with the model.

#include "wf_test.h"
#include "writers/grasp/wfi_grasp.h"

static void expect_time(uint64_t tick, uint64_t hz, const char *want) {
    char text[48];
    size_t len = wfi_grasp_time(text, tick, hz);
    assert_true(len < sizeof text);
    text[len] = 0;
    assert_string_equal(text, want);
}

static void times_have_all_their_digits(void **state) {
    (void)state;
    expect_time(0, 1000000, "0");
    expect_time(1000, 1000000, "1");
    expect_time(1, 1000000, "0.001");
    expect_time(1, 1000000000, "0.000001");
    expect_time(1, 16000000, "0.0000625");
    expect_time(1, 32768, "0.030517578125");
    expect_time(12345678, 1000, "12345678");
    expect_time(7, 100, "70");
    expect_time(1, 3, "333.333333333333333333");
    expect_time(1000001, 1000, "1000001");
    expect_time(UINT64_MAX, 1, "18446744073709551615000");
    expect_time(UINT64_MAX, 1000000, "18446744073709551.615");
    expect_time(UINT64_MAX, 1000000000000, "18446744073.709551615");
    expect_time(5, 0, "5");          // ticks
    expect_time(5, UINT64_MAX, "5"); // an impossible rate
}

static void expect_word(const char *text, size_t len, const char *want) {
    struct wfi_strbuf t;
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    struct guarded g = guard((const uint8_t *)text, len);
    wfi_grasp_quote(&t, (const char *)g.bytes, len);
    unguard(&g);
    assert_int_equal(t.end - t.buf, strlen(want));
    assert_memory_equal(t.buf, want, strlen(want));
    wfi_strbuf_close(&t);
}

static void words_are_ascii_that_means_nothing_to_tcl(void **state) {
    (void)state;
    expect_word("", 0, "\"\"");
    expect_word("plain text", 10, "\"plain text\"");
    expect_word("[exec x]", 8, "\"\\[exec x\\]\"");
    expect_word("$a{}\";\\#", 8, "\"\\$a\\{\\}\\\"\\;\\\\\\#\"");
    expect_word("a\nb\r\t\x1b\x7f", 7, "\"a\\u000Ab\\u000D\\u0009\\u001B\\u007F\"");
    expect_word("a\0b", 3, "\"a\\u0000b\"");
    expect_word("\xc3\xa4\xe2\x82\xac", 5, "\"\\u00E4\\u20AC\"");
    expect_word("\xf0\x9f\x98\x80", 4, "\"\\U0001F600\"");
    // Invalid UTF-8: truncated, overlong, a surrogate, above the last code point, a lone byte
    // before a quote.
    expect_word("\xe2\x82", 2, "\"\\u00E2\\u0082\"");
    expect_word("\xc1\x9b", 2, "\"\\u00C1\\u009B\"");
    expect_word("\xed\xa0\x80", 3, "\"\\u00ED\\u00A0\\u0080\"");
    expect_word("\xf4\x90\x80\x80", 4, "\"\\u00F4\\u0090\\u0080\\u0080\"");
    expect_word("\x81\"", 2, "\"\\u0081\\\"\"");
    expect_word("\xff\xf8", 2, "\"\\u00FF\\u00F8\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_have_all_their_digits),
        cmocka_unit_test(words_are_ascii_that_means_nothing_to_tcl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
