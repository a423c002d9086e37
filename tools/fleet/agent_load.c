// SPDX-License-Identifier: MIT
// Loads the spool, and files of whole traces. While the engine is away it waits; the spool grows
// meanwhile.

#include <inttypes.h>
#include <time.h>

#include "agent.h"
#include "wallfly_backend/wf_unspool.h"

static void report_refused(void *ctx, const char *device, uint64_t stream, const char *text) {
    (void)ctx;
    diag_note("%s, stream %" PRIu64 ": %s; it is left out", device, stream, text);
}

// Waits until there is more, a second at most, so that what was received goes on in time.
static uint64_t wait_for_more(struct agent *a, uint64_t had) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    ++until.tv_sec;
    pthread_mutex_lock(&a->mutex);
    if (a->end == had && wf_file_queue_is_empty(a->files) && !atomic_load(&a->stopping))
        pthread_cond_timedwait(&a->more, &a->mutex, &until);
    const uint64_t end = a->end;
    pthread_mutex_unlock(&a->mutex);
    return end;
}

static int load_all(struct agent *a, struct wf_unspool *u, struct wf_loader *loader,
                    uint64_t position, struct wf_error *error) {
    uint64_t end = position;
    int err = WF_OK;
    while (err == WF_OK && !atomic_load(&a->stopping)) {
        agent_read_profiles(a);
        end = wait_for_more(a, end);
        err = wf_unspool_step(u, end, error);
        atomic_store(&a->done, wf_unspool_done(u));
        if (err == WF_OK) err = agent_load_file(a, loader, error);
    }
    if (err == WF_OK) err = wf_unspool_step(u, wait_for_more(a, UINT64_MAX), error);
    if (err == WF_OK) err = wf_unspool_flush(u, error);
    atomic_store(&a->done, wf_unspool_done(u));
    while (err == WF_OK && !wf_file_queue_is_empty(a->files))
        err = agent_load_file(a, loader, error);
    return err;
}

static int load_spool(struct agent *a, struct wf_error *error) {
    const uint64_t position = atomic_load(&a->done);
    const struct wf_loader_options l = {.size = sizeof l,
                                        .engine = a->fleet->engine,
                                        .project = a->fleet->project,
                                        .records = a->records};
    struct wf_loader *loader = wf_loader_open(&l, error);
    if (!loader) return error->code;
    const struct wf_unspool_options o = {.size = sizeof o,
                                         .loader = loader,
                                         .folder = a->spool,
                                         .position = position,
                                         .grow_s = a->grow_s,
                                         .bytes = agent_part_of_spool(a, 4),
                                         .report = report_refused,
                                         .ctx = a};
    struct wf_unspool *u = wf_unspool_open(&o, error);
    int err = u ? load_all(a, u, loader, position, error) : error->code;
    wf_unspool_close(u);
    wf_loader_close(loader);
    return err;
}

void *agent_load(void *ctx) {
    struct agent *a = ctx;
    struct wf_error error;
    int code = fleet_check_tables(a->fleet);
    // When it is to stop, what is not in the tables stays in the spool.
    if (code == EXIT_GOOD && load_spool(a, &error) != WF_OK && !atomic_load(&a->stopping))
        code = diag_error(exit_code_of(error.code), "%s: %s", a->fleet->url, error.text);
    if (!atomic_load(&a->stopping)) a->code = code;
    atomic_store(&a->ended, true);
    return NULL;
}
