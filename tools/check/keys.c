// SPDX-License-Identifier: MIT
// The keys of a rule: response{task = "control", max = "5 ms"}.

#include <stdio.h>
#include <string.h>

#include "rules.h"
#include "wallfly_host/wf_near.h"

enum form { TEXT, NUMBER_OR_TEXT, CORE, TIME, BOUND, EVENT, TEXTS };

struct key {
    const char *name;
    unsigned of; // of enum wf_check_key; bounds: the least of enum wf_check_bounds that has it
    enum form form;
    size_t at;  // member of struct wf_check_rule
    bool plain; // the title has its value alone
    int only;   // a kind; -1: each that has the key
};

#define AT(member) offsetof(struct wf_check_rule, member)
static const struct key keys[] = {
    {"task", WF_CHECK_KEY_TASK, TEXT, AT(task), true, -1},
    {"irq", WF_CHECK_KEY_IRQ, NUMBER_OR_TEXT, AT(irq), false, -1},
    {"timer", WF_CHECK_KEY_TIMER, TEXT, AT(object), true, -1},
    {"mutex", WF_CHECK_KEY_MUTEX, TEXT, AT(object), true, -1},
    {"object", WF_CHECK_KEY_OBJECT, TEXT, AT(object), true, -1},
    {"name", WF_CHECK_KEY_NAME, TEXT, AT(name), true, -1},
    {"machine", WF_CHECK_KEY_MACHINE, TEXT, AT(machine), true, -1},
    {"by", WF_CHECK_KEY_BY, TEXT, AT(by), false, -1},
    {"core", WF_CHECK_KEY_CORE, CORE, AT(core), false, -1},
    {"window", WF_CHECK_KEY_WINDOW, TIME, AT(window_s), false, -1},
    {"record", WF_CHECK_KEY_EVENT, EVENT, AT(events), true, -1},
    {"event", WF_CHECK_KEY_EVENT, EVENT, AT(events), true, -1},
    {"expect", WF_CHECK_KEY_EXPECT, EVENT, AT(expect), false, -1},
    {"from", WF_CHECK_KEY_STATES, TEXT, AT(from), false, -1},
    {"to", WF_CHECK_KEY_STATES, TEXT, AT(to), false, -1},
    {"allowed", WF_CHECK_KEY_STATES, TEXTS, AT(only), false, -1},
    {"min", WF_CHECK_RANGE, BOUND, AT(min), false, -1},
    {"max", WF_CHECK_UPPER, BOUND, AT(max), false, -1},
    {"mean", WF_CHECK_SPREAD, BOUND, AT(mean), false, -1},
    {"p50", WF_CHECK_SPREAD, BOUND, AT(p50), false, -1},
    {"p95", WF_CHECK_SPREAD, BOUND, AT(p95), false, -1},
    {"p99", WF_CHECK_SPREAD, BOUND, AT(p99), false, -1},
    {"within", WF_CHECK_UPPER, BOUND, AT(max), false, WF_CHECK_AFTER},
    {"level", WF_CHECK_UPPER, BOUND, AT(max), false, WF_CHECK_QUEUE},
};
#undef AT
enum { KEYS = sizeof keys / sizeof *keys };

static const struct wf_check_kind_info *info_of(const struct check_rule *rule) {
    return &wf_check_kinds[rule->of.kind];
}

static bool has_key(const struct check_rule *rule, const struct key *k) {
    if (k->only >= 0 && k->only != (int)rule->of.kind) return false;
    if (k->form == BOUND) return (unsigned)info_of(rule)->bounds >= k->of;
    return (info_of(rule)->keys & k->of) != 0;
}

static const char *text_kept(lua_State *L, const char *text) {
    const char *kept = rules_text(script_of(L)->rules, text);
    if (!kept) luaL_error(L, "out of memory");
    return kept;
}

// Raises an error about the value on top.
static void bad_value(lua_State *L, const struct check_rule *rule, const char *key,
                      const char *why) {
    const char *quote = lua_type(L, -1) == LUA_TSTRING ? "\"" : "";
    luaL_error(L, "%s: %s = %s%s%s %s", rule->name, key, quote, luaL_tolstring(L, -1, NULL), quote,
               why);
}

static const char *take_text(lua_State *L, const struct check_rule *rule, const char *key) {
    if (lua_type(L, -1) != LUA_TSTRING || !*lua_tostring(L, -1))
        bad_value(L, rule, key, "is not a text");
    return text_kept(L, lua_tostring(L, -1));
}

// Numbers have no unit, all other bounds are texts with theirs.
static double take_value(lua_State *L, const struct check_rule *rule, const char *key,
                         enum wf_check_unit unit) {
    double value = 0;
    const char *wrong = NULL;
    bool number = lua_type(L, -1) == LUA_TNUMBER;
    if (number && unit == WF_CHECK_NUMBER) {
        value = lua_tonumber(L, -1);
        if (value != value) wrong = "is not a number";
    } else {
        bool text = lua_type(L, -1) == LUA_TSTRING && unit != WF_CHECK_NUMBER;
        wrong = unit_parse(unit, text ? lua_tostring(L, -1) : "", &value);
    }
    if (wrong) bad_value(L, rule, key, wrong);
    return value;
}

static const char *take_event(lua_State *L, const struct check_rule *rule, const char *key) {
    struct wf_error error;
    const char *text = take_text(L, rule, key);
    if (!wf_check_event(text, &error))
        luaL_error(L, "%s: %s = \"%s\": %s", rule->name, key, text, error.text);
    return text;
}

// Reads the list on top.
static const char *const *take_list(lua_State *L, const struct check_rule *rule, const char *key,
                                    bool events, unsigned *count) {
    int list = lua_gettop(L);
    if (!lua_istable(L, list)) bad_value(L, rule, key, "is not a list of texts");
    lua_Unsigned n = lua_rawlen(L, list);
    const char **texts = rules_room(script_of(L)->rules, (size_t)(n + 1) * sizeof *texts);
    if (!texts) luaL_error(L, "out of memory");
    for (lua_Unsigned i = 0; i < n; ++i) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        texts[i] = events ? take_event(L, rule, key) : take_text(L, rule, key);
        lua_settop(L, list);
    }
    *count = (unsigned)n;
    return texts;
}

// Sets the only event of a rule.
static void set_event(lua_State *L, struct check_rule *rule, const char *event) {
    const char **texts = rules_room(script_of(L)->rules, sizeof *texts);
    if (!texts) luaL_error(L, "out of memory");
    texts[0] = event;
    rule->of.events = texts;
    rule->of.event_count = 1;
}

// Takes the value on top.
static void take_key(lua_State *L, struct check_rule *rule, const struct key *k) {
    char *at = (char *)&rule->of + k->at;
    const char *text;
    switch (k->form) {
    case NUMBER_OR_TEXT:
        if (lua_isinteger(L, -1)) lua_tostring(L, -1);
        // fall through
    case TEXT:
        text = take_text(L, rule, k->name);
        memcpy(at, &text, sizeof text);
        break;
    case CORE:
        if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0 || lua_tointeger(L, -1) > 255)
            bad_value(L, rule, k->name, "is not the number of a core");
        rule->of.core = (int)lua_tointeger(L, -1);
        break;
    case TIME: rule->of.window_s = take_value(L, rule, k->name, WF_CHECK_TIME); break;
    case BOUND: {
        struct wf_check_bound bound = {true, take_value(L, rule, k->name, info_of(rule)->unit)};
        memcpy(at, &bound, sizeof bound);
        break;
    }
    case EVENT:
        text = take_event(L, rule, k->name);
        if (k->of == WF_CHECK_KEY_EXPECT)
            rule->of.expect = text;
        else
            set_event(L, rule, text);
        break;
    case TEXTS: rule->of.only = take_list(L, rule, k->name, false, &rule->of.only_count); break;
    }
}

// ---- the table

// Raises an error with the keys that the rule has, and the one that may be meant.
static void unknown_key(lua_State *L, const struct check_rule *rule, const char *name) {
    luaL_Buffer all;
    unsigned nearest = WF_NEAR_MOST, count = 0;
    const char *meant = NULL;
    luaL_buffinit(L, &all);
    for (unsigned i = 0; i <= KEYS + 1; ++i) {
        const char *key = i < KEYS ? keys[i].name : i == KEYS ? "title" : "lane";
        if (i < KEYS && (rule->form != CHECK_KIND || !has_key(rule, &keys[i]))) continue;
        unsigned d = wf_near_distance(name, key);
        if (d < nearest) {
            nearest = d;
            meant = key;
        }
        if (count++) luaL_addstring(&all, ", ");
        luaL_addstring(&all, key);
    }
    luaL_pushresult(&all);
    if (nearest <= 1 + strlen(name) / 3)
        luaL_error(L, "%s has no key '%s'; did you mean '%s'?", rule->name, name, meant);
    luaL_error(L, "%s has no key '%s'; its keys are %s", rule->name, name, lua_tostring(L, -1));
}

static bool is_key(const struct check_rule *rule, const char *name) {
    if (strcmp(name, "title") == 0 || strcmp(name, "lane") == 0) return true;
    if (rule->form == CHECK_SQL || rule->form == CHECK_FUNCTION) {
        bool function = strcmp(name, "each") == 0 || strcmp(name, "at_end") == 0;
        return strcmp(name, "exact") == 0 || (function && rule->form == CHECK_FUNCTION);
    }
    for (unsigned i = 0; i < KEYS; ++i) {
        if (has_key(rule, &keys[i]) && strcmp(keys[i].name, name) == 0) return true;
    }
    return false;
}

// Values without a key: events, or the bound of a deadline.
static lua_Integer plain_values(const struct check_rule *rule) {
    if (rule->form != CHECK_KIND) return rule->form == CHECK_SQL ? 2 : 1;
    if (info_of(rule)->keys & WF_CHECK_KEY_EVENTS) return LUA_MAXINTEGER;
    return (info_of(rule)->keys & WF_CHECK_KEY_EVENT) || rule->of.kind == WF_CHECK_DEADLINE;
}

static void check_keys(lua_State *L, const struct check_rule *rule) {
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        if (lua_isinteger(L, -2)) {
            lua_Integer n = lua_tointeger(L, -2), most = plain_values(rule);
            if (n < 1 || n > most)
                bad_value(L, rule, "a value without its key",
                          most ? "is one too many" : "is not expected, as in task = \"name\"");
        } else if (lua_type(L, -2) != LUA_TSTRING) {
            luaL_error(L, "%s: a key that is a %s", rule->name, luaL_typename(L, -2));
        } else if (!is_key(rule, lua_tostring(L, -2))) {
            unknown_key(L, rule, lua_tostring(L, -2));
        }
        lua_pop(L, 1);
    }
}

static void take_plain(lua_State *L, struct check_rule *rule) {
    unsigned events = info_of(rule)->keys & (WF_CHECK_KEY_EVENT | WF_CHECK_KEY_EVENTS);
    if (lua_rawlen(L, 1) == 0) return;
    if (events & WF_CHECK_KEY_EVENTS) {
        lua_pushvalue(L, 1);
        rule->of.events = take_list(L, rule, "event", true, &rule->of.event_count);
    } else if (lua_rawgeti(L, 1, 1), events) {
        set_event(L, rule, take_event(L, rule, "event"));
    } else {
        rule->of.max = (struct wf_check_bound){true, take_value(L, rule, "max", WF_CHECK_TIME)};
    }
    lua_settop(L, 1);
}

static void check_complete(lua_State *L, const struct check_rule *rule) {
    static const char *const bounds[] = {[WF_CHECK_UPPER] = "max",
                                         [WF_CHECK_RANGE] = "min or max",
                                         [WF_CHECK_SPREAD] = "min, max, mean, p50, p95 or p99"};
    const struct wf_check_rule *of = &rule->of;
    const struct wf_check_kind_info *info = info_of(rule);
    bool bound =
        of->min.set || of->max.set || of->mean.set || of->p50.set || of->p95.set || of->p99.set;
    if (of->kind == WF_CHECK_AFTER && (!of->expect || !of->max.set || !of->event_count))
        luaL_error(L, "after{\"event\", within = \"2 ms\", expect = \"event\"}: needs all three");
    if ((info->keys & WF_CHECK_KEY_EVENT) && !of->event_count)
        luaL_error(L, "%s: which event? %s{\"name of a record\"}", rule->name, rule->name);
    if ((info->keys & WF_CHECK_KEY_EVENTS) && of->event_count < 2)
        luaL_error(L, "%s: needs two events or more", rule->name);
    if ((info->keys & WF_CHECK_KEY_STATES) && !of->from && !of->to && !of->only_count)
        luaL_error(L, "%s: needs from, to or allowed", rule->name);
    if (info->bounds != WF_CHECK_NONE && !bound)
        luaL_error(L, "%s: needs a bound: %s", rule->name, bounds[info->bounds]);
}

void keys_read_common(lua_State *L, struct check_rule *rule) {
    luaL_argexpected(L, lua_istable(L, 1), 1, "table of keys, as in task = \"name\"");
    check_keys(L, rule);
    if (lua_getfield(L, 1, "title") != LUA_TNIL) rule->title = take_text(L, rule, "title");
    rule->lane = -1;
    if (lua_getfield(L, 1, "lane") != LUA_TNIL) {
        if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0 || lua_tointeger(L, -1) > 65535)
            bad_value(L, rule, "lane", "is not the number of a lane");
        rule->lane = (int)lua_tointeger(L, -1);
    }
    lua_settop(L, 1);
}

void keys_read(lua_State *L, struct check_rule *rule) {
    rule->of.core = -1;
    keys_read_common(L, rule);
    for (unsigned i = 0; i < KEYS; ++i) {
        if (!has_key(rule, &keys[i])) continue;
        if (lua_getfield(L, 1, keys[i].name) != LUA_TNIL) take_key(L, rule, &keys[i]);
        lua_settop(L, 1);
    }
    take_plain(L, rule);
    check_complete(L, rule);
}

// ---- titles

static void add(char title[KEYS_TITLE], const char *before, const char *text) {
    size_t len = strlen(title);
    snprintf(title + len, KEYS_TITLE - len, "%s%s", before, text);
}

static void add_list(char title[KEYS_TITLE], const char *const *texts, unsigned count) {
    for (unsigned i = 0; i < count; ++i) add(title, i ? ", " : " ", texts[i]);
}

// "response control: max 5 ms, p99 3 ms", "after uart_rx expect comm runs: within 2 ms".
void keys_title(lua_State *L, const struct check_rule *rule, char title[KEYS_TITLE]) {
    const char *between = ": ";
    char text[UNIT_TEXT];
    snprintf(title, KEYS_TITLE, "%s", rule->name);
    add_list(title, rule->of.events, rule->of.event_count);
    for (unsigned i = 0; i < KEYS; ++i) {
        const struct key *k = &keys[i];
        bool event = k->form == EVENT && k->of != WF_CHECK_KEY_EXPECT;
        if (!event && has_key(rule, k) && lua_getfield(L, 1, k->name) != LUA_TNIL) {
            add(title, k->form == BOUND ? between : " ", k->plain ? "" : k->name);
            if (k->form == BOUND) between = ", ";
            if (k->form == TEXTS)
                add_list(title, rule->of.only, rule->of.only_count);
            else
                add(title, k->plain ? "" : " ", luaL_tolstring(L, -1, NULL));
        }
        lua_settop(L, 1);
    }
    if (rule->of.kind == WF_CHECK_DEADLINE && lua_rawlen(L, 1))
        add(title, between, unit_text(WF_CHECK_TIME, rule->of.max.value, text));
}
