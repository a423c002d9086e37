// SPDX-License-Identifier: MIT
// Measures how fast slots are decoded: chunks of 64 slots of several cores in turn, simple events,
// generated in blocks outside of the measured CPU time. Usage: bench_slots [MILLIONS]

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"
#include "wallfly_host/wf_slots.h"

enum { CORES = 8, CHUNK = 64, BLOCK_CHUNKS = 64 };

static struct wf_slot block[BLOCK_CHUNKS * CHUNK];
static uint64_t now_of[CORES], made[CORES];
static uint32_t chunks[CORES];

static struct wf_slot slot(unsigned core, unsigned cls, unsigned event, uint64_t time, uint64_t v) {
    return (struct wf_slot){core << WF_SLOT_CORE_SHIFT | cls << WF_SLOT_CLASS_SHIFT | event,
                            (uint32_t)time,
                            {(uint32_t)v, (uint32_t)(v >> 32)}};
}

static void make_chunk(struct wf_slot *p, unsigned core) {
    uint64_t t = now_of[core] + 10;
    *p++ = slot(core, WF_SLOT_CLASS_CONTROL, WF_SLOT_CONTROL_BUFFER, t,
                chunks[core]++ | (uint64_t)CHUNK << 32);
    *p++ = slot(core, WF_SLOT_CLASS_CONTROL, WF_SLOT_CONTROL_TIME, t, t >> 32 | t << 32);
    *p++ = slot(core, WF_SLOT_CLASS_OWN, WF_SLOT_OWN_MADE, t, made[core]);
    *p++ = slot(core, WF_SLOT_CLASS_OWN, WF_SLOT_OWN_REFUSED, t, 0);
    for (unsigned i = 4; i < CHUNK; ++i, ++made[core]) {
        uint64_t next = t + 20 + (i * 7 & 63);
        if (next >> 32 != t >> 32) {
            *p++ = slot(core, WF_SLOT_CLASS_CONTROL, WF_SLOT_CONTROL_TIME, next,
                        next >> 32 | next << 32);
            ++i;
        }
        t = next;
        if (i < CHUNK) *p++ = slot(core, WF_SLOT_CLASS_PR_TH, i & 15, t, made[core]);
    }
    now_of[core] = t;
}

int main(int argc, char **argv) {
    static const char header[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUE"
                                 "TRACE_CYCLES_PER_SEC::1000000000TRACE_CPU_NUM::8"
                                 "TRACE_WALLFLY::T8TRACE_HEADER_END::";
    uint64_t slots = (argc > 1 ? strtoull(argv[1], NULL, 10) : 100) * 1000000, events = 0, sum = 0;
    struct wf_slots_item item;
    struct wf_slots *s = wf_slots_open(NULL, NULL);
    if (!s) return 3;
    wf_slots_feed(s, header, sizeof header - 1);
    while (wf_slots_next(s, &item)) {
    }
    double seconds = 0;
    for (uint64_t done = 0; done < slots; done += BLOCK_CHUNKS * CHUNK) {
        for (unsigned i = 0; i < BLOCK_CHUNKS; ++i) make_chunk(block + i * CHUNK, i % CORES);
        double start = now();
        wf_slots_feed(s, block, sizeof block);
        while (wf_slots_next(s, &item)) {
            if (item.kind != WF_SLOTS_EVENT) return 4; // nothing may be lost or damaged
            ++events;
            sum += item.event.tick ^ item.event.words[0];
        }
        seconds += now() - start;
    }
    const struct wf_slots_ledger *l = wf_slots_get_ledger(s);
    if (l->events != events || l->back || !l->exact || l->slots != l->events + l->control) return 5;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("slots-decode,%.1f M events/s,%.1f M slots/s,%.1f MiB,%016llx\n",
           (double)events / seconds / 1e6, (double)l->slots / seconds / 1e6,
           (double)usage.ru_maxrss / 1024, (unsigned long long)sum);
    wf_slots_close(s);
    return 0;
}
