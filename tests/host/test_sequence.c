// SPDX-License-Identifier: MIT
// Texts of sequence diagrams: any text from a target is valid in both languages.
// tests/e2e/sequence.sh draws and compares the diagrams.

#include "wf_test.h"
#include "writers/sequence/wfi_sequence.h"

static void expect(const char *format, const char *text, size_t len, const char *want) {
    struct wfi_strbuf t;
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    struct guarded g = guard((const uint8_t *)text, len);
    wfi_sequence_quote(wfi_sequence_language(format), &t, (const char *)g.bytes, len);
    unguard(&g);
    assert_int_equal(t.end - t.buf, strlen(want));
    assert_memory_equal(t.buf, want, strlen(want));
    wfi_strbuf_close(&t);
}

static void strings_of_mscgen_end_where_they_should(void **state) {
    (void)state;
    expect("mscgen", "", 0, "");
    expect("mscgen", "a \"b\" [c]; #", 12, "a \\\"b\\\" [c]; #");
    expect("mscgen", "\\\"", 2, "/\\\"");
    expect("mscgen", "a\\n\\", 4, "a/n/");
    expect("mscgen", "a\nb\r\t\x1b\x7f", 7, "a b    ");
    expect("mscgen", "\xc3\xa4\xf0\x9f\x98\x80", 6, "\xc3\xa4\xf0\x9f\x98\x80");
    expect("mscgen", "\xff\"\xe2\x82", 4, "?\\\"??");
    expect("mscgen", "\xef\xbf\xbf", 3, "?"); // not an XML character
}

static void mermaid_takes_characters_by_number(void **state) {
    (void)state;
    expect("mermaid", "plain text, 1.5 s", 17, "plain text, 1.5 s");
    expect("mermaid", "a;b#c:d<br>", 11, "a#59;b#35;c#58;d#60;br#62;");
    expect("mermaid", "\xe2\x82\xac\xf0\x9f\x98\x80", 7, "#8364;#128512;");
    expect("mermaid", "\n%%{init}%%", 11, " #37;#37;#123;init#125;#37;#37;");
    expect("mermaid", "end", 3, "#101;nd");
    expect("mermaid", "the END.", 8, "the #69;ND.");
    expect("mermaid", "pending ender en", 16, "pending ender en");
}

static void json_strings_hold_anything(void **state) {
    (void)state;
    expect("sequence", "a\"b\\c</script>", 14, "a\\\"b\\\\c</script>");
    expect("sequence", "\xff\n\xe2\x82\xac", 5, "? \xe2\x82\xac");
}

static void long_texts_are_cut(void **state) {
    (void)state;
    char text[100], want[100];
    memset(text, 'a', sizeof text);
    memset(want, 'a', sizeof want);
    memcpy(want + WFI_SEQUENCE_TEXT_MAX, "...", 4);
    expect("mscgen", text, sizeof text, want);
    want[WFI_SEQUENCE_TEXT_MAX] = 0;
    expect("mscgen", text, WFI_SEQUENCE_TEXT_MAX, want);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_of_mscgen_end_where_they_should),
        cmocka_unit_test(mermaid_takes_characters_by_number),
        cmocka_unit_test(json_strings_hold_anything),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
