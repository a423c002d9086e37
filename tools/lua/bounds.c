// SPDX-License-Identifier: MIT
// See bounds.h.

#include "bounds.h"

#include <lauxlib.h>
#include <pthread.h>
#include <stdlib.h>

enum { HOOK_INSTRUCTIONS = 100, MEMORY_MAX = 256 << 20 };
static const uint64_t LOOK_NS = 250000000, STUCK_NS = 3000000000;

void bounds_enter(struct bounds *b) {
    uv_mutex_lock(&b->mutex);
    b->alive = uv_hrtime();
    b->until = *b->deadline;
    uv_mutex_unlock(&b->mutex);
    b->limited = true;
}

void bounds_leave(struct bounds *b) {
    b->limited = false;
    uv_mutex_lock(&b->mutex);
    b->alive = 0;
    uv_mutex_unlock(&b->mutex);
}

// The mutex stays locked after giving up, so that a script that returns at that moment waits.
static void watch(void *arg) {
    struct bounds *b = arg;
    uv_mutex_lock(&b->mutex);
    while (!b->ends) {
        uv_cond_timedwait(&b->wake, &b->mutex, LOOK_NS);
        uint64_t now = uv_hrtime();
        bool over = *b->stopped || now >= b->until;
        if (b->alive && over && now - b->alive >= STUCK_NS) b->give_up(b->ctx);
    }
    uv_mutex_unlock(&b->mutex);
}

// Blocks all signals in this thread: they must interrupt the calls of the other thread.
bool bounds_open(struct bounds *b) {
    sigset_t all, before;
    uv_mutex_init(&b->mutex);
    uv_cond_init(&b->wake);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool good = uv_thread_create(&b->thread, watch, b) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (good) return true;
    uv_cond_destroy(&b->wake);
    uv_mutex_destroy(&b->mutex);
    return false;
}

void bounds_close(struct bounds *b) {
    uv_mutex_lock(&b->mutex);
    b->ends = true;
    uv_cond_signal(&b->wake);
    uv_mutex_unlock(&b->mutex);
    uv_thread_join(&b->thread);
    uv_cond_destroy(&b->wake);
    uv_mutex_destroy(&b->mutex);
}

// Runs every few instructions and after every call: so no call follows one that took too long, and
// a pcall that has caught this error is stopped by the next one.
static void on_hook(lua_State *L, lua_Debug *d) {
    void *ctx;
    (void)d;
    lua_getallocf(L, &ctx);
    struct bounds *b = ctx;
    bounds_enter(b);
    if (*b->stopped || b->alive >= *b->deadline) b->over(L, b->ctx);
}

static void *on_alloc(void *ctx, void *old, size_t old_size, size_t size) {
    struct bounds *b = ctx;
    if (!old) old_size = 0; // old_size is then a kind of object
    if (!size) {
        free(old);
        b->memory -= old_size;
        return NULL;
    }
    if (b->limited && size > old_size && b->memory + (size - old_size) > MEMORY_MAX) return NULL;
    void *block = realloc(old, size);
    if (block) b->memory = b->memory - old_size + size;
    return block;
}

static int forbidden(lua_State *L) {
    return luaL_error(L, "%s: a script cannot %s", lua_tostring(L, lua_upvalueindex(1)),
                      lua_tostring(L, lua_upvalueindex(2)));
}

void bounds_forbid(lua_State *L) {
    static const struct {
        const char *library, *function, *what;
    } rows[] = {{"os", "exit", "end the run"},
                {"os", "setlocale", "change how results are written"},
                {"debug", "sethook", "do without its limit of time"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        lua_getglobal(L, rows[i].library);
        lua_pushfstring(L, "%s.%s", rows[i].library, rows[i].function);
        lua_pushstring(L, rows[i].what);
        lua_pushcclosure(L, forbidden, 2);
        lua_setfield(L, -2, rows[i].function);
        lua_pop(L, 1);
    }
}

void bounds_set(lua_State *L, struct bounds *b) {
    b->limited = false;
    b->memory += (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
    lua_setallocf(L, on_alloc, b);
    lua_sethook(L, on_hook, LUA_MASKRET | LUA_MASKCOUNT, HOOK_INSTRUCTIONS);
}
