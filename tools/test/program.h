// SPDX-License-Identifier: MIT
// The program of --run: a target on this computer or an emulator, in a process group of its own.
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

#include <stdbool.h>
#include <uv.h>

enum { PROGRAM_OUTPUT_MAX = 65536 };

struct program {
    uv_loop_t *loop;
    char *command; // for the shell; null: no program
    uv_process_t process;
    uv_pipe_t pipe, guard; // its output; closed when this program ends, to end it
    bool running;
    unsigned pipes; // open
    int pid;
    unsigned starts;
    char ended[64];                      // how the last run ended, or ""
    char output[PROGRAM_OUTPUT_MAX + 1]; // the last output, zero-terminated
    size_t output_len;
};

// {port} in the command is replaced by the port.
bool program_init(struct program *p, uv_loop_t *loop, const char *command, unsigned port);
// Returns 0 or a libuv error.
int program_start(struct program *p);
// Ends its whole process group: with a request first, after a second by force.
void program_stop(struct program *p);
void program_kill(const struct program *p); // at once, from any thread
void program_forget_output(struct program *p);
void program_free(struct program *p); // stops it first

#endif
