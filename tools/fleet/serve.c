// SPDX-License-Identifier: MIT
// The server's life: until a signal.

#include "serve.h"

#include <stdio.h>

#include "../term/signals.h"
#include "files.h"

enum { LOOK_MS = 1000 }; // how often windows and questions are checked for their end

struct running {
    struct fleet_server *s;
    struct signals signals;
    uv_timer_t timer;
};

static bool is_cancelled(void *ctx) {
    const struct serve_job *job = ctx;
    return atomic_load(&job->server->stop) || atomic_load(&job->cancelled);
}

struct wf_engine *serve_engine(struct serve_job *job, struct wf_error *error) {
    const struct fleet *f = job->server->fleet;
    const struct wf_engine_options o = {.size = sizeof o,
                                        .url = f->url,
                                        .user = job->server->args->value[FLEET_USER],
                                        .password = *f->password ? f->password : NULL,
                                        .cancelled = is_cancelled,
                                        .ctx = job};
    return wf_engine_open(&o, error);
}

static void on_signal(void *ctx) {
    struct fleet_server *s = ((struct running *)ctx)->s;
    atomic_store(&s->stop, true);
    serve_windows_stop(s);
    uv_stop(&s->loop);
}

// It also wakes the loop.
static void on_timer(uv_timer_t *timer) { serve_jobs_look(timer->data); }

static void run_loop(struct fleet_server *s) {
    while (!atomic_load(&s->stop)) {
        site_group_work(&s->group);
        const bool opened = serve_windows_open(s); // the loop ran: there may be more to do
        serve_windows_expire(s);
        if (!opened && !atomic_load(&s->stop)) uv_run(&s->loop, UV_RUN_ONCE);
    }
}

static int serve(struct running *r, const char *listen, const char *token) {
    struct fleet_server *s = r->s;
    struct wf_error error;
    int err = site_group_open(&s->group, &s->loop, listen, token, diag_text, &error);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    printf("%s\n", wf_page_url(s->group.server));
    fflush(stdout);
    diag_note("it lists the devices of %s in a browser on this computer; Ctrl-C ends",
              s->fleet->project);
    uv_timer_start(&r->timer, on_timer, LOOK_MS, LOOK_MS);
    run_loop(s);
    return EXIT_GOOD;
}

int fleet_serve(struct fleet_server *s, const char *listen, const char *token) {
    struct running r = {.s = s};
    int code = fleet_files_open(4 * ((int)s->windows_max + 1));
    if (code != EXIT_GOOD) return code;
    uv_loop_init(&s->loop);
    uv_timer_init(&s->loop, &r.timer);
    r.timer.data = s;
    signals_open(&r.signals, &s->loop, on_signal, &r);
    signals_ignore_pipes();
    s->group.request = serve_request;
    s->group.ctx = s;
    code = serve(&r, listen, token);
    atomic_store(&s->stop, true);
    site_group_close(&s->group);
    serve_windows_close(s);
    signals_close(&r.signals);
    uv_close((uv_handle_t *)&r.timer, NULL);
    while (uv_run(&s->loop, UV_RUN_DEFAULT)) {
    } // a window that was fetched stops it
    uv_loop_close(&s->loop);
    serve_windows_free(s);
    return code;
}
