// SPDX-License-Identifier: MIT
// Failure of a test: by an expectation, or by an error of Lua.

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

static const char failed_mark; // its address is the error value that ends a failed test

static char *format_text(const char *format, va_list list) {
    char *text = NULL;
    return vasprintf(&text, format, list) < 0 ? NULL : text;
}

// Returns the depth of the call stack. Finding a level takes time proportional to its depth.
static int depth(lua_State *L) {
    lua_Debug d;
    int there = 0, not_there = 1; // the highest level found; one that does not exist
    while (lua_getstack(L, not_there, &d)) {
        there = not_there;
        not_there *= 2;
    }
    while (not_there - there > 1) {
        int middle = there + (not_there - there) / 2;
        *(lua_getstack(L, middle, &d) ? &there : &not_there) = middle;
    }
    return not_there;
}

// Prints "script.lua:12", then the callers, line by line, up to the function of the test. Of an
// endless recursion only the two ends.
static void put_places(lua_State *L, FILE *f) {
    enum { FIRST = 12, LAST = 8 };
    lua_Debug d;
    const char *word = "at";
    int levels = depth(L);
    for (int level = 0; level < levels; ++level) {
        if (level == FIRST && levels > FIRST + LAST) {
            fprintf(f, "... %d calls\n", levels - FIRST - LAST);
            level = levels - LAST;
        }
        if (!lua_getstack(L, level, &d)) break;
        lua_getinfo(L, "Sl", &d);
        if (d.currentline < 1) continue;
        fprintf(f, "%s %s:%d\n", word, d.short_src, d.currentline);
        word = "called from";
    }
}

static void set_failure(struct runner *r, char *message, char *detail) {
    r->failed = true;
    if (r->now->message) { // the first failure counts
        free(message);
        free(detail);
        return;
    }
    r->now->message = message;
    r->now->detail = detail;
}

int leave_test(lua_State *L) {
    struct runner *r = runner_of(L);
    if (r->flat) {
        r->state = PASSING_BY;
        return 0;
    }
    lua_pushlightuserdata(L, (void *)(uintptr_t)&failed_mark);
    return lua_error(L);
}

static char *failure_detail(lua_State *L, const char *expected, const char *received) {
    char *detail = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&detail, &len);
    if (!f) return NULL;
    if (expected) fprintf(f, "expected: \"%s\"\n", expected);
    if (received) fprintf(f, "came:     %s\n", received);
    put_places(L, f);
    fclose(f);
    return detail;
}

int fail(lua_State *L, const char *expected, const char *received, const char *format, ...) {
    struct runner *r = runner_of(L);
    va_list list;
    va_start(list, format);
    char *message = format_text(format, list);
    va_end(list);
    set_failure(r, message, failure_detail(L, expected, received));
    return leave_test(L);
}

// Handles any other error of Lua: its message and place.
static int on_error(lua_State *L) {
    if (lua_islightuserdata(L, 1)) return 1;
    const char *message = lua_tostring(L, 1);
    char *detail = NULL;
    if (!message && luaL_callmeta(L, 1, "__tostring")) message = lua_tostring(L, -1);
    if (!message) { // level 1 is error() itself
        luaL_where(L, 2);
        message =
            lua_pushfstring(L, "%san error that is a %s", lua_tostring(L, -1), luaL_typename(L, 1));
    }
    size_t len = 0;
    FILE *f = open_memstream(&detail, &len);
    if (f) {
        put_places(L, f);
        fclose(f);
    }
    lua_createtable(L, 0, 2);
    lua_pushstring(L, message);
    lua_setfield(L, -2, "message");
    lua_pushstring(L, detail ? detail : "");
    lua_setfield(L, -2, "detail");
    free(detail);
    return 1;
}

char *field_copy(lua_State *L, const char *name) {
    char *copy = NULL;
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, name);
        copy = strdup(lua_tostring(L, -1) ? lua_tostring(L, -1) : "");
        lua_pop(L, 1);
    } else if (lua_isstring(L, -1) && strcmp(name, "message") == 0) {
        // out of memory, or the handler failed
        copy = strdup(lua_tostring(L, -1));
    }
    return copy;
}

bool guarded(lua_State *L, struct runner *r, int args) {
    int base = lua_gettop(L) - args;
    lua_pushcfunction(L, on_error);
    lua_insert(L, base);
    bounds_enter(&r->bounds);
    int err = lua_pcall(L, args, 0, base);
    bounds_leave(&r->bounds);
    lua_remove(L, base);
    if (err == LUA_OK) return true;
    if (!r->now) return false;
    if (!lua_islightuserdata(L, -1))
        set_failure(r, field_copy(L, "message"), field_copy(L, "detail"));
    lua_pop(L, 1);
    return false;
}
