// SPDX-License-Identifier: MIT
// Texts of sequence diagrams: any text from a target is valid in both languages.
// tests/e2e/sequence.sh draws and compares the diagrams.

#include "wf_test.h"
#include "writers/sequence/wfi_sequence.h"

static void expect(const struct wfi_sequence_language *l, const char *text, size_t len,
                   const char *want) {
    struct wfi_strbuf t;
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    struct guarded g = guard((const uint8_t *)text, len);
    wfi_sequence_quote(l, &t, (const char *)g.bytes, len);
    unguard(&g);
    assert_int_equal(t.end - t.buf, strlen(want));
    assert_memory_equal(t.buf, want, strlen(want));
    wfi_strbuf_close(&t);
}

static void strings_of_mscgen_end_where_they_should(void **state) {
    (void)state;
    expect(&wfi_mscgen, "", 0, "");
    expect(&wfi_mscgen, "a \"b\" [c]; #", 12, "a \\\"b\\\" [c]; #");
    expect(&wfi_mscgen, "\\\"", 2, "/\\\"");
    expect(&wfi_mscgen, "a\\n\\", 4, "a/n/");
    expect(&wfi_mscgen, "a\nb\r\t\x1b\x7f", 7, "a b    ");
    expect(&wfi_mscgen, "\xc3\xa4\xf0\x9f\x98\x80", 6, "\xc3\xa4\xf0\x9f\x98\x80");
    expect(&wfi_mscgen, "\xff\"\xe2\x82", 4, "?\\\"??");
    expect(&wfi_mscgen, "\xef\xbf\xbf", 3, "?"); // not an XML character
}

static void mermaid_takes_characters_by_number(void **state) {
    (void)state;
    expect(&wfi_mermaid, "plain text, 1.5 s", 17, "plain text, 1.5 s");
    expect(&wfi_mermaid, "a;b#c:d<br>", 11, "a#59;b#35;c#58;d#60;br#62;");
    expect(&wfi_mermaid, "\xe2\x82\xac\xf0\x9f\x98\x80", 7, "#8364;#128512;");
    expect(&wfi_mermaid, "\n%%{init}%%", 11, " #37;#37;#123;init#125;#37;#37;");
    expect(&wfi_mermaid, "end", 3, "#101;nd");
    expect(&wfi_mermaid, "the END.", 8, "the #69;ND.");
    expect(&wfi_mermaid, "pending ender en", 16, "pending ender en");
}

static void json_strings_hold_anything(void **state) {
    (void)state;
    expect(&wfi_sequence_json, "a\"b\\c</script>", 14, "a\\\"b\\\\c</script>");
    expect(&wfi_sequence_json, "\xff\n\xe2\x82\xac", 5, "? \xe2\x82\xac");
}

static void long_texts_are_cut(void **state) {
    (void)state;
    char text[100], want[100];
    memset(text, 'a', sizeof text);
    memset(want, 'a', sizeof want);
    memcpy(want + WFI_SEQUENCE_TEXT_MAX, "...", 4);
    expect(&wfi_mscgen, text, sizeof text, want);
    want[WFI_SEQUENCE_TEXT_MAX] = 0;
    expect(&wfi_mscgen, text, WFI_SEQUENCE_TEXT_MAX, want);
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
