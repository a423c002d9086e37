// SPDX-License-Identifier: MIT
// What the tables of a project have of each stream, and whether that is all.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "wallfly_host/wf_fleet_sql.h"

// The streams, with what their segments say and what the tables have. Each loss has a row, but
// those at the end of a stream, which may grow: those of the last segment are not counted. Rows
// before the oldest segment are left out, as segments expire first.
static const char sums[] =
    "SELECT device, stream, segments, all_records, all_missing, all_damaged, all_lost, gap,"
    " is_exact, losses, rows FROM ("
    " SELECT device, stream, count() AS segments, sum(records) AS all_records,"
    "  sum(missing) AS all_missing, sum(damaged) AS all_damaged,"
    "  sum(arraySum(`breaks.lost`)) AS all_lost, argMax(exact, offset) AS is_exact,"
    "  max(offset + length + arraySum(`breaks.lost`)) - min(offset)"
    "   - sum(length + arraySum(`breaks.lost`)) AS gap,"
    "  sum(records_span - records) - argMax(records_span - records, offset) AS losses"
    " FROM (SELECT * FROM %s.segment FINAL %s) AS s GROUP BY device, stream"
    ") AS of_segments ALL LEFT JOIN ("
    " SELECT device, stream, count() AS rows"
    " FROM (SELECT device, stream, number FROM %s.loss FINAL %s) AS l ALL INNER JOIN ("
    "  SELECT device, stream, min(number) AS first, max(number) AS last FROM %s.segment FINAL %s"
    "  GROUP BY device, stream"
    " ) AS ends USING (device, stream)"
    " WHERE number > first AND number <= last GROUP BY device, stream"
    ") AS of_losses USING (device, stream) ORDER BY device, stream";

enum {
    DEVICE,
    STREAM,
    SEGMENTS,
    RECORDS,
    MISSING,
    DAMAGED,
    LOST,
    GAP,
    EXACT,
    LOSSES,
    ROWS,
    FIELDS
};

struct sum {
    uint64_t streams, segments, records, damaged, lost; // damaged, lost: bytes
    int64_t missing;
    uint64_t unsure; // streams whose missing records are not confirmed
    bool not_whole;  // a table lacks rows
};

static bool split_row(char *row, char *field[FIELDS]) {
    for (unsigned i = 0; i < FIELDS; ++i) {
        field[i] = row;
        row += strcspn(row, "\t");
        if (!*row && i + 1 < FIELDS) return false;
        if (*row) *row++ = 0;
    }
    return true;
}

static uint64_t number(const char *text) { return strtoull(text, NULL, 10); }

static void add_row(struct sum *all, char *const field[FIELDS]) {
    const int64_t missing = strtoll(field[MISSING], NULL, 10);
    const uint64_t damaged = number(field[DAMAGED]), lost = number(field[LOST]),
                   gap = number(field[GAP]);
    const bool exact = *field[EXACT] == '1',
               lacks = !gap && number(field[LOSSES]) != number(field[ROWS]);
    ++all->streams;
    all->segments += number(field[SEGMENTS]);
    all->records += number(field[RECORDS]);
    all->missing += missing;
    all->damaged += damaged;
    all->lost += lost;
    all->unsure += !exact;
    all->not_whole |= gap || lacks;
    if (!missing && !damaged && !lost && !gap && !lacks) return;
    printf("%s, stream %s: %s records, %" PRId64 " missing%s, %" PRIu64 " bytes damaged, %" PRIu64
           " lost",
           shown_text(field[DEVICE]), field[STREAM], field[RECORDS], missing,
           exact ? "" : " or more", damaged, lost);
    if (gap) printf("; %" PRIu64 " bytes of it are not in the tables", gap);
    if (lacks) printf("; %s losses have %s rows", field[LOSSES], field[ROWS]);
    puts("");
}

static int take_answer(const struct fleet *f, struct sum *all) {
    char *copy = strdup(wf_engine_answer(f->engine, NULL));
    if (!copy) return out_of_memory();
    int code = EXIT_GOOD;
    for (char *row = copy; *row && code == EXIT_GOOD;) {
        char *end = row + strcspn(row, "\n"), *next = end + (*end != 0);
        *end = 0;
        char *field[FIELDS];
        if (split_row(row, field))
            add_row(all, field);
        else
            code = diag_error(EXIT_INPUT, "%s: an answer that is no row: %.80s", f->url, row);
        row = next;
    }
    free(copy);
    return code;
}

static int print_sum(const struct fleet *f, const struct sum *s) {
    printf("%s: %" PRIu64 " stream%s, %" PRIu64 " segment%s, %" PRIu64 " records, %" PRId64
           " missing, %" PRIu64 " bytes damaged, %" PRIu64 " lost\n",
           f->project, s->streams, s->streams == 1 ? "" : "s", s->segments,
           s->segments == 1 ? "" : "s", s->records, s->missing, s->damaged, s->lost);
    if (s->unsure) printf("of these %" PRIu64 " end without a SYNC that confirms it\n", s->unsure);
    if (s->not_whole)
        return diag_error(EXIT_LOSS, "the tables are not whole: load the traces again");
    return s->missing || s->damaged || s->lost
               ? diag_error(EXIT_LOSS, "records are missing or damaged")
               : EXIT_GOOD;
}

int fleet_check_streams(struct fleet *f, const char *device) {
    char sql[4096], where[2 * WF_FLEET_DEVICE_MAX + 64] = "", literal[2 * WF_FLEET_DEVICE_MAX + 3];
    struct sum all = {0};
    if (device) {
        wf_fleet_quote(device, literal, sizeof literal);
        snprintf(where, sizeof where, "WHERE device = %s", literal);
    }
    snprintf(sql, sizeof sql, sums, f->project, where, f->project, where, f->project, where);
    int code = fleet_check_tables(f);
    if (code == EXIT_GOOD) code = fleet_run(f, sql, NULL);
    if (code == EXIT_GOOD) code = take_answer(f, &all);
    if (code == EXIT_GOOD && device && !all.streams)
        return diag_error(EXIT_INPUT, "%s: has no device %s", f->project, device);
    return code == EXIT_GOOD ? print_sum(f, &all) : code;
}
