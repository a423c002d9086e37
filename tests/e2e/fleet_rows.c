// SPDX-License-Identifier: MIT
// Cuts a file of frames into segments and writes their rows, a block of each table:
//   fleet_rows FILE DEVICE VERSION BYTES FOLDER [SECOND]
//   fleet_rows --wide FOLDER: a table of the test's own, with many different words
// SECOND: that of the trace's tick 0, since 1970.
//
// FOLDER gets TABLE.native, and tables.sql: CREATE TABLE statements, one a line, of each table for
// the engine, and of one named plain_TABLE that keeps blocks as they come.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/wfi_columns.h"
#include "wallfly_host/wf_fleet.h"

enum { FILE_MAX = 1 << 26, WIDE_ROWS = 70000 };

static FILE *create(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f) exit(2);
    return f;
}

static void write_table(FILE *f, const struct wf_fleet_table *table, bool plain) {
    fprintf(f, "CREATE TABLE %s%s (", plain ? "plain_" : "", table->name);
    for (unsigned i = 0; i < table->count; ++i)
        fprintf(f, "%s`%s` %s", i ? ", " : "", table->columns[i].name,
                wf_fleet_types[table->columns[i].type].name);
    if (plain)
        fprintf(f, ") ENGINE = Memory\n");
    else
        fprintf(f, ") ENGINE = ReplacingMergeTree%s ORDER BY (%s)\n",
                table->days ? " PARTITION BY day" : "", table->key);
}

static void write_tables(const char *folder) {
    FILE *f = create(folder, "tables.sql");
    for (unsigned t = 0; t < 2 * WF_FLEET_TABLE_END; ++t)
        write_table(f, &wf_fleet_tables[t / 2], t % 2);
    fclose(f);
}

// Dictionaries whose numbers have one byte, two and four.
static int write_wide(const char *folder) {
    static const struct wf_fleet_column columns[] = {{"few", "", WF_FLEET_WORD},
                                                     {"some", "", WF_FLEET_WORD},
                                                     {"most", "", WF_FLEET_WORD},
                                                     {"second", "", WF_FLEET_SECOND},
                                                     {"list", "", WF_FLEET_I64S}};
    static const struct wf_fleet_table table = {.name = "wide", .columns = columns, .count = 5};
    static const unsigned words[] = {255, 256, WIDE_ROWS};
    struct wfi_columns c = {.table = &table};
    struct wfi_block block = {0};
    for (unsigned row = 0; row < WIDE_ROWS; ++row) {
        char text[16];
        const uint64_t list[] = {(uint64_t)-1 - row, row};
        for (unsigned i = 0; i < 3; ++i) {
            unsigned word = row * 7919 % words[i];
            int len = snprintf(text, sizeof text, "%u", word);
            wfi_columns_text(&c, text, word ? (size_t)len : 0);
        }
        wfi_columns_number(&c, row);
        wfi_columns_array(&c, list, row % 3);
        wfi_columns_end_row(&c);
    }
    FILE *f = create(folder, "tables.sql");
    write_table(f, &table, true);
    fclose(f);
    f = create(folder, "wide.native");
    bool good = wfi_columns_block(&c, &block) && fwrite(block.bytes, 1, block.len, f) == block.len;
    fclose(f);
    free(block.bytes);
    wfi_columns_close(&c);
    return good ? 0 : 1;
}

static void write_blocks(const char *folder, struct wf_fleet *fleet) {
    for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t) {
        char name[64];
        size_t len;
        snprintf(name, sizeof name, "%s.native", wf_fleet_tables[t].name);
        FILE *f = create(folder, name);
        const uint8_t *block = wf_fleet_block(fleet, (enum wf_fleet_table_number)t, &len);
        if (!block || fwrite(block, 1, len, f) != len) exit(1);
        fclose(f);
    }
}

static void add(struct wf_fleet *fleet, const struct wf_fleet_stream *stream,
                struct wf_segment *previous, const struct wf_segment *segment) {
    struct wf_segment next;
    if (!wf_segment_copy(&next, segment)) exit(1);
    if (wf_fleet_add(fleet, stream, previous->bytes ? previous : NULL, &next) != WF_OK) exit(1);
    wf_segment_free(previous);
    *previous = next;
}

int main(int argc, char **argv) {
    static uint8_t bytes[FILE_MAX];
    if (argc == 3 && strcmp(argv[1], "--wide") == 0) return write_wide(argv[2]);
    FILE *f = argc == 6 || argc == 7 ? fopen(argv[1], "rb") : NULL;
    if (!f) return 2;
    const uint64_t second = argc == 7 ? strtoull(argv[6], NULL, 10) : 1790000000;
    const size_t len = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    const struct wf_segments_options cut = {.size = sizeof cut,
                                            .bytes = strtoul(argv[4], NULL, 10)};
    const struct wf_fleet_stream stream = {.device = argv[2],
                                           .version = argv[3],
                                           .stream = 1,
                                           .origin_ns = second * 1000000000 + 123456789};
    struct wf_fleet_options options = {.size = sizeof options};
    memset(options.records, true, sizeof options.records);
    struct wf_segments *segments = wf_segments_open(&cut, NULL);
    struct wf_fleet *fleet = wf_fleet_open(&options, NULL);
    struct wf_segment segment, previous = {0};
    if (fleet && wf_fleet_add_stream(fleet, &stream, argv[1], second) != WF_OK) return 1;
    if (!segments || !fleet || wf_segments_feed(segments, bytes, len) != WF_OK) return 1;
    while (wf_segments_next(segments, &segment)) add(fleet, &stream, &previous, &segment);
    wf_segments_end(segments);
    while (wf_segments_next(segments, &segment)) add(fleet, &stream, &previous, &segment);
    write_tables(argv[5]);
    write_blocks(argv[5], fleet);
    wf_segment_free(&previous);
    wf_fleet_close(fleet);
    wf_segments_close(segments);
    return 0;
}
