// SPDX-License-Identifier: MIT
// Pages written by the test, read by SQLite: all kinds and sizes of cells, rows longer than a page,
// trees of several levels, the lock page of SQLite.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wallfly_backend/wf_database.h"
#include "wallfly_host/wf_err.h"
#include "database/wfb_btree.h"

static uint64_t seed = 1;
static uint64_t any(uint64_t below) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (seed >> 33) % below;
}

static const struct wf_table *table_of(const char *name) {
    for (unsigned i = 0; i < wf_table_count; ++i) {
        if (strcmp(wf_tables[i].name, name) == 0) return &wf_tables[i];
    }
    fail();
    return NULL;
}

static sqlite3 *open_whole(const char *file) {
    sqlite3 *db;
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "pragma integrity_check", -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(s, 0), "ok");
    sqlite3_finalize(s);
    return db;
}

static int64_t number(sqlite3 *db, const char *sql) {
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return n;
}

static struct wf_cell integer(int64_t v) {
    return (struct wf_cell){.type = WF_CELL_INT, .number = v};
}

static struct wf_cell text(const char *t, size_t len) {
    return (struct wf_cell){.type = WF_CELL_TEXT, .text = t, .len = len};
}

static struct wf_database *begin(const char *file) {
    struct wf_database *db;
    struct wf_error error;
    assert_int_equal(wf_database_open(file, NULL, &db, &error), WF_OK);
    return db;
}

static void end(struct wf_database *db) {
    struct wf_error error;
    assert_int_equal(wf_database_close(db, true, &error), WF_OK);
}

static const int64_t values[] = {0,
                                 1,
                                 2,
                                 -1,
                                 127,
                                 128,
                                 -128,
                                 -129,
                                 32767,
                                 32768,
                                 -32768,
                                 -32769,
                                 8388607,
                                 8388608,
                                 -8388608,
                                 -8388609,
                                 INT32_MAX,
                                 (int64_t)INT32_MAX + 1,
                                 INT32_MIN,
                                 (int64_t)INT32_MIN - 1,
                                 140737488355327,
                                 140737488355328,
                                 -140737488355328,
                                 -140737488355329,
                                 INT64_MAX,
                                 INT64_MIN};
enum { VALUES = sizeof values / sizeof *values };

static void integers_are_what_they_were(void **state) {
    (void)state;
    const struct wf_table *t = table_of("counter");
    struct wf_database *d = begin("integers.sqlite");
    struct wf_cell cells[WF_COLUMNS_MAX];
    for (unsigned i = 0; i < VALUES; ++i) {
        memset(cells, 0, sizeof cells);
        cells[0] = integer(values[i]);
        cells[6] = integer(values[VALUES - 1 - i]);
        assert_true(wf_database_row(d, t, cells));
    }
    end(d);
    sqlite3 *db = open_whole("integers.sqlite");
    sqlite3_stmt *s;
    sqlite3_prepare_v2(db, "select tick, ns, value from counter order by rowid", -1, &s, NULL);
    for (unsigned i = 0; i < VALUES; ++i) {
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        assert_true(sqlite3_column_int64(s, 0) == values[i]);
        assert_int_equal(sqlite3_column_type(s, 1), SQLITE_NULL);
        assert_true(sqlite3_column_int64(s, 2) == values[VALUES - 1 - i]);
    }
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    assert_true(number(db, "pragma application_id") == WF_DATABASE_ID);
    sqlite3_close(db);
}

// Lengths around the one where a row no longer fits in its page, and far above.
static void texts_of_every_length(void **state) {
    (void)state;
    enum { LONG = 200000, ROWS = 3000 };
    const struct wf_table *t = table_of("meta");
    struct wf_database *d = begin("texts.sqlite");
    static char long_text[LONG];
    static size_t lens[ROWS];
    for (size_t i = 0; i < LONG; ++i) long_text[i] = (char)('a' + i % 26);
    for (unsigned i = 0; i < ROWS; ++i) {
        size_t near = WFB_PAGE - 64 + any(80);
        lens[i] = i % 10 == 0 ? near : i % 100 == 1 ? near * (1 + any(5)) + any(9) : any(300);
        if (i % 500 == 2) lens[i] = LONG;
        const struct wf_cell cells[2] = {text("name", 4), text(long_text, lens[i])};
        assert_true(wf_database_row(d, t, cells));
    }
    end(d);
    sqlite3 *db = open_whole("texts.sqlite");
    sqlite3_stmt *s;
    sqlite3_prepare_v2(db, "select value from meta order by rowid", -1, &s, NULL);
    for (unsigned i = 0; i < ROWS; ++i) {
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        assert_int_equal(sqlite3_column_bytes(s, 0), lens[i]);
        if (lens[i]) assert_memory_equal(sqlite3_column_text(s, 0), long_text, lens[i]);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
}

static int type_of(const char *bytes, size_t len) {
    struct wf_database *d = begin("type.sqlite");
    const struct wf_cell cells[2] = {text("name", 4), text(bytes, len)};
    assert_true(wf_database_row(d, table_of("meta"), cells));
    end(d);
    sqlite3 *db = open_whole("type.sqlite");
    sqlite3_stmt *s;
    sqlite3_prepare_v2(db, "select value from meta", -1, &s, NULL);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    int type = sqlite3_column_type(s, 0);
    assert_int_equal(sqlite3_column_bytes(s, 0), len);
    if (len) assert_memory_equal(sqlite3_column_blob(s, 0), bytes, len);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return type;
}

static void bytes_that_are_no_text_are_a_blob(void **state) {
    (void)state;
    assert_int_equal(type_of("", 0), SQLITE_TEXT);
    assert_int_equal(type_of("plain text of more than eight", 29), SQLITE_TEXT);
    assert_int_equal(type_of("caf\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 12), SQLITE_TEXT);
    assert_int_equal(type_of("a\0b", 3), SQLITE_BLOB);
    assert_int_equal(type_of("twelve\0bytes", 12), SQLITE_BLOB);
    assert_int_equal(type_of("\x80", 1), SQLITE_BLOB);
    assert_int_equal(type_of("\xe2\x82", 2), SQLITE_BLOB);
    assert_int_equal(type_of("\xc1\x9b", 2), SQLITE_BLOB);
    assert_int_equal(type_of("\xed\xa0\x80", 3), SQLITE_BLOB);
    assert_int_equal(type_of("\xf4\x90\x80\x80", 4), SQLITE_BLOB);
}

// Rows of one page each, with row ids of 5 bytes: an interior page holds 1488 cells and a last
// child. Around this number another level begins, and pages with few children.
static void trees_of_three_levels(void **state) {
    (void)state;
    static const unsigned counts[] = {0,    1,    2,    1487, 1488, 1489,
                                      1490, 1491, 2976, 2977, 2978, 4500};
    static char fill[WFB_PAGE - 300];
    memset(fill, 'f', sizeof fill);
    for (unsigned n = 0; n < sizeof counts / sizeof *counts; ++n) {
        struct wf_database *d = begin("deep.sqlite");
        const int64_t first = INT64_C(1) << 31;
        for (unsigned i = 0; i < counts[n]; ++i) {
            struct wf_cell cells[WF_COLUMNS_MAX] = {integer(first + i)};
            cells[9] = text(fill, sizeof fill);
            assert_true(wf_database_row(d, table_of("record"), cells));
        }
        end(d);
        sqlite3 *db = open_whole("deep.sqlite");
        assert_int_equal(number(db, "select count(*) from record"), counts[n]);
        for (unsigned i = 0; i < counts[n]; i += 37) {
            char sql[100];
            snprintf(sql, sizeof sql, "select count(*) from record where number = %" PRId64,
                     first + i);
            assert_int_equal(number(db, sql), 1);
        }
        sqlite3_close(db);
    }
}

// Ascending times are indexed with their rows; when one is not ascending, SQLite sorts all of them,
// and reuses the pages written so far. integrity_check compares the index with the table.
static void times_are_indexed(void **state) {
    (void)state;
    enum { ROWS = 1500000 };
    static const struct {
        unsigned rows, nulls, back_at; // nulls: rows at the start; back_at: there time goes back
    } cases[] = {{0, 0, 0},     {1, 0, 0},       {5, 5, 0},       {900, 3, 0},
                 {900, 3, 600}, {ROWS, 20, 0},   {ROWS, 0, ROWS}, {ROWS, 0, ROWS / 2},
                 {3000, 0, 2},  {3000, 3000, 0}, {1300, 0, 0},    {1301, 0, 0},
                 {1302, 0, 0},  {1303, 0, 1303}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        struct wf_database *d = begin("times.sqlite");
        int64_t sum = 0;
        for (unsigned i = 1; i <= cases[n].rows; ++i) {
            struct wf_cell cells[WF_COLUMNS_MAX] = {integer(i)};
            int64_t ns = (int64_t)i / 3 * 1000;
            if (i == cases[n].back_at) ns -= 5000;
            if (i > cases[n].nulls) cells[3] = integer(ns);
            if (i > cases[n].nulls && ns > 700000) sum += ns;
            assert_true(wf_database_row(d, table_of("record"), cells));
        }
        end(d);
        sqlite3 *db = open_whole("times.sqlite");
        assert_int_equal(number(db, "select count(*) from record indexed by record_ns"),
                         cases[n].rows);
        assert_int_equal(number(db, "select coalesce(sum(ns), 0) from record indexed by record_ns "
                                    "where ns > 700000"),
                         sum);
        assert_true(number(db, "pragma freelist_count") < 100);
        sqlite3_close(db);
    }
}

// As if the file already had a gigabyte: the pages written skip the lock page.
static void the_page_of_the_lock_is_left_out(void **state) {
    (void)state;
    enum { LOCK = 0x40000000 / WFB_PAGE + 1 };
    static char fill[3 * WFB_PAGE];
    struct wfb_pages pages;
    struct wfb_tree tree;
    struct wfb_scratch scratch = {NULL, 0};
    uint8_t page[WFB_PAGE];
    sqlite3 *db;
    memset(fill, 'f', sizeof fill);
    unlink("lock.sqlite");
    assert_int_equal(sqlite3_open("lock.sqlite", &db), SQLITE_OK);
    char sql[100];
    snprintf(sql, sizeof sql, "pragma page_size = %d; create table meta (name, value)", WFB_PAGE);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    int fd = open("lock.sqlite", O_RDWR);
    assert_true(wfb_pages_open(&pages, fd, LOCK - 9) && wfb_tree_open(&tree, 2));
    for (unsigned i = 0; i < 40; ++i) {
        const struct wf_cell cells[2] = {integer(i), text(fill, i % 2 ? 9000 : sizeof fill)};
        assert_true(wfb_tree_row(&tree, &pages, &scratch, cells, 2, false));
    }
    assert_true(wfb_tree_close(&tree, &pages) && wfb_pages_close(&pages));
    wfb_tree_free(&tree);
    free(scratch.bytes);
    assert_int_equal(pread(fd, page, WFB_PAGE, 0x40000000), WFB_PAGE);
    for (unsigned i = 0; i < WFB_PAGE; ++i) assert_int_equal(page[i], 0);
    close(fd);
    sqlite3_open("lock.sqlite", &db);
    assert_int_equal(number(db, "select count(*) from meta where name = rowid - 1"), 40);
    assert_int_equal(number(db, "select sum(length(value)) from meta"), 20 * (9000 + sizeof fill));
    assert_int_equal(number(db, "select count(*) from meta where trim(value, 'f') <> ''"), 0);
    sqlite3_close(db);
    unlink("lock.sqlite");
}

static void what_is_not_whole_has_no_name(void **state) {
    (void)state;
    struct wf_error error;
    unlink("half.sqlite");
    struct wf_database *d = begin("half.sqlite");
    const struct wf_cell cells[2] = {text("a", 1), text("b", 1)};
    assert_true(wf_database_row(d, table_of("meta"), cells));
    assert_int_not_equal(access("half.sqlite", F_OK), 0);
    assert_int_equal(wf_database_close(d, false, &error), WF_OK);
    assert_int_not_equal(access("half.sqlite", F_OK), 0);
    assert_int_not_equal(access("half.sqlite.part", F_OK), 0);
    assert_int_equal(wf_database_open("no/such/folder.sqlite", NULL, &d, &error), WF_ERR_WRITE);
    assert_string_equal(error.text, "no/such/folder.sqlite: No such file or directory");
    // Keys of a table with row ids must ascend.
    d = begin("half.sqlite");
    struct wf_cell task[WF_COLUMNS_MAX] = {integer(7)};
    assert_true(wf_database_row(d, table_of("task"), task));
    assert_false(wf_database_row(d, table_of("task"), task));
    assert_int_equal(wf_database_close(d, true, &error), WF_ERR_WRITE);
    assert_int_not_equal(access("half.sqlite", F_OK), 0);
}

int main(void) {
    char folder[] = "/tmp/wallfly_databaseXXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_what_they_were),
        cmocka_unit_test(texts_of_every_length),
        cmocka_unit_test(bytes_that_are_no_text_are_a_blob),
        cmocka_unit_test(trees_of_three_levels),
        cmocka_unit_test(times_are_indexed),
        cmocka_unit_test(the_page_of_the_lock_is_left_out),
        cmocka_unit_test(what_is_not_whole_has_no_name),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const files[] = {"integers.sqlite", "texts.sqlite", "type.sqlite",
                                        "deep.sqlite", "times.sqlite"};
    for (unsigned i = 0; i < sizeof files / sizeof *files; ++i) unlink(files[i]);
    if (!failed && rmdir(folder) != 0) failed = 1; // files are left
    return failed;
}
