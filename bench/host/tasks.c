// SPDX-License-Identifier: MIT
// Generates records of two tasks in frames, by their names in the schema.

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "wallfly_host/wf_session.h"

enum { STEP = (UINT64_C(1) << 32) / TASKS_RECORDS, FRAME_MOST = 40 };

static uint8_t *data;
static size_t size;
static uint8_t seq;
static unsigned made;

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
    if (made++ >= TASKS_RECORDS) return;
    while (strcmp(row->name, name) != 0) ++row;
    uint8_t sum = (uint8_t)(++seq + row->id);
    put(seq);
    put(row->id);
    clock += STEP; // the block ends 2^32 ticks after its start
    for (unsigned f = 0; f < row->count; ++f) {
        unsigned type = row->fields[f].type;
        uint64_t v = type == WF_TYPE_TIME    ? clock + made % 7 * 100
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

uint8_t *make_tasks(size_t *made_size) {
    data = malloc((size_t)TASKS_RECORDS * FRAME_MOST);
    if (!data) exit(3);
    for (unsigned i = 0; made < TASKS_RECORDS; ++i) {
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
        RECORD("mutex_give", mutex, b, 0);
    }
    *made_size = size;
    return data;
}
