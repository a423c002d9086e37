// SPDX-License-Identifier: MIT
// Records a task switch with wallfly's slot recorder and with LTTng-UST in turn, both with
// CLOCK_MONOTONIC and overwriting the oldest events. Prints nanoseconds of the best round of each,
// and wallfly's time relative to LTTng's. Run by lttng.sh, which creates LTTng's session.

#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "bench_tracepoint.h"

#include <stdio.h>
#include <time.h>

#include "wallfly/wallfly.h"
#include "wf_port.h"

enum { SLOTS = 16384, ROUNDS = 100, EVENTS = 20000, NS = 1000000000 }; // 256 KiB per core

static uint8_t memory[WF_SLOTS_SIZE(WF_CFG_CORES, SLOTS)] __attribute__((aligned(64)));
static volatile uint8_t level = 3;

__attribute__((noinline)) static void ours(void) { WF_REC(sched_next, 0, level, 2); }
__attribute__((noinline)) static void theirs(void) {
    lttng_ust_tracepoint(bench, task_switch, level, 2);
}
__attribute__((noinline)) static void clock_alone(void) {
    wf_stamp now = wf_port_now();
    __asm__ volatile("" : : "r"(now));
}

static double ns_of(void (*make)(void)) {
    uint64_t start = wf_port_now();
    for (unsigned i = 0; i < EVENTS; ++i) make();
    return (double)(wf_port_now() - start) / EVENTS;
}

int main(void) {
    static void (*const kinds[])(void) = {clock_alone, ours, theirs};
    const struct wf_slots_config config = {
        memory, sizeof memory, WF_CFG_CORES, SLOTS, false, WF_PORT_HZ, 0};
    double least[3] = {1e9, 1e9, 1e9};
    if (!wf_slots_start(&config)) return 2;
    wf_filter(WF_GRP_ALL);
    if (!lttng_ust_tracepoint_enabled(bench, task_switch)) {
        fputs("bench_lttng: LTTng does not record the tracepoint\n", stderr);
        return 3;
    }
    for (unsigned round = 0; round < ROUNDS; ++round) {
        for (unsigned kind = 0; kind < 3; ++kind) {
            double ns = ns_of(kinds[kind]);
            if (ns < least[kind]) least[kind] = ns;
        }
    }
    fprintf(stderr, "clock alone %.1f ns, wallfly %.1f ns, LTTng-UST %.1f ns\n", least[0], least[1],
            least[2]);
    printf("lttng-share-of-time,%.3f\n", least[1] / least[2]);
    return 0;
}
