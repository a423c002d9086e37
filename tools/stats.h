// SPDX-License-Identifier: MIT
// Shared by the output forms of statistics: the figures of one lane, and the selection of rows.
#ifndef STATS_H
#define STATS_H

#include <stdio.h>

#include "stream.h"
#include "wallfly_host/wf_stats.h"

struct stats {
    unsigned lane;
    struct wf_stats *figures;
    struct wf_stats_about about;
    const char *task; // null, or show only rows of this task
    FILE *out;        // for JSON and CSV
};

// Ends the statistics of a lane (its `user`), for output on standard output. Returns false for a
// lane without items, and after an error message, which sets the stream's code.
bool stats_end_lane(struct lane *l, const char *task, struct stats *s);
// Returns the next selected row.
bool stats_next(const struct stats *s, uint64_t *at, struct wf_stats_row *row);
void stats_text(const struct stats *s);
// stats_json writes one member of the array of lanes, between stats_json_head and stats_json_end.
void stats_json_head(FILE *out, const char *source);
void stats_json(const struct stats *s);
void stats_json_end(FILE *out);
void stats_csv_head(FILE *out);
void stats_csv(const struct stats *s);

#endif
