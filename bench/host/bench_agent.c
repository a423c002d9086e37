// SPDX-License-Identifier: MIT
// Chunks a second of a core through an agent's intake into its spool on disk, in processor time of
// program and system: waiting for the disk is not counted. Usage: bench_agent FOLDER
// FOLDER: is made; has 800 MB in the end

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "wallfly_backend/wf_intake.h"
#include "wallfly_host/wf_fleet_chunk.h"

// Each device sends one chunk of 4 KiB at a time, as devices do, and all are answered together.
enum { DEVICES = 500, ROUNDS = 400, CHUNK = 4096 };

static uint64_t answered;

static void on_answer(void *ctx, const struct wf_intake_answer *a) {
    (void)ctx;
    uint64_t *next = a->client;
    if (a->wanted != *next) exit(3);
    ++answered;
}

static double processor_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void fail(const struct wf_error *error) {
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static void send_round(struct wf_intake *in, uint64_t next[DEVICES], double *sending) {
    static uint8_t content[CHUNK], message[CHUNK + WF_FLEET_CHUNK_FRAME];
    struct wf_error error;
    for (unsigned d = 0; d < DEVICES; ++d) {
        const double begun = processor_seconds();
        char name[32];
        for (unsigned i = 0; i < CHUNK; i += 64) content[i] = (uint8_t)(next[d] + i + d);
        const struct wf_fleet_chunk chunk = {.flags = next[d] ? 0 : WF_FLEET_CHUNK_BEGINS,
                                             .stream = 1 + d,
                                             .offset = next[d],
                                             .bytes = content,
                                             .len = CHUNK};
        const size_t len = wf_fleet_chunk_write(&chunk, message);
        snprintf(name, sizeof name, "device-%06u", d);
        next[d] += CHUNK;
        *sending += processor_seconds() - begun;
        if (wf_intake_take(in, name, message, len, &next[d], &error) != WF_OK) fail(&error);
    }
    if (wf_intake_sync(in, &error) != WF_OK) fail(&error);
}

int main(int argc, char **argv) {
    static uint64_t next[DEVICES];
    struct wf_error error;
    if (argc != 2) return 2;
    const struct wf_intake_options o = {.size = sizeof o,
                                        .spool = {.size = sizeof o.spool, .folder = argv[1]},
                                        .answer = on_answer};
    struct wf_intake *in = wf_intake_open(&o, &error);
    if (!in) fail(&error);
    double sending = 0; // making the messages is the devices' work
    const double begun = processor_seconds();
    for (unsigned round = 0; round < ROUNDS; ++round) send_round(in, next, &sending);
    const double seconds = processor_seconds() - begun - sending;
    if (answered != (uint64_t)DEVICES * ROUNDS) return 3;
    printf("host-fleet-agent,%.0f chunks of 4 KiB/s,of %d devices into the spool\n",
           DEVICES * ROUNDS / seconds, DEVICES);
    wf_intake_close(in);
    return 0;
}
