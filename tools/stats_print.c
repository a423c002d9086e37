// SPDX-License-Identifier: MIT
// Prints the statistics of all lanes.

#include <stdio.h>

#include "stats.h"

static void print_lanes(const struct stream *stream, void (*put)(const struct stats *s),
                        const char *task) {
    bool json = put == stats_json, csv = put == stats_csv, any = false;
    struct stats s;
    if (json) stats_json_head(stdout, stream->name);
    if (csv) stats_csv_head(stdout);
    for (unsigned i = 0; i < stream->lane_count; ++i) {
        if (!stats_end_lane(stream->lanes[i], task, &s)) continue;
        if (json && any) putchar(',');
        if (!json && !csv && stream->prefix) printf("%slane %u\n", any ? "\n" : "", s.lane);
        put(&s);
        any = true;
    }
    if (json) stats_json_end(stdout);
}

static bool has_task(const struct stream *stream, const char *task) {
    struct stats s;
    struct wf_stats_row row;
    for (unsigned i = 0; i < stream->lane_count; ++i) {
        uint64_t at = 0;
        if (stats_end_lane(stream->lanes[i], task, &s) && stats_next(&s, &at, &row)) return true;
    }
    return false;
}

int stats_print(const struct stream *stream, void (*put)(const struct stats *s), const char *task) {
    if (task && !has_task(stream, task))
        return diag_error(EXIT_NO, "--task: the trace has no task '%s'", task);
    print_lanes(stream, put, task);
    return stream->code;
}
