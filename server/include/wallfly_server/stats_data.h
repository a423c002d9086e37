// SPDX-License-Identifier: MIT
// Statistics of a lane as JSON and CSV, for commands and for answers to the page.
#ifndef STATS_DATA_H
#define STATS_DATA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "wallfly_host/wf_stats.h"

struct stats {
    unsigned lane;
    struct wf_stats *figures;
    struct wf_stats_about about;
    const char *task; // null, or show only rows of this task
    uint64_t zero;    // ticks of the target's clock from which JSON counts the places of lengths
    FILE *out;        // for JSON and CSV
};

// Returns the next selected row.
bool stats_next(const struct stats *s, uint64_t *at, struct wf_stats_row *row);
// stats_json writes one member of the array of lanes, between stats_json_head and stats_json_end.
void stats_json_head(FILE *out, const char *source);
void stats_json(const struct stats *s);
void stats_json_end(FILE *out);
// Writes a number of ticks in nanoseconds, or as it is if the rate hz is 0.
void stats_put_ticks(FILE *out, uint64_t hz, double ticks);
void stats_csv_head(FILE *out);
void stats_csv(const struct stats *s);

#endif
