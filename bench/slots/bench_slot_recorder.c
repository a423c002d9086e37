// SPDX-License-Identifier: MIT
// Measures the cost of an event in the slot recorder, which overwrites the oldest events.
//
//   bench_slot_recorder KIND COUNT  makes COUNT events, to be run under callgrind for two counts
//   bench_slot_recorder             times all kinds: "name,nanoseconds" of the best of many rounds

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wallfly/wallfly.h"
#include "wf_port.h"

enum { SLOTS = 16384, ROUNDS = 200, EVENTS = 20000, NS = 1000000000 };

volatile wf_stamp bench_clock;
static uint8_t memory[WF_SLOTS_SIZE(WF_CFG_CORES, SLOTS)] __attribute__((aligned(64)));
static volatile uint8_t level = 3;

// Each in a function of its own, so that the cost of an empty function can be subtracted.
#define KIND(name, ...)                                                                            \
    __attribute__((noinline)) static void name(void) { __VA_ARGS__; }

KIND(nothing, __asm__ volatile(""))
KIND(clock_alone, wf_stamp now = wf_port_now(); __asm__ volatile("" : : "r"(now)))
KIND(task_switch, WF_REC(sched_next, 0, level, 2))
KIND(filtered, WF_REC(active_get, 0, 5, memory, 1, 1, level))
KIND(app, WF_RECORD(WF_USER, 0, WF_U8(0, level), WF_U32(0, 0x12345678), WF_STR("eightchr")))
KIND(chain, const uint32_t words[8] = {level}; wf_slot_words(WF_SLOT_CLASS_USER, 1, words, 8))

static const struct {
    const char *name;
    void (*make)(void);
} kinds[] = {{"nothing", nothing},   {"clock", clock_alone}, {"switch", task_switch},
             {"filtered", filtered}, {"app", app},           {"chain", chain}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / NS;
}

static double best(void (*make)(void)) {
    double least = 1e9;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        double start = seconds();
        for (unsigned i = 0; i < EVENTS; ++i) make();
        double took = seconds() - start;
        if (took < least) least = took;
    }
    return least * NS / EVENTS;
}

int main(int argc, char **argv) {
    const struct wf_slots_config config = {memory, sizeof memory, WF_CFG_CORES, SLOTS, false, 0, 0};
    if (!wf_slots_start(&config)) {
        fputs("bench_slot_recorder: this CPU has no 16-byte stores in one piece (AVX)\n", stderr);
        return 2;
    }
    wf_filter(WF_GRP_ALL);
    wf_filter(-WF_ID_active_get);
    for (unsigned i = 0; i < KINDS; ++i) {
        if (argc == 1) {
            if (i) printf("ns-slots-%s,%.2f\n", kinds[i].name, best(kinds[i].make));
            continue;
        }
        if (strcmp(kinds[i].name, argv[1]) != 0 || argc != 3) continue;
        for (long n = strtol(argv[2], NULL, 10); n > 0; --n) kinds[i].make();
        return 0;
    }
    return argc == 1 ? 0 : 2;
}
