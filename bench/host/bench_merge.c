// SPDX-License-Identifier: MIT
// Measures how fast the events of 8 cores are merged from a seekable trace, from a stream, and from
// a trace that contains one core after the other. The trace is generated while it is read: chunks
// of 64 slots, of several cores in turn, which cover the same times. Measures CPU time. Usage:
// bench_merge [MILLIONS]

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"
#include "wallfly_host/wf_merge.h"

enum { CORES = 8, CHUNK = 64, HEAD = 4, SLOT = 16, STEP = 40 };

static const char header[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUE"
                             "TRACE_CYCLES_PER_SEC::1000000000TRACE_CPU_NUM::8"
                             "TRACE_WALLFLY::T8TRACE_HEADER_END::";
enum { HEADER = sizeof header - 1 };
static uint64_t slots;
static bool apart; // all slots of one core, then all of the next

static struct wf_slot slot(uint64_t core, unsigned cls, unsigned event, uint64_t time, uint64_t v) {
    return (struct wf_slot){(uint32_t)core << WF_SLOT_CORE_SHIFT | cls << WF_SLOT_CLASS_SHIFT |
                                event,
                            (uint32_t)time,
                            {(uint32_t)v, (uint32_t)(v >> 32)}};
}

static struct wf_slot slot_at(uint64_t n) {
    uint64_t chunk = n / CHUNK, i = n % CHUNK, each = slots / CHUNK / CORES;
    uint64_t core = apart ? chunk / each : chunk % CORES;
    uint64_t number = apart ? chunk % each : chunk / CORES;
    uint64_t start = (uint64_t)number * CHUNK * STEP + core * 3 + HEAD * STEP;
    uint64_t made = number * (CHUNK - HEAD);
    switch (i) {
    case 0:
        return slot(core, WF_SLOT_CLASS_CONTROL, WF_SLOT_CONTROL_BUFFER, start,
                    (number & 0xFFFFFFFF) | (uint64_t)CHUNK << 32);
    case 1:
        return slot(core, WF_SLOT_CLASS_CONTROL, WF_SLOT_CONTROL_TIME, start,
                    start >> 32 | start << 32);
    case 2: return slot(core, WF_SLOT_CLASS_OWN, WF_SLOT_OWN_MADE, start, made);
    case 3: return slot(core, WF_SLOT_CLASS_OWN, WF_SLOT_OWN_REFUSED, start, 0);
    default: return slot(core, WF_SLOT_CLASS_PR_TH, i & 15, start + (i - HEAD) * STEP, made + i);
    }
}

static double made_in; // time of the generation, which is subtracted

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    (void)ctx;
    double start = now();
    uint64_t all = HEADER + slots * SLOT;
    size_t done = 0;
    uint8_t *to = buf;
    if (offset >= all) return 0;
    if (len > all - offset) len = (size_t)(all - offset);
    for (; done < len && offset + done < HEADER; ++done) to[done] = (uint8_t)header[offset + done];
    while (done < len) {
        uint64_t at = offset + done - HEADER;
        struct wf_slot s = slot_at(at / SLOT);
        size_t from = at % SLOT, n = SLOT - from;
        if (n > len - done) n = len - done;
        memcpy(to + done, (uint8_t *)&s + from, n);
        done += n;
    }
    made_in += now() - start;
    return (int64_t)done;
}

static int report(const char *name, struct wf_merge *m, uint64_t events, double seconds) {
    struct rusage usage;
    const struct wf_slots_ledger *l = wf_slots_get_ledger(wf_merge_slots(m));
    getrusage(RUSAGE_SELF, &usage);
    if (l->events != events || wf_merge_late(m) || !l->exact) return 5;
    printf("%s,%.1f M events/s,%.1f MiB\n", name, (double)events / seconds / 1e6,
           (double)usage.ru_maxrss / 1024);
    wf_merge_close(m);
    return 0;
}

static bool in_order(const struct wf_slots_item *item, uint64_t *last, uint64_t *events) {
    if (item->kind == WF_SLOTS_HEADER) return true;
    if (item->kind != WF_SLOTS_EVENT || item->event.tick < *last) return false;
    *last = item->event.tick;
    ++*events;
    return true;
}

static int twice(const char *name, const struct wf_merge_options *options) {
    struct wf_merge_source source = {NULL, read_at};
    struct wf_slots_item item;
    uint64_t events = 0, last = 0;
    struct wf_merge *m = wf_merge_open(options, NULL);
    made_in = 0;
    double start = now();
    if (!m || wf_merge_read(m, &source) != WF_OK) return 3;
    double through = now() - start - made_in;
    while (wf_merge_next(m, &item)) {
        if (!in_order(&item, &last, &events)) return 4;
    }
    double seconds = now() - start - made_in;
    printf("%s-pass,%.2f s of %.2f\n", name, through, seconds);
    return report(name, m, events, seconds);
}

static int once(const struct wf_merge_options *options) {
    static uint8_t piece[1 << 16];
    struct wf_slots_item item;
    uint64_t events = 0, last = 0, offset = 0;
    int64_t n;
    struct wf_merge *m = wf_merge_open(options, NULL);
    if (!m) return 3;
    made_in = 0;
    double start = now();
    do {
        n = read_at(NULL, offset, piece, sizeof piece);
        offset += (uint64_t)n;
        if (n)
            wf_merge_feed(m, piece, (size_t)n);
        else
            wf_merge_end(m);
        while (wf_merge_next(m, &item)) {
            if (!in_order(&item, &last, &events)) return 4;
        }
    } while (n);
    return report("slots-merge-stream", m, events, now() - start - made_in);
}

int main(int argc, char **argv) {
    struct wf_merge_options options = {.size = sizeof options};
    slots = (argc > 1 ? strtoull(argv[1], NULL, 10) : 100) * 1000000 / (CHUNK * CORES);
    slots *= CHUNK * CORES;
    int failed = twice("slots-merge", &options);
    if (!failed) failed = once(&options);
    apart = true;
    return failed ? failed : twice("slots-merge-apart", &options);
}
