// SPDX-License-Identifier: MIT
// Runs a script of rules: its environment and its errors. Rules are data more than programs, and
// come with sources of others, so a script gets less of Lua's library than a test: no files, no
// processes, no modules, no compiled code.

#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lua/script_load.h"
#include "../term/diag.h"
#include "rules.h"
#include "wallfly_server/memory.h"

static const char functions_key; // its address is the key of the table of functions

static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},
                                     {LUA_STRLIBNAME, luaopen_string},
                                     {LUA_TABLIBNAME, luaopen_table},
                                     {LUA_MATHLIBNAME, luaopen_math},
                                     {LUA_UTF8LIBNAME, luaopen_utf8},
                                     {LUA_COLIBNAME, luaopen_coroutine},
                                     {NULL, NULL}};
static const char *const removed[] = {"load", "loadfile", "dofile", NULL};

// print(...): its values, separated by tabs, on standard error.
static int print_note(lua_State *L) {
    luaL_Buffer text;
    int count = lua_gettop(L);
    bounds_leave(&script_of(L)->rules->bounds);
    luaL_buffinit(L, &text);
    for (int i = 1; i <= count; ++i) {
        if (i > 1) luaL_addchar(&text, '\t');
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    if (script_of(L)->collects) diag_note("%s: %s", script_of(L)->file, lua_tostring(L, -1));
    return 0;
}

// include(file): runs a script in place; its name is relative to the script that includes it.
static int include(lua_State *L) {
    const char *name = luaL_checkstring(L, 1), *from = script_of(L)->file;
    char path[SCRIPT_PATH_MAX];
    lua_Debug d;
    bounds_leave(&script_of(L)->rules->bounds);
    if (lua_getstack(L, 1, &d) && lua_getinfo(L, "S", &d) && *d.source == '@') from = d.source + 1;
    script_path(from, name, path);
    if (script_load(L, path, "t") != LUA_OK) return luaL_error(L, "%s", lua_tostring(L, -1));
    lua_call(L, 0, LUA_MULTRET);
    return lua_gettop(L) - 1;
}

// Called in protected mode: out of memory is a Lua error.
static int fill_state(lua_State *L) {
    for (const luaL_Reg *l = libraries; l->name; ++l) {
        luaL_requiref(L, l->name, l->func, 1);
        lua_pop(L, 1);
    }
    for (const char *const *name = removed; *name; ++name) {
        lua_pushnil(L);
        lua_setglobal(L, *name);
    }
    lua_register(L, "print", print_note);
    lua_register(L, "include", include);
    verbs_add(L);
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &functions_key);
    lua_pushglobaltable(L);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, verbs_unknown);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    return 0;
}

// Out of memory outside of protected calls: Lua would abort.
static int on_panic(lua_State *L) {
    diag_error(3, "%s: %s", script_of(L)->file, wf_err_text(WF_ERR_NOMEM));
    fflush(NULL);
    _exit(3);
}

// An error that is no text gets one, with the place.
static int on_error(lua_State *L) {
    if (lua_isstring(L, 1)) return 1;
    if (luaL_callmeta(L, 1, "__tostring") && lua_isstring(L, -1)) return 1;
    luaL_where(L, 2);
    if (lua_isnil(L, 1))
        lua_pushliteral(L, "an error without a text");
    else
        lua_pushfstring(L, "an error that is a %s", luaL_typename(L, 1));
    lua_concat(L, 2);
    return 1;
}

// memory: Lua reports that there is none, which may be by the limit of the script.
static int take_error(struct script *s, bool memory, struct wf_error *error) {
    if (memory && memory_was_out()) {
        lua_pop(s->L, 1);
        return wf_error_code(error, WF_ERR_NOMEM);
    }
    const char *text = lua_tostring(s->L, -1);
    if (!text) text = "an error without a text";
    // Errors of C have no place.
    if (strchr(text, ':'))
        wf_error_set(error, WF_ERR_USAGE, "%s", text);
    else
        wf_error_set(error, WF_ERR_USAGE, "%.100s: %s", s->file, text);
    lua_pop(s->L, 1);
    return WF_ERR_USAGE;
}

int script_call(struct script *s, int args, int results, struct wf_error *error) {
    struct check_rules *r = s->rules;
    int base = lua_gettop(s->L) - args;
    lua_pushcfunction(s->L, on_error);
    lua_insert(s->L, base);
    r->now = s->file;
    r->deadline = uv_hrtime() + (uint64_t)(r->limit_s * 1e9);
    bounds_enter(&r->bounds);
    int err = lua_pcall(s->L, args, results, base);
    bounds_leave(&r->bounds);
    lua_remove(s->L, base);
    return err == LUA_OK ? WF_OK : take_error(s, err == LUA_ERRMEM, error);
}

static int open_state(struct script *s) {
    s->L = luaL_newstate();
    if (!s->L) return WF_ERR_NOMEM;
    *(struct script **)lua_getextraspace(s->L) = s;
    lua_atpanic(s->L, on_panic);
    lua_pushcfunction(s->L, fill_state);
    if (lua_pcall(s->L, 0, 0, 0) != LUA_OK) return WF_ERR_NOMEM;
    bounds_set(s->L, &s->rules->bounds);
    return WF_OK;
}

int script_open(struct script *s, struct check_rules *r, const char *file, bool collects,
                struct wf_error *error) {
    *s = (struct script){.rules = r, .file = file, .collects = collects};
    if (open_state(s) != WF_OK) return wf_error_code(error, WF_ERR_NOMEM);
    int err = script_load(s->L, file, "t");
    if (err == LUA_OK) return script_call(s, 0, 0, error);
    int code = take_error(s, err == LUA_ERRMEM, error);
    return error->code = err == LUA_ERRFILE ? WF_ERR_READ : code;
}

void script_close(struct script *s) {
    if (!s->L) return;
    s->rules->deadline = uv_hrtime() + (uint64_t)(s->rules->limit_s * 1e9);
    bounds_enter(&s->rules->bounds); // finalizers
    lua_close(s->L);
    bounds_leave(&s->rules->bounds);
    s->L = NULL;
}

void script_push_function(const struct script *s, unsigned index, const char *name) {
    lua_rawgetp(s->L, LUA_REGISTRYINDEX, &functions_key);
    lua_rawgeti(s->L, -1, (lua_Integer)index + 1);
    lua_getfield(s->L, -1, name);
    lua_replace(s->L, -3);
    lua_pop(s->L, 1);
}

void script_keep_functions(lua_State *L, int each, int at_end) {
    struct script *s = script_of(L);
    each = lua_absindex(L, each);
    at_end = lua_absindex(L, at_end);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &functions_key);
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, each);
    lua_setfield(L, -2, "each");
    lua_pushvalue(L, at_end);
    lua_setfield(L, -2, "at_end");
    lua_rawseti(L, -2, ++s->functions);
    lua_pop(L, 1);
}
