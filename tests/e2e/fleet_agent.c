// SPDX-License-Identifier: MIT
// The agent's way from messages to the tables, without a network: devices send files in chunks over
// a line that loses and repeats them, the intake and what works the spool off end at any time and
// begin again. Usage: fleet_agent URL PROJECT FOLDER SEED FILE...: each file is a device's stream

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/wfb_loader.h"
#include "wallfly_backend/wf_input.h"
#include "wallfly_backend/wf_intake.h"
#include "wallfly_backend/wf_unspool.h"

enum { DEVICES = 16 };

static uint32_t seed;
static uint32_t chance(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
}

static void check(int err, const struct wf_error *error) {
    if (err == WF_OK) return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static struct device {
    struct wf_input file;
    char name[32];
    uint64_t next;
} devices[DEVICES];
static unsigned count, restarts[2];

static void on_answer(void *ctx, const struct wf_intake_answer *a) {
    struct device *d = a->client;
    (void)ctx;
    if (chance(4)) d->next = a->wanted; // else it is lost
}

static void on_report(void *ctx, const char *device, uint64_t stream, const char *text) {
    (void)ctx;
    fprintf(stderr, "%s, %llu: %s\n", device, (unsigned long long)stream, text);
    exit(1);
}

static struct wf_intake *open_intake(const char *folder) {
    const struct wf_intake_options o = {
        .size = sizeof o,
        .spool = {.size = sizeof o.spool, .folder = folder, .file_bytes = 300000},
        .answer = on_answer};
    struct wf_error error;
    struct wf_intake *in = wf_intake_open(&o, &error);
    if (!in) check(error.code, &error);
    return in;
}

static void send_some(struct wf_intake *in) {
    static uint8_t message[40000 + WF_FLEET_CHUNK_FRAME];
    struct wf_error error;
    for (unsigned turns = 1 + chance(30); turns > 0; --turns) {
        const unsigned n = chance(count);
        struct device *d = &devices[n];
        if (chance(5) == 0) continue;
        uint64_t at = chance(8) ? d->next : chance((uint32_t)d->next + 1);
        uint64_t len = 1 + chance(chance(3) ? 3000 : 40000);
        if (len > d->file.len - at) len = d->file.len - at;
        const struct wf_fleet_chunk chunk = {.stream = 77 + n,
                                             .flags = at ? 0 : WF_FLEET_CHUNK_BEGINS,
                                             .offset = at,
                                             .arrival_us = UINT64_C(1700000000000000),
                                             .bytes = d->file.bytes + at,
                                             .len = (size_t)len};
        const size_t size = wf_fleet_chunk_write(&chunk, message);
        check(wf_intake_take(in, d->name, message, size, d, &error), &error);
    }
    check(wf_intake_sync(in, &error), &error);
}

struct worker {
    struct wf_loader *loader;
    struct wf_unspool *unspool;
};

static struct worker open_worker(struct wf_engine *engine, const char *project, const char *folder,
                                 uint64_t position) {
    struct wf_error error;
    struct worker w;
    const struct wf_loader_options l = {.size = sizeof l, .engine = engine, .project = project};
    w.loader = wf_loader_open(&l, &error);
    if (!w.loader) check(error.code, &error);
    const struct wf_unspool_options o = {.size = sizeof o,
                                         .loader = w.loader,
                                         .folder = folder,
                                         .position = position,
                                         .bytes = 500000,
                                         .report = on_report};
    w.unspool = wf_unspool_open(&o, &error);
    if (!w.unspool) check(error.code, &error);
    return w;
}

static void close_worker(struct worker *w) {
    wf_unspool_close(w->unspool);
    wf_loader_close(w->loader);
}

// After a flush: no stream that has no reading, and of each one the last segment that has ended,
// what grows behind it, and at most one that was made of bytes that came later.
static void check_trimmed(const struct worker *w) {
    for (size_t i = 0; i < w->loader->known_count; ++i) {
        const struct wfb_known *k = &w->loader->known[i];
        if (!k->device || (k->readings == 1 && k->stored_count <= 3)) continue;
        fprintf(stderr, "%s: %u readings, %zu segments are kept\n", k->device, k->readings,
                k->stored_count);
        exit(1);
    }
}

static bool all_sent(void) {
    for (unsigned i = 0; i < count; ++i)
        if (devices[i].next < devices[i].file.len) return false;
    return true;
}

int main(int argc, char **argv) {
    struct wf_error error;
    if (argc < 6) return 2;
    seed = (uint32_t)atoi(argv[4]);
    for (int i = 5; i < argc && count < DEVICES; ++i, ++count) {
        snprintf(devices[count].name, sizeof devices[count].name, "dev-%u", count);
        check(wf_input_open(argv[i], &devices[count].file, &error), &error);
    }
    const struct wf_engine_options e = {.size = sizeof e, .url = argv[1]};
    struct wf_engine *engine = wf_engine_open(&e, &error);
    struct wf_intake *in = open_intake(argv[3]);
    struct worker w = open_worker(engine, argv[2], argv[3], wf_intake_done(in));
    while (!all_sent()) {
        send_some(in);
        if (chance(3) == 0)
            check(wf_unspool_step(w.unspool, wf_spool_end(wf_intake_spool(in)), &error), &error);
        if (chance(10) == 0) check(wf_intake_save(in, wf_unspool_done(w.unspool), &error), &error);
        if (chance(40) == 0) {
            wf_intake_close(in);
            in = open_intake(argv[3]);
            ++restarts[0];
        }
        if (chance(40)) continue;
        close_worker(&w); // what it had read, but not added, is read again
        w = open_worker(engine, argv[2], argv[3], wf_intake_done(in));
        ++restarts[1];
    }
    check(wf_unspool_step(w.unspool, wf_spool_end(wf_intake_spool(in)), &error), &error);
    check(wf_unspool_flush(w.unspool, &error), &error);
    check_trimmed(&w);
    printf("%u restarts of the intake, %u of the other; spool %llu to %llu, done %llu\n",
           restarts[0], restarts[1], (unsigned long long)wf_spool_begin(wf_intake_spool(in)),
           (unsigned long long)wf_spool_end(wf_intake_spool(in)),
           (unsigned long long)wf_unspool_done(w.unspool));
    check(wf_intake_save(in, wf_unspool_done(w.unspool), &error), &error);
    close_worker(&w);
    wf_intake_close(in);
    wf_engine_close(engine);
    for (unsigned i = 0; i < count; ++i) wf_input_close(&devices[i].file);
    return 0;
}
