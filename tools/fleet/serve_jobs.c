// SPDX-License-Identifier: MIT
// What is asked of the engine, in threads of libuv: a few questions at a time, in the order in
// which they came. If its clients have left, a question is skipped, or ended if it runs.

#include "serve.h"

const char serve_busy[] = "Too many questions wait for the engine's answers; try again later.";

enum { RUNNING_MAX = 4, WAITING_MAX = 32 }; // libuv has as many threads

static void ask(uv_work_t *work) {
    struct serve_job *j = work->data;
    j->ask(j);
}

static void start_next(struct fleet_server *s);

static void on_done(uv_work_t *work, int status) {
    struct serve_job *j = work->data;
    struct fleet_server *s = j->server;
    (void)status;
    struct serve_job **at = &s->running;
    while (*at != j) at = &(*at)->next;
    *at = j->next;
    --s->running_count;
    j->done(j);
    start_next(s);
}

static bool is_needless(const struct serve_job *j) {
    return atomic_load(&j->server->stop) || j->nobody_waits(j);
}

static void skip(struct serve_job *j) {
    atomic_store(&j->cancelled, true);
    j->done(j);
}

static void start(struct serve_job *j) {
    struct fleet_server *s = j->server;
    if (is_needless(j) || uv_queue_work(&s->loop, &j->work, ask, on_done) != 0) {
        skip(j);
        return;
    }
    j->next = s->running;
    s->running = j;
    ++s->running_count;
}

static void start_next(struct fleet_server *s) {
    while (s->waiting && s->running_count < RUNNING_MAX) {
        struct serve_job *j = s->waiting;
        s->waiting = j->next;
        --s->waiting_count;
        start(j);
    }
}

void serve_jobs_look(struct fleet_server *s) {
    for (struct serve_job *j = s->running; j; j = j->next) {
        if (j->nobody_waits(j)) atomic_store(&j->cancelled, true);
    }
    for (struct serve_job **at = &s->waiting; *at;) {
        struct serve_job *j = *at;
        if (!is_needless(j)) {
            at = &j->next;
            continue;
        }
        *at = j->next;
        --s->waiting_count;
        skip(j);
    }
}

bool serve_job_add(struct fleet_server *s, struct serve_job *j) {
    if (s->waiting_count >= WAITING_MAX) serve_jobs_look(s);
    if (s->waiting_count >= WAITING_MAX) return false;
    struct serve_job **last = &s->waiting;
    while (*last) last = &(*last)->next;
    *last = j;
    j->next = NULL;
    j->server = s;
    j->work.data = j;
    atomic_init(&j->cancelled, false);
    ++s->waiting_count;
    start_next(s);
    return true;
}
