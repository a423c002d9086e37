// SPDX-License-Identifier: MIT
// Prints how long each thread ran, on which core. Usage: running FILE, or - for standard input.

#include <inttypes.h>
#include <stdio.h>

#include <wallfly_parser/wf_parser.h>

struct core {
    uint32_t pid, tid; // the running thread
    uint64_t since;
};

static int on_running(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    struct core *core = (struct core *)user + e->core;
    uint64_t hz = wf_parser_hz(p) ? wf_parser_hz(p) : 1;
    if (core->since) {
        printf("core %u: %" PRIu32 ".%" PRIu32 " %.6f s\n", e->core, core->pid, core->tid,
               (double)(e->tick - core->since) / (double)hz);
    }
    *core = (struct core){e->pid, e->tid, e->tick};
    return 0;
}

static int on_loss(struct wf_parser *p, void *user, const struct wf_slots_loss *l) {
    ((struct core *)user)[l->core].since = 0; // the running thread is unknown now
    (void)p;
    return 0;
}

int main(int argc, char **argv) {
    struct core cores[WF_SLOT_CORES] = {{0}};
    struct wf_parser_options options = {.memory = 0};
    struct wf_parser *p = wf_parser_create(&options, NULL);
    if (!p || argc != 2) return 2;
    wf_parser_on(p, WF_SAT_THREAD, 1 << 1, on_running, cores); // state 1 is RUNNING
    wf_parser_on_loss(p, on_loss, cores);
    int err = wf_parser_run_file(p, argv[1]);
    if (err != WF_OK) fprintf(stderr, "%s\n", wf_parser_problem(p));
    wf_parser_destroy(p);
    return err == WF_OK ? 0 : 1;
}
