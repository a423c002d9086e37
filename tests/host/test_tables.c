// SPDX-License-Identifier: MIT
// Quoting of JSON and CSV, and output of rows. tests/e2e/tables.sh compares the contents with
// print.

#include "wf_test.h"
#include "writers/tables/wfi_tables.h"

typedef void (*put_fn)(const char *text, size_t len, struct wfi_strbuf *t);

static void expect(put_fn put, const char *text, size_t len, const char *want) {
    struct wfi_strbuf t;
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    struct guarded g = guard((const uint8_t *)text, len);
    put((const char *)g.bytes, len, &t);
    unguard(&g);
    assert_int_equal(t.end - t.buf, strlen(want));
    assert_memory_equal(t.buf, want, strlen(want));
    wfi_strbuf_close(&t);
}
#define JSON(text, want) expect(wfi_put_json, text, sizeof(text) - 1, want)
static void put_for_sheets(const char *text, size_t len, struct wfi_strbuf *t) {
    wfi_put_csv(text, len, false, t);
}
static void put_as_is(const char *text, size_t len, struct wfi_strbuf *t) {
    wfi_put_csv(text, len, true, t);
}
#define CSV(text, want)     expect(put_for_sheets, text, sizeof(text) - 1, want)
#define RAW_CSV(text, want) expect(put_as_is, text, sizeof(text) - 1, want)

static void json_strings_say_all_bytes(void **state) {
    (void)state;
    JSON("", "\"\"");
    JSON("plain", "\"plain\"");
    JSON("exactly8", "\"exactly8\"");
    JSON("longer than eight bytes ~", "\"longer than eight bytes ~\"");
    JSON("a \"b\" \\ /", "\"a \\\"b\\\" \\\\ /\"");
    JSON("\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\"");
    JSON("\0\x01\x1f\x7f", "\"\\u0000\\u0001\\u001F\\u007F\"");
    JSON("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
         "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    // Invalid UTF-8: a lone byte, truncated, overlong, a surrogate, above the last code point.
    JSON("\x80", "\"\\uDC80\"");
    JSON("12345678\xff", "\"12345678\\uDCFF\"");
    JSON("\xe2\x82", "\"\\uDCE2\\uDC82\"");
    JSON("\xc1\x9b", "\"\\uDCC1\\uDC9B\"");
    JSON("\xed\xb2\x80", "\"\\uDCED\\uDCB2\\uDC80\"");
    JSON("\xf4\x90\x80\x80", "\"\\uDCF4\\uDC90\\uDC80\\uDC80\"");
}

static void a_byte_is_found_wherever_it_lies(void **state) {
    (void)state;
    static const char special[] = "\"\\\n\x1f\x80";
    for (size_t len = 1; len < 24; ++len) {
        for (size_t at = 0; at < len; ++at) {
            for (size_t i = 0; i < sizeof special - 1; ++i) {
                char text[24], to[160];
                memset(text, 'x', len);
                text[at] = special[i];
                size_t n = wf_table_json_text(text, len, to);
                size_t escape = strchr("\"\\\n", special[i]) ? 2 : 6;
                assert_int_equal(n, len + 1 + escape);
                assert_int_equal(to[at + 1], '\\');
            }
        }
    }
}

static void csv_fields_are_quoted_if_they_must(void **state) {
    (void)state;
    CSV("=1+1", "'=1+1");
    CSV("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
    CSV("-1+1", "'-1+1");
    CSV("@SUM(1)", "'@SUM(1)");
    CSV("\t=1", "\"\\x09=1\"");
    CSV("\r=1", "\"\\x0d=1\"");
    CSV("=1\x1b[31m", "\"'=1\\x1b[31m\"");
    CSV("=1,2", "\"'=1,2\"");
    CSV("-", "'-");
    CSV("-.", "'-.");
    CSV("-1e", "'-1e");
    CSV("-12", "-12");
    CSV("+0.5", "+0.5");
    CSV("-1.25e-3", "-1.25e-3");
    CSV("a=1", "a=1");
    RAW_CSV("=1+1", "=1+1");
    RAW_CSV("-1,1", "\"-1,1\"");
    CSV("", "\"\"");
    CSV("plain", "plain");
    CSV("a b;c'd'", "a b;c'd'");
    CSV("a b;c\t'd'", "\"a b;c\\x09'd'\"");
    CSV("a,b", "\"a,b\"");
    CSV("a\"b", "\"a\"\"b\"");
    CSV("\r", "\"\\x0d\"");
    CSV("a\nb", "\"a\\x0ab\"");
    RAW_CSV("a\nb", "\"a\nb\"");
    CSV("a\"\x07\"b", "\"a\"\"\\x07\"\"b\"");
    CSV("\xc2\x9b\xe2\x80\xae", "\"\\u009b\\u202e\"");
    CSV("caf\xc3\xa9", "caf\xc3\xa9");
    CSV("twelve bytes,", "\"twelve bytes,\"");
    CSV("\xff\x80 no UTF-8", "\"\\xff\\x80 no UTF-8\"");
    CSV("\xff\xff\xff\xff\xff\xff\xff\xff", "\"\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\"");
    RAW_CSV("\xff\x80 bytes as they are", "\xff\x80 bytes as they are");
}

// ---- rows

struct seen {
    uint8_t frames[512]; // read in place by a session
    size_t len;
    unsigned rows[WFI_TABLE_END], stop_at, all;
    char json[512];
    bool complete;
};

static bool take_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
    struct seen *seen = ctx;
    ++seen->rows[table - wf_tables];
    for (unsigned i = 0; i < table->count; ++i) {
        bool known = cells[i].type != WF_CELL_NULL;
        if (known) assert_int_equal(cells[i].type, table->columns[i].type);
    }
    if (table == &wf_tables[WFI_TABLE_record] && seen->rows[WFI_TABLE_record] == 2) {
        const struct wf_cell *fields = &cells[WFI_record_fields];
        memcpy(seen->json, fields->text, fields->len);
        seen->json[fields->len] = 0;
    }
    if (table == &wf_tables[WFI_TABLE_meta])
        seen->complete = cells[0].len == 8 && memcmp(cells[0].text, "complete", 8) == 0;
    return ++seen->all != seen->stop_at;
}

static void add(struct seen *seen, uint8_t id, const void *payload, size_t len) {
    uint8_t sum = 0, body[64] = {(uint8_t)(seen->rows[0]++ + 1), id};
    memcpy(body + 2, payload, len);
    for (size_t i = 0; i < len + 2; ++i) sum = (uint8_t)(sum + body[i]);
    body[len + 2] = (uint8_t)~sum;
    for (size_t i = 0; i < len + 3; ++i) {
        bool escape = body[i] == 0x7D || body[i] == 0x7E;
        if (escape) seen->frames[seen->len++] = 0x7D;
        seen->frames[seen->len++] = escape ? (uint8_t)(body[i] ^ 0x20) : body[i];
    }
    seen->frames[seen->len++] = 0x7E;
}

static int write_rows(struct seen *seen) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    const struct wf_writer_options wo = {.size = sizeof wo, .row = take_row};
    struct wf_item item;
    static const uint8_t name[] = "\1\0\0\x20say \"x\"", enters[8] = {1, 0, 0, 0x20, 2, 0, 0, 8};
    add(seen, 61, name, sizeof name);
    add(seen, 1, enters, sizeof enters);
    memset(seen->rows, 0, sizeof seen->rows);
    struct wf_session *s = wf_session_open(&options, NULL);
    assert_non_null(s);
    struct wf_writer *w = wf_writer_open(wf_format_find("sqlite"), s, &wo, NULL, seen, NULL);
    assert_non_null(w);
    wf_session_feed(s, seen->frames, seen->len);
    while (wf_session_next(s, &item)) wf_writer_item(w, &item);
    wf_session_end(s);
    while (wf_session_next(s, &item)) wf_writer_item(w, &item);
    int err = wf_writer_close(w);
    wf_session_close(s);
    return err;
}

static void rows_have_what_the_list_says(void **state) {
    (void)state;
    struct seen seen = {.all = 0};
    assert_int_equal(write_rows(&seen), WF_OK);
    assert_int_equal(seen.rows[WFI_TABLE_record], 2);
    assert_int_equal(seen.rows[WFI_TABLE_name], 1);
    assert_true(seen.complete);
    assert_string_equal(seen.json,
                        "{\"obj\":536870913,\"obj_name\":\"say \\\"x\\\"\",\"state\":134217730}");
}

static void a_row_that_is_refused_is_the_last(void **state) {
    (void)state;
    struct seen seen = {.stop_at = 2};
    assert_int_equal(write_rows(&seen), WF_ERR_WRITE);
    assert_int_equal(seen.all, 2);
    assert_false(seen.complete);
}

static void tables_and_columns_have_names_of_their_own(void **state) {
    (void)state;
    assert_int_equal(wf_table_count, WFI_TABLE_END);
    for (unsigned i = 0; i < wf_table_count; ++i) {
        const struct wf_table *t = &wf_tables[i];
        for (unsigned j = 0; j < i; ++j) assert_string_not_equal(t->name, wf_tables[j].name);
        assert_true(t->count >= 2 && t->count <= WF_COLUMNS_MAX);
        for (unsigned c = 0; c < t->count; ++c) {
            assert_true(strlen(t->columns[c].name) < WFI_KEY - 8);
            assert_true(strlen(t->columns[c].sentence) > 3);
            for (unsigned j = 0; j < c; ++j)
                assert_string_not_equal(t->columns[c].name, t->columns[j].name);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_strings_say_all_bytes),
        cmocka_unit_test(a_byte_is_found_wherever_it_lies),
        cmocka_unit_test(csv_fields_are_quoted_if_they_must),
        cmocka_unit_test(rows_have_what_the_list_says),
        cmocka_unit_test(a_row_that_is_refused_is_the_last),
        cmocka_unit_test(tables_and_columns_have_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
