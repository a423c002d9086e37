// SPDX-License-Identifier: MIT
// Reads scripts.
#ifndef SCRIPT_LOAD_H
#define SCRIPT_LOAD_H

#include <lauxlib.h>

enum { SCRIPT_PATH_MAX = 1024 };

// Loads a script as a function, as luaL_loadfilex, but waits for a FIFO without a writer only for a
// limited time. mode: "t" refuses compiled scripts, which can crash Lua; null: any.
int script_load(lua_State *L, const char *path, const char *mode);
// Sets the path of a script that the script `from` includes: relative to its folder.
void script_path(const char *from, const char *name, char path[SCRIPT_PATH_MAX]);

#endif
