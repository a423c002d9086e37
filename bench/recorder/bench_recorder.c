// SPDX-License-Identifier: MIT
// Makes COUNT records of one kind. Run it under callgrind with two counts: the difference is the
// cost of a record. Usage: bench_recorder KIND COUNT. The ring is emptied at intervals, outside of
// the counted code.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <valgrind/callgrind.h>

#include "wallfly/wallfly.h"

volatile wf_stamp bench_clock;
static uint8_t ring[1 << 16];
static volatile uint8_t level = 3;

static void empty_ring(void) {
    const uint8_t *block;
    uint32_t len;
    while ((len = wf_get_block(&block, UINT32_MAX)) != 0) wf_block_done(len);
}

__attribute__((noinline)) static void post(void) {
    WF_REC(active_post, 1, ring, 5, ring + 64, 1, 1, level, 2);
}

__attribute__((noinline)) static void app(void) {
    WF_BEGIN(WF_USER, 0);
    wf_u8(0, level);
    wf_u32(0, 0x12345678);
    wf_str("eightchr");
    WF_END();
}

__attribute__((noinline)) static void app_call(void) {
    WF_RECORD(WF_USER, 0, WF_U8(0, level), WF_U32(0, 0x12345678), WF_STR("eightchr"));
}

__attribute__((noinline)) static void filtered(void) {
    WF_REC(active_get, 0, 5, ring, 1, 1, level);
}

__attribute__((noinline)) static void nothing(void) { __asm__ volatile(""); }

static const struct {
    const char *name;
    void (*make)(void);
} kinds[] = {{"post", post},
             {"app", app_call},
             {"app-steps", app},
             {"filtered", filtered},
             {"nothing", nothing}};

int main(int argc, char **argv) {
    static struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000000};
    void (*make)(void) = NULL;
    for (unsigned i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; ++i) {
        if (strcmp(kinds[i].name, argv[1]) == 0) make = kinds[i].make;
    }
    if (!make) return 2;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    wf_filter(-WF_ID_active_get);
    empty_ring();
    long count = strtol(argv[2], NULL, 10);
    for (long i = 0; i < count; ++i) {
        if (i % 256 == 0) {
            CALLGRIND_TOGGLE_COLLECT;
            empty_ring();
            CALLGRIND_TOGGLE_COLLECT;
        }
        make();
    }
    return 0;
}
