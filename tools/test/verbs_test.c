// SPDX-License-Identifier: MIT
// Life cycle of a test (docs/testing.md): reset, on_reset, set-up, on_setup, the test,
// tear-down, on_teardown. Also notes.

#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "runner.h"
#include "../report/escape.h"

void start_limit(struct runner *r) { r->deadline = uv_hrtime() + (uint64_t)(r->limit_s * 1e9); }

void start_clock(struct runner *r) {
    r->began = uv_hrtime();
    start_limit(r);
}

// Calls a global function of the script. Returns false if it does not exist.
static bool call_global(lua_State *L, const char *name) {
    if (lua_getglobal(L, name) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return false;
    }
    lua_call(L, 0, 0);
    bounds_leave(&runner_of(L)->bounds);
    return true;
}

static bool reset(lua_State *L, struct runner *r) {
    char why[512];
    bool good = target_restart(&r->target, r->unclear, why);
    start_limit(r); // the time of the restart is limited by --start
    if (!good) {
        if (!r->target.resets) r->target.dead = true; // no target exists
        fail(L, NULL, NULL, "%s", why);
        return false;
    }
    r->unclear = false;
    r->machine = 0;
    if (!call_global(L, "on_reset")) return expect_line(L, r, "           QF_RUN");
    return !r->failed;
}

// lua_CFunction: resets unless its argument is true, then sets up.
static int set_up(lua_State *L) {
    struct runner *r = runner_of(L);
    bool keep = lua_toboolean(L, 1) && r->clean;
    bounds_leave(&r->bounds);
    r->clock = 0;
    program_forget_output(&r->target.program);
    if (!keep && !reset(L, r)) return 0;
    send_acked(L, r, "test-setup", NULL);
    if (r->failed) return 0;
    r->clock = 0;
    call_global(L, "on_setup");
    return 0;
}

// lua_CFunction: after an assertion the target does not accept commands.
static int tear_down(lua_State *L) {
    struct runner *r = runner_of(L);
    bounds_leave(&r->bounds);
    if (r->asserted) return 0;
    send_acked(L, r, "test-teardown", NULL);
    if (!r->failed) call_global(L, "on_teardown");
    return 0;
}

static struct result *new_result(struct runner *r, lua_State *L, const char *title) {
    struct result *t = result_new(r->script, title);
    lua_Debug d;
    for (int level = 1; t && lua_getstack(L, level, &d) && !t->line; ++level) {
        lua_getinfo(L, "l", &d);
        if (d.currentline > 0) t->line = d.currentline;
    }
    return t;
}

void report_now(struct runner *r, enum verdict verdict) {
    struct result *t = r->now;
    t->verdict = verdict;
    t->seconds = (double)(uv_hrtime() - r->began) / 1e9;
    if (verdict == FAILED && r->target.program.command)
        t->output = strdup(r->target.program.output);
    r->now = NULL;
    r->state = OUTSIDE;
    start_clock(r); // code between tests has a time limit too
    report_result(&r->report, t);
}

void end_test(lua_State *L, struct runner *r) {
    if (r->state == PASSING_BY && !r->now) r->state = OUTSIDE; // the test was not run
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

bool is_over(const struct runner *r) { return r->stopped || r->target.dead; }

static void log_note(const struct runner *r, const char *text) {
    if (r->target.options.log) put_shown_lines(r->target.options.log, "# ", text, strlen(text));
}

// test(title [, NORESET] [, function])
int verb_test(lua_State *L, struct runner *r) {
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
    log_note(r, title);
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

// skip(n): skips the next n tests; without n all remaining tests of the script.
int verb_skip(lua_State *L, struct runner *r) {
    r->skip = (unsigned)luaL_optinteger(L, 1, INT32_MAX);
    return 0;
}

// note(text [, SCREEN or TRACE or both])
int verb_note(lua_State *L, struct runner *r) {
    lua_Integer where = luaL_optinteger(L, 2, SCREEN | TRACE);
    const char *text = luaL_tolstring(L, 1, NULL);
    if (r->state == PASSING_BY) return 0;
    if (where & SCREEN) report_note(&r->report, text, strlen(text));
    if (where & TRACE) log_note(r, text);
    return 0;
}

static int note_step(lua_State *L, struct runner *r, const char *word) {
    char text[TEXT_MAX];
    if (r->state == PASSING_BY) return 0;
    snprintf(text, sizeof text, "%s %s", word, luaL_checkstring(L, 1));
    report_note(&r->report, text, strlen(text));
    return 0;
}
int verb_scenario(lua_State *L, struct runner *r) { return note_step(L, r, "Scenario:"); }
int verb_given(lua_State *L, struct runner *r) { return note_step(L, r, "   Given"); }
int verb_when(lua_State *L, struct runner *r) { return note_step(L, r, "    When"); }
int verb_then_(lua_State *L, struct runner *r) { return note_step(L, r, "    Then"); }
