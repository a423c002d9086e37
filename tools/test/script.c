// SPDX-License-Identifier: MIT
// Runs a script: its environment, and its own errors.

#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cmd.h"
#include "../lua/script_load.h"
#include "runner.h"

// include(file): runs a script in place; its name is relative to the script that includes it.
int verb_include(lua_State *L, struct runner *r) {
    const char *name = luaL_checkstring(L, 1), *from = r->script;
    char path[SCRIPT_PATH_MAX];
    lua_Debug d;
    if (lua_getstack(L, 1, &d) && lua_getinfo(L, "S", &d) && *d.source == '@') from = d.source + 1;
    script_path(from, name, path);
    if (!wf_files_add(r->args->files, path)) return luaL_error(L, "out of memory");
    int err = script_load(L, path, NULL);
    if (err == LUA_ERRFILE) return luaL_error(L, "%s", lua_tostring(L, -1));
    if (err) return lua_error(L);
    lua_call(L, 0, LUA_MULTRET);
    return lua_gettop(L) - 1;
}

// required(version): checks the version of wallfly, for example "0.1".
int verb_required(lua_State *L, struct runner *r) {
    int have[2] = {0}, want[2] = {0};
    const char *version = luaL_checkstring(L, 1);
    (void)r;
    sscanf(WALLFLY_VERSION, "%d.%d", &have[0], &have[1]);
    if (sscanf(version, "%d.%d", &want[0], &want[1]) != 2)
        return luaL_error(L, "required: '%s' is not a version such as 0.1", version);
    if (want[0] > have[0] || (want[0] == have[0] && want[1] > have[1]))
        return luaL_error(L, "the script requires wallfly %s, this is " WALLFLY_VERSION, version);
    return 0;
}

static const struct verb {
    const char *name;
    verb_fn *run;
    bool anywhere;
} verbs[] = {
#define V(name, anywhere) {#name, verb_##name, anywhere},
    VERBS(V)
#undef V
};

// Every function of scripts is called through this one. In a flat test that has failed or is
// skipped it does nothing. After a failure that the script has caught, it ends the test again.
static int call_verb(lua_State *L) {
    struct runner *r = runner_of(L);
    const struct verb *v = lua_touserdata(L, lua_upvalueindex(1));
    bounds_leave(&r->bounds);
    if (v->anywhere) return v->run(L, r);
    if (r->state == OUTSIDE) return luaL_error(L, "%s: there is no test that runs here", v->name);
    if (r->state == PASSING_BY) return 0;
    if (r->failed) return leave_test(L);
    return v->run(L, r);
}

static void add_verbs(lua_State *L) {
    for (unsigned i = 0; i < sizeof verbs / sizeof *verbs; ++i) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)&verbs[i]);
        lua_pushcclosure(L, call_verb, 1);
        lua_setglobal(L, verbs[i].name);
    }
}

// Modules are also searched in the script's folder.
static void add_path(lua_State *L, const char *file) {
    const char *slash = strrchr(file, '/');
    if (!slash) return;
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "path");
    lua_pushlstring(L, file, (size_t)(slash + 1 - file));
    lua_pushfstring(L, "%s?.lua;%s", lua_tostring(L, -1), lua_tostring(L, -2));
    lua_setfield(L, -4, "path");
    lua_pop(L, 3);
}

// Sets the script's environment. Called in protected mode: out of memory is a Lua error.
static int fill_state(lua_State *L) {
    luaL_openlibs(L);
    add_path(L, lua_touserdata(L, 1));
    add_verbs(L);
    for (const struct constant *c = constants; c->name; ++c) {
        lua_pushinteger(L, c->value);
        lua_setglobal(L, c->name);
    }
    lua_getglobal(L, "string");
    lua_getfield(L, -1, "pack");
    lua_setglobal(L, "pack");
    lua_pop(L, 1);
    bounds_forbid(L);
    return 0;
}

// Out of memory outside of protected calls: Lua would abort.
static int on_panic(lua_State *L) {
    struct runner *r = runner_of(L);
    const char *text = lua_tostring(L, -1);
    program_kill(&r->target.program);
    diag_error(EXIT_INPUT, "%s: %s", r->script, text ? text : wf_err_text(WF_ERR_NOMEM));
    fflush(NULL);
    _exit(EXIT_INPUT);
}

// Returns null when out of memory.
static lua_State *new_state(struct runner *r, const char *file) {
    lua_State *L = luaL_newstate();
    if (!L) return NULL;
    *(struct runner **)lua_getextraspace(L) = r;
    lua_atpanic(L, on_panic);
    warnings_set(L, r);
    lua_pushcfunction(L, fill_state);
    lua_pushlightuserdata(L, (void *)(uintptr_t)file);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        lua_close(L);
        return NULL;
    }
    bounds_set(L, &r->bounds);
    return L;
}

// Reports an error of the script itself as a result, so that CI shows it.
static void report_broken(struct runner *r, char *message, char *detail) {
    struct result *t = result_new(r->script, "the script itself");
    diag_error(EXIT_USAGE, "%s", message ? message : "error without a message");
    if (t) {
        t->message = message;
        t->detail = detail;
        r->now = t;
        report_now(r, BROKEN);
    }
}

void script_stuck(struct runner *r) {
    const char *why = r->stopped ? "stopped in a function that does not return"
                                 : "took longer than --limit allows, in a function that does not "
                                   "return: the run ends here";
    if (!r->now) {
        report_broken(r, strdup(why), NULL);
        return;
    }
    if (!r->now->message) r->now->message = strdup(why);
    report_now(r, FAILED);
}

static void add_detail(struct result *t, const char *text) {
    char *both = NULL;
    if (asprintf(&both, "%s%s", t->detail ? t->detail : "", text) < 0) return;
    free(t->detail);
    t->detail = both;
}

bool script_run(struct runner *r, const char *file) {
    r->script = file;
    lua_State *L = new_state(r, file);
    bool good = L != NULL;
    r->state = OUTSIDE;
    r->skip = 0;
    r->clean = false;
    start_clock(r);
    report_script(&r->report, file);
    if (!L) {
        diag_error(EXIT_USAGE, "%s: out of memory", file);
        return false;
    }
    if (script_load(L, file, NULL) != LUA_OK || !guarded(L, r, 0)) {
        good = r->now || is_over(r);
        if (!good) report_broken(r, field_copy(L, "message"), field_copy(L, "detail"));
        if (r->now) add_detail(r->now, "the rest of the script was not run\n");
    }
    end_test(L, r);
    bounds_enter(&r->bounds); // finalizers
    lua_close(L);
    bounds_leave(&r->bounds);
    return good;
}
