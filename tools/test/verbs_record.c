// SPDX-License-Identifier: MIT
// Records as tables instead of lines: wallfly's own extension of the vocabulary.
//
//   rec = next_rec()   { id = 14, name = "active_post", text = "0000000003 AO-Post ...", tick = 3,
//                        fields = { time = 3, sender = 0x..., sig = 5, obj = 0x..., ... },
//                        names  = { sender = "QS_RX", sig = "ON_SIG", obj = "lamp" },
//                        values = { ... } }   the elements of an application record

#include <stdlib.h>
#include <string.h>

#include "../lua/record.h"
#include "match.h"
#include "runner.h"

static void push_record(lua_State *L, struct runner *r, const struct arrival *a) {
    const struct wf_record *rec = &a->record;
    lua_newtable(L);
    lua_pushstring(L, a->text);
    lua_setfield(L, -2, "text");
    if (!a->is_record) return;
    lua_pushinteger(L, rec->id);
    lua_setfield(L, -2, "id");
    lua_pushstring(L, record_name(target_session(&r->target), rec));
    lua_setfield(L, -2, "name");
    if (a->stamped) {
        lua_pushinteger(L, (lua_Integer)rec->stamp);
        lua_setfield(L, -2, "tick");
    }
    record_push_fields(L, target_session(&r->target), rec);
    if (rec->row == &wf_user_row) record_push_values(L, target_session(&r->target), rec);
}

// Takes the next line as a record; advances the clock if it has a stamp.
static bool take_record(lua_State *L, struct runner *r, const char *expected, double seconds) {
    struct arrival *a;
    if (!take_line(L, r, expected, seconds, &a)) return false;
    if (a->stamped) ++r->clock;
    note_assertion(r, a);
    push_record(L, r, a);
    free(a);
    return true;
}

// next_rec([seconds])
int verb_next_rec(lua_State *L, struct runner *r) {
    return take_record(L, r, "a record", luaL_optnumber(L, 1, r->timeout_s)) ? 1 : 0;
}

// Returns whether rec.WHERE[key] (or rec[key]) matches the value on top; a text is a pattern.
static bool field_matches(lua_State *L, int rec, const char *where, const char *key) {
    int wanted = lua_gettop(L);
    bool good = false;
    lua_pushvalue(L, rec);
    if (*where) lua_getfield(L, -1, where);
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, key);
        if (lua_type(L, wanted) == LUA_TSTRING && lua_type(L, -1) == LUA_TSTRING)
            good = match_line(lua_tostring(L, wanted), lua_tostring(L, -1));
        else
            good = lua_compare(L, wanted, -1, LUA_OPEQ);
    }
    lua_settop(L, wanted);
    return good;
}

// expect_rec{name = "active_post", obj = "lamp", sig = "ON_SIG"}: checks these values of the next
// record; returns it. Names and fields may be patterns or numbers.
int verb_expect_rec(lua_State *L, struct runner *r) {
    char received[TEXT_MAX + 2], wanted[TEXT_MAX];
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (!take_record(L, r, "a record", r->timeout_s)) return 0;
    lua_pushnil(L);
    while (lua_next(L, 1)) { // 2: the record, 3: key, 4: expected value
        const char *key = lua_type(L, 3) == LUA_TSTRING ? lua_tostring(L, 3) : "";
        if (field_matches(L, 2, "", key) || field_matches(L, 2, "names", key) ||
            field_matches(L, 2, "fields", key)) {
            lua_pop(L, 1);
            continue;
        }
        snprintf(wanted, sizeof wanted, "%s = %s", key, luaL_tolstring(L, 4, NULL));
        snprintf(received, sizeof received, "\"%s\"", r->last);
        return fail(L, wanted, received, "not the record that was expected");
    }
    return 1;
}
