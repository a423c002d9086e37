// SPDX-License-Identifier: MIT
// The functions of scripts that make rules: one for each kind of the library, sql, rule.

#include <string.h>

#include "rules.h"
#include "wallfly_host/wf_near.h"

static const char *const others[] = {"sql", "rule", "include", "print"};
enum { OTHERS = sizeof others / sizeof *others };

// Sets script and line of the call.
static void set_place(lua_State *L, struct check_rule *rule) {
    struct check_rules *r = script_of(L)->rules;
    lua_Debug d;
    rule->script = script_of(L)->file;
    if (!lua_getstack(L, 1, &d) || !lua_getinfo(L, "Sl", &d)) return;
    rule->line = d.currentline;
    if (*d.source == '@' && strcmp(d.source + 1, rule->script) != 0)
        rule->script = rules_text(r, d.source + 1); // an included one
    if (!rule->script) luaL_error(L, "out of memory");
}

static void add_rule(lua_State *L, const struct check_rule *rule) {
    if (!rules_add(script_of(L)->rules, rule)) luaL_error(L, "out of memory");
}

// Lets the library refuse a rule here, where the error has its place in the script.
static void try_rule(lua_State *L, const struct check_rule *rule) {
    const struct wf_check_options options = {.size = sizeof options};
    struct wf_error error;
    struct wf_session *s = wf_session_open(NULL, &error);
    struct wf_check *c = s ? wf_check_open(s, &rule->of, 1, &options, &error) : NULL;
    bool good = c != NULL;
    wf_check_close(c);
    wf_session_close(s);
    if (!good) luaL_error(L, "%s: %s", rule->name, error.text);
}

// response{...} and so on; its kind is the function's upvalue.
static int verb_kind(lua_State *L) {
    enum wf_check_kind kind = (enum wf_check_kind)lua_tointeger(L, lua_upvalueindex(1));
    struct check_rule rule = {.form = CHECK_KIND,
                              .name = wf_check_kinds[kind].name,
                              .of = {.size = sizeof rule.of, .kind = kind}};
    char title[KEYS_TITLE];
    bounds_leave(&script_of(L)->rules->bounds);
    if (!script_of(L)->collects) return 0;
    set_place(L, &rule);
    keys_read(L, &rule);
    try_rule(L, &rule);
    keys_title(L, &rule, title);
    if (!rule.title) rule.title = rules_text(script_of(L)->rules, title);
    if (!rule.title) luaL_error(L, "out of memory");
    add_rule(L, &rule);
    return 0;
}

static const char *take_words(lua_State *L, const struct check_rule *rule, int index,
                              const char *what) {
    if (lua_rawgeti(L, 1, index) != LUA_TSTRING || !*lua_tostring(L, -1))
        luaL_error(L, "%s: the %s is missing", rule->name, what);
    const char *kept = rules_text(script_of(L)->rules, lua_tostring(L, -1));
    if (!kept) luaL_error(L, "out of memory");
    lua_pop(L, 1);
    return kept;
}

static bool take_exact(lua_State *L, const struct check_rule *rule) {
    int type = lua_getfield(L, 1, "exact");
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        luaL_error(L, "%s: exact is true or false", rule->name);
    bool exact = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return exact;
}

// sql{"words", "select ..."}
static int verb_sql(lua_State *L) {
    struct check_rule rule = {.form = CHECK_SQL, .name = "sql"};
    bounds_leave(&script_of(L)->rules->bounds);
    if (!script_of(L)->collects) return 0;
    set_place(L, &rule);
    keys_read_common(L, &rule);
    const char *words = take_words(L, &rule, 1, "text that says what is checked");
    rule.sql = take_words(L, &rule, 2, "query: sql{\"words\", \"select ...\"}");
    if (!rule.title) rule.title = words;
    rule.exact = take_exact(L, &rule);
    add_rule(L, &rule);
    return 0;
}

// Pushes a function of the table; nil: there is none.
static int push_function(lua_State *L, const struct check_rule *rule, const char *name) {
    int type = lua_getfield(L, 1, name);
    if (type != LUA_TFUNCTION && type != LUA_TNIL)
        luaL_error(L, "%s: %s is not a function", rule->name, name);
    return lua_gettop(L);
}

// rule("words", function(item) ... end) is rule{"words", each = function(item) ... end}.
static void make_table(lua_State *L) {
    if (lua_istable(L, 1)) return;
    luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    if (lua_gettop(L) > 2) luaL_error(L, "rule: more than two arguments; use rule{...}");
    lua_createtable(L, 1, 1);
    lua_insert(L, 1);
    lua_setfield(L, 1, "each");
    lua_rawseti(L, 1, 1);
}

// rule{"words", each = function(item) ... end, at_end = function() ... end, exact = true}
static int verb_rule(lua_State *L) {
    struct check_rule rule = {.form = CHECK_FUNCTION, .name = "rule"};
    bounds_leave(&script_of(L)->rules->bounds);
    make_table(L);
    set_place(L, &rule);
    keys_read_common(L, &rule);
    const char *words = take_words(L, &rule, 1, "text that says what is checked");
    if (!rule.title) rule.title = words;
    rule.exact = take_exact(L, &rule);
    int each = push_function(L, &rule, "each"), at_end = push_function(L, &rule, "at_end");
    if (lua_isnil(L, each) && lua_isnil(L, at_end))
        luaL_error(L, "rule: has no function; each or at_end is one");
    script_keep_functions(L, each, at_end);
    if (script_of(L)->collects) add_rule(L, &rule);
    return 0;
}

void verbs_add(lua_State *L) {
    for (int kind = 0; kind < WF_CHECK_KINDS; ++kind) {
        lua_pushinteger(L, kind);
        lua_pushcclosure(L, verb_kind, 1);
        lua_setglobal(L, wf_check_kinds[kind].name);
    }
    lua_register(L, "sql", verb_sql);
    lua_register(L, "rule", verb_rule);
}

int verbs_unknown(lua_State *L) {
    const char *name = luaL_tolstring(L, 2, NULL), *meant = NULL;
    unsigned nearest = WF_NEAR_MOST;
    for (unsigned i = 0; i < WF_CHECK_KINDS + OTHERS; ++i) {
        const char *rule = i < WF_CHECK_KINDS ? wf_check_kinds[i].name : others[i - WF_CHECK_KINDS];
        unsigned d = wf_near_distance(name, rule);
        if (d >= nearest) continue;
        nearest = d;
        meant = rule;
    }
    if (nearest <= 1 + strlen(name) / 3)
        return luaL_error(L, "there is no '%s'; did you mean '%s'?", name, meant);
    return luaL_error(L, "there is no '%s'; docs/check.md lists the rules", name);
}
