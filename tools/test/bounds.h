// SPDX-License-Identifier: MIT
// Limits of a script: time, memory, and functions that would end the run. C functions that do not
// return (a pattern that matches for years, os.execute) cannot be stopped; a thread detects that
// and ends the run with the results so far.
#ifndef TEST_BOUNDS_H
#define TEST_BOUNDS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct runner;

struct bounds {
    uv_mutex_t mutex; // protects the fields up to `ends`
    uv_cond_t wake;
    uint64_t alive;    // uv_hrtime of the last sign that the script runs; 0: our own code runs
    uint64_t deadline; // the deadline at that time
    bool ends;
    uv_thread_t thread;
    size_t memory; // used by the script
    bool limited;  // true while the script runs; our own code may use more
};

// Starts the thread, which calls runner_give_up(). Returns false without a thread.
bool bounds_open(struct runner *r);
void bounds_close(struct runner *r);
// Removes the functions that could lift the limits. Allocates: call it in protected mode.
void bounds_forbid(lua_State *L);
// Applies the limits to a new state.
void bounds_set(lua_State *L, struct runner *r);
// Marks the start of script code; of our own code.
void bounds_enter(struct runner *r);
void bounds_leave(struct runner *r);

#endif
