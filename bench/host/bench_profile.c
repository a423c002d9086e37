// SPDX-License-Identifier: MIT
// Measures what a comparison of two traces of 10^7 records each costs, compared with the statistics
// of one of them in the same run; each the best of three. Usage: bench_profile, or bench_profile
// stats|profile FILE: takes the statistics of a file once, without or with a profile, and prints
// the number of records.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "wallfly_host/wf_diff.h"

enum { BLOCK = 65536, RUNS = 3, TIMES = 5 };

static uint8_t *data;
static size_t size;

static void require(bool good) {
    if (good) return;
    fprintf(stderr, "bench_profile: failed\n");
    exit(3);
}

// The data so many times. Returns the profile; null without blocks.
static struct wf_profile *pass(bool blocks, unsigned times, uint64_t *records) {
    const struct wf_session_options options = {
        .size = sizeof options, .dialect = WF_DIALECT_WALLFLY, .hz = 1000000};
    const struct wf_stats_options stats = {.size = sizeof stats, .blocks = blocks};
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_stats *st = wf_stats_open(s, &stats, NULL);
    struct wf_profile *p = blocks ? wf_profile_open(NULL) : NULL;
    struct wf_item item;
    require(st != NULL);
    for (unsigned i = 0; i < times; ++i) {
        for (size_t at = 0; at < size; at += BLOCK) {
            wf_session_feed(s, data + at, size - at < BLOCK ? size - at : BLOCK);
            while (wf_session_next(s, &item)) wf_stats_take(st, &item);
        }
    }
    wf_stats_end(st);
    require(wf_stats_error(st) == WF_OK);
    if (p) require(wf_profile_add(p, st, 0, NULL) == WF_OK);
    *records = wf_session_ledger(s)->records;
    wf_stats_close(st);
    wf_session_close(s);
    return p;
}

static void compare(size_t *len, size_t *figures) {
    uint64_t records;
    struct wf_diff_about about;
    struct wf_profile *good = pass(true, TIMES, &records), *now = pass(true, TIMES, &records);
    uint8_t *bytes = wf_profile_write(good, len, NULL);
    struct wf_profile *read = wf_profile_read(bytes, *len, NULL);
    struct wf_diff *d = wf_diff_open(read, now, NULL, NULL);
    require(d != NULL);
    wf_diff_report(d, &about);
    *figures = about.figures;
    wf_diff_close(d);
    wf_profile_close(good);
    wf_profile_close(now);
    wf_profile_close(read);
    free(bytes);
}

static int once(bool blocks, const char *name) {
    uint64_t records;
    FILE *f = fopen(name, "rb");
    require(f && fseek(f, 0, SEEK_END) == 0);
    size = (size_t)ftell(f);
    rewind(f);
    data = malloc(size);
    require(data && fread(data, 1, size, f) == size);
    fclose(f);
    wf_profile_close(pass(blocks, 1, &records));
    free(data);
    printf("%llu\n", (unsigned long long)records);
    return 0;
}

int main(int argc, char **argv) {
    double stats = 1e9, diff = 1e9;
    uint64_t records;
    size_t len = 0, figures = 0;
    if (argc == 3) return once(strcmp(argv[1], "profile") == 0, argv[2]);
    data = make_tasks(&size);
    for (int i = 0; i < RUNS; ++i) {
        double start = now();
        pass(false, TIMES, &records);
        if (now() - start < stats) stats = now() - start;
        start = now();
        compare(&len, &figures);
        if (now() - start < diff) diff = now() - start;
    }
    printf("host-diff,%.2f times the time of one stats,%.1f M records/s,%zu figures,%zu bytes\n",
           diff / stats, 2 * (double)records / diff / 1e6, figures, len);
    free(data);
    return diff > 3 * stats;
}
