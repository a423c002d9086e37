// SPDX-License-Identifier: MIT
// Records as tables instead of lines: wallfly's own extension of the vocabulary.
//
//   rec = next_rec()   { id = 14, name = "active_post", text = "0000000003 AO-Post ...", tick = 3,
//                        fields = { time = 3, sender = 0x..., sig = 5, obj = 0x..., ... },
//                        names  = { sender = "QS_RX", sig = "ON_SIG", obj = "lamp" },
//                        values = { ... } }   the elements of an application record

#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "runner.h"

// Sets the dictionary for the values of a kind. Returns false when there is none.
static bool find_dict(unsigned kind, enum wf_effect *dict) {
    switch (kind) {
    case WF_KIND_OBJECT:
    case WF_KIND_SENDER:
    case WF_KIND_QUEUE:
    case WF_KIND_TIMER: *dict = WF_EFFECT_NAME_OBJECT; return true;
    case WF_KIND_STATE:
    case WF_KIND_FUNCTION: *dict = WF_EFFECT_NAME_FUNCTION; return true;
    case WF_KIND_SIGNAL:
    case WF_KIND_SIGNAL_ANY: *dict = WF_EFFECT_NAME_SIGNAL; return true;
    default: return false;
    }
}

static uint64_t owner_of(const struct wf_record *rec) {
    for (unsigned i = 0; i < rec->row->count; ++i) {
        if (rec->row->fields[i].kind == WF_KIND_OBJECT) return rec->value[i];
    }
    return 0;
}

static const char *name_of(struct runner *r, const struct wf_record *rec, unsigned i) {
    enum wf_effect dict;
    unsigned kind = rec->row->fields[i].kind;
    if (kind == WF_KIND_COMMAND || kind == WF_KIND_STATUS)
        return rec->value[i] < wf_command_count ? wf_command_names[rec->value[i]] : NULL;
    if (!find_dict(kind, &dict)) return NULL;
    uint64_t of = kind == WF_KIND_SIGNAL ? owner_of(rec) : 0;
    return wf_session_name(target_session(&r->target), dict, rec->value[i], of);
}

static double as_float(const struct wf_element *e) {
    float single;
    double value;
    uint32_t low = (uint32_t)e->value;
    if (e->code == WF_ELEMENT_f64) {
        memcpy(&value, &e->value, sizeof value);
        return value;
    }
    memcpy(&single, &low, sizeof single);
    return (double)single;
}

// An i8 with such a width is a value of an enumeration, since QS 7.2.
static bool is_enum(struct wf_session *s, const struct wf_element *e) {
    enum { ENUM_WIDTH = 8, ENUMS_SINCE = 720 };
    return e->code == WF_ELEMENT_i8 && e->width >= ENUM_WIDTH &&
           wf_session_target(s)->version >= ENUMS_SINCE;
}

static int64_t as_integer(const struct wf_element *e) {
    switch (e->code) {
    case WF_ELEMENT_i8: return (int8_t)e->value;
    case WF_ELEMENT_i16: return (int16_t)e->value;
    case WF_ELEMENT_i32: return (int32_t)e->value;
    default: return (int64_t)e->value;
    }
}

static void push_element(lua_State *L, struct runner *r, const struct wf_element *e) {
    struct wf_session *s = target_session(&r->target);
    const char *name = NULL;
    if (is_enum(s, e)) name = wf_session_name(s, WF_EFFECT_NAME_ENUM, e->value, e->width & 7);
    switch (e->code) {
    case WF_ELEMENT_str:
    case WF_ELEMENT_mem: lua_pushlstring(L, (const char *)e->bytes, e->len); return;
    case WF_ELEMENT_f32:
    case WF_ELEMENT_f64: lua_pushnumber(L, as_float(e)); return;
    case WF_ELEMENT_obj: name = wf_session_name(s, WF_EFFECT_NAME_OBJECT, e->value, 0); break;
    case WF_ELEMENT_fun: name = wf_session_name(s, WF_EFFECT_NAME_FUNCTION, e->value, 0); break;
    case WF_ELEMENT_sig: name = wf_session_name(s, WF_EFFECT_NAME_SIGNAL, e->value, e->obj); break;
    default: break;
    }
    if (name)
        lua_pushstring(L, name);
    else
        lua_pushinteger(L, as_integer(e));
}

static void push_values(lua_State *L, struct runner *r, const struct wf_record *rec) {
    struct wf_element e;
    size_t at = 0;
    lua_newtable(L);
    for (lua_Integer n = 1; wf_session_next_element(target_session(&r->target), rec, &at, &e);
         ++n) {
        push_element(L, r, &e);
        lua_seti(L, -2, n);
    }
    lua_setfield(L, -2, "values");
}

static void push_fields(lua_State *L, struct runner *r, const struct wf_record *rec) {
    lua_newtable(L); // fields
    lua_newtable(L); // names
    for (unsigned i = 0; i < rec->row->count; ++i) {
        const struct wf_field *f = &rec->row->fields[i];
        const char *name = name_of(r, rec, i);
        if (f->type == WF_TYPE_ITEMS || f->type == WF_TYPE_ELEMS) continue;
        if (f->type == WF_TYPE_STR)
            lua_pushlstring(L, rec->text ? rec->text : "", rec->text_len);
        else
            lua_pushinteger(L, (lua_Integer)rec->value[i]);
        lua_setfield(L, -3, f->name);
        if (!name) continue;
        lua_pushstring(L, name);
        lua_setfield(L, -2, f->name);
    }
    lua_setfield(L, -3, "names");
    lua_setfield(L, -2, "fields");
}

static void push_record(lua_State *L, struct runner *r, const struct arrival *a) {
    const struct wf_record *rec = &a->record;
    const char *name = NULL;
    lua_newtable(L);
    lua_pushstring(L, a->text);
    lua_setfield(L, -2, "text");
    if (!a->is_record) return;
    lua_pushinteger(L, rec->id);
    lua_setfield(L, -2, "id");
    if (rec->row == &wf_user_row) name = wf_session_user_name(target_session(&r->target), rec->id);
    lua_pushstring(L, name ? name : rec->row->name);
    lua_setfield(L, -2, "name");
    if (a->stamped) {
        lua_pushinteger(L, (lua_Integer)rec->stamp);
        lua_setfield(L, -2, "tick");
    }
    push_fields(L, r, rec);
    if (rec->row == &wf_user_row) push_values(L, r, rec);
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
