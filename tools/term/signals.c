// SPDX-License-Identifier: MIT
// See signals.h.

#include "signals.h"

#include <signal.h>
#include <stdbool.h>

static const int numbers[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

// SIGHUP stays ignored (nohup). SIGINT is handled even if ignored, as in a script's background
// jobs.
static bool is_ignored(int number) {
    struct sigaction now;
    return number == SIGHUP && sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void on_signal(uv_signal_t *handle, int number) {
    const struct signals *s = handle->data;
    (void)number;
    s->act(s->ctx);
}

void signals_open(struct signals *s, uv_loop_t *loop, void (*act)(void *ctx), void *ctx) {
    s->act = act;
    s->ctx = ctx;
    for (int i = 0; i < SIGNALS; ++i) {
        uv_signal_init(loop, &s->signals[i]);
        s->signals[i].data = s;
        if (!is_ignored(numbers[i])) uv_signal_start(&s->signals[i], on_signal, numbers[i]);
    }
}

void signals_close(struct signals *s) {
    for (int i = 0; i < SIGNALS; ++i) uv_close((uv_handle_t *)&s->signals[i], NULL);
}

void signals_catch(void (*act)(int number)) {
    struct sigaction caught = {.sa_handler = act};
    for (int i = 0; i < SIGNALS; ++i) {
        if (!is_ignored(numbers[i])) sigaction(numbers[i], &caught, NULL);
    }
}

void signals_ignore_pipes(void) { signal(SIGPIPE, SIG_IGN); }
