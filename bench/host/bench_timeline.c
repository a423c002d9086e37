// SPDX-License-Identifier: MIT
// Measures the time line: records per second, memory, and the time of queries. The block of records
// of two tasks is repeated with advancing time. The store is a file. Usage: bench_timeline
// [MILLIONS]; exit code 1 if more than 200 MiB of memory are used

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"
#include "wallfly_host/wf_timeline.h"

enum { BLOCK = 65536, BUCKETS = 512, QUESTIONS = 20000, MIB_MOST = 200 };

static uint8_t *data;
static size_t size;

static bool write_at(void *ctx, uint64_t at, const void *bytes, size_t len) {
    return pwrite(*(int *)ctx, bytes, len, (off_t)at) == (ssize_t)len;
}

static bool read_at(void *ctx, uint64_t at, void *bytes, size_t len) {
    return pread(*(int *)ctx, bytes, len, (off_t)at) == (ssize_t)len;
}

static void take(struct wf_session *s, struct wf_timeline *t) {
    struct wf_item item;
    for (size_t at = 0; at < size; at += BLOCK) {
        wf_session_feed(s, data + at, size - at < BLOCK ? size - at : BLOCK);
        while (wf_session_next(s, &item)) {
            if (t) wf_timeline_take(t, &item);
        }
    }
}

static int by_time(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static uint64_t any(uint64_t n) {
    static uint64_t x = 88172645463325252;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return n ? x % n : 0;
}

// Queries a random track, zoom and position.
static void ask(struct wf_timeline *t) {
    static struct wf_piece pieces[2 * BUCKETS + 8];
    static double us[QUESTIONS];
    struct wf_timeline_span span;
    size_t most = 0;
    wf_timeline_extent(t, &span);
    for (unsigned i = 0; i < QUESTIONS; ++i) {
        uint64_t bucket = 1, all = span.last - span.first;
        while (bucket * BUCKETS < all) bucket *= 2;
        bucket >>= any(30);
        if (!bucket) bucket = 1;
        uint64_t from = span.first + any(all);
        unsigned track = (unsigned)any(wf_timeline_tracks(t));
        double start = now();
        size_t count = wf_timeline_range(t, track, from, from + BUCKETS * bucket, bucket, pieces,
                                         sizeof pieces / sizeof *pieces);
        us[i] = (now() - start) * 1e6;
        if (count > most) most = count;
    }
    qsort(us, QUESTIONS, sizeof *us, by_time);
    printf("host-timeline-range,%.1f us,%.0f us at 99 %%,%.0f us at most,%zu pieces at most of %d "
           "buckets\n",
           us[QUESTIONS / 2], us[QUESTIONS * 99 / 100], us[QUESTIONS - 1], most, BUCKETS);
}

int main(int argc, char **argv) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    unsigned blocks = (unsigned)((argc > 1 ? atof(argv[1]) : 20) * 1e6 / TASKS_RECORDS) + 1;
    FILE *file = tmpfile();
    int fd = file ? fileno(file) : -1;
    struct wf_timeline_options with = {.size = sizeof with, .store = {&fd, write_at, read_at}};
    struct rusage before, after;
    data = make_tasks(&size);
    struct wf_session *bare = wf_session_open(&options, NULL), *s = wf_session_open(&options, NULL);
    struct wf_timeline *t = s ? wf_timeline_open(s, &with, NULL) : NULL;
    if (!bare || !t || fd < 0) return 3;
    double start = now();
    take(bare, NULL);
    double decode = (now() - start) / TASKS_RECORDS;
    getrusage(RUSAGE_SELF, &before);
    start = now();
    for (unsigned i = 0; i < blocks; ++i) take(s, t);
    double each = (now() - start) / TASKS_RECORDS / blocks;
    getrusage(RUSAGE_SELF, &after);
    wf_timeline_end(t);
    uint64_t slices = 0;
    for (unsigned i = 0; i < wf_timeline_tracks(t); ++i) {
        struct wf_track track;
        wf_timeline_track(t, i, &track);
        slices += track.slices;
    }
    double records = (double)blocks * TASKS_RECORDS;
    printf("host-timeline,%.1f M records/s with decoding,%.1f without,%.0f M records,%.2f slices a "
           "record\n",
           1e-6 / each, 1e-6 / (each - decode), records / 1e6, (double)slices / records);
    double mib = (double)(after.ru_maxrss - before.ru_maxrss) / 1024;
    printf("host-timeline-memory,%.1f MiB,%.2f bytes of store a slice,error %d\n", mib,
           (double)lseek(fd, 0, SEEK_END) / (double)slices, wf_timeline_error(t));
    ask(t);
    wf_timeline_close(t);
    wf_session_close(s);
    wf_session_close(bare);
    fclose(file);
    free(data);
    return mib > MIB_MOST;
}
