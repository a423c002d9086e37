// SPDX-License-Identifier: MIT
// A script, and the life of its tests (wire reference section 15): reset, on_reset, set-up,
// on_setup, the test, tear-down, on_teardown.

#include <lualib.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../cmd.h"
#include "match.h"
#include "runner.h"

enum { HOOK_INSTRUCTIONS = 10000 };

static const char failed_mark; // its address is the error that ends a failed test

static char *format_text(const char *format, va_list list) {
    char *text = NULL;
    return vasprintf(&text, format, list) < 0 ? NULL : text;
}

// "script.lua:12", then who called it, line by line; up to the function of the test.
static void put_places(lua_State *L, FILE *f) {
    lua_Debug d;
    const char *word = "at";
    for (int level = 0; lua_getstack(L, level, &d); ++level) {
        lua_getinfo(L, "Sl", &d);
        if (d.currentline < 1) continue;
        fprintf(f, "%s %s:%d\n", word, d.short_src, d.currentline);
        word = "called from";
    }
}

static void set_failure(struct runner *r, char *message, char *detail) {
    r->failed = true;
    if (r->now->message) { // the first one counts
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

static char *failure_detail(lua_State *L, const char *expected, const char *came) {
    char *detail = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&detail, &len);
    if (!f) return NULL;
    if (expected) fprintf(f, "expected: \"%s\"\n", expected);
    if (came) fprintf(f, "came:     %s\n", came);
    put_places(L, f);
    fclose(f);
    return detail;
}

int fail(lua_State *L, const char *expected, const char *came, const char *format, ...) {
    struct runner *r = runner_of(L);
    va_list list;
    va_start(list, format);
    char *message = format_text(format, list);
    va_end(list);
    set_failure(r, message, failure_detail(L, expected, came));
    return leave_test(L);
}

// Any other error of Lua: its message, and where.
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

static char *field_copy(lua_State *L, const char *name) {
    char *copy = NULL;
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, name);
        copy = strdup(lua_tostring(L, -1) ? lua_tostring(L, -1) : "");
        lua_pop(L, 1);
    } else if (lua_isstring(L, -1)) { // out of memory, or the handler failed
        copy = strdup(lua_tostring(L, -1));
    }
    return copy;
}

// Calls what is on the stack with no results. An error fails the present test; without one it is
// left on the stack. Returns whether there was none.
static bool guarded(lua_State *L, struct runner *r, int args) {
    int base = lua_gettop(L) - args;
    lua_pushcfunction(L, on_error);
    lua_insert(L, base);
    int err = lua_pcall(L, args, 0, base);
    lua_remove(L, base);
    if (err == LUA_OK) return true;
    if (!r->now) return false;
    if (!lua_islightuserdata(L, -1))
        set_failure(r, field_copy(L, "message"), field_copy(L, "detail"));
    lua_pop(L, 1);
    return false;
}

// Endless loops end here, with or without calls that wait.
static void on_count(lua_State *L, lua_Debug *d) {
    struct runner *r = runner_of(L);
    (void)d;
    if (!r->stopped && uv_hrtime() < r->deadline) return;
    const char *why = r->stopped ? "stopped" : "took longer than --limit allows";
    if (!r->now) {
        luaL_error(L, "%s", why);
        return;
    }
    r->flat = false; // it cannot go on
    fail(L, NULL, NULL, "%s", why);
}

static void start_clock(struct runner *r) {
    r->began = uv_hrtime();
    r->deadline = r->began + (uint64_t)(r->limit_s * 1e9);
}

// ---- the steps of a test ----

// Calls a global function of the script, if there is one. False: there is none.
static bool call_global(lua_State *L, const char *name) {
    if (lua_getglobal(L, name) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return false;
    }
    lua_call(L, 0, 0);
    return true;
}

static bool reset(lua_State *L, struct runner *r) {
    char why[512];
    if (!target_restart(&r->target, r->unclear, why)) {
        if (!r->target.resets) r->target.dead = true; // there is no target
        fail(L, NULL, NULL, "%s", why);
        return false;
    }
    r->unclear = false;
    r->machine = 0;
    if (!call_global(L, "on_reset")) return expect_line(L, r, "           QF_RUN");
    return !r->failed;
}

// lua_CFunction: resets unless its argument is true, sets up.
static int set_up(lua_State *L) {
    struct runner *r = runner_of(L);
    bool keep = lua_toboolean(L, 1) && r->clean;
    const struct payload none = {.len = 0};
    r->clock = 0;
    program_forget_output(&r->target.program);
    if (!keep && !reset(L, r)) return 0;
    send_acked(L, r, WF_COMMAND_TEST_SETUP, &none);
    if (r->failed) return 0;
    r->clock = 0;
    call_global(L, "on_setup");
    return 0;
}

// lua_CFunction: after an assertion the target cannot be asked any more.
static int tear_down(lua_State *L) {
    struct runner *r = runner_of(L);
    const struct payload none = {.len = 0};
    if (r->asserted) return 0;
    send_acked(L, r, WF_COMMAND_TEST_TEARDOWN, &none);
    if (!r->failed) call_global(L, "on_teardown");
    return 0;
}

static struct result *new_result(struct runner *r, lua_State *L, const char *title) {
    struct result *t = calloc(1, sizeof *t);
    lua_Debug d;
    if (!t) return NULL;
    t->script = strdup(r->script);
    t->title = strdup(title);
    for (int level = 1; lua_getstack(L, level, &d) && !t->line; ++level) {
        lua_getinfo(L, "l", &d);
        if (d.currentline > 0) t->line = d.currentline;
    }
    return t;
}

static void report_now(struct runner *r, enum verdict verdict) {
    struct result *t = r->now;
    t->verdict = verdict;
    t->seconds = (double)(uv_hrtime() - r->began) / 1e9;
    if (verdict == FAILED && r->target.program.command)
        t->output = strdup(r->target.program.output);
    r->now = NULL;
    r->state = OUTSIDE;
    start_clock(r); // what stands between tests has a limit, too
    report_result(&r->report, t);
}

static void end_test(lua_State *L, struct runner *r) {
    if (r->state == PASSING_BY && !r->now) r->state = OUTSIDE; // it was not run
    if (!r->now) return;
    if (!r->failed) {
        lua_pushcfunction(L, tear_down);
        guarded(L, r, 0);
    }
    r->clean = !r->failed && !r->asserted;
    r->unclear = r->failed;
    report_now(r, r->failed ? FAILED : PASSED);
}

static bool is_wanted(const struct runner *r, const char *title) {
    char pattern[TEXT_MAX];
    if (!r->filter) return true;
    snprintf(pattern, sizeof pattern, "*%s*", r->filter);
    return match_line(pattern, title);
}

static bool is_over(const struct runner *r) { return r->stopped || r->target.dead; }

// test(title [, NORESET] [, function])
static int verb_test(lua_State *L, struct runner *r) {
    const char *title = luaL_checkstring(L, 1);
    bool keep = false;
    int function = 0;
    if (r->now && !r->flat) return luaL_error(L, "test '%s' stands within a test", title);
    for (int i = 2; i <= lua_gettop(L); ++i) {
        if (lua_isfunction(L, i))
            function = i;
        else
            keep = luaL_checkinteger(L, i) == NORESET;
    }
    end_test(L, r);
    if (is_over(r)) return luaL_error(L, "stopped");
    r->flat = !function;
    start_clock(r);
    if (!is_wanted(r, title)) {
        r->clean = false;
        r->state = function ? OUTSIDE : PASSING_BY;
        return 0;
    }
    r->now = new_result(r, L, title);
    if (!r->now) return luaL_error(L, "out of memory");
    if (r->skip) {
        --r->skip;
        r->clean = false;
        report_now(r, SKIPPED);
        r->state = function ? OUTSIDE : PASSING_BY;
        return 0;
    }
    r->failed = r->asserted = false;
    r->state = RUNNING;
    if (r->target.options.log) fprintf(r->target.options.log, "# %s\n", title);
    lua_pushcfunction(L, set_up);
    lua_pushboolean(L, keep);
    bool good = guarded(L, r, 1) && !r->failed;
    if (!good && r->flat) r->state = PASSING_BY;
    if (!function) return 0;
    if (good) {
        lua_pushvalue(L, function);
        guarded(L, r, 0);
    }
    end_test(L, r);
    return 0;
}

// skip(n): the next n tests are not run; without n all that follow in the script.
static int verb_skip(lua_State *L, struct runner *r) {
    r->skip = (unsigned)luaL_optinteger(L, 1, INT32_MAX);
    return 0;
}

// note(text [, SCREEN or TRACE or both])
static int verb_note(lua_State *L, struct runner *r) {
    lua_Integer where = luaL_optinteger(L, 2, SCREEN | TRACE);
    const char *text = luaL_tolstring(L, 1, NULL);
    if (r->state == PASSING_BY) return 0;
    if (where & SCREEN) report_note(&r->report, text);
    if (where & TRACE && r->target.options.log) fprintf(r->target.options.log, "# %s\n", text);
    return 0;
}

static int step(lua_State *L, struct runner *r, const char *word) {
    char text[TEXT_MAX];
    if (r->state == PASSING_BY) return 0;
    snprintf(text, sizeof text, "%s %s", word, luaL_checkstring(L, 1));
    report_note(&r->report, text);
    return 0;
}
static int verb_scenario(lua_State *L, struct runner *r) { return step(L, r, "Scenario:"); }
static int verb_given(lua_State *L, struct runner *r) { return step(L, r, "   Given"); }
static int verb_when(lua_State *L, struct runner *r) { return step(L, r, "    When"); }
static int verb_then(lua_State *L, struct runner *r) { return step(L, r, "    Then"); }

// include(file): runs it as if it stood here; named from the folder of the script that includes it.
static int verb_include(lua_State *L, struct runner *r) {
    const char *name = luaL_checkstring(L, 1), *from = r->script;
    char path[TEXT_MAX];
    lua_Debug d;
    if (lua_getstack(L, 1, &d) && lua_getinfo(L, "S", &d) && *d.source == '@') from = d.source + 1;
    const char *slash = strrchr(from, '/');
    int folder = slash && *name != '/' ? (int)(slash + 1 - from) : 0;
    snprintf(path, sizeof path, "%.*s%s", folder, from, name);
    int err = luaL_loadfile(L, path);
    if (err == LUA_ERRFILE) return luaL_error(L, "%s", lua_tostring(L, -1));
    if (err) return lua_error(L);
    lua_call(L, 0, LUA_MULTRET);
    return lua_gettop(L) - 1;
}

// required(version): of wallfly, as in "0.1".
static int verb_required(lua_State *L, struct runner *r) {
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

const struct verb verbs_script[] = {
    {"test", verb_test, true},         {"skip", verb_skip, true},         {"note", verb_note, true},
    {"scenario", verb_scenario, true}, {"given", verb_given, true},       {"when", verb_when, true},
    {"then_", verb_then, true}, // `then` is a word of Lua
    {"include", verb_include, true},   {"required", verb_required, true}, {NULL, NULL, false},
};

// ---- the script ----

// Every function of scripts goes through here. In a flat test that has failed or is skipped it does
// nothing; behind a failure that the script has caught it leaves the test again.
static int call_verb(lua_State *L) {
    struct runner *r = runner_of(L);
    const struct verb *v = lua_touserdata(L, lua_upvalueindex(1));
    if (v->anywhere) return v->run(L, r);
    if (r->state == OUTSIDE) return luaL_error(L, "%s: there is no test that runs here", v->name);
    if (r->state == PASSING_BY) return 0;
    if (r->failed) return leave_test(L);
    return v->run(L, r);
}

static void add_verbs(lua_State *L, const struct verb *v) {
    for (; v->name; ++v) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)v);
        lua_pushcclosure(L, call_verb, 1);
        lua_setglobal(L, v->name);
    }
}

// Modules are looked for next to the script, too.
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

static lua_State *new_state(struct runner *r, const char *file) {
    lua_State *L = luaL_newstate();
    if (!L) return NULL;
    *(struct runner **)lua_getextraspace(L) = r;
    luaL_openlibs(L);
    add_path(L, file);
    add_verbs(L, verbs_script);
    add_verbs(L, verbs_send);
    add_verbs(L, verbs_expect);
    add_verbs(L, verbs_record);
    for (const struct constant *c = constants; c->name; ++c) {
        lua_pushinteger(L, c->value);
        lua_setglobal(L, c->name);
    }
    lua_getglobal(L, "string");
    lua_getfield(L, -1, "pack");
    lua_setglobal(L, "pack");
    lua_pop(L, 1);
    lua_sethook(L, on_count, LUA_MASKCOUNT, HOOK_INSTRUCTIONS);
    return L;
}

// What is wrong with a script itself is a result, too, so that CI sees it.
static void broken(struct runner *r, lua_State *L, const char *file) {
    char *message = field_copy(L, "message");
    struct result *t = calloc(1, sizeof *t);
    complain(EXIT_USAGE, "%s", message ? message : "error without a message");
    if (t) {
        t->script = strdup(file);
        t->title = strdup("the script itself");
        t->message = message;
        t->detail = field_copy(L, "detail");
        r->now = t;
        report_now(r, BROKEN);
    }
}

static void add_detail(struct result *t, const char *text) {
    char *both = NULL;
    if (asprintf(&both, "%s%s", t->detail ? t->detail : "", text) < 0) return;
    free(t->detail);
    t->detail = both;
}

bool script_run(struct runner *r, const char *file) {
    lua_State *L = new_state(r, file);
    bool good = L != NULL;
    r->script = file;
    r->state = OUTSIDE;
    r->skip = 0;
    r->clean = false;
    start_clock(r);
    report_script(&r->report, file);
    if (!L) {
        complain(EXIT_USAGE, "%s: out of memory", file);
        return false;
    }
    if (luaL_loadfile(L, file) != LUA_OK || !guarded(L, r, 0)) {
        good = r->now || is_over(r);
        if (!good) broken(r, L, file);
        if (r->now) add_detail(r->now, "the rest of the script was not run\n");
    }
    end_test(L, r);
    lua_close(L);
    return good;
}
