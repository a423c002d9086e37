// SPDX-License-Identifier: MIT
// Rows of segments: they follow from the segment and the one before it, in any order and as often
// as they are made, and are the records, losses and counts of the whole stream. The bytes of a
// block are those that tests/e2e/fleet_rows.sh gets from a real server.

#include "wf_test_segment.h"

#include <limits.h>

#include "fleet/wfi_columns.h"
#include "wallfly_host/wf_fleet.h"

static struct wf_fleet_options options = {.size = sizeof options}; // all records, by main
static const struct wf_fleet_stream stream = {
    .device = "dev-1", .version = "2.1.0", .stream = 7, .origin_ns = UINT64_C(1790000000000000000)};
static struct piece pieces[SEGMENTS];

// ---- a reader of blocks

static uint64_t get_varint(const uint8_t **at) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
}

static uint64_t get_little(const uint8_t **at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= (uint64_t)(*at)[i] << 8 * i;
    *at += bytes;
    return value;
}

static void check_text(const uint8_t **at, const char *text) {
    uint64_t len = get_varint(at);
    assert_int_equal(len, strlen(text));
    assert_memory_equal(*at, text, len);
    *at += len;
}

static void skip_words(const uint8_t **at, uint64_t rows) {
    assert_int_equal(get_little(at, 8), 1);
    const uint64_t flags = get_little(at, 8), words = get_little(at, 8);
    assert_int_equal(flags & ~3u, 0x600);
    for (uint64_t i = 0; i < words; ++i) {
        const uint64_t len = get_varint(at);
        assert_true(i > 0 || len == 0);
        *at += len;
    }
    assert_int_equal(get_little(at, 8), rows);
    for (uint64_t row = 0; row < rows; ++row)
        assert_true(get_little(at, 1u << (flags & 3)) < words);
}

// Calls `each` with each number of a column; checks the form of the whole block.
static uint64_t read_column(struct wf_fleet *f, enum wf_fleet_table_number number, const char *name,
                            void (*each)(uint64_t row, uint64_t value)) {
    size_t len;
    const struct wf_fleet_table *table = &wf_fleet_tables[number];
    const uint8_t *at = wf_fleet_block(f, number, &len), *end = at + len;
    assert_int_equal(get_varint(&at), table->count);
    const uint64_t rows = get_varint(&at);
    assert_int_equal(rows, wf_fleet_rows(f, number));
    for (unsigned i = 0; i < table->count; ++i) {
        const struct wf_fleet_type_info *type = &wf_fleet_types[table->columns[i].type];
        uint64_t elements = rows, last = 0;
        check_text(&at, table->columns[i].name);
        check_text(&at, type->name);
        if (table->columns[i].type == WF_FLEET_WORD && rows) {
            skip_words(&at, rows);
            continue;
        }
        for (uint64_t row = 0; type->is_array && row < rows; ++row) {
            elements = get_little(&at, 8);
            assert_true(elements >= last);
            last = elements;
        }
        if (type->is_array && !rows) elements = 0;
        for (uint64_t row = 0; row < elements; ++row) {
            const uint64_t value = type->bytes ? get_little(&at, type->bytes) : get_varint(&at);
            if (!type->bytes) at += value;
            if (each && !type->is_array && strcmp(table->columns[i].name, name) == 0)
                each(row, value);
        }
        assert_true(at <= end);
    }
    assert_ptr_equal(at, end);
    return rows;
}

static uint64_t sum;
static void add(uint64_t row, uint64_t value) {
    (void)row;
    sum += value;
}

static uint64_t sum_of(struct wf_fleet *f, enum wf_fleet_table_number table, const char *column) {
    sum = 0;
    read_column(f, table, column, add);
    return sum;
}

// ---- tests

static void a_block_has_the_bytes_of_the_format(void **state) {
    static const struct wf_fleet_column columns[] = {
        {"day", "", WF_FLEET_DATE}, {"name", "", WF_FLEET_WORD}, {"classes.n", "", WF_FLEET_U16S}};
    static const struct wf_fleet_table table = {.name = "t", .columns = columns, .count = 3};
    static const uint8_t wanted[] = "\x03\x02"
                                    "\x03"
                                    "day\x04"
                                    "Date\x21\x43\x01\x00"
                                    "\x04"
                                    "name\x16LowCardinality(String)"
                                    "\x01\0\0\0\0\0\0\0\x00\x06\0\0\0\0\0\0"
                                    "\x02\0\0\0\0\0\0\0\x00\x02"
                                    "ab"
                                    "\x02\0\0\0\0\0\0\0\x01\x00"
                                    "\x09"
                                    "classes.n\x0D"
                                    "Array(UInt16)"
                                    "\x02\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x05\x00\x2C\x01";
    struct wfi_columns c = {.table = &table};
    struct wfi_block block = {0};
    const uint64_t values[] = {5, 300};
    (void)state;
    wfi_columns_number(&c, 0x4321);
    wfi_columns_text(&c, "ab", 2);
    wfi_columns_array(&c, values, 2);
    wfi_columns_end_row(&c);
    wfi_columns_number(&c, 1);
    wfi_columns_text(&c, NULL, 0);
    wfi_columns_array(&c, NULL, 0);
    wfi_columns_end_row(&c);
    for (int turn = 0; turn < 2; ++turn) {
        assert_true(wfi_columns_block(&c, &block));
        assert_int_equal(block.len, sizeof wanted - 1);
        assert_memory_equal(block.bytes, wanted, block.len);
    }
    wfi_columns_clear(&c);
    assert_true(wfi_columns_block(&c, &block));
    assert_int_equal(block.bytes[1], 0);
    free(block.bytes);
    wfi_columns_close(&c);
}

static const struct wf_segment *segment_of(size_t i) { return &pieces[i].of; }

static void add_segment(struct wf_fleet *f, size_t i) {
    const struct wf_segment *previous = i ? segment_of(i - 1) : NULL;
    assert_int_equal(wf_fleet_add(f, &stream, previous, segment_of(i)), WF_OK);
}

static uint64_t hash_blocks(struct wf_fleet *f) {
    uint64_t h = 1469598103934665603u;
    for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t) {
        size_t len;
        const uint8_t *p = wf_fleet_block(f, (enum wf_fleet_table_number)t, &len);
        for (size_t i = 0; i < len; ++i) h = (h ^ p[i]) * 1099511628211u;
    }
    return h;
}

static size_t cut_stream(unsigned seed) {
    const struct wf_segments_options o = {.size = sizeof o, .bytes = 200 + seed % 900};
    make_stream(seed);
    if (seed % 2 == 0) make_breaks();
    return cut(&o, 0, pieces);
}

static void rows_do_not_depend_on_when_they_are_made(void **state) {
    static uint64_t hashes[SEGMENTS];
    (void)state;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        size_t count = cut_stream(seed);
        struct wf_fleet *f = wf_fleet_open(&options, NULL);
        for (size_t i = 0; i < count; ++i) {
            add_segment(f, i);
            hashes[i] = hash_blocks(f);
            wf_fleet_clear(f);
        }
        for (size_t turn = 0; turn < 2 * count; ++turn) {
            size_t i = (size_t)rand() % count;
            add_segment(f, i);
            assert_true(hash_blocks(f) == hashes[i]);
            wf_fleet_clear(f);
        }
        wf_fleet_close(f);
        drop(pieces, count);
    }
}

static uint64_t numbers[40000], number_count;
static void keep_number(uint64_t row, uint64_t value) {
    assert_true(row < 40000);
    numbers[row] = value;
    number_count = row + 1;
}

// Compares columns of records and losses with the items of the whole stream.
static void expect_items(struct wf_fleet *f) {
    struct wf_session *session = wf_session_open(NULL, NULL);
    struct wf_item item;
    uint64_t number = 0, record = 0, losses = 0, missing = 0;
    number_count = 0;
    read_column(f, WF_FLEET_TABLE_RECORD, "number", keep_number);
    for (size_t piece = 0; piece <= break_count + 1; ++piece) {
        if (!feed_stream(session, piece)) wf_session_end(session);
        while (wf_session_next(session, &item)) {
            number += item.kind == WF_ITEM_RECORD || item.kind == WF_ITEM_LOSS;
            if (item.kind == WF_ITEM_RECORD) assert_int_equal(numbers[record++], number);
            if (item.kind != WF_ITEM_LOSS) continue;
            losses += piece <= break_count; // not those at the end of the stream
            missing += item.loss.records;
        }
    }
    const struct wf_ledger *l = wf_session_ledger(session);
    assert_int_equal(record, number_count);
    assert_int_equal(wf_fleet_rows(f, WF_FLEET_TABLE_LOSS), losses);
    assert_int_equal(sum_of(f, WF_FLEET_TABLE_LOSS, "records"), missing);
    assert_int_equal(sum_of(f, WF_FLEET_TABLE_SEGMENT, "records"), l->records);
    assert_int_equal(sum_of(f, WF_FLEET_TABLE_SEGMENT, "missing"), l->missing);
    assert_int_equal(sum_of(f, WF_FLEET_TABLE_SEGMENT, "records_span"), number);
    assert_int_equal(sum_of(f, WF_FLEET_TABLE_SEGMENT, "length"), s.len);
    wf_session_close(session);
}

static void rows_are_the_records_losses_and_counts_of_the_stream(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 1000; ++seed) {
        size_t count = cut_stream(seed);
        struct wf_fleet *f = wf_fleet_open(&options, NULL);
        for (size_t i = 0; i < count; ++i) add_segment(f, i);
        assert_int_equal(wf_fleet_rows(f, WF_FLEET_TABLE_SEGMENT), count);
        expect_items(f);
        wf_fleet_close(f);
        drop(pieces, count);
    }
}

static void a_stream_that_grows_leaves_no_loss(void **state) {
    static uint64_t at_end[SEGMENTS];
    size_t more = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        make_stream(seed);
        const size_t len = s.len;
        const struct wf_segments_options o = {
            .size = sizeof o, .bytes = 1 << 20, .seconds = UINT_MAX};
        uint64_t before = 0;
        for (s.len = len / 2; s.len < len; s.len += 1 + len / 50) {
            size_t count = cut(&o, 0, pieces);
            assert_int_equal(count, 1);
            struct wf_fleet *f = wf_fleet_open(&options, NULL);
            add_segment(f, 0);
            number_count = 0;
            read_column(f, WF_FLEET_TABLE_LOSS, "number", keep_number);
            // Those of the shorter stream are still there.
            for (uint64_t i = 0; i < before; ++i) assert_int_equal(numbers[i], at_end[i]);
            assert_true(number_count >= before && number_count < SEGMENTS);
            memcpy(at_end, numbers, number_count * sizeof *numbers);
            before = number_count;
            wf_fleet_close(f);
            drop(pieces, count);
        }
        more += before;
    }
    assert_true(more > 100);
}

static void wrong_segments_are_refused(void **state) {
    size_t count = cut_stream(3);
    struct wf_fleet *f = wf_fleet_open(&options, NULL);
    (void)state;
    assert_true(count > 3);
    assert_int_equal(wf_fleet_add(f, &stream, segment_of(0), segment_of(2)), WF_ERR_USAGE);
    assert_int_equal(wf_fleet_add(f, &stream, segment_of(2), segment_of(1)), WF_ERR_USAGE);
    assert_int_equal(wf_fleet_add(f, &stream, segment_of(count - 1), segment_of(count - 1)),
                     WF_ERR_USAGE);
    pieces[1].state[0] ^= 0x55;
    assert_int_equal(wf_fleet_add(f, &stream, segment_of(1), segment_of(2)), WF_ERR_BAD_STATE);
    for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t)
        assert_int_equal(wf_fleet_rows(f, (enum wf_fleet_table_number)t), 0);
    wf_fleet_close(f);
    drop(pieces, count);
    const struct wf_fleet_options none = {0};
    struct wf_error error;
    assert_null(wf_fleet_open(&none, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    wf_fleet_close(NULL);
}

static void classes_are_those_of_the_statistics(void **state) {
    (void)state;
    for (uint64_t value = 0; value < UINT64_MAX / 3; value += 1 + value / 50) {
        const unsigned class = wf_fleet_class_of(value);
        assert_true(wf_fleet_class_begin(class) <= value);
        assert_true(wf_fleet_class_begin(class + 1) > value);
        assert_true(value - wf_fleet_class_begin(class) <= value / 64);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_has_the_bytes_of_the_format),
        cmocka_unit_test(rows_do_not_depend_on_when_they_are_made),
        cmocka_unit_test(rows_are_the_records_losses_and_counts_of_the_stream),
        cmocka_unit_test(a_stream_that_grows_leaves_no_loss),
        cmocka_unit_test(wrong_segments_are_refused),
        cmocka_unit_test(classes_are_those_of_the_statistics),
    };
    memset(options.records, true, sizeof options.records);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
