// SPDX-License-Identifier: MIT
// Names and literals that go into statements, the table of commands, and what is kept for ever:
// hashes and sizes.

#include "wf_test.h"

#include "wallfly_host/wf_fleet_sql.h"

static void names_are_letters_and_digits(void **state) {
    static const char *const
        devices[] = {"a",
                     "0",
                     "-",
                     "...",
                     ".a",
                     "board-7.rev_B",
                     "0123456789012345678901234567890123456789012345678901234567890123"},
        *const none[] = {"",
                         ".",
                         "..",
                         " ",
                         "a b",
                         "a'b",
                         "a/b",
                         "\xC3\xA4",
                         "a\\",
                         "a\n",
                         "01234567890123456789012345678901234567890123456789012345678901234"};
    (void)state;
    for (unsigned i = 0; i < sizeof devices / sizeof *devices; ++i)
        assert_true(wf_fleet_is_device(devices[i]));
    for (unsigned i = 0; i < sizeof none / sizeof *none; ++i)
        assert_false(wf_fleet_is_device(none[i]) || wf_fleet_is_project(none[i]));
    assert_true(wf_fleet_is_project("_1") && wf_fleet_is_project("pilot_2"));
    assert_false(wf_fleet_is_project("1a") || wf_fleet_is_project("a-b") ||
                 wf_fleet_is_project("a.b"));
}

static void expect_literal(const char *text, const char *literal) {
    char to[64];
    const size_t len = strlen(literal);
    assert_int_equal(wf_fleet_quote(text, to, sizeof to), len);
    assert_string_equal(to, literal);
    for (size_t cap = 0; cap <= len; ++cap) { // cut off, and terminated
        memset(to, '#', sizeof to);
        assert_int_equal(wf_fleet_quote(text, to, cap), len);
        if (cap) assert_true(to[cap - 1] == 0 && memcmp(to, literal, cap - 1) == 0);
        assert_true(to[cap] == '#');
    }
}

static void a_literal_ends_where_its_text_does(void **state) {
    (void)state;
    expect_literal("", "''");
    expect_literal("plain", "'plain'");
    expect_literal("it's", "'it\\'s'");
    expect_literal("\\", "'\\\\'");
    expect_literal("'); drop table segment; --", "'\\'); drop table segment; --'");
    expect_literal("\xFF\x01\n\\'", "'\xFF\x01\n\\\\\\''");
}

// Streams and tokens are known by these numbers.
static void hashes_stay_the_same(void **state) {
    static const uint8_t zeros[16];
    (void)state;
    const uint64_t empty = wf_fleet_hash("", 0), one = wf_fleet_hash("a", 1),
                   nine = wf_fleet_hash("123456789", 9);
    assert_true(empty == UINT64_C(0xAF63BD49FD1C5DBB) && one == UINT64_C(0x68E0166916D864A1) &&
                nine == UINT64_C(0x02A65D437E4B8C0C));
    for (size_t len = 1; len <= sizeof zeros; ++len)
        assert_true(wf_fleet_hash(zeros, len) != wf_fleet_hash(zeros, len - 1));
}

static void sizes_are_read_as_written(void **state) {
    uint8_t bytes[WF_TYPE_END] = {0}, again[WF_TYPE_END];
    char letters[WF_FLEET_SIZES_MAX];
    (void)state;
    wf_fleet_write_sizes(bytes, letters);
    assert_string_equal(letters, "");
    for (unsigned t = 0; t < WF_TYPE_END; ++t) {
        if (wf_types[t].letter) bytes[t] = (uint8_t)(1 << t % 4);
    }
    wf_fleet_write_sizes(bytes, letters);
    assert_true(wf_fleet_read_sizes(letters, again));
    assert_memory_equal(bytes, again, sizeof bytes);
    assert_false(wf_fleet_read_sizes("O", again) || wf_fleet_read_sizes("O3", again) ||
                 wf_fleet_read_sizes("?4", again) || wf_fleet_read_sizes("O8F", again));
}

// Commands do not replace each other, and are of no statement but their own.
static void commands_have_a_table_of_their_own(void **state) {
    struct wf_fleet_sql sql;
    (void)state;
    assert_true(wf_fleet_sql_commands("p", false, 0, &sql) && !sql.feature);
    assert_string_equal(sql.text,
                        "CREATE TABLE IF NOT EXISTS p.command (`device` String, `sent` DateTime, "
                        "`user` String, `text` String) ENGINE = MergeTree ORDER BY (device, sent)");
    assert_true(wf_fleet_sql_commands("p", true, 0, &sql));
    assert_non_null(strstr(sql.text, " ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/p/"
                                     "command', '{replica}') ORDER BY (device, sent)"));
    assert_true(wf_fleet_sql_commands("p", false, 1, &sql) && sql.feature);
    assert_string_equal(sql.setting, "currentUser");
    assert_false(wf_fleet_sql_commands("p", false, 2, &sql));
    for (unsigned n = 0; wf_fleet_sql("p", false, n, &sql); ++n)
        assert_null(strstr(sql.text, "p.command"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_letters_and_digits),
        cmocka_unit_test(a_literal_ends_where_its_text_does),
        cmocka_unit_test(hashes_stay_the_same),
        cmocka_unit_test(sizes_are_read_as_written),
        cmocka_unit_test(commands_have_a_table_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
