// SPDX-License-Identifier: MIT
// Matrices of MAT files, byte for byte, and numbers of keys. tests/e2e/octave.sh compares the
// contents with the model.

#include "util/wfi_keys.h"
#include "wf_test.h"
#include "writers/octave/wfi_octave.h"

static void expect(const struct wfi_strbuf *t, const void *want, size_t len) {
    assert_int_equal(t->end - t->buf, len);
    assert_memory_equal(t->buf, want, len);
}

static void a_scalar_is_a_header_a_name_and_a_double(void **state) {
    (void)state;
    struct wfi_strbuf t;
    static const uint8_t want[] = {0, 0, 0, 0, 1,   0,   0, 0, 1, 0, 0, 0, 0, 0,    0,   0,
                                   3, 0, 0, 0, 'h', 'z', 0, 0, 0, 0, 0, 0, 0, 0xF8, 0xBF};
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    wfi_octave_scalar(&t, "hz", -1.5);
    expect(&t, want, sizeof want);
    wfi_strbuf_close(&t);
}

static void names_are_rows_of_characters(void **state) {
    (void)state;
    struct wfi_strbuf t;
    static const char lines[] = "ab\0\0xyz"; // three, the second is empty
    static const uint8_t want[] = {51,  0,   0,   0,   3,   0,   0,   0,   3,  0,   0,
                                   0,   0,   0,   0,   0,   2,   0,   0,   0,  'n', 0,
                                   'a', ' ', 'x', 'b', ' ', 'y', ' ', ' ', 'z'};
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    wfi_octave_lines(&t, "n", lines, 3);
    expect(&t, want, sizeof want);
    t.end = t.buf;
    wfi_octave_lines(&t, "n", "", 0);
    assert_int_equal(t.end - t.buf, 22);
    wfi_strbuf_close(&t);
}

static void long_names_are_cut(void **state) {
    (void)state;
    struct wfi_strbuf t;
    static char line[WFI_OCTAVE_NAME_MAX + 50];
    memset(line, 'a', sizeof line - 1);
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    wfi_octave_lines(&t, "n", line, 1);
    assert_int_equal(t.end - t.buf, 22 + WFI_OCTAVE_NAME_MAX);
    wfi_strbuf_close(&t);
}

static void keys_are_numbered_in_their_order(void **state) {
    (void)state;
    struct wfi_keys k = {0};
    for (unsigned round = 0; round < 2; ++round) {
        for (uint32_t i = 1; i <= 5000; ++i)
            assert_int_equal(wfi_keys_number(&k, (uint64_t)i * 4096, i & 1), i);
    }
    assert_int_equal(wfi_keys_number(&k, 4096, 0), 5001); // a different key
    assert_int_equal(wfi_keys_number(&k, 0, 0), 5002);
    wfi_keys_close(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scalar_is_a_header_a_name_and_a_double),
        cmocka_unit_test(names_are_rows_of_characters),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(keys_are_numbered_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
