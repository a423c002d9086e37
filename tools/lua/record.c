// SPDX-License-Identifier: MIT
#include "record.h"

#include <string.h>

#include "wallfly_host/wf_command.h"

const char *record_name(const struct wf_session *s, const struct wf_record *rec) {
    const char *name = rec->row == &wf_user_row ? wf_session_user_name(s, rec->id) : NULL;
    return name ? name : rec->row->name;
}

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

static const char *name_of(struct wf_session *s, const struct wf_record *rec, unsigned i) {
    enum wf_effect dict;
    unsigned kind = rec->row->fields[i].kind;
    if (kind == WF_KIND_COMMAND || kind == WF_KIND_STATUS)
        return rec->value[i] < wf_command_count ? wf_command_names[rec->value[i]] : NULL;
    if (!find_dict(kind, &dict)) return NULL;
    uint64_t of = kind == WF_KIND_SIGNAL ? owner_of(rec) : 0;
    return wf_session_name(s, dict, rec->value[i], of);
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

static void push_element(lua_State *L, struct wf_session *s, const struct wf_element *e) {
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

void record_push_values(lua_State *L, struct wf_session *s, const struct wf_record *rec) {
    struct wf_element e;
    size_t at = 0;
    lua_newtable(L);
    for (lua_Integer n = 1; wf_session_next_element(s, rec, &at, &e); ++n) {
        push_element(L, s, &e);
        lua_seti(L, -2, n);
    }
    lua_setfield(L, -2, "values");
}

void record_push_fields(lua_State *L, struct wf_session *s, const struct wf_record *rec) {
    lua_newtable(L); // fields
    lua_newtable(L); // names
    for (unsigned i = 0; i < rec->row->count; ++i) {
        const struct wf_field *f = &rec->row->fields[i];
        const char *name = name_of(s, rec, i);
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
