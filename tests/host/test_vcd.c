// SPDX-License-Identifier: MIT
// Identifiers, names and texts of VCD files. tests/e2e/vcd.sh compares the values with the model.

#include "wf_test.h"
#include "writers/vcd/wfi_vcd.h"

static void identifiers_are_short_and_differ(void **state) {
    (void)state;
    char id[WFI_VCD_ID];
    static const struct {
        uint32_t var;
        const char *id;
    } of[] = {{1, "!"},
              {94, "~"},
              {95, "!!"},
              {96, "\"!"},
              {94 + 94 * 94, "~~"},
              {94 + 94 * 94 + 1, "!!!"}};
    for (unsigned i = 0; i < sizeof of / sizeof *of; ++i) {
        assert_int_equal(wfi_vcd_id(id, of[i].var), strlen(of[i].id));
        assert_memory_equal(id, of[i].id, strlen(of[i].id));
    }
    assert_true(wfi_vcd_id(id, UINT32_MAX) <= WFI_VCD_ID);
}

static void expect_word(const char *name, const char *want) {
    struct wfi_strbuf t;
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    wfi_vcd_word(&t, name);
    assert_int_equal(t.end - t.buf, strlen(want));
    assert_memory_equal(t.buf, want, strlen(want));
    wfi_strbuf_close(&t);
}

static void names_are_legal(void **state) {
    (void)state;
    char longest[300];
    expect_word("plain_Name9", "plain_Name9");
    expect_word("AO_Philo[3]", "AO_Philo_3_");
    expect_word("$end", "_end");
    expect_word("a b\t\\c", "a_b__c");
    expect_word("0x20001000", "_0x20001000");
    expect_word("", "_");
    expect_word("\xc3\xa4", "__");
    memset(longest, 'a', sizeof longest);
    longest[299] = 0;
    struct wfi_strbuf t;
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    wfi_vcd_word(&t, longest);
    assert_int_equal(t.end - t.buf, 200);
    wfi_strbuf_close(&t);
}

static void texts_are_one_word(void **state) {
    (void)state;
    struct wfi_strbuf t;
    static const char want[] = "a\\x20b\\x5cn\\x0a\\xc3\\xa4$end\\x7f";
    static const char text[] = "a b\\n\n\xc3\xa4$end\x7f";
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    struct guarded g = guard((const uint8_t *)text, sizeof text - 1);
    wfi_vcd_quote(&t, (const char *)g.bytes, sizeof text - 1);
    unguard(&g);
    assert_int_equal(t.end - t.buf, sizeof want - 1);
    assert_memory_equal(t.buf, want, sizeof want - 1);
    wfi_strbuf_close(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identifiers_are_short_and_differ),
        cmocka_unit_test(names_are_legal),
        cmocka_unit_test(texts_are_one_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
