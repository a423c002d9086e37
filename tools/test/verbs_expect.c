// SPDX-License-Identifier: MIT
// Expectations of scripts about received lines.

#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "runner.h"

static double time_left(const struct runner *r, double seconds) {
    uint64_t now = uv_hrtime();
    double left = now < r->deadline ? (double)(r->deadline - now) / 1e9 : 0;
    if (!(seconds > 0)) return 0; // negative, or not a number
    return seconds < left ? seconds : left;
}

// After the link has closed, waits for the program's end: its exit status may be the cause.
static void wait_for_exit(struct runner *r) {
    const struct program *p = &r->target.program;
    for (int slices = 0; p->command && p->running && slices < 10; ++slices)
        target_run(&r->target, 50);
}

// Fails the test, because there was no line but another event.
static void fail_without_line(lua_State *L, struct runner *r, const char *expected,
                              enum arrival_kind kind, const struct arrival *a, double seconds) {
    char received[2 * TEXT_MAX] = "nothing";
    const struct program *p = &r->target.program;
    const char *message = "the target does not answer";
    if (kind == ARRIVAL_DOWN) wait_for_exit(r);
    if (kind == ARRIVAL_START) message = "the target has restarted during the test";
    if (kind == ARRIVAL_DOWN) message = "the target has disconnected during the test";
    if (kind == ARRIVAL_STOP) message = "stopped";
    if (kind == ARRIVAL_TIMEOUT) snprintf(received, sizeof received, "nothing in %g s", seconds);
    if (kind == ARRIVAL_START) snprintf(received, sizeof received, "target info of a start");
    if (kind == ARRIVAL_DOWN)
        snprintf(received, sizeof received, "the end of the link%s%s%s%s", *a->text ? ": " : "",
                 a->text, p->command && !p->running ? "; the program " : "",
                 p->command && !p->running ? p->ended : "");
    r->target.hangs = kind == ARRIVAL_TIMEOUT;
    if (kind == ARRIVAL_TIMEOUT && uv_hrtime() >= r->deadline) {
        fail(L, NULL, NULL, "took longer than --limit allows"); // as for a loop that does not wait
        return;
    }
    fail(L, expected, received, "%s", message);
}

bool take_line(lua_State *L, struct runner *r, const char *expected, double seconds,
               struct arrival **a) {
    enum arrival_kind kind = target_next(&r->target, time_left(r, seconds), a);
    if (kind == ARRIVAL_LINE) {
        snprintf(r->last, sizeof r->last, "%s", (*a)->text);
        return true;
    }
    struct arrival other = {.text = ""}, *have = *a;
    char text[TEXT_MAX] = "";
    if (have) snprintf(text, sizeof text, "%s", have->text);
    other.text = text;
    free(have); // before fail(), which may not return
    *a = NULL;
    fail_without_line(L, r, expected, kind, &other, seconds);
    return false;
}

void note_assertion(struct runner *r, const struct arrival *a) {
    const struct wf_row *row = a->is_record ? a->record.row : NULL;
    if (row && row->effect == WF_EFFECT_ASSERTION) r->asserted = true;
}

bool expect_line(lua_State *L, struct runner *r, const char *pattern) {
    char wanted[TEXT_MAX], received[TEXT_MAX + 2];
    struct arrival *a;
    match_stamp(pattern, &r->clock, wanted, sizeof wanted);
    if (!take_line(L, r, wanted, r->timeout_s, &a)) return false;
    bool good = match_line(wanted, a->text);
    if (good) note_assertion(r, a);
    free(a);
    if (good) return true;
    snprintf(received, sizeof received, "\"%s\"", r->last);
    fail(L, wanted, received, "not the line that was expected");
    return false;
}

int verb_expect(lua_State *L, struct runner *r) {
    expect_line(L, r, luaL_checkstring(L, 1));
    return 0;
}

int verb_expect_pause(lua_State *L, struct runner *r) {
    expect_line(L, r, "           TstPause");
    return 0;
}

int verb_expect_run(lua_State *L, struct runner *r) {
    expect_line(L, r, "           QF_RUN");
    return 0;
}

// Joins all patterns for the message; each is compared with the same clock.
static void join_wanted(lua_State *L, uint32_t clock, char *all, size_t cap) {
    char wanted[TEXT_MAX];
    size_t len = 0;
    *all = 0;
    for (lua_Integer i = 1; lua_geti(L, 1, i) != LUA_TNIL; ++i) {
        uint32_t c = clock;
        match_stamp(luaL_checkstring(L, -1), &c, wanted, sizeof wanted);
        if (len < cap)
            len += (size_t)snprintf(all + len, cap - len, "%s%s", i > 1 ? "\" or \"" : "", wanted);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

// expect_any{pattern, ...}: the next line matches one of them. Returns its index and the line.
int verb_expect_any(lua_State *L, struct runner *r) {
    char all[TEXT_MAX], wanted[TEXT_MAX], received[TEXT_MAX + 2];
    struct arrival *a;
    luaL_checktype(L, 1, LUA_TTABLE);
    join_wanted(L, r->clock, all, sizeof all);
    if (!take_line(L, r, all, r->timeout_s, &a)) return 0;
    for (lua_Integer i = 1; lua_geti(L, 1, i) != LUA_TNIL; ++i) {
        uint32_t clock = r->clock;
        match_stamp(lua_tostring(L, -1), &clock, wanted, sizeof wanted);
        lua_pop(L, 1);
        if (!match_line(wanted, a->text)) continue;
        r->clock = clock;
        note_assertion(r, a);
        free(a);
        lua_pushinteger(L, i);
        lua_pushstring(L, r->last);
        return 2;
    }
    free(a);
    snprintf(received, sizeof received, "\"%s\"", r->last);
    return fail(L, all, received, "none of the lines that were expected");
}

// expect_none(seconds): no line is received in that time.
int verb_expect_none(lua_State *L, struct runner *r) {
    double seconds = luaL_checknumber(L, 1);
    struct arrival *a;
    char received[TEXT_MAX + 2];
    enum arrival_kind kind = target_next(&r->target, time_left(r, seconds), &a);
    if (kind == ARRIVAL_TIMEOUT) return 0;
    snprintf(received, sizeof received, "\"%s\"", a ? a->text : "stopped");
    free(a);
    return fail(L, NULL, received, "no line was expected in %g s", seconds);
}

int verb_last_rec(lua_State *L, struct runner *r) {
    lua_pushstring(L, r->last);
    return 1;
}

// ensure(condition [, text])
int verb_ensure(lua_State *L, struct runner *r) {
    (void)r;
    if (lua_toboolean(L, 1)) return 0;
    return fail(L, NULL, NULL, "%s", luaL_optstring(L, 2, "the condition is false"));
}

// wait(seconds): lines received in the meantime are kept for later.
int verb_wait(lua_State *L, struct runner *r) {
    double seconds = luaL_checknumber(L, 1);
    uint64_t end = uv_hrtime() + (uint64_t)(time_left(r, seconds) * 1e9);
    while (uv_hrtime() < end && !r->stopped) {
        uint64_t left_ms = (end - uv_hrtime()) / 1000000;
        target_run(&r->target, left_ms < 50 ? (unsigned)left_ms : 50);
    }
    return 0;
}
