// SPDX-License-Identifier: MIT
// See ending.h.

#include "ending.h"

#include <signal.h>
#include <stdbool.h>

static const int numbers[ENDING_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

// SIGHUP stays ignored (nohup). SIGINT is handled even if ignored, as in a script's background
// jobs.
static bool is_ignored(int number) {
    struct sigaction now;
    return number == SIGHUP && sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void on_signal(uv_signal_t *handle, int number) {
    const struct ending *e = handle->data;
    (void)number;
    e->act(e->ctx);
}

void ending_open(struct ending *e, uv_loop_t *loop, void (*act)(void *ctx), void *ctx) {
    e->act = act;
    e->ctx = ctx;
    for (int i = 0; i < ENDING_SIGNALS; ++i) {
        uv_signal_init(loop, &e->signals[i]);
        e->signals[i].data = e;
        if (!is_ignored(numbers[i])) uv_signal_start(&e->signals[i], on_signal, numbers[i]);
    }
}

void ending_close(struct ending *e) {
    for (int i = 0; i < ENDING_SIGNALS; ++i) uv_close((uv_handle_t *)&e->signals[i], NULL);
}

void ending_catch(void (*act)(int number)) {
    struct sigaction caught = {.sa_handler = act};
    for (int i = 0; i < ENDING_SIGNALS; ++i) {
        if (!is_ignored(numbers[i])) sigaction(numbers[i], &caught, NULL);
    }
}

void ending_ignore_pipes(void) { signal(SIGPIPE, SIG_IGN); }
