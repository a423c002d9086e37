// SPDX-License-Identifier: MIT
// How fast the model takes records: two tasks that switch, take and give a mutex and wait, in
// frames. Decoding alone is measured beside it. Each figure is the best of five.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wallfly_host/wf_model.h"

enum { ROUNDS = 200000, BLOCK = 65536, RUNS = 5 };

static uint8_t *data;
static size_t size;
static uint8_t seq;

static void put(uint8_t byte) {
    if (byte == 0x7D || byte == 0x7E) {
        data[size++] = 0x7D;
        byte ^= 0x20;
    }
    data[size++] = byte;
}

static void record(const char *name, const uint64_t *values) {
    static uint32_t clock;
    const struct wf_row *row = wf_rows;
    while (strcmp(row->name, name) != 0) ++row;
    uint8_t sum = (uint8_t)(++seq + row->id);
    put(seq);
    put(row->id);
    ++clock;
    for (unsigned f = 0; f < row->count; ++f) {
        unsigned type = row->fields[f].type;
        uint64_t v = type == WF_TYPE_TIME    ? clock
                     : type == WF_TYPE_WHICH ? (uint64_t)row->select
                                             : *values++;
        for (unsigned i = 0; i < wf_types[type].bytes; ++i, v >>= 8) {
            put((uint8_t)v);
            sum = (uint8_t)(sum + (uint8_t)v);
        }
    }
    put((uint8_t)~sum);
    data[size++] = 0x7E;
}
#define RECORD(name, ...) record(name, (uint64_t[]){__VA_ARGS__})

static void make(void) {
    data = malloc((size_t)ROUNDS * 10 * 64);
    if (!data) exit(3);
    for (unsigned i = 0; i < ROUNDS; ++i) {
        uint64_t a = 0x20001000 + i % 16 * 0x100, b = a + 0x80, mutex = 0x20003000 + i % 8 * 0x40;
        RECORD("task_switch", a, 4, 0);
        RECORD("mutex_take", mutex, a, 1);
        RECORD("irq_enter", 15, 1, 0);
        RECORD("task_ready", b, 0);
        RECORD("irq_exit", 15, 1, 0);
        RECORD("task_switch", b, 1, 0);
        RECORD("mutex_wait", mutex, b);
        RECORD("task_switch", a, 4, 0);
        RECORD("mutex_give", mutex, a, 0);
        RECORD("mutex_take", mutex, b, 1);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double pass(bool modelled, uint64_t *changes) {
    const struct wf_options options = {.dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    struct wf_change c;
    int err;
    struct wf_session *s = wf_open(&options, &err);
    struct wf_model *m = wf_model_open(s);
    if (!m) exit(3);
    double start = now();
    for (size_t at = 0; at < size; at += BLOCK) {
        wf_feed(s, data + at, size - at < BLOCK ? size - at : BLOCK);
        while (wf_next(s, &item)) {
            if (!modelled) continue;
            wf_model_take(m, &item);
            while (wf_model_next(m, &c)) ++*changes;
        }
    }
    double seconds = now() - start;
    wf_model_close(m);
    wf_close(s);
    return seconds;
}

int main(void) {
    double decode = 1e9, both = 1e9;
    uint64_t changes = 0;
    make();
    for (int i = 0; i < RUNS; ++i) {
        double seconds = pass(false, &changes);
        decode = seconds < decode ? seconds : decode;
        seconds = pass(true, &changes);
        both = seconds < both ? seconds : both;
    }
    double records = 10.0 * ROUNDS / 1e6;
    printf("host-model,%.1f M records/s with decoding,%.1f without,%.1f changes a record\n",
           records / both, records / (both - decode), (double)changes / RUNS / records / 1e6);
    free(data);
    return 0;
}
