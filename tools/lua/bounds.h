// SPDX-License-Identifier: MIT
// Limits of scripts: time, memory, and functions that would end the run. C functions that do not
// return (a pattern that matches for years, os.execute) cannot be stopped; a thread detects that
// and ends the run with the results so far.
#ifndef LUA_BOUNDS_H
#define LUA_BOUNDS_H

#include <lua.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct bounds {
    // Set by the owner before bounds_open:
    void *ctx;
    const volatile sig_atomic_t *stopped; // a signal has asked for the end of the run
    const uint64_t *deadline;             // of the script, as uv_hrtime
    // The script was stopped, or is over its deadline: raises an error in it.
    void (*over)(lua_State *L, void *ctx);
    // The script does not return: ends the program. Called in another thread.
    void (*give_up)(void *ctx);

    // Private.
    uv_mutex_t mutex; // protects the fields up to `ends`
    uv_cond_t wake;
    uint64_t alive; // uv_hrtime of the last sign that the script runs; 0: our own code runs
    uint64_t until; // the deadline at that time
    bool ends;
    uv_thread_t thread;
    size_t memory; // used by all states
    bool limited;  // true while the script runs; our own code may use more
};

// Starts the thread, which calls give_up. Returns false without a thread.
bool bounds_open(struct bounds *b);
void bounds_close(struct bounds *b);
// Removes the functions that could lift the limits. Allocates: call it in protected mode.
void bounds_forbid(lua_State *L);
// Applies the limits to a new state. All states of the same bounds share the limit of memory.
void bounds_set(lua_State *L, struct bounds *b);
// Marks the start of script code; of our own code.
void bounds_enter(struct bounds *b);
void bounds_leave(struct bounds *b);

#endif
