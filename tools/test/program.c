// SPDX-License-Identifier: MIT
// Starting and ending the program of --run.

#include "program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRACE_MS = 1000 };

// If this program is killed, only a member of the process group can end the group. This guard waits
// for the end of a pipe that we keep open. It is detached, so that `wait` in the command does not
// wait for it.
static const char guard[] =
    "( (trap '' HUP INT TERM; read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & ); exec 3<&-\n";

// Replaces each {port} in the command, and redirects its errors to its output.
static char *with_port(const char *command, unsigned port) {
    static const char word[] = "{port}";
    char number[16];
    char *out = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&out, &len);
    if (!f) return NULL;
    snprintf(number, sizeof number, "%u", port);
    fprintf(f, "%sexec 2>&1\n", guard);
    for (const char *at; (at = strstr(command, word)) != NULL; command = at + sizeof word - 1) {
        fwrite(command, 1, (size_t)(at - command), f);
        fputs(number, f);
    }
    fputs(command, f);
    fclose(f);
    return out;
}

bool program_init(struct program *p, uv_loop_t *loop, const char *command, unsigned port) {
    memset(p, 0, sizeof *p);
    p->loop = loop;
    if (!command) return true;
    p->command = with_port(command, port);
    return p->command != NULL;
}

static void on_exit_status(uv_process_t *process, int64_t status, int number) {
    struct program *p = process->data;
    p->running = false;
    if (number)
        snprintf(p->ended, sizeof p->ended, "was ended by signal %d", number);
    else
        snprintf(p->ended, sizeof p->ended, "ended with exit code %d", (int)status);
    kill(-p->pid, SIGKILL); // ends remaining processes of the group
    uv_close((uv_handle_t *)process, NULL);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
    static char block[4096];
    (void)handle;
    (void)size;
    *buf = uv_buf_init(block, sizeof block);
}

// When the buffer is full, half of it is dropped, so that few moves are needed.
static void keep_output(struct program *p, const char *bytes, size_t len) {
    if (p->output_len + len > PROGRAM_OUTPUT_MAX) {
        size_t half = p->output_len / 2;
        memmove(p->output, p->output + p->output_len - half, half);
        p->output_len = half;
    }
    memcpy(p->output + p->output_len, bytes, len);
    p->output_len += len;
    p->output[p->output_len] = 0;
}

static void on_pipe_closed(uv_handle_t *handle) { --((struct program *)handle->data)->pipes; }

static void close_pipe(uv_pipe_t *pipe) {
    if (!uv_is_closing((uv_handle_t *)pipe)) uv_close((uv_handle_t *)pipe, on_pipe_closed);
}

static void open_pipe(struct program *p, uv_pipe_t *pipe) {
    uv_pipe_init(p->loop, pipe, 0);
    pipe->data = p;
    ++p->pipes;
}

static void close_pipes(struct program *p) {
    if (!p->pipes) return;
    close_pipe(&p->pipe);
    close_pipe(&p->guard);
}

static void on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
    struct program *p = stream->data;
    if (n > 0) keep_output(p, buf->base, (size_t)n);
    if (n < 0) close_pipe(&p->pipe);
}

// Handles can be used again only when the loop has closed them.
static void close_handles(struct program *p) {
    close_pipes(p);
    while (p->pipes || p->running) uv_run(p->loop, UV_RUN_ONCE);
    uv_run(p->loop, UV_RUN_NOWAIT);
}

int program_start(struct program *p) {
    char *args[] = {(char *)(uintptr_t) "/bin/sh", (char *)(uintptr_t) "-c", p->command, NULL};
    close_handles(p);
    program_forget_output(p);
    open_pipe(p, &p->pipe);
    open_pipe(p, &p->guard);
    p->process.data = p;
    uv_stdio_container_t stdio[4] = {
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&p->pipe},
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&p->guard}};
    uv_process_options_t options = {.file = args[0],
                                    .args = args,
                                    .exit_cb = on_exit_status,
                                    .flags = UV_PROCESS_DETACHED, // a process group of its own
                                    .stdio = stdio,
                                    .stdio_count = 4};
    int err = uv_spawn(p->loop, &p->process, &options);
    if (err) {
        uv_close((uv_handle_t *)&p->process, NULL);
        close_handles(p);
        return err;
    }
    p->running = true;
    p->pid = p->process.pid;
    ++p->starts;
    uv_read_start((uv_stream_t *)&p->pipe, on_alloc, on_output);
    return 0;
}

void program_kill(const struct program *p) {
    if (p->running) kill(-p->pid, SIGKILL);
}

static void on_grace(uv_timer_t *timer) { program_kill(timer->data); }

void program_stop(struct program *p) {
    uv_timer_t timer;
    if (!p->running) return;
    uv_timer_init(p->loop, &timer);
    timer.data = p;
    uv_timer_start(&timer, on_grace, GRACE_MS, 0);
    kill(-p->pid, SIGTERM);
    while (p->running) uv_run(p->loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, NULL);
    close_handles(p);
}

void program_forget_output(struct program *p) {
    p->output_len = 0;
    p->output[0] = 0;
}

void program_free(struct program *p) {
    if (!p->command) return;
    program_stop(p);
    close_handles(p);
    free(p->command);
    p->command = NULL;
}
