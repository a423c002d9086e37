// SPDX-License-Identifier: MIT
// `wallfly fleet check`: whether the tables of a project have all that they say, and what is
// missing of the traces themselves.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/fleet.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { CHECK_DEVICE = FLEET_OPTIONS };

static const struct option_row options[] = {
    FLEET_ROWS,
    {"device", 0, "NAME", "only this device"},
    {NULL, 0, NULL, NULL},
};

// A stream whose sums are not those of a whole trace. Bytes of a gap are between two segments.
// Losses before its oldest segment are left out, as rows of segments expire first.
static const char sums[] =
    "SELECT device, stream, segments, records, missing, damaged, gap, exact, told FROM ("
    " SELECT device, stream, count() AS segments, sum(records) AS records, sum(missing) AS missing,"
    "  sum(damaged) AS damaged, min(number) AS first,"
    "  max(offset + length + arraySum(`breaks.lost`)) - min(offset)"
    "   - sum(length + arraySum(`breaks.lost`)) AS gap,"
    "  argMax(exact, offset) AS exact"
    " FROM %s.segment FINAL %s GROUP BY device, stream"
    ") AS of_segments ALL LEFT JOIN ("
    " SELECT device, stream, sum(records) AS told FROM ("
    "  SELECT device, stream, number, records FROM %s.loss FINAL %s"
    " ) AS losses ALL INNER JOIN ("
    "  SELECT device, stream, min(number) AS first FROM %s.segment FINAL %s GROUP BY device, stream"
    " ) AS firsts USING (device, stream) WHERE number > first GROUP BY device, stream"
    ") AS of_losses USING (device, stream) ORDER BY device, stream";

struct sum {
    uint64_t streams, segments, records, damaged, gap;
    int64_t missing;
    uint64_t unsure;       // streams whose missing records are not confirmed
    uint64_t contradicted; // streams whose rows of loss do not add up to what their segments miss
};

// A row: device, stream, segments, records, missing, damaged, gap, exact, told.
static bool take_row(char *row, struct sum *all) {
    char *field[9];
    for (unsigned i = 0; i < 9; ++i) {
        field[i] = row;
        row += strcspn(row, "\t");
        if (i < 8 && !*row) return false;
        if (*row) *row++ = 0;
    }
    const int64_t missing = strtoll(field[4], NULL, 10), told = strtoll(field[8], NULL, 10);
    const uint64_t damaged = strtoull(field[5], NULL, 10), gap = strtoull(field[6], NULL, 10);
    const bool exact = *field[7] == '1', contradicts = missing != told;
    ++all->streams;
    all->segments += strtoull(field[2], NULL, 10);
    all->records += strtoull(field[3], NULL, 10);
    all->missing += missing;
    all->damaged += damaged;
    all->gap += gap;
    all->unsure += !exact;
    all->contradicted += contradicts;
    if (!missing && !damaged && !gap && !contradicts) return true;
    printf("%s, stream %s: %s records, %" PRId64 " missing%s, %" PRIu64 " bytes damaged",
           shown_text(field[0]), field[1], field[3], missing, exact ? "" : " or more", damaged);
    if (gap) printf(", %" PRIu64 " bytes of it are not in the tables", gap);
    if (contradicts) printf("; rows of loss add up to %" PRId64, told);
    puts("");
    return true;
}

static int take_answer(const struct fleet *f, struct sum *all) {
    char *copy = strdup(wf_engine_answer(f->engine, NULL));
    if (!copy) return out_of_memory();
    int code = EXIT_GOOD;
    for (char *row = copy; *row && code == EXIT_GOOD;) {
        char *end = row + strcspn(row, "\n"), *next = end + (*end != 0);
        *end = 0;
        if (!take_row(row, all))
            code = diag_error(EXIT_INPUT, "%s: an answer that is no row: %.80s", f->url, row);
        row = next;
    }
    free(copy);
    return code;
}

static int print_sum(const struct fleet *f, const struct sum *s) {
    printf("%s: %" PRIu64 " stream%s, %" PRIu64 " segment%s, %" PRIu64 " records, %" PRId64
           " missing, %" PRIu64 " bytes damaged\n",
           f->project, s->streams, s->streams == 1 ? "" : "s", s->segments,
           s->segments == 1 ? "" : "s", s->records, s->missing, s->damaged);
    if (s->unsure)
        printf("of these %" PRIu64 " without a SYNC at the end that confirms what is missing\n",
               s->unsure);
    if (s->gap || s->contradicted)
        return diag_error(EXIT_LOSS, "the tables are not whole: load the traces again");
    return s->missing || s->damaged ? diag_error(EXIT_LOSS, "records are missing or damaged")
                                    : EXIT_GOOD;
}

static int check(struct fleet *f, const char *device) {
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

static int run(const struct args *args) {
    struct fleet f = {.engine = NULL};
    const char *device = args->value[CHECK_DEVICE];
    if (device && !wf_fleet_is_device(device))
        return diag_error(EXIT_USAGE, "--device: '%s' is no name of a device", device);
    int code = fleet_open(&f, args);
    if (code == EXIT_GOOD) code = check(&f, device);
    fleet_close(&f);
    return code;
}

const struct cmd cmd_fleet_check = {
    "fleet check",
    run,
    "URL",
    1,
    1,
    "Checks that the traces in the tables of a project are whole.",
    "For each stream: that no segment is missing between two others, and that the rows of loss "
    "add\n"
    "up to the records that its segments miss. Streams with missing records or damaged bytes are\n"
    "listed; the exit code is 4 if there are any.",
    options};
