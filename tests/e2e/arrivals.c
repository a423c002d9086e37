// SPDX-License-Identifier: MIT
// Makes a recording of a file of frames as from a link with delays, with a clock of its own:
//   arrivals FILE START_NS OFFSET_US DRIFT_PPM LEAST_US MOST_US SEED >recording
// Tick 0 of the target is OFFSET_US after START_NS (UTC), and its clock is slower by DRIFT_PPM.
// Each block of 8 records arrives LEAST_US to MOST_US after its last record.
#include <stdio.h>
#include <stdlib.h>

#include "wallfly_host/wf_recording.h"

enum { BLOCK = 8, FILE_MAX = 1 << 24 };

static bool put(void *ctx, const char *bytes, size_t len) {
    return fwrite(bytes, 1, len, ctx) == len;
}

static uint64_t random_state;
static double random_between(double least, double most) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return least + (most - least) * (double)(random_state >> 40) / (double)(1 << 24);
}

int main(int argc, char **argv) {
    static uint8_t bytes[FILE_MAX];
    FILE *f = argc == 8 ? fopen(argv[1], "rb") : NULL;
    if (!f) return 2;
    size_t len = fread(bytes, 1, sizeof bytes, f), sent = 0;
    fclose(f);
    const struct wf_recording_head head = {
        .start_ns = strtoull(argv[2], NULL, 10), .part = 1, .tool = "arrivals"};
    double offset = strtod(argv[3], NULL), drift = strtod(argv[4], NULL) / 1e6;
    double least = strtod(argv[5], NULL), most = strtod(argv[6], NULL), last = 0;
    random_state = strtoull(argv[7], NULL, 10);
    struct wf_recording_writer *w = wf_recording_create(&head, put, stdout, NULL);
    const struct wf_session_options options = {.size = sizeof options};
    struct wf_session *s = wf_session_open(&options, NULL);
    if (!w || !s) return 1;
    struct wf_chunk up = {.kind = WF_CHUNK_UP, .bytes = (const uint8_t *)"target", .len = 6};
    wf_recording_put(w, &up);
    wf_session_feed(s, bytes, len);
    struct wf_item item;
    for (uint64_t n = 1; wf_session_next(s, &item); ++n) {
        size_t end = (size_t)item.record.offset + item.record.raw_len;
        if (item.kind != WF_ITEM_RECORD || !item.record.stamped || n < BLOCK || end <= sent)
            continue;
        double us = (double)item.record.tick * 1e6 / (double)wf_session_target(s)->hz;
        double at = offset + us * (1 + drift) + random_between(least, most);
        if (at < last) at = last; // in order
        last = at;
        struct wf_chunk c = {.kind = WF_CHUNK_BYTES,
                             .time_us = (uint64_t)at,
                             .bytes = bytes + sent,
                             .len = end - sent};
        if (wf_recording_put(w, &c) != WF_OK) return 1;
        sent = end;
        n = 0;
    }
    wf_session_close(s);
    return wf_recording_finish(w) == WF_OK ? 0 : 1;
}
