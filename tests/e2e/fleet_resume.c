// SPDX-License-Identifier: MIT
// Loads a file of frames in pieces, as an agent does: loaders end at any time, and another one goes
// on where the tables end; segments that have not ended are added, too. Usage: fleet_resume URL
// PROJECT DEVICE STREAM FILE SEED

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_backend/wf_input.h"
#include "wallfly_backend/wf_loader.h"

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

static struct wf_loading *go_on(struct wf_loader *l, const struct wf_loading_options *o,
                                uint64_t *at) {
    struct wf_error error;
    struct wf_loading *s = wf_loading_resume(l, o, at, &error);
    if (!s) check(error.code, &error);
    return s;
}

// Returns whether the file is loaded.
static bool load_some(struct wf_engine *engine, const char *project,
                      const struct wf_loading_options *o, const struct wf_input *file,
                      unsigned *loaders, unsigned *grown) {
    struct wf_error error;
    const struct wf_loader_options options = {
        .size = sizeof options, .engine = engine, .project = project, .batch_rows = 1000};
    struct wf_loader *l = wf_loader_open(&options, &error);
    if (!l) check(error.code, &error);
    uint64_t at;
    struct wf_loading *s = go_on(l, o, &at);
    for (unsigned turns = 1 + chance(30); turns > 0 && at < file->len; --turns) {
        uint64_t n = 1 + chance(chance(4) ? 5000 : 300000);
        if (n > file->len - at) n = file->len - at;
        check(wf_loading_feed(s, file->bytes + at, (size_t)n, &error), &error);
        at += n;
        if (chance(3) == 0) {
            check(wf_loading_grow(s, &error), &error);
            check(wf_loader_flush(l, &error), &error);
            wf_loader_trim(l);
            ++*grown;
        }
        if (chance(6) == 0) { // another reading in the same loader
            const uint64_t stored = wf_loading_stored(s);
            wf_loading_discard(s);
            s = go_on(l, o, &at);
            if (stored && at != stored) {
                fprintf(stderr, "goes on at %llu, not %llu\n", (unsigned long long)at,
                        (unsigned long long)stored);
                exit(1);
            }
        }
    }
    const bool ends = at == file->len;
    if (ends)
        check(wf_loading_end(s, &error), &error);
    else
        wf_loading_discard(s);
    if (ends || chance(2)) check(wf_loader_flush(l, &error), &error); // else it was killed
    wf_loader_close(l);
    ++*loaders;
    return ends;
}

int main(int argc, char **argv) {
    struct wf_error error;
    struct wf_input file;
    unsigned loaders = 0, grown = 0;
    if (argc != 7) return 2;
    seed = (uint32_t)atoi(argv[6]);
    check(wf_input_open(argv[5], &file, &error), &error);
    const struct wf_engine_options e = {.size = sizeof e, .url = argv[1]};
    struct wf_engine *engine = wf_engine_open(&e, &error);
    if (!engine) check(error.code, &error);
    const struct wf_loading_options o = {.size = sizeof o,
                                         .device = argv[3],
                                         .stream = strtoull(argv[4], NULL, 10),
                                         .begun_ns = UINT64_C(1700000000000000000),
                                         .source = "test"};
    while (!load_some(engine, argv[2], &o, &file, &loaders, &grown)) continue;
    printf("%u loaders, %u times grown\n", loaders, grown);
    wf_engine_close(engine);
    wf_input_close(&file);
    return 0;
}
