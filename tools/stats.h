// SPDX-License-Identifier: MIT
// What the ways to show statistics share: the figures of one lane, and which rows are wanted.
#ifndef STATS_H
#define STATS_H

#include <stdio.h>

#include "stream.h"
#include "wallfly_host/wf_stats.h"

struct stats {
    unsigned lane;
    struct wf_stats *figures;
    struct wf_stats_about about;
    const char *task; // null, or rows of this one only
    FILE *out;        // of JSON and CSV
};

// The next row that is wanted.
bool stats_next(const struct stats *s, uint64_t *at, struct wf_stats_row *row);
void stats_text(const struct stats *s);
// stats_json writes one member of the array of lanes, between head and end.
void stats_json_head(FILE *out, const char *source);
void stats_json(const struct stats *s);
void stats_json_end(FILE *out);
void stats_csv_head(FILE *out);
void stats_csv(const struct stats *s);

#endif
