// SPDX-License-Identifier: MIT
// Measures how fast the model takes records of two tasks in frames, and decoding alone. Each figure
// is the best of five.

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "wallfly_host/wf_model.h"

enum { BLOCK = 65536, RUNS = 5 };

static uint8_t *data;
static size_t size;

static double pass(bool modelled, uint64_t *changes) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    struct wf_change c;
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_model *m = wf_model_open(s);
    if (!m) exit(3);
    double start = now();
    for (size_t at = 0; at < size; at += BLOCK) {
        wf_session_feed(s, data + at, size - at < BLOCK ? size - at : BLOCK);
        while (wf_session_next(s, &item)) {
            if (!modelled) continue;
            wf_model_take(m, &item);
            while (wf_model_next(m, &c)) ++*changes;
        }
    }
    double seconds = now() - start;
    wf_model_close(m);
    wf_session_close(s);
    return seconds;
}

int main(void) {
    double decode = 1e9, both = 1e9;
    uint64_t changes = 0;
    data = make_tasks(&size);
    for (int i = 0; i < RUNS; ++i) {
        double seconds = pass(false, &changes);
        decode = seconds < decode ? seconds : decode;
        seconds = pass(true, &changes);
        both = seconds < both ? seconds : both;
    }
    double records = TASKS_RECORDS / 1e6;
    printf("host-model,%.1f M records/s with decoding,%.1f without,%.1f changes a record\n",
           records / both, records / (both - decode), (double)changes / RUNS / records / 1e6);
    free(data);
    return 0;
}
