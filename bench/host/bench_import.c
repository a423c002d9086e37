// SPDX-License-Identifier: MIT
// Measures how fast another tracer's recording is decoded to records, compared with memcpy of the
// same bytes in the same run. Usage: bench_import [--once] FILE. --once: decodes once and prints
// the number of records. Each figure is the best of five.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "wallfly_host/wf_trace.h"

enum { RUNS = 5 };

static uint8_t *data;
static size_t size;
static const char *title;

// One pass. Returns the number of records.
static uint64_t decode(double *seconds) {
    struct wf_trace *t = wf_trace_open(NULL, NULL);
    struct wf_merge_span span = {data, size};
    const struct wf_merge_source source = {&span, wf_merge_span_at};
    struct wf_item item;
    struct wf_error error;
    double start = now();
    if (wf_trace_read(t, 0, &source, &error) != WF_OK) {
        fprintf(stderr, "bench_import: %s\n", error.text);
        exit(3);
    }
    while (wf_trace_next(t, &item)) continue;
    *seconds = now() - start;
    struct wf_lane *lane = wf_trace_lane(t, 0, NULL);
    uint64_t records = wf_session_ledger(wf_lane_session(lane))->records;
    title = wf_lane_format_name(wf_lane_get_format(lane));
    wf_trace_close(t);
    return records;
}

static bool load(const char *name) {
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) return false;
    size = (size_t)ftell(f);
    rewind(f);
    data = malloc(size ? size : 1);
    bool good = data && fread(data, 1, size, f) == size;
    fclose(f);
    return good;
}

int main(int argc, char **argv) {
    bool once = argc > 1 && strcmp(argv[1], "--once") == 0;
    double least = 1e9, seconds;
    uint64_t records = 0;
    if (argc != 2 + once || !load(argv[1 + once])) {
        fprintf(stderr, "usage: bench_import [--once] FILE\n");
        return 2;
    }
    for (int i = 0; i < (once ? 1 : RUNS); ++i) {
        records = decode(&seconds);
        if (seconds < least) least = seconds;
    }
    if (once) {
        printf("%llu\n", (unsigned long long)records);
        return 0;
    }
    printf("import-%s,%.1f M records/s,%.1f times memcpy\n", title, (double)records / least / 1e6,
           least / copy_best(data, size));
    return 0;
}
