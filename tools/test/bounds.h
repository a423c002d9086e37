// SPDX-License-Identifier: MIT
// What keeps a script within its bounds: time, memory, and that it cannot end the run. Functions of
// C that do not come back (a pattern that tries for years, os.execute) cannot be ended; a thread
// sees that, and ends the run with what is known of it.
#ifndef TEST_BOUNDS_H
#define TEST_BOUNDS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct runner;

struct bounds {
    uv_mutex_t mutex; // of what stands up to `ends`
    uv_cond_t wake;
    uint64_t alive;    // uv_hrtime of the last sign that the script runs; 0: our own code does
    uint64_t deadline; // as it was then
    bool ends;
    uv_thread_t thread;
    size_t memory; // that the script has
    bool limited;  // while the script runs; our own code may take more
};

// give_up (of the runner) is called in the thread, and does not return. False: there is no thread.
bool bounds_open(struct runner *r);
void bounds_close(struct runner *r);
// Takes the functions away that would lift them. Allocates: in protected mode.
void bounds_forbid(lua_State *L);
// A new state has them from here on.
void bounds_set(lua_State *L, struct runner *r);
// The script runs; our own code does.
void bounds_enter(struct runner *r);
void bounds_leave(struct runner *r);

#endif
