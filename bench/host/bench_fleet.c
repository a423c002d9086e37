// SPDX-License-Identifier: MIT
// Speed of segments and their rows, decoding included, and of chunks. Usage: bench_fleet FILE
// [cut|figures|records] (frames; with a word that alone, once). Compares with the statistics of the
// same frames: rows of a segment decode it and the one before it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "wallfly_host/wf_fleet.h"
#include "wallfly_host/wf_fleet_chunk.h"
#include "wallfly_host/wf_stats.h"

enum { BLOCK = 65536, RUNS = 3, CHUNK = 4096, CHUNKS = 20000 };
enum what { STATS, CUT, FIGURES, RECORDS, PASSES };

static uint8_t *data;
static size_t size;
static const struct wf_fleet_stream stream = {.device = "device-000077", .version = "2.1.0"};
static uint64_t records;

static void take(struct wf_fleet *f, struct wf_segment *previous,
                 const struct wf_segment *segment) {
    size_t len;
    struct wf_segment next;
    if (!wf_segment_copy(&next, segment)) exit(3);
    records += segment->records;
    if (f) {
        if (wf_fleet_add(f, &stream, previous->bytes ? previous : NULL, &next) != WF_OK) exit(3);
        for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t)
            if (!wf_fleet_block(f, (enum wf_fleet_table_number)t, &len)) exit(3);
        wf_fleet_clear(f);
    }
    wf_segment_free(previous);
    *previous = next;
}

static double pass_segments(enum what what) {
    struct wf_fleet_options o = {.size = sizeof o};
    memset(o.records, what == RECORDS, sizeof o.records);
    struct wf_segments *segments = wf_segments_open(NULL, NULL);
    struct wf_fleet *f = what == CUT ? NULL : wf_fleet_open(&o, NULL);
    struct wf_segment segment, previous = {0};
    records = 0;
    double start = now();
    for (size_t at = 0; at < size; at += BLOCK) {
        if (wf_segments_feed(segments, data + at, size - at < BLOCK ? size - at : BLOCK) != WF_OK)
            exit(3);
        while (wf_segments_next(segments, &segment)) take(f, &previous, &segment);
    }
    wf_segments_end(segments);
    while (wf_segments_next(segments, &segment)) take(f, &previous, &segment);
    double seconds = now() - start;
    wf_segment_free(&previous);
    wf_fleet_close(f);
    wf_segments_close(segments);
    return seconds;
}

static double pass_stats(void) {
    struct wf_item item;
    struct wf_session *s = wf_session_open(NULL, NULL);
    struct wf_stats *st = wf_stats_open(s, NULL, NULL);
    if (!st) exit(3);
    double start = now();
    for (size_t at = 0; at < size; at += BLOCK) {
        wf_session_feed(s, data + at, size - at < BLOCK ? size - at : BLOCK);
        while (wf_session_next(s, &item)) wf_stats_take(st, &item);
    }
    wf_stats_end(st);
    double seconds = now() - start;
    wf_stats_close(st);
    wf_session_close(s);
    return seconds;
}

static double pass(enum what what) { return what == STATS ? pass_stats() : pass_segments(what); }

// Returns how many chunks of the first bytes of the file are checked and put in order in a second.
static double chunks_per_second(void) {
    static uint8_t message[CHUNK + WF_FLEET_CHUNK_FRAME];
    struct wf_fleet_chunk chunk = {.bytes = data, .len = size < CHUNK ? size : CHUNK};
    struct wf_fleet_order order = {0};
    const size_t len = wf_fleet_chunk_write(&chunk, message);
    double start = now();
    for (unsigned i = 0; i < CHUNKS; ++i) {
        size_t at = 0;
        if (wf_fleet_chunk_read(message, len, &at, &chunk, NULL) != WF_OK) exit(3);
        chunk.offset = order.wanted;
        if (wf_fleet_order_take(&order, &chunk) != WF_FLEET_NEXT) exit(3);
    }
    return CHUNKS / (now() - start);
}

int main(int argc, char **argv) {
    static const char *const words[PASSES] = {"stats", "cut", "figures", "records"};
    double best[PASSES];
    if (argc < 2) return 2;
    data = read_frames(argv[1], &size);
    for (unsigned what = 0; argc > 2 && what < PASSES; ++what)
        if (strcmp(argv[2], words[what]) == 0) pass((enum what)what);
    for (unsigned i = 0; argc == 2 && i < RUNS; ++i) {
        for (unsigned what = 0; what < PASSES; ++what) {
            double seconds = pass((enum what)what);
            if (!i || seconds < best[what]) best[what] = seconds;
        }
    }
    for (unsigned what = CUT; argc == 2 && what < PASSES; ++what)
        printf("host-fleet-%s,%.1f M records/s,%.2f times the time of statistics\n", words[what],
               (double)records / 1e6 / best[what], best[what] / best[STATS]);
    if (argc == 2) printf("host-fleet-chunks,%.0f chunks of 4 KiB/s\n", chunks_per_second());
    free(data);
    return 0;
}
